//! Render meshes of pieces: attributes of cut faces, roughness, simplification, and partitions for
//! drawing and colliding that outlast breaks.
//!
//! ```
//! use fracture_geometry::piece_mesh::{roughen, CapStyle, Roughness};
//! use fracture_geometry::{fracture, FractureParams, CellSelection, Mesh, Pattern, Placement, Recipe, Solid, Workspace};
//!
//! let solid = Solid::new(Mesh::cuboid([1.0, 1.0, 1.0]))?;
//! let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 8 }, 1)?;
//! let params = FractureParams { placement: Placement::IDENTITY, selection: CellSelection::All };
//! let broken = fracture(&solid, &pattern, &params, &mut Workspace::default())?;
//! let style = CapStyle::own_surface(solid.mesh());
//! let meshes = broken.pieces.iter().map(|piece| piece.to_mesh(&solid, &style));
//! let mut meshes: Vec<Mesh> = meshes.collect();
//! let roughness = Roughness { height: 0.01, grain: 0.1, seed: 1 };
//! roughen(&broken.pieces, &mut meshes, &solid, &roughness);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cap_uv;
mod render_partition;
mod roughen;

pub use crate::mesh::OctreeLeaf;
pub use cap_uv::CapMapping;
pub use render_partition::{MeshWithSources, RenderPartition};
pub use roughen::{roughen, Roughness};

use crate::fracture::{Piece, PieceVertex, VertexSource, CAP_SURFACE};
use crate::math::NONE;
use crate::mesh::Mesh;
use crate::solid::Solid;
use cap_uv::CapAxes;
use glam::{Vec2, Vec3, Vec4};

/// Look of cut faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapStyle {
    /// Surface (material slot) of cap triangles.
    pub surface: u32,
    /// Texture repeats per metre on cut faces; see also [`Solid::uv_density`].
    pub uv_scale: f32,
    /// Projection of the texture.
    pub mapping: CapMapping,
    /// Rotation of the texture, counter-clockwise, radians.
    pub turn: f32,
}

impl CapStyle {
    /// Caps on a surface of their own, numbered after those of the mesh.
    pub fn own_surface(mesh: &Mesh) -> Self {
        Self {
            surface: mesh.surface_count(),
            uv_scale: 1.0,
            mapping: CapMapping::Planar,
            turn: 0.0,
        }
    }
}

impl Piece {
    /// The piece with the triangles of its patches copied into its own; `solid` is the solid that was
    /// broken.
    pub fn expanded(&self, solid: &Solid) -> Self {
        self.expanded_with_sources(solid).0
    }

    /// [`Piece::expanded`], and for each triangle of a patch its index in the solid's mesh; [`NONE`] for
    /// the others.
    fn expanded_with_sources(&self, solid: &Solid) -> (Self, Vec<u32>) {
        let of_patches = || self.patches.iter().flat_map(|patch| solid.patch(*patch));
        let count = self.triangles.len() + of_patches().count();
        let mut piece = self.with_room_for(count);
        let mut source_triangles = Vec::with_capacity(count);
        source_triangles.resize(self.triangles.len(), NONE);
        if !self.patches.is_empty() {
            let mesh = solid.mesh();
            let mut index_of_vertex = vec![NONE; mesh.positions.len()];
            for (index, vertex) in (0..).zip(&self.vertices) {
                if let VertexSource::Vertex(source) = vertex.source {
                    index_of_vertex[source as usize] = index;
                }
            }
            for triangle in of_patches() {
                let corners = mesh.triangles[triangle as usize].map(|vertex| {
                    let index = &mut index_of_vertex[vertex as usize];
                    if *index == NONE {
                        *index = piece.vertices.len() as u32;
                        piece.vertices.push(PieceVertex {
                            position: mesh.positions[vertex as usize],
                            source: VertexSource::Vertex(vertex),
                        });
                    }
                    *index
                });
                piece.triangles.push(corners);
                piece.surfaces.push(mesh.surface(triangle as usize));
                source_triangles.push(triangle);
            }
        }
        piece.group_by_surface(self.triangles.len(), &mut source_triangles);
        (piece, source_triangles)
    }

    /// A copy without patches, with room for so many triangles and their vertices.
    fn with_room_for(&self, triangles: usize) -> Self {
        // A closed surface has half as many vertices as triangles, but for seams.
        let more_vertices = (triangles - self.triangles.len()) / 2;
        Self {
            vertices: with_room(&self.vertices, self.vertices.len() + more_vertices),
            triangles: with_room(&self.triangles, triangles),
            surfaces: with_room(&self.surfaces, triangles),
            patches: Vec::new(),
            ..*self
        }
    }

    /// [`Piece::to_mesh`], with the source of each triangle.
    pub fn to_mesh_with_sources(&self, solid: &Solid, cap: &CapStyle) -> MeshWithSources {
        let (expanded, source_triangles) = self.expanded_with_sources(solid);
        MeshWithSources {
            mesh: expanded.into_mesh(solid, cap),
            source_triangles,
        }
    }

    /// Sorts the triangles, and the source of each, by surface; within a surface the order is kept. The first `own`
    /// triangles are not of patches.
    fn group_by_surface(&mut self, own: usize, source_triangles: &mut Vec<u32>) {
        if self.surfaces.is_sorted() {
            return;
        }
        let (before, of_patches) = self.surfaces.split_at(own);
        // Mostly all patches are of one surface, and go as they are between the piece's own triangles.
        if let Some(surface) = of_patches.first() {
            if before.is_sorted() && of_patches.iter().all(|other| other == surface) {
                let at = before.partition_point(|own| own <= surface);
                self.triangles[at..].rotate_left(own - at);
                self.surfaces[at..].rotate_left(own - at);
                source_triangles[at..].rotate_left(own - at);
                return;
            }
        }
        let mut order: Vec<u32> = (0..self.surfaces.len() as u32).collect();
        // Few runs of one surface each, which a stable sort merges.
        order.sort_by_key(|index| self.surfaces[*index as usize]);
        let order = || order.iter().map(|index| *index as usize);
        self.triangles = order().map(|index| self.triangles[index]).collect();
        self.surfaces = order().map(|index| self.surfaces[index]).collect();
        *source_triangles = order().map(|index| source_triangles[index]).collect();
    }

    /// The piece as a mesh with the attributes that the broken solid's mesh has.
    ///
    /// Vertices of the solid keep every attribute bit for bit; on cuts attributes are interpolated, and
    /// unit vectors normalised. Cut faces get texture coordinates by [`CapStyle`], the tangents of these,
    /// and white.
    pub fn to_mesh(&self, solid: &Solid, cap: &CapStyle) -> Mesh {
        if !self.patches.is_empty() {
            return self.expanded(solid).into_mesh(solid, cap);
        }
        let (triangles, surfaces) = (self.triangles.clone(), self.surfaces.clone());
        self.mesh_of(triangles, surfaces, solid, cap)
    }

    /// [`Piece::to_mesh`] of a piece without patches.
    fn into_mesh(mut self, solid: &Solid, cap: &CapStyle) -> Mesh {
        let triangles = std::mem::take(&mut self.triangles);
        let surfaces = std::mem::take(&mut self.surfaces);
        self.mesh_of(triangles, surfaces, solid, cap)
    }

    /// A mesh of the piece's vertices and the given triangles, with their surfaces.
    fn mesh_of(
        &self,
        triangles: Vec<[u32; 3]>,
        mut surfaces: Vec<u32>,
        solid: &Solid,
        cap: &CapStyle,
    ) -> Mesh {
        let source = solid.mesh();
        let axes = CapAxes::new(cap.mapping, cap.turn);
        let sampler = AttributeSampler { source, cap, axes };
        let vertices = || self.vertices.iter();
        let has = |len: usize| len == source.positions.len() && len > 0;
        for surface in &mut surfaces {
            if *surface == CAP_SURFACE {
                *surface = cap.surface;
            }
        }
        let mut mesh = Mesh {
            positions: vertices().map(|v| v.position).collect(),
            triangles,
            surfaces,
            ..Mesh::default()
        };
        if has(source.normals.len()) {
            mesh.normals = vertices().map(|v| sampler.normal(v)).collect();
        }
        if has(source.tangents.len()) {
            mesh.tangents = vertices().map(|v| sampler.tangent(v)).collect();
        }
        if has(source.uvs.len()) {
            mesh.uvs = vertices().map(|v| sampler.uv(v)).collect();
        }
        if has(source.colors.len()) {
            mesh.colors = vertices().map(|v| sampler.color(v)).collect();
        }
        mesh
    }
}

/// A copy with room for `capacity` values.
fn with_room<T: Copy>(values: &[T], capacity: usize) -> Vec<T> {
    let mut copy = Vec::with_capacity(capacity);
    copy.extend_from_slice(values);
    copy
}

/// Attributes of piece vertices, from those of the solid's mesh.
struct AttributeSampler<'a> {
    source: &'a Mesh,
    cap: &'a CapStyle,
    axes: CapAxes,
}

impl AttributeSampler<'_> {
    fn normal(&self, vertex: &PieceVertex) -> [f32; 3] {
        match vertex.source {
            VertexSource::Vertex(v) => self.source.normals[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec3 =
                    self.interpolate(triangle, weights, |v| Vec3::from(self.source.normals[v]));
                sum.normalize_or(Vec3::Y).to_array()
            }
            VertexSource::Cap { normal } => normal,
        }
    }

    fn tangent(&self, vertex: &PieceVertex) -> [f32; 4] {
        match vertex.source {
            VertexSource::Vertex(v) => self.source.tangents[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let at = |v: usize| Vec4::from(self.source.tangents[v]);
                let sum: Vec4 = self.interpolate(triangle, weights, at);
                let side = if sum.w < 0.0 { -1.0 } else { 1.0 };
                let unit = sum.truncate().normalize_or(Vec3::X);
                unit.extend(side).to_array()
            }
            VertexSource::Cap { normal } => self.axes.tangent(normal.into()).to_array(),
        }
    }

    fn uv(&self, vertex: &PieceVertex) -> [f32; 2] {
        match vertex.source {
            VertexSource::Vertex(v) => self.source.uvs[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec2 =
                    self.interpolate(triangle, weights, |v| Vec2::from(self.source.uvs[v]));
                sum.to_array()
            }
            VertexSource::Cap { normal } => {
                let uv = self.axes.uv(vertex.position.into(), normal.into());
                (uv * self.cap.uv_scale).to_array()
            }
        }
    }

    fn color(&self, vertex: &PieceVertex) -> [f32; 4] {
        match vertex.source {
            VertexSource::Vertex(v) => self.source.colors[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec4 =
                    self.interpolate(triangle, weights, |v| Vec4::from(self.source.colors[v]));
                sum.to_array()
            }
            VertexSource::Cap { .. } => [1.0; 4],
        }
    }

    /// The sum of an attribute over the corners of a triangle, weighted.
    fn interpolate<V>(&self, triangle: u32, weights: [f32; 3], at: impl Fn(usize) -> V) -> V
    where
        V: std::ops::Mul<f32, Output = V> + std::ops::Add<Output = V>,
    {
        let [a, b, c] = self.source.triangles[triangle as usize];
        at(a as usize) * weights[0] + at(b as usize) * weights[1] + at(c as usize) * weights[2]
    }
}
