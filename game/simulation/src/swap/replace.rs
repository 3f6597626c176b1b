//! Replaces a broken body by its pieces.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use hecs::EntityBuilder;

use super::joined::{pass_on_welds, weld_fallen};
use crate::debris::{BrokenWay, PieceDesc};
use crate::environment::CellOccupancy;
use crate::event::{Broken, Cause, DustParticle, Event, NewPiece};
use crate::history::{BreakRecord, History, LoggedCause, PieceOrigin, PieceRef, SourceInfo};
use crate::jobs::BreakResult;
use crate::mechanical_energy::kinetic_energy;
use crate::pieces::components::{
    AnchoredRemainder, BreakSeed, Breakable, BreakableAsset, Debris, Generation, Intact,
    KeepEntity, PieceBuild, Proxy, Refining,
};
use crate::pieces::{Anchor, Anchors, BrokenPiece, Damage, HullCount, LooseCrack, Shape};
use crate::seeds::mix;
use crate::simulation::Simulation;
use crate::stress::BrokenBonds;
use crate::structure::{inherit_bonds, BodyBonds};
use crate::types::{BodyId, Motion};

/// The cause of a break, where and when (world space).
pub(crate) struct BreakInfo {
    pub cause: Cause,
    pub point: Vec3,
    pub normal: Vec3,
    pub energy: f32,
    pub impulse: Vec3,
    pub kept_impulse: Vec3,
    pub kept_energy: f32,
    /// Radius within which the striker drives pieces out, metres.
    pub pushed_radius: f32,
    pub radius: f32,
    /// The step in which the job was submitted.
    pub frame: u64,
    pub worker_ms: f32,
}

/// Replaces a body by its pieces, and records the break in the history.
pub(crate) fn replace(
    simulation: &mut Simulation,
    body: BodyId,
    mut result: BreakResult,
    info: BreakInfo,
    logged_cause: LoggedCause,
) {
    let Some(mut parent) = Parent::new(simulation, body, &result.source, &result.anchors) else {
        return;
    };
    let pose = parent.motion.pose;
    let point = pose.inverse_transform_point(info.point);
    parent.damage.remove_within(point, info.radius);
    let welds = simulation.debris.wait().weld_ends(body);
    simulation.remove_from_debris(body);
    let broken = std::mem::take(&mut result.pieces);
    let gain = MotionGain::new(&parent, point.as_dvec3(), &broken);
    let spawned = spawn_all(simulation, &parent, info.cause, broken);
    drive_out(simulation, &spawned.pieces, &info);
    pass_on_welds(simulation, &parent.motion, welds, &spawned.pieces);
    weld_fallen(simulation, body, &spawned.pieces);
    let history = &mut simulation.history;
    record(history, &parent, &spawned, logged_cause, result.source);
    retire(simulation, body, &parent, &spawned.pieces);
    simulation.statistics.dust_particles += spawned.dust.len() as u64;
    count_hulls(simulation, result.hulls);
    let frames = simulation.statistics.frame - info.frame;
    let event = broken_event(body, spawned, gain, result, info, frames);
    simulation.events.push(Event::Broken(Box::new(event)));
}

/// Records a break. A body that became nothing but dust has no pieces to be restored.
fn record(
    history: &mut History,
    parent: &Parent,
    spawned: &Spawned,
    cause: LoggedCause,
    source: SourceInfo,
) {
    if spawned.pieces.is_empty() {
        return;
    }
    let record = BreakRecord {
        piece: parent.origin.piece,
        cause,
        hits: parent.impacts,
        pieces: spawned.pieces.len() as u32,
        held_at: parent.anchors.is_touching().then(|| parent.held_at.clone()),
    };
    let volumes = spawned.dust.iter().map(|dust| f64::from(dust.volume));
    history.record(parent.origin.source, record, volumes.sum(), source);
}

/// The event of a break that took some frames.
fn broken_event(
    body: BodyId,
    spawned: Spawned,
    gain: MotionGain,
    result: BreakResult,
    info: BreakInfo,
    frames: u64,
) -> Broken {
    let Spawned { pieces, dust } = spawned;
    Broken {
        body,
        pieces,
        dust,
        cause: info.cause,
        point: info.point,
        normal: info.normal,
        energy: info.energy,
        impulse: info.impulse,
        energy_gain: gain.energy,
        momentum_gain: gain.momentum.as_vec3(),
        angular_momentum_gain: gain.angular_momentum.as_vec3(),
        kept_impulse: info.kept_impulse,
        kept_energy: info.kept_energy,
        crack_area: result.crack_area,
        radius: info.radius,
        volume: result.source.volume,
        volume_error: result.volume_error,
        report: result.report,
        frames,
        worker_ms: info.worker_ms,
        times: result.times,
        hulls: result.hulls.hulls,
        boxed_hulls: result.hulls.boxed,
        loose_hulls: result.hulls.loose,
        clipped_pieces: result.hulls.clipped,
    }
}

/// New bodies and dust of a break.
struct Spawned {
    pieces: Vec<NewPiece>,
    dust: Vec<DustParticle>,
}

/// Energy and momenta that a break adds to those that its free pieces had as parts of the body.
#[derive(Default)]
struct MotionGain {
    /// J
    energy: f64,
    /// N s
    momentum: DVec3,
    /// About the point of the impact, N m s.
    angular_momentum: DVec3,
}

impl MotionGain {
    /// Sums up what pieces get by an impact at a point in body space, metres.
    fn new(parent: &Parent, point: DVec3, pieces: &[BrokenPiece]) -> Self {
        let density = f64::from(parent.asset.material.density);
        let mut gain = Self::default();
        for piece in pieces {
            let (before, after) = (parent.motion_at(piece), parent.motion_of(piece));
            let energy = |motion| kinetic_energy(&piece.mass, density, motion);
            gain.energy += energy(&after) - energy(&before);
            let change = piece.velocity_change;
            let momentum = change.linear * piece.kilograms;
            gain.momentum += momentum;
            gain.angular_momentum += (piece.mass.center - point).cross(momentum);
            gain.angular_momentum += piece.mass.inertia(density) * change.angular;
        }
        let to_world = parent.motion.pose.rotation.as_dquat();
        gain.momentum = to_world * gain.momentum;
        gain.angular_momentum = to_world * gain.angular_momentum;
        gain
    }
}

fn spawn_all(
    simulation: &mut Simulation,
    parent: &Parent,
    cause: Cause,
    broken: Vec<BrokenPiece>,
) -> Spawned {
    let break_index = simulation.history.next_break(parent.origin.source);
    let mut pieces = Vec::with_capacity(broken.len());
    let (mut dust, mut loose) = (Vec::new(), Vec::new());
    let mut entity = EntityBuilder::new();
    for (number, piece) in broken.into_iter().enumerate() {
        if piece.is_dust {
            dust.push(parent.dust_particle(&piece));
            continue;
        }
        let piece_ref = PieceRef {
            break_index,
            piece_index: pieces.len() as u32,
        };
        let lineage = parent.lineage_of(cause, number as u64, piece_ref, &piece);
        let start = parent.start_of(&piece);
        let crack = piece.loose_crack.clone();
        let piece = spawn_piece(simulation, &mut entity, parent, lineage, start, piece);
        loose.extend(crack.map(|crack| (piece.body, crack)));
        pieces.push(piece);
    }
    release(simulation, &pieces, &loose);
    Spawned { pieces, dust }
}

/// Lets the pieces before a striker that goes through leave their places.
fn drive_out(simulation: &mut Simulation, pieces: &[NewPiece], info: &BreakInfo) {
    if info.pushed_radius <= 0.0 {
        return;
    }
    let of_kind = |anchored: bool| {
        let pieces = pieces
            .iter()
            .filter(move |piece| piece.anchored == anchored);
        pieces.map(|piece| piece.body).collect::<Vec<_>>()
    };
    let way = BrokenWay {
        point: info.point,
        direction: info.kept_impulse,
        radius: info.radius,
    };
    let debris = simulation.debris.wait_mut();
    debris.drive_out(&of_kind(false), &of_kind(true), way, info.pushed_radius);
}

/// Lets the pieces of loose cracks fall off those that are held.
fn release(simulation: &mut Simulation, pieces: &[NewPiece], loose: &[(BodyId, LooseCrack)]) {
    if loose.is_empty() {
        return;
    }
    let held = pieces.iter().filter(|piece| piece.anchored);
    let held: Vec<BodyId> = held.map(|piece| piece.body).collect();
    let world = simulation.debris.wait_mut();
    for (piece, crack) in loose {
        world.release(*piece, &held, crack);
    }
}

/// Removes a body that has become pieces; the piece tree keeps its id.
pub(crate) fn retire(
    simulation: &mut Simulation,
    body: BodyId,
    parent: &Parent,
    pieces: &[NewPiece],
) {
    type BodyComponents = (
        Intact,
        Breakable,
        Damage,
        Anchors,
        BreakSeed,
        Generation,
        Motion,
    );
    simulation.structure.is_changed = true;
    let held = pieces.iter().filter(|piece| piece.anchored);
    let held: Vec<BodyId> = held.map(|piece| piece.body).collect();
    inherit_bonds(&simulation.world, body, &held);
    let ids = pieces.iter().map(|piece| piece.body).collect();
    simulation.history.pieces.record(body, ids);
    simulation.jobs.worker.discard(parent.shape.clone());
    // Neither can fail: the parent was made from the entity.
    if simulation.world.satisfies::<&KeepEntity>(body.0) {
        let _ = simulation.world.remove::<BodyComponents>(body.0);
        let _ = simulation.world.remove_one::<BodyBonds>(body.0);
    } else {
        let _ = simulation.world.despawn(body.0);
    }
}

/// Adds the hulls of a break to the statistics.
pub(crate) fn count_hulls(simulation: &mut Simulation, hulls: HullCount) {
    let statistics = &mut simulation.statistics;
    statistics.hulls += u64::from(hulls.hulls);
    statistics.boxed_hulls += u64::from(hulls.boxed);
    statistics.loose_hulls += u64::from(hulls.loose);
    statistics.clipped_pieces += u64::from(hulls.clipped);
}

/// Adds a break to the statistics.
pub(crate) fn count_break(simulation: &mut Simulation, worker_ms: f32) {
    let statistics = &mut simulation.statistics;
    statistics.breaks += 1;
    statistics.worker_ms = worker_ms;
    statistics.worker_ms_max = statistics.worker_ms_max.max(worker_ms);
}

/// A broken body, as far as its pieces inherit from it.
pub(crate) struct Parent {
    asset: Arc<BreakableAsset>,
    shape: Arc<Shape>,
    broken_bonds: Arc<BrokenBonds>,
    damage: Damage,
    anchors: Anchors,
    /// Where the break found it held.
    held_at: Arc<[Anchor]>,
    generation: Generation,
    /// Seed of this break.
    seed: u64,
    /// Impacts that asked for a break so far.
    impacts: u64,
    motion: Motion,
    origin: PieceOrigin,
    /// Centre of mass, body space.
    center: Vec3,
}

/// Where a piece comes from, as far as its later breaks depend on it.
pub(crate) struct PieceLineage {
    /// Number of ancestors that were broken by impacts.
    pub generation: u32,
    pub seed: BreakSeed,
    pub broken_bonds: Arc<BrokenBonds>,
    pub damage: Damage,
    pub origin: PieceOrigin,
}

/// Where a piece is at first, and how it moves.
pub(crate) struct PieceStart {
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
}

impl Parent {
    /// `source` and `anchors` are those that the break found for the body.
    pub fn new(
        simulation: &Simulation,
        body: BodyId,
        source: &SourceInfo,
        anchors: &Arc<[Anchor]>,
    ) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        let breakable = entity.get::<&Breakable>()?;
        let mut asset = breakable.asset.clone();
        // The first break chooses the surface of cut faces; pieces of pieces keep it.
        if asset.interior_faces.surface != Some(source.cap_surface) {
            Arc::make_mut(&mut asset).interior_faces.surface = Some(source.cap_surface);
        }
        let seed = entity.get::<&BreakSeed>()?;
        let origin = entity.get::<&PieceOrigin>();
        let damage = entity.get::<&Damage>();
        let own_anchors = entity.get::<&Anchors>();
        let touching = own_anchors.filter(|own| own.is_touching());
        Some(Self {
            asset,
            shape: breakable.shape.clone(),
            broken_bonds: breakable.broken_bonds.clone(),
            damage: damage.map_or_else(Damage::default, |damage| (*damage).clone()),
            anchors: touching.map_or_else(|| Anchors::Boxes(anchors.clone()), |own| (*own).clone()),
            held_at: anchors.clone(),
            generation: *entity.get::<&Generation>()?,
            seed: mix(seed.seed, seed.impacts),
            impacts: seed.impacts,
            motion: *entity.get::<&Motion>()?,
            origin: origin.map_or_else(|| PieceOrigin::intact(body), |origin| (*origin).clone()),
            center: source.center.as_vec3(),
        })
    }

    fn lineage_of(
        &self,
        cause: Cause,
        number: u64,
        piece_ref: PieceRef,
        piece: &BrokenPiece,
    ) -> PieceLineage {
        // An anchored remainder can be hit again and again; a piece that fell by its weight can still
        // break by impacts as often as before.
        let is_deeper = cause == Cause::Impact && !piece.anchored;
        PieceLineage {
            generation: self.generation.depth + u32::from(is_deeper),
            seed: BreakSeed {
                seed: mix(self.seed, number),
                impacts: 0,
            },
            broken_bonds: self.broken_bonds.clone(),
            damage: self.damage.of_piece(&piece.colliders.bounds()),
            origin: self.origin.of_piece(piece_ref, piece.kind),
        }
    }

    /// The parent's motion at the piece's centre, and its change of velocity by the impact.
    pub fn start_of(&self, piece: &BrokenPiece) -> PieceStart {
        PieceStart {
            motion: self.motion_of(piece),
            inside: self.motion.pose.transform_point(self.center),
            asleep: false,
        }
    }

    fn motion_of(&self, piece: &BrokenPiece) -> Motion {
        let motion = self.motion_at(piece);
        let to_world = motion.pose.rotation;
        let change = piece.velocity_change;
        Motion {
            pose: motion.pose,
            linear: motion.linear + to_world * change.linear.as_vec3(),
            angular: motion.angular + to_world * change.angular.as_vec3(),
        }
    }

    /// The motion of a piece as a part of the parent.
    fn motion_at(&self, piece: &BrokenPiece) -> Motion {
        let parent = self.motion;
        if piece.anchored {
            return parent;
        }
        let arm = parent.pose.rotation * (piece.mass.center.as_vec3() - self.center);
        Motion {
            linear: parent.linear + parent.angular.cross(arm),
            ..parent
        }
    }

    fn dust_particle(&self, piece: &BrokenPiece) -> DustParticle {
        let center = piece.mass.center.as_vec3();
        DustParticle {
            position: self.motion.pose.transform_point(center),
            velocity: self.motion_of(piece).linear,
            volume: piece.mass.volume as f32,
        }
    }
}

/// Adds a piece as a body of its own. `entity` is scratch memory.
pub(crate) fn spawn_piece(
    simulation: &mut Simulation,
    entity: &mut EntityBuilder,
    parent: &Parent,
    lineage: PieceLineage,
    start: PieceStart,
    mut piece: BrokenPiece,
) -> NewPiece {
    let id = BodyId(simulation.world.reserve_entity());
    let mut occupancy = CellOccupancy::new(piece.colliders.bounds());
    let grid = &mut simulation.environment.occupancy;
    occupancy.update(grid, &start.motion, start.asleep);
    let asset = &parent.asset;
    let breakable = Breakable {
        asset: asset.clone(),
        shape: piece.shape.clone(),
        broken_bonds: lineage.broken_bonds,
    };
    let generation = Generation {
        depth: lineage.generation,
        volume: Some(piece.mass.volume),
    };
    let build = PieceBuild {
        mass: piece.mass,
        colliders: piece.colliders.clone(),
        hulls: piece.hulls,
    };
    let seed = lineage.seed.seed;
    entity.add_bundle((breakable, lineage.seed, generation, start.motion));
    entity.add_bundle((build, occupancy, lineage.origin, lineage.damage));
    if piece.anchored {
        add_remainder(simulation, id, parent, &start, &piece);
        let bonds = BodyBonds::of_piece(&parent.held_at);
        entity.add_bundle((AnchoredRemainder, Proxy, parent.anchors.clone(), bonds));
    } else {
        let debris = add_debris(simulation, id, asset, &start, &piece);
        let budget = &mut simulation.debris_budget;
        budget.add(id, &debris, &asset.lifetime, seed);
        // A free piece stays free wherever it lies, also its own pieces.
        entity.add_bundle((debris, Anchors::free()));
    }
    if let Some(refinement) = piece.refinement.take() {
        let (frame, worker) = (simulation.statistics.frame, &mut simulation.jobs.worker);
        entity.add(Refining(worker.refine(id, frame, refinement)));
    }
    simulation.world.spawn_at(id.0, entity.build());
    simulation.update_contact_threshold(id);
    new_piece(id, start.motion, generation, piece)
}

/// Adds a held piece to the debris world, and has it prepared.
fn add_remainder(
    simulation: &mut Simulation,
    id: BodyId,
    parent: &Parent,
    start: &PieceStart,
    piece: &BrokenPiece,
) {
    let asset = &parent.asset;
    let (groups, contact) = (asset.groups, asset.contact);
    let debris = simulation.debris.wait_mut();
    debris.add_remainder(id, &piece.colliders, &start.motion, groups, contact);
    simulation.jobs.to_prepare.push_back(id);
    simulation.structure.to_search.insert(id);
    // What is held by touch is looked at when its bonds are known.
    if asset.material.has_strength() && !parent.anchors.is_touching() {
        simulation.jobs.to_solve.push_back(id);
    }
}

/// Adds a free piece to the debris world.
fn add_debris(
    simulation: &mut Simulation,
    id: BodyId,
    asset: &BreakableAsset,
    start: &PieceStart,
    piece: &BrokenPiece,
) -> Debris {
    let desc = PieceDesc {
        shape: piece.colliders.first(),
        mass: &piece.mass,
        density: f64::from(asset.material.density),
        motion: start.motion,
        inside: start.inside,
        asleep: start.asleep,
        provisional: piece.refinement.is_some(),
        groups: asset.groups,
        contact: asset.contact,
    };
    simulation.debris.wait_mut().add_piece(id, &desc);
    let bounds = piece.colliders.bounds();
    Debris {
        born: simulation.statistics.frame,
        size: bounds.extents().max_element(),
        bounds,
        triangles: piece.triangles,
    }
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
        payload: piece.hook_output.payload,
        render_chunks: piece.hook_output.render_chunks,
        collision_chunks: piece.hook_output.collision_chunks,
    }
}
