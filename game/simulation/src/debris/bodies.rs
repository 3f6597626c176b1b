//! Rapier's bodies and colliders, built from descriptions.

use glam::{Mat3, Vec3};
use rapier3d::dynamics::{MassProperties, RigidBodyBuilder};
use rapier3d::geometry::{ColliderBuilder, SharedShape};

use super::external::{
    BodyDesc, BodyRef, BodyType, ColliderDesc, CollisionGroups, ContactProperties, MassDesc,
};
use super::user_data::{piece_user_data, Extent};
use crate::types::{BodyId, Motion};

/// Radius of gyration below which no piece's inertia falls, in parts of the piece's radius: a splinter
/// hardly resists turning about its length, and would whirl at every touch.
const MIN_GYRATION_RADIUS: f32 = 0.2;

/// Linear and angular damping, 1/s.
#[derive(Clone, Copy)]
pub(super) struct Damping {
    pub linear: f32,
    pub angular: f32,
}

impl Damping {
    /// Damping of a piece that flies.
    pub const FLYING: Self = Self {
        linear: 0.02,
        angular: 0.3,
    };
}

/// A free piece to be added.
pub(crate) struct PieceDesc<'a> {
    pub shape: &'a SharedShape,
    pub mass: &'a fracture_geometry::MassProperties,
    /// kg/m^3.
    pub density: f64,
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
    /// Whether another shape is to take the place of this one.
    pub provisional: bool,
    pub groups: CollisionGroups,
    pub contact: ContactProperties,
}

impl PieceDesc<'_> {
    pub(super) fn rigid_body(&self, id: BodyId) -> RigidBodyBuilder {
        RigidBodyBuilder::dynamic()
            .pose(self.motion.pose)
            .linvel(self.motion.linear)
            .angvel(self.motion.angular)
            .linear_damping(Damping::FLYING.linear)
            .angular_damping(Damping::FLYING.angular)
            .additional_mass_properties(self.mass_properties())
            .user_data(piece_user_data(id))
    }

    pub(super) fn collider(&self) -> ColliderDesc {
        ColliderDesc {
            groups: self.groups,
            contact: self.contact,
            ..ColliderDesc::new(self.shape.clone())
        }
    }

    /// Mass, centre and inertia in body space.
    fn mass_properties(&self) -> MassProperties {
        let mass = self.mass.volume * self.density;
        let inertia = self.mass.inertia(self.density);
        let inertia = Mat3::from_cols(
            inertia.x_axis.as_vec3(),
            inertia.y_axis.as_vec3(),
            inertia.z_axis.as_vec3(),
        );
        let center = self.mass.center.as_vec3();
        let exact = MassProperties::with_inertia_matrix(center, mass as f32, inertia);
        let arm = MIN_GYRATION_RADIUS * Extent::from_shape(self.shape).radius.max(1e-3);
        let min_inertia = Vec3::splat(mass as f32 * arm * arm);
        MassProperties::with_principal_inertia_frame(
            center,
            mass as f32,
            exact.principal_inertia().max(min_inertia),
            exact.principal_inertia_local_frame,
        )
    }
}

impl BodyDesc {
    /// The rigid body of a proxy or an external body, without its colliders.
    pub(super) fn rigid_body(&self, owner: BodyRef, motion: &Motion) -> RigidBodyBuilder {
        let body = match &self.body_type {
            BodyType::Dynamic(mass) => mass.rigid_body(motion),
            BodyType::Kinematic => RigidBodyBuilder::kinematic_position_based(),
            BodyType::Fixed | BodyType::Anchor => RigidBodyBuilder::fixed(),
        };
        body.pose(motion.pose).user_data(owner.to_user_data())
    }
}

impl MassDesc {
    fn rigid_body(&self, motion: &Motion) -> RigidBodyBuilder {
        let [x, y, z] = self.locked_rotations.map(|locked| !locked);
        let mut body = RigidBodyBuilder::dynamic()
            .pose(motion.pose)
            .linvel(motion.linear)
            .angvel(motion.angular)
            .gravity_scale(self.gravity_scale)
            .enabled_rotations(x, y, z)
            .dominance_group(self.dominance)
            .ccd_enabled(self.ccd_enabled);
        if self.locked_translations {
            body = body.lock_translations();
        }
        match self.additional_inertia {
            None => body.additional_mass(self.additional_mass),
            Some(inertia) => body.additional_mass_properties(MassProperties::new(
                inertia.center,
                self.additional_mass,
                inertia.principal,
            )),
        }
    }
}

/// The collider of a description, with the settings' friction and restitution where it has none of its own.
pub(super) fn collider(desc: &ColliderDesc, friction: f32, restitution: f32) -> ColliderBuilder {
    let contact = &desc.contact;
    ColliderBuilder::new(desc.shape.clone())
        .position(desc.pose)
        .density(desc.density)
        .collision_groups(desc.groups.collision())
        .solver_groups(desc.groups.solver())
        .user_data(Extent::from_shape(&desc.shape).to_user_data())
        .friction(contact.friction.unwrap_or(friction))
        .restitution(contact.restitution.unwrap_or(restitution))
        .friction_combine_rule(contact.friction_rule)
        .restitution_combine_rule(contact.restitution_rule)
}
