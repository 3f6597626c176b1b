//! Welding: vertices of identical position become one point, and triangles that use a point twice are
//! left out. Nothing else welds, and nothing is welded by distance.

use super::Mesh;
use crate::math::triangle::are_distinct;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::Xxh3;

/// Bytes that are given to the hash at once.
const HASHED_BLOCK: usize = 4096;

/// Triangles over distinct positions, without those that use one twice.
pub struct WeldedMesh {
    /// Distinct positions.
    pub points: Vec<[f32; 3]>,
    /// By triangle: its points.
    pub corners: Vec<[u32; 3]>,
    /// By triangle: its index in the mesh, ascending.
    pub source: Vec<u32>,
}

impl WeldedMesh {
    /// Welds a mesh whose indices are in range.
    pub fn new(mesh: &Mesh) -> Self {
        let (points, point_of_vertex) = weld(&mesh.positions);
        let count = mesh.triangles.len();
        let (mut corners, mut source) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            let triangle = triangle.map(|v| point_of_vertex[v as usize]);
            if are_distinct(&triangle) {
                corners.push(triangle);
                source.push(index as u32);
            }
        }
        Self {
            points,
            corners,
            source,
        }
    }
}

/// Distinct positions in order of first use, and the point of each vertex.
fn weld(positions: &[[f32; 3]]) -> (Vec<[f32; 3]>, Vec<u32>) {
    // Numbers of a tuple are hashed one by one, which is faster than the bytes of an array.
    let mut ids: FxHashMap<(u32, u32, u32), u32> = FxHashMap::default();
    ids.reserve(positions.len() / 2);
    let mut points = Vec::new();
    let point_of_vertex = positions.iter().map(|position| {
        *ids.entry(position_bits(position).into())
            .or_insert_with(|| {
                points.push(*position);
                points.len() as u32 - 1
            })
    });
    let point_of_vertex = point_of_vertex.collect();
    (points, point_of_vertex)
}

/// The bits of a position, with negative zeros made positive.
pub fn position_bits(position: &[f32; 3]) -> [u32; 3] {
    position.map(|x| (x + 0.0).to_bits())
}

/// Content hash of positions, triangles and surfaces, which decide the pieces.
pub fn content_hash(mesh: &Mesh) -> u64 {
    let mut hasher = Xxh3::new();
    let corners = mesh.triangles.as_flattened();
    let coordinates = mesh.positions.iter().flat_map(position_bits);
    let words = coordinates
        .chain(corners.iter().copied())
        .chain(mesh.surfaces.iter().copied());
    // Block by block, which is several times as fast as word by word.
    let mut block = Vec::with_capacity(HASHED_BLOCK);
    words.for_each(|word| {
        block.extend(word.to_le_bytes());
        if block.len() == HASHED_BLOCK {
            hasher.update(&block);
            block.clear();
        }
    });
    hasher.update(&block);
    hasher.digest()
}
