//! Components to pieces: cavities go to what is around them, slivers to their largest neighbour.

use super::emit::each_triangle;
use super::join::{Components, Part, Parts};
use super::owners::REST;
use super::pieces::{PieceKind, Report};
use super::seams;
use super::slivers::{self, Slivers};
use crate::mass::{half_solid_angle, winds, Mass, Tetrahedra};
use glam::DVec3;

/// A part of an affected cell below this share of the mean volume of affected cells is a sliver.
pub const SLIVER: f64 = 1e-3;
/// What has no neighbour is dust below this share of the solid's volume, else a piece of its own.
pub const DUST: f64 = 1e-9;

/// A piece as a list of parts.
pub struct Group {
    pub kind: PieceKind,
    pub parts: Vec<Part>,
    pub mass: Mass,
}

/// The pieces of a break.
pub struct Groups {
    /// In output order.
    pub pieces: Vec<Group>,
    /// Cap area between pieces.
    pub contacts: Vec<(u32, u32, f32)>,
}

/// Sorts the components into pieces.
pub fn group(parts: &Parts, components: &Components, report: &mut Report) -> Groups {
    let mut sorter = Sorter::new(parts, components);
    sorter.enclose_cavities();
    sorter.join_slivers(report);
    sorter.finish(report)
}

/// The tetrahedra of some parts about the solid's origin.
fn sum(parts: &Parts, list: &[Part]) -> Tetrahedra {
    let origin = parts.solid.origin();
    let mut sum = Tetrahedra::default();
    for part in list {
        match part {
            Part::Patch(patch) => sum.join(parts.solid.patches().sum(*patch)),
            part => each_triangle(parts, *part, |t| {
                parts.solid.add_to(&mut sum, t.map(|p| p - origin));
            }),
        }
    }
    sum
}

struct Sorter<'a> {
    parts: &'a Parts<'a>,
    components: &'a Components,
    /// By component, about the solid's origin.
    sums: Vec<Tetrahedra>,
    volumes: Vec<f64>,
    /// The component that each has joined, itself for a piece's own.
    joined: Vec<u32>,
    /// Cap areas between components; in a shell, lengths of seams.
    caps: Vec<(u32, u32, f64)>,
}

impl<'a> Sorter<'a> {
    fn new(parts: &'a Parts, components: &'a Components) -> Self {
        let sums: Vec<Tetrahedra> = (0..components.count())
            .map(|component| sum(parts, components.members(component)))
            .collect();
        let mut sorter = Self {
            parts,
            components,
            volumes: sums.iter().map(Tetrahedra::volume).collect(),
            sums,
            joined: (0..components.count()).collect(),
            caps: Vec::new(),
        };
        if parts.solid.is_shell() {
            sorter.caps = seams::seams(parts, components);
        } else {
            sorter.measure_caps();
        }
        sorter
    }

    fn measure_caps(&mut self) {
        for (index, cap) in self.parts.caps.iter().enumerate() {
            for region in 0..cap.regions.count() {
                let side = |side: u8| self.components.of_cap(index as u32, region, side);
                let (one, other) = (side(0), side(1));
                let mut area = 0.0;
                each_triangle(
                    self.parts,
                    Part::Cap(index as u32, region, 0),
                    |[a, b, c]| {
                        area += 0.5 * (b - a).cross(c - a).length();
                    },
                );
                self.caps.push((one.min(other), one.max(other), area));
            }
        }
    }

    fn owner(&self, component: u32) -> u32 {
        self.components.owner(self.parts, component)
    }

    fn root(&self, component: u32) -> u32 {
        slivers::root(&self.joined, component)
    }

    /// A closed shell turned inwards, untouched by any cut, bounds a cavity of the smallest solid
    /// part around it.
    fn enclose_cavities(&mut self) {
        let is_whole = |part: &Part| matches!(part, Part::Patch(_) | Part::Triangle(_));
        let whole = |list: &[Part]| list.iter().all(is_whole);
        for cavity in 0..self.components.count() {
            let list = self.components.members(cavity);
            if self.volumes[cavity as usize] >= 0.0 || !whole(list) {
                continue;
            }
            let first = match list.first() {
                Some(Part::Patch(patch)) => self.parts.solid.patches().first(*patch),
                Some(Part::Triangle(triangle)) => *triangle,
                _ => continue,
            };
            let point = self.parts.solid.positions_of(first)[0];
            let owner = self.owner(cavity);
            let around = (0..self.components.count()).filter(|&other| {
                other != cavity
                    && self.owner(other) == owner
                    && self.volumes[other as usize] > -self.volumes[cavity as usize]
                    && self.winds(other, point)
            });
            let volume = |c: &u32| self.volumes[*c as usize];
            if let Some(around) = around.min_by(|a, b| volume(a).total_cmp(&volume(b))) {
                self.joined[cavity as usize] = around;
            }
        }
        for cavity in 0..self.components.count() {
            let around = self.root(cavity);
            if around != cavity {
                self.volumes[around as usize] += self.volumes[cavity as usize];
            }
        }
    }

    /// Whether a closed component winds around a point.
    fn winds(&self, component: u32, point: DVec3) -> bool {
        let mut sum = 0.0;
        for part in self.components.members(component) {
            each_triangle(self.parts, *part, |t| sum += half_solid_angle(t, point));
        }
        winds(sum)
    }

    fn join_slivers(&mut self, report: &mut Report) {
        let least = self.least_volume();
        let mut slivers = Slivers::new(&self.caps, &mut self.joined, &mut self.volumes);
        report.slivers += slivers.join_below(least);
    }

    fn least_volume(&self) -> f64 {
        let in_cells = (0..self.components.count()).filter(|&c| self.owner(c) != REST);
        let sum: f64 = in_cells.map(|c| self.volumes[c as usize]).sum();
        let cells = self.parts.surfaces.iter().filter(|s| !s.is_empty()).count();
        SLIVER * sum / cells.max(1) as f64
    }

    /// Names and orders the pieces: fragments by cell, islands by size; the larger part first.
    fn finish(self, report: &mut Report) -> Groups {
        let dust = DUST * self.parts.solid.mass().volume;
        let mut roots = Vec::new();
        for root in (0..self.components.count()).filter(|&c| self.root(c) == c) {
            let volume = self.volumes[root as usize];
            if volume > dust {
                roots.push(root);
            } else {
                report.dust += 1;
                report.dust_volume += volume;
            }
        }
        let cell = |root: u32| match self.owner(root) {
            REST => u32::MAX,
            slot => self.parts.surfaces[slot as usize].cell,
        };
        roots.sort_by(|&a, &b| {
            let volume = |c: u32| self.volumes[c as usize];
            let by_size = volume(b).total_cmp(&volume(a));
            cell(a).cmp(&cell(b)).then(by_size).then(a.cmp(&b))
        });
        let mut pieces: Vec<(Group, Tetrahedra)> = Vec::new();
        let mut slot_of = vec![u32::MAX; self.components.count() as usize];
        for (slot, &root) in roots.iter().enumerate() {
            slot_of[root as usize] = slot as u32;
            let part = roots[..slot]
                .iter()
                .rev()
                .take_while(|r| cell(**r) == cell(root))
                .count() as u32;
            let kind = match cell(root) {
                u32::MAX => PieceKind::Island { part },
                cell => PieceKind::Fragment { cell, part },
            };
            let empty = Group {
                kind,
                parts: Vec::new(),
                mass: Mass::default(),
            };
            pieces.push((empty, Tetrahedra::default()));
        }
        for component in 0..self.components.count() {
            let slot = slot_of[self.root(component) as usize];
            slot_of[component as usize] = slot;
            if let Some((group, sum)) = pieces.get_mut(slot as usize) {
                let members = self.components.members(component).iter();
                let seen = members.filter(|part| !self.is_healed(**part));
                group.parts.extend(seen);
                sum.join(&self.sums[component as usize]);
            }
        }
        let origin = self.parts.solid.origin();
        let weighed = |(group, sum): (Group, Tetrahedra)| Group {
            mass: sum.mass(origin),
            ..group
        };
        let pieces = pieces.into_iter().map(weighed).collect();
        let contacts = self.contacts(&slot_of);
        Groups { pieces, contacts }
    }

    /// Whether a cap lies within one piece.
    fn is_healed(&self, part: Part) -> bool {
        let Part::Cap(cap, region, _) = part else {
            return false;
        };
        let side = |side: u8| self.root(self.components.of_cap(cap, region, side));
        side(0) == side(1)
    }

    fn contacts(&self, slot_of: &[u32]) -> Vec<(u32, u32, f32)> {
        let slots = |c: &(u32, u32, f64)| {
            let (a, b) = (slot_of[c.0 as usize], slot_of[c.1 as usize]);
            (a.min(b), a.max(b), c.2)
        };
        let between = |c: &(u32, u32, f64)| c.0 != c.1 && c.1 != u32::MAX;
        let mut list: Vec<(u32, u32, f64)> = self.caps.iter().map(slots).filter(between).collect();
        list.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let pairs = list.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
        let sum = |pair: &[(u32, u32, f64)]| {
            let area: f64 = pair.iter().map(|c| c.2).sum();
            (pair[0].0, pair[0].1, area as f32)
        };
        pairs.map(sum).collect()
    }
}
