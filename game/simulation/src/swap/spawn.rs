//! Pieces become bodies of their own.

use std::sync::Arc;

use rapier3d::geometry::Aabb;

use super::parent::{Parent, PieceLineage, PieceStart};
use crate::debris::{PieceDesc, PieceFigures};
use crate::environment::CellOccupancy;
use crate::event::NewPiece;
use crate::history::PieceOrigin;
use crate::impacts::least_felt_of_new_piece;
use crate::jobs::drawing_requests::{draw_bars, search_cracks};
use crate::jobs::prepare_requests::prepare_piece_in_advance;
use crate::loads::landing::may_tear;
use crate::pieces::components::{
    AnchoredRemainder, BreakSeed, Breakable, BreakableAsset, Debris, Generation, PieceBuild, Proxy,
    Refining,
};
use crate::pieces::{Anchors, BrokenPiece, Damage, Refinement};
use crate::simulation::Simulation;
use crate::structure::BodyBonds;
use crate::types::{BodyId, Motion};

/// Adds a piece as a body of its own.
pub(crate) fn spawn_piece(
    simulation: &mut Simulation,
    parent: &Parent,
    lineage: PieceLineage,
    start: PieceStart,
    mut piece: BrokenPiece,
) -> NewPiece {
    let mut occupancy = CellOccupancy::new(piece.colliders.bounds());
    let grid = &mut simulation.environment.occupancy;
    occupancy.update(grid, &start.motion, start.asleep);
    let generation = parent.generation_of(&lineage, &piece);
    let common = PieceComponents {
        breakable: Breakable {
            asset: parent.asset.clone(),
            shape: piece.shape.clone(),
            broken_bonds: lineage.broken_bonds,
        },
        seed: lineage.seed,
        generation,
        motion: start.motion,
        build: PieceBuild {
            mass: piece.mass,
            colliders: piece.colliders.clone(),
            hulls: piece.hulls,
            refining: None,
        },
        occupancy,
        origin: lineage.origin,
        damage: lineage.damage,
    };
    let id = if piece.anchored {
        add_remainder(simulation, parent, common, &start, &piece)
    } else {
        add_debris(simulation, common, &start, &piece)
    };
    match piece.refinement.take() {
        Some(refinement) => refine(simulation, id, refinement),
        None => simulation.jobs.worker.build_hulls(piece.colliders.clone()),
    }
    let is_cracked = search_cracks(simulation, id);
    let has_bars = draw_bars(simulation, id);
    NewPiece {
        has_bars,
        is_cracked,
        ..new_piece(id, start.motion, generation, piece)
    }
}

fn refine(simulation: &mut Simulation, id: BodyId, refinement: Refinement) {
    let (frame, worker) = (simulation.statistics.frame, &mut simulation.jobs.worker);
    let refining = Refining(worker.refine(id, frame, refinement));
    let build = simulation.world.query_one_mut::<&mut PieceBuild>(id.0);
    // The entity has just been spawned.
    if let Ok(build) = build {
        build.refining = Some(refining);
    }
}

/// The components of a free piece.
pub(super) type FreePiece = (
    Breakable,
    BreakSeed,
    Generation,
    Motion,
    PieceBuild,
    CellOccupancy,
    PieceOrigin,
    Damage,
    Debris,
    Anchors,
);

/// The components of all pieces.
struct PieceComponents {
    breakable: Breakable,
    seed: BreakSeed,
    generation: Generation,
    motion: Motion,
    build: PieceBuild,
    occupancy: CellOccupancy,
    origin: PieceOrigin,
    damage: Damage,
}

impl PieceComponents {
    /// The impulse below which it does not feel collisions with debris as a free piece, N s.
    fn least_felt(&self, asset: &BreakableAsset, bounds: &Aabb) -> f32 {
        least_felt_of_new_piece(asset, &self.generation, &self.damage, bounds)
    }
}

/// Adds a held piece, also to the debris world, and has it prepared.
fn add_remainder(
    simulation: &mut Simulation,
    parent: &Parent,
    common: PieceComponents,
    start: &PieceStart,
    piece: &BrokenPiece,
) -> BodyId {
    let asset = &parent.asset;
    let id = BodyId(simulation.world.spawn((
        common.breakable,
        common.seed,
        common.generation,
        common.motion,
        common.build,
        common.occupancy,
        common.origin,
        common.damage,
        AnchoredRemainder,
        Proxy,
        parent.anchors.clone(),
        BodyBonds::of_piece(&parent.held_at),
    )));
    let (groups, contact) = (asset.groups, asset.contact);
    let debris = simulation.debris.wait_mut();
    debris.add_remainder(id, &piece.colliders, &start.motion, groups, contact);
    simulation.jobs.to_prepare.push_back(id);
    simulation.structure.to_search.insert(id);
    // What is held by touch is looked at when its bonds are known.
    if asset.material.has_strength() && !parent.anchors.is_touching() {
        simulation.jobs.to_solve.push(id);
    }
    simulation.update_contact_threshold(id);
    id
}

/// Adds a free piece, also to the debris world.
fn add_debris(
    simulation: &mut Simulation,
    common: PieceComponents,
    start: &PieceStart,
    piece: &BrokenPiece,
) -> BodyId {
    let (asset, seed) = (common.breakable.asset.clone(), common.seed.seed);
    let bounds = piece.colliders.bounds();
    let debris = Debris {
        born: simulation.statistics.frame,
        size: bounds.extents().max_element(),
        bounds,
        triangles: piece.triangles,
    };
    let felt = common.least_felt(&asset, &bounds);
    // A free piece stays free wherever it lies, also its own pieces.
    let components: FreePiece = (
        common.breakable,
        common.seed,
        common.generation,
        common.motion,
        common.build,
        common.occupancy,
        common.origin,
        common.damage,
        debris,
        Anchors::free(),
    );
    let id = BodyId(simulation.world.spawn(components));
    let (shape, density) = (piece.colliders.first(), asset.material.density.into());
    let figures = || PieceFigures::new(shape, &piece.mass, density);
    let figures = piece.figures.unwrap_or_else(figures);
    let desc = PieceDesc {
        shape,
        figures: &figures,
        motion: start.motion,
        inside: start.inside,
        asleep: start.asleep,
        provisional: piece.refinement.is_some(),
        groups: asset.groups,
        contact: asset.contact,
        reported_impulse: simulation.reported_impulse(felt),
        may_tear: may_tear(&asset.material, debris.size),
    };
    simulation.debris.wait_mut().add_piece(id, &desc);
    let budget = &mut simulation.debris_budget;
    budget.add(id, &debris, &asset.lifetime, seed);
    prepare_piece_in_advance(simulation, piece);
    id
}

fn new_piece(id: BodyId, motion: Motion, generation: Generation, piece: BrokenPiece) -> NewPiece {
    NewPiece {
        body: id,
        kind: piece.kind,
        ancestors: Arc::default(),
        anchored: piece.anchored,
        shape: piece.shape,
        triangles: piece.triangles,
        colliders: piece.colliders,
        mass: piece.mass,
        kilograms: piece.kilograms,
        motion,
        generation: generation.depth,
        closed: piece.is_closed,
        is_cracked: false,
        has_bars: false,
        payload: piece.hook_output.payload,
        render_chunks: piece.hook_output.render_chunks,
        collision_chunks: piece.hook_output.collision_chunks,
    }
}
