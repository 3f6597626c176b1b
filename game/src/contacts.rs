//! Finds the blows among the engine's contacts.

use crate::{blow::ContactImpact, bodies::key_of, bodies::mass_of, contact::Contact};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node},
};

/// Share of the toughness below which a contact is not worth mentioning.
const NOTEWORTHY: f32 = 0.1;
/// What a resting contact shows, in weights over a step: the solver's figure is up to 1.6.
const RESTING: f32 = 2.0;

/// What contacts carried in the frame before, so that only what is new counts.
///
/// A blow is the impulse between an object and a collider in a step, less what they carried in the step
/// before, and less the weight of the lighter body over a step. So a load may rest on an object, or
/// grow slowly, without breaking it.
#[derive(Default)]
pub(crate) struct ContactMemory {
    before: Vec<(Pair, f32)>,
    now: Vec<(Pair, f32)>,
    /// Memory for the contacts of an object.
    contacts: Vec<Contact>,
}

/// An object's body and a collider that touches it.
type Pair = (u64, u64);

/// One object as far as contacts matter.
pub(crate) struct Struck<'a> {
    /// Its rigid body node.
    pub body: Handle<Node>,
    /// Its colliders.
    pub colliders: &'a [Handle<Node>],
    /// The impulse that breaks it, N s.
    pub toughness: f32,
}

impl ContactMemory {
    /// Starts a frame.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.before.sort_unstable_by_key(|(pair, _)| *pair);
        self.now.clear();
    }

    /// The blows on an object in the last physics step; `dt` is its length in seconds.
    pub fn blows(&mut self, graph: &Graph, object: &Struck, dt: f32) -> Vec<ContactImpact> {
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.clear();
        for handle in object.colliders {
            let Ok(collider) = graph.try_get_of_type::<Collider>(*handle) else {
                continue;
            };
            if !collider.is_globally_enabled() {
                continue;
            }
            let pairs = collider.active_contacts(&graph.physics);
            for contact in pairs.filter_map(|pair| Contact::of(graph, &pair, *handle)) {
                // What is broken has several colliders; one blow may meet some of them.
                match contacts
                    .iter_mut()
                    .find(|known| known.other == contact.other)
                {
                    Some(known) => known.join(&contact),
                    None => contacts.push(contact),
                }
            }
        }
        let blow = |contact: &Contact| self.blow(graph, object, contact, dt);
        let blows = contacts.iter().filter_map(blow).collect();
        self.contacts = contacts;
        blows
    }

    fn blow(
        &mut self,
        graph: &Graph,
        object: &Struck,
        contact: &Contact,
        dt: f32,
    ) -> Option<ContactImpact> {
        if contact.impulse <= 0.0 {
            return None;
        }
        let key = (key_of(object.body), key_of(contact.other));
        self.now.push((key, contact.impulse));
        let noteworthy = NOTEWORTHY * object.toughness;
        let before = self.before.binary_search_by_key(&key, |(pair, _)| *pair);
        let before = before.ok().and_then(|place| self.before.get(place));
        let news = contact.impulse - before.map_or(0.0, |(_, impulse)| *impulse);
        if news <= noteworthy {
            return None; // the common case, before anything is looked up
        }
        let other_body = graph.try_get_node(contact.other).ok()?.parent();
        let masses = [mass_of(graph, object.body), mass_of(graph, other_body)];
        let lighter = masses.iter().flatten().copied().reduce(f32::min)?;
        let weight = lighter * graph.physics.gravity.norm() * dt.max(0.0);
        let impulse = contact.impulse - (RESTING * weight).max(contact.impulse - news);
        if impulse <= noteworthy {
            return None;
        }
        ContactImpact::of(graph, contact, impulse)
    }
}
