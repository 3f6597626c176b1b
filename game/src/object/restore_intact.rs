//! Makes broken objects intact again while the game runs, as if nothing had been: their pieces vanish, and the
//! objects are loaded anew.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::{api::list, queue::ImpactTarget},
    mirror::transforms::{pose, position_and_rotation, vec3, world_matrix, BodyFrame},
    object::{
        config::DestructibleConfig, inputs::body_above, inspection::CHANGED_TOO_LATE, LiveObject,
        Object, ObjectId, ObjectStart, ObjectState,
    },
    queries::{ObjectError, ObjectRef},
    save::EmbeddedSaves,
    script::{destructible::Destructible, embedded_save::BodyStart},
    swap,
};
use fracture_simulation::Simulation;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};

impl Destruction {
    /// Makes an object intact again in the next update, as if nothing had been; given a name, all objects that
    /// have it. Returns how many will be; those that are intact, without damage and not about to break are left
    /// alone.
    ///
    /// Pieces, dust, damage, breaks under way and impacts of the object vanish. Its meshes, colliders and rigid body are
    /// as before the first break, and fields of the script that have been changed since count. A dynamic body
    /// goes back to the place and the velocity that it had when the object was found; a static or kinematic one
    /// stays where the game has put it. Impacts that come after this call strike the intact object, and break it
    /// as they would have the first time.
    ///
    /// [`Event::Restored`] tells when it is done.
    ///
    /// # Errors
    /// [`ObjectError`], which names what does not exist.
    pub fn restore_intact<'a>(
        &mut self,
        object: impl Into<ObjectRef<'a>>,
    ) -> Result<usize, ObjectError> {
        let object = object.into();
        let found = self.resolve(object);
        if found.is_empty() && self.discovery.is_attached() {
            return Err(self.no_such(object));
        }
        Ok(self.queue_restores(&found))
    }

    /// Makes all objects intact again that stand in a box, in world space, metres; see
    /// [`Destruction::restore_intact`]. `bounds` are its lowest and its highest corner. What counts is the box of
    /// the intact object in its place, not where its pieces lie; it is enough that the two boxes overlap.
    pub fn restore_intact_within(
        &mut self,
        bounds: [Vector3<f32>; 2],
    ) -> Result<usize, ObjectError> {
        let [low, high] = bounds;
        let is_valid =
            |(low, high): (&f32, &f32)| high.is_finite() && low.is_finite() && low <= high;
        if !low.iter().zip(high.iter()).all(is_valid) {
            return Err(ObjectError::Box { corners: bounds });
        }
        let bounds = Aabb::new(vec3(low), vec3(high));
        let objects = self.objects.iter();
        let found = objects.filter(|(_, object)| {
            let place = object.intact_bounds();
            place.is_some_and(|place| place.intersects(&bounds))
        });
        let found: Vec<ObjectId> = found.map(|(id, _)| id).collect();
        Ok(self.queue_restores(&found))
    }

    /// Queues the objects that are broken, damaged or about to break, and drops the impacts that they would get.
    fn queue_restores(&mut self, objects: &[ObjectId]) -> usize {
        let mut count = 0;
        for id in objects {
            let of_object = |target: &ImpactTarget| match target {
                ImpactTarget::Object(object) => object == id,
                ImpactTarget::Piece(body) => self.pieces.object_of(*body) == Some(*id),
                ImpactTarget::EngineBody(_) | ImpactTarget::Node(_) => false,
            };
            self.impacts.queue.forget(of_object);
            if let Some((live, simulation)) = self.objects.live(*id).zip(self.simulation.as_mut()) {
                simulation.forget_impacts(live.root);
            }
            if self.is_altered(*id) {
                self.restores.insert(*id);
                count += 1;
            }
        }
        count
    }

    /// Whether an object is broken or damaged, or a job is about to break it.
    fn is_altered(&self, id: ObjectId) -> bool {
        let is_touched = |live: &LiveObject| {
            let simulation = self.simulation.as_ref();
            simulation.is_some_and(|simulation| {
                simulation.is_breaking(live.root) || simulation.damage(live.root) > Some(0.0)
            })
        };
        let live = self.objects.live(id);
        live.is_some_and(|live| live.broken || is_touched(live))
    }

    fn no_such(&self, object: ObjectRef) -> ObjectError {
        match object {
            ObjectRef::Node(node) => ObjectError::NotDestructible { node },
            ObjectRef::Name(name) => ObjectError::UnknownName {
                name: name.to_owned(),
                known: list(&self.object_names()),
            },
        }
    }

    /// Unloads the queued objects and puts their nodes back, so that they are loaded as they were at first.
    pub(crate) fn apply_restores(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        if self.saves.is_pending() {
            return; // the save that the scene was loaded with comes first
        }
        for id in std::mem::take(&mut self.restores) {
            let Some(live) = self.objects.unload(id, ObjectState::Waiting) else {
                continue; // its node has been removed since
            };
            simulation.remove(live.root);
            self.put_attachments_back(graph, simulation, id);
            self.view.remove_object(graph, &mut self.pieces, id);
            self.impacts.residuals.remove(&id);
            let Some(object) = self.objects.get_mut(id) else {
                continue;
            };
            object.forget_breaks(graph);
            if live.broken {
                live.put_back(graph, object.start.as_ref());
            }
            let (node, name) = (object.node, object.name.clone());
            self.events.push(Event::Restored { node, name });
        }
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
        if let Ok(script) = graph.try_get_script_of::<Destructible>(self.node) {
            self.config = DestructibleConfig::new(script);
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
