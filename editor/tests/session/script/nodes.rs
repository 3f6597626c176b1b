//! Nodes that become destructible, one and many.

use super::{script, select};
use crate::{
    driver::{click, last_command, text, then, undo, until, Step},
    saved,
};
use editor::tool::ids;
use std::{fs, path::Path};

pub fn steps() -> Vec<Step> {
    vec![
        then("the foundation is selected", |editor| {
            select(editor, "Foundation")
        }),
        until("the window says what it lacks", |editor| {
            text(editor, ids::STATUS) == "\"Foundation\" is not destructible."
        }),
        click("it is made destructible", ids::ADD),
        until("it has the script", |editor| {
            script(editor, "Foundation").is_some()
        }),
        then("the step has a name", |editor| {
            assert_eq!(last_command(editor), "Make \"Foundation\" Destructible");
        }),
        click("it gets a pattern of its own", ids::preset("wood")),
        until("kept in the scene", |editor| {
            text(editor, ids::PATTERN) == "kept in the scene"
        }),
        click("which is saved", ids::SAVE),
        until("as a file", |editor| {
            let path = "data/patterns/foundation.pattern";
            Path::new(path).exists() && text(editor, ids::PATTERN) == path
        }),
        then("the scene is saved with it", |editor| {
            saved::save(editor, "added")
        }),
        until("and the file refers to the pattern", |_| {
            let text = fs::read_to_string("data/scenes/added.rgs").unwrap_or_default();
            text.matches("6f2b6d0e-3f0b-4d0c-9c2b-0f6a3b1f7c55").count() >= 2
        }),
        then("the pattern is undone", undo),
        then("and the preset", undo),
        then("and the script", undo),
        until("the foundation is as it was", |editor| {
            script(editor, "Foundation").is_none()
        }),
    ]
}
