//! The debris' own physics world: hulls of free pieces, mirrored surroundings, and proxies of bodies
//! that the engine moves.

use std::collections::BTreeMap;

use glam::Vec3;
use rapier3d::dynamics::{
    CCDSolver, ImpulseJointSet, IntegrationParameters, IslandManager, MultibodyJointSet,
    RigidBodyHandle, RigidBodySet, SpringCoefficients,
};
use rapier3d::geometry::{BroadPhaseBvh, ColliderHandle, ColliderSet, NarrowPhase};
use rapier3d::pipeline::PhysicsPipeline;
use rapier3d::rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::contact_events::{ContactForceCollector, DebrisCollision, VelocitySnapshot};
use super::contact_offset::TOLERANCE;
use super::external::BodyRef;
use super::frozen::Frozen;
use super::hooks::Hooks;
use super::joint::MirroredJoint;
use super::moves::{MovedPiece, PieceMoves};
use super::non_solid::NonSolidColliders;
use super::shadow::ShadowBody;
use super::sleep::SleepTuning;
use super::tag::is_piece;
use super::targets::KinematicTargets;
use super::tracked::Tracked;
use crate::settings::Settings;
use crate::types::{BodyId, Motion};

/// Overlaps are pushed apart no faster than this, m/s: pieces of a concave body start overlapping a
/// little and must not explode.
const CORRECTION: f32 = 1.0;

/// Natural frequency of contacts, Hz: under its own weight w per unit of mass a stack sinks by
/// w / (2 pi f)^2 at each joint, 0.07 mm a brick. The engine's 30 Hz are four times as soft.
const STIFFNESS: f32 = 60.0;

/// Damping ratio of contacts: overlaps are mended in a tenth of a second. With less, blocks squeezed
/// into a hollow rattle on.
const DAMPING: f32 = 20.0;

/// Iterations of the solver in each of its four substeps, with and without mending overlaps: what lands
/// in one piece, or stands in one piece without a force in its joints yet, has to come to terms with
/// the ground in one step. A single one lets joints overlap by millimetres, and mending those lifts the
/// whole by up to 2 % of its fall. Four cost a fifth more time.
const ITERATIONS: usize = 4;

/// Pieces farther away than this, metres, have left the world.
const WORLD_END: f32 = 1e4;

/// A rapier world with its sets and settings.
pub(crate) struct DebrisWorld {
    pub(super) pipeline: PhysicsPipeline,
    pub(super) parameters: IntegrationParameters,
    pub(super) islands: IslandManager,
    pub(super) broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: Tracked<RigidBodySet>,
    pub(super) colliders: Tracked<ColliderSet>,
    pub(super) impulse_joints: Tracked<ImpulseJointSet>,
    pub(super) multibody_joints: MultibodyJointSet,
    pub(super) ccd: CCDSolver,
    /// Its own, because the engine's narrow phase merges contacts in the order in which the threads
    /// of the current pool find them.
    pub(super) pool: Option<ThreadPool>,
    /// One of several threads, for steps that a frame waits for.
    pub(super) crew: Option<ThreadPool>,
    /// Pieces added since the last step, which the islands do not know yet, with a point that was
    /// inside their parent.
    pub(super) fresh: Vec<(RigidBodyHandle, Vec3)>,
    pub(super) rest: SleepTuning,
    pub(super) hollows: NonSolidColliders,
    pub(super) settled: Frozen,
    pub(super) gravity: Vec3,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    /// Stand-ins for bodies of the embedding layer.
    pub(super) mirrors: BTreeMap<BodyRef, RigidBodyHandle>,
    pub(super) joints: Tracked<BTreeMap<u64, MirroredJoint>>,
    /// Where moving surroundings and proxies are to be after the next step.
    pub(super) targets: KinematicTargets,
    /// Bodies that the embedding layer's physics moves as well.
    pub(super) coupled: BTreeMap<BodyRef, ShadowBody>,
    pub(super) hooks: Hooks,
    /// Velocities before the step, contacts that it reported, and the blows of the whole frame.
    pub(super) velocities: VelocitySnapshot,
    pub(super) collector: ContactForceCollector,
    pub(super) reported: Vec<(ColliderHandle, ColliderHandle)>,
    pub(super) blows: Vec<DebrisCollision>,
    pub(super) moves: PieceMoves,
    /// What the last step took, ms; for statistics only.
    pub step_ms: f32,
    /// What a part of the last one that was not left out took, seconds.
    pub part_cost: f32,
    /// Steps that the physics engine has taken.
    pub steps: u64,
    /// Of these the last in a row in which nothing happened.
    pub(super) still_steps: u32,
    /// For tests: no step is left out.
    #[cfg(test)]
    pub restless: bool,
    /// Whether a step has panicked. Nothing moves any more then.
    pub failed: bool,
}

impl DebrisWorld {
    /// A world that steps on threads of its own.
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        let pool = |threads: usize| {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("fracture physics {index}"))
                .build()
        };
        let threads = settings.physics_threads;
        let crew = (threads > 1).then(|| pool(threads));
        Ok(Self {
            pool: Some(pool(1)?),
            crew: crew.transpose()?,
            ..Self::without_pool(settings)
        })
    }

    /// A world that steps on the thread that calls.
    pub fn without_pool(settings: &Settings) -> Self {
        let parameters = IntegrationParameters {
            normalized_max_corrective_velocity: CORRECTION,
            num_internal_pgs_iterations: ITERATIONS,
            num_internal_stabilization_iterations: ITERATIONS,
            normalized_allowed_linear_error: TOLERANCE,
            contact_softness: SpringCoefficients::new(STIFFNESS, DAMPING),
            ..IntegrationParameters::default()
        };
        Self {
            pipeline: PhysicsPipeline::new(),
            parameters,
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: Tracked::new(RigidBodySet::new()),
            colliders: Tracked::new(ColliderSet::new()),
            impulse_joints: Tracked::new(ImpulseJointSet::new()),
            multibody_joints: MultibodyJointSet::new(),
            ccd: CCDSolver::new(),
            pool: None,
            crew: None,
            fresh: Vec::new(),
            rest: SleepTuning::default(),
            hollows: NonSolidColliders::default(),
            settled: Frozen::new(settings.freeze_after),
            gravity: settings.gravity,
            friction: settings.friction,
            restitution: settings.restitution,
            mirrors: BTreeMap::new(),
            joints: Tracked::new(BTreeMap::new()),
            targets: KinematicTargets::default(),
            coupled: BTreeMap::new(),
            hooks: Hooks::default(),
            velocities: VelocitySnapshot::default(),
            collector: ContactForceCollector::default(),
            reported: Vec::new(),
            blows: Vec::new(),
            moves: PieceMoves::default(),
            step_ms: 0.0,
            part_cost: 0.0,
            steps: 0,
            still_steps: 0,
            #[cfg(test)]
            restless: false,
            failed: false,
        }
    }

    /// Where a proxy or surrounding is to be after the next step, or for one that moves freely, what
    /// the embedding layer's step has made of it.
    pub fn follow(&mut self, owner: BodyRef, motion: Motion) {
        if self.report(owner, motion) {
            return;
        }
        let Some(&handle) = self.mirrors.get(&owner) else {
            return;
        };
        let pose = motion.pose;
        let Some(body) = self.bodies.get(handle) else {
            return;
        };
        let from = *body.position();
        // Setting the pose it has already would keep its neighbours awake.
        if from == pose {
            return self.targets.forget(handle);
        }
        let left = self.bounds(handle);
        if body.is_kinematic() {
            self.targets.set(handle, [from, pose]);
        } else if let Some(body) = self.bodies.get_mut(handle) {
            body.set_position(pose, true);
        }
        let bounds = self.bounds(handle);
        self.free_around(left);
        self.free_around(bounds);
    }

    /// Changes a piece's momentum by an impulse at a point.
    pub fn hit(&mut self, handle: RigidBodyHandle, impulse: Vec3, point: Vec3) {
        self.free(self.settled.current(handle));
        let handle = self.settled.current(handle);
        if let Some(body) = self.bodies.get_mut(handle) {
            body.apply_impulse_at_point(impulse, point, true);
        }
    }

    /// Changes the acceleration of the debris, m/s^2; what rests may have to move.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
        self.free_all();
        let pieces = self.bodies.iter_mut().filter(|(_, body)| is_piece(body));
        pieces.for_each(|(_, body)| body.wake_up(true));
    }

    /// Changes how long a piece has to sleep until it is fixed, seconds; infinite fixes none.
    pub fn set_freeze_after(&mut self, seconds: f32) {
        self.settled.after = seconds;
    }

    /// Pieces that are fixed because they have come to rest for good.
    pub fn settled(&self) -> usize {
        self.settled.count
    }

    /// Pieces that have been fixed (true) or freed since the last call, in order.
    pub fn take_settled(&mut self) -> impl Iterator<Item = (BodyId, bool)> + '_ {
        self.settled.changed.drain(..)
    }

    /// Free pieces that moved in the last step, in the order of the solver.
    pub fn moved(&self) -> &[MovedPiece] {
        &self.moves.all
    }

    /// Whether a motion is that of something that left the world or stopped being a number.
    pub fn is_lost(motion: &Motion) -> bool {
        let near = motion.pose.translation.length() <= WORLD_END;
        !(near && motion.pose.is_finite() && motion.linear.is_finite())
    }
}
