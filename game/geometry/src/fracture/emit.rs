//! Parts to pieces: corners with their sources, triangles by surface.

use crate::fracture::caps::cap::Cap;
use crate::fracture::edge_point::round;
use crate::fracture::islands::elements::{CutSolid, Element};
use crate::fracture::islands::pieces::PieceElements;
use crate::fracture::islands::shares;
use crate::fracture::output::{Piece, PieceKind, PieceVertex, VertexSource, CAP_SURFACE};
use crate::polygon::Regions;
use crate::solid::Solid;
use glam::{DVec3, Vec3};

/// Builds pieces one after another; remembers which vertices the current piece has.
#[derive(Default)]
pub struct Emitter {
    corner_of_vertex: Vec<u32>,
    used: Vec<u32>,
    corner_of_point: Vec<u32>,
    polygon: Vec<u32>,
    corners: Vec<PieceVertex>,
    triangles: Vec<[u32; 3]>,
    /// The surface of each triangle.
    surfaces: Vec<u32>,
    /// Patches that the piece takes as they are.
    patches: Vec<u32>,
    order: Vec<u32>,
    collapsed: u32,
    flat: u32,
}

/// A piece, and what is to be reported of it.
#[derive(Default)]
pub struct Emitted {
    pub piece: Piece,
    /// Triangles left out because corners coincide.
    pub collapsed: u32,
    /// Triangles that have no area.
    pub flat: u32,
}

impl Emitter {
    /// Builds one piece from its parts.
    pub fn piece(&mut self, parts: &CutSolid, group: &PieceElements, out: &mut Emitted) {
        self.clear(parts.solid.vertex_count());
        let keeps_patches = matches!(group.kind, PieceKind::Island { .. });
        for part in &group.parts {
            match *part {
                Element::Patch(patch) if keeps_patches => self.patches.push(patch),
                part => self.add(parts, part),
            }
        }
        for vertex in self.used.drain(..) {
            self.corner_of_vertex[vertex as usize] = u32::MAX;
        }
        let piece = &mut out.piece;
        piece.kind = group.kind;
        piece.mass = group.mass;
        piece.open = parts.solid.is_shell();
        piece.vertices.clone_from(&self.corners);
        piece.patches.clone_from(&self.patches);
        self.write_triangles(piece);
        (out.collapsed, out.flat) = (self.collapsed, self.flat);
    }

    fn clear(&mut self, vertices: usize) {
        if self.corner_of_vertex.len() < vertices {
            self.corner_of_vertex.resize(vertices, u32::MAX);
        }
        self.corners.clear();
        self.triangles.clear();
        self.surfaces.clear();
        self.patches.clear();
        (self.collapsed, self.flat) = (0, 0);
    }

    /// Writes the triangles in the order of their surfaces, keeping their order within each.
    fn write_triangles(&mut self, piece: &mut Piece) {
        if self.surfaces.is_sorted() {
            piece.triangles.clone_from(&self.triangles);
            piece.surfaces.clone_from(&self.surfaces);
            return;
        }
        order_by_surface(&self.surfaces, &mut self.order);
        let surface = |at: u32| self.surfaces[at as usize];
        piece.triangles.clear();
        let order = self.order.iter();
        piece
            .triangles
            .extend(order.clone().map(|at| self.triangles[*at as usize]));
        piece.surfaces.clear();
        piece.surfaces.extend(order.map(|at| surface(*at)));
    }

    fn add(&mut self, parts: &CutSolid, part: Element) {
        match part {
            Element::Patch(patch) => {
                let triangles = parts.solid.patches().triangles(patch);
                triangles.for_each(|triangle| self.add_triangle(parts, triangle));
            }
            Element::Share(block, share) => {
                shares::triangles(block, share).for_each(|t| self.add_triangle(parts, t));
            }
            Element::Polygon(index) => {
                let polygon = parts.surface.polygon(index);
                let triangle = polygon.triangle;
                let outline = parts.surface.outline(polygon);
                let clipped = outline.places.iter().zip(outline.weights);
                let mut corners = std::mem::take(&mut self.polygon);
                corners.clear();
                corners
                    .extend(clipped.map(|c| self.on_triangle(parts.solid, triangle, *c.0, *c.1)));
                let surface = parts.solid.surface(triangle);
                for k in 1..corners.len().saturating_sub(1) {
                    self.push(surface, [corners[0], corners[k], corners[k + 1]]);
                }
                self.polygon = corners;
            }
            Element::Residual(index, region) => self.add_rest(parts, index, region),
            Element::Cap(index, region, side) => {
                self.add_cap(parts.cap(index), region, side);
            }
        }
    }

    /// Adds a whole triangle: its corners differ, and have done so since the solid was prepared.
    fn add_triangle(&mut self, parts: &CutSolid, triangle: u32) {
        let solid = parts.solid;
        let corners = solid.vertices_of(triangle).map(|v| self.vertex(solid, v));
        let surface = solid.surface(triangle);
        if solid.has_flat() {
            self.push(surface, corners);
        } else {
            self.triangles.push(corners);
            self.surfaces.push(surface);
        }
    }

    fn add_rest(&mut self, parts: &CutSolid, index: u32, region: u32) {
        let rest = &parts.rests[index as usize];
        let surface = parts.solid.surface(rest.triangle);
        let points = rest.corners.len();
        self.add_region(
            &rest.regions,
            region,
            points,
            surface,
            false,
            |emitter, at| {
                let corner = &rest.corners[at as usize];
                emitter.on_triangle(parts.solid, rest.triangle, corner.at, corner.weights)
            },
        );
    }

    fn add_cap(&mut self, cap: &Cap, region: u32, side: u8) {
        let normal = if side == 0 { cap.normal } else { -cap.normal };
        let source = VertexSource::Cap {
            normal: normal.as_vec3().to_array(),
        };
        self.add_region(
            &cap.regions,
            region,
            cap.points.len(),
            CAP_SURFACE,
            side == 1,
            |emitter, at| emitter.corner(cap.points[at as usize], source),
        );
    }

    /// Adds the triangles of a region of `points` points, each of them once.
    fn add_region(
        &mut self,
        regions: &Regions,
        region: u32,
        points: usize,
        surface: u32,
        reversed: bool,
        corner: impl Fn(&mut Self, u32) -> u32,
    ) {
        let mut known = std::mem::take(&mut self.corner_of_point);
        known.clear();
        if regions.count() == 1 {
            known.extend((0..points as u32).map(|point| corner(self, point)));
        } else {
            known.resize(points, u32::MAX);
        }
        for triangle in regions.triangles(region) {
            let mut corners = triangle.map(|point| {
                let known = &mut known[point as usize];
                if *known == u32::MAX {
                    *known = corner(self, point);
                }
                *known
            });
            if reversed {
                corners.swap(1, 2);
            }
            self.push(surface, corners);
        }
        self.corner_of_point = known;
    }

    /// A vertex of the solid, once per piece.
    fn vertex(&mut self, solid: &Solid, vertex: u32) -> u32 {
        let known = self.corner_of_vertex[vertex as usize];
        if known != u32::MAX {
            return known;
        }
        let (position, source) = solid.vertex(vertex);
        let corner = self.corner(position, VertexSource::Vertex(source));
        self.corner_of_vertex[vertex as usize] = corner;
        self.used.push(vertex);
        corner
    }

    fn on_triangle(&mut self, solid: &Solid, triangle: u32, at: DVec3, weights: [f64; 3]) -> u32 {
        if let Some(k) = weights.iter().position(|w| *w == 1.0) {
            return self.vertex(solid, solid.vertices_of(triangle)[k]);
        }
        let source = VertexSource::Triangle {
            triangle: solid.source_triangle(triangle),
            weights: weights.map(|w| w as f32),
        };
        self.corner(round(at), source)
    }

    fn corner(&mut self, position: [f32; 3], source: VertexSource) -> u32 {
        self.corners.push(PieceVertex { position, source });
        self.corners.len() as u32 - 1
    }

    /// Adds a triangle, unless rounding has made two of its corners one.
    fn push(&mut self, surface: u32, triangle: [u32; 3]) {
        let place = |corner: u32| Vec3::from(self.corners[corner as usize].position);
        let [a, b, c] = triangle;
        let (a, b, c) = (place(a), place(b), place(c));
        if a == b || b == c || c == a {
            self.collapsed += 1;
            return;
        }
        let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
        self.flat += u32::from((b - a).cross(c - a) == DVec3::ZERO);
        self.triangles.push(triangle);
        self.surfaces.push(surface);
    }
}

/// The triangles in the order of their surfaces, keeping their order within each.
pub fn order_by_surface(surfaces: &[u32], order: &mut Vec<u32>) {
    order.clear();
    order.extend(0..surfaces.len() as u32);
    order.sort_unstable_by_key(|at| (surfaces[*at as usize], *at));
}
