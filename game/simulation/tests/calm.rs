//! A break without a push: nothing explodes.
//!
//! The limits are what is reached: 1 % of m g h, 2 mm in the first frames, 20 mm for bricks of half
//! a metre. Hulls are half a percent smaller than the pieces, so a wall settles into the gaps; and
//! contacts are springs, which give back a little of a hard landing.

use fracture_simulation::geometry::glam::{DMat3, DVec3, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    Body, Broken, Fit, Impact, LazyPattern, Material, NewPiece, SharedShape, Simulation,
    Surrounding,
};

use crate::setup::{at, body, broken, step, waiting};

const GRAVITY: f64 = 9.81;

/// Breaks a mesh at a height into evenly spread pieces, with hardly a push, above a floor at 0.
fn break_gently(mesh: Mesh, height: f32) -> (Simulation, Broken) {
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = Surrounding::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_surrounding(1, ground).unwrap();
    let id = simulation
        .add(Body {
            motion: at(0.0, height, 0.0),
            fit: Fit::BODY,
            pattern: LazyPattern::new(|| Pattern::from_recipe(&Recipe::Uniform { cells: 130 }, 7)),
            material: Material {
                toughness: 0.0,
                piece_toughness: 1e6,
                max_generation: 1,
                ..Material::default()
            },
            ..body(mesh)
        })
        .unwrap();
    let point = Vec3::new(0.0, height, 0.0);
    let mut whisper = Impact::new(id, point, Vec3::Y, Vec3::new(0.0, -1e-6, 0.0), 0.0);
    whisper.radius = Some(5.0);
    simulation.impact(whisper).unwrap();
    let broken = broken(&mut simulation);
    assert!(broken.pieces.len() >= 30, "{} pieces", broken.pieces.len());
    (simulation, broken)
}

fn center(simulation: &Simulation, piece: &NewPiece) -> DVec3 {
    let pose = simulation.motion(piece.body).unwrap().pose;
    pose.transform_point(piece.mass.center.as_vec3()).as_dvec3()
}

/// Kinetic energy, turning included, and height energy, J.
fn energy(simulation: &Simulation, broken: &Broken) -> f64 {
    let of = |piece: &NewPiece| {
        let motion = simulation.motion(piece.body).unwrap();
        let turn = DMat3::from_quat(motion.pose.rotation.as_dquat());
        let spin = turn.transpose() * motion.angular.as_dvec3();
        let turning = 0.5 * spin.dot(piece.mass.inertia(2400.0) * spin);
        let moving = 0.5 * piece.kilograms * motion.linear.as_dvec3().length_squared();
        moving + turning + piece.kilograms * GRAVITY * center(simulation, piece).y
    };
    broken.pieces.iter().map(of).sum()
}

/// A block, a bowl and a ring, 1 m high or less.
fn meshes() -> [(&'static str, Mesh); 2] {
    [
        ("block", Mesh::cuboid([1.0; 3])),
        ("ring", Mesh::torus(0.5, 0.18, 48, 24)),
    ]
}

#[test]
fn energy_never_rises_after_a_break() {
    for (name, mesh) in meshes() {
        for height in [0.55, 2.5] {
            let (mut simulation, broken) = break_gently(mesh.clone(), height);
            let mass: f64 = broken.pieces.iter().map(|piece| piece.kilograms).sum();
            let unit = mass * GRAVITY * f64::from(height);
            let mut lowest = energy(&simulation, &broken);
            let mut worst = 0.0f64;
            for _ in 0..180 {
                step(&mut simulation);
                let now = energy(&simulation, &broken);
                worst = worst.max((now - lowest) / unit);
                lowest = lowest.min(now);
            }
            assert!(worst < 1e-2, "{name} at {height} m: energy rose by {worst}");
        }
    }
}

#[test]
fn a_body_that_breaks_in_free_fall_keeps_its_shape() {
    for (name, mesh) in meshes() {
        let (mut simulation, broken) = break_gently(mesh, 12.0);
        let start: Vec<DVec3> = broken
            .pieces
            .iter()
            .map(|p| p.center().as_dvec3())
            .collect();
        for frame in 1..=60u16 {
            step(&mut simulation);
            // The piece has fallen for a frame when it is told of; how far, the first piece says.
            let centers = broken.pieces.iter().map(|p| center(&simulation, p));
            let ways: Vec<DVec3> = centers.zip(&start).map(|(now, then)| now - *then).collect();
            let mean = ways.iter().sum::<DVec3>() / ways.len() as f64;
            let furthest = ways
                .iter()
                .map(|way| (*way - mean).length())
                .fold(0.0, f64::max);
            let allowed = if frame <= 3 { 2e-3 } else { 0.02 };
            assert!(
                furthest < allowed,
                "{name}, frame {frame}: a piece is {furthest} m off"
            );
        }
    }
}

#[test]
fn a_wall_cut_by_level_and_upright_planes_stays_standing() {
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = Surrounding::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_surrounding(1, ground).unwrap();
    // Half the diagonal of the wall is the pattern's unit.
    let unit = (4.0f64 + 1.0 + 0.04).sqrt() * 0.5;
    let place = move |i: i32, step: f64| (f64::from(i) + 0.5) * step / unit;
    let sites = (-2..2)
        .flat_map(move |x| (-2..2).map(move |y| DVec3::new(place(x, 0.5), place(y, 0.25), 0.0)));
    let sites: Vec<DVec3> = sites.collect();
    let id = simulation
        .add(Body {
            motion: at(0.0, 0.5, 0.0),
            fit: Fit::BODY,
            pattern: LazyPattern::new(move || Pattern::from_sites(&sites)),
            material: Material {
                toughness: 0.0,
                max_generation: 1,
                ..Material::default()
            },
            ..body(Mesh::cuboid([2.0, 1.0, 0.2]))
        })
        .unwrap();
    let point = Vec3::new(0.0, 0.5, 0.0);
    let mut whisper = Impact::new(id, point, Vec3::Y, Vec3::new(0.0, -1e-6, 0.0), 0.0);
    whisper.radius = Some(5.0);
    simulation.impact(whisper).unwrap();
    let broken = broken(&mut simulation);
    assert_eq!(broken.pieces.len(), 16);
    let start: Vec<DVec3> = broken
        .pieces
        .iter()
        .map(|p| p.center().as_dvec3())
        .collect();
    let off = |simulation: &Simulation| {
        let ways = broken.pieces.iter().zip(&start);
        let ways = ways.map(|(piece, then)| (center(simulation, piece) - *then).length());
        ways.fold(0.0, f64::max)
    };
    (0..120).for_each(|_| _ = step(&mut simulation));
    let after = off(&simulation);
    assert!(after < 0.02, "a brick moved by {after} m");
    (0..180).for_each(|_| _ = step(&mut simulation));
    assert_eq!(simulation.statistics().awake, 0, "asleep after 5 s");
}
