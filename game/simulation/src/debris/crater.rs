//! The surface of an island sorted by the pattern's cells, so that its collider can follow the
//! crater that the fragments left.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fracture_geometry::{Fracture, Mesh, Pattern, PieceKind, Placement};
use glam::Vec3;

use super::polygon::{Polygon, Triangle};

/// Cells that are kept apart at most.
const MOST_CELLS: usize = 64;

/// A surface whose mean normal is longer than this hardly has another side.
const ONE_SIDED: f32 = 0.7;

/// Pieces of one triangle at most; a triangle that crosses more cells keeps the rest in its last.
const MOST_PIECES: usize = 256;

/// A pattern as it lies on the body, and which of its cells were broken out.
pub(crate) struct Crater<'a> {
    pattern: &'a Pattern,
    /// By cell; body space, metres.
    sites: Vec<Vec3>,
    broken: Vec<bool>,
}

/// An island's surface.
pub(super) struct Sorted {
    /// For each cell the points that its hull is made of.
    pub cells: Vec<Vec<Vec3>>,
    /// The triangles of cells beyond the number that is kept apart.
    pub rest: Vec<Triangle>,
}

impl<'a> Crater<'a> {
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
        }
    }

    /// Cuts triangles at the borders of cells and sorts the parts.
    pub(super) fn sort(&self, mesh: &Mesh) -> Sorted {
        let mut cells: BTreeMap<u32, Vec<Triangle>> = BTreeMap::new();
        let nearest = self.nearest_of_all(mesh);
        for &[a, b, c] in &mesh.triangles {
            let corner = |id: u32| {
                let position = mesh.positions.get(id as usize)?;
                Some((Vec3::from(*position), *nearest.get(id as usize)?))
            };
            let (Some(a), Some(b), Some(c)) = (corner(a), corner(b), corner(c)) else {
                continue;
            };
            let triangle = [a.0, b.0, c.0];
            if a.1 == b.1 && b.1 == c.1 {
                cells.entry(a.1).or_default().push(triangle);
            } else {
                self.walk(triangle, a.1, &mut cells);
            }
        }
        self.rank(cells)
    }

    /// Follows a triangle from cell to cell: what lies beyond a border goes on in the cell there.
    /// An island has no surface in broken cells, only on their borders.
    fn walk(&self, triangle: Triangle, start: u32, cells: &mut BTreeMap<u32, Vec<Triangle>>) {
        let mut open = vec![(Polygon::from(triangle), start)];
        let mut left = MOST_PIECES;
        while let Some((mut inside, cell)) = open.pop() {
            left = left.saturating_sub(1);
            for &neighbor in self.pattern.neighbors(cell) {
                let (Some(own), Some(other)) = (self.site(cell), self.site(neighbor)) else {
                    continue;
                };
                let normal = other - own;
                let offset = normal.dot(0.5 * (own + other));
                if left == 0 || self.is_broken(neighbor) || inside.is_below(normal, offset) {
                    continue;
                }
                let outside = inside.clipped(-normal, -offset);
                inside = inside.clipped(normal, offset);
                if !outside.is_empty() {
                    open.push((outside, neighbor));
                }
            }
            cells.entry(cell).or_default().extend(inside.triangles());
        }
    }

    /// The nearest site of each vertex, walked to from that of the vertex before.
    fn nearest_of_all(&self, mesh: &Mesh) -> Vec<u32> {
        let mut cell = 0;
        let walk = |&position: &[f32; 3]| {
            cell = self.nearest(position.into(), cell);
            self.whole(position.into(), cell)
        };
        mesh.positions.iter().map(walk).collect()
    }

    /// The cell itself, or when it was broken out the nearest neighbour that was not: a point of the
    /// crater's wall is as near to one as to the other.
    fn whole(&self, point: Vec3, cell: u32) -> u32 {
        if !self.is_broken(cell) {
            return cell;
        }
        let distance = |cell: u32| self.site(cell).map(|site| site.distance_squared(point));
        let whole = self
            .pattern
            .neighbors(cell)
            .iter()
            .filter(|&&next| !self.is_broken(next));
        let measured = whole.filter_map(|&next| Some((distance(next)?, next)));
        let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map_or(cell, |(_, next)| next)
    }

    /// Goes to the neighbour that is nearest to the point until none is nearer; neighbours share a
    /// Delaunay edge, so that this ends at the nearest of all.
    fn nearest(&self, point: Vec3, start: u32) -> u32 {
        let distance = |cell: u32| {
            let site = self.site(cell);
            site.map_or(f32::INFINITY, |site| site.distance_squared(point))
        };
        let (mut cell, mut best) = (start, distance(start));
        loop {
            let neighbors = self.pattern.neighbors(cell).iter();
            let measured = neighbors.map(|&next| (distance(next), next));
            match measured.min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some((closer, next)) if closer < best => (cell, best) = (next, closer),
                _ => return cell,
            }
        }
    }

    /// Keeps cells apart, those next to broken ones first; when there are too many, the largest.
    fn rank(&self, cells: BTreeMap<u32, Vec<Triangle>>) -> Sorted {
        let neighbors = |cell: u32| self.pattern.neighbors(cell).iter();
        let far = |cell: u32| !neighbors(cell).any(|&next| self.is_broken(next));
        let mut cells: Vec<_> = cells.into_iter().collect();
        cells.sort_by_key(|(cell, part)| (far(*cell), Reverse(part.len()), *cell));
        let beyond = cells.split_off(cells.len().min(MOST_CELLS));
        Sorted {
            cells: cells
                .iter()
                .map(|(cell, part)| self.corners(*cell, part))
                .collect(),
            rest: beyond.into_iter().flat_map(|(_, part)| part).collect(),
        }
    }

    /// The corners of a cell's part of the surface. Deep inside a body that may be a single flat
    /// wall of the crater; then also a point behind the wall, within the cell.
    fn corners(&self, cell: u32, part: &[Triangle]) -> Vec<Vec3> {
        let twice_area = |[a, b, c]: &Triangle| (*b - *a).cross(*c - *a);
        let area: f32 = 0.5 * part.iter().map(|t| twice_area(t).length()).sum::<f32>();
        let outward: Vec3 = 0.5 * part.iter().map(twice_area).sum::<Vec3>();
        let mut corners: Vec<Vec3> = part.iter().flatten().copied().collect();
        if outward.length() > ONE_SIDED * area {
            let middle = corners.iter().sum::<Vec3>() / corners.len().max(1) as f32;
            let inward = -outward.normalize_or_zero();
            let depth = area.sqrt().min(self.way_out(cell, middle, inward));
            corners.push(middle + 0.5 * depth * inward);
        }
        corners
    }

    /// How far it is from a point in a cell along a unit direction to the cell's border.
    fn way_out(&self, cell: u32, from: Vec3, direction: Vec3) -> f32 {
        let Some(own) = self.site(cell) else {
            return 0.0;
        };
        let others = self
            .pattern
            .neighbors(cell)
            .iter()
            .filter_map(|&n| self.site(n));
        let crossing = |other: Vec3| {
            let normal = other - own;
            let speed = normal.dot(direction);
            let height = normal.dot(0.5 * (own + other) - from).max(0.0);
            if speed > 0.0 {
                height / speed
            } else {
                f32::INFINITY
            }
        };
        others.map(crossing).fold(f32::INFINITY, f32::min)
    }

    fn is_broken(&self, cell: u32) -> bool {
        self.broken.get(cell as usize) == Some(&true)
    }

    fn site(&self, cell: u32) -> Option<Vec3> {
        self.sites.get(cell as usize).copied()
    }
}
