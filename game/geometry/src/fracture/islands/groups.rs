//! Groups of cells: components of one group merge before pieces are made.

use crate::fracture::ids::ComponentId;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::contacts::ComponentContact;
use crate::fracture::islands::elements::CutSolid;
use crate::math::{UnionFind, NONE};
use crate::mesh::mass::MassAccumulator;
use glam::DVec3;

/// Group of one part of a cell beside the faces between groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupAssignment {
    /// Cell of the pattern.
    pub cell: u32,
    /// Centre of the part, which tells it from others of its cell.
    pub center: DVec3,
    /// Any number, or [`NONE`].
    pub group: u32,
}

/// Groups of the parts of a solid in the cells of a pattern, made by
/// [`SupportGraph::groups`](crate::support::SupportGraph::groups).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// All parts of every cell with a face between two groups, ascending by cell.
    pub(crate) assignments: Vec<GroupAssignment>,
    /// The group whose cells are not cut out.
    pub(crate) undivided: Option<u32>,
    /// Volume below which a part is a sliver, m^3.
    pub(crate) min_volume: f64,
}

impl Groups {
    /// Whether there are no faces between groups.
    pub fn is_empty(&self) -> bool {
        self.assignments.is_empty()
    }

    /// The cells that are cut out, ascending: those with a part in another group than the undivided one.
    pub(crate) fn divided_cells(&self) -> impl Iterator<Item = u32> + '_ {
        let cells = self.assignments.chunk_by(|a, b| a.cell == b.cell);
        let is_divided = |own: &GroupAssignment| Some(own.group) != self.undivided;
        let divided = cells.filter(move |parts| parts.iter().any(is_divided));
        divided.filter_map(|parts| Some(parts.first()?.cell))
    }

    /// Whether a component is too small to hold groups together.
    fn is_sliver(&self, sum: &MassAccumulator) -> bool {
        sum.volume() < self.min_volume
    }

    /// The parts of a cell.
    fn parts(&self, cell: u32) -> &[GroupAssignment] {
        let start = self.assignments.partition_point(|own| own.cell < cell);
        let own = &self.assignments[start..];
        &own[..own.partition_point(|own| own.cell == cell)]
    }
}

/// Assigns groups to components.
pub struct GroupAssigner<'a> {
    pub cut: &'a CutSolid<'a>,
    pub components: &'a Components,
    pub groups: &'a Groups,
    /// Mass sums by component.
    pub sums: &'a [MassAccumulator],
}

impl GroupAssigner<'_> {
    /// Replaces `out` by the group of each component; [`NONE`] for unaffected ones, but for those of the undivided group
    /// that have a cap with another one.
    pub fn assign(&self, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.components.ids().map(|id| self.group(id)));
        if let Some(undivided) = self.groups.undivided {
            self.assign_undivided(undivided, out);
        }
    }

    /// Gives unaffected components the undivided group whose caps with other groups are those of its cells, not those of
    /// cells behind the other groups.
    fn assign_undivided(&self, undivided: u32, groups: &mut [u32]) {
        // By component: the area of its caps with other groups at the group's cells, and at others.
        let mut areas = vec![[0.0; 2]; groups.len()];
        for id in self.cut.cap_ids() {
            let cap = self.cut.cap(id);
            let is_affected =
                |side: u8| self.cut.affected.is_affected(cap.cells[usize::from(side)]);
            let Some(side) = [0, 1].into_iter().find(|side| !is_affected(*side)) else {
                continue;
            };
            let is_other = self.groups.parts(cap.cells[usize::from(side)]).is_empty();
            for (region, measure) in (0..).zip(&cap.measures) {
                let component = |side: u8| self.components.of_cap(id, region, side).index();
                let beside = component(1 - side);
                if groups[beside] != undivided && !self.groups.is_sliver(&self.sums[beside]) {
                    areas[component(side)][usize::from(is_other)] += measure.area;
                }
            }
        }
        for (group, [own, other]) in groups.iter_mut().zip(areas) {
            if own > other {
                *group = undivided;
            }
        }
    }

    /// Group of the assignment with the nearest centre in the component's cell.
    fn group(&self, component: ComponentId) -> u32 {
        let Some(local) = self.components.cell(self.cut, component) else {
            return NONE;
        };
        let own = self.groups.parts(self.cut.affected.cell(local)).iter();
        let sum = &self.sums[component.index()];
        let center = sum.properties(self.cut.solid.origin()).center;
        let distance = |own: &&GroupAssignment| own.center.distance_squared(center);
        let nearest = own.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.map_or(NONE, |own| own.group)
    }
}

/// Merges components across caps: those of one group, and those without a group with all that they touch, but for
/// slivers, which join a neighbour later. Gives each merged component the group of its largest part.
pub fn merge_groups(
    of_components: &mut [u32],
    groups: &Groups,
    sums: &[MassAccumulator],
    contacts: &[ComponentContact],
    merged: &UnionFind,
    volumes: &mut [f64],
) {
    for contact in contacts {
        let is_sliver = |own: &ComponentId| groups.is_sliver(&sums[own.index()]);
        let [a, b] = contact
            .components
            .map(|component| of_components[component.index()]);
        let are_apart = a != b && a != NONE && b != NONE;
        if are_apart || contact.components.iter().any(is_sliver) {
            continue;
        }
        let [a, b] = contact.components.map(|component| merged.find(component.0));
        let (into, from) = (a.min(b), a.max(b));
        if into != from {
            merged.attach(from, into);
            volumes[into as usize] += volumes[from as usize];
        }
    }
    let mut largest = vec![(f64::NEG_INFINITY, NONE); of_components.len()];
    for (component, (group, sum)) in (0..).zip(of_components.iter().zip(sums)) {
        let best = &mut largest[merged.find(component) as usize];
        if *group != NONE && sum.volume() > best.0 {
            *best = (sum.volume(), *group);
        }
    }
    for (group, (_, largest)) in of_components.iter_mut().zip(largest) {
        *group = largest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The groups of components of given volumes along a chain, after merging.
    fn merge(of_components: &[u32], volumes: &[f64]) -> Vec<u32> {
        let corners = |volume: f64| {
            let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
            [x * 6.0 * volume, y, z]
        };
        let sum = |volume: &f64| {
            let mut sum = MassAccumulator::default();
            sum.add(corners(*volume));
            sum
        };
        let sums: Vec<MassAccumulator> = volumes.iter().map(sum).collect();
        let next = |k: u32| ComponentContact::new(ComponentId(k), ComponentId(k + 1), 1.0);
        let contacts: Vec<ComponentContact> = (0..volumes.len() as u32 - 1).map(next).collect();
        let groups = Groups {
            min_volume: 1e-3,
            ..Groups::default()
        };
        let mut of_components = of_components.to_vec();
        let merged = UnionFind::new(volumes.len());
        let totals = &mut volumes.to_vec();
        merge_groups(
            &mut of_components,
            &groups,
            &sums,
            &contacts,
            &merged,
            totals,
        );
        let root = |component: u32| of_components[merged.find(component) as usize];
        (0..volumes.len() as u32).map(root).collect()
    }

    #[test]
    fn what_has_no_group_holds_all_that_it_touches_together() {
        let volumes = [1.0, 2.0, 1.5];
        assert_eq!(merge(&[4, NONE, 7], &volumes), [7, 7, 7]);
        assert_eq!(merge(&[4, NONE, 4], &volumes), [4, 4, 4]);
        assert_eq!(merge(&[4, 7, 7], &volumes), [4, 7, 7]);
    }

    #[test]
    fn slivers_hold_nothing_together() {
        assert_eq!(merge(&[4, NONE, 7], &[1.0, 1e-4, 1.5]), [4, NONE, 7]);
    }
}
