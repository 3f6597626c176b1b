//! Saved scenes, compared byte for byte.

use crate::driver::{then, until, Step};
use fyroxed_base::{Editor, Message};
use std::{fs, path::PathBuf};

/// Before the id of a node, which the editor itself draws by lot each time it saves.
const ID: &str = "InstanceId<uuid:";
/// Its length.
const LENGTH: usize = 36;
/// In the line with the place of the editor's camera.
const LISTENER: &str = "Listener[";

/// Saves the scene that is looked at under another name.
pub fn save(editor: &mut Editor, name: &str) {
    let id = editor.scenes.current_scene_entry_ref().id;
    let path = path(name);
    editor.message_sender.send(Message::SaveScene { id, path });
}

/// The file of a saved scene.
pub fn path(name: &str) -> PathBuf {
    format!("data/scenes/{name}.rgs").into()
}

/// Saves the scene, before the tool has been opened or after it has done something, and makes sure
/// that the file is the same to the last byte as that of another save, but for the ids.
pub fn is_as(name: &'static str, other: &'static str) -> Vec<Step> {
    vec![
        then(&format!("the scene is saved: {name}"), move |editor| {
            save(editor, name)
        }),
        until("its file is there", move |_| path(name).exists()),
        then(&format!("it is as {other}"), move |_| {
            assert_eq!(different(name, other), None, "{name} differs from {other}");
        }),
    ]
}

/// Empties a saved file, to see whether the editor writes it again.
pub fn empty(name: &str) {
    fs::write(path(name), "").expect("a saved scene");
}

/// Whether two files that the editor has written are equal.
pub fn same(name: &str, other: &str) -> bool {
    !content(name).is_empty() && different(name, other).is_none()
}

/// The first lines that differ.
fn different(name: &str, other: &str) -> Option<(String, String)> {
    let [a, b] = [name, other].map(content);
    assert!(a.len() > 10_000, "{name} has {} bytes", a.len());
    let lines = a.lines().zip(b.lines());
    let first = lines
        .filter(|(a, b)| a != b)
        .map(|(a, b)| (a.into(), b.into()));
    let other_length = (a.len() != b.len()).then(|| ("length".into(), "length".into()));
    first.into_iter().next().or(other_length)
}

/// A scene file without the ids of its nodes, and without the place of the editor's camera, where it has the listener.
fn content(name: &str) -> String {
    let text = fs::read_to_string(path(name)).expect("a saved scene");
    let lines = text.split_inclusive('\n');
    let text: String = lines.filter(|line| !line.contains(LISTENER)).collect();
    let mut parts = text.split(ID);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut all, part| {
        all.push_str(&part[LENGTH..]);
        all
    })
}
