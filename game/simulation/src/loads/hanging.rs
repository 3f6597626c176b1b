//! Weights that hang by joints.

use glam::{DMat3, DVec3};

use super::body_force::BodyForce;
use super::islands::{Hanging, Island};
use super::resting::{LoadBy, StepForces};
use crate::debris::DebrisWorld;
use crate::simulation::Simulation;
use crate::types::point_inertia;

/// Adds the forces of what hangs on held breakable bodies. Bodies at rest are in equilibrium: what they weigh, less what
/// carries them from elsewhere, is on their joints.
pub(super) fn add_hanging_forces(
    simulation: &Simulation,
    hanging: &mut Hanging,
    forces: &mut StepForces,
) {
    let world = simulation.debris.wait();
    hanging.update(world);
    for island in &mut hanging.islands {
        for end in &mut island.ends {
            end.pose = simulation.pose_of(end.on);
        }
        if island.hangs() {
            island.add_forces(simulation, world, forces);
        }
    }
}

impl Island {
    /// Adds the forces on breakable bodies at the joints.
    fn add_forces(&self, simulation: &Simulation, world: &DebrisWorld, forces: &mut StepForces) {
        let Some(first) = self.bodies.first() else {
            return;
        };
        let count = self.ends().count() as f64;
        let middle = self.ends().map(|end| end.place).sum::<DVec3>() / count;
        let [force, moment] = self.weight(simulation, world, middle);
        let arms = || self.ends().map(|end| end.place - middle);
        // As rivets share a load: each bears its part of the force, and of the moment by its distance.
        let sum = arms()
            .map(point_inertia)
            .fold(DMat3::ZERO, |sum, own| sum + own);
        let spread = arms().map(|arm| arm.length_squared()).sum::<f64>();
        let turn = if spread > 0.0 {
            // Ends on one line bear no moment about it.
            (sum + DMat3::from_diagonal(DVec3::splat(1e-9 * spread))).inverse() * moment
        } else {
            DVec3::ZERO
        };
        let rest = (moment - sum * turn) / count;
        for (end, arm) in self.ends().zip(arms()) {
            if end.on.breakable().is_none() {
                continue;
            }
            let to_body = end.pose.rotation.inverse().as_dquat();
            let place = end.pose.inverse_transform_point(end.place.as_vec3());
            let own = to_body * (force / count + turn.cross(arm));
            let sum = forces.entry((end.on, LoadBy::Joints(*first))).or_default();
            let at_end = BodyForce {
                force: own,
                moment: to_body * rest + place.as_dvec3().cross(own),
                places: Some([place; 2]),
            };
            sum.add(&at_end, 1.0);
        }
    }

    /// Weight, and contacts with bodies that are no part of the island: force, and moment about a point.
    fn weight(&self, simulation: &Simulation, world: &DebrisWorld, about: DVec3) -> [DVec3; 2] {
        let gravity = simulation.settings.gravity.as_dvec3();
        let (mut force, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        for body in &self.bodies {
            let (Some(pose), Some(weighed)) = (simulation.pose_of(*body), world.weighed(*body))
            else {
                continue;
            };
            let own = gravity * f64::from(weighed.mass * weighed.gravity_scale);
            force += own;
            let center = pose.transform_point(weighed.center).as_dvec3();
            moment += (center - about).cross(own);
            for (by, contact) in simulation.loads.lasting(*body) {
                if !self.bodies.contains(&by.body()) {
                    let to_world = pose.rotation.as_dquat();
                    let own = to_world * contact.force;
                    force += own;
                    let arm = pose.translation.as_dvec3() - about;
                    moment += to_world * contact.moment + arm.cross(own);
                }
            }
        }
        [force, moment]
    }
}
