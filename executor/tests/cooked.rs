//! Scenes of a copy of the data that are cooked by the program.

mod data_copy;

use data_copy::data_copy;
use executor::{
    cook::cook_scenes,
    scenario::{self, Report, RunOptions},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn run(data: &Path) -> Report {
    let options = RunOptions {
        data: Some(data.to_path_buf()),
        ..RunOptions::default()
    };
    scenario::run(&data.join("scenarios/torus_free.ron"), &options).unwrap()
}

#[test]
fn a_cooked_scene_plays_as_before_and_a_damaged_file_is_named() {
    let data = data_copy("cooked");
    let fresh = run(&data);

    let scenes = [PathBuf::from("scenes/torus.rgs")];
    let report = cook_scenes(&scenes, Some(&data)).unwrap();
    let [file] = &report.written[..] else {
        panic!("{report:?}")
    };
    assert!(
        report.problems.is_empty() && file.starts_with("data/models"),
        "{report:?}"
    );
    let again = cook_scenes(&scenes, Some(&data)).unwrap();
    assert_eq!((again.written.len(), again.unchanged.len()), (0, 1));
    let cooked = run(&data);
    assert_eq!(
        (&cooked.faults, &cooked.state_hash),
        (&fresh.faults, &fresh.state_hash)
    );

    let path = data.parent().unwrap().join(file);
    let mut bytes = fs::read(&path).unwrap();
    bytes[2000] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = run(&data);
    assert_eq!(damaged.state_hash, fresh.state_hash);
    let faults = damaged.faults.join("\n");
    assert!(
        faults.contains(&format!("{} is not used: it is damaged", file.display())),
        "{faults}"
    );
}
