//! The surface of a sheet that sags, divided along the cracks in it.

use super::crack_strips::{is_full, CellWalk, CrackStrips, PartCorner, NO_CELL};
use super::sag::Sag;
use super::CapStyle;
use crate::fracture::{Piece, PieceVertex, VertexSource};
use crate::mesh::area::fan;
use crate::mesh::Mesh;
use crate::solid::Solid;
use crate::steps::pause;
use glam::DVec3;

/// Distance below which a corner counts as one that has not moved, metres.
const UNMOVED: f64 = 1e-5;

/// The surface of a sheet that sags: each part between cracks is flat, as the shards are that the sheet holds.
#[derive(Clone, Debug, Default)]
pub struct SaggedSurface {
    /// The surface, with the attributes and surfaces that the solid's mesh has.
    pub facets: Mesh,
    /// Cracks between them, as [`CrackStrips::add_to`] adds them.
    pub strips: Mesh,
}

/// A surface in the making.
struct Facets<'a> {
    cracks: &'a CrackStrips<'a>,
    sag: &'a Sag,
    /// The facets, as a piece of the solid.
    piece: Piece,
    /// By vertex: the normal of its facet, if that has moved.
    normals: Vec<Option<DVec3>>,
    strips: Mesh,
}

impl SaggedSurface {
    /// The surface of a solid that sags, in steps of a triangle of it. `style` is that of cut faces which the solid has.
    pub async fn in_steps(
        solid: &Solid,
        cracks: &CrackStrips<'_>,
        sag: &Sag,
        style: &CapStyle,
    ) -> Self {
        let mesh = solid.mesh();
        let mut facets = Facets {
            cracks,
            sag,
            piece: Piece::default(),
            normals: Vec::new(),
            strips: Mesh::default(),
        };
        let mut walk = CellWalk::new(cracks.pattern, cracks.placement);
        for triangle in 0..mesh.triangles.len() as u32 {
            facets.add_triangle(mesh, triangle, &mut walk);
            pause().await;
        }
        let mut surface = facets.piece.to_mesh(solid, style);
        for (normal, moved) in surface.normals.iter_mut().zip(&facets.normals) {
            if let Some(moved) = moved {
                *normal = moved.as_vec3().to_array();
            }
        }
        Self {
            facets: surface,
            strips: facets.strips,
        }
    }
}

impl Facets<'_> {
    /// Adds a triangle of the solid, divided along the cracks.
    fn add_triangle(&mut self, mesh: &Mesh, triangle: u32, walk: &mut CellWalk) {
        let indices = mesh.triangles.get(triangle as usize);
        let Some(corners) = indices.and_then(|indices| mesh.corners(*indices)) else {
            return;
        };
        if polygon_normal(&corners).is_none() {
            return;
        }
        let source = Source {
            triangle,
            surface: mesh.surface(triangle as usize),
            corners,
        };
        walk.begin();
        walk.add_cell_at(corners.iter().sum::<DVec3>() / 3.0);
        let corners = walk.part_corners(corners);
        let mut is_divided = false;
        while let Some(cell) = walk.next() {
            let part = walk.part_in_cell(&corners, cell);
            part.iter().for_each(|corner| walk.add(corner.beyond));
            is_divided |= self.add_facet(&source, &part);
        }
        if !is_divided {
            self.add_facet(&source, &corners);
        }
    }

    /// Adds a facet with its cracks, and says whether it has an area.
    fn add_facet(&mut self, source: &Source, part: &[PartCorner]) -> bool {
        let moved = |corner: &PartCorner| corner.object + self.sag.at(corner.object);
        let places: Vec<DVec3> = part.iter().map(moved).collect();
        let Some(normal) = polygon_normal(&places) else {
            return false;
        };
        let has_moved =
            |(corner, place): (&PartCorner, &DVec3)| corner.object.distance(*place) > UNMOVED;
        let has_moved = part.iter().zip(&places).any(has_moved);
        let first = self.piece.vertices.len() as u32;
        for (corner, place) in part.iter().zip(&places) {
            self.piece.vertices.push(PieceVertex {
                position: place.as_vec3().to_array(),
                source: VertexSource::Triangle {
                    triangle: source.triangle,
                    weights: source.weights(corner.object),
                },
            });
            self.normals.push(has_moved.then_some(normal));
        }
        for k in 2..part.len() as u32 {
            let fan = [0, k - 1, k].map(|corner| first + corner);
            self.piece.triangles.push(fan);
            self.piece.surfaces.push(source.surface);
        }
        let ends = part.iter().zip(&places);
        let next = ends.clone().cycle().skip(1);
        for ((corner, start), (end, stop)) in ends.zip(next) {
            if corner.beyond != NO_CELL && !is_full(&self.strips) {
                let (edge, moved) = ([corner.object, end.object], [*start, *stop]);
                self.cracks.add_edge(&mut self.strips, edge, moved, normal);
            }
        }
        true
    }
}

/// A triangle of the solid.
struct Source {
    triangle: u32,
    surface: u32,
    corners: [DVec3; 3],
}

impl Source {
    /// Barycentric weights of a point in it.
    fn weights(&self, point: DVec3) -> [f32; 3] {
        let [a, b, c] = self.corners;
        let normal = (b - a).cross(c - a);
        let area = normal.length_squared();
        let share = |from: DVec3, to: DVec3| {
            let share = (to - from).cross(point - from).dot(normal) / area;
            share.clamp(0.0, 1.0)
        };
        let (of_b, of_c) = (share(c, a), share(a, b));
        [1.0 - of_b - of_c, of_b, of_c].map(|weight| weight as f32)
    }
}

/// The unit normal of a polygon; `None` for one without an area.
fn polygon_normal(corners: &[DVec3]) -> Option<DVec3> {
    let mut sum = DVec3::ZERO;
    fan(corners, |[a, b, c]| sum += (b - a).cross(c - a));
    sum.try_normalize()
}
