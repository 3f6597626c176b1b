//! Rapier's bodies and colliders, built from descriptions.

use glam::Vec3;
use rapier3d::dynamics::{MassProperties, RigidBodyBuilder};
use rapier3d::geometry::{ColliderBuilder, SharedShape};
use rapier3d::pipeline::ActiveHooks;

use super::external::{
    BodyDesc, BodyRef, BodyType, ColliderDesc, CollisionGroups, ContactProperties, MassDesc,
};
use super::user_data::{large_piece_user_data, piece_user_data, skin, Extent};
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

/// The figures of a free piece's rigid body that follow from its shape and its mass. A worker computes them, so that the
/// frame in which the piece enters need not.
#[derive(Clone, Copy)]
pub(crate) struct PieceFigures {
    extent: Extent,
    skin: f32,
    /// Mass, centre and inertia in body space.
    mass: MassProperties,
}

impl PieceFigures {
    /// The figures of a piece of a density in kg/m^3.
    pub fn new(
        shape: &SharedShape,
        mass: &fracture_geometry::MassProperties,
        density: f64,
    ) -> Self {
        let extent = Extent::from_shape(shape);
        Self {
            extent,
            skin: skin(shape),
            mass: mass_properties(mass, density, extent),
        }
    }
}

/// A free piece to be added.
pub(crate) struct PieceDesc<'a> {
    pub shape: &'a SharedShape,
    pub figures: &'a PieceFigures,
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
    /// Whether another shape is to take the place of this one.
    pub provisional: bool,
    pub groups: CollisionGroups,
    pub contact: ContactProperties,
    /// Impulse from which on collisions are reported, N s; infinite for none.
    pub reported_impulse: f32,
    /// Whether it is large, and may tear when it lands.
    pub may_tear: bool,
}

impl PieceDesc<'_> {
    pub(super) fn rigid_body(&self, id: BodyId) -> RigidBodyBuilder {
        RigidBodyBuilder::dynamic()
            .pose(self.motion.pose)
            .linvel(self.motion.linear)
            .angvel(self.motion.angular)
            .linear_damping(Damping::FLYING.linear)
            .angular_damping(Damping::FLYING.angular)
            .additional_mass_properties(self.figures.mass)
            .user_data(if self.may_tear {
                large_piece_user_data(id)
            } else {
                piece_user_data(id)
            })
    }

    /// The collider, with the world's friction and restitution where the piece has none of its own.
    pub(super) fn collider(&self, friction: f32, restitution: f32) -> ColliderBuilder {
        let builder = ColliderBuilder::new(self.shape.clone())
            .density(0.0)
            .user_data(self.figures.extent.to_user_data())
            .contact_skin(self.figures.skin)
            .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
        touched_as(builder, &self.groups, &self.contact, friction, restitution)
    }
}

/// Mass, centre and inertia of a piece in body space.
fn mass_properties(
    mass: &fracture_geometry::MassProperties,
    density: f64,
    extent: Extent,
) -> MassProperties {
    let kilograms = (mass.volume * density) as f32;
    let (inertia, axes) = mass.principal_inertia(density);
    let arm = MIN_GYRATION_RADIUS * extent.radius.max(1e-3);
    let min_inertia = Vec3::splat(kilograms * arm * arm);
    MassProperties::with_principal_inertia_frame(
        mass.center.as_vec3(),
        kilograms,
        inertia.as_vec3().max(min_inertia),
        axes.as_quat(),
    )
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

/// The collider of a description, with the world's friction and restitution where it has none of its own.
pub(super) fn collider(desc: &ColliderDesc, friction: f32, restitution: f32) -> ColliderBuilder {
    let builder = ColliderBuilder::new(desc.shape.clone())
        .position(desc.pose)
        .density(desc.density)
        .user_data(Extent::from_shape(&desc.shape).to_user_data());
    touched_as(builder, &desc.groups, &desc.contact, friction, restitution)
}

fn touched_as(
    builder: ColliderBuilder,
    groups: &CollisionGroups,
    contact: &ContactProperties,
    friction: f32,
    restitution: f32,
) -> ColliderBuilder {
    builder
        .collision_groups(groups.collision())
        .solver_groups(groups.solver())
        .friction(contact.friction.unwrap_or(friction))
        .restitution(contact.restitution.unwrap_or(restitution))
        .friction_combine_rule(contact.friction_rule)
        .restitution_combine_rule(contact.restitution_rule)
}
