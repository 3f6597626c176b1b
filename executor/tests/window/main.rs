//! The executor in a window on a virtual display: it plays a scenario, takes pictures of it, and
//! records it. The pictures are kept in the target folder, in `tmp/window-N`, N the display's number.

mod keys;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};
use virtual_display::{run, Display};

/// Longest time for a whole run of the program. It takes some 10 s on two cores without a graphics card,
/// and up to 60 s there beside four busy processes.
const RUN_LIMIT: Duration = Duration::from_secs(180);

/// Frames of the pictures: before the impact, at the swap for pieces, and the last one.
const FRAMES: [u32; 3] = [4, 6, 49];

fn executor(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_executor"));
    command.current_dir(folder);
    // The test must not use a display that the machine may have.
    command.env_remove("WAYLAND_DISPLAY").env_remove("DISPLAY");
    command
}

/// Runs it to its end.
fn finish(command: &mut Command) -> Output {
    run(command, RUN_LIMIT).unwrap_or_else(|error| panic!("{error}"))
}

/// Replays a recording without a window, which must end in the same state.
fn replay(folder: &Path, arguments: &[&str]) {
    let mut command = executor(folder);
    command.args(["--headless", "--scenario"]).args(arguments);
    let replayed = finish(&mut command);
    assert!(replayed.status.success(), "{}", text(&replayed));
    assert!(text(&replayed).contains("1 of 1 expectations hold"));
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout)
}

/// An empty folder. Tests that run at once have displays of their own, and so folders of their own.
fn scratch(name: &str, display: &Display) -> PathBuf {
    empty_folder(format!("{name}-{}", display.number()))
}

/// The same of a test without a display.
fn scratch_of_process(name: &str) -> PathBuf {
    empty_folder(format!("{name}-{}", std::process::id()))
}

fn empty_folder(name: String) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

struct Picture {
    size: (u32, u32),
    bytes: Vec<u8>,
}

impl Picture {
    fn read(path: &Path) -> Self {
        let file = fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let decoder = png::Decoder::new(std::io::BufReader::new(file));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let size = (info.width, info.height);
        Self { size, bytes }
    }

    /// Differences of its values from those of another picture, 0 to 1.
    fn differences<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = f64> + 'a {
        assert_eq!(self.size, other.size);
        let pairs = self.bytes.iter().zip(&other.bytes);
        pairs.map(|(a, b)| f64::from(a.abs_diff(*b)) / 255.0)
    }

    /// Number of colours, up to a thousand.
    fn colors(&self) -> usize {
        let pixels = self.bytes.chunks_exact(3).step_by(7);
        let colors: std::collections::BTreeSet<_> = pixels.take(200_000).collect();
        colors.len().min(1000)
    }
}

/// Plays a scenario in a window, in a folder, with pictures of some frames: before a break, at the swap for pieces, and
/// later. Panics where the swap is seen.
fn play_without_pop(display: &Display, folder: &Path, scenario: &Path, frames: [u32; 3]) {
    let mut command = executor(folder);
    command.env("DISPLAY", display.name());
    command.arg("--scenario").arg(scenario);
    command.args(["--record", "recorded.ron", "--pictures", "pictures"]);
    for frame in frames {
        command.args(["--frame", &frame.to_string()]);
    }
    let played = finish(&mut command);
    assert!(played.status.success(), "{}", text(&played));

    let read = |frame| Picture::read(&folder.join(format!("pictures/frame_{frame:04}.png")));
    let [before, swapped, after] = frames.map(read);
    assert!(before.colors() > 50, "the picture is empty");
    // Compared where the break changes the picture at all: that is where the wall is.
    let pops = before.differences(&swapped);
    let seen = pops.zip(before.differences(&after));
    let pops: Vec<f64> = seen.filter(|(_, c)| *c > 0.05).map(|(p, _)| p).collect();
    let share = pops.len() as f64 / before.bytes.len() as f64;
    assert!(share > 0.002, "nothing is seen of the break: {share:.4}");
    let pop = pops.iter().sum::<f64>() / pops.len() as f64;
    println!("share {share:.4}, pop {pop:.6}");
    assert!(pop < 0.01, "the swap is seen as a pop of {pop:.4}");
    assert!(pop > 0.0, "the pieces are not shown");
}

#[test]
fn a_window_shows_no_pop_at_a_break_and_its_recording_replays_to_the_same_state() {
    let Some(display) = Display::open_or_skip(&[]) else {
        return;
    };
    let folder = scratch("window", &display);
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/window/play.ron");
    play_without_pop(&display, &folder, &scenario, FRAMES);

    // The recording ends in the same state without a window.
    replay(&folder, &["recorded.ron", "--threads", "2"]);
    let recorded = fs::read_to_string(folder.join("recorded.ron")).unwrap();
    assert!(recorded.contains("StateHash"), "{recorded}");
    assert_eq!(recorded.matches("Throw(").count(), 3, "{recorded}");
}

#[test]
fn a_wall_with_a_lightmap_breaks_without_a_pop() {
    let Some(display) = Display::open_or_skip(&[]) else {
        return;
    };
    let folder = scratch("lightmapped", &display);
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/scenarios");
    let scenario = scenarios.join("lightmapped.ron");
    play_without_pop(&display, &folder, &scenario, [9, 11, 119]);
}

#[test]
fn a_recording_cut_short_is_not_overwritten() {
    let folder = scratch_of_process("cut_short");
    fs::write(folder.join("play.ron.part"), "precious").unwrap();
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/scenarios/miss.ron");
    let mut command = executor(&folder);
    command.args(["--headless", "--record", "play.ron", "--scenario"]);
    let refused = finish(command.arg(scenario));
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    assert!(text(&refused).contains("cut short"), "{}", text(&refused));
    assert_eq!(
        fs::read_to_string(folder.join("play.ron.part")).unwrap(),
        "precious"
    );
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn recordings_of_bonds_that_break_and_of_loads_replay_to_the_same_state() {
    for name in ["arch_keystone", "planks_overloaded"] {
        let folder = scratch_of_process(name);
        let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/scenarios");
        let mut command = executor(&folder);
        command.args(["--headless", "--record", "play.ron", "--scenario"]);
        let played = finish(command.arg(scenario.join(name).with_extension("ron")));
        assert!(played.status.success(), "{}", text(&played));
        replay(&folder, &["play.ron", "--threads", "1"]);
        replay(&folder, &["play.ron", "--threads", "0"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
