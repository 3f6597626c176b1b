//! Degenerate on purpose: planes through vertices, along edges, in faces; equal and symmetric sites.

use crate::check::{self, all, broken, broken_within, near};
use crate::solids;
use fracture_geometry::{Mesh, Pattern, Recipe};
use glam::{DVec3, Mat3, Vec3};

fn grid(n: i32, step: f64) -> Pattern {
    let at = |k: i32| step * (f64::from(k) - 0.5 * f64::from(n - 1));
    let mut sites = Vec::new();
    for x in 0..n {
        for y in 0..n {
            for z in 0..n {
                sites.push(DVec3::new(at(x), at(y), at(z)));
            }
        }
    }
    Pattern::from_sites(&sites).expect("a pattern")
}

#[test]
fn a_slice_through_the_middle_of_a_box_gives_halves() {
    let pattern = Pattern::from_sites(&[DVec3::X * -0.25, DVec3::X * 0.25]).expect("a pattern");
    let result = broken(
        "halves",
        &check::solid(Mesh::cuboid([1.0; 3])),
        &pattern,
        &all(),
    );
    let volumes: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
    assert_eq!(volumes, [0.5, 0.5]);
}

#[test]
fn a_slice_through_vertices_and_along_faces_of_voxels() {
    // The planes of the 3-grid lie exactly in the voxels' faces.
    for (name, mesh) in [
        ("sponge", solids::sponge(1)),
        (
            "checkers",
            solids::voxels(3, |[x, y, z]| (x + y + z) % 2 == 0),
        ),
        ("solid", solids::voxels(3, |_| true)),
    ] {
        let solid = check::solid(mesh);
        let third = 1.0 / 3.0;
        broken(name, &solid, &grid(3, third), &all());
        broken(
            name,
            &solid,
            &grid(3, third),
            &near(DVec3::splat(third), 0.2),
        );
        broken(name, &solid, &grid(2, 0.5), &all());
    }
}

#[test]
fn a_grid_of_planes_cuts_every_solid() {
    for (name, mesh) in solids::all() {
        let solid = check::solid(mesh);
        for n in [2, 4, 5] {
            let pattern = grid(n, 1.0 / f64::from(n));
            broken(&format!("{name}, grid {n}"), &solid, &pattern, &all());
            let corner = near(DVec3::new(0.5, 0.5, 0.5), 0.9);
            broken(&format!("{name}, corner {n}"), &solid, &pattern, &corner);
        }
    }
}

#[test]
fn a_face_that_lies_in_a_plane_goes_to_one_side_whole() {
    // The bisector x = 0.5 is the cube's face.
    let pattern = Pattern::from_sites(&[DVec3::ZERO, DVec3::X]).expect("a pattern");
    let result = broken(
        "face",
        &check::solid(Mesh::cuboid([1.0; 3])),
        &pattern,
        &all(),
    );
    assert_eq!(result.pieces.len(), 1);
    assert_eq!(result.pieces[0].triangles.len(), 12);
}

#[test]
fn sites_on_a_sphere_meet_in_one_point() {
    let mut sites = vec![];
    for k in 0..24 {
        let angle = std::f64::consts::TAU * f64::from(k) / 24.0;
        sites.push(DVec3::new(angle.cos(), 0.0, angle.sin()));
        sites.push(DVec3::new(0.0, angle.cos(), angle.sin()));
    }
    let pattern = Pattern::from_sites(&sites).expect("a pattern");
    for (name, mesh) in solids::all() {
        broken(name, &check::solid(mesh), &pattern, &all());
    }
}

#[test]
fn sites_in_a_line_and_in_a_plane() {
    let line: Vec<DVec3> = (0..20)
        .map(|k| DVec3::X * (f64::from(k) / 20.0 - 0.5))
        .collect();
    let plane: Vec<DVec3> = (0..49)
        .map(|k| {
            DVec3::new(
                f64::from(k % 7) / 7.0 - 0.4,
                0.0,
                f64::from(k / 7) / 7.0 - 0.4,
            )
        })
        .collect();
    for sites in [line, plane] {
        let pattern = Pattern::from_sites(&sites).expect("a pattern");
        for (name, mesh) in solids::all() {
            broken(name, &check::solid(mesh), &pattern, &all());
        }
    }
}

#[test]
fn tiny_huge_and_far_away() {
    let sites = Recipe::Uniform { cells: 30 }.sites(4).expect("sites");
    for (name, mesh) in solids::all() {
        for (scale, away) in [(1e-4, 0.0), (1e4, 0.0), (1.0, 1e3), (100.0, 1e5)] {
            let map = |p: Vec3| p * scale + Vec3::splat(away);
            let solid = fracture_geometry::Solid::new(solids::mapped(&mesh, map));
            // Far away f32 may collapse a thin part; such a mesh is refused, not broken badly.
            let Ok(solid) = solid else { continue };
            let place = |s: &DVec3| *s * 0.5 * f64::from(scale) + DVec3::splat(f64::from(away));
            let placed: Vec<DVec3> = sites.iter().map(place).collect();
            let pattern = Pattern::from_sites(&placed).expect("a pattern");
            let name = format!("{name} x {scale} at {away}");
            let tolerance = 1e-5 + check::coarseness(&solid);
            broken_within(tolerance, &name, &solid, &pattern, &all());
        }
    }
}

#[test]
fn turned_by_right_and_half_right_angles() {
    let pattern = grid(3, 0.3);
    let quarter = std::f32::consts::FRAC_PI_4;
    for (name, mesh) in solids::all() {
        for turns in 1..4u8 {
            let turn = Mat3::from_rotation_y(quarter * f32::from(turns));
            let solid = check::solid(solids::mapped(&mesh, |p| turn * p));
            broken(&format!("{name} turned {turns}"), &solid, &pattern, &all());
        }
    }
}

#[test]
fn a_pattern_far_smaller_than_the_mesh() {
    let solid = check::solid(Mesh::sphere(0.5, 24, 16));
    let sites = Recipe::Uniform { cells: 40 }.sites(2).expect("sites");
    let small: Vec<DVec3> = sites.iter().map(|s| *s * 0.002 + DVec3::X * 0.5).collect();
    let pattern = Pattern::from_sites(&small).expect("a pattern");
    broken("chip", &solid, &pattern, &near(DVec3::X * 0.5, 0.001));
}
