//! Filling of holes: planar triangulations of their boundary loops over the vertices that exist.

use crate::check::diagonal;
use crate::mesh::{EdgeTopology, Mesh};
use crate::polygon::{Regions, Triangulator};
use glam::{DVec2, DVec3, Vec3};

/// Largest area of the filling of a slit longer than the allowed hole, as a fraction of a square of
/// the allowed size.
const MAX_SLIT_AREA: f64 = 1e-3;
/// Loops of more edges are not filled: triangulating them would take too long.
const MAX_LOOP_EDGES: usize = 10_000;

/// Fills the holes that are small enough, see [`RepairOptions`](crate::repair::RepairOptions); returns the number
/// of holes and of triangles added.
///
/// A boundary loop consists of half-edges without an opposite. Its filling runs against them, so that
/// the edges balance whatever the shape of the hole.
pub fn fill_holes(mesh: &mut Mesh, max_hole: f64, hole_surface: Option<u32>) -> (usize, usize) {
    let topology = EdgeTopology::new(mesh);
    let edges = topology.edges();
    let open: Vec<u32> = edges.flat_map(|edge| topology.unpaired(edge)).collect();
    let max_size = max_hole * diagonal(&mesh.positions);
    let triangles_before = mesh.triangles.len();
    let mut holes = 0;
    for boundary in topology.loops(open) {
        if !(3..=MAX_LOOP_EDGES).contains(&boundary.len()) {
            continue;
        }
        let points = boundary.iter().map(|h| topology.ends(*h)[0]);
        let size = diagonal(points.map(|p| &topology.points[p as usize]));
        let filling = triangulate(mesh, &topology, &boundary);
        if size <= max_size || area(mesh, &filling) <= MAX_SLIT_AREA * max_size * max_size {
            let surface =
                hole_surface.unwrap_or_else(|| surface_at_longest_edge(mesh, &topology, &boundary));
            append(mesh, &filling, surface);
            holes += 1;
        }
    }
    (holes, mesh.triangles.len() - triangles_before)
}

fn area(mesh: &Mesh, triangles: &[[u32; 3]]) -> f64 {
    let position = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(position);
        0.5 * (b - a).cross(c - a).length()
    };
    triangles.iter().map(area).sum()
}

fn append(mesh: &mut Mesh, triangles: &[[u32; 3]], surface: u32) {
    if mesh.surfaces.is_empty() && surface != 0 {
        mesh.surfaces = vec![0; mesh.triangles.len()];
    }
    mesh.triangles.extend(triangles);
    if !mesh.surfaces.is_empty() {
        mesh.surfaces.resize(mesh.triangles.len(), surface);
    }
}

fn surface_at_longest_edge(mesh: &Mesh, topology: &EdgeTopology, boundary: &[u32]) -> u32 {
    let length = |h: &&u32| {
        let [a, b] = topology.ends(**h).map(|p| topology.position(p));
        a.distance_squared(b)
    };
    let longest = boundary
        .iter()
        .max_by(|a, b| length(a).total_cmp(&length(b)));
    longest.map_or(0, |h| {
        mesh.surface(topology.source[*h as usize / 3] as usize)
    })
}

/// Triangles over the mesh's vertices that run against a boundary loop.
fn triangulate(mesh: &Mesh, topology: &EdgeTopology, boundary: &[u32]) -> Vec<[u32; 3]> {
    let reversed = || boundary.iter().rev();
    // Each corner gets the vertex that the triangle at the boundary has there.
    let vertices: Vec<u32> = reversed()
        .map(|h| mesh.triangles[topology.source[*h as usize / 3] as usize][*h as usize % 3])
        .collect();
    let positions: Vec<DVec3> = reversed()
        .map(|h| topology.position(topology.ends(*h)[0]))
        .collect();
    let projected = project_to_plane(&positions);
    let outline = 0..projected.len() as u32;
    let mut regions = Regions::default();
    Triangulator::default().fill(&projected, std::slice::from_ref(&outline), &mut regions);
    let triangles = (0..regions.count()).flat_map(|region| regions.triangles(region));
    triangles
        .map(|t| t.map(|corner| vertices[corner as usize]))
        .collect()
}

/// A loop projected to the plane that fits it best, counter-clockwise; the plane's normal is the sum
/// of cross products (Newell's method).
fn project_to_plane(positions: &[DVec3]) -> Vec<DVec2> {
    let Some(&origin) = positions.first() else {
        return Vec::new();
    };
    let pairs = positions.iter().zip(positions.iter().cycle().skip(1));
    let sum: DVec3 = pairs.map(|(a, b)| (*a - origin).cross(*b - origin)).sum();
    let normal = sum.try_normalize().unwrap_or(DVec3::Y);
    // The pair and the normal are right-handed.
    let (u, v) = normal.any_orthonormal_pair();
    let project = |p: &DVec3| DVec2::new((*p - origin).dot(u), (*p - origin).dot(v));
    positions.iter().map(project).collect()
}
