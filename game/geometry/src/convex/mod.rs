//! Convex hulls that together fit a piece: what physics collides with.
//!
//! Most pieces are convex enough for one hull. Any other is cut by planes until the hulls of its parts reach
//! no farther from it than a fiftieth of its size, and parts that one hull fits are joined again. What is
//! broken out of a solid that carries a convex decomposition needs no search: its cell clips the parts, and
//! before that those of the breaks did which the solid had been through. What breaks leave of a solid has most hulls
//! of an approximate decomposition of the whole.

mod approximation;
mod assembly;
mod asset;
mod block;
mod body;
mod carving;
mod cover;
mod cuts;
mod decomposition;
mod fitting;
mod gaps;
mod grid;
mod hollow;
mod inside;
mod measure;
mod merge;
mod part;
mod piece;
mod placed;
mod planes;
mod polyhedron;
mod quickhull;
mod remainder;
mod room;
mod runs;
mod shallow;
mod simplex;
mod split;
mod squeeze;
mod together;
mod trial;

pub use approximation::{CachedHulls, MIN_REMAINDER_SIZE};
pub use carving::{FractureHistory, PastFracture, RemovedCells};
pub use decomposition::ConvexParts;
pub use fitting::MAX_HULLS;
pub use measure::HullError;
pub use placed::PlacedPattern;

use crate::Mesh;
use body::Body;
use piece::Piece;
use polyhedron::Polyhedron;

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
    pub fit: bool,
    /// Whether they are of a decomposition, see [`Hulls::clipped`] and [`Hulls::of_rest`].
    pub clipped: bool,
}

impl Hulls {
    /// Hulls of a closed mesh. The same for the same mesh. An open mesh, or one with vertices that are not
    /// finite, gets hulls too, around what can be used of it.
    pub fn of(mesh: &Mesh) -> Self {
        let (pieces, fit) = fitting::fitting(&Body::new(mesh, fitting::ALLOWED));
        Self::new(&pieces, fit)
    }

    /// Hulls of a piece that was broken out of a cell: what the cell has of the parts that the solid was carved
    /// from, joined to few. One hull is enough where [`Hulls::of`] has one; where the parts do not fit, hulls are
    /// sought as there.
    pub fn clipped(
        mesh: &Mesh,
        (cells, cell): (&PlacedPattern, u32),
        carved: &FractureHistory,
    ) -> Self {
        let body = Body::new(mesh, fitting::ALLOWED);
        if let Some(whole) = Piece::shallow(&body) {
            return Self::new(&[whole], true);
        }
        match assembly::of_cell(&body, carved, cells, cell) {
            Some(pieces) => Self {
                clipped: true,
                ..Self::new(&pieces, true)
            },
            None => {
                let (pieces, fit) = fitting::searched(&body);
                Self::new(&pieces, fit)
            }
        }
    }

    /// Hulls of what breaks have left of a whole body: most are hulls of the whole. Where those do not fit, or the
    /// body is much smaller than the whole, hulls are sought as by [`Hulls::of`].
    pub fn of_rest(mesh: &Mesh, whole: &CachedHulls) -> Self {
        let body = Body::new(mesh, fitting::ALLOWED);
        let rest = remainder::of_rest(&body, whole);
        let clipped = rest.is_some();
        let (pieces, fit) = rest.map_or_else(|| fitting::fitting(&body), |rest| (rest, true));
        Self {
            clipped,
            ..Self::new(&pieces, fit)
        }
    }

    fn new(pieces: &[Piece], fit: bool) -> Self {
        Self {
            hulls: pieces.iter().map(|piece| Hull::of(&piece.hull)).collect(),
            fit,
            clipped: false,
        }
    }
}

impl Hull {
    fn of(hull: &Polyhedron) -> Self {
        let points = hull.points.iter();
        Self {
            points: points.map(|point| point.as_vec3().to_array()).collect(),
            triangles: hull.triangles.clone(),
            volume: hull.volume(),
        }
    }
}
