//! Cost of a break: copies and visits only the part of the mesh in its reach, however large the mesh is.

use crate::check;
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureParams, Mesh, Pattern, Placement, Recipe, Solid,
    Workspace,
};
use glam::DVec3;

/// A ring whose far side is `dense` times as fine along it as the side that is hit.
fn ring(dense: u32) -> Solid {
    let (columns, near, around) = (126, 42, 40u32);
    let mut turns: Vec<f64> = (0..near).map(|k| f64::from(k) - 21.0).collect();
    let far = (columns - near) * dense;
    turns.extend((0..far).map(|k| 21.0 + f64::from(k) / f64::from(dense)));
    let mut mesh = Mesh::default();
    for turn in &turns {
        let angle = turn / f64::from(columns) * std::f64::consts::TAU;
        for k in 0..around {
            let tube = f64::from(k) / f64::from(around) * std::f64::consts::TAU;
            let radius = 0.35 + 0.15 * libm::cos(tube);
            let at = DVec3::new(
                radius * libm::cos(angle),
                0.15 * libm::sin(tube),
                radius * libm::sin(angle),
            );
            mesh.positions.push(at.as_vec3().to_array());
        }
    }
    let count = turns.len() as u32;
    for i in 0..count {
        for j in 0..around {
            let at = |i: u32, j: u32| i % count * around + j % around;
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            mesh.triangles.extend([[a, d, c], [a, c, b]]);
        }
    }
    check::solid(mesh)
}

fn hit(solid: &Solid) -> Fracture {
    let recipe = Recipe::Clustered {
        cells: 64,
        falloff: 0.6,
    };
    let pattern = Pattern::from_recipe(&recipe, 3).expect("a pattern");
    let point = DVec3::new(0.5, 0.0, 0.0);
    let cut = FractureParams {
        placement: Placement::at_impact(point, DVec3::X, 0.0, 0.4),
        selection: CellSelection::Within { point, radius: 0.1 },
    };
    let result = fracture(solid, &pattern, &cut, &mut Workspace::default()).expect("a break");
    check::check(1e-5, "ring", solid, &result);
    result
}

#[test]
fn a_mesh_that_is_dense_elsewhere_is_not_copied() {
    let (coarse, fine) = (ring(1), ring(24));
    assert!(fine.triangle_count() > 15 * coarse.triangle_count());
    let (few, many) = (hit(&coarse), hit(&fine));
    let fragments = |result: &Fracture| {
        let fragments = result.fragments();
        let list: Vec<_> = fragments.map(|p| (p.kind, p.triangles.len())).collect();
        list
    };
    assert!(!fragments(&few).is_empty());
    assert_eq!(fragments(&few), fragments(&many));
    let copied = |result: &Fracture| {
        let islands = result.islands();
        islands
            .map(|p| p.triangles.len() + p.patches.len())
            .sum::<usize>()
    };
    let (few, many) = (copied(&few), copied(&many));
    assert!(
        10 * many < 13 * few,
        "{few} and {many} of what stays were copied"
    );
    let unfolded = hit(&fine);
    let unfolded = unfolded
        .islands()
        .map(|p| p.expanded(&fine).triangles.len());
    assert!(unfolded.sum::<usize>() > fine.triangle_count() / 2);
}
