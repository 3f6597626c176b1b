//! The tool while its window is open: what is selected, and the window that shows it.

use super::{
    aim::Aim,
    current::with_scene,
    mode::PlaceImpact,
    rival::Choice,
    sheet::Editors,
    show::Show,
    subject::Subject,
    watch::Watch,
    window::{FractureWindow, APART},
    work::{Cracks, Report, Seen},
};
use crate::{commands::BakedPieces, job::Job};
use fracture::{BreakPreview, FracturePattern, Impact, SketchError};
use fyrox::{
    core::pool::Handle,
    scene::{node::Node, Scene},
};
use fyroxed_base::{plugins::inspector::EditorEnvironment, scene::GameScene, Editor};
use std::{cell::RefCell, rc::Rc, sync::Arc};

/// The tool while its window is open.
pub(super) struct Open {
    pub window: FractureWindow,
    pub watch: Watch,
    pub subject: Subject,
    pub sketch: Result<BreakPreview, SketchError>,
    pub aim: Rc<RefCell<Aim>>,
    /// Where the impact was on the object that was selected last.
    pub placed: Option<(Handle<Node>, Impact)>,
    pub energy: f32,
    pub show: Option<Show>,
    /// Where the user has turned the view to.
    pub direction: Option<[f32; 2]>,
    /// How far pieces are moved apart, and what colours mean: kept over resets.
    pub explode: f32,
    pub colors: usize,
    /// Counts down to breaking the object anew after an edit.
    pub rebreak: Option<u32>,
    /// Counts down to drawing its cracks anew.
    pub redraw: Option<u32>,
    /// What the preview is compared with, of what there is to choose from.
    pub choice: Choice,
    pub choices: Vec<Choice>,
    /// Looks for pattern files.
    pub searching: Option<Job<Vec<Choice>>>,
    pub other_seed: u32,
    /// The pattern as it was shown last, to notice when it changes by itself.
    pub shown: Option<FracturePattern>,
    /// What was said about it.
    pub label: String,
    /// Frames since the window was opened.
    pub age: u32,
    /// Frames that a break has been computed for.
    pub busy: u32,
    /// What was offered last: to give up a break, to cancel a check or sweep, another seed.
    pub offered: Option<[bool; 3]>,
    pub looking: Option<Job<Result<Option<Seen>, SketchError>>>,
    pub drawing: Option<Job<Result<Cracks, SketchError>>>,
    pub working: Option<Job<Report>>,
    /// Whether that is a sweep, which tells what it has found when it is cancelled.
    pub sweeping: bool,
    /// What has just been baked, to be brought into the scene.
    pub baked: Option<(Handle<Scene>, BakedPieces)>,
    /// Whether the object can break at all is found out once edits have settled.
    pub prepare: Option<u32>,
    pub preparing: Option<Job<Result<(), SketchError>>>,
}

impl Open {
    pub fn new(window: FractureWindow, watch: Watch) -> Self {
        Self {
            window,
            watch,
            subject: Subject::default(),
            sketch: Err(SketchError::NotDestructible),
            aim: Default::default(),
            placed: None,
            energy: 2000.0,
            show: None,
            direction: None,
            explode: APART,
            colors: 0,
            rebreak: None,
            redraw: None,
            choice: Choice::Nothing,
            choices: Choice::ALWAYS.to_vec(),
            searching: None,
            other_seed: 1,
            shown: None,
            label: String::new(),
            age: 0,
            busy: 0,
            offered: None,
            looking: None,
            drawing: None,
            working: None,
            sweeping: false,
            baked: None,
            prepare: None,
            preparing: None,
        }
    }

    /// Whether the editor must not go to sleep.
    pub fn is_active(&self) -> bool {
        self.show.as_ref().is_some_and(Show::is_active)
            || self.rebreak.is_some()
            || self.redraw.is_some()
            || self.looking.is_some()
            || self.drawing.is_some()
            || self.working.is_some()
            || self.searching.is_some()
            || self.prepare.is_some()
            || self.preparing.is_some()
            || matches!(self.sketch, Err(SketchError::Loading))
    }

    /// Lets the impact be placed in the current scene.
    pub fn offer_mode(&self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_mut();
        if entry.controller.downcast_ref::<GameScene>().is_none() {
            return;
        }
        let modes = &mut entry.interaction_modes;
        modes.remove_typed::<PlaceImpact>();
        modes.add(PlaceImpact::new(self.aim.clone()));
    }

    /// Looks at the selection anew and shows it.
    pub fn refresh(&mut self, editor: &mut Editor) {
        let _turn = self.watch.over("looking at the selection");
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return self.show_nothing(editor);
        };
        let Ok(scene) = editor.engine.scenes.try_get(game_scene.scene) else {
            return self.show_nothing(editor);
        };
        let graph = &scene.graph;
        let subject = Subject::of(&entry.selection, graph, &self.subject);
        let before = self.subject.main;
        let other = subject.main != before;
        self.subject = subject;
        self.sketch = match self.subject.main {
            Some(node) => BreakPreview::of(graph, node),
            None => Err(SketchError::NotDestructible),
        };
        let status = self.subject.status(graph, &self.sketch);
        let pattern = self.subject.pattern(graph, &editor.engine.resource_manager);
        self.shown = pattern.as_ref().and_then(|shown| shown.content.clone());
        let offer = self.subject.nodes.iter().any(|node| {
            let script = graph.try_get_script_of::<fracture::Destructible>(*node);
            script.is_err()
        });
        let ui = editor.engine.user_interfaces.first();
        self.window.set_status(ui, &status);
        self.window.set_offer(ui, offer);
        if !self.window.script.is_new() {
            self.show_script(editor);
        }
        if !self.window.pattern.is_new() {
            self.show_pattern(editor);
        }
        self.tell_pattern(
            editor,
            pattern.map_or(String::new(), |pattern| pattern.label),
        );
        self.prepare_later();
        if other {
            self.aim_at(before);
            self.looking = None;
            self.drawing = None;
            self.rebreak = None;
            self.redraw = None;
            self.end_show(editor);
            self.redraw_later();
            self.tell_impact(editor);
        } else {
            self.rebreak_later();
        }
    }

    /// Looks for the pattern files that there are to be compared with.
    pub fn look_for_patterns(&mut self) {
        self.searching = Some(Job::start(|_| Choice::all()));
    }

    /// Forgets the impact of another object, or takes up the one that this object had.
    fn aim_at(&mut self, before: Option<Handle<Node>>) {
        let mut aim = self.aim.borrow_mut();
        if let (Some(node), Some(impact)) = (before, aim.impact.clone()) {
            self.placed = Some((node, impact));
        }
        aim.clear();
        let known = self.placed.as_ref();
        let known = known.filter(|(node, _)| Some(*node) == self.subject.main);
        aim.impact = known.map(|(_, impact)| impact.clone());
    }

    /// Builds fields that have never been shown: one sheet in a frame, and not in that in which the
    /// editor's inspector is filled, because each takes long.
    pub fn build_fields(&mut self, editor: &mut Editor) {
        if self.window.script.is_new() {
            self.show_script(editor);
        } else if self.window.pattern.is_new() && self.shown.is_some() {
            self.show_pattern(editor);
        }
    }

    fn show_script(&mut self, editor: &mut Editor) {
        let script = with_scene(editor, |graph| self.subject.script(graph).cloned()).flatten();
        if script.is_none() && self.window.script.is_new() {
            return;
        }
        let _turn = self.watch.over("showing the script's fields");
        let editors = editors(editor);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.show_script(ui, script.as_ref(), &editors);
    }

    fn show_pattern(&mut self, editor: &mut Editor) {
        let _turn = self.watch.over("showing the pattern's fields");
        let editors = editors(editor);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.show_pattern(ui, self.shown.as_ref(), &editors);
    }

    /// Says which pattern is shown.
    pub fn tell_pattern(&mut self, editor: &Editor, label: String) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_pattern_name(ui, &label);
        self.label = label;
    }

    /// Draws cracks and faults into the scene.
    pub fn draw(&self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        if let Ok(scene) = editor.engine.scenes.try_get_mut(game_scene.scene) {
            self.aim.borrow().draw(&mut scene.drawing_context);
        }
    }

    pub fn show_nothing(&mut self, editor: &mut Editor) {
        self.subject = Subject::default();
        self.sketch = Err(SketchError::NotDestructible);
        self.end_show(editor);
        let ui = editor.engine.user_interfaces.first();
        self.window
            .set_status(ui, "Open a scene and select a node in it.");
        self.window.set_offer(ui, false);
    }
}

fn editors(editor: &Editor) -> Editors {
    let engine = &editor.engine;
    Editors {
        definitions: editor.property_editors.clone(),
        environment: Arc::new(EditorEnvironment {
            resource_manager: engine.resource_manager.clone(),
            serialization_context: engine.serialization_context.clone(),
            dyn_type_constructors: engine.dyn_type_constructors.clone(),
            available_animations: Vec::new(),
            sender: editor.message_sender.clone(),
            icon_request_sender: editor.asset_browser.preview_sender.clone(),
            style: Some(engine.user_interfaces.first().style().clone()),
        }),
    }
}
