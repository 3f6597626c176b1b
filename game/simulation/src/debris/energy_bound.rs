//! A bound on the kinetic energy of bodies in contact: a step makes nothing faster that nothing else slows down.
//!
//! The solver pushes overlapping bodies apart, and starts from the impulses of the step before. In a jam, such as
//! of fragments in the hollow that they were broken out of, it does not come to terms with all contacts, and would
//! shoot one of them out with an energy that nothing has brought.

use glam::Vec3;
use rapier3d::data::Coarena;
use rapier3d::dynamics::{RigidBody, RigidBodyHandle};

use super::physics::Physics;
use super::user_data::is_piece;

/// Gain of kinetic energy per mass up to which a piece is left alone, J/kg: that of 0.1 m/s.
const MIN_GAIN: f32 = 0.005;

/// Kinetic energies before a step, J.
#[derive(Default)]
pub(super) struct EnergyBound {
    before: Coarena<f32>,
    recorded: Vec<RigidBodyHandle>,
}

impl EnergyBound {
    /// Records the energies of all bodies that may move in the next step.
    pub fn record(&mut self, physics: &Physics) {
        for handle in self.recorded.drain(..) {
            self.before.remove(handle.0, 0.0);
        }
        let new = physics.new_pieces.iter().map(|piece| piece.handle);
        for handle in physics.islands.active_bodies().chain(new) {
            if let Some(body) = physics.bodies.get(handle) {
                self.before.insert(handle.0, body.kinetic_energy());
                self.recorded.push(handle);
            }
        }
    }

    /// Slows down the pieces in contact with each other that have together more energy than before the step, and
    /// than gravity has given them. Their momentum stays what it is, unless something that is fixed may have given it.
    pub fn limit(&self, physics: &mut Physics) {
        let faster = |handle: &RigidBodyHandle| {
            let body = physics.bodies.get(*handle);
            body.is_some_and(|body| self.is_unexplained(physics, *handle, body))
        };
        let faster: Vec<_> = physics.islands.active_bodies().filter(faster).collect();
        let mut found = Coarena::new();
        for (search, first) in faster.into_iter().rev().enumerate() {
            if let Some(bodies) = cluster_of(physics, first, &mut found, search) {
                self.limit_cluster(physics, &bodies);
            }
        }
    }

    /// Whether a piece has gained more energy than all that it touches has lost.
    fn is_unexplained(&self, physics: &Physics, handle: RigidBodyHandle, body: &RigidBody) -> bool {
        if !is_piece(body) {
            return false;
        }
        let gain = self.gain(physics, handle, body);
        if gain <= MIN_GAIN * body.mass() {
            return false; // the common case
        }
        let can_move = |_: RigidBodyHandle, body: &RigidBody| !body.is_fixed();
        let neighbours = physics.neighbours(handle, can_move);
        let losses = neighbours.filter_map(|other| {
            let body = physics.bodies.get(other)?;
            Some(-self.gain(physics, other, body).min(0.0))
        });
        losses.sum::<f32>() < gain
    }

    /// Kinetic energy that a body has gained in the step, but for the most that gravity can have given it, J.
    fn gain(&self, physics: &Physics, handle: RigidBodyHandle, body: &RigidBody) -> f32 {
        let before = self.before.get(handle.0).copied().unwrap_or_default();
        body.kinetic_energy() - before - gravity_work(physics, body, before)
    }

    fn limit_cluster(&self, physics: &mut Physics, bodies: &[RigidBodyHandle]) {
        let moving = || {
            let bodies = bodies.iter();
            bodies.filter_map(|handle| Some((*handle, physics.bodies.get(*handle)?)))
        };
        let excess: f32 = moving()
            .map(|(handle, body)| self.gain(physics, handle, body))
            .sum();
        let mass: f32 = moving().map(|(_, body)| body.mass()).sum();
        let momentum: Vec3 = moving().map(|(_, body)| body.mass() * body.linvel()).sum();
        let common = momentum / mass;
        let kinetic: f32 = moving().map(|(_, body)| body.kinetic_energy()).sum();
        let relative = kinetic - 0.5 * mass * common.length_squared();
        if !(excess > 0.0 && kinetic > 0.0) {
            return;
        }
        let factor = left_of(relative, excess);
        // What does not move can have given them any momentum, as a large floor whose contact is found wrong.
        let of_common = if bodies
            .iter()
            .any(|handle| physics.touches(*handle, RigidBody::is_fixed))
        {
            left_of(kinetic - relative, excess - relative.max(0.0))
        } else {
            1.0
        };
        for handle in bodies {
            if let Some(body) = physics.bodies.get_mut(*handle) {
                let relative = factor * (body.linvel() - common);
                body.set_linvel(of_common * common + relative, false);
                body.set_angvel(factor * body.angvel(), false);
            }
        }
    }
}

/// The factor by which velocities of an energy (J) are reduced that has to lose some of it.
fn left_of(energy: f32, loss: f32) -> f32 {
    if energy > 0.0 && loss > 0.0 {
        (1.0 - loss / energy).max(0.0).sqrt()
    } else {
        1.0
    }
}

/// The most work that gravity can have done on a body in a step, J.
fn gravity_work(physics: &Physics, body: &RigidBody, kinetic: f32) -> f32 {
    let mass = body.mass();
    let gain = physics.gravity.length() * physics.parameters.dt;
    let speed = (2.0 * kinetic / mass.max(f32::MIN_POSITIVE)).sqrt();
    mass * gain * (speed + gain)
}

/// The pieces in contact with a piece, directly or by others, in order. `None` if something that the engine moves is among
/// them, whose energy is not known, or a piece that was found in an earlier search. `found` has the number of its search
/// for each body.
fn cluster_of(
    physics: &Physics,
    first: RigidBodyHandle,
    found: &mut Coarena<usize>,
    search: usize,
) -> Option<Vec<RigidBodyHandle>> {
    let (mut cluster, mut open) = (Vec::new(), Vec::new());
    let mut new = vec![first];
    loop {
        for handle in new.drain(..) {
            match found.get(handle.0) {
                // More than one contact leads to it.
                Some(number) if *number == search => continue,
                None if physics.bodies.get(handle).is_some_and(is_piece) => {}
                _ => return None,
            }
            found.insert(handle.0, search);
            open.push(handle);
        }
        let Some(handle) = open.pop() else {
            break;
        };
        cluster.push(handle);
        let is_new = |other: RigidBodyHandle, body: &RigidBody| {
            !body.is_fixed() && found.get(other.0) != Some(&search)
        };
        new.extend(physics.neighbours(handle, is_new));
    }
    cluster.sort_unstable_by_key(|handle| handle.into_raw_parts());
    Some(cluster)
}

#[cfg(test)]
mod tests {
    use rapier3d::dynamics::RigidBodyBuilder;
    use rapier3d::geometry::SharedShape;

    use super::super::external::ColliderDesc;
    use super::super::user_data::piece_user_data;
    use super::*;
    use crate::settings::Settings;
    use crate::types::BodyId;

    /// The speed of a piece that a wrong contact has given 10 m/s in a step, m/s.
    fn speed_after(floor: bool, velocity: Vec3) -> f32 {
        let mut physics = Physics::new(&Settings::default());
        let id = BodyId(hecs::Entity::DANGLING);
        let piece = RigidBodyBuilder::dynamic().translation(Vec3::new(0.0, 0.05, 0.0));
        let piece = piece.user_data(piece_user_data(id)).linvel(velocity);
        let shape = ColliderDesc::new(SharedShape::cuboid(0.05, 0.05, 0.05));
        let collider = ColliderDesc {
            density: 2400.0,
            ..shape
        };
        let piece = physics.insert(piece, &[collider]);
        if floor {
            let shape = SharedShape::cuboid(9.0, 1.0, 9.0);
            let ground = RigidBodyBuilder::fixed().translation(Vec3::NEG_Y);
            physics.insert(ground, &[ColliderDesc::new(shape)]);
        }
        physics.step(&(), &());
        let mut bound = EnergyBound::default();
        bound.record(&physics);
        let body = physics.bodies.get_mut(piece).unwrap();
        body.set_linvel(velocity + Vec3::new(1.0, 9.0, 4.0), true);
        bound.limit(&mut physics);
        physics.bodies.get(piece).unwrap().linvel().length()
    }

    #[test]
    fn a_fixed_body_makes_nothing_faster_and_takes_no_speed() {
        for speed in [0.0, 0.7, 3.0] {
            let velocity = Vec3::new(speed, 0.0, 0.0);
            let found = speed_after(true, velocity);
            assert!(
                found > 0.8 * speed && found < speed + 0.5,
                "{speed} {found}"
            );
        }
        // Nothing has touched it: the host has thrown it.
        assert!(speed_after(false, Vec3::ZERO) > 9.0);
    }
}
