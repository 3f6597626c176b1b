//! Inertia relief: a body that nothing holds is in equilibrium with its own inertia.
//!
//! Under its loads such a body moves as a rigid one, with `a = F / m` and `I b + w x I w = M`. The inertia of its nodes,
//! `-m (a + b x r + w x (w x r))` each with a moment of its own, and the loads are in equilibrium. So any one of its
//! nodes may be fixed, and bears nothing. Without loads and spin nothing is left; without loads, the pull outwards.

use fracture_geometry::support::SupportNode;
use glam::{DMat3, DVec3};

use super::block::{halves, vector6, Vector6};
use crate::types::point_inertia;

/// A body that nothing holds, as it is when its loads act.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBody {
    /// kg/m^3
    pub density: f64,
    /// Angular velocity, rad/s, body space.
    pub spin: DVec3,
    /// Parts of less volume are not divided further, m^3.
    pub least_volume: f64,
}

/// The balance of the parts of a free body.
pub(super) struct Balance {
    /// By node: the force and the moment that inertia adds to its load.
    pub inertia: Vec<Vector6>,
    /// By part: the node that is fixed.
    pub fixed: Vec<u32>,
}

/// A part that moves by itself: nodes that unbroken bonds connect.
#[derive(Clone, Default)]
struct Part {
    volume: f64,
    /// Centre of mass times volume.
    moment: DVec3,
    /// Force and moment about the centre.
    load: [DVec3; 2],
    /// About the centre.
    inertia: DMat3,
    /// The node nearest to the centre, and the square of its distance.
    nearest: Option<(u32, f64)>,
}

impl Part {
    fn center(&self) -> DVec3 {
        self.moment / self.volume.max(f64::MIN_POSITIVE)
    }
}

impl FreeBody {
    /// Balances each part with its inertia. One too small to be divided bears nothing.
    pub fn balance(&self, nodes: &[SupportNode], parts: &[u32], loads: &[Vector6]) -> Balance {
        let found = self.parts(nodes, parts, loads);
        let motions: Vec<[DVec3; 2]> = found.iter().map(|part| self.acceleration(part)).collect();
        let inertia = nodes
            .iter()
            .zip(parts)
            .zip(loads)
            .map(|((node, part), load)| {
                let known = found.get(*part as usize).zip(motions.get(*part as usize));
                match known.filter(|(part, _)| part.volume >= self.least_volume) {
                    Some((part, motion)) => self.inertia_of(node, part.center(), *motion),
                    None => load.map(|value| -value),
                }
            });
        Balance {
            inertia: inertia.collect(),
            fixed: found
                .iter()
                .filter_map(|part| Some(part.nearest?.0))
                .collect(),
        }
    }

    fn parts(&self, nodes: &[SupportNode], parts: &[u32], loads: &[Vector6]) -> Vec<Part> {
        let count = parts.iter().max().map_or(0, |last| *last as usize + 1);
        let mut found = vec![Part::default(); count];
        for (node, part) in nodes.iter().zip(parts) {
            if let Some(part) = found.get_mut(*part as usize) {
                part.volume += node.mass.volume;
                part.moment += node.mass.center * node.mass.volume;
            }
        }
        for (index, ((node, part), load)) in nodes.iter().zip(parts).zip(loads).enumerate() {
            let Some(part) = found.get_mut(*part as usize) else {
                continue;
            };
            let arm = node.mass.center - part.center();
            let [force, moment] = halves(load);
            part.load[0] += force;
            part.load[1] += moment + arm.cross(force);
            part.inertia += node.mass.inertia(self.density);
            part.inertia += point_inertia(arm) * (node.mass.volume * self.density);
            let distance = arm.length_squared();
            if part.nearest.is_none_or(|(_, least)| distance < least) {
                part.nearest = Some((index as u32, distance));
            }
        }
        found
    }

    /// The linear and the angular acceleration of a part.
    fn acceleration(&self, part: &Part) -> [DVec3; 2] {
        let [force, moment] = part.load;
        let gyroscopic = self.spin.cross(part.inertia * self.spin);
        let angular = part.inertia.inverse() * (moment - gyroscopic);
        [force / (part.volume * self.density), angular]
    }

    /// The inertia of a node of a part that accelerates.
    fn inertia_of(&self, node: &SupportNode, center: DVec3, motion: [DVec3; 2]) -> Vector6 {
        let ([linear, angular], spin) = (motion, self.spin);
        let arm = node.mass.center - center;
        let own = node.mass.inertia(self.density);
        let acceleration = linear + angular.cross(arm) + spin.cross(spin.cross(arm));
        let force = -acceleration * (node.mass.volume * self.density);
        let inertia = vector6(force, -(own * angular + spin.cross(own * spin)));
        // Of a part without extent in some direction.
        if inertia.iter().all(|value| value.is_finite()) {
            inertia
        } else {
            [0.0; 6]
        }
    }
}
