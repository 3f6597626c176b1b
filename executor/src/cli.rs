//! The command line.

use clap::Parser;
use std::path::PathBuf;

/// Breaks things: a scene to shoot at, or scenarios that run without a screen.
///
/// Without flags a window opens on the demo scene. With --headless a scenario runs with a fixed
/// step, without a screen or sound card, and the exit status says how it went: 0 when all its
/// expectations hold, 1 when one fails, 2 when the file or its scene cannot be read.
#[derive(Parser, Debug)]
#[command(
    version,
    after_help = "Examples:\n  executor\n  executor --scene scenes/wall.rgs\n  executor --headless --scenario data/scenarios/wall_middle.ron --report report.json"
)]
pub struct Cli {
    /// Run a scenario without a window.
    #[arg(long, requires = "scenario")]
    pub headless: bool,

    /// The scenario to run.
    #[arg(long, value_name = "FILE.ron", requires = "headless")]
    pub scenario: Option<PathBuf>,

    /// Write what was found as JSON to this file, `-` for the standard output.
    #[arg(long, value_name = "FILE.json", requires = "headless")]
    pub report: Option<PathBuf>,

    /// Worker threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub threads: u16,

    /// The data folder; left out, it is looked for from here upwards and beside the program.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,

    /// The scene that the window opens, relative to the data folder or to where you are.
    #[arg(
        long,
        // What the editor's Play button says.
        alias = "override-scene",
        value_name = "FILE.rgs",
        default_value = "scenes/demo.rgs",
        conflicts_with = "headless"
    )]
    pub scene: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_editor_can_play_a_scene() {
        let cli = Cli::try_parse_from(["executor", "--override-scene", "data/scenes/x.rgs"]);
        assert_eq!(cli.unwrap().scene, PathBuf::from("data/scenes/x.rgs"));
    }

    #[test]
    fn headless_needs_a_scenario() {
        let error = Cli::try_parse_from(["executor", "--headless"]).unwrap_err();
        assert!(error.to_string().contains("--scenario"), "{error}");
    }
}
