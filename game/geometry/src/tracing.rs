//! Which triangles of a piece are those of the mesh that it was a part of.

use crate::mesh::Mesh;
use crate::piece_mesh::MeshWithSources;
use rustc_hash::FxHashMap;

/// The number of what is not there.
const NONE: u32 = u32::MAX;

impl MeshWithSources {
    /// Finds what a piece has left unchanged of a whole mesh, to the last bit, by looking at nothing but
    /// the two: for pieces of which nobody knows any more how they were cut.
    pub fn found(piece: Mesh, whole: &Mesh) -> Self {
        let points = Points::of(whole);
        let numbers: Vec<u32> = piece.positions.iter().map(|p| points.number(p)).collect();
        let origin = |(triangle, corners): (usize, &[u32; 3])| {
            let corners = corners.map(|vertex| numbers[vertex as usize]);
            let mut found = points.triangles(corners);
            let origin = found.find(|of| is_same((&piece, triangle), (whole, *of as usize)));
            origin.unwrap_or(NONE)
        };
        Self {
            origins: piece.triangles.iter().enumerate().map(origin).collect(),
            mesh: piece,
        }
    }
}

/// The places of a mesh's vertices, and the triangles at each.
struct Points {
    numbers: FxHashMap<[u32; 3], u32>,
    /// By triangle.
    corners: Vec<[u32; 3]>,
    /// The triangles that have a point as their first corner, point by point.
    sorted: Vec<u32>,
    /// Where those of a point begin; one more than there are points.
    first: Vec<u32>,
}

impl Points {
    fn of(mesh: &Mesh) -> Self {
        let mut numbers = FxHashMap::default();
        numbers.reserve(mesh.positions.len());
        let number = |place: &[f32; 3]| {
            let next = numbers.len() as u32;
            *numbers.entry(place.map(f32::to_bits)).or_insert(next)
        };
        let points: Vec<u32> = mesh.positions.iter().map(number).collect();
        let triangles = mesh.triangles.iter();
        let corners: Vec<_> = triangles.map(|t| t.map(|v| points[v as usize])).collect();
        let mut first = vec![0; numbers.len() + 1];
        for [point, ..] in &corners {
            first[*point as usize + 1] += 1;
        }
        for point in 1..first.len() {
            first[point] += first[point - 1];
        }
        let (mut next, mut sorted) = (first.clone(), vec![0; corners.len()]);
        for (triangle, [point, ..]) in (0..).zip(&corners) {
            let place = &mut next[*point as usize];
            sorted[*place as usize] = triangle;
            *place += 1;
        }
        Self {
            numbers,
            corners,
            sorted,
            first,
        }
    }

    fn number(&self, place: &[f32; 3]) -> u32 {
        let place = place.map(f32::to_bits);
        self.numbers.get(&place).copied().unwrap_or(NONE)
    }

    /// The triangles over some points.
    fn triangles(&self, points: [u32; 3]) -> impl Iterator<Item = u32> + '_ {
        let bound = |point: u32| self.first.get(point as usize).map_or(0, |at| *at as usize);
        let point = points[0];
        let there = match point {
            NONE => &[],
            _ => &self.sorted[bound(point)..bound(point + 1)],
        };
        let same = move |triangle: &u32| self.corners[*triangle as usize] == points;
        there.iter().copied().filter(same)
    }
}

/// Whether two triangles at the same place have the same attributes and the same surface.
fn is_same((one, triangle): (&Mesh, usize), (other, of): (&Mesh, usize)) -> bool {
    let corners = one.triangles[triangle].into_iter().zip(other.triangles[of]);
    let mut corners = corners.map(|(a, b)| [a, b].map(|vertex| vertex as usize));
    one.surface(triangle) == other.surface(of)
        && corners.all(|[a, b]| {
            same(&one.normals, a, &other.normals, b)
                && same(&one.tangents, a, &other.tangents, b)
                && same(&one.uvs, a, &other.uvs, b)
                && same(&one.colors, a, &other.colors, b)
        })
}

fn same<const N: usize>(one: &[[f32; N]], a: usize, other: &[[f32; N]], b: usize) -> bool {
    let bits = |row: &[f32; N]| row.map(f32::to_bits);
    one.get(a).map(bits) == other.get(b).map(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unchanged_is_found_whatever_its_number() {
        let mut whole = Mesh::torus(0.8, 0.3, 12, 8);
        whole.uvs = whole.positions.iter().map(|p| [p[0], p[2]]).collect();
        let mut piece = whole.clone();
        piece.triangles = whole.triangles.iter().skip(7).rev().copied().collect();
        let kept = piece.triangles.len();
        // Another place of a vertex, another attribute, another surface.
        let [moved, turned] = [piece.triangles[0][0], piece.triangles[20][0]];
        piece.positions[moved as usize][1] += 1e-6;
        piece.uvs[turned as usize][0] += 1e-6;
        piece.surfaces = vec![0; kept];
        piece.surfaces[40] = 1;
        let changed = |t: usize| {
            let corners = piece.triangles[t];
            corners.contains(&moved) || corners.contains(&turned) || t == 40
        };
        let last = whole.triangles.len() - 1;
        let expected: Vec<u32> = (0..kept)
            .map(|t| {
                if changed(t) {
                    u32::MAX
                } else {
                    (last - t) as u32
                }
            })
            .collect();
        assert!((5..20).contains(&(0..kept).filter(|t| changed(*t)).count()));
        let traced = MeshWithSources::found(piece.clone(), &whole);
        assert_eq!(traced.origins, expected);
        assert_eq!(traced.mesh, piece);
    }
}
