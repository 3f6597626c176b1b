//! Destruction for the Fyrox engine: an artist chooses a fracture pattern for a node, an impact breaks off
//! the cells near it, and the remainder stays in one piece unless it is no longer connected.
//!
//! The words are explained in the [glossary]; [first_statue] is a whole game.
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
//! Objects then break when they are hit. To break them from game code, send the node an [`Impact`] as a
//! script message, or call [`Destruction::impact`], [`Destruction::shoot`] or [`Destruction::explosion`].
//!
//! # Without the engine's loop
//! A [`Destruction`] does everything for one scene. Tests call [`Destruction::update`] after each
//! [`Scene::update`](fyrox::scene::Scene::update).
//!
//! # Structure
//! `fracture_geometry` cuts meshes; `fracture_simulation` owns the worker threads and the physics of
//! debris; this crate connects them with the engine. Its modules, in the order of the data flow:
//! - `destruction`: everything for one scene; its methods call the modules below;
//! - `script`: the scripts of scene nodes, which hold settings, and what those mean to the simulation;
//! - `pattern`: the pattern asset;
//! - `object`: from a node with a script to a body of the simulation;
//! - `impacts`: from contacts and calls to impacts for the simulation;
//! - `mirror`: the engine's colliders, bodies and joints in the debris world;
//! - `swap`: the simulation's events, applied to the scene graph;
//! - `debris_view`: batches of frozen pieces, fading pieces, dust;
//! - `effects`: dust, sounds and marks, by the scripts of a scene (the feature `effects`, which is on by default);
//! - `save`, `tools`: saves, previews for editors.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[doc = include_str!("../GLOSSARY.md")]
pub mod glossary {}

#[doc = include_str!("../docs/first_statue.md")]
pub mod first_statue {}

mod asset_file;
mod bond_lines;
mod damage;
mod debris_view;
mod destruction;
#[cfg(feature = "effects")]
mod effects;
mod events;
mod fault;
mod follow_others;
mod hanging;
mod impacts;
mod mechanical_energy;
mod mirror;
mod object;
mod pattern;
mod platform;
mod players;
mod plugin;
mod save;
mod script;
mod settings;
mod statistics;
mod support_lines;
mod swap;
mod tools;
mod update_limit;

pub use asset_file::AssetFileError;
pub use bond_lines::BondLine;
pub use damage::DamagedSpot;
pub use destruction::{queries::QueryHit, Destruction};
#[cfg(feature = "effects")]
pub use effects::{BreakDust, BreakSounds, ImpactMarks, OwnDust, OwnMark, OwnSound, SoundCause};
pub use events::{BreakCause, BreakDiagnostics, DetachedTo, Event};
pub use fault::Fault;
pub use fracture_simulation::{
    certificate,
    network::{Message, MessageError, NetworkStatistics, Role},
    save::{ArchiveError, ReplayError},
    BodyId, BodyRef, BreakTimes, HoldingBond, RemoveReason, SimulationError, Striker,
};
pub use hanging::HangingBody;
pub use impacts::{impact::Impact, queue::ImpactError};
pub use object::{
    conversion,
    object_ref::{ObjectError, ObjectRef},
};
pub use pattern::{
    FracturePattern, FracturePatternResource, PatternAxis, PatternField, PatternKind, StencilSites,
    PATTERN_VERSION, PRESETS,
};
pub use plugin::{register, send_events_to_scripts, FracturePlugin};
pub use save::archive::RestoreError;
pub use script::{
    anchor::Anchor,
    card_field_set::CardFields,
    card_fields::{
        card_differences, effective_script, show_card_figures, unset_script, CardDifference,
    },
    debris_settings::DebrisSettings,
    destructible::{Breaking, Destructible, Held, Inside, Pieces, Strength},
    embedded_save::{AttachmentHome, BodyStart, EmbeddedSave},
    enums::{Anchoring, CutMapping, Fading, MassSource, OpenMesh, WeaknessMapping},
    inbox::Inbox,
    material_card::{MaterialCard, MaterialCardResource, CARD_VERSION},
};
pub use settings::Settings;
pub use statistics::Statistics;
pub use support_lines::SupportLine;
pub use swap::{
    piece_info::{PieceInfo, PieceKind},
    PIECE_TAG,
};
pub use tools::{
    check_setup, in_front, make_destructible, read_stencil, BreakPreview, CookReport, Cooking,
    CrackLines, MadeDestructible, MakeDestructibleError, MeshCheck, NewBody, PreviewError,
    SceneStructure, SetupFinding, StencilFileError, StructureCertificate, StructureProblem,
    SurfacePoint, TestBreak,
};
