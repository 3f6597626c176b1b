//! Pairs of a free piece and a held body, as of two sides of a crack, of which the one does not hold the
//! other up.
//!
//! The two sides of a crack interlock, so that a part between two of them would hang there as a wedge for
//! ever, whatever it weighs. A released pair therefore has no steep contacts, and at its crack no contacts
//! at all, until the two are apart. Where the piece comes down on another part of the held body it meets
//! that as usual.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{ContactPair, Ray, RayCast};
use rapier3d::pipeline::ContactModificationContext;

use super::external::BodyRef;
use super::physics::Physics;
use super::user_data::{center_of_mass, is_piece};
use crate::pieces::LooseCrack;
use crate::types::BodyId;

/// Vertical part of its unit normal above which a contact of a released pair stands on level ground.
pub(super) const LEVEL_SLOPE: f32 = 0.7;

/// Depth of contacts up to which a released piece lands on level ground, metres: by so much it falls in a
/// step before contacts are seen ahead. Where the two overlap more, one is still inside the other.
const MAX_LANDING_DEPTH: f32 = 0.02;

/// Distance at which two bodies are apart, metres.
const APART: f32 = 0.01;

/// Released pairs of a piece and a held body.
#[derive(Default)]
pub(super) struct ReleasedPairs(BTreeMap<(BodyId, BodyRef), Release>);

struct Release {
    /// The crack between the two; `None` for a piece that is stuck elsewhere.
    crack: Option<LooseCrack>,
    /// Where the piece was at the release.
    start: Vec3,
}

impl Release {
    /// The distance by which a piece moves until it can be apart, metres.
    fn min_way(&self) -> f32 {
        self.crack.as_ref().map_or(0.0, |crack| crack.height)
    }
}

/// Whether a body is held: a fixed one, or a breakable one that the engine moves, which pieces do not push.
pub(super) fn is_held(body: &RigidBody) -> bool {
    let is_breakable = || BodyRef::from_user_data(body).and_then(BodyRef::breakable);
    !body.is_dynamic() && !is_piece(body) && (body.is_fixed() || is_breakable().is_some())
}

impl ReleasedPairs {
    /// Releases a piece from a held body, at a crack or wherever it is. Returns whether it was not
    /// released before.
    pub fn add(
        &mut self,
        physics: &Physics,
        piece: BodyId,
        held: BodyRef,
        crack: Option<LooseCrack>,
    ) -> bool {
        let handle = physics.handle(BodyRef::Breakable(piece));
        let Some(body) = handle.and_then(|handle| physics.bodies.get(handle)) else {
            return false;
        };
        let release = Release {
            crack,
            start: center_of_mass(body),
        };
        self.0.insert((piece, held), release).is_none()
    }

    /// Whether two bodies are a released pair.
    pub fn contains(&self, a: Option<BodyRef>, b: Option<BodyRef>) -> bool {
        !self.0.is_empty() && self.find(a, b).is_some()
    }

    fn find(&self, a: Option<BodyRef>, b: Option<BodyRef>) -> Option<&Release> {
        let (a, b) = (a?, b?);
        let find = |piece: BodyRef, held| self.0.get(&(piece.breakable()?, held));
        find(a, b).or_else(|| find(b, a))
    }

    /// Removes the contacts of a released pair that do not hold; `down` is a unit vector.
    pub fn modify(&self, context: &mut ContactModificationContext, down: Vec3) {
        if self.0.is_empty() {
            return; // the common case
        }
        let handles = [context.rigid_body1, context.rigid_body2];
        let bodies = handles.map(|handle| context.bodies.get(handle?));
        let [a, b] = bodies.map(|body| BodyRef::from_user_data(body?));
        let Some(release) = self.find(a, b) else {
            return;
        };
        let held = bodies.into_iter().flatten().find(|body| is_held(body));
        let is_first_held = bodies[0].is_some_and(is_held);
        let out_of_held = *context.normal * if is_first_held { 1.0 } else { -1.0 };
        let stands = -out_of_held.dot(down) > LEVEL_SLOPE;
        let is_at_crack = |point: Vec3| {
            let (Some(held), Some(crack)) = (held, &release.crack) else {
                return false;
            };
            crack.is_near(held.position().inverse_transform_point(point))
        };
        let contacts = &mut *context.solver_contacts;
        contacts.retain(|contact| {
            stands && contact.dist > -MAX_LANDING_DEPTH && !is_at_crack(contact.point)
        });
    }

    /// Forgets the pairs that have come apart, and those of removed bodies.
    pub fn forget_separated(&mut self, physics: &Physics) {
        self.0.retain(|(piece, held), release| {
            let piece = physics.handle(BodyRef::Breakable(*piece));
            let handles = piece.zip(physics.handle(*held));
            let body = handles.and_then(|(piece, _)| physics.bodies.get(piece));
            let Some((handles, body)) = handles.zip(body) else {
                return false;
            };
            let center = center_of_mass(body);
            let way = center.distance(release.start);
            way <= release.min_way()
                || are_near(physics, handles)
                || is_inside_mesh(physics, handles.1, center)
        });
    }
}

fn are_near(physics: &Physics, (piece, held): (RigidBodyHandle, RigidBodyHandle)) -> bool {
    let is_near = |pair: &ContactPair| {
        let points = pair.manifolds.iter().flat_map(|manifold| &manifold.points);
        points.into_iter().any(|point| point.dist < APART)
    };
    let mut contacts = physics.contacts(piece);
    contacts.any(|(other, pair)| other == held && is_near(pair))
}

/// Whether a point is inside a closed triangle mesh of a body, where contacts see nothing: from there only backs of
/// triangles are seen, along each axis both ways.
fn is_inside_mesh(physics: &Physics, body: RigidBodyHandle, point: Vec3) -> bool {
    let colliders = physics.bodies.get(body).map_or(&[][..], |b| b.colliders());
    let mut colliders = colliders.iter().filter_map(|c| physics.colliders.get(*c));
    colliders.any(|collider| {
        let Some(mesh) = collider.shape().as_trimesh() else {
            return false;
        };
        let sees_back = |direction: Vec3| {
            let ray = Ray::new(point, direction);
            let hit = mesh.cast_ray_and_get_normal(collider.position(), &ray, f32::MAX, false);
            hit.is_some_and(|hit| mesh.is_backface(hit.feature))
        };
        Vec3::AXES
            .into_iter()
            .all(|axis| sees_back(axis) && sees_back(-axis))
    })
}

#[cfg(test)]
mod tests {
    use super::super::external::{BodyDesc, BodyType};
    use super::super::world::DebrisWorld;
    use super::*;
    use crate::settings::Settings;
    use crate::types::Motion;
    use rapier3d::geometry::SharedShape;
    use rapier3d::math::Pose;

    /// A turned box of a metre as a mesh, with or without its top.
    fn inside_a_box(has_top: bool, point: Vec3) -> bool {
        let mut mesh = fracture_geometry::Mesh::cuboid([1.0; 3]);
        let is_top = |triangle: &[u32; 3]| {
            let height = |corner: &u32| mesh.positions[*corner as usize][1];
            triangle.iter().all(|corner| height(corner) > 0.0)
        };
        let triangles = mesh.triangles.iter().filter(|t| has_top || !is_top(t));
        let triangles: Vec<_> = triangles.copied().collect();
        let corners = mesh.positions.drain(..).map(Vec3::from).collect();
        let shape = SharedShape::trimesh(corners, triangles).unwrap();
        let pose = Pose::from_parts(
            Vec3::new(5.0, 2.0, 0.0),
            glam::Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7),
        );
        let mut world = DebrisWorld::without_threads(&Settings::default());
        let owner = BodyRef::External(1);
        let desc = BodyDesc::new(shape, BodyType::Fixed);
        world.add_engine_body(owner, &desc, &Motion::at(pose));
        let body = world.physics.handle(owner).unwrap();
        is_inside_mesh(&world.physics, body, pose * point)
    }

    #[test]
    fn inside_a_mesh_is_where_only_backs_are_seen() {
        for point in [Vec3::ZERO, Vec3::new(0.45, -0.4, 0.3)] {
            assert!(inside_a_box(true, point), "{point}");
        }
        for point in [Vec3::Y * 0.6, Vec3::X * 3.0, Vec3::new(0.0, -0.51, 0.0)] {
            assert!(!inside_a_box(true, point), "{point}");
        }
        assert!(!inside_a_box(false, Vec3::ZERO), "a trough has no inside");
    }
}
