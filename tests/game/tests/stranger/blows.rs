//! A harder blow breaks no less, and none is without a trace.

use crate::harness::{broken, Form, Game, Striker, Thing};
use fracture::{Event, Impact};
use fyrox::{
    core::algebra::Vector3,
    scene::{collider::ColliderShape, rigidbody::RigidBodyType},
};

/// Joules.
const ENERGIES: [f32; 8] = [250.0, 1e3, 4e3, 1.6e4, 6.4e4, 2.5e5, 1e6, 1e7];

/// Pieces, dust included, and cracks that an impact makes.
fn strike(form: Form, kind: RigidBodyType, from: Vector3<f32>, energy: f32) -> (usize, f32) {
    let mut game = Game::new();
    game.add(&Thing::new("Thing", form, [0.0, 0.01, 0.0], kind));
    game.seconds(0.1);
    let eye = from * 5.0 + Vector3::y() * 0.4;
    let hit = game
        .destruction
        .cast_sphere(eye, 0.15, -from, 20.0)
        .unwrap();
    let impact = Impact::new(hit.point, hit.normal, energy);
    game.destruction.impact(hit.node, impact).unwrap();
    broken(&game.frames(3))
}

#[test]
fn a_harder_impact_breaks_no_less() {
    let forms = [
        Form::Skinned("vase.glb"),
        Form::Skinned("statue.glb"),
        Form::Skinned("crystal.glb"),
        Form::Skinned("column.glb"),
        Form::Scaled([0.5; 3]),
    ];
    for form in forms {
        for from in [Vector3::z(), Vector3::new(0.8, 0.2, -0.5)] {
            let mut last = (0, 0.0);
            for energy in ENERGIES {
                let now = strike(form, RigidBodyType::Static, from.normalize(), energy);
                let told = format!("{form:?} from {from:?}, {energy} J: {last:?}, then {now:?}");
                assert!(now.0 >= last.0 && now.1 >= 0.99 * last.1, "{told}");
                last = now;
            }
            assert!(last.0 > 10, "{form:?}: {last:?}");
        }
    }
}

#[test]
fn a_drop_from_higher_breaks_no_less() {
    for form in [
        Form::Boxed("vase.glb"),
        Form::Boxed("statue.glb"),
        Form::Block([0.5; 3]),
        Form::Block([0.3, 0.1, 0.5]),
    ] {
        let mut last = (0, 0.0);
        for height in [1.0, 2.0, 5.0, 10.0, 20.0] {
            let mut game = Game::new();
            let at = [0.0, height + 0.5, 0.0];
            game.add(&Thing::new("Thing", form, at, RigidBodyType::Dynamic));
            let mut now = (1, 0.0);
            // Of the first blow: what falls apart strikes the floor again.
            for _ in 0..180 {
                let events = game.frames(1);
                let is_told = |event: &Event| {
                    matches!(event, Event::Broken { .. } | Event::BelowThreshold { .. })
                };
                if events.iter().any(is_told) {
                    now = broken(&events);
                    break;
                }
            }
            let told = format!("{form:?} from {height} m: {last:?}, then {now:?}");
            assert!(now.0 >= last.0 && now.1 >= 0.99 * last.1, "{told}");
            last = now;
        }
        assert!(last.0 > 1, "{form:?}: nothing breaks");
    }
}

#[test]
fn a_fast_ball_leaves_a_trace_wherever_it_strikes() {
    for form in [
        Form::Block([0.5; 3]),
        Form::Boxed("vase.glb"),
        Form::Boxed("statue.glb"),
        Form::Scaled([0.4, 0.6, 0.4]),
    ] {
        for threshold in [0.0, 5.0, 20.0] {
            for (speed, aside, height) in [
                (20.0, 0.0, 0.25),
                (30.0, 0.05, 0.2),
                (45.0, -0.04, 0.3),
                (80.0, 0.02, 0.15),
            ] {
                let mut game = Game::new();
                let mut thing = Thing::new("Thing", form, [0.0, 0.0, 0.0], RigidBodyType::Dynamic);
                if matches!(form, Form::Block(_) | Form::Scaled(_)) {
                    thing.at[1] = 0.3;
                }
                thing.script.breaking.damage_threshold = threshold.into();
                game.add(&thing);
                game.seconds(0.7);
                let ball = game.throw(&Striker {
                    shape: ColliderShape::ball(0.1),
                    mass: 20.0,
                    at: [-2.0 - speed / 30.0, height, aside],
                    velocity: [speed, 0.3, 0.0],
                    ccd: true,
                });
                let events = game.seconds(0.6);
                let now = game.body(ball).lin_vel().x;
                let told = events.iter().any(|event| {
                    matches!(event, Event::Broken { .. } | Event::BelowThreshold { .. })
                });
                let what = format!("{form:?}, {threshold} N s, {speed} m/s, then {now} m/s");
                assert!(told || speed - now < 1.0, "{what}: {events:?}");
                // Of the fastest the engine loses one now and then, which nothing has felt.
                assert!(told || speed > 60.0, "{what}: it strikes nothing");
            }
        }
    }
}
