//! The debris' own physics world: hulls of free pieces, proxies of breakable bodies that the engine
//! moves, and copies of external bodies.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};
use rapier3d::geometry::{Aabb, SharedShape};
use rapier3d::math::Pose;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::pipeline::ActiveHooks;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::bodies::PieceDesc;
use super::contact_forces::{ContactForce, Pressing};
use super::contacts::{set_contact_event_threshold, CollisionDetector, DebrisCollision};
use super::energy_bound::EnergyBound;
use super::external::{
    BodyDesc, BodyRef, BodyType, ColliderDesc, CollisionGroups, ContactProperties, ExternalBody,
    RayHit,
};
use super::freeze::{is_frozen, Frozen};
use super::hooks::Hooks;
use super::idle::IdleSteps;
use super::joints::{JointDesc, Joints};
use super::landings::{Landing, Landings};
use super::moves::{MoveRecord, MovedPiece};
use super::passages::BrokenWay;
use super::physics::{Physics, UnsteppedPiece};
use super::physics_queries::inverse_mass_at;
use super::shadow::ShadowBodies;
use super::sleep::SleepTuning;
use super::targets::{KinematicTargets, Path};
use super::tunnelling::Tunnelling;
use super::user_data::is_piece;
use super::welds::WeldEnd;
use crate::pieces::{Colliders, LooseCrack, Push};
use crate::platform::lower_priority;
use crate::settings::Settings;
use crate::types::{BodyId, Motion};

/// Distance from the origin at which a piece has left the world, metres.
const WORLD_RADIUS: f32 = 1e4;

/// The physics of the debris, with all that surrounds rapier's own step.
pub(crate) struct DebrisWorld {
    pub(super) physics: Physics,
    /// A pool of one thread of its own. Rapier merges contacts in the order in which the threads of the
    /// current pool find them, so that only one thread is exactly repeatable. `None` where the calling thread steps.
    pub(super) single_thread: Option<ThreadPool>,
    /// Where the calling thread steps and is one of several of a pool: takes its place.
    pub(super) spare_pool: Option<ThreadPool>,
    /// A pool of several threads, for steps that a frame waits for.
    pub(super) thread_pool: Option<ThreadPool>,
    pub(super) sleep: SleepTuning,
    pub(super) tunnelling: Tunnelling,
    pub(super) frozen: Frozen,
    pub(super) joints: Joints,
    pub(super) targets: KinematicTargets,
    pub(super) shadows: ShadowBodies,
    pub(super) hooks: Hooks,
    pub(super) contacts: CollisionDetector,
    pub(super) energy_bound: EnergyBound,
    pub(super) landings: Landings,
    pub(super) moves: MoveRecord,
    pub(super) idle_steps: IdleSteps,
    /// Whether the forces on held bodies are collected.
    pub collects_forces: bool,
    /// Forces on held bodies in the last step; none where it was skipped.
    pub contact_forces: Vec<ContactForce>,
    /// Time for which they acted, seconds; 0 where the step was skipped.
    pub contact_time: f32,
    /// Time of the last step, ms; for statistics only.
    pub step_ms: f32,
    /// Time of a substep in the last step that was not skipped, seconds.
    pub substep_cost: f32,
    /// Number of steps that rapier has taken.
    pub steps: u64,
    /// No step is skipped; for tests.
    #[cfg(test)]
    pub never_idle: bool,
    /// Whether a step has panicked; nothing moves any more then.
    pub failed: bool,
}

/// Mass of a body that the engine's physics moves.
pub(crate) struct Weighed {
    /// kg
    pub mass: f32,
    /// Of mass, body space, metres.
    pub center: Vec3,
    /// Factor of gravity.
    pub gravity_scale: f32,
}

impl DebrisWorld {
    /// A world that steps on threads of its own, if there shall be any.
    pub fn new(settings: &Settings) -> Result<Self, ThreadPoolBuildError> {
        let may_be_late = settings.overlaps_frames();
        let pool = |threads: usize| {
            ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|index| format!("fracture physics {index}"))
                .start_handler(move |_| {
                    if may_be_late {
                        lower_priority();
                    }
                })
                .build()
        };
        if settings.threads == 0 {
            return Ok(Self::without_threads(settings));
        }
        let threads = settings.physics_threads;
        let thread_pool = (threads > 1).then(|| pool(threads));
        Ok(Self {
            single_thread: Some(pool(1)?),
            thread_pool: thread_pool.transpose()?,
            ..Self::without_threads(settings)
        })
    }

    /// A world that steps on the calling thread.
    pub fn without_threads(settings: &Settings) -> Self {
        Self {
            physics: Physics::new(settings),
            single_thread: None,
            spare_pool: None,
            thread_pool: None,
            sleep: SleepTuning::default(),
            tunnelling: Tunnelling::default(),
            frozen: Frozen::new(settings.freeze_after),
            joints: Joints::default(),
            targets: KinematicTargets::default(),
            shadows: ShadowBodies::default(),
            hooks: Hooks::default(),
            contacts: CollisionDetector::default(),
            energy_bound: EnergyBound::default(),
            landings: Landings::default(),
            moves: MoveRecord::default(),
            idle_steps: IdleSteps::default(),
            collects_forces: false,
            contact_forces: Vec::new(),
            contact_time: 0.0,
            step_ms: 0.0,
            substep_cost: 0.0,
            steps: 0,
            #[cfg(test)]
            never_idle: false,
            failed: false,
        }
    }

    /// Whether a large piece has landed.
    pub fn has_landings(&self) -> bool {
        !self.landings.done.is_empty()
    }

    /// Takes the landings of large pieces that have come to an end.
    pub fn take_landings(&mut self) -> Vec<Landing> {
        std::mem::take(&mut self.landings.done)
    }

    /// Adds a free piece.
    pub fn add_piece(&mut self, id: BodyId, piece: &PieceDesc) {
        let handle = self.physics.insert_piece(id, piece);
        if piece.asleep {
            if let Some(body) = self.physics.bodies.get_mut(handle) {
                body.sleep();
            }
        }
        self.physics.new_pieces.push(UnsteppedPiece {
            handle,
            inside: piece.inside,
        });
        if piece.provisional {
            self.hooks.exchanges.expect(id, self.steps);
        }
    }

    /// Whether a piece has its provisional collider.
    #[cfg(test)]
    pub fn has_provisional_collider(&self, id: BodyId) -> bool {
        let exchanges = &self.hooks.exchanges;
        exchanges.is_provisional(BodyRef::Breakable(id))
    }

    /// Gives a piece that has entered with a provisional collider its lasting one, as soon as it is awake.
    pub fn exchange_collider(&mut self, id: BodyId, shape: SharedShape) {
        self.hooks.exchanges.set(id, shape);
    }

    /// Gives a held piece other colliders, in the order of those that it has. What lies on them keeps its distance.
    pub fn exchange_held_colliders(&mut self, id: BodyId, old: &Colliders, new: &Colliders) {
        let Some(handle) = self.physics.engine_body(BodyRef::Breakable(id)) else {
            return;
        };
        for (old, new) in old.shapes().zip(new.shapes()) {
            if !Arc::ptr_eq(&old.0, &new.0) {
                self.physics.exchange_fixed_shape(handle, old, new.clone());
            }
        }
        self.hooks.exchanges.exchanged.push(handle);
        self.hooks.exchanges.settled.push(handle);
    }

    /// Adds the proxy of an anchored remainder, which stands still or follows the engine.
    pub fn add_remainder(
        &mut self,
        id: BodyId,
        colliders: &Colliders,
        motion: &Motion,
        groups: CollisionGroups,
        contact: ContactProperties,
    ) {
        let collider = |shape: &SharedShape| ColliderDesc {
            groups,
            contact,
            ..ColliderDesc::new(shape.clone())
        };
        let desc = BodyDesc {
            colliders: colliders.shapes().map(collider).collect(),
            body_type: BodyType::Fixed,
        };
        self.add_engine_body(BodyRef::Breakable(id), &desc, motion);
    }

    /// Adds a body that the engine moves.
    pub fn add_engine_body(&mut self, owner: BodyRef, desc: &BodyDesc, motion: &Motion) {
        let body = desc.rigid_body(owner, motion);
        let handle = self.physics.insert(body, &desc.colliders);
        if let BodyType::Dynamic(mass) = &desc.body_type {
            self.physics.update_mass(handle);
            self.physics.for_each_collider(handle, |collider| {
                collider.set_active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS);
            });
            self.shadows.insert(owner, handle, mass, *motion);
        }
    }

    /// Adds or replaces an external body.
    pub fn set_external_body(&mut self, key: u64, body: &ExternalBody) {
        self.remove(BodyRef::External(key));
        self.add_engine_body(BodyRef::External(key), &body.desc, &body.motion);
    }

    /// Removes a body; pieces that rest on it wake up. `false` if it is not in the debris world.
    pub fn remove(&mut self, body: BodyRef) -> bool {
        let Some(handle) = self.physics.handle(body) else {
            return false;
        };
        self.targets.remove(handle);
        self.shadows.remove(body);
        let mut hung = Vec::new();
        if let Some(piece) = body.breakable() {
            self.hooks.exchanges.forget(piece);
            let pairs = self.physics.welds.pairs_of(piece);
            let others = pairs
                .flat_map(|pair| pair.bodies)
                .filter(|other| *other != piece);
            hung.extend(others.filter_map(|other| self.physics.handle(BodyRef::Breakable(other))));
            self.physics.welds.forget(piece);
        }
        let bounds = self.physics.bounds(handle);
        let touching = self.physics.contacts(handle).map(|(other, _)| other);
        self.hooks.unbalanced.add(touching);
        if let Some(body) = self.physics.remove(handle) {
            self.frozen.note_removed(&body);
        }
        self.frozen.thaw_around(&mut self.physics, bounds);
        for other in hung {
            self.frozen.thaw(&mut self.physics, other);
        }
        true
    }

    /// Takes the motion that the engine gave a body that it moves: a shadow body takes it over in the
    /// next step, a kinematic one is there after the next step, a fixed one at once.
    pub fn set_motion(&mut self, owner: BodyRef, motion: Motion) {
        if self.shadows.set_motion(owner, motion) {
            return;
        }
        let Some(handle) = self.physics.engine_body(owner) else {
            return;
        };
        let Some(body) = self.physics.bodies.get(handle) else {
            return;
        };
        let path = Path {
            from: *body.position(),
            to: motion.pose,
        };
        // Setting the pose that it has already would keep its neighbours awake.
        if path.from == path.to {
            return self.targets.remove(handle);
        }
        let is_kinematic = body.is_kinematic();
        let left = self.physics.bounds(handle);
        if is_kinematic {
            self.targets.set(handle, path);
        } else if let Some(body) = self.physics.bodies.get_mut(handle) {
            body.set_position(path.to, true);
        }
        let bounds = self.physics.bounds(handle);
        self.frozen.thaw_around(&mut self.physics, left);
        self.frozen.thaw_around(&mut self.physics, bounds);
    }

    /// Gives a piece another pose and velocity, asleep or not.
    pub fn set_piece_motion(&mut self, id: BodyId, motion: &Motion, asleep: bool) {
        let Some(handle) = self.thawed(id) else {
            return;
        };
        let Some(body) = self.physics.bodies.get_mut(handle) else {
            return;
        };
        self.tunnelling.forget(handle);
        body.set_position(motion.pose, !asleep);
        body.set_linvel(motion.linear, !asleep);
        body.set_angvel(motion.angular, !asleep);
        if asleep {
            body.sleep();
        }
        // The piece is no neighbour any more of the body off which it broke.
        let inside = body.center_of_mass();
        let new_pieces = self.physics.new_pieces.iter_mut();
        for piece in new_pieces.filter(|piece| piece.handle == handle) {
            piece.inside = inside;
        }
    }

    /// Pushes a piece at a point; `false` if it is none, or if nothing can move it.
    pub fn push(&mut self, id: BodyId, point: Vec3, push: &Push) -> bool {
        let Some(body) = self.piece_mut(id) else {
            return false;
        };
        let inverse_mass = inverse_mass_at(body, point, push.direction());
        let is_movable = inverse_mass > 0.0;
        if is_movable {
            let impulse = push.absorbed_by(inverse_mass.recip());
            body.apply_impulse_at_point(impulse, point, true);
        }
        is_movable
    }

    /// The rigid body of a piece, thawed if it is frozen.
    fn piece_mut(&mut self, id: BodyId) -> Option<&mut RigidBody> {
        let handle = self.thawed(id)?;
        self.physics.pushed.push(handle);
        self.physics.bodies.get_mut(handle)
    }

    /// The handle of a piece's rigid body, which is thawed if it is frozen.
    fn thawed(&mut self, id: BodyId) -> Option<RigidBodyHandle> {
        let handle = self.physics.handle(BodyRef::Breakable(id))?;
        self.frozen.thaw(&mut self.physics, handle);
        self.physics.handle(BodyRef::Breakable(id))
    }

    /// Whether a piece sleeps or is frozen.
    pub fn is_asleep(&self, id: BodyId) -> bool {
        let handle = self.physics.handle(BodyRef::Breakable(id));
        let body = handle.and_then(|handle| self.physics.bodies.get(handle));
        body.is_some_and(|body| body.is_sleeping() || is_frozen(body))
    }

    /// Reports collisions of a breakable body from an impulse on, N s; infinite for none.
    pub fn set_contact_event_threshold(&mut self, id: BodyId, impulse: f32) {
        if let Some(handle) = self.physics.handle(BodyRef::Breakable(id)) {
            set_contact_event_threshold(&mut self.physics, handle, impulse);
        }
    }

    /// Lets a striker pass through fragments that lie in its way, as long as they overlap.
    pub fn let_through(&mut self, striker: BodyRef, fragments: &[BodyId], way: BrokenWay) {
        self.hooks.passages.add(striker, fragments, way);
    }

    /// Lets the fragments within a radius (m) of a striker's way pass through those beside them, and off what is held.
    pub fn drive_out(
        &mut self,
        fragments: &[BodyId],
        held: &[BodyId],
        way: BrokenWay,
        radius: f32,
    ) {
        let Hooks {
            passages, released, ..
        } = &mut self.hooks;
        let driven_out = passages.add_driven_out(&self.physics, fragments, way, radius);
        for fragment in driven_out {
            for held in held {
                let held = BodyRef::Breakable(*held);
                released.add(&self.physics, fragment, held, None);
            }
        }
    }

    /// Lets a piece fall off held bodies from which a crack has parted it.
    pub fn release(&mut self, piece: BodyId, held: &[BodyId], crack: &LooseCrack) {
        let released = &mut self.hooks.released;
        for held in held {
            let held = BodyRef::Breakable(*held);
            released.add(&self.physics, piece, held, Some(crack.clone()));
        }
    }

    /// Adds an end of a weld to a piece, which is joined to the piece that has the other end.
    pub fn add_weld_end(&mut self, piece: BodyId, end: WeldEnd) {
        self.physics.welds.add(piece, end);
    }

    /// Gives a piece the ends of a save in place of those that it has.
    pub fn set_weld_ends(&mut self, piece: BodyId, ends: &[WeldEnd]) {
        let old: Vec<u64> = self.weld_ends(piece).iter().map(|end| end.id).collect();
        self.physics.remove_welds(&old);
        for end in ends {
            self.add_weld_end(piece, *end);
        }
    }

    /// The ends of welds that a piece has.
    pub fn weld_ends(&self, piece: BodyId) -> Vec<WeldEnd> {
        self.physics.welds.ends_of(piece)
    }

    /// All pieces that a piece is joined to, directly or by others, itself included.
    pub fn joined(&self, piece: BodyId) -> BTreeSet<BodyId> {
        self.physics.welds.joined(piece)
    }

    /// Adds or replaces a joint.
    pub fn set_joint(&mut self, key: u64, joint: JointDesc) {
        self.joints.set(&mut self.physics, key, joint);
    }

    /// Removes a joint; `false` if there is none.
    pub fn remove_joint(&mut self, key: u64) -> bool {
        self.joints.remove(&mut self.physics, key)
    }

    /// Changes the acceleration of the debris, m/s^2; all pieces wake up.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        self.physics.gravity = gravity;
        self.frozen.thaw_all(&mut self.physics);
        let bodies = self.physics.bodies.iter_mut();
        for (_, piece) in bodies.filter(|(_, body)| is_piece(body)) {
            piece.wake_up(true);
        }
    }

    /// Changes the time that a piece sleeps before it is frozen, seconds; infinite freezes none.
    pub fn set_freeze_after(&mut self, seconds: f32) {
        self.frozen.freeze_after = seconds;
    }

    /// Activates the shadow bodies near debris for the next step of `dt` seconds. Returns whether any is
    /// active.
    pub fn activate_shadow_bodies(&mut self, dt: f32) -> bool {
        self.shadows.activate_near_pieces(&mut self.physics, dt)
    }

    /// The bodies whose shadows take part in the next step, by body.
    pub fn active_shadow_owners(&self) -> impl Iterator<Item = BodyRef> + '_ {
        self.shadows.active_owners()
    }

    /// Has the engine's last step stand for its bodies, in a frame in which no step is taken here.
    pub fn accept_engine_step(&mut self) {
        self.shadows.accept_engine_step();
    }

    /// Whether a body has a shadow body: the engine's physics moves it.
    pub fn has_shadow(&self, owner: BodyRef) -> bool {
        self.shadows.contains(owner)
    }

    /// Bodies of the engine that debris has touched in the last step, with their motions after it.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        self.shadows.corrected_motions()
    }

    /// All joints, by their keys.
    pub fn joints(&self) -> impl Iterator<Item = &JointDesc> {
        self.joints.descs()
    }

    /// Numbers of times that joints, and bodies that the engine's physics moves, have come or gone.
    pub fn joint_changes(&self) -> [u64; 2] {
        [self.joints.changes(), self.shadows.changes()]
    }

    /// Mass and centre of a body that the engine's physics moves.
    pub fn weighed(&self, owner: BodyRef) -> Option<Weighed> {
        let (handle, gravity_scale) = self.shadows.weighed(owner)?;
        let body = self.physics.bodies.get(handle)?;
        Some(Weighed {
            mass: body.mass(),
            center: body.local_center_of_mass(),
            gravity_scale,
        })
    }

    /// Whether it is known here what a body presses.
    pub fn pressing(&self, body: BodyRef) -> Pressing {
        let handle = self.physics.handle(body);
        let body = handle.and_then(|handle| self.physics.bodies.get(handle));
        body.map_or(Pressing::Unknown, Pressing::of)
    }

    /// Number of frozen pieces.
    pub fn frozen(&self) -> usize {
        self.frozen.count
    }

    /// Pieces that have been frozen (true) or thawed since the last call, in order.
    pub fn take_freeze_changes(&mut self) -> impl Iterator<Item = (BodyId, bool)> + '_ {
        self.frozen.changes.drain(..)
    }

    /// Free pieces that moved in the last step, in the order of the solver.
    pub fn moved(&self) -> &[MovedPiece] {
        &self.moves.pieces
    }

    /// Collisions of the last step.
    pub fn collisions(&self) -> &[DebrisCollision] {
        &self.contacts.collisions
    }

    /// Whether a motion is that of a piece that has left the world, or is not finite.
    pub fn is_lost(motion: &Motion) -> bool {
        let is_near = motion.pose.translation.length() <= WORLD_RADIUS;
        !(is_near && motion.pose.is_finite() && motion.linear.is_finite())
    }

    /// Distance from a point to a breakable body's surface, 0 inside a convex one.
    pub fn distance(&self, id: BodyId, point: Vec3) -> Option<f32> {
        self.physics.distance(BodyRef::Breakable(id), point)
    }

    /// The mass of a body, kg.
    pub fn mass(&self, body: BodyRef) -> Option<f32> {
        self.physics.mass(body)
    }

    /// The volume of the colliders of a body that others push, m^3.
    pub fn pushed_volume(&self, body: BodyRef) -> Option<f32> {
        self.physics.pushed_volume(body)
    }

    /// The point of a breakable body's surface nearest to a point, and the outward unit vector there.
    pub fn nearest_surface(&self, id: BodyId, point: Vec3) -> Option<[Vec3; 2]> {
        self.physics.nearest_surface(BodyRef::Breakable(id), point)
    }

    /// The first body on a ray of unit direction.
    pub fn cast_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        max_distance: f32,
        except: &[BodyRef],
    ) -> Option<RayHit> {
        self.physics
            .cast_ray(origin, direction, max_distance, except)
    }

    /// A box around the colliders of a body, world space.
    pub fn bounds(&self, body: BodyRef) -> Option<Aabb> {
        self.physics.bounds(self.physics.handle(body)?)
    }

    /// The first body that a shape meets while it moves in a unit direction.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: &Pose,
        direction: Vec3,
        options: ShapeCastOptions,
    ) -> Option<RayHit> {
        self.physics.cast_shape(shape, pose, direction, options)
    }

    /// All bodies that a shape overlaps, in order.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: Pose) -> BTreeSet<BodyRef> {
        self.physics.overlap_shape(shape, pose)
    }
}
