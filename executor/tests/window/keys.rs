//! Keys and mouse in the window: the cubes, repeats, the menu, lines. Their effects are read in the recordings, or seen.

use crate::{executor, replay, scratch, Picture};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};
use virtual_display::{run, tail, wait, Display};

/// Longest time for a window to appear, or for a key to show its effect. A key takes some 2 s on two
/// cores without a graphics card, and up to 10 s there beside four busy processes.
const LIMIT: Duration = Duration::from_secs(60);

/// A player in front of the demo.
struct Player<'a> {
    display: &'a Display,
    game: Child,
    folder: PathBuf,
}

impl<'a> Player<'a> {
    /// Begins to play a scene, which is recorded as `keys.ron`.
    fn open(scene: &str, folder: PathBuf, display: &'a Display) -> Self {
        let mut command = executor(&folder);
        command.env("DISPLAY", display.name());
        command.args(["--scene", scene, "--record", "keys.ron"]);
        let log = fs::File::create(folder.join("log")).unwrap();
        command.stderr(log.try_clone().unwrap()).stdout(log);
        let player = Self {
            display,
            game: command.spawn().unwrap(),
            folder,
        };
        if let Err(problem) = display.wait_for_window(LIMIT) {
            player.fail(&problem);
        }
        player
    }

    fn xdotool(&self, arguments: &[&str]) {
        let mut command = Command::new("xdotool");
        command.args(arguments).env("DISPLAY", self.display.name());
        let output = run(&mut command, LIMIT).unwrap_or_else(|error| self.fail(&error));
        if !output.status.success() {
            self.fail(&format!("xdotool {arguments:?}: {}", output.status));
        }
    }

    /// Ends the test, with what is on the display and what the game and its recordings say.
    fn fail(&self, problem: &str) -> ! {
        let recordings = ["keys.ron", "keys-2.ron", "keys-3.ron", "keys-4.ron"];
        let recordings = recordings.map(|name| format!("{name}: {}", self.recording(name)));
        panic!(
            "{problem}\n{}\nthe game says:\n{}\n{}",
            self.display.describe(),
            tail(&self.folder.join("log"), 20),
            recordings.join("\n")
        );
    }

    /// Acts again and again until `seen` holds, at longer and longer intervals: a frame may take a while.
    fn until(&mut self, what: &str, act: impl Fn(&Self), seen: impl Fn(&Self) -> bool) {
        let end = Instant::now() + LIMIT;
        let mut pause = Duration::from_millis(200);
        while !seen(self) {
            if Instant::now() > end {
                self.fail(&format!("{what}: no effect within {LIMIT:?}"));
            }
            if let Some(status) = self.game.try_wait().unwrap() {
                self.fail(&format!("{what}: the game has ended: {status}"));
            }
            act(self);
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }

    /// Presses keys and waits for their effect.
    fn press(&mut self, keys: &[&str], seen: impl Fn(&Self) -> bool) {
        self.xdotool(&[&["key"], keys].concat());
        self.until(&keys.concat(), |_| (), seen);
    }

    /// Holds a key down until it shows its effect. It is pressed anew while it shows none, because a key
    /// that is down before a scene is there pushes nothing in it.
    fn hold(&mut self, key: &str, seen: impl Fn(&Self) -> bool) {
        let anew = |player: &Self| player.xdotool(&["keyup", key, "keydown", key]);
        self.until(key, anew, seen);
        self.xdotool(&["keyup", key]);
    }

    /// Text of a recording so far.
    fn recording(&self, name: &str) -> String {
        let read = |name: String| fs::read_to_string(self.folder.join(name)).ok();
        let part = || read(format!("{name}.part"));
        read(name.into()).or_else(part).unwrap_or_default()
    }

    /// Number of pixels on the display in the green of lines without stress, or nearly so.
    fn green(&self) -> usize {
        let path = self.folder.join("display.png");
        let mut command = Command::new("import");
        command.env("DISPLAY", self.display.name());
        command.args(["-window", "root", "-depth", "8", "-type", "TrueColor"]);
        let taken = run(command.arg(&path), LIMIT).unwrap_or_else(|error| self.fail(&error));
        assert!(taken.status.success(), "{}", taken.status);
        let picture = Picture::read(&path);
        let pixels = picture.bytes.chunks_exact(3);
        let is_green = |p: &&[u8]| p[1] > 90 + p[0].max(p[2]).min(160);
        pixels.filter(is_green).count()
    }

    /// Number of the module's threads in the game.
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

#[test]
fn keys_push_cubes_repeat_hits_and_change_scenes_and_no_thread_is_left_behind() {
    let Some(display) = Display::open_or_skip(&["xdotool"]) else {
        return;
    };
    let folder = scratch("keys", &display);
    let mut player = Player::open("cubes", folder.clone(), &display);

    let threads = push_and_shoot(&mut player);
    change_scenes(&mut player, threads);
    close(player);

    replay(&folder, &["keys.ron"]);
}

/// Pushes one cube, then the other one; shoots, and shoots again with another seed. Returns the number
/// of threads that the game had.
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

/// Opens the next scene from the menu, then starts it anew.
fn change_scenes(player: &mut Player, threads: usize) {
    let shows =
        |name: &'static str| move |player: &Player| player.recording(name).contains("planks.rgs");
    player.press(&["Tab", "Up", "Return"], shows("keys-3.ron"));
    player.press(&["r"], shows("keys-4.ron"));
    player.until("threads", |_| (), |player| player.threads() <= threads);
}

/// Closes the window as a player would.
fn close(mut player: Player) {
    player.xdotool(&["key", "alt+F4"]);
    match wait(&mut player.game, LIMIT) {
        Some(status) if status.success() => (),
        Some(status) => player.fail(&format!("the game has ended: {status}")),
        None => player.fail(&format!("the window has not closed within {LIMIT:?}")),
    }
}

#[test]
fn how_weight_is_carried_is_seen_over_the_solid_that_carries_it() {
    let Some(display) = Display::open_or_skip(&["xdotool", "import"]) else {
        return;
    };
    let folder = scratch("lines", &display);
    let mut player = Player::open("house", folder, &display);
    let is_open = |player: &Player| player.recording("keys.ron").contains("house.rgs");
    player.until("the scene", |_| (), is_open);
    let before = player.green();
    // Some hundred bonds, each of them many pixels long; inside the solid nothing would be seen of them.
    player.press(&["g"], |player| player.green() > before + 2000);
    player.press(&["g"], |player| player.green() < before + 200);
    close(player);
}
