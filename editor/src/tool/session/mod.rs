//! The state of the Fracture window while it is open.

mod actions;
mod background;
mod edits;
mod preview_control;
pub(crate) mod selection;

use crate::tool::frame_time::FrameTime;
use crate::tool::impact::place_mode::PlaceImpact;
use crate::tool::impact::ImpactMarker;
use crate::tool::session::background::{CheckReport, CrackLines, CursorHit};
use crate::tool::session::selection::with_scene;
use crate::tool::session::selection::DestructibleSelection;
use crate::tool::view::comparison::CompareWith;
use crate::tool::view::preview_pair::PreviewPair;
use crate::tool::window::inspector_panel::Editors;
use crate::tool::window::{FractureWindow, APART};
use crate::{background_job::Job, commands::BakedPieces};
use fracture::{BreakPreview, FracturePattern, Impact, PreviewError};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{node::Node, Scene},
};
use fyroxed_base::{plugins::inspector::EditorEnvironment, scene::GameScene, Editor};
use std::{cell::RefCell, rc::Rc, sync::Arc};

/// The state of the Fracture window while it is open: selection, impact, preview and background jobs.
pub(crate) struct Session {
    pub window: FractureWindow,
    pub frame_time: FrameTime,
    pub selection: DestructibleSelection,
    pub sketch: Result<BreakPreview, PreviewError>,
    pub aim: Rc<RefCell<ImpactMarker>>,
    /// The impact on the object that was selected last.
    pub last_impact: Option<(Handle<Node>, Impact)>,
    pub energy: f32,
    pub preview: Option<PreviewPair>,
    /// Yaw and pitch to which the user has turned the camera.
    pub direction: Option<[f32; 2]>,
    /// How far pieces are moved apart, and the meaning of colours; kept over resets.
    pub explode: f32,
    pub colors: usize,
    /// Frames left until the object is broken again after an edit.
    pub break_in: Option<u32>,
    /// Frames left until its crack lines are computed again.
    pub cracks_in: Option<u32>,
    /// The choice of *Compare with*, and the list of choices.
    pub choice: CompareWith,
    pub choices: Vec<CompareWith>,
    /// The job that looks for pattern files.
    pub pattern_search: Option<Job<Vec<CompareWith>>>,
    pub other_seed: u32,
    /// The pattern as it was shown last, to notice changes from outside.
    pub shown: Option<FracturePattern>,
    /// Its label as it was shown last.
    pub label: String,
    /// Frames since the window was opened.
    pub age: u32,
    /// The text over the preview.
    pub notice: &'static str,
    /// Frames since the current break was started.
    pub busy: u32,
    /// Visibility that was set last: of the button that cancels a break, of the one that cancels a check
    /// or sweep, of the other seed.
    pub offered: Option<[bool; 3]>,
    pub picking: Option<Job<Result<Option<CursorHit>, PreviewError>>>,
    pub crack_job: Option<Job<Result<CrackLines, PreviewError>>>,
    pub check_job: Option<Job<CheckReport>>,
    /// Whether the job is a sweep, which reports its findings when it is cancelled.
    pub sweeping: bool,
    /// Pieces that have just been baked, to be handed to the queue.
    pub baked: Option<(Handle<Scene>, BakedPieces)>,
    /// Frames left until mesh and pattern are prepared to see whether the object can break.
    pub prepare_in: Option<u32>,
    pub prepare_job: Option<Job<Result<(), PreviewError>>>,
}

impl Session {
    pub fn new(window: FractureWindow, frame_time: FrameTime) -> Self {
        Self {
            window,
            frame_time,
            selection: DestructibleSelection::default(),
            sketch: Err(PreviewError::NotDestructible),
            aim: Default::default(),
            last_impact: None,
            energy: 2000.0,
            preview: None,
            direction: None,
            explode: APART,
            colors: 0,
            break_in: None,
            cracks_in: None,
            choice: CompareWith::Nothing,
            choices: CompareWith::ALWAYS.to_vec(),
            pattern_search: None,
            other_seed: 1,
            shown: None,
            label: String::new(),
            age: 0,
            notice: "",
            busy: 0,
            offered: None,
            picking: None,
            crack_job: None,
            check_job: None,
            sweeping: false,
            baked: None,
            prepare_in: None,
            prepare_job: None,
        }
    }

    /// Whether the editor has to keep updating.
    pub fn is_active(&self) -> bool {
        self.preview.as_ref().is_some_and(PreviewPair::is_active)
            || self.break_in.is_some()
            || self.cracks_in.is_some()
            || self.picking.is_some()
            || self.crack_job.is_some()
            || self.check_job.is_some()
            || self.pattern_search.is_some()
            || self.prepare_in.is_some()
            || self.prepare_job.is_some()
            || matches!(self.sketch, Err(PreviewError::Loading))
    }

    /// Adds the mode that places the impact to the current scene.
    pub fn add_place_mode(&self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_mut();
        if entry.controller.downcast_ref::<GameScene>().is_none() {
            return;
        }
        let modes = &mut entry.interaction_modes;
        modes.remove_typed::<PlaceImpact>();
        modes.add(PlaceImpact::new(self.aim.clone()));
    }

    /// Reads the selection and shows it.
    pub fn refresh(&mut self, editor: &mut Editor) {
        let _timed = self.frame_time.measure("looking at the selection");
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return self.show_nothing(editor);
        };
        let Ok(scene) = editor.engine.scenes.try_get(game_scene.scene) else {
            return self.show_nothing(editor);
        };
        let graph = &scene.graph;
        let selection = DestructibleSelection::of(&entry.selection, graph, &self.selection);
        let before = self.selection.main;
        let other = selection.main != before;
        self.selection = selection;
        self.sketch = match self.selection.main {
            Some(node) => BreakPreview::of(graph, node),
            None => Err(PreviewError::NotDestructible),
        };
        let status = self.selection.status(graph, &self.sketch);
        let pattern = self
            .selection
            .pattern(graph, &editor.engine.resource_manager);
        self.shown = pattern.as_ref().and_then(|shown| shown.content.clone());
        let offer = self.selection.nodes.iter().any(|node| {
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
        self.show_pattern_name(
            editor,
            pattern.map_or(String::new(), |pattern| pattern.label),
        );
        self.schedule_prepare();
        if other {
            self.aim_at(before);
            self.picking = None;
            self.crack_job = None;
            self.break_in = None;
            self.cracks_in = None;
            self.end_preview(editor);
            self.redraw_later();
            self.show_impact_text(editor);
        } else {
            self.schedule_break();
        }
    }

    /// Starts the search for pattern files.
    pub fn start_pattern_search(&mut self) {
        self.pattern_search = Some(Job::start(|_| CompareWith::all()));
    }

    /// Clears the impact of another object, or restores the one of this object.
    fn aim_at(&mut self, before: Option<Handle<Node>>) {
        let mut aim = self.aim.borrow_mut();
        if let (Some(node), Some(impact)) = (before, aim.impact.clone()) {
            self.last_impact = Some((node, impact));
        }
        aim.clear();
        let known = self.last_impact.as_ref();
        let known = known.filter(|(node, _)| Some(*node) == self.selection.main);
        aim.impact = known.map(|(_, impact)| impact.clone());
    }

    /// Builds fields that have never been shown: one panel per frame, and not in the frame in which the
    /// editor's inspector is filled, because each takes long.
    pub fn build_fields(&mut self, editor: &mut Editor) {
        if self.window.script.is_new() {
            self.show_script(editor);
        } else if self.window.pattern.is_new() && self.shown.is_some() {
            self.show_pattern(editor);
        }
    }

    fn show_script(&mut self, editor: &mut Editor) {
        let script = with_scene(editor, |graph| self.selection.script(graph).cloned()).flatten();
        if script.is_none() && self.window.script.is_new() {
            return;
        }
        let _timed = self.frame_time.measure("showing the script's fields");
        let editors = editors(editor);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.show_script(ui, script.as_ref(), &editors);
    }

    fn show_pattern(&mut self, editor: &mut Editor) {
        let _timed = self.frame_time.measure("showing the pattern's fields");
        let editors = editors(editor);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.show_pattern(ui, self.shown.as_ref(), &editors);
    }

    /// Shows the name of the pattern.
    pub fn show_pattern_name(&mut self, editor: &Editor, label: String) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_pattern_name(ui, &label);
        self.label = label;
    }

    /// Draws crack lines and faults into the scene.
    pub fn draw(&self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let camera = game_scene.camera_controller.camera;
        if let Ok(scene) = editor.engine.scenes.try_get_mut(game_scene.scene) {
            let camera = scene.graph.try_get(camera);
            let eye = camera.map(|camera| camera.global_position());
            let eye = eye.unwrap_or_default();
            self.aim.borrow().draw(&mut scene.drawing_context, eye);
        }
    }

    pub fn show_nothing(&mut self, editor: &mut Editor) {
        self.selection = DestructibleSelection::default();
        self.sketch = Err(PreviewError::NotDestructible);
        self.end_preview(editor);
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
