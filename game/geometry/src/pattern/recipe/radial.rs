//! Sites of the radial web of a broken pane.

use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::TAU;

/// Largest jitter as a fraction of the distance between neighbours; more would let rays cross.
const JITTER_REACH: f64 = 0.8;

/// One site in the middle, and sites on rings that grow by `1 + 2 pi / rays`, which makes pieces
/// about as wide as they are long. Two sites of one ring and neighbouring rays are mirror images in
/// a plane through the middle, so rays are straight; jitter turns whole rays and shifts single rings.
pub fn sites(rings: u32, rays: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let step = TAU / f64::from(rays);
    let growth = 1.0 + step;
    let mut offset = || (random.random::<f64>() - 0.5) * jitter * JITTER_REACH;
    let turns: Vec<f64> = (0..rays)
        .map(|ray| (f64::from(ray) + offset()) * step)
        .collect();
    let mut sites = vec![DVec3::ZERO];
    for ring in 0..rings {
        for turn in &turns {
            let back = f64::from(rings - 1 - ring) + offset();
            let radius = libm::pow(growth, -back);
            let (sin, cos) = libm::sincos(*turn);
            sites.push(DVec3::new(radius * cos, 0.0, radius * sin));
        }
    }
    sites
}
