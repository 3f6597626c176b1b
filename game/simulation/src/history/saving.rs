//! Saving of bodies: their breaks, the states of their pieces, and snapshots of the pieces.

use std::collections::BTreeMap;

use fracture_geometry::PieceKind;

use super::log::{BreakLog, PieceRef, PieceState};
use super::snapshot::{PieceSnapshots, PieceView, SnapshotWriter};
use super::PieceOrigin;
use crate::pieces::components::{
    AnchoredRemainder, BreakSeed, Breakable, Debris, Generation, PieceBuild, Refining,
};
use crate::pieces::ChunkedMesh;
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

impl Simulation {
    /// Saves a body that was added: its breaks, the states of its pieces, and the pieces themselves, about
    /// 5 kB each. [`Simulation::restore`] loads the pieces and breaks nothing, so it does not matter
    /// whether the mesh or the pattern have changed since. Breaks under way are not part of the save.
    pub fn save(&self, body: BodyId) -> BreakLog {
        let log = self.save_compact(body);
        let snapshots = if log.breaks.is_empty() {
            None
        } else {
            self.snapshots(body, &log)
        };
        BreakLog { snapshots, ..log }
    }

    /// Saves a body like [`Simulation::save`], but without the pieces: about 90 bytes a break and 70 a
    /// piece. [`Simulation::restore`] breaks the body again, which fails when the mesh, the pattern or the
    /// version of this crate have changed since.
    pub fn save_compact(&self, body: BodyId) -> BreakLog {
        let mut pieces = self.living_pieces(body);
        if self.world.contains(body.0) {
            pieces.push((PieceRef::INTACT, body));
        }
        let states = pieces
            .into_iter()
            .filter_map(|(piece, body)| self.piece_state(piece, body));
        BreakLog {
            breaks: self.history.breaks(body).to_vec(),
            pieces: states.collect(),
            snapshots: None,
        }
    }

    /// The living pieces of a body that was added, in the order of their breaks.
    fn living_pieces(&self, source: BodyId) -> Vec<(PieceRef, BodyId)> {
        let bodies = self.history.pieces.descendants(source).into_iter();
        let piece_ref = |body: BodyId| {
            let origin = self.world.get::<&PieceOrigin>(body.0).ok()?;
            Some((origin.piece, body))
        };
        let mut pieces: Vec<_> = bodies.filter_map(piece_ref).collect();
        pieces.sort_unstable();
        pieces
    }

    fn piece_state(&self, piece: PieceRef, body: BodyId) -> Option<PieceState> {
        let entity = self.world.entity(body.0).ok()?;
        let hits = entity.get::<&BreakSeed>()?.impacts;
        let broken_bonds = entity.get::<&Breakable>()?.broken_bonds.to_vec();
        Some(PieceState {
            piece,
            motion: *entity.get::<&Motion>()?,
            asleep: entity.has::<Debris>() && self.debris.wait().is_asleep(body),
            hits,
            broken_bonds,
            damage: self.damaged_spots(body),
        })
    }

    fn snapshots(&self, source: BodyId, log: &BreakLog) -> Option<PieceSnapshots> {
        let bodies: BTreeMap<PieceRef, BodyId> = self.living_pieces(source).into_iter().collect();
        let history = self.history.source(source)?;
        let mut writer = SnapshotWriter::new(history.dust_volume, &history.info);
        for state in log.living() {
            self.write_snapshot(&mut writer, *bodies.get(&state.piece)?)?;
        }
        Some(writer.finish())
    }

    fn write_snapshot(&self, writer: &mut SnapshotWriter, piece: BodyId) -> Option<()> {
        let entity = self.world.entity(piece.0).ok()?;
        let made = entity.get::<&PieceBuild>()?;
        let origin = entity.get::<&PieceOrigin>()?;
        let is_island = matches!(origin.kinds.last(), Some(PieceKind::Island { .. }));
        let shape = &entity.get::<&Breakable>()?.shape;
        let chunked_mesh = shape.existing_chunked_mesh();
        let is_provisional = entity.has::<Refining>();
        let view = PieceView {
            kinds: &origin.kinds,
            anchored: entity.has::<AnchoredRemainder>(),
            depth: entity.get::<&Generation>()?.depth,
            seed: entity.get::<&BreakSeed>()?.seed,
            mass: &made.mass,
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
}
