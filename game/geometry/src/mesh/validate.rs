//! Validation of meshes: closedness, and arrays that match.

use super::{is_closed_manifold, position_bits, Mesh, WeldedMesh, CAP_SURFACE, MAX_TRIANGLES};
use crate::error::SolidError;
use crate::math::triangle::are_distinct;
use rustc_hash::FxHashMap;

/// Faults that [`check_closed`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closedness {
    /// Directed edges that have more or fewer opposites than copies.
    pub open_edges: usize,
    /// Directed edges with more than one copy, where the mesh touches itself; allowed.
    pub non_manifold_edges: usize,
    /// Triangles that use one position twice.
    pub degenerate_triangles: usize,
    /// Positions that are NaN or infinite, and triangles with an index out of range.
    pub non_finite: usize,
}

impl Closedness {
    /// Whether the mesh is a closed surface of finite, not degenerate triangles.
    pub fn is_closed(&self) -> bool {
        self.open_edges == 0 && self.degenerate_triangles == 0 && self.non_finite == 0
    }
}

/// Checks that every directed edge has as many opposites as copies, comparing positions bit for bit.
pub fn check_closed(mesh: &Mesh) -> Closedness {
    if is_without_fault(mesh) {
        return Closedness::default();
    }
    let mut found = Closedness::default();
    let finite = |p: &&[f32; 3]| !p.iter().all(|x| x.is_finite());
    found.non_finite = mesh.positions.iter().filter(finite).count();
    let mut points: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let point: Vec<u32> = mesh
        .positions
        .iter()
        .map(|position| {
            let next = points.len() as u32;
            *points.entry(position_bits(position)).or_insert(next)
        })
        .collect();
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(3 * mesh.triangles.len());
    for triangle in &mesh.triangles {
        if triangle.iter().any(|v| *v as usize >= point.len()) {
            found.non_finite += 1;
            continue;
        }
        let corners = triangle.map(|v| point[v as usize]);
        found.degenerate_triangles += usize::from(!are_distinct(&corners));
        let [a, b, c] = corners;
        edges.extend([(a, b), (b, c), (c, a)]);
    }
    edges.sort_unstable();
    for copies in edges.chunk_by(|a, b| a == b) {
        let (a, b) = copies[0];
        let start = edges.partition_point(|e| *e < (b, a));
        let opposites = edges[start..].iter().take_while(|e| **e == (b, a)).count();
        found.open_edges += usize::from(opposites != copies.len());
        found.non_manifold_edges += usize::from(copies.len() > 1);
    }
    found
}

/// Whether a mesh is closed and has no edge of more than two triangles: what most are, in a fifth of the time.
fn is_without_fault(mesh: &Mesh) -> bool {
    let corners = mesh.triangles.as_flattened().iter();
    let highest = corners.fold(0, |highest, corner| highest.max(*corner));
    let is_finite = |p: &[f32; 3]| p.iter().all(|x| x.is_finite());
    if highest as usize >= mesh.positions.len() || !mesh.positions.iter().all(is_finite) {
        return false;
    }
    let welded = WeldedMesh::new(mesh);
    welded.source.len() == mesh.triangles.len()
        && is_closed_manifold(&welded.corners, welded.points.len())
}

/// Checks that the arrays of a mesh match, are not too large, and have finite positions.
pub(crate) fn check_arrays(mesh: &Mesh) -> Result<(), SolidError> {
    let vertices = mesh.positions.len();
    if mesh.triangles.is_empty() {
        return Err(SolidError::Empty);
    }
    for (what, found) in [("triangles", mesh.triangles.len()), ("vertices", vertices)] {
        if found > MAX_TRIANGLES {
            return Err(SolidError::TooLarge {
                what,
                found,
                limit: MAX_TRIANGLES,
            });
        }
    }
    let per_vertex = [
        ("normals", mesh.normals.len()),
        ("tangents", mesh.tangents.len()),
        ("uvs", mesh.uvs.len()),
        ("colors", mesh.colors.len()),
    ];
    let mut odd = per_vertex
        .iter()
        .filter(|(_, len)| *len != 0 && *len != vertices)
        .map(|(what, _)| *what);
    let are_odd = mesh.attributes.iter().any(|more| !more.fits(vertices));
    let odd = odd.next().or(are_odd.then_some("an attribute"));
    let surfaces_fit = mesh.surfaces.is_empty() || mesh.surfaces.len() == mesh.triangles.len();
    let indices_fit = mesh
        .triangles
        .iter()
        .flatten()
        .all(|v| (*v as usize) < vertices);
    let mismatched = match odd {
        Some(what) => Some(what),
        None if !surfaces_fit => Some("the list of surfaces"),
        None if !indices_fit => Some("the triangle list"),
        None => None,
    };
    if let Some(what) = mismatched {
        return Err(SolidError::Mismatched { what, vertices });
    }
    if let Some(triangle) = mesh.surfaces.iter().position(|s| *s == CAP_SURFACE) {
        return Err(SolidError::ReservedSurface { triangle });
    }
    let fits = |p: &[f32; 3]| p.iter().all(|x| x.abs() <= 1e15);
    match mesh.positions.iter().position(|p| !fits(p)) {
        Some(vertex) => Err(SolidError::NotFinite { vertex }),
        None => Ok(()),
    }
}
