//! Many pieces as one mesh, made on the worker.

use crate::{conversion::write_surfaces, swap::Look};
use fracture_geometry::Mesh;
use fracture_simulation::{Pose, Shape};
use rapier3d::math::Vec3;
use std::sync::Arc;

const WHITE: [f32; 4] = [1.0; 4];

/// A piece that is to be part of a batch.
pub(super) struct Member {
    pub shape: Arc<Shape>,
    pub pose: Pose,
    /// The batch's slot of each of its own; the last for those beyond.
    pub slots: Vec<u32>,
}

/// The surfaces of all members where they lie, as seen from a place, by slot of the batch.
pub(super) fn merge(members: &[Member], from: Vec3) -> Look {
    let mut whole = Mesh::default();
    for member in members {
        let place = Pose::from_parts(member.pose.translation - from, member.pose.rotation);
        let slots = &member.slots;
        member
            .shape
            .with_mesh(|mesh| append(&mut whole, mesh, &place, slots));
    }
    write_surfaces(&whole).into_iter().collect()
}

fn append(whole: &mut Mesh, mesh: &Mesh, place: &Pose, slots: &[u32]) {
    let first = whole.positions.len();
    let count = mesh.positions.len();
    let turned = |v: Vec3| place.rotation * v;
    let positions = mesh.positions.iter();
    whole
        .positions
        .extend(positions.map(|p| place.transform_point(Vec3::from_array(*p)).to_array()));
    let normals = mesh.normals.iter();
    whole
        .normals
        .extend(normals.map(|n| turned(Vec3::from_array(*n)).to_array()));
    whole.normals.resize(first + count, [0.0, 1.0, 0.0]);
    whole
        .tangents
        .extend(mesh.tangents.iter().map(|[x, y, z, w]| {
            let along = turned(Vec3::new(*x, *y, *z));
            [along.x, along.y, along.z, *w]
        }));
    whole.tangents.resize(first + count, [1.0, 0.0, 0.0, 1.0]);
    whole.uvs.extend(&mesh.uvs);
    whole.uvs.resize(first + count, [0.0; 2]);
    if !(mesh.colors.is_empty() && whole.colors.is_empty()) {
        whole.colors.resize(first, WHITE);
        whole.colors.extend(&mesh.colors);
        whole.colors.resize(first + count, WHITE);
    }
    let last = slots.last().copied().unwrap_or(0);
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        whole.triangles.push(triangle.map(|v| v + first as u32));
        let slot = slots.get(mesh.surface(index) as usize);
        whole.surfaces.push(slot.copied().unwrap_or(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::math::Rotation;

    #[test]
    fn members_lie_where_they_lay_with_their_own_slots() {
        let cube = Mesh::cuboid([1.0; 3]);
        let turn = Rotation::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let places = [
            Pose::from_translation(Vec3::new(10.0, 0.0, 0.0)),
            Pose::from_parts(Vec3::new(10.0, 3.0, 0.0), turn),
        ];
        let mut whole = Mesh::default();
        for (slot, place) in (0..).zip(&places) {
            append(&mut whole, &cube, place, &[slot]);
        }
        assert_eq!(whole.triangles.len(), 2 * cube.triangles.len());
        let n = cube.positions.len();
        assert_eq!(whole.positions.len(), 2 * n);
        for (v, position) in whole.positions.iter().enumerate() {
            let own = Vec3::from_array(cube.positions[v % n]);
            let there = places[v / n].transform_point(own);
            assert!((there - Vec3::from_array(*position)).length() < 1e-5);
        }
        let is_unit = |n: &[f32; 3]| (Vec3::from_array(*n).length() - 1.0).abs() < 1e-5;
        assert!(whole.normals.iter().all(is_unit));
        let second = whole.surfaces.iter().filter(|slot| **slot == 1).count();
        assert_eq!(second, cube.triangles.len());
        for list in [whole.normals.len(), whole.tangents.len(), whole.uvs.len()] {
            assert_eq!(list, 2 * n);
        }
    }

    #[test]
    fn colours_of_some_leave_the_others_white() {
        let plain = Mesh::cuboid([1.0; 3]);
        let mut red = plain.clone();
        red.colors = vec![[1.0, 0.0, 0.0, 1.0]; red.positions.len()];
        for order in [[&plain, &red], [&red, &plain]] {
            let mut whole = Mesh::default();
            for mesh in order {
                append(&mut whole, mesh, &Pose::IDENTITY, &[0]);
            }
            let whites = whole.colors.iter().filter(|c| **c == WHITE).count();
            assert_eq!(whole.colors.len(), whole.positions.len());
            assert_eq!(whites, plain.positions.len());
        }
    }
}
