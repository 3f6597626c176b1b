//! Weakness that is painted on a body, which the worker makes once for all bodies that share it.

use std::fmt;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use fracture_geometry::steps::finish;
use fracture_geometry::{Weakness, MAX_WEAKNESS};
use glam::Vec3;

use crate::stepped_lazy::SteppedLazy;

/// Weakness that is painted on a body: places where a break takes less energy, reaches farther, and has smaller cells. It is
/// made on the worker, when it is first needed.
pub struct PaintedWeakness {
    /// `None` where making it panicked: no place is weak then.
    weakness: SteppedLazy<Option<Weakness>>,
    /// Whether a step has taken the result of a job that needed it: a job may make it at any time beside a step.
    is_reported: AtomicBool,
}

impl PaintedWeakness {
    /// Weakness to be made on the worker, in [steps](fracture_geometry::steps), at most once.
    pub fn in_steps(make: impl Future<Output = Weakness> + Send + 'static) -> Self {
        Self {
            weakness: SteppedLazy::new(|| None, async move { Some(make.await) }),
            is_reported: AtomicBool::new(false),
        }
    }

    /// The weakness, made now if need be; `None` where making it panicked.
    pub fn get(&self) -> Option<&Weakness> {
        finish(self.get_in_steps())
    }

    async fn get_in_steps(&self) -> Option<&Weakness> {
        self.weakness.get_in_steps().await.as_ref()
    }

    /// The share of the energy that a break at a point in body space takes elsewhere; `None` until a step has taken the result
    /// of a job that needed it, so that the timing of jobs does not show in what a step does.
    pub(crate) fn energy_share(&self, point: Vec3) -> Option<f32> {
        let made = self.reported()?;
        Some(energy_share(made, point))
    }

    /// The least share of the energy that a break takes anywhere, or one that is no larger while that is not known.
    pub(crate) fn least_energy_share(&self) -> f32 {
        let greatest = match self.reported() {
            Some(made) => made.map_or(0.0, Weakness::greatest),
            None => MAX_WEAKNESS,
        };
        (1.0 - greatest) as f32
    }

    /// Notes that a step has taken the result of a job that may have made it.
    pub(crate) fn report(&self) {
        let is_made = self.weakness.get().is_some();
        self.is_reported.fetch_or(is_made, Ordering::Relaxed);
    }

    /// Whether a step may know of it.
    pub(crate) fn is_reported(&self) -> bool {
        self.is_reported.load(Ordering::Relaxed)
    }

    /// The weakness, once a step may know of it.
    pub(crate) fn reported(&self) -> Option<Option<&Weakness>> {
        let made = self.weakness.get()?;
        self.is_reported().then_some(made.as_ref())
    }
}

/// The weakness of a body, made now in steps if need be; `None` if nothing is painted on it.
pub(crate) async fn weakness_of(painted: Option<&Arc<PaintedWeakness>>) -> Option<&Weakness> {
    painted?.get_in_steps().await
}

/// The share of the energy that a break at a point takes elsewhere.
pub(crate) fn energy_share(weakness: Option<&Weakness>, point: Vec3) -> f32 {
    let weakness = weakness.map_or(0.0, |weakness| weakness.at(point.as_dvec3()));
    (1.0 - weakness) as f32
}

impl fmt::Debug for PaintedWeakness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let made = self.weakness.get().map(Option::is_some);
        f.debug_struct("PaintedWeakness")
            .field("made", &made)
            .finish()
    }
}
