//! What comes into the debris world and leaves it: pieces, and stand-ins for what the embedding layer
//! moves.

use glam::{Mat3, Vec3};
use rapier3d::dynamics::{MassProperties, RigidBody, RigidBodyBuilder, RigidBodyHandle};
use rapier3d::geometry::{ColliderBuilder, SharedShape};
use rapier3d::pipeline::ActiveHooks;

use super::extent::Extent;
use super::external::{BodyDesc, BodyRef, BodyType, ColliderDesc, ExternalBody};
use super::frozen::is_settled;
use super::groups::CollisionGroups;
use super::sleep::FLYING;
use super::tag::pack_piece;
use super::world::DebrisWorld;
use crate::pieces::Colliders;
use crate::types::{BodyId, Motion};

/// No inertia is less than that of a point mass this far from the axis, in parts of the piece's
/// radius: a splinter hardly resists turning about its length, and would whirl at every touch.
const THINNEST: f32 = 0.2;

/// A free piece to be added.
pub(crate) struct NewDebris<'a> {
    pub shape: &'a SharedShape,
    pub mass: &'a fracture_geometry::MassProperties,
    pub density: f64,
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
    pub groups: CollisionGroups,
}

impl DebrisWorld {
    /// Adds a free piece.
    pub fn add_debris(&mut self, id: BodyId, debris: &NewDebris) -> RigidBodyHandle {
        let motion = debris.motion;
        let body = RigidBodyBuilder::dynamic()
            .pose(motion.pose)
            .linvel(motion.linear)
            .angvel(motion.angular)
            .linear_damping(FLYING[0])
            .angular_damping(FLYING[1])
            .additional_mass_properties(mass_properties(debris))
            .user_data(pack_piece(id));
        let part = ColliderDesc {
            groups: debris.groups,
            ..ColliderDesc::new(debris.shape.clone())
        };
        let handle = self.insert_parts(body, &[part]);
        if let Some(body) = self.bodies.get_mut(handle) {
            for collider in body.colliders() {
                if let Some(collider) = self.colliders.get_mut(*collider) {
                    collider.set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
                }
            }
            // Else centre and mass are unknown until the next step, and a hit before it is lost.
            body.recompute_mass_properties_from_colliders(&self.colliders);
            if debris.asleep {
                body.sleep();
            }
        }
        self.fresh.push((handle, debris.inside));
        handle
    }

    /// Puts a free piece somewhere else.
    pub fn place(&mut self, handle: RigidBodyHandle, motion: &Motion, asleep: bool) {
        self.free(self.settled.current(handle));
        let handle = self.settled.current(handle);
        let Some(body) = self.bodies.get_mut(handle) else {
            return;
        };
        body.set_position(motion.pose, !asleep);
        body.set_linvel(motion.linear, !asleep);
        body.set_angvel(motion.angular, !asleep);
        if asleep {
            body.sleep();
        }
        // It is no neighbour any more of what it broke off.
        let inside = body.center_of_mass();
        let fresh = self.fresh.iter_mut().filter(|(own, _)| *own == handle);
        fresh.for_each(|(_, place)| *place = inside);
    }

    /// Whether a piece lies still.
    pub fn is_asleep(&self, handle: RigidBodyHandle) -> bool {
        let body = self.bodies.get(self.settled.current(handle));
        body.is_some_and(|body| body.is_sleeping() || is_settled(body))
    }

    /// Adds an anchored piece, which stands still or follows its poses.
    pub fn add_remainder(
        &mut self,
        id: BodyId,
        colliders: &Colliders,
        motion: &Motion,
        groups: CollisionGroups,
    ) -> RigidBodyHandle {
        let part = |shape: &SharedShape| ColliderDesc {
            groups,
            ..ColliderDesc::new(shape.clone())
        };
        let desc = BodyDesc {
            colliders: colliders.shapes().map(part).collect(),
            body_type: BodyType::Fixed,
        };
        self.add_mirror(BodyRef::Breakable(id), &desc, motion)
    }

    /// Adds a body that the embedding layer moves.
    pub fn add_mirror(
        &mut self,
        owner: BodyRef,
        desc: &BodyDesc,
        motion: &Motion,
    ) -> RigidBodyHandle {
        let body = match &desc.body_type {
            BodyType::Dynamic(dynamics) => dynamics.builder(motion),
            BodyType::Kinematic => RigidBodyBuilder::kinematic_position_based(),
            BodyType::Fixed => RigidBodyBuilder::fixed(),
        };
        let body = body.pose(motion.pose).user_data(owner.pack());
        let handle = self.insert_parts(body, &desc.colliders);
        self.mirrors.insert(owner, handle);
        if let BodyType::Dynamic(dynamics) = &desc.body_type {
            self.couple(owner, handle, dynamics, motion);
        }
        handle
    }

    /// Adds or replaces a body of the embedding layer.
    pub fn set_external_body(&mut self, key: u64, surrounding: &ExternalBody) {
        self.remove_external_body(key);
        let ExternalBody { desc, motion } = surrounding;
        self.add_mirror(BodyRef::External(key), desc, motion);
    }

    /// The body of a surrounding.
    pub fn surrounding(&self, key: u64) -> Option<RigidBodyHandle> {
        self.mirrors.get(&BodyRef::External(key)).copied()
    }

    /// Takes a surrounding away.
    pub fn remove_external_body(&mut self, key: u64) -> bool {
        let handle = self.surrounding(key);
        handle.is_some_and(|handle| self.remove(handle))
    }

    /// Takes all surroundings and joints away.
    pub fn remove_external_bodies(&mut self) {
        let keys: Vec<BodyRef> = self.mirrors.keys().copied().collect();
        for owner in keys {
            if let BodyRef::External(key) = owner {
                self.remove_external_body(key);
            }
        }
        self.joints.clear();
    }

    /// Takes a body with its collider away; what rests on it wakes up.
    pub fn remove(&mut self, handle: RigidBodyHandle) -> bool {
        let current = self.settled.current(handle);
        self.settled.forget(handle);
        self.targets.forget(current);
        self.rest.forget(current);
        let bounds = self.bounds(current);
        let Some(body) = self.remove_body(current) else {
            return false;
        };
        self.settled.count = self
            .settled
            .count
            .saturating_sub(usize::from(is_settled(&body)));
        if let Some(owner) = BodyRef::of(&body) {
            self.coupled.remove(&owner);
            if self.mirrors.get(&owner) == Some(&current) {
                self.mirrors.remove(&owner);
            }
        }
        self.free_around(bounds);
        true
    }

    /// Takes a body with its colliders out of the physics engine.
    pub(super) fn remove_body(&mut self, handle: RigidBodyHandle) -> Option<RigidBody> {
        self.bodies.remove(
            handle,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            true,
        )
    }

    fn insert_parts(
        &mut self,
        body: RigidBodyBuilder,
        colliders: &[ColliderDesc],
    ) -> RigidBodyHandle {
        let handle = self.bodies.insert(body);
        for part in colliders {
            let extent = Extent::of_shape(&part.shape);
            let collider = ColliderBuilder::new(part.shape.clone())
                .position(part.pose)
                .density(part.density)
                .collision_groups(part.groups.interaction())
                .solver_groups(part.groups.solver())
                .user_data(extent.pack())
                .friction(part.friction.unwrap_or(self.friction))
                .restitution(self.restitution);
            let (bodies, colliders) = (&mut self.bodies, &mut self.colliders);
            let new = colliders.insert_with_parent(collider, handle, bodies);
            self.hollows.note(new, self.colliders.get(new));
        }
        handle
    }
}

/// Mass, centre and inertia in body space.
fn mass_properties(debris: &NewDebris) -> MassProperties {
    let mass = debris.mass.volume * debris.density;
    let inertia = debris.mass.inertia(debris.density);
    let inertia = Mat3::from_cols(
        inertia.x_axis.as_vec3(),
        inertia.y_axis.as_vec3(),
        inertia.z_axis.as_vec3(),
    );
    let center = debris.mass.center.as_vec3();
    let exact = MassProperties::with_inertia_matrix(center, mass as f32, inertia);
    let arm = THINNEST * Extent::of_shape(debris.shape).radius.max(1e-3);
    let floor = Vec3::splat(mass as f32 * arm * arm);
    MassProperties::with_principal_inertia_frame(
        center,
        mass as f32,
        exact.principal_inertia().max(floor),
        exact.principal_inertia_local_frame,
    )
}
