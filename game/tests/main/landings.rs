//! Large intact objects that fall: where they are struck, and where they tear.

use crate::world::{first_pieces, loose, placed, World};
use fracture::{conversion::write_surfaces, BreakCause, Breaking, Destructible, Event, Strength};
use fracture_geometry::Mesh;
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::surface::SurfaceBuilder,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// A script of concrete that breaks at some impulse, N s, and tears at some stress, Pa.
fn concrete(damage_threshold: f32, tensile_strength: f32) -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: damage_threshold.into(),
            max_radius: 0.3.into(),
            ..Breaking::default()
        },
        strength: Strength {
            tensile_strength: tensile_strength.into(),
            ..Strength::default()
        },
        density: 2400.0.into(),
        ..loose()
    }
}

/// A beam of 4 m that falls from a height onto an edge below its middle, which nothing but its landing may break.
fn fallen_beam(height: f32) -> (World, Vec<Event>) {
    let mut world = World::new();
    world.floor();
    let edge = Vector3::new(0.1, 1.0, 1.0);
    let shape = ColliderShape::cuboid(edge.x / 2.0, edge.y / 2.0, edge.z / 2.0);
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.body("edge", RigidBodyType::Static, at, vec![], shape, None);
    let at = Vector3::new(0.0, 1.2 + height, 0.0);
    let size = Vector3::new(4.0, 0.4, 0.4);
    let script = concrete(1e9, 3e7);
    world.block("beam", RigidBodyType::Dynamic, at, size, script);
    let events = world.steps(70);
    (world, events)
}

fn causes(events: &[Event]) -> Vec<BreakCause> {
    let causes = events.iter().filter_map(|event| match event {
        Event::Broken { cause, .. } => Some(*cause),
        _ => None,
    });
    causes.collect()
}

#[test]
fn a_beam_that_falls_onto_an_edge_breaks_over_it_from_high_enough() {
    let (_, events) = fallen_beam(0.03);
    assert_eq!(causes(&events), []);
    let (world, events) = fallen_beam(1.0);
    assert_eq!(causes(&events).first(), Some(&BreakCause::Weight));
    let first = first_pieces(&events).unwrap();
    let mass: f64 = first.iter().map(|piece| piece.mass).sum();
    let shares = first.iter().map(|piece| piece.mass / mass);
    let halves = shares.filter(|share| (0.4..0.6).contains(share));
    assert_eq!(halves.count(), 2);
    assert_eq!(world.faults(), "");
}

/// Adds a table of 3 by 2 m, 1 m high, on four legs of 20 cm, which falls from a height.
fn fall_of_table(world: &mut World, height: f32, script: Destructible) -> Handle<Node> {
    let mut mesh = Mesh::cuboid([3.0, 0.2, 2.0]);
    mesh.positions.iter_mut().for_each(|at| at[1] += 0.9);
    let feet = [[-1.3, -0.8], [1.3, -0.8], [1.3, 0.8], [-1.3, 0.8]];
    for [x, z] in feet {
        let first = mesh.positions.len() as u32;
        let leg = Mesh::cuboid([0.2, 0.8, 0.2]);
        let places = leg.positions.iter();
        let moved = places.map(|at| [at[0] + x, at[1] + 0.4, at[2] + z]);
        mesh.positions.extend(moved);
        let triangles = leg.triangles.iter();
        mesh.triangles
            .extend(triangles.map(|corners| corners.map(|corner| first + corner)));
    }
    let data = write_surfaces(&mesh).into_values().next().unwrap();
    let at = Vector3::new(0.0, height, 0.0);
    let (kind, top) = (RigidBodyType::Dynamic, ColliderShape::cuboid(1.5, 0.1, 1.0));
    let surfaces = vec![SurfaceBuilder::new(data).build()];
    let table = world.body("table", kind, at, surfaces, top, Some(script));
    let graph = &mut world.scene.graph;
    let collider = graph.try_get_node(table).unwrap().children()[1];
    let own = graph.try_get_node_mut(collider).unwrap();
    own.local_transform_mut()
        .set_position(Vector3::new(0.0, 0.9, 0.0));
    for [x, z] in feet {
        let base = BaseBuilder::new().with_local_transform(placed(Vector3::new(x, 0.4, z)));
        let leg = ColliderBuilder::new(base)
            .with_shape(ColliderShape::cuboid(0.1, 0.4, 0.1))
            .build(graph);
        graph.link_nodes(leg, table);
    }
    table
}

#[test]
fn a_table_that_falls_is_struck_at_each_of_its_feet() {
    let mut world = World::new();
    world.floor();
    fall_of_table(&mut world, 2.0, concrete(100.0, 0.0));
    let events = world.steps(90);
    let struck = events.iter().filter_map(|event| match event {
        Event::Broken { point, energy, .. } if *energy > 0.0 => Some((point, energy)),
        _ => None,
    });
    let mut feet = [0.0; 4];
    for (point, energy) in struck.take(4) {
        assert!(point.y < 0.3, "{point}");
        let is_foot = (point.x.abs() - 1.3).abs() < 0.15 && (point.z.abs() - 0.8).abs() < 0.15;
        assert!(is_foot, "{point}");
        feet[usize::from(point.x > 0.0) + 2 * usize::from(point.z > 0.0)] = *energy;
    }
    // Together that of the fall.
    let mass = 2400.0 * (3.0 * 0.2 * 2.0 + 4.0 * 0.2 * 0.2 * 0.8);
    let of_fall = mass * 9.81 * 2.0;
    let sum: f32 = feet.iter().sum();
    assert!(
        feet.iter().all(|energy| *energy > 0.1 * sum),
        "{feet:?} {of_fall}"
    );
    assert!((0.8..1.05).contains(&(sum / of_fall)), "{sum} {of_fall}");
    assert_eq!(world.faults(), "");
}

/// The causes of the breaks of a beam of 4 m on two blocks, on whose middle a crate of some mass (kg) is set.
fn loaded_beam(mass: f32) -> Vec<BreakCause> {
    let mut world = World::new();
    world.floor();
    let shape = || ColliderShape::cuboid(0.1, 0.5, 0.5);
    for x in [-1.9, 1.9] {
        let at = Vector3::new(x, 0.5, 0.0);
        world.body("support", RigidBodyType::Static, at, vec![], shape(), None);
    }
    let at = Vector3::new(0.0, 1.2, 0.0);
    let size = Vector3::new(4.0, 0.4, 0.4);
    let script = concrete(1e9, 3e6);
    world.block("beam", RigidBodyType::Dynamic, at, size, script);
    let mut events = world.steps(60);
    let at = Vector3::new(0.0, 1.6, 0.0);
    let shape = ColliderShape::cuboid(0.2, 0.2, 0.2);
    let kind = RigidBodyType::Dynamic;
    let crate_ = world.body("crate", kind, at, vec![], shape, None);
    let node = world.scene.graph.try_get_node_mut(crate_).unwrap();
    node.cast_mut::<RigidBody>().unwrap().set_mass(mass);
    events.extend(world.steps(90));
    assert_eq!(world.faults(), "");
    causes(&events)
}

#[test]
fn a_beam_that_lies_on_two_blocks_bears_a_crate_and_breaks_under_a_heavy_one() {
    assert_eq!(loaded_beam(1500.0), []);
    assert_eq!(loaded_beam(8000.0).first(), Some(&BreakCause::Weight));
}

#[test]
fn a_pane_that_falls_onto_its_edge_does_not_stand_there_in_shards() {
    for turn in [0.0_f32, 0.8] {
        let mut world = World::new();
        world.floor();
        let at = Vector3::new(0.0, 2.3, 0.0);
        let size = Vector3::new(2.0, 1.6, 0.02);
        let mut script = concrete(10.0, 0.0);
        script.breaking.max_radius = 3.0.into();
        script.breaking.min_radius = 3.0.into();
        let pane = world.block("pane", RigidBodyType::Dynamic, at, size, script);
        let node = world.scene.graph.try_get_node_mut(pane).unwrap();
        let turned = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), turn);
        node.local_transform_mut().set_rotation(turned);
        world.steps(300);
        let pieces = world.destruction.pieces_of("pane");
        assert!(pieces.len() > 10, "{}", pieces.len());
        let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
        let standing = pieces.iter().filter(|piece| piece.position.y > 0.3);
        let standing: f64 = standing.map(|piece| piece.volume).sum();
        assert!(standing < 0.1 * volume, "{turn}: {standing} of {volume}");
        assert_eq!(world.faults(), "");
    }
}
