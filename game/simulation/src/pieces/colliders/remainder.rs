//! Static collider of what a break leaves standing. Its surface is sorted by the pattern's cells, so that
//! the hulls of the cells follow the crater that the fragments left.

use fracture_geometry::{Fracture, Mesh, Pattern, PieceKind, Placement};
use glam::Vec3;

/// Cells up to which a surface is made of hulls; in more cells a triangle mesh is cheaper.
const MAX_CELLS: usize = 64;

/// Length of a surface's mean normal from which on it counts as one-sided, as the wall of a crater.
const ONE_SIDED: f32 = 0.7;

/// Tolerance for points on the border of a removed cell, in units of the pattern: rounding may take them
/// off it.
const BORDER_SLACK: f32 = 1e-4;

type Triangle = [Vec3; 3];

/// A pattern as it lies on the body, and which of its cells were removed.
pub(crate) struct RemainderCollider<'a> {
    pattern: &'a Pattern,
    /// By cell; body space, metres.
    sites: Vec<Vec3>,
    /// By cell.
    removed: Vec<bool>,
    /// Metres.
    slack: f32,
}

/// The part of the surface that lies in a cell.
#[derive(Clone, Default)]
struct CellSurface {
    points: Vec<Vec3>,
    /// Twice the area.
    double_area: f32,
    /// Sum of the triangles' normals, each as long as twice the area.
    normal_sum: Vec3,
}

impl CellSurface {
    fn measure(&mut self, [a, b, c]: Triangle) {
        let normal = (b - a).cross(c - a);
        self.double_area += normal.length();
        self.normal_sum += normal;
    }

    fn add(&mut self, triangle: Triangle) {
        self.measure(triangle);
        self.points.extend(triangle);
    }
}

impl<'a> RemainderCollider<'a> {
    /// The placement must be a similarity: bisectors are taken from the placed sites.
    pub fn new(pattern: &'a Pattern, placement: &Placement, fracture: &Fracture) -> Self {
        let cells = pattern.cell_count();
        let place = |cell| placement.point(pattern.site(cell)).as_vec3();
        let mut removed = vec![false; cells];
        for piece in fracture.fragments() {
            if let PieceKind::Fragment { cell, .. } = piece.kind {
                if let Some(slot) = removed.get_mut(cell as usize) {
                    *slot = true;
                }
            }
        }
        Self {
            pattern,
            sites: (0..cells as u32).map(place).collect(),
            removed,
            slack: BORDER_SLACK * placement.linear.y_axis.length() as f32,
        }
    }

    /// Cuts the triangles at the borders of cells. For each cell that has some of the surface: the points
    /// that its hull is made of. `None` when there are too many cells.
    pub(super) fn cells_of(&self, mesh: &Mesh) -> Option<Vec<Vec<Vec3>>> {
        let nearest = self.nearest_cells(mesh);
        let mut parts = vec![CellSurface::default(); self.sites.len()];
        for (position, &cell) in mesh.positions.iter().zip(&nearest) {
            let part = parts.get_mut(cell as usize);
            if let Some(part) = part.filter(|_| !self.is_removed(cell)) {
                part.points.push(Vec3::from(*position));
            }
        }
        for (triangle, [a, b, c]) in triangles(mesh, &nearest) {
            let is_in_one_cell = a == b && b == c && !self.is_removed(a);
            match parts.get_mut(a as usize).filter(|_| is_in_one_cell) {
                Some(part) => part.measure(triangle),
                None => self.divide(triangle, a, &mut parts),
            }
        }
        let used = (0u32..)
            .zip(&parts)
            .filter(|(_, part)| !part.points.is_empty());
        let hull_points = |(cell, part): (u32, &CellSurface)| self.hull_points(cell, part);
        (used.clone().count() <= MAX_CELLS).then(|| used.map(hull_points).collect())
    }

    /// Follows a triangle from cell to cell, each at most once, and adds the part in each.
    ///
    /// Corners of the crater's walls lie between many cells, so that nothing follows from the cell that
    /// is nearest to one. The middle of a triangle lies between two at most.
    fn divide(&self, triangle: Triangle, near: u32, parts: &mut [CellSurface]) {
        let middle = triangle.iter().sum::<Vec3>() / 3.0;
        let mut cells = vec![self.remaining_cell(middle, self.nearest(middle, near))];
        let mut visited = 0;
        while let Some(&cell) = cells.get(visited) {
            visited += 1;
            let inside = self.clip_to_cell(triangle, cell, &mut cells);
            if let Some(part) = parts.get_mut(cell as usize) {
                inside.triangles().for_each(|triangle| part.add(triangle));
            }
        }
    }

    /// The part of a triangle in a cell. If there is one, the neighbours into which the triangle extends
    /// are added to `cells`. An island has no surface in removed cells but on their borders, and that
    /// must not be lost to rounding.
    fn clip_to_cell(&self, triangle: Triangle, cell: u32, cells: &mut Vec<u32>) -> Polygon {
        let mut inside = Polygon::from(triangle);
        let known = cells.len();
        for &neighbor in self.pattern.neighbors(cell) {
            let (Some(own), Some(other)) = (self.site(cell), self.site(neighbor)) else {
                continue;
            };
            let normal = other - own;
            let is_removed = self.is_removed(neighbor);
            let slack = if is_removed {
                self.slack * normal.length()
            } else {
                0.0
            };
            let offset = normal.dot(0.5 * (own + other)) + slack;
            if inside.is_below(normal, offset) {
                continue;
            }
            inside = inside.clipped(normal, offset);
            if !is_removed && !cells.contains(&neighbor) {
                cells.push(neighbor);
            }
        }
        if inside.is_empty() {
            cells.truncate(known);
        }
        inside
    }

    /// The nearest cell of each vertex, searched from that of the vertex before.
    fn nearest_cells(&self, mesh: &Mesh) -> Vec<u32> {
        let mut cell = 0;
        let search = |&position: &[f32; 3]| {
            cell = self.nearest(position.into(), cell);
            cell
        };
        mesh.positions.iter().map(search).collect()
    }

    /// The cell itself, or if it was removed its nearest neighbour that was not: a point of the crater's
    /// wall is as near to one as to the other.
    fn remaining_cell(&self, point: Vec3, cell: u32) -> u32 {
        if !self.is_removed(cell) {
            return cell;
        }
        let neighbors = self.pattern.neighbors(cell).iter().copied();
        let remaining = neighbors.filter(|&next| !self.is_removed(next));
        let measured = remaining.map(|next| (self.distance_squared(next, point), next));
        let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(cell, |(_, next)| next)
    }

    /// The cell that contains a point. The search goes to the neighbour nearest to the point until none
    /// is nearer; neighbours share a Delaunay edge, so that it ends at the nearest of all.
    fn nearest(&self, point: Vec3, start: u32) -> u32 {
        let (mut cell, mut best) = (start, self.distance_squared(start, point));
        loop {
            let neighbors = self.pattern.neighbors(cell).iter();
            let measured = neighbors.map(|&next| (self.distance_squared(next, point), next));
            match measured.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((closer, next)) if closer < best => (cell, best) = (next, closer),
                _ => return cell,
            }
        }
    }

    /// The points of a cell's hull. Deep inside a body the surface in a cell may be a single flat wall of
    /// the crater; then also a point behind the wall, within the cell.
    fn hull_points(&self, cell: u32, part: &CellSurface) -> Vec<Vec3> {
        let mut points = part.points.clone();
        if part.normal_sum.length() > ONE_SIDED * part.double_area {
            let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f32;
            let inward = -part.normal_sum.normalize_or_zero();
            let side = (0.5 * part.double_area).sqrt();
            let depth = side.min(self.distance_to_border(cell, middle, inward));
            points.push(middle + 0.5 * depth * inward);
        }
        points
    }

    /// The distance from a point in a cell to the cell's border, along a unit direction.
    fn distance_to_border(&self, cell: u32, from: Vec3, direction: Vec3) -> f32 {
        let Some(own) = self.site(cell) else {
            return 0.0;
        };
        let neighbors = self.pattern.neighbors(cell).iter();
        let distance = |other: Vec3| {
            let normal = other - own;
            let slope = normal.dot(direction);
            let height = normal.dot(0.5 * (own + other) - from).max(0.0);
            if slope > 0.0 {
                height / slope
            } else {
                f32::INFINITY
            }
        };
        let others = neighbors.filter_map(|&next| self.site(next));
        others.map(distance).fold(f32::INFINITY, f32::min)
    }

    fn distance_squared(&self, cell: u32, point: Vec3) -> f32 {
        let site = self.site(cell);
        site.map_or(f32::INFINITY, |site| site.distance_squared(point))
    }

    fn is_removed(&self, cell: u32) -> bool {
        self.removed.get(cell as usize) == Some(&true)
    }

    fn site(&self, cell: u32) -> Option<Vec3> {
        self.sites.get(cell as usize).copied()
    }
}

/// Triangles with the nearest cells of their corners.
fn triangles<'a>(
    mesh: &'a Mesh,
    cells: &'a [u32],
) -> impl Iterator<Item = (Triangle, [u32; 3])> + 'a {
    let corner = |id: u32| {
        let position = mesh.positions.get(id as usize)?;
        Some((Vec3::from(*position), *cells.get(id as usize)?))
    };
    mesh.triangles.iter().filter_map(move |&[a, b, c]| {
        let (a, b, c) = (corner(a)?, corner(b)?, corner(c)?);
        Some(([a.0, b.0, c.0], [a.1, b.1, c.1]))
    })
}

/// A convex polygon, clipped by planes (Sutherland and Hodgman 1974); empty when nothing is left of it.
#[derive(Clone, Debug)]
struct Polygon(Vec<Vec3>);

impl From<Triangle> for Polygon {
    fn from(corners: Triangle) -> Self {
        Self(corners.to_vec())
    }
}

impl Polygon {
    /// Whether all of it lies where `normal . x <= offset`.
    fn is_below(&self, normal: Vec3, offset: f32) -> bool {
        self.0.iter().all(|corner| normal.dot(*corner) <= offset)
    }

    /// The part where `normal . x <= offset`.
    fn clipped(&self, normal: Vec3, offset: f32) -> Self {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        let next = self.0.iter().cycle().skip(1);
        for (from, to) in self.0.iter().zip(next) {
            let (a, b) = (normal.dot(*from) - offset, normal.dot(*to) - offset);
            if a <= 0.0 {
                out.push(*from);
            }
            if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                out.push(from.lerp(*to, a / (a - b)));
            }
        }
        if out.len() < 3 {
            out.clear();
        }
        Self(out)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The polygon as a fan of triangles.
    fn triangles(&self) -> impl Iterator<Item = Triangle> + '_ {
        let first = self.0.first().copied().unwrap_or_default();
        let edges = self.0.iter().skip(1).zip(self.0.iter().skip(2));
        edges.map(move |(&b, &c)| [first, b, c])
    }
}
