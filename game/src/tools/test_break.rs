//! Breaks at random points, to test a script's fields.

use crate::{
    impacts::impact::Impact,
    tools::preview::{BreakPreview, PreviewError},
};
use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{glam::DVec3, FractureError, Solid};
use fracture_simulation::BreakFailure;
use fyrox::core::algebra::Vector3;
use std::{
    sync::{atomic::AtomicBool, Arc},
    time::Instant,
};

/// The result of a break at a random point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestBreak {
    /// Point of the impact, world space, metres.
    pub point: Vector3<f32>,
    /// Radius of the break, metres.
    pub radius: f32,
    /// Number of pieces; 0 if the impact broke nothing.
    pub pieces: usize,
    /// Volume of the smallest piece, m^3.
    pub smallest: f64,
    /// Volume of dust, relative to the object's.
    pub dust: f64,
    /// |volume of pieces + volume of dust - volume of the object| / volume of the object.
    pub volume_error: f64,
    /// Number of pieces that are not closed: 0, unless the cutter has a bug.
    pub open: usize,
    /// Time of the cut, ms. It depends on the machine.
    pub cut_ms: f32,
}

impl BreakPreview {
    /// Breaks the object at a point, with a radius and a rotation of the pattern that follow from the
    /// number. Takes as long as a break; for a worker.
    ///
    /// # Errors
    /// A fault of the mesh or the pattern. An impact that breaks nothing gives a result without pieces.
    pub fn trial(&self, number: u64, cancel: &Arc<AtomicBool>) -> Result<TestBreak, PreviewError> {
        let mut rng = SplitMix64(number);
        let solid = self.shape.solid()?;
        let (point, normal) = surface_point(solid, &mut rng);
        let (min, max) = (self.material.min_radius, self.material.max_radius);
        let radius = min + (max - min) * rng.next_f64() as f32;
        let (point, normal) = (self.to_world(point), self.to_world_direction(normal));
        let impact = Impact::new(point, normal, 0.0).with_radius(radius);
        let seeded = Self {
            seed: self.seed ^ number,
            ..self.clone()
        };
        let begin = Instant::now();
        let broken = match seeded.break_at(&impact, false, cancel) {
            Ok(broken) => broken,
            Err(PreviewError::Refused(BreakFailure::Fracture(FractureError::OutOfReach {
                ..
            }))) => Default::default(),
            Err(error) => return Err(error),
        };
        let cut_ms = begin.elapsed().as_secs_f32() * 1e3;
        let style = CapStyle::own_surface(solid.mesh());
        let is_open = |piece: &&fracture_geometry::Piece| {
            !check_closed(&piece.to_mesh(solid, &style)).is_closed()
        };
        let volumes = broken.pieces.iter().map(|piece| piece.mass.volume);
        let whole = solid.mass().volume;
        let sum = volumes.clone().sum::<f64>() + broken.report.dust_volume;
        let lost = if broken.pieces.is_empty() {
            0.0
        } else {
            whole - sum
        };
        Ok(TestBreak {
            point,
            radius,
            pieces: broken.pieces.len(),
            smallest: volumes.reduce(f64::min).unwrap_or(0.0),
            dust: broken.report.dust_volume / whole,
            volume_error: (lost / whole).abs(),
            open: broken.pieces.iter().filter(is_open).count(),
            cut_ms,
        })
    }
}

/// A point of a random triangle and its normal, body space.
fn surface_point(solid: &Solid, rng: &mut SplitMix64) -> ([f32; 3], DVec3) {
    let mesh = solid.mesh();
    let count = mesh.triangles.len();
    let pick = ((rng.next_f64() * count as f64) as usize).min(count.saturating_sub(1));
    let place = |vertex: u32| {
        let at = mesh.positions.get(vertex as usize).copied();
        DVec3::from_array(at.unwrap_or_default().map(f64::from))
    };
    let triangle = mesh.triangles.get(pick).copied().unwrap_or_default();
    let [a, b, c] = triangle.map(place);
    let (u, v) = (rng.next_f64(), rng.next_f64());
    let (u, v) = if u + v > 1.0 {
        (1.0 - u, 1.0 - v)
    } else {
        (u, v)
    };
    let point = a + (b - a) * u + (c - a) * v;
    let normal = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
    (point.as_vec3().to_array(), normal)
}

/// The random number generator SplitMix64 by Steele, Lea and Flood: the same sequence on every platform.
struct SplitMix64(u64);

impl SplitMix64 {
    /// A random number in [0, 1).
    fn next_f64(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
