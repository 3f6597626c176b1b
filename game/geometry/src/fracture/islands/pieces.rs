//! Pieces from components: cavities go to the component around them, slivers to their largest neighbour.

use crate::fracture::ids::{ComponentId, LocalCell};
use crate::fracture::islands::cavities::EnclosingComponents;
use crate::fracture::islands::components::Components;
use crate::fracture::islands::contacts::{collect_contacts, ComponentContact};
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::groups::{merge_groups, GroupAssigner, Groups};
use crate::fracture::islands::slivers::{SliverMerger, SliverScratch};
use crate::fracture::output::{FractureReport, PieceContact, PieceKind};
use crate::math::{UnionFind, NONE};
use crate::mesh::mass::{MassAccumulator, MassProperties};

/// Largest volume of a sliver, relative to the mean volume of affected cells: more merges thin parts that can
/// be seen, less leaves bodies that a physics engine simulates badly.
pub const SLIVER_FRACTION: f64 = 1e-3;
/// Largest volume of dust, relative to the solid's volume: far below any piece, above rounding errors.
/// Components without a neighbour are dust up to it, else pieces.
pub const DUST_FRACTION: f64 = 1e-9;

/// Piece as a list of elements.
pub struct PieceElements {
    pub kind: PieceKind,
    pub elements: Vec<Element>,
    pub mass: MassProperties,
}

/// Assembles pieces from components; reused from one break to the next.
#[derive(Default)]
pub struct PieceAssembly {
    /// Pieces in the order of the output.
    pub pieces: Vec<PieceElements>,
    /// Contacts between pieces.
    pub contacts: Vec<PieceContact>,
    /// Volume below which a component was a sliver, m^3.
    pub min_volume: f64,
    /// Element lists for reuse.
    spare: Vec<Vec<Element>>,
    /// By component: mass sum about the solid's origin; at a root that of all merged components in the end.
    sums: Vec<MassAccumulator>,
    /// By component: volume; at a root that of all merged components.
    volumes: Vec<f64>,
    /// Merged components; the root of each set names the piece.
    merged: UnionFind,
    /// Contacts between components.
    component_contacts: Vec<ComponentContact>,
    slivers: SliverScratch,
    /// Root component of each piece.
    roots: Vec<ComponentId>,
    /// By component: its piece, or [`NONE`].
    piece_of: Vec<u32>,
    /// Scratch for contacts between pieces.
    piece_contacts: Vec<([u32; 2], f64)>,
    /// By component: its group; empty without groups.
    groups: Vec<u32>,
}

impl PieceAssembly {
    /// Mass sums of so many components, to be filled before [`PieceAssembly::assemble`].
    pub fn start(&mut self, components: usize) -> &mut [MassAccumulator] {
        self.sums.clear();
        self.sums.resize(components, MassAccumulator::default());
        &mut self.sums
    }

    /// Assembles the pieces; needs the mass sums. Components merge to `groups`; without any, every
    /// component of a cell is a fragment.
    pub fn assemble(
        &mut self,
        cut: &CutSolid,
        components: &Components,
        groups: Option<&Groups>,
        report: &mut FractureReport,
    ) {
        let pieces = self.pieces.drain(..);
        self.spare.extend(pieces.map(|piece| piece.elements));
        self.volumes.clear();
        self.volumes
            .extend(self.sums.iter().map(MassAccumulator::volume));
        self.merged.reset(components.count());
        collect_contacts(cut, components, &mut self.component_contacts);
        let mut assembler = Assembler {
            cut,
            components,
            groups,
            lists: self,
        };
        assembler.lists.min_volume =
            groups.map_or_else(|| assembler.sliver_volume(), |groups| groups.min_volume);
        assembler.merge_cavities();
        assembler.merge_groups();
        assembler.merge_slivers(report);
        assembler.assign_kinds(report);
        assembler.assign_elements();
        assembler.sum_contacts();
    }

    /// Piece of a component; `None` for dust.
    pub fn piece_of(&self, component: ComponentId) -> Option<u32> {
        let piece = self.piece_of.get(component.index()).copied();
        piece.filter(|piece| *piece != NONE)
    }

    /// Group of each piece; [`NONE`] without one.
    pub fn groups_of_pieces(&self) -> Vec<u32> {
        let group = |root: &ComponentId| self.groups.get(root.index()).copied();
        let roots = self.roots.iter();
        roots.map(|root| group(root).unwrap_or(NONE)).collect()
    }
}

/// Mass sum of some elements about the solid's origin.
pub fn sum_mass(cut: &CutSolid, elements: &[Element]) -> MassAccumulator {
    let origin = cut.solid.origin();
    let mut sum = MassAccumulator::default();
    for element in elements {
        match *element {
            Element::Patch(patch) => sum.merge(cut.solid.clusters().sum(patch)),
            Element::Cap { cap, region, side } => {
                let own = cut.cap(cap).measures[region as usize].sum;
                sum.merge(&if side == 0 { own } else { own.reversed() });
            }
            element => cut.for_each_triangle(element, |triangle| {
                let triangle = triangle.map(|corner| corner - origin);
                cut.solid.add_to(&mut sum, triangle);
            }),
        }
    }
    sum
}

/// One assembly: the steps of [`PieceAssembly::assemble`].
struct Assembler<'a> {
    cut: &'a CutSolid<'a>,
    components: &'a Components,
    groups: Option<&'a Groups>,
    lists: &'a mut PieceAssembly,
}

impl Assembler<'_> {
    fn root(&self, component: ComponentId) -> ComponentId {
        ComponentId(self.lists.merged.find(component.0))
    }

    fn volume(&self, component: ComponentId) -> f64 {
        self.lists.volumes[component.index()]
    }

    /// Merges cavities: a closed surface turned inwards bounds a cavity of the smallest component around it.
    fn merge_cavities(&mut self) {
        let mut enclosing = None;
        for cavity in self.components.ids().filter(|id| self.is_cavity(*id)) {
            if self.merge_enclosed(cavity) {
                continue;
            }
            let enclosing = enclosing
                .get_or_insert_with(|| EnclosingComponents::new(self.cut, self.components));
            let cell = self.components.cell(self.cut, cavity);
            let around = enclosing.around(cavity).iter().copied().filter(|other| {
                self.components.cell(self.cut, *other) == cell
                    && self.volume(*other) > -self.volume(cavity)
            });
            let smallest = around.min_by(|a, b| self.volume(*a).total_cmp(&self.volume(*b)));
            if let Some(around) = smallest {
                self.lists.merged.attach(cavity.0, around.0);
            }
        }
        for component in self.components.ids() {
            let root = self.root(component);
            if root != component {
                self.lists.volumes[root.index()] += self.lists.volumes[component.index()];
            }
        }
    }

    /// Whether a surface is turned inwards; one with cuts that has next to no volume is a sliver.
    fn is_cavity(&self, component: ComponentId) -> bool {
        let volume = self.volume(component);
        let mut elements = self.components.elements(component).iter();
        volume < -self.lists.min_volume.max(self.max_dust())
            || volume < 0.0 && elements.all(|element| element.is_uncut())
    }

    /// Merges the inside of a body that has broken off nowhere: what a cavity of cuts alone encloses, and fills, is no piece.
    fn merge_enclosed(&self, cavity: ComponentId) -> bool {
        let mut elements = self.components.elements(cavity).iter();
        if !elements.all(|element| matches!(element, Element::Cap { .. })) {
            return false;
        }
        let touching = UnionFind::new(self.components.count());
        for contact in &self.lists.component_contacts {
            let [a, b] = contact.components;
            touching.unite(a.0, b.0);
        }
        let set = touching.find(cavity.0);
        let enclosed = || {
            self.components
                .ids()
                .filter(|id| touching.find(id.0) == set)
        };
        // Where solids overlap, more is inside, and is left as it is.
        let volume: f64 = enclosed().map(|id| self.volume(id)).sum();
        let is_filled = volume.abs() <= self.max_dust();
        if is_filled {
            let roots = enclosed().map(|id| self.root(id));
            for root in roots.filter(|root| *root != cavity) {
                self.lists.merged.attach(root.0, cavity.0);
            }
        }
        is_filled
    }

    /// Volume up to which a component without a neighbour is dust.
    fn max_dust(&self) -> f64 {
        DUST_FRACTION * self.cut.solid.mass().volume
    }

    fn merge_groups(&mut self) {
        self.lists.groups.clear();
        let Some(groups) = self.groups else {
            return;
        };
        let lists = &mut *self.lists;
        let assigner = GroupAssigner {
            cut: self.cut,
            components: self.components,
            groups,
            sums: &lists.sums,
        };
        assigner.assign(&mut lists.groups);
        merge_groups(
            &mut lists.groups,
            groups,
            &lists.sums,
            &lists.component_contacts,
            &lists.merged,
            &mut lists.volumes,
        );
    }

    fn merge_slivers(&mut self, report: &mut FractureReport) {
        let lists = &mut *self.lists;
        let mut merger = SliverMerger::new(&lists.merged, &mut lists.volumes, &mut lists.slivers);
        report.slivers += merger.merge_below(lists.min_volume, &lists.component_contacts);
    }

    /// Volume below which a component is a sliver.
    fn sliver_volume(&self) -> f64 {
        let affected = &self.cut.affected;
        let reference = self.mean_volume(|cell| affected.is_reference(cell));
        let mean = reference.or_else(|| self.mean_volume(|_| true));
        SLIVER_FRACTION * mean.unwrap_or_default()
    }

    /// Mean volume of some affected cells; `None` if they contain nothing of the solid.
    fn mean_volume(&self, is_counted: impl Fn(LocalCell) -> bool) -> Option<f64> {
        let volume = |id: ComponentId| {
            let cell = self.components.cell(self.cut, id)?;
            is_counted(cell).then(|| self.volume(id))
        };
        let sum: f64 = self.components.ids().filter_map(volume).sum();
        let is_used = |cell: &_| !self.cut.surface.is_empty_in(*cell);
        let cells = self.cut.affected.locals().filter(|cell| is_counted(*cell));
        let count = cells.filter(is_used).count();
        (count > 0).then(|| sum / count as f64)
    }

    /// Cell of a fragment; `None` for an island: an unaffected component, or any with groups.
    fn cell(&self, component: ComponentId) -> Option<u32> {
        if self.groups.is_some() {
            return None;
        }
        let local = self.components.cell(self.cut, component)?;
        Some(self.cut.affected.cell(local))
    }

    /// Creates the pieces in their order, with their kinds: fragments by cell, then islands; of one cell the
    /// larger first.
    fn assign_kinds(&mut self, report: &mut FractureReport) {
        let max_dust = self.max_dust();
        let mut roots = std::mem::take(&mut self.lists.roots);
        roots.clear();
        for root in self.components.ids().filter(|id| self.root(*id) == *id) {
            let volume = self.volume(root);
            if volume > max_dust {
                roots.push(root);
            } else {
                report.dust += 1;
                report.dust_volume += volume;
            }
        }
        let cell_order = |root: ComponentId| self.cell(root).unwrap_or(u32::MAX);
        roots.sort_unstable_by(|&a, &b| {
            cell_order(a)
                .cmp(&cell_order(b))
                .then(self.volume(b).total_cmp(&self.volume(a)))
                .then(a.cmp(&b))
        });
        let (mut last, mut part) = (None, 0);
        for &root in &roots {
            let cell = self.cell(root);
            part = if last == Some(cell) { part + 1 } else { 0 };
            last = Some(cell);
            let kind = match cell {
                Some(cell) => PieceKind::Fragment { cell, part },
                None => PieceKind::Island { part },
            };
            let mut elements = self.lists.spare.pop().unwrap_or_default();
            elements.clear();
            self.lists.pieces.push(PieceElements {
                kind,
                elements,
                mass: MassProperties::default(),
            });
        }
        self.lists.roots = roots;
    }

    /// Gives every piece its elements and its mass.
    fn assign_elements(&mut self) {
        let mut piece_of = std::mem::take(&mut self.lists.piece_of);
        piece_of.clear();
        piece_of.resize(self.components.count(), NONE);
        for (piece, root) in (0..).zip(&self.lists.roots) {
            piece_of[root.index()] = piece;
        }
        let components = self.components;
        for component in components.ids() {
            let root = self.root(component);
            let piece = piece_of[root.index()];
            piece_of[component.index()] = piece;
            if root != component {
                let sum = self.lists.sums[component.index()];
                self.lists.sums[root.index()].merge(&sum);
            }
            for &element in components.elements(component) {
                let is_internal = self.is_internal_cap(element);
                if let Some(piece) = self.lists.pieces.get_mut(piece as usize) {
                    piece.elements.extend((!is_internal).then_some(element));
                }
            }
        }
        self.lists.piece_of = piece_of;
        let lists = &mut *self.lists;
        for (piece, root) in lists.pieces.iter_mut().zip(&lists.roots) {
            piece.mass = lists.sums[root.index()].properties(self.cut.solid.origin());
        }
    }

    /// Whether both sides of a cap belong to one piece.
    fn is_internal_cap(&self, element: Element) -> bool {
        let Element::Cap { cap, region, .. } = element else {
            return false;
        };
        let [one, other] = [0, 1].map(|side| self.root(self.components.of_cap(cap, region, side)));
        one == other
    }

    /// Sums the contacts of components to those of pieces.
    fn sum_contacts(&mut self) {
        let PieceAssembly {
            contacts,
            component_contacts,
            piece_of,
            piece_contacts,
            ..
        } = &mut *self.lists;
        let of_pieces = component_contacts.iter().map(|contact| {
            let [a, b] = contact
                .components
                .map(|component| piece_of[component.index()]);
            ([a.min(b), a.max(b)], contact.area)
        });
        piece_contacts.clear();
        piece_contacts.extend(of_pieces.filter(|([a, b], _)| a != b && *b != NONE));
        piece_contacts.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let pairs = piece_contacts.chunk_by(|a, b| a.0 == b.0);
        contacts.clear();
        contacts.extend(pairs.map(|same| {
            let area: f64 = same.iter().map(|(_, area)| area).sum();
            PieceContact {
                pieces: same[0].0,
                area: area as f32,
            }
        }));
    }
}
