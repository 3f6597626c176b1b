//! Removes pieces over the debris budget and pieces whose lifetime has ended, and counts what there is.

use std::cmp::Ordering;

use crate::debris::time_passes;
use crate::event::RemoveReason;
use crate::pieces::components::{AnchoredRemainder, Debris, Intact, PendingBreak, PieceBuild};
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Most pieces that expire in one step: the debris that lies on them has to be woken.
const MAX_EXPIRED_PER_STEP: usize = 16;

/// Time after which an expired piece that still moves is tested again, seconds.
const RETRY_INTERVAL: f64 = 0.5;

/// How many times its size a piece counts for while it moves: it is noticed more than one at rest.
const MOVING_FACTOR: f32 = 4.0;

/// Removes pieces over the budget: first what no viewer sees, and of that what looks smallest and rests.
/// Large pieces stay, and so does what is being broken.
pub(crate) fn enforce_budget(simulation: &mut Simulation) {
    let (budget, settings) = (&simulation.debris_budget, &simulation.settings);
    let is_within = |count: usize, triangles: u64| {
        count <= settings.max_pieces && triangles <= settings.max_triangles
    };
    let (mut count, mut triangles) = (budget.count(), budget.triangles());
    if is_within(count, triangles) {
        return; // the common case
    }
    let mut candidates: Vec<RemovablePiece> = budget
        .pieces()
        .filter_map(|body| RemovablePiece::new(simulation, body))
        .collect();
    candidates.sort_by(RemovablePiece::order);
    let mut excess = Vec::new();
    for candidate in candidates {
        if is_within(count, triangles) {
            break;
        }
        count = count.saturating_sub(1);
        triangles = triangles.saturating_sub(u64::from(candidate.triangles));
        excess.push(candidate.body);
    }
    excess.truncate(simulation.changes.room_for_removals());
    simulation.changes.add(excess.len());
    for body in excess {
        simulation.remove_piece(body, RemoveReason::Budget);
    }
}

/// A piece that may be removed.
struct RemovablePiece {
    is_in_view: bool,
    /// How large it looks, the more so while it moves.
    weight: f32,
    /// The step in which it was made.
    born: u64,
    body: BodyId,
    triangles: u32,
}

impl RemovablePiece {
    /// `None` for a piece that stays.
    fn new(simulation: &Simulation, body: BodyId) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        let debris = *entity.get::<&Debris>()?;
        if entity.has::<PendingBreak>() || debris.size >= simulation.settings.keep_size {
            return None;
        }
        let local = entity.get::<&PieceBuild>()?.mass.center.as_vec3();
        let pose = entity.get::<&Motion>()?.pose;
        let center = pose.transform_point(local);
        let viewers = simulation.viewers.iter();
        let nearest = viewers
            .clone()
            .map(|viewer| viewer.position.distance(center))
            .min_by(f32::total_cmp);
        // Within a piece's own size all pieces look alike.
        let distance = nearest.map_or(1.0, |distance| distance.max(debris.size));
        let is_asleep = simulation.debris.wait().is_asleep(body);
        let factor = if is_asleep { 1.0 } else { MOVING_FACTOR };
        Some(Self {
            is_in_view: viewers
                .clone()
                .any(|viewer| viewer.sees(&debris.bounds, &pose)),
            weight: factor * debris.size / distance,
            born: debris.born,
            body,
            triangles: debris.triangles,
        })
    }

    /// The order in which pieces are removed.
    fn order(&self, other: &Self) -> Ordering {
        self.is_in_view
            .cmp(&other.is_in_view)
            .then(self.weight.total_cmp(&other.weight))
            .then(self.born.cmp(&other.born))
            .then(self.body.cmp(&other.body))
    }
}

/// Removes pieces whose lifetime has ended.
pub(crate) fn remove_expired(simulation: &mut Simulation, dt: f32) {
    if time_passes(dt) {
        simulation.debris_budget.advance(dt);
    }
    let most = MAX_EXPIRED_PER_STEP.min(simulation.changes.room_for_removals());
    for _ in 0..most {
        let Some(expiry) = simulation.debris_budget.next_expired() else {
            return;
        };
        if !simulation.world.satisfies::<&Debris>(expiry.body.0) {
            continue; // broken or gone
        }
        let is_breaking = simulation.world.satisfies::<&PendingBreak>(expiry.body.0);
        let is_asleep = simulation.debris.wait().is_asleep(expiry.body);
        if is_breaking || !(is_asleep || simulation.debris_budget.is_overdue(&expiry)) {
            simulation.debris_budget.postpone(expiry, RETRY_INTERVAL);
        } else {
            simulation.changes.add(1);
            simulation.remove_piece(expiry.body, RemoveReason::Lifetime);
        }
    }
}

/// Updates the statistics of bodies, jobs and waiting impacts.
pub(crate) fn count(simulation: &mut Simulation) {
    let world = &simulation.world;
    let statistics = &mut simulation.statistics;
    statistics.intact = world.query::<&Intact>().iter().len();
    statistics.remainders = world.query::<&AnchoredRemainder>().iter().len();
    statistics.debris = simulation.debris_budget.count();
    statistics.triangles = simulation.debris_budget.triangles();
    statistics.awake = simulation.debris.awake();
    statistics.jobs = simulation.jobs.worker.outstanding();
    statistics.refinements = simulation.jobs.worker.refinements();
    let mut pending = world.query::<&PendingBreak>();
    statistics.waiting_impacts = pending.iter().map(|pending| pending.waiting.len()).sum();
}
