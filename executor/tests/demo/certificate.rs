//! The structural certificate of a scene, against the game.

use crate::open::{alone, Open};
use fracture::{BreakCause, Event, SceneStructure};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::collections::BTreeSet;

/// The objects of which their weight has brought anything down.
fn fallen(open: &Open) -> BTreeSet<Handle<Node>> {
    let fallen = open.events.iter().filter_map(|event| match event {
        Event::Broken { node, cause, .. } if *cause == BreakCause::Weight => Some(*node),
        _ => None,
    });
    fallen.collect()
}

fn names(graph: &Graph, nodes: &BTreeSet<Handle<Node>>) -> BTreeSet<String> {
    nodes.iter().map(|node| graph[*node].name_owned()).collect()
}

/// Compares what the certificate foretells with the game, for every `step`-th object of a scene, taken out of it.
/// Returns the number of those without which something comes down.
fn compare(file: &str, step: usize) -> usize {
    let mut certified = Open::new(file);
    let resources = certified.engine.resources().clone();
    let graph = &mut certified.engine.scene(certified.scene).unwrap().graph;
    graph.update_hierarchical_data();
    let structure = SceneStructure::new(graph, Some(&resources)).unwrap();
    let certificate = structure.certify();
    let mut count = 0;
    for (node, member) in certificate.members().step_by(step) {
        let removal = certificate.without(member.body).unwrap();
        let falls = removal.falls.iter();
        let foretold: BTreeSet<Handle<Node>> = falls
            .map(|fall| certificate.node(fall.body).unwrap())
            .collect();
        let mut game = Open::new(file);
        game.frames(20);
        assert_eq!(fallen(&game), BTreeSet::new());
        let scene = game.engine.scene(game.scene).unwrap();
        scene.graph.remove_node(node);
        // Before anything that falls strikes something.
        game.frames(12);
        let at_once = fallen(&game);
        game.frames(100);
        let in_all = fallen(&game);
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

#[test]
fn the_game_brings_down_what_the_certificate_foretells() {
    let _alone = alone();
    assert!(compare("scenes/stones.rgs", 5) > 1);
}
