//! Batching of frozen pieces: one mesh node shows many pieces that lie near each other.
//!
//! Bodies and colliders are unaffected, so a batched piece is pushed, struck and broken like any other.
//! When something happens to a piece of a batch, it gets a node of its own in the same frame. The worker
//! then builds the batch again without it; until that is done, the batch still shows the piece where it
//! lay. If that takes longer than a few frames, all pieces of the batch get nodes of their own.

use crate::{
    debris_view::{
        batches::{merge_meshes, BatchId, BatchMember, BatchRegion},
        DebrisView,
    },
    mirror::transforms::{pose, vec3},
    object::ObjectId,
    swap::{
        self,
        nodes::{NodePlacement, PieceAppearance, PieceSurfaces},
        pieces::PieceStore,
    },
    update_limit::UpdateLimit,
};
use fracture_simulation::{BodyId, Simulation, TaskId, TaskOutput};
use fyrox::{
    core::{algebra::UnitQuaternion, pool::Handle},
    material::MaterialResource,
    scene::{graph::Graph, node::Node},
};

/// Triangles of a batch at most. Larger batches save draw calls, and take longer to build again.
const MAX_BATCH_TRIANGLES: u32 = 30_000;
/// Triangles of a batched piece at most. A piece with more is worth a draw call of its own.
const MAX_PIECE_TRIANGLES: u32 = 3_000;
/// Frames for which a batch may show a piece that it does not contain any more.
const MAX_STALE_FRAMES: u32 = 3;
/// Name of the nodes that show batches.
const BATCH_NODE_NAME: &str = "settled pieces";

/// The worker's output for a batch.
struct BatchMesh {
    surfaces: PieceSurfaces,
    appearance: PieceAppearance,
}

impl DebrisView {
    /// Queues the pieces that have been frozen, takes thawed pieces out of their batches, and builds
    /// batches.
    pub(super) fn update_batches(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        pieces: &mut PieceStore,
        delay: f32,
        limit: &mut UpdateLimit,
        dt: f32,
    ) {
        self.batches.advance_clock(dt);
        for (body, frozen) in simulation.freeze_changes() {
            let is_batched = pieces.get(body).is_some_and(|piece| piece.batched);
            if is_batched && !frozen {
                self.batches.thawed.push_back(body);
                continue;
            }
            if is_batched {
                // It was thawed, and is still shown where it lay then.
                self.batches.thawed.retain(|thawed| *thawed != body);
            }
            self.unbatch(graph, pieces, body);
            if frozen {
                self.enqueue(pieces, body, delay);
            }
        }
        self.show_thawed(graph, pieces, limit);
        self.batches.built.extend(simulation.drain_tasks());
        while let Some((task, output)) = self.batches.next_built(limit) {
            self.receive_mesh(graph, pieces, delay, task, output);
        }
        self.rebuild_stale(graph, simulation, pieces, delay, limit);
        self.begin_batch(graph, simulation, pieces, delay);
    }

    /// Gives thawed pieces nodes of their own, as many as the update has room for. The others are shown where they
    /// lay until then.
    fn show_thawed(&mut self, graph: &mut Graph, pieces: &mut PieceStore, limit: &mut UpdateLimit) {
        while limit.has_room() {
            let Some(body) = self.batches.thawed.pop_front() else {
                return;
            };
            limit.add(1);
            self.unbatch(graph, pieces, body);
        }
    }

    /// Queues a frozen piece for a batch, `delay` seconds from now.
    fn enqueue(&mut self, pieces: &PieceStore, body: BodyId, delay: f32) {
        let piece = pieces.get(body);
        if let Some(piece) = piece.filter(|piece| piece.triangles <= MAX_PIECE_TRIANGLES) {
            let (center, flags) = (piece.world_center(), piece.appearance.flags);
            self.batches.enqueue(body, center, flags, delay);
        }
    }

    /// Takes a piece out of its batch or the queue, and gives it a node of its own.
    pub fn unbatch(&mut self, graph: &mut Graph, pieces: &mut PieceStore, body: BodyId) {
        self.batches.remove_piece(body);
        self.show_alone(graph, pieces, body);
    }

    fn show_alone(&mut self, graph: &mut Graph, pieces: &mut PieceStore, body: BodyId) {
        if let Some(piece) = pieces.get(body).filter(|piece| piece.batched) {
            let placement = NodePlacement::World(&piece.pose);
            let (surfaces, appearance) = (&piece.surfaces, &piece.appearance);
            let node = self
                .pool
                .show(graph, &piece.name, surfaces, appearance, &placement);
            pieces.set_own_node(body, node);
        }
    }

    /// Builds the batches again that show pieces they do not contain any more.
    fn rebuild_stale(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        pieces: &mut PieceStore,
        delay: f32,
        limit: &mut UpdateLimit,
    ) {
        let stale = self.batches.stale.iter();
        let stale: Vec<_> = stale.map(|(id, frames)| (*id, *frames)).collect();
        for (id, frames) in stale {
            if frames > MAX_STALE_FRAMES {
                if !limit.has_room() {
                    return; // the next update goes on here
                }
                limit.add(self.batches.size(id));
                self.break_up(graph, pieces, delay, id);
                continue;
            }
            self.batches.stale.insert(id, frames + 1);
            let batch = self.batches.get(id);
            if batch.is_some_and(|batch| batch.job.is_none()) {
                self.rebuild(graph, simulation, pieces, delay, id);
            }
        }
    }

    fn rebuild(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        pieces: &mut PieceStore,
        delay: f32,
        id: BatchId,
    ) {
        let Some(batch) = self.batches.get(id) else {
            return;
        };
        let (region, count) = (batch.region, batch.members.len());
        if count < 2 {
            return self.break_up(graph, pieces, delay, id);
        }
        let members: Vec<BodyId> = batch.members.iter().copied().collect();
        let job = self.build_mesh(simulation, pieces, region, &members);
        if let Some(batch) = self.batches.get_mut(id) {
            batch.job = job.map(|job| (job, count));
        }
    }

    /// Dissolves a batch: all its pieces get nodes of their own, and are queued again.
    fn break_up(&mut self, graph: &mut Graph, pieces: &mut PieceStore, delay: f32, id: BatchId) {
        let Some(batch) = self.batches.dissolve(id) else {
            return;
        };
        for body in batch.members {
            self.show_alone(graph, pieces, body);
            self.enqueue(pieces, body, delay);
        }
        if batch.node.is_some() {
            self.pool.recycle(graph, batch.node);
        }
    }

    /// Begins a batch in the next region, if enough pieces are queued there.
    fn begin_batch(
        &mut self,
        graph: &Graph,
        simulation: &mut Simulation,
        pieces: &PieceStore,
        delay: f32,
    ) {
        let Some((region, due)) = self.batches.next_candidates(delay) else {
            return;
        };
        let mut members = Vec::with_capacity(due.len());
        let mut triangles = 0;
        for body in due {
            let piece = pieces.get(body);
            let Some(piece) = piece.filter(|piece| swap::is_bare(graph, piece.node)) else {
                self.batches.remove_piece(body); // its node has children or a script and has to stay
                continue;
            };
            triangles += piece.triangles;
            if triangles > MAX_BATCH_TRIANGLES {
                break;
            }
            members.push(body);
        }
        if members.len() < 2 {
            return;
        }
        if let Some(job) = self.build_mesh(simulation, pieces, region, &members) {
            self.batches.begin(region, members, job);
        }
    }

    /// Starts building the mesh of a batch on the worker; `None` when the worker is busy.
    fn build_mesh(
        &self,
        simulation: &mut Simulation,
        pieces: &PieceStore,
        region: BatchRegion,
        bodies: &[BodyId],
    ) -> Option<TaskId> {
        let flags = self.batches.flags(region)?;
        let mut materials: Vec<MaterialResource> = Vec::new();
        let mut members = Vec::with_capacity(bodies.len());
        for body in bodies {
            let piece = pieces.get(*body)?;
            members.push(BatchMember {
                shape: simulation.shape(*body)?,
                pose: piece.pose,
                slots: batch_slots(&piece.appearance, &mut materials),
            });
        }
        let appearance = PieceAppearance { materials, flags };
        let origin = vec3(region.center());
        simulation.spawn_task(async move {
            let surfaces = merge_meshes(&members, origin).await;
            let mesh = BatchMesh {
                surfaces,
                appearance,
            };
            Box::new(mesh) as TaskOutput
        })
    }

    /// Shows a mesh that the worker has built.
    fn receive_mesh(
        &mut self,
        graph: &mut Graph,
        pieces: &mut PieceStore,
        delay: f32,
        task: TaskId,
        output: Option<TaskOutput>,
    ) {
        let Some(id) = self.batches.of_task(task) else {
            return; // the batch has been dissolved since
        };
        let mesh = output.and_then(|output| output.downcast::<BatchMesh>().ok());
        let (Some(batch), Some(mesh)) = (self.batches.get_mut(id), mesh) else {
            self.give_up(graph, pieces, delay, id);
            return;
        };
        let built_of = batch.job.take().map_or(0, |(_, count)| count);
        let is_current = built_of == batch.members.len();
        if batch.node.is_some() {
            // Even a mesh that is out of date is closer to the current state than the one shown.
            let node = batch.node;
            if is_current {
                self.batches.stale.remove(&id);
            } else {
                self.batches.stale.insert(id, 0);
            }
            swap::replace_surfaces(graph, node, &mesh.surfaces, &mesh.appearance);
        } else if is_current {
            self.show_batch(graph, pieces, delay, id, &mesh);
        } else {
            self.break_up(graph, pieces, delay, id); // nothing is shown yet
        }
    }

    /// Dissolves a batch that the worker cannot build; its pieces are not queued again.
    fn give_up(&mut self, graph: &mut Graph, pieces: &mut PieceStore, delay: f32, id: BatchId) {
        let members = self.batches.get(id).map(|batch| batch.members.clone());
        self.break_up(graph, pieces, delay, id);
        for body in members.into_iter().flatten() {
            self.batches.remove_piece(body);
        }
    }

    fn show_batch(
        &mut self,
        graph: &mut Graph,
        pieces: &mut PieceStore,
        delay: f32,
        id: BatchId,
        mesh: &BatchMesh,
    ) {
        let Some(batch) = self.batches.get(id) else {
            return;
        };
        let members: Vec<BodyId> = batch.members.iter().copied().collect();
        let center = batch.region.center();
        let node = |body: &BodyId| pieces.get(*body).map(|piece| piece.node);
        let nodes: Vec<Handle<Node>> = members.iter().filter_map(node).collect();
        if !nodes.iter().all(|node| swap::is_bare(graph, *node)) {
            // A node has got a child or a script since.
            return self.break_up(graph, pieces, delay, id);
        }
        for node in nodes {
            self.pool.recycle(graph, node);
        }
        let pose = pose(&center, &UnitQuaternion::identity());
        let node = self.pool.show(
            graph,
            BATCH_NODE_NAME,
            &mesh.surfaces,
            &mesh.appearance,
            &NodePlacement::World(&pose),
        );
        self.batches.set_node(id, node);
        for body in members {
            pieces.set_batch_node(body, node);
        }
    }

    /// Removes the pieces of a batch whose node has been removed. Returns their objects.
    pub fn remove_batch(
        &mut self,
        pieces: &mut PieceStore,
        simulation: &mut Simulation,
        node: Handle<Node>,
    ) -> Vec<ObjectId> {
        let batch = self.batches.at_node(node);
        let batch = batch.and_then(|id| self.batches.dissolve(id));
        let mut objects = Vec::new();
        for body in batch.into_iter().flat_map(|batch| batch.members) {
            simulation.remove(body);
            objects.extend(pieces.remove(body).map(|piece| piece.object));
        }
        objects
    }
}

/// The batch's material slot for each of a piece's slots. Materials that the batch lacks are added.
fn batch_slots(appearance: &PieceAppearance, materials: &mut Vec<MaterialResource>) -> Vec<u32> {
    let mut slot = |material: &MaterialResource| {
        let key = material.key();
        let slot = materials.iter().position(|known| known.key() == key);
        slot.unwrap_or_else(|| {
            materials.push(material.clone());
            materials.len() - 1
        }) as u32
    };
    appearance.materials.iter().map(&mut slot).collect()
}
