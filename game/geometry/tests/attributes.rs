//! Nothing of the old surface is lost: attributes of old vertices to the bit, areas by surface.

use crate::check::{all, broken, coarseness, in_box, near, random, solid};
use crate::solids;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, Attribute, Fracture, FractureParams, Mesh, Pattern, Recipe, Solid, SolidError,
    VertexSource, Workspace,
};
use glam::{DVec3, Vec3};
use rand::Rng;

/// The mesh with attributes that no two vertices share, on four surfaces.
fn dressed(mesh: Mesh) -> Mesh {
    let mut random = random(21);
    let count = mesh.positions.len();
    let mut number = || random.random_range(-1.0..1.0f32);
    Mesh {
        normals: (0..count).map(|_| [number(), number(), number()]).collect(),
        tangents: (0..count)
            .map(|_| [number(), number(), number(), 1.0])
            .collect(),
        uvs: (0..count).map(|_| [number(), number()]).collect(),
        colors: (0..count)
            .map(|_| [number(), number(), number(), number()])
            .collect(),
        attributes: vec![Attribute {
            id: 7,
            size: 3,
            values: (0..3 * count).map(|_| number()).collect(),
            on_cuts: None,
        }],
        surfaces: (0..mesh.triangles.len())
            .map(|t| t as u32 * 7 % 4)
            .collect(),
        ..mesh
    }
}

fn bits<const N: usize>(list: &[[f32; N]], at: usize) -> [u32; N] {
    list[at].map(f32::to_bits)
}

/// Every old vertex of every piece carries what the source's vertex does; returns which were seen.
fn check_vertices(name: &str, solid: &Solid, result: &Fracture) -> Vec<bool> {
    let (source, style) = (solid.mesh(), CapStyle::own_surface(solid.mesh()));
    let mut seen = vec![false; source.positions.len()];
    for piece in &result.pieces {
        let (whole, own) = (piece.expanded(solid), piece.to_mesh(solid, &style));
        for (at, corner) in whole.vertices.iter().enumerate() {
            let VertexSource::Vertex(vertex) = corner.source else {
                continue;
            };
            let vertex = vertex as usize;
            seen[vertex] = true;
            assert_eq!(
                bits(&own.positions, at),
                bits(&source.positions, vertex),
                "{name}"
            );
            assert_eq!(
                bits(&own.normals, at),
                bits(&source.normals, vertex),
                "{name}"
            );
            assert_eq!(
                bits(&own.tangents, at),
                bits(&source.tangents, vertex),
                "{name}"
            );
            assert_eq!(bits(&own.uvs, at), bits(&source.uvs, vertex), "{name}");
            assert_eq!(
                bits(&own.colors, at),
                bits(&source.colors, vertex),
                "{name}"
            );
            let [old, new] = [(source, vertex), (&own, at)].map(|(mesh, at)| {
                let row = mesh.attributes[0].row(at).unwrap();
                row.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            });
            assert_eq!(old, new, "{name}");
        }
    }
    seen
}

/// The area of each surface.
fn areas(mesh: &Mesh) -> [f64; 4] {
    let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let mut areas = [0.0; 4];
    for (index, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c]: [DVec3; 3] = triangle.map(place);
        if let Some(area) = areas.get_mut(mesh.surface(index) as usize) {
            *area += 0.5 * (b - a).cross(c - a).length();
        }
    }
    areas
}

fn check_areas(name: &str, solid: &Solid, result: &Fracture) {
    let style = CapStyle {
        surface: 4,
        ..CapStyle::own_surface(solid.mesh())
    };
    let mut sums = [0.0; 4];
    for piece in &result.pieces {
        let own = areas(&piece.to_mesh(solid, &style));
        sums.iter_mut()
            .zip(own)
            .for_each(|(sum, area)| *sum += area);
    }
    let wanted = areas(solid.mesh());
    let whole: f64 = wanted.iter().sum();
    for (sum, wanted) in sums.iter().zip(wanted) {
        let error = (sum - wanted).abs() / whole;
        assert!(
            error < 1e-5 + coarseness(solid),
            "{name}: {wanted} m^2 became {sum}"
        );
    }
}

/// Whether the corners of a triangle have three distinct positions.
fn takes_part(solid: &Solid, triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|v| solid.mesh().positions[v as usize]);
    a != b && b != c && c != a
}

fn cuts() -> [FractureParams<'static>; 3] {
    let corner = DVec3::splat(0.35);
    [all(), near(corner, 0.3), near(DVec3::X * 0.5, 0.15)]
}

#[test]
fn old_vertices_keep_every_bit_and_surfaces_their_area() {
    let sites = Recipe::Uniform { cells: 50 }.sites(12).expect("sites");
    let sites: Vec<DVec3> = sites.iter().map(|s| *s * 0.55).collect();
    let pattern = Pattern::from_sites(&sites).expect("a pattern");
    for (name, mesh) in solids::all() {
        let solid = solid(dressed(mesh));
        for (index, cut) in cuts().iter().enumerate() {
            let name = format!("{name}, cut {index}");
            let result = fracture(&solid, &pattern, cut, &mut Workspace::default());
            // Some have nothing there.
            let Ok(result) = result else { continue };
            let seen = check_vertices(&name, &solid, &result);
            if result.report.collapsed == 0 && result.report.dust == 0 {
                let used = solid
                    .mesh()
                    .triangles
                    .iter()
                    .filter(|t| takes_part(&solid, t));
                let used = used.flatten();
                let lost = used.filter(|v| !seen[**v as usize]).count();
                assert_eq!(lost, 0, "{name}: old vertices are gone");
            }
            check_areas(&name, &solid, &result);
        }
    }
}

/// Planes through vertices, along edges and in faces: a cut at an old vertex is that vertex.
#[test]
fn old_vertices_on_the_planes_keep_every_bit() {
    let pattern = solids::lattice();
    for (name, mesh) in solids::on_the_lattice() {
        let solid = solid(dressed(mesh));
        for cut in cuts() {
            let result = broken(name, &solid, &pattern, &cut);
            check_vertices(name, &solid, &result);
            check_areas(name, &solid, &result);
        }
    }
}

/// A cube whose second attribute is a linear function of the place, as are its texture coordinates and its colours.
fn linear_cube() -> Mesh {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    let places = mesh.positions.clone();
    mesh.uvs = places.iter().map(|p| [2.0 * p[0], p[1] - p[2]]).collect();
    mesh.colors = places.iter().map(|p| [p[0], p[1], p[2], 1.0]).collect();
    mesh.attributes = [(4, 1, None), (9, 3, None), (11, 2, Some(7.0))]
        .map(|(id, size, on_cuts)| Attribute {
            id,
            size,
            on_cuts,
            values: places.iter().flat_map(|p| p[..size].to_vec()).collect(),
        })
        .to_vec();
    mesh.surfaces = vec![0; mesh.triangles.len()];
    mesh
}

/// Checks that attributes are still that function of the place on the old surface of a piece, and that on cut faces they are
/// that of a place there.
fn check_linear(name: &str, own: &Mesh) {
    let ids: Vec<_> = own.attributes.iter().map(|a| (a.id, a.size)).collect();
    assert_eq!(ids, [(4, 1), (9, 3), (11, 2)], "{name}");
    for (triangle, surface) in own.triangles.iter().zip(&own.surfaces) {
        for v in triangle.map(|v| v as usize) {
            let place = Vec3::from(own.positions[v]);
            let first = own.attributes[0].row(v).unwrap();
            let second = Vec3::from_slice(own.attributes[1].row(v).unwrap());
            let third = own.attributes[2].row(v).unwrap();
            assert!((first[0] - second.x).abs() < 1e-5, "{name}");
            if *surface == 0 {
                let color = Vec3::from_slice(&own.colors[v][..3]);
                let [s, t] = own.uvs[v];
                assert!(
                    (second - place).length() < 1e-5,
                    "{name}: {second} at {place}"
                );
                assert!((color - place).length() < 1e-5, "{name}");
                assert!((third[1] - place.y).abs() < 1e-5, "{name}");
                assert!((s - 2.0 * place.x).abs() < 1e-5, "{name}");
                assert!((t - (place.y - place.z)).abs() < 1e-5, "{name}");
            } else {
                let is_old = (second.abs().max_element() - 0.5).abs() < 1e-5;
                assert!(is_old, "{name}: a cut face has that of {second}");
                assert!(third.iter().all(|x| (x - 7.0).abs() < 1e-5), "{name}");
            }
        }
    }
}

#[test]
fn attributes_stay_the_same_function_of_the_place_from_break_to_break() {
    let style = CapStyle {
        surface: 1,
        ..CapStyle::own_surface(&linear_cube())
    };
    for seed in 0..12 {
        let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 20 }, seed).unwrap();
        let first = solid(linear_cube());
        let mut random = random(seed);
        let mut cut = || near(0.5 * in_box(&mut random).normalize(), 0.5);
        for piece in broken("whole", &first, &pattern, &cut()).pieces {
            let own = piece.to_mesh(&first, &style);
            check_linear(&format!("seed {seed}, first break"), &own);
            let second = Solid::new(own).unwrap();
            let params = cut();
            let Ok(again) = fracture(&second, &pattern, &params, &mut Workspace::default()) else {
                continue; // nothing of the piece is there
            };
            for piece in again.pieces {
                let own = piece.to_mesh(&second, &style);
                check_linear(&format!("seed {seed}, second break"), &own);
            }
        }
    }
}

#[test]
fn an_attribute_that_is_too_short_is_refused() {
    for (size, count) in [(2, 3), (0, 0), (5, 5 * 24)] {
        let mut mesh = linear_cube();
        mesh.attributes[0] = Attribute {
            id: 4,
            size,
            values: vec![0.0; count],
            on_cuts: None,
        };
        let refused = Solid::new(mesh).map(|_| ());
        assert!(matches!(refused, Err(SolidError::Mismatched { .. })));
    }
}
