//! The structural certificate of a scene, against the game.

use crate::open::{alone, Open};
use fracture::{
    certificate::Hold, BodyId, BreakCause, Event, SceneStructure, StructureCertificate,
};
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

/// Random numbers of a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) % bound as u64) as usize
    }
}

/// A scene without some of its objects, and its certificate.
struct Certified {
    file: &'static str,
    /// The nodes that were taken out of it before.
    missing: Vec<Handle<Node>>,
    open: Open,
    /// In which what comes down is compared.
    game: Option<Open>,
    certificate: StructureCertificate,
}

impl Certified {
    fn new(file: &'static str) -> Self {
        Self::of(Open::new(file), None, file, Vec::new())
    }

    fn of(
        mut open: Open,
        game: Option<Open>,
        file: &'static str,
        missing: Vec<Handle<Node>>,
    ) -> Self {
        let resources = open.engine.resources().clone();
        let graph = &mut open.engine.scene(open.scene).unwrap().graph;
        missing.iter().for_each(|node| graph.remove_node(*node));
        graph.update_hierarchical_data();
        let structure = SceneStructure::new(graph, Some(&resources)).unwrap();
        let certificate = structure.certify();
        Self {
            file,
            missing,
            open,
            game,
            certificate,
        }
    }

    /// A member without which nothing else comes down, if one of so many tries finds any.
    fn idle_member(&self, random: &mut Random, tries: usize) -> Option<Handle<Node>> {
        let members: Vec<_> = self.certificate.members().collect();
        (0..tries).find_map(|_| {
            let (node, member) = members[random.below(members.len())];
            let removal = self.certificate.without(member.body).unwrap();
            removal.falls.is_empty().then_some(node)
        })
    }

    /// Whether all that is there stands.
    fn stands(&self) -> bool {
        let mut members = self.certificate.members();
        members
            .all(|(_, member)| member.falls == 0.0 && !matches!(member.hold, Hold::Nothing { .. }))
    }

    /// The same scene without one more object that holds up nothing, or the whole one where it would not stand so.
    fn thinned(self, random: &mut Random) -> Self {
        let more = self.idle_member(random, 20);
        let missing = self.missing.iter().copied().chain(more).collect();
        let thinned = self.without(missing);
        if thinned.stands() {
            thinned
        } else {
            thinned.without(Vec::new())
        }
    }

    fn without(self, missing: Vec<Handle<Node>>) -> Self {
        let open = self.open.reopened(self.file);
        Self::of(open, self.game, self.file, missing)
    }

    /// Takes an object out, and compares what comes down with what the certificate foretells. Returns whether anything
    /// comes down, and the difference in words.
    fn compare(&mut self, node: Handle<Node>, member: BodyId) -> (bool, Option<String>) {
        let removal = self.certificate.without(member).unwrap();
        let falls = removal.falls.iter();
        let foretold: BTreeSet<Handle<Node>> = falls
            .map(|fall| self.certificate.node(fall.body).unwrap())
            .collect();
        let mut game = match self.game.take() {
            Some(game) => game.reopened(self.file),
            None => Open::new(self.file),
        };
        let scene = game.engine.scene(game.scene).unwrap();
        for node in &self.missing {
            scene.graph.remove_node(*node);
        }
        game.frames(20);
        let before = fallen(&game);
        let scene = game.engine.scene(game.scene).unwrap();
        scene.graph.remove_node(node);
        // Before anything that falls strikes something.
        game.frames(12);
        let at_once = fallen(&game);
        game.frames(100);
        let in_all = fallen(&game);
        self.game = Some(game);
        let is_same =
            before.is_empty() && at_once.is_subset(&foretold) && foretold.is_subset(&in_all);
        let graph = &self.open.engine.scene(self.open.scene).unwrap().graph;
        let [before, foretold, at_once, in_all] =
            [before, foretold, at_once, in_all].map(|nodes| names(graph, &nodes));
        let difference = (!is_same).then(|| {
            format!(
                "{} without {} ({} were missing): {before:?} before, {foretold:?} foretold, {at_once:?} at once, \
                {in_all:?} in all",
                self.file,
                graph[node].name(),
                self.missing.len()
            )
        });
        (!foretold.is_empty(), difference)
    }
}

/// Compares random removals from a scene, of which each tenth begins with fewer objects. Returns the number of those
/// without which something comes down, and the differences.
fn compare(file: &'static str, count: usize, seed: u64) -> (usize, Vec<String>) {
    let mut random = Random(seed);
    let mut scene = Certified::new(file);
    let (mut falls, mut differences) = (0, Vec::new());
    for index in 0..count {
        if index % 10 == 9 {
            scene = scene.thinned(&mut random);
        }
        let members: Vec<_> = scene.certificate.members().collect();
        let (node, member) = members[random.below(members.len())];
        let body = member.body;
        let (falls_any, difference) = scene.compare(node, body);
        falls += usize::from(falls_any);
        if let Some(difference) = difference {
            println!("{difference}");
            differences.push(difference);
        }
    }
    (falls, differences)
}

#[test]
fn the_game_brings_down_what_the_certificate_foretells() {
    let _alone = alone();
    let (falls, differences) = compare("scenes/stones.rgs", 12, 1);
    assert!(falls > 1, "{falls}");
    assert_eq!(differences, [""; 0]);
}

#[test]
#[ignore = "takes many minutes"]
fn five_hundred_random_removals_in_three_scenes_come_out_as_foretold() {
    let _alone = alone();
    let scenes = [
        ("scenes/mill.rgs", 200),
        ("scenes/arch.rgs", 150),
        ("scenes/stones.rgs", 150),
    ];
    let mut all = Vec::new();
    for (file, count) in scenes {
        let (falls, differences) = compare(file, count, 7);
        let differing = differences.len();
        println!("{file}: {count} removals, {falls} bring something down, {differing} differ");
        all.extend(differences);
    }
    assert_eq!(all, [""; 0]);
}
