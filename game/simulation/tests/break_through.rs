//! Strikers that go through a body that they break, and their speed behind it: with figures that one knows.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Anchors, Body, Impact, Material, Residual, Shape, Simulation, Striker};

use crate::setup::{broken, pattern, step, waiting};

/// Energy per volume of a brittle material, and of oak, J/m^3.
const BRITTLE: f32 = 1e4;
const OAK: f32 = 1e5;

/// Mass (kg), density (kg/m^3) and speed (m/s).
const PISTOL: [f32; 3] = [0.008, 10_000.0, 360.0];
const RIFLE: [f32; 3] = [0.01, 10_000.0, 400.0];
const IRON_BALL: [f32; 3] = [20.0, 7_800.0, 30.0];
const CAR: [f32; 3] = [1200.0, 200.0, 18.0];

/// A plate whose thickness (metres) is that along z.
fn plate(size: [f32; 3], density: f32, energy: f32) -> (Simulation, Impact) {
    let mut simulation = waiting();
    let material = Material {
        density,
        volume_per_energy: energy.recip(),
        ..Material::default()
    };
    let body = Body {
        material,
        ..Body::new(Shape::new(Mesh::cuboid(size)), pattern(24))
    };
    let id = simulation.add(body).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    let point = Vec3::Z * 0.5 * size[2];
    let impact = Impact::new(id, point, Vec3::Z, Vec3::ZERO, 0.0);
    (simulation, impact)
}

fn thrown([mass, density, speed]: [f32; 3], impact: Impact) -> Impact {
    let striker = Striker::from_mass(Some(mass), Some(mass / density));
    Impact {
        impulse: -impact.normal * (mass * speed),
        energy: 0.5 * mass * speed * speed,
        striker,
        ..impact
    }
}

/// Speed of a striker behind a body, m/s; 0 if it is stopped.
fn speed_behind(simulation: &Simulation, impact: &Impact, mass: f32) -> f32 {
    assert_eq!(simulation.breaks(impact), Some(true));
    simulation.break_through(impact).map_or(0.0, |through| {
        let left = (impact.energy - through.energy).max(0.0);
        (2.0 * left / mass).sqrt() * mass / (mass + through.pushed_mass)
    })
}

#[test]
fn strikers_go_through_what_is_thin_and_stop_at_what_is_thick() {
    for (thrown_by, thickness, density, energy, least, most) in [
        (PISTOL, 0.006, 2500.0, BRITTLE, 200.0, 330.0),
        (RIFLE, 0.006, 2500.0, BRITTLE, 250.0, 370.0),
        (PISTOL, 0.2, 2400.0, BRITTLE, 0.0, 0.0),
        (RIFLE, 0.5, 2700.0, BRITTLE, 0.0, 0.0),
        (RIFLE, 0.025, 700.0, OAK, 100.0, 380.0),
        (IRON_BALL, 0.11, 1800.0, BRITTLE, 13.0, 22.0),
        (IRON_BALL, 0.2, 1800.0, BRITTLE, 7.0, 11.0),
        (IRON_BALL, 0.25, 2400.0, BRITTLE, 0.0, 6.0),
        (IRON_BALL, 1.0, 2400.0, BRITTLE, 0.0, 0.0),
        (CAR, 0.01, 2500.0, BRITTLE, 16.0, 18.0),
    ] {
        let (simulation, impact) = plate([3.0, 2.0, thickness], density, energy);
        let impact = thrown(thrown_by, impact);
        let speed = speed_behind(&simulation, &impact, thrown_by[0]);
        assert!(
            speed >= least && speed <= most,
            "{thrown_by:?} at {thickness} m: {speed} m/s"
        );
    }
}

#[test]
fn the_pieces_before_a_striker_fly_along_with_it() {
    let (mut simulation, impact) = plate([3.0, 2.0, 0.2], 1800.0, BRITTLE);
    let bottom = [Vec3::new(-2.0, -1.1, -0.2), Vec3::new(2.0, -0.95, 0.2)];
    let anchors = Anchors::boxes(vec![bottom]);
    simulation.set_anchors(impact.body, anchors).unwrap();
    let impact = thrown(IRON_BALL, impact);
    let mass = IRON_BALL[0];
    let speed = speed_behind(&simulation, &impact, mass);
    let through = simulation.break_through(&impact).unwrap();
    let residual = Residual {
        impulse: impact.impulse.normalize() * mass * speed,
        energy: 0.5 * mass * speed * speed,
        pushed_radius: through.pushed_radius,
    };
    simulation.impact(Impact { residual, ..impact }).unwrap();
    let broken = broken(&mut simulation);
    let speeds = |from: f32, to: f32| {
        let free = broken.pieces.iter().filter(|piece| !piece.anchored);
        let speeds = free.filter_map(|piece| {
            let center = piece.mass.center.as_vec3();
            let ring = from..to;
            let is_there = ring.contains(&center.truncate().length());
            is_there.then_some(-piece.motion.linear.z)
        });
        speeds.collect::<Vec<_>>()
    };
    let near = speeds(0.0, through.pushed_radius);
    let far = speeds(3.0 * through.pushed_radius, f32::INFINITY);
    let [near, far] = [near, far].map(|speeds| {
        assert!(!speeds.is_empty());
        speeds.iter().sum::<f32>() / speeds.len() as f32
    });
    assert!(
        near > 0.5 * speed && near < 1.5 * speed,
        "{near} m/s of {speed}"
    );
    assert!(
        far < 0.2 * near,
        "{far} m/s at the edge, {near} m/s before it"
    );

    // Uneven cracks do not hold them: where the striker went is a hole.
    let before = broken.pieces.iter().filter(|piece| {
        let center = piece.mass.center.as_vec3().truncate();
        !piece.anchored && center.length() < through.pushed_radius
    });
    let before: Vec<_> = before.map(|piece| piece.body).collect();
    for _ in 0..20 {
        step(&mut simulation);
    }
    for body in before {
        let way = simulation.motion(body).unwrap().pose.translation.z;
        assert!(way < -0.2, "a piece has moved by {way} m");
    }
}

#[test]
fn thicker_and_tougher_plates_take_more() {
    let behind = |thickness, energy| {
        let (simulation, impact) = plate([3.0, 2.0, thickness], 1800.0, energy);
        let impact = thrown(IRON_BALL, impact);
        speed_behind(&simulation, &impact, IRON_BALL[0])
    };
    let by_thickness = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8].map(|t| behind(t, BRITTLE));
    let by_energy = [1e3, 3e3, 1e4, 3e4, 1e5].map(|energy| behind(0.1, energy));
    for speeds in [&by_thickness[..], &by_energy[..]] {
        assert!(speeds.is_sorted_by(|a, b| a >= b), "{speeds:?}");
        assert!(speeds[0] > 15.0, "{speeds:?}");
    }
}

#[test]
fn a_bullet_chips_a_block_that_the_same_energy_of_a_large_body_halves() {
    let standing = |striker: [f32; 3]| {
        let (mut simulation, impact) = plate([0.5, 0.9, 0.5], 2700.0, BRITTLE);
        simulation.impact(thrown(striker, impact)).unwrap();
        let pieces = broken(&mut simulation).pieces;
        let volumes = pieces.iter().map(|piece| piece.mass.volume);
        volumes.fold(0.0, f64::max) / (0.5 * 0.9 * 0.5)
    };
    let (bullet, stone) = (standing(RIFLE), standing([7.0, 2600.0, 15.1]));
    assert!(bullet > 0.9, "{bullet} of the block stands");
    assert!(stone < 0.8, "{stone} of the block stands");
}
