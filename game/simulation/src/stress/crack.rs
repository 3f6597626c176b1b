//! Cracks that carry nothing: whether a part that comes off stands on what stays, or only hangs there by
//! the teeth of its crack.

use fracture_geometry::support::Bond;
use glam::{DVec3, Vec3};

use super::connectivity;
use super::solve::StressProblem;
use crate::pieces::LooseCrack;

/// Share of a crack that has to lie below the part, as seen along gravity, for the part to stand on it: a
/// crack flatter than 45 degrees. Of steeper ones the part slides off, and between two of them it would be
/// a wedge.
const STANDING_SHARE: f64 = 0.7;

/// Share of the volume of parts that fall side by side below which one of them carries none of the others.
const CRUMB_SHARE: f64 = 0.1;

/// Reach of a crack's teeth, in half diagonals of a face: hulls stick out of pieces a little.
const REACH: f64 = 1.5;

/// A part that comes off, and its crack with what stays.
struct FallingPart {
    /// Centre of mass.
    center: DVec3,
    /// m^3.
    volume: f64,
    /// Area of the crack, m^2.
    area: f64,
    /// The same as seen along gravity: faces below the part less those above it.
    area_below: f64,
    /// Whether it has a face of the crack straight below its centre.
    stands_on_ledge: bool,
    faces: Vec<Vec3>,
    /// By face: the level way to it from the centre of mass.
    offsets: Vec<DVec3>,
    /// The lowest and highest face, metres along gravity.
    heights: [f64; 2],
    /// The largest half diagonal of a face, metres.
    half_diagonal: f64,
}

impl FallingPart {
    fn new(center: DVec3, volume: f64) -> Self {
        Self {
            center,
            volume,
            area: 0.0,
            area_below: 0.0,
            stands_on_ledge: false,
            faces: Vec::new(),
            offsets: Vec::new(),
            heights: [f64::INFINITY, f64::NEG_INFINITY],
            half_diagonal: 0.0,
        }
    }

    /// Adds a face of the crack, whose unit `normal` points out of the part.
    fn add(&mut self, bond: &Bond, normal: DVec3, down: DVec3) {
        let (slope, face) = (normal.dot(down), bond.area);
        self.area += face.area;
        self.area_below += face.area * slope;
        self.faces.push(face.center.as_vec3());
        let height = face.center.dot(down);
        let [lowest, highest] = self.heights;
        self.heights = [lowest.min(height), highest.max(height)];
        // Of a rectangle, whose polar moment is a third of its area times the square of that.
        let polar: f64 = (0..3).map(|axis| face.moments.col(axis)[axis]).sum();
        self.half_diagonal = self.half_diagonal.max((3.0 * polar / face.area).sqrt());
        let radius_squared = face.area / std::f64::consts::PI;
        let off_center = (face.center - self.center).reject_from_normalized(down);
        self.stands_on_ledge |=
            slope > STANDING_SHARE && off_center.length_squared() < radius_squared;
        self.offsets.push(off_center);
    }

    fn is_carried(&self) -> bool {
        self.stands_on_ledge || self.area_below > STANDING_SHARE * self.area
    }

    /// Whether its crack is on one side of it, as that of a cantilever: so it tips over and comes off.
    fn overhangs(&self) -> bool {
        let side: DVec3 = self.offsets.iter().sum();
        self.offsets.iter().all(|offset| offset.dot(side) > 0.0)
    }

    /// Whether it does not stand on its crack, but would hang in it.
    fn is_loose(&self) -> bool {
        !self.overhangs() && !self.is_carried()
    }

    fn crack(&self) -> LooseCrack {
        let [lowest, highest] = self.heights;
        LooseCrack {
            centers: self.faces.as_slice().into(),
            reach: (REACH * self.half_diagonal) as f32,
            height: (highest - lowest + 2.0 * self.half_diagonal) as f32,
        }
    }
}

impl StressProblem<'_> {
    /// By component: the crack of a part that falls and that stands on nothing. Parts that fall side by
    /// side are looked at together as well: a crumb between a large part and what stays carries nothing.
    pub(super) fn loose_cracks(
        &self,
        components: &[u32],
        held: &[bool],
    ) -> Vec<Option<LooseCrack>> {
        let Some(down) = self.weight.try_normalize() else {
            return Vec::new(); // what has no weight does not fall
        };
        let clusters = self.clusters(components, held);
        let cluster_of = |component: &u32| clusters.get(*component as usize).copied();
        let by_node: Vec<u32> = components.iter().filter_map(cluster_of).collect();
        let mut is_cluster_held = vec![false; held.len()];
        for (cluster, held) in clusters.iter().zip(held) {
            if let Some(is_held) = is_cluster_held.get_mut(*cluster as usize) {
                *is_held |= held;
            }
        }
        let parts = self.falling_parts(components, held, down);
        let groups = self.falling_parts(&by_node, &is_cluster_held, down);
        let crack = |((part, cluster), held): ((&FallingPart, &u32), &bool)| {
            let group = groups.get(*cluster as usize).filter(|_| !held)?;
            let is_crumb = part.volume < CRUMB_SHARE * group.volume;
            if group.is_loose() && (is_crumb || !part.is_carried()) {
                Some(group.crack())
            } else {
                part.is_loose().then(|| part.crack())
            }
        };
        parts.iter().zip(&clusters).zip(held).map(crack).collect()
    }

    /// By component: the number of its cluster. Parts that fall and touch each other are one cluster.
    fn clusters(&self, components: &[u32], held: &[bool]) -> Vec<u32> {
        let component = |node: u32| components.get(node as usize).copied();
        let falls = |component: &u32| held.get(*component as usize) == Some(&false);
        let links = self.support.bonds_between(components).filter_map(|bond| {
            let [a, b] = bond.nodes.map(component);
            Some([a.filter(falls)?, b.filter(falls)?])
        });
        connectivity::components(held.len(), links)
    }

    /// By group: the part, and its crack with the groups that are held.
    fn falling_parts(&self, groups: &[u32], held: &[bool], down: DVec3) -> Vec<FallingPart> {
        let mut parts = self.without_cracks(groups, held.len());
        let group = |node: u32| groups.get(node as usize).copied();
        let is_held = |group: u32| held.get(group as usize) == Some(&true);
        for bond in self.support.bonds_between(groups) {
            let normal = bond.area.normal;
            for ([own, other], normal) in [(bond.nodes, normal), (reversed(bond.nodes), -normal)] {
                let Some((own, other)) = group(own).zip(group(other)) else {
                    continue;
                };
                let part = parts.get_mut(own as usize);
                if let Some(part) = part.filter(|_| !is_held(own) && is_held(other)) {
                    part.add(bond, normal, down);
                }
            }
        }
        parts
    }

    /// By group: the part, without its crack.
    fn without_cracks(&self, groups: &[u32], count: usize) -> Vec<FallingPart> {
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        for (node, group) in self.support.nodes.iter().zip(groups) {
            if let Some((moment, volume)) = sums.get_mut(*group as usize) {
                *moment += node.mass.center * node.mass.volume;
                *volume += node.mass.volume;
            }
        }
        let part = |(moment, volume): (DVec3, f64)| {
            FallingPart::new(moment / volume.max(f64::MIN_POSITIVE), volume)
        };
        sums.into_iter().map(part).collect()
    }
}

fn reversed([a, b]: [u32; 2]) -> [u32; 2] {
    [b, a]
}
