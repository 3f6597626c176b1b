//! Replaces a broken body by its pieces.

use glam::{DVec3, Vec3};

use super::joined::{pass_on_welds, weld_by_bars, weld_fallen};
use super::parent::Parent;
use super::spawn::{spawn_piece, FreePiece};
use crate::debris::BrokenWay;
use crate::event::{Broken, Cause, DustParticle, Event, NewPiece};
use crate::history::{BreakRecord, History, LoggedCause, PieceRef, SourceInfo};
use crate::jobs::BreakResult;
use crate::mechanical_energy::kinetic_energy;
use crate::pieces::components::{BreakSeed, Breakable, Generation, Intact, KeepEntity};
use crate::pieces::{
    pushed_as_one, Anchors, BrokenPiece, Damage, HullCount, LooseCrack, PushedPiece,
};
use crate::simulation::Simulation;
use crate::structure::{inherit_bonds, BodyBonds};
use crate::types::{BodyId, Motion};

/// Angle by which an impulse has turned with its body from which on that counts, radians: less is rounding.
const MIN_TURN: f64 = 1e-5;

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
    if let Some(cracks) = result.cracks {
        parent.damage.cracks.add(cracks);
    }
    if !result.bars.has_room {
        simulation.events.push(Event::NoRoomForBars { body });
    }
    let welds = simulation.debris.wait().weld_ends(body);
    simulation.remove_from_debris(body);
    let mut broken = std::mem::take(&mut result.pieces);
    let absorbed = info.impulse - info.kept_impulse;
    let point = point.as_dvec3();
    keep_direction(&parent, &mut broken, absorbed, point);
    let gain = MotionGain::new(&parent, point, &broken);
    let spawned = spawn_all(simulation, &parent, info.cause, broken);
    drive_out(simulation, &spawned.pieces, &info);
    pass_on_welds(simulation, &parent.motion, welds, &spawned.pieces);
    weld_fallen(simulation, body, &spawned.pieces);
    weld_by_bars(simulation, &result.bars.bonds, &spawned.pieces);
    // Of a body that became nothing but dust nothing can be restored, but other games are to see it go.
    if parent.is_shared || !spawned.pieces.is_empty() {
        let history = &mut simulation.history;
        record(history, &parent, &spawned, logged_cause, result.source);
    }
    retire(simulation, body, &parent, &spawned.pieces);
    simulation.statistics.dust_particles += spawned.dust.len() as u64;
    count_hulls(simulation, result.hulls);
    let frames = simulation.statistics.frame - info.frame;
    let event = broken_event(body, spawned, gain, result, info, frames);
    simulation.events.push(Event::Broken(Box::new(event)));
}

/// Records a break.
fn record(
    history: &mut History,
    parent: &Parent,
    spawned: &Spawned,
    cause: LoggedCause,
    source: SourceInfo,
) {
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

/// Gives pieces the momentum that they get together in the direction of the impulse (world space): the body may have
/// turned since it was struck, and the impulse has not turned with it. All move on as one by what is missing, as if that had
/// struck at the point of the impact (body space), so that their motions against each other stay as they are.
fn keep_direction(parent: &Parent, pieces: &mut [BrokenPiece], impulse: Vec3, point: DVec3) {
    let to_body = parent.motion.pose.rotation.inverse();
    let Some(along) = (to_body * impulse).as_dvec3().try_normalize() else {
        return;
    };
    let free = || pieces.iter().filter(|piece| !piece.anchored);
    let momenta = free().map(|piece| piece.velocity_change.linear * piece.kilograms);
    let momentum: DVec3 = momenta.sum();
    let missing = along * momentum.length() - momentum;
    if missing.length() > MIN_TURN * momentum.length() {
        let density = f64::from(parent.asset.material.density);
        let pushed: Vec<PushedPiece> = free().map(|piece| piece.pushed(density)).collect();
        let pushed = pushed_as_one(&pushed, missing, point);
        let free = pieces.iter_mut().filter(|piece| !piece.anchored);
        for (piece, velocity) in free.zip(pushed) {
            piece.velocity_change.linear += velocity.linear;
            piece.velocity_change.angular += velocity.angular;
        }
    }
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
    let is_debris = |piece: &&BrokenPiece| !piece.anchored && !piece.is_dust;
    let free = broken.iter().filter(is_debris).count();
    simulation.world.reserve::<FreePiece>(free as u32);
    let (mut dust, mut loose) = (Vec::new(), Vec::new());
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
        let piece = spawn_piece(simulation, parent, lineage, start, piece);
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
