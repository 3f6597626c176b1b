//! A surface in runs of triangles, with a box around each, so that most of it is passed over at once where only
//! a place is looked at. Neighbours on a surface are mostly neighbours in its list.

use crate::hulls::shape::convex_hull::bounds;
use crate::hulls::shape::part::Part;
use glam::DVec3;

/// Triangles of a run.
const RUN: usize = 32;

pub struct TriangleBatches {
    boxes: Vec<[DVec3; 2]>,
}

impl TriangleBatches {
    pub fn of(part: &Part) -> Self {
        let point = |corner: &u32| part.points[*corner as usize];
        let points = |run: &[[u32; 3]]| run.as_flattened().iter().map(point).collect::<Vec<_>>();
        let runs = part.triangles.chunks(RUN);
        Self {
            boxes: runs.map(|run| bounds(&points(run))).collect(),
        }
    }

    /// The triangles of all runs whose box may matter, of the part that they are of.
    pub fn triangles<'a>(
        &'a self,
        part: &'a Part,
        may: impl Fn(&[DVec3; 2]) -> bool + 'a,
    ) -> impl Iterator<Item = &'a [u32; 3]> + 'a {
        let runs = part.triangles.chunks(RUN).zip(&self.boxes);
        let runs = runs.filter(move |(_, around)| may(around));
        runs.flat_map(|(run, _)| run)
    }
}
