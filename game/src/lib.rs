//! Destruction for the Fyrox engine: an artist tunes a fracture pattern on a node, a contact breaks
//! off the cells near it, the rest stays whole unless it falls into islands.
//!
//! # In a game
//! Add [`FracturePlugin`] to the executor and give rigid bodies the script [`Destructible`]:
//!
//! ```no_run
//! use fracture::FracturePlugin;
//! use fyrox::engine::executor::Executor;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut executor = Executor::new(None);
//! executor.add_plugin(FracturePlugin::default());
//! executor.run();
//! # Ok(())
//! # }
//! ```
//!
//! Objects then break by what hits them. To break them from game code, send the node an [`Impact`]
//! as a script message, or call [`Destruction::impact`], [`Destruction::shoot`] or
//! [`Destruction::explosion`].
//!
//! # Without the engine's loop
//! [`Destruction`] is all there is for one scene; tests call [`Destruction::update`] after each
//! [`Scene::update`](fyrox::scene::Scene::update).
//!
//! # How it is built
//! Scripts hold tuning, not logic. `fracture_geometry` cuts, `fracture_simulation` owns the worker
//! and the physics of debris, this crate converts between them and the engine: `conversion` for
//! meshes, `shapes` for colliders, `swap` for the scene graph.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod anchoring;
mod assets;
mod blow;
mod bodies;
mod contact;
mod contacts;
pub mod conversion;
mod cut_mapping;
mod destructible;
mod destruction;
mod edition;
mod events;
mod fading;
mod fast_bodies;
mod fault;
mod frames;
mod free_bodies;
mod impact;
mod inbox;
mod joints;
mod object;
mod open_mesh;
mod pattern;
mod plugin;
mod rubble_rules;
mod seams;
mod settings;
mod shapes;
mod sketch;
mod statistics;
mod stowed;
mod surroundings;
mod swap;
mod turns;

pub use anchoring::Anchoring;
pub use cut_mapping::CutMapping;
pub use destructible::Destructible;
pub use destruction::{
    Destruction, ImpactError, PieceInfo, PieceKind, QueryHit, RestoreError, SupportLine,
};
pub use events::Event;
pub use fading::Fading;
pub use fault::Fault;
pub use fracture_simulation::{ArchiveError, RemoveReason, ReplayError};
pub use impact::Impact;
pub use inbox::Inbox;
pub use open_mesh::OpenMesh;
pub use pattern::{
    FracturePattern, FracturePatternLoader, FracturePatternResource, PatternAxis, PatternField,
    PatternFileError, PatternKind, PATTERN_VERSION, PRESETS,
};
pub use plugin::{register, send_events_to_scripts, FracturePlugin};
pub use rubble_rules::DebrisSettings;
pub use settings::Settings;
pub use sketch::{BreakPreview, CrackLines, MeshCheck, SketchError, SurfacePoint, TestBreak};
pub use statistics::Statistics;
pub use stowed::EmbeddedSave;
pub use swap::PIECE_TAG;
