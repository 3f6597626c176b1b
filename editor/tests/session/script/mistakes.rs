//! What is wrong is said, and nothing is lost.

use super::{script, select};
use crate::driver::{click, scroll, text, then, undo, until, Step};
use editor::tool::ids;

pub fn steps() -> Vec<Step> {
    vec![
        then("a node without a mesh is selected", |editor| {
            select(editor, "Sun")
        }),
        until("it may be tried", |editor| {
            text(editor, ids::STATUS) == "\"Sun\" is not destructible."
        }),
        click("to make it destructible", ids::ADD),
        until("the window says what is missing", |editor| {
            text(editor, ids::STATUS).contains("there is no rigid body")
        }),
        click("to break it", ids::STRIKE),
        until("the window says what to do first", |editor| {
            text(editor, ids::IMPACT).starts_with("No impact placed")
        }),
        click("to check it", ids::CHECK),
        until("the window says it again", |editor| {
            text(editor, ids::REPORT).contains("there is no rigid body")
        }),
        then("that is undone", undo),
        until("the sun shines", |editor| script(editor, "Sun").is_none()),
        scroll("the window is scrolled to its top", ids::STATUS),
    ]
}
