//! Components to pieces: cavities go to what is around them, slivers to their largest neighbour.

use crate::fracture::active_cells::UNAFFECTED;
use crate::fracture::islands::cavities::EnclosingComponents;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::groups::{join_groups, GroupAssigner, GroupAssignment};
use crate::fracture::islands::seams;
use crate::fracture::islands::slivers::{self, SliverMerger, SliverScratch};
use crate::fracture::islands::triangles::for_each_triangle;
use crate::fracture::output::{FractureReport, PieceContact, PieceKind};
use crate::mesh::mass::{MassAccumulator, MassProperties};

/// A part of an affected cell below this share of the mean volume of affected cells is a sliver.
pub const SLIVER: f64 = 1e-3;
/// What has no neighbour is dust below this share of the solid's volume, else a piece of its own.
pub const DUST: f64 = 1e-9;

/// A piece as a list of parts.
pub struct PieceElements {
    pub kind: PieceKind,
    pub parts: Vec<Element>,
    pub mass: MassProperties,
}

/// The pieces of a break, sorted break after break in the same memory.
#[derive(Default)]
pub struct PieceSorter {
    /// In output order.
    pub pieces: Vec<PieceElements>,
    /// Cap area between pieces.
    pub contacts: Vec<PieceContact>,
    /// Lists of parts to use again.
    spare: Vec<Vec<Element>>,
    /// By component, about the solid's origin; to be found before [`PieceSorter::sort`].
    sums: Vec<MassAccumulator>,
    /// By component; a sum's for all that have joined it.
    volumes: Vec<f64>,
    /// The component that each has joined, itself for a piece's own.
    joined: Vec<u32>,
    /// Cap areas between components; in a shell, lengths of seams.
    caps: Vec<(u32, u32, f64)>,
    slivers: SliverScratch,
    /// The components that give their names to pieces, in output order.
    roots: Vec<u32>,
    /// By component: its piece.
    slot_of: Vec<u32>,
    between: Vec<(u32, u32, f64)>,
    /// By component, when cells are joined to groups: the group.
    groups: Vec<u32>,
}

impl PieceSorter {
    /// Room for the sums of so many components.
    pub fn start(&mut self, components: u32) -> &mut [MassAccumulator] {
        self.sums.clear();
        self.sums
            .resize(components as usize, MassAccumulator::default());
        &mut self.sums
    }

    /// Sorts the components into pieces. Their sums must be there. `members` (by cell) join
    /// components to groups; none leaves every cell by itself.
    pub fn sort(
        &mut self,
        parts: &CutSolid,
        components: &Components,
        members: &[GroupAssignment],
        report: &mut FractureReport,
    ) {
        self.spare.extend(self.pieces.drain(..).map(|g| g.parts));
        self.volumes.clear();
        self.volumes
            .extend(self.sums.iter().map(MassAccumulator::volume));
        self.joined.clear();
        self.joined.extend(0..components.count());
        let mut sorter = PieceSorting {
            parts,
            components,
            members,
            work: self,
        };
        sorter.measure_borders();
        sorter.enclose_cavities();
        sorter.join_groups();
        sorter.join_slivers(report);
        sorter.name(report);
        sorter.fill();
        sorter.measure_contacts();
    }

    /// The piece that a component became part of; none for dust.
    pub fn piece_of(&self, component: u32) -> Option<u32> {
        let slot = self.slot_of.get(component as usize).copied();
        slot.filter(|slot| *slot != u32::MAX)
    }

    /// The group of each piece, when components were joined to groups.
    pub fn groups_of_pieces(&self) -> Vec<u32> {
        let group = |root: &u32| self.groups.get(*root as usize).copied();
        let roots = self.roots.iter();
        roots.map(|root| group(root).unwrap_or(u32::MAX)).collect()
    }
}

/// The tetrahedra of some parts about the solid's origin.
pub fn sum(parts: &CutSolid, list: &[Element]) -> MassAccumulator {
    let origin = parts.solid.origin();
    let mut sum = MassAccumulator::default();
    for part in list {
        match part {
            Element::Patch(patch) => sum.join(parts.solid.patches().sum(*patch)),
            Element::Cap(cap, region, side) => {
                let own = parts.cap(*cap).measures[*region as usize].sum;
                sum.join(&if *side == 0 { own } else { own.reversed() });
            }
            part => for_each_triangle(parts, *part, |[a, b, c]| {
                let about = [a - origin, b - origin, c - origin];
                parts.solid.add_to(&mut sum, about);
            }),
        }
    }
    sum
}

struct PieceSorting<'a> {
    parts: &'a CutSolid<'a>,
    components: &'a Components,
    members: &'a [GroupAssignment],
    work: &'a mut PieceSorter,
}

impl PieceSorting<'_> {
    fn measure_borders(&mut self) {
        self.work.caps.clear();
        if self.parts.solid.is_shell() {
            seams::seams(self.parts, self.components, &mut self.work.caps);
        }
        for index in 0..self.parts.caps.len() as u32 {
            for region in 0..self.parts.cap(index).regions.count() {
                let side = |side: u8| self.components.of_cap(index, region, side);
                let (one, other) = (side(0), side(1));
                let area = self.parts.cap(index).measures[region as usize].area;
                self.work.caps.push((one.min(other), one.max(other), area));
            }
        }
    }

    fn owner(&self, component: u32) -> u32 {
        self.components.owner(self.parts, component)
    }

    fn root(&self, component: u32) -> u32 {
        slivers::root(&self.work.joined, component)
    }

    /// A closed shell turned inwards, untouched by any cut, bounds a cavity of the smallest solid
    /// part around it.
    fn enclose_cavities(&mut self) {
        let mut surroundings = None;
        for cavity in 0..self.components.count() {
            if !self.is_cavity(cavity) {
                continue;
            }
            let surroundings = surroundings
                .get_or_insert_with(|| EnclosingComponents::new(self.parts, self.components));
            let owner = self.owner(cavity);
            let volume = |c: &u32| self.work.volumes[*c as usize];
            let around = surroundings
                .of(cavity)
                .iter()
                .filter(|other| self.owner(**other) == owner && volume(other) > -volume(&cavity));
            if let Some(around) = around.min_by(|a, b| volume(a).total_cmp(&volume(b))) {
                self.work.joined[cavity as usize] = *around;
            }
        }
        for cavity in 0..self.components.count() {
            let around = self.root(cavity);
            if around != cavity {
                self.work.volumes[around as usize] += self.work.volumes[cavity as usize];
            }
        }
    }

    fn is_cavity(&self, component: u32) -> bool {
        let members = self.components.members(component);
        self.work.volumes[component as usize] < 0.0 && members.iter().all(|part| part.is_whole())
    }

    fn join_groups(&mut self) {
        let PieceSorter {
            groups,
            sums,
            caps,
            joined,
            volumes,
            ..
        } = &mut *self.work;
        groups.clear();
        if self.members.is_empty() {
            return;
        }
        let regroup = GroupAssigner {
            parts: self.parts,
            components: self.components,
            members: self.members,
            sums,
        };
        regroup.groups(groups);
        join_groups(groups, sums, caps, joined, volumes);
    }

    fn join_slivers(&mut self, report: &mut FractureReport) {
        let least = self.least_volume();
        let PieceSorter {
            joined,
            volumes,
            slivers,
            caps,
            ..
        } = &mut *self.work;
        report.slivers += SliverMerger::new(joined, volumes, slivers).join_below(least, caps);
    }

    fn least_volume(&self) -> f64 {
        let in_cells = (0..self.components.count()).filter(|&c| self.owner(c) != UNAFFECTED);
        let sum: f64 = in_cells.map(|c| self.work.volumes[c as usize]).sum();
        let slots = 0..self.parts.slots.count() as u32;
        let cells = slots
            .filter(|s| !self.parts.surface.is_empty_in(*s))
            .count();
        SLIVER * sum / cells.max(1) as f64
    }

    /// The cell of a component, the largest number for what was not affected, or is in a group.
    fn cell(&self, component: u32) -> u32 {
        match self.owner(component) {
            _ if !self.members.is_empty() => u32::MAX,
            UNAFFECTED => u32::MAX,
            slot => self.parts.slots.cell(slot),
        }
    }

    /// Names and orders the pieces: fragments by cell, islands by size; the larger part first.
    fn name(&mut self, report: &mut FractureReport) {
        let dust = DUST * self.parts.solid.mass().volume;
        let mut roots = std::mem::take(&mut self.work.roots);
        roots.clear();
        for root in (0..self.components.count()).filter(|&c| self.root(c) == c) {
            let volume = self.work.volumes[root as usize];
            if volume > dust {
                roots.push(root);
            } else {
                report.dust += 1;
                report.dust_volume += volume;
            }
        }
        roots.sort_unstable_by(|&a, &b| {
            let volume = |c: u32| self.work.volumes[c as usize];
            let by_size = volume(b).total_cmp(&volume(a));
            self.cell(a)
                .cmp(&self.cell(b))
                .then(by_size)
                .then(a.cmp(&b))
        });
        let (mut last, mut part) = (None, 0);
        for &root in &roots {
            let cell = self.cell(root);
            part = if last == Some(cell) { part + 1 } else { 0 };
            last = Some(cell);
            let kind = match cell {
                u32::MAX => PieceKind::Island { part },
                cell => PieceKind::Fragment { cell, part },
            };
            let mut parts = self.work.spare.pop().unwrap_or_default();
            parts.clear();
            self.work.pieces.push(PieceElements {
                kind,
                parts,
                mass: MassProperties::default(),
            });
        }
        self.work.roots = roots;
    }

    /// Gives every piece its parts and its mass.
    fn fill(&mut self) {
        let mut slot_of = std::mem::take(&mut self.work.slot_of);
        slot_of.clear();
        slot_of.resize(self.components.count() as usize, u32::MAX);
        for (slot, root) in self.work.roots.iter().enumerate() {
            slot_of[*root as usize] = slot as u32;
        }
        let components = self.components;
        for component in 0..components.count() {
            let root = self.root(component);
            let slot = slot_of[root as usize];
            slot_of[component as usize] = slot;
            if root != component {
                let sum = self.work.sums[component as usize];
                self.work.sums[root as usize].join(&sum);
            }
            for part in components.members(component) {
                let healed = self.is_healed(*part);
                if let Some(group) = self.work.pieces.get_mut(slot as usize) {
                    group.parts.extend(Some(*part).filter(|_| !healed));
                }
            }
        }
        let PieceSorter {
            pieces,
            roots,
            sums,
            ..
        } = &mut *self.work;
        for (group, root) in pieces.iter_mut().zip(roots) {
            group.mass = sums[*root as usize].mass(self.parts.solid.origin());
        }
        self.work.slot_of = slot_of;
    }

    /// Whether a cap lies within one piece.
    fn is_healed(&self, part: Element) -> bool {
        let Element::Cap(cap, region, _) = part else {
            return false;
        };
        let side = |side: u8| self.root(self.components.of_cap(cap, region, side));
        side(0) == side(1)
    }

    fn measure_contacts(&mut self) {
        let PieceSorter {
            contacts,
            caps,
            slot_of,
            between,
            ..
        } = &mut *self.work;
        let slots = |c: &(u32, u32, f64)| {
            let (a, b) = (slot_of[c.0 as usize], slot_of[c.1 as usize]);
            (a.min(b), a.max(b), c.2)
        };
        between.clear();
        let pieces = caps.iter().map(slots);
        between.extend(pieces.filter(|c| c.0 != c.1 && c.1 != u32::MAX));
        between.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let pairs = between.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let sum = |pair: &[(u32, u32, f64)]| {
            let area: f64 = pair.iter().map(|c| c.2).sum();
            PieceContact {
                pieces: [pair[0].0, pair[0].1],
                area: area as f32,
            }
        };
        contacts.clear();
        contacts.extend(pairs.map(sum));
    }
}
