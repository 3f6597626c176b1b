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
#[derive(Clone)]
struct FreePart {
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

impl FreePart {
    const EMPTY: Self = Self {
        volume: 0.0,
        moment: DVec3::ZERO,
        load: [DVec3::ZERO; 2],
        inertia: DMat3::ZERO,
        nearest: None,
    };

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

    fn parts(&self, nodes: &[SupportNode], parts: &[u32], loads: &[Vector6]) -> Vec<FreePart> {
        let count = parts.iter().max().map_or(0, |last| *last as usize + 1);
        let mut found = vec![FreePart::EMPTY; count];
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
    fn acceleration(&self, part: &FreePart) -> [DVec3; 2] {
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

#[cfg(test)]
mod tests {
    use fracture_geometry::{Mesh, Solid};

    use super::*;

    /// Cubes in a row along x, in one part.
    fn row(count: usize) -> (Vec<SupportNode>, Vec<u32>) {
        let node = |index: usize| {
            let mut mesh = Mesh::cuboid([1.0; 3]);
            let x = index as f64 + 0.5 - 0.5 * count as f64;
            mesh.positions.iter_mut().for_each(|own| own[0] += x as f32);
            SupportNode {
                cell: index as u32,
                mass: *Solid::new(mesh).unwrap().mass(),
            }
        };
        ((0..count).map(node).collect(), vec![0; count])
    }

    fn free(spin: DVec3) -> FreeBody {
        FreeBody {
            density: 2000.0,
            spin,
            least_volume: 0.0,
        }
    }

    /// The sum of forces, and of their moments about the origin.
    fn sum(nodes: &[SupportNode], forces: &[Vector6]) -> [DVec3; 2] {
        let sums = nodes.iter().zip(forces).map(|(node, own)| {
            let [force, moment] = halves(own);
            [force, moment + node.mass.center.cross(force)]
        });
        sums.fold([DVec3::ZERO; 2], |[a, b], [c, d]| [a + c, b + d])
    }

    #[test]
    fn loads_and_inertia_are_in_equilibrium() {
        let (nodes, parts) = row(7);
        for seed in 0..20 {
            let value = |k: usize| libm::sin((seed * 60 + k) as f64 * 7.3) * 1e4;
            let loads: Vec<Vector6> = (0..nodes.len())
                .map(|node| std::array::from_fn(|k| value(6 * node + k)))
                .collect();
            let spin = DVec3::new(value(50), value(51), value(52)) * 1e-3;
            let inertia = free(spin).balance(&nodes, &parts, &loads).inertia;
            let [a, b] = [sum(&nodes, &loads), sum(&nodes, &inertia)];
            for (load, inertia) in a.into_iter().zip(b) {
                assert!((load + inertia).length() < 1e-9 * 1e6, "{load} {inertia}");
            }
        }
    }

    #[test]
    fn in_free_flight_only_spin_pulls() {
        let (nodes, parts) = row(4);
        let loads = vec![[0.0; 6]; 4];
        let still = free(DVec3::ZERO).balance(&nodes, &parts, &loads);
        assert!(still.inertia.iter().flatten().all(|value| *value == 0.0));
        // About its long axis nothing is off the axis; across it each cube is pulled outwards.
        let along = free(DVec3::X * 5.0).balance(&nodes, &parts, &loads);
        assert!(along
            .inertia
            .iter()
            .flatten()
            .all(|value| value.abs() < 1e-3));
        let across = free(DVec3::Y * 5.0).balance(&nodes, &parts, &loads);
        for (inertia, x) in across.inertia.iter().zip([-1.5, -0.5, 0.5, 1.5]) {
            let [force, moment] = halves(inertia);
            let expected = DVec3::X * (2000.0 * 25.0 * x);
            assert!((force - expected).length() < 1e-3, "{force} {expected}");
            assert!(moment.length() < 1e-3, "{moment}");
        }
        assert!(across.fixed == [1] || across.fixed == [2]);
    }

    #[test]
    fn a_part_that_is_too_small_bears_nothing() {
        let (nodes, parts) = row(4);
        let loads = vec![[1.0; 6]; 4];
        let small = FreeBody {
            least_volume: 5.0,
            ..free(DVec3::Y)
        };
        let inertia = small.balance(&nodes, &parts, &loads).inertia;
        assert!(inertia.iter().flatten().all(|value| *value == -1.0));
    }
}
