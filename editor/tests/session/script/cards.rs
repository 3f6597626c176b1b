//! Cards: laid on an object, what differs from them, the way back, and a card of one's own.

use super::{script, select};
use crate::driver::{
    choose, click, handle, last_command, scene, scroll, text, then, undo, until, Step,
};
use editor::{commands::tune, tool::ids};
use fyroxed_base::Editor;
use std::{fs, path::Path};

const OAK: f32 = 740.0;
const OWN: &str = "data/cards/wall.card";

fn density(editor: &mut Editor) -> (f32, bool) {
    let script = script(editor, "Wall").expect("a script");
    (*script.density, script.density.is_modified())
}

pub fn steps() -> Vec<Step> {
    vec![
        then("the wall is selected", |editor| select(editor, "Wall")),
        until("it has no card", |editor| {
            text(editor, ids::STATUS) == "\"Wall\""
                && text(editor, ids::CARD).starts_with("No card")
        }),
        scroll("the section of cards is in sight", ids::LAY_CARD),
        choose("oak is chosen", ids::CARDS, |name| name == "oak"),
        click("and laid on the wall", ids::LAY_CARD),
        until("the wall has the card and shows its figures", |editor| {
            text(editor, ids::CARD) == "data/cards/oak.card" && density(editor) == (OAK, false)
        }),
        then("one step has done it", |editor| {
            assert_eq!(last_command(editor), "Set Card of \"Wall\"");
            let choices = fs::read_to_string("fracture_editor.txt").expect("the choices");
            assert!(
                choices.contains("oak.card"),
                "kept for the next start: {choices}"
            );
        }),
        then("a field is set", |editor| {
            let wall = handle(editor, "Wall");
            let graph = &scene(editor).expect("a scene").graph;
            let step = tune(graph, &[wall], "Density", |script| {
                script.density.set_value_and_mark_modified(5000.0);
            });
            editor.message_sender.do_command(step.expect("a step"));
        }),
        until("the window says that it differs", |editor| {
            text(editor, ids::CARD).contains("Density: 5000; the card has 740")
        }),
        click("a card of one's own is saved", ids::SAVE_CARD),
        until("and laid on the wall", |editor| {
            text(editor, ids::CARD) == OWN && density(editor) == (5000.0, false)
        }),
        then("it is a file", |_| assert!(Path::new(OWN).is_file())),
        then("that is undone", undo),
        until("the wall has the card and its own figure", |editor| {
            text(editor, ids::CARD).contains("Density: 5000; the card has 740")
        }),
        click("the field is taken from the card", ids::TAKE_FROM_CARD),
        until("it is that of the card again", |editor| {
            text(editor, ids::CARD) == "data/cards/oak.card" && density(editor) == (OAK, false)
        }),
        then("that is undone", undo),
        then("and the field", undo),
        then("and the card", undo),
        until("the wall is as it was", |editor| {
            script(editor, "Wall").is_some_and(|script| script.card.is_none())
                && text(editor, ids::CARD).starts_with("No card")
        }),
        choose("no card is chosen any more", ids::CARDS, |name| {
            name == "no card"
        }),
    ]
}
