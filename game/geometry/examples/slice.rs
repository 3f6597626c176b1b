//! Draws a slice through a broken ring as an SVG: what breaks off in colours, what stays in grey, and
//! with a broad line the part of the surface that the break looked at.
//!
//! `cargo run --release -p fracture_geometry --example slice -- data/pictures/slice.svg`

use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureParams, Mesh, Pattern, Piece, PieceKind, Placement,
    Recipe, Solid, Workspace,
};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;

/// Pixels per metre.
const SCALE: f64 = 640.0;
/// The plane: what lies at this height, metres. No vertex does.
const HEIGHT: f32 = 0.0137;

/// A point of the slice by its bits.
type Key = [u32; 2];

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name the file to write")?;
    let solid = Solid::new(Mesh::torus(0.35, 0.15, 125, 80))?;
    let recipe = Recipe::Clustered {
        cells: 320,
        falloff: 0.6,
    };
    let pattern = Pattern::from_recipe(&recipe, 7)?;
    let (point, radius) = (DVec3::new(0.48, 0.0, 0.1), 0.2);
    let cut = FractureParams {
        placement: Placement::at_impact(point, DVec3::X, 0.4, 0.6),
        selection: CellSelection::Within { point, radius },
    };
    let broken = fracture(&solid, &pattern, &cut, &mut Workspace::default())?;
    std::fs::write(file, drawing(&solid, &broken, point, radius))?;
    Ok(())
}

fn drawing(solid: &Solid, broken: &Fracture, point: DVec3, radius: f64) -> String {
    let mut svg = String::from(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-340 -340 680 680" width="680" height="680">
<rect x="-340" y="-340" width="680" height="680" fill="#ffffff"/>
"##,
    );
    for (index, piece) in broken.pieces.iter().enumerate() {
        let fill = match piece.kind {
            PieceKind::Island { .. } => "#d9d9d6".to_owned(),
            // Neighbours in number are far apart in hue.
            PieceKind::Fragment { .. } => format!("hsl({} 60% 68%)", index * 137 % 360),
        };
        let path = path(&outline(&piece.expanded(solid)));
        let _ = writeln!(
            svg,
            r##"<path d="{path}" fill="{fill}" fill-rule="evenodd" stroke="#222222" stroke-width="1.2"/>"##
        );
    }
    for piece in broken.islands() {
        for [from, to] in segments(piece) {
            let (from, to) = (place(from), place(to));
            let _ = writeln!(
                svg,
                r##"<path d="M{:.1} {:.1}L{:.1} {:.1}" stroke="#e0902a" stroke-width="4"/>"##,
                from.x, from.y, to.x, to.y
            );
        }
    }
    let center = place(DVec2::new(point.x, point.z));
    let reach = radius * SCALE;
    let _ = writeln!(
        svg,
        r##"<circle cx="{0:.1}" cy="{1:.1}" r="{reach:.1}" fill="none" stroke="#c03020" stroke-width="1.5" stroke-dasharray="6 5"/>
<circle cx="{0:.1}" cy="{1:.1}" r="4" fill="#c03020"/>
</svg>"##,
        center.x, center.y
    );
    svg
}

fn place(p: DVec2) -> DVec2 {
    p * SCALE
}

/// Where the triangles of a piece meet the plane, in the sense of its outline.
fn segments(piece: &Piece) -> Vec<[DVec2; 2]> {
    let mut segments = Vec::new();
    for triangle in &piece.triangles {
        let [a, b, c] = triangle.map(|corner| piece.vertices[corner as usize].position);
        let crossings: Vec<(bool, DVec2)> = [(a, b), (b, c), (c, a)]
            .into_iter()
            .filter_map(|(from, to)| crossing(from, to))
            .collect();
        // One edge goes up through the plane, one down.
        if let [one, other] = crossings[..] {
            segments.push(if one.0 {
                [one.1, other.1]
            } else {
                [other.1, one.1]
            });
        }
    }
    segments
}

/// The loops in which a closed mesh meets the plane.
fn outline(piece: &Piece) -> Vec<Vec<DVec2>> {
    let mut next: BTreeMap<Key, Vec<(Key, DVec2)>> = BTreeMap::new();
    for [from, to] in segments(piece) {
        next.entry(key(from)).or_default().push((key(to), from));
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.first_key_value() {
        let mut points = Vec::new();
        let mut at = start;
        while let Some(mut list) = next.remove(&at) {
            let Some((to, point)) = list.pop() else { break };
            if !list.is_empty() {
                next.insert(at, list);
            }
            points.push(point);
            at = to;
        }
        loops.push(points);
    }
    loops
}

/// Where an edge crosses the plane, and whether upwards; the same bits from both of its sides.
fn crossing(from: [f32; 3], to: [f32; 3]) -> Option<(bool, DVec2)> {
    let up = from[1] < HEIGHT && to[1] >= HEIGHT;
    let down = to[1] < HEIGHT && from[1] >= HEIGHT;
    if !up && !down {
        return None;
    }
    let (low, high) = if up { (from, to) } else { (to, from) };
    let [low, high] = [low, high].map(|p| DVec3::from(p.map(f64::from)));
    let at = low.lerp(high, (f64::from(HEIGHT) - low.y) / (high.y - low.y));
    Some((up, DVec2::new(at.x, at.z)))
}

fn key(p: DVec2) -> Key {
    [p.x as f32, p.y as f32].map(f32::to_bits)
}

fn path(loops: &[Vec<DVec2>]) -> String {
    let mut path = String::new();
    for points in loops {
        for (index, point) in points.iter().enumerate() {
            let at = place(*point);
            let _ = write!(
                path,
                "{}{:.1} {:.1}",
                if index == 0 { "M" } else { "L" },
                at.x,
                at.y
            );
        }
        path.push('Z');
    }
    path
}
