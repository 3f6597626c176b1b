//! Convex hulls that together fit a piece: what physics collides with.
//!
//! Most pieces are convex enough for one hull. Any other is cut by planes until the hulls of its parts reach
//! no farther from it than a fiftieth of its size, and parts that one hull fits are joined again.

mod body;
mod cover;
mod fitting;
mod gaps;
mod grid;
mod measure;
mod merge;
mod part;
mod piece;
mod planes;
mod polyhedron;
mod quickhull;
mod room;
mod shallow;
mod simplex;
mod split;
mod together;
mod trial;

pub use fitting::MOST_HULLS;
pub use measure::Fit;

use crate::Mesh;
use body::Body;
use piece::Piece;

/// What hulls reach out of a piece at most, for the diagonal of its box.
pub const SPARE: f64 = 0.02;

/// A convex polyhedron, metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Its corners, at most 128.
    pub points: Vec<[f32; 3]>,
    /// Its surface, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// m^3
    pub volume: f64,
}

/// Hulls that together fit a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hulls {
    /// At most [`MOST_HULLS`]; none for a piece that is flat.
    pub hulls: Vec<Hull>,
    /// Whether they all reach out by [`SPARE`] at most.
    pub fit: bool,
}

impl Hulls {
    /// Hulls of a closed mesh. The same for the same mesh. An open mesh, or one with vertices that are not
    /// finite, gets hulls too, around what can be used of it.
    pub fn of(mesh: &Mesh) -> Self {
        let (pieces, fit) = fitting::fitting(&Body::new(mesh, fitting::ALLOWED));
        let hulls = pieces.iter().map(Hull::of).collect();
        Self { hulls, fit }
    }
}

impl Hull {
    fn of(piece: &Piece) -> Self {
        let points = piece.hull.points.iter();
        Self {
            points: points.map(|point| point.as_vec3().to_array()).collect(),
            triangles: piece.hull.triangles.clone(),
            volume: piece.hull.volume(),
        }
    }
}
