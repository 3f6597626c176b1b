//! Keys and mouse in the window: the cubes, repeats, the menu. What they did is read off the recordings.

use crate::{executor, text};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};
use virtual_display::Display;

/// Far beyond what the slowest machine needs.
const PATIENCE: Duration = Duration::from_secs(600);

/// A player in front of the demo.
struct Player<'a> {
    display: &'a Display,
    game: Child,
    folder: PathBuf,
}

impl Player<'_> {
    fn xdotool(&self, arguments: &[&str]) {
        let mut command = Command::new("xdotool");
        let done = command.args(arguments).env("DISPLAY", self.display.name());
        assert!(done.output().unwrap().status.success(), "{arguments:?}");
    }

    /// Does something again and again until it is seen, less and less often: a picture may take a while.
    fn until(&mut self, what: &str, act: impl Fn(&Self), seen: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        let mut pause = Duration::from_millis(200);
        while !seen(self) {
            assert!(Instant::now() < end, "{what}: nothing happens");
            assert!(self.game.try_wait().unwrap().is_none(), "{what}: it ended");
            act(self);
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    /// Presses keys and waits for what comes of it.
    fn press(&mut self, keys: &[&str], seen: impl Fn(&Self) -> bool) {
        self.xdotool(&[&["key"], keys].concat());
        self.until(&keys.concat(), |_| (), seen);
    }

    /// Holds a key down until something comes of it; anew while nothing does, as a key that is down
    /// before a scene is there pushes nothing in it.
    fn hold(&mut self, key: &str, seen: impl Fn(&Self) -> bool) {
        let anew = |player: &Self| player.xdotool(&["keyup", key, "keydown", key]);
        self.until(key, anew, seen);
        self.xdotool(&["keyup", key]);
    }

    /// What a recording says so far.
    fn recording(&self, name: &str) -> String {
        let read = |name: String| fs::read_to_string(self.folder.join(name)).ok();
        let part = || read(format!("{name}.part"));
        read(name.into()).or_else(part).unwrap_or_default()
    }

    /// The module's threads in the game.
    fn threads(&self) -> usize {
        let tasks = format!("/proc/{}/task", self.game.id());
        let tasks = fs::read_dir(tasks).into_iter().flatten().flatten();
        let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
        names.filter(|name| name.starts_with("fracture")).count()
    }
}

impl Drop for Player<'_> {
    fn drop(&mut self) {
        let _ = self.game.kill();
        let _ = self.game.wait();
    }
}

fn scratch() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("keys");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn keys_push_cubes_repeat_hits_and_change_scenes_and_no_thread_is_left_behind() {
    let display = match Display::open(&["xdotool"]) {
        Ok(display) => display,
        Err(reason) => {
            println!("skipped: {reason}");
            return;
        }
    };
    let folder = scratch();
    let mut command = executor(&folder);
    command.env("DISPLAY", display.name());
    command.args(["--scene", "cubes", "--record", "keys.ron"]);
    let log = fs::File::create(folder.join("log")).unwrap();
    command.stderr(log.try_clone().unwrap()).stdout(log);
    let mut player = Player {
        display: &display,
        game: command.spawn().unwrap(),
        folder: folder.clone(),
    };

    let threads = push_and_shoot(&mut player);
    change_scenes(&mut player, threads);
    close(player);

    // What was played comes to the same again.
    let replayed = executor(&folder)
        .args(["--headless", "--scenario", "keys.ron"])
        .output()
        .unwrap();
    assert!(replayed.status.success(), "{}", text(&replayed));
    assert!(text(&replayed).contains("1 of 1 expectations hold"));
}

/// The classic controls: a cube is pushed, then the other one. Then a shot, and the same with another
/// seed. Returns how many threads there were.
fn push_and_shoot(player: &mut Player) -> usize {
    let has = |name: &'static str, words: [&'static str; 2]| {
        move |player: &Player| {
            let text = player.recording(name);
            words.iter().all(|word| text.contains(word))
        }
    };
    player.hold("w", has("keys.ron", ["Push(", "\"Cube 1\""]));
    player.xdotool(&["key", "1"]);
    player.hold("d", has("keys.ron", ["Push(", "\"Cube 2\""]));
    let threads = player.threads();
    assert!(threads > 0 || !Path::new("/proc/self/task").exists());

    let click = |player: &Player| player.xdotool(&["mousemove", "800", "450", "click", "1"]);
    player.until("click", click, has("keys.ron", ["Throw(", "seed: 0"]));
    player.press(&["t"], has("keys-2.ron", ["Throw(", "seed: 1"]));
    assert!(player.folder.join("keys.ron").is_file(), "it has not ended");
    threads
}

/// The menu: the scene above, then this one from its beginning.
fn change_scenes(player: &mut Player, threads: usize) {
    let shows =
        |name: &'static str| move |player: &Player| player.recording(name).contains("house.rgs");
    player.press(&["Tab", "Up", "Return"], shows("keys-3.ron"));
    player.press(&["r"], shows("keys-4.ron"));
    player.until("threads", |_| (), |player| player.threads() <= threads);
}

/// As every window is closed.
fn close(mut player: Player) {
    player.xdotool(&["key", "alt+F4"]);
    let end = Instant::now() + PATIENCE;
    while player.game.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "the window does not close");
        thread::sleep(Duration::from_millis(100));
    }
    let status = player.game.wait().unwrap();
    assert!(status.success(), "{status}");
}
