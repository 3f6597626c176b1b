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

/// The objects of which their weight has brought anything down. Of one that only cracks, all pieces stay held.
fn fallen(open: &Open) -> BTreeSet<Handle<Node>> {
    let fallen = open.events.iter().filter_map(|event| match event {
        Event::Broken {
            node,
            cause: BreakCause::Weight,
            pieces,
            ..
        } => pieces.iter().any(|piece| !piece.anchored).then_some(*node),
        _ => None,
    });
    fallen.collect()
}

/// Plays frames in which all that comes down is taken away at once, so that it strikes nothing.
fn frames_without_rubble(open: &mut Open, count: usize) {
    for _ in 0..count {
        let before = open.events.len();
        open.frames(1);
        let pieces = open.events[before..].iter().flat_map(|event| match event {
            Event::Broken { pieces, .. } => &pieces[..],
            _ => &[],
        });
        let free = pieces.filter(|piece| !piece.anchored);
        let graph = &mut open.engine.scene(open.scene).unwrap().graph;
        for piece in free {
            if graph.is_valid_handle(piece.node) {
                graph.remove_node(piece.node);
            }
        }
    }
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

    /// The scene in a game, of which an object was taken out once it had been weighed, and what had come down before.
    fn game_without(&mut self, node: Handle<Node>) -> (Open, BTreeSet<Handle<Node>>) {
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
        (game, before)
    }

    /// Takes an object out, and compares what comes down with what the certificate foretells: all of it, where what falls
    /// strikes nothing, and in the game as it is what falls before anything strikes.
    fn compare(&mut self, node: Handle<Node>, member: BodyId, all: &mut Comparison) {
        let removal = self.certificate.without(member).unwrap();
        let falls = removal.falls.iter();
        let foretold: BTreeSet<Handle<Node>> = falls
            .map(|fall| self.certificate.node(fall.body).unwrap())
            .collect();
        let (mut game, before) = self.game_without(node);
        frames_without_rubble(&mut game, 112);
        let fallen_alone = fallen(&game);
        self.game = Some(game);
        let mut at_once = BTreeSet::new();
        if !foretold.is_empty() {
            let (mut game, _) = self.game_without(node);
            game.frames(12);
            at_once = fallen(&game);
            game.frames(100);
            all.falls += 1;
            all.turned += usize::from(!foretold.is_subset(&fallen(&game)));
            self.game = Some(game);
        }
        if before.is_empty() && fallen_alone == foretold && at_once.is_subset(&foretold) {
            return;
        }
        let graph = &self.open.engine.scene(self.open.scene).unwrap().graph;
        let [before, foretold, fallen_alone, at_once] =
            [before, foretold, fallen_alone, at_once].map(|nodes| names(graph, &nodes));
        let difference = format!(
            "{} without {} ({} were missing): {before:?} before, {foretold:?} foretold, {fallen_alone:?} without rubble, \
            {at_once:?} at once",
            self.file,
            graph[node].name(),
            self.missing.len()
        );
        println!("{difference}");
        all.differences.push(difference);
    }
}

/// Removals that were compared.
#[derive(Default)]
struct Comparison {
    /// Those that bring something down.
    falls: usize,
    /// Those of them in which rubble keeps something up that was foretold to fall.
    turned: usize,
    /// In words.
    differences: Vec<String>,
}

/// Compares random removals from a scene, of which each tenth begins with fewer objects.
fn compare(file: &'static str, count: usize, seed: u64) -> Comparison {
    let mut random = Random(seed);
    let mut scene = Certified::new(file);
    let mut all = Comparison::default();
    for index in 0..count {
        if index % 10 == 9 {
            scene = scene.thinned(&mut random);
        }
        let members: Vec<_> = scene.certificate.members().collect();
        let (node, member) = members[random.below(members.len())];
        let body = member.body;
        scene.compare(node, body, &mut all);
    }
    all
}

#[test]
fn the_game_brings_down_what_the_certificate_foretells() {
    let _alone = alone();
    let all = compare("scenes/stones.rgs", 12, 1);
    assert!(all.falls > 1, "{}", all.falls);
    assert_eq!((all.turned, all.differences), (0, Vec::new()));
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
    let mut differences = Vec::new();
    for (file, count) in scenes {
        let all = compare(file, count, 7);
        let (falls, turned, differing) = (all.falls, all.turned, all.differences.len());
        println!(
            "{file}: {count} removals, {falls} bring something down, of {turned} rubble keeps something up, {differing} \
            differ"
        );
        differences.extend(all.differences);
    }
    assert_eq!(differences, [""; 0]);
}
