//! Scenes of the demo that are certified by the program.

use executor::certify::{certify, CertificateReport};
use std::path::Path;

fn report(scene: &str) -> CertificateReport {
    let mut told = Vec::new();
    let report = certify(Path::new(scene), None, |done, all| told.push((done, all))).unwrap();
    let count = report.objects.len();
    assert!(told.into_iter().eq((0..count).map(|done| (done, count))));
    report
}

#[test]
fn the_house_stands_and_the_report_can_be_written() {
    let report = report("scenes/house.rgs");
    assert!(report.stands && report.problems.is_empty(), "{report:?}");
    assert_eq!(report.objects.len(), 1);
    assert!(report.objects.iter().all(|object| object.mass > 0.0));
    let weakest = report.objects.iter();
    let weakest: Vec<_> = weakest
        .filter_map(|object| object.weakest.as_ref())
        .collect();
    assert!(!weakest.is_empty(), "{report:?}");
    for place in weakest {
        let is_sound = (0.0..1.0).contains(&place.utilisation) && place.reserve > Some(0.0);
        assert!(is_sound, "{place:?}");
    }
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.contains("\"stands\":true"), "{text}");
}

#[test]
fn a_scene_that_is_not_there_is_named() {
    let missing = Path::new("scenes/no_such.rgs");
    let error = certify(missing, None, |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("no_such.rgs"), "{error}");
}
