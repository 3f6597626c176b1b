//! Two worlds to which the same happens, one of which skips idle steps.

use fracture_geometry::{Mesh, Pattern, Recipe};
use glam::Vec3;
use rapier3d::dynamics::FixedJointBuilder;
use rapier3d::geometry::{BroadPhaseBvh, BvhOptimizationStrategy};

use crate::external::{ExternalBody, JointDesc};
use crate::pattern::{LazyPattern, PatternFit};
use crate::{
    Body, BodyId, BodyRef, DebrisLifetime, Event, Impact, Material, Motion, Pose, Push, Settings,
    Shape, SharedShape, Simulation,
};

const DT: f32 = 1.0 / 60.0;

/// Keys of the external bodies: a floor, a platform beside the rubble, a crate near it, and a ball far
/// away.
const FLOOR: u64 = 1;
const PLATFORM: u64 = 2;
const CRATE: u64 = 3;
const BALL: u64 = 4;

/// Lifetime of pieces, seconds.
const LIFETIME: f32 = 40.0;

fn at(x: f32, y: f32, z: f32) -> Motion {
    Motion::at(Pose::from_translation(Vec3::new(x, y, z)))
}

fn block(height: f32) -> Body {
    let recipe = Recipe::Uniform { cells: 8 };
    Body {
        fit: PatternFit::BODY,
        motion: at(0.0, height, 0.0),
        material: Material {
            damage_threshold: Some(20.0),
            threshold_factor: 50.0,
            ..Material::default()
        },
        lifetime: DebrisLifetime {
            lifetime: LIFETIME,
            ..DebrisLifetime::default()
        },
        ..Body::new(
            Shape::new(Mesh::cuboid([1.0; 3])),
            LazyPattern::new(move || Pattern::from_recipe(&recipe, 5)),
        )
    }
}

fn wide_hit(body: BodyId, height: f32) -> Impact {
    let impulse = Vec3::new(0.0, -50.0, 0.0);
    let impact = Impact::new(body, Vec3::Y * height, Vec3::Y, impulse, 100.0);
    Impact {
        radius: Some(3.0),
        ..impact
    }
}

/// Rubble among bodies of the engine.
struct World {
    simulation: Simulation,
    root: BodyId,
    pieces: Vec<BodyId>,
}

impl World {
    fn new(restless: bool, freeze_after: f32) -> Self {
        let mut simulation = Simulation::new(Settings {
            wait_for_results: true,
            freeze_after,
            ..Settings::default()
        })
        .unwrap();
        simulation.debris.wait_mut().never_idle = restless;
        // Rapier optimises its tree in each step and finds new pairs in the order of the tree. In a world
        // that has skipped steps the order is another one, and heaps fall differently by rounding errors.
        let strategy = BvhOptimizationStrategy::None;
        simulation.debris.wait_mut().physics.broad_phase =
            BroadPhaseBvh::with_optimization_strategy(strategy);
        let cuboid = SharedShape::cuboid;
        let floor = ExternalBody::fixed(cuboid(20.0, 0.5, 20.0), at(0.0, -0.5, 0.0));
        let platform = ExternalBody::kinematic(cuboid(0.5, 0.5, 0.5), at(-1.6, 0.5, 0.0));
        let crate_ = ExternalBody::dynamic(cuboid(0.2, 0.2, 0.2), at(1.6, 0.2, 0.0), 20.0);
        let ball = ExternalBody::dynamic(SharedShape::ball(0.2), at(40.0, 0.2, 0.0), 20.0);
        for (key, body) in (FLOOR..).zip([floor, platform, crate_, ball]) {
            simulation.set_external_body(key, body).unwrap();
        }
        let root = simulation.add(block(0.5)).unwrap();
        simulation.impact(wide_hit(root, 0.5)).unwrap();
        let mut world = Self {
            simulation,
            root,
            pieces: Vec::new(),
        };
        for _ in 0..600 {
            for event in world.frame() {
                if let Event::Broken(broken) = event {
                    world.pieces.extend(broken.pieces.iter().map(|p| p.body));
                }
            }
        }
        assert!(world.pieces.len() > 4, "{}", world.pieces.len());
        assert_eq!(world.simulation.statistics().awake, 0);
        world
    }

    fn frame(&mut self) -> Vec<Event> {
        self.simulation.step(DT);
        self.simulation.drain_events().collect()
    }

    fn steps(&self) -> u64 {
        self.simulation.statistics().physics_steps
    }

    fn push(&mut self, speed: f32) {
        let piece = self.pieces[0];
        let point = self.simulation.motion(piece).unwrap().pose.translation;
        let push = Push {
            impulse: Vec3::Y * 1e6,
            energy: 0.0,
            max_speed: speed,
        };
        assert!(self.simulation.push(piece, point, &push));
    }
}

/// An event as text, without the times of a break.
fn text_of(event: &Event) -> String {
    match event {
        Event::Broken(broken) => format!("{:?} into {}", broken.body, broken.pieces.len()),
        other => format!("{other:?}"),
    }
}

type Cause = (&'static str, fn(&mut World));

/// Causes that have to wake a world.
const CAUSES: [Cause; 15] = [
    ("a wall comes", |world| {
        let wall = ExternalBody::fixed(SharedShape::ball(0.3), at(0.0, 0.1, 0.0));
        world.simulation.set_external_body(9, wall).unwrap();
    }),
    ("the floor goes", |world| {
        assert!(world.simulation.remove_external_body(FLOOR));
    }),
    ("the floor is moved", |world| {
        assert!(world
            .simulation
            .set_external_motion(FLOOR, at(0.0, -0.8, 0.0)));
    }),
    ("a platform drives in", |world| {
        let to = at(-1.5, 0.5, 0.0);
        assert!(world.simulation.set_external_motion(PLATFORM, to));
    }),
    ("a body of the engine starts to move", |world| {
        let mut motion = at(1.6, 0.2, 0.0);
        motion.linear = Vec3::new(-3.0, 0.0, 0.0);
        assert!(world.simulation.set_external_motion(CRATE, motion));
    }),
    ("a body of the engine comes from far", |world| {
        let mut motion = at(0.0, 2.0, 0.0);
        motion.linear = Vec3::new(0.0, -5.0, 0.0);
        assert!(world.simulation.set_external_motion(BALL, motion));
    }),
    ("a new body of the engine", |world| {
        let ball = ExternalBody::dynamic(SharedShape::ball(0.2), at(0.0, 1.5, 0.0), 50.0);
        world.simulation.set_external_body(9, ball).unwrap();
    }),
    ("a joint", |world| {
        let ends = [PLATFORM, CRATE].map(BodyRef::External);
        let joint = FixedJointBuilder::new().build().into();
        world.simulation.set_joint(
            7,
            JointDesc {
                bodies: ends,
                joint,
            },
        );
    }),
    ("a weak hit", |world| {
        let hit = Impact {
            impulse: Vec3::new(5.0, 5.0, 0.0),
            energy: 0.1,
            ..wide_hit(world.pieces[0], 0.3)
        };
        world.simulation.impact(hit).unwrap();
    }),
    ("a break", |world| {
        let hit = wide_hit(world.pieces[0], 0.3);
        world.simulation.impact(hit).unwrap();
    }),
    ("a push", |world| world.push(2.0)),
    ("gravity", |world| {
        world.simulation.set_gravity(Vec3::new(1.0, -9.0, 0.0));
    }),
    ("a piece goes", |world| {
        assert_eq!(world.simulation.remove(world.pieces[1]), 1);
    }),
    ("fewer pieces are allowed", |world| {
        let freeze_after = world.simulation.settings().freeze_after;
        world.simulation.set_limits(3, u64::MAX, freeze_after);
    }),
    ("something else breaks", |world| {
        let body = world.simulation.add(block(2.5)).unwrap();
        world.simulation.impact(wide_hit(body, 2.5)).unwrap();
    }),
];

/// Times before freezing: rubble is frozen, or only sleeps.
const FREEZE_AFTER: [f32; 2] = [0.5, f32::INFINITY];

#[test]
fn a_world_that_leaves_out_steps_is_in_the_same_state_and_takes_none() {
    for freeze_after in FREEZE_AFTER {
        let [mut still, mut restless] = [false, true].map(|r| World::new(r, freeze_after));
        let frozen = still.simulation.statistics().frozen;
        assert_eq!(frozen > 0, freeze_after.is_finite());
        let (before, others) = (still.steps(), restless.steps());
        for _ in 0..200 {
            assert!(still.frame().is_empty());
            restless.frame();
            assert_eq!(still.simulation.moving_pieces().count(), 0);
        }
        assert_eq!(still.steps(), before, "{freeze_after}");
        assert_eq!(restless.steps(), others + 200);
        let hashes = [still, restless].map(|world| world.simulation.state_hash());
        assert_eq!(hashes[0], hashes[1]);
    }
}

#[test]
fn every_cause_wakes_the_world_at_once_and_as_if_it_had_never_rested() {
    for freeze_after in FREEZE_AFTER {
        for (name, cause) in CAUSES {
            let mut worlds = [false, true].map(|r| World::new(r, freeze_after));
            let mut states = [false, true].map(|_| Vec::new());
            for (world, states) in worlds.iter_mut().zip(&mut states) {
                let before = world.steps();
                cause(world);
                for _ in 0..2 {
                    world.frame();
                }
                assert!(world.steps() > before, "{name} wakes nothing");
                for _ in 0..90 {
                    let told: Vec<String> = world.frame().iter().map(text_of).collect();
                    let handed: Vec<_> = world.simulation.corrected_motions().collect();
                    states.push((world.simulation.state_hash(), told, handed));
                }
            }
            let [still, restless] = states;
            let first = still.iter().zip(&restless).position(|(a, b)| a != b);
            assert_eq!(first, None, "{name}, {freeze_after}");
        }
    }
}

#[test]
fn a_world_wakes_by_itself_when_pieces_have_lived_long_enough() {
    let mut world = World::new(false, 0.5);
    let count = world.pieces.len();
    let mut removed = 0;
    for _ in 0..(1.4 * LIFETIME / DT) as usize {
        let before = world.steps();
        let events = world.frame();
        let gone = events.iter().filter(|e| matches!(e, Event::Removed { .. }));
        removed += gone.count();
        // The next frame at the latest notices the thawed pieces that lay on it.
        if !events.is_empty() {
            world.frame();
            assert!(world.steps() > before);
        }
    }
    assert_eq!(removed, count);
    assert_eq!(world.simulation.descendants(world.root).len(), 0);
}

#[test]
fn a_piece_that_is_to_be_fixed_is_fixed_though_nothing_else_happens() {
    // The pieces sleep for longer than the world takes to become idle.
    let mut world = World::new(false, 12.0);
    let statistics = world.simulation.statistics();
    assert_eq!(statistics.frozen, 0, "{statistics:?}");
    for _ in 0..600 {
        world.frame();
    }
    let statistics = world.simulation.statistics();
    assert_eq!(statistics.frozen, world.pieces.len());
}
