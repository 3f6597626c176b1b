//! Meshes that are no solids, mended: what is added, turned and dropped, and what is not touched.

use crate::check::{self, all, broken, random};
use crate::solids;
use fracture_geometry::check::check_closed;
use fracture_geometry::repair::{RepairOptions, RepairReport};
use fracture_geometry::{Mesh, Pattern, Recipe, Solid, SolidError};
use rand::Rng;

fn repaired(mesh: Mesh) -> (Solid, RepairReport) {
    Solid::repaired(mesh, &RepairOptions::default()).expect("a mesh that can be mended")
}

fn pattern() -> Pattern {
    let sites = Recipe::Uniform { cells: 20 }.sites(3).expect("sites");
    let half: Vec<_> = sites.iter().map(|s| *s * 0.55).collect();
    Pattern::from_sites(&half).expect("a pattern")
}

/// A sphere with attributes, two surfaces and some damage.
fn sphere() -> Mesh {
    let mut mesh = Mesh::sphere(0.5, 32, 24);
    mesh.surfaces = (0..mesh.triangles.len())
        .map(|t| u32::from(t > 700))
        .collect();
    mesh
}

#[test]
fn solids_are_taken_as_they_are() {
    for (name, mesh) in solids::all() {
        let (solid, repairs) = repaired(mesh.clone());
        assert!(repairs.is_empty() && !solid.is_shell(), "{name}: {repairs}");
        assert_eq!(
            solid.content_hash(),
            check::solid(mesh).content_hash(),
            "{name}"
        );
    }
}

#[test]
fn small_holes_are_closed_with_what_is_around_them() {
    let mut random = random(4);
    for round in 0..20 {
        let whole = sphere();
        let mut mesh = whole.clone();
        for _ in 0..1 + round % 5 {
            let at = random.random_range(0..mesh.triangles.len());
            mesh.triangles.remove(at);
            mesh.surfaces.remove(at);
        }
        let left = mesh.triangles.len();
        let (solid, repairs) = repaired(mesh.clone());
        let mended = solid.mesh();
        assert!(check_closed(mended).open_edges == 0 && !solid.is_shell());
        assert_eq!(mended.triangles.len(), left + repairs.added_triangles);
        assert!(
            repairs.filled_holes > 0 && repairs.flipped == 0 && repairs.dropped_duplicates == 0,
            "{repairs}"
        );
        assert_eq!(mended.positions, whole.positions);
        assert_eq!((&mended.normals, &mended.uvs), (&whole.normals, &whole.uvs));
        // A hole of single triangles is filled by those very triangles, but for their surface at
        // the seam between the two.
        let volume = check::solid(whole).mass().volume;
        let error = (solid.mass().volume - volume).abs() / volume;
        assert!(error < 1e-3, "{error}");
        assert!(mended.surfaces[left..].iter().all(|s| *s < 2));
        broken(&format!("mended {round}"), &solid, &pattern(), &all());
    }
}

#[test]
fn a_hole_may_have_a_surface_of_its_own() {
    let mut mesh = Mesh::sphere(0.5, 32, 24);
    mesh.triangles.remove(300);
    let own = RepairOptions {
        hole_surface: Some(3),
        ..RepairOptions::default()
    };
    let (solid, _) = Solid::repaired(mesh, &own).expect("mended");
    let surfaces = &solid.mesh().surfaces;
    assert_eq!(surfaces.len(), solid.mesh().triangles.len());
    assert_eq!(surfaces.iter().filter(|s| **s == 3).count(), 1);
    assert_eq!(surfaces.last(), Some(&3));
}

#[test]
fn large_holes_stay_and_are_a_shell_or_refused() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.triangles.truncate(10);
    let (shell, repairs) = repaired(mesh.clone());
    assert!(
        shell.is_shell() && repairs.is_shell && repairs.filled_holes == 0,
        "{repairs}"
    );
    assert!(repairs.to_string().contains("shell"), "{repairs}");
    let strict = RepairOptions {
        shell_thickness: None,
        ..RepairOptions::default()
    };
    let refused = Solid::repaired(mesh.clone(), &strict).expect_err("open");
    assert!(matches!(refused, SolidError::NotClosed { .. }), "{refused}");
    let generous = RepairOptions {
        max_hole: 1.0,
        ..strict
    };
    let (solid, repairs) = Solid::repaired(mesh, &generous).expect("closed");
    assert_eq!((repairs.filled_holes, repairs.added_triangles), (1, 2));
    assert!((solid.mass().volume - 1.0).abs() < 1e-12);
}

#[test]
fn turned_triangles_are_turned_back() {
    let mut random = random(6);
    let mut mesh = sphere();
    let volume = check::solid(mesh.clone()).mass().volume;
    let mut wrong: Vec<usize> = (0..40)
        .map(|_| random.random_range(0..mesh.triangles.len()))
        .collect();
    wrong.sort_unstable();
    wrong.dedup();
    for at in &wrong {
        mesh.triangles[*at].swap(1, 2);
    }
    let (solid, repairs) = repaired(mesh);
    assert_eq!(
        repairs,
        RepairReport {
            flipped: wrong.len(),
            ..RepairReport::default()
        }
    );
    assert!((solid.mass().volume - volume).abs() < 1e-12);
}

#[test]
fn parts_inside_out_are_turned_and_cavities_stay() {
    let (solid, repairs) = repaired(solids::flipped(&Mesh::cuboid([1.0; 3])));
    assert_eq!(repairs.flipped, 12);
    assert_eq!(solid.mass().volume, 1.0);
    let beside = solids::mapped(&Mesh::cuboid([0.5; 3]), |p| p + glam::Vec3::X * 2.0);
    let both = solids::joined(&[solids::hollow_box(), solids::flipped(&beside)]);
    let (solid, repairs) = repaired(both);
    assert_eq!(repairs.flipped, 12);
    let wanted = 1.0 - 0.343 + 0.125;
    assert!((solid.mass().volume - wanted).abs() < 1e-6);
}

#[test]
fn copies_are_dropped_where_they_open_the_mesh() {
    let mut mesh = sphere();
    for at in [3, 3, 90] {
        mesh.triangles.push(mesh.triangles[at]);
        mesh.surfaces.push(mesh.surfaces[at]);
    }
    let (solid, repairs) = repaired(mesh);
    assert_eq!(
        repairs,
        RepairReport {
            dropped_duplicates: 3,
            ..RepairReport::default()
        }
    );
    assert_eq!(solid.mesh(), &sphere());
    // Twice the same cube is closed: it stays.
    let cube = Mesh::cuboid([1.0; 3]);
    let (solid, repairs) = repaired(solids::joined(&[cube.clone(), cube]));
    assert!(repairs.is_empty() && solid.mass().volume == 2.0);
}

/// A vertex in the middle of an edge that the neighbour does not have: a slit of no size.
#[test]
fn slits_are_closed() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    let [a, b, c] = mesh.triangles.remove(0);
    let place = |v: u32| glam::Vec3::from(mesh.positions[v as usize]);
    let middle = ((place(a) + place(b)) * 0.5).to_array();
    let m = mesh.positions.len() as u32;
    mesh.positions.push(middle);
    mesh.normals.push([0.0, 0.0, 1.0]);
    mesh.uvs.push([0.0; 2]);
    mesh.triangles.extend([[a, m, c], [m, b, c]]);
    let (solid, repairs) = repaired(mesh);
    assert!(
        !solid.is_shell() && repairs.added_triangles > 0,
        "{repairs}"
    );
    assert!((solid.mass().volume - 1.0).abs() < 1e-7);
    broken("slit", &solid, &pattern(), &all());
}
