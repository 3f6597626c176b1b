//! Edits of scripts and patterns, each one step.

use super::{
    current::{with_graph, with_scene},
    open::Open,
    subject::{pattern_of, ShownPattern},
};
use crate::commands::{give_pattern, tune, TunePattern};
use fracture::{FracturePattern, FracturePatternResource};
use fyrox::{
    asset::{untyped::ResourceKind, Resource, ResourceData},
    core::{log::Log, pool::Handle, uuid::Uuid},
    graph::SceneGraph,
    gui::inspector::{PropertyAction, PropertyChanged},
    scene::{graph::Graph, node::Node},
};
use fyroxed_base::{command::CommandGroup, Editor};
use std::path::{Path, PathBuf};

/// Where new patterns are saved.
const PATTERNS: &str = "data/patterns";

impl Open {
    /// Changes a field of all selected scripts.
    pub(super) fn set_script(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        with_graph(editor, |graph| {
            tune(graph, &self.subject.nodes, &field, |script| {
                apply(change, script)
            })
        });
    }

    /// Changes a field of the patterns of all selected scripts.
    pub(super) fn set_pattern(&self, change: &PropertyChanged, editor: &mut Editor) {
        let field = title(&change.name);
        let step = self.tuned(&field, editor, |content| apply(change, content));
        if let Some(step) = step {
            editor.message_sender.do_command(step);
        }
    }

    pub(super) fn use_preset(&self, name: &str, preset: FracturePattern, editor: &mut Editor) {
        let field = format!("Preset {}", title(name));
        let tuned = self.tuned(&field, editor, |content| content.clone_from(&preset));
        let lacking = self.without_pattern(editor);
        let new = Resource::new_embedded(preset);
        let given = with_scene(editor, |graph| give_pattern(graph, &lacking, &field, &new));
        let sender = &editor.message_sender;
        match (tuned, given.flatten()) {
            (Some(tuned), Some(given)) => {
                let nodes = self.subject.nodes.len();
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

    /// The step that changes the patterns of all selected scripts.
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

    /// The patterns of all selected scripts, each once.
    fn patterns(&self, editor: &Editor) -> Vec<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        let of = |graph: &Graph| {
            let nodes = self.subject.nodes.iter();
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

    /// The selected nodes whose scripts have no pattern, or one that cannot be loaded.
    fn without_pattern(&self, editor: &Editor) -> Vec<Handle<Node>> {
        let resources = &editor.engine.resource_manager;
        let lacks = |graph: &Graph, node: Handle<Node>| {
            let pattern = pattern_of(graph, node, resources);
            pattern.is_some_and(|pattern| pattern.content.is_none() && !pattern.is_loading)
        };
        let of = |graph: &Graph| {
            let nodes = self.subject.nodes.iter().copied();
            nodes.filter(|node| lacks(graph, *node)).collect()
        };
        with_scene(editor, of).unwrap_or_default()
    }

    /// Gives nodes a pattern, and the script to those that do not have it.
    pub(super) fn give(
        &self,
        nodes: &[Handle<Node>],
        pattern: FracturePatternResource,
        field: &str,
        editor: &mut Editor,
    ) {
        with_graph(editor, |graph| give_pattern(graph, nodes, field, &pattern));
    }

    /// Writes the pattern to a new file, which the scripts get in place of what they have.
    pub(super) fn save_pattern(&mut self, editor: &mut Editor) {
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
        self.give(&self.subject.nodes, resource, "Pattern", editor);
        self.look_for_patterns();
    }

    pub(super) fn shown_pattern(&self, editor: &Editor) -> Option<ShownPattern> {
        let resources = &editor.engine.resource_manager;
        with_scene(editor, |graph| self.subject.pattern(graph, resources)).flatten()
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
