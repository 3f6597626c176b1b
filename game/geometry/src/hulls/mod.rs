//! Convex hulls that together fit a piece: what physics collides with.
//!
//! Most pieces are convex enough for one hull. Any other is cut by planes until the hulls of its parts reach
//! no farther from it than a fiftieth of its size, and parts that one hull fits are joined again. What is
//! broken out of a solid that carries a convex decomposition needs no search: its cell clips the parts, and
//! before that those of the breaks did which the solid had been through. What breaks leave of a solid has most hulls
//! of an approximate decomposition of the whole.

mod measure;
mod reuse;
mod search;
mod shape;
mod support_points;
mod tolerance;

pub use measure::HullError;
pub use reuse::cached::{CachedHulls, MIN_REMAINDER_SIZE};
pub use reuse::convex_parts::ConvexParts;
pub use reuse::history::{FractureHistory, PastFracture, RemovedCells};
pub use reuse::placed_pattern::PlacedPattern;
pub use search::decompose::MAX_HULLS;
pub use support_points::support_points;

use crate::Mesh;
use search::context::DecomposeContext;
use search::hull_part::HullPart;
use shape::convex_hull::ConvexHull;

/// What hulls reach out of a piece at most, for the diagonal of its box.
pub const HULL_TOLERANCE: f64 = 0.02;

/// A convex polyhedron, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Its corners, at most 128 when it is a piece's.
    pub points: Vec<[f32; 3]>,
    /// Its surface, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// m^3
    pub volume: f64,
}

/// Hulls that together fit a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hulls {
    /// At most [`MAX_HULLS`]; none for a piece that is flat.
    pub hulls: Vec<Hull>,
    /// Whether they all reach out by [`HULL_TOLERANCE`] at most.
    pub within_tolerance: bool,
    /// Whether they are of a decomposition, see [`Hulls::from_convex_parts`] and [`Hulls::from_cached`].
    pub reused: bool,
}

impl Hulls {
    /// Hulls of a closed mesh. The same for the same mesh. An open mesh, or one with vertices that are not
    /// finite, gets hulls too, around what can be used of it.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        let (pieces, fit) = search::decompose::fitting(&DecomposeContext::new(
            mesh,
            search::decompose::SEARCH_TOLERANCE,
        ));
        Self::new(&pieces, fit)
    }

    /// Hulls of a piece that was broken out of a cell: what the cell has of the parts that the solid was carved
    /// from, joined to few. One hull is enough where [`Hulls::from_mesh`] has one; where the parts do not fit, hulls are
    /// sought as there.
    pub fn from_convex_parts(mesh: &Mesh, history: &FractureHistory, cell: u32) -> Self {
        let body = DecomposeContext::new(mesh, search::decompose::SEARCH_TOLERANCE);
        if let Some(whole) = HullPart::shallow(&body) {
            return Self::new(&[whole], true);
        }
        match reuse::from_parts::of_cell(&body, history, cell) {
            Some(pieces) => Self {
                reused: true,
                ..Self::new(&pieces, true)
            },
            None => {
                let (pieces, fit) = search::decompose::searched(&body);
                Self::new(&pieces, fit)
            }
        }
    }

    /// Hulls of what breaks have left of a whole body: most are hulls of the whole. Where those do not fit, or the
    /// body is much smaller than the whole, hulls are sought as by [`Hulls::from_mesh`].
    pub fn from_cached(mesh: &Mesh, whole: &CachedHulls) -> Self {
        let body = DecomposeContext::new(mesh, search::decompose::SEARCH_TOLERANCE);
        let rest = reuse::remainder::of_rest(&body, whole);
        let reused = rest.is_some();
        let (pieces, fit) =
            rest.map_or_else(|| search::decompose::fitting(&body), |rest| (rest, true));
        Self {
            reused,
            ..Self::new(&pieces, fit)
        }
    }

    fn new(pieces: &[HullPart], fit: bool) -> Self {
        Self {
            hulls: pieces.iter().map(|piece| Hull::of(&piece.hull)).collect(),
            within_tolerance: fit,
            reused: false,
        }
    }
}

impl Hull {
    fn of(hull: &ConvexHull) -> Self {
        let points = hull.points.iter();
        Self {
            points: points.map(|point| point.as_vec3().to_array()).collect(),
            triangles: hull.triangles.clone(),
            volume: hull.volume(),
        }
    }
}
