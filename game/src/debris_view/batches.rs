//! Which settled pieces are drawn together, and by which node.

use crate::{
    mirror::engine_bodies::key_of,
    object::conversion::write_surfaces,
    swap::nodes::{PieceSurfaces, RenderFlags},
};
use fracture_geometry::Mesh;
use fracture_simulation::{BodyId, Pose, Shape, TaskId};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use rapier3d::math::Vec3;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    sync::Arc,
};

/// Side of a region, metres.
const REGION: f32 = 4.0;
/// Pieces of a batch at most.
pub(crate) const MOST_PIECES: usize = 128;
/// A batch of fewer pieces is not worth it...
const FEWEST: usize = 8;
/// ... unless no more have come for so many times the usual wait.
const PATIENCE: f64 = 4.0;

/// Where pieces lie and how they are drawn: what is alike can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BatchRegion {
    cell: [i32; 3],
    drawing: usize,
}

/// Names a batch; not given out twice.
pub(crate) type BatchId = u32;

/// Pieces that are drawn together, or are about to be.
pub(crate) struct Batch {
    pub region: BatchRegion,
    /// `NONE` until it is made for the first time.
    pub node: Handle<Node>,
    pub members: BTreeSet<BodyId>,
    /// Who makes its mesh, and of how many pieces.
    pub job: Option<(TaskId, usize)>,
}

/// All regions and batches of a scene.
#[derive(Default)]
pub(crate) struct StaticBatches {
    /// Pieces that have settled, with the microsecond from which on they may be merged.
    waiting: BTreeMap<BatchRegion, BTreeSet<(u64, BodyId)>>,
    /// The same, by piece.
    waits: BTreeMap<BodyId, (BatchRegion, u64)>,
    pub batches: BTreeMap<BatchId, Batch>,
    /// Those that show what is not there any more, and for how many frames they have.
    pub stale: BTreeMap<BatchId, u32>,
    of_piece: BTreeMap<BodyId, BatchId>,
    of_node: BTreeMap<u64, BatchId>,
    drawings: Vec<RenderFlags>,
    next: BatchId,
    /// The region that was looked at last.
    turn: Option<BatchRegion>,
    /// Seconds since the start.
    clock: f64,
}

impl StaticBatches {
    /// Moves the clock on.
    pub fn pass(&mut self, dt: f32) {
        self.clock += f64::from(dt.max(0.0));
    }

    /// A piece has settled and may be merged in some seconds.
    pub fn wait(&mut self, body: BodyId, at: Vector3<f32>, drawing: RenderFlags, seconds: f32) {
        if !seconds.is_finite() || self.of_piece.contains_key(&body) {
            return;
        }
        let known = self.drawings.iter().position(|known| *known == drawing);
        let region = BatchRegion {
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
    pub fn candidates(&mut self, wait: f32) -> Option<(BatchRegion, Vec<BodyId>)> {
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
    pub fn found(&mut self, region: BatchRegion, members: Vec<BodyId>, job: TaskId) {
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
    pub fn drawing(&self, region: BatchRegion) -> Option<RenderFlags> {
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

impl BatchRegion {
    /// Its middle, metres: what meshes of its batches are seen from.
    pub fn middle(&self) -> Vector3<f32> {
        let [x, y, z] = self.cell.map(|c| (c as f32 + 0.5) * REGION);
        Vector3::new(x, y, z)
    }
}

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

const WHITE: [f32; 4] = [1.0; 4];

/// A piece that is to be part of a batch.
pub(crate) struct BatchMember {
    pub shape: Arc<Shape>,
    pub pose: Pose,
    /// The batch's slot of each of its own; the last for those beyond.
    pub slots: Vec<u32>,
}

/// The surfaces of all members where they lie, as seen from a place, by slot of the batch.
pub(crate) fn merge(members: &[BatchMember], from: Vec3) -> PieceSurfaces {
    let mut whole = Mesh::default();
    for member in members {
        let place = Pose::from_parts(member.pose.translation - from, member.pose.rotation);
        let slots = &member.slots;
        member
            .shape
            .with_mesh(|mesh| append(&mut whole, mesh, &place, slots));
    }
    write_surfaces(&whole).into_iter().collect()
}

fn append(whole: &mut Mesh, mesh: &Mesh, place: &Pose, slots: &[u32]) {
    let first = whole.positions.len();
    let count = mesh.positions.len();
    let turned = |v: Vec3| place.rotation * v;
    let positions = mesh.positions.iter();
    whole
        .positions
        .extend(positions.map(|p| place.transform_point(Vec3::from_array(*p)).to_array()));
    let normals = mesh.normals.iter();
    whole
        .normals
        .extend(normals.map(|n| turned(Vec3::from_array(*n)).to_array()));
    whole.normals.resize(first + count, [0.0, 1.0, 0.0]);
    whole
        .tangents
        .extend(mesh.tangents.iter().map(|[x, y, z, w]| {
            let along = turned(Vec3::new(*x, *y, *z));
            [along.x, along.y, along.z, *w]
        }));
    whole.tangents.resize(first + count, [1.0, 0.0, 0.0, 1.0]);
    whole.uvs.extend(&mesh.uvs);
    whole.uvs.resize(first + count, [0.0; 2]);
    if !(mesh.colors.is_empty() && whole.colors.is_empty()) {
        whole.colors.resize(first, WHITE);
        whole.colors.extend(&mesh.colors);
        whole.colors.resize(first + count, WHITE);
    }
    let last = slots.last().copied().unwrap_or(0);
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        whole.triangles.push(triangle.map(|v| v + first as u32));
        let slot = slots.get(mesh.surface(index) as usize);
        whole.surfaces.push(slot.copied().unwrap_or(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::math::Rotation;

    #[test]
    fn members_lie_where_they_lay_with_their_own_slots() {
        let cube = Mesh::cuboid([1.0; 3]);
        let turn = Rotation::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let places = [
            Pose::from_translation(Vec3::new(10.0, 0.0, 0.0)),
            Pose::from_parts(Vec3::new(10.0, 3.0, 0.0), turn),
        ];
        let mut whole = Mesh::default();
        for (slot, place) in (0..).zip(&places) {
            append(&mut whole, &cube, place, &[slot]);
        }
        assert_eq!(whole.triangles.len(), 2 * cube.triangles.len());
        let n = cube.positions.len();
        assert_eq!(whole.positions.len(), 2 * n);
        for (v, position) in whole.positions.iter().enumerate() {
            let own = Vec3::from_array(cube.positions[v % n]);
            let there = places[v / n].transform_point(own);
            assert!((there - Vec3::from_array(*position)).length() < 1e-5);
        }
        let is_unit = |n: &[f32; 3]| (Vec3::from_array(*n).length() - 1.0).abs() < 1e-5;
        assert!(whole.normals.iter().all(is_unit));
        let second = whole.surfaces.iter().filter(|slot| **slot == 1).count();
        assert_eq!(second, cube.triangles.len());
        for list in [whole.normals.len(), whole.tangents.len(), whole.uvs.len()] {
            assert_eq!(list, 2 * n);
        }
    }

    #[test]
    fn colours_of_some_leave_the_others_white() {
        let plain = Mesh::cuboid([1.0; 3]);
        let mut red = plain.clone();
        red.colors = vec![[1.0, 0.0, 0.0, 1.0]; red.positions.len()];
        for order in [[&plain, &red], [&red, &plain]] {
            let mut whole = Mesh::default();
            for mesh in order {
                append(&mut whole, mesh, &Pose::IDENTITY, &[0]);
            }
            let whites = whole.colors.iter().filter(|c| **c == WHITE).count();
            assert_eq!(whole.colors.len(), whole.positions.len());
            assert_eq!(whites, plain.positions.len());
        }
    }
}
