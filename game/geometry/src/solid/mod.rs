//! What is prepared once per mesh: welded points, paired edges, a bounding-volume tree, mass.

mod clusters;
mod queries;
mod vertex_order;

pub(crate) use clusters::{Clusters, CLUSTER_SIZE};

use crate::error::SolidError;
use crate::math::Aabb;
use crate::mesh::bvh::Bvh;
use crate::mesh::mass::{self, MassAccumulator, MassProperties};
use crate::mesh::{check_arrays, content_hash, link_shell, pair_half_edges, Mesh, WeldedMesh};
use glam::{DVec3, Vec2, Vec3};
use std::sync::OnceLock;
use vertex_order::FetchOrderedVertices;

/// A closed mesh (or a shell), ready to be broken. Immutable; share it by `Arc`.
///
/// Triangles are kept in the order of the tree's leaves; a *half-edge* `3 t + k` runs from corner
/// `k` of triangle `t` to the next.
#[derive(Clone, Debug)]
pub struct Solid {
    mesh: Mesh,
    vertices: FetchOrderedVertices,
    /// By triangle: its index in the mesh.
    source: Vec<u32>,
    /// Whether some triangle has no area.
    has_flat: bool,
    twins: Vec<u32>,
    tree: Bvh,
    patches: Clusters,
    /// The middle of its box, which sums are about.
    origin: DVec3,
    mass: MassProperties,
    hash: OnceLock<u64>,
    /// Metres, when this is a shell.
    thickness: Option<f64>,
    uv_density: OnceLock<f32>,
}

impl Solid {
    /// Checks and prepares a mesh. Vertices of identical position are one point; triangles with a
    /// repeated point are left out.
    ///
    /// # Errors
    /// [`SolidError`] says what is wrong with the mesh and what to do about it.
    pub fn new(mesh: Mesh) -> Result<Self, SolidError> {
        Self::prepared(mesh, None)
    }

    /// Checks and prepares a mesh that need not be closed: it breaks as a sheet of the given
    /// thickness in metres, along the same planes but without cut faces.
    ///
    /// [`Solid::mass`] and the masses of pieces are those of the sheet, so that areas add up where
    /// volumes do for solids. What shares an edge hangs together, whichever way it faces.
    ///
    /// # Errors
    /// As [`Solid::new`], but for [`SolidError::NotClosed`]; [`SolidError::Thickness`].
    pub fn shell(mesh: Mesh, thickness: f64) -> Result<Self, SolidError> {
        if !(thickness > 0.0 && thickness.is_finite()) {
            return Err(SolidError::Thickness { thickness });
        }
        Self::prepared(mesh, Some(thickness))
    }

    fn prepared(mesh: Mesh, thickness: Option<f64>) -> Result<Self, SolidError> {
        check_arrays(&mesh)?;
        let whole = WeldedMesh::new(&mesh);
        let place = |p: u32| Vec3::from(whole.points[p as usize]);
        let mut order: Vec<u32> = (0..whole.corners.len() as u32).collect();
        let tree = Bvh::build(&mut order, |t| whole.corners[t as usize].map(place));
        let ordered = order.iter().map(|t| whole.corners[*t as usize]);
        let points: Vec<[u32; 3]> = ordered.collect();
        let source: Vec<u32> = order.iter().map(|t| whole.source[*t as usize]).collect();
        let twins = match thickness {
            None => pair_half_edges(&points, &whole.points)?,
            Some(_) => link_shell(&points),
        };
        let vertices = FetchOrderedVertices::new(&mesh, &source, &points);
        let places = || (0..source.len() as u32).map(|t| vertices.places(t));
        let origin = (tree.root().low.as_dvec3() + tree.root().high.as_dvec3()) * 0.5;
        let patches = Clusters::new(&twins, |sum, t| {
            add(sum, vertices.places(t).map(|p| p - origin), thickness);
        });
        let is_flat = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a) == DVec3::ZERO;
        let has_flat = places().any(is_flat);
        let mass = patches.total().mass(origin);
        let [low, high] = [tree.root().low, tree.root().high].map(|corner| corner.as_dvec3());
        let least = match thickness {
            Some(_) => 0.0,
            // As most meshes enclose far more than any sum's rounding, it is seldom summed.
            None if mass.volume
                > mass::max_volume_rounding(source.len(), (high - low).length()) =>
            {
                0.0
            }
            None => mass::volume_rounding(places()),
        };
        if source.is_empty() || mass.volume.is_nan() || mass.volume <= least {
            return Err(SolidError::NoVolume {
                volume: mass.volume,
            });
        }
        Ok(Self {
            mesh,
            vertices,
            source,
            has_flat,
            twins,
            tree,
            patches,
            origin,
            mass,
            hash: OnceLock::new(),
            thickness,
            uv_density: OnceLock::new(),
        })
    }

    /// The mesh as it was given.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Mass properties for density one.
    pub fn mass(&self) -> &MassProperties {
        &self.mass
    }

    /// Whether this is a shell, see [`Solid::shell`].
    pub fn is_shell(&self) -> bool {
        self.thickness.is_some()
    }

    /// Texture repeats per metre on the mesh, the mean over its surface; 1 without texture
    /// coordinates. Looks at every triangle when it is asked for the first time.
    pub fn uv_density(&self) -> f32 {
        *self.uv_density.get_or_init(|| uv_density(&self.mesh))
    }

    /// The thickness of a shell in metres; `None` for a solid.
    pub fn thickness(&self) -> Option<f64> {
        self.thickness
    }

    /// The box around the solid, metres.
    pub fn bounds(&self) -> Aabb {
        self.tree.root().bounds()
    }

    /// Triangles that take part (those with a repeated point do not).
    pub fn triangle_count(&self) -> usize {
        self.source.len()
    }

    /// The triangles of one of the solid's patches, as indices into its mesh; see
    /// [`Piece::patches`](crate::Piece::patches). Nothing for a number that is none.
    pub fn patch(&self, patch: u32) -> impl Iterator<Item = u32> + '_ {
        let known = Some(patch).filter(|patch| *patch < self.patches.count());
        let triangles = known
            .into_iter()
            .flat_map(|patch| self.patches.triangles(patch));
        triangles.map(|triangle| self.source_triangle(triangle))
    }

    /// Content hash of positions, triangles and surfaces. Looks at all of them when it is asked for the
    /// first time.
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
            + self.tree.memory()
            + self.patches.memory()
    }

    /// Adds a triangle, given about [`Solid::origin`], to a sum.
    pub(crate) fn add_to(&self, sum: &mut MassAccumulator, triangle: [DVec3; 3]) {
        add(sum, triangle, self.thickness);
    }

    /// What sums over tetrahedra are about.
    pub(crate) fn origin(&self) -> DVec3 {
        self.origin
    }

    pub(crate) fn patches(&self) -> &Clusters {
        &self.patches
    }

    pub(crate) fn tree(&self) -> &Bvh {
        &self.tree
    }

    /// The points of a triangle.
    pub(crate) fn points_of(&self, triangle: u32) -> [u32; 3] {
        self.vertices_of(triangle)
            .map(|v| self.vertices.points[v as usize])
    }

    pub(crate) fn positions_of(&self, triangle: u32) -> [DVec3; 3] {
        self.vertices.places(triangle)
    }

    /// The vertices of a triangle, numbered in the order of the triangles.
    pub(crate) fn vertices_of(&self, triangle: u32) -> [u32; 3] {
        self.vertices.corners[triangle as usize]
    }

    /// How many vertices triangles use.
    pub(crate) fn vertex_count(&self) -> usize {
        self.vertices.source.len()
    }

    /// The position of a numbered vertex, and its index in the mesh.
    pub(crate) fn vertex(&self, number: u32) -> ([f32; 3], u32) {
        let at = number as usize;
        (self.vertices.positions[at], self.vertices.source[at])
    }

    /// Whether some triangle has no area.
    pub(crate) fn has_flat(&self) -> bool {
        self.has_flat
    }

    /// The index of a triangle in the source mesh.
    pub(crate) fn source_triangle(&self, triangle: u32) -> u32 {
        self.source[triangle as usize]
    }

    /// The surface of a triangle.
    pub(crate) fn surface(&self, triangle: u32) -> u32 {
        match self.mesh.surfaces.is_empty() {
            true => 0,
            false => self.mesh.surface(self.source[triangle as usize] as usize),
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

fn add(sum: &mut MassAccumulator, triangle: [DVec3; 3], thickness: Option<f64>) {
    match thickness {
        None => sum.add(triangle),
        Some(thickness) => sum.add_sheet(triangle, thickness),
    }
}

/// Texture repeats per metre, averaged over the surface: the root of texture area over area. 1 for a
/// mesh without texture coordinates.
fn uv_density(mesh: &Mesh) -> f32 {
    let mut areas = [0.0f64; 2];
    for triangle in &mesh.triangles {
        let place = |v: u32| mesh.positions.get(v as usize).copied().map(Vec3::from);
        let texel = |v: u32| mesh.uvs.get(v as usize).copied().map(Vec2::from);
        let ([Some(a), Some(b), Some(c)], [Some(p), Some(q), Some(r)]) =
            (triangle.map(place), triangle.map(texel))
        else {
            continue;
        };
        let texels = f64::from((q - p).perp_dot(r - p).abs());
        if texels.is_finite() {
            areas[0] += texels;
            areas[1] += f64::from((b - a).cross(c - a).length());
        }
    }
    let density = (areas[0] / areas[1]).sqrt() as f32;
    if density.is_normal() {
        density
    } else {
        1.0
    }
}
