//! Puts the pieces of snapshots in the places of their bodies.

use std::collections::BTreeSet;
use std::sync::Arc;

use fracture_geometry::Mesh;
use glam::Vec3;

use super::log::{BreakLog, PieceState};
use super::piece_loader::RestoredPiece;
use super::saved_strain::note_saved_state;
use super::snapshot_restore::{RestoreOrder, RestoredBody, SnapshotRestore};
use super::{PieceOrigin, SourceHistory};
use crate::event::{BreakTimes, Broken, Cause, DustParticle, Event, NewPiece};
use crate::jobs::Task;
use crate::pieces::components::{BreakSeed, Breakable, Intact};
use crate::pieces::{Anchors, Cracks, Damage, HullCount, LazyHulls, LazyParts};
use crate::simulation::Simulation;
use crate::swap::parent::{Parent, PieceLineage, PieceStart};
use crate::swap::replace::{count_hulls, retire};
use crate::swap::spawn;
use crate::types::BodyId;

/// Loads the snapshots of all saves that have any, on all threads, and replaces their bodies in order, each as
/// soon as its pieces are loaded; calls `on_loaded` after each. Gives the indices of these saves.
pub(super) fn load_snapshots(
    simulation: &mut Simulation,
    saves: &[(BodyId, &BreakLog)],
    mut on_loaded: impl FnMut(&mut Simulation),
) -> BTreeSet<usize> {
    let mut bodies = Vec::new();
    let mut orders = Vec::new();
    for (index, (body, save)) in saves.iter().enumerate() {
        // Of several saves of one body the first counts.
        let is_first = saves.iter().take(index).all(|(other, _)| other != body);
        if let Some(order) = order(simulation, *body, save).filter(|_| is_first) {
            bodies.push((index, *body, *save));
            orders.push(order);
        }
    }
    let restore = SnapshotRestore::new(orders);
    start_workers(simulation, &restore);
    let mut loaded = BTreeSet::new();
    let mut scratch = Mesh::default();
    for (order, (index, body, save)) in bodies.into_iter().enumerate() {
        let pieces = PieceSource {
            restore: &restore,
            order,
        };
        if replace_body(simulation, body, save, &pieces, &mut scratch).is_some() {
            on_loaded(simulation);
            loaded.insert(index);
        }
    }
    loaded
}

/// Lets the worker help, as far as its queue has room.
fn start_workers(simulation: &mut Simulation, restore: &Arc<SnapshotRestore>) {
    let frame = simulation.statistics.frame;
    for _ in 0..simulation.settings.threads {
        let task = Task::Restore(restore.clone());
        simulation.jobs.worker.submit(None, frame, task);
    }
}

/// `None` for a body that is not intact, and for a save without readable snapshots of all pieces.
fn order(simulation: &Simulation, body: BodyId, save: &BreakLog) -> Option<RestoreOrder> {
    let snapshots = save.snapshots.clone()?;
    let index = snapshots.index().ok()?;
    if index.pieces.len() != save.living().count() {
        return None;
    }
    let entity = simulation.world.entity(body.0).ok()?;
    if !Intact::is_untouched(entity) {
        return None;
    }
    let breakable = entity.get::<&Breakable>()?;
    Some(RestoreOrder {
        shape: breakable.shape.clone(),
        anchors: Anchors::clone(&*entity.get::<&Anchors>()?),
        pattern: breakable.asset.pattern.clone(),
        blades: simulation.blades.clone(),
        options: breakable
            .asset
            .piece_options(simulation.settings.check_pieces, None),
        snapshots,
        index,
    })
}

/// The pieces of one of the bodies that are being loaded.
struct PieceSource<'a> {
    restore: &'a SnapshotRestore,
    /// Index of the body's order.
    order: usize,
}

impl PieceSource<'_> {
    fn take(&self, piece: usize, scratch: &mut Mesh) -> Option<RestoredPiece> {
        self.restore.take(self.order, piece, scratch)
    }
}

/// Replaces a body by its pieces; nothing changes when one of them cannot be loaded.
fn replace_body(
    simulation: &mut Simulation,
    body: BodyId,
    save: &BreakLog,
    source: &PieceSource,
    scratch: &mut Mesh,
) -> Option<()> {
    let restored = source.restore.body(source.order)?;
    let parent = Parent::new(simulation, body, &restored.info, &restored.anchors)?;
    let mut pieces: Vec<NewPiece> = Vec::with_capacity(save.pieces.len());
    let mut hulls = HullCount::default();
    for (index, state) in save.living().enumerate() {
        let Some(loaded) = source.take(index, scratch) else {
            for piece in pieces {
                simulation.despawn(piece.body);
            }
            return None;
        };
        hulls = [hulls, loaded.piece.hulls].into_iter().sum();
        simulation
            .jobs
            .worker
            .build_hulls(loaded.piece.colliders.clone());
        let piece = spawn_piece(simulation, body, &parent, state, loaded);
        pieces.push(piece);
    }
    count_hulls(simulation, hulls);
    precompute_shared(simulation, &pieces);
    simulation.remove_from_debris(body);
    let history = SourceHistory {
        breaks: save.breaks.clone(),
        dust_volume: restored.dust_volume,
        info: restored.info,
    };
    simulation.history.insert(body, history);
    simulation.statistics.breaks += save.breaks.len() as u64;
    retire(simulation, body, &parent, &pieces);
    let broken = broken_event(body, pieces, &restored, hulls);
    simulation.events.push(Event::Broken(Box::new(broken)));
    Some(())
}

/// Lets the idle worker compute the convex parts and the hulls of the intact body, which all pieces share.
fn precompute_shared(simulation: &mut Simulation, pieces: &[NewPiece]) {
    let shapes = || pieces.iter().map(|piece| &piece.shape);
    let parts = shapes().find_map(|shape| Some(shape.existing_cut_history()?.source_parts.clone()));
    let hulls = shapes().find_map(|shape| shape.existing_source_hulls().cloned());
    let jobs = &mut simulation.jobs;
    jobs.to_precompute.extend(parts.map(LazyParts::precompute));
    jobs.to_precompute.extend(hulls.map(LazyHulls::precompute));
}

/// Spawns a free piece where it was saved, and a held one where its body is.
fn spawn_piece(
    simulation: &mut Simulation,
    body: BodyId,
    parent: &Parent,
    state: &PieceState,
    loaded: RestoredPiece,
) -> NewPiece {
    let RestoredPiece {
        piece,
        kinds,
        depth,
        seed,
    } = loaded;
    let is_placed = !piece.anchored && state.motion.check().is_ok();
    let start = if is_placed {
        PieceStart {
            motion: state.motion,
            // Its own centre: it does not overlap any more with what it broke off.
            inside: (state.motion.pose).transform_point(piece.mass.center.as_vec3()),
            asleep: state.asleep,
        }
    } else {
        parent.start_of(&piece)
    };
    let ancestors = kinds.split_last().map(|(_, ancestors)| ancestors.into());
    let lineage = PieceLineage {
        generation: depth,
        seed: BreakSeed {
            seed,
            impacts: state.hits,
        },
        broken_bonds: Arc::new(state.broken_bonds.clone()),
        damage: damage_of(state),
        origin: PieceOrigin {
            source: body,
            piece: state.piece,
            kinds,
        },
    };
    let mut piece = spawn::spawn_piece(simulation, parent, lineage, start, piece);
    piece.ancestors = ancestors.unwrap_or_default();
    note_saved_state(simulation, piece.body, state);
    let debris = simulation.debris.wait_mut();
    debris.set_weld_ends(piece.body, &state.welds);
    piece
}

fn damage_of(state: &PieceState) -> Damage {
    Damage {
        spots: state.damage.clone(),
        cracks: Cracks(state.cracks.clone()),
        bars: state.bars.clone(),
    }
}

/// The event of a body that has been restored: where and how hard it was hit is not known.
fn broken_event(
    body: BodyId,
    pieces: Vec<NewPiece>,
    restored: &RestoredBody,
    hulls: HullCount,
) -> Broken {
    let dust = DustParticle {
        position: Vec3::ZERO,
        velocity: Vec3::ZERO,
        volume: restored.dust_volume as f32,
    };
    Broken {
        body,
        pieces,
        dust: vec![dust],
        cause: Cause::Restore,
        point: Vec3::ZERO,
        normal: Vec3::Y,
        energy: 0.0,
        impulse: Vec3::ZERO,
        energy_gain: 0.0,
        momentum_gain: Vec3::ZERO,
        angular_momentum_gain: Vec3::ZERO,
        kept_impulse: Vec3::ZERO,
        kept_energy: 0.0,
        crack_area: 0.0,
        radius: 0.0,
        volume: restored.info.volume,
        volume_error: 0.0,
        report: Default::default(),
        frames: 0,
        worker_ms: 0.0,
        times: BreakTimes::default(),
        hulls: hulls.hulls,
        boxed_hulls: hulls.boxed,
        loose_hulls: hulls.loose,
        clipped_pieces: hulls.clipped,
    }
}
