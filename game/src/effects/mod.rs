//! Dust, sounds and marks of a scene, by the scripts that are in it.
//!
//! The scripts hold settings only; their nodes are found as destructibles are, and what is shown and played is added to
//! the scene as nodes with a tag of their own. A scene with effects has its bodies in the same order as one without, so
//! what happens in it is the same.

mod clouds;
mod effect;
mod effect_nodes;
mod effect_script;
mod marks;
mod pictures;
mod scripts;
mod sound_bank;
mod surface_kind;
mod synthesis;
mod tagged_rows;
mod voices;

pub use effect::SoundCause;
pub use scripts::{BreakDust, BreakSounds, ImpactMarks, OwnDust, OwnMark, OwnSound};
pub(crate) use sound_bank::SoundBank;

use crate::{events::Event, fault::FaultLog};
use clouds::Clouds;
use effect::Effect;
use effect_nodes::remove_leftovers;
use effect_script::EffectScript;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    gui::inspector::editors::{
        inspectable::InspectablePropertyEditorDefinition, PropertyEditorDefinitionContainer,
    },
    scene::{node::Node, Scene},
    script::constructor::ScriptConstructorContainer,
};
use marks::Marks;
use voices::Voices;

/// The impulse from which on contacts have effects, N s.
const REPORTED: f32 = 6.0;

/// The effects of a scene.
#[derive(Default)]
pub(crate) struct Effects {
    dust: Option<Found<BreakDust>>,
    sounds: Option<Found<BreakSounds>>,
    marks: Option<Found<ImpactMarks>>,
    clouds: Clouds,
    voices: Voices,
    shown_marks: Marks,
    /// Whether what was saved with the scene has been removed.
    is_clean: bool,
}

/// A script in the scene.
struct Found<S> {
    node: Handle<Node>,
    script: S,
}

/// Registers the scripts.
pub(crate) fn register(constructors: &ScriptConstructorContainer) {
    constructors
        .add::<BreakDust>("BreakDust")
        .add::<BreakSounds>("BreakSounds")
        .add::<ImpactMarks>("ImpactMarks");
}

/// Registers the editors of the scripts' fields.
pub(crate) fn register_property_editors(editors: &PropertyEditorDefinitionContainer) {
    editors.register_inheritable_enum::<SoundCause, _>();
    editors.insert(InspectablePropertyEditorDefinition::<OwnDust>::new());
    editors.insert(InspectablePropertyEditorDefinition::<OwnSound>::new());
    editors.insert(InspectablePropertyEditorDefinition::<OwnMark>::new());
    editors.register_inheritable_vec_collection::<OwnDust>();
    editors.register_inheritable_vec_collection::<OwnSound>();
    editors.register_inheritable_vec_collection::<OwnMark>();
}

impl Effects {
    /// Looks for the scripts on a node.
    pub fn inspect(&mut self, handle: Handle<Node>, node: &Node, faults: &mut FaultLog) {
        refresh(&mut self.dust, handle, node, faults);
        refresh(&mut self.sounds, handle, node, faults);
        refresh(&mut self.marks, handle, node, faults);
    }

    /// Takes sounds that are made once for several scenes.
    pub fn share_sounds(&mut self, bank: &SoundBank) {
        self.voices.bank = bank.clone();
    }

    /// The impulse from which on contacts are to be reported, N s, given the one that the game asks for.
    pub fn reported_contacts(&self, asked: f32) -> f32 {
        let any = self.dust.is_some() || self.sounds.is_some() || self.marks.is_some();
        if any {
            asked.min(REPORTED)
        } else {
            asked
        }
    }

    /// Number of sounds that have begun.
    pub fn sounds_played(&self) -> usize {
        self.voices.played()
    }

    /// Shows and plays the events of an update of some seconds. In runs that have to be repeatable it waits until the sounds
    /// are made.
    pub fn update<'a>(
        &mut self,
        scene: &mut Scene,
        events: impl Iterator<Item = &'a Event> + Clone,
        dt: f32,
        repeatable: bool,
    ) {
        drop_removed(&mut self.dust, scene);
        drop_removed(&mut self.sounds, scene);
        drop_removed(&mut self.marks, scene);
        if !std::mem::replace(&mut self.is_clean, true) {
            remove_leftovers(&mut scene.graph);
        }
        let effects = Effect::of_events(events.clone());
        match &self.dust {
            Some(dust) => self.clouds.update(scene, &dust.script, &effects, dt),
            None => self.clouds.clear(&mut scene.graph),
        }
        if repeatable && self.sounds.is_some() {
            self.voices.bank.wait();
        }
        let graph = &mut scene.graph;
        match &self.sounds {
            Some(sounds) => self.voices.update(graph, &sounds.script, &effects, dt),
            None => self.voices.clear(graph),
        }
        match &self.marks {
            Some(marks) => self.shown_marks.update(graph, &marks.script, events, dt),
            None => self.shown_marks.clear(graph),
        }
    }
}

/// Takes over what a node says of a script: the first one that has been found counts.
fn refresh<S: EffectScript>(
    found: &mut Option<Found<S>>,
    handle: Handle<Node>,
    node: &Node,
    faults: &mut FaultLog,
) {
    if found.as_ref().is_some_and(|found| found.node != handle) {
        return;
    }
    let script = node.try_get_script::<S>().cloned();
    let script = script.filter(|_| node.is_globally_enabled());
    *found = script.map(|mut script| {
        let refusals = script.mend().into_iter();
        let refusals = refusals.map(|refusal| format!("{refusal}. It is taken as in a new script"));
        for fault in refusals.chain(script.file_faults()) {
            faults.report_once(node.name(), fault);
        }
        Found {
            node: handle,
            script,
        }
    });
}

/// Drops a script whose node has been removed or is disabled.
fn drop_removed<S>(found: &mut Option<Found<S>>, scene: &Scene) {
    let is_on = |found: &Found<S>| {
        let node = scene.graph.try_get_node(found.node);
        node.is_ok_and(|node| node.is_globally_enabled())
    };
    *found = found.take().filter(is_on);
}
