//! Which settled pieces are drawn together, and by which node.

use crate::{bodies::key_of, swap::Drawing};
use fracture_simulation::{BodyId, TaskId};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// Side of a region, metres.
const REGION: f32 = 4.0;
/// Pieces of a batch at most.
pub(super) const MOST_PIECES: usize = 128;
/// A batch of fewer pieces is not worth it...
const FEWEST: usize = 8;
/// ... unless no more have come for so many times the usual wait.
const PATIENCE: f64 = 4.0;

/// Where pieces lie and how they are drawn: what is alike can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    cell: [i32; 3],
    drawing: usize,
}

/// Names a batch; not given out twice.
pub(super) type BatchId = u32;

/// Pieces that are drawn together, or are about to be.
pub(super) struct Batch {
    pub region: Region,
    /// `NONE` until it is made for the first time.
    pub node: Handle<Node>,
    pub members: BTreeSet<BodyId>,
    /// Who makes its mesh, and of how many pieces.
    pub job: Option<(TaskId, usize)>,
}

/// All regions and batches of a scene.
#[derive(Default)]
pub(super) struct Batches {
    /// Pieces that have settled, with the microsecond from which on they may be merged.
    waiting: BTreeMap<Region, BTreeSet<(u64, BodyId)>>,
    /// The same, by piece.
    waits: BTreeMap<BodyId, (Region, u64)>,
    pub batches: BTreeMap<BatchId, Batch>,
    /// Those that show what is not there any more, and for how many frames they have.
    pub stale: BTreeMap<BatchId, u32>,
    of_piece: BTreeMap<BodyId, BatchId>,
    of_node: BTreeMap<u64, BatchId>,
    drawings: Vec<Drawing>,
    next: BatchId,
    /// The region that was looked at last.
    turn: Option<Region>,
    /// Seconds since the start.
    clock: f64,
}

impl Batches {
    /// Moves the clock on.
    pub fn pass(&mut self, dt: f32) {
        self.clock += f64::from(dt.max(0.0));
    }

    /// A piece has settled and may be merged in some seconds.
    pub fn wait(&mut self, body: BodyId, at: Vector3<f32>, drawing: Drawing, seconds: f32) {
        if !seconds.is_finite() || self.of_piece.contains_key(&body) {
            return;
        }
        let known = self.drawings.iter().position(|known| *known == drawing);
        let region = Region {
            // Saturates far out.
            cell: [at.x, at.y, at.z].map(|x| (x / REGION).floor() as i32),
            drawing: known.unwrap_or(self.drawings.len()),
        };
        if known.is_none() {
            self.drawings.push(drawing);
        }
        self.leave_queue(body);
        let due = micros(self.clock + f64::from(seconds));
        self.waits.insert(body, (region, due));
        self.waiting.entry(region).or_default().insert((due, body));
    }

    fn leave_queue(&mut self, body: BodyId) {
        let Some((region, due)) = self.waits.remove(&body) else {
            return;
        };
        if let Some(queue) = self.waiting.get_mut(&region) {
            queue.remove(&(due, body));
            if queue.is_empty() {
                self.waiting.remove(&region);
            }
        }
    }

    /// A piece is not to be merged any more. Its batch is stale then, and this is the batch's number.
    pub fn leave(&mut self, body: BodyId) -> Option<BatchId> {
        self.leave_queue(body);
        let id = self.of_piece.remove(&body)?;
        let batch = self.batches.get_mut(&id)?;
        batch.members.remove(&body);
        self.stale.entry(id).or_insert(0);
        Some(id)
    }

    /// The pieces of the region whose turn it is that are due, when there are enough.
    pub fn candidates(&mut self, wait: f32) -> Option<(Region, Vec<BodyId>)> {
        let after = self.turn.map_or(Bound::Unbounded, Bound::Excluded);
        let mut rest = self.waiting.range((after, Bound::Unbounded));
        let (region, queue) = rest.next().or_else(|| self.waiting.iter().next())?;
        self.turn = Some(*region);
        let now = micros(self.clock);
        let due = queue.iter().take_while(|(due, _)| *due <= now);
        let ready: Vec<BodyId> = due.map(|(_, body)| *body).take(MOST_PIECES).collect();
        let long = micros(self.clock - PATIENCE * f64::from(wait));
        let is_late = queue.first().is_some_and(|(due, _)| *due < long);
        let enough = ready.len() >= FEWEST || (ready.len() > 1 && is_late);
        enough.then_some((*region, ready))
    }

    /// Makes a batch of pieces that wait.
    pub fn found(&mut self, region: Region, members: Vec<BodyId>, job: TaskId) {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        for body in &members {
            self.leave_queue(*body);
            self.of_piece.insert(*body, id);
        }
        let batch = Batch {
            region,
            node: Handle::NONE,
            job: Some((job, members.len())),
            members: members.into_iter().collect(),
        };
        self.batches.insert(id, batch);
    }

    /// The batch whose mesh an errand makes.
    pub fn of_errand(&self, errand: TaskId) -> Option<BatchId> {
        let is = |batch: &Batch| batch.job.is_some_and(|(job, _)| job == errand);
        let found = self.batches.iter().find(|(_, batch)| is(batch));
        found.map(|(id, _)| *id)
    }

    /// A batch has got its node.
    pub fn set_node(&mut self, id: BatchId, node: Handle<Node>) {
        if let Some(batch) = self.batches.get_mut(&id) {
            batch.node = node;
            self.of_node.insert(key_of(node), id);
        }
    }

    /// The batch that a node shows.
    pub fn at_node(&self, node: Handle<Node>) -> Option<BatchId> {
        self.of_node.get(&key_of(node)).copied()
    }

    /// The pieces that a node shows, when it is that of a batch.
    pub fn pieces_at(&self, node: Handle<Node>) -> impl Iterator<Item = BodyId> + '_ {
        let batch = self.at_node(node).and_then(|id| self.batches.get(&id));
        batch
            .into_iter()
            .flat_map(|batch| batch.members.iter().copied())
    }

    /// Forgets a batch; its pieces and its node are the caller's.
    pub fn dissolve(&mut self, id: BatchId) -> Option<Batch> {
        let batch = self.batches.remove(&id)?;
        self.stale.remove(&id);
        self.of_node.remove(&key_of(batch.node));
        for body in &batch.members {
            self.of_piece.remove(body);
        }
        Some(batch)
    }

    /// How pieces of a region are drawn.
    pub fn drawing(&self, region: Region) -> Option<Drawing> {
        self.drawings.get(region.drawing).copied()
    }

    /// How many batches are drawn, and pieces in them.
    pub fn count(&self) -> (usize, usize) {
        let drawn = self.batches.values().filter(|batch| batch.node.is_some());
        drawn.fold((0, 0), |(batches, pieces), batch| {
            (batches + 1, pieces + batch.members.len())
        })
    }
}

impl Region {
    /// Its middle, metres: what meshes of its batches are seen from.
    pub fn middle(&self) -> Vector3<f32> {
        let [x, y, z] = self.cell.map(|c| (c as f32 + 0.5) * REGION);
        Vector3::new(x, y, z)
    }
}

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}
