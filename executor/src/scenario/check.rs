//! Checking of expectations.

use super::{
    expectation::{parse_hash, Count, Expectation},
    stage::Stage,
    wildcard::matches,
};
use fracture::{BreakCause, Event, PieceInfo, PieceKind, RemoveReason};
use fyrox::core::algebra::Vector3;

/// The outcome of one expectation.
pub struct Outcome {
    /// Whether it holds.
    pub holds: bool,
    /// The finding, in words.
    pub found: String,
}

fn outcome(holds: bool, found: impl Into<String>) -> Outcome {
    Outcome {
        holds,
        found: found.into(),
    }
}

/// Checks an expectation now.
pub fn check(expectation: &Expectation, stage: &mut Stage) -> Outcome {
    match expectation {
        Expectation::Intact { node } => intact(stage, node, true),
        Expectation::Broken { node } => intact(stage, node, false),
        Expectation::Whole(count) => whole(stage, count),
        Expectation::Fragments(count) => counted(stage, count, "fragments", |piece| {
            piece.kind == PieceKind::Fragment
        }),
        Expectation::Islands(count) => counted(stage, count, "islands", |piece| {
            piece.kind == PieceKind::Island
        }),
        Expectation::Anchored(count) => counted(stage, count, "islands still held", |piece| {
            piece.kind == PieceKind::Island && piece.anchored
        }),
        Expectation::Joined(count) => {
            let found = stage.destruction().joined(count.node.as_str()).len();
            outcome(count.holds(found), format!("{found} move as one"))
        }
        Expectation::Collapses(count) => collapses(stage, count),
        Expectation::VolumeError { node, max } => volume(stage, node, *max),
        Expectation::AllClosed { node } => closed(stage, node),
        Expectation::Above { body, height, any } => height_of(stage, body, *any, |y| y > *height),
        Expectation::Below { body, height, any } => height_of(stage, body, *any, |y| y < *height),
        Expectation::Inside {
            body,
            low,
            high,
            any,
        } => inside(stage, body, *any, [low.0, high.0]),
        Expectation::Swapped { node, within } => swapped(stage, node, *within),
        Expectation::BelowThreshold { node } => too_weak(stage, node),
        Expectation::Damaged { node, min, max } => {
            let damage = stage.destruction().damage(node).map(f64::from);
            within(damage, [*min, *max].map(|bound| bound.map(f64::from)))
        }
        Expectation::Standing { node, min, max } => standing(stage, node, [*min, *max]),
        Expectation::Largest { node, max } => largest(stage, node, *max),
        Expectation::Missed { node } => missed(stage, node),
        Expectation::Fault { contains } => fault(stage, contains),
        Expectation::NoFaults => no_faults(stage),
        Expectation::Cancelled { min } => cancelled(stage, *min),
        Expectation::NothingHangs => nothing_hangs(stage),
        Expectation::Idle
        | Expectation::Merged { .. }
        | Expectation::Awake { .. }
        | Expectation::StateHash(_)
        | Expectation::MainThread { .. } => of_scene(expectation, stage),
    }
}

/// Checks an expectation that is about the scene as a whole.
fn of_scene(expectation: &Expectation, stage: &Stage) -> Outcome {
    match expectation {
        Expectation::Idle => {
            let jobs = stage.destruction().statistics().jobs_pending;
            outcome(
                stage.destruction().is_idle(),
                format!("{jobs} jobs under way"),
            )
        }
        Expectation::Merged { min } => {
            let statistics = stage.destruction().statistics();
            let (merged, batches) = (statistics.merged, statistics.batches);
            outcome(merged >= *min, format!("{merged} in {batches} batches"))
        }
        Expectation::Awake { max } => {
            let awake = stage.destruction().statistics().awake;
            outcome(awake <= *max, format!("{awake} pieces moving"))
        }
        Expectation::StateHash(text) => {
            let hash = stage.destruction().state_hash();
            outcome(parse_hash(text) == Some(hash), format!("{hash:016x}"))
        }
        // The time of the main thread is reported only.
        _ => {
            let most = stage.destruction().statistics().main_ms_max;
            outcome(true, format!("{most:.3} ms at most"))
        }
    }
}

fn intact(stage: &Stage, node: &str, expected: bool) -> Outcome {
    match stage.destruction().is_intact(node) {
        Some(intact) => outcome(intact == expected, if intact { "intact" } else { "broken" }),
        None => outcome(false, "there is no such object any more"),
    }
}

/// Counts the objects with a name that have not broken.
fn whole(stage: &Stage, count: &Count) -> Outcome {
    let named = stage.objects().iter();
    let named = named.filter(|name| matches(&count.node, name));
    let found = named.filter(|name| stage.destruction().is_intact(*name) == Some(true));
    let found = found.count();
    outcome(count.holds(found), format!("{found} are whole"))
}

fn too_weak(stage: &Stage, node: &str) -> Outcome {
    let is =
        |event: &Event| matches!(event, Event::BelowThreshold { name, .. } if is_of(name, node));
    happened(stage, "too weak", is)
}

fn missed(stage: &Stage, node: &str) -> Outcome {
    let is = |event: &Event| matches!(event, Event::Missed { name, .. } if is_of(name, node));
    happened(stage, "missed", is)
}

/// Whether a number is within bounds, lowest first.
fn within(found: Option<f64>, [min, max]: [Option<f64>; 2]) -> Outcome {
    match found {
        Some(found) => {
            let is_above = min.is_none_or(|min| found >= min);
            let is_below = max.is_none_or(|max| found <= max);
            outcome(is_above && is_below, format!("{found:.3}"))
        }
        None => outcome(false, "there is no such object any more"),
    }
}

fn counted(stage: &Stage, count: &Count, what: &str, is: fn(&PieceInfo) -> bool) -> Outcome {
    let found = stage
        .pieces(&count.node)
        .iter()
        .filter(|piece| is(piece))
        .count();
    outcome(count.holds(found), format!("{found} {what}"))
}

fn collapses(stage: &Stage, count: &Count) -> Outcome {
    let own = |name: &str| is_of(name, &count.node);
    let events = stage.history.iter().map(|(_, event)| event);
    let found = events
        .filter(|event| matches!(event, Event::Broken { name, cause: BreakCause::Weight, .. } if own(name)))
        .count();
    outcome(count.holds(found), format!("{found} collapses"))
}

fn volume(stage: &Stage, node: &str, max: f64) -> Outcome {
    let pieces = stage.pieces(node);
    let destruction = stage.destruction();
    let crumbs = destruction.dust_volume(node);
    match volume_error(&pieces, crumbs, destruction.source_volume(node)) {
        Some(error) => {
            let found = format!("a relative error of {error:.3e}{}", gone(stage, node));
            outcome(error <= max, found)
        }
        None => outcome(false, "no pieces"),
    }
}

fn standing(stage: &Stage, node: &str, bounds: [Option<f64>; 2]) -> Outcome {
    within(stage.destruction().standing_share(node), bounds)
}

fn largest(stage: &Stage, node: &str, max: f64) -> Outcome {
    let pieces = stage.pieces(node);
    let volumes = pieces.iter().map(|piece| piece.volume);
    let largest = volumes.fold(0.0, f64::max);
    match stage.destruction().source_volume(node) {
        Some(source) if largest > 0.0 => {
            let share = largest / source;
            outcome(share <= max, format!("the largest has {share:.3} of it"))
        }
        _ => outcome(false, "no pieces"),
    }
}

/// Returns a remark about removed pieces, whose volume is missing.
fn gone(stage: &Stage, node: &str) -> String {
    let reasons = stage.history.iter().filter_map(|(_, event)| match event {
        Event::Removed { name, reason, .. } if is_of(name, node) => Some(*reason),
        _ => None,
    });
    let reasons: Vec<RemoveReason> = reasons.collect();
    let count = |(reason, why)| {
        let count = reasons.iter().filter(|r| **r == reason).count();
        (count > 0).then(|| format!(", with {count} pieces removed {why}"))
    };
    let known = [
        (RemoveReason::Budget, "as too many"),
        (RemoveReason::Lifetime, "as too old"),
        (RemoveReason::LeftWorld, "that had left the world"),
    ];
    known.into_iter().filter_map(count).collect()
}

/// Returns the relative difference between an object's volume and the sum of its pieces' and dust
/// particles' volumes.
pub fn volume_error(pieces: &[PieceInfo], crumbs: f64, source: Option<f64>) -> Option<f64> {
    let source = source.filter(|volume| *volume > 0.0)?;
    if pieces.is_empty() {
        return None;
    }
    let sum: f64 = crumbs + pieces.iter().map(|piece| piece.volume).sum::<f64>();
    Some((sum - source).abs() / source)
}

fn closed(stage: &Stage, node: &str) -> Outcome {
    let pieces = stage.pieces(node);
    let open: Vec<&str> = pieces
        .iter()
        .filter(|p| p.closed != Some(true))
        .map(|p| p.name.as_str())
        .collect();
    let found = match open.first() {
        Some(first) => format!("{} open pieces, the first is {first}", open.len()),
        None => format!("{} closed pieces", pieces.len()),
    };
    outcome(open.is_empty() && !pieces.is_empty(), found)
}

fn height_of(stage: &mut Stage, body: &str, any: bool, holds: impl Fn(f32) -> bool) -> Outcome {
    let positions = stage.positions(body);
    let right = positions
        .values()
        .filter(|position| holds(position.y))
        .count();
    let all = positions.len();
    let passed = if any {
        right > 0
    } else {
        right == all && all > 0
    };
    let wrong = positions.iter().find(|(_, position)| !holds(position.y));
    let found = match (all, wrong) {
        (0, _) => "there is no such body".to_owned(),
        (1, _) | (_, None) => {
            let heights = positions.values().map(|position| position.y);
            let low = heights.clone().fold(f32::MAX, f32::min);
            let high = heights.fold(f32::MIN, f32::max);
            format!("{all} at {low:.3} to {high:.3} m")
        }
        (_, Some((name, position))) => {
            format!("{right} of {all}; {name} is at {:.3} m", position.y)
        }
    };
    outcome(passed, found)
}

fn inside(stage: &mut Stage, body: &str, any: bool, [low, high]: [Vector3<f32>; 2]) -> Outcome {
    let positions = stage.positions(body);
    let is_inside = |at: &Vector3<f32>| at.sup(&low) == *at && at.inf(&high) == *at;
    let right = positions.values().filter(|at| is_inside(at)).count();
    let all = positions.len();
    let wrong = positions.iter().find(|(_, at)| !is_inside(at));
    let shown = wrong.or_else(|| positions.iter().next());
    let found = shown.map_or("there is no such body".to_owned(), |(name, at)| {
        let [x, y, z] = [at.x, at.y, at.z];
        format!("{right} of {all}; {name} is at ({x:.3}, {y:.3}, {z:.3})")
    });
    outcome(right == all && all > 0 || any && right > 0, found)
}

/// Whether a name is that of an object or of one of its pieces.
fn is_of(name: &str, object: &str) -> bool {
    let rest = name.strip_prefix(object);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn swapped(stage: &Stage, node: &str, within: u64) -> Outcome {
    let waits = stage.breaks().filter(|(_, name, _)| is_of(name, node));
    match waits.map(|(_, _, frames)| frames).max() {
        Some(longest) => outcome(longest <= within, format!("{longest} frames at most")),
        None => outcome(false, "it has not broken"),
    }
}

fn happened(stage: &Stage, what: &str, is: impl Fn(&Event) -> bool) -> Outcome {
    let count = stage.history.iter().filter(|(_, event)| is(event)).count();
    outcome(count > 0, format!("{count} blows {what}"))
}

fn fault(stage: &Stage, words: &str) -> Outcome {
    let words = words.to_lowercase();
    let faults = stage.complaints();
    let found = faults
        .iter()
        .find(|fault| fault.to_lowercase().contains(&words));
    match (found, faults.last()) {
        (Some(fault), _) => outcome(true, fault.as_str()),
        (None, Some(last)) => outcome(false, format!("other faults, the last: {last}")),
        (None, None) => outcome(false, "no faults"),
    }
}

fn no_faults(stage: &Stage) -> Outcome {
    match stage.complaints().first() {
        Some(fault) => outcome(false, fault.as_str()),
        None => outcome(true, "none"),
    }
}

fn nothing_hangs(stage: &mut Stage) -> Outcome {
    let hanging = stage.hanging();
    let found = match hanging.first() {
        Some(first) => format!("{} bodies, the first is {first}", hanging.len()),
        None => "nothing".to_owned(),
    };
    outcome(hanging.is_empty(), found)
}

fn cancelled(stage: &Stage, min: usize) -> Outcome {
    let Some(closing) = stage.closing() else {
        return outcome(false, "the scene was not closed");
    };
    let late = stage.breaks().count() - closing.breaks.min(stage.breaks().count());
    let idle = stage.destruction().is_idle();
    outcome(
        closing.jobs >= min && late == 0 && idle,
        format!(
            "{} jobs cancelled, {late} came through all the same",
            closing.jobs
        ),
    )
}
