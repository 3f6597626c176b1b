//! Bodies that break nothing, whatever they strike: characters, say.

use std::collections::BTreeSet;

use crate::debris::BodyRef;
use crate::pieces::components::Breakable;
use crate::simulation::Simulation;

/// The bodies that break nothing.
#[derive(Default)]
pub(crate) struct HarmlessBodies {
    /// Keys of external bodies.
    keys: BTreeSet<u64>,
    /// Collision groups, as bits.
    groups: u32,
}

impl Simulation {
    /// Sets whether the contacts of an external body break nothing. It may be added later.
    pub fn set_harmless(&mut self, key: u64, harmless: bool) {
        if harmless {
            self.harmless.keys.insert(key);
        } else {
            self.harmless.keys.remove(&key);
        }
    }

    /// Sets the collision groups whose members break nothing, as bits: a body is harmless when all of its
    /// colliders belong to these groups only.
    pub fn set_harmless_groups(&mut self, groups: u32) {
        self.harmless.groups = groups;
    }

    /// Whether the contacts of a body break nothing.
    pub fn is_harmless(&self, body: BodyRef) -> bool {
        let HarmlessBodies { keys, groups } = &self.harmless;
        let is_in_groups = |memberships: u32| memberships & !groups == 0;
        match body {
            BodyRef::External(key) => {
                let memberships = || self.environment.streaming.memberships(key);
                keys.contains(&key) || (*groups != 0 && memberships().is_some_and(is_in_groups))
            }
            BodyRef::Breakable(id) => {
                let breakable = self.world.get::<&Breakable>(id.0);
                breakable.is_ok_and(|breakable| is_in_groups(breakable.asset.groups.memberships))
            }
        }
    }
}
