//! Destruction in one scene, callable without the plugin. The methods stand in three files: what is done in a
//! frame, what a game commands, and what it asks. They call the rooms, which know only the state.

mod commands;
pub(crate) mod queries;
mod update;

#[cfg(feature = "effects")]
use crate::effects::Effects;
use crate::{
    debris_view::DebrisView,
    events::Event,
    fault::FaultLog,
    impacts::Impacts,
    mirror::Mirror,
    object::{discovery::Discovery, shape_cache::ShapeCache, ObjectId, Objects},
    players::Players,
    save::EmbeddedSaves,
    settings::Settings,
    swap::{attachments::Attachments, pieces::PieceStore},
    update_limit::UpdateLimit,
};
use fracture_simulation::Simulation;
use std::collections::BTreeSet;

/// Destruction in one scene.
///
/// Call [`Destruction::update`] once a frame. It finds the nodes that carry
/// [`Destructible`](crate::Destructible), collects impacts from the engine's contacts, breaks objects on a
/// worker thread, and adds the pieces to the scene. [`FracturePlugin`](crate::FracturePlugin) does this for
/// every scene of a game.
///
/// ```
/// use fracture::{Destruction, Settings};
/// use fyrox::{core::algebra::Vector2, scene::Scene};
///
/// let mut scene = Scene::new();
/// let mut destruction = Destruction::new(Settings::default());
/// let dt = 1.0 / 60.0;
/// scene.update(Vector2::new(1.0, 1.0), dt, Default::default());
/// destruction.update(&mut scene, dt);
/// assert!(destruction.events().is_empty());
/// ```
#[derive(Default)]
pub struct Destruction {
    pub(crate) settings: Settings,
    /// Created by the first update, with the scene's gravity.
    pub(crate) simulation: Option<Simulation>,
    pub(crate) discovery: Discovery,
    pub(crate) objects: Objects,
    shapes: ShapeCache,
    pub(crate) mirror: Mirror,
    pub(crate) impacts: Impacts,
    pub(crate) pieces: PieceStore,
    pub(crate) view: DebrisView,
    pub(crate) attachments: Attachments,
    pub(crate) saves: EmbeddedSaves,
    pub(crate) players: Players,
    /// Objects to be made intact again in the next update.
    pub(crate) restores: BTreeSet<ObjectId>,
    /// Whether a save is being restored: its breaks happened before.
    pub(crate) restoring: bool,
    pub(crate) events: Vec<Event>,
    /// Events of [`Destruction::finish_breaks`] since the last update.
    finished: Vec<Event>,
    /// Those between the last update and the one before, which scripts get with the events of the last one.
    late: Vec<Event>,
    pub(crate) faults: FaultLog,
    pub(crate) limit: UpdateLimit,
    #[cfg(feature = "effects")]
    pub(crate) effects: Effects,
    timing: Timing,
}

/// Time spent on the main thread, ms.
#[derive(Default)]
struct Timing {
    /// The time for beginning a step early, since the last update.
    early: f32,
    last_update: f32,
    longest_update: f32,
}
