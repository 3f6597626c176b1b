//! The bodies of a scene, as impacts meet them.

use crate::{
    fault::FaultLog,
    impacts::{contact_impacts::ContactImpact, impact::Impact},
    mirror::bodies::MirroredBodies,
    object::{LiveObject, Object, ObjectId, Objects},
    swap::pieces::PieceStore,
};
use fracture_simulation::{BodyId, Residual, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use std::collections::BTreeSet;

/// The bodies that can strike or be struck.
pub(crate) struct SceneBodies<'a> {
    pub objects: &'a Objects,
    pub pieces: &'a PieceStore,
    pub mirrored: &'a MirroredBodies,
}

impl SceneBodies<'_> {
    /// Halves the energy of collisions that break both objects, as for collisions of debris. Of two objects of
    /// which one breaks, that gets the whole.
    pub fn share_energy(&self, simulation: &Simulation, impacts: &mut [(ObjectId, ContactImpact)]) {
        let striker_that_breaks = |(id, impact): &(ObjectId, ContactImpact)| {
            let striker = self.objects.of_engine_body(impact.striker())?;
            let breaks = self.breaks(simulation, *id, &impact.impact);
            breaks.then_some((*id, striker))
        };
        let breaks: BTreeSet<_> = impacts.iter().filter_map(striker_that_breaks).collect();
        for (id, impact) in impacts {
            let striker = self.objects.of_engine_body(impact.striker());
            let both = |other| breaks.contains(&(*id, other)) && breaks.contains(&(other, *id));
            if striker.is_some_and(both) {
                impact.impact.energy *= 0.5;
            }
        }
    }

    /// Whether an impact breaks an object. One whose size is not known yet may break.
    pub fn breaks(&self, simulation: &Simulation, id: ObjectId, impact: &Impact) -> bool {
        let live = self.objects.get(id).and_then(Object::live);
        let breaks = |live| {
            simulation
                .breaks(&self.on_body(live, impact))
                .unwrap_or(true)
        };
        live.is_some_and(breaks)
    }

    /// The impact on a rigid body in the terms of the simulation.
    pub fn on_body(&self, live: &LiveObject, impact: &Impact) -> fracture_simulation::Impact {
        impact.on_body(self.held_at(live, impact.point), live.dynamic)
    }

    /// Gives an impact on an object's rigid body to the simulation.
    pub fn strike(
        &self,
        simulation: &mut Simulation,
        faults: &mut FaultLog,
        id: ObjectId,
        impact: &Impact,
        residual: Residual,
    ) {
        let Some(object) = self.objects.get(id) else {
            return;
        };
        let Some(live) = object.live() else {
            return;
        };
        let impact = fracture_simulation::Impact {
            residual,
            ..self.on_body(live, impact)
        };
        if let Err(error) = simulation.impact(impact) {
            faults.report(&object.name, error);
        }
    }

    /// Foretells an impact on an object's rigid body, as a client, if it may break anything.
    pub fn foretell(&self, simulation: &mut Simulation, id: ObjectId, impact: &Impact) {
        let live = self.objects.get(id).and_then(Object::live);
        if let Some(live) = live.filter(|_| self.breaks(simulation, id, impact)) {
            // Refused only when the piece has been removed since.
            let _ = simulation.foretell(self.on_body(live, impact));
        }
    }

    /// The simulation body that a rigid body stands for at a point: the intact object, or the nearest held
    /// piece.
    pub fn held_at(&self, live: &LiveObject, point: Vector3<f32>) -> BodyId {
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

    /// The object that a collider belongs to. Impacts of fast bodies are rare: all objects are searched.
    pub fn object_with_collider(&self, collider: Handle<Node>) -> Option<ObjectId> {
        let has_collider = |object: &Object| {
            let live = object.live();
            live.is_some_and(|live| live.colliders.contains(&collider))
        };
        let mut objects = self.objects.iter();
        objects
            .find(|(_, object)| has_collider(object))
            .map(|(id, _)| id)
    }
}
