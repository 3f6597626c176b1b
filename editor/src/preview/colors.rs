//! Colours of the pieces in a preview.

use fracture::{PieceInfo, PieceKind};
use fyrox::{
    core::{algebra::Vector3, color::Color, color::Hsv, pool::Handle},
    graph::SceneGraph,
    material::{Material, MaterialResource},
    scene::{
        graph::Graph,
        mesh::{surface::Surface, Mesh},
        node::Node,
    },
};
use std::collections::BTreeMap;

/// Meaning of the pieces' colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorBy {
    /// Their own materials.
    #[default]
    Material,
    /// One colour per cell of the pattern; islands are grey.
    Cell,
    /// One colour per island; fragments are grey.
    Island,
    /// From blue for the smallest to red for the largest volume.
    Size,
    /// From red at the impact to blue at the farthest piece.
    Depth,
}

impl ColorBy {
    /// All meanings with their names, in the order of the drop-down list.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Material, "material"),
        (Self::Cell, "cell"),
        (Self::Island, "island"),
        (Self::Size, "size"),
        (Self::Depth, "depth"),
    ];
}

/// The colours of a preview, and the materials that they replace.
#[derive(Default)]
pub(super) struct Paint {
    by: ColorBy,
    changed: bool,
    own: BTreeMap<Handle<Node>, Vec<MaterialResource>>,
    /// One material for each colour.
    plain: BTreeMap<[u8; 3], MaterialResource>,
}

impl Paint {
    pub fn set(&mut self, by: ColorBy) {
        self.changed |= self.by != by;
        self.by = by;
    }

    /// Paints new pieces, or all pieces after a change of meaning.
    pub fn apply(&mut self, graph: &mut Graph, pieces: &[PieceInfo], struck_at: Vector3<f32>) {
        let all = std::mem::take(&mut self.changed);
        let is_new = |piece: &PieceInfo| !self.own.contains_key(&piece.node);
        // Scales span all pieces: a new piece changes the colours of the others.
        if !(all || pieces.iter().any(is_new)) {
            return;
        }
        let scale = Scale::of(pieces, struck_at);
        for piece in pieces {
            let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(piece.node) else {
                continue;
            };
            let material = |surface: &Surface| surface.material().clone();
            let own = self
                .own
                .entry(piece.node)
                .or_insert_with(|| mesh.surfaces().iter().map(material).collect());
            let color = scale.color(self.by, piece);
            let paint = color.map(|color| plain(&mut self.plain, color));
            for (surface, own) in mesh.surfaces_mut().iter_mut().zip(own.iter()) {
                surface.set_material(paint.clone().unwrap_or_else(|| own.clone()));
            }
        }
    }

    /// Restores the pieces' own materials on copied surfaces.
    pub fn unpaint(&self, piece: Handle<Node>, surfaces: &mut [Surface]) {
        let own = self.own.get(&piece).into_iter().flatten();
        for (surface, own) in surfaces.iter_mut().zip(own) {
            surface.set_material(own.clone());
        }
    }
}

/// Returns the material of a colour, made once.
fn plain(made: &mut BTreeMap<[u8; 3], MaterialResource>, color: Color) -> MaterialResource {
    let make = || {
        let mut material = Material::standard();
        material.set_property("diffuseColor", color);
        MaterialResource::new_embedded(material)
    };
    let material = made.entry([color.r, color.g, color.b]);
    material.or_insert_with(make).clone()
}

/// The ranges of volume and depth that the colours span.
struct Scale {
    volumes: [f64; 2],
    struck_at: Vector3<f32>,
    farthest: f32,
}

impl Scale {
    fn of(pieces: &[PieceInfo], struck_at: Vector3<f32>) -> Self {
        let logs = pieces.iter().map(|piece| log(piece.volume));
        let volumes = logs.fold([f64::MAX, f64::MIN], |[a, b], x| [a.min(x), b.max(x)]);
        let distances = pieces.iter().map(|p| (p.position - struck_at).norm());
        Self {
            volumes,
            struck_at,
            farthest: distances.fold(1e-6, f32::max),
        }
    }

    fn color(&self, by: ColorBy, piece: &PieceInfo) -> Option<Color> {
        let is_fragment = piece.kind == PieceKind::Fragment;
        let grey = Color::opaque(150, 150, 150);
        match by {
            ColorBy::Material => None,
            ColorBy::Cell if is_fragment => Some(spread(number(&piece.name))),
            ColorBy::Island if !is_fragment => Some(spread(number(&piece.name))),
            ColorBy::Cell | ColorBy::Island => Some(grey),
            ColorBy::Size => {
                let [low, high] = self.volumes;
                let share = (log(piece.volume) - low) / (high - low).max(1e-9);
                Some(heat(share as f32))
            }
            ColorBy::Depth => {
                let distance = (piece.position - self.struck_at).norm();
                Some(heat(1.0 - distance / self.farthest))
            }
        }
    }
}

fn log(volume: f64) -> f64 {
    volume.max(1e-15).ln()
}

/// Returns the number in a piece's name: that of its cell or island.
fn number(name: &str) -> u32 {
    let last = name.rsplit('/').next().unwrap_or(name);
    let digits = last.split('_').nth(1);
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Number of distinct hues. A prime, so that cells in rows do not repeat them in step.
const SHADES: u32 = 61;

/// Hues in steps of the golden angle, so that neighbouring numbers differ as much as possible.
fn spread(number: u32) -> Color {
    let hue = ((number % SHADES) as f32 * 137.508) % 360.0;
    Color::from(Hsv::new(hue, 65.0, 95.0))
}

/// Blue at 0, green at a half, red at 1.
fn heat(share: f32) -> Color {
    let steps = SHADES as f32;
    let share = (share.clamp(0.0, 1.0) * steps).round() / steps;
    Color::from(Hsv::new(240.0 * (1.0 - share), 80.0, 95.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_names() {
        assert_eq!(number("wall/fragment_17_0"), 17);
        assert_eq!(number("a/fragment_3_1/island_2"), 2);
        assert_eq!(number("odd"), 0);
    }

    #[test]
    fn neighbouring_numbers_differ() {
        for n in 0..100 {
            let (a, b) = (spread(n), spread(n + 1));
            let off =
                a.r.abs_diff(b.r)
                    .max(a.g.abs_diff(b.g))
                    .max(a.b.abs_diff(b.b));
            assert!(off > 60, "{n}: {a:?} {b:?}");
        }
        assert_ne!(heat(0.0), heat(1.0));
    }

    #[test]
    fn any_number_of_pieces_needs_few_materials() {
        let mut made = BTreeMap::new();
        for n in 0..2000 {
            plain(&mut made, spread(n));
            plain(&mut made, heat(n as f32 / 2000.0));
        }
        assert!(made.len() <= 2 * SHADES as usize + 1, "{}", made.len());
    }
}
