//! Impacts that break objects, and impacts that do not.

use crate::world::{broken, hard, World};
use fracture::{Anchoring, Breaking, Destructible, Event, Held, Impact, ImpactError};
use fyrox::{
    core::algebra::Vector3,
    graph::SceneGraph,
    scene::{
        collider::ColliderShape,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// A script with a typed damage threshold.
pub fn wall(damage_threshold: f32) -> Destructible {
    Destructible {
        breaking: Breaking {
            damage_threshold: damage_threshold.into(),
            ..Breaking::default()
        },
        ..Default::default()
    }
}

#[test]
fn a_thrown_ball_breaks_only_the_object_that_it_hits() {
    let mut world = World::new();
    world.cube(
        "left",
        RigidBodyType::Static,
        Vector3::new(-3.0, 0.0, 0.0),
        wall(20.0),
    );
    world.cube(
        "right",
        RigidBodyType::Static,
        Vector3::new(3.0, 0.0, 0.0),
        wall(20.0),
    );
    world.ball(
        5.0,
        Vector3::new(0.0, 0.1, 0.0),
        Vector3::new(20.0, 0.0, 0.0),
    );
    let events = world.steps(30);
    assert_eq!(broken(&events), ["right"]);
    assert_eq!(world.destruction.is_intact("left"), Some(true));
    // 5 kg at 20 m/s are 1 kJ: a radius of 0.46 m in the default material.
    let radius = events.iter().find_map(|e| match e {
        Event::Broken { radius, point, .. } => Some((*radius, *point)),
        _ => None,
    });
    let (radius, point) = radius.unwrap();
    assert!((radius - 0.464).abs() < 0.05, "{radius}");
    assert!((point.x - 2.5).abs() < 0.05, "{point}");
}

#[test]
fn a_weak_impact_is_reported_and_changes_nothing() {
    let mut world = World::new();
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        wall(1000.0),
    );
    world.ball(
        5.0,
        Vector3::new(-2.0, 0.0, 0.0),
        Vector3::new(31.0, 0.0, 0.0),
    );
    let events = world.steps(30);
    assert!(broken(&events).is_empty());
    let soft = events.iter().any(|e| {
        matches!(e, Event::BelowThreshold { name, impulse, threshold: damage_threshold, .. }
            if name == "wall" && *impulse > 100.0 && *damage_threshold == 1000.0)
    });
    assert!(soft, "{events:?}");
    assert_eq!(world.destruction.is_intact("wall"), Some(true));
}

#[test]
fn a_load_at_rest_does_not_break_its_support() {
    let mut world = World::new();
    world.cube("table", RigidBodyType::Static, Vector3::zeros(), wall(20.0));
    // 1,000 kg at rest are 163 N s a step, eight times the damage threshold.
    let load = world.ball(1000.0, Vector3::new(0.0, 0.6, 0.0), Vector3::zeros());
    let events = world.steps(180);
    assert!(broken(&events).is_empty(), "{events:?}");
    assert!(world.node(load).local_transform().position().y > 0.5);
}

#[test]
fn only_the_weaker_of_two_colliding_objects_breaks() {
    let mut world = World::new();
    world.floor();
    let free = |damage_threshold: f32| Destructible {
        held: Held {
            anchoring: Anchoring::Free.into(),
            ..Held::default()
        },
        ..wall(damage_threshold)
    };
    let strong = world.cube(
        "strong",
        RigidBodyType::Dynamic,
        Vector3::new(0.0, 0.5, 0.0),
        free(1e6),
    );
    let weak = world.cube(
        "weak",
        RigidBodyType::Dynamic,
        Vector3::new(0.0, 4.0, 0.0),
        free(30.0),
    );
    for body in [strong, weak] {
        let body = world
            .scene
            .graph
            .try_get_mut_of_type::<RigidBody>(body)
            .unwrap();
        body.set_mass(50.0);
    }
    let events = world.steps(90);
    assert_eq!(broken(&events)[0], "weak");
    assert!(broken(&events).iter().all(|name| name.starts_with("weak")));
    assert_eq!(world.destruction.is_intact("strong"), Some(true));
}

/// Throws one cube at another of some kind, and returns the energies of the breaks by name, J.
fn collide(kind: RigidBodyType, thresholds: [f32; 2], speed: f32, ccd: bool) -> Vec<(String, f32)> {
    let mut world = World::new();
    let gravity = &mut world.scene.graph.physics.gravity;
    gravity.set_value_and_mark_modified(Vector3::zeros());
    for (name, kind, x, threshold) in [
        ("thrown", RigidBodyType::Dynamic, -2.0, thresholds[0]),
        ("struck", kind, 0.0, thresholds[1]),
    ] {
        let at = Vector3::new(x, 0.0, 0.0);
        let body = world.cube(name, kind, at, wall(threshold));
        if name == "thrown" {
            let graph = &mut world.scene.graph;
            let body: &mut RigidBody = graph.try_get_mut_of_type(body).unwrap();
            body.set_lin_vel(Vector3::new(speed, 0.0, 0.0));
            body.enable_ccd(ccd);
        }
    }
    let energy = |event: &Event| match event {
        Event::Broken { name, energy, .. } if !name.contains('/') => Some((name.clone(), *energy)),
        _ => None,
    };
    world.steps(40).iter().filter_map(energy).collect()
}

#[test]
fn objects_that_break_each_other_share_the_energy() {
    // The reduced mass of two of 2,400 kg is 1,200 kg, and 2,400 kg if one is held.
    for (kind, mass) in [
        (RigidBodyType::Dynamic, 1200.0),
        (RigidBodyType::Static, 2400.0),
    ] {
        for (speed, ccd) in [(4.0, false), (7.0, false), (4.0, true), (45.0, true)] {
            let total = 0.5 * mass * speed * speed;
            let both = collide(kind, [20.0, 20.0], speed, ccd);
            let case = format!("{kind:?}, {speed} m/s, {ccd}");
            assert_eq!(both.len(), 2, "{case}: {both:?}");
            for (_, energy) in &both {
                assert!((energy / total - 0.5).abs() < 0.02, "{case}: {both:?}");
            }
            for (thresholds, weak) in [([20.0, 1e9], "thrown"), ([1e9, 20.0], "struck")] {
                let one = collide(kind, thresholds, speed, ccd);
                assert_eq!(one.len(), 1, "{case}: {one:?}");
                assert_eq!(one[0].0, weak);
                assert!((one[0].1 / total - 1.0).abs() < 0.04, "{case}: {one:?}");
            }
        }
    }
}

#[test]
fn free_pieces_inherit_the_motion_of_their_parent() {
    let mut world = World::new();
    world
        .scene
        .graph
        .physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    let body = world.cube("crate", RigidBodyType::Dynamic, Vector3::zeros(), wall(1.0));
    let node = world
        .scene
        .graph
        .try_get_mut_of_type::<RigidBody>(body)
        .unwrap();
    node.set_lin_vel(Vector3::new(3.0, 0.0, 0.0));
    world.step();
    let impact = hard(Vector3::new(0.05, 0.5, 0.0)).with_impulse(Vector3::new(0.0, -2.0, 0.0));
    assert_eq!(broken(&world.strike("crate", impact)), ["crate"]);
    let center = |world: &World| {
        let pieces = world.destruction.pieces_of("crate");
        let volume: f64 = pieces.iter().map(|p| p.volume).sum();
        pieces.iter().fold(Vector3::zeros(), |sum, p| {
            sum + p.position * (p.volume / volume) as f32
        })
    };
    let before = center(&world);
    world.steps(30);
    let moved = center(&world) - before;
    assert!((moved.x - 1.5).abs() < 0.1, "{moved}");
}

#[test]
fn impacts_before_the_first_update_are_kept() {
    let mut world = World::new();
    let node = world.cube("wall", RigidBodyType::Static, Vector3::zeros(), wall(20.0));
    world
        .destruction
        .impact(node, hard(Vector3::new(0.0, 0.5, 0.0)))
        .unwrap();
    assert_eq!(broken(&world.steps(3)), ["wall"]);
}

#[test]
fn a_shot_hits_the_first_thing_on_its_ray() {
    let mut world = World::new();
    world.cube(
        "near",
        RigidBodyType::Static,
        Vector3::new(2.0, 0.0, 0.0),
        wall(5.0),
    );
    world.cube(
        "far",
        RigidBodyType::Static,
        Vector3::new(5.0, 0.0, 0.0),
        wall(5.0),
    );
    world.steps(2);
    let shot = |world: &mut World| {
        world
            .destruction
            .shoot(Vector3::zeros(), Vector3::x(), 100.0, 2000.0, 10.0)
    };
    let hit = shot(&mut world).expect("the near wall stands in the way");
    assert_eq!(world.node(hit).name(), "near");
    assert_eq!(broken(&world.steps(2)), ["near"]);
    let aside = world
        .destruction
        .shoot(Vector3::zeros(), -Vector3::x(), 100.0, 2000.0, 10.0);
    assert_eq!(aside, None);
}

#[test]
fn an_explosion_breaks_near_objects_and_spares_far_ones() {
    let mut world = World::new();
    world.cube(
        "near",
        RigidBodyType::Static,
        Vector3::new(1.5, 0.0, 0.0),
        wall(10.0),
    );
    world.cube(
        "far",
        RigidBodyType::Static,
        Vector3::new(9.0, 0.0, 0.0),
        wall(10.0),
    );
    world.steps(2);
    assert_eq!(
        world.destruction.explosion(Vector3::zeros(), 4.0, 20_000.0),
        Ok(1)
    );
    assert_eq!(broken(&world.steps(2)), ["near"]);
    let in_the_air = Vector3::y() * 50.0;
    assert_eq!(
        world.destruction.explosion(in_the_air, 4.0, 20_000.0),
        Ok(0)
    );
}

#[test]
fn an_explosion_pushes_bodies_that_do_not_break_unless_something_stands_before_them() {
    let mut world = World::new();
    let block = |world: &mut World, name: &str, kind, x: f32| {
        let shape = ColliderShape::cuboid(0.5, 0.5, 0.5);
        world.body(name, kind, Vector3::new(x, 0.0, 0.0), vec![], shape, None)
    };
    let open = block(&mut world, "open", RigidBodyType::Dynamic, 2.0);
    block(&mut world, "wall", RigidBodyType::Static, -2.0);
    let hidden = block(&mut world, "hidden", RigidBodyType::Dynamic, -4.0);
    let tough = world.cube(
        "tough",
        RigidBodyType::Dynamic,
        Vector3::new(0.0, 0.0, 2.0),
        wall(1e6),
    );
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    world.steps(4);
    let reached = world.destruction.explosion(Vector3::zeros(), 6.0, 1e6);
    assert_eq!(reached, Ok(2));
    let events = world.steps(3);
    assert_eq!(broken(&events).len(), 0);
    let velocity = |world: &World, node| {
        let body = world.scene.graph.try_get_of_type::<RigidBody>(node);
        body.unwrap().lin_vel()
    };
    let pushed = velocity(&world, open);
    assert!(pushed.x > 0.5 && pushed.x < 30.1, "{pushed:?}");
    assert!(pushed.yz().norm() < 0.05 * pushed.x, "{pushed:?}");
    let tough = velocity(&world, tough);
    // The tough block weighs 2.4 t.
    assert!(tough.z > 0.03 && tough.z < 1.0, "{tough:?}");
    assert_eq!(velocity(&world, hidden), Vector3::zeros());
}

/// The velocity of a dynamic block on which an explosion acts from a side, and what is told of it.
fn blown(script: Destructible, frames_before: usize, energy: f32) -> (Vector3<f32>, Vec<Event>) {
    let mut world = World::new();
    let kind = RigidBodyType::Dynamic;
    let size = Vector3::new(0.8, 0.5, 0.6);
    let at = Vector3::new(0.0, 0.0, 1.5);
    let block = world.block("block", kind, at, size, script);
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    world.steps(frames_before);
    let reached = world.destruction.explosion(Vector3::zeros(), 5.0, energy);
    assert_eq!(reached, Ok(1));
    let events = world.steps(4);
    let body = world.scene.graph.try_get_of_type::<RigidBody>(block);
    (body.unwrap().lin_vel(), events)
}

#[test]
fn an_explosion_pushes_what_may_not_break() {
    let unbreakable = || Destructible {
        pieces: fracture::Pieces {
            max_depth: 0.into(),
            ..Default::default()
        },
        ..wall(1.0)
    };
    let (velocity, events) = blown(unbreakable(), 4, 3e5);
    let is_told = |event: &Event| matches!(event, Event::Unbreakable { .. });
    assert!(events.iter().any(is_told), "{events:?}");
    assert!(velocity.z > 0.03 && velocity.z < 30.1, "{velocity:?}");
    for frames_before in [2, 6] {
        // Too weak by far for half a ton.
        let (velocity, events) = blown(Destructible::default(), frames_before, 2e3);
        let is_told = |event: &Event| matches!(event, Event::BelowThreshold { .. });
        assert!(events.iter().any(is_told), "{frames_before}: {events:?}");
        assert!(velocity.z > 1e-4, "{frames_before}: {velocity:?}");
    }
}

#[test]
fn a_blow_on_what_is_not_known_yet_pushes_it() {
    for frames_before in [0, 1, 2] {
        let mut world = World::new();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
        let block = world.cube("block", kind, at, Destructible::default());
        let physics = &mut world.scene.graph.physics;
        physics
            .gravity
            .set_value_and_mark_modified(Vector3::zeros());
        world.steps(frames_before);
        let blow = Impact::new(Vector3::new(0.0, 0.0, -0.5), -Vector3::z(), 40.0);
        let blow = blow.with_impulse(Vector3::z() * 9.0);
        world
            .destruction
            .impact_by_name(&world.scene, "block", blow)
            .unwrap();
        world.steps(5);
        let body = world.scene.graph.try_get_of_type::<RigidBody>(block);
        let velocity = body.unwrap().lin_vel();
        let case = format!("{frames_before}: {velocity:?}");
        assert!((velocity.z - 9.0 / 2400.0).abs() < 1e-4, "{case}");
    }
}

#[test]
fn blows_that_are_dropped_push_what_they_do_not_break() {
    let mut world = World::new();
    // More than there is room for in the queue of breaks, which takes the hardest blows.
    let size = Vector3::repeat(0.4);
    let blocks: Vec<_> = (0..72)
        .map(|k| {
            let at = Vector3::new((k % 9) as f32, 0.0, 2.0 * (k / 9) as f32);
            world.block("block", RigidBodyType::Dynamic, at, size, wall(10.0))
        })
        .collect();
    let physics = &mut world.scene.graph.physics;
    physics
        .gravity
        .set_value_and_mark_modified(Vector3::zeros());
    world.steps(4);
    for block in blocks {
        let point = world.node(block).global_position() + Vector3::new(0.0, 0.1, 0.2);
        let blow = Impact::new(point, Vector3::z(), 900.0);
        let blow = blow.with_impulse(Vector3::z() * -70.0);
        world.destruction.impact(block, blow).unwrap();
    }
    let events = world.steps(2);
    let dropped = |event: &Event| match event {
        Event::Dropped { node, .. } => Some(*node),
        _ => None,
    };
    let dropped: Vec<_> = events.iter().filter_map(dropped).collect();
    assert_eq!(dropped.len(), 8, "{events:?}");
    for block in dropped {
        let body = world.scene.graph.try_get_of_type::<RigidBody>(block);
        let velocity = body.unwrap().lin_vel();
        // 154 kg take the whole impulse.
        assert!((velocity.z + 70.0 / 153.6).abs() < 0.01, "{velocity:?}");
    }
}

#[test]
fn the_remainder_can_be_hit_again() {
    let mut world = World::new();
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        wall(20.0),
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.4, 1.0, 0.4)).with_radius(0.2));
    let first = world.destruction.pieces_of("wall").len();
    let events = world.strike("wall", hard(Vector3::new(-0.4, 1.0, -0.4)).with_radius(0.2));
    assert_eq!(broken(&events).len(), 1);
    let pieces = world.destruction.pieces_of("wall");
    assert!(pieces.len() > first);
    assert_eq!(pieces.iter().map(|p| p.generation).max(), Some(1));
    let total: f64 = pieces.iter().map(|p| p.volume).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    assert_eq!(pieces.iter().filter(|p| p.anchored).count(), 1);
}

#[test]
fn the_same_run_gives_the_same_state() {
    let run = |threads| {
        let mut world = World::with(fracture::Settings {
            wait_for_results: true,
            threads,
            ..Default::default()
        });
        world.floor();
        world.cube(
            "wall",
            RigidBodyType::Static,
            Vector3::new(0.0, 0.5, 0.0),
            wall(20.0),
        );
        world.ball(
            5.0,
            Vector3::new(-1.5, 0.8, 0.0),
            Vector3::new(20.0, 0.0, 0.0),
        );
        world.steps(60);
        assert!(world.destruction.statistics().fragments > 3);
        world.destruction.state_hash()
    };
    let one = run(1);
    assert_eq!([run(2), run(0)], [one; 2]);
}

#[test]
fn invalid_impacts_are_refused_with_the_reason() {
    let mut world = World::new();
    let wall = world.cube("wall", RigidBodyType::Static, Vector3::zeros(), wall(20.0));
    let floor = world.floor();
    world.step();
    let at = Vector3::new(0.0, 0.5, 0.0);
    let refused = |impact: Impact, world: &mut World| {
        world
            .destruction
            .impact(wall, impact)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(hard(at).with_radius(0.0), &mut world).contains("radius"));
    assert!(refused(hard(at).with_radius(f32::INFINITY), &mut world).contains("radius"));
    assert!(refused(hard(Vector3::new(f32::NAN, 0.0, 0.0)), &mut world).contains("point"));
    assert!(refused(
        Impact {
            energy: -1.0,
            ..hard(at)
        },
        &mut world
    )
    .contains("energy"));
    assert!(matches!(
        world.destruction.impact(floor, hard(at)),
        Err(ImpactError::NotDestructible { .. })
    ));
    let unknown = world
        .destruction
        .impact_by_name(&world.scene, "wal", hard(at))
        .unwrap_err();
    assert!(unknown.to_string().contains("\"wal\"") && unknown.to_string().contains("wall"));
    assert!(world.steps(3).is_empty());
}

#[test]
fn a_fast_ball_breaks_a_thin_wall_at_any_phase_of_its_step() {
    use fyrox::{core::algebra::Matrix4, scene::collider::ColliderShape};
    let mut missed = Vec::new();
    for offset in 0..24 {
        let mut world = World::new();
        let size = Matrix4::new_nonuniform_scaling(&Vector3::new(0.25, 2.0, 2.0));
        world.body(
            "wall",
            RigidBodyType::Static,
            Vector3::zeros(),
            vec![crate::world::cube_surface(size, None)],
            ColliderShape::cuboid(0.125, 1.0, 1.0),
            Some(wall(20.0)),
        );
        let start = -3.0 - 0.025 * offset as f32;
        world.ball(
            12.0,
            Vector3::new(start, 0.0, 0.0),
            Vector3::new(32.0, 0.0, 0.0),
        );
        let events = world.steps(12);
        if broken(&events).is_empty() {
            missed.push((offset, events));
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn a_weak_shot_pushes_a_dynamic_object_without_breaking_it() {
    let mut world = World::new();
    world.floor();
    let crate_ = world.cube(
        "crate",
        RigidBodyType::Dynamic,
        Vector3::new(0.0, 0.5, 0.0),
        Destructible {
            density: 20.0.into(),
            ..wall(100.0)
        },
    );
    world.steps(5);
    let impact = Impact::new(Vector3::new(-0.5, 0.5, 0.0), -Vector3::x(), 100.0);
    let events = world.strike("crate", impact.with_impulse(Vector3::new(20.0, 0.0, 0.0)));
    assert!(
        matches!(&events[..], [Event::BelowThreshold { .. }]),
        "{events:?}"
    );
    let body = world
        .scene
        .graph
        .try_get_of_type::<RigidBody>(crate_)
        .unwrap();
    // 20 N s on 20 kg, less the friction on the floor.
    assert!(body.lin_vel().x > 0.5, "{}", body.lin_vel());
}
