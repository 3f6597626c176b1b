//! Anchor nodes: colliders that hold what they meet.

use crate::world::{broken, hard, World};
use fracture::{certificate::Hold, Anchor, Destructible, Impact, SceneStructure};
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, ConvexPolyhedronShape, GeometrySource},
        mesh::MeshBuilder,
        node::Node,
        pivot::PivotBuilder,
        rigidbody::RigidBodyType,
        transform::TransformBuilder,
    },
};

const STATIC: RigidBodyType = RigidBodyType::Static;

fn at(x: f32, y: f32, z: f32) -> Vector3<f32> {
    Vector3::new(x, y, z)
}

/// A shelf of 2 m in the air, above a floor that it does not touch.
fn shelf(world: &mut World) -> Handle<Node> {
    world.floor();
    let size = at(2.0, 0.2, 0.4);
    world.block(
        "Shelf",
        STATIC,
        at(0.0, 3.0, 0.0),
        size,
        Destructible::default(),
    )
}

/// Adds an anchor without a body of its own.
fn anchor(world: &mut World, shape: ColliderShape, place: Vector3<f32>) -> Handle<Node> {
    let transform = TransformBuilder::new().with_local_position(place).build();
    let base = BaseBuilder::new()
        .with_name("Hook")
        .with_local_transform(transform);
    let graph = &mut world.scene.graph;
    let node = ColliderBuilder::new(base)
        .with_shape(shape)
        .build(graph)
        .to_base();
    graph.node_mut(node).add_script(Anchor::default());
    node
}

/// A box around the left end of the shelf.
fn left_end() -> (ColliderShape, Vector3<f32>) {
    (ColliderShape::cuboid(0.2, 0.3, 0.3), at(-1.0, 3.0, 0.0))
}

/// Takes a second, and gives the names of what came down.
fn second(world: &mut World) -> Vec<String> {
    let events = world.steps(60);
    broken(&events).into_iter().map(str::to_owned).collect()
}

/// A shelf that an anchor holds; the anchor.
fn held() -> (World, Handle<Node>) {
    let mut world = World::new();
    shelf(&mut world);
    let (shape, place) = left_end();
    let hook = anchor(&mut world, shape, place);
    assert_eq!(second(&mut world), [""; 0]);
    assert_eq!(world.faults(), "");
    (world, hook)
}

#[test]
fn what_an_anchor_holds_falls_when_the_node_is_removed() {
    let (mut world, hook) = held();
    world.scene.graph.remove_node(hook);
    assert_eq!(second(&mut world), ["Shelf"]);
}

#[test]
fn what_an_anchor_holds_falls_when_it_is_moved_away() {
    let (mut world, hook) = held();
    let node = world.scene.graph.node_mut(hook);
    node.local_transform_mut().set_position(at(-1.1, 3.05, 0.0));
    assert_eq!(second(&mut world), [""; 0], "it is still there");
    let node = world.scene.graph.node_mut(hook);
    node.local_transform_mut().set_position(at(-2.0, 3.0, 0.0));
    assert_eq!(second(&mut world), ["Shelf"]);
}

#[test]
fn what_an_anchor_holds_falls_when_the_node_is_disabled_or_loses_its_script() {
    let (mut world, hook) = held();
    world.scene.graph.node_mut(hook).set_enabled(false);
    assert_eq!(second(&mut world), ["Shelf"]);
    let (mut world, hook) = held();
    world.scene.graph.node_mut(hook).remove_script(0);
    assert_eq!(second(&mut world), ["Shelf"]);
}

#[test]
fn an_anchor_that_comes_in_time_holds() {
    let mut world = World::new();
    shelf(&mut world);
    let (shape, place) = left_end();
    let hook = anchor(&mut world, shape.clone(), place);
    world.scene.graph.node_mut(hook).set_enabled(false);
    let other = anchor(&mut world, shape, at(1.0, 3.0, 0.0));
    assert_eq!(second(&mut world), [""; 0]);
    // One takes over from the other.
    world.scene.graph.node_mut(hook).set_enabled(true);
    assert_eq!(second(&mut world), [""; 0]);
    world.scene.graph.remove_node(other);
    assert_eq!(second(&mut world), [""; 0]);
    world.scene.graph.remove_node(hook);
    assert_eq!(second(&mut world), ["Shelf"]);
}

/// Whether a shape at a place holds the shelf.
fn holds(shape: ColliderShape, place: Vector3<f32>) -> bool {
    let mut world = World::new();
    shelf(&mut world);
    anchor(&mut world, shape, place);
    let fallen = second(&mut world);
    assert!(fallen.is_empty() || fallen == ["Shelf"], "{fallen:?}");
    fallen.is_empty()
}

#[test]
fn spheres_hold_by_their_shape_and_not_by_their_box() {
    // The corner of the shelf is 0.2 m from the middle in each direction, 0.346 m in all.
    let place = at(-1.2, 3.3, 0.4);
    assert!(!holds(ColliderShape::ball(0.3), place));
    assert!(holds(ColliderShape::cuboid(0.3, 0.3, 0.3), place));
    assert!(holds(ColliderShape::ball(0.45), place));
}

#[test]
fn convex_shapes_hold_by_their_shape_and_not_by_their_box() {
    let convex = |place: Vector3<f32>| {
        let mut world = World::new();
        shelf(&mut world);
        // A cube of 0.4 m that stands on an edge: its box is 0.57 m wide and high.
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f32::consts::FRAC_PI_4);
        let turned = turn.to_homogeneous() * Matrix4::new_scaling(0.4);
        let data = fyrox::scene::mesh::surface::SurfaceData::make_cube(turned);
        let surface = fyrox::scene::mesh::surface::SurfaceBuilder::new(
            fyrox::scene::mesh::surface::SurfaceResource::new_embedded(data),
        );
        let transform = TransformBuilder::new().with_local_position(place).build();
        let base = BaseBuilder::new()
            .with_visibility(false)
            .with_local_transform(transform);
        let mesh = MeshBuilder::new(base)
            .with_surfaces(vec![surface.build()])
            .build(&mut world.scene.graph);
        let shape = ColliderShape::Polyhedron(ConvexPolyhedronShape {
            geometry_source: GeometrySource(mesh.to_base()),
        });
        anchor(&mut world, shape, place);
        second(&mut world).is_empty()
    };
    assert!(convex(at(-1.1, 3.0, 0.0)));
    assert!(!convex(at(-1.2, 3.3, 0.0)), "its box alone meets the shelf");
}

#[test]
fn an_anchor_below_the_object_moves_with_it_and_stays_when_it_breaks() {
    let mut world = World::new();
    let shelf = shelf(&mut world);
    let (shape, _) = left_end();
    let hook = anchor(&mut world, shape, at(-1.0, 0.0, 0.0));
    world.scene.graph.link_nodes(hook, shelf);
    assert_eq!(second(&mut world), [""; 0]);
    let blow = Impact {
        radius: Some(0.3),
        ..hard(at(0.3, 3.1, 0.0))
    };
    assert_eq!(broken(&world.strike("Shelf", blow)), ["Shelf"]);
    world.steps(60);
    let held = world.destruction.pieces_of("Shelf");
    let held: Vec<_> = held.iter().filter(|piece| piece.anchored).collect();
    assert_eq!(held.len(), 1, "the left half hangs on the anchor");
    assert!(held[0].position.x < 0.0);
    let above = world.scene.graph.node(hook).parent();
    assert_eq!(above, shelf);
    world.scene.graph.remove_node(hook);
    world.steps(60);
    let pieces = world.destruction.pieces_of("Shelf");
    assert!(pieces.iter().all(|piece| !piece.anchored));
}

#[test]
fn anchors_hold_objects_that_are_nested_scaled_turned_and_mirrored() {
    for scale in [at(1.0, 1.0, 1.0), at(2.0, 0.5, 1.5), at(-1.0, 1.0, 1.0)] {
        let mut world = World::new();
        let shelf = shelf(&mut world);
        let turn = UnitQuaternion::from_euler_angles(0.3, 0.8, -0.2);
        let transform = TransformBuilder::new()
            .with_local_position(at(0.5, 2.0, -1.0))
            .with_local_rotation(turn)
            .with_local_scale(scale)
            .build();
        let base = BaseBuilder::new().with_local_transform(transform);
        let graph = &mut world.scene.graph;
        let above = PivotBuilder::new(base).build(graph).to_base::<Node>();
        graph.link_nodes(shelf, above);
        graph.update_hierarchical_data();
        let end = graph.node(above).global_transform()
            * fyrox::core::algebra::Vector4::new(1.0, 3.0, 0.0, 1.0);
        let hook = anchor(&mut world, ColliderShape::ball(0.3), end.xyz());
        assert_eq!(second(&mut world), [""; 0], "{scale:?}");
        world.scene.graph.remove_node(hook);
        assert_eq!(second(&mut world), ["Shelf"], "{scale:?}");
    }
}

#[test]
fn nothing_collides_with_an_anchor() {
    let mut world = World::new();
    shelf(&mut world);
    // One that holds, and one in the way of the pieces.
    let (shape, place) = left_end();
    let hook = anchor(&mut world, shape, place);
    anchor(
        &mut world,
        ColliderShape::cuboid(3.0, 0.2, 3.0),
        at(0.0, 1.5, 0.0),
    );
    world.steps(10);
    let hit = world
        .destruction
        .cast_ray(at(0.0, 2.0, 0.0), at(0.0, -1.0, 0.0), 5.0);
    let distance = hit.expect("the floor").distance;
    assert!(distance > 1.5, "a ray does not meet it, either: {distance}");
    assert!(world
        .destruction
        .overlap_sphere(at(2.0, 1.5, 2.0), 0.1)
        .is_empty());
    world.scene.graph.remove_node(hook);
    world.steps(120);
    let pieces = world.destruction.pieces_of("Shelf");
    assert!(!pieces.is_empty());
    assert!(
        pieces.iter().all(|piece| piece.position.y < 1.0),
        "{pieces:?}"
    );
}

#[test]
fn faulty_anchors_hold_nothing_and_are_told_once() {
    let nan = f32::NAN;
    let shapes = [
        ColliderShape::ball(0.0),
        ColliderShape::ball(nan),
        ColliderShape::ball(f32::INFINITY),
        ColliderShape::ball(-1.0),
        ColliderShape::cuboid(0.0, 1.0, 1.0),
        ColliderShape::cuboid(1.0, nan, 1.0),
    ];
    for shape in shapes {
        let mut world = World::new();
        shelf(&mut world);
        let (sound, place) = left_end();
        anchor(&mut world, sound, place);
        anchor(&mut world, shape.clone(), place);
        assert_eq!(second(&mut world), [""; 0], "{shape:?}");
        let faults = world.faults();
        assert!(
            faults.contains("Hook") && faults.contains("give it a size"),
            "{faults}"
        );
        assert_eq!(faults.lines().count(), 1, "{faults}");
    }
}

#[test]
fn an_anchor_on_another_node_or_nowhere_is_told() {
    let mut world = World::new();
    shelf(&mut world);
    let (shape, place) = left_end();
    let hook = anchor(&mut world, shape, place);
    let graph = &mut world.scene.graph;
    let base = BaseBuilder::new().with_name("Place");
    let pivot = PivotBuilder::new(base).build(graph).to_base::<Node>();
    graph.node_mut(pivot).add_script(Anchor::default());
    assert_eq!(second(&mut world), [""; 0]);
    let faults = world.faults();
    assert!(
        faults.contains("Place") && faults.contains("put the script on a collider node"),
        "{faults}"
    );
    assert_eq!(faults.lines().count(), 1, "{faults}");
    let node = world.scene.graph.node_mut(hook);
    node.local_transform_mut()
        .set_position(at(f32::NAN, 0.0, 0.0));
    assert_eq!(second(&mut world), ["Shelf"]);
    assert!(
        world.faults().contains("place it anew"),
        "{}",
        world.faults()
    );
}

#[test]
fn the_certificate_counts_anchors() {
    let mut world = World::new();
    let shelf = shelf(&mut world);
    let (shape, place) = left_end();
    let hook = anchor(&mut world, shape, place);
    let faulty = anchor(&mut world, ColliderShape::ball(0.0), place);
    world.scene.graph.update_hierarchical_data();
    let certificate = SceneStructure::new(&world.scene.graph, None)
        .unwrap()
        .certify();
    let (node, member) = certificate.members().next().unwrap();
    assert_eq!((node, member.falls), (shelf, 0.0));
    let Hold::Bonds(bonds) = &member.hold else {
        panic!("{member:?}")
    };
    let holders: Vec<_> = bonds
        .iter()
        .map(|bond| certificate.holder(bond.with))
        .collect();
    assert_eq!(holders, [hook]);
    let problems: Vec<_> = certificate.problems().iter().map(|one| one.node).collect();
    assert_eq!(problems, [faulty]);
}

/// A shelf whose anchor is moved away after a blow, and the hash of what came of it.
fn history() -> u64 {
    let (mut world, hook) = held();
    let blow = Impact {
        radius: Some(0.3),
        ..hard(at(0.3, 3.1, 0.0))
    };
    world.strike("Shelf", blow);
    world.steps(20);
    let node = world.scene.graph.node_mut(hook);
    node.local_transform_mut().set_position(at(-3.0, 3.0, 0.0));
    world.steps(40);
    world.destruction.state_hash()
}

#[test]
fn the_same_is_held_each_time() {
    assert_eq!(history(), history());
}

#[test]
fn a_break_under_an_anchor_is_saved_and_restored() {
    let (mut world, _) = held();
    let blow = Impact {
        radius: Some(0.3),
        ..hard(at(0.3, 3.1, 0.0))
    };
    world.strike("Shelf", blow);
    world.steps(60);
    let held_pieces = |world: &World| {
        let pieces = world.destruction.pieces_of("Shelf");
        pieces.iter().filter(|piece| piece.anchored).count()
    };
    assert_eq!(held_pieces(&world), 1);
    let save = world.destruction.save(&mut world.scene);
    let (mut other, hook) = held();
    other.destruction.restore(&mut other.scene, save).unwrap();
    assert_eq!(second(&mut other), [""; 0]);
    assert_eq!(held_pieces(&other), 1);
    other.scene.graph.remove_node(hook);
    other.steps(60);
    assert_eq!(held_pieces(&other), 0);
}
