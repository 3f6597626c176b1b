//! A collision as a blow: what it is to the object that is struck, and what it leaves the striker.

use crate::{
    impacts::{
        contact::Contact,
        impact::{collision_energy, reduced_mass, Impact},
    },
    mirror::engine_bodies::{key_of, mass_of, velocity_at},
};
use fracture_simulation::Material;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node, rigidbody::RigidBody},
};

/// Share of a blow's energy below which what is left is rounding.
const CRUMB: f32 = 0.01;

/// A collision that may break the object that is struck.
pub(crate) struct ContactImpact {
    /// As the struck object feels it.
    pub impact: Impact,
    /// The other rigid body.
    striker: Handle<Node>,
    /// Reduced mass of the two, kg.
    mass: f32,
    /// Speed at which they part along the normal, m/s.
    parting: f32,
}

/// What a striker is given back when the object breaks.
pub(crate) struct ResidualImpulse {
    striker: Handle<Node>,
    /// N s.
    impulse: Vector3<f32>,
}

impl ContactImpact {
    /// The blow of a contact, seen from the struck body, that carries `impulse` (N s).
    pub fn of(graph: &Graph, contact: &Contact, impulse: f32) -> Option<Self> {
        let body_of = |collider| Some(graph.try_get_node(collider).ok()?.parent());
        let (struck, striker) = (body_of(contact.own)?, body_of(contact.other)?);
        let velocity = |body| velocity_at(graph, body, contact.point);
        let parting = (velocity(striker) - velocity(struck)).dot(&contact.normal);
        let mass = reduced_mass(mass_of(graph, struck), mass_of(graph, striker));
        let energy = collision_energy(impulse, mass, parting);
        let impact = Impact::new(contact.point, contact.normal, energy);
        Some(Self {
            impact: impact.with_impulse(-contact.normal * impulse),
            striker,
            mass,
            parting,
        })
    }

    /// The other rigid body.
    pub fn striker(&self) -> Handle<Node> {
        self.striker
    }

    /// Parts the blow into what breaks an object of a material, and what is left of it.
    ///
    /// A break of radius `r` takes the energy `r^3 / energy_to_radius`, the inverse of how the
    /// radius follows from the energy. So a blow is spent, unless the radius meets its limit; what
    /// is beyond the limit goes on as motion of the striker, which the solver has stopped. A pane
    /// of glass lets a stone through, a wall does not.
    pub fn carried_on(mut self, material: &Material) -> (Impact, Option<ResidualImpulse>) {
        let impulse = self.impact.impulse.norm();
        let radius = material.radius(self.impact.energy);
        let spent = radius.powi(3) / material.energy_to_radius;
        let left = self.impact.energy - spent;
        let breaks = impulse >= material.toughness && impulse > 0.0;
        let goes_on = breaks && left > CRUMB * self.impact.energy && self.mass > 0.0;
        if !goes_on {
            return (self.impact, None);
        }
        let speed = (2.0 * left / self.mass).sqrt();
        let kept = (self.mass * (speed + self.parting)).clamp(0.0, impulse);
        let direction = self.impact.impulse / impulse;
        // The object has to feel enough to break.
        self.impact.impulse = direction * (impulse - kept).max(material.toughness);
        let carry = ResidualImpulse {
            striker: self.striker,
            impulse: direction * kept,
        };
        (self.impact, Some(carry))
    }
}

impl ResidualImpulse {
    /// The body that is sent on.
    pub fn striker(&self) -> Handle<Node> {
        self.striker
    }

    /// Sends the striker on its way.
    pub fn apply(&self, graph: &mut Graph) {
        let Some(mass) = mass_of(graph, self.striker) else {
            return;
        };
        if let Ok(striker) = graph.try_get_mut_of_type::<RigidBody>(self.striker) {
            let velocity = striker.lin_vel() + self.impulse / mass;
            if velocity.iter().all(|v| v.is_finite()) {
                striker.set_lin_vel(velocity);
                striker.wake_up();
            }
        }
    }
}

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
pub(crate) struct ContactHistory {
    before: Vec<(Pair, f32)>,
    now: Vec<(Pair, f32)>,
    /// Memory for the contacts of an object.
    contacts: Vec<Contact>,
}

/// An object's body and a collider that touches it.
type Pair = (u64, u64);

/// One object as far as contacts matter.
pub(crate) struct StruckBody<'a> {
    /// Its rigid body node.
    pub body: Handle<Node>,
    /// Its colliders.
    pub colliders: &'a [Handle<Node>],
    /// The impulse that breaks it, N s.
    pub toughness: f32,
}

impl ContactHistory {
    /// Starts a frame.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.before.sort_unstable_by_key(|(pair, _)| *pair);
        self.now.clear();
    }

    /// The blows on an object in the last physics step; `dt` is its length in seconds.
    pub fn blows(&mut self, graph: &Graph, object: &StruckBody, dt: f32) -> Vec<ContactImpact> {
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
        object: &StruckBody,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 2 kg that came at 10 m/s along -x and stopped.
    fn blow() -> ContactImpact {
        let impact = Impact::new(Vector3::zeros(), Vector3::x(), 100.0);
        ContactImpact {
            impact: impact.with_impulse(Vector3::new(-20.0, 0.0, 0.0)),
            striker: Handle::NONE,
            mass: 2.0,
            parting: 0.0,
        }
    }

    #[test]
    fn a_break_within_its_limits_takes_all() {
        let (impact, carry) = blow().carried_on(&Material {
            energy_to_radius: 1e-4,
            ..Material::default()
        });
        assert!(carry.is_none());
        assert_eq!(impact.impulse.x, -20.0);
    }

    #[test]
    fn what_the_limit_spares_goes_on() {
        let brittle = Material {
            toughness: 1.0,
            energy_to_radius: 0.125 / 36.0, // half a metre takes 36 J
            max_radius: 0.5,
            ..Material::default()
        };
        let (impact, carry) = blow().carried_on(&brittle);
        // 64 of 100 J are 8 of 10 m/s.
        let kept = carry.map(|carry| carry.impulse.x).unwrap_or_default();
        assert!((kept + 16.0).abs() < 1e-3, "{kept}");
        assert!(
            (impact.impulse.x + 4.0).abs() < 1e-3,
            "{}",
            impact.impulse.x
        );
    }

    #[test]
    fn what_does_not_break_gives_nothing_back() {
        let tough = Material {
            toughness: 21.0,
            energy_to_radius: 1.0,
            max_radius: 0.1,
            ..Material::default()
        };
        let (impact, carry) = blow().carried_on(&tough);
        assert!(carry.is_none());
        assert_eq!(impact.impulse.norm(), 20.0);
    }
}
