//! The triangles of a part as they are written out.

use super::clip::Corner as Clipped;
use super::parts::{Part, Parts};
use glam::{DVec3, Vec3};

/// The position as it is written out; zero has one sign.
pub fn round(at: DVec3) -> [f32; 3] {
    (at.as_vec3() + Vec3::ZERO).to_array()
}

/// Calls back with every triangle of a part as rounded positions.
pub fn each_triangle(parts: &Parts, part: Part, mut f: impl FnMut([DVec3; 3])) {
    let rounded = |at: DVec3| Vec3::from(round(at)).as_dvec3();
    match part {
        Part::Patch(patch) => {
            let triangles = parts.solid.patches().triangles(patch);
            triangles.for_each(|triangle| f(parts.solid.positions_of(triangle)));
        }
        Part::Triangle(triangle) => f(parts.solid.positions_of(triangle)),
        Part::Polygon(index) => {
            let polygon = parts.surface.polygon(index);
            let corners: &[Clipped] = parts.surface.corners(polygon);
            for k in 1..corners.len().saturating_sub(1) {
                let place = |at: usize| rounded(corners[at].at);
                f([place(0), place(k), place(k + 1)]);
            }
        }
        Part::Rest(index, region) => {
            let rest = &parts.rests[index as usize];
            let place = |corner: u32| rounded(rest.corners[corner as usize].at);
            for &[a, b, c] in rest.regions.triangles(region) {
                f([place(a), place(b), place(c)]);
            }
        }
        Part::Cap(index, region, side) => {
            let cap = parts.cap(index);
            let place = |point: u32| rounded(cap.points[point as usize]);
            for &[a, b, c] in cap.regions.triangles(region) {
                let (a, b, c) = (place(a), place(b), place(c));
                f(if side == 0 { [a, b, c] } else { [a, c, b] });
            }
        }
    }
}
