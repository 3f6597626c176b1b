//! Actions of the artist: the window's buttons and fields, dropped patterns, baked pieces. Changes of the scene are
//! undoable commands, one each.

use super::{
    background, cards,
    dropped_asset::{dropped_asset, target, Target},
    new_file::save_new,
    selection::{pattern_of, with_graph, with_scene, ShownPattern},
    Session,
};
use crate::{
    commands::{bake, give_pattern, make_nodes_destructible, tune, BakeInput, TunePattern},
    tool::{impact::place_mode::PlaceImpact, remembered::Remembered, window::BODY_TYPES},
};
use fracture::{
    check_setup, read_stencil, Destructible, FracturePattern, FracturePatternResource,
    MaterialCard, PRESETS,
};
use fyrox::{
    asset::Resource,
    core::{log::Log, pool::Handle, TypeUuidProvider},
    graph::SceneGraph,
    gui::{
        button::ButtonMessage,
        check_box::CheckBoxMessage,
        dropdown_list::DropdownListMessage,
        inspector::{InspectorMessage, PropertyAction, PropertyChanged},
        message::UiMessage,
        numeric::NumericUpDownMessage,
        scroll_bar::ScrollBarMessage,
        widget::WidgetMessage,
        UiNode,
    },
    scene::{graph::Graph, node::Node},
};
use fyroxed_base::{command::CommandGroup, scene::GameScene, Editor, Message};
use std::sync::atomic::Ordering;

/// The folder of new pattern files.
const PATTERNS: &str = "data/patterns";

/// Most nodes of which is told what they got.
const MAX_LINES: usize = 5;

impl Session {
    /// Handles a message of the window's widgets.
    pub(crate) fn handle(&mut self, message: &UiMessage, editor: &mut Editor) {
        self.structure
            .handle(message, &self.window.structure, editor);
        if let Some(ButtonMessage::Click) = message.data() {
            return self.click(message.destination(), editor);
        }
        if let Some(NumericUpDownMessage::<f32>::Value(energy)) =
            message.data_from(self.window.impact.energy)
        {
            self.energy = *energy;
            self.schedule_break();
        }
        if let Some(NumericUpDownMessage::<f32>::Value(seed)) =
            message.data_from(self.window.view.other_seed)
        {
            self.other_seed = *seed as u32;
            self.schedule_break();
        }
        if let Some(ScrollBarMessage::Value(value)) = message.data_from(self.window.view.explode) {
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
        self.handle_choices(message);
        let least_impulse = self.least_impulse();
        if let Some(show) = &mut self.preview {
            show.handle(message, &mut editor.engine, self.energy, least_impulse);
        }
    }

    fn handle_choices(&mut self, message: &UiMessage) {
        if let Some(DropdownListMessage::Selection(Some(index))) =
            message.data_from(self.window.view.colors)
        {
            self.colors = *index;
            if let Some(show) = &mut self.preview {
                show.set_colors(*index);
            }
        }
        if let Some(DropdownListMessage::Selection(Some(index))) =
            message.data_from(self.window.body_type)
        {
            if let Some((_, body_type)) = BODY_TYPES.get(*index) {
                self.remember(|choices| choices.body_type = *body_type);
            }
        }
        if let Some(DropdownListMessage::Selection(Some(index))) =
            message.data_from(self.window.card.cards)
        {
            let card = self.cards.file(*index);
            self.remember(|choices| choices.card = card);
        }
        if let Some(DropdownListMessage::Selection(Some(index))) =
            message.data_from(self.window.card.fields)
        {
            self.cards.choose_field(*index);
        }
        if let Some(DropdownListMessage::Selection(Some(index))) =
            message.data_from(self.window.view.compare)
        {
            self.choice = self.choices.get(*index).cloned().unwrap_or_default();
            self.schedule_break();
        }
        if let Some(CheckBoxMessage::Check(Some(cook))) =
            message.data_from(self.window.keep.cook_on_save)
        {
            self.remember(|choices| choices.cook_on_save = *cook);
        }
    }

    /// Changes a choice, and keeps it for the next start of the editor.
    fn remember(&mut self, change: impl FnOnce(&mut Remembered)) {
        let before = self.remembered.clone();
        change(&mut self.remembered);
        if self.remembered != before {
            self.remembered.save();
        }
    }

    fn click(&mut self, button: Handle<UiNode>, editor: &mut Editor) {
        let window = &self.window;
        let is = |other: Handle<fyrox::gui::button::Button>| button == other.to_base::<UiNode>();
        if is(window.add) {
            self.make_destructible(editor);
        } else if is(window.impact.place) {
            let mode = Message::SetInteractionMode(PlaceImpact::type_uuid());
            editor.message_sender.send(mode);
        } else if is(window.breaking.strike) {
            self.strike(editor, false);
        } else if is(window.breaking.reset) {
            self.start_preview(editor);
        } else if is(window.breaking.fit) {
            if let Some(show) = &mut self.preview {
                show.fit();
            }
        } else if is(window.breaking.play) || is(window.breaking.step) {
            self.run(is(window.breaking.step), editor);
        } else if is(window.checks.check) || is(window.checks.sweep) {
            self.examine(is(window.checks.sweep), editor);
        } else if is(window.checks.cancel) {
            self.cancel(editor);
        } else if is(window.breaking.give_up) {
            self.end_preview(editor);
            self.show_impact_text(editor);
        } else if is(window.keep.bake) {
            self.bake(editor);
        } else if is(window.keep.save) {
            self.save_pattern(editor);
        } else if is(window.read_stencil) {
            self.read_stencil(editor);
        } else if is(window.card.lay) {
            cards::lay_chosen(self, editor);
        } else if is(window.card.take) {
            cards::take_back(self, editor);
        } else if is(window.card.save) {
            cards::save_card(self, editor);
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
        let setup = self.setup(editor);
        let ui = editor.engine.user_interfaces.first();
        match &self.sketch {
            Ok(sketch) => {
                let job = match sweep {
                    true => background::sweep(sketch.clone()),
                    false => background::check(sketch.clone(), setup),
                };
                self.check_job = Some(job);
                self.sweeping = sweep;
                let what = if sweep { "Breaking" } else { "Checking" };
                self.window.set_report(ui, &format!("{what} ..."));
            }
            Err(error) if setup.is_empty() => self.window.set_report(ui, &format!("{error}.")),
            Err(_) => self.window.set_report(ui, &setup),
        }
    }

    /// How the selected object is set up, a line for each part.
    fn setup(&self, editor: &Editor) -> String {
        let main = self.selection.main;
        let found = with_scene(editor, |graph| main.map(|main| check_setup(graph, main)));
        let findings = found.flatten().unwrap_or_default().into_iter();
        findings.map(|finding| format!("{finding}.\n")).collect()
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

    /// Changes a field of all selected scripts.
    pub(crate) fn set_script(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        with_graph(editor, |graph| {
            tune(graph, &self.selection.nodes, &field, |script| {
                apply(change, script)
            })
        });
    }

    /// Changes a field of the patterns of all selected scripts.
    pub(crate) fn set_pattern(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        let step = self.tuned(&field, editor, |content| apply(change, content));
        if let Some(step) = step {
            editor.message_sender.do_command(step);
        }
    }

    pub(crate) fn use_preset(&self, name: &str, preset: FracturePattern, editor: &mut Editor) {
        let field = format!("Preset {}", title(name));
        let tuned = self.tuned(&field, editor, |content| content.clone_from(&preset));
        let lacking = self.without_pattern(editor);
        let new = Resource::new_embedded(preset);
        let given = with_scene(editor, |graph| give_pattern(graph, &lacking, &field, &new));
        let sender = &editor.message_sender;
        match (tuned, given.flatten()) {
            (Some(tuned), Some(given)) => {
                let nodes = self.selection.nodes.len();
                let mut both = CommandGroup::default();
                both.push(tuned);
                both.push(given);
                sender.do_command(both.with_custom_name(format!("Set {field} of {nodes} Nodes")));
            }
            (Some(tuned), None) => sender.do_command(tuned),
            (None, Some(given)) => sender.do_command(given),
            (None, None) => {}
        }
    }

    /// Reads the stencils of all selected scripts from their files, and reports what was found, or the first fault.
    fn read_stencil(&self, editor: &mut Editor) {
        let resources = editor.engine.resource_manager.clone();
        let mut told = Ok("Nothing to read: select an object with a pattern.".to_owned());
        let step = self.tuned("Stencil", editor, |content| {
            if told.is_ok() {
                told = read_stencil(content, &resources);
            }
        });
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.selection.main?).ok()?;
            Some(node.name_owned())
        });
        match (told, step) {
            (Ok(text), step) => {
                self.report(editor, &text);
                if let Some(step) = step {
                    editor.message_sender.do_command(step);
                }
            }
            (Err(error), _) => {
                let text = format!("\"{}\": {error}.", name.flatten().unwrap_or_default());
                Log::err(&text);
                self.report(editor, &text);
            }
        }
    }

    /// Makes the command that changes the patterns of all selected scripts.
    fn tuned(
        &self,
        field: &str,
        editor: &Editor,
        mut change: impl FnMut(&mut FracturePattern),
    ) -> Option<TunePattern> {
        let step = |shown: ShownPattern| {
            let (resource, mut content) = (shown.resource?, shown.content?);
            let before = content.clone();
            change(&mut content);
            (content != before).then(|| TunePattern::new(resource, content, shown.path, field))
        };
        let steps = self.patterns(editor).into_iter().filter_map(step);
        steps.reduce(|all, step| all.with(step, field))
    }

    /// Returns the patterns of all selected scripts, each once.
    fn patterns(&self, editor: &Editor) -> Vec<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        let of = |graph: &Graph| {
            let nodes = self.selection.nodes.iter();
            let mut patterns: Vec<ShownPattern> = Vec::new();
            for pattern in nodes.filter_map(|node| pattern_of(graph, *node, resources)) {
                if patterns
                    .iter()
                    .all(|known| known.resource != pattern.resource)
                {
                    patterns.push(pattern);
                }
            }
            patterns
        };
        with_scene(editor, of).unwrap_or_default()
    }

    /// Returns the selected nodes whose scripts have no pattern, or one that cannot be loaded.
    fn without_pattern(&self, editor: &Editor) -> Vec<Handle<Node>> {
        let resources = &editor.engine.resource_manager;
        let lacks = |graph: &Graph, node: Handle<Node>| {
            let pattern = pattern_of(graph, node, resources);
            pattern.is_some_and(|pattern| pattern.content.is_none() && !pattern.is_loading)
        };
        let of = |graph: &Graph| {
            let nodes = self.selection.nodes.iter().copied();
            nodes.filter(|node| lacks(graph, *node)).collect()
        };
        with_scene(editor, of).unwrap_or_default()
    }

    /// Gives nodes a pattern, and the script to those that lack it.
    pub(crate) fn give(
        &self,
        nodes: &[Handle<Node>],
        pattern: FracturePatternResource,
        field: &str,
        editor: &mut Editor,
    ) {
        with_graph(editor, |graph| give_pattern(graph, nodes, field, &pattern));
    }

    /// Writes the pattern to a new file and gives the file to the selected scripts.
    pub(crate) fn save_pattern(&mut self, editor: &mut Editor) {
        let Some(shown) = self.shown_pattern(editor) else {
            return;
        };
        let content = shown.content.unwrap_or_default();
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.selection.main?).ok()?;
            Some(node.name_owned())
        });
        let name = name.flatten().unwrap_or_default();
        let Some(resource) = save_new(self, content, PATTERNS, &name, "pattern", editor) else {
            return;
        };
        self.give(&self.selection.nodes, resource, "Pattern", editor);
        self.start_pattern_search();
    }

    pub(crate) fn shown_pattern(&self, editor: &Editor) -> Option<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        with_scene(editor, |graph| self.selection.pattern(graph, resources)).flatten()
    }

    /// Gives a dropped pattern or card to its target.
    pub(crate) fn handle_drop(&self, message: &UiMessage, editor: &mut Editor) {
        let Some(&WidgetMessage::Drop(dropped)) = message.data() else {
            return;
        };
        let Some(target) = target(&self.window, message.destination(), editor) else {
            return;
        };
        if let Some(card) = dropped_asset::<MaterialCard>(dropped, "card", editor) {
            return match target {
                Target::Window => cards::lay(&self.selection.nodes, Some(card), editor),
                Target::Node(node) => cards::lay(&[node], Some(card), editor),
            };
        }
        let Some(pattern) = dropped_asset::<FracturePattern>(dropped, "pattern", editor) else {
            return;
        };
        match target {
            Target::Window => self.give(&self.selection.nodes, pattern, "Pattern", editor),
            Target::Node(node) => self.give(&[node], pattern, "Pattern", editor),
        }
    }

    /// Bakes the pieces of the preview with an undoable command.
    pub(crate) fn bake(&mut self, editor: &mut Editor) {
        let (Some(show), Ok(sketch)) = (&self.preview, &self.sketch) else {
            let text = "Nothing to bake: break the object in the preview first.";
            return self.report(editor, text);
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let handle = game_scene.scene;
        let pieces = show
            .scene(&editor.engine)
            .map(|copy| show.preview().piece_nodes(copy));
        let Ok(scene) = editor.engine.scenes.try_get_mut(handle) else {
            return;
        };
        let what = BakeInput {
            object: show.preview().object(),
            body: sketch.body(),
            meshes: sketch.meshes().to_vec(),
            pieces: pieces.unwrap_or_default(),
        };
        match bake(what, &mut scene.graph) {
            Ok(step) => {
                self.report(
                    editor,
                    "Baked: the pieces are nodes below the object, which does not break any more. \
                     Undo gives it back.",
                );
                self.baked = Some((handle, step.pieces()));
                editor.message_sender.do_command(step);
            }
            Err(error) => self.report(editor, &format!("Not baked: {error}.")),
        }
    }

    fn make_destructible(&self, editor: &mut Editor) {
        let card = cards::chosen_card(self, editor);
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let Ok(scene) = editor.engine.scenes.try_get_mut(game_scene.scene) else {
            return;
        };
        let (graph, nodes) = (&mut scene.graph, &self.selection.nodes);
        let root = game_scene.scene_content_root;
        let script = card.map_or_else(Destructible::default, Destructible::with_card);
        let body_type = self.remembered.body_type;
        let (step, texts) = make_nodes_destructible(graph, root, nodes, body_type, &script);
        if let Some(step) = step {
            editor.message_sender.do_command(step);
        }
        let mut report = texts.iter().take(MAX_LINES).cloned().collect::<Vec<_>>();
        if let Some(more) = texts.len().checked_sub(MAX_LINES + 1) {
            report.push(format!("{} more nodes.", more + 1));
        }
        self.report(editor, &report.join("\n"));
    }

    pub(super) fn report(&self, editor: &Editor, text: &str) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_report(ui, text);
    }
}

fn apply(change: &PropertyChanged, target: &mut dyn fyrox::core::reflect::Reflect) {
    let action = PropertyAction::from_field_action(&change.action);
    action.apply(&change.path(), target, &mut |result| Log::verify(result));
}

/// Returns a field's name as the inspector writes it.
fn title(field: &str) -> String {
    let words = field.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_named_as_in_the_inspector() {
        assert_eq!(title("max_radius"), "Max Radius");
        assert_eq!(title("seed"), "Seed");
        assert_eq!(title(""), "");
    }
}
