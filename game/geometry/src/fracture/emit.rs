//! Output of pieces: elements to vertices with attribute sources, and triangles in order of surfaces.

use crate::fracture::caps::face_caps::Cap;
use crate::fracture::ids::{PolygonId, ResidualId};
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::pieces::PieceElements;
use crate::fracture::output::{
    round_position, Piece, PieceKind, PieceVertex, VertexSource, CAP_SURFACE,
};
use crate::math::triangle::are_distinct;
use crate::math::NONE;
use crate::polygon::Regions;
use crate::solid::{PatchId, Solid};
use glam::{DVec3, Vec3};

/// Builds pieces; reused from one piece to the next.
#[derive(Default)]
pub struct Emitter {
    /// By vertex of the solid: its vertex in the current piece, or [`NONE`].
    piece_vertex: Vec<u32>,
    /// Vertices of the solid that the current piece has.
    used: Vec<u32>,
    /// By point of the current cap or residual: its vertex in the current piece, or [`NONE`].
    point_vertex: Vec<u32>,
    /// Vertices of the current polygon.
    polygon: Vec<u32>,
    vertices: Vec<PieceVertex>,
    triangles: Vec<[u32; 3]>,
    /// By triangle: its surface.
    surfaces: Vec<u32>,
    /// Patches that the piece references.
    patches: Vec<PatchId>,
    /// Scratch of the order by surface.
    order: Vec<u32>,
    collapsed: u32,
    flat: u32,
}

/// Piece with its counts for the report.
#[derive(Default)]
pub struct EmittedPiece {
    pub piece: Piece,
    /// Triangles left out because vertices coincide.
    pub collapsed: u32,
    /// Triangles of zero area.
    pub flat: u32,
}

/// Region of a cap or residual to be emitted.
struct RegionTriangles<'a> {
    regions: &'a Regions,
    region: u32,
    /// Number of points that the triangles refer to.
    points: usize,
    surface: u32,
    reversed: bool,
}

impl Emitter {
    /// Builds one piece from its elements. Islands reference patches, fragments copy them.
    pub fn emit(&mut self, cut: &CutSolid, source: &PieceElements, out: &mut EmittedPiece) {
        self.clear(cut.solid.vertex_count());
        let is_island = matches!(source.kind, PieceKind::Island { .. });
        for element in &source.elements {
            match *element {
                Element::Patch(patch) if is_island => self.patches.push(patch),
                element => self.add(cut, element),
            }
        }
        for vertex in self.used.drain(..) {
            self.piece_vertex[vertex as usize] = NONE;
        }
        let piece = &mut out.piece;
        piece.kind = source.kind;
        piece.mass = source.mass;
        piece.open = cut.solid.is_shell();
        piece.vertices.clone_from(&self.vertices);
        piece.patches.clone_from(&self.patches);
        self.write_triangles(piece);
        (out.collapsed, out.flat) = (self.collapsed, self.flat);
    }

    fn clear(&mut self, vertices: usize) {
        if self.piece_vertex.len() < vertices {
            self.piece_vertex.resize(vertices, NONE);
        }
        self.vertices.clear();
        self.triangles.clear();
        self.surfaces.clear();
        self.patches.clear();
        (self.collapsed, self.flat) = (0, 0);
    }

    /// Writes the triangles in order of surfaces; those of one surface keep their order.
    fn write_triangles(&mut self, piece: &mut Piece) {
        if self.surfaces.is_sorted() {
            piece.triangles.clone_from(&self.triangles);
            piece.surfaces.clone_from(&self.surfaces);
            return;
        }
        order_by_surface(&self.surfaces, &mut self.order);
        let order = || self.order.iter().map(|at| *at as usize);
        piece.triangles.clear();
        piece.triangles.extend(order().map(|at| self.triangles[at]));
        piece.surfaces.clear();
        piece.surfaces.extend(order().map(|at| self.surfaces[at]));
    }

    fn add(&mut self, cut: &CutSolid, element: Element) {
        match element {
            Element::Patch(patch) => {
                let triangles = cut.solid.clusters().triangles(patch);
                triangles.for_each(|triangle| self.add_triangle(cut.solid, triangle));
            }
            Element::Triangles(set) => {
                let triangles = set.triangles();
                triangles.for_each(|triangle| self.add_triangle(cut.solid, triangle));
            }
            Element::Polygon(id) => self.add_polygon(cut, id),
            Element::Residual(id, region) => self.add_residual(cut, id, region),
            Element::Cap { cap, region, side } => self.add_cap(cut.cap(cap), region, side),
        }
    }

    /// Adds a whole triangle. Only a solid with degenerate triangles needs the checks of [`Self::push`].
    fn add_triangle(&mut self, solid: &Solid, triangle: u32) {
        let vertices = solid.vertices_of(triangle);
        let vertices = vertices.map(|vertex| self.solid_vertex(solid, vertex));
        let surface = solid.surface(triangle);
        if solid.has_zero_area() {
            self.push(surface, vertices);
        } else {
            self.triangles.push(vertices);
            self.surfaces.push(surface);
        }
    }

    /// Adds a polygon as a fan.
    fn add_polygon(&mut self, cut: &CutSolid, id: PolygonId) {
        let polygon = cut.surface.polygon(id);
        let view = cut.surface.view(polygon);
        let mut vertices = std::mem::take(&mut self.polygon);
        vertices.clear();
        let points = view.positions.iter().zip(view.weights);
        vertices.extend(points.map(|(position, weights)| {
            self.point_on_triangle(cut.solid, polygon.triangle, *position, *weights)
        }));
        let surface = cut.solid.surface(polygon.triangle);
        for k in 1..vertices.len().saturating_sub(1) {
            self.push(surface, [vertices[0], vertices[k], vertices[k + 1]]);
        }
        self.polygon = vertices;
    }

    fn add_residual(&mut self, cut: &CutSolid, id: ResidualId, region: u32) {
        let residual = cut.residual(id);
        let triangles = RegionTriangles {
            regions: &residual.regions,
            region,
            points: residual.vertices.len(),
            surface: cut.solid.surface(residual.triangle),
            reversed: false,
        };
        self.add_region(&triangles, |emitter, point| {
            let vertex = &residual.vertices[point as usize];
            let (position, weights) = (vertex.position, vertex.weights);
            emitter.point_on_triangle(cut.solid, residual.triangle, position, weights)
        });
    }

    fn add_cap(&mut self, cap: &Cap, region: u32, side: u8) {
        let normal = if side == 0 { cap.normal } else { -cap.normal };
        let source = VertexSource::Cap {
            normal: normal.as_vec3().to_array(),
        };
        if cap.regions.count() == 1 && !cap.has_flat {
            self.add_whole_cap(cap, source, side);
            return;
        }
        let triangles = RegionTriangles {
            regions: &cap.regions,
            region,
            points: cap.points.len(),
            surface: CAP_SURFACE,
            reversed: side == 1,
        };
        self.add_region(&triangles, |emitter, point| {
            emitter.push_vertex(cap.points[point as usize], source)
        });
    }

    /// Adds a cap of one region whose triangles all have an area.
    fn add_whole_cap(&mut self, cap: &Cap, source: VertexSource, side: u8) {
        let first = self.vertices.len() as u32;
        let points = cap.points.iter();
        self.vertices.extend(points.map(|position| PieceVertex {
            position: *position,
            source,
        }));
        let triangles = cap.regions.triangles(0).iter();
        let triangles = triangles.map(|triangle| triangle.map(|point| first + point));
        if side == 0 {
            self.triangles.extend(triangles);
        } else {
            let reversed = triangles.map(|[a, b, c]| [a, c, b]);
            self.triangles.extend(reversed);
        }
        self.surfaces.resize(self.triangles.len(), CAP_SURFACE);
    }

    /// Adds the triangles of a region. `add_point` adds a point as a vertex; called once for each point.
    fn add_region(&mut self, source: &RegionTriangles, add_point: impl Fn(&mut Self, u32) -> u32) {
        let mut point_vertex = std::mem::take(&mut self.point_vertex);
        point_vertex.clear();
        if source.regions.count() == 1 {
            let points = 0..source.points as u32;
            point_vertex.extend(points.map(|point| add_point(self, point)));
        } else {
            point_vertex.resize(source.points, NONE);
        }
        for triangle in source.regions.triangles(source.region) {
            let mut vertices = triangle.map(|point| {
                let vertex = &mut point_vertex[point as usize];
                if *vertex == NONE {
                    *vertex = add_point(self, point);
                }
                *vertex
            });
            if source.reversed {
                vertices.swap(1, 2);
            }
            self.push(source.surface, vertices);
        }
        self.point_vertex = point_vertex;
    }

    /// Adds a vertex of the solid, once per piece.
    fn solid_vertex(&mut self, solid: &Solid, vertex: u32) -> u32 {
        let known = self.piece_vertex[vertex as usize];
        if known != NONE {
            return known;
        }
        let (position, source) = solid.vertex(vertex);
        let added = self.push_vertex(position, VertexSource::Vertex(source));
        self.piece_vertex[vertex as usize] = added;
        self.used.push(vertex);
        added
    }

    /// Adds a point on a triangle; a corner of the triangle is a vertex of the solid.
    fn point_on_triangle(
        &mut self,
        solid: &Solid,
        triangle: u32,
        position: DVec3,
        weights: [f64; 3],
    ) -> u32 {
        if let Some(k) = weights.iter().position(|weight| *weight == 1.0) {
            return self.solid_vertex(solid, solid.vertices_of(triangle)[k]);
        }
        let source = VertexSource::Triangle {
            triangle: solid.source_triangle(triangle),
            weights: weights.map(|weight| weight as f32),
        };
        self.push_vertex(round_position(position), source)
    }

    fn push_vertex(&mut self, position: [f32; 3], source: VertexSource) -> u32 {
        self.vertices.push(PieceVertex { position, source });
        self.vertices.len() as u32 - 1
    }

    /// Adds a triangle, unless two of its vertices were rounded to one position.
    fn push(&mut self, surface: u32, triangle: [u32; 3]) {
        let position = |vertex: u32| Vec3::from(self.vertices[vertex as usize].position);
        let corners = triangle.map(position);
        if !are_distinct(&corners) {
            self.collapsed += 1;
            return;
        }
        let [a, b, c] = corners.map(|corner| corner.as_dvec3());
        self.flat += u32::from((b - a).cross(c - a) == DVec3::ZERO);
        self.triangles.push(triangle);
        self.surfaces.push(surface);
    }
}

/// Replaces `order` by the triangles in order of their surfaces; those of one surface keep their order.
fn order_by_surface(surfaces: &[u32], order: &mut Vec<u32>) {
    order.clear();
    order.extend(0..surfaces.len() as u32);
    order.sort_unstable_by_key(|at| (surfaces[*at as usize], *at));
}
