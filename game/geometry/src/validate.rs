//! Validators: product code, used by tests, reports and the editor.

use crate::mesh::Mesh;
use rustc_hash::FxHashMap;

/// What [`check_closed`] finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Closedness {
    /// Directed edges that have not as many opposites as copies.
    pub open_edges: usize,
    /// Directed edges with more than one copy: the mesh touches itself there. Allowed.
    pub crowded_edges: usize,
    /// Triangles that use one position twice.
    pub repeated_corners: usize,
    /// Positions that are NaN or infinite.
    pub non_finite: usize,
}

impl Closedness {
    /// Whether the mesh is a closed surface of finite triangles.
    pub fn is_closed(&self) -> bool {
        self.open_edges == 0 && self.repeated_corners == 0 && self.non_finite == 0
    }
}

/// Checks that every directed edge has as many opposites as copies, comparing positions bit for bit.
///
/// Indices must be in range, as they are in every mesh of this crate; triangles with others count as
/// not finite.
pub fn check_closed(mesh: &Mesh) -> Closedness {
    let mut found = Closedness::default();
    let finite = |p: &&[f32; 3]| !p.iter().all(|x| x.is_finite());
    found.non_finite = mesh.positions.iter().filter(finite).count();
    let mut points: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let point: Vec<u32> = mesh
        .positions
        .iter()
        .map(|position| {
            let next = points.len() as u32;
            *points
                .entry(position.map(|x| (x + 0.0).to_bits()))
                .or_insert(next)
        })
        .collect();
    let mut edges: Vec<(u32, u32)> = Vec::with_capacity(3 * mesh.triangles.len());
    for triangle in &mesh.triangles {
        if triangle.iter().any(|v| *v as usize >= point.len()) {
            found.non_finite += 1;
            continue;
        }
        let [a, b, c] = triangle.map(|v| point[v as usize]);
        found.repeated_corners += usize::from(a == b || b == c || c == a);
        edges.extend([(a, b), (b, c), (c, a)]);
    }
    edges.sort_unstable();
    for copies in edges.chunk_by(|a, b| a == b) {
        let (a, b) = copies[0];
        let start = edges.partition_point(|e| *e < (b, a));
        let opposites = edges[start..].iter().take_while(|e| **e == (b, a)).count();
        found.open_edges += usize::from(opposites != copies.len());
        found.crowded_edges += usize::from(copies.len() > 1);
    }
    found
}
