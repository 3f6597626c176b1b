//! Where the parts of a shell hang together: seams along which it was cut, by length.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::CutSolid;
use crate::fracture::surface::clipped_polygon::EdgeLabel;

/// Lists the seams between components and their lengths in metres, as caps and their areas are.
pub fn seams(parts: &CutSolid, components: &Components, out: &mut Vec<(u32, u32, f64)>) {
    let all = parts
        .surface
        .taken
        .chunk_by(|a, b| a.triangle == b.triangle);
    for (of_triangle, part) in all.flat_map(|list| list.iter().map(move |part| (list, part))) {
        let own = components.of_polygon(part.polygon);
        let cell = parts.slots.cell(part.slot);
        let outline = parts.surface.outline(parts.surface.polygon(part.polygon));
        for step in outline.steps() {
            let EdgeLabel::Cell(other) = step.line else {
                continue;
            };
            let beside = parts.slots.of(other);
            // Seen from both sides; the first tells.
            if beside != UNAFFECTED && beside < part.slot {
                continue;
            }
            let there = if beside == UNAFFECTED {
                rest(parts, components, part.triangle, [cell, other])
            } else {
                let polygon = of_triangle.iter().find(|there| there.slot == beside);
                polygon.map(|there| components.of_polygon(there.polygon))
            };
            if let Some(there) = there {
                let length = outline.places[step.at].distance(outline.places[step.next]);
                out.push((own.min(there), own.max(there), length));
            }
        }
    }
}

fn rest(parts: &CutSolid, components: &Components, triangle: u32, cells: [u32; 2]) -> Option<u32> {
    let index = parts
        .rests
        .binary_search_by_key(&triangle, |r| r.triangle)
        .ok()?;
    let cut = parts.rests[index]
        .cuts
        .iter()
        .find(|(own, _)| *own == cells)?;
    Some(components.of_rest(index as u32, cut.1))
}
