//! Breakable bodies over time: bodies as an ECS, a worker that breaks them off the main thread, and a physics
//! world of its own for the debris. There are no engine types; the *host* is the program, usually an engine, that
//! draws the bodies and moves all that is not debris. The words are explained in the [glossary].
//!
//! One [`Simulation`] belongs to one scene. In each frame the host
//! 1. reports where its own bodies are ([`Simulation::set_motion`]),
//! 2. reports impacts ([`Simulation::impact`]),
//! 3. takes a step ([`Simulation::step`]),
//! 4. acts on the events ([`Simulation::drain_events`]) and draws the free pieces where they are now
//!    ([`Simulation::moving_pieces`]).
//!
//! The host moves intact bodies and anchored remainders. Free pieces are debris, which the simulation moves. While
//! bodies of the host are near debris, [`Simulation::begin_next_step`] steps the debris while the host draws.
//!
//! Units are metres, kilograms, newton seconds and joules.
//!
//! # The path of an impact
//! 1. [`Simulation::impact`] queues it. The next step compares its impulse with the damage threshold of the
//!    [`Material`]; a weak one ends as [`Event::BelowThreshold`].
//! 2. A strong one becomes a job. A worker thread cuts the body by its [pattern](pattern::LazyPattern), builds the
//!    pieces with their colliders, and runs the [`hooks`] of the host.
//! 3. A later step replaces the body by its pieces: anchored ones stay bodies of the host, free ones enter the
//!    debris world with their part of the impulse. [`Event::Broken`] has all of them.
//! 4. The [`stress`] of anchored pieces is solved: one that cannot carry its weight collapses.
//! 5. Debris that hits something hard enough is an impact too.
//!
//! # When a break becomes visible
//! The pieces of an impact that is taken in frame n appear in frame n + 1 when the worker is done by then, otherwise
//! in the first frame after it is done; until then the body stays as it was. Finished jobs are applied in the order
//! in which they were submitted. With [`Settings::wait_for_results`] frame n + 1 waits for every job of frame n,
//! which makes a run exactly repeatable for any number of worker threads.
//!
//! # Example
//! ```
//! use fracture_simulation::geometry::{glam::Vec3, Mesh, Pattern, Recipe};
//! use fracture_simulation::pattern::LazyPattern;
//! use fracture_simulation::{Body, Event, Impact, Settings, Shape, Simulation};
//!
//! let settings = Settings { wait_for_results: true, ..Settings::default() };
//! let mut simulation = Simulation::new(settings)?;
//! let recipe = Recipe::Clustered { cells: 64, falloff: 1.0 };
//! let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 1));
//! let body = simulation.add(Body::new(Shape::new(Mesh::cuboid([1.0; 3])), pattern))?;
//!
//! let (point, impulse) = (Vec3::new(0.0, 0.5, 0.0), Vec3::new(0.0, -40.0, 0.0));
//! simulation.impact(Impact::new(body, point, Vec3::Y, impulse, 500.0))?;
//! simulation.step(1.0 / 60.0); // frame n takes the impact
//! simulation.step(1.0 / 60.0); // frame n + 1 has the pieces
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
pub mod certificate;
mod changes;
mod debris;
mod debris_sync;
mod environment;
mod error;
mod event;
mod history;
mod impacts;
mod jobs;
mod loads;
mod mechanical_energy;
mod mesh_codec;
pub mod network;
mod parallel;
mod pieces;
mod platform;
mod schedule;
mod sealed_bytes;
mod seeds;
mod settings;
mod simulation;
mod state_hash;
mod statistics;
mod stepped_lazy;
mod stopwatch;
pub mod stress;
mod structure;
mod swap;
mod types;

/// Patterns of bodies: how they are computed, and how they are laid onto a body.
pub mod pattern {
    pub use crate::pieces::{
        BodyAxis, BreakRadius, BrokenByPattern, LazyPattern, PaintedWeakness, PatternAxes,
        PatternBreak, PatternFit, PatternOrigin, PatternUnit,
    };
}

/// Hooks of the host that run on the worker for each new piece, such as to build its render mesh. Their outputs
/// come with the piece in [`Event::Broken`].
///
/// ```
/// use fracture_simulation::hooks::PieceHooks;
///
/// let hooks = PieceHooks::new(|piece| Box::new(piece.mesh.triangles.len()));
/// # let _ = hooks;
/// ```
pub mod hooks {
    pub use crate::pieces::{Payload, PieceHooks, PieceInput, SharedPayload};
}

/// Bodies of the host that debris collides with, but that do not break: see
/// [`Simulation::set_external_body`].
///
/// ```
/// use fracture_simulation::external::ExternalBody;
/// use fracture_simulation::{Motion, Settings, SharedShape, Simulation};
///
/// let mut simulation = Simulation::new(Settings::default())?;
/// let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
/// simulation.set_external_body(1, ExternalBody::fixed(ground, Motion::default()))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod external {
    pub use crate::debris::{
        AdditionalInertia, BodyDesc, BodyType, ColliderDesc, ExternalBody, JointDesc, MassDesc,
    };
}

/// Saves: what [`Simulation::save`] gives and [`Simulation::restore`] takes, and the format in which a scene's
/// saves are written.
///
/// ```
/// # use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
/// # use fracture_simulation::pattern::LazyPattern;
/// use fracture_simulation::save::Archive;
/// use fracture_simulation::{Body, Settings, Shape, Simulation};
///
/// let mut simulation = Simulation::new(Settings::default())?;
/// # let recipe = Recipe::Clustered { cells: 8, falloff: 1.0 };
/// # let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 1));
/// let vase = Body::new(Shape::new(Mesh::cuboid([1.0; 3])), pattern);
/// let body = simulation.add(vase.clone())?;
/// let objects = vec![("vase".to_owned(), simulation.save(body))];
/// let bytes = Archive { objects }.to_bytes();
///
/// let mut fresh = Simulation::new(Settings::default())?;
/// let body = fresh.add(vase)?;
/// for (_name, save) in Archive::from_bytes(bytes)?.objects {
///     fresh.restore(body, &save)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod save {
    pub use crate::debris::WeldEnd;
    pub use crate::history::{
        Archive, ArchiveError, BreakLog, BreakRecord, LoggedCause, LoggedCollapse, LoggedImpact,
        PieceRef, PieceSnapshots, PieceState, ReplayError, ARCHIVE_VERSION,
    };
    pub use crate::pieces::{CrackSet, KeptPattern, PieceBars};
}

/// Cooked shapes: what takes longest about preparing meshes, computed before the game and kept in a file.
///
/// ```
/// use fracture_simulation::cooked::{CookedBy, CookedBytes, CookedFile, CookedNeeds, CookedSource};
/// use fracture_simulation::geometry::Mesh;
/// use fracture_simulation::{Anchors, Material, OpenMeshPolicy, Shape};
///
/// // Before the game.
/// let mesh = Mesh::torus(0.35, 0.15, 32, 16);
/// let needs = CookedNeeds::new(&Anchors::default(), &Material::default());
/// let mut file = CookedFile::default();
/// let cooked = Shape::new(mesh.clone()).cook(needs, |_| None, &|| false)?;
/// file.insert(cooked.into_iter().collect());
/// let bytes = file.to_bytes();
///
/// // In the game.
/// let read = move || CookedBytes::Read(bytes.clone());
/// let source = CookedSource::new(read, |problem| println!("ring.cooked: {problem}"));
/// let cooked = CookedBy { source, name: "ring".to_owned() };
/// let shape = Shape::lazy_cooked(OpenMeshPolicy::Refuse, Some(cooked), move || Ok(mesh));
/// # let _ = shape;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub mod cooked {
    pub use crate::pieces::{
        CookedBy, CookedBytes, CookedError, CookedFile, CookedNeeds, CookedProblem, CookedShape,
        CookedSource, COOKED_VERSION,
    };
}

pub use budget::Viewer;
pub use debris::{
    BodyRef, BrokenWay, CollisionGroups, ContactForce, ContactProperties, DebrisCollision,
    LandingContact, LandingContacts, LandingStep, RayHit,
};
pub use error::{BodyError, BreakFailure, ImpactError, SimulationError};
pub use event::{
    BareBars, BreakTimes, Broken, Cause, CrackedSurface, DropReason, DustParticle, Event, NewPiece,
    RefinedCollider, RefinedCollision, RemoveReason, SaggedSheet, StrainedBond, WeakBlow,
};
pub use fracture_geometry as geometry;
pub use impacts::{BlastLoad, BreakThrough, Impact, PriorityCappedQueue, Residual, Striker};
pub use jobs::{TaskId, TaskOutput};
pub use pieces::{
    Anchor, Anchors, Body, Colliders, DamagedSpot, DebrisLifetime, InteriorFaces, MakeMesh,
    Material, MendMesh, OpenMeshPolicy, Push, Shape,
};
pub use rapier3d;
pub use rapier3d::math::Pose;
pub use rapier3d::parry::shape::SharedShape;
pub use seeds::spin;
pub use settings::Settings;
pub use simulation::Simulation;
pub use statistics::Statistics;
pub use structure::{HeldBody, HoldingBond};
pub use types::{BodyId, BodyKind, Motion};
