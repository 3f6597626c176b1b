//! Where the parts of a shell hang together: seams along which it was cut, by length.

use super::clip::Line;
use super::join::Components;
use super::owners::REST;
use super::parts::Parts;

/// Lists the seams between components and their lengths in metres, as caps and their areas are.
pub fn seams(parts: &Parts, components: &Components, out: &mut Vec<(u32, u32, f64)>) {
    for (slot, surface) in parts.surfaces.iter().enumerate() {
        for (index, polygon) in surface.polygons.iter().enumerate() {
            let own = components.of_polygon(slot as u32, index as u32);
            for step in surface.steps(polygon) {
                let Line::Cell(other) = step.from.line else {
                    continue;
                };
                let beside = parts.slot(other);
                // Seen from both sides; the first tells.
                if beside != REST && beside < slot as u32 {
                    continue;
                }
                let cells = [surface.cell, other];
                let there = if beside == REST {
                    rest(parts, components, polygon.triangle, cells)
                } else {
                    polygon_in(parts, components, polygon.triangle, beside)
                };
                if let Some(there) = there {
                    let length = step.from.at.distance(step.to.at);
                    out.push((own.min(there), own.max(there), length));
                }
            }
        }
    }
}

fn polygon_in(parts: &Parts, components: &Components, triangle: u32, slot: u32) -> Option<u32> {
    let polygons = &parts.surfaces[slot as usize].polygons;
    let index = polygons
        .binary_search_by_key(&triangle, |p| p.triangle)
        .ok()?;
    Some(components.of_polygon(slot, index as u32))
}

fn rest(parts: &Parts, components: &Components, triangle: u32, cells: [u32; 2]) -> Option<u32> {
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
