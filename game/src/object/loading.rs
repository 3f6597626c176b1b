//! Brings objects from discovery to the point where they can break.

use crate::{
    destruction::Destruction,
    impacts::queue::ImpactTarget,
    mirror::engine_bodies::key_of,
    object::{Object, ObjectState},
};
use fracture_simulation::Simulation;
use fyrox::scene::graph::Graph;
use std::collections::BTreeMap;

/// Updates after which an object that still waits for its files is reported: five seconds.
const PATIENCE: u32 = 300;

impl Destruction {
    /// Brings objects further that wait for their files.
    pub(crate) fn ready_objects(&mut self, graph: &Graph, simulation: &mut Simulation) {
        if !self
            .objects
            .values()
            .any(|object| matches!(object.state, ObjectState::Waiting))
        {
            return; // the common case
        }
        let owner = |object: &Object| Some((key_of(object.live()?.body), object.name.clone()));
        let mut owners: BTreeMap<_, _> = self.objects.values().filter_map(owner).collect();
        for (id, object) in &mut self.objects {
            if !matches!(object.state, ObjectState::Waiting) {
                continue;
            }
            object.enter(graph, simulation, &mut self.assets, &owners);
            owners.extend(owner(object));
            let fault = match &object.state {
                ObjectState::Waiting if object.waited == PATIENCE => {
                    Some("its mesh or pattern is still not loaded; check that the files exist")
                }
                ObjectState::Faulty(reason) => Some(reason.as_str()),
                ObjectState::Live(live) => {
                    for collider in &live.colliders {
                        self.surroundings.leave_out(simulation, graph, *collider);
                    }
                    None
                }
                _ => None,
            };
            if let Some(fault) = fault.filter(|fault| object.told.as_deref() != Some(fault)) {
                self.faults.report(&object.name, fault);
                object.told = Some(fault.to_owned());
            }
            object.waited = object.waited.saturating_add(1);
            if !matches!(object.state, ObjectState::Waiting) {
                let early = std::mem::take(&mut object.early);
                for blow in early {
                    self.ordered.push(ImpactTarget::Object(*id), blow);
                }
            }
        }
    }
}
