//! Saving of bodies: their breaks, the states of their pieces, and snapshots of the pieces.

use std::collections::BTreeMap;

use fracture_geometry::PieceKind;

use super::log::{BreakLog, PieceRef, PieceState};
use super::saved_strain::{broken_at, is_strained, strained_at};
use super::snapshot::{PieceSnapshots, PieceView, SnapshotWriter};
use super::PieceOrigin;
use crate::pieces::components::{
    AnchoredRemainder, BreakSeed, Breakable, Debris, Generation, PieceBuild,
};
use crate::pieces::{ChunkedMesh, Damage};
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// Saves a body with its pieces; see [`Simulation::save`].
pub(crate) fn save(simulation: &Simulation, body: BodyId) -> BreakLog {
    let log = save_compact(simulation, body);
    let snapshots = if log.breaks.is_empty() {
        None
    } else {
        snapshots(simulation, body, &log)
    };
    BreakLog { snapshots, ..log }
}

/// Saves a body without its pieces; see [`Simulation::save_compact`].
pub(crate) fn save_compact(simulation: &Simulation, body: BodyId) -> BreakLog {
    let mut pieces = living_pieces(simulation, body);
    if simulation.world.contains(body.0) {
        pieces.push((PieceRef::INTACT, body));
    }
    let states = pieces
        .into_iter()
        .filter_map(|(piece, body)| piece_state(simulation, piece, body));
    BreakLog {
        breaks: simulation.history.breaks(body).to_vec(),
        pieces: states.collect(),
        snapshots: None,
    }
}

/// The living pieces of a body that was added, in the order of their breaks.
fn living_pieces(simulation: &Simulation, source: BodyId) -> Vec<(PieceRef, BodyId)> {
    let bodies = simulation.history.pieces.descendants(source).into_iter();
    let piece_ref = |body: BodyId| {
        let origin = simulation.world.get::<&PieceOrigin>(body.0).ok()?;
        Some((origin.piece, body))
    };
    let mut pieces: Vec<_> = bodies.filter_map(piece_ref).collect();
    pieces.sort_unstable();
    pieces
}

pub(crate) fn piece_state(
    simulation: &Simulation,
    piece: PieceRef,
    body: BodyId,
) -> Option<PieceState> {
    let entity = simulation.world.entity(body.0).ok()?;
    let hits = entity.get::<&BreakSeed>()?.impacts;
    let broken_bonds = entity.get::<&Breakable>()?.broken_bonds.to_vec();
    Some(PieceState {
        piece,
        motion: *entity.get::<&Motion>()?,
        asleep: entity.has::<Debris>() && simulation.debris.wait().is_asleep(body),
        hits,
        broken_bonds,
        damage: simulation.damaged_spots(body),
        cracks: simulation.cracks(body),
        bars: entity
            .get::<&Damage>()
            .and_then(|damage| damage.bars.clone()),
        broken_at: broken_at(simulation, body),
        strained_at: strained_at(simulation, body),
        is_strained: is_strained(entity),
        welds: simulation.debris.wait().weld_ends(body),
    })
}

fn snapshots(simulation: &Simulation, source: BodyId, log: &BreakLog) -> Option<PieceSnapshots> {
    let bodies: BTreeMap<PieceRef, BodyId> =
        living_pieces(simulation, source).into_iter().collect();
    let history = simulation.history.source(source)?;
    let mut writer = SnapshotWriter::new(history.dust_volume, &history.info);
    for state in log.living() {
        write_snapshot(simulation, &mut writer, *bodies.get(&state.piece)?)?;
    }
    Some(writer.finish())
}

fn write_snapshot(
    simulation: &Simulation,
    writer: &mut SnapshotWriter,
    piece: BodyId,
) -> Option<()> {
    let entity = simulation.world.entity(piece.0).ok()?;
    let made = entity.get::<&PieceBuild>()?;
    let origin = entity.get::<&PieceOrigin>()?;
    let is_island = matches!(origin.kinds.last(), Some(PieceKind::Island { .. }));
    let shape = &entity.get::<&Breakable>()?.shape;
    let chunked_mesh = shape.existing_chunked_mesh();
    let anchored = entity.has::<AnchoredRemainder>();
    let is_provisional = made.refining.is_some() && !anchored;
    let view = PieceView {
        kinds: &origin.kinds,
        anchored,
        depth: entity.get::<&Generation>()?.depth,
        seed: entity.get::<&BreakSeed>()?.seed,
        mass: &made.mass,
        whole_frame: shape.whole_frame(),
        chunked_mesh: chunked_mesh.filter(|_| is_island),
        cut_history: shape.existing_cut_history(),
        colliders: Some(&made.colliders).filter(|_| !is_provisional),
        hulls: made.hulls,
    };
    let cells = chunked_mesh
        .into_iter()
        .flat_map(ChunkedMesh::collision_leaves);
    shape.with_mesh(|mesh| writer.add(&view, mesh, cells));
    Some(())
}
