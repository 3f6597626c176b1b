//! Settled rubble drawn in batches, and what is seen of pieces that leave.
//!
//! Where many pieces lie, one mesh shows up to a hundred of them. Bodies and colliders stay what they
//! are, so a merged piece is pushed, struck and broken as any. What happens to one of them gives it a
//! node of its own again in the same frame. Its batch is made anew without it, on the worker, and goes
//! on showing it where it lay for the frame or two that this takes; when the worker is busy for longer,
//! all pieces of the batch get nodes of their own.

use crate::swap;
use crate::{
    debris_view::{
        batches::{merge, BatchId, BatchMember, BatchRegion},
        dust::{color_of, DustSettings},
        fades::Fade,
    },
    destruction::Destruction,
    mirror::transforms::{pose, vec3},
    script::enums::Fading,
    swap::{
        nodes::{NodePlacement, PieceAppearance, PieceSurfaces},
        pieces::Piece,
    },
};
use fracture_simulation::{BodyId, DustParticle, Motion, Simulation, TaskId, TaskOutput};
use fyrox::{
    core::{algebra::UnitQuaternion, color::Color, pool::Handle},
    material::MaterialResource,
    scene::{graph::Graph, node::Node},
};

/// Triangles of a batch at most.
const MOST_TRIANGLES: u32 = 30_000;
/// A piece with more is drawn by itself.
const LARGE: u32 = 3_000;
/// Frames for which a batch may show what is not there any more.
const STALE: u32 = 3;
/// What nodes of batches are called.
const NAME: &str = "settled pieces";

/// What comes back from the worker.
struct BatchMesh {
    look: PieceSurfaces,
    style: PieceAppearance,
}

impl Destruction {
    /// Does one frame's work on rubble: merges what has settled, moves what fades.
    pub(crate) fn tend_rubble(&mut self, graph: &mut Graph, simulation: &mut Simulation, dt: f32) {
        self.batches.pass(dt);
        self.follow_settled(graph, simulation);
        let fetched: Vec<_> = simulation.drain_tasks().collect();
        for (errand, found) in fetched {
            self.take_batch(graph, errand, found);
        }
        self.renew_batches(graph, simulation);
        self.found_batch(graph, simulation);
        let gravity = *graph.physics.gravity;
        self.fades.update(graph, &mut self.spares, (dt, gravity));
        self.bursts.update(graph, dt);
        self.spares.thin_out(graph, dt);
    }

    /// Takes note of pieces that have settled or been freed.
    fn follow_settled(&mut self, graph: &mut Graph, simulation: &Simulation) {
        for (body, settled) in simulation.freeze_changes() {
            match settled {
                true => self.queue(body),
                false => self.unmerge(graph, body),
            }
        }
    }

    fn queue(&mut self, body: BodyId) {
        let Some(piece) = self
            .pieces
            .get(body)
            .filter(|piece| piece.triangles <= LARGE)
        else {
            return;
        };
        let (at, drawing) = (piece.world_center(), piece.style.drawing);
        let seconds = self.settings.merge_after;
        self.batches.wait(body, at, drawing, seconds);
    }

    /// Gives a piece a node of its own, if it is merged, and takes it off all lists.
    pub(crate) fn unmerge(&mut self, graph: &mut Graph, body: BodyId) {
        self.batches.leave(body);
        self.show_alone(graph, body);
    }

    fn show_alone(&mut self, graph: &mut Graph, body: BodyId) {
        let Some(piece) = self.pieces.get(body).filter(|piece| piece.merged) else {
            return;
        };
        let place = NodePlacement::World(&piece.pose);
        let node = self
            .spares
            .show(graph, &piece.name, &piece.look, &piece.style, &place);
        self.pieces.set_own_node(body, node);
    }

    /// Has meshes made anew of batches that show what is not there any more.
    fn renew_batches(&mut self, graph: &mut Graph, simulation: &mut Simulation) {
        let stale: Vec<_> = self.batches.stale.iter().map(|(id, n)| (*id, *n)).collect();
        for (id, frames) in stale {
            if frames > STALE {
                self.come_apart(graph, id);
                continue;
            }
            self.batches.stale.insert(id, frames + 1);
            let batch = self.batches.batches.get(&id);
            if batch.is_some_and(|batch| batch.job.is_none()) {
                self.renew(graph, simulation, id);
            }
        }
    }

    fn renew(&mut self, graph: &mut Graph, simulation: &mut Simulation, id: BatchId) {
        let Some(batch) = self.batches.batches.get(&id) else {
            return;
        };
        let (region, count) = (batch.region, batch.members.len());
        if count < 2 {
            return self.come_apart(graph, id);
        }
        let members: Vec<BodyId> = batch.members.iter().copied().collect();
        let job = self.send(simulation, region, &members);
        if let Some(batch) = self.batches.batches.get_mut(&id) {
            batch.job = job.map(|job| (job, count));
        }
    }

    /// Gives all pieces of a batch nodes of their own.
    fn come_apart(&mut self, graph: &mut Graph, id: BatchId) {
        let Some(batch) = self.batches.dissolve(id) else {
            return;
        };
        for body in batch.members {
            self.show_alone(graph, body);
            self.queue(body);
        }
        if batch.node.is_some() {
            self.spares.hide(graph, batch.node);
        }
    }

    /// Begins a batch where enough pieces wait.
    fn found_batch(&mut self, graph: &Graph, simulation: &mut Simulation) {
        let Some((region, ready)) = self.batches.candidates(self.settings.merge_after) else {
            return;
        };
        let mut members = Vec::with_capacity(ready.len());
        let mut triangles = 0;
        for body in ready {
            let piece = self
                .pieces
                .get(body)
                .filter(|p| swap::is_bare(graph, p.node));
            let Some(piece) = piece else {
                self.batches.leave(body); // something hangs on it, so its node has to stay
                continue;
            };
            triangles += piece.triangles;
            if triangles > MOST_TRIANGLES {
                break;
            }
            members.push(body);
        }
        if members.len() < 2 {
            return;
        }
        if let Some(job) = self.send(simulation, region, &members) {
            self.batches.found(region, members, job);
        }
    }

    /// Has the worker make a batch's mesh; `None` when it is busy.
    fn send(
        &self,
        simulation: &mut Simulation,
        region: BatchRegion,
        bodies: &[BodyId],
    ) -> Option<TaskId> {
        let drawing = self.batches.drawing(region)?;
        let mut materials: Vec<MaterialResource> = Vec::new();
        let mut members = Vec::with_capacity(bodies.len());
        for body in bodies {
            let piece = self.pieces.get(*body)?;
            members.push(BatchMember {
                shape: simulation.shape(*body)?,
                pose: piece.pose,
                slots: slots(&piece.style, &mut materials),
            });
        }
        let style = PieceAppearance { materials, drawing };
        let from = vec3(region.middle());
        simulation.spawn_task(move || {
            let look = merge(&members, from);
            Box::new(BatchMesh { look, style })
        })
    }

    /// A batch's mesh is there.
    fn take_batch(&mut self, graph: &mut Graph, errand: TaskId, found: Option<TaskOutput>) {
        let Some(id) = self.batches.of_errand(errand) else {
            return; // it has come apart meanwhile
        };
        let merged = found.and_then(|found| found.downcast::<BatchMesh>().ok());
        let (Some(batch), Some(merged)) = (self.batches.batches.get_mut(&id), merged) else {
            self.give_up(graph, id);
            return;
        };
        let made_of = batch.job.take().map_or(0, |(_, count)| count);
        let is_right = made_of == batch.members.len();
        if batch.node.is_some() {
            // Nearer to the truth than what is shown, even when it is not right.
            match is_right {
                true => self.batches.stale.remove(&id),
                false => self.batches.stale.insert(id, 0),
            };
            swap::change_look(graph, batch.node, &merged.look, &merged.style);
        } else if is_right {
            self.show_batch(graph, id, &merged);
        } else {
            // Nothing is shown yet.
            self.come_apart(graph, id);
        }
    }

    /// What the worker cannot merge stays as it is.
    fn give_up(&mut self, graph: &mut Graph, id: BatchId) {
        let members = self
            .batches
            .batches
            .get(&id)
            .map(|batch| batch.members.clone());
        self.come_apart(graph, id);
        for body in members.into_iter().flatten() {
            self.batches.leave(body);
        }
    }

    fn show_batch(&mut self, graph: &mut Graph, id: BatchId, merged: &BatchMesh) {
        let Some(batch) = self.batches.batches.get(&id) else {
            return;
        };
        let members: Vec<BodyId> = batch.members.iter().copied().collect();
        let middle = batch.region.middle();
        let node = |body: &BodyId| self.pieces.get(*body).map(|piece| piece.node);
        let own: Vec<Handle<Node>> = members.iter().filter_map(node).collect();
        if !own.iter().all(|node| swap::is_bare(graph, *node)) {
            return self.come_apart(graph, id); // something was hung on one meanwhile
        }
        for node in own {
            self.spares.hide(graph, node);
        }
        let place = pose(&middle, &UnitQuaternion::identity());
        let (look, style) = (&merged.look, &merged.style);
        let node = self
            .spares
            .show(graph, NAME, look, style, &NodePlacement::World(&place));
        self.batches.set_node(id, node);
        for body in members {
            self.pieces.set_shared_node(body, node);
        }
    }

    /// A node has gone that showed a batch: its pieces go with it, as with nodes of their own.
    pub(crate) fn batch_removed(&mut self, simulation: &mut Simulation, node: Handle<Node>) {
        let batch = self.batches.at_node(node);
        let batch = batch.and_then(|id| self.batches.dissolve(id));
        for body in batch.into_iter().flat_map(|batch| batch.members) {
            simulation.remove(body);
            if let Some(piece) = self.pieces.forget_body(body) {
                self.drop_if_empty(piece.object);
            }
        }
    }

    /// Takes a piece out of the books, and its node too: at once, or when others have taken its place.
    pub(crate) fn forget_piece(&mut self, graph: &mut Graph, body: BodyId) -> Option<Piece> {
        self.batches.leave(body);
        let piece = self.pieces.forget_body(body)?;
        if !piece.merged {
            self.spares.hide(graph, piece.node);
        }
        for part in &piece.collision {
            swap::remove_collision(graph, part);
        }
        Some(piece)
    }

    /// The same for a piece that is to be seen leaving.
    pub(crate) fn fade_piece(
        &mut self,
        graph: &mut Graph,
        body: BodyId,
        motion: Motion,
    ) -> Option<Piece> {
        self.unmerge(graph, body);
        let piece = self.pieces.forget_body(body)?;
        let tuning = self.objects.get(&piece.object).map(|o| &o.tuning);
        let (how, time) = tuning.map_or((Fading::Vanish, 0.0), |t| (t.fading, t.fade_time));
        let size = swap::size_of(graph, piece.node);
        if how == Fading::Dissolve && time > 0.0 {
            let air = self.air(graph);
            let (at, extent) = ((&motion, piece.center), (size, time));
            self.bursts
                .dust(graph, at, extent, color(&piece.style), &air);
        }
        let fade = Fade {
            node: piece.node,
            how,
            motion,
            center: piece.center,
            size,
            time,
            passed: 0.0,
        };
        self.fades.begin(graph, &mut self.spares, fade);
        Some(piece)
    }

    /// Shows what is too small to be pieces.
    pub(crate) fn show_crumbs(
        &mut self,
        graph: &mut Graph,
        crumbs: &[DustParticle],
        style: Option<&PieceAppearance>,
    ) {
        if let Some(style) = style.filter(|_| !crumbs.is_empty()) {
            let air = self.air(graph);
            self.bursts.crumbs(graph, crumbs, color(style), &air);
        }
    }

    fn air(&self, graph: &Graph) -> DustSettings {
        DustSettings {
            gravity: *graph.physics.gravity,
            dt: self.frame,
            most: self.settings.max_particles,
        }
    }
}

/// The batch's slot of each of a style's; `materials` are the batch's.
fn slots(style: &PieceAppearance, materials: &mut Vec<MaterialResource>) -> Vec<u32> {
    let mut slot = |material: &MaterialResource| {
        let key = material.key();
        let known = materials.iter().position(|known| known.key() == key);
        known.unwrap_or_else(|| {
            materials.push(material.clone());
            materials.len() - 1
        }) as u32
    };
    style.materials.iter().map(&mut slot).collect()
}

/// What the inside of an object looks like from afar.
fn color(style: &PieceAppearance) -> Color {
    color_of(style.materials.last())
}
