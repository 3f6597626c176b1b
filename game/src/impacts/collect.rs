//! Collects the impacts of the engine's last physics step and gives them to the simulation.

use crate::{
    fault::FaultLog,
    impacts::{
        contact_impacts::{ContactImpact, StruckBody},
        landings::tell_landings,
        resting::{tell_hanging, tell_load},
        scene_bodies::SceneBodies,
        separate_contacts::separate_contacts,
        Impacts,
    },
    mirror::{
        engine_bodies::{body_type, key_of},
        transforms::vec3,
    },
    object::{Object, ObjectId, Objects},
    players::Players,
};
use fracture_simulation::{geometry::glam::Vec3, BodyId, BodyRef, BrokenWay, Residual, Simulation};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node, rigidbody::RigidBodyType},
};

/// Frames from an impact to its break after which a striker does not get its residual impulse: it has
/// moved away from the object by then.
const MAX_RESIDUAL_DELAY: u64 = 4;

/// Least speed at which two bodies come together that push each other, m/s: without a speed the energy would be 0, which
/// means that it is not known.
const MIN_APPROACH: f32 = 1e-3;

/// An object or a piece of one that was broken.
pub(crate) struct BrokenObject {
    pub id: ObjectId,
    /// Its new pieces, without the islands.
    pub fragments: Vec<BodyId>,
    /// Point of the impact, m.
    pub point: Vec3,
    /// Radius of the break, m.
    pub radius: f32,
    /// Frames from the impact to the break.
    pub frames_waited: u64,
}

impl Impacts {
    /// Gives the impacts of the last physics step, which took `dt` seconds, to the simulation.
    pub fn collect(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        bodies: &SceneBodies,
        players: &Players,
        faults: &mut FaultLog,
        dt: f32,
    ) {
        let mut impacts = Vec::new();
        self.history.begin_step();
        for (id, object) in bodies.objects.iter() {
            let Some(live) = object.live().filter(|live| !live.held.is_empty()) else {
                continue;
            };
            let struck = StruckBody {
                body: live.body,
                colliders: &live.colliders,
                held: &live.held,
            };
            let found = self.history.impacts(graph, simulation, &struck, dt);
            for contact in &self.history.contacts {
                tell_load(graph, simulation, bodies, faults, object, contact, dt);
            }
            let found = found.into_iter();
            let felt =
                found.filter(|found| simulation.is_felt(&bodies.on_body(live, &found.impact)));
            impacts.extend(felt.map(|impact| (id, self.within_speed_before(graph, impact))));
        }
        tell_hanging(graph, simulation, bodies, faults, dt);
        tell_landings(graph, simulation, bodies, &self.bodies, faults, dt);
        self.collect_ccd(graph, bodies, dt, &mut impacts);
        impacts.retain(|(_, impact)| !is_harmless(simulation, bodies, impact.striker()));
        let mut impacts = at_places(graph, bodies, impacts);
        bodies.share_energy(simulation, &mut impacts);
        // The hardest first: a blow breaks an object before the support on which it presses it.
        impacts.sort_by(|(_, a), (_, b)| b.impact.energy.total_cmp(&a.impact.energy));
        for (id, impact) in impacts {
            if players.foretells(impact.striker()) {
                bodies.foretell(simulation, id, &impact.impact);
                continue;
            }
            let residual = self.record_residual(simulation, bodies, id, &impact);
            bodies.strike(simulation, faults, id, &impact.impact, residual);
        }
    }

    /// Computes the energy of an impact from the speed of the two bodies before it, if that is known.
    fn within_speed_before(&self, graph: &Graph, mut impact: ContactImpact) -> ContactImpact {
        if let Some(approach) = self.bodies.approach_before(graph, &impact) {
            // Gravity works along the way that they went, which may have ended early in the step.
            let way = self.bodies.way_in_step(graph, &impact);
            let work = graph.physics.gravity.dot(&way).max(0.0);
            let along = impact.impact.impulse.try_normalize(f32::MIN_POSITIVE);
            let speed = along.map_or(0.0, |along| approach.dot(&along).max(0.0));
            let speed = (speed * speed + 2.0 * work).sqrt();
            impact.set_approach(speed.max(MIN_APPROACH));
        }
        impact
    }

    /// Appends the impacts of bodies with continuous collision detection on objects, and those on the bodies
    /// that are objects themselves.
    fn collect_ccd(
        &mut self,
        graph: &Graph,
        bodies: &SceneBodies,
        dt: f32,
        impacts: &mut Vec<(ObjectId, ContactImpact)>,
    ) {
        let live = bodies.objects.values().filter_map(Object::live);
        let own = live.filter(|live| live.dynamic && !live.held.is_empty());
        let strikers = bodies.mirrored.bodies().chain(own.map(|live| live.body));
        for found in self.bodies.impacts(graph, strikers, dt) {
            let striker = bodies.objects.of_engine_body(found.impact.striker());
            if let Some(id) = striker {
                add_whole(impacts, id, found.impact.reversed(graph));
            }
            if let Some(id) = bodies.object_with_collider(found.struck) {
                add_whole(impacts, id, found.impact);
            }
        }
    }

    /// Records what the striker gets back if the object breaks, and returns it. A dynamic object has the whole
    /// impact in its velocity already, which its pieces inherit: its striker gets nothing back.
    fn record_residual(
        &mut self,
        simulation: &Simulation,
        bodies: &SceneBodies,
        id: ObjectId,
        impact: &ContactImpact,
    ) -> Residual {
        let live = bodies.objects.get(id).and_then(Object::live);
        let of_held = live.filter(|live| !live.dynamic).and_then(|live| {
            let on_body = bodies.on_body(live, &impact.impact);
            if simulation.breaks(&on_body) != Some(true) {
                return None;
            }
            impact.residual(&simulation.break_through(&on_body)?)
        });
        let Some(residual) = of_held else {
            return Residual::default();
        };
        let kept = residual.of_simulation();
        self.residuals.entry(id).or_default().push(residual);
        kept
    }

    /// Gives the strikers of a broken object their residual impulses, if it broke soon enough, and lets
    /// them pass through its fragments.
    pub fn apply_residuals(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        objects: &Objects,
        broken: &BrokenObject,
    ) {
        for residual in self.residuals.remove(&broken.id).unwrap_or_default() {
            if broken.frames_waited < MAX_RESIDUAL_DELAY {
                residual.apply(graph);
                let way = BrokenWay {
                    point: broken.point,
                    direction: vec3(residual.direction()),
                    radius: broken.radius,
                };
                let striker = objects.body_ref(residual.striker());
                simulation.let_through(striker, &broken.fragments, way);
            }
        }
    }
}

/// Whether a rigid body node breaks nothing.
fn is_harmless(simulation: &Simulation, bodies: &SceneBodies, striker: Handle<Node>) -> bool {
    let external = BodyRef::External(key_of(striker));
    let refs = [external, bodies.objects.body_ref(striker)];
    refs.into_iter().any(|body| simulation.is_harmless(body))
}

/// Impacts of objects that land, at each of the places where they have touched what does not move.
fn at_places(
    graph: &Graph,
    bodies: &SceneBodies,
    impacts: Vec<(ObjectId, ContactImpact)>,
) -> Vec<(ObjectId, ContactImpact)> {
    let divided = impacts.into_iter().flat_map(|(id, impact)| {
        let live = bodies.objects.get(id).and_then(Object::live);
        let is_hit = body_type(graph, impact.striker()) == Some(RigidBodyType::Dynamic);
        let landed = live.filter(|live| live.dynamic && !is_hit);
        let places = landed.map_or_else(Vec::new, |live| {
            separate_contacts(graph, live, impact.striking_collider())
        });
        let divided = impact.divided(&places).into_iter();
        divided.map(move |impact| (id, impact))
    });
    divided.collect()
}

/// Adds an impact on an object to those that are known. Contacts may show a part of it: the whole counts.
fn add_whole(impacts: &mut Vec<(ObjectId, ContactImpact)>, id: ObjectId, whole: ContactImpact) {
    let mut known = impacts.iter_mut();
    match known.find(|(own, known)| *own == id && known.is_of_same_striker(&whole)) {
        Some((_, known)) if known.impact.energy < whole.impact.energy => *known = whole,
        Some(_) => {}
        None => impacts.push((id, whole)),
    }
}
