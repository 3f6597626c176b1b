//! Sagging of a sheet that is held along its outline and has been pushed in at some places: that of a membrane.

use crate::math::Aabb;
use crate::mesh::Mesh;
use crate::steps::pause;
use glam::{DVec2, DVec3};
use std::f64::consts::PI;

/// Largest thickness of a sheet in parts of its width.
const MAX_THICKNESS: f64 = 0.25;
/// Nodes of the grid across the width of the sheet, and at most along its length.
const NODES_ACROSS: usize = 40;
const MAX_NODES_ALONG: usize = 200;
/// Steepest slope between the middle of a dent and where the sheet is held.
const MAX_SLOPE: f64 = 0.5;
/// Radius of the load that pushes a place in, in parts of the width.
const LOAD_RADIUS: f64 = 0.2;
/// Rounds of the solver: enough for three digits on a grid of so many nodes.
const ROUNDS: usize = 150;
/// Rounds of a step of the work.
const ROUNDS_PER_STEP: usize = 20;

/// A place at which a sheet has been pushed in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dent {
    /// A point near the place, object space, metres.
    pub point: DVec3,
    /// Direction in which it was pushed.
    pub direction: DVec3,
    /// Depth in parts of the width of the sheet; less is used near where it is held.
    pub depth: f64,
}

/// How far a sheet has been pushed out of its plane, by place.
///
/// The sheet lies across the shortest side of its box. Each dent has the shape of a membrane under tension, held along its
/// outline and its holes, on which a load presses that is greatest at the dent's place (Poisson's equation); of several
/// dents on a side the deepest counts at each place.
#[derive(Clone, Debug)]
pub struct Sag {
    grid: Grid,
    /// By node: the distance along the grid's normal, metres.
    depths: Vec<f64>,
}

/// Nodes in the plane of a sheet.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// Axes of object space: in the plane, and across it.
    axes: [usize; 3],
    /// Place of the first node in the plane, and the distance between nodes, metres.
    begin: DVec2,
    spacing: DVec2,
    /// Nodes along the axes.
    size: [usize; 2],
    /// Shorter side of the sheet, metres.
    width: f64,
}

impl Sag {
    /// The sag of a sheet; `None` for what is thicker than a quarter of its width, and without a dent. In steps; takes one to
    /// some milliseconds for each dent.
    pub async fn of_sheet(mesh: &Mesh, dents: &[Dent]) -> Option<Self> {
        let place = |point: &[f32; 3]| DVec3::from(point.map(f64::from));
        let bounds = Aabb::from_points(mesh.positions.iter().map(place));
        let grid = Grid::new(&bounds)?;
        let is_free = grid.free_nodes(mesh);
        let mut sides = [vec![0.0; grid.len()], vec![0.0; grid.len()]];
        for dent in dents {
            pause().await;
            let along = dent.direction.normalize_or_zero()[grid.axes[2]];
            let room = MAX_SLOPE * grid.distance_from_held(&is_free, dent.point);
            let depth = room.min(dent.depth * grid.width);
            let shape = grid.membrane(&is_free, dent.point).await;
            let deepest = &mut sides[usize::from(along < 0.0)];
            for (deepest, share) in deepest.iter_mut().zip(shape) {
                *deepest = f64::max(*deepest, depth * share);
            }
        }
        let [up, down] = sides;
        let depths: Vec<f64> = up.iter().zip(down).map(|(up, down)| up - down).collect();
        let is_flat = depths.iter().all(|depth| *depth == 0.0);
        (!is_flat).then_some(Self { grid, depths })
    }

    /// How far a point of the sheet (object space) has been pushed, metres.
    pub fn at(&self, point: DVec3) -> DVec3 {
        let grid = &self.grid;
        let place = (grid.in_plane(point) - grid.begin) / grid.spacing;
        let node = |axis: usize| {
            let last = grid.size[axis] - 2;
            (place[axis].max(0.0) as usize).min(last)
        };
        let (i, j) = (node(0), node(1));
        let inside = place - DVec2::new(i as f64, j as f64);
        let inside = inside.clamp(DVec2::ZERO, DVec2::ONE);
        let depth = |i: usize, j: usize| self.depths[j * grid.size[0] + i];
        let row = |j: usize| depth(i, j) * (1.0 - inside.x) + depth(i + 1, j) * inside.x;
        let depth = row(j) * (1.0 - inside.y) + row(j + 1) * inside.y;
        DVec3::AXES[grid.axes[2]] * depth
    }
}

impl Grid {
    fn new(bounds: &Aabb) -> Option<Self> {
        let sides = bounds.extents();
        let mut axes = [0, 1, 2];
        axes.sort_by(|a, b| sides[*b].total_cmp(&sides[*a]));
        let [length, width, thickness] = axes.map(|axis| sides[axis]);
        let is_sheet = width > 0.0 && length.is_finite() && thickness <= MAX_THICKNESS * width;
        let along = libm::ceil(length / width * NODES_ACROSS as f64) as usize;
        let size = [along.clamp(NODES_ACROSS, MAX_NODES_ALONG), NODES_ACROSS];
        let intervals = DVec2::new((size[0] - 1) as f64, (size[1] - 1) as f64);
        is_sheet.then(|| Self {
            axes,
            begin: DVec2::new(bounds.min[axes[0]], bounds.min[axes[1]]),
            spacing: DVec2::new(length, width) / intervals,
            size,
            width,
        })
    }

    fn len(&self) -> usize {
        self.size[0] * self.size[1]
    }

    fn in_plane(&self, point: DVec3) -> DVec2 {
        DVec2::new(point[self.axes[0]], point[self.axes[1]])
    }

    fn place(&self, node: usize) -> DVec2 {
        let (i, j) = (node % self.size[0], node / self.size[0]);
        self.begin + self.spacing * DVec2::new(i as f64, j as f64)
    }

    /// By node: whether the sheet is there and on all sides of it, so that it may move.
    fn free_nodes(&self, mesh: &Mesh) -> Vec<bool> {
        let mut is_sheet = vec![false; self.len()];
        for triangle in &mesh.triangles {
            if let Some(corners) = mesh.corners(*triangle) {
                self.mark_triangle(corners.map(|corner| self.in_plane(corner)), &mut is_sheet);
            }
        }
        let [along, across] = self.size;
        let is_inner = |node: usize| {
            let (i, j) = (node % along, node / along);
            let is_border = i == 0 || j == 0 || i + 1 == along || j + 1 == across;
            let around = || [node - 1, node + 1, node - along, node + along];
            is_sheet[node] && !is_border && around().iter().all(|near| is_sheet[*near])
        };
        (0..self.len()).map(is_inner).collect()
    }

    /// Marks the nodes in a triangle.
    fn mark_triangle(&self, [a, b, c]: [DVec2; 3], is_sheet: &mut [bool]) {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let first = ((low - self.begin) / self.spacing).ceil();
        let last = ((high - self.begin) / self.spacing).floor();
        let range = |axis: usize| {
            let end = (last[axis] + 1.0).clamp(0.0, self.size[axis] as f64) as usize;
            first[axis].max(0.0) as usize..end
        };
        let side = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
        for j in range(1) {
            for i in range(0) {
                let node = j * self.size[0] + i;
                let point = self.place(node);
                let sides = [side(a, b, point), side(b, c, point), side(c, a, point)];
                let is_inside = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
                is_sheet[node] |= is_inside;
            }
        }
    }

    /// Distance of a point from where the sheet is held, in its plane, metres.
    fn distance_from_held(&self, is_free: &[bool], point: DVec3) -> f64 {
        let place = self.in_plane(point);
        let held = (0..self.len()).filter(|node| !is_free[*node]);
        let squares = held.map(|node| self.place(node).distance_squared(place));
        squares.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// By node: the depth of a membrane that is held where it is not free, and loaded around a place, in parts of the greatest;
    /// by successive over-relaxation (Young 1954).
    async fn membrane(&self, is_free: &[bool], point: DVec3) -> Vec<f64> {
        let place = self.in_plane(point);
        let radius = LOAD_RADIUS * self.width;
        let load = |node: usize| {
            let distance = self.place(node).distance(place) / radius;
            (1.0 - distance * distance).max(0.0)
        };
        let loads: Vec<f64> = (0..self.len()).map(load).collect();
        let mut depths = vec![0.0; self.len()];
        let along = self.size[0];
        let over = 2.0 / (1.0 + libm::sin(PI / NODES_ACROSS as f64));
        // Nodes are a little farther apart along one axis than along the other.
        let [x, y] = (self.spacing * self.spacing).recip().to_array();
        for round in 0..ROUNDS {
            if round % ROUNDS_PER_STEP == 0 {
                pause().await;
            }
            for node in (0..self.len()).filter(|node| is_free[*node]) {
                let beside = x * (depths[node - 1] + depths[node + 1]);
                let above = y * (depths[node - along] + depths[node + along]);
                let wanted = (beside + above + loads[node]) / (2.0 * (x + y));
                depths[node] += over * (wanted - depths[node]);
            }
        }
        let greatest = depths.iter().copied().fold(0.0, f64::max);
        if greatest > 0.0 {
            depths.iter_mut().for_each(|depth| *depth /= greatest);
        }
        depths
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::finish;

    fn pushed(mesh: &Mesh, dents: &[Dent]) -> Option<Sag> {
        finish(Sag::of_sheet(mesh, dents))
    }

    fn dent(x: f64, y: f64, depth: f64) -> Dent {
        Dent {
            point: DVec3::new(x, y, 0.0),
            direction: DVec3::Z * depth.signum(),
            depth: depth.abs(),
        }
    }

    #[test]
    fn a_sheet_is_deepest_where_it_was_pushed_and_held_along_its_outline() {
        let pane = Mesh::cuboid([1.6, 1.0, 0.01]);
        let sag = pushed(&pane, &[dent(0.3, 0.1, -0.16)]).unwrap();
        let depth = |x: f64, y: f64| sag.at(DVec3::new(x, y, 0.005)).z;
        let at_blow = depth(0.3, 0.1);
        assert!((-0.16..-0.15).contains(&at_blow), "{at_blow}");
        for k in 0..=20 {
            let t = f64::from(k) / 10.0 - 1.0;
            for [x, y] in [
                [0.8 * t, 0.5],
                [0.8 * t, -0.5],
                [0.8, 0.5 * t],
                [-0.8, 0.5 * t],
            ] {
                assert!(depth(x, y).abs() < 1e-6, "{x}, {y}");
            }
            // Shallower, the farther away.
            let at = |k: i32| depth(0.2 - 0.05 * f64::from(k), 0.1);
            assert!(at(k) <= at(k + 1), "{k}");
        }
        let moved = sag.at(DVec3::new(0.1, 0.0, 0.0));
        assert_eq!([moved.x, moved.y], [0.0; 2]);
        // Near the frame there is no room for as much.
        let near = pushed(&pane, &[dent(0.7, 0.1, -0.16)]).unwrap();
        let depth = near.at(DVec3::new(0.7, 0.1, 0.0)).z;
        assert!((-0.05..-0.03).contains(&depth), "{depth}");
    }

    #[test]
    fn dents_of_both_sides_add_up_and_equal_ones_do_not() {
        let pane = Mesh::cuboid([0.02, 1.0, 1.0]);
        let at = |y: f64, depth: f64| Dent {
            point: DVec3::Y * y,
            direction: DVec3::X * depth,
            depth: depth.abs(),
        };
        let depth = |dents: &[Dent]| pushed(&pane, dents).unwrap().at(DVec3::Y * 0.2).x;
        let one = depth(&[at(0.2, 0.1)]);
        assert_eq!(depth(&[at(0.2, 0.1), at(0.2, 0.1)]), one);
        assert!(depth(&[at(0.2, 0.1), at(-0.2, -0.1)]) < one);
        assert!(pushed(&pane, &[at(0.2, 0.1), at(0.2, -0.1)]).is_none());
    }

    #[test]
    fn what_is_no_sheet_does_not_sag() {
        assert!(pushed(&Mesh::cuboid([0.5; 3]), &[dent(0.0, 0.0, 0.1)]).is_none());
        assert!(pushed(&Mesh::default(), &[dent(0.0, 0.0, 0.1)]).is_none());
        let pane = Mesh::cuboid([1.0, 1.0, 0.01]);
        assert!(pushed(&pane, &[]).is_none());
        assert!(
            pushed(&pane, &[dent(0.5, 0.5, 0.1)]).is_none(),
            "held there"
        );
        let bad = Dent {
            point: DVec3::NAN,
            ..dent(0.0, 0.0, 0.1)
        };
        assert!(pushed(&pane, &[bad]).is_none());
    }
}
