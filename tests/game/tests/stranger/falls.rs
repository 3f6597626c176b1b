//! Falls: a part that nothing carries comes down, and one that has not been broken carries.

use crate::harness::{breaks, Form, Game, Striker, Thing};
use fracture::{Anchoring, Destructible, Event, Held, Strength};
use fyrox::{
    core::algebra::Vector3,
    scene::{collider::ColliderShape, rigidbody::RigidBodyType},
};

/// A script of something between two supports; 0 Pa: its weight breaks nothing.
fn between_supports(tensile_strength: f32, density: f32) -> Destructible {
    Destructible {
        density: density.into(),
        held: Held {
            anchoring: Anchoring::Sides.into(),
            ..Held::default()
        },
        strength: Strength {
            tensile_strength: tensile_strength.into(),
            check_at_start: true.into(),
            ..Default::default()
        },
        ..Destructible::default()
    }
}

#[test]
fn what_its_weight_tears_off_between_two_supports_falls() {
    for (form, strength, density) in [
        (Form::Block([8.0, 0.2, 0.4]), 3e5, 2400.0),
        (Form::Scaled([20.0, 0.4, 3.0]), 3e5, 2400.0),
        (Form::Block([4.0, 0.05, 0.4]), 40e6, 100_000.0),
        (Form::Scaled([10.0, 0.3, 0.5]), 2.5e5, 2400.0),
        (Form::Block([6.0, 0.12, 1.2]), 1.5e5, 1800.0),
        (Form::Scaled([14.0, 0.6, 0.6]), 2e5, 2600.0),
    ] {
        let mut game = Game::new();
        let mut beam = Thing::new("Beam", form, [0.0, 5.0, 0.0], RigidBodyType::Static);
        beam.script = between_supports(strength, density);
        let beam = game.add(&beam);
        game.seconds(11.0);
        let fallen = game.free(beam);
        assert!(!fallen.is_empty(), "{form:?} holds");
        for piece in fallen {
            let height = piece.position.y;
            assert!(height < 3.0, "{form:?}: {} is at {height} m", piece.name);
        }
        assert_eq!(game.hanging(), [""; 0], "{form:?}");
        assert_eq!(game.faults(), "", "{form:?}");
    }
}

#[test]
fn what_is_shot_out_of_walls_and_arches_comes_down() {
    for (name, form, shots) in [
        ("Wall", Form::Block([4.0, 3.0, 0.25]), 12),
        ("Slab", Form::Block([5.0, 0.3, 3.0]), 10),
        ("Column", Form::Skinned("column.glb"), 8),
        ("Statue", Form::Skinned("statue.glb"), 8),
    ] {
        let mut game = Game::new();
        let thing = Thing::new(name, form, [0.0, 1.5, 0.0], RigidBodyType::Static);
        let thing = Thing {
            script: between_supports(0.0, 2400.0),
            ..thing
        };
        game.add(&thing);
        game.seconds(0.5);
        for shot in 0..shots {
            // From all around, at heights and places that no pattern follows.
            let turn = 2.4 * shot as f32;
            let from = Vector3::new(
                6.0 * turn.cos(),
                1.0 + 0.37 * (shot % 5) as f32,
                6.0 * turn.sin(),
            );
            let aim = Vector3::new(0.3 * turn.sin(), 1.5, 0.0);
            game.destruction
                .shoot(from, aim - from, 20.0, 3000.0, 120.0);
            game.seconds(0.4);
        }
        assert!(breaks(&game.events), "{name}");
        game.seconds(10.0);
        assert_eq!(game.hanging(), [""; 0], "{name}");
    }
}

#[test]
fn a_heavy_ball_does_not_sink_through_what_it_has_not_broken() {
    for (mass, radius, speed) in [(600.0, 0.3, 9.0), (900.0, 0.35, 6.0), (300.0, 0.25, 14.0)] {
        let mut game = Game::new();
        let form = Form::Block([5.0, 0.35, 1.2]);
        let mut slab = Thing::new("Slab", form, [0.0, 2.0, 0.0], RigidBodyType::Static);
        slab.script = between_supports(0.0, 700.0);
        slab.script.breaking.energy_per_volume = 100_000.0.into();
        let slab = game.add(&slab);
        game.seconds(0.2);
        let ball = game.throw(&Striker {
            shape: ColliderShape::ball(radius),
            mass,
            at: [0.1, 3.6, 0.0],
            velocity: [0.0, -speed, 0.0],
            ccd: true,
        });
        for frame in 0..300 {
            game.frames(1);
            let middle = game.position(ball);
            let inside = game.destruction.overlap_sphere(middle, 0.4 * radius);
            let pieces = game.destruction.pieces_of(slab);
            let mut held = pieces.iter().filter(|piece| piece.anchored);
            let sunk_into = held.find(|piece| inside.contains(&piece.node));
            assert_eq!(sunk_into, None, "{mass} kg, frame {frame}");
        }
        let told =
            |event: &Event| matches!(event, Event::Broken { .. } | Event::BelowThreshold { .. });
        assert!(game.events.iter().any(told), "{mass} kg: without a trace");
    }
}

#[test]
fn nothing_hangs_or_flies_off_at_other_frame_rates() {
    for rate in [144.0, 30.0, 10.0, 4.0] {
        let mut game = Game::new();
        game.dt = 1.0 / rate;
        let form = Form::Block([3.0, 2.8, 0.2]);
        let wall = Thing::new("Wall", form, [0.0, 1.4, 0.0], RigidBodyType::Static);
        let form = Form::Boxed("vase.glb");
        let vase = Thing::new("Vase", form, [2.5, 1.0, 0.0], RigidBodyType::Dynamic);
        let nodes = [wall, vase].map(|thing| game.add(&thing));
        game.seconds(1.5);
        let center = Vector3::new(0.0, 0.8, 1.5);
        game.destruction.explosion(center, 5.0, 1e6).unwrap();
        game.seconds(1.0);
        game.throw(&Striker {
            shape: ColliderShape::ball(0.2),
            mass: 20.0,
            at: [0.0, 1.0, 4.0],
            velocity: [0.0, 1.0, -15.0],
            ccd: true,
        });
        game.seconds(10.0);
        assert!(breaks(&game.events), "{rate} Hz");
        assert!(game.fastest < 60.0, "{rate} Hz: {} m/s", game.fastest);
        assert_eq!(game.hanging(), [""; 0], "{rate} Hz");
        assert_eq!(game.faults(), "", "{rate} Hz");
        for piece in nodes.iter().flat_map(|node| game.free(*node)) {
            let height = piece.position.y;
            assert!(
                height > -0.05,
                "{rate} Hz: {} sinks to {height} m",
                piece.name
            );
        }
    }
}
