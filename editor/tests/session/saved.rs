//! Saved scenes, compared.

use std::{fs, path::Path};

/// Before the random id that every copy of a node gets.
const ID: &str = "InstanceId<uuid:";
/// Its length.
const LENGTH: usize = 36;

/// A scene file without the random ids of its nodes.
pub fn content(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a saved scene");
    let mut parts = text.split(ID);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut all, part| {
        all.push_str(&part[LENGTH..]);
        all
    })
}
