//! A break of a solid by a pattern, by which harder blows never break less.

use std::sync::Arc;

use fracture_geometry::steps::{finish, pause};
use fracture_geometry::{
    BreakShape, CellSelection, Fracture, FractureError, FractureParams, PatternError, Placement,
    Solid, Weakness, Workspace,
};
use glam::DVec3;

use super::cracks::KeptPattern;
use super::lazy::LazyPattern;
use super::pattern_detail::PatternDetail;
use super::pattern_fit::{PatternFit, PatternImpact};
use super::pattern_scale::{extent_from, BreakRadius, PatternScale, MAX_HALVINGS};
use super::section_fit::LaidPattern;
use crate::error::BreakFailure;
use crate::parallel::JobThread;

/// A break by a pattern, in body space.
///
/// For an impact at some place the cells are the same whatever the energy, and the radius says which of
/// them break off: so a harder blow opens all the cracks of a weaker one. Once it has broken the whole
/// body, more energy halves the cells, up to three times and 1,024 cells; cells are only halved where
/// that gives no fewer pieces and no smaller cracks. Where the body is weak cells are halved from the start.
#[derive(Clone, Copy, Debug)]
pub struct PatternBreak<'a> {
    /// The pattern.
    pub pattern: &'a Arc<LazyPattern>,
    /// How it lies on the body.
    pub fit: PatternFit,
    /// Impact point, metres.
    pub point: DVec3,
    /// Outward normal there.
    pub normal: DVec3,
    /// Turn of the pattern about the normal, radians.
    pub spin: f64,
    /// Radius within which cells break off.
    pub radius: BreakRadius,
    /// Whether all cells break off instead.
    pub everywhere: bool,
    /// Places of the body where the radius reaches farther, and cells are smaller if the impact is there.
    pub weakness: Option<&'a Weakness>,
}

/// The result of a [`PatternBreak`].
pub struct BrokenByPattern {
    /// The pieces.
    pub fracture: Fracture,
    /// The pattern that has cut: the one of the break with cells repeated or halved.
    pub(crate) pattern: Arc<LazyPattern>,
    pub(crate) laid: KeptPattern,
}

/// Makes in advance the finer versions of a pattern that impacts of any energy anywhere on a solid cut by. `radius` has
/// the range of radii.
pub(crate) async fn prepare_details(
    pattern: &Arc<LazyPattern>,
    fit: PatternFit,
    radius: BreakRadius,
    weakness: Option<&Weakness>,
    solid: &Solid,
) -> Result<(), PatternError> {
    let [low, high] = solid.bounds().corners();
    let diagonal = (high - low).length().max(f64::MIN_POSITIVE);
    // The farthest corner of the box is at least half of its diagonal away from any point, and at most all of it from
    // one inside.
    let octaves = |extent| octaves(fit, PatternScale::new(radius, extent));
    let halvings = weakness.map(Weakness::most_halvings);
    let halvings = whole_halvings(halvings.filter(|_| fit.refines()));
    for octaves in octaves(0.5 * diagonal)..=octaves(diagonal) {
        for halvings in 0..=halvings {
            let detail = PatternDetail { octaves, halvings };
            pattern.detailed(detail).await?;
        }
    }
    Ok(())
}

/// How many times cells are halved for the weakness of a place.
fn whole_halvings(halvings: Option<f64>) -> u8 {
    (halvings.unwrap_or_default().round() as u8).min(MAX_HALVINGS)
}

/// How many times a pattern with this fit is repeated towards the impact.
fn octaves(fit: PatternFit, scale: PatternScale) -> u8 {
    if fit.repeats() {
        scale.octaves
    } else {
        0
    }
}

impl PatternBreak<'_> {
    /// Breaks a solid. Takes milliseconds; for a worker.
    ///
    /// # Errors
    /// [`BreakFailure`] when the pattern cannot be made, the impact misses the solid, or the break was
    /// cancelled.
    pub fn run(
        &self,
        solid: &Solid,
        workspace: &mut Workspace,
    ) -> Result<BrokenByPattern, BreakFailure> {
        let mut thread = JobThread::alone(std::mem::take(workspace));
        let broken = finish(self.run_on(solid, &mut thread));
        *workspace = thread.into_workspace();
        broken
    }

    /// Breaks a solid like [`PatternBreak::run`], with the helpers of a thread, in steps.
    pub(crate) async fn run_on(
        &self,
        solid: &Solid,
        thread: &mut JobThread,
    ) -> Result<BrokenByPattern, BreakFailure> {
        let scale = PatternScale::new(self.radius, extent_from(self.point, solid.bounds()));
        let laid = self.lay_in(solid, scale);
        let mut best = self.cut(solid, laid, thread).await?;
        let cells = best.pattern.get()?.cell_count();
        for halvings in 1..=self.halvings(scale, cells) {
            let detail = PatternDetail {
                halvings: laid.detail.halvings + halvings,
                ..laid.detail
            };
            let finer = KeptPattern { detail, ..laid };
            match self.cut(solid, finer, thread).await {
                Ok(finer) if finer.breaks_no_less(&best) => {
                    thread.recycle(std::mem::replace(&mut best, finer).fracture);
                }
                Ok(finer) => thread.recycle(finer.fracture),
                Err(BreakFailure::Fracture(FractureError::Cancelled)) => {
                    return Err(FractureError::Cancelled.into())
                }
                Err(_) => break,
            }
        }
        Ok(best)
    }

    /// How many times more the pattern's cells are halved at most for the energy of the break.
    fn halvings(&self, scale: PatternScale, cells: usize) -> u8 {
        if !self.refines() {
            return 0;
        }
        PatternDetail::allowed_halvings(cells, scale.halvings)
    }

    /// Lays the pattern on a solid, with cells that are not halved for the energy of the break.
    pub(crate) fn lay(&self, solid: &Solid) -> KeptPattern {
        let scale = PatternScale::new(self.radius, extent_from(self.point, solid.bounds()));
        self.lay_in(solid, scale)
    }

    fn lay_in(&self, solid: &Solid, scale: PatternScale) -> KeptPattern {
        let impact = PatternImpact {
            point: self.point,
            normal: self.normal,
            spin: self.spin,
            unit: scale.unit,
            middle_radius: scale.middle_radius(),
        };
        let LaidPattern { placement, shape } = self.fit.lay(solid, &impact);
        let detail = PatternDetail {
            octaves: octaves(self.fit, scale),
            halvings: self.halvings_of_weakness(),
        };
        KeptPattern {
            detail,
            placement,
            shape,
        }
    }

    /// How many times cells are halved because the struck place is weak.
    fn halvings_of_weakness(&self) -> u8 {
        let halvings = self.weakness.map(|weakness| weakness.halvings(self.point));
        whole_halvings(halvings.filter(|_| self.refines()))
    }

    /// Whether cells may be made smaller.
    fn refines(&self) -> bool {
        self.fit.refines() && !self.everywhere
    }

    /// Breaks a solid by the pattern as this or an earlier break has laid it.
    pub(crate) async fn cut(
        &self,
        solid: &Solid,
        laid: KeptPattern,
        thread: &mut JobThread,
    ) -> Result<BrokenByPattern, BreakFailure> {
        let pattern = self.pattern.detailed(laid.detail).await?;
        pause().await;
        let BreakRadius {
            metres: radius,
            smallest,
            ..
        } = self.radius;
        let selection = if self.everywhere {
            CellSelection::All
        } else {
            CellSelection::Nested {
                point: self.point,
                radius,
                smallest,
                shape: laid.shape,
                weakness: self.weakness,
            }
        };
        BrokenByPattern::new(pattern, laid, selection, solid, thread).await
    }
}

impl BrokenByPattern {
    async fn new(
        pattern: Arc<LazyPattern>,
        laid: KeptPattern,
        selection: CellSelection<'_>,
        solid: &Solid,
        thread: &mut JobThread,
    ) -> Result<Self, BreakFailure> {
        let params = FractureParams {
            placement: laid.placement,
            selection,
        };
        Ok(Self {
            fracture: thread.fracture(solid, pattern.get()?, &params).await?,
            pattern,
            laid,
        })
    }

    /// Breaks a solid by all cells of a pattern, at a place.
    pub(crate) async fn all_cells(
        pattern: &Arc<LazyPattern>,
        placement: Placement,
        solid: &Solid,
        thread: &mut JobThread,
    ) -> Result<Self, BreakFailure> {
        let laid = KeptPattern {
            detail: PatternDetail::default(),
            placement,
            shape: BreakShape::Ball,
        };
        Self::new(pattern.clone(), laid, CellSelection::All, solid, thread).await
    }

    /// Whether there are at least as many pieces and as much crack as in another break.
    fn breaks_no_less(&self, other: &Self) -> bool {
        let (own, other) = (&self.fracture, &other.fracture);
        own.pieces.len() >= other.pieces.len() && own.contact_area() >= other.contact_area()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Material;
    use fracture_geometry::{Mesh, Pattern, Recipe};

    #[test]
    fn impacts_anywhere_cut_by_patterns_that_were_made_in_advance() {
        let recipe = Recipe::Clustered {
            cells: 20,
            falloff: 1.0,
        };
        for (fit, sides) in [
            (PatternFit::IMPACT, [1.0; 3]),
            (PatternFit::IMPACT, [0.1, 3.0, 4.0]),
            (PatternFit::IMPACT, [0.02; 3]),
            (PatternFit::BODY, [1.0; 3]),
        ] {
            let solid = Solid::new(Mesh::cuboid(sides)).unwrap();
            let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 3));
            let material = Material::default();
            let radius = material.break_radius(0.0);
            finish(prepare_details(&pattern, fit, radius, None, &solid)).unwrap();
            let made = pattern.details();
            assert!(made <= 2, "{made}");
            let half = DVec3::from(sides.map(f64::from)) / 2.0;
            for (share, energy) in [(1.0, 0.0), (0.0, 1e3), (-0.7, 2e4)] {
                let hit = PatternBreak {
                    pattern: &pattern,
                    fit,
                    point: DVec3::new(half.x, share * half.y, share * half.z),
                    normal: DVec3::X,
                    spin: 0.0,
                    radius: material.break_radius(energy),
                    everywhere: false,
                    weakness: None,
                };
                let broken = hit.run(&solid, &mut Workspace::default()).unwrap();
                let finer = u8::from(broken.laid.detail.halvings > 0);
                assert!(finer > 0 || pattern.details() == made, "{sides:?} {energy}");
            }
        }
    }
}
