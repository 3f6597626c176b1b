//! A game's questions about destruction: events, statistics, rays and shapes, objects and pieces, stress, damage.

use crate::{
    bond_lines::{bond_lines, BondLine},
    damage::{self, DamagedSpot},
    destruction::Destruction,
    events::Event,
    fault::Fault,
    hanging::{hanging, HangingBody},
    impacts::targets::node_of,
    mechanical_energy::mechanical_energy,
    mirror::transforms::{engine_vector, pose, vec3},
    object::{
        object_ref::{resolve, ObjectRef},
        Object,
    },
    settings::Settings,
    statistics::Statistics,
    support_lines::{support_lines, SupportLine},
    swap::piece_info::PieceInfo,
};
use fracture_geometry::{check::MeshReport, Solid, SolidError};
use fracture_simulation::{
    network::NetworkStatistics, BodyId, Motion, RayHit, SharedShape, Simulation,
};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    scene::{debug::SceneDrawingContext, node::Node, Scene},
};
use std::{collections::BTreeSet, sync::Arc};

/// The first hit of a ray or a moving shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryHit {
    /// A piece's node; the node with the script of an intact object; the rigid body of another dynamic body;
    /// or the collider of anything else.
    pub node: Handle<Node>,
    /// Whether the node belongs to a destructible or a piece.
    pub breakable: bool,
    /// Point of the hit, world space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal there.
    pub normal: Vector3<f32>,
    /// Distance travelled by the ray or the shape, metres.
    pub distance: f32,
}

/// Queries see the state after the last update. The engine's own queries do not find debris. The scene is
/// mirrored in its first update; mesh colliders and terrains follow a few frames later.
impl Destruction {
    /// The events of the last update, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The events to be sent to scripts after an update: those of the last update, and before them those of the breaks
    /// that [`Destruction::save`], [`Destruction::embed_save`] or [`Destruction::finish_breaks`] had completed since the
    /// update before. See [`send_events_to_scripts`](crate::send_events_to_scripts).
    pub fn events_for_scripts(&self) -> impl Iterator<Item = &Event> {
        self.late.iter().chain(&self.events)
    }

    /// The last faults, oldest first. Each has also been written to the engine's log.
    pub fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter()
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Counts and times.
    pub fn statistics(&self) -> Statistics {
        let simulation = self.simulation.as_ref().map(Simulation::statistics);
        let simulation = simulation.unwrap_or_default();
        let (fragments, islands) = self.pieces.count();
        let intact = self.objects.values().filter(|object| object.is_intact());
        let mut statistics = Statistics {
            objects: self.objects.len(),
            intact: intact.count(),
            fragments,
            islands,
            awake: simulation.awake,
            settled: simulation.frozen,
            surroundings: simulation.external_bodies,
            mirrored: simulation.active_external_bodies,
            triangles: simulation.triangles,
            removed: simulation.removed,
            dropped: simulation.dropped + self.impacts.queue.dropped(),
            jobs_pending: simulation.jobs,
            breaks: simulation.breaks,
            collapses: simulation.collapses,
            weighed: simulation.stress_solves,
            weigh_ms: simulation.stress_ms,
            worker_ms: simulation.worker_ms,
            worker_ms_max: simulation.worker_ms_max,
            sounds: self.sounds_played(),
            main_ms: self.timing.last_update,
            main_ms_max: self.timing.longest_update,
            physics_ms: simulation.physics_ms,
            physics_steps: simulation.physics_steps,
            chain_dropped: simulation.chain_dropped,
            cooked: self.shapes.cooked_files.results(),
            faults: self.faults.total(),
            ..Statistics::default()
        };
        self.view.count(&mut statistics);
        statistics
    }

    fn sounds_played(&self) -> usize {
        #[cfg(feature = "effects")]
        let played = self.effects.sounds_played();
        #[cfg(not(feature = "effects"))]
        let played = 0;
        played
    }

    /// A hash of the state of all bodies and debris: equal states have equal hashes.
    pub fn state_hash(&self) -> u64 {
        self.simulation.as_ref().map_or(0, Simulation::state_hash)
    }

    /// A hash over the names and every bit of the meshes of all pieces, wherever they are. It may wait for
    /// the worker; it is meant for tests.
    pub fn geometry_hash(&self) -> u64 {
        let pieces = self.pieces.iter();
        let mut named: Vec<_> = pieces
            .map(|(body, piece)| (piece.name.as_str(), body))
            .collect();
        named.sort_unstable();
        let simulation = self.simulation.as_ref();
        simulation.map_or(0, |simulation| simulation.geometry_hash(named))
    }

    /// Whether no work is left: no object waits for files, no impact is queued, no break is being computed.
    pub fn is_idle(&self) -> bool {
        self.impacts.queue.is_empty()
            && self.restores.is_empty()
            && !self.saves.is_pending()
            && !self.objects.values().any(Object::is_waiting)
            && self.simulation.as_ref().is_none_or(Simulation::is_idle)
    }

    /// Whether a step of the debris is still being computed beside the frames. An update meanwhile leaves
    /// debris where it is, and after six such updates waits for the step. A caller that prefers to skip
    /// updates asks first.
    pub fn is_stepping(&mut self) -> bool {
        let simulation = self.simulation.as_mut();
        simulation.is_some_and(Simulation::is_stepping)
    }

    /// The first hit of a ray. The direction may have any length.
    pub fn cast_ray(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let hit = simulation.cast_ray(vec3(origin), vec3(direction), max_distance)?;
        self.query_hit(&hit)
    }

    /// The first hit of a moving sphere. If it starts inside something, the distance is 0.
    pub fn cast_sphere(
        &self,
        center: Vector3<f32>,
        radius: f32,
        direction: Vector3<f32>,
        max_distance: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let ball = ball(radius)?;
        let place = pose(&center, &UnitQuaternion::identity());
        let hit = simulation.cast_shape(&ball, place, vec3(direction), max_distance)?;
        self.query_hit(&hit)
    }

    /// The nodes of everything that a sphere touches, as in [`QueryHit::node`].
    pub fn overlap_sphere(&self, center: Vector3<f32>, radius: f32) -> Vec<Handle<Node>> {
        let rotation = UnitQuaternion::identity();
        ball(radius).map_or_else(Vec::new, |ball| self.overlaps(&ball, center, rotation))
    }

    /// The nodes of everything that a box touches, as in [`QueryHit::node`].
    pub fn overlap_box(
        &self,
        center: Vector3<f32>,
        rotation: UnitQuaternion<f32>,
        half_extents: Vector3<f32>,
    ) -> Vec<Handle<Node>> {
        if !half_extents
            .iter()
            .all(|half| *half > 0.0 && half.is_finite())
        {
            return Vec::new();
        }
        let half = half_extents;
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        self.overlaps(&cuboid, center, rotation)
    }

    /// The names of all objects, sorted.
    pub fn object_names(&self) -> Vec<String> {
        self.objects.names()
    }

    /// Whether the object is intact, or all objects of the name are; `None` if there is none.
    pub fn is_intact<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<bool> {
        let objects = resolve(self, object.into());
        let objects = objects.iter().filter_map(|id| self.objects.get(*id));
        let is_intact = |object: &Object| object.live().is_none_or(|live| !live.broken);
        objects.map(is_intact).reduce(|all, one| all && one)
    }

    /// The volume of the intact object, m^3, or the sum for all objects of the name; `None` until it is
    /// prepared.
    pub fn source_volume<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<f64> {
        let objects = resolve(self, object.into()).into_iter();
        let live = objects.filter_map(|id| self.objects.live(id));
        let volumes = live.filter_map(|live| damage::whole_volume(self, live));
        volumes.reduce(|a, b| a + b)
    }

    /// The volume of all pieces of the object, or of all objects of the name, that became dust, m^3; see
    /// [`Pieces::dust_size`](crate::Pieces::dust_size).
    pub fn dust_volume<'a>(&self, object: impl Into<ObjectRef<'a>>) -> f64 {
        let objects = resolve(self, object.into());
        let objects = objects.iter().filter_map(|id| self.objects.get(*id));
        objects.map(|object| object.dust_volume).sum()
    }

    /// The number of triangles of the intact object; `None` until it is prepared.
    pub fn source_triangles<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<usize> {
        let counts = self
            .sources(object.into())
            .map(|solid| solid.triangle_count());
        counts.reduce(|a, b| a + b)
    }

    /// A report on the mesh of the object as it was read: holes, flipped triangles, parts that
    /// intersect each other. `None` until the mesh has been read, and if there is no such object. A mesh that
    /// cannot be checked is an error that gives the reason.
    ///
    /// Every triangle is checked. The report is meant for tools and tests, and for pauses of a game.
    pub fn mesh_report<'a>(
        &self,
        object: impl Into<ObjectRef<'a>>,
    ) -> Option<Result<MeshReport, SolidError>> {
        let object = *resolve(self, object.into()).first()?;
        let live = self.objects.live(object)?;
        let is_read = live.shape.reported().is_some();
        is_read.then(|| live.shape.with_mesh(MeshReport::new))
    }

    /// The pieces of the object, or of all objects of the name, pieces of pieces included; none while it is
    /// intact.
    pub fn pieces_of<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Vec<PieceInfo> {
        let objects = resolve(self, object.into());
        let pieces = self.pieces.iter();
        let own = pieces.filter(|(_, piece)| objects.contains(&piece.object));
        own.map(|(body, piece)| piece.info(self.motion_of(body)))
            .collect()
    }

    /// The pieces that are one body with a free piece of the object, or of all objects of the name, itself
    /// included: objects that came down together are joined by their bonds until these break, and parts of reinforced concrete
    /// by their bars. If one of them is held, the others hang on it.
    pub fn joined<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Vec<PieceInfo> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let objects = resolve(self, object.into());
        let own = self.pieces.iter().filter(|(_, piece)| {
            let is_free = !piece.anchored;
            is_free && objects.contains(&piece.object)
        });
        let joined: BTreeSet<BodyId> = own.flat_map(|(body, _)| simulation.joined(body)).collect();
        let pieces = self.pieces.iter().filter(|(body, _)| joined.contains(body));
        pieces
            .map(|(body, piece)| piece.info(self.motion_of(body)))
            .collect()
    }

    /// The bonds of all objects whose stress has been solved, after the last break or at the start.
    pub fn supports(&self) -> Vec<SupportLine> {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Vec::new, support_lines)
    }

    /// The bonds of all objects with what they touch: what holds what. A bond of two objects comes twice, from either
    /// side.
    pub fn bonds(&self) -> Vec<BondLine> {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Vec::new, bond_lines)
    }

    /// The damage of the worst place of the object, of what is left of it, or of all objects of the name: 0 for
    /// none, at most 0.9. `None` if there is no such object, or if it is still being loaded.
    pub fn damage<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<f32> {
        damage::damage(self, object.into())
    }

    /// The damaged spots of the object and of its pieces, or of all objects of the name.
    pub fn damaged_spots<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Vec<DamagedSpot> {
        damage::damaged_spots(self, object.into())
    }

    /// The share of the volume of the object, or of all objects of the name, that still stands: 1 while it is
    /// intact, then that of the pieces that are held, and of an object that nothing has held that of its largest
    /// piece. `None` until it is prepared.
    pub fn standing_share<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<f64> {
        damage::standing_share(self, object.into())
    }

    /// Draws the damage of all objects: a ring on the surface around each damaged spot, yellow for little damage
    /// and red for much. For tools: each ring takes some thirty ray casts.
    pub fn draw_damage(&self, context: &mut SceneDrawingContext) {
        damage::draw_damage(self, context);
    }

    /// The kinetic and potential energy of all objects, their pieces and the dynamic bodies of the engine, J; the
    /// potential energy is 0 at the world's origin. It rises only by what impacts bring, and by bodies that a game
    /// moves, adds or restores, so tests may hold a scene to it. It may wait for the worker.
    pub fn mechanical_energy(&self, scene: &Scene) -> f64 {
        mechanical_energy(&self.objects, self.simulation.as_ref(), &scene.graph)
    }

    /// The bodies that rest in the air: intact dynamic objects, pieces and dynamic bodies of the engine that are at rest
    /// and lie neither on anything that is held nor on anything that does. A body that a joint holds counts as carried.
    ///
    /// A gap of a centimetre counts as none, and neither does one of a fiftieth of the two bodies, by which their
    /// hulls may reach out of them. Crumbs inside of a body that is carried are carried, too. A body that is jammed
    /// between steep faces alone counts as hanging, also while it comes down slowly. For tests and tools: surfaces
    /// are compared triangle by triangle. It may wait for the worker.
    pub fn hanging(&self, scene: &Scene) -> Vec<HangingBody> {
        hanging(self, &scene.graph)
    }

    fn motion_of(&self, body: BodyId) -> Option<Motion> {
        self.simulation.as_ref()?.motion(body)
    }

    fn sources(&self, object: ObjectRef) -> impl Iterator<Item = &Arc<Solid>> {
        let objects = resolve(self, object).into_iter();
        let live = objects.filter_map(|id| self.objects.live(id));
        live.filter_map(|live| live.shape.reported()?.ok())
    }

    fn overlaps(
        &self,
        shape: &SharedShape,
        center: Vector3<f32>,
        rotation: UnitQuaternion<f32>,
    ) -> Vec<Handle<Node>> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let bodies = simulation.overlap_shape(shape, pose(&center, &rotation));
        let nodes = bodies
            .into_iter()
            .filter_map(|body| node_of(&self.objects, &self.pieces, body));
        nodes.map(|(node, _)| node).collect()
    }

    fn query_hit(&self, hit: &RayHit) -> Option<QueryHit> {
        let (node, breakable) = node_of(&self.objects, &self.pieces, hit.owner()?)?;
        Some(QueryHit {
            node,
            breakable,
            point: engine_vector(hit.point),
            normal: engine_vector(hit.normal),
            distance: hit.distance,
        })
    }

    /// The save for a game that joins late, or that asks with [`Destruction::needs_join_save`]: about 50 bytes a break and
    /// 30 a piece. Send it so that it arrives.
    pub fn join_save(&self) -> Vec<u8> {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Vec::new, |simulation| simulation.join_save())
    }

    /// Whether an object of this client is not as the authority has it, so that it needs the authority's
    /// [`Destruction::join_save`].
    pub fn needs_join_save(&self) -> bool {
        self.players.needs_save
    }

    /// Counters of what came from other games.
    pub fn network_statistics(&self) -> NetworkStatistics {
        let simulation = self.simulation.as_ref();
        simulation.map_or_else(Default::default, |simulation| {
            simulation.network_statistics()
        })
    }
}

fn ball(radius: f32) -> Option<SharedShape> {
    (radius > 0.0 && radius.is_finite()).then(|| SharedShape::ball(radius))
}
