//! Time for fracture: breakable bodies as an ECS, a worker that breaks them off the main thread, and
//! a physics world of its own for the debris. No engine types.
//!
//! The words are explained in the [glossary].
//!
//! One [`Simulation`] belongs to one scene. Each frame the embedding layer
//! 1. reports where its own bodies are ([`Simulation::set_motion`]),
//! 2. reports hits ([`Simulation::impact`]),
//! 3. calls [`Simulation::step`],
//! 4. acts on [`Simulation::drain_events`] and copies [`Simulation::moving_pieces`] to its nodes.
//!
//! Where bodies of the engine are among debris, [`Simulation::begin_next_step`] has it take its step while a frame is
//! drawn.
//!
//! Bodies that the engine moves (intact ones and anchored remainders) get their pose from it; free
//! pieces are debris, moved here and reported back. All lengths are metres, masses kilograms,
//! impulses newton seconds, energies joules.
//!
//! # When a break becomes visible
//! A hit taken in frame n is a job for the worker; its pieces appear in frame n + 1 when the worker
//! is done by then, otherwise in the first frame after it is done, and the body looks intact
//! meanwhile. Finished jobs are applied in the order in which they were submitted. With
//! [`Settings::wait_for_results`] frame n + 1 waits for every job of frame n, which makes a run
//! exactly repeatable for any number of worker threads.
//!
//! ```
//! use fracture_simulation::geometry::{glam::Vec3, Mesh, Pattern, Recipe};
//! use fracture_simulation::{Body, Event, Impact, LazyPattern, Settings, Shape, Simulation};
//!
//! let settings = Settings { wait_for_results: true, ..Settings::default() };
//! let mut simulation = Simulation::new(settings)?;
//! let recipe = Recipe::Clustered { cells: 64, falloff: 1.0 };
//! let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 1));
//! let crate_body = Body::new(Shape::new(Mesh::cuboid([1.0; 3])), pattern);
//! let body = simulation.add(crate_body)?;
//!
//! let (point, push) = (Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, -40.0, 0.0));
//! simulation.impact(Impact::new(body, point, Vec3::Y, push, 500.0))?;
//! simulation.step(1.0 / 60.0); // frame n takes the hit
//! simulation.step(1.0 / 60.0); // frame n + 1 shows the pieces
//! let events: Vec<Event> = simulation.drain_events().collect();
//! let [Event::Broken(broken)] = events.as_slice() else { panic!("{events:?}") };
//! assert!(broken.pieces.len() > 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[doc = include_str!("../GLOSSARY.md")]
pub mod glossary {}

mod budget;
mod debris;
mod debris_sync;
mod environment;
mod error;
mod event;
mod external_bodies;
mod history;
mod impacts;
mod jobs;
mod mesh_codec;
mod pieces;
mod queries;
mod schedule;
mod seeds;
mod settings;
mod simulation;
mod state_hash;
mod statistics;
mod stress;
mod swap;
mod types;

pub use debris::{
    AdditionalInertia, BodyDesc, BodyRef, BodyType, ColliderDesc, CollisionGroups, DebrisCollision,
    ExternalBody, JointDesc, MassDesc, RayHit,
};
pub use error::{BodyError, BreakFailure, ImpactError, SimulationError};
pub use event::{Broken, Cause, DropReason, DustParticle, Event, NewPiece, RemoveReason};
pub use fracture_geometry as geometry;
pub use history::{
    Archive, ArchiveError, BreakLog, BreakRecord, LoggedCause, LoggedCollapse, LoggedImpact,
    PieceRef, PieceSnapshots, PieceState, ReplayError, ARCHIVE_VERSION,
};
pub use impacts::{Impact, PriorityCappedQueue};
pub use jobs::{TaskId, TaskOutput};
pub use pieces::{
    Anchor, Anchors, Body, BodyAxis, Colliders, DebrisLifetime, InteriorFaces, LazyPattern,
    Material, OpenMeshPolicy, PatternAxes, PatternFit, PatternOrigin, PatternUnit, Payload,
    PieceHooks, PieceInput, Shape, SharedPayload,
};
pub use rapier3d;
pub use rapier3d::math::Pose;
pub use rapier3d::parry::shape::SharedShape;
pub use seeds::spin;
pub use settings::Settings;
pub use simulation::Simulation;
pub use statistics::Statistics;
pub use stress::{BrokenBonds, StressBond, StressGraph, StressNode};
pub use types::{BodyId, BodyKind, Motion};
