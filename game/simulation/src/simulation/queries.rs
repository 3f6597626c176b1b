//! Queries: what the host asks the simulation. Those of space meet free pieces, anchored remainders, intact bodies
//! and external bodies together, as of the last step, and wait for a running debris step.

use std::sync::Arc;

use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::Simulation;
use crate::debris::{BodyRef, RayHit};
use crate::environment::AllBodies;
use crate::history::{saving, BreakLog};
use crate::impacts::break_through::break_through;
use crate::impacts::{blast, threshold, BlastLoad, BreakThrough, Impact};
use crate::loads::landing::feels_landings;
use crate::loads::update::feels_loads;
use crate::network::{self, NetworkStatistics, Role};
use crate::pieces::components::{Breakable, Generation, Proxy, StressState};
use crate::pieces::{Damage, Shape};
use crate::settings::Settings;
use crate::statistics::Statistics;
use crate::stress::StressGraph;
use crate::structure::{held_body, hold, HeldBody, HoldingBond};
use crate::types::{BodyId, Motion};
use crate::{mechanical_energy, state_hash};

impl Simulation {
    /// The settings after clamping.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counters and times.
    pub fn statistics(&self) -> Statistics {
        let refused = self.impacts.dropped();
        Statistics {
            dropped: self.statistics.dropped + refused,
            ..self.statistics
        }
    }

    /// Whether nothing is left to be done until something happens.
    pub fn is_idle(&self) -> bool {
        // What holds what is not looked at where a game elsewhere decides what comes down.
        self.has_finished_breaks() && (self.role() == Role::Client || self.structure.is_idle())
    }

    /// Whether no job, no refinement of a collider and no impact is left. It may still have to be found out what holds
    /// what after the last breaks.
    pub fn has_finished_breaks(&self) -> bool {
        self.jobs.worker.outstanding() == 0
            && self.jobs.worker.refinements() == 0
            && self.impacts.is_empty()
            && self.jobs.to_prepare.is_empty()
            && self.jobs.prepared.is_empty()
            && self.jobs.to_solve.is_empty()
            && self.jobs.to_fall.is_empty()
            && self.loads.landed.is_empty()
            && self.environment.collider_builds.are_submitted()
    }

    /// Whether a debris step is running beside or ahead of the frame. Queries and most changes wait for its end.
    pub fn is_stepping(&mut self) -> bool {
        self.debris.is_stepping()
    }

    /// Whether the debris step of the next frame has been begun ahead ([`Simulation::begin_next_step`]), and its
    /// results have not been taken.
    pub fn is_next_step_running(&self) -> bool {
        self.debris.is_next_step_running()
    }

    /// Whether [`Simulation::begin_next_step`] of `dt` seconds may begin a step, so that motions have to
    /// be reported before. A host that asks in each frame is not made to wait for a step in
    /// [`Simulation::step`]: it is expected to have the next one begun.
    pub fn can_begin_next_step(&mut self, dt: f32) -> bool {
        self.debris.can_begin_next_step(dt, &self.settings)
    }

    /// Whether so many free pieces exist, or may come of a break that is under way, that some may be removed in the
    /// next step. Only then viewers count.
    pub fn is_near_limits(&self) -> bool {
        let (budget, settings) = (&self.debris_budget, &self.settings);
        2 * budget.count() >= settings.max_pieces
            || 2 * budget.triangles() >= settings.max_triangles
            || self.jobs.worker.outstanding() > 0
    }

    /// A body's mesh.
    pub fn shape(&self, body: BodyId) -> Option<Arc<Shape>> {
        Some(self.world.get::<&Breakable>(body.0).ok()?.shape.clone())
    }

    /// The number of breaks that a body's ancestors have been through.
    pub fn generation(&self, body: BodyId) -> Option<u32> {
        Some(self.world.get::<&Generation>(body.0).ok()?.depth)
    }

    /// The living pieces of a broken body, by id.
    pub fn descendants(&self, body: BodyId) -> Vec<BodyId> {
        self.history.pieces.descendants(body)
    }

    /// The volume that a body had before it broke for the first time, m^3; `None` while it is intact, and once it and
    /// its pieces have gone.
    pub fn broken_volume(&self, source: BodyId) -> Option<f64> {
        Some(self.history.source(source)?.info.volume)
    }

    /// The damage of a body's worst place: 0 for none, at most 0.9. `None` if there is no such body.
    pub fn damage(&self, body: BodyId) -> Option<f32> {
        let damage = self.world.get::<&Damage>(body.0).ok()?;
        Some(damage.worst())
    }

    /// The free pieces that are drawn elsewhere than in the last frame, and their poses.
    ///
    /// These poses are for rendering: while steps are taken beside the frames ([`Settings::overlap`]), debris is
    /// drawn a frame late and evenly, between two steps or flying on beyond the last one, whatever the length of
    /// frames and steps. [`Simulation::motion`] is the pose in physics; both are the same in steps that are taken in
    /// the frame.
    pub fn moving_pieces(&self) -> impl Iterator<Item = (BodyId, Pose)> + '_ {
        let poses = self.debris.render_poses().iter().copied();
        poses.filter(|(body, _)| self.world.contains(body.0))
    }

    /// The free pieces that were frozen (true) or thawed in the last step, in order; see
    /// [`Settings::freeze_after`]. Some may have been removed meanwhile.
    pub fn freeze_changes(&self) -> impl Iterator<Item = (BodyId, bool)> + '_ {
        self.debris.freeze_changes().iter().copied()
    }

    /// Bodies of the engine's physics ([`BodyType::Dynamic`](crate::external::BodyType::Dynamic)) that debris has
    /// touched in the last step, with their motions after it. Give each the pose and the velocities in
    /// this frame: the engine goes on from there.
    pub fn corrected_motions(&self) -> impl Iterator<Item = (BodyRef, Motion)> + '_ {
        self.debris.corrected_motions().iter().copied()
    }

    /// Bodies of the engine's physics that have to stay where they are in this frame, because the debris step that
    /// moves them, begun ahead, is not finished: have the engine's next step not move them, and give each the
    /// motion from before, or its corrected one, when the step has ended. None in frames that take results.
    pub fn waiting_bodies(&self) -> &[BodyRef] {
        self.debris.waiting_bodies()
    }

    /// How many pieces have come and gone in the last step, as [`Simulation::set_changes_per_step`] counts them.
    pub fn changes(&self) -> usize {
        self.changes.count()
    }

    /// The keys of the external bodies near breakable ones, from one on, in order. Their changes matter
    /// soon, those of others can be reported later.
    pub fn active_external_bodies(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        self.environment.streaming.active_from(from)
    }

    /// Whether the contacts of a body break nothing.
    pub fn is_harmless(&self, body: BodyRef) -> bool {
        self.harmless.contains(body, &self.environment, &self.world)
    }

    /// The impulse from which on an impact of this kind breaks its body where it strikes, N s; see
    /// [`Material::damage_threshold`](crate::Material::damage_threshold) and
    /// [`Material::weakening`](crate::Material::weakening). `None` if the body is not there, or if its size matters
    /// and its shape has not been prepared.
    pub fn damage_threshold(&self, impact: &Impact) -> Option<f32> {
        threshold::damage_threshold(&self.world, impact)
    }

    /// Whether an impact breaks its body. `None` as for [`Simulation::damage_threshold`].
    pub fn breaks(&self, impact: &Impact) -> Option<bool> {
        threshold::breaks(&self.world, impact)
    }

    /// The loss of the striker of an impact that breaks its body and goes through it; `None` for a striker that is
    /// stopped, and if the body's shape has not been prepared.
    pub fn break_through(&self, impact: &Impact) -> Option<BreakThrough> {
        break_through(&self.world, impact)
    }

    /// Whether an impact is worth a report: it breaks its body, or has a tenth of the impulse that would.
    pub fn is_felt(&self, impact: &Impact) -> bool {
        threshold::is_felt(&self.world, impact)
    }

    /// The impulse (N s) below which a contact with a body is not felt: quick to find, and never too high for
    /// anything that falls or is thrown.
    pub fn least_felt_impulse(&self, body: BodyId) -> f32 {
        threshold::least_felt_impulse(&self.world, body)
    }

    /// The bonds of a held body with what it touches and what is held itself, by body. None of a free body, of one
    /// that has not been searched yet, and between two bodies with anchors of their own.
    pub fn bonds(&self, body: BodyId) -> Vec<HoldingBond> {
        hold::bonds(&self.world, body)
    }

    /// All pieces that are one body with a free piece, by id, itself included: they came down together, or the bars of
    /// reinforced concrete hold them together, and nothing has broken their bonds. If one of them is held, it hangs on that.
    pub fn joined(&self, piece: BodyId) -> Vec<BodyId> {
        self.debris.wait().joined(piece).into_iter().collect()
    }

    /// All bodies with bonds, by id: what [`Simulation::bonds`] says of each.
    pub fn held_bodies(&self) -> Vec<HeldBody> {
        held_body::held_bodies(&self.world)
    }

    /// Whether it matters what rests on a body: it is held, and it or its bonds may break.
    pub fn feels_loads(&self, body: BodyId) -> bool {
        let entity = self.world.entity(body.0);
        entity.is_ok_and(feels_loads)
    }

    /// Whether a body may tear when it lands, in a game that moves it: an intact one that nothing holds, large and with a
    /// strength.
    pub fn feels_landings(&self, body: BodyId) -> bool {
        let entity = self.world.entity(body.0);
        entity.is_ok_and(feels_landings)
    }

    /// Bodies that the host moves and that hang by joints on held ones: the contact forces on these matter as well.
    pub fn hanging_bodies(&self) -> impl Iterator<Item = BodyRef> + '_ {
        self.loads.hanging.bodies()
    }

    /// The stress in a body after the last solve; `None` before there was one.
    pub fn stress_graph(&self, body: BodyId) -> Option<Arc<StressGraph>> {
        Some(self.world.get::<&StressState>(body.0).ok()?.graph.clone())
    }

    /// The stress in all bodies that have been solved, by id.
    pub fn stress_graphs(&self) -> Vec<(BodyId, Arc<StressGraph>)> {
        let mut all: Vec<_> = self
            .world
            .query::<(hecs::Entity, &StressState)>()
            .iter()
            .map(|(body, state)| (BodyId(body), state.graph.clone()))
            .collect();
        all.sort_unstable_by_key(|(body, _)| *body);
        all
    }

    /// The first body on a ray within `max_distance` metres. The direction has any length but 0; `None`
    /// as well for numbers that are not finite.
    pub fn cast_ray(&self, origin: Vec3, direction: Vec3, max_distance: f32) -> Option<RayHit> {
        self.all_bodies()
            .cast_ray(origin, direction, max_distance, &[])
    }

    /// The first body that a shape meets while it moves by at most `max_distance` metres. The distance is
    /// 0 if it starts inside a body.
    pub fn cast_shape(
        &self,
        shape: &SharedShape,
        pose: Pose,
        direction: Vec3,
        max_distance: f32,
    ) -> Option<RayHit> {
        self.all_bodies()
            .cast_shape(shape, pose, direction, max_distance)
    }

    /// All bodies that a shape overlaps, in order.
    pub fn overlap_shape(&self, shape: &SharedShape, pose: Pose) -> Vec<BodyRef> {
        self.all_bodies().overlap_shape(shape, pose)
    }

    /// The point of a breakable body's surface nearest to a point, and the outward unit vector there.
    /// `None` for a body without colliders, and for a point on the surface.
    pub fn nearest_surface(&self, body: BodyId, point: Vec3) -> Option<[Vec3; 2]> {
        self.all_bodies().nearest_surface(body, point)
    }

    /// The effect of an explosion on all breakable and dynamic bodies within `radius` (m) of `center` that
    /// it sees: `energy` (J) goes out evenly in all directions, and each body takes the part of the
    /// directions in which it stands before all others. A kilogram of TNT has 4.2e6 J. Changes nothing:
    /// the host reports an impact for each breakable body, and pushes its own.
    ///
    /// Empty for numbers that are not finite and positive.
    pub fn blast(&self, center: Vec3, radius: f32, energy: f32) -> Vec<BlastLoad> {
        blast::blast(&self.all_bodies(), &self.world, center, radius, energy)
    }

    /// Whether rays and explosions meet a body where it is: its colliders are built, or it has none and its shape has
    /// been prepared, or cannot be.
    pub fn knows_surface(&self, body: BodyId) -> bool {
        let Ok(entity) = self.world.entity(body.0) else {
            return true;
        };
        let shape = entity.get::<&Breakable>();
        entity.has::<Proxy>() || shape.is_none_or(|own| own.shape.reported().is_some())
    }

    /// Whether the worker is still to build colliders.
    pub fn is_building_colliders(&self) -> bool {
        self.environment.collider_builds.is_building()
    }

    /// All bodies together, for queries. Waits for a running debris step.
    fn all_bodies(&self) -> AllBodies<'_> {
        AllBodies {
            world: self.debris.wait(),
            streaming: &self.environment.streaming,
        }
    }

    /// Saves a body that was added: its breaks, the states of its pieces, and the pieces themselves, about
    /// 5 kB each. [`Simulation::restore`] loads the pieces and breaks nothing, so it does not matter
    /// whether the mesh or the pattern have changed since. Breaks under way are not part of the save.
    pub fn save(&self, body: BodyId) -> BreakLog {
        saving::save(self, body)
    }

    /// Saves a body like [`Simulation::save`], but without the pieces: about 90 bytes a break and 70 a
    /// piece. [`Simulation::restore`] breaks the body again, which fails when the mesh, the pattern or the
    /// version of this crate have changed since.
    pub fn save_compact(&self, body: BodyId) -> BreakLog {
        saving::save_compact(self, body)
    }

    /// The kinetic and potential energy of all breakable bodies and pieces, J; the potential energy is 0 at the
    /// world's origin. What is held counts too, so a break raises the sum by what its impact brings at most. The
    /// call waits for solids that are still being prepared, so it is for tests.
    pub fn mechanical_energy(&self) -> f64 {
        mechanical_energy::sum(&self.world, self.settings.gravity)
    }

    /// Hashes ids, kinds, poses, velocities and damage of all bodies, to the last bit.
    pub fn state_hash(&self) -> u64 {
        state_hash::of_state(self)
    }

    /// Hashes the meshes of some bodies under the given names, in the given order: every bit of
    /// positions, attributes, triangles and surfaces. Poses do not count. The call waits for meshes
    /// that are still being prepared, so it is for tests.
    pub fn geometry_hash<'a>(&self, bodies: impl IntoIterator<Item = (&'a str, BodyId)>) -> u64 {
        let shapes = bodies
            .into_iter()
            .map(|(name, body)| (name, self.shape(body)));
        state_hash::of_shapes(shapes)
    }

    /// The side that decides what breaks of the objects that are shared.
    pub fn role(&self) -> Role {
        self.network.role
    }

    /// The body that is shared under an id.
    pub fn shared_body(&self, object: u32) -> Option<BodyId> {
        let shared = self.network.objects.get(&object);
        shared.map(|object| object.source)
    }

    /// Whether a body that was added is shared.
    pub fn is_shared(&self, body: BodyId) -> bool {
        self.network.is_shared(body)
    }

    /// The save that [`Simulation::join`] takes for a lost object whose own blow was taken back: it is as before the blow, and
    /// what the authority has told since then comes again. `None` for one that needs the authority's save.
    pub fn state_before_foretold(&self, object: u32) -> Option<Vec<u8>> {
        let log = network::log_before(self, self.network.objects.get(&object)?)?;
        Some(network::save_of(object, &log))
    }

    /// The objects of a client that have other pieces than those of the authority, by id: nothing more breaks of them
    /// here. They need to be made anew, and then brought to the state of the authority's save.
    pub fn lost_objects(&self) -> impl Iterator<Item = u32> + '_ {
        let objects = self.network.objects.iter();
        objects.filter_map(|(id, object)| object.is_lost.then_some(*id))
    }

    /// The save for a game that joins late: the breaks of all shared objects, about 50 bytes each, and where their pieces
    /// are, about 30 each. It has to arrive, so it does not go with the messages.
    pub fn join_save(&self) -> Vec<u8> {
        network::join_save(self)
    }

    /// Counters of what came from other games.
    pub fn network_statistics(&self) -> NetworkStatistics {
        self.network.statistics
    }
}
