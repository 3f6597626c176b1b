//! Exit status of the program, as a build server sees it.

mod data_copy;

use data_copy::data_copy;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn certify(data: &Path, scene: &str, further: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_executor"));
    let program = program.args(["--certify", scene, "--data"]).arg(data);
    program.args(further).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_floats_or_loses_too_much_fails_and_what_stands_does_not() {
    let data = data_copy("exit_status");
    let stands = certify(&data, "scenes/planks.rgs", &[]);
    assert_eq!(stands.status.code(), Some(0), "{}", told(&stands));

    let loss = certify(&data, "scenes/stones.rgs", &["--max-loss", "0.001"]);
    assert_eq!(loss.status.code(), Some(1), "{}", told(&loss));
    assert!(!told(&loss).contains("warning"), "{}", told(&loss));

    // A plank is lifted by 0.2 m.
    let scene = data.join("scenes/planks.rgs");
    let text = fs::read_to_string(&scene).unwrap();
    let lifted = text.replace("<vec3f32:0; 0.975; 0.16>", "<vec3f32:0; 1.175; 0.16>");
    assert_ne!(text, lifted);
    fs::write(&scene, lifted).unwrap();
    let floats = certify(&data, "scenes/planks.rgs", &[]);
    assert_eq!(floats.status.code(), Some(1), "{}", told(&floats));
    let warning = told(&floats);
    assert!(
        warning.contains("Plank 1 floats: a gap of 200"),
        "{warning}"
    );
}

#[test]
fn a_window_says_that_a_scene_lies_where_it_finds_none() {
    let data = data_copy("scene_elsewhere");
    let scene = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elsewhere.rgs");
    fs::copy(data.join("scenes/pair.rgs"), &scene).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_executor"));
    let program = program.arg("--scene").arg(&scene).arg("--data").arg(&data);
    let output = program.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    let words = told(&output);
    assert!(
        words.contains("elsewhere.rgs") && words.contains("--data"),
        "{words}"
    );
}
