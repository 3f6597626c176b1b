//! Triangulation of polygons with holes: a fan for a convex loop, ear clipping for a simple one, a
//! constrained Delaunay triangulation for loops with holes and for long ones.
//!
//! The triangles' edges cancel to exactly the given outlines, for every geometry. A triangulation that
//! fails this is thrown away, and ear clipping closes each loop by itself, which always works: a hole is
//! then a region of negative area on top of the region around it.

use crate::polygon::cdt::constrained_delaunay;
use crate::polygon::ear_clipping::clip_ears;
use crate::polygon::predicates2::{area, bounds, contains_loop, is_strictly_convex};
use glam::DVec2;
use std::ops::Range;

/// Number of points above which a loop is triangulated by constrained Delaunay triangulation: ear clipping
/// takes quadratic time.
const LONG_LOOP: usize = 160;

/// Triangles of connected regions.
#[derive(Debug, Default)]
pub struct Regions {
    /// Point indices, counter-clockwise, region after region.
    triangles: Vec<[u32; 3]>,
    /// By region: end of its triangles.
    ends: Vec<u32>,
}

impl Regions {
    pub fn clear(&mut self) {
        self.triangles.clear();
        self.ends.clear();
    }

    /// Appends a region: a fan of the points from 0 on.
    pub fn push_fan(&mut self, points: u32) {
        let fan = (1..points.saturating_sub(1)).map(|at| [0, at, at + 1]);
        self.triangles.extend(fan);
        self.ends.push(self.triangles.len() as u32);
    }

    /// Number of regions.
    pub fn count(&self) -> u32 {
        self.ends.len() as u32
    }

    /// Triangles of one region.
    pub fn triangles(&self, region: u32) -> &[[u32; 3]] {
        let region = region as usize;
        let start = if region == 0 {
            0
        } else {
            self.ends[region - 1]
        };
        &self.triangles[start as usize..self.ends[region] as usize]
    }
}

/// Triangulates polygons with holes; reused from one to the next.
#[derive(Default)]
pub struct Triangulator {
    /// By loop of the last input: the region that it bounds.
    pub loop_regions: Vec<u32>,
    areas: Vec<f64>,
    boxes: Vec<[DVec2; 2]>,
    /// Pairs of an outer loop and a hole in it.
    holes: Vec<(usize, usize)>,
    /// Current outer loop, and its holes.
    group: Vec<usize>,
    ring: Vec<u32>,
}

impl Triangulator {
    /// Triangulates loops: ranges of `points`, outer ones counter-clockwise, holes clockwise. Returns whether
    /// some outer loop and its holes had to be closed loop by loop.
    pub fn fill(&mut self, points: &[DVec2], loops: &[Range<u32>], regions: &mut Regions) -> bool {
        regions.clear();
        self.loop_regions.clear();
        self.loop_regions.resize(loops.len(), u32::MAX);
        self.find_holes(points, loops);
        let mut rough = false;
        for outer in 0..loops.len() {
            if self.holes.iter().any(|(_, hole)| *hole == outer) {
                continue;
            }
            let holes = self.holes.iter().filter(|(around, _)| *around == outer);
            self.group.clear();
            self.group.push(outer);
            self.group.extend(holes.map(|(_, hole)| *hole));
            for &member in &self.group {
                self.loop_regions[member] = regions.count();
            }
            rough |= self.fill_group(points, loops, regions);
            regions.ends.push(regions.triangles.len() as u32);
        }
        rough
    }

    /// Assigns each hole to the smallest outer loop around it.
    fn find_holes(&mut self, points: &[DVec2], loops: &[Range<u32>]) {
        let Self {
            areas,
            boxes,
            holes,
            ..
        } = self;
        holes.clear();
        if loops.len() < 2 {
            return;
        }
        areas.clear();
        areas.extend(loops.iter().map(|range| area(points, range)));
        if !areas.iter().any(|area| *area < 0.0) {
            return;
        }
        boxes.clear();
        boxes.extend(loops.iter().map(|range| bounds(points, range)));
        for hole in (0..loops.len()).filter(|at| areas[*at] < 0.0) {
            let is_around = |outer: &usize| {
                let ([low, high], [hole_low, hole_high]) = (boxes[*outer], boxes[hole]);
                areas[*outer] > -areas[hole]
                    && low.cmple(hole_low).all()
                    && high.cmpge(hole_high).all()
                    && contains_loop(points, &loops[*outer], &loops[hole])
            };
            let outers = (0..loops.len()).filter(is_around);
            if let Some(outer) = outers.min_by(|a, b| areas[*a].total_cmp(&areas[*b])) {
                holes.push((outer, hole));
            }
        }
    }

    /// Triangulates the current outer loop with its holes. Returns whether it was closed loop by loop.
    fn fill_group(
        &mut self,
        points: &[DVec2],
        loops: &[Range<u32>],
        regions: &mut Regions,
    ) -> bool {
        let group = &self.group;
        let outer = &loops[group[0]];
        if group.len() == 1 && is_strictly_convex(points, outer) {
            let fan = (outer.start + 1..outer.end - 1).map(|at| [outer.start, at, at + 1]);
            regions.triangles.extend(fan);
            return false;
        }
        if group.len() > 1 || outer.len() > LONG_LOOP {
            let outlines: Vec<Range<u32>> = group.iter().map(|at| loops[*at].clone()).collect();
            if let Some(triangles) = constrained_delaunay(points, &outlines) {
                regions.triangles.extend(triangles);
                return false;
            }
        }
        for &member in group {
            clip_ears(
                points,
                &loops[member],
                &mut self.ring,
                &mut regions.triangles,
            );
        }
        group.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::cdt::closes;
    use crate::polygon::predicates2::orient;

    fn filled(points: &[DVec2], loops: &[Range<u32>]) -> Regions {
        let mut regions = Regions::default();
        Triangulator::default().fill(points, loops, &mut regions);
        regions
    }

    fn one(outline: Range<u32>) -> Vec<Range<u32>> {
        vec![outline]
    }

    fn ring(list: &[(f64, f64)]) -> Vec<DVec2> {
        list.iter().map(|&(x, y)| DVec2::new(x, y)).collect()
    }

    fn check(points: &[DVec2], loops: &[Range<u32>], area: f64, regions: u32) {
        let filled = filled(points, loops);
        let twice: f64 = filled
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|p| points[p as usize]);
                (b - a).perp_dot(c - a)
            })
            .sum();
        assert!((0.5 * twice - area).abs() < 1e-12, "area {}", 0.5 * twice);
        assert_eq!(filled.count(), regions);
        let outline = loops.iter().flat_map(|l| {
            let count = l.end - l.start;
            let l = l.clone();
            (0..count).map(move |k| [l.start + k, l.start + (k + 1) % count])
        });
        assert!(closes(&filled.triangles, outline.collect()));
    }

    #[test]
    fn a_square_with_a_hole() {
        let mut points = ring(&[(0., 0.), (3., 0.), (3., 3.), (0., 3.)]);
        points.extend(ring(&[(1., 1.), (1., 2.), (2., 2.), (2., 1.)]));
        check(&points, &[0..4, 4..8], 8.0, 1);
    }

    #[test]
    fn two_islands_and_an_island_in_a_hole() {
        let mut points = ring(&[(0., 0.), (5., 0.), (5., 5.), (0., 5.)]);
        points.extend(ring(&[(1., 1.), (1., 4.), (4., 4.), (4., 1.)]));
        points.extend(ring(&[(2., 2.), (3., 2.), (3., 3.), (2., 3.)]));
        points.extend(ring(&[(6., 0.), (7., 0.), (7., 1.)]));
        check(
            &points,
            &[0..4, 4..8, 8..12, 12..15],
            25.0 - 9.0 + 1.0 + 0.5,
            3,
        );
    }

    #[test]
    fn corners_on_a_straight_side_leave_no_flat_triangle() {
        let points = ring(&[(0., 0.), (1., 0.), (2., 0.), (2., 2.), (1., 2.), (0., 2.)]);
        let filled = filled(&points, &one(0..6));
        for t in &filled.triangles {
            let [a, b, c] = t.map(|p| points[p as usize]);
            assert!(orient(a, b, c) > 0.0);
        }
        check(&points, &one(0..6), 4.0, 1);
    }

    #[test]
    fn a_comb_is_filled() {
        let mut list = vec![(0.0, -1.0), (20.0, -1.0)];
        for k in (0..20).rev() {
            list.push((k as f64 + 0.9, if k % 2 == 0 { 5.0 } else { 0.0 }));
            list.push((k as f64 + 0.1, if k % 2 == 0 { 5.0 } else { 0.0 }));
        }
        let points = ring(&list);
        let outline = 0..points.len() as u32;
        check(&points, &one(outline.clone()), area(&points, &outline), 1);
    }

    #[test]
    fn a_loop_that_crosses_itself_still_gets_its_outline() {
        let points = ring(&[(0., 0.), (2., 2.), (2., 0.), (0., 2.), (-1., 1.)]);
        let filled = filled(&points, &one(0..5));
        assert_eq!(filled.triangles.len(), 3);
    }

    /// Nearly each corner contains others, and all of them were looked at for each that was cut off.
    #[test]
    fn a_long_loop_that_crosses_itself_all_over_is_closed_in_bounded_time() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
            (state >> 33) as f64
        };
        let count = 6000;
        let points: Vec<DVec2> = (0..count).map(|_| DVec2::new(next(), next())).collect();
        let outline = 0..count as u32;
        let filled = filled(&points, &one(outline.clone()));
        assert_eq!(filled.triangles.len(), count - 2);
        let edges = outline.map(|k| [k, (k + 1) % count as u32]);
        assert!(closes(&filled.triangles, edges.collect()));
    }

    /// Three cells that tie along an edge leave strips of zero width, whose outline goes there and back.
    #[test]
    fn an_outline_that_goes_there_and_back_folds_nothing() {
        let corners = [
            (0., 0.),
            (0., 0.),
            (0., 1.),
            (0., 1.),
            (1., 0.),
            (1., 0.),
            (0., 1.),
        ];
        for turn in 0..7 {
            let mut list = corners;
            list.rotate_left(turn);
            let points = ring(&list);
            let filled = filled(&points, &one(0..7));
            assert_eq!(filled.triangles.len(), 5);
            for t in &filled.triangles {
                let [a, b, c] = t.map(|p| points[p as usize]);
                assert_eq!(orient(a, b, c), 0.0, "turned by {turn}: {t:?}");
            }
        }
    }

    /// The last edge leads back along the first one, but for a rounding error.
    #[test]
    fn an_edge_back_along_another_folds_nothing() {
        let tip = (0.6584848281294846, 0.3415151718705155);
        let corners = [(0., 1.), (0., 0.05586679670151995), tip, (1., 0.)];
        for turn in 0..4 {
            let mut list = corners;
            list.rotate_left(turn);
            let points = ring(&list);
            let filled = filled(&points, &one(0..4));
            let area = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|p| points[p as usize]);
                0.5 * (b - a).perp_dot(c - a).abs()
            };
            let sum: f64 = filled.triangles.iter().map(area).sum();
            assert!(
                (sum - 0.31084869505).abs() < 1e-9,
                "turned by {turn}: {sum}"
            );
        }
    }

    #[test]
    fn a_hole_outside_every_outline_is_closed_by_itself() {
        let mut points = ring(&[(0., 0.), (1., 0.), (1., 1.), (0., 1.)]);
        points.extend(ring(&[(3., 3.), (3., 4.), (4., 4.), (4., 3.)]));
        let filled = filled(&points, &[0..4, 4..8]);
        assert_eq!(filled.triangles.len(), 4);
    }
}
