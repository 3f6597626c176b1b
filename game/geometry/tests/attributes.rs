//! Nothing of the old surface is lost: attributes of old vertices to the bit, areas by surface.

use crate::check::{all, broken, coarseness, near, random, solid};
use crate::solids;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, Fracture, FractureParams, Mesh, Pattern, Recipe, Solid, VertexSource, Workspace,
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

fn cuts() -> [FractureParams; 3] {
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
