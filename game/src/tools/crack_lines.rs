//! The cracks that a blow would draw onto an object.

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

/// Lines that cells draw onto an object's surface, world space, metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrackLines {
    /// Where the surface would crack: from and to.
    pub lines: Vec<[Vector3<f32>; 2]>,
    /// How many fragments there would be.
    pub fragments: usize,
    /// How many islands would be left.
    pub islands: usize,
}

/// An edge by the bits of its ends.
type Edge = [[u32; 3]; 2];

impl BreakPreview {
    /// The cracks of the object's first break by a blow: those around the fragments, or with
    /// `everywhere` those of the whole pattern as the blow lays it onto the object. Takes as long as
    /// the break: for a worker.
    ///
    /// # Errors
    /// What is wrong with mesh or pattern, or that the blow misses the object.
    pub fn outlines(
        &self,
        blow: &Impact,
        everywhere: bool,
        cancel: &Arc<AtomicBool>,
    ) -> Result<CrackLines, PreviewError> {
        let broken = self.break_at(blow, everywhere, cancel)?;
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

/// Adds the edges in which a piece's outside meets its cut faces, each once for both sides.
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
