//! Render meshes of pieces: attributes of cut faces, roughness, simplification, cracks, and partitions for
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
//! let meshes: Vec<Mesh> = meshes.collect();
//! let roughness = Roughness { height: 0.01, grain: 0.1, seed: 1 };
//! let meshes = roughen(&broken.pieces, &meshes, &solid, &roughness);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attributes;
mod cap_uv;
mod crack_strips;
mod expansion;
mod render_partition;
mod roughen;
mod sag;
mod sagged_surface;

pub use crate::mesh::OctreeLeaf;
pub use cap_uv::CapMapping;
pub use crack_strips::{CrackPlace, CrackStrips};
pub use render_partition::{MeshWithSources, RenderPartition};
pub use roughen::{roughen, roughen_in_steps, Roughness};
pub use sag::{Dent, Sag};
pub use sagged_surface::SaggedSurface;

use crate::fracture::{Piece, PieceVertex, VertexSource, CAP_SURFACE};
use crate::mesh::Mesh;
use crate::solid::Solid;
use cap_uv::{CapAxes, CapTexture};
use expansion::Expansion;
use glam::{Mat3, Vec2, Vec3, Vec4};
use std::cell::Cell;

/// Look of cut faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapStyle {
    /// Surface (material slot) of cap triangles.
    pub surface: u32,
    /// Texture repeats per metre on cut faces; see also [`Solid::uv_density`].
    pub uv_scale: f32,
    /// Projection of the texture.
    pub mapping: CapMapping,
    /// Axes of the texture, as the columns of a rotation: it is upright along y, and along z on faces across y.
    pub axes: Mat3,
    /// Rotation of the texture, counter-clockwise, radians.
    pub turn: f32,
}

impl CapStyle {
    /// Caps on a surface of their own, numbered after those of the mesh, with textures upright along y.
    pub fn own_surface(mesh: &Mesh) -> Self {
        Self {
            surface: mesh.surface_count(),
            uv_scale: 1.0,
            mapping: CapMapping::Planar,
            axes: Mat3::IDENTITY,
            turn: 0.0,
        }
    }
}

impl Piece {
    /// The piece with the triangles of its patches copied into its own; `solid` is the solid that was
    /// broken.
    pub fn expanded(&self, solid: &Solid) -> Self {
        let expansion = Expansion::new(self, solid);
        let added = expansion.vertices.iter().map(|vertex| PieceVertex {
            position: solid.mesh().positions[*vertex as usize],
            source: VertexSource::Vertex(*vertex),
        });
        Self {
            vertices: self.vertices.iter().copied().chain(added).collect(),
            triangles: expansion.triangles,
            surfaces: expansion.surfaces,
            patches: Vec::new(),
            ..*self
        }
    }

    /// The piece as a mesh with the attributes that the broken solid's mesh has.
    ///
    /// Vertices of the solid keep every attribute bit for bit; on cuts attributes are interpolated, and
    /// unit vectors normalised. Cut faces get texture coordinates by [`CapStyle`], the tangents of these,
    /// white, and the further attributes of the surface beside them.
    pub fn to_mesh(&self, solid: &Solid, cap: &CapStyle) -> Mesh {
        if self.patches.is_empty() {
            let (triangles, surfaces) = (self.triangles.clone(), self.surfaces.clone());
            return self.mesh_of(&[], triangles, surfaces, solid, cap);
        }
        self.to_mesh_with_sources(solid, cap).mesh
    }

    /// [`Piece::to_mesh`], with the source of each triangle.
    pub fn to_mesh_with_sources(&self, solid: &Solid, cap: &CapStyle) -> MeshWithSources {
        let Expansion {
            vertices,
            triangles,
            surfaces,
            source_triangles,
        } = Expansion::new(self, solid);
        MeshWithSources {
            mesh: self.mesh_of(&vertices, triangles, surfaces, solid, cap),
            source_triangles,
        }
    }

    /// A mesh of the piece's vertices, more ones of the solid's mesh, and the given triangles with their surfaces.
    fn mesh_of(
        &self,
        more: &[u32],
        triangles: Vec<[u32; 3]>,
        mut surfaces: Vec<u32>,
        solid: &Solid,
        cap: &CapStyle,
    ) -> Mesh {
        let source = solid.mesh();
        let axes = CapAxes::new(cap.mapping, cap.axes, cap.turn);
        let sampler = AttributeSampler {
            source,
            cap,
            axes,
            last: Cell::new(axes.texture(Vec3::Y)),
        };
        for surface in &mut surfaces {
            if *surface == CAP_SURFACE {
                *surface = cap.surface;
            }
        }
        let own = &self.vertices;
        Mesh {
            positions: attribute(own, more, source, &source.positions, |v| v.position),
            normals: attribute(own, more, source, &source.normals, |v| sampler.normal(v)),
            tangents: attribute(own, more, source, &source.tangents, |v| sampler.tangent(v)),
            uvs: attribute(own, more, source, &source.uvs, |v| sampler.uv(v)),
            colors: attribute(own, more, source, &source.colors, |v| sampler.color(v)),
            attributes: attributes::attributes(own, more, source),
            triangles,
            surfaces,
        }
    }
}

/// An attribute of a piece's own vertices, then of more ones of the solid's mesh; empty when that does not have it.
fn attribute<T: Copy>(
    own: &[PieceVertex],
    more: &[u32],
    mesh: &Mesh,
    values: &[T],
    of_own: impl Fn(&PieceVertex) -> T,
) -> Vec<T> {
    if values.is_empty() || values.len() != mesh.positions.len() {
        return Vec::new();
    }
    let mut all = Vec::with_capacity(own.len() + more.len());
    all.extend(own.iter().map(of_own));
    all.extend(more.iter().map(|vertex| values[*vertex as usize]));
    all
}

/// Attributes of piece vertices, from those of the solid's mesh.
struct AttributeSampler<'a> {
    source: &'a Mesh,
    cap: &'a CapStyle,
    axes: CapAxes,
    /// Of the face of the last vertex on a cut: most faces have several, one after the other.
    last: Cell<CapTexture>,
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
            VertexSource::Cap { normal } => self.texture(normal).tangent.to_array(),
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
                let uv = self.texture(normal).uv(vertex.position.into());
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

    /// The texture of a cut face.
    fn texture(&self, normal: [f32; 3]) -> CapTexture {
        let bits = |normal: [f32; 3]| normal.map(f32::to_bits);
        if bits(self.last.get().normal.to_array()) != bits(normal) {
            self.last.set(self.axes.texture(normal.into()));
        }
        self.last.get()
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
