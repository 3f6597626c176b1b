//! Scenarios that name what is not there.

use crate::open::alone;
use executor::scenario::{self, RunOptions};
use std::{fs, path::Path};

/// Returns the error of a scenario of the column's scene with an action and an expectation.
fn said(action: &str, expectation: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("names.ron");
    let text = format!(
        "Scenario(scene: \"scenes/column.rgs\", frames: 1, actions: [(frame: 0, action: {action})], \
         expect: [(that: {expectation})])"
    );
    fs::write(&file, text).unwrap();
    let options = RunOptions {
        data: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")),
        ..RunOptions::default()
    };
    match scenario::run(&file, &options) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_node_that_is_not_there_is_named_with_the_nearest_one_that_is() {
    let _alone = alone();
    let impact = |node: &str| {
        format!("Impact(node: \"{node}\", point: (0, 1, 0), normal: (0, 0, 1), energy: 1)")
    };
    let text = said(&impact("Colum"), "NoFaults");
    for part in [
        "names.ron",
        "action 1",
        "\"Colum\"",
        "no such node",
        "did you mean \"Column\"?",
    ] {
        assert!(text.contains(part), "{text}");
    }
    let text = said(&impact("Column"), "Broken(node: \"Tower\")");
    for part in ["expectation 1", "\"Tower\"", "there are: Column"] {
        assert!(text.contains(part), "{text}");
    }
    let text = said(&impact("Ground"), "NoFaults");
    assert!(text.contains("carries no Destructible script"), "{text}");
    assert_eq!(said(&impact("Column"), "Intact(node: \"Column\")"), "");
}
