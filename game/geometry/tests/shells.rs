//! Meshes that stay open are broken as sheets: areas add up, and only the mesh's own borders and the
//! cuts are open.

use crate::check::{all, in_box, near, random};
use crate::solids;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, fracture_on, Fracture, FractureParams, Mesh, Pattern, PieceKind, Recipe, Solid,
    SolidError, VertexSource, Workspace,
};
use glam::{DVec3, Vec3};
use std::collections::BTreeMap;

const THICKNESS: f64 = 0.01;

/// Sheets in the box of half a metre about the origin.
fn sheets() -> Vec<(&'static str, Mesh)> {
    let without = |mesh: Mesh, gone: fn(Vec3) -> bool| {
        let middle = |t: &[u32; 3]| {
            t.iter()
                .map(|v| Vec3::from(mesh.positions[*v as usize]))
                .sum::<Vec3>()
                / 3.0
        };
        let kept = mesh
            .triangles
            .iter()
            .filter(|t| !gone(middle(t)))
            .copied()
            .collect();
        Mesh::from_triangles(mesh.positions.clone(), kept)
    };
    let mut turned = Mesh::sphere(0.5, 24, 16);
    (0..turned.triangles.len())
        .step_by(7)
        .for_each(|t| turned.triangles[t].swap(1, 2));
    let grid = without(solids::voxels(6, |_| true), |p| p.y < 0.499);
    let upright = solids::mapped(&grid, |p| Vec3::new(p.x, p.z, p.y - 0.5));
    vec![
        (
            "box without a lid",
            without(solids::voxels(4, |_| true), |p| p.y > 0.499),
        ),
        (
            "half a sphere",
            without(Mesh::sphere(0.5, 24, 16), |p| p.x > 0.0),
        ),
        (
            "tube",
            without(Mesh::torus(0.35, 0.15, 24, 12), |p| p.x > 0.2),
        ),
        ("flat grid", grid.clone()),
        (
            "two grids across each other",
            solids::joined(&[grid, upright]),
        ),
        ("sphere of turned triangles", turned),
        (
            "one triangle",
            Mesh::from_triangles(
                vec![[-0.5, -0.4, 0.1], [0.5, -0.3, 0.0], [0.0, 0.5, -0.2]],
                vec![[0, 1, 2]],
            ),
        ),
        ("closed", solids::linked_rings()),
    ]
}

fn shell(mesh: Mesh) -> Solid {
    Solid::shell(mesh, THICKNESS).expect("a shell")
}

fn pattern(cells: u32, seed: u64) -> Pattern {
    let sites = Recipe::Uniform { cells }.sites(seed).expect("sites");
    Pattern::from_sites(&sites.iter().map(|s| *s * 0.55).collect::<Vec<_>>()).expect("a pattern")
}

type Point = [u32; 3];

/// How often each directed edge has no opposite, over all the triangles of some meshes.
fn open_edges<'a>(meshes: impl IntoIterator<Item = &'a Mesh>) -> BTreeMap<[Point; 2], i32> {
    let mut edges: BTreeMap<[Point; 2], i32> = BTreeMap::new();
    for mesh in meshes {
        for triangle in &mesh.triangles {
            let [a, b, c] =
                triangle.map(|v| mesh.positions[v as usize].map(|x| (x + 0.0).to_bits()));
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (key, way) = if from < to {
                    ([from, to], 1)
                } else {
                    ([to, from], -1)
                };
                *edges.entry(key).or_default() += way;
            }
        }
    }
    edges.retain(|_, times| *times != 0);
    edges
}

/// The length of open edges, copies counted.
fn open_length(edges: &BTreeMap<[Point; 2], i32>) -> f64 {
    let place = |p: &Point| Vec3::from(p.map(f32::from_bits)).as_dvec3();
    let length = |(ends, times): (&[Point; 2], &i32)| {
        f64::from(times.abs()) * place(&ends[0]).distance(place(&ends[1]))
    };
    edges.iter().map(length).sum()
}

fn check(name: &str, solid: &Solid, cut: &FractureParams, pattern: &Pattern) -> Option<Fracture> {
    let result = fracture(solid, pattern, cut, &mut Workspace::default()).ok()?;
    let style = CapStyle::own_surface(solid.mesh());
    let meshes: Vec<Mesh> = result
        .pieces
        .iter()
        .map(|p| p.to_mesh(solid, &style))
        .collect();
    let volume: f64 = result.pieces.iter().map(|p| p.mass.volume).sum();
    let error = (volume + result.report.dust_volume - solid.mass().volume) / solid.mass().volume;
    assert!(error.abs() < 1e-5, "{name}: area off by {error:e}");
    for (piece, mesh) in result.pieces.iter().zip(&meshes) {
        assert!(piece.open && piece.mass.volume > 0.0, "{name}");
        assert!(
            mesh.positions.iter().flatten().all(|x| x.is_finite()),
            "{name}"
        );
        let no_caps = piece
            .vertices
            .iter()
            .all(|c| !matches!(c.source, VertexSource::Cap { .. }));
        assert!(no_caps, "{name}: a cut face in a shell");
    }
    // Put together again, the pieces are open where the mesh is, and nowhere else.
    let (own, all) = (open_edges([solid.mesh()]), open_edges(&meshes));
    let (own, all) = (open_length(&own), open_length(&all));
    assert!(
        (own - all).abs() < 1e-4,
        "{name}: borders of {own} m became {all} m"
    );
    Some(result)
}

#[test]
fn areas_add_up_and_nothing_opens_between_pieces() {
    for (name, mesh) in sheets() {
        let solid = shell(mesh);
        for (cells, seed) in [(2, 1), (30, 2), (120, 3)] {
            let name = format!("{name} x {cells}");
            let whole = check(&name, &solid, &all(), &pattern(cells, seed));
            assert!(whole.is_some_and(|w| w.islands().count() == 0), "{name}");
        }
        let mut random = random(5);
        for seed in 0..10 {
            let cut = near(in_box(&mut random) * 0.5, 0.3);
            check(
                &format!("{name}, hit {seed}"),
                &solid,
                &cut,
                &pattern(40, seed),
            );
        }
    }
}

#[test]
fn planes_in_the_sheet_and_along_its_edges() {
    let lattice = |n: i32| {
        let at = |k: i32| f64::from(k) / f64::from(n) - 0.5 + 0.5 / f64::from(n);
        let sites = (0..n * n * n).map(|k| DVec3::new(at(k % n), at(k / n % n), at(k / n / n)));
        Pattern::from_sites(&sites.collect::<Vec<_>>()).expect("a pattern")
    };
    for (name, mesh) in sheets() {
        let solid = shell(mesh);
        for n in [2, 3, 4, 6] {
            check(&format!("{name}, lattice {n}"), &solid, &all(), &lattice(n));
            check(
                &format!("{name}, lattice {n}, hit"),
                &solid,
                &near(DVec3::splat(0.5), 0.6),
                &lattice(n),
            );
        }
    }
}

#[test]
fn a_sheet_cut_through_falls_into_islands_and_knows_its_seams() {
    let grid = sheets()
        .into_iter()
        .find(|(name, _)| *name == "flat grid")
        .expect("the grid")
        .1;
    let solid = shell(grid);
    assert!(
        (solid.mass().volume - THICKNESS).abs() < 1e-9,
        "{:?}",
        solid.mass()
    );
    let sites = [-0.6, 0.0, 0.6].map(|x| DVec3::new(x, 0.5, 0.0));
    let pattern = Pattern::from_sites(&sites).expect("a pattern");
    let result = check("strip", &solid, &near(DVec3::Y * 0.5, 0.1), &pattern).expect("pieces");
    let kinds: Vec<PieceKind> = result.pieces.iter().map(|p| p.kind).collect();
    assert_eq!(
        (result.fragments().count(), result.islands().count()),
        (1, 2),
        "{kinds:?}"
    );
    let lengths: Vec<f32> = result.contacts.iter().map(|contact| contact.area).collect();
    assert_eq!(lengths.len(), 2, "{:?}", result.contacts);
    assert!(
        lengths.iter().all(|l| (l - 1.0).abs() < 1e-5),
        "{lengths:?}"
    );
    let inertia = result.pieces[0].mass.inertia(1.0).determinant();
    assert!(inertia > 0.0, "a sheet can be turned: {inertia}");
}

#[test]
fn a_shell_is_the_same_on_any_number_of_threads() {
    let solid = shell(sheets().swap_remove(1).1);
    let pattern = pattern(60, 7);
    for cut in [all(), near(DVec3::X * -0.5, 0.3)] {
        let one = fracture(&solid, &pattern, &cut, &mut Workspace::default());
        let mut workspaces: Vec<Workspace> = Vec::new();
        workspaces.resize_with(4, Workspace::default);
        let many = fracture_on(
            &crate::determinism::Threads,
            &solid,
            &pattern,
            &cut,
            &mut workspaces,
        );
        assert_eq!(one, many);
    }
}

#[test]
fn a_thickness_that_is_none_is_refused() {
    for thickness in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = Solid::shell(Mesh::cuboid([1.0; 3]), thickness).expect_err("refused");
        assert!(matches!(refused, SolidError::Thickness { .. }), "{refused}");
    }
    let line = Mesh::from_triangles(vec![[0.0; 3], [1.0; 3], [2.0; 3]], vec![[0, 1, 2]]);
    let refused = Solid::shell(line, THICKNESS).expect_err("no area");
    assert!(matches!(refused, SolidError::NoVolume { .. }), "{refused}");
}

/// Three plates that share one edge, of triangles enough for many blocks: hit anywhere, also across
/// the edge, the rest stays connected along it.
#[test]
fn plates_that_share_an_edge_hang_together() {
    let (rows, columns) = (24u32, 12u32);
    let mut mesh = Mesh::default();
    for plate in 0..3 {
        let angle = f64::from(plate) * 2.1;
        let out = Vec3::new(libm::cos(angle) as f32, 0.0, libm::sin(angle) as f32);
        let first = mesh.positions.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                let along = row as f32 / rows as f32 - 0.5;
                let at = out * (0.5 * column as f32 / columns as f32) + Vec3::Y * along;
                mesh.positions.push(at.to_array());
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let at = |r: u32, c: u32| first + r * (columns + 1) + c;
                let [a, b] = [at(row, column), at(row, column + 1)];
                let [c, d] = [at(row + 1, column + 1), at(row + 1, column)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    let solid = Solid::shell(mesh, THICKNESS).expect("a shell");
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 60 }, 3).expect("a pattern");
    for point in [
        DVec3::new(0.5, 0.4, 0.0),
        DVec3::new(-0.2, -0.4, 0.4),
        DVec3::ZERO,
        DVec3::new(0.1, 0.1, 0.0),
    ] {
        let cut = FractureParams {
            placement: fracture_geometry::Placement::at_impact(point, DVec3::X, 0.3, 0.3),
            selection: fracture_geometry::CellSelection::Within {
                point,
                radius: 0.06,
            },
        };
        let result = fracture(&solid, &pattern, &cut, &mut Workspace::default()).expect("a break");
        assert!(result.fragments().count() >= 1, "{point}");
        assert_eq!(result.islands().count(), 1, "{point}");
    }
}
