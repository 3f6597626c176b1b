//! Closed shapes as welded points and triangles with a texture coordinate per corner.
//!
//! Points are shared by index, so a shape is closed whatever its creases and texture seams do to
//! the render vertices later: every copy of a point carries the same bits.

use crate::vector::{add, cross, dot, length, normalize, scale, sub, Vec3};
use std::collections::BTreeMap;

/// A triangle mesh before its vertices are split at creases and texture seams.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Welded positions, metres, y up.
    pub points: Vec<Vec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// A texture coordinate for each corner of each triangle.
    pub uvs: Vec<[[f32; 2]; 3]>,
    /// Which of the materials each triangle has; those beyond the end have the first.
    pub materials: Vec<u8>,
}

impl Shape {
    /// Gives the triangles from one on a material.
    pub fn paint(&mut self, from: usize, material: u8) {
        self.materials.resize(from, 0);
        self.materials.resize(self.triangles.len(), material);
    }

    /// Adds a point and gives its index.
    pub fn point(&mut self, position: Vec3) -> u32 {
        self.points.push(position);
        self.points.len() as u32 - 1
    }

    /// Adds a triangle unless two of its corners are the same point.
    pub fn triangle(&mut self, corners: [u32; 3], uvs: [[f32; 2]; 3]) {
        let [a, b, c] = corners;
        if a != b && b != c && c != a {
            self.triangles.push(corners);
            self.uvs.push(uvs);
        }
    }

    /// Adds a planar quad as two triangles.
    pub fn quad(&mut self, corners: [u32; 4], uvs: [[f32; 2]; 4]) {
        let [a, b, c, d] = corners;
        self.triangle([a, b, c], [uvs[0], uvs[1], uvs[2]]);
        self.triangle([a, c, d], [uvs[0], uvs[2], uvs[3]]);
    }

    /// Adds a quad whose texture coordinates are projected along its main axis.
    pub fn projected_quad(&mut self, corners: [u32; 4], metres_per_tile: f32) {
        let [a, b, c, _] = corners;
        let uvs = self.projected([a, b, c], corners, metres_per_tile);
        self.quad(corners, uvs);
    }

    /// Adds a triangle whose texture coordinates are projected along its main axis.
    pub fn projected_triangle(&mut self, corners: [u32; 3], metres_per_tile: f32) {
        let uvs = self.projected(corners, corners, metres_per_tile);
        self.triangle(corners, uvs);
    }

    /// Texture coordinates of some points, projected along the main axis of a triangle.
    fn projected<const N: usize>(
        &self,
        triangle: [u32; 3],
        points: [u32; N],
        metres_per_tile: f32,
    ) -> [[f32; 2]; N] {
        let position = |point: u32| self.points[point as usize];
        let normal = face_normal(triangle.map(position));
        points.map(|point| box_uv(position(point), normal, metres_per_tile))
    }

    /// The same with its texture turned by a quarter: grain that ran upwards runs along it.
    pub fn turned(mut self) -> Self {
        for corner in self.uvs.iter_mut().flatten() {
            corner.swap(0, 1);
        }
        self
    }

    /// The same with its points moved, and its texture projected onto the faces as they are then.
    pub fn moved(mut self, metres_per_tile: f32, to: impl Fn(Vec3) -> Vec3) -> Self {
        for point in &mut self.points {
            *point = to(*point);
        }
        let triangles = self.triangles.iter();
        let uvs = triangles.map(|corners| self.projected(*corners, *corners, metres_per_tile));
        self.uvs = uvs.collect();
        self
    }

    /// How many directed edges have not exactly one opposite; 0 for a closed manifold.
    pub fn open_edges(&self) -> usize {
        let mut edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for [a, b, c] in &self.triangles {
            for edge in [(*a, *b), (*b, *c), (*c, *a)] {
                *edges.entry(edge).or_default() += 1;
            }
        }
        let closed =
            |(&(a, b), &count): (&(u32, u32), &u32)| count == 1 && edges.get(&(b, a)) == Some(&1);
        edges.iter().filter(|edge| !closed(*edge)).count()
    }

    /// The signed volume, cubic metres; positive when the triangles face outwards.
    pub fn volume(&self) -> f64 {
        let six: f64 = self
            .triangles
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
                f64::from(dot(a, cross(b, c)))
            })
            .sum();
        six / 6.0
    }

    /// Splits vertices where neighbouring faces meet at more than `crease` degrees or the texture
    /// has a seam, and computes normals and tangents. A mesh for each material.
    pub fn render(&self, crease: f32) -> Vec<RenderMesh> {
        let most = self.materials.iter().max().copied().unwrap_or(0);
        (0..=most).map(|m| self.render_one(crease, m)).collect()
    }

    fn render_one(&self, crease: f32, material: u8) -> RenderMesh {
        let faces: Vec<Vec3> = self.triangles.iter().map(|t| self.area_normal(t)).collect();
        let mut around: Vec<Vec<u32>> = vec![Vec::new(); self.points.len()];
        for (index, triangle) in self.triangles.iter().enumerate() {
            for corner in triangle {
                around[*corner as usize].push(index as u32);
            }
        }
        let limit = crease.to_radians().cos();
        let mut mesh = RenderMesh::default();
        let mut known: BTreeMap<[u32; 6], u32> = BTreeMap::new();
        for (index, triangle) in self.triangles.iter().enumerate() {
            if self.materials.get(index).copied().unwrap_or(0) != material {
                continue;
            }
            let corners = [0, 1, 2].map(|k| {
                let point = triangle[k];
                let normal = smooth(faces[index], &around[point as usize], &faces, limit);
                mesh.vertex(
                    &mut known,
                    point,
                    self.points[point as usize],
                    normal,
                    self.uvs[index][k],
                )
            });
            mesh.triangles.push(corners);
        }
        mesh.compute_tangents();
        mesh
    }

    /// The face's normal, as long as twice its area.
    fn area_normal(&self, triangle: &[u32; 3]) -> Vec3 {
        let [a, b, c] = triangle.map(|corner| self.points[corner as usize]);
        cross(sub(b, a), sub(c, a))
    }
}

/// A mesh ready for a vertex buffer.
#[derive(Clone, Debug, Default)]
pub struct RenderMesh {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Unit tangents; `w` is the handedness of the bitangent.
    pub tangents: Vec<[f32; 4]>,
    /// Texture coordinates.
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

impl RenderMesh {
    fn vertex(
        &mut self,
        known: &mut BTreeMap<[u32; 6], u32>,
        point: u32,
        position: Vec3,
        normal: Vec3,
        uv: [f32; 2],
    ) -> u32 {
        let [x, y, z] = normal.map(f32::to_bits);
        let key = [point, x, y, z, uv[0].to_bits(), uv[1].to_bits()];
        *known.entry(key).or_insert_with(|| {
            self.positions.push(position);
            self.normals.push(normal);
            self.uvs.push(uv);
            self.positions.len() as u32 - 1
        })
    }

    /// Tangents along increasing u, from the texture gradients of the triangles around a vertex.
    fn compute_tangents(&mut self) {
        let count = self.positions.len();
        let mut along_u = vec![[0.0; 3]; count];
        let mut along_v = vec![[0.0; 3]; count];
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|corner| corner as usize);
            let (e1, e2) = (
                sub(self.positions[b], self.positions[a]),
                sub(self.positions[c], self.positions[a]),
            );
            let [u0, v0] = self.uvs[a];
            let (u1, v1) = (self.uvs[b][0] - u0, self.uvs[b][1] - v0);
            let (u2, v2) = (self.uvs[c][0] - u0, self.uvs[c][1] - v0);
            let sign = (u1 * v2 - u2 * v1).signum();
            let tangent = scale(sub(scale(e1, v2), scale(e2, v1)), sign);
            let bitangent = scale(sub(scale(e2, u1), scale(e1, u2)), sign);
            for corner in [a, b, c] {
                along_u[corner] = add(along_u[corner], tangent);
                along_v[corner] = add(along_v[corner], bitangent);
            }
        }
        self.tangents = (0..count)
            .map(|i| tangent_frame(self.normals[i], along_u[i], along_v[i]))
            .collect();
    }
}

/// The tangent made orthogonal to the normal, with the handedness in `w`.
fn tangent_frame(normal: Vec3, along_u: Vec3, along_v: Vec3) -> [f32; 4] {
    let flat = sub(along_u, scale(normal, dot(normal, along_u)));
    let tangent = if length(flat) > 1e-12 {
        normalize(flat)
    } else {
        any_orthogonal(normal)
    };
    let handedness = dot(cross(normal, tangent), along_v);
    let [x, y, z] = tangent;
    [x, y, z, if handedness < 0.0 { -1.0 } else { 1.0 }]
}

fn any_orthogonal(normal: Vec3) -> Vec3 {
    let other = if normal[0].abs() < 0.9 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    normalize(cross(normal, other))
}

/// The area-weighted mean of the faces around a point that lie within the crease angle.
fn smooth(face: Vec3, around: &[u32], faces: &[Vec3], limit: f32) -> Vec3 {
    let own = normalize(face);
    let mut sum = [0.0; 3];
    for &other in around {
        let normal = faces[other as usize];
        if dot(own, normalize(normal)) >= limit {
            sum = add(sum, normal);
        }
    }
    normalize(sum)
}

/// The unit normal of a triangle.
pub fn face_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    normalize(cross(sub(b, a), sub(c, a)))
}

/// Texture coordinates by projection along the axis nearest to the normal.
pub fn box_uv(position: Vec3, normal: Vec3, metres_per_tile: f32) -> [f32; 2] {
    let [x, y, z] = scale(position, 1.0 / metres_per_tile);
    let [nx, ny, nz] = normal.map(f32::abs);
    if ny >= nx && ny >= nz {
        [x, z]
    } else if nx >= nz {
        [z, -y]
    } else {
        [x, -y]
    }
}
