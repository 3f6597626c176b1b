//! Crumbs on the ground that something pushes down.

use fracture_simulation::{
    external::{BodyDesc, BodyType, ExternalBody},
    geometry::{glam::Vec3, Mesh},
    pattern::PatternFit,
    Body, Broken, Impact, Material, Push, SharedShape, Simulation,
};

use crate::gentle_breaks::center;
use crate::setup::{at, body, broken, impact_at, quiet, step};

/// Half the length of a side of the ground, metres: no crumb flies so far.
const GROUND: f32 = 200.0;

/// A ground at height 0, a mere surface or a block.
fn add_ground(simulation: &mut Simulation, is_surface: bool) {
    let corner = |x: f32, z: f32| Vec3::new(GROUND * x, 0.0, GROUND * z);
    let corners = vec![
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    let (shape, height) = if is_surface {
        let triangles = vec![[0, 2, 1], [0, 3, 2]];
        (SharedShape::trimesh(corners, triangles).unwrap(), 0.0)
    } else {
        (SharedShape::cuboid(GROUND, 0.5, GROUND), -0.5)
    };
    let desc = BodyDesc::new(shape, BodyType::Fixed);
    let motion = at(0.0, height, 0.0);
    simulation
        .set_external_body(7, ExternalBody { desc, motion })
        .unwrap();
}

/// Breaks a cube of a size, metres, into 32 crumbs that come to rest on the ground.
fn crumbs(simulation: &mut Simulation, size: f32) -> Broken {
    let whole = body(Mesh::cuboid([size; 3]));
    let material = Material {
        damage_threshold: Some(0.0),
        min_radius: 0.001,
        ..whole.material
    };
    let cube = simulation.add(Body {
        motion: at(0.0, 0.6 * size, 0.0),
        fit: PatternFit::BODY,
        material,
        ..whole
    });
    let whisper = Impact {
        radius: Some(3.0),
        impulse: Vec3::ZERO,
        energy: 1e-3,
        ..impact_at(cube.unwrap(), [0.0, 1.1 * size, 0.0])
    };
    simulation.impact(whisper).unwrap();
    let broken = broken(simulation);
    (0..120).for_each(|_| drop(step(simulation)));
    broken
}

fn lowest(simulation: &Simulation, crumbs: &Broken) -> f64 {
    let heights = crumbs
        .pieces
        .iter()
        .map(|piece| center(simulation, piece).y);
    heights.fold(f64::INFINITY, f64::min)
}

#[test]
fn crumbs_do_not_sink_into_the_ground_that_they_are_pushed_onto() {
    for size in [0.006, 0.01, 0.012, 0.02, 0.03, 0.05] {
        for speed in [2.0, 10.0, 30.0] {
            for is_surface in [false, true] {
                let mut simulation = quiet();
                add_ground(&mut simulation, is_surface);
                let crumbs = crumbs(&mut simulation, size);
                let mut deepest = f64::INFINITY;
                for _ in 0..5 {
                    for piece in &crumbs.pieces {
                        let at = center(&simulation, piece).as_vec3();
                        let push = Push {
                            impulse: Vec3::NEG_Y * 1e6,
                            energy: 0.0,
                            max_speed: speed,
                        };
                        assert!(simulation.push(piece.body, at, &push));
                    }
                    for _ in 0..20 {
                        step(&mut simulation);
                        deepest = deepest.min(lowest(&simulation, &crumbs));
                    }
                }
                (0..120).for_each(|_| drop(step(&mut simulation)));
                let rest = lowest(&simulation, &crumbs);
                let what = format!("{size} m, {speed} m/s, surface {is_surface}");
                assert!(deepest > -0.006, "{what}: {deepest} m deep");
                assert!(rest > -0.002, "{what}: {rest} m deep at rest");
            }
        }
    }
}
