//! Balls that break through beams and panes: their energy and momentum.

use crate::world::{broken, cube_surface, placed, World, DT};
use fracture::{
    Anchoring, Breaking, Destructible, Event, FracturePattern, Held, PatternAxis, PatternKind,
    Pieces,
};
use fyrox::{
    asset::Resource,
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
    },
};

/// Energy that breaks a cubic metre of the beam, J.
const ENERGY_PER_VOLUME: f32 = 1.0 / 3e-5;

/// Depth and width of the beam, metres, and its density, kg/m^3.
const BEAM: [f32; 2] = [0.26, 0.3];
const DENSITY: f32 = 600.0;

/// Radius of the balls, metres: so large that they push all that they break.
const BALL: f32 = 0.3;

/// A beam of 3.8 m, held at its ends, over nothing, and a ball that falls onto it.
struct Fall {
    world: World,
    ball: Handle<Node>,
    mass: f32,
}

impl Fall {
    fn new(kind: PatternKind, mass: f32, speed: f32, max_radius: f32) -> Self {
        let mut world = World::new();
        let (at, size) = (
            Vector3::new(0.0, 1.05, 0.0),
            Vector3::new(3.8, BEAM[0], BEAM[1]),
        );
        let script = wood(kind, max_radius);
        world.block("beam", RigidBodyType::Static, at, size, script);
        let graph = &mut world.scene.graph;
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::ball(BALL))
            .build(graph);
        let base = BaseBuilder::new()
            .with_local_transform(placed(Vector3::new(0.1, 2.6, 0.0)))
            .with_child(collider);
        let ball = RigidBodyBuilder::new(base)
            .with_mass(mass)
            .with_lin_vel(Vector3::new(0.0, -speed, 0.0))
            .with_ccd_enabled(true)
            .build(graph)
            .to_base();
        Self { world, ball, mass }
    }

    fn ball(&self) -> &RigidBody {
        self.world.scene.graph.try_get_of_type(self.ball).unwrap()
    }

    /// Kinetic energy of the ball, J.
    fn kinetic_energy(&self) -> f32 {
        0.5 * self.mass * self.ball().lin_vel().norm_squared()
    }

    /// Energy of the ball, that of its height included, J.
    fn energy(&self) -> f32 {
        let height = self.ball().local_transform().position().y;
        self.kinetic_energy() + self.mass * 9.81 * height
    }

    /// Momentum of the ball and of all free pieces, N s, and their mass, kg.
    fn momentum(&self) -> (Vector3<f32>, f32) {
        let pieces = self.world.destruction.pieces_of("beam").into_iter();
        let free = pieces.filter(|piece| !piece.anchored);
        let ball = (self.ball().lin_vel() * self.mass, self.mass);
        free.fold(ball, |(momentum, mass), piece| {
            let kilograms = piece.mass as f32;
            (momentum + piece.velocity * kilograms, mass + kilograms)
        })
    }
}

fn wood(kind: PatternKind, max_radius: f32) -> Destructible {
    let pattern = FracturePattern {
        kind,
        cells: 80,
        axis: PatternAxis::X,
        aspect: 7.0,
        falloff: 0.6,
        seed: 7,
        ..FracturePattern::default()
    };
    Destructible {
        pattern: Some(Resource::new_embedded(pattern)).into(),
        density: DENSITY.into(),
        breaking: Breaking {
            damage_threshold: 120.0.into(),
            energy_per_volume: f64::from(ENERGY_PER_VOLUME).into(),
            min_radius: 0.2.into(),
            max_radius: max_radius.into(),
            ..Breaking::default()
        },
        held: Held {
            anchoring: Anchoring::Sides.into(),
            depth: 0.25.into(),
            ..Held::default()
        },
        pieces: Pieces {
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    }
}

#[test]
fn a_ball_keeps_its_energy_less_what_the_break_absorbed_and_pushes_what_is_before_it() {
    for (mass, speed) in [(600.0, 9.0), (300.0, 14.0), (2000.0, 6.0)] {
        let mut fall = Fall::new(PatternKind::Splinters, mass, speed, 0.7);
        let mut broken = None;
        while broken.is_none() {
            let events = fall.world.step().into_iter();
            broken = events.filter_map(energy_and_radius).next();
        }
        let (energy, radius) = broken.unwrap();
        let [depth, width] = BEAM;
        let broken = depth * width * 2.0 * radius;
        let left = energy - 0.25 * broken * ENERGY_PER_VOLUME;
        let kept = left * (mass / (mass + broken * DENSITY)).powi(2);
        let found = fall.kinetic_energy();
        let error = (found - kept).abs() / energy;
        assert!(error < 0.01, "{mass} kg: {found} of {kept} J");
    }
}

fn energy_and_radius(event: Event) -> Option<(f32, f32)> {
    match event {
        Event::Broken { energy, radius, .. } => Some((energy, radius)),
        _ => None,
    }
}

#[test]
fn a_ball_pushes_the_long_splinters_in_its_way() {
    for mass in [600.0, 1000.0, 2000.0] {
        let mut fall = Fall::new(PatternKind::Splinters, mass, 9.0, 0.7);
        while fall.momentum().1 == mass {
            fall.world.step();
        }
        let pieces = fall.world.destruction.pieces_of("beam");
        assert!(pieces.iter().all(|piece| !piece.anchored));
        let (start, all) = fall.momentum();
        let before = fall.ball().lin_vel().y;
        let frames: u8 = 20;
        fall.world.steps(frames.into());
        let fallen = 9.81 * f32::from(frames) * DT;
        let expected = start - Vector3::y() * (all * fallen);
        let (found, _) = fall.momentum();
        let error = (found - expected).norm() / expected.norm();
        assert!(error < 0.01, "{mass} kg: {found:?}, {expected:?} N s");
        let given = mass * (fall.ball().lin_vel().y - (before - fallen));
        assert!(given > 5.0, "{mass} kg: it gave {given} N s to them");
    }
}

#[test]
fn breaks_give_a_ball_no_energy() {
    for kind in [PatternKind::Splinters, PatternKind::Clustered] {
        for (mass, speed, radius) in [(600.0, 9.0, 0.25), (600.0, 9.0, 0.4), (100.0, 20.0, 0.3)] {
            let mut fall = Fall::new(kind, mass, speed, radius);
            fall.world.step();
            let start = fall.energy();
            for frame in 0..60 {
                fall.world.step();
                let now = fall.energy();
                let of = format!("{kind:?}, {mass} kg, {radius} m");
                assert!(
                    now < 1.01 * start,
                    "{of}, frame {frame}: {now} of {start} J"
                );
            }
        }
    }
}

#[test]
fn a_stone_passes_through_glass_and_not_through_a_wall() {
    let speed_behind = |thickness: f32, energy_per_volume: f64| {
        let mut world = World::new();
        let size = Matrix4::new_nonuniform_scaling(&Vector3::new(thickness, 2.0, 2.0));
        world.body(
            "pane",
            RigidBodyType::Static,
            Vector3::zeros(),
            vec![cube_surface(size, None)],
            ColliderShape::cuboid(0.5 * thickness, 1.0, 1.0),
            Some(Destructible {
                breaking: Breaking {
                    damage_threshold: 5.0.into(),
                    energy_per_volume: energy_per_volume.into(),
                    ..Breaking::default()
                },
                ..Default::default()
            }),
        );
        let ball = world.ball(
            2.0,
            Vector3::new(-2.0, 0.0, 0.0),
            Vector3::new(20.0, 0.0, 0.0),
        );
        let events = world.steps(20);
        assert_eq!(broken(&events).first(), Some(&"pane"));
        let ball = world
            .scene
            .graph
            .try_get_of_type::<RigidBody>(ball)
            .unwrap();
        (ball.lin_vel().x, ball.local_transform().position().x)
    };
    // Of 400 J the break takes up to 35; and the ball of 0.1 m pushes 0.4 or 1.8 kg of glass along.
    for (thickness, least, most) in [(0.005, 15.0, 17.5), (0.02, 9.0, 11.0)] {
        let (speed, place) = speed_behind(thickness, 1e4);
        assert!(speed > least && speed < most, "{thickness} m: {speed}");
        assert!(place > 1.0, "{thickness} m: {place}");
    }
    // A wall that is thicker than the break is deep stops the stone, and so does a tough pane.
    for (thickness, energy) in [(0.5, 1e4), (0.02, 2e6)] {
        let (speed, place) = speed_behind(thickness, energy);
        assert!(speed.abs() < 1.0 && place < 0.0, "{speed} {place}");
    }
}
