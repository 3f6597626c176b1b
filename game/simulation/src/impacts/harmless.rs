//! Bodies that break nothing, whatever they strike: characters, say.

use std::collections::BTreeSet;

use crate::debris::BodyRef;
use crate::environment::Environment;
use crate::pieces::components::Breakable;

/// The bodies that break nothing.
#[derive(Default)]
pub(crate) struct HarmlessBodies {
    /// Keys of external bodies.
    keys: BTreeSet<u64>,
    /// Collision groups, as bits.
    groups: u32,
}

impl HarmlessBodies {
    /// Sets whether an external body is harmless.
    pub fn set_key(&mut self, key: u64, harmless: bool) {
        if harmless {
            self.keys.insert(key);
        } else {
            self.keys.remove(&key);
        }
    }

    /// Sets the collision groups whose members are harmless, as bits.
    pub fn set_groups(&mut self, groups: u32) {
        self.groups = groups;
    }

    /// Whether the contacts of a body break nothing.
    pub fn contains(&self, body: BodyRef, environment: &Environment, world: &hecs::World) -> bool {
        let HarmlessBodies { keys, groups } = self;
        let is_in_groups = |memberships: u32| memberships & !groups == 0;
        match body {
            BodyRef::External(key) => {
                let memberships = || environment.streaming.memberships(key);
                keys.contains(&key) || (*groups != 0 && memberships().is_some_and(is_in_groups))
            }
            BodyRef::Breakable(id) => {
                let breakable = world.get::<&Breakable>(id.0);
                breakable.is_ok_and(|breakable| is_in_groups(breakable.asset.groups.memberships))
            }
        }
    }
}
