//! A game that was shipped without one of its models.

use executor::scenario::{self, RunOptions};
use std::{env, fs, io, path::Path};

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[test]
fn a_lost_model_is_named_and_its_object_stays_whole() {
    let data = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lost_model/data");
    let _ = fs::remove_dir_all(&data);
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../data"),
        &data,
    )
    .unwrap();
    for lost in ["column.glb", "column.glb.meta"] {
        fs::remove_file(data.join("models").join(lost)).unwrap();
    }
    let options = RunOptions {
        data: Some(data.clone()),
        ..RunOptions::default()
    };

    let report = scenario::run(&data.join("scenarios/message.ron"), &options).unwrap();

    let faults = report.faults.join("\n");
    assert!(
        faults.contains("\"Column\": the model that mesh node"),
        "{faults}"
    );
    assert!(faults.contains("cannot be loaded"), "{faults}");
    assert!(!report.warnings.is_empty());
    assert!(report
        .objects
        .iter()
        .all(|object| object.intact == Some(true)));
    assert!(!report.passed);
}
