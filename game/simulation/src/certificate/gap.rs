//! The gap between a body and what would hold it if it was nearer.

use glam::Vec3;
use rapier3d::geometry::Aabb;
use rapier3d::prelude::BoundingVolume;

use super::figures::FloatingGap;
use super::source::Source;
use crate::jobs::bond_job::{touching, PlacedBody};
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Greatest gap that is looked for, metres.
const MAX_GAP: f32 = 1.0;

/// Halvings of the greatest gap: to a tenth of a millimetre.
const HALVINGS: usize = 14;

/// The nearest to a body of members and of external bodies that do not move, within a metre. `bounds` is a box around
/// the body.
pub(super) fn nearest_held<'a>(
    simulation: &Simulation,
    held: impl Iterator<Item = (&'a BodyId, &'a Source)>,
    own: PlacedBody,
    bounds: Aabb,
) -> Option<FloatingGap> {
    let around = bounds.loosened(MAX_GAP);
    let is_near = |source: &Source| source.bounds().is_some_and(|own| own.intersects(&around));
    let held = held.filter(|(_, source)| is_near(source));
    let held = held.map(|(other, source)| source.placed(*other));
    let fixed = simulation.environment.streaming.fixed_in(&around);
    let fixed = fixed.map(|(key, body)| PlacedBody::external(key, body));
    let up = -simulation.settings.gravity.normalize_or(Vec3::NEG_Y);
    let mut nearest: Option<FloatingGap> = None;
    for other in held.chain(fixed) {
        let most = nearest.map_or(MAX_GAP, |gap| gap.distance);
        let touch = |gap: f32| touching(&own, &other, gap, up).is_some();
        if touch(most) {
            nearest = Some(FloatingGap {
                with: other.owner,
                distance: least(most, touch),
            });
        }
    }
    nearest
}

/// The least gap with which two bodies touch, from one with which they do.
fn least(most: f32, touch: impl Fn(f32) -> bool) -> f32 {
    let (mut low, mut high) = (0.0, most);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if touch(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
