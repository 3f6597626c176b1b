//! Blows from game code: on an object, in all directions, along a ray.

use super::{
    orders::{Target, ORDER_LIMIT},
    Destruction,
};
use crate::{
    destructible::Destructible,
    events::Event,
    frames::vec3,
    impact::Impact,
    object::{hit, Object, ObjectId, State},
    swap,
};
use fracture_simulation::{RayHit, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};
use thiserror::Error;

/// Blows that wait for one object's files.
const EARLY_LIMIT: usize = 8;

/// Why a blow was not taken. Nothing has happened.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ImpactError {
    /// The node is no destructible, nor a piece of one.
    #[error("node {node} is not destructible; give it the script Destructible, or strike the node that has it")]
    NotDestructible {
        /// The node.
        node: Handle<Node>,
    },
    /// No destructible and no piece has that name.
    #[error("there is no destructible \"{name}\"; there are: {known}")]
    UnknownName {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The object cannot break.
    #[error("destructible \"{name}\" cannot break: {reason}")]
    Faulty {
        /// The object.
        name: String,
        /// Why, with the remedy.
        reason: String,
    },
    /// A number is NaN or infinite, or the energy is negative.
    #[error("the impact's {what} is {value}; it must be {range}")]
    Value {
        /// Which number.
        what: &'static str,
        /// What was given.
        value: f32,
        /// What is allowed, in words.
        range: &'static str,
    },
    /// More blows than an update takes, and this is not one of the hardest.
    #[error(
        "more than {ORDER_LIMIT} impacts in one frame; this one is among the weakest and was dropped"
    )]
    TooMany,
}

impl Destruction {
    /// Strikes the object or piece that a node belongs to, in the next update. The node may be the
    /// one with the script, its rigid body, one of its meshes or colliders, or that of a piece. Of
    /// settled pieces that share a node it is the one nearest to the blow.
    pub fn impact(&mut self, node: Handle<Node>, impact: Impact) -> Result<(), ImpactError> {
        let merged = || self.nearest_of(node, impact.point).map(Target::Piece);
        let target = self.target_at(node).or_else(merged);
        self.order(target.ok_or(ImpactError::NotDestructible { node })?, impact)
    }

    /// Strikes the object or piece of that name, in the next update.
    pub fn impact_by_name(
        &mut self,
        scene: &Scene,
        name: &str,
        impact: Impact,
    ) -> Result<(), ImpactError> {
        let object = self.object_named(name).map(Target::Object);
        let piece = || self.pieces.at_name(name).map(Target::Piece);
        let target = object.or_else(piece).or_else(|| unseen(&scene.graph, name));
        let target = target.ok_or_else(|| ImpactError::UnknownName {
            name: name.to_owned(),
            known: listed(self.object_names()),
        })?;
        self.order(target, impact)
    }

    /// Strikes the first object or piece along a ray, in the next update: a gun. `energy` is in J,
    /// `impulse` in N s along the ray. Returns the node that was hit; nothing when the ray meets
    /// something else first.
    pub fn shoot(
        &mut self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        energy: f32,
        impulse: f32,
    ) -> Option<Handle<Node>> {
        let direction = direction.try_normalize(f32::EPSILON)?;
        let hit = self.cast_ray(origin, direction, max_distance)?;
        let (target, node) = self.struck_by(&hit)?;
        let [point, normal] = [hit.point, hit.normal].map(|v| Vector3::from(v.to_array()));
        let blow = Impact::new(point, normal, energy).with_impulse(direction * impulse);
        self.order(target, blow).is_ok().then_some(node)
    }

    /// Takes the blows that came by script message.
    pub(super) fn take_messages(&mut self, graph: &mut Graph) {
        let (rung, deaf) = (self.discovery.bell.has_rung(), &self.discovery.deaf);
        if !rung && deaf.is_empty() {
            return; // the common case
        }
        for (id, object) in &self.objects {
            if !(rung || deaf.contains(id)) {
                continue;
            }
            let waiting = graph.try_get_script_of::<Destructible>(object.node);
            if !waiting.is_ok_and(|script| !script.inbox.is_empty()) {
                continue;
            }
            let Ok(script) = graph.try_get_script_of_mut::<Destructible>(object.node) else {
                continue;
            };
            let (blows, lost) = script.inbox.take();
            if lost > 0 {
                let message =
                    format!("{lost} impacts came by message in one frame and were dropped");
                self.faults.report(&object.name, message);
            }
            for blow in blows {
                // What does not fit is counted.
                self.ordered.push(Target::Object(*id), blow);
            }
        }
    }

    /// Gives the ordered blows to the simulation.
    pub(super) fn take_orders(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        for (target, blow) in self.ordered.take() {
            match target {
                Target::Object(id) => self.strike(graph, simulation, id, blow),
                Target::Piece(body) => {
                    // A piece that has gone meanwhile cannot be struck.
                    let _ = simulation.impact(hit(body, &blow, false));
                }
                Target::Node(node) => match self.target_at(node) {
                    Some(Target::Object(id)) => self.strike(graph, simulation, id, blow),
                    _ => {
                        let name = graph.try_get_node(node).map(|n| n.name_owned());
                        let error = ImpactError::NotDestructible { node };
                        self.faults.report(&name.unwrap_or_default(), error);
                    }
                },
            }
        }
    }

    fn strike(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        id: ObjectId,
        blow: Impact,
    ) {
        let Some(object) = self.objects.get_mut(&id) else {
            return;
        };
        let reason = match &object.state {
            State::Live(live) => {
                let breaks = blow.impulse.norm() >= object.tuning.toughness;
                if live.dynamic && !live.broken && !breaks {
                    swap::push(graph, live.body, blow.point, blow.impulse);
                }
                match simulation.impact(hit(live.root, &blow, false)) {
                    Ok(()) => return,
                    Err(error) => error.to_string(),
                }
            }
            State::Waiting if object.early.len() < EARLY_LIMIT => {
                object.early.push(blow);
                return;
            }
            State::Waiting => "its files are still being loaded; strike it later".to_owned(),
            State::Faulty(reason) => reason.clone(),
            State::Gone => return,
        };
        self.faults.report(&object.name, &reason);
        let (node, name) = (object.node, object.name.clone());
        self.events.push(Event::Failed { node, name, reason });
    }

    pub(super) fn order(&mut self, target: Target, impact: Impact) -> Result<(), ImpactError> {
        check(&impact)?;
        if let Target::Object(id) = target {
            if let Some(Object {
                name,
                state: State::Faulty(reason),
                ..
            }) = self.objects.get(&id)
            {
                let (name, reason) = (name.clone(), reason.clone());
                return Err(ImpactError::Faulty { name, reason });
            }
        }
        match self.ordered.push(target, impact) {
            true => Ok(()),
            false => Err(ImpactError::TooMany),
        }
    }

    fn target_at(&self, node: Handle<Node>) -> Option<Target> {
        if let Some(id) = self.discovery.object_at(node) {
            return Some(Target::Object(id));
        }
        if let Some(body) = self.pieces.at_node(node) {
            return Some(Target::Piece(body));
        }
        let has = |(id, object): (&ObjectId, &Object)| {
            let live = object.live()?;
            let own =
                live.body == node || live.meshes.contains(&node) || live.colliders.contains(&node);
            own.then_some(Target::Object(*id))
        };
        let found = self.objects.iter().find_map(has);
        // Before the first update nothing has been seen, and nothing can be told.
        found.or((!self.discovery.has_seen_scene()).then_some(Target::Node(node)))
    }

    pub(super) fn cast_ray(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max: f32,
    ) -> Option<RayHit> {
        self.simulation
            .as_ref()?
            .cast_ray(vec3(origin), vec3(direction), max)
    }

    /// What a ray has met, if it can be struck.
    pub(super) fn struck_by(&self, hit: &RayHit) -> Option<(Target, Handle<Node>)> {
        let body = hit.body?;
        if let Some(piece) = self.pieces.get(body) {
            return Some((Target::Piece(body), piece.node));
        }
        self.objects.iter().find_map(|(id, object)| {
            let root = object.live()?.root == body;
            root.then_some((Target::Object(*id), object.node))
        })
    }
}

fn unseen(graph: &Graph, name: &str) -> Option<Target> {
    let (handle, _) = graph
        .pair_iter()
        .find(|(_, node)| node.name() == name && node.has_script::<Destructible>())?;
    Some(Target::Node(handle))
}

fn listed(names: Vec<String>) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.join(", ")
}

fn check(impact: &Impact) -> Result<(), ImpactError> {
    let bad = |what, value, range| Err(ImpactError::Value { what, value, range });
    for (what, vector) in [
        ("point", &impact.point),
        ("normal", &impact.normal),
        ("impulse", &impact.impulse),
    ] {
        if let Some(value) = vector.iter().find(|v| !v.is_finite()) {
            return bad(what, *value, "finite");
        }
    }
    if !(impact.energy >= 0.0 && impact.energy.is_finite()) {
        return bad("energy", impact.energy, "finite and not negative");
    }
    match impact.radius {
        Some(radius) if !(radius > 0.0 && radius.is_finite()) => {
            bad("radius", radius, "finite and above 0")
        }
        _ => Ok(()),
    }
}
