//! Impacts requested by game code: on a node, along a ray, in all directions.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::{
        impact::Impact,
        queue::{validate, ImpactError, ImpactTarget},
    },
    mirror::{
        engine_bodies::{dynamic_mass, key_of, node_of},
        transforms::{engine_vector, vec3},
    },
    object::{ObjectId, ObjectState},
    script::destructible::Destructible,
    swap,
};
use fracture_simulation::{absorbed_impulse, BodyId, BodyRef, RayHit, Simulation, Striker};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody, Scene},
};

/// Impacts kept for an object whose files are still being loaded.
const MAX_EARLY_IMPACTS: usize = 8;

/// Rays of a cut from one end of its stroke to the other. Fewer miss small pieces.
const CUT_RAYS: u32 = 160;

impl Destruction {
    /// Strikes the object or piece that a node belongs to, in the next update. The node may be the
    /// one with the script, its rigid body, one of its meshes or colliders, or that of a piece. If frozen
    /// pieces share the node, the one nearest to the impact is struck.
    ///
    /// A handle does not say of which scene it is: take the `Destruction` of the node's scene from
    /// [`FracturePlugin::destruction_mut`](crate::FracturePlugin::destruction_mut).
    pub fn impact(&mut self, node: Handle<Node>, impact: Impact) -> Result<(), ImpactError> {
        let batched = || {
            self.nearest_in_batch(node, impact.point)
                .map(ImpactTarget::Piece)
        };
        let target = self.target_at(node).or_else(batched);
        self.enqueue(target.ok_or(ImpactError::NotDestructible { node })?, impact)
    }

    /// Strikes the object or piece with this name, in the next update.
    pub fn impact_by_name(
        &mut self,
        scene: &Scene,
        name: &str,
        impact: Impact,
    ) -> Result<(), ImpactError> {
        if self.discovery.is_of_other_scene(&scene.graph) {
            return Err(ImpactError::OtherScene);
        }
        let object = self.objects.named(name).map(ImpactTarget::Object);
        let piece = || self.pieces.at_name(name).map(ImpactTarget::Piece);
        let undiscovered = || undiscovered(&scene.graph, name);
        let target = object.or_else(piece).or_else(undiscovered);
        let target = target.ok_or_else(|| ImpactError::UnknownName {
            name: name.to_owned(),
            known: list(&self.object_names()),
        })?;
        self.enqueue(target, impact)
    }

    /// Strikes the first object or piece along a ray, in the next update, as a shot does. `energy` is in
    /// J, `impulse` in N s along the ray. Returns the node that was hit; `None` if the ray hits something
    /// else first.
    pub fn shoot(
        &mut self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        energy: f32,
        impulse: f32,
    ) -> Option<Handle<Node>> {
        let direction = direction.try_normalize(f32::EPSILON)?;
        let hit = self.ray_hit(origin, direction, max_distance)?;
        let (target, node) = self.target_of(&hit)?;
        let [point, normal] = [hit.point, hit.normal].map(engine_vector);
        let impact = Impact::new(point, normal, energy).with_impulse(direction * impulse);
        self.enqueue(target, impact).is_ok().then_some(node)
    }

    /// Sets off a charge of `energy` (J) at `center`, with effect in the next update. A kilogram of TNT has
    /// 4.2e6 J.
    ///
    /// The energy goes out evenly in all directions. Each body within `radius` (m) gets the part of it that goes
    /// where it stands before all others: objects and pieces break or are pushed, other dynamic bodies are
    /// pushed. The gas of the charge and the air that it sweeps up give the impulse, and no body becomes faster
    /// than they are, nor than 30 m/s. Returns the number of bodies that were reached.
    pub fn explosion(&mut self, center: Vector3<f32>, radius: f32, energy: f32) -> usize {
        let Some(simulation) = &self.simulation else {
            return 0;
        };
        let mut reached = 0;
        for load in simulation.blast(vec3(center), radius, energy) {
            let Some(target) = self.target_of_body(load.body) else {
                continue;
            };
            let [point, normal, impulse] =
                [load.point, load.normal, load.impulse].map(engine_vector);
            let impact = Impact::new(point, normal, load.energy)
                .with_impulse(impulse)
                .with_striker(Striker::Gas {
                    distance: (point - center).norm(),
                });
            reached += usize::from(self.enqueue(target, impact).is_ok());
        }
        reached
    }

    /// Sets whether a rigid body breaks nothing, whatever it strikes and however hard: a character, say. It is
    /// stopped and pushed as ever. Saves do not contain it. Groups of bodies:
    /// [`Settings::harmless_groups`](crate::Settings::harmless_groups).
    pub fn set_harmless(&mut self, body: Handle<Node>, harmless: bool) {
        let key = key_of(body);
        if harmless {
            self.impacts.harmless.insert(key);
        } else {
            self.impacts.harmless.remove(&key);
        }
        if let Some(simulation) = &mut self.simulation {
            simulation.set_harmless(key, harmless);
        }
    }

    /// Cuts all objects and pieces that are visible from `eye` (m) along a stroke from one direction to
    /// another, and nearer than `reach`. Each target that a fan of rays hits first is divided in two by the
    /// plane of the stroke, in the next update. Returns the number of targets.
    ///
    /// A stroke without length, or longer than half a turn, cuts nothing.
    pub fn cut(
        &mut self,
        eye: Vector3<f32>,
        from: Vector3<f32>,
        to: Vector3<f32>,
        reach: f32,
    ) -> usize {
        let unit = |v: Vector3<f32>| v.try_normalize(f32::EPSILON);
        let (Some(from), Some(to)) = (unit(from), unit(to)) else {
            return 0;
        };
        let Some(normal) = from.cross(&to).try_normalize(1e-4) else {
            return 0;
        };
        let mut cut: Vec<ImpactTarget> = Vec::new();
        for ray in 0..CUT_RAYS {
            let share = ray as f32 / (CUT_RAYS - 1) as f32;
            let direction = from + (to - from) * share;
            let Some(hit) = self.ray_hit(eye, direction, reach) else {
                continue;
            };
            let Some((target, _)) = self.target_of(&hit) else {
                continue;
            };
            let impact = Impact::blade(engine_vector(hit.point), normal);
            if !cut.contains(&target) && self.enqueue(target, impact).is_ok() {
                cut.push(target);
            }
        }
        cut.len()
    }

    /// Pushes the first thing on a ray along it, at once and whatever its damage threshold: a free piece, a
    /// dynamic object or any other dynamic body. `impulse` is in N s; light things get less, so that their
    /// speed changes by `max_speed`, m/s, at most. Returns the node that was pushed; `None` if the first
    /// thing on the ray does not move.
    pub fn push(
        &mut self,
        scene: &mut Scene,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        impulse: f32,
        max_speed: f32,
    ) -> Option<Handle<Node>> {
        let direction = direction.try_normalize(f32::EPSILON)?;
        let is_own = !self.discovery.is_of_other_scene(&scene.graph);
        if !(is_own && impulse.is_finite() && max_speed >= 0.0) {
            return None;
        }
        let push = |mass: f32| direction * impulse.min(mass * max_speed);
        let hit = self.ray_hit(origin, direction, max_distance)?;
        let point = engine_vector(hit.point);
        match self.target_of(&hit) {
            Some((ImpactTarget::Piece(body), node)) => {
                let simulation = self.simulation.as_mut()?;
                let pushed = simulation.push(body, hit.point, |mass| vec3(push(mass)));
                pushed.then_some(node)
            }
            Some((ImpactTarget::Object(id), node)) => {
                let live = self.objects.get(id)?.live()?;
                let free = live.dynamic && !live.broken;
                free.then(|| push_body(&mut scene.graph, live.body, point, push))?;
                Some(node)
            }
            _ => {
                let node = self.cast_ray(origin, direction, max_distance)?.node;
                scene.graph.try_get_of_type::<RigidBody>(node).ok()?;
                push_body(&mut scene.graph, node, point, push);
                Some(node)
            }
        }
    }

    /// Queues the impacts that came by script message.
    pub(crate) fn take_messages(&mut self, graph: &mut Graph) {
        let flagged = self.discovery.inbox_flag.take();
        let polled = &self.discovery.polled_inboxes;
        if !flagged && polled.is_empty() {
            return; // the common case
        }
        for (id, object) in self.objects.iter() {
            if !(flagged || polled.contains(&id)) {
                continue;
            }
            let script = graph.try_get_script_of::<Destructible>(object.node);
            if !script.is_ok_and(|script| !script.inbox.is_empty()) {
                continue;
            }
            let Ok(script) = graph.try_get_script_of_mut::<Destructible>(object.node) else {
                continue;
            };
            let (impacts, dropped) = script.inbox.take();
            if dropped > 0 {
                let message =
                    format!("{dropped} impacts came by message in one frame and were dropped");
                self.faults.report(&object.name, message);
            }
            for impact in impacts {
                // An impact that does not fit is counted by the queue.
                self.impacts.queue.push(ImpactTarget::Object(id), impact);
            }
        }
    }

    /// Gives the queued impacts to the simulation.
    pub(crate) fn deliver_impacts(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        for (target, impact) in self.impacts.queue.drain() {
            match target {
                ImpactTarget::Object(id) => self.strike_object(graph, simulation, id, impact),
                ImpactTarget::Piece(body) => {
                    // Refused when the piece has been removed since.
                    let _ = simulation.impact(impact.on_body(body, false));
                }
                ImpactTarget::EngineBody(node) => {
                    push_unbroken(graph, node, &impact, simulation.settings());
                }
                ImpactTarget::Node(node) => match self.target_at(node) {
                    Some(ImpactTarget::Object(id)) => {
                        self.strike_object(graph, simulation, id, impact);
                    }
                    _ => {
                        let name = graph.try_get_node(node).map(|n| n.name_owned());
                        let error = ImpactError::NotDestructible { node };
                        self.faults.report(&name.unwrap_or_default(), error);
                    }
                },
            }
        }
    }

    fn strike_object(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        id: ObjectId,
        impact: Impact,
    ) {
        let Some(object) = self.objects.get_mut(id) else {
            return;
        };
        let reason = match &object.state {
            ObjectState::Live(live) => {
                let on_root = impact.on_body(live.root, false);
                let breaks = simulation.breaks(&on_root).unwrap_or(true);
                if live.dynamic && !live.broken && !breaks {
                    push_unbroken(graph, live.body, &impact, simulation.settings());
                }
                match simulation.impact(on_root) {
                    Ok(()) => return,
                    Err(error) => error.to_string(),
                }
            }
            ObjectState::Waiting if object.early_impacts.len() < MAX_EARLY_IMPACTS => {
                object.early_impacts.push(impact);
                return;
            }
            ObjectState::Waiting => "its files are still being loaded; strike it later".to_owned(),
            ObjectState::Faulty(reason) => reason.clone(),
            ObjectState::Gone => return,
        };
        self.faults.report(&object.name, &reason);
        let (node, name) = (object.node, object.name.clone());
        self.events.push(Event::Failed { node, name, reason });
    }

    /// Checks an impact and queues it for the next update.
    fn enqueue(&mut self, target: ImpactTarget, impact: Impact) -> Result<(), ImpactError> {
        validate(&impact)?;
        if let ImpactTarget::Object(id) = target {
            let object = self.objects.get(id);
            if let Some((object, ObjectState::Faulty(reason))) = object.map(|o| (o, &o.state)) {
                let (name, reason) = (object.name.clone(), reason.clone());
                return Err(ImpactError::Faulty { name, reason });
            }
        }
        if self.impacts.queue.push(target, impact) {
            Ok(())
        } else {
            Err(ImpactError::TooMany)
        }
    }

    /// The object or piece that a node belongs to. Before the first update, when nothing is known of the
    /// scene, the node itself.
    pub(crate) fn target_at(&self, node: Handle<Node>) -> Option<ImpactTarget> {
        if let Some(id) = self.discovery.object_at(node) {
            return Some(ImpactTarget::Object(id));
        }
        if let Some(body) = self.pieces.at_node(node) {
            return Some(ImpactTarget::Piece(body));
        }
        if let Some(id) = self.objects.of_engine_body(node) {
            return Some(ImpactTarget::Object(id));
        }
        if !self.discovery.is_attached() {
            return Some(ImpactTarget::Node(node));
        }
        // Meshes and colliders are listed by their objects only.
        let mut objects = self.objects.iter();
        let owner = objects.find(|(_, object)| {
            let live = object.live();
            live.is_some_and(|live| {
                let mut meshes = live.shown_meshes();
                meshes.any(|mesh| mesh == node) || live.colliders.contains(&node)
            })
        });
        owner.map(|(id, _)| ImpactTarget::Object(id))
    }

    fn ray_hit(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
    ) -> Option<RayHit> {
        let simulation = self.simulation.as_ref()?;
        simulation.cast_ray(vec3(origin), vec3(direction), max_distance)
    }

    /// The object or piece that a ray has hit, with its node.
    fn target_of(&self, hit: &RayHit) -> Option<(ImpactTarget, Handle<Node>)> {
        let body = BodyRef::Breakable(hit.body?);
        let (node, _) = self.node_of(body)?;
        Some((self.target_of_body(body)?, node))
    }

    /// The target that a body of the simulation stands for.
    fn target_of_body(&self, body: BodyRef) -> Option<ImpactTarget> {
        let body = match body {
            BodyRef::External(key) => return Some(ImpactTarget::EngineBody(node_of(key))),
            BodyRef::Breakable(body) => body,
        };
        if self.pieces.get(body).is_some() {
            return Some(ImpactTarget::Piece(body));
        }
        self.objects.of_root(body).map(ImpactTarget::Object)
    }

    /// The piece nearest to a point among those of a batch node.
    fn nearest_in_batch(&self, node: Handle<Node>, point: Vector3<f32>) -> Option<BodyId> {
        let distance = |body: BodyId| {
            let center = self.pieces.get(body)?.world_center();
            Some(((center - point).norm_squared(), body))
        };
        let distances = self.view.batches.pieces_at(node).filter_map(distance);
        let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, body)| body)
    }
}

/// The node with this name whose script has not been discovered yet.
fn undiscovered(graph: &Graph, name: &str) -> Option<ImpactTarget> {
    let (handle, _) = graph
        .pair_iter()
        .find(|(_, node)| node.name() == name && node.has_script::<Destructible>())?;
    Some(ImpactTarget::Node(handle))
}

pub(crate) fn list(names: &[String]) -> String {
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Gives a body of the engine the part of an impact's impulse that it can absorb.
fn push_unbroken(
    graph: &mut Graph,
    body: Handle<Node>,
    impact: &Impact,
    settings: &fracture_simulation::Settings,
) {
    let (impulse, energy) = (impact.impulse.norm(), impact.energy);
    let direction = impact.impulse.try_normalize(f32::EPSILON);
    let absorbed = |mass| absorbed_impulse(impulse, energy, mass, settings.max_push_speed);
    push_body(graph, body, impact.point, |mass| {
        direction.unwrap_or_default() * absorbed(mass)
    });
}

fn push_body(
    graph: &mut Graph,
    body: Handle<Node>,
    point: Vector3<f32>,
    push: impl Fn(f32) -> Vector3<f32>,
) {
    let mass = dynamic_mass(graph, body).unwrap_or(0.0);
    swap::apply_impulse(graph, body, point, push(mass));
}
