//! The window's buttons and fields, and the results of background jobs. Changes of the scene are undoable commands.

use super::{
    background::{self, CursorHit},
    selection::{with_graph, with_scene},
    Session,
};
use crate::{
    commands::add_destructible,
    tool::{
        impact::{describe, place_mode::PlaceImpact, sentence},
        view::comparison::CompareWith,
    },
};
use fracture::{PreviewError, PRESETS};
use fyrox::{
    core::{pool::Handle, TypeUuidProvider},
    graph::SceneGraph,
    gui::{
        button::ButtonMessage, dropdown_list::DropdownListMessage, inspector::InspectorMessage,
        message::UiMessage, numeric::NumericUpDownMessage, scroll_bar::ScrollBarMessage, UiNode,
    },
};
use fyroxed_base::{Editor, Message};
use std::sync::atomic::Ordering;

impl Session {
    /// Handles a message of the window's widgets.
    pub(crate) fn handle(&mut self, message: &UiMessage, editor: &mut Editor) {
        if let Some(ButtonMessage::Click) = message.data() {
            return self.click(message.destination(), editor);
        }
        if let Some(NumericUpDownMessage::<f32>::Value(energy)) =
            message.data_from(self.window.energy)
        {
            self.energy = *energy;
            self.schedule_break();
        }
        if let Some(NumericUpDownMessage::<f32>::Value(seed)) =
            message.data_from(self.window.other_seed)
        {
            self.other_seed = *seed as u32;
            self.schedule_break();
        }
        if let Some(ScrollBarMessage::Value(value)) = message.data_from(self.window.explode) {
            // A value that the tool itself has set is not a change by the user.
            if *value != self.explode {
                self.move_apart(*value, editor);
            }
        }
        self.handle_drop(message, editor);
        let window = &self.window;
        if let Some(InspectorMessage::PropertyChanged(change)) =
            message.data_from(window.script.inspector)
        {
            return self.set_script(change, editor);
        }
        if let Some(InspectorMessage::PropertyChanged(change)) =
            message.data_from(window.pattern.inspector)
        {
            return self.set_pattern(change, editor);
        }
        if let Some(DropdownListMessage::Selection(Some(index))) = message.data_from(window.colors)
        {
            self.colors = *index;
            if let Some(show) = &mut self.preview {
                show.set_colors(*index);
            }
        }
        if let Some(DropdownListMessage::Selection(Some(index))) = message.data_from(window.compare)
        {
            self.choice = self.choices.get(*index).cloned().unwrap_or_default();
            self.schedule_break();
        }
        let least_impulse = self.least_impulse();
        if let Some(show) = &mut self.preview {
            show.handle(message, &mut editor.engine, self.energy, least_impulse);
        }
    }

    fn click(&mut self, button: Handle<UiNode>, editor: &mut Editor) {
        let window = &self.window;
        let is = |other: Handle<fyrox::gui::button::Button>| button == other.to_base::<UiNode>();
        if is(window.add) {
            with_graph(editor, |graph| {
                add_destructible(graph, &self.selection.nodes)
            });
        } else if is(window.place) {
            let mode = Message::SetInteractionMode(PlaceImpact::type_uuid());
            editor.message_sender.send(mode);
        } else if is(window.strike) {
            self.strike(editor, false);
        } else if is(window.reset) {
            self.start_preview(editor);
        } else if is(window.fit) {
            if let Some(show) = &mut self.preview {
                show.fit();
            }
        } else if is(window.play) || is(window.step) {
            self.run(is(window.step), editor);
        } else if is(window.check) || is(window.sweep) {
            self.examine(is(window.sweep), editor);
        } else if is(window.cancel) {
            self.cancel(editor);
        } else if is(window.give_up) {
            self.end_preview(editor);
            self.show_impact_text(editor);
        } else if is(window.bake) {
            self.bake(editor);
        } else if is(window.save) {
            self.save_pattern(editor);
        } else if let Some(at) = window.presets.iter().position(|preset| is(*preset)) {
            let (name, make) = PRESETS[at];
            self.use_preset(name, make(), editor);
        }
    }

    fn move_apart(&mut self, value: f32, editor: &mut Editor) {
        self.explode = value;
        if let Some(show) = &mut self.preview {
            show.each(&mut editor.engine, |preview, scene| {
                preview.set_explode(scene, value)
            });
        }
    }

    fn run(&mut self, one: bool, editor: &mut Editor) {
        if self.preview.is_none() {
            self.start_preview(editor);
        }
        // Pieces fall from their own poses.
        self.explode = 0.0;
        self.window
            .set_explode(editor.engine.user_interfaces.first(), 0.0);
        if let Some(show) = &mut self.preview {
            let running = !show.preview().is_running();
            show.each(&mut editor.engine, |preview, scene| {
                if one {
                    preview.step(scene);
                } else {
                    preview.set_running(scene, running);
                }
            });
        }
    }

    fn examine(&mut self, sweep: bool, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        match &self.sketch {
            Ok(sketch) => {
                let start = if sweep {
                    background::sweep
                } else {
                    background::check
                };
                self.check_job = Some(start(sketch.clone()));
                self.sweeping = sweep;
                let what = if sweep { "Breaking" } else { "Checking" };
                self.window.set_report(ui, &format!("{what} ..."));
            }
            Err(error) => self.window.set_report(ui, &format!("{error}.")),
        }
    }

    fn cancel(&mut self, editor: &Editor) {
        let Some(job) = &self.check_job else {
            return;
        };
        job.progress.cancel.store(true, Ordering::Relaxed);
        let ui = editor.engine.user_interfaces.first();
        if self.sweeping {
            self.window.set_report(ui, "Cancelling ...");
        } else {
            // A cancelled check has no result.
            self.check_job = None;
            self.window.set_report(ui, "Cancelled.");
        }
    }
}

impl Session {
    pub fn update_jobs(&mut self, editor: &mut Editor) {
        if let Some(seen) = background::take_result(&mut self.picking) {
            self.apply_cursor_hit(editor, seen);
        }
        if self.picking.is_none() {
            self.start_picking();
        }
        if let Some(choices) = background::take_result(&mut self.pattern_search) {
            self.list_patterns(choices, editor);
        }
        if let Some(Err(error)) = background::take_result(&mut self.prepare_job) {
            self.show_cannot_break(editor, &error);
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
