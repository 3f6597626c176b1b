//! Scenes of the demo that are certified by the program.

use executor::{
    certify::{certify, CertificateReport},
    data_folder::DataFolder,
    headless::Headless,
};
use fracture::{BreakCause, Destruction, Event, SceneStructure, Settings};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};
use std::{collections::BTreeSet, path::Path};

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

/// A scene that runs as a game.
struct Game {
    engine: Headless,
    scene: Handle<Scene>,
    destruction: Destruction,
}

impl Game {
    fn new(file: &str) -> Self {
        let data = DataFolder::find(None, Some(Path::new(file))).unwrap();
        let file = data.scene(Path::new(file), None);
        let mut engine = Headless::new(&data).unwrap();
        let scene = engine.open(&file).unwrap();
        let mut destruction = Destruction::new(Settings {
            wait_for_results: true,
            ..Settings::default()
        });
        destruction.set_resources(engine.resources());
        destruction.set_scene_file(&file);
        Self {
            engine,
            scene,
            destruction,
        }
    }

    fn graph(&mut self) -> &mut Graph {
        &mut self.engine.scene(self.scene).unwrap().graph
    }

    /// Takes frames, and gives the objects of which their weight brings anything down.
    fn frames(&mut self, count: usize) -> BTreeSet<Handle<Node>> {
        let mut fallen = BTreeSet::new();
        for _ in 0..count {
            self.engine.frame(1.0 / 60.0);
            let scene = self.engine.scene(self.scene).unwrap();
            self.destruction.update(scene, 1.0 / 60.0);
            fallen.extend(
                self.destruction
                    .events()
                    .iter()
                    .filter_map(|event| match event {
                        Event::Broken { node, cause, .. } if *cause == BreakCause::Weight => {
                            Some(*node)
                        }
                        _ => None,
                    }),
            );
        }
        fallen
    }
}

/// Compares what the certificate foretells with the game, for every `step`-th object of a scene, taken out of it.
/// Returns the number of those without which something comes down.
fn compare(file: &str, step: usize) -> usize {
    let mut certified = Game::new(file);
    certified.graph().update_hierarchical_data();
    let resources = certified.engine.resources().clone();
    let structure = SceneStructure::new(certified.graph(), Some(&resources)).unwrap();
    let certificate = structure.certify();
    let mut count = 0;
    for (node, member) in certificate.members().step_by(step) {
        let removal = certificate.without(member.body).unwrap();
        let falls = removal.falls.iter();
        let foretold: BTreeSet<Handle<Node>> = falls
            .map(|fall| certificate.node(fall.body).unwrap())
            .collect();
        let mut game = Game::new(file);
        assert_eq!(game.frames(20), BTreeSet::new());
        game.graph().remove_node(node);
        // Before anything that falls strikes something.
        let at_once = game.frames(12);
        let mut in_all = game.frames(100);
        in_all.extend(&at_once);
        let graph = certified.graph();
        let [foretold, at_once, in_all] =
            [foretold, at_once, in_all].map(|nodes| names(graph, &nodes));
        let removed = &graph[node].name();
        assert!(
            at_once.is_subset(&foretold) && foretold.is_subset(&in_all),
            "without {removed}: {foretold:?} foretold, {at_once:?} at once, {in_all:?} in all"
        );
        count += usize::from(!foretold.is_empty());
    }
    count
}

fn names(graph: &Graph, nodes: &BTreeSet<Handle<Node>>) -> BTreeSet<String> {
    nodes.iter().map(|node| graph[*node].name_owned()).collect()
}

#[test]
fn the_game_brings_down_what_the_certificate_foretells() {
    assert!(compare("scenes/stones.rgs", 5) > 1);
}
