//! The components of bodies: plain data, one concern each.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use fracture_geometry::MassProperties;
use hecs::EntityRef;
use rapier3d::dynamics::RigidBodyHandle;

use super::{
    Anchors, DebrisLifetime, InteriorFaces, LazyPattern, Material, PatternFit, PieceHooks, Shape,
};
use crate::debris::CollisionGroups;
use crate::impacts::Impact;
use crate::jobs::{JobId, LocalImpact};
use crate::pieces::{Colliders, HullCount};
use crate::pieces::{Keep, PieceOptions};
use crate::stress::{BrokenFaces, LazyLattice, StressGraph};

/// Marks a body that was never broken.
pub(crate) struct Intact;

impl Intact {
    /// Whether a body is whole, and nothing is being done to it that could change that.
    pub fn is_untouched(body: EntityRef) -> bool {
        body.has::<Self>() && !body.has::<Pending>() && !body.has::<KeepEntity>()
    }
}

/// Marks a body whose entity stays when it is broken, without what made it a body: it may have to be
/// made whole again.
pub(crate) struct KeepEntity;

/// Marks an anchored island.
pub(crate) struct AnchoredRemainder;

/// A free piece: where it is in the debris world, and what the budget sorts by.
#[derive(Clone, Copy)]
pub(crate) struct Debris {
    pub handle: RigidBodyHandle,
    pub rank: Rank,
    pub triangles: u32,
}

/// Who has to go first when there is too much: the oldest, of equal age the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// The step in which it came to be.
    born: u64,
    /// The bits of its volume, which is not negative, so that they sort as it does.
    volume: u64,
}

impl Rank {
    pub fn new(born: u64, volume: f64) -> Self {
        Self {
            born,
            volume: volume.max(0.0).to_bits(),
        }
    }
}

/// The body's collider in the debris world while the engine moves it.
pub(crate) struct Proxy(pub RigidBodyHandle);

/// What a break needs to know; pieces inherit it.
#[derive(Clone)]
pub(crate) struct Breakable {
    pub shape: Arc<Shape>,
    pub pattern: Arc<LazyPattern>,
    pub fit: PatternFit,
    pub material: Material,
    pub lifespan: DebrisLifetime,
    pub groups: CollisionGroups,
    pub cut_faces: InteriorFaces,
    pub finish: Option<PieceHooks>,
    /// The cells in which it carries its weight, those of the whole body.
    pub lattice: Arc<LazyLattice>,
    /// Faces between those that are broken though nothing has come apart.
    pub damage: Arc<BrokenFaces>,
}

impl Breakable {
    /// Whether what an anchor holds is weighed.
    pub fn is_weighed(&self) -> bool {
        self.material.strength > 0.0
    }

    /// How pieces are made of it.
    pub fn making(&self, check_pieces: bool) -> PieceOptions {
        PieceOptions {
            density: f64::from(self.material.density),
            crumb_size: self.lifespan.crumb_size,
            cut_faces: self.cut_faces,
            finish: self.finish.clone(),
            check_pieces,
            lasting: Keep::All,
        }
    }
}

/// How the body carried its weight when it was weighed last.
pub(crate) struct StressState(pub Arc<StressGraph>);

/// What the worker has made of a piece, for those who keep it.
pub(crate) struct PieceBuild {
    pub mass: MassProperties,
    pub colliders: Colliders,
    pub hulls: HullCount,
}

/// What holds the body; pieces inherit it.
pub(crate) struct Held(pub Anchors);

/// Where the spin of the next break comes from.
pub(crate) struct Seed {
    pub seed: u64,
    /// Breaks asked for so far.
    pub hits: u64,
}

/// How often ancestors were broken, and the volume when it is known.
#[derive(Clone, Copy)]
pub(crate) struct Generation {
    pub depth: u32,
    /// m^3; `None` for an intact body that has not been prepared.
    pub volume: Option<f64>,
}

impl Generation {
    /// Whether it is below the volume at which a material still breaks.
    pub fn is_too_small(&self, material: &Material) -> bool {
        let smallest = f64::from(material.smallest_volume);
        self.volume.is_some_and(|volume| volume < smallest)
    }

    /// The impulse of a collision with debris that breaks it, N s; infinite when none does. A free
    /// piece is tougher than what stands.
    pub fn toughness(&self, material: &Material, free: bool) -> f32 {
        if self.is_too_small(material) || self.depth >= material.max_generation {
            return f32::INFINITY;
        }
        let factor = if free { material.piece_toughness } else { 1.0 };
        material.toughness * factor
    }
}

/// A job is breaking this body.
pub(crate) struct Pending {
    pub job: JobId,
    pub cancel: Arc<AtomicBool>,
    /// The hit that broke it.
    pub hit: Impact,
    /// The same in body space.
    pub local: LocalImpact,
    /// Hits that arrived meanwhile, oldest first.
    pub waiting: Vec<Impact>,
}
