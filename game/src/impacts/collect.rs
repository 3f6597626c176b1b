//! Takes the blows from the engine's contacts.

use crate::{
    destruction::Destruction,
    impacts::{
        contact_impacts::{ContactImpact, StruckBody},
        impact::Impact,
    },
    object::{hit, LiveObject, Object, ObjectId},
};
use fracture_simulation::{BodyId, Simulation};
use fyrox::{core::algebra::Vector3, scene::graph::Graph};

/// Frames after which a striker has gone too far to be sent on.
const TOO_LATE: u64 = 4;

impl Destruction {
    /// Gives the blows of the last physics step to the simulation.
    pub(crate) fn take_contacts(&mut self, graph: &Graph, simulation: &mut Simulation, dt: f32) {
        let mut blows = Vec::new();
        self.contacts.begin();
        for (id, object) in &self.objects {
            let Some(live) = object.live().filter(|live| !live.held.is_empty()) else {
                continue;
            };
            let struck = StruckBody {
                body: live.body,
                colliders: &live.colliders,
                toughness: object.tuning.toughness,
            };
            let own = self.contacts.blows(graph, &struck, dt);
            blows.extend(own.into_iter().map(|blow| (*id, blow)));
        }
        for (id, reaction) in self.take_fast_contacts(graph, dt, &mut blows) {
            self.strike_body(simulation, id, &reaction);
        }
        for (id, blow) in blows {
            let impact = self.keep_carry(id, blow);
            self.strike_body(simulation, id, &impact);
        }
    }

    /// Adds what fast bodies did to objects; returns what objects that are fast bodies feel.
    fn take_fast_contacts(
        &mut self,
        graph: &Graph,
        dt: f32,
        blows: &mut Vec<(ObjectId, ContactImpact)>,
    ) -> Vec<(ObjectId, Impact)> {
        let live = self.objects.values().filter_map(Object::live);
        let own = live.filter(|live| live.dynamic && !live.held.is_empty());
        let bodies = self.surroundings.free.bodies();
        let bodies = bodies.chain(own.map(|live| live.body));
        let fast = self.fast_bodies.blows(graph, bodies, dt);
        let mut reactions = Vec::new();
        for fast in fast {
            let owner = |is: &dyn Fn(&LiveObject) -> bool| {
                let found = self.objects.iter().find(|(_, o)| o.live().is_some_and(is));
                found.map(|(id, _)| *id)
            };
            let striker = owner(&|live| live.body == fast.blow.striker());
            reactions.extend(striker.map(|id| (id, fast.reaction)));
            let struck = owner(&|live| live.colliders.contains(&fast.struck));
            blows.extend(struck.map(|id| (id, fast.blow)));
        }
        reactions
    }

    /// Takes note of what the striker gets back if the object breaks. A body that the engine moves
    /// has the blow in its velocity already, and its pieces inherit that; there is nothing to give.
    fn keep_carry(&mut self, id: ObjectId, blow: ContactImpact) -> Impact {
        let Some(object) = self.objects.get(&id) else {
            return blow.impact;
        };
        if object.live().is_none_or(|live| live.dynamic) {
            return blow.impact;
        }
        let (impact, carry) = blow.carried_on(&object.tuning.material());
        if let Some(carry) = carry {
            self.carries.entry(id).or_default().push(carry);
        }
        impact
    }

    fn strike_body(&mut self, simulation: &mut Simulation, id: ObjectId, impact: &Impact) {
        let Some(object) = self.objects.get(&id) else {
            return;
        };
        let Some(live) = object.live() else {
            return;
        };
        let body = self.held_at(live, impact.point);
        if let Err(error) = simulation.impact(hit(body, impact, live.dynamic)) {
            self.faults.report(&object.name, error);
        }
    }

    /// What the engine's body stands for at a point: the whole object, or one of its held pieces.
    fn held_at(&self, live: &LiveObject, point: Vector3<f32>) -> BodyId {
        let distance = |body: &BodyId| {
            let piece = self.pieces.get(*body);
            piece.map_or(f32::MAX, |piece| (piece.world_center() - point).norm())
        };
        let nearest = live
            .held
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.copied().unwrap_or(live.root)
    }

    /// Sends on what struck an object that has broken, if it broke soon enough.
    pub(crate) fn carry_on(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        id: ObjectId,
        broken: (BodyId, u64),
    ) {
        for carry in self.carries.remove(&id).unwrap_or_default() {
            if broken.1 < TOO_LATE {
                carry.apply(graph);
                let striker = self.owner_of(carry.striker());
                simulation.ignore_pieces(striker, broken.0);
            }
        }
    }
}
