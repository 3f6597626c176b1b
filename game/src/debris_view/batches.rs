//! The batches of frozen pieces: which pieces a node shows, and which wait for a batch.

use crate::{
    mirror::engine_bodies::key_of,
    object::conversion::write_surfaces,
    swap::nodes::{PieceSurfaces, RenderFlags},
    update_limit::UpdateLimit,
};
use fracture_geometry::{steps::pause, Attribute, Mesh};
use fracture_simulation::{BodyId, Pose, Shape, TaskId, TaskOutput};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use rapier3d::math::Vec3;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::Bound,
    sync::Arc,
};

/// Side of a region, metres. Larger regions save draw calls, and are culled less often.
const REGION_SIZE: f32 = 4.0;
/// Pieces of a batch at most.
const MAX_BATCH_PIECES: usize = 128;
/// Pieces that begin a batch at least...
const MIN_BATCH_PIECES: usize = 8;
/// ... unless one has waited for more than the delay plus this many delays.
const MAX_WAIT_DELAYS: f64 = 4.0;

/// A grid cell and render flags: pieces in one region can share a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BatchRegion {
    cell: [i32; 3],
    /// Index of the render flags.
    flags: usize,
}

/// Identifies a batch; ids are not reused.
pub(crate) type BatchId = u32;

/// Pieces drawn by one node, or by one that is being built.
pub(crate) struct Batch {
    pub region: BatchRegion,
    /// `NONE` until the mesh has been built for the first time.
    pub node: Handle<Node>,
    pub members: BTreeSet<BodyId>,
    /// The task that builds its mesh, and the number of pieces in that mesh.
    pub job: Option<(TaskId, usize)>,
}

/// All regions and batches of a scene.
#[derive(Default)]
pub(crate) struct StaticBatches {
    /// Frozen pieces with the time, in microseconds, from which on they may be batched.
    waiting: BTreeMap<BatchRegion, BTreeSet<(u64, BodyId)>>,
    /// Region and time of each waiting piece.
    waiting_pieces: BTreeMap<BodyId, (BatchRegion, u64)>,
    batches: BTreeMap<BatchId, Batch>,
    /// Pieces that were thawed and are still shown by their batch, in order.
    pub thawed: VecDeque<BodyId>,
    /// Outputs of the worker that have not been looked at, in order.
    pub built: VecDeque<(TaskId, Option<TaskOutput>)>,
    /// Batches that show pieces they do not contain any more, with the number of frames since.
    pub stale: BTreeMap<BatchId, u32>,
    of_piece: BTreeMap<BodyId, BatchId>,
    of_node: BTreeMap<u64, BatchId>,
    flags: Vec<RenderFlags>,
    next_id: BatchId,
    /// The region that was checked last.
    last_region: Option<BatchRegion>,
    /// Seconds since the start.
    clock: f64,
}

impl StaticBatches {
    /// Number of pieces of a batch.
    pub fn size(&self, id: BatchId) -> usize {
        self.get(id).map_or(0, |batch| batch.members.len())
    }

    /// Takes the next output of the worker, if the update has room for the pieces of its batch.
    pub fn next_built(&mut self, limit: &mut UpdateLimit) -> Option<(TaskId, Option<TaskOutput>)> {
        let task = self.built.front()?.0;
        if !limit.has_room() {
            return None;
        }
        let id = self.of_task(task);
        limit.add(id.map_or(0, |id| self.size(id)));
        self.built.pop_front()
    }

    /// Advances the clock by `dt` seconds.
    pub fn advance_clock(&mut self, dt: f32) {
        self.clock += f64::from(dt.max(0.0));
    }

    /// Queues a frozen piece at a position for a batch, `delay` seconds from now.
    pub fn enqueue(
        &mut self,
        body: BodyId,
        position: Vector3<f32>,
        flags: RenderFlags,
        delay: f32,
    ) {
        if !delay.is_finite() || self.of_piece.contains_key(&body) {
            return;
        }
        let known = self.flags.iter().position(|known| *known == flags);
        let region = BatchRegion {
            // The conversion saturates far from the origin.
            cell: [position.x, position.y, position.z].map(|x| (x / REGION_SIZE).floor() as i32),
            flags: known.unwrap_or(self.flags.len()),
        };
        if known.is_none() {
            self.flags.push(flags);
        }
        self.dequeue(body);
        let due = micros(self.clock + f64::from(delay));
        self.waiting_pieces.insert(body, (region, due));
        self.waiting.entry(region).or_default().insert((due, body));
    }

    fn dequeue(&mut self, body: BodyId) {
        let Some((region, due)) = self.waiting_pieces.remove(&body) else {
            return;
        };
        if let Some(queue) = self.waiting.get_mut(&region) {
            queue.remove(&(due, body));
            if queue.is_empty() {
                self.waiting.remove(&region);
            }
        }
    }

    /// Takes a piece out of the queue, or out of its batch, which is stale then.
    pub fn remove_piece(&mut self, body: BodyId) {
        self.dequeue(body);
        let Some(id) = self.of_piece.remove(&body) else {
            return;
        };
        if let Some(batch) = self.batches.get_mut(&id) {
            batch.members.remove(&body);
            self.stale.entry(id).or_insert(0);
        }
    }

    /// Goes on to the next region. Returns its pieces that are due, if there are enough for a batch.
    pub fn next_candidates(&mut self, delay: f32) -> Option<(BatchRegion, Vec<BodyId>)> {
        let after = self.last_region.map_or(Bound::Unbounded, Bound::Excluded);
        let mut following = self.waiting.range((after, Bound::Unbounded));
        let (region, queue) = following.next().or_else(|| self.waiting.iter().next())?;
        self.last_region = Some(*region);
        let now = micros(self.clock);
        let due = queue.iter().take_while(|(due, _)| *due <= now);
        let pieces = due.map(|(_, body)| *body).take(MAX_BATCH_PIECES);
        let count = pieces.clone().count();
        let deadline = micros(self.clock - MAX_WAIT_DELAYS * f64::from(delay));
        let is_late = queue.first().is_some_and(|(due, _)| *due < deadline);
        let enough = count >= MIN_BATCH_PIECES || (count > 1 && is_late);
        // Collected only then: a piece that stays alone is asked about in every update.
        enough.then(|| (*region, pieces.collect()))
    }

    /// Begins a batch of queued pieces, whose mesh a task builds.
    pub fn begin(&mut self, region: BatchRegion, members: Vec<BodyId>, job: TaskId) {
        let id = self.next_id;
        self.next_id = self.next_id.wrapping_add(1);
        for body in &members {
            self.dequeue(*body);
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

    /// The batch of a piece.
    pub fn of_piece(&self, body: BodyId) -> Option<&Batch> {
        self.get(*self.of_piece.get(&body)?)
    }

    pub fn get(&self, id: BatchId) -> Option<&Batch> {
        self.batches.get(&id)
    }

    pub fn get_mut(&mut self, id: BatchId) -> Option<&mut Batch> {
        self.batches.get_mut(&id)
    }

    /// The batch whose mesh a task builds.
    pub fn of_task(&self, task: TaskId) -> Option<BatchId> {
        let is_built_by = |batch: &Batch| batch.job.is_some_and(|(job, _)| job == task);
        let mut batches = self.batches.iter();
        let batch = batches.find(|(_, batch)| is_built_by(batch));
        batch.map(|(id, _)| *id)
    }

    /// Sets the node of a batch.
    pub fn set_node(&mut self, id: BatchId, node: Handle<Node>) {
        if let Some(batch) = self.batches.get_mut(&id) {
            batch.node = node;
            self.of_node.insert(key_of(node), id);
        }
    }

    /// The batch whose node this is.
    pub fn at_node(&self, node: Handle<Node>) -> Option<BatchId> {
        self.of_node.get(&key_of(node)).copied()
    }

    /// The pieces of the batch whose node this is; none for another node.
    pub fn pieces_at(&self, node: Handle<Node>) -> impl Iterator<Item = BodyId> + '_ {
        let batch = self.at_node(node).and_then(|id| self.batches.get(&id));
        batch
            .into_iter()
            .flat_map(|batch| batch.members.iter().copied())
    }

    /// Removes a batch. The caller takes care of its pieces and its node.
    pub fn dissolve(&mut self, id: BatchId) -> Option<Batch> {
        let batch = self.batches.remove(&id)?;
        self.stale.remove(&id);
        self.of_node.remove(&key_of(batch.node));
        for body in &batch.members {
            self.of_piece.remove(body);
        }
        Some(batch)
    }

    /// The render flags of the pieces in a region.
    pub fn flags(&self, region: BatchRegion) -> Option<RenderFlags> {
        self.flags.get(region.flags).copied()
    }

    /// The number of batches that are drawn, and of pieces in them.
    pub fn count(&self) -> (usize, usize) {
        let drawn = self.batches.values().filter(|batch| batch.node.is_some());
        drawn.fold((0, 0), |(batches, pieces), batch| {
            (batches + 1, pieces + batch.members.len())
        })
    }
}

impl BatchRegion {
    /// Its centre, metres: the origin of the meshes of its batches.
    pub fn center(&self) -> Vector3<f32> {
        let [x, y, z] = self.cell.map(|c| (c as f32 + 0.5) * REGION_SIZE);
        Vector3::new(x, y, z)
    }
}

fn micros(seconds: f64) -> u64 {
    (seconds * 1e6) as u64
}

const WHITE: [f32; 4] = [1.0; 4];

/// A piece to be merged into the mesh of a batch.
pub(crate) struct BatchMember {
    pub shape: Arc<Shape>,
    pub pose: Pose,
    /// The batch's material slot for each of the piece's slots; the last one for slots beyond.
    pub slots: Vec<u32>,
}

/// Merges the meshes of all members at their poses, relative to an origin. Surfaces are the batch's slots.
pub(super) async fn merge_meshes(members: &[BatchMember], origin: Vec3) -> PieceSurfaces {
    let mut merged = Mesh::default();
    for member in members {
        let pose = Pose::from_parts(member.pose.translation - origin, member.pose.rotation);
        let slots = &member.slots;
        member
            .shape
            .with_mesh(|mesh| append(&mut merged, mesh, &pose, slots));
        pause().await;
    }
    write_surfaces(&merged).into_iter().collect()
}

fn append(merged: &mut Mesh, mesh: &Mesh, pose: &Pose, slots: &[u32]) {
    let first = merged.positions.len();
    let count = mesh.positions.len();
    let turned = |v: Vec3| pose.rotation * v;
    let positions = mesh.positions.iter();
    merged
        .positions
        .extend(positions.map(|p| pose.transform_point(Vec3::from_array(*p)).to_array()));
    let normals = mesh.normals.iter();
    merged
        .normals
        .extend(normals.map(|n| turned(Vec3::from_array(*n)).to_array()));
    merged.normals.resize(first + count, [0.0, 1.0, 0.0]);
    merged
        .tangents
        .extend(mesh.tangents.iter().map(|[x, y, z, w]| {
            let along = turned(Vec3::new(*x, *y, *z));
            [along.x, along.y, along.z, *w]
        }));
    merged.tangents.resize(first + count, [1.0, 0.0, 0.0, 1.0]);
    merged.uvs.extend(&mesh.uvs);
    merged.uvs.resize(first + count, [0.0; 2]);
    if !(mesh.colors.is_empty() && merged.colors.is_empty()) {
        merged.colors.resize(first, WHITE);
        merged.colors.extend(&mesh.colors);
        merged.colors.resize(first + count, WHITE);
    }
    Attribute::append(&mut merged.attributes, &mesh.attributes, first, count);
    let last = slots.last().copied().unwrap_or(0);
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        merged.triangles.push(triangle.map(|v| v + first as u32));
        let slot = slots.get(mesh.surface(index) as usize);
        merged.surfaces.push(slot.copied().unwrap_or(last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::math::Rotation;

    #[test]
    fn members_keep_their_poses_and_slots() {
        let cube = Mesh::cuboid([1.0; 3]);
        let turn = Rotation::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let places = [
            Pose::from_translation(Vec3::new(10.0, 0.0, 0.0)),
            Pose::from_parts(Vec3::new(10.0, 3.0, 0.0), turn),
        ];
        let mut merged = Mesh::default();
        for (slot, place) in (0..).zip(&places) {
            append(&mut merged, &cube, place, &[slot]);
        }
        assert_eq!(merged.triangles.len(), 2 * cube.triangles.len());
        let n = cube.positions.len();
        assert_eq!(merged.positions.len(), 2 * n);
        for (v, position) in merged.positions.iter().enumerate() {
            let own = Vec3::from_array(cube.positions[v % n]);
            let there = places[v / n].transform_point(own);
            assert!((there - Vec3::from_array(*position)).length() < 1e-5);
        }
        let is_unit = |n: &[f32; 3]| (Vec3::from_array(*n).length() - 1.0).abs() < 1e-5;
        assert!(merged.normals.iter().all(is_unit));
        let second = merged.surfaces.iter().filter(|slot| **slot == 1).count();
        assert_eq!(second, cube.triangles.len());
        for list in [
            merged.normals.len(),
            merged.tangents.len(),
            merged.uvs.len(),
        ] {
            assert_eq!(list, 2 * n);
        }
    }

    #[test]
    fn members_keep_the_texture_coordinates_of_their_lightmap() {
        let plain = Mesh::cuboid([1.0; 3]);
        let n = plain.positions.len();
        let mut lit = plain.clone();
        lit.attributes = vec![Attribute {
            id: 4,
            size: 2,
            values: (0..2 * n).map(|number| number as f32).collect(),
            on_cuts: None,
        }];
        let mut merged = Mesh::default();
        for mesh in [&plain, &lit, &plain, &lit] {
            append(&mut merged, mesh, &Pose::IDENTITY, &[0]);
        }
        let [attribute] = &merged.attributes[..] else {
            panic!("{} attributes", merged.attributes.len());
        };
        let zeros = vec![0.0; 2 * n];
        let own = &lit.attributes[0].values;
        assert_eq!(attribute.values, [&zeros[..], own, &zeros, own].concat());
    }

    #[test]
    fn members_without_colours_become_white() {
        let plain = Mesh::cuboid([1.0; 3]);
        let mut red = plain.clone();
        red.colors = vec![[1.0, 0.0, 0.0, 1.0]; red.positions.len()];
        for order in [[&plain, &red], [&red, &plain]] {
            let mut merged = Mesh::default();
            for mesh in order {
                append(&mut merged, mesh, &Pose::IDENTITY, &[0]);
            }
            let whites = merged.colors.iter().filter(|c| **c == WHITE).count();
            assert_eq!(merged.colors.len(), merged.positions.len());
            assert_eq!(whites, plain.positions.len());
        }
    }
}
