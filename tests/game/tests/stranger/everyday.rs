//! Everyday blows, with the script as it comes.

use crate::harness::{breaks, Form, Game, Striker, Thing};
use fracture::{Anchoring, Held};
use fyrox::{
    core::algebra::Vector3,
    scene::{collider::ColliderShape, rigidbody::RigidBodyType},
};

/// A blow on something that stands on the floor, and whether that breaks.
struct Case {
    about: &'static str,
    form: Form,
    striker: Striker,
    breaks: bool,
}

fn ball(radius: f32, mass: f32, speed: f32) -> Striker {
    Striker {
        shape: ColliderShape::ball(radius),
        mass,
        at: [0.07, 0.6, 1.0 + 0.05 * speed],
        velocity: [0.0, 0.6, -speed],
        ccd: true,
    }
}

/// A body of a person, which walks or falls.
fn person(at: [f32; 3], velocity: [f32; 3]) -> Striker {
    Striker {
        shape: ColliderShape::capsule_y(0.55, 0.3),
        mass: 80.0,
        at,
        velocity,
        ccd: false,
    }
}

fn cases() -> [Case; 13] {
    let wall = Form::Block([4.0, 3.0, 0.25]);
    let pane = Form::Block([1.2, 1.4, 0.005]);
    let block = Form::Block([0.4, 0.8, 0.4]);
    let case = |about, form, striker, breaks| Case {
        about,
        form,
        striker,
        breaks,
    };
    let walking = [0.0, 0.0, -1.5];
    [
        case(
            "a walking person, a wall",
            wall,
            person([0.0, 0.86, 1.2], walking),
            false,
        ),
        case(
            "a running person, a wall",
            wall,
            person([0.4, 0.86, 1.2], [0.0, 0.0, -5.0]),
            false,
        ),
        case(
            "a walking person, a statue",
            Form::Skinned("statue.glb"),
            person([0.0, 0.86, 1.5], walking),
            false,
        ),
        case(
            "the ball of docs/first_statue.md, its statue",
            Form::Skinned("statue.glb"),
            Striker {
                shape: ColliderShape::ball(0.1),
                mass: 20.0,
                at: [0.0, 1.2, -3.0],
                velocity: [0.0, 1.0, 15.0],
                ccd: true,
            },
            true,
        ),
        case(
            "a ball of 20 kg at 30 m/s, a wall",
            wall,
            ball(0.12, 20.0, 30.0),
            true,
        ),
        case("a football, a wall", wall, ball(0.11, 0.43, 25.0), false),
        case("a football, a pane", pane, ball(0.11, 0.43, 25.0), true),
        case(
            "a bullet of 8 g, a pane",
            pane,
            ball(0.0045, 0.008, 370.0),
            true,
        ),
        case(
            "a bullet of 10 g, a block of marble",
            block,
            ball(0.005, 0.01, 400.0),
            true,
        ),
        case("a pebble, a pane", pane, ball(0.015, 0.04, 18.0), true),
        case(
            "a pebble, a block of marble",
            block,
            ball(0.015, 0.04, 18.0),
            false,
        ),
        case("a snowball, a pane", pane, ball(0.04, 0.1, 3.0), false),
        case(
            "a wrecking ball, a wall",
            wall,
            ball(0.31, 1000.0, 7.0),
            true,
        ),
    ]
}

#[test]
fn blows_break_what_they_break_in_life() {
    for case in cases() {
        let mut game = Game::new();
        let height = match case.form {
            Form::Block([_, y, _]) => 0.5 * y,
            _ => 0.0,
        };
        let thing = Thing::new(
            "Thing",
            case.form,
            [0.0, height, 0.0],
            RigidBodyType::Static,
        );
        game.add(&thing);
        game.seconds(0.1);
        game.throw(&case.striker);
        let events = game.seconds(2.5);
        assert_eq!(breaks(&events), case.breaks, "{}: {events:?}", case.about);
    }
}

#[test]
fn nobody_breaks_a_floor_or_a_plank_by_using_it() {
    for (size, energy_per_volume) in [([3.0, 0.2, 2.0], 10_000.0), ([3.0, 0.05, 0.4], 100_000.0)] {
        for step in [0.05, 0.2] {
            let mut game = Game::new();
            let form = Form::Block(size);
            let mut floor = Thing::new("Floor", form, [0.0, 1.0, 0.0], RigidBodyType::Static);
            floor.script.breaking.energy_per_volume = energy_per_volume.into();
            floor.script.held = Held {
                anchoring: Anchoring::Sides.into(),
                ..Held::default()
            };
            game.add(&floor);
            let foot = 1.0 + 0.5 * size[1] + step;
            game.throw(&person([0.3, foot + 0.85, 0.0], [0.0; 3]));
            let form = Form::Block([0.4; 3]);
            let at = [-0.6, foot + 0.2 + 0.05, 0.0];
            let mut crate_ = Thing::new("Crate", form, at, RigidBodyType::Dynamic);
            crate_.script.density = 400.0.into();
            game.add(&crate_);
            let events = game.seconds(3.0);
            assert!(!breaks(&events), "{size:?}, {step} m: {events:?}");
        }
    }
}

#[test]
fn a_threshold_that_is_typed_holds_and_what_is_harmless_breaks_nothing() {
    for (threshold, is_harmless, expected) in [
        (0.0, false, true),
        (500.0, false, true),
        (700.0, false, false),
        (0.0, true, false),
    ] {
        let mut game = Game::new();
        let form = Form::Block([3.0, 2.0, 0.2]);
        let mut wall = Thing::new("Wall", form, [0.0, 1.0, 0.0], RigidBodyType::Static);
        wall.script.breaking.damage_threshold = threshold.into();
        game.add(&wall);
        let ball = game.throw(&ball(0.12, 20.0, 30.0));
        game.destruction.set_harmless(ball, is_harmless);
        let events = game.seconds(1.5);
        assert_eq!(breaks(&events), expected, "{threshold} N s, {is_harmless}");
    }
}

#[test]
fn a_kilogram_of_tnt_brings_a_wall_down_at_three_metres_and_leaves_it_at_sixty() {
    for (distance, falls) in [(3.0, true), (60.0, false)] {
        let mut game = Game::new();
        let form = Form::Block([3.0, 2.5, 0.24]);
        let wall = Thing::new("Wall", form, [0.0, 1.25, 0.0], RigidBodyType::Static);
        let wall = game.add(&wall);
        game.seconds(0.1);
        let center = Vector3::new(0.0, 1.0, distance);
        game.destruction.explosion(center, 100.0, 4.2e6).unwrap();
        game.seconds(5.0);
        let stands = game.destruction.standing_share(wall).unwrap();
        assert_eq!(stands < 0.5, falls, "{distance} m: {stands} stands");
    }
}
