//! The engine's dynamic bodies and debris push each other.

use crate::world::{free, placed, World, DT};
use fracture::{
    Anchoring, Breaking, Destructible, FracturePattern, Held, Impact, PatternKind, Pieces, Settings,
};
use fyrox::{
    asset::Resource,
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        joint::{BallJoint, JointBuilder, JointParams},
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
    },
};

/// Adds the debris of a cube at rest around the origin, on a floor.
fn rubble(world: &mut World) {
    world.floor();
    let small = FracturePattern {
        kind: PatternKind::Uniform,
        cells: 300,
        ..FracturePattern::default()
    };
    let script = Destructible {
        pattern: Some(Resource::new_embedded(small)).into(),
        density: 600.0.into(),
        pieces: Pieces {
            max_depth: 1.into(),
            ..Pieces::default()
        },
        ..free()
    };
    let place = Vector3::new(0.0, 0.5, 0.0);
    world.cube("crate", RigidBodyType::Static, place, script);
    world.step();
    let impact = Impact::new(place, Vector3::y(), 10.0);
    let impact = impact.with_radius(2.0);
    let queued = world
        .destruction
        .impact_by_name(&world.scene, "crate", impact);
    queued.unwrap();
    for _ in 0..300 {
        // However slow the machine is, all that is begun in a frame is there in the next.
        world.destruction.finish_breaks(&mut world.scene);
        world.finish_debris_step();
        world.step();
    }
    assert!(world.destruction.pieces_of("crate").len() > 50);
}

fn body(
    world: &mut World,
    shape: ColliderShape,
    mass: f32,
    at: Vector3<f32>,
    change: impl FnOnce(RigidBodyBuilder) -> RigidBodyBuilder,
) -> Handle<Node> {
    let graph = &mut world.scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(shape)
        .with_friction(0.5)
        .build(graph);
    let base = BaseBuilder::new()
        .with_local_transform(placed(at))
        .with_child(collider);
    change(RigidBodyBuilder::new(base).with_mass(mass))
        .build(graph)
        .to_base()
}

fn velocity(world: &World, body: Handle<Node>) -> Vector3<f32> {
    let body = world.scene.graph.try_get_of_type::<RigidBody>(body);
    body.unwrap().lin_vel()
}

fn position(world: &World, body: Handle<Node>) -> Vector3<f32> {
    **world.node(body).local_transform().position()
}

/// The positions of the pieces.
fn places(world: &World) -> Vec<Vector3<f32>> {
    let pieces = world.destruction.pieces_of("crate");
    pieces.iter().map(|piece| piece.position).collect()
}

fn moved(before: &[Vector3<f32>], after: &[Vector3<f32>], by: f32) -> usize {
    let far = |(a, b): &(&Vector3<f32>, &Vector3<f32>)| (*a - *b).norm() > by;
    before.iter().zip(after).filter(far).count()
}

#[test]
fn a_body_of_the_engine_rests_on_debris_without_sinking() {
    for mass in [1.0, 100.0] {
        let mut world = World::new();
        rubble(&mut world);
        let slab = ColliderShape::cuboid(0.6, 0.1, 0.6);
        let slab = body(&mut world, slab, mass, Vector3::new(0.0, 1.4, 0.0), |b| b);
        world.steps(300);
        let early = position(&world, slab);
        assert!(early.y > 0.3, "it lies on the floor: {early}");
        world.steps(300);
        let late = position(&world, slab);
        // On loose rubble it may still slide a little.
        let moved = late - early;
        assert!(
            moved.y.abs() < 0.002 && moved.xz().norm() < 0.02,
            "{mass} kg: from {early} to {late}"
        );
        // The engine does not know debris and lets the body fall anew in each frame, but no farther.
        let speed = velocity(&world, slab).norm();
        assert!(speed < 0.05, "{mass} kg: {speed} m/s");
        // The drawn node is at the body's position.
        let drawn = world.node(slab).global_position();
        assert!((drawn - late).norm() < 1e-5);
    }
}

#[test]
fn a_ball_of_the_engine_is_stopped_by_debris_and_pushes_it() {
    let mut world = World::new();
    rubble(&mut world);
    let before = places(&world);
    let at = Vector3::new(-2.0, 0.3, 0.0);
    let rolls = |b: RigidBodyBuilder| b.with_lin_vel(Vector3::new(6.0, 0.0, 0.0));
    let ball = body(&mut world, ColliderShape::ball(0.3), 200.0, at, rolls);
    world.steps(120);
    let end = position(&world, ball);
    let speed = velocity(&world, ball).x;
    assert!(speed < 4.0, "it goes on at {speed} m/s at {end}");
    let pushed = moved(&before, &places(&world), 0.05);
    assert!(pushed > 3, "{pushed} pieces were pushed");
}

#[test]
fn a_character_with_a_velocity_set_by_a_script_walks_through_debris() {
    let mut world = World::new();
    rubble(&mut world);
    let capsule = ColliderShape::capsule(
        Vector3::new(0.0, -0.4, 0.0),
        Vector3::new(0.0, 0.4, 0.0),
        0.35,
    );
    let at = Vector3::new(-2.0, 0.76, 0.35);
    let hero = body(&mut world, capsule, 80.0, at, |b| {
        b.with_locked_rotations(true)
    });
    let mut highest = 0.0f32;
    for _ in 0..240 {
        let graph = &mut world.scene.graph;
        let node = graph.try_get_mut_of_type::<RigidBody>(hero).unwrap();
        let up = node.lin_vel().y;
        node.set_lin_vel(Vector3::new(2.0, up, 0.0));
        world.step();
        highest = highest.max(position(&world, hero).y);
        assert!(velocity(&world, hero).norm() < 5.0);
    }
    let end = position(&world, hero);
    assert!(end.x > 1.0, "the character came to {end}");
    assert!(highest < 2.0, "it was lifted to {highest} m");
}

#[test]
fn a_body_moved_by_the_game_stays_there() {
    let mut world = World::new();
    rubble(&mut world);
    let cube = ColliderShape::cuboid(0.3, 0.1, 0.3);
    let cube = body(&mut world, cube, 10.0, Vector3::new(0.0, 1.3, 0.0), |b| b);
    world.steps(200);
    let there = Vector3::new(4.0, 2.0, 1.0);
    world
        .scene
        .graph
        .try_get_node_mut(cube)
        .unwrap()
        .set_position(there);
    world.step();
    let now = position(&world, cube);
    assert!((now - there).norm() < 0.05, "{now}");
    world.steps(120);
    assert!((position(&world, cube).y - 0.1).abs() < 0.02);
}

#[test]
fn a_body_on_a_joint_carries_debris() {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 3.0, 0.0);
    let graph = &mut world.scene.graph;
    let hook = RigidBodyBuilder::new(BaseBuilder::new().with_local_transform(placed(at)))
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    let plate = ColliderShape::cuboid(1.0, 0.1, 1.0);
    let plate = body(&mut world, plate, 300.0, Vector3::new(0.0, 1.5, 0.0), |b| b);
    let graph = &mut world.scene.graph;
    JointBuilder::new(BaseBuilder::new().with_local_transform(placed(at)))
        .with_params(JointParams::BallJoint(BallJoint::default()))
        .with_body1(hook)
        .with_body2(plate.transmute())
        .build(graph);
    let script = Destructible {
        density: 500.0.into(),
        pieces: Pieces {
            max_depth: 1.into(),
            ..Pieces::default()
        },
        ..free()
    };
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 2.2, 0.0),
        script,
    );
    world.steps(3);
    let impact = Impact::new(Vector3::new(0.0, 2.7, 0.0), Vector3::y(), 1.0);
    world.strike("crate", impact.with_radius(0.4));
    let mut furthest = 0.0f32;
    for _ in 0..180 {
        world.step();
        let node = world.node(plate).local_transform();
        let ring = **node.position() + **node.rotation() * Vector3::new(0.0, 1.5, 0.0);
        furthest = furthest.max((ring - at).norm());
    }
    assert!(furthest < 0.05, "the joint was off by {furthest} m");
    let held = world.destruction.pieces_of("crate");
    let held: f64 = held
        .iter()
        .filter(|p| p.position.y > 1.5)
        .map(|p| p.volume)
        .sum();
    assert!(held > 0.5, "{held} m^3 of 1 lie on the plate");
}

#[test]
fn a_dynamic_object_is_pushed_by_the_debris_of_another() {
    let mut world = World::new();
    world.floor();
    let tough = |max_generation: u32| Destructible {
        held: Held {
            anchoring: Anchoring::Free.into(),
            ..Held::default()
        },
        breaking: Breaking {
            damage_threshold: if max_generation > 0 { 1.0 } else { 1e9 }.into(),
            ..Breaking::default()
        },
        pieces: Pieces {
            max_depth: max_generation.into(),
            ..Pieces::default()
        },
        ..Default::default()
    };
    let target = world.cube(
        "target",
        RigidBodyType::Dynamic,
        Vector3::new(0.62, 0.5, 0.0),
        Destructible {
            density: 20.0.into(),
            ..tough(0)
        },
    );
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(-0.4, 0.5, 0.0),
        tough(1),
    );
    world.steps(30);
    let before = position(&world, target);
    let impact = Impact::new(Vector3::new(-0.9, 0.5, 0.0), -Vector3::x(), 5000.0);
    let push = Vector3::new(3000.0, 0.0, 0.0);
    world.strike("crate", impact.with_impulse(push).with_radius(0.9));
    world.steps(60);
    let after = position(&world, target);
    assert!(after.x > before.x + 0.1, "from {before} to {after}");
    assert_eq!(world.destruction.is_intact("target"), Some(true));
}

/// Two crates on a slab of concrete.
fn crates_on_a_slab(world: &mut World, kind: RigidBodyType) -> [Handle<Node>; 2] {
    world.floor();
    let even = FracturePattern {
        kind: PatternKind::Uniform,
        cells: 64,
        ..FracturePattern::default()
    };
    let anchoring = match kind {
        RigidBodyType::Static => Anchoring::Base,
        _ => Anchoring::Free,
    };
    let brittle = Destructible {
        pattern: Some(Resource::new_embedded(even)).into(),
        density: 2400.0.into(),
        held: Held {
            anchoring: anchoring.into(),
            ..Held::default()
        },
        breaking: Breaking {
            damage_threshold: 50.0.into(),
            ..Breaking::default()
        },
        pieces: Pieces {
            threshold_factor: 1e6.into(),
            ..Pieces::default()
        },
        ..Default::default()
    };
    let (size, at) = (Vector3::new(1.5, 0.2, 1.5), Vector3::new(0.0, 0.1, 0.0));
    let slab = world.block("slab", kind, at, size, brittle);
    let node = world.scene.graph.try_get_mut_of_type::<RigidBody>(slab);
    node.unwrap().set_mass(0.45 * 2400.0);
    [0.45, 0.95].map(|y| {
        let shape = ColliderShape::cuboid(0.25, 0.25, 0.25);
        body(world, shape, 20.0, Vector3::new(0.0, y, 0.0), |b| b)
    })
}

/// The largest vertical movement of crates in one of the twenty frames after a corner of their slab breaks, m.
/// The crates have stood on the slab for some frames.
fn jolt(kind: RigidBodyType, dt: f32, stood: usize) -> f32 {
    let mut world = World::new();
    let crates = crates_on_a_slab(&mut world, kind);
    (0..stood).for_each(|_| _ = world.frame(dt));
    let impact = Impact::new(Vector3::new(-0.7, 0.2, 0.7), Vector3::y(), 1.0);
    let impact = impact
        .with_radius(0.3)
        .with_impulse(Vector3::new(0.0, -55.0, 0.0));
    let ordered = world
        .destruction
        .impact_by_name(&world.scene, "slab", impact);
    ordered.unwrap();
    let heights = |world: &World| crates.map(|node| position(world, node).y);
    let (mut last, mut most) = (heights(&world), 0.0f32);
    for _ in 0..20 {
        world.frame(dt);
        let now = heights(&world);
        let ways = now.iter().zip(last).map(|(now, last)| (now - last).abs());
        most = ways.fold(most, f32::max);
        last = now;
    }
    assert!(world.destruction.pieces_of("slab").len() > 1);
    most
}

#[test]
fn crates_on_a_slab_stand_on_its_pieces_from_the_first_frame_on() {
    for kind in [RigidBodyType::Dynamic, RigidBodyType::Static] {
        for (dt, most) in [(1.0 / 30.0, 1e-3), (DT, 6e-4), (1.0 / 144.0, 3e-4)] {
            // Shortly after they were placed, and after a long sleep.
            for stood in [40, 600] {
                let most_found = jolt(kind, dt, stood);
                assert!(
                    most_found < most,
                    "{kind:?}, frames of {dt} s, after {stood}: {most_found} m"
                );
            }
        }
    }
}

/// A world whose updates do not wait for results, as in a game, with a slab at rest on debris.
fn slab_on_rubble() -> (World, Handle<Node>) {
    let mut world = World::with(Settings::default());
    rubble(&mut world);
    let slab = ColliderShape::cuboid(0.6, 0.1, 0.6);
    let slab = body(&mut world, slab, 20.0, Vector3::new(0.0, 1.4, 0.0), |b| b);
    let mut ahead = 0;
    for _ in 0..400 {
        ahead += u32::from(frame_with_early_step(&mut world, |_| {}));
    }
    assert!(ahead > 200, "in {ahead} frames debris went ahead");
    (world, slab)
}

/// Runs a frame in the order of the plugin: a step begun early, then the game's changes, then the update.
/// Returns whether a step was begun early.
fn frame_with_early_step(world: &mut World, game: impl FnOnce(&mut World)) -> bool {
    let size = Vector2::new(1.0, 1.0);
    world.finish_debris_step();
    world.scene.update(size, DT, Default::default());
    let ahead = world.destruction.begin_next_step(&world.scene, DT);
    game(world);
    world.finish_debris_step();
    world.destruction.update(&mut world.scene, DT);
    ahead
}

#[test]
fn a_body_rests_on_debris_whose_steps_begin_early() {
    let (mut world, slab) = slab_on_rubble();
    let early = position(&world, slab);
    assert!(early.y > 0.3, "it lies on the floor: {early}");
    for _ in 0..200 {
        frame_with_early_step(&mut world, |_| {});
    }
    let late = position(&world, slab);
    assert!((late - early).norm() < 0.002, "from {early} to {late}");
    let speed = velocity(&world, slab).norm();
    assert!(speed < 0.05, "{speed} m/s");
}

#[test]
fn changes_by_the_game_during_an_early_step_are_kept() {
    let (mut world, slab) = slab_on_rubble();
    let change = |world: &mut World, change: &dyn Fn(&mut RigidBody)| {
        let node = world.scene.graph.try_get_mut_of_type(slab);
        change(node.unwrap());
    };
    // While the body sleeps, debris has nothing to do.
    let push = |body: &mut RigidBody, by: Vector3<f32>| {
        body.set_lin_vel(body.lin_vel() + by);
    };
    for _ in 0..3 {
        frame_with_early_step(&mut world, |world| {
            change(world, &|body| push(body, Vector3::y() * 0.3))
        });
    }
    let before = velocity(&world, slab);
    let aside = |body: &mut RigidBody| push(body, Vector3::x() * 2.0);
    assert!(frame_with_early_step(&mut world, |world| change(
        world, &aside
    )));
    let pushed = velocity(&world, slab) - before;
    assert!((pushed.x - 2.0).abs() < 0.3, "pushed by {pushed}");
    let before = position(&world, slab);
    let lift = |body: &mut RigidBody| {
        let at = **body.local_transform().position();
        let above = at + Vector3::y() * 0.5;
        body.local_transform_mut().set_position(above);
    };
    assert!(frame_with_early_step(&mut world, |world| change(
        world, &lift
    )));
    let lifted = position(&world, slab) - before;
    assert!((lifted.y - 0.5).abs() < 0.1, "lifted by {lifted}");
    for _ in 0..10 {
        frame_with_early_step(&mut world, |_| {});
    }
    let after = position(&world, slab) - before;
    assert!(after.x > 0.2 && after.y > 0.2, "it flew by {after}");
}

#[test]
fn an_invalid_velocity_does_not_outlast_an_early_step() {
    let (mut world, slab) = slab_on_rubble();
    let set = |world: &mut World, velocity: Vector3<f32>| {
        let node = world.scene.graph.try_get_mut_of_type(slab);
        let body: &mut RigidBody = node.unwrap();
        body.set_lin_vel(velocity);
    };
    for _ in 0..3 {
        frame_with_early_step(&mut world, |world| set(world, Vector3::x() * 0.2));
    }
    let none = Vector3::repeat(f32::NAN);
    assert!(frame_with_early_step(&mut world, |world| set(world, none)));
    let after = velocity(&world, slab);
    assert!(after.iter().all(|speed| speed.is_finite()), "{after}");
}

#[test]
fn a_body_may_be_removed_during_an_early_step() {
    let (mut world, slab) = slab_on_rubble();
    frame_with_early_step(&mut world, |world| world.scene.graph.remove_node(slab));
    for _ in 0..10 {
        frame_with_early_step(&mut world, |_| {});
    }
    assert_eq!(world.destruction.faults().count(), 0);
    let (mut world, slab) = slab_on_rubble();
    frame_with_early_step(&mut world, |world| {
        world.destruction.finish_breaks(&mut world.scene)
    });
    frame_with_early_step(&mut world, |world| world.destruction.clear());
    assert!(position(&world, slab).y > 0.3);
}
