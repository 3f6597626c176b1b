//! Sites in a box or a ball, and what spreads them.

use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// The golden angle, radians: turned by it from one to the next, any number of sites are spread evenly.
pub const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Uniform sites in the box from -1 to 1.
pub fn uniform(cells: u32, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    (0..cells).map(|_| in_box(random)).collect()
}

/// Sites in the unit ball, at distances of `u^falloff`.
pub fn clustered(cells: u32, falloff: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let mut draw = || {
        let radius = libm::pow(random.random::<f64>(), falloff);
        on_sphere(random) * radius
    };
    (0..cells).map(|_| draw()).collect()
}

/// Clustered sites, compressed along y, so that cells are long when the compression is undone.
pub fn splinters(cells: u32, falloff: f64, aspect: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let flat = DVec3::new(1.0, 1.0 / aspect, 1.0);
    let sites = clustered(cells, falloff, random).into_iter();
    sites.map(|site| site * flat).collect()
}

/// A uniform point of the box from -1 to 1.
pub fn in_box(random: &mut Pcg64Mcg) -> DVec3 {
    let mut next = || random.random_range(-1.0..1.0);
    DVec3::new(next(), next(), next())
}

/// A uniform direction without sine or cosine: a point of the ball, drawn by rejection, normalised.
pub fn on_sphere(random: &mut Pcg64Mcg) -> DVec3 {
    loop {
        let p = in_box(random);
        let square = p.length_squared();
        if square > 1e-6 && square <= 1.0 {
            return p / square.sqrt();
        }
    }
}
