//! What the window's buttons and fields do. Everything that changes the scene is a step.

use super::{mode::PlaceImpact, subject::ShownPattern, work, Open};
use crate::commands::{add_destructible, bake, tune, SetDestructible, TunePattern};
use fracture::{Destructible, FracturePattern, FracturePatternResource, PRESETS};
use fyrox::{
    asset::{untyped::ResourceKind, Resource, ResourceData},
    core::{log::Log, pool::Handle, uuid::Uuid, TypeUuidProvider},
    graph::SceneGraph,
    gui::{
        button::ButtonMessage,
        dropdown_list::DropdownListMessage,
        inspector::{InspectorMessage, PropertyAction, PropertyChanged},
        message::UiMessage,
        numeric::NumericUpDownMessage,
        scroll_bar::ScrollBarMessage,
        UiNode,
    },
    scene::graph::Graph,
};
use fyroxed_base::{scene::GameScene, Editor, Message};
use std::path::{Path, PathBuf};

/// Where new patterns are saved.
const PATTERNS: &str = "data/patterns";

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
        if let Some(ScrollBarMessage::Value(value)) = message.data_from(window.explode) {
            self.explode = *value;
            if let Some(show) = &mut self.show {
                show.with(&mut editor.engine, |preview, scene| {
                    preview.set_explode(scene, *value)
                });
            }
        }
        if let Some(DropdownListMessage::Selection(Some(index))) = message.data_from(window.colors)
        {
            self.colors = *index;
            if let Some(show) = &mut self.show {
                show.set_colors(*index);
            }
        }
        if let Some(show) = &mut self.show {
            show.handle(message, &mut editor.engine, self.energy);
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
        } else if is(window.bake) {
            self.bake(editor);
        } else if is(window.save) {
            self.save_pattern(editor);
        } else if let Some(at) = window.presets.iter().position(|preset| is(*preset)) {
            let (name, make) = PRESETS[at];
            self.use_preset(name, make(), editor);
        }
    }

    fn run(&mut self, one: bool, editor: &mut Editor) {
        if self.show.is_none() {
            self.start_show(editor);
        }
        if let Some(show) = &mut self.show {
            show.with(&mut editor.engine, |preview, scene| match one {
                true => preview.step(scene),
                false => {
                    let running = !preview.is_running();
                    preview.set_running(scene, running);
                }
            });
        }
    }

    fn examine(&mut self, sweep: bool, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        match &self.sketch {
            Ok(sketch) => {
                let start = if sweep { work::sweep } else { work::check };
                self.working = Some(start(sketch.clone()));
                self.window.set_report(ui, "Working ...");
            }
            Err(error) => self.window.set_report(ui, &format!("{error}.")),
        }
    }

    fn cancel(&mut self, editor: &Editor) {
        if let Some(job) = &self.working {
            let flag = &job.progress.cancel;
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
            let ui = editor.engine.user_interfaces.first();
            self.window.set_report(ui, "Cancelling ...");
        }
    }

    /// Changes a field of all selected scripts.
    fn set_script(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        with_graph(editor, |graph| {
            tune(graph, &self.subject.nodes, &field, |script| {
                apply(change, script)
            })
        });
    }

    /// Changes a field of the pattern that is shown.
    fn set_pattern(&self, change: &PropertyChanged, editor: &mut Editor) {
        let Some(shown) = self.shown_pattern(editor) else {
            return;
        };
        let (Some(resource), Some(mut content)) = (shown.resource, shown.content) else {
            return;
        };
        apply(change, &mut content);
        let step = TunePattern::new(resource, content, shown.path, &title(&change.name));
        editor.message_sender.do_command(step);
    }

    fn use_preset(&self, name: &str, preset: FracturePattern, editor: &mut Editor) {
        let Some(shown) = self.shown_pattern(editor) else {
            return;
        };
        let field = format!("Preset {}", title(name));
        match (shown.resource, shown.content) {
            (Some(resource), Some(_)) => {
                let step = TunePattern::new(resource, preset, shown.path, &field);
                editor.message_sender.do_command(step);
            }
            // None yet, or one that cannot be loaded.
            _ => self.give(Resource::new_embedded(preset), &field, editor),
        }
    }

    /// Gives all selected scripts a pattern.
    fn give(&self, pattern: FracturePatternResource, field: &str, editor: &mut Editor) {
        with_graph(editor, |graph| {
            tune(
                graph,
                &self.subject.nodes,
                field,
                |script: &mut Destructible| {
                    let pattern = Some(pattern.clone());
                    script.pattern.set_value_and_mark_modified(pattern);
                },
            )
        });
    }

    /// Writes the pattern to a new file, which the scripts get in place of what they have.
    fn save_pattern(&self, editor: &mut Editor) {
        let Some(shown) = self.shown_pattern(editor) else {
            return;
        };
        let mut content = shown.content.unwrap_or_default();
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.subject.main?).ok()?;
            Some(node.name_owned())
        });
        let path = free_path(Path::new(PATTERNS), &name.flatten().unwrap_or_default());
        let saved = std::fs::create_dir_all(PATTERNS)
            .map_err(|error| error.to_string())
            .and_then(|()| content.save(&path).map_err(|error| error.to_string()));
        let ui = editor.engine.user_interfaces.first();
        if let Err(reason) = saved {
            let path = path.display();
            let text =
                format!("{path} cannot be written: {reason}; check the folder's permissions.");
            Log::err(&text);
            return self.window.set_report(ui, &text);
        }
        self.window
            .set_report(ui, &format!("Saved {}.", path.display()));
        let resource = Resource::new_ok(Uuid::new_v4(), ResourceKind::External, content);
        let manager = &editor.engine.resource_manager;
        Log::verify(manager.register(resource.clone().into_untyped(), &path));
        self.give(resource, "Pattern", editor);
    }

    fn bake(&self, editor: &mut Editor) {
        let Some(show) = &self.show else {
            let ui = editor.engine.user_interfaces.first();
            let text = "Nothing to bake: break the object in the preview first.";
            return self.window.set_report(ui, text);
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let (handle, parent) = (game_scene.scene, game_scene.scene_content_root);
        let object = show.preview.object();
        let pieces = show
            .scene(&editor.engine)
            .map(|copy| show.preview.baked(copy));
        let Ok(scene) = editor.engine.scenes.try_get_mut(handle) else {
            return;
        };
        let step = bake(object, pieces.unwrap_or_default(), &mut scene.graph, parent);
        let ui = editor.engine.user_interfaces.first();
        match step {
            Ok(step) => {
                self.window.set_report(ui, "Baked.");
                editor.message_sender.do_command(step);
            }
            Err(error) => self.window.set_report(ui, &format!("Not baked: {error}.")),
        }
    }

    fn shown_pattern(&self, editor: &Editor) -> Option<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        with_scene(editor, |graph| self.subject.pattern(graph, resources)).flatten()
    }
}

fn with_scene<R>(editor: &Editor, act: impl FnOnce(&Graph) -> R) -> Option<R> {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>()?;
    let scene = editor.engine.scenes.try_get(game_scene.scene).ok()?;
    Some(act(&scene.graph))
}

/// Sends the step that a look at the scene gives, if any.
fn with_graph(editor: &Editor, step: impl FnOnce(&Graph) -> Option<SetDestructible>) {
    if let Some(step) = with_scene(editor, step).flatten() {
        editor.message_sender.do_command(step);
    }
}

fn apply(change: &PropertyChanged, target: &mut dyn fyrox::core::reflect::Reflect) {
    let action = PropertyAction::from_field_action(&change.action);
    action.apply(&change.path(), target, &mut |result| Log::verify(result));
}

/// A field's name as the inspector writes it.
fn title(field: &str) -> String {
    let words = field.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A file in the folder that does not exist yet, named after an object.
fn free_path(folder: &Path, name: &str) -> PathBuf {
    let letter = |c: char| match c {
        c if c.is_alphanumeric() => c.to_ascii_lowercase(),
        _ => '_',
    };
    let name: String = name.chars().map(letter).collect();
    let name = if name.is_empty() {
        "pattern".into()
    } else {
        name
    };
    let plain = folder.join(format!("{name}.pattern"));
    let numbered = (2..).map(|n: u32| folder.join(format!("{name}_{n}.pattern")));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|path| !path.exists())
        .unwrap_or(plain)
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

    #[test]
    fn a_new_file_overwrites_none() {
        let folder = std::env::temp_dir().join(format!("fracture-free-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let first = free_path(&folder, "Old Wall/7");
        assert!(first.ends_with("old_wall_7.pattern"));
        std::fs::write(&first, "").unwrap();
        assert!(free_path(&folder, "Old Wall/7").ends_with("old_wall_7_2.pattern"));
        assert!(free_path(&folder, "").ends_with("pattern.pattern"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
