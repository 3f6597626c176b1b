//! Two previews side by side.

use super::{fragments, moved_apart, picture, TOOL};
use crate::driver::{choose, scroll, text, until, Step};
use editor::tool::ids;
use fyroxed_base::Editor;

/// Figures but for times.
fn counts(text: &str) -> Vec<String> {
    let text = text.trim_start_matches("On the right: ");
    let lines = text.lines().filter(|line| !line.contains(" ms"));
    lines.map(str::to_owned).collect()
}

fn both(editor: &Editor) -> [String; 2] {
    [ids::FIGURES, ids::OTHER_FIGURES].map(|id| text(editor, id))
}

fn both_broken(editor: &Editor) -> bool {
    let [main, other] = both(editor);
    let other = other.trim_start_matches("On the right: ");
    fragments(&main) > 5 && fragments(other) > 5
}

pub fn steps(windowed: bool) -> Vec<Step> {
    let mut steps = vec![
        choose("a pattern is compared with", ids::COMPARE, |label| {
            label == "glass"
        }),
        until("both break", both_broken_apart),
    ];
    if windowed {
        steps.push(scroll("the previews are shown", ids::FRAME));
        steps.push(moved_apart());
        steps.push(picture("editor_compare", TOOL));
        return steps;
    }
    steps.extend([
        choose("another seed is compared with", ids::COMPARE, |label| {
            label == "another seed"
        }),
        until("both break, each in its way", both_broken_apart),
    ]);
    steps.extend([
        choose("nothing is compared with", ids::COMPARE, |label| {
            label == "nothing"
        }),
        until("there is one preview", |editor| {
            let [main, other] = both(editor);
            fragments(&main) > 5 && other.is_empty()
        }),
    ]);
    steps
}

fn both_broken_apart(editor: &mut Editor) -> bool {
    let [main, other] = both(editor).map(|text| counts(&text));
    both_broken(editor) && main != other
}
