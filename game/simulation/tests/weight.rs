//! Bodies under their own weight: stress by beam theory, and which bodies collapse.

use std::sync::Arc;

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::piece_mesh::Roughness;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    stress::{StressBond, StressGraph},
    Anchors, Body, BodyId, BodyKind, Broken, Cause, Event, Material, Motion, NewPiece, Pose,
    Settings, Simulation,
};

use crate::setup::{body, quiet, step, waiting};

const DENSITY: f32 = 2400.0;
const GRAVITY: f32 = 9.81;

/// A strength at which nothing breaks, Pa.
const STRONG: f32 = 1e12;

/// A box from corner to corner.
pub fn cuboid(low: [f32; 3], high: [f32; 3]) -> Mesh {
    let (low, high) = (Vec3::from(low), Vec3::from(high));
    let mut mesh = Mesh::cuboid((high - low).to_array());
    for position in &mut mesh.positions {
        *position = (Vec3::from(*position) + 0.5 * (low + high)).to_array();
    }
    mesh
}

/// A beam along x, anchored by its end face at 0.
pub fn cantilever(length: f32, height: f32, width: f32) -> Body {
    let (h, w) = (0.5 * height, 0.5 * width);
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -9.0, -9.0),
            Vec3::new(1e-3, 9.0, 9.0),
        ]]),
        ..body(cuboid([0.0, -h, -w], [length, h, w]))
    }
}

pub fn of_strength(body: Body, strength: f32) -> Body {
    let material = Material {
        tensile_strength: strength,
        max_depth: 12,
        ..body.material
    };
    Body { material, ..body }
}

/// Solves the stress in a body that is alone in its simulation.
pub fn solved(body: Body) -> (Simulation, BodyId, Arc<StressGraph>) {
    let mut simulation = quiet();
    let id = simulation.add(body).unwrap();
    simulation.solve_stress(id).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    let support = simulation.stress_graph(id).unwrap_or_default();
    (simulation, id, support)
}

#[test]
fn the_root_of_a_cantilever_bears_what_beam_theory_says() {
    for (length, height, width) in [
        (1.0, 0.3, 0.3),
        (2.0, 0.3, 0.3),
        (4.0, 0.3, 0.3),
        (3.0, 0.5, 0.2),
        (3.0, 0.2, 0.6),
        (6.0, 0.25, 0.25),
    ] {
        let beam = of_strength(cantilever(length, height, width), STRONG);
        let (_, _, support) = solved(beam);
        assert!(support.nodes.len() > 50, "{} parts", support.nodes.len());
        // M c / I of a rectangle under its own weight.
        let wanted = 3.0 * DENSITY * GRAVITY * length * length / height;
        let worst = support.weakest().unwrap();
        let found = STRONG * worst.utilisation;
        let ratio = found / wanted;
        assert!(
            (0.8..1.2).contains(&ratio),
            "{length} x {height} x {width}: {ratio}"
        );
        // The moment falls with the square of the remaining length.
        let left = 1.0 - worst.center.x / length;
        let there = ratio / (left * left);
        assert!(
            (0.9..1.1).contains(&there),
            "{length} x {height} x {width}: {there}"
        );
    }
}

#[test]
fn a_column_bears_what_stands_above() {
    // A column along y, anchored below: the pressure at a height is from the weight above it.
    let (height, side) = (4.0, 0.3);
    let mesh = cuboid([0.0, 0.0, 0.0], [side, height, side]);
    let column = Body {
        anchors: Anchors::boxes(vec![[Vec3::splat(-1.0), Vec3::new(1.0, 1e-3, 1.0)]]),
        ..body(mesh)
    };
    let (_, _, support) = solved(of_strength(column, 1e9));
    let level = |bond: &&StressBond| bond.normal.y.abs() > 0.9 && !bond.broken;
    for bond in support.bonds.iter().filter(level) {
        let wanted = -DENSITY * GRAVITY * (height - bond.center.y) * bond.normal.y.powi(2);
        let off = (bond.tension - wanted).abs();
        assert!(off < 0.1 * DENSITY * GRAVITY * height, "{bond:?}: {wanted}");
    }
}

/// The collapse of a body under its own weight, if there is one within some frames.
pub fn collapse(simulation: &mut Simulation) -> Option<Broken> {
    for _ in 0..6 {
        for event in step(simulation) {
            match event {
                Event::Broken(broken) if broken.cause == Cause::Weight => return Some(*broken),
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    None
}

fn solve_stress(body: Body) -> (Simulation, Option<Broken>) {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    simulation.solve_stress(id).unwrap();
    let collapse = collapse(&mut simulation);
    (simulation, collapse)
}

fn volume<'a>(pieces: impl Iterator<Item = &'a NewPiece>) -> f64 {
    pieces.map(|piece| piece.mass.volume).sum()
}

/// The triangles of all pieces.
fn triangles(broken: &Broken) -> usize {
    let of_piece = |piece: &NewPiece| piece.shape.with_mesh(|mesh| mesh.triangles.len());
    broken.pieces.iter().map(of_piece).sum()
}

#[test]
fn bumps_of_cracks_by_weight_are_few_because_buildings_have_hundreds_of_them() {
    let cracked = |height| {
        let mut beam = of_strength(cantilever(2.5, 0.3, 0.3), 1e6);
        beam.interior_faces.roughness = Roughness {
            height,
            grain: 0.05,
            seed: 4,
        };
        solve_stress(beam).1.unwrap()
    };
    let (flat, rough) = (cracked(0.0), cracked(0.006));
    let added = triangles(&rough) - triangles(&flat);
    // Of a blow some twenty in a grain squared.
    let by_blow = 20.0 * 2.0 * f64::from(rough.crack_area) / (0.05 * 0.05);
    let share = added as f64 / by_blow;
    assert!((0.05..0.5).contains(&share), "{share}");
}

#[test]
fn a_long_cantilever_snaps_at_its_root_and_a_short_one_holds() {
    // The length at which the root bears 1 MPa is 2.06 m.
    let beam = |length: f32| of_strength(cantilever(length, 0.3, 0.3), 1e6);
    for length in [1.0, 1.8] {
        let (simulation, collapse) = solve_stress(beam(length));
        assert!(collapse.is_none(), "{length} m");
        assert_eq!(simulation.statistics().stress_solves, 1);
        assert_eq!(simulation.statistics().collapses, 0);
    }
    for length in [2.5, 4.0] {
        let (mut simulation, collapse) = solve_stress(beam(length));
        let collapse = collapse.unwrap();
        assert_eq!(simulation.statistics().collapses, 1);
        assert!(
            collapse.point.x < 0.15 * length,
            "cracked at {}",
            collapse.point.x
        );
        assert!(collapse.volume_error < 1e-5, "{}", collapse.volume_error);
        assert!(collapse
            .pieces
            .iter()
            .all(|piece| piece.closed == Some(true)));
        let held = collapse.pieces.iter().filter(|piece| piece.anchored);
        assert!(held.clone().count() >= 1 && volume(held) < 0.2 * collapse.volume);
        let free: Vec<&NewPiece> = collapse.pieces.iter().filter(|p| !p.anchored).collect();
        let largest = free
            .iter()
            .map(|piece| piece.mass.volume)
            .fold(0.0, f64::max);
        assert!(
            largest > 0.75 * collapse.volume,
            "it breaks off in one piece"
        );
        for piece in free {
            assert_eq!(simulation.kind(piece.body), Some(BodyKind::Debris));
            assert_eq!(piece.generation, 0);
        }
        for _ in 0..30 {
            step(&mut simulation);
        }
        assert!(simulation.statistics().awake > 0, "it falls");
    }
}

#[test]
fn weight_is_that_of_the_world_and_not_of_the_body() {
    // The same long beam upright bears its weight, hanging or standing.
    for angle in [0.5, -0.5] {
        let turn = fracture_simulation::geometry::glam::Quat::from_rotation_z(
            angle * std::f32::consts::PI,
        );
        let pose = Pose::from_parts(Vec3::new(3.0, 5.0, 0.0), turn);
        let beam = Body {
            motion: Motion::at(pose),
            ..of_strength(cantilever(4.0, 0.3, 0.3), 1e6)
        };
        assert!(solve_stress(beam).1.is_none(), "{angle}");
    }
}

#[test]
fn stress_is_not_solved_in_free_bodies_nor_without_strength() {
    let free = Body {
        anchors: Anchors::free(),
        ..of_strength(cantilever(4.0, 0.3, 0.3), 1e6)
    };
    for body in [free, cantilever(4.0, 0.3, 0.3)] {
        let (simulation, collapse) = solve_stress(body);
        assert!(collapse.is_none());
        assert_eq!(simulation.statistics().stress_solves, 0);
    }
    assert!(waiting()
        .add(of_strength(cantilever(1.0, 0.3, 0.3), f32::NAN))
        .is_err());
}

#[test]
fn a_body_that_its_anchor_hardly_touches_falls_as_a_whole() {
    // The anchor touches a corner: far too small an area to hang on.
    let corner = Vec3::new(0.0, 0.15, 0.15);
    let beam = Body {
        anchors: Anchors::boxes(vec![[corner - 1e-4, corner + 1e-4]]),
        ..of_strength(cantilever(2.0, 0.3, 0.3), 1e5)
    };
    let (simulation, collapse) = solve_stress(beam);
    let collapse = collapse.unwrap();
    assert!(collapse
        .pieces
        .iter()
        .any(|piece| !piece.anchored && piece.mass.volume > 0.15));
    assert!(simulation.statistics().debris > 0);
}

#[test]
fn a_shell_always_holds() {
    use fracture_simulation::geometry::Solid;
    let mut open = Mesh::cuboid([4.0, 0.3, 0.3]);
    open.triangles.truncate(10);
    let shell = Solid::shell(open, 0.01).unwrap();
    let shape = fracture_simulation::Shape::from_solid(Arc::new(shell));
    let sheet = Body {
        shape,
        ..of_strength(cantilever(4.0, 0.3, 0.3), 1.0)
    };
    let (simulation, collapse) = solve_stress(sheet);
    assert!(collapse.is_none());
    assert_eq!(simulation.statistics().failures, 0);
}

#[test]
fn the_same_collapse_for_any_number_of_workers() {
    let run = |threads: usize| {
        let mut simulation = crate::setup::with(Settings {
            threads,
            ..Settings::default()
        });
        for (index, length) in [2.5, 3.0, 4.0].into_iter().enumerate() {
            let beam = Body {
                motion: Motion::at(Pose::from_translation(Vec3::Z * 3.0 * index as f32)),
                ..of_strength(cantilever(length, 0.3, 0.3), 1e6)
            };
            let id = simulation.add(beam).unwrap();
            simulation.solve_stress(id).unwrap();
        }
        for _ in 0..30 {
            step(&mut simulation);
        }
        assert_eq!(simulation.statistics().collapses, 3);
        simulation.state_hash()
    };
    let first = run(1);
    assert_eq!([run(1), run(2), run(5), run(0)], [first; 4]);
}
