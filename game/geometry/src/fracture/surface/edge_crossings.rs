//! Intersections of the surface with Voronoi edges: polygon vertices where two bisectors meet.

use crate::fracture::affected_cells::AffectedCells;
use crate::fracture::grid::GridFrame;
use crate::fracture::surface::polygon::{EdgeLabel, PolygonView};
use crate::pattern::{parity, sorted};
use glam::DVec3;

/// Point on a Voronoi edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgePoint {
    pub source: EdgePointSource,
    pub position: DVec3,
}

/// Cause of a point on a Voronoi edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgePointSource {
    /// Intersection with this triangle of the solid.
    Triangle(u32),
    /// Vertex of the pattern.
    Vertex(u32),
}

impl Default for EdgePointSource {
    fn default() -> Self {
        Self::Triangle(0)
    }
}

/// Intersection of the surface with a Voronoi edge.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeCrossing {
    pub edge: u32,
    /// Order along the edge: position along its direction, in any scale.
    pub along: f64,
    /// +1 where the edge leaves the solid, -1 where it enters.
    pub leaving: i8,
    pub point: EdgePoint,
}

/// Collects the vertices of a polygon that lie on Voronoi edges. Up to three cells share such a vertex;
/// only the first affected one reports it.
pub fn find_crossings(
    frame: &GridFrame,
    affected: &AffectedCells,
    cell: u32,
    triangle: u32,
    polygon: PolygonView,
    out: &mut Vec<EdgeCrossing>,
) {
    for polygon_edge in polygon.edges() {
        let (EdgeLabel::Cell(j), EdgeLabel::Cell(k)) = (polygon_edge.previous, polygon_edge.label)
        else {
            continue;
        };
        let is_later = |other: u32| other > cell || !affected.is_affected(other);
        if !is_later(j) || !is_later(k) {
            continue;
        }
        let ids = [cell, j, k];
        let cells = sorted(ids);
        let Some(edge) = frame.pattern.edge_between(cells) else {
            continue;
        };
        let position = polygon.positions[polygon_edge.start];
        // Counter-clockwise around the polygon, the edge of the cells (i, previous, label) leaves.
        out.push(EdgeCrossing {
            edge,
            along: frame.edge_direction(cells).dot(position),
            leaving: parity(ids),
            point: EdgePoint {
                source: EdgePointSource::Triangle(triangle),
                position,
            },
        });
    }
}
