//! The small game is built and played, and its lines are those that the README shows.

use std::process::Command;

const README: &str = include_str!("../../../README.md");
const MAIN: &str = include_str!("../src/main.rs");
const GAME: &str = include_str!("../src/game.rs");
const MANIFEST: &str = include_str!("../Cargo.toml");

/// The first block of code of that language below a heading of the README.
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

/// Code without the way it is laid out.
fn bare(code: &str) -> String {
    code.split_whitespace().collect()
}

#[test]
fn the_lines_of_the_readme_are_those_of_the_game() {
    let blocks = blocks("In your own game");
    assert_eq!(blocks.len(), 2, "the README shows two pieces of code");
    // The game gets a channel to say how it went, which the README leaves out.
    let main = MAIN.replace("add_plugin(game)", "add_plugin(MyGame::default())");
    assert!(
        bare(&main).contains(&bare(&blocks[0])),
        "main.rs is not what the README says:\n{}",
        blocks[0]
    );
    assert!(
        bare(GAME).contains(&bare(&blocks[1])),
        "game.rs is not what the README says:\n{}",
        blocks[1]
    );
    for line in ["fyrox = \"=1.0.1\"", "fyrox-fracture = { path = \""] {
        assert!(MANIFEST.contains(line), "Cargo.toml has no {line}");
        assert!(README.contains(line), "the README does not say {line}");
    }
    assert!(
        !MANIFEST.contains("executor"),
        "the game needs the demo, as no stranger's would"
    );
}

#[test]
fn the_game_runs_without_a_screen_and_its_wall_breaks() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let played = Command::new(env!("CARGO_BIN_EXE_small_game"))
        .current_dir(folder)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    let [said, errors] = [played.stdout, played.stderr].map(|o| String::from_utf8(o).unwrap());
    assert!(played.status.success(), "{said}\n{errors}");
    let broke = said.lines().find(|line| line.starts_with("\"Wall\" broke"));
    let broke = broke.unwrap_or_else(|| panic!("it does not say what broke:\n{said}"));
    let fragments: u32 = broke
        .split_whitespace()
        .find_map(|word| word.parse().ok())
        .unwrap();
    assert!(fragments >= 3, "{broke}");
}
