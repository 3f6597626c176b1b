//! Destruction for the Fyrox engine: an artist tunes a fracture pattern on a node, a contact breaks
//! off the cells near it, the rest stays whole unless it falls into islands.
//!
//! The words are explained in the [glossary].
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

#[doc = include_str!("../GLOSSARY.md")]
pub mod glossary {}

mod debris_view;
mod destruction;
mod events;
mod fault;
mod impacts;
mod mirror;
mod object;
mod pattern;
mod plugin;
mod queries;
mod save;
mod script;
mod settings;
mod statistics;
mod swap;
mod tools;

pub use destruction::Destruction;
pub use events::Event;
pub use fault::Fault;
pub use fracture_simulation::{ArchiveError, RemoveReason, ReplayError};
pub use impacts::{impact::Impact, queue::ImpactError};
pub use object::conversion;
pub use pattern::{
    FracturePattern, FracturePatternLoader, FracturePatternResource, PatternAxis, PatternField,
    PatternFileError, PatternKind, PATTERN_VERSION, PRESETS,
};
pub use plugin::{register, send_events_to_scripts, FracturePlugin};
pub use queries::{QueryHit, SupportLine};
pub use save::archive::RestoreError;
pub use script::{
    debris_settings::DebrisSettings,
    destructible::{Breaking, Destructible, Held, Inside, Pieces, Strength},
    embedded_save::EmbeddedSave,
    enums::{Anchoring, CutMapping, Fading, OpenMesh},
    inbox::Inbox,
};
pub use settings::Settings;
pub use statistics::Statistics;
pub use swap::{
    pieces::{PieceInfo, PieceKind},
    PIECE_TAG,
};
pub use tools::{BreakPreview, CrackLines, MeshCheck, PreviewError, SurfacePoint, TestBreak};
