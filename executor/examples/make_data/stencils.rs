//! Stencils: a model of hexagonal columns, a picture of cracks and a list of points, the patterns that are read from
//! them, and the scene in which they break walls.

use crate::glb;
use crate::noise::hash;
use crate::props::{foundation, stone, wall_on_foundation};
use crate::set::{Result, Set};
use crate::shape::{RenderMesh, Shape};
use crate::textures::write_grey;
use fracture::{read_stencil, FracturePattern, PatternKind};
use fyrox::{asset::manager::ResourceManager, asset::ResourceData};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Distance of a column's corners from its middle, metres.
const COLUMN: f32 = 0.16;
/// Rings of columns around the one in the middle.
const RINGS: i32 = 3;
/// Height of their lower and upper ends above the surface that is struck, metres.
const ENDS: [f32; 2] = [-0.6, 0.1];

/// Side of the picture, pixels.
const SIDE: usize = 192;
/// Places in a row of the picture around which there is no crack.
const PLACES: usize = 7;

/// Points of the sunflower.
const SEEDS: u32 = 160;

/// Writes the model, `hexagons.glb`.
pub fn write_model(folder: &Path) -> Result<()> {
    let mut parts: Vec<(String, RenderMesh)> = Vec::new();
    for q in -RINGS..=RINGS {
        for r in -RINGS..=RINGS {
            if (q + r).abs() <= RINGS {
                let middle = [
                    COLUMN * 3f32.sqrt() * (q as f32 + 0.5 * r as f32),
                    COLUMN * 1.5 * r as f32,
                ];
                let name = format!("column.{:02}", parts.len());
                let meshes = column(middle).render(20.0);
                parts.extend(meshes.into_iter().map(|mesh| (name.clone(), mesh)));
            }
        }
    }
    fs::write(folder.join("hexagons.glb"), glb::encode_parts(&parts)?)?;
    println!("hexagons.glb: {} parts", parts.len());
    Ok(())
}

fn column([x, z]: [f32; 2]) -> Shape {
    let mut shape = Shape::default();
    let ends = ENDS.map(|y| {
        [0, 1, 2, 3, 4, 5].map(|corner| {
            let (sin, cos) = (corner as f32 * 60.0 + 30.0).to_radians().sin_cos();
            shape.point([x + COLUMN * cos, y, z + COLUMN * sin])
        })
    });
    let [low, high] = ends;
    for [a, b, c, d] in [[0, 1, 2, 3], [0, 3, 4, 5]] {
        shape.projected_quad([low[a], low[b], low[c], low[d]], 1.0);
        shape.projected_quad([high[d], high[c], high[b], high[a]], 1.0);
    }
    for side in 0..6 {
        let next = (side + 1) % 6;
        shape.projected_quad([low[next], low[side], high[side], high[next]], 1.0);
    }
    shape
}

/// Writes the pictures: `cracks.png`, dried mud, drawn with a pen, and `ripples.png`, for cells that are small where it is dark.
pub fn write_pictures(folder: &Path) -> Result<()> {
    let number = |at: usize, salt: usize| hash(at as i32, salt as i32, 77);
    let places: Vec<[f32; 2]> = (0..PLACES * PLACES)
        .map(|at| {
            let place = [at % PLACES, at / PLACES];
            [0, 1].map(|k| {
                let jitter = 0.5 + 0.8 * (number(at, k) - 0.5);
                (place[k] as f32 + jitter) / PLACES as f32 * SIDE as f32
            })
        })
        .collect();
    let pixel = |at: usize| {
        let point = [(at % SIDE) as f32 + 0.5, (at / SIDE) as f32 + 0.5];
        let squared =
            |place: &[f32; 2]| (place[0] - point[0]).powi(2) + (place[1] - point[1]).powi(2);
        let mut near = places.clone();
        near.sort_by(|a, b| squared(a).total_cmp(&squared(b)));
        let apart = ((near[1][0] - near[0][0]).powi(2) + (near[1][1] - near[0][1]).powi(2)).sqrt();
        let to_crack = (squared(&near[1]) - squared(&near[0])) / (2.0 * apart);
        let ink = (2.0 - to_crack).clamp(0.0, 1.0);
        (240.0 - 210.0 * ink) as u8
    };
    let size = [SIDE; 2];
    write_grey(&folder.join("cracks.png"), size, pixel)?;
    // Two rings, as of ripples, darker inwards.
    write_grey(&folder.join("ripples.png"), size, |at| {
        let from_middle = |pixel: usize| (pixel as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
        let radius = from_middle(at % SIDE).hypot(from_middle(at / SIDE));
        let wave = 0.5 + 0.5 * (radius * 2.0 * std::f32::consts::TAU).cos();
        (255.0 - 245.0 * wave * (1.0 - radius).max(0.0)) as u8
    })
}

/// Writes the list of points, `sunflower.points`: seeds of a flower 1.8 m wide.
fn write_points(folder: &Path) -> Result<()> {
    let mut text = String::from("# x y z, metres: the seeds of a sunflower\n");
    for seed in 0..SEEDS {
        let part = (seed as f64 + 0.5) / f64::from(SEEDS);
        // The golden angle.
        let (sin, cos) = (f64::from(seed) * 2.399_963_229_728_653).sin_cos();
        let radius = 0.9 * part.sqrt();
        writeln!(text, "{:.4} 0 {:.4}", radius * cos, radius * sin)?;
    }
    fs::write(folder.join("sunflower.points"), text)?;
    Ok(())
}

/// Writes the list of points, and the patterns of all.
pub fn write_patterns(resources: &ResourceManager, data: &Path) -> Result<()> {
    let folder = data.join("patterns");
    write_points(&folder)?;
    for (name, source) in [
        ("hexagons", "models/hexagons.glb"),
        ("cracks", "textures/cracks.png"),
        ("ripples", "textures/ripples.png"),
        ("sunflower", "patterns/sunflower.points"),
    ] {
        let mut pattern = FracturePattern {
            kind: PatternKind::Stencil,
            source: data.join(source).to_string_lossy().replace('\\', "/"),
            cells: 100,
            picture_width: 1.8,
            lines: name != "ripples",
            ..Default::default()
        };
        println!("{name}.pattern: {}", read_stencil(&mut pattern, resources)?);
        pattern.save(&folder.join(name).with_extension("pattern"))?;
    }
    Ok(())
}

/// Four walls, each with a pattern of its own.
pub fn walls(set: &mut Set) -> Result<()> {
    for (name, pattern, x) in [
        ("Hexagons", "hexagons", -4.8),
        ("Cracks", "cracks", 0.0),
        ("Sunflower", "sunflower", 4.8),
        ("Ripples", "ripples", 9.6),
    ] {
        foundation(set, [x, 0.0, 0.0], 0.0)?;
        let mut breaks = stone(set, pattern, "concrete_cut")?;
        breaks.breaking.max_radius = 0.8.into();
        wall_on_foundation(set, name, [x, 0.0, 0.0], 0.0, breaks)?;
    }
    Ok(())
}
