//! Blades, pushes, explosions inside concave objects, and slow motion.

use crate::world::{broken, cube_surface, hard, World};
use fracture::{Breaking, Destructible, Event, Impact, PieceKind};
use fyrox::{
    core::algebra::{Matrix4, Vector3},
    graph::SceneGraph,
    scene::{collider::ColliderShape, rigidbody::RigidBody, rigidbody::RigidBodyType},
};

/// A wall of 3 by 2 by 0.3 m on the ground, a floor, and a free cube beside the wall.
fn yard() -> World {
    let mut world = World::new();
    world.floor();
    let size = Vector3::new(3.0, 2.0, 0.3);
    let tough = Destructible {
        breaking: Breaking {
            damage_threshold: 1e6.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let at = Vector3::new(0.0, 1.0, 0.0);
    world.block("Wall", RigidBodyType::Static, at, size, tough.clone());
    let at = Vector3::new(3.0, 0.501, 0.0);
    world.cube("Cube", RigidBodyType::Dynamic, at, tough);
    world.steps(5);
    world
}

fn eye() -> Vector3<f32> {
    Vector3::new(0.0, 1.0, 5.0)
}

#[test]
fn a_stroke_cuts_only_objects_along_it() {
    let mut world = yard();
    let toward = |x: f32, y: f32| Vector3::new(x, y, 0.15) - eye();
    let cut = world
        .destruction
        .cut(eye(), toward(-2.0, 0.9), toward(2.0, 1.2), 100.0, 0.0);
    assert_eq!(cut, 1, "the cube is below the stroke's end");
    let events = world.steps(2);
    assert_eq!(broken(&events).len(), 1);
    let pieces = world.destruction.pieces_of("Wall");
    assert_eq!(pieces.len(), 2);
    assert!(pieces
        .iter()
        .all(|p| p.closed == Some(true) && p.kind == PieceKind::Island));
    assert_eq!(pieces.iter().filter(|piece| piece.anchored).count(), 1);
    assert_eq!(world.destruction.is_intact("Cube"), Some(true));

    // A second stroke cuts a piece, and the cube.
    let again = world
        .destruction
        .cut(eye(), toward(-1.4, 0.3), toward(3.4, 0.6), 100.0, 0.0);
    assert_eq!(again, 2);
    world.steps(2);
    assert!(world.destruction.pieces_of("Wall").len() > 2);
    assert_eq!(world.destruction.pieces_of("Cube").len(), 2);
}

#[test]
fn degenerate_strokes_cut_nothing() {
    let mut world = yard();
    let ahead = -Vector3::z();
    let nan = Vector3::new(f32::NAN, 0.0, 0.0);
    for (from, to, reach) in [
        (ahead, ahead, 100.0),
        (Vector3::zeros(), ahead, 100.0),
        (nan, ahead, 100.0),
        (Vector3::x(), Vector3::y(), f32::NAN),
        (
            Vector3::new(-1.0, 0.0, -5.0),
            Vector3::new(1.0, 0.0, -5.0),
            0.5,
        ),
    ] {
        assert_eq!(world.destruction.cut(eye(), from, to, reach, 0.0), 0);
    }
    assert!(broken(&world.steps(3)).is_empty());
}

#[test]
fn a_blade_can_be_sent_like_any_impact() {
    let mut world = yard();
    let point = Vector3::new(0.2, 1.0, 0.15);
    world.strike("Wall", Impact::blade(point, Vector3::x()));
    let pieces = world.destruction.pieces_of("Wall");
    assert_eq!(pieces.len(), 2);
    assert!(
        pieces.iter().all(|piece| piece.anchored),
        "both sides stand"
    );
}

#[test]
fn a_stroke_with_a_kerf_leaves_a_gap_between_two_sides_that_stand() {
    let mut world = yard();
    // Straight ahead, so that the cut is square to the wall.
    let eye = Vector3::new(0.2, 1.0, 5.0);
    let [from, to] = [-0.1, 2.3].map(|y| Vector3::new(0.2, y, 0.15) - eye);
    assert_eq!(world.destruction.cut(eye, from, to, 100.0, f32::NAN), 0);
    assert_eq!(world.destruction.cut(eye, from, to, 100.0, -0.01), 0);
    assert_eq!(world.destruction.cut(eye, from, to, 100.0, 0.02), 1);
    world.steps(2);
    let mut sides = world.destruction.pieces_of("Wall");
    assert_eq!(sides.len(), 2);
    assert!(sides
        .iter()
        .all(|side| side.anchored && side.closed == Some(true)));
    sides.sort_by(|a, b| a.bounds[0].x.total_cmp(&b.bounds[0].x));
    let gap = sides[1].bounds[0].x - sides[0].bounds[1].x;
    assert!((gap - 0.02).abs() < 1e-3, "{gap} m");
}

#[test]
fn a_push_moves_free_bodies_and_breaks_nothing() {
    let mut world = yard();
    let from = Vector3::new(3.0, 0.5, 5.0);
    let scene = &mut world.scene;
    let pushed = world
        .destruction
        .push(scene, from, -Vector3::z(), 100.0, 2000.0, 100.0);
    let mut named = world.named("Cube").into_iter();
    let cube = named.find(|node| world.node(*node).name() == "Cube");
    let cube = cube.unwrap();
    assert_eq!(pushed, Some(cube));
    assert!(broken(&world.steps(2)).is_empty());
    let body = world.scene.graph.try_get_of_type::<RigidBody>(cube);
    assert!(body.unwrap().lin_vel().z < -0.2);
    let wall = world
        .destruction
        .push(&mut world.scene, eye(), -Vector3::z(), 100.0, 1e5, 100.0);
    assert_eq!(wall, None, "a wall does not move");

    // A piece of debris.
    world
        .destruction
        .impact(
            cube,
            Impact::blade(Vector3::new(3.0, 0.5, 0.0), Vector3::y()),
        )
        .unwrap();
    world.steps(2);
    let piece = world.destruction.pieces_of("Cube")[0].clone();
    let side = piece.position + Vector3::new(0.0, 0.0, 3.0);
    let pushed = world
        .destruction
        .push(&mut world.scene, side, -Vector3::z(), 10.0, 4000.0, 100.0);
    assert_eq!(pushed, Some(piece.node));
    world.steps(20);
    let now = world.destruction.pieces_of("Cube")[0].position;
    assert!(now.z < piece.position.z - 0.2, "{now}");
}

#[test]
fn an_explosion_in_a_doorway_breaks_the_walls_around_it() {
    // Two posts and a lintel as one body: the centre of its bounding box is empty.
    let mut world = World::new();
    world.floor();
    let part = |size: [f32; 3], at: [f32; 3]| {
        let place = Matrix4::new_translation(&Vector3::from(at));
        let size = Vector3::from(size);
        cube_surface(place * Matrix4::new_nonuniform_scaling(&size), None)
    };
    let surfaces = vec![
        part([0.4, 2.0, 0.4], [-1.2, 1.0, 0.0]),
        part([0.4, 2.0, 0.4], [1.2, 1.0, 0.0]),
        part([2.8, 0.4, 0.4], [0.0, 2.2, 0.0]),
    ];
    let script = Destructible {
        breaking: Breaking {
            max_radius: 0.5.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let door = world.body(
        "Door",
        RigidBodyType::Static,
        Vector3::zeros(),
        surfaces,
        ColliderShape::cuboid(0.01, 0.01, 0.01),
        Some(script),
    );
    use_mesh_as_collider(&mut world, door);
    world.steps(10);
    let struck = world
        .destruction
        .explosion(Vector3::new(-0.3, 0.8, 0.0), 2.0, 200_000.0);
    assert_eq!(struck, Ok(1));
    let events = world.steps(3);
    assert_eq!(world.destruction.faults().count(), 0);
    assert_eq!(broken(&events).len(), 1);
}

/// Makes the mesh of a body its collider.
fn use_mesh_as_collider(
    world: &mut World,
    body: fyrox::core::pool::Handle<fyrox::scene::node::Node>,
) {
    use fyrox::scene::collider::{Collider, GeometrySource};
    let children = world.node(body).children().to_vec();
    let mesh = world.named("Door mesh")[0];
    for child in children {
        if let Ok(collider) = world.scene.graph.try_get_mut_of_type::<Collider>(child) {
            collider.set_shape(ColliderShape::trimesh(vec![GeometrySource(mesh)]));
        }
    }
}

#[test]
fn debris_goes_as_slowly_as_the_engines_physics() {
    let fallen = |step: Option<f32>| {
        let mut world = World::new();
        let at = Vector3::new(0.0, 50.0, 0.0);
        world.cube("Cube", RigidBodyType::Dynamic, at, Destructible::default());
        let physics = &mut world.scene.graph.physics;
        physics
            .gravity
            .set_value_and_mark_modified(Vector3::zeros());
        world.steps(2);
        world.strike("Cube", hard(Vector3::new(0.0, 50.5, 0.0)));
        let physics = &mut world.scene.graph.physics;
        physics
            .gravity
            .set_value_and_mark_modified(Vector3::new(0.0, -10.0, 0.0));
        physics
            .integration_parameters
            .get_value_mut_and_mark_modified()
            .dt = step;
        let height = |world: &World| {
            let pieces = world.destruction.pieces_of("Cube");
            pieces
                .iter()
                .map(|p| p.position.y * p.volume as f32)
                .sum::<f32>()
        };
        let before = height(&world);
        let events = world.steps(60);
        assert!(!events
            .iter()
            .any(|event| matches!(event, Event::Failed { .. })));
        before - height(&world)
    };
    let (usual, slow) = (fallen(None), fallen(Some(1.0 / 240.0)));
    // A second, and a quarter of it, with an initial speed.
    assert!(
        usual > 3.0 && slow > 0.1 && slow < 0.5 * usual,
        "{usual} {slow}"
    );
}
