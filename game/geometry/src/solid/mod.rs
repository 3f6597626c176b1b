//! Solids: closed meshes and shells that are prepared once, and then broken any number of times.

mod clusters;
mod queries;
mod touching_solid;
mod touching_surface;
mod vertex_order;

pub use clusters::PatchId;
pub(crate) use clusters::{Clusters, CLUSTER_SIZE};
pub use touching_solid::SolidBeside;
pub use touching_surface::{SurfaceInBox, SurfaceSample, TouchingSurface};

use crate::error::SolidError;
use crate::math::Aabb;
use crate::mesh::bvh::Bvh;
use crate::mesh::mass::{self, MassAccumulator, MassProperties};
use crate::mesh::{check_arrays, content_hash, link_shell, pair_half_edges, Mesh, WeldedMesh};
use crate::repair::{repair, RepairOptions, RepairReport};
use crate::steps::{finish, pause};
use glam::{DMat3, DVec3, Vec2, Vec3};
use std::sync::OnceLock;
use vertex_order::FetchOrderedVertices;

/// A closed mesh or a shell, prepared for breaking. Immutable; share it by `Arc`.
///
/// Triangles are kept in the order of the BVH's leaves. *Half-edge* `3 t + k` runs from corner `k` of
/// triangle `t` to the next corner.
#[derive(Clone, Debug)]
pub struct Solid {
    mesh: Mesh,
    vertices: FetchOrderedVertices,
    /// By triangle: its index in the mesh.
    source: Vec<u32>,
    /// Whether some triangle has no area.
    has_zero_area: bool,
    /// By half-edge: its twin.
    twins: Vec<u32>,
    bvh: Bvh,
    clusters: Clusters,
    /// Centre of the solid's box, the origin of sums over tetrahedra.
    origin: DVec3,
    mass: MassProperties,
    hash: OnceLock<u64>,
    /// Thickness of a shell, metres.
    thickness: Option<f64>,
    /// Long frame of the whole that this is a part of.
    whole: Option<DMat3>,
    uv_density: OnceLock<f32>,
}

impl Solid {
    /// Checks and prepares a mesh. Vertices of identical position become one point; triangles that use
    /// a point twice are left out.
    ///
    /// # Errors
    /// [`SolidError`] names the fault of the mesh and the remedy.
    pub fn new(mesh: Mesh) -> Result<Self, SolidError> {
        finish(Self::in_steps(mesh, None))
    }

    /// Checks and prepares a mesh that need not be closed: it breaks as a sheet of a thickness in
    /// metres, along the same planes but without cut faces.
    ///
    /// [`Solid::mass`] and the masses of pieces are those of the sheet, so that areas add up where
    /// volumes do for solids. Triangles with a common edge are connected, whatever their orientation.
    ///
    /// # Errors
    /// As [`Solid::new`] without [`SolidError::NotClosed`]; [`SolidError::Thickness`].
    pub fn shell(mesh: Mesh, thickness: f64) -> Result<Self, SolidError> {
        finish(Self::in_steps(mesh, Some(thickness)))
    }

    /// Repairs a mesh and prepares it. A mesh that [`Solid::new`] accepts is changed only where parts
    /// are inside out.
    ///
    /// [`Solid::mesh`] is the repaired mesh: it has the same vertices in the same order; triangles may
    /// be fewer, more or flipped.
    ///
    /// # Errors
    /// [`SolidError`] as from [`Solid::new`] when `options` allow no shell, or as from
    /// [`Solid::shell`].
    pub fn repaired(
        mut mesh: Mesh,
        options: &RepairOptions,
    ) -> Result<(Self, RepairReport), SolidError> {
        let report = repair(&mut mesh, options)?;
        let thickness = options.shell_thickness.filter(|_| report.is_shell);
        let solid = match thickness {
            Some(thickness) => Self::shell(mesh, thickness)?,
            None => Self::new(mesh)?,
        };
        Ok((solid, report))
    }

    /// [`Solid::new`], or with a thickness [`Solid::shell`], in [steps](crate::steps).
    ///
    /// # Errors
    /// As of these.
    pub async fn in_steps(mesh: Mesh, thickness: Option<f64>) -> Result<Self, SolidError> {
        thickness.map_or(Ok(()), check_thickness)?;
        check_arrays(&mesh)?;
        let welded = WeldedMesh::new(&mesh);
        pause().await;
        let (bvh, order) = tree(&welded).await;
        let corners = order.iter().map(|t| welded.corners[*t as usize]);
        let corners: Vec<[u32; 3]> = corners.collect();
        let source: Vec<u32> = order.iter().map(|t| welded.source[*t as usize]).collect();
        let twins = match thickness {
            None => pair_half_edges(&corners, &welded.points)?,
            Some(_) => link_shell(&corners),
        };
        pause().await;
        let vertices = FetchOrderedVertices::new(&mesh, &source, &corners);
        pause().await;
        let bounds = bvh.root().bounds();
        let origin = (bounds.min + bounds.max) * 0.5;
        let clusters = Clusters::new(&twins, |sum, t| {
            add(sum, vertices.positions_of(t).map(|p| p - origin), thickness);
        });
        let mass = clusters.total().properties(origin);
        let triangles = || (0..source.len() as u32).map(|t| vertices.positions_of(t));
        let min_volume = if thickness.is_some() {
            0.0
        } else {
            mass::volume_rounding_below(mass.volume, source.len(), bounds.diagonal(), triangles)
        };
        if source.is_empty() || mass.volume.is_nan() || mass.volume <= min_volume {
            return Err(SolidError::NoVolume {
                volume: mass.volume,
            });
        }
        let is_zero_area = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a) == DVec3::ZERO;
        Ok(Self {
            has_zero_area: triangles().any(is_zero_area),
            mesh,
            vertices,
            source,
            twins,
            bvh,
            clusters,
            origin,
            mass,
            hash: OnceLock::new(),
            thickness,
            whole: None,
            uv_density: OnceLock::new(),
        })
    }

    /// This as a part of a whole with a [long frame](Self::long_frame).
    pub fn as_part_of(self, whole: DMat3) -> Self {
        Self {
            whole: Some(whole),
            ..self
        }
    }

    /// The mesh as it was given.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Mass properties for density one.
    pub fn mass(&self) -> &MassProperties {
        &self.mass
    }

    /// The frame of the solid's length, by which grain lies: [`MassProperties::long_frame`], or of a part
    /// [`MassProperties::long_frame_within`] the whole.
    pub fn long_frame(&self) -> DMat3 {
        match self.whole {
            Some(whole) => self.mass.long_frame_within(whole),
            None => self.mass.long_frame(),
        }
    }

    /// Whether this is a shell, see [`Solid::shell`].
    pub fn is_shell(&self) -> bool {
        self.thickness.is_some()
    }

    /// Texture repeats per metre, the mean over the mesh; 1 for a mesh without texture coordinates.
    /// The first call visits every triangle.
    pub fn uv_density(&self) -> f32 {
        *self.uv_density.get_or_init(|| uv_density(&self.mesh))
    }

    /// The thickness of a shell in metres; `None` for a solid.
    pub fn thickness(&self) -> Option<f64> {
        self.thickness
    }

    /// The box around the solid, metres.
    pub fn bounds(&self) -> Aabb {
        self.bvh.root().bounds()
    }

    /// The number of triangles that take part, without those that use a point twice.
    pub fn triangle_count(&self) -> usize {
        self.source.len()
    }

    /// The triangles of one of the solid's patches as indices into its mesh, see
    /// [`Piece::patches`](crate::Piece::patches); none for a patch that does not exist.
    pub fn patch(&self, patch: PatchId) -> impl Iterator<Item = u32> + '_ {
        let triangles = self.triangles_of(patch);
        triangles.map(|triangle| self.source_triangle(triangle))
    }

    /// The triangles of a patch; none for a patch that does not exist.
    pub(crate) fn triangles_of(&self, patch: PatchId) -> impl Iterator<Item = u32> + '_ {
        let existing = Some(patch).filter(|patch| patch.0 < self.clusters.patch_count());
        let patches = existing.into_iter();
        patches.flat_map(|patch| self.clusters.triangles(patch))
    }

    /// Content hash of positions, triangles and surfaces, and of a shell's thickness. The first call
    /// reads all of them.
    pub fn content_hash(&self) -> u64 {
        let thickness = self.thickness.map_or(0, f64::to_bits);
        *self
            .hash
            .get_or_init(|| content_hash(&self.mesh) ^ thickness)
    }

    /// Bytes held besides the source mesh.
    pub fn memory(&self) -> usize {
        4 * (self.source.len() + self.twins.len())
            + self.vertices.memory()
            + self.bvh.memory()
            + self.clusters.memory()
    }

    /// Adds a triangle, given relative to [`Solid::origin`], to a sum.
    pub(crate) fn add_to(&self, sum: &mut MassAccumulator, triangle: [DVec3; 3]) {
        add(sum, triangle, self.thickness);
    }

    /// The origin of sums over tetrahedra.
    pub(crate) fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The clusters of the surface.
    pub(crate) fn clusters(&self) -> &Clusters {
        &self.clusters
    }

    /// The BVH over the triangles.
    pub(crate) fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The points of a triangle.
    pub(crate) fn points_of(&self, triangle: u32) -> [u32; 3] {
        self.vertices_of(triangle)
            .map(|v| self.vertices.points[v as usize])
    }

    /// The positions of a triangle's corners.
    pub(crate) fn positions_of(&self, triangle: u32) -> [DVec3; 3] {
        self.vertices.positions_of(triangle)
    }

    /// The vertices of a triangle, numbered in the order of the triangles.
    pub(crate) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        self.vertices.corners[triangle as usize]
    }

    /// The number of vertices that triangles use.
    pub(crate) fn vertex_count(&self) -> usize {
        self.vertices.source.len()
    }

    /// The position of a vertex, and its index in the mesh.
    pub(crate) fn vertex(&self, vertex: u32) -> ([f32; 3], u32) {
        let vertex = vertex as usize;
        (
            self.vertices.positions[vertex],
            self.vertices.source[vertex],
        )
    }

    /// The vertex that is one of the mesh; [`NONE`](crate::math::NONE) where no triangle uses that.
    pub(crate) fn vertex_of_source(&self, source: u32) -> u32 {
        self.vertices.of_source[source as usize]
    }

    /// Whether some triangle has no area.
    pub(crate) fn has_zero_area(&self) -> bool {
        self.has_zero_area
    }

    /// The index of a triangle in the source mesh.
    pub(crate) fn source_triangle(&self, triangle: u32) -> u32 {
        self.source[triangle as usize]
    }

    /// By triangle: that of the mesh, in the order of which it was given.
    pub(crate) fn source_triangles(&self) -> &[u32] {
        &self.source
    }

    /// The surface of a triangle.
    pub(crate) fn surface(&self, triangle: u32) -> u32 {
        if self.mesh.surfaces.is_empty() {
            0
        } else {
            self.mesh.surface(self.source[triangle as usize] as usize)
        }
    }

    /// The half-edge on the other side of the same wedge of material.
    pub(crate) fn twin(&self, half_edge: u32) -> u32 {
        self.twins[half_edge as usize]
    }

    /// One id for a half-edge and its twin.
    pub(crate) fn edge(&self, half_edge: u32) -> u32 {
        half_edge.min(self.twin(half_edge))
    }
}

fn check_thickness(thickness: f64) -> Result<(), SolidError> {
    let is_valid = thickness > 0.0 && thickness.is_finite();
    let error = SolidError::Thickness { thickness };
    is_valid.then_some(()).ok_or(error)
}

/// The tree over the triangles of a mesh, and the order of its leaves.
async fn tree(mesh: &WeldedMesh) -> (Bvh, Vec<u32>) {
    let position = |p: u32| Vec3::from(mesh.points[p as usize]);
    let corners_of = |t: u32| mesh.corners[t as usize].map(position);
    Bvh::in_steps(mesh.corners.len(), corners_of).await
}

#[inline]
fn add(sum: &mut MassAccumulator, triangle: [DVec3; 3], thickness: Option<f64>) {
    match thickness {
        None => sum.add(triangle),
        Some(thickness) => sum.add_sheet(triangle, thickness),
    }
}

/// Texture repeats per metre, the mean over a mesh: the root of texture area over area. 1 for a mesh
/// without texture coordinates.
fn uv_density(mesh: &Mesh) -> f32 {
    let (mut uv_area, mut area) = (0.0f64, 0.0f64);
    for triangle in &mesh.triangles {
        let position = |v: u32| mesh.positions.get(v as usize).copied().map(Vec3::from);
        let uv = |v: u32| mesh.uvs.get(v as usize).copied().map(Vec2::from);
        let ([Some(a), Some(b), Some(c)], [Some(p), Some(q), Some(r)]) =
            (triangle.map(position), triangle.map(uv))
        else {
            continue;
        };
        let double_uv_area = f64::from((q - p).perp_dot(r - p).abs());
        if double_uv_area.is_finite() {
            uv_area += double_uv_area;
            area += f64::from((b - a).cross(c - a).length());
        }
    }
    let density = (uv_area / area).sqrt() as f32;
    if density.is_normal() {
        density
    } else {
        1.0
    }
}
