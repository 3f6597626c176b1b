//! Convex parts of what fractures leave of a solid, to be collided with as it is: no hull reaches out of it.

use super::convex_parts::ConvexParts;
use super::history::RemovedCells;
use super::placed_pattern::PlacedPattern;
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::shape::convex_hull::Hull;
use crate::hulls::shape::convex_polyhedron::ConvexPolyhedron;
use crate::math::Plane;
use crate::Mesh;
use glam::DVec3;

/// Thickness of what is cut off beside the removed cells, as a fraction of their size; thinner parts are divided by cells.
const MIN_SLAB: f64 = 0.1;

/// One convex part of a solid, or of what is left of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexPart(ConvexPolyhedron);

impl ConvexParts {
    /// The parts one by one.
    pub fn parts(&self) -> impl Iterator<Item = ConvexPart> + '_ {
        self.polyhedra.iter().cloned().map(ConvexPart)
    }
}

impl ConvexPart {
    /// The part as a hull, with its volume.
    pub fn hull(&self) -> Hull {
        Hull::from(&self.0.to_hull())
    }

    /// The rest of the part without the cells that a fracture has removed; `None` where it is apart from them. All that is
    /// beside the box of these is cut off in slabs, so that only what is in the box is divided by cells. Parts that are smaller
    /// than a volume (m^3) are left out.
    pub fn without(
        &self,
        pattern: &PlacedPattern,
        removed: &RemovedCells,
        min_volume: f64,
    ) -> Option<Vec<Self>> {
        if !self.0.bounds().intersects(&removed.bounds) {
            return None;
        }
        let mut left = Vec::new();
        let near = cut_off_slabs(self.0.clone(), removed, &mut left);
        left.extend(
            near.into_iter()
                .flat_map(|near| removed.left_of(near, pattern, min_volume)),
        );
        left.retain(|part| part.volume() >= min_volume);
        Some(left.into_iter().map(Self).collect())
    }

    /// The part in a cell of a fracture's pattern; `None` for nothing.
    pub fn in_cell(&self, pattern: &PlacedPattern, cell: u32) -> Option<Self> {
        pattern.clip(&self.0, cell).map(Self)
    }
}

/// Tells which convex parts are inside of a closed mesh.
pub struct InsideOf(DecomposeContext<'static>);

impl InsideOf {
    /// Of a mesh.
    pub fn new(mesh: &Mesh) -> Self {
        Self(DecomposeContext::new(mesh, 0.0))
    }

    /// Whether the middle of a part is inside.
    pub fn contains(&self, ConvexPart(part): &ConvexPart) -> bool {
        let middle = part.points.iter().sum::<DVec3>() / part.points.len().max(1) as f64;
        self.0.is_inside(middle)
    }
}

/// Adds what is beyond each side of the removed cells' box to a list, and returns what is left.
fn cut_off_slabs(
    part: ConvexPolyhedron,
    removed: &RemovedCells,
    slabs: &mut Vec<ConvexPolyhedron>,
) -> Option<ConvexPolyhedron> {
    let [low, high] = removed.bounds.corners();
    let min_thickness = MIN_SLAB * removed.bounds.diagonal();
    let sides = DVec3::AXES.map(|axis| [Plane::through(axis, high), Plane::through(-axis, low)]);
    let mut near = part;
    for side in sides.as_flattened() {
        if side.height_range(&near.points)[1] < min_thickness {
            continue;
        }
        let far = Plane {
            normal: -side.normal,
            offset: -side.offset,
        };
        slabs.extend(near.clone().clip(&far));
        near = near.clip(side)?;
    }
    Some(near)
}
