//! A piece as a mesh of its own: attributes copied or interpolated, cut faces dressed.

mod cap_uv;
mod octree;
mod render_partition;
mod roughen;
mod simplify;

pub use cap_uv::CapMapping;
pub use octree::OctreeLeaf;
pub use render_partition::{MeshWithSources, RenderPartition};
pub use roughen::{roughen, Roughness};

use crate::fracture::{order_by_surface, Piece, PieceVertex, VertexSource, CAP_SURFACE};
use crate::math::NONE;
use crate::mesh::Mesh;
use crate::solid::Solid;
use cap_uv::CapAxes;
use glam::{Vec2, Vec3, Vec4};

/// How cut faces look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapStyle {
    /// The surface (material slot) that cap triangles get.
    pub surface: u32,
    /// Texture repeats per metre on cut faces; see also [`Solid::uv_density`].
    pub uv_scale: f32,
    /// How the texture is laid onto them.
    pub mapping: CapMapping,
    /// How far it is turned, counter-clockwise, radians.
    pub turn: f32,
}

impl CapStyle {
    /// Caps on a surface of their own, behind the mesh's.
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
    /// The piece with the triangles of its patches among its own; `solid` is what was broken.
    pub fn expanded(&self, solid: &Solid) -> Self {
        self.expanded_with_sources(solid).0
    }

    /// The same, and for each triangle that comes from a patch its index in the solid's mesh;
    /// `u32::MAX` for the others.
    fn expanded_with_sources(&self, solid: &Solid) -> (Self, Vec<u32>) {
        let mut piece = self.clone();
        let mut source_triangles = vec![NONE; self.triangles.len()];
        if self.patches.is_empty() {
            piece.group_by_surface(&mut source_triangles);
            return (piece, source_triangles);
        }
        let mesh = solid.mesh();
        let mut corner_of_vertex = vec![NONE; mesh.positions.len()];
        for (index, corner) in self.vertices.iter().enumerate() {
            if let VertexSource::Vertex(vertex) = corner.source {
                corner_of_vertex[vertex as usize] = index as u32;
            }
        }
        for triangle in self.patches.iter().flat_map(|patch| solid.patch(*patch)) {
            let corners = mesh.triangles[triangle as usize].map(|vertex| {
                let corner = &mut corner_of_vertex[vertex as usize];
                if *corner == NONE {
                    *corner = piece.vertices.len() as u32;
                    piece.vertices.push(PieceVertex {
                        position: mesh.positions[vertex as usize],
                        source: VertexSource::Vertex(vertex),
                    });
                }
                *corner
            });
            piece.triangles.push(corners);
            piece.surfaces.push(mesh.surface(triangle as usize));
            source_triangles.push(triangle);
        }
        piece.patches.clear();
        piece.group_by_surface(&mut source_triangles);
        (piece, source_triangles)
    }

    /// [`Piece::to_mesh`], and where its triangles come from.
    pub fn to_mesh_with_sources(&self, solid: &Solid, cap: &CapStyle) -> MeshWithSources {
        let (expanded, source_triangles) = self.expanded_with_sources(solid);
        MeshWithSources {
            mesh: expanded.to_mesh(solid, cap),
            source_triangles,
        }
    }

    /// Brings the triangles, and what is told of each, into the order of their surfaces, keeping
    /// their order within each.
    fn group_by_surface(&mut self, source_triangles: &mut Vec<u32>) {
        if self.surfaces.is_sorted() {
            return;
        }
        let mut order = Vec::new();
        order_by_surface(&self.surfaces, &mut order);
        let pick = |at: &u32| self.triangles[*at as usize];
        self.triangles = order.iter().map(pick).collect();
        *source_triangles = order
            .iter()
            .map(|at| source_triangles[*at as usize])
            .collect();
        self.surfaces.sort_unstable();
    }

    /// The piece as a mesh with the attributes that the broken solid's mesh has.
    ///
    /// Untouched vertices keep every attribute bit for bit; cut ones get theirs interpolated, unit
    /// vectors made unit again. Cut faces get texture coordinates by [`CapStyle`], the tangent that
    /// belongs to them, and white.
    pub fn to_mesh(&self, solid: &Solid, cap: &CapStyle) -> Mesh {
        if !self.patches.is_empty() {
            return self.expanded(solid).to_mesh(solid, cap);
        }
        let source = solid.mesh();
        let axes = CapAxes::new(cap.mapping, cap.turn);
        let dress = Dress { source, cap, axes };
        let corners = || self.vertices.iter();
        let has = |len: usize| len == source.positions.len() && len > 0;
        let mut mesh = Mesh {
            positions: corners().map(|c| c.position).collect(),
            triangles: self.triangles.clone(),
            ..Mesh::default()
        };
        if has(source.normals.len()) {
            mesh.normals = corners().map(|c| dress.normal(c)).collect();
        }
        if has(source.tangents.len()) {
            mesh.tangents = corners().map(|c| dress.tangent(c)).collect();
        }
        if has(source.uvs.len()) {
            mesh.uvs = corners().map(|c| dress.uv(c)).collect();
        }
        if has(source.colors.len()) {
            mesh.colors = corners().map(|c| dress.color(c)).collect();
        }
        let slot = |s: &u32| if *s == CAP_SURFACE { cap.surface } else { *s };
        mesh.surfaces = self.surfaces.iter().map(slot).collect();
        mesh
    }
}

struct Dress<'a> {
    source: &'a Mesh,
    cap: &'a CapStyle,
    axes: CapAxes,
}

impl Dress<'_> {
    fn normal(&self, corner: &PieceVertex) -> [f32; 3] {
        match corner.source {
            VertexSource::Vertex(v) => self.source.normals[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec3 = self.mix(triangle, weights, |v| Vec3::from(self.source.normals[v]));
                sum.normalize_or(Vec3::Y).to_array()
            }
            VertexSource::Cap { normal } => normal,
        }
    }

    fn tangent(&self, corner: &PieceVertex) -> [f32; 4] {
        match corner.source {
            VertexSource::Vertex(v) => self.source.tangents[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let at = |v: usize| Vec4::from(self.source.tangents[v]);
                let sum: Vec4 = self.mix(triangle, weights, at);
                let side = if sum.w < 0.0 { -1.0 } else { 1.0 };
                let unit = sum.truncate().normalize_or(Vec3::X);
                unit.extend(side).to_array()
            }
            VertexSource::Cap { normal } => self.axes.tangent(normal.into()).to_array(),
        }
    }

    fn uv(&self, corner: &PieceVertex) -> [f32; 2] {
        match corner.source {
            VertexSource::Vertex(v) => self.source.uvs[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec2 = self.mix(triangle, weights, |v| Vec2::from(self.source.uvs[v]));
                sum.to_array()
            }
            VertexSource::Cap { normal } => {
                let uv = self.axes.uv(corner.position.into(), normal.into());
                (uv * self.cap.uv_scale).to_array()
            }
        }
    }

    fn color(&self, corner: &PieceVertex) -> [f32; 4] {
        match corner.source {
            VertexSource::Vertex(v) => self.source.colors[v as usize],
            VertexSource::Triangle { triangle, weights } => {
                let sum: Vec4 = self.mix(triangle, weights, |v| Vec4::from(self.source.colors[v]));
                sum.to_array()
            }
            VertexSource::Cap { .. } => [1.0; 4],
        }
    }

    fn mix<V>(&self, triangle: u32, weights: [f32; 3], at: impl Fn(usize) -> V) -> V
    where
        V: std::ops::Mul<f32, Output = V> + std::ops::Add<Output = V>,
    {
        let [a, b, c] = self.source.triangles[triangle as usize];
        at(a as usize) * weights[0] + at(b as usize) * weights[1] + at(c as usize) * weights[2]
    }
}
