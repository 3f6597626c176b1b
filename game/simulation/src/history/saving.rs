//! Keeps the pieces of a broken body, so that they need not be made by breaking it again.

use std::collections::BTreeMap;

use fracture_geometry::PieceKind;

use super::log::{BreakLog, PieceRef};
use super::snapshot::{PieceSnapshots, PieceView, SnapshotWriter};
use crate::pieces::components::{AnchoredRemainder, Breakable, Generation, PieceBuild, Seed};
use crate::pieces::{BodyId, ChunkedMesh};
use crate::simulation::Simulation;

impl Simulation {
    /// What has become of a body, as [`Simulation::past`] tells it, with the pieces themselves: some 5 kB
    /// each, and [`Simulation::replay`] does not have to break anything.
    pub fn past_with_pieces(&self, root: BodyId) -> BreakLog {
        let past = self.past(root);
        let kept = match past.breaks.is_empty() {
            true => None,
            false => self.keep_all(root, &past),
        };
        BreakLog { kept, ..past }
    }

    fn keep_all(&self, root: BodyId, past: &BreakLog) -> Option<PieceSnapshots> {
        let bodies: BTreeMap<PieceRef, BodyId> =
            self.history.breaks.pieces(root).into_iter().collect();
        let facts = self.history.breaks.facts(root)?;
        let mut keeper = SnapshotWriter::new(self.history.breaks.crumbs(root), &facts);
        for state in past.living() {
            self.keep(&mut keeper, *bodies.get(&state.piece)?)?;
        }
        Some(keeper.done())
    }

    fn keep(&self, keeper: &mut SnapshotWriter, piece: BodyId) -> Option<()> {
        let entity = self.world.entity(piece.0).ok()?;
        let made = entity.get::<&PieceBuild>()?;
        let line = self.history.breaks.line(piece)?;
        let is_island = matches!(line.last(), Some(PieceKind::Island { .. }));
        let shape = &entity.get::<&Breakable>()?.shape;
        let surface = shape.known_surface();
        let living = PieceView {
            line,
            anchored: entity.has::<AnchoredRemainder>(),
            depth: entity.get::<&Generation>()?.depth,
            seed: entity.get::<&Seed>()?.seed,
            mass: &made.mass,
            surface: surface.filter(|_| is_island),
            stock: shape.known_stock(),
            colliders: &made.colliders,
            hulls: made.hulls,
        };
        let cells = surface.into_iter().flat_map(ChunkedMesh::cells);
        shape.with_mesh(|mesh| keeper.add(&living, mesh, cells));
        Some(())
    }
}
