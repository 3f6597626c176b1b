//! The search for the displacements under which all forces of a building are balanced.
//!
//! With given bounds of friction they are the least of a convex energy, which is found by Newton's method with a search
//! along each step. The bounds follow from the pressure, and that from them, so that they are found in turns.
//!
//! The search ends early where the building is going to be weighed again anyway: as soon as bonds bear far too much, and
//! as soon as something falls. Where falling nodes come to rest on their soft springs says nothing, and takes a hundred
//! steps to find.

use fracture_geometry::steps::pause;
use glam::DVec3;

use super::contact::Slope;
use super::{mean_load, Building, BuildingNode, Found, Vector6};
use crate::stress::block::{dot, halves, vector6};

/// Forces that may be out of balance at a node, in parts of its weight and load. What is left over at the whole building
/// would be no measure: a node that falls has a large share in it.
const TOLERANCE: f64 = 1e-4;

/// Weight and load that count for this at least, in parts of the mean of all nodes.
const LEAST_LOADED: f64 = 0.1;

/// Iterations in which the matrix of a step is to be solved.
const MOST_ITERATIONS: usize = 400;

/// Most steps of Newton's method with one set of bounds. From one equilibrium to the next one some ten are needed, and up to
/// fifty where hundreds of bonds are loose.
const MOST_STEPS: usize = 100;

/// Most sets of bounds.
const MOST_BOUNDS: usize = 20;

/// Sets of bounds after which the next one is the mean of the last and what follows from it.
const FREE_BOUNDS: usize = 6;

/// Change of the friction of a spring that is worth another set, in parts of its bound.
const NOTABLE_CHANGE: f64 = 0.02;

/// Utilisation from which on a bond breaks whatever friction comes to.
const CLEAR_OVERLOAD: f64 = 2.0;

/// Slope of the energy at which a step ends, in parts of the one with which it begins.
const FLAT: f64 = 0.1;

/// Part of a step of which less is taken where the next one is a careful one.
const SHORT: f64 = 0.5;

/// Halvings in which such a place along a step is searched.
const MOST_HALVINGS: usize = 50;

impl Building<'_> {
    /// Finds the displacements, until the bounds follow from the pressure or it is clear without that what gives way. With
    /// the first bounds friction could carry all, so that nothing falls for lack of it before they follow from a pressure. What
    /// has slipped goes back under them, so that the search with the second ones begins where the nodes were before.
    pub(super) async fn find_equilibrium(&mut self) -> Found {
        let mut found = Found::Nothing;
        for round in 0..MOST_BOUNDS {
            found = self.balance().await;
            let is_clear = match found {
                Found::Balance => round > 0 && self.worst_utilisation() > CLEAR_OVERLOAD,
                Found::Falling => true,
                Found::Nothing => false,
            };
            let share = if round < FREE_BOUNDS { 1.0 } else { 0.5 };
            if is_clear || !self.update_bounds(share) {
                break;
            }
            if round == 0 && self.nodes.iter().any(BuildingNode::was_displaced) {
                self.displacements = Self::displacements_before(self.nodes);
            }
        }
        found
    }

    /// Finds the displacements with the bounds of friction as they are.
    async fn balance(&mut self) -> Found {
        let mut unbalanced = self.unbalanced();
        let (mut slope, mut falling) = (Slope::Tangent, 0);
        for _ in 0..MOST_STEPS {
            if self.is_balanced(&unbalanced) {
                return Found::Balance;
            }
            let Some(step) = self.newton_step(&unbalanced, slope).await else {
                return Found::Nothing;
            };
            let length;
            (length, unbalanced) = self.move_along(&step, &unbalanced);
            slope = if length < SHORT {
                Slope::Secant
            } else {
                Slope::Tangent
            };
            let falling_before = std::mem::replace(&mut falling, self.count_falling());
            if falling > 0 && falling == falling_before {
                return Found::Falling;
            }
            pause().await;
        }
        if self.is_balanced(&unbalanced) {
            Found::Balance
        } else if falling > 0 {
            Found::Falling
        } else {
            Found::Nothing
        }
    }

    /// By row: forces and moments that are out of balance.
    fn unbalanced(&self) -> Vec<Vector6> {
        let nodes = self.nodes.iter().zip(&self.soft).zip(&self.displacements);
        let own = |((node, soft), displacement): ((&BuildingNode, &f64), &Vector6)| {
            let [moved, turned] = halves(displacement);
            let moment = node.moment - soft * node.size * node.size * turned;
            [node.weight + node.load - *soft * moved, moment]
        };
        let mut sums: Vec<[DVec3; 2]> = nodes.map(own).collect();
        for (index, bond) in self.bonds.iter().enumerate() {
            let [force, moment] = self.force(index);
            let ends = if bond.is_grounded { 1 } else { 2 };
            for (node, sign) in bond.nodes.into_iter().zip([1.0, -1.0]).take(ends) {
                let arm = bond.face.center - self.center(node);
                if let Some([forces, moments]) = sums.get_mut(node as usize) {
                    *forces += sign * force;
                    *moments += sign * (moment + arm.cross(force));
                }
            }
        }
        let of_row = |node: &u32| sums.get(*node as usize).copied().unwrap_or_default();
        let rows = self.order.iter().map(of_row);
        rows.map(|[force, moment]| vector6(force, moment)).collect()
    }

    fn is_balanced(&self, unbalanced: &[Vector6]) -> bool {
        let least = LEAST_LOADED * mean_load(self.nodes);
        self.order.iter().zip(unbalanced).all(|(node, left)| {
            let [force, moment] = halves(left);
            self.nodes.get(*node as usize).is_none_or(|node| {
                let allowed = TOLERANCE * node.loaded().max(least);
                force.length() <= allowed && moment.length() <= allowed * node.size
            })
        })
    }

    /// By row: displacements that would balance forces if all stayed as stiff as it is; `None` where there are none.
    async fn newton_step(&mut self, unbalanced: &[Vector6], slope: Slope) -> Option<Vec<Vector6>> {
        let springs = self.springs(slope);
        let mut system = std::mem::take(&mut self.system);
        system.assemble(&self.elimination, &springs).await;
        let mut step = vec![[0.0; 6]; unbalanced.len()];
        let is_found = |left: &[Vector6], _| self.is_balanced(left);
        // Of parts that fall far there may be more left over, by rounding.
        let has_converged = system
            .solve_until(unbalanced, &mut step, MOST_ITERATIONS, is_found)
            .await
            || system.solve(unbalanced, &mut step).await;
        self.system = system;
        has_converged.then_some(step)
    }

    /// Moves the nodes along a step to where the energy is about least, up to its end. Returns how much of it that is, and
    /// what is out of balance there.
    fn move_along(&mut self, step: &[Vector6], unbalanced: &[Vector6]) -> (f64, Vec<Vector6>) {
        let start = work(unbalanced, step);
        let from = self.displacements.clone();
        let (mut least, mut most, mut length) = (0.0, 1.0, 1.0);
        let mut left = Vec::new();
        for _ in 0..MOST_HALVINGS {
            self.displace(&from, length, step);
            left = self.unbalanced();
            let slope = work(&left, step) / start;
            if slope > FLAT && length < 1.0 {
                least = length;
            } else if slope < -FLAT {
                most = length;
            } else {
                break;
            }
            length = 0.5 * (least + most);
        }
        (length, left)
    }

    fn displace(&mut self, from: &[Vector6], length: f64, step: &[Vector6]) {
        for (node, by) in self.order.iter().zip(step) {
            let index = *node as usize;
            if let Some((own, from)) = self.displacements.get_mut(index).zip(from.get(index)) {
                *own = std::array::from_fn(|k| from[k] + length * by[k]);
            }
        }
    }

    /// Takes the bounds of friction that follow from the pressure, or a share of the way to them; whether loose bonds would
    /// bear something notably else by that.
    fn update_bounds(&mut self, share: f64) -> bool {
        let other = TOLERANCE * mean_load(self.nodes) / NOTABLE_CHANGE;
        let mut is_notable = false;
        for (index, bond) in self.bonds.iter().enumerate() {
            let mut contacts = std::mem::take(&mut self.contacts[index]);
            let opening = self.opening(bond);
            for contact in &mut contacts {
                let opening = opening.at(contact.place);
                let change = contact.update_bound(opening, bond.friction, share, other);
                is_notable |= change > NOTABLE_CHANGE;
            }
            self.contacts[index] = contacts;
        }
        is_notable
    }
}

/// Work of forces along displacements.
fn work(forces: &[Vector6], displacements: &[Vector6]) -> f64 {
    let pairs = forces.iter().zip(displacements);
    pairs.map(|(force, by)| dot(force, by)).sum()
}
