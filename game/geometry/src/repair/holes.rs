//! Holes closed: their borders filled flat, with the vertices that are there.

use super::RepairOptions;
use crate::check::diagonal;
use crate::mesh::{EdgeTopology, Mesh};
use crate::polygon::{Regions, Triangulator};
use glam::{DVec2, DVec3, Vec3};

/// The share of the allowed square that the filling of a longer slit may have.
const SLIT: f64 = 1e-3;
/// Borders of more edges than this are no small holes, whatever their size.
const LONGEST: usize = 10_000;

/// Closes the holes that are small enough; returns how many, and the triangles added.
///
/// A border is the edges that lack an opposite, joined to simple loops. What fills it runs against
/// them, so that the edges balance, whatever the shape of the hole.
pub fn close(mesh: &mut Mesh, repair: &RepairOptions) -> (usize, usize) {
    let welded = EdgeTopology::new(mesh);
    let open: Vec<u32> = welded
        .edges()
        .flat_map(|edge| welded.excess(edge))
        .collect();
    let limit = repair.hole * diagonal(&mesh.positions);
    let before = mesh.triangles.len();
    let mut holes = 0;
    for border in welded.loops(open) {
        if !(3..=LONGEST).contains(&border.len()) {
            continue;
        }
        let points = border.iter().map(|h| welded.ends(*h)[0]);
        let size = diagonal(points.map(|p| &welded.points[p as usize]));
        let triangles = filling(mesh, &welded, &border);
        if size <= limit || area(mesh, &triangles) <= SLIT * limit * limit {
            let surface = repair
                .hole_surface
                .unwrap_or_else(|| beside(mesh, &welded, &border));
            add(mesh, &triangles, surface);
            holes += 1;
        }
    }
    (holes, mesh.triangles.len() - before)
}

fn area(mesh: &Mesh, triangles: &[[u32; 3]]) -> f64 {
    let place = |v: u32| Vec3::from(mesh.positions[v as usize]).as_dvec3();
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(place);
        0.5 * (b - a).cross(c - a).length()
    };
    triangles.iter().map(area).sum()
}

fn add(mesh: &mut Mesh, triangles: &[[u32; 3]], surface: u32) {
    if mesh.surfaces.is_empty() && surface != 0 {
        mesh.surfaces = vec![0; mesh.triangles.len()];
    }
    mesh.triangles.extend(triangles);
    if !mesh.surfaces.is_empty() {
        mesh.surfaces.resize(mesh.triangles.len(), surface);
    }
}

/// The surface along the longest edge of a border.
fn beside(mesh: &Mesh, welded: &EdgeTopology, border: &[u32]) -> u32 {
    let length = |h: &&u32| {
        let [a, b] = welded.ends(**h).map(|p| welded.position(p));
        a.distance_squared(b)
    };
    let longest = border.iter().max_by(|a, b| length(a).total_cmp(&length(b)));
    longest.map_or(0, |h| mesh.surface(welded.source[*h as usize / 3] as usize))
}

/// Triangles of the mesh's vertices that run against a border.
fn filling(mesh: &Mesh, welded: &EdgeTopology, border: &[u32]) -> Vec<[u32; 3]> {
    // Each corner with the vertex that the triangle beside it has there.
    let ring = || border.iter().rev();
    let vertices: Vec<u32> = ring()
        .map(|h| mesh.triangles[welded.source[*h as usize / 3] as usize][*h as usize % 3])
        .collect();
    let places: Vec<DVec3> = ring()
        .map(|h| welded.position(welded.ends(*h)[0]))
        .collect();
    let flat = flattened(&places);
    let outline = 0..flat.len() as u32;
    let mut filled = Regions::default();
    Triangulator::default().fill(&flat, std::slice::from_ref(&outline), &mut filled);
    let regions = (0..filled.count()).flat_map(|region| filled.triangles(region));
    regions.map(|t| t.map(|at| vertices[at as usize])).collect()
}

/// A loop in the plane that it fits best, counter-clockwise; the plane's normal is the sum of cross
/// products (Newell's method).
fn flattened(loop_: &[DVec3]) -> Vec<DVec2> {
    let Some(&origin) = loop_.first() else {
        return Vec::new();
    };
    let pairs = loop_.iter().zip(loop_.iter().cycle().skip(1));
    let sum: DVec3 = pairs.map(|(a, b)| (*a - origin).cross(*b - origin)).sum();
    let normal = sum.try_normalize().unwrap_or(DVec3::Y);
    let (u, v) = normal.any_orthonormal_pair();
    // The pair and the normal are right-handed.
    let flat = |p: &DVec3| DVec2::new((*p - origin).dot(u), (*p - origin).dot(v));
    loop_.iter().map(flat).collect()
}
