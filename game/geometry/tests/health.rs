//! Health reports: every kind of damage is found, placed and put into words.

use crate::solids;
use fracture_geometry::check::MeshReport;
use fracture_geometry::Mesh;
use glam::Vec3;

fn health(mesh: &Mesh) -> MeshReport {
    MeshReport::new(mesh).expect("arrays that fit")
}

fn moved(mesh: &Mesh, by: Vec3) -> Mesh {
    solids::mapped(mesh, |p| p + by)
}

#[test]
fn sound_solids_have_no_findings() {
    let touching = ["checkers", "overlapping cubes"];
    for (name, mesh) in solids::all() {
        let health = health(&mesh);
        assert!(
            health.is_closed() && health.volume > 0.0,
            "{name}: {health}"
        );
        assert_eq!(
            health.self_intersections.count > 0,
            name == "overlapping cubes",
            "{name}: {health}"
        );
        assert_eq!(
            health.is_sound(),
            name != "overlapping cubes",
            "{name}: {health}"
        );
        assert_eq!(
            health.non_manifold.is_empty(),
            name != touching[0],
            "{name}: {health}"
        );
        assert!(
            health.self_intersections.is_complete && health.duplicates.is_empty(),
            "{name}: {health}"
        );
    }
}

#[test]
fn a_missing_triangle_is_a_border() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.triangles.pop();
    let health = health(&mesh);
    let [border] = &health.boundary_loops[..] else {
        panic!("one border, not {:?}", health.boundary_loops);
    };
    assert!(border.is_closed && border.points.len() == 3);
    assert!((border.length - (2.0 + 2f64.sqrt())).abs() < 1e-6);
    assert!((border.diagonal - 2f64.sqrt()).abs() < 1e-6);
    assert!(!health.is_closed() && !health.components[0].is_closed);
    let words = health.to_string();
    assert!(
        words.contains("1 open borders") && words.contains("fill or bridge"),
        "{words}"
    );
}

#[test]
fn borders_that_meet_in_a_point_are_two() {
    let mut mesh = solids::voxels(2, |_| true);
    // Opposite corners of the top: their holes share one point.
    let top = |t: &[u32; 3]| {
        let at: Vec<Vec3> = t
            .iter()
            .map(|v| mesh.positions[*v as usize].into())
            .collect();
        let middle = (at[0] + at[1] + at[2]) / 3.0;
        at.iter().all(|p| p.y == 0.5) && middle.x * middle.z > 0.0
    };
    let kept: Vec<[u32; 3]> = mesh.triangles.iter().filter(|t| !top(t)).copied().collect();
    assert_eq!(kept.len(), mesh.triangles.len() - 4);
    mesh.triangles = kept;
    let health = health(&mesh);
    assert_eq!(health.boundary_loops.len(), 2, "{health}");
    assert!(
        health
            .boundary_loops
            .iter()
            .all(|b| b.is_closed && b.points.len() == 4),
        "{health}"
    );
}

#[test]
fn fins_turned_triangles_copies_and_flat_ones() {
    let cube = Mesh::cuboid([1.0; 3]);
    let cube = Mesh::from_triangles(cube.positions, cube.triangles);
    let mut fin = cube.clone();
    let [a, b, _] = fin.triangles[0];
    fin.positions.push([3.0, 3.0, 3.0]);
    fin.triangles.push([a, b, fin.positions.len() as u32 - 1]);
    let found = health(&fin);
    assert_eq!(
        (found.non_manifold.len(), found.unbalanced.len()),
        (1, 1),
        "{found}"
    );
    assert_eq!(found.boundary_loops.len(), 1);
    assert!(!found.boundary_loops[0].is_closed && found.boundary_loops[0].points.len() == 3);

    let mut turned = Mesh::sphere(0.5, 12, 8);
    turned.triangles[40].swap(0, 1);
    assert_eq!(health(&turned).inconsistent.len(), 3);

    let mut odd = cube;
    let triangle = odd.triangles[5];
    odd.triangles.push([triangle[1], triangle[2], triangle[0]]);
    odd.triangles.push([triangle[0], triangle[0], triangle[2]]);
    odd.positions.extend([[2.0; 3], [3.0; 3], [4.0; 3]]);
    odd.triangles.push([24, 25, 26]);
    let found = health(&odd);
    assert_eq!(found.duplicates, [12]);
    assert_eq!(found.degenerate, [13]);
    assert_eq!(found.zero_area, [14]);
    let first = odd.positions.len() as u32;
    let thin = [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [2.5, 4e-4, 0.0]];
    odd.positions.extend(thin);
    odd.triangles.push([first, first + 1, first + 2]);
    let found = health(&odd);
    assert_eq!(found.slivers, [15]);
    let faulty: Vec<u32> = found.faulty_triangles().collect();
    assert_eq!(faulty, [13, 14, 15, 12]);
    let words = found.to_string();
    for word in ["twice; delete", "no area", "slivers", "left out"] {
        assert!(words.contains(word), "{word}: {words}");
    }
}

#[test]
fn parts_inside_out_and_cavities() {
    let cavity = health(&solids::hollow_box());
    assert_eq!(cavity.components.len(), 2);
    assert!(!cavity.components.iter().any(|i| i.inside_out), "{cavity}");
    let wrong = solids::flipped(&moved(&Mesh::cuboid([0.5; 3]), Vec3::X * 2.0));
    let found = health(&solids::joined(&[Mesh::cuboid([1.0; 3]), wrong]));
    let inside_out: Vec<bool> = found.components.iter().map(|i| i.inside_out).collect();
    assert_eq!(inside_out, [false, true]);
    assert_eq!(found.components[1].center, glam::DVec3::X * 2.0);
    assert!(
        !found.is_sound() && found.to_string().contains("inside out"),
        "{found}"
    );
}

#[test]
fn tiny_parts_are_counted() {
    let dust = moved(&Mesh::cuboid([0.001; 3]), Vec3::X);
    let found = health(&solids::joined(&[Mesh::sphere(0.5, 12, 8), dust]));
    assert_eq!(found.tiny_components().count(), 1);
    assert_eq!(
        found.tiny_components().next().map(|i| i.triangles.len()),
        Some(12)
    );
}

#[test]
fn crossings_are_where_parts_pass_through_each_other() {
    let cube = Mesh::cuboid([1.0; 3]);
    let needle = solids::mapped(&Mesh::cuboid([0.1, 4.0, 0.1]), |p| {
        p + Vec3::new(0.2, 0.0, 0.1)
    });
    let found = health(&solids::joined(&[cube.clone(), needle]));
    assert!(found.self_intersections.count > 0 && found.self_intersections.is_complete);
    for crossing in &found.self_intersections.list {
        assert!((crossing.point[1].abs() - 0.5).abs() < 1e-6, "{crossing:?}");
        assert!(crossing.triangles[0] < 12 && crossing.triangles[1] >= 12);
    }
    let beside = solids::joined(&[cube.clone(), moved(&cube, Vec3::X)]);
    assert_eq!(
        health(&beside).self_intersections.count,
        0,
        "cubes that touch"
    );
}

#[test]
fn arrays_that_do_not_fit_are_refused_and_leaves_are_looked_at() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.triangles[0][0] = 99;
    assert!(MeshReport::new(&mesh).is_err());
    let point = Mesh::from_triangles(vec![[1.0; 3]], vec![[0, 0, 0]]);
    let found = health(&point);
    assert_eq!((found.degenerate.len(), found.components.len()), (1, 0));
    assert!(!found.is_sound());
}
