//! The surface of a fixed piece sorted by the pattern's cells, so that its collider can follow the
//! crater that the fragments left.

use fracture_geometry::{Fracture, Mesh, Pattern, PieceKind, Placement};
use glam::Vec3;

use super::polygon::{Polygon, Triangle};

/// A surface in more cells is better left a mesh.
const MOST_CELLS: usize = 64;

/// A surface whose mean normal is longer than this hardly has another side.
const ONE_SIDED: f32 = 0.7;

/// A pattern as it lies on the body, and which of its cells were broken out.
pub(crate) struct RemainderCollider<'a> {
    pattern: &'a Pattern,
    /// By cell; body space, metres.
    sites: Vec<Vec3>,
    broken: Vec<bool>,
    /// How far rounding may take a point off a border, metres.
    slack: f32,
}

/// A cell's part of the surface.
#[derive(Clone, Default)]
struct CellSurface {
    points: Vec<Vec3>,
    /// Twice the area.
    area: f32,
    /// Sum of normals, twice as long as areas.
    outward: Vec3,
}

impl CellSurface {
    fn measure(&mut self, [a, b, c]: Triangle) {
        let normal = (b - a).cross(c - a);
        self.area += normal.length();
        self.outward += normal;
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
        let mut broken = vec![false; cells];
        for piece in fracture.fragments() {
            if let PieceKind::Fragment { cell, .. } = piece.kind {
                if let Some(slot) = broken.get_mut(cell as usize) {
                    *slot = true;
                }
            }
        }
        Self {
            pattern,
            sites: (0..cells as u32).map(place).collect(),
            broken,
            slack: 1e-4 * placement.linear.y_axis.length() as f32,
        }
    }

    /// Cuts triangles at the borders of cells: for each cell that has some of the surface the points that
    /// its hull is made of. `None` when those are too many cells.
    pub(crate) fn cells_of(&self, mesh: &Mesh) -> Option<Vec<Vec<Vec3>>> {
        let nearest = self.nearest_of_all(mesh);
        let mut parts = vec![CellSurface::default(); self.sites.len()];
        for (position, &cell) in mesh.positions.iter().zip(&nearest) {
            let part = parts
                .get_mut(cell as usize)
                .filter(|_| !self.is_broken(cell));
            if let Some(part) = part {
                part.points.push(Vec3::from(*position));
            }
        }
        for (triangle, [a, b, c]) in triangles(mesh, &nearest) {
            let whole = a == b && b == c && !self.is_broken(a);
            match parts.get_mut(a as usize).filter(|_| whole) {
                Some(part) => part.measure(triangle),
                None => self.walk(triangle, a, &mut parts),
            }
        }
        let used = (0u32..)
            .zip(&parts)
            .filter(|(_, part)| !part.points.is_empty());
        let corners = |(cell, part): (u32, &CellSurface)| self.corners(cell, part);
        (used.clone().count() <= MOST_CELLS).then(|| used.map(corners).collect())
    }

    /// Follows a triangle from cell to cell, each at most once, and adds what lies in it.
    ///
    /// Corners of the crater's walls lie between many cells, so that nothing follows from the cell
    /// that is nearest to one. The middle of a triangle is between two at most.
    fn walk(&self, triangle: Triangle, near: u32, parts: &mut [CellSurface]) {
        let middle = triangle.iter().sum::<Vec3>() / 3.0;
        let mut cells = vec![self.whole(middle, self.nearest(middle, near))];
        let mut visited = 0;
        while let Some(&cell) = cells.get(visited) {
            visited += 1;
            let inside = self.within(triangle, cell, &mut cells);
            if let Some(part) = parts.get_mut(cell as usize) {
                inside.triangles().for_each(|piece| part.add(piece));
            }
        }
    }

    /// The part of a triangle in a cell. When there is one, the neighbours into which the triangle
    /// goes on are added to `cells`. An island has no surface in broken cells but on their borders,
    /// and those must not be lost to rounding.
    fn within(&self, triangle: Triangle, cell: u32, cells: &mut Vec<u32>) -> Polygon {
        let mut inside = Polygon::from(triangle);
        let known = cells.len();
        for &neighbor in self.pattern.neighbors(cell) {
            let (Some(own), Some(other)) = (self.site(cell), self.site(neighbor)) else {
                continue;
            };
            let normal = other - own;
            let broken = self.is_broken(neighbor);
            let slack = if broken {
                self.slack * normal.length()
            } else {
                0.0
            };
            let offset = normal.dot(0.5 * (own + other)) + slack;
            if inside.is_below(normal, offset) {
                continue;
            }
            inside = inside.clipped(normal, offset);
            if !broken && !cells.contains(&neighbor) {
                cells.push(neighbor);
            }
        }
        if inside.is_empty() {
            cells.truncate(known);
        }
        inside
    }

    /// The nearest site of each vertex, walked to from that of the vertex before.
    fn nearest_of_all(&self, mesh: &Mesh) -> Vec<u32> {
        let mut cell = 0;
        let walk = |&position: &[f32; 3]| {
            cell = self.nearest(position.into(), cell);
            cell
        };
        mesh.positions.iter().map(walk).collect()
    }

    /// The cell itself, or when it was broken out the nearest neighbour that was not: a point of the
    /// crater's wall is as near to one as to the other.
    fn whole(&self, point: Vec3, cell: u32) -> u32 {
        if !self.is_broken(cell) {
            return cell;
        }
        let neighbors = self.pattern.neighbors(cell).iter().copied();
        let whole = neighbors.filter(|&next| !self.is_broken(next));
        let measured = whole.map(|next| (self.distance(next, point), next));
        let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(cell, |(_, next)| next)
    }

    /// Goes to the neighbour that is nearest to the point until none is nearer; neighbours share a
    /// Delaunay edge, so that this ends at the nearest of all.
    fn nearest(&self, point: Vec3, start: u32) -> u32 {
        let (mut cell, mut best) = (start, self.distance(start, point));
        loop {
            let neighbors = self.pattern.neighbors(cell).iter();
            let measured = neighbors.map(|&next| (self.distance(next, point), next));
            match measured.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((closer, next)) if closer < best => (cell, best) = (next, closer),
                _ => return cell,
            }
        }
    }

    /// The corners of a cell's part of the surface. Deep inside a body that may be a single flat
    /// wall of the crater; then also a point behind the wall, within the cell.
    fn corners(&self, cell: u32, part: &CellSurface) -> Vec<Vec3> {
        let mut corners = part.points.clone();
        if part.outward.length() > ONE_SIDED * part.area {
            let middle = corners.iter().sum::<Vec3>() / corners.len().max(1) as f32;
            let inward = -part.outward.normalize_or_zero();
            let depth = (0.5 * part.area).sqrt();
            let depth = depth.min(self.way_out(cell, middle, inward));
            corners.push(middle + 0.5 * depth * inward);
        }
        corners
    }

    /// How far it is from a point in a cell along a unit direction to the cell's border.
    fn way_out(&self, cell: u32, from: Vec3, direction: Vec3) -> f32 {
        let Some(own) = self.site(cell) else {
            return 0.0;
        };
        let neighbors = self.pattern.neighbors(cell).iter();
        let crossing = |other: Vec3| {
            let normal = other - own;
            let speed = normal.dot(direction);
            let height = normal.dot(0.5 * (own + other) - from).max(0.0);
            match speed > 0.0 {
                true => height / speed,
                false => f32::INFINITY,
            }
        };
        let others = neighbors.filter_map(|&next| self.site(next));
        others.map(crossing).fold(f32::INFINITY, f32::min)
    }

    /// Squared distance from a site.
    fn distance(&self, cell: u32, point: Vec3) -> f32 {
        let site = self.site(cell);
        site.map_or(f32::INFINITY, |site| site.distance_squared(point))
    }

    fn is_broken(&self, cell: u32) -> bool {
        self.broken.get(cell as usize) == Some(&true)
    }

    fn site(&self, cell: u32) -> Option<Vec3> {
        self.sites.get(cell as usize).copied()
    }
}

/// Triangles with the cells of their corners.
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
