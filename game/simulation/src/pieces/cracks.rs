//! Cracks that stay: a break lays its pattern on the body, and the cells next to those that broke off are seen as cracks in
//! what stays. The next break among them goes on by the same cells, and so along the cracks that are seen.

use fracture_geometry::piece_mesh::CrackPlace;
use fracture_geometry::{BreakShape, Placement};
use glam::DVec3;
use rapier3d::geometry::Aabb;

use super::pattern_detail::PatternDetail;
use super::pattern_scale::{BreakRadius, MAX_HALVINGS, MAX_OCTAVES};

/// Reach of the cracks around a break, in its radii.
const REACH_OF_BREAK: f64 = 1.5;

/// Reach of the cracks that a blow leaves which is too weak for a break, in the radii that it would have had.
const REACH_OF_WEAK_BLOW: f64 = 0.75;

/// The most patterns of a body that are kept. Of more the oldest is forgotten.
const MAX_SETS: usize = 8;

/// The most places of a pattern that are kept.
const MAX_PLACES: usize = 8;

/// Distance of a place from another one, in the reach of that, within which it goes into that.
const SAME_PLACE: f64 = 0.25;

/// Reach of cracks up to which a piece shows them, in its longest sides.
const MAX_REACH: f64 = 2.0;

/// A pattern as a break has laid it on a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptPattern {
    pub(crate) detail: PatternDetail,
    pub(crate) placement: Placement,
    pub(crate) shape: BreakShape,
}

/// The cracks of one pattern in a body, in body space.
#[derive(Clone, Debug, PartialEq)]
pub struct CrackSet {
    pub(crate) kept: KeptPattern,
    /// Radii of the weakest and the hardest blow by which the pattern was laid, metres.
    pub(crate) radii: [f64; 2],
    /// Oldest first.
    pub(crate) places: Vec<CrackPlace>,
}

/// The cracks in a body, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cracks(pub Vec<CrackSet>);

/// Cracks that a blow leaves in a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewCracks {
    pub kept: KeptPattern,
    pub radius: BreakRadius,
    pub place: CrackPlace,
}

impl NewCracks {
    /// The cracks around a break at a point in body space.
    pub fn of_break(kept: KeptPattern, radius: BreakRadius, point: DVec3) -> Self {
        Self::around(kept, radius, point, REACH_OF_BREAK)
    }

    /// The cracks of a blow that is too weak to break the body.
    pub fn of_weak_blow(kept: KeptPattern, radius: BreakRadius, point: DVec3) -> Self {
        Self::around(kept, radius, point, REACH_OF_WEAK_BLOW)
    }

    fn around(kept: KeptPattern, radius: BreakRadius, point: DVec3, radii: f64) -> Self {
        let reach = radii * radius.metres;
        Self {
            kept,
            radius,
            place: CrackPlace { point, reach },
        }
    }
}

impl KeptPattern {
    /// Whether all figures are in their ranges, as those of a save may not be.
    pub(crate) fn is_valid(&self) -> bool {
        let PatternDetail { octaves, halvings } = self.detail;
        let is_usual = octaves <= MAX_OCTAVES && halvings <= MAX_HALVINGS;
        let Placement {
            linear,
            translation,
        } = self.placement;
        let turns = linear.determinant();
        let is_map = linear.is_finite() && turns.is_finite() && turns > 0.0;
        is_usual && is_map && translation.is_finite() && self.shape.is_valid()
    }
}

impl CrackSet {
    /// Whether all figures are in their ranges, as those of a save may not be.
    pub(crate) fn is_valid(&self) -> bool {
        let is_placed = |place: &CrackPlace| {
            place.point.is_finite() && place.reach > 0.0 && place.reach.is_finite()
        };
        let has_radii = self.radii.iter().all(|radius| *radius >= 0.0);
        self.kept.is_valid() && has_radii && self.places.iter().all(is_placed)
    }

    /// Whether a break of a radius has enough of the pattern at a place: it is laid for breaks of its radii, and has cells
    /// as far as its cracks reach in any case.
    fn suits(&self, place: &CrackPlace, radius: BreakRadius) -> bool {
        self.radii == [radius.smallest, radius.largest] || radius.metres <= place.reach
    }
}

impl Cracks {
    /// The pattern by which a break at a point (body space) goes on: that of the nearest place in whose reach it is.
    pub fn at(&self, point: DVec3, radius: BreakRadius) -> Option<KeptPattern> {
        let places = self
            .0
            .iter()
            .flat_map(|set| set.places.iter().map(move |place| (set, place)));
        let near = places.filter_map(|(set, place)| {
            let distance = place.point.distance(point);
            let goes_on = distance < place.reach && set.suits(place, radius);
            goes_on.then_some((distance, set.kept))
        });
        // Of places that are as near the newest.
        let nearest = near.reduce(|best, next| if next.0 <= best.0 { next } else { best });
        nearest.map(|(_, kept)| kept)
    }

    /// Adds cracks, and says whether there are more than before. A place that is near another one of the same pattern goes
    /// into that.
    pub fn add(&mut self, new: NewCracks) -> bool {
        let NewCracks { kept, place, .. } = new;
        let Some(set) = self.0.iter_mut().find(|set| set.kept == kept) else {
            self.0.push(CrackSet {
                kept,
                radii: [new.radius.smallest, new.radius.largest],
                places: vec![place],
            });
            if self.0.len() > MAX_SETS {
                self.0.remove(0);
            }
            return true;
        };
        let is_same =
            |old: &&mut CrackPlace| old.point.distance(place.point) < SAME_PLACE * old.reach;
        if let Some(old) = set.places.iter_mut().find(is_same) {
            let grows = old.reach < place.reach;
            old.reach = old.reach.max(place.reach);
            return grows;
        }
        set.places.push(place);
        if set.places.len() > MAX_PLACES {
            set.places.remove(0);
        }
        true
    }

    /// The cracks that reach into the box of a piece, and are not much larger than it.
    pub fn of_piece(&self, bounds: &Aabb) -> Self {
        let longest = f64::from(bounds.extents().max_element());
        let (low, high) = (bounds.mins.as_dvec3(), bounds.maxs.as_dvec3());
        let reaches = |place: &CrackPlace| {
            let nearest = place.point.clamp(low, high);
            let is_near = nearest.distance(place.point) < place.reach;
            is_near && place.reach <= MAX_REACH * longest
        };
        let sets = self.0.iter().map(|set| CrackSet {
            places: set.places.iter().copied().filter(reaches).collect(),
            ..*set
        });
        Self(sets.filter(|set| !set.places.is_empty()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    fn kept(x: f64) -> KeptPattern {
        KeptPattern {
            detail: PatternDetail::default(),
            placement: Placement {
                translation: DVec3::X * x,
                ..Placement::IDENTITY
            },
            shape: BreakShape::Ball,
        }
    }

    fn of_break(pattern: f64, x: f64, metres: f64) -> NewCracks {
        NewCracks::of_break(kept(pattern), BreakRadius::typed(metres), DVec3::X * x)
    }

    #[test]
    fn a_break_goes_on_by_the_pattern_whose_place_is_nearest() {
        let mut cracks = Cracks::default();
        assert!(cracks.add(of_break(1.0, 0.0, 0.2)) && cracks.add(of_break(2.0, 0.4, 0.2)));
        let at = |x: f64, metres: f64| cracks.at(DVec3::X * x, BreakRadius::typed(metres));
        assert_eq!(at(0.19, 0.2), Some(kept(1.0)));
        assert_eq!(at(0.21, 0.1), Some(kept(2.0)));
        assert_eq!(at(0.2, 0.1), Some(kept(2.0)), "the newest of two");
        assert_eq!(at(0.71, 0.2), None, "out of reach");
        assert_eq!(at(0.0, 0.31), None, "larger than the cracks reach");
        let any_energy = |metres| BreakRadius {
            metres,
            smallest: 0.1,
            largest: 2.0,
        };
        let mut cracks = Cracks::default();
        cracks.add(NewCracks::of_weak_blow(
            kept(3.0),
            any_energy(0.1),
            DVec3::ZERO,
        ));
        let harder = cracks.at(DVec3::X * 0.05, any_energy(1.9));
        assert_eq!(
            harder,
            Some(kept(3.0)),
            "blows of any energy have its cells"
        );
    }

    #[test]
    fn places_near_each_other_are_one_and_old_ones_are_forgotten() {
        let mut cracks = Cracks::default();
        assert!(cracks.add(of_break(1.0, 0.0, 0.2)));
        assert!(!cracks.add(of_break(1.0, 0.05, 0.1)), "within the others");
        assert!(cracks.add(of_break(1.0, 0.05, 0.3)) && cracks.0[0].places.len() == 1);
        assert!(cracks.add(of_break(1.0, 0.5, 0.2)) && cracks.0[0].places.len() == 2);
        for pattern in 2..20 {
            cracks.add(of_break(f64::from(pattern), 0.0, 0.2));
            cracks.add(of_break(19.0, f64::from(pattern), 0.2));
        }
        assert_eq!(cracks.0.len(), MAX_SETS);
        assert!(cracks.0.iter().all(|set| set.places.len() <= MAX_PLACES));
        assert!(cracks.0.iter().any(|set| set.kept == kept(19.0)));
        assert!(cracks.0.iter().all(CrackSet::is_valid));
    }

    #[test]
    fn a_piece_has_the_cracks_that_reach_into_it() {
        let mut cracks = Cracks::default();
        cracks.add(of_break(1.0, 0.0, 0.2));
        cracks.add(of_break(2.0, 3.0, 0.2));
        let side = |low: f32, high: f32| Aabb::new(Vec3::splat(low), Vec3::splat(high));
        let of = |bounds| cracks.of_piece(&bounds).0;
        assert_eq!(of(side(-1.0, -0.1)).len(), 1);
        assert_eq!(of(side(-1.0, 3.0)).len(), 2);
        assert!(of(side(-3.0, -2.0)).is_empty());
        assert!(of(side(-0.05, 0.05)).is_empty(), "smaller than its cracks");
    }
}
