//! The debris' own physics world: hulls of free pieces, mirrored surroundings, and proxies of bodies
//! that the engine moves.

use std::collections::BTreeMap;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Instant;

use glam::{DMat3, DVec3, Mat3, Vec3};
use rapier3d::dynamics::{
    CCDSolver, ImpulseJointSet, IntegrationParameters, IslandManager, MassProperties,
    MultibodyJointSet, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, SpringCoefficients,
};
use rapier3d::geometry::{
    BroadPhaseBvh, ColliderBuilder, ColliderHandle, ColliderSet, NarrowPhase, SharedShape,
};
use rapier3d::math::Pose;
use rapier3d::pipeline::PhysicsPipeline;
use rapier3d::rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::blow::{Collector, Contact, Velocities};
use super::coupled::Coupled;
use super::extent::{motion, Extent};
use super::joint::MirroredJoint;
use super::passage::Passages;
use super::rest::{Rest, FLYING};
use super::surrounding::{Mirror, Moves, Owner, Part, Surrounding};
use super::tag::{pack_piece, piece};
use crate::body::{BodyId, Motion};
use crate::settings::Settings;

/// Longest physics step, seconds; a longer frame is stepped in parts.
const LONGEST_STEP: f32 = 1.0 / 59.0;

/// Parts of a frame at most; what is left of a longer frame is dropped, so that a hitch slows the
/// debris for a moment and does not feed on itself.
const MOST_PARTS: usize = 4;

/// Overlaps are pushed apart no faster than this, m/s: pieces of a concave body start overlapping a
/// little and must not explode.
const CORRECTION: f32 = 1.0;

/// A proxy that would have to move faster than this, m/s, has been teleported.
const TELEPORT: f32 = 200.0;

/// Pieces farther away than this, metres, have left the world.
const WORLD_END: f32 = 1e4;

/// Every inertia is raised by that of a point mass this far from the axis, in parts of the piece's
/// radius: a splinter hardly resists turning about its length, and would whirl at every touch.
const THINNEST: f64 = 0.2;

/// A free piece to be added.
pub(crate) struct NewDebris<'a> {
    pub shape: &'a SharedShape,
    pub mass: &'a fracture_geometry::Mass,
    pub density: f64,
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
}

/// A rapier world with its sets and settings.
pub(crate) struct DebrisWorld {
    pub(super) pipeline: PhysicsPipeline,
    pub(super) parameters: IntegrationParameters,
    pub(super) islands: IslandManager,
    pub(super) broad_phase: BroadPhaseBvh,
    pub(super) narrow_phase: NarrowPhase,
    pub(super) bodies: RigidBodySet,
    pub(super) colliders: ColliderSet,
    pub(super) impulse_joints: ImpulseJointSet,
    pub(super) multibody_joints: MultibodyJointSet,
    pub(super) ccd: CCDSolver,
    /// Its own, because the engine's narrow phase merges contacts in the order in which the threads
    /// of the current pool find them.
    pub(super) pool: Option<ThreadPool>,
    /// Pieces added since the last step, which the islands do not know yet, with a point that was
    /// inside their parent.
    pub(super) fresh: Vec<(RigidBodyHandle, Vec3)>,
    pub(super) rest: Rest,
    pub(super) gravity: Vec3,
    pub(super) friction: f32,
    pub(super) restitution: f32,
    /// Stand-ins for bodies of the embedding layer.
    pub(super) mirrors: BTreeMap<Owner, RigidBodyHandle>,
    pub(super) joints: BTreeMap<u64, MirroredJoint>,
    /// Where moving surroundings and proxies are to be after the next step.
    pub(super) targets: BTreeMap<(u32, u32), (Pose, Pose)>,
    /// Bodies that the embedding layer's physics moves as well.
    pub(super) coupled: BTreeMap<Owner, Coupled>,
    pub(super) passages: Passages,
    /// Velocities before the step, contacts that it reported, and the blows of the whole frame.
    pub(super) velocities: Velocities,
    pub(super) collector: Collector,
    pub(super) reported: Vec<(ColliderHandle, ColliderHandle)>,
    pub(super) blows: Vec<Contact>,
    /// What the last step took, ms; for statistics only.
    pub step_ms: f32,
    /// Whether a step has panicked. Nothing moves any more then.
    pub failed: bool,
}

impl DebrisWorld {
    /// A world that steps on threads of its own.
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(settings.physics_threads)
            .thread_name(|index| format!("fracture physics {index}"))
            .build()?;
        Ok(Self {
            pool: Some(pool),
            ..Self::without_pool(settings)
        })
    }

    /// A world that steps on the thread that calls.
    pub fn without_pool(settings: &Settings) -> Self {
        let parameters = IntegrationParameters {
            normalized_max_corrective_velocity: CORRECTION,
            // Softer than the default: blocks squeezed into a hollow settle and do not rattle on.
            contact_softness: SpringCoefficients::new(30.0, 10.0),
            ..IntegrationParameters::default()
        };
        Self {
            pipeline: PhysicsPipeline::new(),
            parameters,
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            ccd: CCDSolver::new(),
            pool: None,
            fresh: Vec::new(),
            rest: Rest::default(),
            gravity: settings.gravity,
            friction: settings.friction,
            restitution: settings.restitution,
            mirrors: BTreeMap::new(),
            joints: BTreeMap::new(),
            targets: BTreeMap::new(),
            coupled: BTreeMap::new(),
            passages: Passages::default(),
            velocities: Velocities::default(),
            collector: Collector::default(),
            reported: Vec::new(),
            blows: Vec::new(),
            step_ms: 0.0,
            failed: false,
        }
    }

    /// A step that cannot take the game down: should the physics engine panic, debris stands still
    /// from then on.
    pub fn step_safely(&mut self, dt: f32) {
        let start = Instant::now();
        if !self.failed {
            let step = AssertUnwindSafe(|| self.step(dt));
            self.failed = catch_unwind(step).is_err();
        }
        self.step_ms = start.elapsed().as_secs_f32() * 1e3;
    }

    /// Moves time on, after [`DebrisWorld::engage`]; a `dt` that is not above zero does nothing.
    fn step(&mut self, dt: f32) {
        self.blows.clear();
        if !(dt.is_finite() && dt > 0.0) {
            return;
        }
        let parts = ((dt / LONGEST_STEP).ceil() as usize).clamp(1, MOST_PARTS);
        self.parameters.dt = (dt / parts as f32).min(LONGEST_STEP);
        self.lift_fresh();
        self.tie();
        self.exchange_in(dt);
        let targets = std::mem::take(&mut self.targets);
        for part in 1..=parts {
            self.aim(&targets, part as f32 / parts as f32);
            self.calm();
            self.note_velocities();
            let moving = self.moving();
            self.step_once();
            self.gather_blows();
            self.hold_back(moving);
        }
        self.exchange_out();
        self.passages.count_down();
    }

    fn calm(&mut self) {
        let (awake, dt) = (self.islands.active_bodies(), self.parameters.dt);
        self.rest.calm(awake, &mut self.bodies, &self.colliders, dt);
    }

    fn step_once(&mut self) {
        let Self {
            pipeline,
            parameters,
            islands,
            broad_phase,
            narrow_phase,
            bodies,
            colliders,
            impulse_joints,
            multibody_joints,
            ccd,
            pool,
            gravity,
            passages,
            collector,
            ..
        } = self;
        let mut step = || {
            pipeline.step(
                *gravity,
                parameters,
                islands,
                broad_phase,
                narrow_phase,
                bodies,
                colliders,
                impulse_joints,
                multibody_joints,
                ccd,
                passages,
                collector,
            );
        };
        match pool {
            Some(pool) => pool.install(step),
            None => step(),
        }
    }

    /// Sends moving proxies a part of their way.
    fn aim(&mut self, targets: &BTreeMap<(u32, u32), (Pose, Pose)>, part: f32) {
        for (&(index, generation), (from, to)) in targets {
            let handle = RigidBodyHandle::from_raw_parts(index, generation);
            let Some(body) = self.bodies.get_mut(handle) else {
                continue;
            };
            let pose = if part >= 1.0 {
                *to
            } else {
                from.lerp(to, part)
            };
            let far = (to.translation - from.translation).length();
            if far > TELEPORT * self.parameters.dt {
                body.set_position(*to, true);
            } else {
                body.set_next_kinematic_position(pose);
            }
        }
    }

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
        let handle = self.insert(body, debris.shape.clone());
        if let Some(body) = self.bodies.get_mut(handle) {
            // Else centre and mass are unknown until the next step, and a hit before it is lost.
            body.recompute_mass_properties_from_colliders(&self.colliders);
        }
        self.fresh.push((handle, debris.inside));
        handle
    }

    /// Adds an anchored piece, which stands still or follows its poses.
    pub fn add_remainder(
        &mut self,
        id: BodyId,
        shape: SharedShape,
        motion: &Motion,
    ) -> RigidBodyHandle {
        let mirror = Mirror::new(shape, Moves::Never);
        self.add_mirror(Owner::Body(id), &mirror, motion)
    }

    /// Adds a body that the embedding layer moves.
    pub fn add_mirror(
        &mut self,
        owner: Owner,
        mirror: &Mirror,
        motion: &Motion,
    ) -> RigidBodyHandle {
        let body = match &mirror.moves {
            Moves::Free(dynamics) => dynamics.builder(motion),
            Moves::Driven => RigidBodyBuilder::kinematic_position_based(),
            Moves::Never => RigidBodyBuilder::fixed(),
        };
        let body = body.pose(motion.pose).user_data(owner.pack());
        let handle = self.insert_parts(body, &mirror.parts);
        self.mirrors.insert(owner, handle);
        if let Moves::Free(dynamics) = &mirror.moves {
            self.couple(owner, handle, dynamics, motion);
        }
        handle
    }

    /// Adds or replaces a body of the embedding layer.
    pub fn set_surrounding(&mut self, key: u64, surrounding: &Surrounding) {
        self.remove_surrounding(key);
        let Surrounding { mirror, motion } = surrounding;
        self.add_mirror(Owner::Surrounding(key), mirror, motion);
    }

    /// The body of a surrounding.
    pub fn surrounding(&self, key: u64) -> Option<RigidBodyHandle> {
        self.mirrors.get(&Owner::Surrounding(key)).copied()
    }

    /// Takes a surrounding away.
    pub fn remove_surrounding(&mut self, key: u64) -> bool {
        let handle = self.surrounding(key);
        handle.is_some_and(|handle| self.remove(handle))
    }

    /// Takes all surroundings and joints away.
    pub fn remove_surroundings(&mut self) {
        let keys: Vec<Owner> = self.mirrors.keys().copied().collect();
        for owner in keys {
            if let Owner::Surrounding(key) = owner {
                self.remove_surrounding(key);
            }
        }
        self.joints.clear();
    }

    /// Takes a body with its collider away; what rests on it wakes up.
    pub fn remove(&mut self, handle: RigidBodyHandle) -> bool {
        self.targets.remove(&handle.into_raw_parts());
        self.rest.forget(handle);
        if let Some(owner) = self.bodies.get(handle).and_then(Owner::of) {
            self.coupled.remove(&owner);
            if self.mirrors.get(&owner) == Some(&handle) {
                self.mirrors.remove(&owner);
            }
        }
        let removed = self.bodies.remove(
            handle,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            true,
        );
        removed.is_some()
    }

    /// Where a proxy or surrounding is to be after the next step, or for one that moves freely, what
    /// the embedding layer's step has made of it.
    pub fn follow(&mut self, owner: Owner, motion: Motion) {
        if self.report(owner, motion) {
            return;
        }
        let Some(&handle) = self.mirrors.get(&owner) else {
            return;
        };
        let pose = motion.pose;
        let Some(body) = self.bodies.get_mut(handle) else {
            return;
        };
        let from = *body.position();
        // Setting the pose it has already would keep its neighbours awake.
        if from == pose {
            self.targets.remove(&handle.into_raw_parts());
        } else if body.is_kinematic() {
            self.targets.insert(handle.into_raw_parts(), (from, pose));
        } else {
            body.set_position(pose, true);
        }
    }

    /// Changes a piece's momentum by an impulse at a point.
    pub fn hit(&mut self, handle: RigidBodyHandle, impulse: Vec3, point: Vec3) {
        if let Some(body) = self.bodies.get_mut(handle) {
            body.apply_impulse_at_point(impulse, point, true);
        }
    }

    /// Free pieces that moved in the last step, with their motion, in the order of the solver.
    pub fn awake(&self) -> impl Iterator<Item = (BodyId, Motion)> + '_ {
        self.islands.active_bodies().filter_map(|handle| {
            let body = self.bodies.get(handle)?;
            Some((piece(body)?, motion(body)))
        })
    }

    /// Whether a motion is that of something that left the world or stopped being a number.
    pub fn is_lost(motion: &Motion) -> bool {
        let near = motion.pose.translation.length() <= WORLD_END;
        !(near && motion.pose.is_finite() && motion.linear.is_finite())
    }

    fn insert(&mut self, body: RigidBodyBuilder, shape: SharedShape) -> RigidBodyHandle {
        self.insert_parts(body, &[Part::new(shape)])
    }

    pub(super) fn insert_parts(
        &mut self,
        body: RigidBodyBuilder,
        parts: &[Part],
    ) -> RigidBodyHandle {
        let handle = self.bodies.insert(body);
        for part in parts {
            let extent = Extent::of_shape(&part.shape);
            let collider = ColliderBuilder::new(part.shape.clone())
                .position(part.pose)
                .density(part.density)
                .user_data(extent.pack())
                .friction(part.friction.unwrap_or(self.friction))
                .restitution(self.restitution);
            let (bodies, colliders) = (&mut self.bodies, &mut self.colliders);
            colliders.insert_with_parent(collider, handle, bodies);
        }
        handle
    }
}

/// Mass, centre and inertia in body space.
fn mass_properties(debris: &NewDebris) -> MassProperties {
    let mass = debris.mass.volume * debris.density;
    let radius = f64::from(Extent::of_shape(debris.shape).radius);
    let arm = THINNEST * radius.max(1e-3);
    let floor = DMat3::from_diagonal(DVec3::splat(mass * arm * arm));
    let inertia = debris.mass.inertia(debris.density) + floor;
    let inertia = Mat3::from_cols(
        inertia.x_axis.as_vec3(),
        inertia.y_axis.as_vec3(),
        inertia.z_axis.as_vec3(),
    );
    MassProperties::with_inertia_matrix(debris.mass.center.as_vec3(), mass as f32, inertia)
}
