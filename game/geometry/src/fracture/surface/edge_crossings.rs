//! Where the surface crosses pattern edges: at the corners of polygons where two bisectors meet.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::edge_point::{EdgeCrossing, EdgePoint, EdgePointSource};
use crate::fracture::grid::GridFrame;
use crate::fracture::surface::clipped_polygon::{EdgeLabel, PolygonView};
use crate::pattern::{parity, sorted};
use glam::DVec3;

/// Finds where a polygon's corners lie on pattern edges. Such a crossing is seen by up to three
/// cells; the first affected one tells.
pub fn find_crossings(
    frame: &GridFrame,
    slots: &ActiveCells,
    cell: u32,
    triangle: u32,
    outline: PolygonView,
    out: &mut Vec<EdgeCrossing>,
) {
    for step in outline.steps() {
        let (EdgeLabel::Cell(j), EdgeLabel::Cell(k)) = (step.before, step.line) else {
            continue;
        };
        let ids = [cell, j, k];
        let tells = |other: u32| other > cell || !slots.is_affected(other);
        if !tells(j) || !tells(k) {
            continue;
        }
        let cells = sorted(ids);
        let Some(edge) = frame.pattern.edge_between(cells) else {
            continue;
        };
        let at = outline.places[step.at];
        // Counter-clockwise around the polygon, the line of (i, before, after) leaves.
        out.push(EdgeCrossing {
            edge,
            along: direction(frame, cells).dot(at),
            leaving: parity(ids),
            place: EdgePoint {
                what: EdgePointSource::Triangle(triangle),
                at,
            },
        });
    }
}

/// The direction of a pattern edge in object space.
fn direction(frame: &GridFrame, [a, b, c]: [u32; 3]) -> DVec3 {
    // Cross products of gradients turn like areas: in object space it is the cross product of the
    // object-space gradients, up to a positive factor.
    frame.face_normal(a, b).cross(frame.face_normal(a, c))
}
