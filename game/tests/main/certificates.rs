//! The structural certificate of a scene, against the game.

use crate::world::{broken, World};
use fracture::{
    certificate::{Hold, StructureMember},
    Destructible, SceneStructure, StructureCertificate,
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{node::Node, rigidbody::RigidBodyType},
};
use std::collections::BTreeSet;

/// A hall: four columns, two beams on them, three slabs across, a parapet with a pot, a sign under a beam, and a lamp that hangs in the air.
const HALL: [(&str, [f32; 3], [f32; 3]); 13] = [
    ("Column 1", [0.4, 3.0, 0.4], [-2.0, 1.5, -2.0]),
    ("Column 2", [0.4, 3.0, 0.4], [2.0, 1.5, -2.0]),
    ("Column 3", [0.4, 3.0, 0.4], [-2.0, 1.5, 2.0]),
    ("Column 4", [0.4, 3.0, 0.4], [2.0, 1.5, 2.0]),
    ("Beam 1", [4.4, 0.4, 0.4], [0.0, 3.2, -2.0]),
    ("Beam 2", [4.4, 0.4, 0.4], [0.0, 3.2, 2.0]),
    ("Slab 1", [1.4, 0.2, 4.4], [-1.5, 3.5, 0.0]),
    ("Slab 2", [1.4, 0.2, 4.4], [0.0, 3.5, 0.0]),
    ("Slab 3", [1.4, 0.2, 4.4], [1.5, 3.5, 0.0]),
    ("Parapet", [0.2, 1.0, 4.4], [1.5, 4.1, 0.0]),
    ("Sign", [1.0, 0.5, 0.1], [0.0, 2.75, -2.0]),
    ("Pot", [0.2, 0.3, 0.2], [1.5, 4.75, 0.0]),
    ("Lamp", [0.3, 0.3, 0.3], [0.0, 0.5, 0.0]),
];

fn hall(parts: &[(&str, [f32; 3], [f32; 3])]) -> (World, Vec<Handle<Node>>) {
    let mut world = World::new();
    world.floor();
    let block = |(name, size, place): &(&str, [f32; 3], [f32; 3])| {
        let (size, place) = ((*size).into(), (*place).into());
        world.block(
            name,
            RigidBodyType::Static,
            place,
            size,
            Destructible::default(),
        )
    };
    let nodes = parts.iter().map(block).collect();
    world.scene.graph.update_hierarchical_data();
    (world, nodes)
}

fn certify(world: &World) -> StructureCertificate {
    SceneStructure::new(&world.scene.graph, None)
        .unwrap()
        .certify()
}

fn name(world: &World, node: Handle<Node>) -> String {
    world.scene.graph.try_get_node(node).unwrap().name_owned()
}

fn find(world: &World, certificate: &StructureCertificate, wanted: &str) -> StructureMember {
    let mut members = certificate.members();
    let found = members.find(|(node, _)| name(world, *node) == wanted);
    found.unwrap().1.clone()
}

#[test]
fn a_scene_is_certified_without_being_changed() {
    let (world, _) = hall(&HALL);
    let nodes = world.scene.graph.pair_iter().count();
    let certificate = certify(&world);
    assert_eq!(world.scene.graph.pair_iter().count(), nodes);
    assert!(certificate.problems().is_empty() && !certificate.lacks_ground());
    assert_eq!(certificate.members().count(), HALL.len());
    let beam = find(&world, &certificate, "Beam 1");
    let Hold::Bonds(bonds) = &beam.hold else {
        panic!("{beam:?}")
    };
    let with = bonds
        .iter()
        .map(|bond| name(&world, certificate.holder(bond.with)));
    let with: Vec<String> = with.collect();
    assert_eq!(
        with,
        ["Column 1", "Column 2", "Slab 1", "Slab 2", "Slab 3", "Sign"]
    );
    let column = find(&world, &certificate, "Column 1");
    let Hold::Bonds(bonds) = &column.hold else {
        panic!("{column:?}")
    };
    let ground = bonds.iter().find(|bond| bond.with.external().is_some());
    let ground = certificate.holder(ground.unwrap().with);
    assert!(world.scene.graph.try_get_node(ground).is_ok());
    let lamp = find(&world, &certificate, "Lamp");
    assert!(
        matches!(lamp.hold, Hold::Nothing { nearest: Some(gap) } if (gap.distance - 0.35).abs() < 1e-3),
        "{lamp:?}"
    );
}

#[test]
fn objects_without_ground_or_with_a_fault_are_told() {
    let mut world = World::new();
    let place = Vector3::new(0.0, 5.0, 0.0);
    let block = |world: &mut World, name: &str| {
        let (size, script) = (Vector3::repeat(1.0), Destructible::default());
        world.block(name, RigidBodyType::Static, place, size, script)
    };
    block(&mut world, "Wall");
    world.scene.graph.update_hierarchical_data();
    assert!(certify(&world).lacks_ground());
    let faulty = block(&mut world, "Without mesh");
    let children = world.scene.graph.node(faulty).children().to_vec();
    for child in children {
        world.scene.graph.remove_node(child);
    }
    world.scene.graph.update_hierarchical_data();
    let certificate = certify(&world);
    let problems: Vec<_> = certificate
        .problems()
        .iter()
        .map(|problem| problem.node)
        .collect();
    assert_eq!(problems, [faulty]);
    assert!(certificate.problems()[0].reason.contains("mesh"));
}

#[test]
fn the_game_brings_down_what_the_certificate_foretells() {
    // All that stands: what floats would fall on the others.
    let parts = &HALL[..12];
    let (world, _) = hall(parts);
    let certificate = certify(&world);
    let mut all = BTreeSet::new();
    for (removed, (part, ..)) in parts.iter().enumerate() {
        let member = find(&world, &certificate, part);
        let removal = certificate.without(member.body).unwrap();
        let falls = removal.falls.iter();
        let foretold: BTreeSet<String> = falls
            .map(|fall| name(&world, certificate.node(fall.body).unwrap()))
            .collect();
        let (mut game, nodes) = hall(parts);
        game.steps(10);
        game.scene.graph.remove_node(nodes[removed]);
        // Before anything that falls strikes something.
        let events = game.steps(14);
        let fallen: BTreeSet<String> = broken(&events).into_iter().map(str::to_owned).collect();
        assert_eq!(foretold, fallen, "without {part}");
        all.extend(fallen);
    }
    assert!(all.contains("Pot") && all.contains("Sign"), "{all:?}");
}
