//! Weights that hang by joints.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DVec3};
use rapier3d::math::Pose;

use super::body_force::BodyForce;
use super::resting::{LoadBy, StepForces};
use crate::debris::{BodyRef, DebrisWorld, JointDesc};
use crate::simulation::Simulation;

/// Bodies that hang, and their forces on those on which they hang.
#[derive(Default)]
pub(super) struct Hanging {
    pub forces: StepForces,
    pub bodies: BTreeSet<BodyRef>,
    /// Whether any joint holds a breakable body.
    pub has_joints: bool,
}

/// A joint of a body that hangs with one that does not move.
struct JointEnd {
    on: BodyRef,
    pose: Pose,
    /// World space.
    place: DVec3,
}

/// Dynamic bodies that joints connect, and the joints that hold them.
#[derive(Default)]
struct Island {
    bodies: BTreeSet<BodyRef>,
    ends: Vec<JointEnd>,
}

/// Finds what hangs on held breakable bodies. Bodies at rest are in equilibrium: what they weigh, less what carries
/// them from elsewhere, is on their joints.
pub(super) fn hanging_forces(simulation: &Simulation) -> Hanging {
    let world = simulation.debris.wait();
    let is_breakable = |body: &BodyRef| body.breakable().is_some();
    let mut joints = world.joints();
    let mut hanging = Hanging {
        has_joints: joints.any(|joint| joint.bodies.iter().any(is_breakable)),
        ..Hanging::default()
    };
    if !hanging.has_joints {
        return hanging;
    }
    let mut joints_of: BTreeMap<BodyRef, Vec<&JointDesc>> = BTreeMap::new();
    for joint in world.joints() {
        for body in joint.bodies.iter().filter(|body| world.has_shadow(**body)) {
            joints_of.entry(*body).or_default().push(joint);
        }
    }
    let mut seen: BTreeSet<BodyRef> = BTreeSet::new();
    for first in joints_of.keys() {
        if seen.contains(first) {
            continue;
        }
        let island = Island::new(simulation, world, &joints_of, *first);
        seen.extend(island.bodies.iter().copied());
        if island.ends.iter().any(|end| is_breakable(&end.on)) {
            island.add_forces(simulation, world, *first, &mut hanging.forces);
            hanging.bodies.extend(island.bodies);
        }
    }
    hanging
}

impl Island {
    /// All that joints connect to a body.
    fn new(
        simulation: &Simulation,
        world: &DebrisWorld,
        joints_of: &BTreeMap<BodyRef, Vec<&JointDesc>>,
        first: BodyRef,
    ) -> Self {
        let mut island = Self::default();
        let mut open = vec![first];
        island.bodies.insert(first);
        while let Some(body) = open.pop() {
            for joint in joints_of.get(&body).into_iter().flatten() {
                let frames = [joint.joint.local_frame1, joint.joint.local_frame2];
                for (other, frame) in joint.bodies.into_iter().zip(frames) {
                    if world.has_shadow(other) {
                        if island.bodies.insert(other) {
                            open.push(other);
                        }
                    } else if let Some(pose) = simulation.pose_of(other) {
                        let place = pose.transform_point(frame.translation).as_dvec3();
                        island.ends.push(JointEnd {
                            on: other,
                            pose,
                            place,
                        });
                    }
                }
            }
        }
        island
    }

    /// Adds the forces on breakable bodies at the joints.
    fn add_forces(
        &self,
        simulation: &Simulation,
        world: &DebrisWorld,
        first: BodyRef,
        forces: &mut StepForces,
    ) {
        let count = self.ends.len() as f64;
        let middle = self.ends.iter().map(|end| end.place).sum::<DVec3>() / count;
        let [force, moment] = self.weight(simulation, world, middle);
        let arms = || self.ends.iter().map(|end| end.place - middle);
        // As rivets share a load: each bears its part of the force, and of the moment by its distance.
        let inertia = |arm: DVec3| {
            let across = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - across
        };
        let sum = arms().map(inertia).fold(DMat3::ZERO, |sum, own| sum + own);
        let spread = arms().map(|arm| arm.length_squared()).sum::<f64>();
        let turn = if spread > 0.0 {
            // Ends on one line bear no moment about it.
            (sum + DMat3::from_diagonal(DVec3::splat(1e-9 * spread))).inverse() * moment
        } else {
            DVec3::ZERO
        };
        let rest = (moment - sum * turn) / count;
        for (end, arm) in self.ends.iter().zip(arms()) {
            if end.on.breakable().is_none() {
                continue;
            }
            let to_body = end.pose.rotation.inverse().as_dquat();
            let place = end.pose.inverse_transform_point(end.place.as_vec3());
            let own = to_body * (force / count + turn.cross(arm));
            let sum = forces.entry((end.on, LoadBy::Joints(first))).or_default();
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
