//! Necks: what hangs by less than its material lets it snaps.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Anchors, Body, Material, Settings, Simulation};

use crate::setup::{body, impact_at, piece_hashes, quiet, step};
use crate::weight::collapse;

/// Width of the column between the two blocks, metres, and the depth of all.
const WIDTH: f32 = 0.2;
const DEPTH: f32 = 0.5;

/// A block of 1 x 1 m on another, with a column between them that is a neck.
fn hourglass() -> Mesh {
    let [left, right] = [0.5 - 0.5 * WIDTH, 0.5 + 0.5 * WIDTH];
    let outline = [
        [0.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [right, 1.0],
        [right, 1.2],
        [1.0, 1.2],
        [1.0, 2.2],
        [0.0, 2.2],
        [0.0, 1.2],
        [left, 1.2],
        [left, 1.0],
        [0.0, 1.0],
    ];
    let front = [
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 10],
        [0, 10, 11],
        [10, 3, 4],
        [10, 4, 9],
        [7, 8, 9],
        [7, 9, 4],
        [7, 4, 5],
        [7, 5, 6],
    ];
    let count = outline.len() as u32;
    let at = |z: f32| outline.map(|[x, y]| [x, y, z]);
    let positions = [at(0.0), at(DEPTH)].concat();
    let back = front.map(|[a, b, c]| [a, c, b]);
    let mut triangles = back.to_vec();
    triangles.extend(front.map(|corners| corners.map(|corner| corner + count)));
    for corner in 0..count {
        let next = (corner + 1) % count;
        triangles.push([corner, next, next + count]);
        triangles.push([corner, next + count, corner + count]);
    }
    Mesh::from_triangles(positions, triangles)
}

/// The hourglass on the ground, with so small a neck and a strength that bears anything.
fn on_the_ground(min_neck: f32) -> Body {
    let plain = body(hourglass());
    Body {
        anchors: Anchors::boxes(vec![[Vec3::splat(-1.0), Vec3::new(2.0, 1e-3, 2.0)]]),
        material: Material {
            tensile_strength: 1e12,
            min_neck,
            min_radius: 0.15,
            max_radius: 0.15,
            ..plain.material
        },
        ..plain
    }
}

/// An hourglass that has lost a corner.
fn chipped(min_neck: f32, corner: [f32; 3]) -> Simulation {
    let mut simulation = quiet();
    let id = simulation.add(on_the_ground(min_neck)).unwrap();
    simulation.impact(impact_at(id, corner)).unwrap();
    simulation
}

#[test]
fn what_hangs_by_less_than_a_neck_snaps_wherever_the_body_was_struck() {
    let area = WIDTH * DEPTH;
    for corner in [
        [0.0, 2.2, 0.0],
        [1.0, 2.2, 0.5],
        [1.0, 0.9, 0.0],
        [0.1, 1.5, 0.5],
    ] {
        let mut simulation = chipped(0.5 * area, corner);
        assert!(collapse(&mut simulation).is_none(), "{corner:?}");
        assert_eq!(simulation.statistics().breaks, 1);

        let mut simulation = chipped(1.5 * area, corner);
        let broken = collapse(&mut simulation).unwrap();
        assert!(broken.volume_error < 1e-5, "{}", broken.volume_error);
        let held = broken.pieces.iter().filter(|piece| piece.anchored);
        let held: f64 = held.map(|piece| piece.mass.volume).sum();
        let free = broken.pieces.iter().filter(|piece| !piece.anchored);
        let free: f64 = free.map(|piece| piece.mass.volume).sum();
        // Each has a block, and some of the neck.
        assert!((0.45..0.53).contains(&held), "{corner:?}: {held}");
        assert!((0.45..0.53).contains(&free), "{corner:?}: {free}");
        assert!(broken.pieces.iter().all(|piece| piece.closed == Some(true)));
        assert!(collapse(&mut simulation).is_none(), "it snaps once");
    }
}

#[test]
fn an_intact_body_keeps_its_necks() {
    let mut simulation = quiet();
    let id = simulation.add(on_the_ground(1.0)).unwrap();
    simulation.solve_stress(id).unwrap();
    assert!(collapse(&mut simulation).is_none());
}

#[test]
fn what_is_no_thicker_than_its_neck_does_not_hang() {
    // A neck of 1 m^2 is more than any section has.
    let mut simulation = quiet();
    let block = Body {
        shape: body(Mesh::cuboid([1.0, 2.0, 0.5])).shape,
        ..on_the_ground(1.0)
    };
    let block = Body {
        anchors: Anchors::boxes(vec![[Vec3::splat(-2.0), Vec3::new(2.0, -0.999, 2.0)]]),
        ..block
    };
    let id = simulation.add(block).unwrap();
    simulation.impact(impact_at(id, [0.5, 1.0, 0.25])).unwrap();
    assert!(collapse(&mut simulation).is_none());
    assert_eq!(simulation.statistics().breaks, 1);
}

#[test]
fn a_neck_snaps_alike_with_any_number_of_workers_and_after_loading() {
    let run = |threads: usize| {
        let mut simulation = crate::setup::with(Settings {
            threads,
            ..Default::default()
        });
        let id = simulation.add(on_the_ground(0.15)).unwrap();
        simulation.impact(impact_at(id, [1.0, 2.2, 0.5])).unwrap();
        for _ in 0..40 {
            step(&mut simulation);
        }
        assert_eq!(simulation.statistics().collapses, 1);
        (simulation, id)
    };
    let (first, id) = run(1);
    let hash = first.state_hash();
    assert_eq!([run(0), run(2)].map(|(one, _)| one.state_hash()), [hash; 2]);
    let mut loaded = quiet();
    let new = loaded.add(on_the_ground(0.15)).unwrap();
    loaded.restore(new, &first.save(id)).unwrap();
    assert_eq!(piece_hashes(&first, id), piece_hashes(&loaded, new));
}
