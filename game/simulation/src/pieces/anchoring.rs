//! Which islands an anchor holds.

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::query;
use rapier3d::parry::shape::{Cuboid, Triangle};

use crate::pieces::Anchor;

/// Whether any part of the surface touches any of the boxes.
///
/// Vertices decide nearly always and cost little; the triangles are looked at only when no vertex
/// lies in the box, as when a small box holds the middle of a large face.
pub(crate) fn is_anchored(mesh: &Mesh, anchors: &[Anchor]) -> bool {
    anchors.iter().any(|anchor| touches(mesh, anchor))
}

fn touches(mesh: &Mesh, &[a, b]: &Anchor) -> bool {
    let (low, high) = (a.min(b), a.max(b));
    let inside = |p: Vec3| p.cmpge(low).all() && p.cmple(high).all();
    if mesh.positions.iter().any(|&p| inside(p.into())) {
        return true;
    }
    let center = Pose::from_translation(0.5 * (low + high));
    let cuboid = Cuboid::new(0.5 * (high - low));
    mesh.triangles.iter().any(|&triangle| {
        let Some([a, b, c]) = corners(mesh, triangle) else {
            return false;
        };
        let near = a.min(b).min(c).cmple(high).all() && a.max(b).max(c).cmpge(low).all();
        let triangle = Triangle::new(a, b, c);
        near && query::intersection_test(&center, &cuboid, &Pose::IDENTITY, &triangle)
            .unwrap_or(false)
    })
}

fn corners(mesh: &Mesh, triangle: [u32; 3]) -> Option<[Vec3; 3]> {
    let at = |corner: u32| mesh.positions.get(corner as usize).map(|&p| Vec3::from(p));
    Some([at(triangle[0])?, at(triangle[1])?, at(triangle[2])?])
}
