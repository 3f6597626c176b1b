//! Events: what happened to bodies in a step.

use std::sync::Arc;

use fracture_geometry::{FractureReport, MassProperties, Mesh, PieceKind};
use glam::Vec3;
use rapier3d::math::Pose;

use crate::debris::DebrisCollision;
use crate::error::BreakFailure;
use crate::impacts::striker::Striker;
use crate::pieces::Colliders;
use crate::pieces::{Payload, Push, Shape, SharedPayload};
use crate::types::{BodyId, Motion};

/// Something that happened in a step; see [`Simulation::drain_events`](crate::Simulation::drain_events).
#[derive(Debug)]
pub enum Event {
    /// A body was broken. The host hides it and shows the pieces, in this frame.
    Broken(Box<Broken>),
    /// The solid of an intact body is ready, and [`Shape::solid`] takes no time: the host may give a body
    /// that it moves the mass of it. Once for each body, in the order of the bodies.
    Prepared {
        /// The body.
        body: BodyId,
    },
    /// An impact was too weak to break the body. Of the blows of debris those that are felt are told, with a tenth of
    /// the impulse that would have broken the body: no body's twice in half a second, unless the second is twice as
    /// hard, and 32 in a step.
    BelowThreshold(WeakBlow),
    /// An impact that was too weak to break the body has weakened the place that it struck. Comes after its
    /// [`Event::BelowThreshold`].
    Damaged {
        /// The body.
        body: BodyId,
        /// The point of the impact, world space, metres.
        point: Vec3,
        /// Damage of the place: the share of the energy that a break there need not have any more, above 0, at
        /// most 0.9.
        damage: f32,
    },
    /// An impact that has broken nothing pushes an intact body without anchors: if it is a dynamic one, the host gives
    /// it the part of the impulse that it takes ([`Push::absorbed_by`]). Not for what the host's own solver has applied
    /// already. Comes before the event that says why nothing broke.
    Pushed {
        /// The body.
        body: BodyId,
        /// The point of the impact, world space, metres.
        point: Vec3,
        /// The push.
        push: Push,
    },
    /// A body that is held by touch ([`Anchors::Touching`](crate::Anchors::Touching)) has touched nothing that is held
    /// from the start, and falls.
    Unsupported {
        /// The body.
        body: BodyId,
    },
    /// Bodies that are held by touch hold each other, and nothing is there that holds any of itself: no ground, and no body
    /// with anchors of its own. All stay where they are. Told once, and not where each body is alone.
    NoGround,
    /// A bond between a body and another one, or the ground, or between parts of the body, is near its strength. Comes
    /// before anything breaks there, and again only after the stress has fallen below 0.75 of the strength.
    Strained(StrainedBond),
    /// An impact met a body that may not break further: it is too small, or has been broken too often.
    Unbreakable {
        /// The body.
        body: BodyId,
    },
    /// A job failed; the body is unchanged.
    BreakFailed {
        /// The body.
        body: BodyId,
        /// The reason, with the remedy.
        reason: BreakFailure,
    },
    /// A piece that entered with a provisional collider has its lasting one.
    Refined(Box<RefinedCollider>),
    /// A held piece that entered with a provisional collision mesh has its lasting one.
    CollisionRefined(RefinedCollision),
    /// Cracks stay in the surface of a body, around the hole of a break or where a blow was too weak for one. Comes a step
    /// after the break or later, and takes the place of what was told of the body before.
    Cracked(CrackedSurface),
    /// An intact body that breaks was to have bars, and is too thin for any below their cover.
    NoRoomForBars {
        /// The body.
        body: BodyId,
    },
    /// Lengths of the bars of a piece are bare. Comes a step after the break or later, and takes the place of what was
    /// told of the body before.
    BarsBared(BareBars),
    /// The refinement of a piece's collider failed; the piece keeps its provisional one, which may fill hollows, or of
    /// a held piece be coarse.
    RefinementFailed {
        /// The piece.
        body: BodyId,
        /// The reason.
        reason: BreakFailure,
    },
    /// An impact was dropped; the body is unchanged.
    Dropped {
        /// The body.
        body: BodyId,
        /// The limit that it met.
        reason: DropReason,
    },
    /// A collision of debris with an impulse above
    /// [`Settings::report_contacts`](crate::Settings::report_contacts).
    Collision(DebrisCollision),
    /// A free piece was removed.
    Removed {
        /// The piece.
        body: BodyId,
        /// The reason.
        reason: RemoveReason,
        /// Its last pose and velocity.
        motion: Motion,
    },
}

/// An impact that is too weak to break its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeakBlow {
    /// The body.
    pub body: BodyId,
    /// The point of the impact, world space, metres.
    pub point: Vec3,
    /// The body's outward unit normal there.
    pub normal: Vec3,
    /// Impulse, N s.
    pub impulse: Vec3,
    /// Energy, J.
    pub energy: f32,
    /// The thing that struck.
    pub striker: Striker,
    /// The impulse from which on the body would have broken there, N s.
    pub damage_threshold: f32,
}

/// A bond of a body, or between parts of it, that is near its strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainedBond {
    /// The body.
    pub body: BodyId,
    /// Middle of the bond, world space, metres.
    pub point: Vec3,
    /// Stress in it as a share of its strength, above 0.9.
    pub utilisation: f32,
}

/// A body that was broken, and its pieces.
///
/// `body` is no body any more: impacts on it go to the nearest piece, every other call refuses it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The body that was broken.
    pub body: BodyId,
    /// Its pieces: fragments by cell and part, then islands, largest first.
    pub pieces: Vec<NewPiece>,
    /// Pieces that have become dust: see [`DebrisLifetime::dust_size`](crate::DebrisLifetime::dust_size).
    pub dust: Vec<DustParticle>,
    /// The cause of the break.
    pub cause: Cause,
    /// The point of the impact, to where the body has moved with it since, or the middle of the crack; world space, metres.
    pub point: Vec3,
    /// The body's outward normal there; up for a collapse.
    pub normal: Vec3,
    /// Energy of the impact, J; 0 for a collapse.
    pub energy: f32,
    /// Impulse of the impact, N s; 0 for a collapse.
    pub impulse: Vec3,
    /// Kinetic energy that the break has added to what the free pieces and the dust had as parts of the body, J: a
    /// part of the impact's energy at most.
    pub energy_gain: f64,
    /// Momentum that the break has added to what the free pieces and the dust had as parts of the body, N s: the
    /// impulse, unless the body had it already or something is held.
    pub momentum_gain: Vec3,
    /// Angular momentum about the point that the break has added, N m s: none, unless something is held.
    pub angular_momentum_gain: Vec3,
    /// The part of the impulse that the striker has kept, N s.
    pub kept_impulse: Vec3,
    /// The part of the energy that the striker has kept, J. What neither it nor the pieces have has become cracks and
    /// heat.
    pub kept_energy: f32,
    /// Radius of the break, metres; 0 for a collapse.
    pub radius: f32,
    /// Area of the cracks, m^2, counted once for both sides.
    pub crack_area: f32,
    /// Volume of the body before the break, m^3.
    pub volume: f64,
    /// |sum of the volumes of pieces and dust - volume before| / volume before.
    pub volume_error: f64,
    /// Report of the cut.
    pub report: FractureReport,
    /// Number of steps from the impact to this event; 1 is the next frame.
    pub frames: u64,
    /// Time on the worker, ms. Results never depend on it.
    pub worker_ms: f32,
    /// Where that time went.
    pub times: BreakTimes,
    /// Number of hulls in the lasting colliders of free pieces; those that come later are told by
    /// [`Event::Refined`].
    pub hulls: u32,
    /// Number of hulls that could not be computed and became boxes.
    pub boxed_hulls: u32,
    /// Number of fragments whose hulls reach out of them by more than 1/50 of their size, because more than
    /// 512 hulls would be needed.
    pub loose_hulls: u32,
    /// Number of pieces with several hulls that were clipped from hulls of the body, or from those of the
    /// intact body.
    pub clipped_pieces: u32,
}

/// Cracks in the surface of a body, to be drawn on it.
#[derive(Debug)]
pub struct CrackedSurface {
    /// The body.
    pub body: BodyId,
    /// Strips in body space, of the surface [`CAP_SURFACE`](crate::geometry::CAP_SURFACE): see
    /// [`CrackStrips`](crate::geometry::piece_mesh::CrackStrips).
    pub strips: Arc<Mesh>,
    /// Output of the hook for chunks to be rendered ([`PieceHooks::with_chunk_hooks`](crate::hooks::PieceHooks::with_chunk_hooks))
    /// for them, if there is one.
    pub payload: Option<SharedPayload>,
    /// Of an intact sheet that blows have pushed in ([`Material::sheet_toughness`](crate::Material::sheet_toughness)): its
    /// surface, to be drawn in place of its mesh.
    pub sagged: Option<SaggedSheet>,
}

/// The surface of a sheet that sags. Its colliders stay as they are.
#[derive(Debug)]
pub struct SaggedSheet {
    /// The surface in body space, divided along its cracks, with all attributes of the body's mesh.
    pub mesh: Arc<Mesh>,
    /// Output of the hook for chunks to be rendered ([`PieceHooks::with_chunk_hooks`](crate::hooks::PieceHooks::with_chunk_hooks))
    /// for it, if there is one.
    pub payload: Option<SharedPayload>,
}

/// Bare bars of a piece, to be drawn.
#[derive(Debug)]
pub struct BareBars {
    /// The piece.
    pub body: BodyId,
    /// Closed rods in body space, with normals and texture coordinates; none where no length is bare.
    pub rods: Arc<Mesh>,
    /// Output of the hook for chunks to be rendered ([`PieceHooks::with_chunk_hooks`](crate::hooks::PieceHooks::with_chunk_hooks))
    /// for them, if there is one.
    pub payload: Option<SharedPayload>,
}

/// The lasting collision mesh of a held piece.
#[derive(Debug)]
pub struct RefinedCollision {
    /// The piece.
    pub body: BodyId,
    /// Output of the hook for chunks of colliders; those that stay are shared with the piece so far.
    pub collision_chunks: Vec<SharedPayload>,
    /// Colliders in the debris world, body space, where they have fewer triangles from now on.
    pub colliders: Option<Colliders>,
}

/// The lasting collider of a piece.
#[derive(Debug)]
pub struct RefinedCollider {
    /// The piece.
    pub body: BodyId,
    /// Body space; in the debris world from now on, or for a piece asleep from the time on when it is woken.
    pub colliders: Colliders,
    /// Number of hulls.
    pub hulls: u32,
    /// Number of hulls that could not be computed and became boxes.
    pub boxed_hulls: u32,
    /// 1 if the hulls reach out of the piece by more than 1/50 of its size, because more than 512 would be needed.
    pub loose_hulls: u32,
    /// 1 if several hulls were clipped from hulls of the body, or from those of the intact body.
    pub clipped_pieces: u32,
}

/// Time of a break on the worker by what it was spent on, ms; of all threads that shared the work, so that the sum
/// may be more than [`Broken::worker_ms`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BreakTimes {
    /// Reading and preparing the mesh and the pattern, where that had not been done.
    pub prepare: f32,
    /// The cut: cells, caps, islands and mass properties.
    pub cut: f32,
    /// Meshes of the pieces.
    pub meshes: f32,
    /// Colliders of the pieces.
    pub colliders: f32,
    /// The host's hooks, which make what is drawn of the pieces.
    pub hooks: f32,
}

/// A piece that is too small to be a body. The host shows it as a particle, if at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DustParticle {
    /// Centre of mass, world space, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Volume, m^3.
    pub volume: f32,
}

/// The cause of a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An impact.
    Impact,
    /// Its own weight, which too little was left to carry. The pieces that no anchor holds fall.
    Weight,
    /// A save: the pieces were loaded and not broken. Point, energy and times are not known, and one dust
    /// particle has the volume of all.
    Restore,
}

/// A piece of a broken body, and a body of its own from now on.
///
/// Its mesh is in the *body space of the broken body*: nothing is recentred, so that at `motion.pose` it
/// covers exactly the place that it had.
#[derive(Debug)]
pub struct NewPiece {
    /// Its id.
    pub body: BodyId,
    /// Fragment (cell, part) or island.
    pub kind: PieceKind,
    /// For a piece of [`Cause::Restore`]: the kinds of the pieces that it was a part of, oldest first.
    pub ancestors: Arc<[PieceKind]>,
    /// True for a piece that an anchor holds. It stays a body of the engine with a new shape, whose pose the
    /// host reports ([`Simulation::set_motion`](crate::Simulation::set_motion)). Other pieces are debris.
    pub anchored: bool,
    /// The mesh to be rendered, body space.
    pub shape: Arc<Shape>,
    /// Number of triangles.
    pub triangles: u32,
    /// Colliders in the debris world, body space, which may be provisional ones ([`Event::Refined`]): a hull or
    /// a compound of hulls; for a concave anchored piece its mesh, a large one in several parts.
    pub colliders: Colliders,
    /// Volume (m^3), centre (m, body space) and moments for density one.
    pub mass: MassProperties,
    /// Mass, kg.
    pub kilograms: f64,
    /// Pose and velocity at this moment.
    pub motion: Motion,
    /// Number of breaks of its ancestors that made them smaller: 1 after the first break by an impact. Anchored
    /// pieces, and all pieces of a collapse, keep the number of their parent.
    pub generation: u32,
    /// Whether the mesh is closed; `None` unless [`Settings::check_pieces`](crate::Settings::check_pieces).
    pub closed: Option<bool>,
    /// Whether there are bars in it, of which [`Event::BarsBared`] tells once they are drawn.
    pub has_bars: bool,
    /// Whether there are cracks in its surface, of which [`Event::Cracked`] tells when they are found.
    pub is_cracked: bool,
    /// Output of the [`PieceHooks`](crate::hooks::PieceHooks) of the body.
    pub payload: Option<Payload>,
    /// Output of the hook for chunks to be rendered, for an island; see
    /// [`PieceHooks::with_chunk_hooks`](crate::hooks::PieceHooks::with_chunk_hooks). Chunks that the cut has not touched are
    /// shared with the parent.
    pub render_chunks: Vec<SharedPayload>,
    /// Output of the hook for chunks of colliders, for an anchored island. Where the break has been they may be coarse
    /// ones at first ([`Event::CollisionRefined`]).
    pub collision_chunks: Vec<SharedPayload>,
}

impl NewPiece {
    /// The pose at this moment.
    pub fn pose(&self) -> Pose {
        self.motion.pose
    }

    /// The centre of mass in world space, metres.
    pub fn center(&self) -> Vec3 {
        self.motion.pose.transform_point(self.mass.center.as_vec3())
    }
}

/// The limit that a dropped impact met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// [`Settings::queue_capacity`](crate::Settings::queue_capacity) jobs are queued or running.
    QueueFull,
    /// [`Settings::waiting_impacts`](crate::Settings::waiting_impacts) impacts already wait for this body.
    TooManyWaiting,
    /// [`Settings::chain_breaks`](crate::Settings::chain_breaks) bodies have been broken by debris in the same step.
    /// Told as seldom as [`Event::BelowThreshold`].
    TooManyBreaks,
}

/// A reason why a free piece was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemoveReason {
    /// There are more than [`Settings::max_pieces`](crate::Settings::max_pieces) pieces, or they have more
    /// than [`Settings::max_triangles`](crate::Settings::max_triangles).
    Budget,
    /// Its [`DebrisLifetime::lifetime`](crate::DebrisLifetime::lifetime) has passed.
    Lifetime,
    /// The piece fell more than 10 km from the origin, or its pose stopped being finite.
    LeftWorld,
}
