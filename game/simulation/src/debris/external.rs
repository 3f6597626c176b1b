//! What the debris meets besides itself: colliders of the embedding layer, mirrored.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::BoundingVolume;

use super::groups::CollisionGroups;
use crate::error::BodyError;
use crate::types::{BodyId, Motion};

/// A rigid body of the embedding layer, mirrored into the debris world.
#[derive(Clone)]
pub struct ExternalBody {
    /// What is mirrored.
    pub desc: BodyDesc,
    /// Where it is.
    pub motion: Motion,
}

/// The colliders of a rigid body and how it moves.
#[derive(Clone)]
pub struct BodyDesc {
    /// Its colliders.
    pub colliders: Vec<ColliderDesc>,
    /// How it moves.
    pub body_type: BodyType,
}

/// One collider.
#[derive(Clone)]
pub struct ColliderDesc {
    /// Metres, in the part's own space.
    pub shape: SharedShape,
    /// The part's space to that of the body.
    pub pose: Pose,
    /// Coulomb friction; `None` takes that of the settings.
    pub friction: Option<f32>,
    /// kg/m^3, 0 or more; matters only to bodies that are free to move.
    pub density: f32,
    /// Which other colliders it meets.
    pub groups: CollisionGroups,
}

/// How a mirrored body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyType {
    /// Not at all, or by hand now and then.
    Fixed,
    /// As the embedding layer says: it pushes debris and is not pushed back.
    Kinematic,
    /// Freely, by the embedding layer's physics: it pushes debris and is pushed by it, see
    /// [`Simulation::corrected_motions`](crate::Simulation::corrected_motions).
    Dynamic(MassDesc),
}

/// What a body's motion depends on, besides the densities of its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassDesc {
    /// Mass on top of that of the parts, kg, 0 or more.
    pub additional_mass: f32,
    /// Where the added mass is (body space, metres) and its principal inertia, kg m^2; `None`
    /// spreads it as the parts' own.
    pub additional_inertia: Option<(Vec3, Vec3)>,
    /// Multiplies gravity.
    pub gravity_scale: f32,
    /// Whether it cannot be moved from its place.
    pub locked_translations: bool,
    /// The axes about which it cannot turn.
    pub locked_rotations: [bool; 3],
    /// Contacts push only the body with the smaller number.
    pub dominance: i8,
    /// Whether it must not tunnel at high speed.
    pub ccd_enabled: bool,
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
    /// A fixed one.
    pub fn fixed(shape: SharedShape, motion: Motion) -> Self {
        let desc = BodyDesc::new(shape, BodyType::Fixed);
        Self { desc, motion }
    }

    /// One that moves as it is told: a door, a platform.
    pub fn moving(shape: SharedShape, motion: Motion) -> Self {
        let desc = BodyDesc::new(shape, BodyType::Kinematic);
        Self { desc, motion }
    }

    /// One that physics moves: a ball, a crate, a character. `mass` is in kg.
    pub fn free(shape: SharedShape, motion: Motion, mass: f32) -> Self {
        let volume = shape.mass_properties(1.0).mass();
        let dynamics = MassDesc {
            additional_mass: if volume > 0.0 { 0.0 } else { mass },
            ..MassDesc::default()
        };
        let mut desc = BodyDesc::new(shape, BodyType::Dynamic(dynamics));
        for part in desc.colliders.iter_mut().filter(|_| volume > 0.0) {
            part.density = mass / volume;
        }
        Self { desc, motion }
    }
}

impl BodyDesc {
    /// A body of a single part at its origin.
    pub fn new(shape: SharedShape, body_type: BodyType) -> Self {
        let colliders = vec![ColliderDesc::new(shape)];
        Self {
            colliders,
            body_type,
        }
    }

    /// The box around its parts, in the body's space; a point without any.
    pub(crate) fn local_bounds(&self) -> Aabb {
        let bounds = |part: &ColliderDesc| part.shape.compute_aabb(&part.pose);
        let bounds = self.colliders.iter().map(bounds);
        let point = Aabb::new(Vec3::ZERO, Vec3::ZERO);
        bounds.reduce(|a, b| a.merged(&b)).unwrap_or(point)
    }

    /// Refuses what is not finite, or negative where that has no meaning.
    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let not_negative = |what, value: f32| match value {
            _ if !value.is_finite() => Err(BodyError::NotFinite { what }),
            _ if value < 0.0 => Err(BodyError::Material {
                what,
                value,
                range: "finite and not negative",
            }),
            _ => Ok(()),
        };
        for part in &self.colliders {
            not_negative("collider density", part.density)?;
            if !part.pose.is_finite() {
                let what = "collider pose";
                return Err(BodyError::NotFinite { what });
            }
        }
        let BodyType::Dynamic(dynamics) = &self.body_type else {
            return Ok(());
        };
        not_negative("mass", dynamics.additional_mass)?;
        let inertia = dynamics.additional_inertia.unwrap_or_default();
        let finite = dynamics.gravity_scale.is_finite() && inertia.0.is_finite();
        match finite && inertia.1.is_finite() && inertia.1.min_element() >= 0.0 {
            true => Ok(()),
            false => Err(BodyError::NotFinite {
                what: "gravity scale or inertia",
            }),
        }
    }
}

impl ColliderDesc {
    /// A part at the body's origin, with the default friction and no mass of its own.
    pub fn new(shape: SharedShape) -> Self {
        Self {
            shape,
            pose: Pose::IDENTITY,
            friction: None,
            density: 0.0,
            groups: CollisionGroups::default(),
        }
    }
}

/// Whose a body of the debris world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyRef {
    /// A body of the simulation.
    Breakable(BodyId),
    /// A surrounding, by its key.
    External(u64),
}

impl BodyRef {
    /// The body of the simulation, when it is one.
    pub fn breakable(self) -> Option<BodyId> {
        match self {
            Self::Breakable(id) => Some(id),
            Self::External(_) => None,
        }
    }

    /// The key of the surrounding, when it is one.
    pub fn external(self) -> Option<u64> {
        match self {
            Self::Breakable(_) => None,
            Self::External(key) => Some(key),
        }
    }
}

/// What a ray or a moving shape met in the debris world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body, when it was one: a free piece, an anchored remainder, or an intact body's proxy.
    pub body: Option<BodyId>,
    /// The key of the surrounding, when it was one.
    pub external: Option<u64>,
    /// Where, world space, metres.
    pub point: Vec3,
    /// Outward unit normal there.
    pub normal: Vec3,
    /// Metres from the ray's origin.
    pub distance: f32,
}

impl RayHit {
    /// What was met, and how; `None` for what belongs to nobody.
    pub(crate) fn of(owner: Option<BodyRef>, point: Vec3, normal: Vec3, distance: f32) -> Self {
        Self {
            body: owner.and_then(BodyRef::breakable),
            external: owner.and_then(BodyRef::external),
            point,
            normal,
            distance,
        }
    }
}
