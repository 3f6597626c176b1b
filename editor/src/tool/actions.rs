//! What the window's buttons and fields do. Everything that changes the scene is a step.

use super::{current::with_graph, mode::PlaceImpact, open::Open, work};
use crate::commands::add_destructible;
use fracture::PRESETS;
use fyrox::{
    core::{pool::Handle, TypeUuidProvider},
    gui::{
        button::ButtonMessage, dropdown_list::DropdownListMessage, inspector::InspectorMessage,
        message::UiMessage, numeric::NumericUpDownMessage, scroll_bar::ScrollBarMessage, UiNode,
    },
};
use fyroxed_base::{Editor, Message};
use std::sync::atomic::Ordering;

impl Open {
    /// Takes a message of the window's widgets.
    pub(super) fn handle(&mut self, message: &UiMessage, editor: &mut Editor) {
        if let Some(ButtonMessage::Click) = message.data() {
            return self.click(message.destination(), editor);
        }
        if let Some(NumericUpDownMessage::<f32>::Value(energy)) =
            message.data_from(self.window.energy)
        {
            self.energy = *energy;
            self.rebreak_later();
        }
        if let Some(NumericUpDownMessage::<f32>::Value(seed)) =
            message.data_from(self.window.other_seed)
        {
            self.other_seed = *seed as u32;
            self.rebreak_later();
        }
        if let Some(ScrollBarMessage::Value(value)) = message.data_from(self.window.explode) {
            // What is only shown is no wish of the user.
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
            if let Some(show) = &mut self.show {
                show.set_colors(*index);
            }
        }
        if let Some(DropdownListMessage::Selection(Some(index))) = message.data_from(window.compare)
        {
            self.choice = self.choices.get(*index).cloned().unwrap_or_default();
            self.rebreak_later();
        }
        let blow = (self.energy, self.least_impulse());
        if let Some(show) = &mut self.show {
            show.handle(message, &mut editor.engine, blow);
        }
    }

    fn click(&mut self, button: Handle<UiNode>, editor: &mut Editor) {
        let window = &self.window;
        let is = |other: Handle<fyrox::gui::button::Button>| button == other.to_base::<UiNode>();
        if is(window.add) {
            with_graph(editor, |graph| add_destructible(graph, &self.subject.nodes));
        } else if is(window.place) {
            let mode = Message::SetInteractionMode(PlaceImpact::type_uuid());
            editor.message_sender.send(mode);
        } else if is(window.strike) {
            self.strike(editor, false);
        } else if is(window.reset) {
            self.start_show(editor);
        } else if is(window.play) || is(window.step) {
            self.run(is(window.step), editor);
        } else if is(window.check) || is(window.sweep) {
            self.examine(is(window.sweep), editor);
        } else if is(window.cancel) {
            self.cancel(editor);
        } else if is(window.give_up) {
            self.end_show(editor);
            self.tell_impact(editor);
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
        if let Some(show) = &mut self.show {
            show.each(&mut editor.engine, |preview, scene| {
                preview.set_explode(scene, value)
            });
        }
    }

    fn run(&mut self, one: bool, editor: &mut Editor) {
        if self.show.is_none() {
            self.start_show(editor);
        }
        // Pieces fall from where they belong.
        self.explode = 0.0;
        self.window
            .set_explode(editor.engine.user_interfaces.first(), 0.0);
        if let Some(show) = &mut self.show {
            let running = !show.preview().is_running();
            show.each(&mut editor.engine, |preview, scene| match one {
                true => preview.step(scene),
                false => preview.set_running(scene, running),
            });
        }
    }

    fn examine(&mut self, sweep: bool, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        match &self.sketch {
            Ok(sketch) => {
                let start = if sweep { work::sweep } else { work::check };
                self.working = Some(start(sketch.clone()));
                self.sweeping = sweep;
                let what = if sweep { "Breaking" } else { "Checking" };
                self.window.set_report(ui, &format!("{what} ..."));
            }
            Err(error) => self.window.set_report(ui, &format!("{error}.")),
        }
    }

    fn cancel(&mut self, editor: &Editor) {
        let Some(job) = &self.working else {
            return;
        };
        job.progress.cancel.store(true, Ordering::Relaxed);
        let ui = editor.engine.user_interfaces.first();
        if self.sweeping {
            self.window.set_report(ui, "Cancelling ...");
        } else {
            // Half a check is none.
            self.working = None;
            self.window.set_report(ui, "Cancelled.");
        }
    }
}
