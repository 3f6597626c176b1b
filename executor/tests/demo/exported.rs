//! The project as the engine's exporter lays it out: the program, and beside it the data with every
//! asset converted by its loader. It runs from any folder, and uses what was exported.

use crate::open::alone;
use executor::{data_folder::DataFolder, headless::Headless};
use fyrox::{
    asset::manager::ResourceManager,
    core::{futures::executor::block_on, platform::TargetPlatform, SafeLock},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => files(&path),
            path => vec![path],
        })
        .collect()
}

/// As `fyrox_build_tools::export::asset` does it. What cannot be converted is left out; those files.
fn export(from: &Path, to: &Path, resources: &ResourceManager) -> Vec<PathBuf> {
    let mut left_out = Vec::new();
    let state = resources.state();
    let loaders = state.loaders.safe_lock();
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        match loaders.loader_for(&path) {
            Some(loader) => {
                let io = state.resource_io.clone();
                let converted = loader.convert(path.clone(), target, TargetPlatform::PC, io);
                if block_on(converted).is_err() {
                    left_out.push(path);
                }
            }
            None => drop(fs::copy(path, target).unwrap()),
        }
    }
    left_out
}

#[test]
fn an_exported_project_runs_from_another_folder_on_its_own_data() {
    let _alone = alone();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported");
    let _ = fs::remove_dir_all(&folder);
    let [build, elsewhere] = ["build", "elsewhere"].map(|name| folder.join(name));
    fs::create_dir_all(&elsewhere).unwrap();
    let data = DataFolder::find(None, None).unwrap();
    let engine = Headless::new(&data).unwrap();
    let left_out = export(data.path(), &build.join("data"), engine.resources());
    // The pattern is there to be damaged.
    assert_eq!(left_out, [data.path().join("patterns/damaged.pattern")]);
    drop(engine);
    let program = build.join("executor");
    fs::copy(env!("CARGO_BIN_EXE_executor"), &program).unwrap();

    // Among them what breaks by itself, what is held by bonds, and what breaks under its load.
    for [name, scenario] in [
        ["column", "column_cut"],
        ["stones", "stones_middle"],
        ["planks", "planks_overloaded"],
    ] {
        // Scenes have become binary, and no other data has the scene that is played.
        let scene = build.join(format!("data/scenes/{name}.rgs"));
        assert!(!fs::read(&scene).unwrap().is_ascii());
        fs::rename(&scene, build.join("data/scenes/shipped.rgs")).unwrap();
        let scenario = data.path().join(format!("scenarios/{scenario}.ron"));
        let scenario = fs::read_to_string(scenario).unwrap();
        let scenario = scenario.replace(&format!("scenes/{name}.rgs"), "scenes/shipped.rgs");
        fs::write(elsewhere.join("played.ron"), scenario).unwrap();

        let played = Command::new(&program)
            .current_dir(&elsewhere)
            .env_remove("CARGO_MANIFEST_DIR")
            .args(["--headless", "--scenario", "played.ron"])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&played.stderr);
        assert!(played.status.success(), "{name}: {text}");
        assert!(
            !text.contains("warning") && !text.contains("fault"),
            "{name}: {text}"
        );
    }
}
