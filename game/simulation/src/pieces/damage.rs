//! Damage: places of a body that blows have weakened which were too weak to break it.
//!
//! Energies add up as in Palmgren and Miner's rule: a blow with a share of the energy that breaks a body leaves
//! [`Material::weakening`](crate::Material::weakening) of that share at its place, and a place breaks when its
//! damage and the share of the next blow are 1 together. What is far below the threshold leaves nothing, however
//! often it comes.

use std::sync::Arc;

use fracture_geometry::piece_mesh::Dent;
use glam::Vec3;
use rapier3d::geometry::Aabb;

use super::cracks::Cracks;
use super::material::Material;
use super::piece_bars::PieceBars;

/// The highest damage of a place: it still takes a tenth of the energy, and about a third of the impulse, so that
/// nobody breaks it by walking on it.
pub(crate) const MAX_DAMAGE: f32 = 0.9;

/// Depth at which a sheet tears that is held along its outline, in parts of its width: an estimate.
const DEPTH_AT_TEAR: f64 = 0.16;

/// The most spots of a body. Of more the least damaged is forgotten.
const MAX_SPOTS: usize = 32;

/// A place of a body that blows have weakened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DamagedSpot {
    /// The middle, body space, metres.
    pub point: Vec3,
    /// The body's outward unit normal there, body space.
    pub normal: Vec3,
    /// Distance from the middle where the damage ends, metres.
    pub radius: f32,
    /// Share of the breaking energy that a blow in the middle need not have any more, 0 to 0.9.
    pub damage: f32,
}

/// The damaged spots of a body, its cracks, and its bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Damage {
    pub spots: Vec<DamagedSpot>,
    pub cracks: Cracks,
    /// Of a piece of reinforced concrete, if there are any in it.
    pub bars: Option<Arc<PieceBars>>,
}

impl DamagedSpot {
    /// The damage at a point: less outwards, none from the radius on.
    fn at(&self, point: Vec3) -> f32 {
        let distance = self.point.distance(point) / self.radius;
        self.damage * (1.0 - distance * distance).max(0.0)
    }

    /// Whether all figures are in their ranges, as those of a save may not be.
    pub(crate) fn is_valid(&self) -> bool {
        let is_sized = self.radius > 0.0 && self.radius.is_finite();
        let is_placed = self.point.is_finite() && self.normal.is_normalized();
        is_sized && is_placed && (0.0..=MAX_DAMAGE).contains(&self.damage)
    }
}

impl Damage {
    /// The damage at a point in body space, 0 to 0.9.
    pub fn at(&self, point: Vec3) -> f32 {
        let damage: f32 = self.spots.iter().map(|spot| spot.at(point)).sum();
        damage.min(MAX_DAMAGE)
    }

    /// The damage of the worst place, 0 to 0.9.
    pub fn worst(&self) -> f32 {
        let damage = self.spots.iter().map(|spot| self.at(spot.point));
        damage.fold(0.0, f32::max)
    }

    /// Where blows have pushed a sheet in that holds what they have cracked, by the energy that it has taken: its depth grows
    /// with the root of that, as of a membrane that yields.
    pub fn dents(&self, material: &Material) -> Vec<Dent> {
        let Material {
            sheet_toughness,
            weakening,
            ..
        } = *material;
        if sheet_toughness <= 1.0 || weakening <= 0.0 {
            return Vec::new(); // the common case
        }
        let dent = |spot: &DamagedSpot| {
            // Of the energy at which it tears.
            let share = spot.damage / weakening;
            (share * sheet_toughness >= 1.0).then(|| Dent {
                point: spot.point.as_dvec3(),
                direction: -spot.normal.as_dvec3(),
                depth: DEPTH_AT_TEAR * f64::from(share.min(1.0)).sqrt(),
            })
        };
        self.spots.iter().filter_map(dent).collect()
    }

    /// The bars with which a body breaks: none of an intact one, where they are laid in then.
    pub fn bars_of_break(&self, is_intact: bool) -> Option<Arc<PieceBars>> {
        let bars = self.bars.clone();
        bars.or_else(|| (!is_intact).then(Arc::default))
    }

    /// Adds a spot. One that has its middle near the middle of another goes into that.
    pub fn add(&mut self, new: DamagedSpot) {
        let distance = |spot: &DamagedSpot| spot.point.distance(new.point);
        let nearest = self
            .spots
            .iter_mut()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        if let Some(spot) = nearest.filter(|spot| distance(spot) < 0.5 * new.radius) {
            let sum = spot.damage + new.damage;
            spot.point = spot.point.lerp(new.point, new.damage / sum);
            spot.radius = spot.radius.max(new.radius);
            if new.damage > spot.damage {
                spot.normal = new.normal;
            }
            spot.damage = sum.min(MAX_DAMAGE);
            return;
        }
        self.spots.push(new);
        if self.spots.len() > MAX_SPOTS {
            let spots = self.spots.iter().enumerate();
            let least = spots.min_by(|a, b| a.1.damage.total_cmp(&b.1.damage));
            let least = least.map(|(index, _)| index);
            least.map(|index| self.spots.remove(index));
        }
    }

    /// Removes the spots with their middle in a ball (body space): they have broken out.
    pub fn remove_within(&mut self, center: Vec3, radius: f32) {
        self.spots
            .retain(|spot| spot.point.distance(center) > radius);
    }

    /// The spots and the cracks that reach into the box of a piece.
    pub fn of_piece(&self, bounds: &Aabb) -> Self {
        let reaches = |spot: &&DamagedSpot| {
            let nearest = spot.point.clamp(bounds.mins, bounds.maxs);
            nearest.distance(spot.point) < spot.radius
        };
        Self {
            spots: self.spots.iter().filter(reaches).copied().collect(),
            cracks: self.cracks.of_piece(bounds),
            bars: None,
        }
    }
}
