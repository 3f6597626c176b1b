//! Sites of the webs of a broken pane.

use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::TAU;

/// Largest jitter as a fraction of the distance between neighbours; more would let rays cross.
const JITTER_REACH: f64 = 0.8;

/// Length of a shard in its widths.
const SHARD_LENGTH: f64 = 2.4;

/// One site in the middle, and sites on rings that grow by `1 + 2 pi / rays`, which makes pieces
/// about as wide as they are long. Two sites of one ring and neighbouring rays are mirror images in
/// a plane through the middle, so rays are straight; jitter turns whole rays and shifts single rings.
pub fn sites(rings: u32, rays: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let step = TAU / f64::from(rays);
    let growth = 1.0 + step;
    let turns = turns(rays, jitter, random);
    let mut sites = vec![DVec3::ZERO];
    for ring in 0..rings {
        for turn in &turns {
            let back = f64::from(rings - 1 - ring) + offset(jitter, random);
            sites.push(on_ring(libm::pow(growth, -back), *turn));
        }
    }
    sites
}

/// One site in the middle, and rings of long pieces. Pieces of every other ring, from the outermost on, are as wide as two
/// of the next one: so the ray between those ends at the crack between the rings.
pub fn shards(rings: u32, rays: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let step = TAU / f64::from(rays);
    let fine = turns(rays, jitter, random);
    let middle = |pair: &[f64]| pair.iter().sum::<f64>() / pair.len() as f64;
    let coarse: Vec<f64> = fine.chunks(2).map(middle).collect();
    let mut sites = vec![DVec3::ZERO];
    let mut radius = 1.0;
    for ring in 0..rings {
        let (own, inner, turns) = if ring % 2 == 0 {
            (2.0 * step, step, &coarse)
        } else {
            (step, 2.0 * step, &fine)
        };
        let [growth, inner] = [own, inner].map(|width| 1.0 + SHARD_LENGTH * width);
        for turn in turns {
            let shift = libm::pow(growth, offset(jitter, random));
            sites.push(on_ring(radius * shift, *turn));
        }
        radius /= (growth * inner).sqrt();
    }
    sites
}

/// The angles of rays, radians.
fn turns(rays: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<f64> {
    let step = TAU / f64::from(rays);
    (0..rays)
        .map(|ray| (f64::from(ray) + offset(jitter, random)) * step)
        .collect()
}

/// A random part of the distance between neighbours.
fn offset(jitter: f64, random: &mut Pcg64Mcg) -> f64 {
    (random.random::<f64>() - 0.5) * jitter * JITTER_REACH
}

fn on_ring(radius: f64, turn: f64) -> DVec3 {
    let (sin, cos) = libm::sincos(turn);
    DVec3::new(radius * cos, 0.0, radius * sin)
}
