//! Plain descriptions of the engine's bodies, from which the debris world makes its own copies.

use glam::Vec3;
use rapier3d::dynamics::CoefficientCombineRule;
use rapier3d::geometry::{Aabb, Group, InteractionGroups, InteractionTestMode};
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ShapeType, SharedShape};
use rapier3d::prelude::BoundingVolume;

use crate::error::BodyError;
use crate::types::{is_in_range, is_pose, BodyId, Motion};

/// Identifies a body in the debris world, for the host: a breakable body by its id, an external one by
/// its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyRef {
    /// A breakable body of the simulation: an intact one, an anchored remainder or a free piece.
    Breakable(BodyId),
    /// An external body, by the host's key.
    External(u64),
}

impl BodyRef {
    /// The id of a breakable body; `None` for an external one.
    pub fn breakable(self) -> Option<BodyId> {
        match self {
            Self::Breakable(id) => Some(id),
            Self::External(_) => None,
        }
    }

    /// The key of an external body; `None` for a breakable one.
    pub fn external(self) -> Option<u64> {
        match self {
            Self::Breakable(_) => None,
            Self::External(key) => Some(key),
        }
    }
}

/// A rigid body of the engine that debris collides with: a wall, a door, a ball.
#[derive(Clone)]
pub struct ExternalBody {
    /// Its colliders and how it moves.
    pub desc: BodyDesc,
    /// Its pose and velocity.
    pub motion: Motion,
}

/// The colliders of a rigid body and how it moves.
#[derive(Clone)]
pub struct BodyDesc {
    /// Its colliders; one without any only holds the end of a joint.
    pub colliders: Vec<ColliderDesc>,
    /// How it moves.
    pub body_type: BodyType,
}

/// One collider of a body.
#[derive(Clone)]
pub struct ColliderDesc {
    /// The shape in the collider's own space, metres.
    pub shape: SharedShape,
    /// Collider space to body space.
    pub pose: Pose,
    /// Friction and bounce.
    pub contact: ContactProperties,
    /// kg/m^3, 0 or more; matters only to [`BodyType::Dynamic`] bodies.
    pub density: f32,
    /// The colliders that it meets.
    pub groups: CollisionGroups,
}

/// How an external body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyType {
    /// Not at all, or by hand now and then.
    Fixed,
    /// Like a fixed body, but nothing collides with it and no query meets it: it only holds bodies with
    /// [`Anchors::Touching`](crate::Anchors::Touching) where they touch it or are inside.
    Anchor,
    /// By the poses that the host reports: it pushes debris and is not pushed back.
    Kinematic,
    /// By the engine's physics: it pushes debris and is pushed by it, see
    /// [`Simulation::corrected_motions`](crate::Simulation::corrected_motions).
    Dynamic(MassDesc),
}

/// Mass, locks and other properties of a [`BodyType::Dynamic`] body, besides the densities of its
/// colliders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassDesc {
    /// Mass on top of that of the colliders, kg, 0 or more.
    pub additional_mass: f32,
    /// Distribution of the additional mass; `None` spreads it as the colliders' own.
    pub additional_inertia: Option<AdditionalInertia>,
    /// Factor of gravity.
    pub gravity_scale: f32,
    /// Whether it cannot be moved from its place.
    pub locked_translations: bool,
    /// The axes about which it cannot turn.
    pub locked_rotations: [bool; 3],
    /// Contacts push only the body with the smaller number.
    pub dominance: i8,
    /// Whether continuous collision detection keeps it from tunnelling at high speed.
    pub ccd_enabled: bool,
}

/// Distribution of a [`MassDesc::additional_mass`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AdditionalInertia {
    /// Centre of the additional mass, body space, metres.
    pub center: Vec3,
    /// Principal moments of inertia about that centre, kg m^2, 0 or more.
    pub principal: Vec3,
}

impl Default for MassDesc {
    fn default() -> Self {
        Self {
            additional_mass: 0.0,
            additional_inertia: None,
            gravity_scale: 1.0,
            locked_translations: false,
            locked_rotations: [false; 3],
            dominance: 0,
            ccd_enabled: false,
        }
    }
}

impl ExternalBody {
    /// A body that does not move: a wall, the ground.
    pub fn fixed(shape: SharedShape, motion: Motion) -> Self {
        let desc = BodyDesc::new(shape, BodyType::Fixed);
        Self { desc, motion }
    }

    /// A body that follows the poses that the host reports: a door, a platform.
    pub fn kinematic(shape: SharedShape, motion: Motion) -> Self {
        let desc = BodyDesc::new(shape, BodyType::Kinematic);
        Self { desc, motion }
    }

    /// A body that the engine's physics moves: a ball, a crate, a character. `mass` is in kg.
    pub fn dynamic(shape: SharedShape, motion: Motion, mass: f32) -> Self {
        let volume = shape.mass_properties(1.0).mass();
        let mass_desc = MassDesc {
            additional_mass: if volume > 0.0 { 0.0 } else { mass },
            ..MassDesc::default()
        };
        let mut desc = BodyDesc::new(shape, BodyType::Dynamic(mass_desc));
        if volume > 0.0 {
            for collider in &mut desc.colliders {
                collider.density = mass / volume;
            }
        }
        Self { desc, motion }
    }
}

impl BodyDesc {
    /// A body with a single collider at its origin.
    pub fn new(shape: SharedShape, body_type: BodyType) -> Self {
        Self {
            colliders: vec![ColliderDesc::new(shape)],
            body_type,
        }
    }

    /// The bounding box of its colliders in body space; a point at the origin without any.
    pub(crate) fn local_bounds(&self) -> Aabb {
        let bounds = |collider: &ColliderDesc| collider.shape.compute_aabb(&collider.pose);
        let bounds = self.colliders.iter().map(bounds);
        let origin = Aabb::new(Vec3::ZERO, Vec3::ZERO);
        bounds.reduce(|a, b| a.merged(&b)).unwrap_or(origin)
    }

    /// Refuses numbers that are not finite, or negative where that has no meaning.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        for collider in &self.colliders {
            check_not_negative("collider density", collider.density)?;
            collider.contact.check()?;
            check_finite("collider pose", is_pose(&collider.pose))?;
            check_finite("collider's size", has_size(&collider.shape))?;
        }
        let BodyType::Dynamic(mass) = &self.body_type else {
            return Ok(());
        };
        check_not_negative("mass", mass.additional_mass)?;
        let AdditionalInertia { center, principal } = mass.additional_inertia.unwrap_or_default();
        let is_valid = mass.gravity_scale.is_finite()
            && center.is_finite()
            && principal.is_finite()
            && principal.min_element() >= 0.0;
        check_finite("gravity scale or inertia", is_valid)
    }
}

/// Whether the bounding box of a shape can be computed with. That of a half-space ends nowhere.
fn has_size(shape: &SharedShape) -> bool {
    let bounds = shape.compute_local_aabb();
    shape.shape_type() == ShapeType::HalfSpace
        || (is_in_range(bounds.mins) && is_in_range(bounds.maxs))
}

fn check_not_negative(what: &'static str, value: f32) -> Result<(), BodyError> {
    check_finite(what, value.is_finite())?;
    if value < 0.0 {
        return Err(BodyError::Material {
            what,
            value,
            range: "finite and not negative",
        });
    }
    Ok(())
}

fn check_finite(what: &'static str, is_finite: bool) -> Result<(), BodyError> {
    if is_finite {
        Ok(())
    } else {
        Err(BodyError::NotFinite { what })
    }
}

impl ColliderDesc {
    /// A collider at the body's origin, with the default friction and no mass of its own.
    pub fn new(shape: SharedShape) -> Self {
        Self {
            shape,
            pose: Pose::IDENTITY,
            contact: ContactProperties::default(),
            density: 0.0,
            groups: CollisionGroups::default(),
        }
    }
}

/// Friction and bounce of a collider. In a contact they are combined with those of the other collider, by the rule
/// of the two that comes later in the order of [`CoefficientCombineRule`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactProperties {
    /// Coulomb friction, 0 or more; `None` takes [`Settings::friction`](crate::Settings::friction).
    pub friction: Option<f32>,
    /// Restitution: the share of its approach speed with which a body bounces off, 0 or more; `None` takes
    /// [`Settings::restitution`](crate::Settings::restitution).
    pub restitution: Option<f32>,
    /// Rule that combines the frictions of two colliders.
    pub friction_rule: CoefficientCombineRule,
    /// Rule that combines the restitutions of two colliders.
    pub restitution_rule: CoefficientCombineRule,
}

impl ContactProperties {
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        check_not_negative("collider friction", self.friction.unwrap_or_default())?;
        check_not_negative("collider restitution", self.restitution.unwrap_or_default())
    }
}

/// Collision groups of a collider. Two colliders touch when each is a member of a group in the other's
/// filter, and push each other when the same holds for their solver groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollisionGroups {
    /// Groups that it is a member of, a bit each.
    pub memberships: u32,
    /// Groups that it collides with, a bit each.
    pub filter: u32,
    /// Memberships that count for forces: colliders that touch and do not push pass through each other.
    pub solver_memberships: u32,
    /// Filter that counts for forces.
    pub solver_filter: u32,
}

impl Default for CollisionGroups {
    /// All groups: it collides with every collider that allows it.
    fn default() -> Self {
        Self {
            memberships: u32::MAX,
            filter: u32::MAX,
            solver_memberships: u32::MAX,
            solver_filter: u32::MAX,
        }
    }
}

impl CollisionGroups {
    pub(super) fn collision(self) -> InteractionGroups {
        interaction_groups(self.memberships, self.filter)
    }

    pub(super) fn solver(self) -> InteractionGroups {
        interaction_groups(self.solver_memberships, self.solver_filter)
    }
}

fn interaction_groups(memberships: u32, filter: u32) -> InteractionGroups {
    InteractionGroups::new(
        Group::from_bits_truncate(memberships),
        Group::from_bits_truncate(filter),
        InteractionTestMode::And,
    )
}

/// The first hit of a ray or of a moving shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The breakable body that was hit: a free piece, an anchored remainder or an intact body.
    pub body: Option<BodyId>,
    /// The key of the external body that was hit.
    pub external: Option<u64>,
    /// Point of the hit, world space, metres.
    pub point: Vec3,
    /// Outward unit normal of the surface there.
    pub normal: Vec3,
    /// Metres from the ray's origin.
    pub distance: f32,
}

impl RayHit {
    /// The body that was hit; `None` where a collider stands for no body.
    pub fn owner(&self) -> Option<BodyRef> {
        let external = self.external.map(BodyRef::External);
        self.body.map(BodyRef::Breakable).or(external)
    }

    /// A hit on `body`; `None` where a collider stands for no body.
    pub(crate) fn new(body: Option<BodyRef>, point: Vec3, normal: Vec3, distance: f32) -> Self {
        Self {
            body: body.and_then(BodyRef::breakable),
            external: body.and_then(BodyRef::external),
            point,
            normal,
            distance,
        }
    }
}
