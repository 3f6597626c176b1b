//! Contacts: areas of the caps between components; in a shell lengths of the seams.

use crate::fracture::ids::{ComponentId, PolygonId};
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::surface::clipped_surface::Polygon;
use crate::fracture::surface::polygon::EdgeLabel;

/// Contact of two components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComponentContact {
    /// Ascending.
    pub components: [ComponentId; 2],
    /// Area of a cap's region, m^2; in a shell length of a seam, metres.
    pub area: f64,
}

impl ComponentContact {
    pub fn new(a: ComponentId, b: ComponentId, area: f64) -> Self {
        Self {
            components: [a.min(b), a.max(b)],
            area,
        }
    }
}

/// Collects all contacts. A pair of components may have several.
pub fn collect_contacts(cut: &CutSolid, components: &Components, out: &mut Vec<ComponentContact>) {
    out.clear();
    if cut.solid.is_shell() {
        collect_seams(cut, components, out);
    }
    for id in cut.cap_ids() {
        for (region, measure) in (0..).zip(&cut.cap(id).measures) {
            let [one, other] = [0, 1].map(|side| components.of_cap(id, region, side));
            out.push(ComponentContact::new(one, other, measure.area));
        }
    }
}

/// Collects the seams of a shell: the edges between two polygons, or between a polygon and a residual.
fn collect_seams(cut: &CutSolid, components: &Components, out: &mut Vec<ComponentContact>) {
    let polygons = (0..).map(PolygonId).zip(&cut.surface.polygons);
    for (id, polygon) in polygons {
        let own = components.of_polygon(id);
        let view = cut.surface.view(polygon);
        for edge in view.edges() {
            let EdgeLabel::Cell(cell) = edge.label else {
                continue;
            };
            if let Some(other) = component_across_seam(cut, components, id, cell) {
                let [start, end] = [edge.start, edge.end].map(|at| view.positions[at]);
                out.push(ComponentContact::new(own, other, start.distance(end)));
            }
        }
    }
}

/// Component of a polygon's triangle in another cell; `None` if that cell reports the seam.
fn component_across_seam(
    cut: &CutSolid,
    components: &Components,
    id: PolygonId,
    cell: u32,
) -> Option<ComponentId> {
    let polygon = cut.surface.polygon(id);
    let Some(local) = cut.affected.local(cell) else {
        let cells = [cut.affected.cell(polygon.cell), cell];
        let (residual, region) = cut.residual_at_cut(polygon.triangle, cells)?;
        return Some(components.of_residual(residual, region));
    };
    if local < polygon.cell {
        return None;
    }
    // Polygons of a triangle ascend by cell.
    let is_same_triangle = |other: &&Polygon| other.triangle == polygon.triangle;
    let mut later = (id.0..)
        .map(PolygonId)
        .zip(&cut.surface.polygons[id.index()..])
        .take_while(|(_, other)| is_same_triangle(other));
    let (other, _) = later.find(|(_, other)| other.cell == local)?;
    Some(components.of_polygon(other))
}
