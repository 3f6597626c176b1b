//! Support graphs of solids, and splits into groups of cells.

use crate::check::{self, check};
use crate::solids;
use fracture_geometry::piece_mesh::{roughen, CapStyle, Roughness};
use fracture_geometry::support::{GroupSplit, Groups, SupportGraph, SupportNode};
use fracture_geometry::{
    Aabb, FractureError, Mesh, Pattern, PieceContact, Placement, Solid, Workspace,
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

/// By node: 0 left of the middle, 1 right of it.
fn halves(graph: &SupportGraph) -> Vec<u32> {
    let is_right = |node: &SupportNode| node.mass.center.x > 0.0;
    graph
        .nodes
        .iter()
        .map(|node| is_right(node).into())
        .collect()
}

fn cut(solid: &Solid, pattern: &Pattern, groups: &Groups) -> Result<GroupSplit, FractureError> {
    let workspace = &mut Workspace::default();
    GroupSplit::cut(solid, pattern, Placement::IDENTITY, groups, workspace)
}

fn split_in_halves(
    name: &str,
    mesh: Mesh,
    cells: u32,
    undivided: Option<u32>,
) -> (Solid, SupportGraph, GroupSplit) {
    let solid = check::solid(mesh);
    let pattern = scattered(&solid, cells);
    let graph = build(&solid, &pattern);
    let groups = graph.groups(&halves(&graph), undivided);
    let split = cut(&solid, &pattern, &groups).unwrap_or_else(|error| panic!("{name}: {error}"));
    (solid, graph, split)
}

#[test]
fn a_beam_falls_in_two_along_the_faces_between_groups() {
    for undivided in [None, Some(0), Some(1)] {
        check_halves_of_a_beam(undivided);
    }
}

fn check_halves_of_a_beam(undivided: Option<u32>) {
    let beam = Mesh::cuboid([4.0, 0.5, 0.5]);
    let (solid, graph, split) = split_in_halves("beam", beam, 80, undivided);
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
    let undivided = [None, Some(0), Some(1)];
    let cases = solids::all()
        .into_iter()
        .flat_map(|(name, mesh)| undivided.map(|undivided| (name, mesh.clone(), undivided)));
    for (name, mesh, undivided) in cases {
        let (solid, graph, split) = split_in_halves(name, mesh, 60, undivided);
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

/// The triangles of the pieces of a group.
fn triangles_of(split: &GroupSplit, group: u32) -> usize {
    let pieces = split.fracture.pieces.iter().zip(&split.groups);
    let own = pieces.filter(|(_, own)| **own == group);
    own.map(|(piece, _)| piece.triangles.len()).sum()
}

/// The rest of a body that loses part after part would get more triangles with each, though its surface is the same.
#[test]
fn an_undivided_group_gets_caps_but_no_seams() {
    for (name, mesh) in solids::all() {
        let cut = |undivided| split_in_halves(name, mesh.clone(), 200, undivided).2;
        let divided = cut(None);
        for group in [0, 1] {
            let undivided = cut(Some(group));
            let counts = [&undivided, &divided].map(|split| triangles_of(split, group));
            assert!(counts[0] <= counts[1], "{name}, {group}: {counts:?}");
            // Where a solid overlaps itself slivers may go to either side.
            let areas = [&undivided, &divided].map(|split| {
                let contacts = split.fracture.contacts.iter();
                contacts.map(|contact| contact.area).sum::<f32>()
            });
            assert!(
                (areas[0] - areas[1]).abs() < 0.05 * areas[1],
                "{name}: {areas:?}"
            );
        }
    }
}

#[test]
fn without_faces_between_groups_nothing_is_cut() {
    let solid = check::solid(Mesh::cuboid([1.0; 3]));
    let graph = build(&solid, &scattered(&solid, 60));
    for groups in [vec![], vec![0; graph.nodes.len()]] {
        let result = cut(&solid, &scattered(&solid, 60), &graph.groups(&groups, None));
        assert!(matches!(result, Err(FractureError::OutOfReach { .. })));
    }
    // Cells that the pattern does not have are left out.
    let of_last = |node: &SupportNode| u32::from(node.cell == 59);
    let groups: Vec<u32> = graph.nodes.iter().map(of_last).collect();
    let groups = graph.groups(&groups, Some(0));
    let result = cut(&solid, &scattered(&solid, 2), &groups);
    assert!(matches!(result, Err(FractureError::OutOfReach { .. })));
}

/// The volume of each of two groups.
fn volumes<'a>(parts: impl Iterator<Item = (&'a u32, f64)>) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (group, volume) in parts {
        match sums.get_mut(*group as usize) {
            Some(sum) => *sum += volume,
            None => assert!(volume < 1e-6, "{volume} without a group"),
        }
    }
    sums
}

/// A rough face of the chip before goes in and out of the cells behind it, whose slivers are not to hold groups together.
#[test]
fn chip_after_chip_comes_off_a_rim_along_one_lattice() {
    let mut solid = check::solid(Mesh::cuboid([2.0, 0.1, 2.0]));
    let pattern = scattered(&solid, 400);
    for chip in 0..12u16 {
        let graph = build(&solid, &pattern);
        let at = DVec3::new(1.0, 0.0, 0.1 * f64::from(chip) - 0.6);
        let group = |node: &SupportNode| u32::from(node.mass.center.distance(at) < 0.3);
        let groups: Vec<u32> = graph.nodes.iter().map(group).collect();
        let split = cut(&solid, &pattern, &graph.groups(&groups, Some(0)));
        let split = split.expect("a chip");
        check(1e-5, "plate", &solid, &split.fracture);
        let pieces = &split.fracture.pieces;
        let found = pieces.iter().map(|piece| piece.mass.volume);
        let found = volumes(split.groups.iter().zip(found));
        let wanted = graph.nodes.iter().map(|node| node.mass.volume);
        let wanted = volumes(groups.iter().zip(wanted));
        assert!(
            (found[0] - wanted[0]).abs() < 1e-5,
            "chip {chip}: {found:?}, {wanted:?}"
        );
        let cap = CapStyle::own_surface(solid.mesh());
        let flat: Vec<Mesh> = pieces
            .iter()
            .map(|piece| piece.to_mesh(&solid, &cap))
            .collect();
        let roughness = Roughness {
            height: 0.004,
            grain: 0.02,
            seed: chip.into(),
        };
        solid = check::solid(roughen(pieces, &flat, &solid, &roughness).swap_remove(0));
    }
}
