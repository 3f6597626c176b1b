//! A game that was shipped without one of its models.

mod data_copy;

use data_copy::data_copy;
use executor::scenario::{self, RunOptions};
use std::fs;

#[test]
fn a_lost_model_is_named_and_its_object_stays_whole() {
    let data = data_copy("lost_model");
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
