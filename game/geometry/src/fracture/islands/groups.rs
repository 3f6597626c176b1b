//! Groups of cells: components of one group merge before pieces are made.

use crate::fracture::ids::ComponentId;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::contacts::ComponentContact;
use crate::fracture::islands::elements::CutSolid;
use crate::math::{UnionFind, NONE};
use crate::mesh::mass::MassAccumulator;
use glam::DVec3;

/// Group of one part of a cell at a cut between groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupAssignment {
    /// Cell of the pattern.
    pub cell: u32,
    /// Centre of mass of the part, metres: tells the parts of one cell from each other.
    pub center: DVec3,
    /// Group id, chosen by the caller.
    pub group: u32,
}

/// Assigns groups to components.
pub struct GroupAssigner<'a> {
    pub cut: &'a CutSolid<'a>,
    pub components: &'a Components,
    /// Ascending by cell.
    pub assignments: &'a [GroupAssignment],
    /// Mass sums by component.
    pub sums: &'a [MassAccumulator],
}

impl GroupAssigner<'_> {
    /// Replaces `out` by the group of each component; [`NONE`] for unaffected ones.
    pub fn assign(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.components.ids().map(|id| self.group(id)));
    }

    /// Group of the assignment with the nearest centre in the component's cell.
    fn group(&self, component: ComponentId) -> u32 {
        let Some(local) = self.components.cell(self.cut, component) else {
            return NONE;
        };
        let cell = self.cut.affected.cell(local);
        let start = self.assignments.partition_point(|own| own.cell < cell);
        let own = self.assignments[start..].iter();
        let own = own.take_while(|own| own.cell == cell);
        let sum = &self.sums[component.index()];
        let center = sum.properties(self.cut.solid.origin()).center;
        let distance = |own: &&GroupAssignment| own.center.distance_squared(center);
        let nearest = own.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(NONE, |own| own.group)
    }
}

/// Merges components across caps: those of one group, and those without a group with all that they touch.
/// Gives each merged component the group of its largest part.
pub fn merge_groups(
    groups: &mut [u32],
    sums: &[MassAccumulator],
    contacts: &[ComponentContact],
    merged: &UnionFind,
    volumes: &mut [f64],
) {
    for contact in contacts {
        let [a, b] = contact
            .components
            .map(|component| groups[component.index()]);
        if a != b && a != NONE && b != NONE {
            continue;
        }
        let [a, b] = contact.components.map(|component| merged.find(component.0));
        let (into, from) = (a.min(b), a.max(b));
        if into != from {
            merged.attach(from, into);
            volumes[into as usize] += volumes[from as usize];
        }
    }
    let mut largest = vec![(f64::NEG_INFINITY, NONE); groups.len()];
    for (component, (group, sum)) in (0..).zip(groups.iter().zip(sums)) {
        let best = &mut largest[merged.find(component) as usize];
        if *group != NONE && sum.volume() > best.0 {
            *best = (sum.volume(), *group);
        }
    }
    for (group, (_, largest)) in groups.iter_mut().zip(largest) {
        *group = largest;
    }
}
