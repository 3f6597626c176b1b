//! The lines that cracks draw on an object's surface.

use crate::{
    impacts::impact::Impact,
    tools::preview::{BreakPreview, PreviewError},
};
use fracture_geometry::{Piece, CAP_SURFACE};
use fyrox::core::algebra::Vector3;
use std::{
    collections::BTreeSet,
    sync::{atomic::AtomicBool, Arc},
};

/// Crack lines on an object's surface, world space, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrackLines {
    /// Both ends of each line.
    pub lines: Vec<[Vector3<f32>; 2]>,
    /// Number of fragments.
    pub fragments: usize,
    /// Number of islands.
    pub islands: usize,
}

/// Distance from the eye at which lines are drawn, relative to that of the surface that they are on.
const IN_FRONT: f32 = 0.995;

/// Moves a point of a surface, such as an end of a crack line, towards an eye by so little that it is seen at the
/// same place and the surface does not hide it.
pub fn in_front(point: Vector3<f32>, eye: Vector3<f32>) -> Vector3<f32> {
    eye + (point - eye) * IN_FRONT
}

/// An edge as the bits of its two positions.
type Edge = [[u32; 3]; 2];

impl BreakPreview {
    /// The crack lines of the object's first break: those around the fragments, or with `everywhere` those
    /// of the whole pattern, placed at the impact. Takes as long as the break; for a worker.
    ///
    /// # Errors
    /// A fault of the mesh or the pattern, or an impact that misses the object.
    pub fn outlines(
        &self,
        impact: &Impact,
        everywhere: bool,
        cancel: &Arc<AtomicBool>,
    ) -> Result<CrackLines, PreviewError> {
        let broken = self.break_at(impact, everywhere, cancel)?;
        let mut edges = BTreeSet::new();
        for piece in broken.fragments() {
            add_cracks(piece, &mut edges);
        }
        let line = |edge: &Edge| edge.map(|end| self.to_world(end.map(f32::from_bits)));
        Ok(CrackLines {
            lines: edges.iter().map(line).collect(),
            fragments: broken.fragments().count(),
            islands: broken.islands().count(),
        })
    }
}

/// Adds the edges between a piece's outside and its cut faces, each once for both sides.
fn add_cracks(piece: &Piece, cracks: &mut BTreeSet<Edge>) {
    let edges_of = |cap: bool| {
        let of_side = move |(_, surface): &(&[u32; 3], &u32)| (**surface == CAP_SURFACE) == cap;
        let triangles = piece.triangles.iter().zip(&piece.surfaces);
        triangles
            .filter(of_side)
            .flat_map(|(t, _)| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
            .filter_map(|edge| ends(piece, edge))
    };
    let caps: BTreeSet<Edge> = edges_of(true).collect();
    let shared = edges_of(false).filter(|[a, b]| caps.contains(&[*b, *a]));
    cracks.extend(shared.map(|[a, b]| if a < b { [a, b] } else { [b, a] }));
}

fn ends(piece: &Piece, [a, b]: [u32; 2]) -> Option<Edge> {
    let end = |corner: u32| {
        let corner = piece.vertices.get(corner as usize)?;
        Some(corner.position.map(|x| (x + 0.0).to_bits()))
    };
    Some([end(a)?, end(b)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_front_is_seen_at_the_same_place() {
        let (eye, point) = (Vector3::new(0.0, 1.0, 5.0), Vector3::new(1.0, 2.0, 0.1));
        let [seen, on] = [in_front(point, eye) - eye, point - eye];
        assert!(seen.cross(&on).norm() < 1e-5);
        assert!((0.99..1.0).contains(&(seen.norm() / on.norm())));
    }
}
