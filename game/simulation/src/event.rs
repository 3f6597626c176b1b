//! What a step has to say to the embedding layer.

use std::sync::Arc;

use fracture_geometry::{
    FractureError, FractureReport, MassProperties, PatternError, PieceKind, SolidError,
};
use glam::Vec3;
use rapier3d::math::Pose;
use thiserror::Error;

use crate::debris::DebrisCollision;
use crate::pieces::Colliders;
use crate::pieces::{BodyId, Motion, Payload, Shape, SharedPayload};

/// Something that happened in a step.
#[derive(Debug)]
pub enum Event {
    /// A body was broken: take its old look away and show the pieces, in this frame.
    Broken(Box<Broken>),
    /// A hit was too weak to break the body.
    BelowThreshold {
        /// The body.
        body: BodyId,
        /// Length of the impulse, N s.
        impulse: f32,
        /// The impulse that would have broken it, N s.
        toughness: f32,
    },
    /// A hit reached a body that may not break further: too many breaks before it, or too small.
    Unbreakable {
        /// The body.
        body: BodyId,
    },
    /// A job came to nothing; the body is as it was.
    BreakFailed {
        /// The body.
        body: BodyId,
        /// Why, with the remedy.
        reason: BreakFailure,
    },
    /// A hit was dropped; nothing happened to the body.
    Dropped {
        /// The body.
        body: BodyId,
        /// Which queue was full.
        reason: DropReason,
    },
    /// Debris has hit something, or was hit, harder than
    /// [`Settings::report_contacts`](crate::Settings::report_contacts).
    Collision(DebrisCollision),
    /// A free piece was taken away; remove its look.
    Removed {
        /// The piece.
        body: BodyId,
        /// Why.
        reason: RemoveReason,
        /// Where it was and how it moved.
        motion: Motion,
    },
}

/// A body that was broken, and its pieces.
///
/// `body` is retired: hits on it go to the nearest piece, everything else refuses it.
#[derive(Debug)]
pub struct Broken {
    /// The body that is no more.
    pub body: BodyId,
    /// Its pieces: fragments by cell and part, then islands, largest first.
    pub pieces: Vec<NewPiece>,
    /// What is too small to be a piece, or too much: see [`DebrisLifetime::dust_size`](crate::DebrisLifetime::dust_size).
    pub dust: Vec<DustParticle>,
    /// What broke it.
    pub cause: Cause,
    /// The hit's point, or the middle of the crack; world space, metres.
    pub point: Vec3,
    /// The body's outward normal there; up when its weight broke it.
    pub normal: Vec3,
    /// The hit's energy, J; 0 when its weight broke it.
    pub energy: f32,
    /// Radius of the break, metres; 0 when its weight broke it.
    pub radius: f32,
    /// Area of the cracks, m^2; each has a face on either side.
    pub new_area: f32,
    /// Volume of the body before, m^3.
    pub volume: f64,
    /// |sum of piece volumes + dust - volume before| / volume before.
    pub volume_error: f64,
    /// What the cut met.
    pub report: FractureReport,
    /// Steps from the hit to this event; 1 is the next frame.
    pub frames: u64,
    /// Worker time in ms. Never part of results.
    pub worker_ms: f32,
    /// Hulls that all free pieces are collided with, together.
    pub hulls: u32,
    /// Hulls that failed and became boxes.
    pub boxed_hulls: u32,
    /// Fragments whose hulls reach out of them by more than a fiftieth of their size, because more than 512 would
    /// be needed.
    pub loose_hulls: u32,
    /// Pieces whose hulls are parts of a convex decomposition of the body, or mostly those of the whole, of those that
    /// need several.
    pub clipped_pieces: u32,
}

/// A piece that is too small to be a body: to be shown as a particle, if at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DustParticle {
    /// Its centre of mass, world space, metres.
    pub position: Vec3,
    /// m/s.
    pub velocity: Vec3,
    /// m^3.
    pub volume: f32,
}

/// What broke a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A hit.
    Impact,
    /// Its own weight: too little was left to carry it. The pieces that are not held fall.
    Weight,
    /// It has been broken before: its pieces come from a save, whatever broke it and them. Nothing is
    /// told of where, how hard and how long; one crumb has the volume of all.
    Restore,
}

/// A piece of a broken body: a body of its own from now on.
///
/// Its mesh is in the *body space of the broken body* (nothing is recentred), so that at `motion.pose`
/// it covers exactly the place it had.
#[derive(Debug)]
pub struct NewPiece {
    /// Its id.
    pub body: BodyId,
    /// Fragment (cell, part) or island.
    pub kind: PieceKind,
    /// What the pieces were that it was a part of, the largest first, where those have come and gone in
    /// the past: see [`Cause::Restore`].
    pub line: Arc<[PieceKind]>,
    /// Whether an anchor holds it. Then it stays an engine body with a new shape, and its pose is
    /// for [`Simulation::set_motion`](crate::Simulation::set_motion); otherwise it is debris.
    pub anchored: bool,
    /// The render mesh, body space.
    pub shape: Arc<Shape>,
    /// Its triangles.
    pub triangles: u32,
    /// What it is in the debris world, body space: a hull or a compound of hulls; a concave anchored
    /// piece keeps its mesh, a large one in parts.
    pub colliders: Colliders,
    /// Volume (m^3), centre (m, body space) and moments for density one.
    pub mass: MassProperties,
    /// Mass in kg.
    pub kilograms: f64,
    /// Pose and velocity at this moment.
    pub motion: Motion,
    /// How often its ancestors were broken; 1 after the first break.
    pub generation: u32,
    /// Whether the mesh is closed; `None` unless [`Settings::check_pieces`](crate::Settings::check_pieces).
    pub closed: Option<bool>,
    /// What the body's [`PieceHooks`](crate::PieceHooks) hook made of it on the worker.
    pub payload: Option<Payload>,
    /// What [`PieceHooks::with_chunk_hooks`](crate::PieceHooks::with_chunk_hooks) made of an island's chunks to be drawn;
    /// those of its parent's that no cut came near are the very same.
    pub render_chunks: Vec<SharedPayload>,
    /// The same of what a held island is collided with.
    pub collision_chunks: Vec<SharedPayload>,
}

impl NewPiece {
    /// Where it is.
    pub fn pose(&self) -> Pose {
        self.motion.pose
    }

    /// Its centre of mass in world space, metres.
    pub fn center(&self) -> Vec3 {
        self.motion.pose.transform_point(self.mass.center.as_vec3())
    }
}

/// Why a job came to nothing.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BreakFailure {
    /// The body's mesh cannot be had; the message is that of [`Shape::lazy`].
    #[error("{0}")]
    Source(String),
    /// The body's pattern cannot be made.
    #[error("the pattern cannot be used: {0}")]
    Pattern(#[from] PatternError),
    /// The body's mesh cannot be broken at all.
    #[error("the mesh cannot be broken: {0}")]
    Solid(#[from] SolidError),
    /// This break cannot start.
    #[error(transparent)]
    Fracture(#[from] FractureError),
    /// The body stayed whole: the break reached all of it as one piece.
    #[error(
        "the break left the body in one piece; use a pattern with more cells, or a smaller one"
    )]
    OnePiece,
    /// The code on the worker panicked.
    #[error("the break panicked: {message}; please report it with the mesh and the pattern")]
    Panicked {
        /// What the panic said.
        message: String,
    },
    /// The worker has stopped.
    #[error("the worker has stopped; start the simulation anew")]
    WorkerGone,
}

/// Which limit a dropped hit met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// [`Settings::queue_capacity`](crate::Settings::queue_capacity) jobs are queued or running.
    QueueFull,
    /// [`Settings::waiting_hits`](crate::Settings::waiting_hits) hits already wait for this body.
    TooManyWaiting,
}

/// Why a free piece was taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemoveReason {
    /// More than [`Settings::max_pieces`](crate::Settings::max_pieces) pieces exist, or they have more
    /// than [`Settings::max_triangles`](crate::Settings::max_triangles).
    Budget,
    /// Its [`DebrisLifetime::lifetime`](crate::DebrisLifetime::lifetime) has passed.
    Lifetime,
    /// It fell more than 10 km from the origin, or its pose stopped being a number.
    LeftWorld,
}
