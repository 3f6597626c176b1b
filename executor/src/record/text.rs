//! The text of a recording, in the format of a scenario.

use crate::scenario::{action::Action, read::options};
use ron::ser::PrettyConfig;
use std::{fmt::Write, io, path::PathBuf};

/// The head of a recording.
#[derive(Clone, Debug)]
pub struct Heading {
    /// Its purpose, in a sentence.
    pub about: String,
    /// The scene, as the data folder knows it.
    pub scene: PathBuf,
    /// Seconds a frame.
    pub step: f32,
    /// The seed of the run.
    pub seed: u64,
    /// Whether the run waits for results; if not, a replay may differ.
    pub wait_for_results: bool,
    /// Most thrown balls.
    pub most_balls: Option<usize>,
}

/// Returns the text before the first action.
pub fn head(heading: &Heading) -> String {
    let scene = heading.scene.to_string_lossy().replace('\\', "/");
    let mut text = format!(
        "// Recorded by executor {}. Replay it with `executor --headless --scenario THIS_FILE`.\n\
         Scenario(\n    about: {:?},\n    scene: {scene:?},\n    step: {:?},\n    seed: {},\n    wait_for_results: {},\n",
        env!("CARGO_PKG_VERSION"),
        heading.about,
        heading.step,
        heading.seed,
        heading.wait_for_results,
    );
    if let Some(most) = heading.most_balls {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "    most_balls: {most},");
    }
    text.push_str("    log: [\n");
    text
}

/// Returns the line of an action.
pub fn line(frame: u32, action: &Action) -> io::Result<String> {
    let compact = PrettyConfig::new().compact_structs(true).separator("");
    let text = options().to_string_pretty(action, compact.compact_arrays(true));
    let text = text.map_err(io::Error::other)?;
    Ok(format!("({frame},{text}),\n"))
}

/// Returns the text after the last action.
pub fn tail(frames: u32, state: Option<u64>) -> String {
    let expect = state.map_or_else(String::new, |hash| {
        format!("    expect: [(that: StateHash(\"{hash:016x}\"))],\n")
    });
    format!("    ],\n    frames: {frames},\n{expect})\n")
}
