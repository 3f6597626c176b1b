//! Breaks at random places, to find out what a tuning is good for.

use crate::{
    impacts::impact::Impact,
    tools::preview::{BreakPreview, PreviewError},
};
use fracture_geometry::{check_closed, glam::DVec3, CapStyle, FractureError, Solid};
use fracture_simulation::BreakFailure;
use fyrox::core::algebra::Vector3;
use std::{
    sync::{atomic::AtomicBool, Arc},
    time::Instant,
};

/// What came of a break at a random place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestBreak {
    /// Where the object was struck, world space, metres.
    pub point: Vector3<f32>,
    /// Radius of the break, metres.
    pub radius: f32,
    /// Pieces there were; none when the blow came to nothing.
    pub pieces: usize,
    /// Volume of the smallest piece, m^3.
    pub smallest: f64,
    /// Volume that became dust, as a part of the whole.
    pub dust: f64,
    /// |sum of pieces + dust - whole| / whole.
    pub volume_error: f64,
    /// Pieces that are not closed: never, unless there is a fault in this program.
    pub open: usize,
    /// What the cut took, ms. Depends on the machine.
    pub cut_ms: f32,
}

impl BreakPreview {
    /// Breaks the object at a place and with a radius and a spin that follow from the number. Takes
    /// as long as a break: for a worker.
    ///
    /// # Errors
    /// What is wrong with mesh or pattern. A blow that breaks nothing is a trial without pieces.
    pub fn trial(&self, number: u64, cancel: &Arc<AtomicBool>) -> Result<TestBreak, PreviewError> {
        let mut dice = SplitMix64(number);
        let solid = self.shape.solid()?;
        let (point, normal) = surface_point(solid, &mut dice);
        let (least, most) = (self.material.min_radius, self.material.max_radius);
        let radius = least + (most - least) * dice.roll() as f32;
        let (point, normal) = (self.to_world(point), self.to_world_direction(normal));
        let blow = Impact::new(point, normal, 0.0).with_radius(radius);
        let turned = Self {
            seed: self.seed ^ number,
            ..self.clone()
        };
        let begin = Instant::now();
        let broken = match turned.break_at(&blow, false, cancel) {
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
fn surface_point(solid: &Solid, dice: &mut SplitMix64) -> ([f32; 3], DVec3) {
    let mesh = solid.mesh();
    let count = mesh.triangles.len();
    let pick = ((dice.roll() * count as f64) as usize).min(count.saturating_sub(1));
    let place = |vertex: u32| {
        let at = mesh.positions.get(vertex as usize).copied();
        DVec3::from_array(at.unwrap_or_default().map(f64::from))
    };
    let triangle = mesh.triangles.get(pick).copied().unwrap_or_default();
    let [a, b, c] = triangle.map(place);
    let (u, v) = (dice.roll(), dice.roll());
    let (u, v) = if u + v > 1.0 {
        (1.0 - u, 1.0 - v)
    } else {
        (u, v)
    };
    let point = a + (b - a) * u + (c - a) * v;
    let normal = (b - a).cross(c - a).try_normalize().unwrap_or(DVec3::Y);
    (point.as_vec3().to_array(), normal)
}

/// Steele, Lea and Flood's SplitMix64: a few numbers from one, the same everywhere.
struct SplitMix64(u64);

impl SplitMix64 {
    /// From 0 up to but not 1.
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
