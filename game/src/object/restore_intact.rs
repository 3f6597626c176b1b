//! Makes broken objects intact again while the game runs, as if nothing had been: their pieces vanish, and the
//! objects are loaded anew.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::queue::ImpactTarget,
    mirror::transforms::{pose, position_and_rotation, world_matrix, BodyFrame},
    object::{
        inputs::body_above, inspection::CHANGED_TOO_LATE, LiveObject, Object, ObjectId,
        ObjectStart, ObjectState, Objects,
    },
    save::EmbeddedSaves,
    script::{config::DestructibleConfig, destructible::Destructible, embedded_save::BodyStart},
    swap::{self, detaching::put_attachments_back},
};
use fracture_simulation::Simulation;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};

/// The objects whose intact boxes overlap a box, in world space.
pub(crate) fn objects_within(objects: &Objects, bounds: &Aabb) -> Vec<ObjectId> {
    let found = objects.iter().filter(|(_, object)| {
        let place = object.intact_bounds();
        place.is_some_and(|place| place.intersects(bounds))
    });
    found.map(|(id, _)| id).collect()
}

/// Queues the objects that are broken, damaged or about to break, and drops the impacts that they would get.
pub(crate) fn queue_restores(destruction: &mut Destruction, objects: &[ObjectId]) -> usize {
    let mut count = 0;
    for id in objects {
        let of_object = |target: &ImpactTarget| match target {
            ImpactTarget::Object(object) => object == id,
            ImpactTarget::Piece(body) => destruction.pieces.object_of(*body) == Some(*id),
            ImpactTarget::EngineBody(_) | ImpactTarget::Node(_) => false,
        };
        destruction.impacts.queue.forget(of_object);
        if let Some((live, simulation)) = destruction
            .objects
            .live(*id)
            .zip(destruction.simulation.as_mut())
        {
            simulation.forget_impacts(live.root);
        }
        if is_altered(destruction, *id) {
            destruction.restores.insert(*id);
            count += 1;
        }
    }
    count
}

/// Whether an object is broken or damaged, or a job is about to break it.
fn is_altered(destruction: &Destruction, id: ObjectId) -> bool {
    let is_touched = |live: &LiveObject| {
        let simulation = destruction.simulation.as_ref();
        simulation.is_some_and(|simulation| {
            simulation.is_breaking(live.root) || simulation.damage(live.root) > Some(0.0)
        })
    };
    let live = destruction.objects.live(id);
    live.is_some_and(|live| live.broken || is_touched(live))
}

/// Unloads queued objects and puts their nodes back, so that they are loaded as they were at first: as many as the
/// update has room for.
pub(crate) fn apply_restores(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
) {
    if destruction.saves.is_pending() {
        return; // the save that the scene was loaded with comes first
    }
    while destruction.limit.has_room() {
        let Some(id) = destruction.restores.pop_first() else {
            return;
        };
        if let Some(object) = destruction.objects.get_mut(id) {
            object.damage.clear(); // of one that is about to be loaded again
            object.cracks.clear();
            swap::remove(graph, std::mem::take(&mut object.crack_node));
            swap::draw_again(graph, &mut object.undrawn);
        }
        let pieces = destruction.pieces.bodies_of(id).len();
        destruction.limit.add(pieces + 1);
        let Some(live) = destruction.objects.unload(id, ObjectState::Waiting) else {
            continue; // its node has been removed since
        };
        simulation.remove(live.root);
        if live.broken {
            let object = destruction.objects.get(id);
            live.put_back(graph, object.and_then(|object| object.start.as_ref()));
        }
        // Now that the object is in its place: of joints and of bodies that move by themselves that matters.
        put_attachments_back(destruction, graph, simulation, id);
        destruction
            .view
            .remove_object(graph, &mut destruction.pieces, id);
        destruction.impacts.residuals.remove(&id);
        let Some(object) = destruction.objects.get_mut(id) else {
            continue;
        };
        object.forget_breaks(graph);
        let (node, name) = (object.node, object.name.clone());
        destruction.events.push(Event::Restored { node, name });
    }
}

impl Object {
    /// The box of the intact object in its place, world space.
    fn intact_bounds(&self) -> Option<Aabb> {
        let live = self.live()?;
        let start = self.start.as_ref().filter(|_| live.dynamic && live.broken);
        let pose = start.map_or(live.motion.pose, |start| start.pose);
        Some(live.local_bounds.transform_by(&pose))
    }

    /// Forgets all that follows from breaks, and reads the fields of the script again.
    fn forget_breaks(&mut self, graph: &Graph) {
        self.dust_volume = 0.0;
        self.updates_waited = 0;
        self.reported.remove(CHANGED_TOO_LATE);
        let node = graph.try_get_node(self.node).ok();
        let script = node.and_then(|node| Some((node, node.try_get_script::<Destructible>()?)));
        if let Some((node, script)) = script {
            self.config = DestructibleConfig::of_node(node, script);
        }
    }
}

impl ObjectStart {
    /// The rigid body of an object that has just been found. In a loaded scene, its start in the scene that was
    /// saved counts.
    pub fn new(graph: &Graph, object: Handle<Node>, saves: &EmbeddedSaves) -> Option<Self> {
        let handle = body_above(graph, object)?;
        let body = match saves.start_of(handle) {
            Some(start) => start.clone(),
            None => BodyStart::new(graph, handle)?,
        };
        let parent = graph.try_get_node(handle).ok()?.parent();
        let origin = world_matrix(graph, parent).transform_point(&body.position.into());
        let (_, rotation) = position_and_rotation(&BodyFrame::new(graph, parent).pose);
        let pose = pose(&origin.coords, &(rotation * body.rotation));
        Some(Self { body, pose })
    }
}

impl BodyStart {
    pub(crate) fn new(graph: &Graph, handle: Handle<Node>) -> Option<Self> {
        let body = graph.try_get_of_type::<RigidBody>(handle).ok()?;
        let transform = body.local_transform();
        Some(Self {
            body: handle,
            position: **transform.position(),
            rotation: **transform.rotation(),
            linear_velocity: body.lin_vel(),
            angular_velocity: body.ang_vel(),
        })
    }
}

impl LiveObject {
    /// Shows and enables the nodes that the breaks have hidden and disabled, and moves a dynamic body to its
    /// start.
    fn put_back(&self, graph: &mut Graph, start: Option<&ObjectStart>) {
        if let Some(start) = start.filter(|_| self.dynamic) {
            swap::place_body(graph, &start.body);
        }
        swap::set_visible(graph, &self.replaced.hidden, true);
        swap::set_enabled(graph, &self.replaced.disabled, true);
    }
}
