//! Site sets from bytes: lattices, duplicates, lines, spheres, tiny and huge sets.

use crate::bytes::Bytes;
use glam::DVec3;

/// Up to 40 sites, about the box from -1 to 1 unless they are wild.
pub fn sites(bytes: &mut Bytes) -> Vec<DVec3> {
    let kind = bytes.below(8);
    let count = 2 + bytes.below(38);
    let steps = 1 + bytes.below(8);
    let mut sites: Vec<DVec3> = (0..count).map(|_| site(bytes, kind, steps)).collect();
    match bytes.below(8) {
        0 => sites.extend(sites.clone().iter().map(|s| -*s)),
        1 => sites.extend(sites.clone().iter().map(|s| *s + DVec3::splat(1e-6))),
        2 => {
            let scale = bytes.scale();
            sites.iter_mut().for_each(|s| *s *= scale);
        }
        3 => {
            let away = bytes.vector() * 1e5;
            sites.iter_mut().for_each(|s| *s += away);
        }
        _ => {}
    }
    sites
}

/// Sites of any size, not finite ones among them.
pub fn wild(bytes: &mut Bytes) -> Vec<DVec3> {
    let count = bytes.below(20);
    (0..count).map(|_| bytes.wild_vector()).collect()
}

fn site(bytes: &mut Bytes, kind: usize, steps: usize) -> DVec3 {
    let mut lattice = || f64::from(bytes.lattice(steps));
    match kind {
        0..=2 => DVec3::new(lattice(), lattice(), lattice()),
        3 => DVec3::X * lattice(),
        4 => DVec3::new(lattice(), 0.0, lattice()),
        5 => DVec3::new(lattice(), lattice(), lattice() + 1e-9).normalize(),
        6 => DVec3::new(lattice(), lattice(), lattice()) + bytes.vector() * 1e-5,
        _ => bytes.vector(),
    }
}
