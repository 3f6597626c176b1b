//! Weight and free pieces between supports: what nothing carries falls, and what stands stays.

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::{
    external::{BodyDesc, BodyType, ExternalBody},
    pattern::{LazyPattern, PatternFit},
    Anchors, Body, Broken, Impact, Material, Motion, NewPiece, Pose, SharedShape, Simulation,
};

use crate::collapses::blocks;
use crate::gentle_breaks::center;
use crate::meshes::arch;
use crate::setup::{at, body, broken, impact_at, quiet, step};
use crate::weight::{collapse, cuboid, of_strength};

/// The acceleration of free fall, m/s^2.
const GRAVITY: f64 = 9.81;

/// Anchors at both ends of a body along x.
fn held_by_its_sides(body: Body) -> Body {
    let margin = Vec3::splat(0.01);
    let anchors = Anchors::from_bounds(move |[low, high]| {
        vec![
            [low - margin, high.with_x(low.x) + margin],
            [low.with_x(high.x) - margin, high + margin],
        ]
    });
    Body { anchors, ..body }
}

fn of_density(body: Body, density: f32) -> Body {
    let material = Material {
        density,
        ..body.material
    };
    Body { material, ..body }
}

fn beam(mesh: Mesh, strength: f32, turn: Quat) -> Body {
    Body {
        motion: Motion::at(Pose::from_parts(Vec3::Y * 5.0, turn)),
        ..held_by_its_sides(of_strength(body(mesh), strength))
    }
}

fn box_of(size: [f32; 3]) -> Mesh {
    let half = 0.5 * Vec3::from(size);
    cuboid((-half).to_array(), half.to_array())
}

/// A box of small blocks, whose points a function moves.
fn shaped(size: [f32; 3], counts: [u32; 3], place: impl Fn(Vec3) -> Vec3) -> Mesh {
    let planes = [0, 1, 2].map(|axis| {
        let place = |k: u32| size[axis] * (k as f32 / counts[axis] as f32 - 0.5);
        (0..=counts[axis]).map(place).collect::<Vec<f32>>()
    });
    let mut mesh = blocks([&planes[0], &planes[1], &planes[2]], |_| true);
    for position in &mut mesh.positions {
        *position = place(Vec3::from(*position)).to_array();
    }
    mesh
}

/// Breaks a body by its weight.
fn collapsed(name: &str, body: Body) -> (Simulation, Broken) {
    let mut simulation = quiet();
    let id = simulation.add(body).unwrap();
    simulation.solve_stress(id).unwrap();
    let broken = collapse(&mut simulation);
    let broken = broken.unwrap_or_else(|| panic!("{name} carries its weight"));
    (simulation, broken)
}

fn free(broken: &Broken) -> impl Iterator<Item = &NewPiece> {
    broken.pieces.iter().filter(|piece| !piece.anchored)
}

/// Asserts that all free pieces fall freely from the first second on, with no floor to meet.
fn assert_falls(name: &str, body: Body) {
    let (mut simulation, broken) = collapsed(name, body);
    assert!(free(&broken).next().is_some(), "{name}: nothing is free");
    let starts: Vec<f64> = free(&broken)
        .map(|piece| f64::from(piece.center().y))
        .collect();
    for seconds in [1.0f64, 10.0] {
        while f64::from(simulation.statistics().frame as u32) < 60.0 * seconds {
            step(&mut simulation);
        }
        // Pieces may strike what stays on their way, and damping slows them a little.
        let least = (0.5 * GRAVITY * seconds * seconds * 0.75 - 2.0).max(1.0);
        for (piece, start) in free(&broken).zip(&starts) {
            let fallen = start - center(&simulation, piece).y;
            let kilograms = piece.kilograms;
            assert!(
                fallen > least,
                "{name}: {kilograms} kg fell by {fallen} m in {seconds} s"
            );
        }
    }
}

#[test]
fn what_breaks_between_two_supports_falls() {
    for (size, strength, density) in [
        ([8.0, 0.2, 0.4], 3e5, 2400.0),
        ([20.0, 0.4, 3.0], 3e5, 2400.0),
        ([4.0, 0.05, 0.4], 40e6, 1e5),
        ([6.0, 0.2, 0.2], 3e5, 2400.0),
        ([10.0, 0.5, 0.5], 3e5, 2400.0),
        ([12.0, 1.0, 0.3], 2e5, 2400.0),
        ([5.0, 0.1, 1.0], 3e5, 7800.0),
        ([3.0, 0.3, 0.3], 3e4, 2400.0),
        ([30.0, 1.0, 1.0], 5e5, 2400.0),
        ([7.0, 0.15, 2.0], 2e5, 1800.0),
        ([2.0, 0.04, 0.1], 4e5, 2700.0),
        ([9.0, 0.9, 0.9], 1e5, 2400.0),
    ] {
        let beam = beam(box_of(size), strength, Quat::IDENTITY);
        assert_falls(&format!("{size:?}"), of_density(beam, density));
    }
}

#[test]
fn what_breaks_between_two_supports_falls_whatever_its_shape_and_pose() {
    let size = [8.0, 0.2, 0.4];
    let upright = Quat::IDENTITY;
    let tapered = |p: Vec3| {
        let share = 1.0 - 0.1 * p.x.abs();
        Vec3::new(p.x, p.y * share, p.z * share)
    };
    let bent = |p: Vec3| p + Vec3::Y * 0.04 * (16.0 - p.x * p.x);
    let segment = |p: Vec3| {
        let (sin, cos) = (p.x / 8.0).sin_cos();
        let radius = 8.0 + p.z;
        Vec3::new(radius * sin, p.y, radius * (cos - 1.0))
    };
    let fine = [48, 2, 4];
    for (name, mesh, turn) in [
        ("tessellated", shaped(size, fine, |p| p), upright),
        ("tapered", shaped(size, fine, tapered), upright),
        ("bent", shaped(size, fine, bent), upright),
        ("segment of a ring", shaped(size, fine, segment), upright),
        ("on its edge", box_of(size), Quat::from_rotation_x(0.7)),
        (
            "on its side",
            box_of(size),
            Quat::from_rotation_x(1.5707964),
        ),
        ("sloping", box_of(size), Quat::from_rotation_z(0.5)),
        (
            "turned",
            box_of(size),
            Quat::from_euler(Default::default(), 0.4, 0.3, 0.2),
        ),
    ] {
        let strength = if name == "bent" { 2e4 } else { 3e5 };
        assert_falls(name, beam(mesh, strength, turn));
    }
}

#[test]
fn the_crown_of_an_arch_does_not_hang_between_its_feet() {
    let mut wide = arch();
    for position in &mut wide.positions {
        *position = (Vec3::from(*position) * Vec3::new(6.0, 1.5, 1.0)).to_array();
    }
    let arch = Body {
        anchors: Anchors::from_bounds(|[low, high]| vec![[low, high.with_y(low.y + 0.05)]]),
        ..of_strength(body(wide), 1e4)
    };
    let (mut simulation, broken) = collapsed("arch", arch);
    for _ in 0..600 {
        step(&mut simulation);
    }
    let largest = free(&broken).max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
    let fallen = largest.map(|piece| f64::from(piece.center().y) - center(&simulation, piece).y);
    assert!(fallen.is_some_and(|fallen| fallen > 100.0), "{fallen:?} m");
}

/// Two posts with a lintel, in one piece: 4 m wide, the posts 0.5 m wide and 2 m high.
fn portal(strength: f32) -> Body {
    let x = [-2.0, -1.5, 1.5, 2.0];
    let mesh = blocks([&x, &[0.0, 2.0, 2.3], &[-0.25, 0.25]], |[x, y, _]| {
        y == 1 || x != 1
    });
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-9.0, -1.0, -9.0),
            Vec3::new(9.0, 0.05, 9.0),
        ]]),
        ..of_strength(body(mesh), strength)
    }
}

#[test]
fn the_lintel_of_a_portal_comes_down() {
    let (mut simulation, broken) = collapsed("portal", portal(5e4));
    let largest = free(&broken)
        .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume))
        .unwrap();
    for _ in 0..60 {
        step(&mut simulation);
    }
    let fallen = f64::from(largest.center().y) - center(&simulation, largest).y;
    assert!(fallen > 2.0, "{fallen} m");
}

/// Walls on both sides of a gap.
#[derive(Clone, Copy, Debug)]
enum Walls {
    /// Breakable bodies that are held.
    Held,
    /// Fixed bodies of the engine.
    Plain,
    /// Fixed bodies of the engine that are the faces alone, as meshes.
    Faces,
}

/// Adds a wall on one side of a gap that narrows downwards: its face leans by an angle, and is at `x` at height 0.
fn add_leaning_wall(simulation: &mut Simulation, walls: Walls, x: f32, side: f32, angle: f32) {
    let half = [0.5, 3.0, 3.0];
    let mesh = box_of(half.map(|half| 2.0 * half));
    let turn = Quat::from_rotation_z(-side * angle);
    let middle = turn * Vec3::X * (side * half[0]);
    let motion = Motion::at(Pose::from_parts(Vec3::X * side * x + middle, turn));
    let [width, height, depth] = half;
    let shape = match walls {
        Walls::Faces => {
            let face = [
                [-height, -depth],
                [height, -depth],
                [height, depth],
                [-height, depth],
            ];
            face_of(face.map(|[y, z]| Vec3::new(-side * width, y, z)))
        }
        _ => SharedShape::cuboid(width, height, depth),
    };
    if matches!(walls, Walls::Held) {
        let wall = Body {
            motion,
            anchors: Anchors::boxes(vec![[Vec3::splat(-9.0), Vec3::splat(9.0)]]),
            proxy: Some(BodyDesc::new(shape, BodyType::Fixed)),
            ..body(mesh)
        };
        simulation.add(wall).unwrap();
    } else {
        let key = if side < 0.0 { 1 } else { 2 };
        let wall = ExternalBody::fixed(shape, motion);
        simulation.set_external_body(key, wall).unwrap();
    }
}

/// A surface of four points.
fn face_of(points: [Vec3; 4]) -> SharedShape {
    SharedShape::trimesh(points.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
}

/// A block that a whisper breaks into some pieces.
fn brittle_block(cells: u32) -> Body {
    let block = body(Mesh::cuboid([1.0, 0.5, 0.5]));
    Body {
        pattern: LazyPattern::new(move || Pattern::from_recipe(&Recipe::Uniform { cells }, 5)),
        fit: PatternFit::BODY,
        material: Material {
            damage_threshold: Some(0.0),
            ..block.material
        },
        ..block
    }
}

/// The heights of the pieces of a block ten seconds after it broke between two walls, whose faces are at `x` at
/// height 0.
fn heights_between_walls(walls: Walls, x: f32, angle: f32, cells: u32) -> Vec<f64> {
    let mut simulation = quiet();
    for side in [-1.0, 1.0] {
        add_leaning_wall(&mut simulation, walls, x, side, angle);
    }
    heights_of_pieces(simulation, cells)
}

/// The heights of the pieces of a block ten seconds after it broke.
fn heights_of_pieces(mut simulation: Simulation, cells: u32) -> Vec<f64> {
    let id = simulation.add(brittle_block(cells)).unwrap();
    let whisper = Impact {
        radius: Some(3.0),
        impulse: Vec3::ZERO,
        energy: 1e-3,
        ..impact_at(id, [0.0, 0.25, 0.0])
    };
    simulation.impact(whisper).unwrap();
    let broken = broken(&mut simulation);
    for _ in 0..600 {
        step(&mut simulation);
    }
    let heights = broken.pieces.iter();
    heights.map(|piece| center(&simulation, piece).y).collect()
}

#[test]
fn what_is_squeezed_between_two_fixed_bodies_slides_out() {
    let all = [(0.02, 12), (0.05, 8), (0.1, 20), (0.15, 40), (0.16, 12)];
    // Where they lean more, pieces lie across the lower edges.
    let of_faces = [(0.02, 12), (0.05, 8), (0.08, 30), (0.1, 20)];
    for (walls, cases) in [
        (Walls::Held, &all[..]),
        (Walls::Plain, &all),
        (Walls::Faces, &of_faces),
    ] {
        for &(angle, cells) in cases {
            let heights = heights_between_walls(walls, 0.505, angle, cells);
            assert!(
                heights.iter().all(|height| *height < -100.0),
                "{walls:?} that lean by {angle}: {heights:.2?}"
            );
        }
    }
}

#[test]
fn what_lies_between_two_fixed_bodies_stays() {
    for walls in [Walls::Held, Walls::Plain, Walls::Faces] {
        // Faces of 57 and of 40 degrees, which meet below the block.
        for (x, angle) in [(0.9, 0.57), (1.2, 0.87)] {
            let heights = heights_between_walls(walls, x, angle, 12);
            assert!(
                heights.iter().all(|height| *height > -3.0),
                "{walls:?} that lean by {angle}: {heights:.2?}"
            );
        }
    }
}

#[test]
fn what_is_squeezed_into_a_crevice_of_the_ground_does_not_fall_through_it() {
    for (angle, cells) in [(0.12f32, 12), (0.2, 30), (0.28, 8)] {
        let mut simulation = quiet();
        let (edge, depth) = (3.0 * angle.tan() + 0.505, 0.505 / angle.tan());
        let mut points = Vec::new();
        for x in [-edge, 0.0, edge] {
            let y = if x == 0.0 { -depth } else { 3.0 };
            points.extend([-3.0, 3.0].map(|z| Vec3::new(x, y, z)));
        }
        let triangles = vec![[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
        let ground = SharedShape::trimesh(points, triangles).unwrap();
        let ground = ExternalBody::fixed(ground, Motion::at(Pose::IDENTITY));
        simulation.set_external_body(1, ground).unwrap();
        let heights = heights_of_pieces(simulation, cells);
        assert!(
            heights.iter().all(|height| *height > -f64::from(depth)),
            "faces that lean by {angle}: {heights:.2?}"
        );
    }
}

#[test]
fn what_breaks_between_two_supports_falls_with_any_seed_and_pattern() {
    for seed in [0u64, 1, 2, 3, 4, 5, 7, 8] {
        let share = |prime: u64| (seed * prime % 8) as f32 / 8.0;
        let length = 2.0 + 18.0 * share(3);
        let height = length / (15.0 + 30.0 * share(5));
        let size = [length, height, height * (0.7 + 3.0 * share(7))];
        let bending = 2400.0 * GRAVITY as f32 * length * length / (2.0 * height);
        let turn = Quat::from_rotation_x(3.0 * share(5)) * Quat::from_rotation_z(share(3) - 0.5);
        let beam = beam(
            shaped(size, [1 + seed as u32, 1, 1], |p| p),
            0.15 * bending,
            turn,
        );
        let cells = 20 + 10 * seed as u32;
        let pattern =
            LazyPattern::new(move || Pattern::from_recipe(&Recipe::Uniform { cells }, seed));
        let beam = Body {
            seed,
            pattern,
            ..beam
        };
        assert_falls(&format!("{size:.2?}, seed {seed}"), beam);
    }
}

#[test]
fn the_crown_of_an_arch_that_is_pressed_together_stays() {
    let mut steep = arch();
    for position in &mut steep.positions {
        *position = (Vec3::from(*position) * Vec3::new(4.8, 2.7, 1.6)).to_array();
    }
    let arch = Body {
        anchors: Anchors::from_bounds(|[low, high]| vec![[low, high.with_y(low.y + 0.05)]]),
        ..of_strength(body(steep), 2.8e3)
    };
    let (mut simulation, broken) = collapsed("arch", arch);
    for _ in 0..600 {
        step(&mut simulation);
    }
    let largest = free(&broken).max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
    let fallen = largest.map(|piece| f64::from(piece.center().y) - center(&simulation, piece).y);
    assert!(fallen.is_some_and(|fallen| fallen < 0.3), "{fallen:?} m");
}

#[test]
fn pieces_whose_support_is_drawn_away_when_they_would_fall_asleep_fall() {
    for frame in 40..130 {
        let mut simulation = quiet();
        let table = SharedShape::cuboid(2.0, 0.5, 2.0);
        let table = ExternalBody::kinematic(table, at(0.0, -1.0, 0.0));
        simulation.set_external_body(1, table).unwrap();
        let id = simulation.add(body(Mesh::cuboid([1.0; 3]))).unwrap();
        simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
        let broken = broken(&mut simulation);
        for _ in 0..frame {
            step(&mut simulation);
        }
        // Faster than they fall, and not so far that it would be a jump.
        for index in 1..60 {
            let y = -1.0 - 0.02 * (index * index) as f32;
            simulation.set_external_motion(1, at(0.0, y, 0.0));
            step(&mut simulation);
        }
        for piece in &broken.pieces {
            let y = center(&simulation, piece).y;
            assert!(y < -2.0, "frame {frame}: {:?} is at y {y}", piece.body);
        }
    }
}
