//! Hulls of a fragment from a solid's convex parts: no plane is searched, and for most fragments no
//! voxels are needed.

use super::history::FractureHistory;
use crate::hulls::params::{
    ABSORB_SLACK, CLIPPED_HULL_SLACK, FEW_HULLS, MAX_HULL_POINTS, MIN_CLIPPED_SIZE,
    MIN_REUSED_VOLUME, SEARCH_HULL_SLACK,
};
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::{finish_hulls, HullPart};
use crate::hulls::search::merge::{merge_greedily, merge_hulls};
use crate::hulls::shape::convex_hull::ConvexHull;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::hulls::shape::quickhull::convex_hull;
use crate::hulls::tolerance::coverage::covers_surface;
use crate::hulls::tolerance::depth_bound::{all_near_some_plane, HullCore};
use crate::steps::pause;

impl FractureHistory<'_> {
    /// Few hulls of a fragment of a cell; `None` when the convex parts do not fit it.
    pub(in crate::hulls) async fn fragment_hulls(
        &self,
        context: &DecomposeContext<'_>,
        cell: u32,
    ) -> Option<Vec<HullPart>> {
        if self.parts.is_empty() {
            return None;
        }
        let bounds = context.solid.bounds();
        let mut own = FragmentParts::new(context, &self.clip_to_cell(&bounds, cell));
        pause().await;
        if let Some(merged) = own.merged(context).await {
            return Some(merged);
        }
        // The fragment may have taken slivers of neighboring cells.
        let neighbors = self.clip_to_neighbors(&bounds, cell);
        let neighbors = FragmentParts::new(context, &neighbors);
        if neighbors.hulls.is_empty() {
            return None;
        }
        pause().await;
        own.hulls.extend(neighbors.hulls);
        own.sort();
        own.merged(context).await
    }
}

/// The convex parts of a fragment, the largest first.
struct FragmentParts {
    /// Each with its volume, m^3.
    hulls: Vec<(f64, ConvexHull)>,
}

impl FragmentParts {
    /// Those of some convex parts that are inside of the fragment and not small: its cell may have more
    /// fragments.
    fn new(context: &DecomposeContext, polyhedra: &[ConvexPolyhedron]) -> Self {
        let mut parts = Self { hulls: Vec::new() };
        for polyhedron in polyhedra {
            let hull = polyhedron.to_hull();
            let center = HullCore::new(&hull).center;
            let is_small = polyhedron.bounds().diagonal() < MIN_CLIPPED_SIZE * context.size;
            if is_small || !context.is_inside(center) {
                continue;
            }
            parts.hulls.push((hull.volume(), hull));
        }
        parts.sort();
        parts
    }

    fn sort(&mut self) {
        self.hulls.sort_by(|a, b| b.0.total_cmp(&a.0));
    }

    /// The parts merged to few hulls; `None` when these do not fit or do not cover the fragment.
    async fn merged(&self, context: &DecomposeContext<'_>) -> Option<Vec<HullPart>> {
        let volumes = self.hulls.iter().map(|(volume, _)| volume);
        if volumes.sum::<f64>() < MIN_REUSED_VOLUME * context.solid.volume() {
            return None;
        }
        let hulls = self.hulls.iter().map(|(_, hull)| hull.clone());
        let (hulls, mut known_to_fit): (Vec<_>, Vec<_>) =
            merge_by_depth(context, hulls).await.into_iter().unzip();
        let mut parts: Vec<HullPart> = hulls.into_iter().map(HullPart::from_hull).collect();
        if parts.len() > FEW_HULLS {
            parts = merge_hulls(parts, Vec::new(), usize::MAX, context).await.0;
            known_to_fit = vec![false; parts.len()];
        }
        if parts.is_empty() {
            return None;
        }
        let extended = finish_hulls(&mut parts, context).await;
        let shown = known_to_fit.iter().zip(extended);
        let shown = shown.map(|(known, extended)| *known && !extended);
        let mut unknown = parts.iter().zip(shown).filter(|(_, shown)| !shown);
        let all_fit = unknown.all(|(part, _)| {
            let hull = &part.hull;
            fits_by_depth_of_solid(context, hull) || context.volume().contains_hull(hull)
        });
        // More than the slack of points, so that triangles of which a corner is in a hull are near
        // enough when short.
        let slack = 2.0 * SEARCH_HULL_SLACK * context.size;
        let hulls = parts.iter().map(|part| &part.hull);
        (all_fit && covers_surface(hulls, &context.solid, slack)).then_some(parts)
    }
}

/// Merges hulls, the largest first, where depth alone shows that the joint hull fits. Each result comes
/// with whether that was shown of it.
async fn merge_by_depth(
    context: &DecomposeContext<'_>,
    hulls: impl Iterator<Item = ConvexHull>,
) -> Vec<(ConvexHull, bool)> {
    let open = hulls.map(|hull| (hull, false)).collect();
    merge_greedily(open, |(hull, known_to_fit), (other, _)| {
        if is_absorbed(context, other, hull) {
            return true;
        }
        let joint = joint_hull(context, hull, other);
        let joint = joint.filter(|joint| fits_by_depth_of_solid(context, joint));
        let merges = joint.is_some();
        if let Some(joint) = joint {
            (*hull, *known_to_fit) = (joint, true);
        }
        merges
    })
    .await
}

/// Whether another hull has next to all of a hull.
fn is_absorbed(context: &DecomposeContext, hull: &ConvexHull, other: &ConvexHull) -> bool {
    let slack = ABSORB_SLACK * context.size;
    hull.points.iter().all(|point| other.height(*point) < slack)
}

/// The hull around two near hulls.
fn joint_hull(
    context: &DecomposeContext,
    one: &ConvexHull,
    other: &ConvexHull,
) -> Option<ConvexHull> {
    if one.bounds().axis_distance(&other.bounds()) >= context.tolerance {
        return None;
    }
    let corners = [&one.points[..], &other.points].concat();
    convex_hull(&corners, CLIPPED_HULL_SLACK * context.size, MAX_HULL_POINTS)
}

/// Whether the depth of the fragment's whole surface in a hull shows that the hull fits. The centre has
/// to be inside, since here the hull may lie outside of the fragment.
fn fits_by_depth_of_solid(context: &DecomposeContext, hull: &ConvexHull) -> bool {
    let core = HullCore::new(hull);
    let max_depth = core.max_surface_depth(context.tolerance);
    let bounds = hull.bounds();
    let near = context.triangles_near(|batch| batch.intersects(&bounds));
    let corners = near.map(|triangle| context.solid.corners(*triangle));
    core.depth > max_depth
        && all_near_some_plane(corners, &hull.planes, max_depth)
        && context.is_inside(core.center)
}

#[cfg(test)]
mod tests {
    use super::super::convex_parts::ConvexParts;
    use super::super::placed_pattern::PlacedPattern;
    use super::*;
    use crate::steps::finish;
    use crate::{Mesh, Pattern, Placement};
    use glam::{DMat3, DVec3};

    /// A cube with a pit in the middle of its top.
    fn pitted(depth: f32) -> Mesh {
        let mut mesh = Mesh::cuboid([1.0; 3]);
        let is_top = |t: &[u32; 3]| t.iter().all(|p| mesh.positions[*p as usize][1] > 0.4);
        let (top, mut rest): (Vec<_>, Vec<_>) = mesh.triangles.iter().copied().partition(is_top);
        let corner = |x: f32, z: f32| {
            let is_there = |p: &[f32; 3]| p[0] * x > 0.0 && p[1] > 0.0 && p[2] * z > 0.0;
            mesh.positions.iter().position(is_there).expect("a corner") as u32
        };
        let ring = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].map(|(x, z)| corner(x, z));
        assert_eq!(top.len(), 2);
        let pit = mesh.positions.len() as u32;
        rest.extend((0..4).map(|k| [ring[k], ring[(k + 1) % 4], pit]));
        mesh.positions.push([0.0, 0.5 - depth, 0.0]);
        Mesh::from_triangles(mesh.positions, rest)
    }

    #[test]
    fn a_part_that_is_too_deep_is_no_hull_of_a_piece() {
        let pattern = Pattern::from_sites(&[DVec3::ZERO, 100.0 * DVec3::X]).expect("a pattern");
        let placement = Placement {
            linear: DMat3::IDENTITY,
            translation: DVec3::ZERO,
        };
        for (depth, fits) in [(0.01, true), (0.3, false)] {
            let context = DecomposeContext::new(&pitted(depth), 0.0185);
            let hull = convex_hull(&context.solid.points, 0.0, MAX_HULL_POINTS).expect("a hull");
            let parts = ConvexParts {
                polyhedra: vec![ConvexPolyhedron::from_hull(&hull)],
            };
            let history = FractureHistory {
                parts: &parts,
                past: Vec::new(),
                pattern: PlacedPattern::new(&pattern, placement),
            };
            let hulls = finish(history.fragment_hulls(&context, 0));
            assert_eq!(hulls.is_some(), fits, "{depth}");
        }
    }
}
