//! The triangles of a part as they are written out.

use crate::fracture::edge_point::round;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::shares;
use glam::{DVec3, Vec3};

/// Calls back with every triangle of a part as rounded positions.
pub fn for_each_triangle(parts: &CutSolid, part: Element, mut f: impl FnMut([DVec3; 3])) {
    let rounded = |at: DVec3| Vec3::from(round(at)).as_dvec3();
    match part {
        Element::Patch(patch) => {
            let triangles = parts.solid.patches().triangles(patch);
            triangles.for_each(|triangle| f(parts.solid.positions_of(triangle)));
        }
        Element::Share(block, share) => {
            let triangles = shares::triangles(block, share);
            triangles.for_each(|triangle| f(parts.solid.positions_of(triangle)));
        }
        Element::Polygon(index) => {
            let polygon = parts.surface.polygon(index);
            let places = parts.surface.outline(polygon).places.iter();
            let mut places = places.map(|place| rounded(*place));
            if let (Some(first), Some(mut last)) = (places.next(), places.next()) {
                for place in places {
                    f([first, last, place]);
                    last = place;
                }
            }
        }
        Element::Residual(index, region) => {
            let rest = &parts.rests[index as usize];
            let place = |corner: u32| rounded(rest.corners[corner as usize].at);
            for &[a, b, c] in rest.regions.triangles(region) {
                f([place(a), place(b), place(c)]);
            }
        }
        Element::Cap(index, region, side) => {
            let cap = parts.cap(index);
            for [a, b, c] in cap.places(region) {
                f(if side == 0 { [a, b, c] } else { [a, c, b] });
            }
        }
    }
}
