//! The engine plugin: a [`Destruction`] for every scene.

#[cfg(feature = "effects")]
use crate::effects::SoundBank;
use crate::{
    asset_file::AssetFileLoader,
    destruction::Destruction,
    events::Event,
    pattern::{FracturePattern, PatternAxis, PatternKind},
    script::{
        anchor::Anchor,
        debris_settings::DebrisSettings,
        destructible::{Breaking, Destructible, Held, Inside, Pieces, Strength},
        embedded_save::EmbeddedSave,
        enums::{Anchoring, CutMapping, Fading, MassSource, OpenMesh, WeaknessMapping},
        material_card::MaterialCard,
    },
    settings::Settings,
};
use fyrox::{
    asset::manager::ResourceManager,
    core::{pool::Handle, reflect::prelude::*, visitor::prelude::*},
    engine::{ScriptProcessor, SerializationContext},
    gui::inspector::editors::{
        inspectable::InspectablePropertyEditorDefinition, PropertyEditorDefinitionContainer,
    },
    plugin::{error::GameResult, Plugin, PluginContext, PluginRegistrationContext},
    scene::Scene,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// The plugin that runs a [`Destruction`] for every scene: `executor.add_plugin(FracturePlugin::default())`.
///
/// Add it after the game's own plugins, so that their impacts count in the same frame.
#[derive(Default, Visit, Reflect)]
#[reflect(non_cloneable)]
pub struct FracturePlugin {
    #[visit(skip)]
    #[reflect(hidden)]
    settings: Settings,
    /// By index and generation of the scene's handle.
    #[visit(skip)]
    #[reflect(hidden)]
    scenes: BTreeMap<(u32, u32), Destruction>,
    /// Files of scenes that have had no update yet.
    #[visit(skip)]
    #[reflect(hidden)]
    scene_files: BTreeMap<(u32, u32), PathBuf>,
    /// Sounds that are made once for all scenes.
    #[cfg(feature = "effects")]
    #[visit(skip)]
    #[reflect(hidden)]
    sounds: SoundBank,
}

/// Registers the scripts and the assets, which are patterns and cards. The plugin does so itself; call this function when scenes
/// are loaded without an engine.
pub fn register(context: &SerializationContext, resources: &ResourceManager) {
    context
        .script_constructors
        .add::<Destructible>("Destructible")
        .add::<Anchor>("Anchor")
        .add::<DebrisSettings>("DebrisSettings")
        .add::<EmbeddedSave>("EmbeddedSave");
    #[cfg(feature = "effects")]
    crate::effects::register(&context.script_constructors);
    resources.add_loader(AssetFileLoader::<FracturePattern>::new(resources));
    resources.add_loader(AssetFileLoader::<MaterialCard>::new(resources));
    let assets = resources.state();
    assets.constructors_container.add::<FracturePattern>();
    assets.constructors_container.add::<MaterialCard>();
}

impl FracturePlugin {
    /// Creates a plugin whose scenes run with the given settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Sets the settings for scenes that are added from now on. Open scenes keep theirs.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Sets the file of a scene that has just been added, see [`Destruction::set_scene_file`].
    pub fn set_scene_file(&mut self, scene: Handle<Scene>, file: impl Into<PathBuf>) {
        self.scene_files.insert(key(scene), file.into());
    }

    /// The destruction of a scene; `None` until the scene's first update with the plugin.
    pub fn destruction(&self, scene: Handle<Scene>) -> Option<&Destruction> {
        self.scenes.get(&key(scene))
    }

    /// The destruction of a scene, for impacts on its objects.
    pub fn destruction_mut(&mut self, scene: Handle<Scene>) -> Option<&mut Destruction> {
        self.scenes.get_mut(&key(scene))
    }
}

impl Plugin for FracturePlugin {
    fn register(&self, context: PluginRegistrationContext) -> GameResult {
        register(context.serialization_context, context.resource_manager);
        Ok(())
    }

    fn register_property_editors(&self, editors: Arc<PropertyEditorDefinitionContainer>) {
        editors.register_inheritable_enum::<Anchoring, _>();
        editors.register_inheritable_enum::<CutMapping, _>();
        editors.register_inheritable_enum::<WeaknessMapping, _>();
        editors.register_inheritable_enum::<Fading, _>();
        editors.register_inheritable_enum::<MassSource, _>();
        editors.register_inheritable_enum::<OpenMesh, _>();
        editors.register_inheritable_enum::<PatternKind, _>();
        editors.register_inheritable_enum::<PatternAxis, _>();
        editors.insert(InspectablePropertyEditorDefinition::<Breaking>::new());
        editors.insert(InspectablePropertyEditorDefinition::<Inside>::new());
        editors.insert(InspectablePropertyEditorDefinition::<Held>::new());
        editors.insert(InspectablePropertyEditorDefinition::<Pieces>::new());
        editors.insert(InspectablePropertyEditorDefinition::<Strength>::new());
        #[cfg(feature = "effects")]
        crate::effects::register_property_editors(&editors);
    }

    fn on_deinit(&mut self, _context: PluginContext) -> GameResult {
        self.scenes.clear();
        self.scene_files.clear();
        Ok(())
    }

    fn update(&mut self, context: &mut PluginContext) -> GameResult {
        self.scenes.retain(|(index, generation), _| {
            context
                .scenes
                .is_valid_handle(Handle::new(*index, *generation))
        });
        for (handle, scene) in context.scenes.pair_iter_mut() {
            if !*scene.enabled {
                continue;
            }
            let settings = &self.settings;
            #[cfg(feature = "effects")]
            let sounds = &self.sounds;
            // The engine has not updated a new scene yet: no time has passed in it.
            let is_open = self.scenes.contains_key(&key(handle));
            let resources = context.resource_manager;
            let file = self.scene_files.remove(&key(handle));
            let new = || {
                let mut destruction = Destruction::new(settings.clone());
                #[cfg(feature = "effects")]
                destruction.effects.share_sounds(sounds);
                destruction.set_resources(resources);
                file.into_iter()
                    .for_each(|file| destruction.set_scene_file(file));
                destruction
            };
            let destruction = self.scenes.entry(key(handle)).or_insert_with(new);
            destruction.update(scene, if is_open { context.dt } else { 0.0 });
            if settings.send_events_to_scripts {
                let events = destruction.events_for_scripts();
                send_events_to_scripts(context.script_processor, handle, events);
            }
        }
        Ok(())
    }

    /// Begins the next step of debris, after the engine's physics and before the scene is drawn.
    fn post_update(&mut self, context: &mut PluginContext) -> GameResult {
        for (handle, scene) in context.scenes.pair_iter_mut() {
            let destruction = self.scenes.get_mut(&key(handle));
            if let Some(destruction) = destruction.filter(|_| *scene.enabled) {
                destruction.begin_next_step(scene, context.dt);
            }
        }
        Ok(())
    }
}

/// Sends events to the scripts that have subscribed to [`Event`], and to every [`Destructible`], which takes no
/// notice: the engine would warn of each message without a receiver. The plugin does so itself;
/// call this function where you update a [`Destruction`] yourself, with its [`Destruction::events_for_scripts`].
pub fn send_events_to_scripts<'a>(
    scripts: &ScriptProcessor,
    scene: Handle<Scene>,
    events: impl IntoIterator<Item = &'a Event>,
) {
    let mut scenes = scripts.scripted_scenes.iter();
    let Some(scripted) = scenes.find(|scripted| scripted.handle == scene) else {
        return;
    };
    for event in events {
        scripted.message_sender.send_global(event.clone());
    }
}

impl std::fmt::Debug for FracturePlugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FracturePlugin")
            .field("settings", &self.settings)
            .field("scenes", &self.scenes.len())
            .finish()
    }
}

fn key(scene: Handle<Scene>) -> (u32, u32) {
    (scene.index(), scene.generation())
}
