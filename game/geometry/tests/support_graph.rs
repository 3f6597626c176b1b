//! Support graphs of solids, and splits into groups of cells.

use crate::check::{self, check};
use crate::solids;
use fracture_geometry::support::{Bond, GroupAssignment, GroupSplit, SupportGraph, SupportNode};
use fracture_geometry::{
    Aabb, FractureError, Mesh, Pattern, PieceContact, Placement, Recipe, Solid, Workspace,
};
use glam::{DMat3, DVec3, Vec3};

fn build(solid: &Solid, pattern: &Pattern) -> SupportGraph {
    let mut workspace = Workspace::default();
    SupportGraph::build(solid, pattern, Placement::IDENTITY, &mut workspace)
        .expect("a support graph")
}

fn row(count: i32) -> Pattern {
    let sites: Vec<DVec3> = (0..count).map(|k| DVec3::X * f64::from(k)).collect();
    Pattern::from_sites(&sites).expect("a pattern")
}

fn scattered(solid: &Solid, cells: u32) -> Pattern {
    let mut sites = solid.sample_volume(cells, 3);
    if sites.len() < 2 {
        sites = solid.sample_surface(cells, 3); // too thin to hit
    }
    Pattern::from_sites(&sites).expect("a pattern")
}

#[test]
fn slices_of_a_beam_meet_in_its_cross_section() {
    let beam = solids::mapped(&Mesh::cuboid([5.0, 0.5, 0.2]), |p| p + Vec3::X * 2.0);
    let graph = build(&check::solid(beam), &row(5));
    assert_eq!(graph.nodes.len(), 5);
    assert_eq!(graph.bonds.len(), 4);
    for (index, bond) in graph.bonds.iter().enumerate() {
        let first = index as u32;
        assert_eq!(bond.nodes, [first, first + 1]);
        assert_eq!(bond.cells, bond.nodes);
        assert!((bond.area.area - 0.1).abs() < 1e-7);
        assert!((bond.area.center - DVec3::X * (f64::from(first) + 0.5)).length() < 1e-6);
        assert!((bond.area.normal - DVec3::X).length() < 1e-9);
        let wanted = DVec3::new(0.0, 0.2 * 0.125 / 12.0, 0.5 * 0.008 / 12.0);
        let off = bond.area.moments - DMat3::from_diagonal(wanted);
        assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-7), "{off}");
    }
}

#[test]
fn faces_and_surface_close_every_part() {
    // The vector areas of a closed surface cancel: so no face is missing, doubled or turned.
    for (name, mesh) in solids::all() {
        let solid = check::solid(mesh);
        let [low, high] = solid.bounds().corners();
        let everywhere = Aabb::from_points([low - 1.0, high + 1.0]);
        let graph = build(&solid, &scattered(&solid, 40));
        let surface = graph.surface_in(&[&[everywhere]]);
        let mut sums = vec![(DVec3::ZERO, 0.0); graph.nodes.len()];
        for bond in &graph.bonds {
            let vector = bond.area.normal * bond.area.area;
            for (node, sign) in bond.nodes.iter().zip([1.0, -1.0]) {
                sums[*node as usize].0 += sign * vector;
                sums[*node as usize].1 += bond.area.area;
            }
        }
        let volume: f64 = graph.nodes.iter().map(|node| node.mass.volume).sum();
        assert!((volume / solid.mass().volume - 1.0).abs() < 1e-5, "{name}");
        // A cell inside the solid has no surface, and its faces are flat: their normals are exact.
        let open = |node: &u32| surface.iter().any(|anchored| anchored.node == *node);
        for node in (0..sums.len() as u32).filter(|node| !open(node)) {
            let (sum, area) = sums[node as usize];
            assert!(
                sum.length() < 1e-4 * area,
                "{name}: node {node} lacks {sum}"
            );
        }
        let anchored: f64 = surface.iter().map(|anchored| anchored.area.area).sum();
        let surface: f64 = triangles(solid.mesh())
            .map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length())
            .sum();
        assert!(
            (anchored / surface - 1.0).abs() < 1e-4,
            "{name}: {anchored} of {surface}"
        );
    }
}

fn triangles(mesh: &Mesh) -> impl Iterator<Item = [DVec3; 3]> + '_ {
    let at = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    mesh.triangles.iter().map(move |t| t.map(at))
}

#[test]
fn boxes_hold_what_lies_in_them() {
    let solid = check::solid(Mesh::cuboid([2.0, 2.0, 2.0]));
    let base = Aabb::from_points([DVec3::new(-2.0, -1.5, -2.0), DVec3::new(2.0, -0.9, 2.0)]);
    let nowhere = Aabb::from_points([DVec3::splat(5.0), DVec3::splat(6.0)]);
    let graph = build(&solid, &scattered(&solid, 30));
    let surface = graph.surface_in(&[&[nowhere], &[base]]);
    let area: f64 = surface.iter().map(|anchored| anchored.area.area).sum();
    assert!((area - (4.0 + 8.0 * 0.1)).abs() < 1e-5, "{area}");
    assert!(surface
        .iter()
        .all(|anchored| anchored.region == 1 && anchored.area.center.y < -0.9));
}

/// Assignments to two groups: the nodes left and right of the middle.
fn halves(graph: &SupportGraph) -> Vec<GroupAssignment> {
    let group = |node: u32| u32::from(graph.nodes[node as usize].mass.center.x > 0.0);
    let is_at_cut = |cell: u32| {
        let is_cut = |bond: &&Bond| group(bond.nodes[0]) != group(bond.nodes[1]);
        graph
            .bonds
            .iter()
            .filter(is_cut)
            .any(|bond| bond.cells.contains(&cell))
    };
    let assignment = |(index, node): (usize, &SupportNode)| GroupAssignment {
        cell: node.cell,
        center: node.mass.center,
        group: group(index as u32),
    };
    let nodes = graph.nodes.iter().enumerate();
    nodes
        .filter(|(_, node)| is_at_cut(node.cell))
        .map(assignment)
        .collect()
}

fn split_in_halves(name: &str, mesh: Mesh, cells: u32) -> (Solid, SupportGraph, GroupSplit) {
    let solid = check::solid(mesh);
    let pattern = scattered(&solid, cells);
    let graph = build(&solid, &pattern);
    let assignments = halves(&graph);
    let mut workspace = Workspace::default();
    let split = GroupSplit::cut(
        &solid,
        &pattern,
        Placement::IDENTITY,
        &assignments,
        &mut workspace,
    )
    .unwrap_or_else(|error| panic!("{name}: {error}"));
    (solid, graph, split)
}

#[test]
fn a_beam_falls_in_two_along_the_faces_between_groups() {
    let (solid, graph, split) = split_in_halves("beam", Mesh::cuboid([4.0, 0.5, 0.5]), 80);
    check(1e-5, "beam", &solid, &split.fracture);
    let mut groups = split.groups.clone();
    groups.sort_unstable();
    assert_eq!(groups, [0, 1]);
    let half = |group: u32| -> f64 {
        let left = |node: &&SupportNode| (node.mass.center.x > 0.0) == (group == 1);
        graph
            .nodes
            .iter()
            .filter(left)
            .map(|node| node.mass.volume)
            .sum()
    };
    for (piece, &group) in split.fracture.pieces.iter().zip(&split.groups) {
        assert!((piece.mass.volume - half(group)).abs() < 1e-6);
    }
    let crack: f64 = graph
        .bonds
        .iter()
        .filter(|bond| {
            let right = |node: u32| graph.nodes[node as usize].mass.center.x > 0.0;
            right(bond.nodes[0]) != right(bond.nodes[1])
        })
        .map(|bond| bond.area.area)
        .sum();
    let [PieceContact {
        pieces: [0, 1],
        area,
    }] = split.fracture.contacts[..]
    else {
        panic!()
    };
    assert!((f64::from(area) - crack).abs() < 1e-5);
    let open: usize = split
        .fracture
        .pieces
        .iter()
        .map(|piece| piece.triangles.len())
        .sum();
    assert!(
        open < 400,
        "{open} triangles: seams of cells far from the crack"
    );
}

#[test]
fn every_solid_falls_in_two_closed() {
    for (name, mesh) in solids::all() {
        let (solid, graph, split) = split_in_halves(name, mesh, 60);
        check(1e-5, name, &solid, &split.fracture);
        let left = |right: bool| -> f64 {
            let side = |node: &&SupportNode| (node.mass.center.x > 0.0) == right;
            graph
                .nodes
                .iter()
                .filter(side)
                .map(|node| node.mass.volume)
                .sum()
        };
        let mut found = [0.0; 2];
        for (piece, &group) in split.fracture.pieces.iter().zip(&split.groups) {
            // A component without a cut is in no group.
            let right = [0, 1].contains(&group).then_some(group == 1);
            let right = right.unwrap_or(piece.mass.center.x > 0.0);
            found[usize::from(right)] += piece.mass.volume;
        }
        let whole = solid.mass().volume;
        for (found, wanted) in found.iter().zip([left(false), left(true)]) {
            assert!(
                (found - wanted).abs() < 5e-3 * whole,
                "{name}: {found}, {wanted}"
            );
        }
    }
}

#[test]
fn without_members_nothing_is_cut() {
    let solid = check::solid(Mesh::cuboid([1.0; 3]));
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 20 }, 1).expect("a pattern");
    let strange = [GroupAssignment {
        cell: 99,
        center: DVec3::NAN,
        group: 0,
    }];
    for assignments in [&[][..], &strange] {
        let mut workspace = Workspace::default();
        let result = GroupSplit::cut(
            &solid,
            &pattern,
            Placement::IDENTITY,
            assignments,
            &mut workspace,
        );
        assert!(matches!(result, Err(FractureError::OutOfReach { .. })));
    }
}
