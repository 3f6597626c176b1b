//! Rough cut faces: still closed, still matching, volumes still add up, nothing folded.

use crate::check::{all, coarseness, near, solid};
use crate::determinism::Threads as Runner;
use crate::solids;
use fracture_geometry::check::{check_closed, MeshReport};
use fracture_geometry::piece_mesh::{roughen, roughen_in_steps, CapStyle, Roughness};
use fracture_geometry::steps::finish;
use fracture_geometry::{
    fracture, Fracture, FractureParams, MassProperties, Mesh, Pattern, Piece, Recipe, Solid,
    Threads, Workspace, CAP_SURFACE,
};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;
use std::slice;

fn pattern(cells: u32, seed: u64) -> Pattern {
    let sites = Recipe::Uniform { cells }.sites(seed).expect("sites");
    let sites: Vec<DVec3> = sites.iter().map(|s| *s * 0.55).collect();
    Pattern::from_sites(&sites).expect("a pattern")
}

fn bumps(seed: u64) -> Roughness {
    Roughness {
        height: 0.02,
        grain: 0.1,
        seed,
    }
}

fn meshes(solid: &Solid, broken: &Fracture) -> Vec<Mesh> {
    let style = CapStyle::own_surface(solid.mesh());
    let pieces = broken.pieces.iter();
    pieces.map(|piece| piece.to_mesh(solid, &style)).collect()
}

fn rough(solid: &Solid, broken: &Fracture, roughness: &Roughness) -> Vec<Mesh> {
    roughen(&broken.pieces, &meshes(solid, broken), solid, roughness)
}

fn broken(solid: &Solid, pattern: &Pattern, cut: &FractureParams) -> Option<Fracture> {
    fracture(solid, pattern, cut, &mut Workspace::default()).ok()
}

fn place(mesh: &Mesh, vertex: u32) -> Vec3 {
    Vec3::from(mesh.positions[vertex as usize])
}

/// Triangles of a surface by their corners' bits, the smallest first.
fn triangles(mesh: &Mesh, surface: u32, reversed: bool) -> Vec<[[u32; 3]; 3]> {
    let all = mesh.triangles.iter().enumerate();
    let own = all.filter(|(index, _)| mesh.surface(*index) == surface);
    own.map(|(_, triangle)| {
        let mut corners = triangle.map(|v| mesh.positions[v as usize].map(|x| (x + 0.0).to_bits()));
        if reversed {
            corners.reverse();
        }
        let first = (0..3).min_by_key(|k| corners[*k]).unwrap_or(0);
        corners.rotate_left(first);
        corners
    })
    .collect()
}

/// Every triangle of a cut face is there once more, seen from behind.
fn check_matching(name: &str, cap: u32, meshes: &[Mesh]) {
    let mut sums: BTreeMap<[[u32; 3]; 3], i32> = BTreeMap::new();
    for mesh in meshes {
        for triangle in triangles(mesh, cap, false) {
            *sums.entry(triangle).or_default() += 1;
        }
        for triangle in triangles(mesh, cap, true) {
            *sums.entry(triangle).or_default() -= 1;
        }
    }
    let unmatched = sums.values().filter(|sum| **sum != 0).count();
    assert_eq!(unmatched, 0, "{name}: faces do not match");
}

fn check(name: &str, solid: &Solid, broken: &Fracture, roughness: &Roughness) -> Vec<Mesh> {
    let meshes = rough(solid, broken, roughness);
    let mut volume = broken.report.dust_volume;
    for (mesh, piece) in meshes.iter().zip(&broken.pieces) {
        let closed = check_closed(mesh);
        assert!(closed.is_closed(), "{name}, {:?}: {closed:?}", piece.kind);
        assert!(mesh.surfaces.is_sorted(), "{name}");
        assert_eq!(mesh.surfaces.len(), mesh.triangles.len(), "{name}");
        volume += MassProperties::from_mesh(mesh).volume;
    }
    if broken.report.dust == 0 {
        let error = (volume - solid.mass().volume).abs() / solid.mass().volume;
        assert!(error < 1e-5 + coarseness(solid), "{name}: {error:e}");
        check_matching(name, solid.mesh().surface_count(), &meshes);
    }
    meshes
}

#[test]
fn rough_pieces_are_closed_and_match() {
    let mut rough = 0;
    for seed in 0..4 {
        let pattern = pattern(30, seed);
        for (name, mesh) in solids::all() {
            let solid = solid(mesh);
            for (index, cut) in [all(), near(DVec3::splat(0.3), 0.3)].iter().enumerate() {
                let Some(broken) = broken(&solid, &pattern, cut) else {
                    continue;
                };
                let name = format!("{name}, seed {seed}, cut {index}");
                let flat: usize = meshes(&solid, &broken)
                    .iter()
                    .map(|m| m.triangles.len())
                    .sum();
                let result = check(&name, &solid, &broken, &bumps(seed));
                let divided: usize = result.iter().map(|m| m.triangles.len()).sum();
                rough += usize::from(divided > flat);
            }
        }
    }
    assert!(rough > 60, "{rough}");
}

/// Planes along edges and through vertices, where faces, rims and old edges fall together.
#[test]
fn rough_pieces_of_degenerate_cuts_are_closed_and_match() {
    let pattern = solids::lattice();
    for (name, mesh) in solids::on_the_lattice() {
        let solid = solid(mesh);
        for cut in [all(), near(DVec3::splat(0.35), 0.3)] {
            let broken = broken(&solid, &pattern, &cut).expect("a break");
            check(name, &solid, &broken, &bumps(3));
        }
    }
}

/// A prism that was cut at height 0, from corner to corner of a square. Between the cut face and the wall below its first
/// edge lies a triangle without area, whose third corner is on that edge.
fn with_a_sliver_at_a_cut_edge(share: f32) -> (Piece, Mesh) {
    let corner = |x: f32, y: f32| [x, y, 1.0];
    let on_edge = [-0.5 + share, 0.0, 1.0];
    let positions = vec![
        corner(-0.5, 0.0),
        corner(0.5, 0.0),
        [0.0, 0.0, 0.0],
        corner(-0.5, -1.0),
        corner(0.5, -1.0),
        [0.0, -1.0, 0.0],
        on_edge,
    ];
    let outside = [
        [0, 6, 1],
        [0, 3, 6],
        [6, 3, 4],
        [6, 4, 1],
        [3, 5, 4],
        [1, 4, 5],
        [1, 5, 2],
        [2, 5, 3],
        [2, 3, 0],
    ];
    let mut surfaces = vec![0; outside.len()];
    surfaces.push(CAP_SURFACE);
    let mesh = Mesh {
        positions,
        triangles: outside.into_iter().chain([[0, 1, 2]]).collect(),
        surfaces: [vec![0; outside.len()], vec![1]].concat(),
        ..Mesh::default()
    };
    let piece = Piece {
        surfaces,
        ..Piece::default()
    };
    (piece, mesh)
}

/// Edges beside a sliver are divided on both sides, or on neither.
#[test]
fn slivers_without_area_at_cut_edges_stay_closed() {
    let whole = solid(Mesh::cuboid([4.0; 3]));
    let mut divided = 0;
    for share in (1..64).map(|n| n as f32 / 64.0) {
        let (piece, flat) = with_a_sliver_at_a_cut_edge(share);
        assert!(check_closed(&flat).is_closed());
        for grain in [0.05, 0.1, 0.3, 0.6, 1.0] {
            let roughness = Roughness { grain, ..bumps(1) };
            let rough = roughen(slice::from_ref(&piece), [&flat], &whole, &roughness);
            let closed = check_closed(&rough[0]);
            assert!(closed.is_closed(), "{share}, grain {grain}: {closed:?}");
            divided += usize::from(rough[0].triangles.len() > flat.triangles.len());
        }
    }
    assert!(divided > 200, "{divided}");
}

/// Broken again: the old cut faces are an outside like any other, and keep their bumps.
#[test]
fn rough_pieces_break_again() {
    let whole = solid(Mesh::cuboid([1.0; 3]));
    let first = broken(&whole, &pattern(12, 1), &all()).expect("a break");
    let pieces = rough(&whole, &first, &bumps(1));
    let mut again = 0;
    for (index, piece) in pieces.into_iter().enumerate() {
        let piece = solid(piece);
        let Some(second) = broken(&piece, &pattern(40, 2), &all()) else {
            continue;
        };
        check(&format!("piece {index}"), &piece, &second, &bumps(1));
        again += 1;
    }
    assert!(again >= 10);
}

#[test]
fn next_to_nothing_crosses_and_the_outside_stays() {
    let (mut crossings, mut triangles) = (0, 0);
    for (name, mesh) in [
        ("cube", Mesh::cuboid([1.0; 3])),
        ("sphere", Mesh::sphere(0.5, 24, 16)),
        ("letter H", solids::letter_h()),
    ] {
        let solid = solid(mesh);
        let cap = solid.mesh().surface_count();
        let broken = broken(&solid, &pattern(20, 5), &all()).expect("a break");
        let flat = meshes(&solid, &broken);
        for (mesh, flat) in rough(&solid, &broken, &bumps(5)).iter().zip(&flat) {
            let crossed =
                [mesh, flat].map(|m| MeshReport::new(m).expect("a mesh").self_intersections.count);
            // Rounding alone may have made some, of triangles too thin to be seen.
            crossings += crossed[0].saturating_sub(crossed[1]);
            triangles += mesh.triangles.len();
            let areas = [mesh, flat].map(|m| outside_area(m, cap));
            assert!((areas[0] - areas[1]).abs() < 1e-5, "{name}: {areas:?}");
        }
    }
    assert!(triangles > 30_000);
    assert!(crossings * 1000 < triangles, "{crossings} of {triangles}");
}

fn outside_area(mesh: &Mesh, cap: u32) -> f64 {
    let all = mesh.triangles.iter().enumerate();
    let outside = all.filter(|(index, _)| mesh.surface(*index) != cap);
    let area = |(_, t): (usize, &[u32; 3])| {
        let [a, b, c] = t.map(|v| place(mesh, v).as_dvec3());
        0.5 * (b - a).cross(c - a).length()
    };
    outside.map(area).sum()
}

#[test]
fn normals_and_tangents_follow_the_bumps() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    let count = mesh.positions.len();
    mesh.normals = vec![[0.0, 1.0, 0.0]; count];
    mesh.tangents = vec![[1.0, 0.0, 0.0, 1.0]; count];
    mesh.uvs = vec![[0.0; 2]; count];
    let solid = solid(mesh);
    let broken = broken(&solid, &pattern(10, 5), &all()).expect("a break");
    let (mut turned, mut corners) = (0, 0);
    for mesh in rough(&solid, &broken, &bumps(5)) {
        assert_eq!(mesh.normals.len(), mesh.positions.len());
        assert_eq!(mesh.tangents.len(), mesh.positions.len());
        assert_eq!(mesh.uvs.len(), mesh.positions.len());
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            if mesh.surface(index) == 0 {
                continue;
            }
            let [a, b, c] = triangle.map(|v| place(&mesh, v));
            let face = (b - a).cross(c - a);
            // Along an outline some are so thin that rounding turns them.
            if face.length() < 1e-6 {
                continue;
            }
            let face = face.normalize();
            for vertex in triangle {
                let normal = Vec3::from(mesh.normals[*vertex as usize]);
                let [x, y, z, _] = mesh.tangents[*vertex as usize];
                let tangent = Vec3::new(x, y, z);
                assert!((normal.length() - 1.0).abs() < 1e-4);
                assert!(tangent.dot(normal).abs() < 1e-3 && tangent.length() > 0.99);
                turned += usize::from(normal.dot(face) < 0.999);
                corners += 1;
                assert!(normal.dot(face) > 0.0, "a normal looks inwards");
            }
        }
    }
    assert!(turned * 2 > corners, "{turned} of {corners}");
}

#[test]
fn bumps_are_seeded_bounded_and_free_when_off() {
    let solid = solid(Mesh::cuboid([1.0; 3]));
    let broken = broken(&solid, &pattern(10, 5), &all()).expect("a break");
    let with = |roughness: Roughness| rough(&solid, &broken, &roughness);
    assert_eq!(with(bumps(1)), with(bumps(1)));
    assert_ne!(with(bumps(1)), with(bumps(2)));
    let flat = meshes(&solid, &broken);
    for height in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(with(Roughness { height, ..bumps(1) }), flat);
    }
    // A grain that is far too fine is made coarser.
    let fine = with(Roughness {
        grain: 1e-6,
        ..bumps(1)
    });
    let triangles: usize = fine.iter().map(|mesh| mesh.triangles.len()).sum();
    assert!(triangles < 400_000, "{triangles}");
}

#[test]
fn the_density_of_the_outside_is_measured() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    assert_eq!(solid(mesh.clone()).uv_density(), 1.0);
    // Every side of the box from corner to corner of three by three repeats.
    let side = |p: &[f32; 3]| [3.0 * (p[0] + p[2]), 3.0 * p[1]];
    mesh.uvs = mesh.positions.iter().map(side).collect();
    let density = solid(mesh).uv_density();
    // Four sides of six; lid and floor have none.
    assert!(
        (density - 3.0 * (4.0f32 / 6.0).sqrt()).abs() < 1e-3,
        "{density}"
    );
}

#[test]
fn bumps_are_the_same_on_any_number_of_threads() {
    for (name, mesh) in solids::all().into_iter().take(8) {
        let solid = solid(mesh);
        let broken = fracture(&solid, &pattern(20, 5), &all(), &mut Workspace::default()).unwrap();
        let rough = |count: usize| {
            let meshes = meshes(&solid, &broken);
            let meshes: Vec<&Mesh> = meshes.iter().collect();
            let threads = Threads {
                runner: &Runner,
                count,
            };
            let pieces = &broken.pieces;
            finish(roughen_in_steps(
                &threads,
                pieces,
                &meshes,
                &solid,
                &bumps(2),
            ))
        };
        let one = rough(1);
        for threads in [2, 3, 7] {
            assert!(rough(threads) == one, "{name} on {threads}");
        }
    }
}

#[test]
fn a_fine_grain_is_coarsened_until_there_are_few_triangles_also_where_they_are_thin() {
    let wall = Mesh::cuboid([4.0, 3.0, 0.3]);
    let needles: Vec<DVec3> = (0..40)
        .map(|k| DVec3::new(0.1 * f64::from(k) - 2.0, 0.0, 0.0))
        .collect();
    let thin = Pattern::from_sites(&needles).expect("a pattern");
    for (name, pattern) in [("cells", pattern(200, 4)), ("slices", thin)] {
        let solid = solid(wall.clone());
        let broken = fracture(&solid, &pattern, &all(), &mut Workspace::default()).unwrap();
        let meshes = meshes(&solid, &broken);
        let before: usize = meshes.iter().map(|mesh| mesh.triangles.len()).sum();
        let fine = Roughness {
            grain: 0.004,
            ..bumps(1)
        };
        let rough = roughen(&broken.pieces, &meshes, &solid, &fine);
        let count: usize = rough.iter().map(|mesh| mesh.triangles.len()).sum();
        let caps = count - before;
        assert!((10_000..70_000).contains(&caps), "{name}: {caps}");
    }
}
