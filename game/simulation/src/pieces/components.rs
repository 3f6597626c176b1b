//! ECS components of bodies: plain data, one concern each.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use fracture_geometry::{MassProperties, Solid};
use glam::Vec3;
use hecs::EntityRef;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;

use super::bars::BarsInBody;
use super::builder::PieceOptions;
use super::colliders::{Colliders, HullCount};
use super::lazy::LazyPattern;
use super::material::{DebrisLifetime, InteriorFaces, Material};
use super::painted_weakness::PaintedWeakness;
use super::pattern_fit::PatternFit;
use super::piece_bars::PieceBars;
use super::piece_draft::Keep;
use super::piece_hooks::PieceHooks;
use super::shape::Shape;
use crate::debris::{CollisionGroups, ContactProperties};
use crate::impacts::{Impact, LocalImpact};
use crate::stress::{BrokenBonds, LazyLattice, StressGraph};
use crate::types::JobId;

/// Marks a body that was never broken.
pub(crate) struct Intact;

impl Intact {
    /// Whether a body is intact, and no job or replay is about to change that.
    pub fn is_untouched(body: EntityRef) -> bool {
        body.has::<Self>() && !body.has::<PendingBreak>() && !body.has::<KeepEntity>()
    }
}

/// Marks a body whose entity stays when it breaks, without the components of a body, because a replay may
/// have to make it intact again.
pub(crate) struct KeepEntity;

/// Marks an anchored island.
pub(crate) struct AnchoredRemainder;

/// Marks a free piece, which the debris world moves; with its share of the debris budget.
#[derive(Clone, Copy)]
pub(crate) struct Debris {
    /// The step in which the piece was made.
    pub born: u64,
    /// Longest side of the colliders' box, metres.
    pub size: f32,
    /// The colliders' box in body space, metres.
    pub bounds: Aabb,
    pub triangles: u32,
}

/// Marks a body that the engine moves and whose colliders are in the debris world.
pub(crate) struct Proxy;

/// All that a break needs to know of a body.
#[derive(Clone)]
pub(crate) struct Breakable {
    pub asset: Arc<BreakableAsset>,
    pub shape: Arc<Shape>,
    /// Broken bonds of the stress lattice, where nothing has come apart yet.
    pub broken_bonds: Arc<BrokenBonds>,
}

impl Breakable {
    /// Centre of mass at a pose; `None` of a body that is not prepared or cannot be.
    pub fn center(&self, pose: Pose) -> Option<Vec3> {
        let solid: &Solid = self.shape.reported()?.ok()?;
        Some(pose.transform_point(solid.mass().center.as_vec3()))
    }
}

/// The part of [`Breakable`] that pieces share with the intact body.
#[derive(Clone)]
pub(crate) struct BreakableAsset {
    pub pattern: Arc<LazyPattern>,
    pub fit: PatternFit,
    pub material: Material,
    pub lifetime: DebrisLifetime,
    pub groups: CollisionGroups,
    pub contact: ContactProperties,
    pub interior_faces: InteriorFaces,
    pub hooks: Option<PieceHooks>,
    /// Painted on the intact body.
    pub weakness: Option<Arc<PaintedWeakness>>,
    /// Stress lattice of the intact body.
    pub lattice: Arc<LazyLattice>,
}

impl BreakableAsset {
    pub fn piece_options(&self, check_pieces: bool, bars: Option<Arc<PieceBars>>) -> PieceOptions {
        PieceOptions {
            density: f64::from(self.material.density),
            dust_size: self.lifetime.dust_size,
            interior_faces: self.interior_faces,
            grain: self.fit.axes.grain(),
            hooks: self.hooks.clone(),
            check_pieces,
            bars: BarsInBody {
                figures: self.material.bars,
                of_piece: bars,
            },
            keep: Keep::All,
        }
    }

    /// The lattice, if stress in the body is solved.
    pub fn stress_lattice(&self) -> Option<Arc<LazyLattice>> {
        self.material.has_strength().then(|| self.lattice.clone())
    }
}

/// Stresses of an anchored body, as the last job solved them.
pub(crate) struct StressState {
    pub graph: Arc<StressGraph>,
    /// Whether the host has been warned that it is near its strength.
    pub is_strained: bool,
}

/// Marks a body from a save before which the host had been warned of a place inside it.
pub(crate) struct ToldStrain;

/// Mass and colliders of a piece.
pub(crate) struct PieceBuild {
    pub mass: MassProperties,
    pub colliders: Colliders,
    pub hulls: HullCount,
    /// Set while the collider is a provisional one.
    pub refining: Option<Refining>,
}

/// A job that refines the collider of a piece. Dropping it cancels the job.
pub(crate) struct Refining(pub Arc<AtomicBool>);

impl Drop for Refining {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Seed of a body's breaks: of the spin of each pattern, and of the seeds of its pieces.
#[derive(Clone)]
pub(crate) struct BreakSeed {
    pub seed: u64,
    /// Impacts that asked for a break so far.
    pub impacts: u64,
}

/// Number of ancestors that were broken, and the volume: what makes a body too small to break.
#[derive(Clone, Copy)]
pub(crate) struct Generation {
    pub depth: u32,
    /// m^3; `None` for an intact body, which is never too small.
    pub volume: Option<f64>,
    /// Volume of the intact body that it is a piece of, m^3; 0 for that itself.
    pub whole: f64,
}

impl Generation {
    pub const INTACT: Self = Self {
        depth: 0,
        volume: None,
        whole: 0.0,
    };

    /// Whether a body of this generation and volume can break at all.
    pub fn can_break(&self, material: &Material) -> bool {
        let smallest = f64::from(material.min_volume);
        let is_too_small = self.volume.is_some_and(|volume| volume < smallest);
        !is_too_small && self.breaks_in_a_row() < material.max_depth
    }

    /// The breaks that count: what is left of a body when parts have been chipped off counts as broken once as long as it
    /// is more than half of that, twice while it is more than a quarter, and so on.
    fn breaks_in_a_row(&self) -> u32 {
        let Some(volume) = self.volume else {
            return self.depth;
        };
        let mut part = self.whole;
        let mut halvings = 0;
        while part > volume && halvings < self.depth {
            part *= 0.5;
            halvings += 1;
        }
        halvings
    }
}

/// A job that is breaking this body.
pub(crate) struct PendingBreak {
    pub job: JobId,
    pub cancel: Arc<AtomicBool>,
    /// The impact that breaks it.
    pub impact: Impact,
    /// The impact in body space.
    pub local_impact: LocalImpact,
    /// Impacts that arrived meanwhile, oldest first, with the pose of the body then.
    pub waiting: Vec<(Impact, Pose)>,
}
