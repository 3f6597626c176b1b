//! Blows from game code: on an object, in all directions, along a ray.

use crate::{
    destruction::Destruction,
    events::Event,
    impacts::{
        impact::Impact,
        queue::{ImpactError, ImpactTarget},
    },
    mirror::{engine_bodies::mass_of, transforms::vec3},
    object::{hit, Object, ObjectId, ObjectState},
    script::destructible::Destructible,
    swap,
};
use fracture_simulation::{rapier3d::math::Vec3, BodyId, RayHit, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody, Scene},
};

/// Blows that wait for one object's files.
const EARLY_LIMIT: usize = 8;

impl Destruction {
    /// Strikes the object or piece that a node belongs to, in the next update. The node may be the
    /// one with the script, its rigid body, one of its meshes or colliders, or that of a piece. Of
    /// settled pieces that share a node it is the one nearest to the blow.
    pub fn impact(&mut self, node: Handle<Node>, impact: Impact) -> Result<(), ImpactError> {
        let merged = || self.nearest_of(node, impact.point).map(ImpactTarget::Piece);
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
        let object = self.object_named(name).map(ImpactTarget::Object);
        let piece = || self.pieces.at_name(name).map(ImpactTarget::Piece);
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
    pub(crate) fn take_messages(&mut self, graph: &mut Graph) {
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
                self.ordered.push(ImpactTarget::Object(*id), blow);
            }
        }
    }

    /// Gives the ordered blows to the simulation.
    pub(crate) fn take_orders(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        for (target, blow) in self.ordered.take() {
            match target {
                ImpactTarget::Object(id) => self.strike(graph, simulation, id, blow),
                ImpactTarget::Piece(body) => {
                    // A piece that has gone meanwhile cannot be struck.
                    let _ = simulation.impact(hit(body, &blow, false));
                }
                ImpactTarget::Node(node) => match self.target_at(node) {
                    Some(ImpactTarget::Object(id)) => self.strike(graph, simulation, id, blow),
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
            ObjectState::Live(live) => {
                let breaks = blow.impulse.norm() >= object.tuning.toughness;
                if live.dynamic && !live.broken && !breaks {
                    swap::push(graph, live.body, blow.point, blow.impulse);
                }
                match simulation.impact(hit(live.root, &blow, false)) {
                    Ok(()) => return,
                    Err(error) => error.to_string(),
                }
            }
            ObjectState::Waiting if object.early.len() < EARLY_LIMIT => {
                object.early.push(blow);
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

    pub(crate) fn order(
        &mut self,
        target: ImpactTarget,
        impact: Impact,
    ) -> Result<(), ImpactError> {
        check(&impact)?;
        if let ImpactTarget::Object(id) = target {
            if let Some(Object {
                name,
                state: ObjectState::Faulty(reason),
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

    fn target_at(&self, node: Handle<Node>) -> Option<ImpactTarget> {
        if let Some(id) = self.discovery.object_at(node) {
            return Some(ImpactTarget::Object(id));
        }
        if let Some(body) = self.pieces.at_node(node) {
            return Some(ImpactTarget::Piece(body));
        }
        let has = |(id, object): (&ObjectId, &Object)| {
            let live = object.live()?;
            let own =
                live.body == node || live.meshes.contains(&node) || live.colliders.contains(&node);
            own.then_some(ImpactTarget::Object(*id))
        };
        let found = self.objects.iter().find_map(has);
        // Before the first update nothing has been seen, and nothing can be told.
        found.or((!self.discovery.has_seen_scene()).then_some(ImpactTarget::Node(node)))
    }

    pub(crate) fn cast_ray(
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
    pub(crate) fn struck_by(&self, hit: &RayHit) -> Option<(ImpactTarget, Handle<Node>)> {
        let body = hit.body?;
        if let Some(piece) = self.pieces.get(body) {
            return Some((ImpactTarget::Piece(body), piece.node));
        }
        self.objects.iter().find_map(|(id, object)| {
            let root = object.live()?.root == body;
            root.then_some((ImpactTarget::Object(*id), object.node))
        })
    }
}

fn unseen(graph: &Graph, name: &str) -> Option<ImpactTarget> {
    let (handle, _) = graph
        .pair_iter()
        .find(|(_, node)| node.name() == name && node.has_script::<Destructible>())?;
    Some(ImpactTarget::Node(handle))
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

impl Destruction {
    /// Strikes all objects within `radius` (m) of `center`, in the next update. Each gets the part
    /// `(1 - distance / radius)^2` of `energy` (J) at its point nearest to the centre, as far as
    /// nothing stands between. Returns how many were struck.
    pub fn explosion(
        &mut self,
        scene: &Scene,
        center: Vector3<f32>,
        radius: f32,
        energy: f32,
    ) -> usize {
        if !(radius > 0.0 && radius.is_finite()) {
            return 0;
        }
        let mut struck = 0;
        for (target, point) in self.points_towards(&scene.graph, center) {
            let way = point - center;
            let share = 1.0 - way.norm() / radius;
            if share <= 0.0 {
                continue;
            }
            let (point, normal) = self.surface_towards(center, point, target);
            if (point - center).norm() >= radius {
                continue;
            }
            let blow = Impact::new(point, normal, energy * share * share);
            let direction = way.try_normalize(f32::EPSILON).unwrap_or(-blow.normal);
            let push = direction * blow.impulse.norm();
            struck += usize::from(self.order(target, blow.with_impulse(push)).is_ok());
        }
        struck
    }

    /// All that can be struck, with the point of its box nearest to a point.
    fn points_towards(
        &self,
        graph: &Graph,
        center: Vector3<f32>,
    ) -> Vec<(ImpactTarget, Vector3<f32>)> {
        let nearest = |node: Handle<Node>| {
            let bounds = graph.try_get_node(node).ok()?.world_bounding_box();
            Some(center.sup(&bounds.min).inf(&bounds.max))
        };
        let distance = |point: &Vector3<f32>| (point - center).norm_squared();
        let closest = |meshes: &[Handle<Node>]| {
            let points = meshes.iter().filter_map(|mesh| nearest(*mesh));
            points.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        let whole = self.objects.iter().filter_map(|(id, object)| {
            let live = object.live().filter(|live| !live.broken)?;
            Some((ImpactTarget::Object(*id), closest(&live.meshes)?))
        });
        let pieces = self.pieces.iter().filter_map(|(body, piece)| {
            let point = match piece.merged {
                true => piece.world_center(), // the node's box is that of many
                false => nearest(piece.node)?,
            };
            Some((ImpactTarget::Piece(body), point))
        });
        whole.chain(pieces).collect()
    }

    /// Of the pieces that a node shows together, the one nearest to a point.
    pub(crate) fn nearest_of(&self, node: Handle<Node>, point: Vector3<f32>) -> Option<BodyId> {
        let distance = |body: BodyId| {
            let center = self.pieces.get(body)?.world_center();
            Some(((center - point).norm_squared(), body))
        };
        let measured = self.batches.pieces_at(node).filter_map(distance);
        let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, body)| body)
    }

    /// Where a target's surface is met on the way to a point of its box, and its normal there; where
    /// the ray meets nothing or another body, the nearest point of its surface, which the box may be
    /// far from, or that of the box while it is collided with nowhere.
    fn surface_towards(
        &self,
        center: Vector3<f32>,
        point: Vector3<f32>,
        target: ImpactTarget,
    ) -> (Vector3<f32>, Vector3<f32>) {
        let way = point - center;
        let away = (-way)
            .try_normalize(f32::EPSILON)
            .unwrap_or_else(Vector3::y);
        let hit = self.cast_ray(center, way, way.norm() * 2.0 + 1.0);
        match hit.filter(|hit| {
            self.struck_by(hit)
                .is_some_and(|(other, _)| other == target)
        }) {
            Some(hit) => (
                Vector3::from(hit.point.to_array()),
                Vector3::from(hit.normal.to_array()),
            ),
            None => self
                .nearest_surface(target, center)
                .unwrap_or((point, away)),
        }
    }

    fn nearest_surface(
        &self,
        target: ImpactTarget,
        point: Vector3<f32>,
    ) -> Option<(Vector3<f32>, Vector3<f32>)> {
        let body = match target {
            ImpactTarget::Piece(body) => body,
            ImpactTarget::Object(id) => self.objects.get(&id)?.live()?.root,
            ImpactTarget::Node(_) => return None,
        };
        let simulation = self.simulation.as_ref()?;
        let [at, outward] = simulation.nearest_surface(body, vec3(point))?;
        let vector = |v: Vec3| Vector3::from(v.to_array());
        Some((vector(at), vector(outward)))
    }
}

/// Rays from one end of the stroke to the other.
const RAYS: u32 = 160;

impl Destruction {
    /// Cuts everything that is seen from `eye` (m) along a stroke from one direction to another, and
    /// is nearer than `reach`: each object and piece that a fan of rays meets first is cut in two, in
    /// the next update, by the plane of the stroke. Returns how many.
    ///
    /// A stroke of no length, or longer than half a turn, cuts nothing.
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
        let Some(across) = from.cross(&to).try_normalize(1e-4) else {
            return 0;
        };
        let mut met: Vec<ImpactTarget> = Vec::new();
        for ray in 0..RAYS {
            let share = ray as f32 / (RAYS - 1) as f32;
            let direction = from + (to - from) * share;
            let Some(hit) = self.cast_ray(eye, direction, reach) else {
                continue;
            };
            let Some((target, _)) = self.struck_by(&hit) else {
                continue;
            };
            let point = Vector3::from(hit.point.to_array());
            if !met.contains(&target) && self.order(target, Impact::blade(point, across)).is_ok() {
                met.push(target);
            }
        }
        met.len()
    }
}

impl Destruction {
    /// Pushes the first thing on a ray along it, now, whatever its toughness: a free piece, an object
    /// or any other body that the engine's physics moves. `impulse` is in N s; what is light gets less
    /// of it, so that its speed changes by no more than `speed`, m/s. Returns the node that was pushed;
    /// nothing when what the ray meets does not move.
    pub fn push(
        &mut self,
        scene: &mut Scene,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
        [impulse, speed]: [f32; 2],
    ) -> Option<Handle<Node>> {
        let direction = direction.try_normalize(f32::EPSILON)?;
        if !(impulse.is_finite() && speed >= 0.0) {
            return None;
        }
        let push = |mass: f32| direction * impulse.min(mass * speed);
        let hit = self.cast_ray(origin, direction, max_distance)?;
        let point = Vector3::from(hit.point.to_array());
        match self.struck_by(&hit) {
            Some((ImpactTarget::Piece(body), node)) => {
                let simulation = self.simulation.as_mut()?;
                let pushed = simulation.push(body, hit.point, |mass| vec3(push(mass)));
                pushed.then_some(node)
            }
            Some((ImpactTarget::Object(id), node)) => {
                let live = self.objects.get(&id)?.live()?;
                let free = live.dynamic && !live.broken;
                free.then(|| push_body(&mut scene.graph, live.body, point, push))?;
                Some(node)
            }
            _ => {
                let node = self.ray(origin, direction, max_distance)?.node;
                scene.graph.try_get_of_type::<RigidBody>(node).ok()?;
                push_body(&mut scene.graph, node, point, push);
                Some(node)
            }
        }
    }
}

fn push_body(
    graph: &mut Graph,
    body: Handle<Node>,
    point: Vector3<f32>,
    push: impl Fn(f32) -> Vector3<f32>,
) {
    let mass = mass_of(graph, body).unwrap_or(0.0);
    swap::push(graph, body, point, push(mass));
}
