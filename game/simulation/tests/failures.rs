//! Failures leave the body as it was, and the simulation runs on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::{FractureError, Mesh, Pattern, SolidError};
use fracture_simulation::{
    external::ExternalBody, hooks::PieceHooks, pattern::LazyPattern, Anchors, Body, BodyError,
    BodyKind, BreakFailure, Event, Impact, ImpactError, Material, Motion, Pose, Settings, Shape,
    SharedShape, Simulation,
};

use crate::setup::{at, body, broken, cube, impact_at, step, waiting};

/// The reasons of the failures in a few frames.
fn failures(simulation: &mut Simulation) -> Vec<BreakFailure> {
    let events: Vec<Event> = (0..3).flat_map(|_| step(simulation)).collect();
    let reason = |event| match event {
        Event::BreakFailed { reason, .. } => Some(reason),
        _ => None,
    };
    events.into_iter().filter_map(reason).collect()
}

#[test]
fn a_panic_in_a_job_fails_that_break_and_the_worker_goes_on() {
    let mut simulation = waiting();
    let hooks = PieceHooks::new(|_| panic!("no {} left", "paint"));
    let bad = Body {
        hooks: Some(hooks),
        ..cube()
    };
    let bad = simulation.add(bad).unwrap();
    simulation.impact(impact_at(bad, [0.0, 0.5, 0.0])).unwrap();
    let reasons = failures(&mut simulation);
    let message = "no paint left".to_owned();
    assert_eq!(reasons, [BreakFailure::Panicked { message }]);
    assert_eq!(simulation.kind(bad), Some(BodyKind::Intact));
    assert!(!simulation.is_breaking(bad));
    let good = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(good, [0.0, 0.5, 0.0])).unwrap();
    assert_eq!(broken(&mut simulation).body, good);
}

#[test]
fn a_mesh_with_a_hole_is_reported_when_added_and_when_hit() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.triangles.pop();
    mesh.surfaces.clear();
    let mut simulation = waiting();
    let id = simulation.add(body(mesh)).unwrap();
    let open = |r: &BreakFailure| matches!(r, BreakFailure::Solid(SolidError::NotClosed { .. }));
    let reasons = failures(&mut simulation);
    assert!(
        reasons.len() == 1 && reasons.iter().all(open),
        "{reasons:?}"
    );
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let reasons = failures(&mut simulation);
    assert!(
        reasons.len() == 1 && reasons.iter().all(open),
        "{reasons:?}"
    );
    assert!(reasons[0].to_string().contains("not closed"));
    assert_eq!(simulation.kind(id), Some(BodyKind::Intact));
}

#[test]
fn a_mesh_or_pattern_that_cannot_be_made_says_why() {
    let mut simulation = waiting();
    let shape = Shape::lazy(|| Err("node \"Vase\" has no mesh; assign one".to_owned()));
    let vase = Body::new(shape, crate::setup::pattern(8));
    let lonely = LazyPattern::new(|| Pattern::from_sites(&[]));
    let plain = Body::new(Shape::new(Mesh::cuboid([1.0; 3])), lonely);
    simulation.add(vase).unwrap();
    simulation.add(plain).unwrap();
    let reasons: Vec<String> = failures(&mut simulation)
        .iter()
        .map(|r| r.to_string())
        .collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons[0].contains("\"Vase\" has no mesh"));
    assert!(reasons[1].contains("at least 2 different sites"));
}

#[test]
fn an_impact_far_away_misses() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 80.0, 0.0])).unwrap();
    let reasons = failures(&mut simulation);
    let missed = BreakFailure::Fracture(FractureError::OutOfReach {
        point: [0.0, 80.0, 0.0],
        radius: 0.4641588628292084,
    });
    match (&reasons[..], &missed) {
        ([BreakFailure::Fracture(FractureError::OutOfReach { .. })], _) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(simulation.kind(id), Some(BodyKind::Intact));
}

#[test]
fn a_removed_body_takes_its_job_with_it() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    step(&mut simulation);
    assert!(simulation.is_breaking(id));
    assert_eq!(simulation.remove(id), 1);
    assert!(step(&mut simulation).is_empty());
    assert_eq!(simulation.statistics().stale, 1);
    assert_eq!(simulation.statistics().debris, 0);
    assert_eq!(
        simulation.impact(impact_at(id, [0.0; 3])),
        Err(ImpactError::UnknownBody)
    );
    assert_eq!(
        simulation.set_motion(id, Motion::default()),
        Err(BodyError::Unknown)
    );
    assert!(simulation.is_idle());
}

#[test]
fn dropping_the_simulation_cancels_and_joins() {
    let pieces = Arc::new(AtomicUsize::new(0));
    let counted = pieces.clone();
    let hooks = PieceHooks::new(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        Box::new(())
    });
    let mut simulation = Simulation::new(Settings::default()).unwrap();
    for _ in 0..20 {
        let slow = Body {
            hooks: Some(hooks.clone()),
            ..cube()
        };
        let id = simulation.add(slow).unwrap();
        simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    }
    step(&mut simulation);
    let start = Instant::now();
    while pieces.load(Ordering::SeqCst) == 0 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(simulation);
    let done = pieces.load(Ordering::SeqCst);
    assert!((1..5).contains(&done), "{done} pieces were still made");
    drop(hooks);
    assert_eq!(
        Arc::strong_count(&pieces),
        1,
        "every job and thread is gone"
    );
}

#[test]
fn clearing_forgets_everything_but_goes_on() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    step(&mut simulation);
    simulation.clear().unwrap();
    assert!(step(&mut simulation).is_empty());
    assert_eq!(simulation.kind(id), None);
    let id = simulation.add(cube()).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    assert_eq!(broken(&mut simulation).body, id);
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    let good = impact_at(id, [0.0, 0.5, 0.0]);
    let nan = Vec3::new(0.0, f32::NAN, 0.0);
    let bad = [
        Impact { point: nan, ..good },
        Impact {
            normal: nan,
            ..good
        },
        Impact {
            impulse: nan,
            ..good
        },
        Impact {
            energy: f32::INFINITY,
            ..good
        },
        Impact {
            energy: -1.0,
            ..good
        },
        Impact {
            radius: Some(0.0),
            ..good
        },
        Impact {
            radius: Some(f32::INFINITY),
            ..good
        },
    ];
    for impact in bad {
        assert!(simulation.impact(impact).is_err(), "{impact:?}");
    }
    let motions = [
        Motion::at(Pose::from_translation(nan)),
        Motion::at(Pose::from_rotation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))),
        Motion {
            linear: nan,
            ..Motion::default()
        },
        Motion {
            angular: nan,
            ..Motion::default()
        },
    ];
    for motion in motions {
        let refused = simulation.set_motion(id, motion);
        assert!(
            matches!(refused, Err(BodyError::NotFinite { .. })),
            "{motion:?}"
        );
        assert!(simulation.add(Body { motion, ..cube() }).is_err());
        let shape = fracture_simulation::SharedShape::ball(1.0);
        assert!(simulation
            .set_external_body(1, ExternalBody::fixed(shape, motion))
            .is_err());
    }
    assert!(simulation
        .set_anchors(id, Anchors::boxes(vec![[nan, nan]]))
        .is_err());
    assert!(step(&mut simulation).is_empty());
    assert_eq!(simulation.motion(id), Some(Motion::default()));
}

#[test]
fn materials_out_of_range_are_refused_by_name() {
    let good = Material::default();
    let bad = [
        (
            "density",
            Material {
                density: 0.0,
                ..good
            },
        ),
        (
            "density",
            Material {
                density: -1.0,
                ..good
            },
        ),
        (
            "density",
            Material {
                density: f32::NAN,
                ..good
            },
        ),
        (
            "damage threshold",
            Material {
                damage_threshold: Some(-1.0),
                ..good
            },
        ),
        (
            "volume per energy",
            Material {
                volume_per_energy: f32::INFINITY,
                ..good
            },
        ),
        (
            "smallest radius",
            Material {
                min_radius: 0.0,
                ..good
            },
        ),
        (
            "largest radius",
            Material {
                max_radius: 0.01,
                ..good
            },
        ),
        (
            "smallest volume",
            Material {
                min_volume: -1.0,
                ..good
            },
        ),
    ];
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    for (name, material) in bad {
        let refused = simulation.set_material(id, material).unwrap_err();
        assert!(refused.to_string().contains(name), "{refused}");
    }
    assert_eq!(simulation.set_material(id, good), Ok(()));
}

/// A body that has next to no extent along some axes.
fn sliver(size: [f32; 3]) -> Body {
    let material = Material {
        damage_threshold: Some(0.0),
        min_volume: 0.0,
        ..Material::default()
    };
    Body {
        material,
        lifetime: fracture_simulation::DebrisLifetime {
            dust_size: 0.0,
            ..Default::default()
        },
        ..body(Mesh::cuboid(size))
    }
}

#[test]
fn hulls_and_shapes_without_size_do_no_harm() {
    let nothing = [
        SharedShape::ball(0.0),
        SharedShape::cuboid(0.0, 0.0, 0.0),
        SharedShape::cuboid(1.0, 0.0, 1.0),
        SharedShape::capsule(Vec3::ZERO, Vec3::ZERO, 0.0),
        SharedShape::cylinder(0.0, 0.0),
        SharedShape::triangle(Vec3::ZERO, Vec3::ZERO, Vec3::ZERO),
        SharedShape::segment(Vec3::ZERO, Vec3::ZERO),
    ];
    let mut simulation = waiting();
    for (key, shape) in (0u8..).zip(nothing) {
        let place = at(f32::from(key % 3) * 0.2 - 0.2, -0.6, 0.0);
        let fixed = ExternalBody::fixed(shape.clone(), place);
        let _ = simulation.set_external_body(u64::from(key), fixed);
        let free = ExternalBody::dynamic(shape.clone(), place, 0.0);
        let _ = simulation.set_external_body(100 + u64::from(key), free);
        let moving = ExternalBody::kinematic(shape, place);
        let _ = simulation.set_external_body(200 + u64::from(key), moving);
    }
    let sizes = [
        [1.0; 3],
        [1e-4; 3],
        [1.0, 1e-6, 1.0],
        [1.0, 1e-6, 1e-6],
        [1e-9; 3],
    ];
    let mut told = 0;
    for size in sizes {
        // Whether it was refused, broken or unbreakable: the body or its pieces have a motion.
        let Ok(id) = simulation.add(sliver(size)) else {
            told += 1;
            continue;
        };
        let top = Impact {
            radius: Some(3.0),
            ..impact_at(id, [0.0, 0.5 * size[1], 0.0])
        };
        simulation.impact(top).unwrap();
        told += step(&mut simulation).len() + step(&mut simulation).len();
    }
    assert!(told >= sizes.len(), "{told}");
    for _ in 0..200 {
        step(&mut simulation);
    }
    let statistics = simulation.statistics();
    assert!(
        !statistics.physics_failed && statistics.debris > 0,
        "{statistics:?}"
    );
    assert!(simulation
        .cast_ray(Vec3::Y, Vec3::NEG_Y, 1e4)
        .is_none_or(|hit| hit.distance >= 0.0));
}
