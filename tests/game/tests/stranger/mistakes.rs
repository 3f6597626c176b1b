//! Mistakes and figures that make no sense: each is told by name with its remedy, and nothing moves or is lost.

use crate::harness::{at, breaks, Form, Game, Striker, Thing};
use fracture::{Anchoring, Destructible, Impact};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::ColliderShape,
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

/// A game with a free crate and a wall.
fn game() -> (Game, [Handle<Node>; 2]) {
    let mut game = Game::new();
    let form = Form::Block([0.5, 0.5, 0.5]);
    let crate_ = Thing::new("Crate", form, [-2.0, 0.25, 0.0], RigidBodyType::Dynamic);
    let form = Form::Block([2.0, 2.0, 0.2]);
    let wall = Thing::new("Wall", form, [1.0, 1.0, 0.0], RigidBodyType::Static);
    let nodes = [crate_, wall].map(|thing| game.add(&thing));
    game.seconds(0.3);
    (game, nodes)
}

/// Adds a thing that is held whatever it touches.
fn add_held(game: &mut Game, name: &'static str, form: Form, height: f32) -> Handle<Node> {
    let mut thing = Thing::new(name, form, [0.0, height, 0.0], RigidBodyType::Static);
    thing.script.held.anchoring = Anchoring::All.into();
    game.add(&thing)
}

type Mistake = fn(&mut Game, [Handle<Node>; 2]);

const MISTAKES: [(&str, Mistake, &[&str]); 8] = [
    (
        "fields that are changed after the break",
        |game, [_, wall]| {
            let impact = Impact::new(Vector3::new(1.0, 1.0, 0.1), Vector3::z(), 3000.0);
            game.destruction.impact(wall, impact).unwrap();
            game.seconds(0.2);
            let graph = &mut game.scene().graph;
            let script = graph.try_get_script_of_mut::<Destructible>(wall);
            script.unwrap().breaking.max_radius = 0.5.into();
        },
        &["\"Wall\"", "changed after it was broken", "restore_intact"],
    ),
    (
        "two scripts",
        |game, [_, wall]| {
            let node: &mut Node = game.scene().graph.try_get_node_mut(wall).unwrap();
            node.add_script(Destructible::default());
        },
        &["\"Wall\"", "several scripts Destructible"],
    ),
    (
        "a millimetre cube",
        |game, _| {
            let form = Form::Block([0.001; 3]);
            add_held(game, "Tiny", form, 0.0005);
        },
        &[
            "\"Tiny\"",
            "Becomes Dust Below",
            "import the model in metres",
        ],
    ),
    (
        "a kilometre cube",
        |game, _| {
            let form = Form::Scaled([1000.0; 3]);
            add_held(game, "Huge", form, 3000.0);
        },
        &["\"Huge\"", "Max Radius", "import the model in metres"],
    ),
    (
        "no collider",
        |game, _| {
            let form = Form::Block([0.5; 3]);
            let post = Thing::new("Post", form, [0.0, 0.25, 2.0], RigidBodyType::Static);
            let post = game.add(&post);
            let graph = &mut game.scene().graph;
            let collider = graph[post].children()[1];
            graph.remove_node(collider);
        },
        &["\"Post\"", "no collider below its rigid body"],
    ),
    (
        "no mesh",
        |game, _| {
            let base = at([0.0, 4.0, 0.0])
                .with_name("Bare")
                .with_script(Destructible::default());
            RigidBodyBuilder::new(base)
                .with_body_type(RigidBodyType::Static)
                .build(&mut game.scene().graph);
        },
        &["\"Bare\"", "mesh"],
    ),
    (
        "a scale of 0",
        |game, _| {
            let form = Form::Scaled([0.0, 1.0, 1.0]);
            add_held(game, "Flat", form, 4.0);
        },
        &["\"Flat\""],
    ),
    (
        "a scale that is no number",
        |game, _| {
            let form = Form::Block([0.5; 3]);
            let odd = add_held(game, "Odd", form, 4.0);
            let graph = &mut game.scene().graph;
            let mesh = graph[odd].children()[0];
            let scale = Vector3::new(f32::NAN, 1.0, 1.0);
            graph[mesh].local_transform_mut().set_scale(scale);
        },
        &["\"Odd\""],
    ),
];

#[test]
fn settings_without_effect_are_told_with_what_to_do() {
    for (about, mistake, words) in MISTAKES {
        let (mut game, nodes) = game();
        mistake(&mut game, nodes);
        game.seconds(1.5);
        let faults = game.faults();
        for word in words {
            assert!(faults.contains(word), "{about}: no {word} in \"{faults}\"");
        }
        // Told once, and the rest of the game goes on.
        assert_eq!(game.destruction.statistics().faults, 1, "{about}: {faults}");
        let impact = Impact::new(Vector3::new(-2.0, 0.5, 0.0), Vector3::y(), 3000.0);
        game.destruction.impact(nodes[0], impact).unwrap();
        assert!(breaks(&game.seconds(0.1)), "{about}");
    }
}

type Call = fn(&mut Game, [Handle<Node>; 2], f32) -> Option<String>;

const CALLS: [(&str, Call); 6] = [
    ("energy", |game, [_, wall], odd| {
        let impact = Impact::new(Vector3::new(1.0, 1.0, 0.1), Vector3::z(), odd);
        game.destruction
            .impact(wall, impact)
            .err()
            .map(|e| e.to_string())
    }),
    ("radius", |game, [_, wall], odd| {
        let impact = Impact::new(Vector3::new(1.0, 1.0, 0.1), Vector3::z(), 1e3);
        let impact = impact.with_radius(if odd > 1e20 { f32::INFINITY } else { odd });
        game.destruction
            .impact(wall, impact)
            .err()
            .map(|e| e.to_string())
    }),
    ("energy", |game, _, odd| {
        let result = game
            .destruction
            .explosion(Vector3::new(0.0, 0.5, 1.0), 3.0, odd);
        result.err().map(|e| e.to_string())
    }),
    ("radius", |game, _, odd| {
        let result = game
            .destruction
            .explosion(Vector3::new(0.0, 0.5, 1.0), odd, 1e4);
        result.err().map(|e| e.to_string())
    }),
    ("center", |game, _, odd| {
        let odd = if odd == -1.0 { f32::NEG_INFINITY } else { odd };
        let result = game.destruction.explosion(Vector3::repeat(odd), 3.0, 1e4);
        result.err().map(|e| e.to_string())
    }),
    ("energy", |game, _, odd| {
        let from = Vector3::new(1.0, 1.0, 5.0);
        let hit = game.destruction.shoot(from, -Vector3::z(), 9.0, odd, 50.0);
        assert_eq!(hit, None);
        game.destruction
            .faults()
            .last()
            .map(|fault| fault.to_string())
    }),
];

#[test]
fn calls_with_figures_that_make_no_sense_are_refused_by_name_and_nothing_moves() {
    let odd = [f32::NAN, f32::INFINITY, -1.0, 1e30];
    for (figure, call) in CALLS {
        for odd in odd {
            let (mut game, nodes) = game();
            let before = game.position(nodes[0]);
            let said = call(&mut game, nodes, odd).unwrap_or_default();
            let what = format!("{figure} {odd}: {said}");
            assert!(said.contains(figure) && said.contains("must be"), "{what}");
            let events = game.seconds(0.5);
            assert!(!breaks(&events), "{what}: {events:?}");
            assert!((game.position(nodes[0]) - before).norm() < 1e-3, "{what}");
        }
    }
}

#[test]
fn questions_with_figures_that_make_no_sense_find_nothing() {
    let (game, _) = game();
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -1.0, 1e30] {
        let (place, along) = (Vector3::new(1.0, odd, 5.0), Vector3::new(0.0, 0.0, -odd));
        let destruction = &game.destruction;
        let far = Vector3::new(1.0, 1.0, 5.0);
        assert!(
            odd == 0.0 || odd == -1.0 || destruction.cast_ray(place, -Vector3::z(), 9.0).is_none()
        );
        let hit = destruction.cast_ray(far, along, 9.0);
        assert!(
            hit.is_none_or(|hit| hit.distance.is_finite() && hit.distance >= 0.0),
            "{odd}"
        );
        let hit = destruction.cast_sphere(far, odd, -Vector3::z(), 9.0);
        assert!(hit.is_none_or(|hit| hit.distance.is_finite()), "{odd}");
        let found = destruction.overlap_sphere(Vector3::repeat(odd), 0.1);
        assert!(odd.is_finite() || found.is_empty(), "{odd}: {found:?}");
        let found = destruction.overlap_sphere(far, odd);
        assert!(odd > 1e20 || found.is_empty(), "{odd}: {found:?}");
    }
}

#[test]
fn strikers_beyond_any_scene_lose_nothing() {
    for (mass, speed, radius) in [
        (20.0, 1e4, 0.1),
        (20.0, 1e6, 0.1),
        (1e-4, 300.0, 0.01),
        (1e9, 20.0, 0.5),
        (0.0, 20.0, 0.1),
        (20.0, f32::NAN, 0.1),
    ] {
        for ccd in [false, true] {
            let (mut game, nodes) = game();
            game.throw(&Striker {
                shape: ColliderShape::ball(radius),
                mass,
                at: [1.0, 1.0, 3.0],
                velocity: [0.0, 0.0, -speed],
                ccd,
            });
            let what = format!("{mass} kg, {speed} m/s, ccd {ccd}");
            game.seconds(1.5);
            for node in nodes {
                let place = game.position(node);
                assert!(place.norm() < 1e3, "{what}: {place:?}");
                let lost = game.lost(node);
                assert!(lost.abs() < 1e-4, "{what}: {lost} is lost");
            }
            assert!(game.fastest < 500.0, "{what}: {} m/s", game.fastest);
        }
    }
}
