//! Background jobs of the tool: picking, crack lines, checks, sweeps.

use crate::tool::impact::CursorRay;
use crate::tool::impact::{dragged_normal, dragged_radius, GizmoHandle};
use crate::{
    background_job::{Job, Poll, Progress},
    preview::{share, volume},
};
use fracture::{BreakPreview, Impact, PreviewError, TestBreak};
use fyrox::core::algebra::Vector3;

/// Number of breaks of a sweep.
pub const SWEEP: u32 = 100;
/// Most cells for which the whole pattern is drawn.
const DRAWN_CELLS: usize = 3000;

/// Size of the mark at a faulty break, metres.
const MARK: f32 = 0.05;

/// Lines in world space.
pub type Lines = Vec<[Vector3<f32>; 2]>;

/// The impact under the cursor.
pub struct CursorHit {
    /// The impact.
    pub blow: Impact,
    /// Radius of the break, metres.
    pub radius: f32,
    /// Whether it replaces the placed impact.
    pub placed: bool,
    /// Crack lines around the cells that it breaks off.
    pub lines: Lines,
}

/// Starts picking along a cursor ray. The result is `None` when the ray misses the object.
pub fn pick(
    sketch: BreakPreview,
    look: CursorRay,
    energy: f32,
    impact: Option<Impact>,
) -> Job<Result<Option<CursorHit>, PreviewError>> {
    Job::start(move |progress| {
        let dragged = impact.and_then(|impact| dragged(&look, energy, impact, &sketch));
        let hit = || sketch.surface_along(look.ray.origin, look.ray.dir);
        let blow = match dragged {
            Some(Dragged::To(blow)) => Some(blow),
            Some(Dragged::OverSurface(radius)) => hit()?.map(|(point, normal)| Impact {
                radius,
                ..Impact::new(point, normal, energy)
            }),
            None => hit()?.map(|(point, normal)| Impact::new(point, normal, energy)),
        };
        let Some(blow) = blow else {
            return Ok(None);
        };
        let lines = sketch.outlines(&blow, false, &progress.cancel)?.lines;
        Ok(Some(CursorHit {
            radius: blow.radius.unwrap_or_else(|| sketch.radius(energy)),
            placed: look.handle.is_some(),
            blow,
            lines,
        }))
    })
}

/// Effect of dragging a handle.
#[derive(Debug)]
enum Dragged {
    /// The impact changes independently of the surface.
    To(Impact),
    /// The impact moves over the surface and keeps its own radius, if it has one.
    OverSurface(Option<f32>),
}

/// Returns the effect of a cursor ray on the placed impact; `None` when no handle is held.
fn dragged(look: &CursorRay, energy: f32, old: Impact, sketch: &BreakPreview) -> Option<Dragged> {
    let radius = old.radius.unwrap_or_else(|| sketch.radius(energy));
    drag(look, energy, old, radius)
}

fn drag(look: &CursorRay, energy: f32, old: Impact, radius: f32) -> Option<Dragged> {
    Some(match look.handle? {
        GizmoHandle::Point => Dragged::OverSurface(old.radius),
        GizmoHandle::Radius => match dragged_radius(&old, &look.ray) {
            Some(radius) => Dragged::To(old.with_radius(radius)),
            None => Dragged::To(old),
        },
        GizmoHandle::Normal => match dragged_normal(&old, radius, &look.ray) {
            Some(normal) => Dragged::To(Impact {
                radius: old.radius,
                ..Impact::new(old.point, normal, energy)
            }),
            None => Dragged::To(old),
        },
    })
}

/// The crack lines of an impact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CrackLines {
    /// Lines around the cells that it breaks off.
    pub near: Lines,
    /// Lines of the whole pattern; empty when there are too many cells.
    pub far: Lines,
    /// Radius of the break, metres.
    pub radius: f32,
}

/// Starts computing the crack lines of an impact.
pub fn cracks(sketch: BreakPreview, impact: Impact) -> Job<Result<CrackLines, PreviewError>> {
    Job::start(move |progress| {
        let lines = |all| {
            let outlines = sketch.outlines(&impact, all, &progress.cancel);
            outlines.map(|outlines| outlines.lines)
        };
        let few = sketch.cells()? <= DRAWN_CELLS;
        Ok(CrackLines {
            radius: impact
                .radius
                .unwrap_or_else(|| sketch.radius(impact.energy)),
            near: lines(false)?,
            far: if few { lines(true)? } else { Lines::new() },
        })
    })
}

/// Report of a check or sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckReport {
    /// Findings in words, with remedies.
    pub text: String,
    /// Positions of faults, world space.
    pub places: Vec<Vector3<f32>>,
    /// Size at which they are drawn, metres.
    pub mark: f32,
    /// Faulty edges, world space.
    pub edges: Lines,
}

/// Starts preparing mesh and pattern, which tells whether the object can break. The result is the lines of the crosses where it
/// is painted weak.
pub fn prepare(sketch: BreakPreview) -> Job<Result<Lines, PreviewError>> {
    Job::start(move |_| {
        sketch.prepare()?;
        sketch.weak_lines()
    })
}

/// Starts checking the mesh for faults that keep it from breaking; the report begins with `setup`.
pub fn check(sketch: BreakPreview, setup: String) -> Job<CheckReport> {
    Job::start(move |_| {
        let health = sketch.health();
        CheckReport {
            text: setup + &health.text,
            places: health.crossings,
            mark: health.mark,
            edges: health.edges,
        }
    })
}

/// Starts breaking the object at random places.
pub fn sweep(sketch: BreakPreview) -> Job<CheckReport> {
    Job::start(move |progress| match trials(&sketch, progress) {
        Ok(trials) => summary(&trials, progress.is_cancelled()),
        Err(error) => CheckReport {
            text: format!("The sweep has stopped: {error}."),
            ..CheckReport::default()
        },
    })
}

fn trials(sketch: &BreakPreview, progress: &Progress) -> Result<Vec<TestBreak>, PreviewError> {
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

fn summary(trials: &[TestBreak], cancelled: bool) -> CheckReport {
    let broken = trials.iter().filter(|trial| trial.pieces > 1);
    let slowest = trials.iter().max_by(|a, b| a.cut_ms.total_cmp(&b.cut_ms));
    let smallest = broken
        .clone()
        .min_by(|a, b| a.smallest.total_cmp(&b.smallest));
    let most = trials.iter().map(|trial| trial.pieces).max().unwrap_or(0);
    let dust = trials.iter().map(|trial| trial.dust).fold(0.0, f64::max);
    let is_faulty = |trial: &&TestBreak| trial.open > 0 || trial.volume_error > 1e-4;
    let faulty: Vec<_> = trials.iter().filter(is_faulty).collect();
    let stopped = if cancelled { " (cancelled)" } else { "" };
    let mut text = format!(
        "{} breaks{stopped}, {} left the object whole.\n\
         Slowest cut {:.1} ms (radius {:.2} m), most pieces {most}.\n\
         Smallest piece {}, most dust {}.\n",
        trials.len(),
        trials.len() - broken.count(),
        slowest.map_or(0.0, |trial| trial.cut_ms),
        slowest.map_or(0.0, |trial| trial.radius),
        volume(smallest.map_or(0.0, |trial| trial.smallest)),
        share(dust),
    );
    text += &match faulty.len() {
        0 => "No faults: all pieces are closed and volumes add up.".to_owned(),
        count => format!("{count} faulty breaks, marked red; please report them with the mesh."),
    };
    CheckReport {
        text,
        places: faulty.iter().map(|trial| trial.point).collect(),
        mark: MARK,
        edges: Lines::new(),
    }
}

/// Takes the result of a finished job. A lost job has none.
pub fn take_result<T: Send + 'static>(job: &mut Option<Job<T>>) -> Option<T> {
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

    fn trial(pieces: usize, open: usize) -> TestBreak {
        TestBreak {
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
            report.text.contains("Smallest piece 2.00 cm³"),
            "{}",
            report.text
        );
        assert!(report.text.contains("1 faulty"), "{}", report.text);
        assert_eq!(report.places, [Vector3::new(1.0, 2.0, 3.0)]);
        assert!(summary(&[], true).text.contains("0 breaks (cancelled)"));
    }

    #[test]
    fn handles_change_what_they_are_for() {
        use fyrox::core::math::ray::Ray;
        let old = Impact::new(Vector3::zeros(), Vector3::y(), 10.0);
        let from = Vector3::new(0.0, 5.0, -5.0);
        let to = |at: Vector3<f32>, handle| CursorRay {
            ray: Ray::new(from, at - from),
            handle,
        };
        let drag = |at, handle| drag(&to(at, Some(handle)), 10.0, old.clone(), 0.5);
        let right = Vector3::x();
        assert!(matches!(
            drag(right, GizmoHandle::Point),
            Some(Dragged::OverSurface(None))
        ));
        let Some(Dragged::To(wide)) = drag(right, GizmoHandle::Radius) else {
            panic!("the radius needs no surface");
        };
        assert!((wide.radius.unwrap() - 1.0).abs() < 1e-4);
        assert_eq!(wide.point, old.point);
        let Some(Dragged::To(tilted)) = drag(Vector3::new(0.5, 0.5, 0.0), GizmoHandle::Normal)
        else {
            panic!("the normal needs no surface");
        };
        assert!(tilted.normal.x > 0.5 && tilted.normal.y > 0.5);
        assert!(super::drag(&to(right, None), 10.0, old.clone(), 0.5).is_none());
    }
}
