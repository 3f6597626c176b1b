//! The command line.

use clap::{ArgGroup, Parser};
use executor::demo::KEYS;
use std::path::PathBuf;

/// Breaks things: scenes to shoot at, or scenarios that run without a screen.
///
/// Without flags a window opens with a menu of scenes. With --headless a scenario runs with a fixed
/// step, without a screen or sound card, and the exit status says how it went: 0 when all its
/// expectations hold, 1 when one fails, 2 when the file or its scene cannot be read.
#[derive(Parser, Debug)]
#[command(
    version,
    group(ArgGroup::new("found").args(["headless", "certify"])),
    after_help = help(),
    after_long_help = help()
)]
pub struct Cli {
    /// Run a scenario without a window.
    #[arg(long, requires = "scenario")]
    pub headless: bool,

    /// The scenario to run; without --headless it is shown in the window.
    #[arg(long, value_name = "FILE.ron")]
    pub scenario: Option<PathBuf>,

    /// Compute what takes longest about preparing the objects of these scenes, of all scenes without a
    /// name, and keep it in files beside their models (NAME.cooked), where the game finds it.
    #[arg(
        long,
        value_name = "FILE.rgs",
        num_args = 0..,
        conflicts_with_all = ["headless", "scenario", "record", "scene", "wait", "seed"]
    )]
    pub cook: Option<Vec<PathBuf>>,

    /// Find out what holds the objects of a scene, what floats, and what comes down with each object that is taken
    /// out. The exit status is 1 when anything floats or does not carry its own weight.
    #[arg(
        long,
        value_name = "FILE.rgs",
        conflicts_with_all = ["headless", "scenario", "record", "scene", "wait", "seed", "cook"]
    )]
    pub certify: Option<PathBuf>,

    /// With --certify: the exit status is 1, too, when one object that is taken out brings down more than this share
    /// of the mass of all others.
    #[arg(long, value_name = "SHARE", requires = "certify", value_parser = share)]
    pub max_loss: Option<f64>,

    /// Record everything that is done as a scenario, which --scenario replays. Each break is waited
    /// for, as a replay is exact only then.
    #[arg(long, value_name = "FILE.ron")]
    pub record: Option<PathBuf>,

    /// Write the scene's meshes to this file where the first expectation fails, or else at the end.
    #[arg(
        long,
        value_name = "FILE.obj",
        requires = "headless",
        conflicts_with = "pictures"
    )]
    pub pieces: Option<PathBuf>,

    /// Write pictures of the scenario's frames to this folder, and end with the scenario.
    #[arg(long, value_name = "FOLDER", requires_all = ["scenario", "frame"], conflicts_with = "headless")]
    pub pictures: Option<PathBuf>,

    /// A frame to take a picture of, once it is over; may be given several times.
    #[arg(long, value_name = "NUMBER", requires = "pictures")]
    pub frame: Vec<u32>,

    /// With --headless or --certify: write what was found as JSON to this file, `-` for the standard output. A run
    /// with --pictures checks nothing: run the scenario once more with --headless.
    #[arg(
        long,
        value_name = "FILE.json",
        requires = "found",
        conflicts_with = "pictures"
    )]
    pub report: Option<PathBuf>,

    /// Worker threads; with 0 the frames do their work, in parts of 2 ms.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=64))]
    pub threads: u16,

    /// The data folder; left out, it is looked for beside the program and from here upwards.
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,

    /// The scene that the window opens, by its name or its file: glass, concrete, brick, beam, vase,
    /// columns, marble, ice, house, mill, arch, planks, cubes, stress, demo, or a file relative to the data
    /// folder or to where you are. Left out, the window opens on the demo with its menu.
    #[arg(
        long,
        // The flag that the editor's Play button passes.
        alias = "override-scene",
        value_name = "FILE.rgs",
        conflicts_with_all = ["headless", "scenario"]
    )]
    pub scene: Option<PathBuf>,

    /// Mixed into the seed of every object: another seed, other pieces.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        conflicts_with = "scenario"
    )]
    pub seed: u64,

    /// Be the host of a scene that others join, at this address of this machine. 0.0.0.0 is for others in your network.
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1",
        conflicts_with_all = ["headless", "scenario", "record", "cook", "certify"]
    )]
    pub host: Option<String>,

    /// Join the host at this address, as HOST or HOST:PORT: its scene is opened here too.
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with_all = ["headless", "scenario", "record", "cook", "certify", "scene", "seed", "host"]
    )]
    pub join: Option<String>,

    /// Have each frame wait for the worker, so that pieces are there in the next frame.
    #[arg(long, conflicts_with_all = ["headless", "scenario"])]
    pub wait: bool,
}

/// Reads a share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

const EXAMPLES: &str = "Examples:\n  executor\n  executor --scene scenes/wall.rgs\n  executor --record play.ron\n  executor --cook\n  executor --host --scene concrete\n  executor --join 127.0.0.1\n  executor --certify scenes/house.rgs --max-loss 0.3 --report house.json\n  executor --scenario play.ron\n  executor --headless --scenario data/scenarios/wall_middle.ron --report report.json";

/// Keys and examples.
fn help() -> String {
    format!("Keys:\n  {}\n\n{EXAMPLES}", KEYS.join("\n  "))
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
        assert_eq!(cli.unwrap().scene, Some("data/scenes/x.rgs".into()));
    }

    #[test]
    fn the_help_lists_all_flags_keys_and_scenes() {
        let help = Cli::command().render_long_help().to_string();
        for flag in Cli::command().get_arguments() {
            let long = flag.get_long().unwrap();
            assert!(help.contains(&format!("--{long}")), "{long}");
        }
        for line in KEYS {
            assert!(help.contains(line), "{line}");
        }
        for entry in executor::demo::GALLERY {
            let name = PathBuf::from(entry.file);
            let name = name.file_stem().unwrap().to_string_lossy().into_owned();
            assert!(help.contains(&name), "{name}");
        }
    }

    #[test]
    fn a_wrong_flag_is_told_the_right_one() {
        for (wrong, right) in [
            ("--scenes", "--scene"),
            ("--record-to", "--record"),
            ("--thread", "--threads"),
        ] {
            let error = Cli::try_parse_from(["executor", wrong, "x"])
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(wrong) && error.contains(&format!("'{right}'")),
                "{error}"
            );
        }
        let error = Cli::try_parse_from(["executor", "--threads", "65"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("0..=64"), "{error}");
    }

    #[test]
    fn a_flag_without_effect_is_refused() {
        for flag in ["--report", "--pieces"] {
            let pictures = "--scenario a.ron --pictures out --frame 3";
            let [plain, of_pictures] = ["", pictures].map(|others| {
                let words = ["executor"].into_iter().chain(others.split_whitespace());
                let error = Cli::try_parse_from(words.chain([flag, "out"])).unwrap_err();
                error.to_string()
            });
            assert!(plain.contains("--headless"), "{plain}");
            let named = of_pictures.contains(flag) && of_pictures.contains("--pictures");
            assert!(named, "{of_pictures}");
        }
    }

    #[test]
    fn headless_needs_a_scenario() {
        let error = Cli::try_parse_from(["executor", "--headless"]).unwrap_err();
        assert!(error.to_string().contains("--scenario"), "{error}");
    }
}
