//! Breaks without a push, in which nothing may explode.

use fracture_simulation::geometry::glam::{DMat3, DVec3, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern, Solid};
use fracture_simulation::{
    external::ExternalBody,
    pattern::{LazyPattern, PatternFit},
    Body, Broken, Impact, Material, NewPiece, SharedShape, Simulation,
};

use crate::meshes::{arch, vase};
use crate::setup::{at, body, broken, step, waiting, DT};

const GRAVITY: f64 = 9.81;

/// Breaks a mesh that stands at a height above a floor at 0, by sites in its own space, without a push.
fn break_gently(mesh: Mesh, height: f32, sites: Vec<DVec3>) -> (Simulation, Broken) {
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let count = sites.len();
    let id = simulation
        .add(Body {
            motion: at(0.0, height, 0.0),
            fit: PatternFit::IN_PLACE,
            pattern: LazyPattern::new(move || Pattern::from_sites(&sites)),
            material: Material {
                damage_threshold: Some(0.0),
                threshold_factor: 1e6,
                max_depth: 1,
                ..Material::default()
            },
            ..body(mesh)
        })
        .unwrap();
    let point = Vec3::new(0.0, height + 0.5, 0.0);
    let mut whisper = Impact::new(id, point, Vec3::Y, Vec3::ZERO, 0.0);
    whisper.radius = Some(5.0);
    simulation.impact(whisper).unwrap();
    let broken = broken(&mut simulation);
    assert!(
        broken.pieces.len() >= count,
        "{} pieces",
        broken.pieces.len()
    );
    (simulation, broken)
}

/// Sites spread all over a mesh.
fn scattered(mesh: &Mesh, seed: u64) -> Vec<DVec3> {
    Solid::new(mesh.clone()).unwrap().sample_volume(64, seed)
}

/// A block, a vase and an arch, 1 m high, that stand on y = 0.
fn meshes() -> [(&'static str, Mesh); 3] {
    let mut block = Mesh::cuboid([1.0; 3]);
    for position in &mut block.positions {
        position[1] += 0.5;
    }
    [("block", block), ("vase", vase()), ("arch", arch())]
}

pub fn center(simulation: &Simulation, piece: &NewPiece) -> DVec3 {
    let pose = simulation.motion(piece.body).unwrap().pose;
    pose.transform_point(piece.mass.center.as_vec3()).as_dvec3()
}

/// Centres of the pieces at the break.
pub fn centers(broken: &Broken) -> Vec<DVec3> {
    let pieces = broken.pieces.iter();
    pieces.map(|piece| piece.center().as_dvec3()).collect()
}

/// Distance by which pieces have fallen after some frames, metres; one has passed when the break is
/// reported.
pub fn fallen(frame: u32) -> f64 {
    let time = f64::from(frame) * f64::from(DT);
    0.5 * GRAVITY * time * (time + f64::from(DT))
}

/// Distance of a piece in the air from its free fall.
pub fn off_in_the_air(way: DVec3, fall: f64) -> f64 {
    way.with_y(0.0).length().max(-fall - way.y).max(way.y)
}

/// Sum of kinetic, rotational and potential energy, J.
pub fn energy(simulation: &Simulation, broken: &Broken) -> f64 {
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

#[test]
fn energy_never_rises_after_a_break() {
    for (name, mesh) in meshes() {
        for (height, seed) in [(0.0, 4), (0.0, 7), (2.0, 3), (2.0, 5), (2.0, 7)] {
            let (mut simulation, broken) =
                break_gently(mesh.clone(), height, scattered(&mesh, seed));
            let weight: f64 = broken.pieces.iter().map(|p| p.kilograms * GRAVITY).sum();
            let unit = weight * f64::from(height + 0.5);
            let mut lowest = energy(&simulation, &broken);
            let mut worst = 0.0f64;
            for _ in 0..180 {
                step(&mut simulation);
                let now = energy(&simulation, &broken);
                worst = worst.max((now - lowest) / unit);
                lowest = lowest.min(now);
            }
            assert!(
                worst < 1e-3,
                "{name} {seed} at {height} m: energy rose by {worst}"
            );
        }
    }
}

#[test]
fn nothing_moves_in_the_first_frames_but_by_gravity() {
    for (name, mesh) in meshes() {
        for height in [0.0, 2.0] {
            let (mut simulation, broken) = break_gently(mesh.clone(), height, scattered(&mesh, 7));
            let start = centers(&broken);
            for frame in 1..=3u32 {
                let fall = fallen(frame);
                for (piece, start) in broken.pieces.iter().zip(&start) {
                    let way = center(&simulation, piece) - *start;
                    // On the ground pieces block each other in all directions.
                    let off = if height > 0.0 {
                        off_in_the_air(way, fall)
                    } else {
                        way.length() - fall
                    };
                    assert!(
                        off < 1e-3,
                        "{name} at {height} m, frame {frame}: {off} m off"
                    );
                }
                step(&mut simulation);
            }
        }
    }
}

#[test]
fn a_body_that_breaks_in_free_fall_keeps_its_shape_until_it_lands() {
    for (name, mesh) in meshes() {
        let (mut simulation, broken) = break_gently(mesh.clone(), 12.0, scattered(&mesh, 7));
        let start = centers(&broken);
        let mut fallen = 0.0;
        while fallen < 11.5 {
            step(&mut simulation);
            let now = broken.pieces.iter().map(|p| center(&simulation, p));
            let ways: Vec<DVec3> = now.zip(&start).map(|(now, then)| now - *then).collect();
            let mean = ways.iter().sum::<DVec3>() / ways.len() as f64;
            let off = ways.iter().map(|way| (*way - mean).length());
            let furthest = off.fold(0.0, f64::max);
            assert!(
                furthest < 1e-3,
                "{name}, after {fallen} m: a piece is {furthest} m off"
            );
            fallen = -mean.y;
        }
    }
}

#[test]
fn a_wall_cut_by_level_and_upright_planes_stays_standing() {
    let mut wall = Mesh::cuboid([2.0, 1.0, 0.2]);
    for position in &mut wall.positions {
        position[1] += 0.5;
    }
    let place = |i: i32, step: f64| (f64::from(i) + 0.5) * step;
    let column = |x| (0..4).map(move |y| DVec3::new(place(x, 0.5), place(y, 0.25), 0.0));
    let sites = (-2..2).flat_map(column).collect();
    let (mut simulation, broken) = break_gently(wall, 0.0, sites);
    assert_eq!(broken.pieces.len(), 16);
    let start = centers(&broken);
    (0..120).for_each(|_| _ = step(&mut simulation));
    for (piece, start) in broken.pieces.iter().zip(&start) {
        let off = (center(&simulation, piece) - *start).length();
        assert!(off < 2e-3, "a brick moved by {off} m");
    }
    (0..180).for_each(|_| _ = step(&mut simulation));
    assert_eq!(simulation.statistics().awake, 0, "asleep after 5 s");
}
