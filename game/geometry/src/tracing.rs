//! Which triangles of a piece are those of the mesh that it was a part of.

use crate::chunks::Traced;
use crate::mesh::Mesh;
use rustc_hash::FxHashMap;

/// The bits of the places of three corners.
type Places = [[u32; 3]; 3];

impl Traced {
    /// Finds what a piece has left unchanged of a whole mesh, to the last bit, by looking at nothing but
    /// the two: for pieces of which nobody knows any more how they were cut.
    pub fn found(piece: Mesh, whole: &Mesh) -> Self {
        let mut known: FxHashMap<Places, u32> = FxHashMap::default();
        known.reserve(whole.triangles.len());
        for (number, triangle) in (0..).zip(&whole.triangles) {
            known.insert(places(whole, triangle), number);
        }
        let all = 0..piece.triangles.len();
        let origin = |triangle: usize| {
            let origin = known
                .get(&places(&piece, &piece.triangles[triangle]))
                .copied();
            let origin = origin.filter(|of| is_same((&piece, triangle), (whole, *of as usize)));
            origin.unwrap_or(u32::MAX)
        };
        Self {
            origins: all.map(origin).collect(),
            mesh: piece,
        }
    }
}

fn places(mesh: &Mesh, triangle: &[u32; 3]) -> Places {
    triangle.map(|vertex| mesh.positions[vertex as usize].map(f32::to_bits))
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
        let traced = Traced::found(piece.clone(), &whole);
        assert_eq!(traced.origins, expected);
        assert_eq!(traced.mesh, piece);
    }
}
