//! A broken body becomes its pieces.

use std::sync::Arc;

use glam::Vec3;

use crate::debris::{CollisionGroups, NewDebris};
use crate::environment::CellOccupancy;
use crate::event::{Broken, Cause, DustParticle, Event, NewPiece};
use crate::history::{BreakRecord, LoggedCause, PieceOrigin, PieceRef, SourceInfo};
use crate::jobs::BreakResult;
use crate::pieces::components::{
    AnchoredRemainder, Breakable, Debris, Generation, Held, Intact, KeepEntity, PieceBuild, Proxy,
    Rank, Seed,
};
use crate::pieces::BrokenPiece;
use crate::pieces::HullCount;
use crate::pieces::{Anchor, Anchors, BodyId, DebrisLifetime, Motion};
use crate::seeds::mix;
use crate::simulation::Simulation;
use crate::stress::BrokenFaces;

/// What broke a body, when and where (world space).
pub(crate) struct BreakInfo {
    pub cause: Cause,
    pub point: Vec3,
    pub normal: Vec3,
    pub energy: f32,
    pub radius: f32,
    /// The step in which the worker was asked.
    pub frame: u64,
    pub worker_ms: f32,
}

/// Puts the pieces in the place of their body, and remembers how they came to be.
pub(crate) fn replace(
    simulation: &mut Simulation,
    body: BodyId,
    outcome: BreakResult,
    (blow, logged_cause): (BreakInfo, LoggedCause),
) {
    let whole = Whole {
        facts: outcome.facts,
        anchors: &outcome.anchors,
    };
    let Some(parent) = Parent::of(simulation, body, &whole) else {
        return;
    };
    simulation.leave_debris(body);
    let source = parent.origin.source;
    let break_index = simulation.history.next_break(source);
    let mut pieces = Vec::with_capacity(outcome.pieces.len());
    let mut crumbs = Vec::new();
    for (index, piece) in outcome.pieces.into_iter().enumerate() {
        if piece.crumb {
            crumbs.push(crumb(&parent, &piece));
            continue;
        }
        let piece_ref = PieceRef {
            break_index,
            piece_index: pieces.len() as u32,
        };
        let descent = parent.descent(blow.cause, index as u64, piece_ref, &piece);
        let start = parent.start(&piece);
        pieces.push(spawn(simulation, &parent, (descent, start), piece));
    }
    let crumbled = crumbs.iter().map(|crumb| f64::from(crumb.volume));
    // A body that became nothing but dust has no pieces to be restored.
    if !pieces.is_empty() {
        let record = BreakRecord {
            piece: parent.origin.piece,
            cause: logged_cause,
            hits: parent.hits,
            pieces: pieces.len() as u32,
        };
        simulation
            .history
            .record(source, record, crumbled.sum(), outcome.facts);
    }
    retire(simulation, body, &parent, &pieces);
    simulation.statistics.crumbs += crumbs.len() as u64;
    note_hulls(simulation, outcome.hulls);
    simulation.events.push(Event::Broken(Box::new(Broken {
        body,
        pieces,
        crumbs,
        cause: blow.cause,
        point: blow.point,
        normal: blow.normal,
        energy: blow.energy,
        new_area: outcome.new_area,
        radius: blow.radius,
        volume: outcome.facts.volume,
        volume_error: outcome.volume_error,
        report: outcome.report,
        frames: simulation.statistics.frame - blow.frame,
        worker_ms: blow.worker_ms,
        hulls: outcome.hulls.hulls,
        boxed_hulls: outcome.hulls.boxed,
        loose_hulls: outcome.hulls.loose,
        clipped_pieces: outcome.hulls.clipped,
    })));
}

/// A broken body is none any more; the lineage keeps its id.
pub(crate) fn retire(
    simulation: &mut Simulation,
    body: BodyId,
    parent: &Parent,
    pieces: &[NewPiece],
) {
    type Parts = (Intact, Breakable, Held, Seed, Generation, Motion);
    let ids = pieces.iter().map(|piece| piece.body).collect();
    simulation.history.pieces.record(body, ids);
    simulation.worker.discard(parent.breakable.shape.clone());
    // The entity itself was there a moment ago.
    match simulation.world.satisfies::<&KeepEntity>(body.0) {
        true => drop(simulation.world.remove::<Parts>(body.0)),
        false => drop(simulation.world.despawn(body.0)),
    }
}

pub(crate) fn note_hulls(simulation: &mut Simulation, hulls: HullCount) {
    let statistics = &mut simulation.statistics;
    statistics.hulls += u64::from(hulls.hulls);
    statistics.boxed_hulls += u64::from(hulls.boxed);
    statistics.loose_hulls += u64::from(hulls.loose);
    statistics.clipped_pieces += u64::from(hulls.clipped);
}

pub(crate) fn note_time(simulation: &mut Simulation, worker_ms: f32) {
    let statistics = &mut simulation.statistics;
    statistics.breaks += 1;
    statistics.worker_ms = worker_ms;
    statistics.worker_ms_max = statistics.worker_ms_max.max(worker_ms);
}

/// What is told of a body that has been cut.
pub(crate) struct Whole<'a> {
    pub facts: SourceInfo,
    /// What holds the pieces.
    pub anchors: &'a Arc<[Anchor]>,
}

/// What pieces take over from their parent.
pub(crate) struct Parent {
    breakable: Breakable,
    anchors: Anchors,
    generation: Generation,
    seed: u64,
    /// Breaks that were asked of it.
    hits: u64,
    motion: Motion,
    origin: PieceOrigin,
    /// Centre of mass, body space.
    center: Vec3,
}

/// Where a piece comes from.
pub(crate) struct Descent {
    /// How often what it was a part of was broken.
    pub depth: u32,
    pub seed: Seed,
    /// What has cracked in it though nothing has come apart.
    pub damage: Arc<BrokenFaces>,
    pub origin: PieceOrigin,
}

/// Where a piece is, and how it moves.
pub(crate) struct Start {
    pub motion: Motion,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
    pub asleep: bool,
}

impl Parent {
    pub fn of(simulation: &Simulation, body: BodyId, whole: &Whole) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        let mut breakable = Breakable::clone(&*entity.get::<&Breakable>()?);
        // The first cut chooses the surface of cut faces; pieces of pieces keep it.
        breakable.cut_faces.surface = Some(whole.facts.cap_surface);
        let seed = entity.get::<&Seed>()?;
        let origin = entity.get::<&PieceOrigin>();
        Some(Self {
            breakable,
            anchors: Anchors::Boxes(whole.anchors.clone()),
            generation: *entity.get::<&Generation>()?,
            seed: mix(seed.seed, seed.hits),
            hits: seed.hits,
            motion: *entity.get::<&Motion>()?,
            origin: origin.map_or_else(|| PieceOrigin::intact(body), |origin| (*origin).clone()),
            center: whole.facts.center.as_vec3(),
        })
    }

    fn descent(
        &self,
        cause: Cause,
        index: u64,
        piece_ref: PieceRef,
        piece: &BrokenPiece,
    ) -> Descent {
        // What stands can be hit again and again; what falls by its weight has lost nothing of what
        // hits may do to it.
        let is_deeper = cause == Cause::Hit && !piece.anchored;
        let seed = mix(self.seed, index);
        Descent {
            depth: self.generation.depth + u32::from(is_deeper),
            seed: Seed { seed, hits: 0 },
            damage: self.breakable.damage.clone(),
            origin: self.origin.of_piece(piece_ref, piece.kind),
        }
    }

    /// As its parent moves at the piece's centre, and with the push of the hit.
    pub fn start(&self, piece: &BrokenPiece) -> Start {
        Start {
            motion: motion(self, piece),
            inside: self.motion.pose.transform_point(self.center),
            asleep: false,
        }
    }
}

/// Makes a piece a body of its own.
pub(crate) fn spawn(
    simulation: &mut Simulation,
    parent: &Parent,
    (descent, start): (Descent, Start),
    piece: BrokenPiece,
) -> NewPiece {
    let Descent {
        depth,
        seed,
        damage,
        origin,
    } = descent;
    let breakable = Breakable {
        shape: piece.shape.clone(),
        damage,
        ..parent.breakable.clone()
    };
    let volume = Some(piece.mass.volume);
    let generation = Generation { depth, volume };
    let made = PieceBuild {
        mass: piece.mass,
        colliders: piece.colliders.clone(),
        hulls: piece.hulls,
    };
    // What is free stays free wherever it lies, also in its own pieces.
    let anchors = Held(match piece.anchored {
        true => parent.anchors.clone(),
        false => Anchors::free(),
    });
    let is_weighed = piece.anchored && breakable.is_weighed();
    let traits = (f64::from(breakable.material.density), breakable.groups);
    let aging = (breakable.lifespan, seed.seed);
    let motion = start.motion;
    let components = (breakable, anchors, seed, generation, motion, made, origin);
    let id = BodyId(simulation.world.spawn(components));
    enter_debris(simulation, id, &piece, &start, traits, aging);
    simulation.listen(id);
    if is_weighed {
        simulation.unweighed.push_back(id);
    }
    NewPiece {
        body: id,
        kind: piece.kind,
        line: Arc::default(),
        anchored: piece.anchored,
        shape: piece.shape,
        triangles: piece.triangles,
        colliders: piece.colliders,
        mass: piece.mass,
        kilograms: piece.kilograms,
        motion,
        generation: generation.depth,
        closed: piece.closed,
        payload: piece.seen.payload,
        looks: piece.seen.looks,
        collision: piece.seen.collision,
    }
}

fn enter_debris(
    simulation: &mut Simulation,
    id: BodyId,
    piece: &BrokenPiece,
    start: &Start,
    (density, groups): (f64, CollisionGroups),
    (lifespan, seed): (DebrisLifetime, u64),
) {
    let colliders = &piece.colliders;
    let mut haunt = CellOccupancy::new(colliders.bounds());
    haunt.follow(&mut simulation.places, &start.motion, start.asleep);
    // The entity was made by the caller, so that inserting cannot fail.
    let _ = if piece.anchored {
        let handle = simulation
            .debris
            .add_remainder(id, colliders, &start.motion, groups);
        simulation.unprepared.push_back(id);
        let parts = (AnchoredRemainder, Proxy(handle), haunt);
        simulation.world.insert(id.0, parts)
    } else {
        let debris = NewDebris {
            shape: colliders.first(),
            mass: &piece.mass,
            density,
            motion: start.motion,
            inside: start.inside,
            asleep: start.asleep,
            groups,
        };
        let handle = simulation.debris.add_debris(id, &debris);
        let debris = Debris {
            handle,
            rank: Rank::new(simulation.statistics.frame, piece.mass.volume),
            triangles: piece.triangles,
        };
        simulation.debris_budget.enter(id, &debris, &lifespan, seed);
        simulation.world.insert(id.0, (debris, haunt))
    };
}

fn crumb(parent: &Parent, piece: &BrokenPiece) -> DustParticle {
    let center = piece.mass.center.as_vec3();
    DustParticle {
        position: parent.motion.pose.transform_point(center),
        velocity: motion(parent, piece).linear,
        volume: piece.mass.volume as f32,
    }
}

/// The parent's motion at the piece's centre, and the push of the hit.
fn motion(parent: &Parent, piece: &BrokenPiece) -> Motion {
    let whole = parent.motion;
    if piece.anchored {
        return whole;
    }
    let arm = whole.pose.rotation * (piece.mass.center.as_vec3() - parent.center);
    let [push, turn] = piece.push.map(|push| whole.pose.rotation * push);
    Motion {
        pose: whole.pose,
        linear: whole.linear + whole.angular.cross(arm) + push,
        angular: whole.angular + turn,
    }
}
