//! Points: on pattern edges, and as they are written out.

use glam::{DVec3, Vec3};

/// The position as it is written out; zero has one sign.
pub fn round(at: DVec3) -> [f32; 3] {
    (at.as_vec3() + Vec3::ZERO).to_array()
}

/// A point on a pattern edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgePoint {
    pub what: EdgePointSource,
    pub at: DVec3,
}

/// What made a point on a pattern edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgePointSource {
    /// A crossing with this triangle of the solid.
    Triangle(u32),
    /// A vertex of the pattern.
    Vertex(u32),
}

/// Where the surface crosses a pattern edge.
#[derive(Clone, Copy, Debug)]
pub struct EdgeCrossing {
    pub edge: u32,
    /// How far along the edge, in whatever measure.
    pub along: f64,
    /// +1 where the edge leaves the solid.
    pub leaving: i8,
    pub place: EdgePoint,
}
