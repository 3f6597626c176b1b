//! Figures that make no sense, in every call and setting: nothing is lost and nothing flies off, and
//! what is refused says why.

use crate::world::{broken, hard, World, DT};
use fracture::{
    Breaking, DebrisSettings, Destructible, Impact, MassSource, ObjectError, Settings, Striker,
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        camera::{Camera, CameraBuilder},
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// Figures that are no numbers, and those beyond any scene.
pub const ODD: [f32; 9] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e20,
    -1.0,
    0.0,
    1e-30,
];

/// Fastest piece that pushes may make, m/s, with what overlaps and gravity add.
const MAX_SPEED: f32 = 100.0;

/// A free block on a floor and a static wall beside it.
pub fn scene(settings: Settings, script: impl Fn() -> Destructible) -> World {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..settings
    });
    world.floor();
    let size = Vector3::new(0.6, 0.5, 0.4);
    let at = Vector3::new(-1.0, 0.25, 0.0);
    world.block("block", RigidBodyType::Dynamic, at, size, script());
    let at = Vector3::new(1.0, 0.5, 0.0);
    world.cube("wall", RigidBodyType::Static, at, script());
    world.ball(5.0, Vector3::new(0.0, 0.1, 1.0), Vector3::zeros());
    world.steps(3);
    world
}

/// The rigid body of a name.
pub fn body(world: &World, name: &str) -> Handle<Node> {
    let is_named = |body: &Handle<Node>| world.node(*body).name() == name;
    world.named(name).into_iter().find(is_named).unwrap()
}

/// Asserts that all is where it can be, and that no volume is lost.
pub fn check(world: &mut World, what: &str) {
    world.steps(4);
    let has_removed = world.destruction.statistics().removed > 0;
    for name in ["block", "wall"] {
        let destruction = &world.destruction;
        let pieces = destruction.pieces_of(name);
        for piece in &pieces {
            let is_sane = piece.position.norm() < 1e4 && piece.velocity.norm() < MAX_SPEED;
            assert!(is_sane, "{what}: {piece:?}");
        }
        let volume = destruction.source_volume(name);
        if let Some(volume) = volume.filter(|_| !pieces.is_empty() && !has_removed) {
            let sum: f64 = pieces.iter().map(|piece| piece.volume).sum();
            let error = (sum + destruction.dust_volume(name)) / volume - 1.0;
            assert!(error.abs() < 1e-4, "{what}: {error} of {name} is lost");
        }
    }
    for node in ["block", "ball"] {
        let node = world.node(body(world, node));
        let at = node.global_position();
        assert!(at.norm() < 1e4, "{what}: {} is at {at:?}", node.name());
    }
}

/// Asserts that nothing has broken yet, and that the block breaks now.
fn check_that_it_still_breaks(world: &mut World, what: &str) {
    for name in ["block", "wall"] {
        assert_eq!(world.destruction.is_intact(name), Some(true), "{what}");
    }
    let impact = hard(Vector3::new(1.0, 1.0, 0.0));
    let events = world.strike("wall", impact);
    assert_eq!(broken(&events), ["wall"], "{what}");
}

type Change = fn(&mut Impact, f32);

const FIGURES: [(&str, Change); 10] = [
    ("point", |impact, odd| impact.point.y = odd),
    ("normal", |impact, odd| impact.normal.x = odd),
    ("impulse", |impact, odd| impact.impulse.z = odd),
    ("energy", |impact, odd| impact.energy = odd),
    ("radius", |impact, odd| impact.radius = Some(odd)),
    ("kerf", |impact, odd| impact.kerf = odd),
    ("striker's radius", |impact, radius| {
        impact.striker = Striker::Body {
            radius,
            density: 1e3,
        };
    }),
    ("striker's density", |impact, density| {
        impact.striker = Striker::Body {
            radius: 0.1,
            density,
        };
    }),
    ("charge's distance", |impact, distance| {
        impact.striker = Striker::Gas { distance };
    }),
    ("impulse", |impact, odd| {
        impact.impulse = Vector3::repeat(odd);
        impact.energy = 0.0;
    }),
];

#[test]
fn odd_impacts_are_refused_by_name_or_do_no_harm() {
    for (name, change) in FIGURES {
        for odd in ODD {
            for object in ["block", "wall"] {
                let mut world = scene(Settings::default(), Destructible::default);
                let at = world.node(body(&world, object)).global_position();
                let mut impact = hard(at + Vector3::new(0.0, 0.2, 0.1));
                change(&mut impact, odd);
                let what = format!("{name} {odd:e} on {object}");
                let result = world
                    .destruction
                    .impact_by_name(&world.scene, object, impact);
                if !odd.is_finite() {
                    let message = result.as_ref().unwrap_err().to_string();
                    assert!(
                        message.contains(name) && message.contains("must be"),
                        "{message}"
                    );
                }
                check(&mut world, &what);
                if result.is_err() {
                    check_that_it_still_breaks(&mut world, &what);
                }
            }
        }
    }
}

/// Largest figure of an explosion, in its unit.
const MAX_FIGURE: f32 = 1e18;

/// Sets off a charge of which one figure is odd. It is refused by name if it makes no sense.
fn explode(world: &mut World, center: Vector3<f32>, radius: f32, energy: f32, figure: &str) {
    let is_place = center.iter().all(|x| x.abs() <= MAX_FIGURE);
    let is_valid = is_place
        && (f32::MIN_POSITIVE..=MAX_FIGURE).contains(&radius)
        && (0.0..=MAX_FIGURE).contains(&energy);
    let result = world.destruction.explosion(center, radius, energy);
    let what = format!("{figure} {center:?} {radius} {energy}: {result:?}");
    assert_eq!(result.is_ok(), is_valid, "{what}");
    if let Err(error) = result {
        let message = error.to_string();
        assert!(
            message.contains(figure) && message.contains("must be"),
            "{what}: {message}"
        );
    }
}

type Call = fn(&mut World, f32);

const CALLS: [(&str, Call); 13] = [
    ("explosion's height", |world, odd| {
        explode(world, Vector3::new(0.0, odd, 0.0), 3.0, 1e4, "center");
    }),
    ("explosion's radius", |world, odd| {
        explode(world, Vector3::new(0.0, 0.5, 0.3), odd, 1e4, "radius");
    }),
    ("explosion's energy", |world, odd| {
        explode(world, Vector3::new(0.0, 0.5, 0.3), 3.0, odd, "energy");
    }),
    ("shot's origin", |world, odd| {
        let origin = Vector3::new(-1.0, 0.3, odd);
        world
            .destruction
            .shoot(origin, -Vector3::z(), 9.0, 800.0, 4.0);
    }),
    ("shot's direction", |world, odd| {
        let origin = Vector3::new(-1.0, 0.3, 2.0);
        world
            .destruction
            .shoot(origin, Vector3::new(0.0, 0.0, odd), 9.0, 800.0, 4.0);
    }),
    ("shot's distance", |world, odd| {
        let origin = Vector3::new(-1.0, 0.3, 2.0);
        world
            .destruction
            .shoot(origin, -Vector3::z(), odd, 800.0, 4.0);
    }),
    ("shot's energy", |world, odd| {
        let origin = Vector3::new(-1.0, 0.3, 2.0);
        world
            .destruction
            .shoot(origin, -Vector3::z(), 9.0, odd, 4.0);
    }),
    ("shot's impulse", |world, odd| {
        let origin = Vector3::new(-1.0, 0.3, 2.0);
        world
            .destruction
            .shoot(origin, -Vector3::z(), 9.0, 800.0, odd);
    }),
    ("cut's eye", |world, odd| {
        let eye = Vector3::new(odd, 0.3, 2.0);
        world
            .destruction
            .cut(eye, Vector3::new(-1.0, 0.0, -1.0), -Vector3::z(), 9.0, 0.0);
    }),
    ("cut's reach", |world, odd| {
        let eye = Vector3::new(-1.0, 0.3, 2.0);
        world
            .destruction
            .cut(eye, Vector3::new(-1.0, 0.0, -1.0), -Vector3::z(), odd, 0.0);
    }),
    ("time step", |world, odd| {
        world.destruction.update(&mut world.scene, odd);
    }),
    ("camera", |world, odd| {
        let base = BaseBuilder::new();
        let camera = CameraBuilder::new(base).build(&mut world.scene.graph);
        let camera: &mut Camera = world
            .scene
            .graph
            .try_get_mut_of_type(camera.to_base())
            .unwrap();
        camera
            .local_transform_mut()
            .set_position(Vector3::new(odd, 0.0, 0.0));
        world.strike("wall", hard(Vector3::new(1.0, 1.0, 0.0)));
    }),
    ("box to be restored", |world, odd| {
        world.strike("wall", hard(Vector3::new(1.0, 1.0, 0.0)));
        let corners = [Vector3::new(-5.0, odd, -5.0), Vector3::repeat(5.0)];
        let result = world.destruction.restore_intact_within(corners);
        let is_valid = odd.is_finite() && odd <= 5.0;
        assert_eq!(result.is_ok(), is_valid, "{odd}: {result:?}");
        let is_named = |error| matches!(error, ObjectError::Box { .. });
        assert!(result.err().is_none_or(is_named));
    }),
];

#[test]
fn odd_figures_in_calls_do_no_harm() {
    for (name, call) in CALLS {
        for odd in ODD {
            let settings = Settings {
                max_pieces: 40,
                ..Settings::default()
            };
            let mut world = scene(settings, Destructible::default);
            call(&mut world, odd);
            check(&mut world, &format!("{name} {odd:e}"));
        }
    }
}

#[test]
fn figures_of_shots_cuts_and_pushes_are_faults_by_name() {
    let shoot = |world: &mut World, origin_z, direction_z, reach, energy, impulse| {
        let origin = Vector3::new(-1.0, 0.3, origin_z);
        let direction = Vector3::new(0.0, 0.0, direction_z);
        let hit = world
            .destruction
            .shoot(origin, direction, reach, energy, impulse);
        assert_eq!(hit, None);
    };
    let push = |world: &mut World, direction_y, impulse, max_speed| {
        let (origin, along) = (
            Vector3::new(-1.0, 5.0, 0.0),
            Vector3::new(0.0, direction_y, 0.0),
        );
        let pushed =
            world
                .destruction
                .push(&mut world.scene, origin, along, 9.0, impulse, max_speed);
        assert_eq!(pushed, None);
    };
    let cut = |world: &mut World, eye_y, to_z, reach| {
        let (eye, from) = (Vector3::new(0.0, eye_y, 2.0), Vector3::new(-1.0, 0.0, -1.0));
        let to = Vector3::new(0.0, 0.0, to_z);
        let number = world.destruction.cut(eye, from, to, reach, 0.0);
        assert_eq!(number, 0);
    };
    // No direction at all; of those the number is told that is wrong.
    let nowhere = [0.0, f32::NAN, f32::INFINITY, 1e20];
    let endless = [f32::NAN, f32::INFINITY, f32::MIN, 1e20];
    let negative = [f32::NAN, -1.0, f32::NEG_INFINITY, f32::MIN];
    type Refused<'a> = (&'a str, [f32; 4], &'a dyn Fn(&mut World, f32));
    let calls: [Refused; 12] = [
        ("origin", endless, &|w, odd| {
            shoot(w, odd, -1.0, 9.0, 800.0, 4.0)
        }),
        ("direction", endless, &|w, odd| {
            shoot(w, 2.0, odd, 9.0, 800.0, 4.0)
        }),
        ("reach", negative, &|w, odd| {
            shoot(w, 2.0, -1.0, odd, 800.0, 4.0)
        }),
        ("energy", negative, &|w, odd| {
            shoot(w, 2.0, -1.0, 9.0, odd, 4.0)
        }),
        ("impulse", endless, &|w, odd| {
            shoot(w, 2.0, -1.0, 9.0, 800.0, odd)
        }),
        ("direction", nowhere, &|w, odd| {
            shoot(w, 2.0, odd, 9.0, 800.0, 4.0)
        }),
        ("direction", nowhere, &|w, odd| push(w, odd, 4.0, 1.0)),
        ("direction", nowhere, &|w, odd| cut(w, 0.3, odd, 9.0)),
        ("impulse", negative, &|w, odd| push(w, -1.0, odd, 1.0)),
        ("highest speed", negative, &|w, odd| push(w, -1.0, 1.0, odd)),
        ("origin", endless, &|w, odd| cut(w, odd, -1.0, 9.0)),
        ("reach", negative, &|w, odd| cut(w, 0.3, -1.0, odd)),
    ];
    let mut world = scene(Settings::default(), Destructible::default);
    for (figure, odd, call) in calls {
        for odd in odd {
            let before = world.destruction.statistics().faults;
            call(&mut world, odd);
            call(&mut world, odd);
            let faults: Vec<_> = world.destruction.faults().collect();
            let said = faults[faults.len() - 1].to_string();
            let expected = format!("the {figure} is {odd}; it must be");
            assert!(said.contains(&expected), "{expected}: {said}");
            assert_eq!(world.destruction.statistics().faults, before + 1, "{said}");
        }
    }
    check(&mut world, "refused calls");
    check_that_it_still_breaks(&mut world, "refused calls");
}

#[test]
fn impacts_need_a_normal_of_any_length_above_0() {
    let down = Vector3::new(0.0, -300.0, 0.0);
    let normals = [
        Vector3::zeros(),
        Vector3::new(f32::NAN, 0.0, 0.0),
        Vector3::new(0.0, 1e-30, 0.0),
        Vector3::new(0.0, 3e17, 0.0),
    ];
    for (number, normal) in normals.into_iter().enumerate() {
        let is_valid = normal.y > 0.0;
        for by_message in [false, true] {
            let mut world = scene(Settings::default(), Destructible::default);
            // Both as it is given, and as the field is set afterwards.
            let impact = Impact::new(Vector3::new(1.0, 1.0, 0.0), normal, 2000.0);
            let impact = impact.with_impulse(down);
            let (wall, direct) = (
                body(&world, "wall"),
                Impact {
                    normal,
                    ..impact.clone()
                },
            );
            if by_message {
                let script = world
                    .scene
                    .graph
                    .try_get_script_of_mut::<Destructible>(wall);
                script.unwrap().inbox.push(impact);
            } else {
                let results = [impact, direct].map(|one| world.destruction.impact(wall, one));
                assert_eq!(
                    results.iter().filter(|one| one.is_ok()).count(),
                    2 * usize::from(is_valid)
                );
                for error in results.into_iter().filter_map(Result::err) {
                    let message = error.to_string();
                    assert!(
                        message.contains("the normal is ") && message.contains("must be"),
                        "{message}"
                    );
                }
            }
            let events = world.steps(2);
            assert_eq!(broken(&events).contains(&"wall"), is_valid, "{number}");
            if by_message && !is_valid {
                assert!(
                    world.faults().contains("the normal is "),
                    "{}",
                    world.faults()
                );
            }
        }
    }
}

#[test]
fn odd_settings_do_no_harm() {
    type Change = fn(&mut Settings, &mut DebrisSettings, f32);
    let changes: [(&str, Change); 6] = [
        ("settle after", |s, d, odd| {
            s.settle_after = odd;
            d.settle_after = odd.into();
        }),
        ("merge after", |s, d, odd| {
            s.merge_after = odd;
            d.merge_after = odd.into();
        }),
        ("shadow distance", |s, d, odd| {
            s.shadow_distance = odd;
            d.shadow_distance = odd.into();
        }),
        ("report contacts", |s, _, odd| s.report_contacts = odd),
        ("job time", |s, _, odd| (s.threads, s.job_ms) = (0, odd)),
        ("counts", |s, d, odd| {
            // As a cast: 0 or the largest.
            (s.max_pieces, s.max_triangles) = (odd as usize, odd as u64);
            (s.max_particles, s.chain_breaks) = (odd as usize, odd as usize);
            (s.harmless_groups, s.threads) = (odd as u32, odd.clamp(0.0, 2.0) as usize);
            d.max_pieces = (odd as u32).into();
            d.max_triangles = (odd as u32).into();
            d.max_particles = (odd as u32).into();
        }),
    ];
    for (name, change) in changes {
        for odd in ODD {
            for in_scene in [false, true] {
                let (mut settings, mut script) = Default::default();
                change(&mut settings, &mut script, odd);
                let mut world = scene(settings, Destructible::default);
                if in_scene {
                    let base = BaseBuilder::new().with_script(script);
                    PivotBuilder::new(base).build(&mut world.scene.graph);
                }
                world.strike("wall", hard(Vector3::new(1.0, 1.0, 0.0)));
                world.steps(10);
                let what = format!("{name} {odd:e}");
                assert_eq!(world.destruction.is_intact("block"), Some(true), "{what}");
                check(&mut world, &what);
            }
        }
    }
}

#[test]
fn settings_that_make_no_sense_are_faults_by_name_once() {
    type Change = fn(&mut Settings);
    let changes: [(Change, &str); 10] = [
        (
            |s| s.settle_after = f32::NAN,
            "Settings::settle_after is NaN s; it must be 0 s or more, or infinite for never. It is taken as 1 s",
        ),
        (
            |s| s.merge_after = -0.5,
            "Settings::merge_after is -0.5 s; it must be 0 s or more, or infinite for never. It is taken as 2 s",
        ),
        (
            |s| s.report_contacts = f32::NEG_INFINITY,
            "Settings::report_contacts is -inf N s; it must be 0 N s or more, or infinite for never. It is taken as inf N s",
        ),
        (
            |s| s.shadow_distance = f32::NAN,
            "Settings::shadow_distance is NaN m; it must be 0 m or more, or infinite for never. It is taken as 200 m",
        ),
        (
            |s| s.threads = 1000,
            "Settings::threads is 1000; it must be from 0 to 64. It is taken as 64",
        ),
        (
            |s| s.job_ms = f32::NAN,
            "Settings::job_ms is NaN: nothing could ever break. Give the milliseconds that breaks may take in an \
             update, above 0, or infinity for no limit. It is taken as 2 ms",
        ),
        (|s| s.job_ms = 0.0, "Settings::job_ms is 0: "),
        (|s| (s.threads, s.job_ms) = (0, f32::INFINITY), ""),
        (|s| s.update_ms = -3.0, "Settings::update_ms is -3: "),
        (|s| s.merge_after = f32::INFINITY, ""),
    ];
    for (change, words) in changes {
        let mut settings = Settings::default();
        change(&mut settings);
        let mut world = scene(settings, Destructible::default);
        world.steps(5);
        let faults = world.faults();
        assert!(faults.contains(words), "{words}: {faults}");
        let number = usize::from(!words.is_empty());
        assert_eq!(world.destruction.statistics().faults, number, "{faults}");
    }
    // The same in a scene's own settings, by the names in the inspector; what holds is that of the game.
    let own = Settings {
        merge_after: 7.5,
        ..Settings::default()
    };
    let mut world = scene(own, Destructible::default);
    for (name, settle_after, merge_after) in [("dust", 3.0, f32::NAN), ("gravel", -2.0, 5.0)] {
        let script = DebrisSettings {
            settle_after: settle_after.into(),
            merge_after: merge_after.into(),
            ..DebrisSettings::default()
        };
        let base = BaseBuilder::new().with_name(name).with_script(script);
        PivotBuilder::new(base).build(&mut world.scene.graph);
    }
    world.steps(20);
    let faults = world.faults();
    for words in [
        "\"dust\": its Merge After is NaN s; it must be 0 s or more. It is taken as 7.5 s",
        "\"gravel\": its Settle After is -2 s; it must be 0 s or more. It is taken as 3 s",
    ] {
        assert!(faults.contains(words), "{words}: {faults}");
    }
    // Two scripts that contradict each other are told of no more for that.
    assert!(world.destruction.statistics().faults <= 3, "{faults}");
}

#[test]
fn odd_masses_and_gravities_do_no_harm() {
    for odd in ODD {
        for source in [MassSource::FromDensity, MassSource::FromBody] {
            let script = || Destructible {
                mass_source: source.into(),
                breaking: Breaking {
                    damage_threshold: 1.0.into(),
                    ..Breaking::default()
                },
                ..Destructible::default()
            };
            let mut world = scene(Settings::default(), script);
            // rapier itself bears no such gravity and mass for its own bodies.
            world
                .scene
                .graph
                .physics
                .enabled
                .set_value_and_mark_modified(false);
            let block = body(&world, "block");
            let block: &mut RigidBody = world.scene.graph.try_get_mut_of_type(block).unwrap();
            block.set_mass(odd);
            let gravity = &mut world.scene.graph.physics.gravity;
            gravity.set_value_and_mark_modified(Vector3::new(0.0, odd, 0.0));
            world.destruction.update(&mut world.scene, DT);
            let gravity = &mut world.scene.graph.physics.gravity;
            gravity.set_value_and_mark_modified(Vector3::new(0.0, -9.81, 0.0));
            let _ = world.destruction.impact_by_name(
                &world.scene,
                "block",
                hard(Vector3::new(-1.0, 0.5, 0.0)),
            );
            check(&mut world, &format!("mass {odd:e}, {source:?}"));
        }
    }
}
