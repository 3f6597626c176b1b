//! Opening a session; showing the selection and the results of background jobs.

use super::{
    background::{self, CursorHit},
    cards,
    selection::{current_scene, with_scene, DestructibleSelection},
    Session,
};
use crate::{
    background_job::Job,
    tool::{
        frame_time::FrameTime,
        impact::{describe, place_mode::PlaceImpact, sentence},
        remembered::Remembered,
        view::{comparison::CompareWith, preview_pair::PreviewPair},
        window::{inspector_panel::Editors, FractureWindow, APART},
    },
};
use fracture::{BreakPreview, PreviewError};
use fyrox::{core::pool::Handle, graph::SceneGraph, scene::node::Node};
use fyroxed_base::{plugins::inspector::EditorEnvironment, scene::GameScene, Editor};
use std::sync::Arc;

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
            remembered: Remembered::load(),
            cards: Default::default(),
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
            structure: Default::default(),
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
            || self.cards.is_active()
            || self.prepare_in.is_some()
            || self.prepare_job.is_some()
            || self.structure.is_active()
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
        let selection = DestructibleSelection::of(&entry.selection, &scene.graph, &self.selection);
        let before = self.selection.main;
        let other = selection.main != before;
        self.selection = selection;
        cards::show_figures(self, editor);
        let Some(scene) = current_scene(editor) else {
            return;
        };
        let graph = &scene.graph;
        self.sketch = match self.selection.main {
            Some(node) => BreakPreview::of(graph, node),
            None => Err(PreviewError::NotDestructible),
        };
        let status = self.selection.status(graph, &self.sketch);
        let pattern = self
            .selection
            .pattern(graph, &editor.engine.resource_manager);
        self.shown = pattern.as_ref().and_then(|shown| shown.content.clone());
        let offer = self.selection.lacks_script(graph);
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
        cards::show_card(self, editor);
        self.schedule_prepare();
        if other {
            self.turn_to_other(before, editor);
        } else {
            self.schedule_break();
        }
    }

    /// Ends what belongs to the object that was selected before.
    fn turn_to_other(&mut self, before: Option<Handle<Node>>, editor: &mut Editor) {
        self.aim_at(before);
        self.picking = None;
        self.crack_job = None;
        self.break_in = None;
        self.cracks_in = None;
        self.end_preview(editor);
        self.redraw_later();
        self.show_impact_text(editor);
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
            self.structure.draw(&mut scene.drawing_context, eye);
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

    pub fn update_jobs(&mut self, editor: &mut Editor) {
        if let Some(seen) = background::take_result(&mut self.picking) {
            self.apply_cursor_hit(editor, seen);
        }
        if self.picking.is_none() {
            self.start_picking();
        }
        cards::list_cards(self, editor);
        if let Some(choices) = background::take_result(&mut self.pattern_search) {
            self.list_patterns(choices, editor);
        }
        if let Some(prepared) = background::take_result(&mut self.prepare_job) {
            if let Err(error) = &prepared {
                self.show_cannot_break(editor, error);
            }
            self.aim.borrow_mut().weak = prepared.unwrap_or_default();
        }
        if let Some(Ok(cracks)) = background::take_result(&mut self.crack_job) {
            let mut aim = self.aim.borrow_mut();
            (aim.near, aim.far, aim.radius) = (cracks.near, cracks.far, cracks.radius);
            drop(aim);
            if self.preview.is_none() {
                self.show_impact_text(editor);
            }
        }
        let ui = editor.engine.user_interfaces.first();
        if let Some(job) = &self.check_job {
            let share = job.progress.done() as f32 / background::SWEEP as f32;
            self.window.set_progress(ui, share);
        }
        if let Some(report) = background::take_result(&mut self.check_job) {
            self.window.set_report(ui, &report.text);
            let mut aim = self.aim.borrow_mut();
            aim.faults = report.places;
            aim.mark = report.mark;
            aim.faulty = report.edges;
        }
    }

    /// Fills the list *Compare with*, keeping the choice.
    fn list_patterns(&mut self, choices: Vec<CompareWith>, editor: &mut Editor) {
        let _timed = self.frame_time.measure("listing patterns");
        let chosen = choices.iter().position(|choice| *choice == self.choice);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.set_choices(ui, &choices, chosen);
        self.choices = choices;
    }

    pub fn start_preparing(&mut self) {
        if let Ok(sketch) = &self.sketch {
            self.prepare_job = Some(background::prepare(sketch.clone()));
        }
    }

    /// Shows that an object that seemed sound cannot break, and why.
    fn show_cannot_break(&self, editor: &Editor, error: &PreviewError) {
        let Ok(sketch) = &self.sketch else {
            return;
        };
        let advice = sketch.advice(error);
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.selection.main?).ok()?;
            Some(node.name_owned())
        });
        let name = name.flatten().unwrap_or_default();
        let ui = editor.engine.user_interfaces.first();
        self.window
            .set_status(ui, &format!("\"{name}\" cannot break: {advice}."));
    }

    pub fn start_picking(&mut self) {
        let mut aim = self.aim.borrow_mut();
        let (Some(look), Ok(sketch)) = (aim.look.take(), &self.sketch) else {
            return;
        };
        let impact = aim.impact.clone();
        self.picking = Some(background::pick(sketch.clone(), look, self.energy, impact));
    }

    pub fn apply_cursor_hit(
        &mut self,
        editor: &mut Editor,
        seen: Result<Option<CursorHit>, PreviewError>,
    ) {
        let ui = editor.engine.user_interfaces.first();
        let seen = match seen {
            Ok(seen) => seen,
            Err(error) => return self.window.set_impact(ui, &sentence(&error.to_string())),
        };
        {
            let mut aim = self.aim.borrow_mut();
            aim.hover.clear();
            match seen {
                Some(seen) if seen.placed => {
                    aim.impact = Some(seen.blow);
                    aim.radius = seen.radius;
                    aim.near = seen.lines;
                    aim.far.clear();
                }
                Some(seen) => {
                    aim.hover = seen.lines;
                    return;
                }
                None => return,
            }
        }
        self.show_impact_text(editor);
        self.show_impact();
    }

    pub fn draw_cracks(&mut self) {
        if let (Ok(sketch), Some(impact)) = (&self.sketch, self.impact()) {
            self.crack_job = Some(background::cracks(sketch.clone(), impact));
        }
    }

    pub fn show_impact_text(&self, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_impact(ui, &describe(&self.aim.borrow()));
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
