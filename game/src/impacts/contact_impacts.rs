//! Impacts found in the engine's contacts, and the impulse that a striker keeps when the object breaks.

use crate::{
    impacts::{
        contact::Contact,
        impact::{collision_energy, reduced_mass, Impact},
        touch::Touch,
    },
    mirror::{
        engine_bodies::{
            body_type, center_of_mass, collider_volume, dynamic_mass, key_of, mass_against_push,
            mass_properties, velocity_at,
        },
        transforms::vec3,
    },
    swap,
};
use fracture_simulation::{BodyId, BreakThrough, Push, Residual, Simulation, Striker};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node, rigidbody::RigidBodyType},
};
use rapier3d::dynamics::MassProperties;

/// Impulse of a resting contact, in units of the lighter body's weight times the step. The solver reports
/// up to 1.6 of it.
const RESTING_LOAD: f32 = 2.0;
/// Share of an impact's energy below which the residual is rounding.
const MIN_RESIDUAL_SHARE: f32 = 0.01;

/// An impact found in a contact, with the striker.
pub(crate) struct ContactImpact {
    /// The impact on the struck object.
    pub impact: Impact,
    /// The collider that was struck, and the one that struck.
    colliders: [Handle<Node>; 2],
    /// Mean place of the impulse, world space, metres.
    point: Vector3<f32>,
    /// The rigid body node that was struck.
    struck: Handle<Node>,
    /// The rigid body node that struck.
    striker: Handle<Node>,
    /// Reduced mass of the two against a push there, kg.
    mass: f32,
    /// Separation speed after the contact along the normal, m/s.
    separation: f32,
    /// The same of the striker's centre of mass, where spin adds nothing, m/s.
    recoil: f32,
}

/// The impulse that a striker gets back if the object breaks.
pub(crate) struct ResidualImpulse {
    striker: Handle<Node>,
    struck: Handle<Node>,
    /// Place of the impact, world space, metres.
    point: Vector3<f32>,
    /// N s; as of the step in which the engine has stopped the striker.
    impulse: Vector3<f32>,
    /// Mass that resists the impulse, kg.
    mass: f32,
    /// J
    energy: f32,
    /// Speed at which the striker goes on along the impulse, m/s.
    speed: f32,
    /// Mean radius of what it pushes along, metres.
    pushed_radius: f32,
    /// Change of the striker's speed there by the contact, m/s.
    lost_speed: f32,
}

impl ContactImpact {
    /// Creates the impact of a contact seen from the struck body, with an impulse in N s.
    pub fn new(graph: &Graph, contact: &Contact, impulse: f32) -> Option<Self> {
        Self::with_mass(graph, contact, impulse, |body, mass, touch| {
            mass_against_push(graph, body, mass, touch.point, touch.normal)
        })
    }

    /// Creates the impact of a contact whose place is not known well: as if through the centres of mass.
    pub fn central(graph: &Graph, contact: &Contact) -> Option<Self> {
        Self::with_mass(graph, contact, contact.impulse, |_, mass, _| mass.mass())
    }

    /// Creates the impact of a contact; `against_push` tells the mass of a body that resists it, kg.
    fn with_mass(
        graph: &Graph,
        contact: &Contact,
        impulse: f32,
        against_push: impl Fn(Handle<Node>, &MassProperties, &Touch) -> f32,
    ) -> Option<Self> {
        let body_of = |collider| Some(graph.try_get_node(collider).ok()?.parent());
        let (struck, striker) = (body_of(contact.own)?, body_of(contact.other)?);
        let velocity = |body| velocity_at(graph, body, contact.point);
        let separation = (velocity(striker) - velocity(struck)).dot(&contact.normal);
        let [of_struck, of_striker] = [struck, striker].map(|body| mass_properties(graph, body));
        let against = |body, mass: &Option<MassProperties>, touch: &Touch| {
            let mass = mass.as_ref()?;
            Some(against_push(body, mass, touch))
        };
        let mass = reduced_mass(
            against(struck, &of_struck, &contact.touch),
            against(striker, &of_striker, &contact.other_touch),
        );
        let stopped = stopped_share(mass, of_struck.map(|whole| whole.mass()));
        let striker_mass = of_striker.map(|mass| mass.mass());
        let energy = collision_energy(impulse, mass, separation);
        let impact = Impact::new(contact.touch.point, contact.touch.normal, energy)
            .with_impulse(-contact.normal * impulse)
            .with_striker(striker_of(graph, striker, striker_mass, stopped));
        Some(Self {
            impact,
            colliders: [contact.own, contact.other],
            point: contact.point,
            struck,
            striker,
            mass,
            separation,
            recoil: recoil(graph, striker, struck, contact.point, contact.normal),
        })
    }

    /// Computes the energy anew for two bodies that came together at a speed along the normal (m/s). It is no more
    /// than theirs: the solver's impulse also pushes bodies apart that overlap, passes on what a third body does, and
    /// brakes by friction. And how they separate does not matter any more: a body that the impact has turned far in
    /// the step seems to bounce.
    pub fn set_approach(&mut self, speed: f32) {
        let impulse = self.impact.impulse.norm();
        let by_impulse = collision_energy(impulse, self.mass, self.separation.min(0.0));
        self.impact.energy = by_impulse.min(0.5 * self.mass * speed * speed);
    }

    /// The impact at each of some places where the two have touched, with a share of it that goes by the impulses there.
    pub fn divided(self, places: &[Contact]) -> Vec<Self> {
        let sum: f32 = places.iter().map(|place| place.impulse).sum();
        if places.len() < 2 || sum <= 0.0 {
            return vec![self];
        }
        let impulse = self.impact.impulse.norm();
        let at = |place: &Contact| {
            let share = place.impulse / sum;
            let impact = Impact {
                point: place.touch.point,
                normal: place.touch.normal,
                impulse: -place.normal * (impulse * share),
                energy: self.impact.energy * share,
                striker: match self.impact.striker {
                    Striker::Ground { stopped } => Striker::Ground {
                        stopped: stopped * share,
                    },
                    other => other,
                },
                ..self.impact.clone()
            };
            Self {
                impact,
                point: place.point,
                mass: self.mass * share,
                ..self
            }
        };
        places.iter().map(at).collect()
    }

    /// Whether another impact has the same striker.
    pub fn is_of_same_striker(&self, other: &Self) -> bool {
        self.striker == other.striker
    }

    /// Whether another impact is that of the struck body on the striker.
    pub fn is_reverse_of(&self, other: &Self) -> bool {
        self.striker == other.struck && self.struck == other.striker
    }

    /// Mean place of the impulse, world space, metres.
    pub fn point(&self) -> Vector3<f32> {
        self.point
    }

    /// The collider that struck.
    pub fn striking_collider(&self) -> Handle<Node> {
        self.colliders[1]
    }

    /// The rigid body node that was struck.
    pub fn struck(&self) -> Handle<Node> {
        self.struck
    }

    /// The rigid body node that struck.
    pub fn striker(&self) -> Handle<Node> {
        self.striker
    }

    /// The impact of the same collision on the striker.
    pub fn reversed(&self, graph: &Graph) -> Self {
        let mass = dynamic_mass(graph, self.struck);
        let stopped = stopped_share(self.mass, dynamic_mass(graph, self.striker));
        let striker = striker_of(graph, self.struck, mass, stopped);
        let impact = self.impact.reversed().with_striker(striker);
        let away = -impact.impulse.try_normalize(0.0).unwrap_or_default();
        let [struck, striking] = self.colliders;
        Self {
            impact,
            colliders: [striking, struck],
            struck: self.striker,
            striker: self.struck,
            recoil: recoil(graph, self.struck, self.striker, self.point, away),
            ..*self
        }
    }

    /// The part of an impact that stays with a striker that breaks through: a stone goes through a pane of glass, and
    /// not through a wall. The solver has stopped the striker, as if the object could not break.
    pub fn residual(&self, through: &BreakThrough) -> Option<ResidualImpulse> {
        let impulse = self.impact.impulse.norm();
        let left = self.impact.energy - through.energy;
        let has_residual =
            impulse > 0.0 && left > MIN_RESIDUAL_SHARE * self.impact.energy && self.mass > 0.0;
        has_residual.then(|| {
            // It pushes what was before it along.
            let share = self.mass / (self.mass + through.pushed_mass);
            let speed = share * (2.0 * left / self.mass).sqrt();
            let kept = (self.mass * (speed + self.recoil)).clamp(0.0, impulse);
            ResidualImpulse {
                striker: self.striker,
                struck: self.struck,
                point: self.point,
                impulse: self.impact.impulse * (kept / impulse),
                mass: self.mass,
                energy: 0.5 * self.mass * speed * speed,
                speed: kept / self.mass - self.recoil,
                pushed_radius: through.pushed_radius,
                lost_speed: impulse / self.mass,
            }
        })
    }
}

/// Speed at which the centre of mass of a striker leaves a point of the struck body along a normal, m/s.
fn recoil(
    graph: &Graph,
    striker: Handle<Node>,
    struck: Handle<Node>,
    point: Vector3<f32>,
    normal: Vector3<f32>,
) -> f32 {
    let center = center_of_mass(graph, striker);
    let velocity = velocity_at(graph, striker, center) - velocity_at(graph, struck, point);
    velocity.dot(&normal)
}

/// A rigid body as the striker of others, from its mass (kg; `None` unless it is dynamic) and the volume of its
/// colliders, or from the share of the other's mass that it stops where it stands.
fn striker_of(graph: &Graph, body: Handle<Node>, mass: Option<f32>, stopped: f32) -> Striker {
    if body_type(graph, body) == Some(RigidBodyType::Static) {
        return Striker::Ground { stopped };
    }
    Striker::from_mass(mass, Some(collider_volume(graph, body)))
}

/// The share of a body's mass (kg) that resists an impact as a mass (kg); all where that is not known.
fn stopped_share(mass: f32, whole: Option<f32>) -> f32 {
    let share = whole.map(|whole| mass / whole);
    share
        .filter(|share| *share > 0.0 && *share < 1.0)
        .unwrap_or(1.0)
}

impl ResidualImpulse {
    /// The rigid body node that gets the impulse.
    pub fn striker(&self) -> Handle<Node> {
        self.striker
    }

    /// The residual in the terms of the simulation.
    pub fn of_simulation(&self) -> Residual {
        Residual {
            impulse: vec3(self.impulse),
            energy: self.energy,
            pushed_radius: self.pushed_radius,
        }
    }

    /// The direction in which the striker goes on; it need not be a unit vector.
    pub fn direction(&self) -> Vector3<f32> {
        self.impulse
    }

    /// Pushes the striker on, at most as fast as it came: through its centre, which gives it no spin besides. It has
    /// been stopped since the impact, and gravity may have changed its speed meanwhile.
    pub fn apply(&self, graph: &mut Graph) {
        let Some(along) = self.impulse.try_normalize(0.0) else {
            return;
        };
        let recoil = recoil(graph, self.striker, self.struck, self.point, -along);
        let push = Push {
            impulse: vec3(along * (self.mass * (self.speed + recoil).max(0.0))),
            // What is left is energy of the motion that the striker has in the end, not of this change of it.
            energy: 0.0,
            max_speed: self.lost_speed,
        };
        let center = center_of_mass(graph, self.striker);
        swap::push_body(graph, self.striker, center, &push);
    }
}

/// The contact impulses of the last step, to tell impacts from resting loads.
///
/// The impulse of an impact is the one between an object and a collider in a step, minus the larger of
/// their impulse in the step before and the weight of the lighter body over a step. So a load may rest on
/// an object, or grow slowly, without breaking it.
#[derive(Default)]
pub(crate) struct ContactHistory {
    previous: Vec<(Pair, f32)>,
    current: Vec<(Pair, f32)>,
    /// The contacts of the object that was looked at last.
    pub contacts: Vec<Contact>,
}

/// Keys of an object's rigid body and of a collider that touches it.
type Pair = (u64, u64);

/// The rigid body of an object that may be struck.
pub(crate) struct StruckBody<'a> {
    pub body: Handle<Node>,
    pub colliders: &'a [Handle<Node>],
    /// The bodies of the simulation that it stands for: the intact object, or its held pieces.
    pub held: &'a [BodyId],
}

impl ContactHistory {
    /// Begins a physics step.
    pub fn begin_step(&mut self) {
        std::mem::swap(&mut self.previous, &mut self.current);
        self.previous.sort_unstable_by_key(|(pair, _)| *pair);
        self.current.clear();
    }

    /// Returns the impacts on an object in the last physics step, which took `dt` seconds.
    pub fn impacts(
        &mut self,
        graph: &Graph,
        simulation: &Simulation,
        object: &StruckBody,
        dt: f32,
    ) -> Vec<ContactImpact> {
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
            for contact in pairs.filter_map(|pair| Contact::new(graph, &pair, *handle)) {
                // A broken object has several colliders; one impact may touch some of them.
                match contacts
                    .iter_mut()
                    .find(|known| known.other == contact.other)
                {
                    Some(known) => known.merge(&contact),
                    None => contacts.push(contact),
                }
            }
        }
        if contacts.is_empty() {
            self.contacts = contacts;
            return Vec::new(); // the common case
        }
        let felt = object.held.iter();
        let felt = felt.map(|body| simulation.least_felt_impulse(*body));
        let least = felt.fold(f32::INFINITY, f32::min);
        let impact = |contact: &Contact| self.impact(graph, object.body, contact, least, dt);
        let impacts = contacts.iter().filter_map(impact).collect();
        self.contacts = contacts;
        impacts
    }

    /// The impact of a contact; `None` for a resting load, or an impulse of at most `least` (N s).
    fn impact(
        &mut self,
        graph: &Graph,
        body: Handle<Node>,
        contact: &Contact,
        least: f32,
        dt: f32,
    ) -> Option<ContactImpact> {
        if contact.impulse <= 0.0 {
            return None;
        }
        let key = (key_of(body), key_of(contact.other));
        self.current.push((key, contact.impulse));
        let index = self.previous.binary_search_by_key(&key, |(pair, _)| *pair);
        let previous = index.ok().and_then(|index| self.previous.get(index));
        let increase = contact.impulse - previous.map_or(0.0, |(_, impulse)| *impulse);
        if increase <= least {
            return None; // the common case, before anything is looked up
        }
        let other_body = graph.try_get_node(contact.other).ok()?.parent();
        let masses = [dynamic_mass(graph, body), dynamic_mass(graph, other_body)];
        let lighter = masses.iter().flatten().copied().reduce(f32::min)?;
        let weight = lighter * graph.physics.gravity.norm() * dt.max(0.0);
        let impulse = contact.impulse - (RESTING_LOAD * weight).max(contact.impulse - increase);
        if impulse <= least {
            return None;
        }
        ContactImpact::new(graph, contact, impulse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The impact of 2 kg that came at 10 m/s along -x and stopped.
    fn impact() -> ContactImpact {
        let impact = Impact::new(Vector3::zeros(), Vector3::x(), 100.0);
        ContactImpact {
            impact: impact.with_impulse(Vector3::new(-20.0, 0.0, 0.0)),
            colliders: [Handle::NONE; 2],
            point: Vector3::zeros(),
            struck: Handle::NONE,
            striker: Handle::NONE,
            mass: 2.0,
            separation: 0.0,
            recoil: 0.0,
        }
    }

    #[test]
    fn energy_beyond_the_break_is_residual_but_no_more_than_there_was() {
        let through = |energy, pushed_mass| BreakThrough {
            energy,
            pushed_mass,
            pushed_radius: 0.1,
        };
        // 64 of 100 J are left of 10 m/s, which are 8 m/s, and nothing of 6 m/s, which are 36 J.
        for (speed, through, kept, energy) in [
            (20.0, through(36.0, 0.0), 16.0, 64.0),
            (10.0, through(36.0, 0.0), 16.0, 64.0),
            (8.0, through(36.0, 0.0), 2.0 * 28_f32.sqrt(), 28.0),
            (5.0, through(36.0, 0.0), 0.0, 0.0),
            (10.0, through(36.0, 2.0), 8.0, 16.0),
            (10.0, through(f32::INFINITY, 2.0), 0.0, 0.0),
        ] {
            let mut impact = impact();
            impact.set_approach(speed);
            let residual = impact.residual(&through);
            let found = residual.map_or([0.0; 2], |found| [-found.impulse.x, found.energy]);
            assert!((found[0] - kept).abs() < 1e-3, "{speed} m/s: {found:?}");
            assert!((found[1] - energy).abs() < 1e-3, "{speed} m/s: {found:?}");
        }
    }
}
