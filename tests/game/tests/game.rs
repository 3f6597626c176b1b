//! Plays the small game, and compares its lines with those of the README.

use std::{process::Command, time::Duration};

const README: &str = include_str!("../../../README.md");
const MAIN: &str = include_str!("../src/main.rs");
const GAME: &str = include_str!("../src/game.rs");
const MANIFEST: &str = include_str!("../Cargo.toml");

/// Blocks of Rust code below a heading of the README.
fn blocks(heading: &str) -> Vec<String> {
    let section = README.split(&format!("\n## {heading}\n")).nth(1);
    let section = section.unwrap_or_else(|| panic!("README has no section \"{heading}\""));
    let section = section.split("\n## ").next().unwrap_or_default();
    let parts = section.split("```");
    let code = parts.skip(1).step_by(2);
    code.filter_map(|block| block.strip_prefix("rust\n"))
        .map(str::to_owned)
        .collect()
}

/// Code without white space.
fn without_spaces(code: &str) -> String {
    code.split_whitespace().collect()
}

#[test]
fn the_lines_of_the_readme_are_those_of_the_game() {
    let blocks = blocks("In your own game");
    assert_eq!(blocks.len(), 2, "the README shows two pieces of code");
    // The game takes its outcome as an argument, which the README leaves out.
    let main = MAIN.replace("add_plugin(game)", "add_plugin(MyGame::default())");
    assert!(
        without_spaces(&main).contains(&without_spaces(&blocks[0])),
        "main.rs is not what the README says:\n{}",
        blocks[0]
    );
    assert!(
        without_spaces(GAME).contains(&without_spaces(&blocks[1])),
        "game.rs is not what the README says:\n{}",
        blocks[1]
    );
    for line in ["fyrox = \"=1.0.1\"", "fyrox-fracture = { path = \""] {
        assert!(MANIFEST.contains(line), "Cargo.toml has no {line}");
        assert!(README.contains(line), "the README does not say {line}");
    }
    assert!(
        !MANIFEST.contains("executor"),
        "the game depends on the demo"
    );
}

#[test]
fn the_game_runs_without_a_screen_and_its_wall_breaks() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let mut command = Command::new(env!("CARGO_BIN_EXE_small_game"));
    command
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET");
    let played = virtual_display::run(&mut command, Duration::from_secs(120)).unwrap();
    let [text, errors] = [played.stdout, played.stderr].map(|o| String::from_utf8(o).unwrap());
    assert!(played.status.success(), "{text}\n{errors}");
    let broke = text.lines().find(|line| line.starts_with("\"Wall\" broke"));
    let broke = broke.unwrap_or_else(|| panic!("it does not say what broke:\n{text}"));
    let fragments: u32 = broke
        .split_whitespace()
        .find_map(|word| word.parse().ok())
        .unwrap();
    assert!(fragments >= 3, "{broke}");
}
