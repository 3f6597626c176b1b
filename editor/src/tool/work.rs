//! What the tool has computed on threads of its own: outlines, checks, sweeps.

use super::aim::{Handle, Look};
use crate::job::{Job, Poll, Progress};
use fracture::{Impact, Sketch, SketchError, Trial};
use fyrox::core::algebra::Vector3;

/// Breaks of a sweep.
pub const SWEEP: u32 = 100;
/// Cells of which the whole pattern is drawn.
const DRAWN_CELLS: usize = 3000;

/// Lines in world space.
pub type Lines = Vec<[Vector3<f32>; 2]>;

/// What a look along the cursor has found.
pub struct Seen {
    /// The blow there.
    pub blow: Impact,
    /// How far it breaks.
    pub radius: f32,
    /// Whether it is the new impact.
    pub placed: bool,
    /// Cracks around the cells that it breaks off.
    pub lines: Lines,
}

/// Finds out what a look is at. Nothing when it misses the object.
pub fn look(
    sketch: Sketch,
    look: Look,
    energy: f32,
    impact: Option<Impact>,
) -> Job<Result<Option<Seen>, SketchError>> {
    Job::start(move |progress| {
        let Some(hit) = sketch.surface_along(look.ray.origin, look.ray.dir)? else {
            return Ok(None);
        };
        let blow = blow_at(hit, look.handle, energy, impact);
        let lines = sketch.outlines(&blow, false, &progress.cancel)?.lines;
        Ok(Some(Seen {
            radius: blow.radius.unwrap_or_else(|| sketch.radius(energy)),
            placed: look.handle.is_some(),
            blow,
            lines,
        }))
    })
}

/// The blow that a handle dragged to a point of the surface stands for.
fn blow_at(
    (point, normal): (Vector3<f32>, Vector3<f32>),
    handle: Option<Handle>,
    energy: f32,
    impact: Option<Impact>,
) -> Impact {
    let new = Impact::new(point, normal, energy);
    let (Some(handle), Some(old)) = (handle, impact) else {
        return new;
    };
    let reach = point - old.point;
    match handle {
        Handle::Point => Impact {
            radius: old.radius,
            ..new
        },
        Handle::Radius => old.with_radius(reach.norm().max(0.01)),
        Handle::Normal => {
            let length = reach.norm().max(1e-3);
            let tilted = old.normal + reach / (2.0 * length.max(0.3));
            Impact {
                radius: old.radius,
                ..Impact::new(old.point, tilted, energy)
            }
        }
    }
}

/// The cracks of the whole pattern; none when there are too many to be of use.
pub fn pattern(sketch: Sketch, impact: Impact) -> Job<Result<Lines, SketchError>> {
    Job::start(move |progress| {
        if sketch.cells()? > DRAWN_CELLS {
            return Ok(Lines::new());
        }
        Ok(sketch.outlines(&impact, true, &progress.cancel)?.lines)
    })
}

/// What a check or sweep has to say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// In words, with what to do.
    pub text: String,
    /// Places that need mending, world space.
    pub places: Vec<Vector3<f32>>,
    /// Edges that need mending, world space.
    pub edges: Lines,
}

/// Looks for what keeps the mesh from breaking.
pub fn check(sketch: Sketch) -> Job<Report> {
    Job::start(move |_| {
        let health = sketch.health();
        Report {
            text: health.text,
            places: health.crossings,
            edges: health.edges,
        }
    })
}

/// Breaks the object at random places.
pub fn sweep(sketch: Sketch) -> Job<Report> {
    Job::start(move |progress| match trials(&sketch, progress) {
        Ok(trials) => summary(&trials, progress.is_cancelled()),
        Err(error) => Report {
            text: format!("The sweep has stopped: {error}."),
            ..Report::default()
        },
    })
}

fn trials(sketch: &Sketch, progress: &Progress) -> Result<Vec<Trial>, SketchError> {
    sketch.prepare()?;
    let mut trials = Vec::new();
    for number in 0..SWEEP {
        if progress.is_cancelled() {
            break;
        }
        match sketch.trial(u64::from(number), &progress.cancel) {
            Ok(trial) => trials.push(trial),
            Err(_) if progress.is_cancelled() => break,
            Err(error) => return Err(error),
        }
        progress.set(number + 1);
    }
    Ok(trials)
}

fn summary(trials: &[Trial], cancelled: bool) -> Report {
    let broken = trials.iter().filter(|trial| trial.pieces > 1);
    let slowest = trials.iter().max_by(|a, b| a.cut_ms.total_cmp(&b.cut_ms));
    let smallest = broken
        .clone()
        .min_by(|a, b| a.smallest.total_cmp(&b.smallest));
    let most = trials.iter().map(|trial| trial.pieces).max().unwrap_or(0);
    let dust = trials.iter().map(|trial| trial.dust).fold(0.0, f64::max);
    let is_faulty = |trial: &&Trial| trial.open > 0 || trial.volume_error > 1e-4;
    let faulty: Vec<_> = trials.iter().filter(is_faulty).collect();
    let stopped = if cancelled { " (cancelled)" } else { "" };
    let mut text = format!(
        "{} breaks{stopped}, {} left the object whole.\n\
         Slowest cut {:.1} ms (radius {:.2} m), most pieces {most}.\n\
         Smallest piece {:.2} cm^3, most dust {:.4} %.\n",
        trials.len(),
        trials.len() - broken.count(),
        slowest.map_or(0.0, |trial| trial.cut_ms),
        slowest.map_or(0.0, |trial| trial.radius),
        smallest.map_or(0.0, |trial| trial.smallest * 1e6),
        dust * 100.0,
    );
    text += &match faulty.len() {
        0 => "No faults: all pieces are closed and volumes add up.".to_owned(),
        count => format!("{count} faulty breaks, marked red; please report them with the mesh."),
    };
    Report {
        text,
        places: faulty.iter().map(|trial| trial.point).collect(),
        edges: Lines::new(),
    }
}

/// The result of a job that is done. A lost job counts as done without one.
pub fn take<T: Send + 'static>(job: &mut Option<Job<T>>) -> Option<T> {
    match job.as_ref()?.poll() {
        Poll::Running => None,
        Poll::Done(result) => {
            *job = None;
            Some(result)
        }
        Poll::Lost => {
            *job = None;
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(pieces: usize, open: usize) -> Trial {
        Trial {
            pieces,
            open,
            smallest: 2e-6,
            cut_ms: 3.5,
            point: Vector3::new(1.0, 2.0, 3.0),
            ..Default::default()
        }
    }

    #[test]
    fn a_summary_counts_and_marks_faults() {
        let report = summary(&[trial(4, 0), trial(0, 0), trial(7, 1)], false);
        assert!(report.text.contains("3 breaks, 1 left"), "{}", report.text);
        assert!(
            report.text.contains("Smallest piece 2.00 cm^3"),
            "{}",
            report.text
        );
        assert!(report.text.contains("1 faulty"), "{}", report.text);
        assert_eq!(report.places, [Vector3::new(1.0, 2.0, 3.0)]);
        assert!(summary(&[], true).text.contains("0 breaks (cancelled)"));
    }

    #[test]
    fn handles_change_what_they_are_for() {
        let (up, right) = (Vector3::y(), Vector3::x());
        let old = Impact::new(Vector3::zeros(), up, 10.0);
        let blow = |handle| blow_at((right, up), Some(handle), 10.0, Some(old.clone()));
        assert_eq!(blow(Handle::Point).point, right);
        assert_eq!(blow(Handle::Radius).radius, Some(1.0));
        assert_eq!(blow(Handle::Radius).point, Vector3::zeros());
        let tilted = blow(Handle::Normal).normal;
        assert!(tilted.x > 0.3 && tilted.y > 0.3, "{tilted}");
        assert_eq!(
            blow_at((right, up), None, 10.0, Some(old.clone())).point,
            right
        );
    }
}
