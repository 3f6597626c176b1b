//! What debris meets.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{Body, SharedShape, Surrounding};

use crate::setup::{at, broken, cube, hit, step, waiting};

#[test]
fn a_moving_ball_pushes_debris() {
    let mut simulation = waiting();
    let ground = Surrounding::fixed(SharedShape::cuboid(20.0, 0.5, 20.0), at(0.0, -1.0, 0.0));
    simulation.set_surrounding(1, ground).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(hit(id, [0.0, 0.5, 0.0])).unwrap();
    let broken = broken(&mut simulation);
    for _ in 0..120 {
        step(&mut simulation);
    }
    let mean = |simulation: &fracture_simulation::Simulation| {
        let x = |p: &fracture_simulation::NewPiece| {
            let pose = simulation.motion(p.body).unwrap().pose;
            pose.transform_point(p.mass.center.as_vec3()).x
        };
        broken.pieces.iter().map(x).sum::<f32>() / broken.pieces.len() as f32
    };
    let before = mean(&simulation);
    let ball = Surrounding::moving(SharedShape::ball(0.5), at(-3.0, 0.0, 0.0));
    simulation.set_surrounding(2, ball).unwrap();
    for frame in 0..90 {
        let x = -3.0 + 0.05 * frame as f32;
        assert!(simulation.move_surrounding(2, at(x, 0.0, 0.0)));
        step(&mut simulation);
    }
    let after = mean(&simulation);
    assert!(after > before + 0.3, "from {before} to {after}");
    assert!(simulation.remove_surrounding(2));
    assert!(!simulation.remove_surrounding(2));
    assert!(!simulation.move_surrounding(2, at(0.0, 0.0, 0.0)));
}

#[test]
fn debris_bounces_off_the_proxy_of_an_intact_body_until_that_breaks() {
    let mut simulation = waiting();
    let table = Body {
        motion: at(0.0, -2.0, 0.0),
        proxy: Some(SharedShape::cuboid(3.0, 0.5, 3.0)),
        ..crate::setup::body(fracture_simulation::geometry::Mesh::cuboid([6.0, 1.0, 6.0]))
    };
    let table = simulation.add(table).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(hit(id, [0.0, 0.5, 0.0])).unwrap();
    let first = broken(&mut simulation);
    for _ in 0..240 {
        step(&mut simulation);
    }
    let lowest = |simulation: &fracture_simulation::Simulation| {
        let y = |p: &fracture_simulation::NewPiece| {
            let pose = simulation.motion(p.body).unwrap().pose;
            pose.transform_point(p.mass.center.as_vec3()).y
        };
        first.pieces.iter().map(y).fold(f32::MAX, f32::min)
    };
    assert!(lowest(&simulation) > -1.5, "resting on the table");
    assert_eq!(simulation.remove(table), 1);
    for _ in 0..60 {
        step(&mut simulation);
    }
    assert!(lowest(&simulation) < -3.0, "without it they fall on");
}

#[test]
fn a_ray_names_what_it_meets() {
    let mut simulation = waiting();
    let wall = Surrounding::fixed(SharedShape::cuboid(1.0, 1.0, 1.0), at(5.0, 0.0, 0.0));
    simulation.set_surrounding(42, wall).unwrap();
    step(&mut simulation);
    let hit = simulation
        .cast_ray(Vec3::ZERO, Vec3::X * 3.0, 100.0)
        .unwrap();
    assert_eq!((hit.surrounding, hit.body), (Some(42), None));
    assert!((hit.distance - 4.0).abs() < 1e-4);
    assert!((hit.point - Vec3::new(4.0, 0.0, 0.0)).length() < 1e-4);
    assert!(simulation.cast_ray(Vec3::ZERO, Vec3::X, 3.0).is_none());
    assert!(simulation.cast_ray(Vec3::ZERO, Vec3::ZERO, 3.0).is_none());
    assert!(simulation
        .cast_ray(Vec3::splat(f32::NAN), Vec3::X, 3.0)
        .is_none());
}

#[test]
fn fast_splinters_stay_above_a_thin_floor() {
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)];
    let floor = SharedShape::trimesh(
        corners.map(|(x, z)| corner(x, z)).to_vec(),
        vec![[0, 2, 1], [0, 3, 2]],
    );
    let mut simulation = waiting();
    let floor = Surrounding::fixed(floor.unwrap(), at(0.0, -1.0, 0.0));
    simulation.set_surrounding(1, floor).unwrap();
    let id = simulation.add(cube()).unwrap();
    let mut small = hit(id, [0.0, -0.5, 0.0]);
    small.impulse.y = -3000.0;
    small.energy = 1e6;
    small.radius = Some(0.15);
    simulation.impact(small).unwrap();
    let broken = broken(&mut simulation);
    let speed = |p: &fracture_simulation::NewPiece| p.motion.linear.length();
    let fastest = broken.pieces.iter().map(speed).fold(0.0, f32::max);
    assert!(fastest > 25.0, "{fastest} m/s");
    for _ in 0..120 {
        step(&mut simulation);
    }
    for piece in &broken.pieces {
        let pose = simulation.motion(piece.body).unwrap().pose;
        let center = pose.transform_point(piece.mass.center.as_vec3());
        let above = center.y > -1.05 || center.x.abs().max(center.z.abs()) > 9.0;
        assert!(
            above,
            "{:?} of {} m^3 at {center}",
            piece.kind, piece.mass.volume
        );
    }
}
