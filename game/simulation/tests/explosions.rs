//! Explosions: energy and momentum of a charge, what shields from it, and rubble that is not shot off.

use std::f32::consts::PI;

use fracture_simulation::external::{BodyDesc, BodyType, ColliderDesc, ExternalBody, MassDesc};
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::rapier3d::parry::shape::SharedShape;
use fracture_simulation::{
    Anchors, BlastLoad, Body, BodyRef, Event, Impact, Material, Motion, Settings, Shape, Simulation,
};

use crate::setup::{at, pattern, step, with};

/// A kilogram of TNT, J.
const KILOGRAM: f32 = 4.2e6;

/// A cuboid that is anchored as a whole or free, with the colliders that the engine would have for it.
fn cuboid(size: [f32; 3], center: [f32; 3], anchors: Anchors, material: Material) -> Body {
    let half = Vec3::from(size) * 0.5;
    let collider = ColliderDesc::new(SharedShape::cuboid(half.x, half.y, half.z));
    let body_type = if anchors.is_free() {
        BodyType::Dynamic(MassDesc::default())
    } else {
        BodyType::Fixed
    };
    Body {
        motion: at(center[0], center[1], center[2]),
        anchors,
        material,
        proxy: Some(BodyDesc {
            colliders: vec![collider],
            body_type,
        }),
        ..Body::new(Shape::new(Mesh::cuboid(size)), pattern(64))
    }
}

fn fixed(size: [f32; 3], center: [f32; 3]) -> Body {
    cuboid(
        size,
        center,
        Anchors::boxes(vec![[Vec3::splat(-50.0), Vec3::splat(50.0)]]),
        Material::default(),
    )
}

/// A wall 3 m wide, 2.8 m high and 0.2 m thick on a ground, held at its foot.
fn wall_on_ground(settings: Settings) -> Simulation {
    let mut simulation = with(settings);
    let ground = SharedShape::cuboid(50.0, 0.5, 50.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let foot = [Vec3::new(-2.0, -1.5, -0.2), Vec3::new(2.0, -1.39, 0.2)];
    let anchors = Anchors::boxes(vec![foot]);
    let wall = cuboid(
        [3.0, 2.8, 0.2],
        [0.0, 1.4, 0.0],
        anchors,
        Material::default(),
    );
    simulation.add(wall).unwrap();
    step(&mut simulation);
    simulation
}

/// Sets off a charge, as a host does. Returns the sum of the energies.
fn explode(simulation: &mut Simulation, center: Vec3, radius: f32, energy: f32) -> f32 {
    let loads = simulation.blast(center, radius, energy);
    for load in &loads {
        if let BodyRef::Breakable(body) = load.body {
            let BlastLoad {
                point,
                normal,
                impulse,
                energy,
                ..
            } = *load;
            let impact = Impact::new(body, point, normal, impulse, energy);
            simulation.impact(impact).unwrap();
        }
    }
    loads.iter().map(|load| load.energy).sum()
}

/// The free pieces of all breaks among events, with their masses, kg.
fn new_free_masses(events: &[Event]) -> Vec<(fracture_simulation::BodyId, f32)> {
    let pieces = events.iter().filter_map(|event| match event {
        Event::Broken(broken) => Some(&broken.pieces),
        _ => None,
    });
    let free = pieces.flatten().filter(|piece| !piece.anchored);
    free.map(|piece| (piece.body, 2400.0 * piece.mass.volume as f32))
        .collect()
}

/// Momentum (N s), kinetic energy (J) and greatest speed (m/s) of all free pieces.
fn moving(simulation: &Simulation, masses: &[(fracture_simulation::BodyId, f32)]) -> [f32; 3] {
    let mut sums = [0.0f32; 3];
    for (body, mass) in masses {
        let Some(motion) = simulation.motion(*body) else {
            continue;
        };
        let speed = motion.linear.length();
        sums[0] += mass * speed;
        sums[1] += 0.5 * mass * speed * speed;
        sums[2] = sums[2].max(speed);
    }
    sums
}

#[test]
fn rubble_is_not_shot_off_by_one_bomb_after_the_other() {
    for energy in [2e4, KILOGRAM, 4e7] {
        let mut simulation = wall_on_ground(Settings::default());
        let mut masses = Vec::new();
        for bomb in 0..3 {
            let received = explode(&mut simulation, Vec3::new(0.0, 0.8, 1.5), 5.0, energy);
            assert!(received < 1.001 * energy, "{received} of {energy} J");
            let mut greatest = [0.0f32; 3];
            for _ in 0..180 {
                masses.extend(new_free_masses(&step(&mut simulation)));
                let found = moving(&simulation, &masses);
                greatest = [0, 1, 2].map(|i| greatest[i].max(found[i]));
            }
            let [_, kinetic, speed] = greatest;
            // 30 m/s for the body as a whole, and as much for its pieces among themselves.
            assert!(speed < 61.0, "bomb {bomb} of {energy} J: {speed} m/s");
            // Falling adds some kilojoules.
            assert!(kinetic < energy + 3e4, "bomb {bomb}: {kinetic} J");
        }
        assert!(!masses.is_empty() || energy < 1e5);
    }
}

#[test]
fn a_kilogram_of_tnt_throws_the_pieces_of_the_wall_that_it_breaks() {
    let mut simulation = wall_on_ground(Settings::default());
    explode(&mut simulation, Vec3::new(0.0, 0.8, 1.5), 5.0, KILOGRAM);
    let mut masses = Vec::new();
    for _ in 0..2 {
        masses.extend(new_free_masses(&step(&mut simulation)));
    }
    let total: f32 = masses.iter().map(|(_, mass)| mass).sum();
    let [momentum, _, _] = moving(&simulation, &masses);
    let mean = momentum / total;
    assert!(total > 500.0, "{total} kg");
    assert!(mean > 0.3, "{mean} m/s");
}

#[test]
fn a_closed_room_gets_all_of_the_energy() {
    let mut simulation = with(Settings::default());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let mut size = [2.2; 3];
            size[axis] = 0.2;
            let mut center = [0.0; 3];
            center[axis] = side;
            simulation.add(fixed(size, center)).unwrap();
        }
    }
    step(&mut simulation);
    let loads = simulation.blast(Vec3::ZERO, 5.0, 1000.0);
    assert_eq!(loads.len(), 6);
    let sum: f32 = loads.iter().map(|load| load.energy).sum();
    assert!((sum - 1000.0).abs() < 30.0, "{sum} J");
    let momentum: Vec3 = loads.iter().map(|load| load.impulse).sum();
    let each = loads[0].impulse.length();
    assert!(momentum.length() < 0.5 * each, "{momentum} of {each}");
}

#[test]
fn a_body_gets_the_share_of_its_solid_angle_whatever_its_distance_and_turn() {
    for distance in [1.0, 3.0, 9.0] {
        let mut simulation = with(Settings::default());
        simulation
            .add(fixed([0.4, 0.4, 0.4], [distance, 0.0, 0.0]))
            .unwrap();
        step(&mut simulation);
        let loads = simulation.blast(Vec3::ZERO, 20.0, KILOGRAM);
        let [load] = loads[..] else {
            panic!("one body");
        };
        let face = distance - 0.2;
        // The solid angle of a square of side a at a distance d.
        let solid_angle = 4.0 * (0.04 / (face * (2.0 * 0.04 + face * face).sqrt())).atan();
        let expected = KILOGRAM * solid_angle / (4.0 * PI);
        assert!(
            (load.energy / expected - 1.0).abs() < 0.01,
            "{load:?} {expected}"
        );
        assert!((load.point - Vec3::new(face, 0.0, 0.0)).length() < 0.1);
        // The striker of this impulse and energy is the gas: no impulse without the energy for it.
        let gas = load.impulse.length().powi(2) / (2.0 * load.energy);
        assert!(gas > 0.0 && load.impulse.x > 0.99 * load.impulse.length());
    }
}

#[test]
fn the_impulse_of_a_blast_is_that_of_charts_of_reflected_waves() {
    // Kingery and Bulmash (1984), TNT, N s per square metre.
    for (kilograms, distance, expected) in [
        (1.0, 1.4, 370.0),
        (1.0, 3.0, 200.0),
        (1.0, 10.0, 55.0),
        (0.15, 2.5, 53.0),
        (10.0, 10.0, 265.0),
    ] {
        let mut simulation = with(Settings::default());
        let side = 0.02 * distance;
        let size = [side, side, side];
        let center = [distance + 0.5 * side, 0.0, 0.0];
        simulation.add(fixed(size, center)).unwrap();
        step(&mut simulation);
        let loads = simulation.blast(Vec3::ZERO, 20.0, kilograms * 4.184e6);
        let found = loads[0].impulse.length() / (side * side);
        let factor = found / expected;
        assert!(
            (0.8..1.25).contains(&factor),
            "{kilograms} kg, {distance} m: {found}"
        );
    }
}

#[test]
fn a_blast_reaches_only_what_nothing_stands_before() {
    let mut simulation = with(Settings::default());
    let near = simulation
        .add(fixed([0.2, 2.0, 2.0], [1.0, 0.0, 0.0]))
        .unwrap();
    let hidden = simulation
        .add(fixed([0.2, 1.0, 1.0], [2.0, 0.0, 0.0]))
        .unwrap();
    let aside = simulation
        .add(fixed([0.2, 1.0, 1.0], [0.0, 0.0, 2.0]))
        .unwrap();
    let far = simulation
        .add(fixed([0.2, 1.0, 1.0], [-8.0, 0.0, 0.0]))
        .unwrap();
    let mass = MassDesc {
        additional_mass: 5.0,
        ..MassDesc::default()
    };
    let crate_ = ExternalBody {
        desc: BodyDesc {
            colliders: vec![ColliderDesc::new(SharedShape::cuboid(0.3, 0.3, 0.3))],
            body_type: BodyType::Dynamic(mass),
        },
        motion: at(0.0, 2.0, 0.0),
    };
    simulation.set_external_body(7, crate_).unwrap();
    let ground = SharedShape::cuboid(50.0, 0.5, 50.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -3.0, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    step(&mut simulation);
    let loads = simulation.blast(Vec3::ZERO, 5.0, 1e5);
    let reached: Vec<BodyRef> = loads.iter().map(|load| load.body).collect();
    let expected = [
        BodyRef::Breakable(near),
        BodyRef::Breakable(aside),
        BodyRef::External(7),
    ];
    assert_eq!(reached, expected);
    assert!(!reached.contains(&BodyRef::Breakable(hidden)));
    assert!(!reached.contains(&BodyRef::Breakable(far)));
}

#[test]
fn a_charge_inside_a_body_or_the_ground_reaches_the_rest_all_the_same() {
    let simulation = wall_on_ground(Settings::default());
    // A finger's breadth inside the ground, and inside the wall.
    for center in [[0.0, -0.02, 1.0], [0.0, 1.0, 0.05], [0.0, 1.0, 0.1]] {
        let loads = simulation.blast(center.into(), 5.0, 1e5);
        let [load] = loads[..] else {
            panic!("{center:?} {loads:?}");
        };
        assert!(load.energy > 5e3 && load.energy <= 1e5, "{load:?}");
        assert!(load.point.is_finite() && load.impulse.is_finite());
    }
}

#[test]
fn a_body_without_colliders_is_reached_by_its_mesh() {
    let mut simulation = with(Settings::default());
    let body = Body {
        motion: Motion::at(at(2.0, 0.0, 0.0).pose),
        ..crate::setup::cube()
    };
    let id = simulation.add(body).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    let loads = simulation.blast(Vec3::ZERO, 5.0, 1e5);
    let [load] = loads[..] else {
        panic!("{loads:?}");
    };
    assert_eq!(load.body, BodyRef::Breakable(id));
    assert!((load.point.x - 1.5).abs() < 1e-3, "{load:?}");
}

#[test]
fn figures_that_are_no_explosion_reach_nothing() {
    let simulation = wall_on_ground(Settings::default());
    let near = Vec3::new(0.0, 1.0, 1.0);
    for (center, radius, energy) in [
        (Vec3::NAN, 5.0, 1e5),
        (near, 0.0, 1e5),
        (near, -1.0, 1e5),
        (near, f32::NAN, 1e5),
        (near, f32::INFINITY, 1e5),
        (near, 5.0, 0.0),
        (near, 5.0, -1.0),
        (near, 5.0, f32::NAN),
        (near, 5.0, f32::INFINITY),
    ] {
        assert_eq!(simulation.blast(center, radius, energy), []);
    }
    // The largest figures are still figures.
    for load in simulation.blast(near, f32::MAX, f32::MAX) {
        assert!(load.energy.is_finite(), "{load:?}");
    }
}
