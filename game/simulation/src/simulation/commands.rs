//! Commands: what the host tells the simulation.

use std::future::Future;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::geometry::Aabb;

use super::Simulation;
use crate::budget::Viewer;
use crate::debris::{
    BodyDesc, BodyRef, BrokenWay, CollisionGroups, ContactForce, ContactProperties, JointDesc,
    LandingContacts, LandingStep,
};
use crate::environment::CellOccupancy;
use crate::error::{BodyError, ImpactError, SimulationError};
use crate::event::Event;
use crate::history::{restore, ArchiveError, BreakLog, ReplayError};
use crate::impacts::Impact;
use crate::jobs::drawing_requests::search_cracks;
use crate::jobs::{TaskId, TaskOutput};
use crate::network::{self, Message, MessageError, Role};
use crate::pieces::components::{BreakSeed, Breakable, BreakableAsset, Debris, Generation, Intact};
use crate::pieces::{Anchors, Body, CrackSet, Damage, DamagedSpot, DebrisLifetime, Material, Push};
use crate::schedule;
use crate::seeds::mix;
use crate::structure::BodyBonds;
use crate::types::{is_in_range, BodyId, BodyKind, Motion};

impl Simulation {
    /// Moves time on by one frame of `dt` seconds: applies finished breaks, takes hits, moves the debris.
    /// Unless `dt` is above zero the debris stands still, and the rest happens all the same.
    ///
    /// If a debris step beside the frames or ahead of this one is not done yet, the frame is skipped: no hit is
    /// taken, no result is applied, and pieces are drawn flying on, or where they were with bodies of the engine
    /// among them ([`Simulation::waiting_bodies`]). A loop that takes frames faster than they pass waits for the step
    /// once it is a tenth of a second ahead.
    pub fn step(&mut self, dt: f32) {
        schedule::step(self, dt);
    }

    /// Begins the debris step of the next frame, of `dt` seconds, on a thread of its own, so that
    /// [`Simulation::step`] need not take it: it runs during the rest of the frame, such as drawing. Call
    /// it when the engine's physics is done with the frame, after reporting what has moved. The next
    /// frame applies the results; while the step is not finished, frames go on without it.
    ///
    /// Returns whether a step was begun: only if bodies of the engine were among the debris in the last
    /// step, and still are. Otherwise nothing is to be gained, because steps are taken beside the frames.
    /// Never without [`Settings::overlap`](crate::Settings::overlap), or with
    /// [`Settings::wait_for_results`](crate::Settings::wait_for_results).
    pub fn begin_next_step(&mut self, dt: f32) -> bool {
        schedule::begin_next_step(self, dt)
    }

    /// Adds an intact body and prepares its shape on the worker when there is time.
    pub fn add(&mut self, body: Body) -> Result<BodyId, BodyError> {
        body.check()?;
        let seed = BreakSeed {
            seed: mix(self.settings.seed, body.seed),
            impacts: 0,
        };
        let generation = Generation::INTACT;
        let asset = BreakableAsset {
            pattern: body.pattern,
            fit: body.fit,
            material: body.material,
            lifetime: body.lifetime,
            groups: body.groups,
            contact: body.contact,
            interior_faces: body.interior_faces,
            hooks: body.hooks,
            weakness: body.weakness,
            lattice: body.shape.lattice().clone(),
        };
        let breakable = Breakable {
            asset: Arc::new(asset),
            shape: body.shape,
            broken_bonds: Arc::default(),
        };
        let anchors = body.anchors;
        // Until the colliders are built, the body occupies its origin.
        let mut occupancy = CellOccupancy::new(Aabb::new(Vec3::ZERO, Vec3::ZERO));
        occupancy.update(&mut self.environment.occupancy, &body.motion, false);
        let motion = body.motion;
        let components = (
            Intact,
            breakable,
            Damage::default(),
            anchors,
            seed,
            generation,
            motion,
            occupancy,
        );
        let id = BodyId(self.world.spawn(components));
        self.join_structure(id);
        if let Some(proxy) = body.proxy {
            self.set_proxy(id, &proxy)?;
        }
        self.jobs.to_prepare.push_back(id);
        Ok(id)
    }

    /// Removes a body, or all living pieces of one that was broken, and cancels their jobs. Returns the
    /// number of bodies removed. There are no events for them.
    pub fn remove(&mut self, body: BodyId) -> usize {
        self.history.forget(body);
        self.network.forget(body);
        let mut family = self.history.pieces.descendants(body);
        family.push(body);
        let removed = family.into_iter().filter(|&id| self.despawn(id));
        removed.count()
    }

    /// Resets the simulation, keeping its settings: cancels all jobs and removes all bodies, external
    /// bodies, impacts, events and counters. Ids of bodies start again too.
    ///
    /// # Errors
    ///
    /// [`SimulationError`] when the threads cannot be started; then nothing has changed.
    pub fn clear(&mut self) -> Result<(), SimulationError> {
        *self = Self::new(self.settings.clone())?;
        Ok(())
    }

    /// Reports the motion of a body that the host moves.
    pub fn set_motion(&mut self, body: BodyId, motion: Motion) -> Result<(), BodyError> {
        motion.check()?;
        if self.kind(body) == Some(BodyKind::Debris) {
            return Err(BodyError::Debris);
        }
        let has_moved = self.motion(body).is_some_and(|old| old.pose != motion.pose);
        self.place(body, motion, false)?;
        self.debris.set_motion(BodyRef::Breakable(body), motion);
        if has_moved && self.world.satisfies::<&BodyBonds>(body.0) {
            self.structure.set_moved(body, self.statistics.frame);
        }
        Ok(())
    }

    /// Sets the material of a body. A break under way keeps the old one.
    pub fn set_material(&mut self, body: BodyId, material: Material) -> Result<(), BodyError> {
        material.check()?;
        let query = self.world.query_one_mut::<&mut Breakable>(body.0);
        let breakable = query.map_err(|_| BodyError::Unknown)?;
        Arc::make_mut(&mut breakable.asset).material = material;
        self.update_contact_threshold(body);
        self.collect_forces_on(body);
        Ok(())
    }

    /// Sets the lifetime of a body's future pieces. A break under way keeps the old one.
    pub fn set_lifetime(
        &mut self,
        body: BodyId,
        lifetime: DebrisLifetime,
    ) -> Result<(), BodyError> {
        lifetime.check()?;
        let query = self.world.query_one_mut::<&mut Breakable>(body.0);
        let breakable = query.map_err(|_| BodyError::Unknown)?;
        Arc::make_mut(&mut breakable.asset).lifetime = lifetime;
        Ok(())
    }

    /// Sets the collision groups, the friction and the bounce of a body's future pieces. A break under way keeps the old
    /// ones.
    pub fn set_contact(
        &mut self,
        body: BodyId,
        groups: CollisionGroups,
        contact: ContactProperties,
    ) -> Result<(), BodyError> {
        contact.check()?;
        let query = self.world.query_one_mut::<&mut Breakable>(body.0);
        let asset = &mut query.map_err(|_| BodyError::Unknown)?.asset;
        if (asset.groups, asset.contact) != (groups, contact) {
            let asset = Arc::make_mut(asset);
            (asset.groups, asset.contact) = (groups, contact);
        }
        Ok(())
    }

    /// Sets the anchors of a body. A break under way keeps the old ones.
    pub fn set_anchors(&mut self, body: BodyId, anchors: Anchors) -> Result<(), BodyError> {
        anchors.check()?;
        let query = self.world.query_one_mut::<&mut Anchors>(body.0);
        *query.map_err(|_| BodyError::Unknown)? = anchors;
        self.join_structure(body);
        Ok(())
    }

    /// Drops the impacts on a body that are queued for the next step. Those that wait for a break under way are
    /// dropped when the body is removed.
    pub fn forget_impacts(&mut self, body: BodyId) {
        self.impacts.retain(|impact| impact.body != body);
    }

    /// Pushes a free piece without breaking it. `false` if the body is no free piece, or if a figure is no number.
    pub fn push(&mut self, body: BodyId, point: Vec3, push: &Push) -> bool {
        let is_free = self.world.satisfies::<&Debris>(body.0);
        let is_valid = is_free && is_in_range(point) && push.is_valid();
        is_valid && self.debris.wait_mut().push(body, point, push)
    }

    /// Lets a striker that has broken a body, and has energy left, pass through some of its fragments: the
    /// break has taken its share already, and the fragments are not to take it again. Each is let through if it
    /// lies in the striker's way, and for as long as the two overlap. What is not a free piece stops the
    /// striker as ever, and so does a piece that was not cut in the way: one that reaches past the striker on
    /// two opposite sides, and out of the break's radius. Waits for a running debris step.
    pub fn let_through(&mut self, striker: BodyRef, fragments: &[BodyId], way: BrokenWay) {
        let is_free = |body: &&BodyId| self.world.satisfies::<&Debris>(body.0);
        let free: Vec<BodyId> = fragments.iter().filter(is_free).copied().collect();
        self.debris.wait_mut().let_through(striker, &free, way);
    }

    /// Solves the stress in an anchored body under its own weight, as happens by itself after each break.
    /// If the body does not hold, it collapses in one of the next steps. Free bodies, and bodies without
    /// a [`Material::tensile_strength`], are left out.
    pub fn solve_stress(&mut self, body: BodyId) -> Result<(), BodyError> {
        let Ok(entity) = self.world.entity(body.0) else {
            return Err(BodyError::Unknown);
        };
        let is_touching = entity
            .get::<&Anchors>()
            .is_some_and(|own| own.is_touching());
        let bonds = entity.get::<&mut BodyBonds>().filter(|_| is_touching);
        match bonds.filter(|bonds| !bonds.has_supports()) {
            Some(mut unknown) => unknown.is_to_be_solved = true,
            None => self.jobs.to_solve.push(body),
        }
        Ok(())
    }

    /// Adds or replaces an external body whose colliders take long to build, such as a level's triangle
    /// mesh: `build` is called on the worker, and an older body of the key stays until it is done. `None`
    /// leaves that as it is.
    pub fn build_external_body(
        &mut self,
        key: u64,
        motion: Motion,
        build: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        motion.check()?;
        let builds = &mut self.environment.collider_builds;
        builds.request(BodyRef::External(key), motion, Box::new(build), None);
        Ok(())
    }

    /// Reports the motion of an external body; `false` if there is none, or if the motion is not finite.
    pub fn set_external_motion(&mut self, key: u64, motion: Motion) -> bool {
        let owner = BodyRef::External(key);
        if motion.check().is_err() {
            return false;
        }
        self.environment.collider_builds.set_motion(owner, motion);
        let streaming = &mut self.environment.streaming;
        self.structure.set_changed(streaming.fixed_bounds(key));
        let is_active = streaming.set_motion(key, motion);
        self.structure.set_changed(streaming.fixed_bounds(key));
        if is_active == Some(true) {
            self.debris.set_motion(owner, motion);
        }
        is_active.is_some()
    }

    /// Removes an external body; `false` if there is none.
    pub fn remove_external_body(&mut self, key: u64) -> bool {
        let owner = BodyRef::External(key);
        self.forget_pending(owner);
        let environment = &mut self.environment;
        self.structure
            .set_changed(environment.streaming.fixed_bounds(key));
        environment
            .streaming
            .remove(key, &mut environment.occupancy)
    }

    /// Builds the colliders of an intact body on the worker, in place of
    /// [`Body::proxy`](crate::Body::proxy). Where the build `needs_solid`, the body's solid is prepared before, which can be
    /// left for more urgent work.
    pub fn build_proxy(
        &mut self,
        body: BodyId,
        needs_solid: bool,
        build: impl FnOnce() -> Option<BodyDesc> + Send + 'static,
    ) -> Result<(), BodyError> {
        let motion = self.motion(body).ok_or(BodyError::Unknown)?;
        let needed = self.shape(body).filter(|_| needs_solid);
        let builds = &mut self.environment.collider_builds;
        builds.request(BodyRef::Breakable(body), motion, Box::new(build), needed);
        Ok(())
    }

    /// Adds or replaces a joint between two bodies that the engine moves. It holds as soon as both are in
    /// the debris world. Waits for a running debris step.
    pub fn set_joint(&mut self, key: u64, joint: JointDesc) {
        self.loads.hanging.has_joints = true;
        self.environment.streaming.set_joint(key, joint.bodies);
        self.debris.wait_mut().set_joint(key, joint);
    }

    /// Tells a force with which a body that the host moves has pressed a held one in the host's last step, where
    /// [`Simulation::feels_loads`] says that it matters. One that lasts for a tenth of a second is a load: the stress in
    /// the body is solved with it. Forces of debris, and of bodies among debris, are known without.
    pub fn add_contact_force(&mut self, force: ContactForce) -> Result<(), BodyError> {
        force.check()?;
        self.loads.told.push(force);
        Ok(())
    }

    /// Tells how a free intact body that the host moves has moved in the host's last step, where
    /// [`Simulation::feels_landings`] says that it matters, in each step. Where it is stopped, and where it lies still and
    /// the forces on it have changed, the stress in it is solved under those of its contacts, which are only asked for then,
    /// and it tears where these bend it. Those of pieces are known without.
    pub fn add_landing_step(
        &mut self,
        step: LandingStep,
        contacts: impl FnOnce() -> LandingContacts,
    ) -> Result<(), BodyError> {
        step.check()?;
        let contacts = || contacts().checked();
        self.loads.landings.add(&step, contacts);
        Ok(())
    }

    /// Removes a joint; `false` if there is none. Waits for a running debris step.
    pub fn remove_joint(&mut self, key: u64) -> bool {
        self.environment.streaming.remove_joint(key);
        self.debris.wait_mut().remove_joint(key)
    }

    /// Sets whether the contacts of an external body break nothing. It may be added later.
    pub fn set_harmless(&mut self, key: u64, harmless: bool) {
        self.harmless.set_key(key, harmless);
    }

    /// Sets the collision groups whose members break nothing, as bits: a body is harmless when all of its
    /// colliders belong to these groups only.
    pub fn set_harmless_groups(&mut self, groups: u32) {
        self.harmless.set_groups(groups);
    }

    /// Sets [`Settings::report_contacts`](crate::Settings::report_contacts), N s. NaN is ignored.
    pub fn set_report_contacts(&mut self, impulse: f32) {
        if impulse.is_nan() || impulse == self.settings.report_contacts {
            return;
        }
        self.settings.report_contacts = impulse;
        let entities: Vec<_> = self.world.iter().map(|body| body.entity()).collect();
        for entity in entities {
            self.update_contact_threshold(BodyId(entity));
        }
    }

    /// Sets the gravity of the debris, m/s^2. A vector that is not finite, or beyond 1e18, is ignored.
    pub fn set_gravity(&mut self, gravity: Vec3) {
        if is_in_range(gravity) && gravity != self.settings.gravity {
            self.settings.gravity = gravity;
            self.debris.wait_mut().set_gravity(gravity);
        }
    }

    /// Sets [`Settings::max_pieces`](crate::Settings::max_pieces),
    /// [`Settings::max_triangles`](crate::Settings::max_triangles) and
    /// [`Settings::freeze_after`](crate::Settings::freeze_after) (seconds). A negative or undefined time is ignored.
    pub fn set_limits(&mut self, max_pieces: usize, max_triangles: u64, freeze_after: f32) {
        self.settings.max_pieces = max_pieces;
        self.settings.max_triangles = max_triangles;
        if freeze_after >= 0.0 {
            self.settings.freeze_after = freeze_after;
            self.debris.wait_mut().set_freeze_after(freeze_after);
        }
    }

    /// Sets how many pieces may come and go in a step from now on, 1 at least, so that no frame is long: a break
    /// counts for its pieces and four more. What there is beyond it follows in the next steps, in order: bodies
    /// stay whole until then, and pieces over the limits stay. A single break always comes as a whole. No limit by
    /// default, and none with [`Settings::wait_for_results`](crate::Settings::wait_for_results).
    pub fn set_changes_per_step(&mut self, limit: usize) {
        self.changes.limit = limit.max(1);
    }

    /// Gives a body damage that another one of its shape had. Spots with figures out of their ranges are left out.
    pub fn add_damage(&mut self, body: BodyId, spots: impl IntoIterator<Item = DamagedSpot>) {
        if let Ok(mut damage) = self.world.get::<&mut Damage>(body.0) {
            let spots = spots.into_iter().filter(DamagedSpot::is_valid);
            spots.for_each(|spot| damage.add(spot));
        }
    }

    /// Gives a body cracks that another one of its shape had.
    pub fn add_cracks(&mut self, body: BodyId, cracks: impl IntoIterator<Item = CrackSet>) {
        if let Ok(mut damage) = self.world.get::<&mut Damage>(body.0) {
            damage.cracks.0.extend(cracks);
        }
        search_cracks(self, body);
    }

    /// Sets the cameras through which the bodies are seen: pieces over the limits are removed out of sight and
    /// far away first. They stay in force until the next call. Viewers with numbers that are not finite are left
    /// out. Without any, the smallest pieces go first.
    pub fn set_viewers(&mut self, viewers: impl IntoIterator<Item = Viewer>) {
        self.viewers.clear();
        self.viewers
            .extend(viewers.into_iter().filter(Viewer::is_finite));
    }

    /// Sets [`Settings::wait_for_results`](crate::Settings::wait_for_results): whether each step waits for the breaks
    /// submitted before it.
    pub fn set_wait_for_results(&mut self, wait: bool) {
        self.settings.wait_for_results = wait;
    }

    /// Sets whether looking at what holds what waits: no bonds are searched, nothing is weighed, and so nothing else
    /// comes down than what is about to. It goes on where it was as soon as it no longer waits. For a save in the middle
    /// of a collapse, which can go on for long.
    pub fn set_structure_paused(&mut self, is_paused: bool) {
        self.structure.is_paused = is_paused;
    }

    /// Drains the events since the last call, in order.
    pub fn drain_events(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.events.drain(..)
    }

    /// Does work on the worker when that has time, in [steps](fracture_geometry::steps): a break never waits for more than a
    /// step of it. `None` when the worker is busy; ask again in a later step. The output is ready after
    /// one of the next steps, see [`Simulation::drain_tasks`].
    pub fn spawn_task(
        &mut self,
        task: impl Future<Output = TaskOutput> + Send + 'static,
    ) -> Option<TaskId> {
        self.jobs
            .spawn_task(&self.settings, self.statistics.frame, task)
    }

    /// Outputs of background tasks since the last call; `None` for one that panicked.
    pub fn drain_tasks(&mut self) -> impl Iterator<Item = (TaskId, Option<TaskOutput>)> + '_ {
        self.jobs.drain_tasks()
    }

    /// Brings an intact body to the state of a save. The call waits for the worker; no time passes.
    ///
    /// With snapshots the pieces are loaded, and one [`Event::Broken`] of
    /// [`Cause::Restore`](crate::Cause::Restore) reports them. Without, or when one of them cannot be read, the
    /// body is broken as it was before, and each break is reported as usual. Pieces of these breaks that are
    /// not in the save have neither a render mesh nor a collider.
    ///
    /// # Errors
    /// [`ReplayError`] for a body that is not intact, or for a break that does not come out as it did: then
    /// the breaks before it are applied, or the first one as it comes out.
    pub fn restore(&mut self, body: BodyId, save: &BreakLog) -> Result<(), ReplayError> {
        let mut results = self.restore_all(&[(body, save)]);
        results.pop().unwrap_or(Ok(()))
    }

    /// Restores several bodies at the same time, on all workers and the calling thread; see
    /// [`Simulation::restore`]. Gives a result for each.
    pub fn restore_all(&mut self, saves: &[(BodyId, &BreakLog)]) -> Vec<Result<(), ReplayError>> {
        self.restore_each(saves, |_| ())
    }

    /// Restores several bodies like [`Simulation::restore_all`], and calls `on_loaded` after each body whose
    /// snapshots have been loaded: the host shows its pieces while the worker loads those of other bodies.
    /// Events may be drained in the call.
    pub fn restore_each(
        &mut self,
        saves: &[(BodyId, &BreakLog)],
        on_loaded: impl FnMut(&mut Self),
    ) -> Vec<Result<(), ReplayError>> {
        restore::restore_each(self, saves, on_loaded)
    }

    /// Sets who decides what breaks of the objects that are shared ([`Simulation::share`]). A client breaks nothing of
    /// them by itself, whatever strikes them and whatever they carry; an authority rounds blows to what messages hold.
    ///
    /// A client that becomes the authority, because that has left, tells its own breaks from then on.
    pub fn set_role(&mut self, role: Role) {
        self.network.role = role;
    }

    /// Shares a body that was added with other games, under an id that it has in all of them. Bodies that share an id
    /// have to be equal: the same mesh, pattern, material and seed, and the simulations the same
    /// [`Settings::seed`](crate::Settings::seed). A body that takes the place of another one under an id is shared anew.
    ///
    /// # Errors
    /// [`BodyError::Unknown`] for a body that was not added.
    pub fn share(&mut self, object: u32, body: BodyId) -> Result<(), BodyError> {
        let is_broken = self.history.source(body).is_some();
        if !is_broken && !self.world.contains(body.0) {
            return Err(BodyError::Unknown);
        }
        self.network.share(object, body);
        Ok(())
    }

    /// The messages for others since the last call, in order: those of an authority are for all clients, those of a
    /// client for the authority. Any may be lost, repeated or late. Each has at most
    /// [`MAX_MESSAGE`](crate::network::MAX_MESSAGE) bytes, one for a blow 40.
    pub fn drain_messages(&mut self) -> impl Iterator<Item = Message> + '_ {
        self.network.outbox.drain(..)
    }

    /// Takes a message of another game. Returns the answers, which are for the sender alone.
    ///
    /// # Errors
    /// [`MessageError`] says why a message was dropped. Nothing has happened then, and a game goes on.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<Vec<Message>, MessageError> {
        let result = network::take_message(self, bytes);
        let statistics = &mut self.network.statistics;
        statistics.received += 1;
        statistics.refused += u64::from(result.is_err());
        result
    }

    /// Strikes a shared object as a client: the blow breaks here at once what it is going to break, and the authority is
    /// asked to take it, which then tells it to all. If it says otherwise, or nothing for two seconds, the object is
    /// lost ([`Simulation::lost_objects`]) and [`Simulation::state_before_foretold`] has what it was before. Returns
    /// whether the blow breaks anything here: not while an earlier one has not been confirmed, nor in a whole body
    /// that is held by touch, as only the authority knows where.
    ///
    /// The impact's striker and what that keeps do not count. If the authority is to look at such blows first, send it
    /// the player's action in place of this, and call [`Simulation::impact`] there.
    ///
    /// # Errors
    /// [`ImpactError`] as for [`Simulation::impact`].
    pub fn foretell(&mut self, impact: Impact) -> Result<bool, ImpactError> {
        network::foretell(self, impact)
    }

    /// Sets the most energy of a blow that an authority takes from a client, J; infinite by default. It refuses others.
    pub fn set_foretold_limit(&mut self, joules: f32) {
        self.network.foretold_limit = joules;
    }

    /// Has an authority tell where free pieces are: those of shared objects that are large, on their way, and near the
    /// places of players (metres), in at most that many bytes in any second. Clients lead their own pieces there, by at
    /// most [`MAX_LEAD`](crate::network::MAX_LEAD) metres in a frame. 0 bytes, as at first, tell nothing. Places that are
    /// not finite are left out; without any, all places count the same.
    pub fn set_debris_budget(
        &mut self,
        bytes_per_second: usize,
        players: impl IntoIterator<Item = Vec3>,
    ) {
        let telling = &mut self.network.telling;
        telling.budget = bytes_per_second;
        telling.players.clear();
        let finite = players.into_iter().filter(|place| place.is_finite());
        telling.players.extend(finite);
    }

    /// Brings the shared objects of this game to the state of [`Simulation::join_save`] of another one, those that have
    /// not broken here. The messages since then may come before or after. The call waits for the worker; no time passes.
    ///
    /// Gives the objects that are not as in the save, which are lost ([`Simulation::lost_objects`]), and why.
    ///
    /// # Errors
    /// [`ArchiveError`] for bytes that are no such save, or a damaged one. Nothing has happened then.
    pub fn join(&mut self, save: &[u8]) -> Result<Vec<(u32, ReplayError)>, ArchiveError> {
        network::join(self, save)
    }
}
