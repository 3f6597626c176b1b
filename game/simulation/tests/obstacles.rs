//! Collisions of debris with external bodies and proxies.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::{
    external::{AdditionalInertia, BodyDesc, BodyType, ExternalBody, MassDesc},
    Body, SharedShape,
};

use crate::setup::{at, broken, cube, impact_at, step, waiting};

#[test]
fn a_moving_ball_pushes_debris() {
    let mut simulation = waiting();
    let ground = ExternalBody::fixed(SharedShape::cuboid(20.0, 0.5, 20.0), at(0.0, -1.0, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
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
    let ball = ExternalBody::kinematic(SharedShape::ball(0.5), at(-3.0, 0.0, 0.0));
    simulation.set_external_body(2, ball).unwrap();
    for frame in 0..90 {
        let x = -3.0 + 0.05 * frame as f32;
        assert!(simulation.set_external_motion(2, at(x, 0.0, 0.0)));
        step(&mut simulation);
    }
    let after = mean(&simulation);
    assert!(after > before + 0.3, "from {before} to {after}");
    assert!(simulation.remove_external_body(2));
    assert!(!simulation.remove_external_body(2));
    assert!(!simulation.set_external_motion(2, at(0.0, 0.0, 0.0)));
}

#[test]
fn debris_bounces_off_the_proxy_of_an_intact_body_until_that_breaks() {
    let mut simulation = waiting();
    let table = Body {
        motion: at(0.0, -2.0, 0.0),
        proxy: Some(BodyDesc::new(
            SharedShape::cuboid(3.0, 0.5, 3.0),
            BodyType::Fixed,
        )),
        material: fracture_simulation::Material {
            damage_threshold: Some(1e9),
            ..Default::default()
        },
        ..crate::setup::body(fracture_simulation::geometry::Mesh::cuboid([6.0, 1.0, 6.0]))
    };
    let table = simulation.add(table).unwrap();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
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
    let wall = ExternalBody::fixed(SharedShape::cuboid(1.0, 1.0, 1.0), at(5.0, 0.0, 0.0));
    simulation.set_external_body(42, wall).unwrap();
    step(&mut simulation);
    let hit = simulation
        .cast_ray(Vec3::ZERO, Vec3::X * 3.0, 100.0)
        .unwrap();
    assert_eq!((hit.external, hit.body), (Some(42), None));
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
    let floor = ExternalBody::fixed(floor.unwrap(), at(0.0, -1.0, 0.0));
    simulation.set_external_body(1, floor).unwrap();
    let id = simulation.add(cube()).unwrap();
    let mut small = impact_at(id, [0.0, -0.5, 0.0]);
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

#[test]
fn shapes_made_on_the_worker_take_their_place_when_they_are_wanted_still() {
    let mut simulation = waiting();
    let wall = |half: f32| {
        move || {
            Some(BodyDesc::new(
                SharedShape::cuboid(half, 1.0, 1.0),
                BodyType::Fixed,
            ))
        }
    };
    simulation
        .build_external_body(1, at(5.0, 0.0, 0.0), wall(1.0))
        .unwrap();
    simulation
        .build_external_body(2, at(9.0, 0.0, 0.0), wall(1.0))
        .unwrap();
    simulation
        .build_external_body(3, at(0.0, 5.0, 0.0), || None)
        .unwrap();
    simulation
        .build_external_body(4, at(0.0, 9.0, 0.0), || panic!("no shape"))
        .unwrap();
    // Bodies are moved, replaced and removed while their colliders are built.
    assert!(!simulation.set_external_motion(1, at(6.0, 0.0, 0.0)));
    simulation
        .build_external_body(2, at(20.0, 0.0, 0.0), wall(2.0))
        .unwrap();
    simulation
        .build_external_body(5, at(0.0, 0.0, 5.0), wall(1.0))
        .unwrap();
    assert!(!simulation.remove_external_body(5));
    (0..3).for_each(|_| _ = step(&mut simulation));
    assert!(simulation.is_idle());
    let hit = |direction: Vec3| simulation.cast_ray(Vec3::ZERO, direction, 100.0);
    let first = hit(Vec3::X).unwrap();
    assert_eq!(first.external, Some(1));
    assert!((first.distance - 5.0).abs() < 1e-4, "{first:?}");
    let origin = Vec3::new(10.0, 0.0, 0.0);
    let second = simulation.cast_ray(origin, Vec3::X, 100.0).unwrap();
    assert_eq!(second.external, Some(2));
    assert!((second.distance - 8.0).abs() < 1e-4, "{second:?}");
    assert_eq!(hit(Vec3::Y), None);
    assert_eq!(hit(Vec3::Z), None);
}

#[test]
fn external_bodies_with_numbers_that_are_not_valid_are_refused() {
    let mut simulation = waiting();
    let mut free = |change: &dyn Fn(&mut MassDesc, &mut f32)| {
        let mut ball = ExternalBody::dynamic(SharedShape::ball(0.5), at(0.0, 0.0, 0.0), 1.0);
        let density = &mut ball.desc.colliders[0].density;
        if let BodyType::Dynamic(dynamics) = &mut ball.desc.body_type {
            change(dynamics, density);
        }
        simulation.set_external_body(1, ball)
    };
    assert!(free(&|_, _| {}).is_ok());
    assert!(free(&|d, _| d.additional_mass = -1.0).is_err());
    assert!(free(&|d, _| d.additional_mass = f32::NAN).is_err());
    assert!(free(&|d, _| d.gravity_scale = f32::INFINITY).is_err());
    assert!(free(&|d, _| d.additional_inertia = Some(AdditionalInertia {
        center: Vec3::ZERO,
        principal: Vec3::NAN
    }))
    .is_err());
    assert!(free(&|_, density| *density = -2.0).is_err());
    let mut still = at(0.0, 0.0, 0.0);
    still.linear.x = f32::NAN;
    let ball = ExternalBody::dynamic(SharedShape::ball(0.5), still, 1.0);
    assert!(simulation.set_external_body(1, ball).is_err());
    // A body without mass is valid and cannot be moved, as in the engine.
    let ball = ExternalBody::dynamic(SharedShape::ball(0.5), at(0.0, 0.0, 0.0), 0.0);
    simulation.set_external_body(1, ball).unwrap();
    (0..3).for_each(|_| _ = step(&mut simulation));
}
