//! Breakable bodies: what one is made of.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::math::Pose;

use super::{
    Anchors, DebrisLifetime, InteriorFaces, LazyPattern, Material, PatternFit, PieceHooks, Shape,
};
use crate::debris::{BodyDesc, CollisionGroups};
use crate::error::BodyError;

/// Names a body of one simulation. Ids of bodies that have gone are not given out again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) hecs::Entity);

impl BodyId {
    /// The id as a number, for logs and hashes.
    pub fn to_bits(self) -> u64 {
        self.0.to_bits().get()
    }
}

impl fmt::Debug for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {:x}", self.to_bits())
    }
}

/// What a body is in the life of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Never broken; moved by the engine.
    Intact,
    /// An anchored island; moved by the engine (as a rule, it stands still).
    Remainder,
    /// Free; moved by the debris world.
    Debris,
}

/// Pose and velocity, world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Body space to world space.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub linear: Vec3,
    /// Angular velocity, rad/s.
    pub angular: Vec3,
}

impl Default for Motion {
    fn default() -> Self {
        Self::at(Pose::IDENTITY)
    }
}

impl Motion {
    /// At rest at a pose.
    pub fn at(pose: Pose) -> Self {
        Self {
            pose,
            linear: Vec3::ZERO,
            angular: Vec3::ZERO,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        let rotation = self.pose.rotation;
        let checks = [
            ("position", self.pose.translation.is_finite()),
            (
                "rotation",
                rotation.is_finite() && rotation.length_squared() > 0.25,
            ),
            ("linear velocity", self.linear.is_finite()),
            ("angular velocity", self.angular.is_finite()),
        ];
        match checks.into_iter().find(|(_, fine)| !fine) {
            Some((what, _)) => Err(BodyError::NotFinite { what }),
            None => Ok(()),
        }
    }
}

/// Everything that makes a body breakable; pieces inherit it.
#[derive(Clone)]
pub struct Body {
    /// Its mesh in body space. Share one `Arc` between bodies of the same mesh, so that it is
    /// prepared once.
    pub shape: Arc<Shape>,
    /// The cached pattern, shared as well.
    pub pattern: Arc<LazyPattern>,
    /// How the pattern is laid onto the body.
    pub fit: PatternFit,
    /// Density, toughness and so on.
    pub material: Material,
    /// How long its pieces last.
    pub lifespan: DebrisLifetime,
    /// What holds the body to the world.
    pub anchors: Anchors,
    /// What its pieces collide with.
    pub groups: CollisionGroups,
    /// How cut faces look.
    pub cut_faces: InteriorFaces,
    /// Where it is now.
    pub motion: Motion,
    /// Its colliders in the debris world while intact, so that debris of others bounces off; `None`
    /// when the embedding layer mirrors it by
    /// [`Simulation::set_surrounding`](crate::Simulation::set_surrounding) or wants no contact.
    pub proxy: Option<BodyDesc>,
    /// Run on the worker for each piece.
    pub finish: Option<PieceHooks>,
    /// Turns the pattern about the hit's normal, with the number of hits before.
    pub seed: u64,
}

impl Body {
    /// A free body at rest at the origin, with default material and seed 0.
    pub fn new(shape: Arc<Shape>, pattern: Arc<LazyPattern>) -> Self {
        Self {
            shape,
            pattern,
            fit: PatternFit::default(),
            material: Material::default(),
            lifespan: DebrisLifetime::default(),
            anchors: Anchors::free(),
            groups: CollisionGroups::default(),
            cut_faces: InteriorFaces::default(),
            motion: Motion::default(),
            proxy: None,
            finish: None,
            seed: 0,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        self.motion.check()?;
        self.material.check()?;
        self.lifespan.check()?;
        self.anchors.check()?;
        self.proxy.as_ref().map_or(Ok(()), BodyDesc::check)?;
        self.cut_faces.check()
    }
}
