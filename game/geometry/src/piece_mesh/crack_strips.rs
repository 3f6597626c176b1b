//! Cracks in what stays: the lines along which the cells of a placed pattern meet a surface, as thin strips to be drawn on
//! it.

use super::roughen::Noise;
use crate::fracture::{Placement, CAP_SURFACE};
use crate::math::triangle::closest_point;
use crate::mesh::Mesh;
use crate::pattern::Pattern;
use crate::steps::pause;
use glam::{DMat3, DVec3};

/// Width of a crack in parts of the reach of its place, and at least and at most, metres.
const WIDTH: f64 = 0.02;
const WIDTHS: [f64; 2] = [0.0005, 0.012];
/// Distance between the bumps of a crack's sides in parts of its greatest width.
const GRAIN: f64 = 2.5;
/// Mean width of a ragged crack, and the most by which it is more or less, in parts of that of a smooth one.
const RAGGED: [f64; 2] = [0.7, 0.6];
/// Least width of a ragged crack in parts of that of a smooth one.
const THINNEST: f64 = 0.3;
/// Seed of the bumps.
const SEED: u64 = 0x6372_6163_6b73;
/// Share of the reach from which on cracks become narrower; they end at the reach.
const FADES_FROM: f64 = 0.6;
/// Distance of a strip from the surface in parts of its greatest width, so that it is drawn before the surface.
const LIFT: f64 = 0.15;
/// Length of a part of a strip, along which the width changes evenly, in parts of the distance between bumps, and at least
/// in parts of the reach.
const PART: f64 = 0.8;
const LEAST_PART: f64 = 0.03;
/// Most strips of a mesh. Of more those of the last triangles are left out.
const MAX_STRIPS: usize = 1 << 13;
/// Triangles that are looked at in a step, and how many of them count as much as a cell of one.
const STEP: u32 = 1 << 14;
const CELL: u32 = 64;
/// Cell beyond an edge that is no crack but a part of a triangle's edge.
pub(super) const NO_CELL: u32 = u32::MAX;

/// A place of a body around which cracks are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrackPlace {
    /// The middle, object space, metres.
    pub point: DVec3,
    /// Distance from the middle where the cracks end, metres, above 0.
    pub reach: f64,
}

impl CrackPlace {
    /// Width of the widest cracks, metres.
    fn widest(&self) -> f64 {
        let [least, most] = WIDTHS;
        (WIDTH * self.reach)
            .clamp(least, most)
            .min(0.1 * self.reach)
    }

    /// Whether the box of a triangle is within reach in each direction.
    fn may_reach(&self, [a, b, c]: [DVec3; 3]) -> bool {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        low.cmplt(self.point + self.reach).all() && high.cmpgt(self.point - self.reach).all()
    }

    /// Width of cracks at a point (object space), metres.
    fn width(&self, point: DVec3) -> f64 {
        let share = (self.point.distance(point) / self.reach - FADES_FROM) / (1.0 - FADES_FROM);
        self.widest() * (1.0 - share.max(0.0).powi(2)).max(0.0)
    }
}

/// A corner of a part of a triangle, and the cell beyond the edge that begins there.
#[derive(Clone, Copy)]
pub(super) struct PartCorner {
    pub pattern: DVec3,
    pub object: DVec3,
    pub beyond: u32,
}

/// The cracks of a pattern in a surface.
///
/// They lie where a break by the same placement of the pattern divides the surface, but for its rounding to a grid, and
/// are as wide as a fiftieth of their reach, at most 12 mm, around the middle, with ragged sides.
#[derive(Clone, Copy, Debug)]
pub struct CrackStrips<'a> {
    /// The pattern.
    pub pattern: &'a Pattern,
    /// Map from pattern space to object space.
    pub placement: Placement,
    /// Where cracks are seen.
    pub places: &'a [CrackPlace],
}

impl CrackStrips<'_> {
    /// Adds strips on a mesh to others, in steps of some tenths of a millisecond: two triangles of the surface
    /// [`CAP_SURFACE`] for each side of a part of a crack, with the ends of the crack as their first two corners, lifted off
    /// the surface by two millimetres or less. `is_cracked` says which surfaces have cracks. Takes some nanoseconds for each
    /// triangle, and some microseconds for each that is near a place; for a worker.
    pub async fn add_to(&self, strips: &mut Mesh, mesh: &Mesh, is_cracked: impl Fn(u32) -> bool) {
        let mut walk = CellWalk::new(self.pattern, self.placement);
        let mut work = 0;
        for (index, triangle) in mesh.triangles.iter().enumerate() {
            if work >= STEP {
                pause().await;
                work = 0;
            }
            if is_full(strips) {
                return;
            }
            work += 1;
            let Some(corners) = mesh.corners(*triangle) else {
                continue;
            };
            let is_near = self.places.iter().any(|place| place.may_reach(corners));
            if is_near && is_cracked(mesh.surface(index)) {
                work += CELL * self.add_triangle(strips, corners, &mut walk);
            }
        }
    }

    /// Adds the strips of a triangle, and says how many cells it has been looked for in.
    fn add_triangle(&self, strips: &mut Mesh, triangle: [DVec3; 3], walk: &mut CellWalk) -> u32 {
        let [a, b, c] = triangle;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return 1;
        };
        walk.begin();
        for place in self.places {
            let nearest = closest_point(place.point, triangle);
            if nearest.distance(place.point) < place.reach {
                walk.add_cell_at(nearest);
            }
        }
        let corners = walk.part_corners(triangle);
        let mut cells = 1;
        while let Some(cell) = walk.next() {
            cells += 1;
            let part = walk.part_in_cell(&corners, cell);
            let next = part.iter().cycle().skip(1);
            let edges = part
                .iter()
                .zip(next)
                .filter(|(from, _)| from.beyond != NO_CELL);
            let mut met = Vec::new();
            for (from, to) in edges {
                let edge = [from.object, to.object];
                if self.add_edge(strips, edge, edge, normal) {
                    met.push(from.beyond);
                }
            }
            met.into_iter().for_each(|cell| walk.add(cell));
        }
        cells
    }

    /// Adds the strips to the left of an edge, and says whether any of it is within reach. They are drawn where its ends have
    /// moved to, on a surface with a normal.
    pub(super) fn add_edge(
        &self,
        strips: &mut Mesh,
        [from, to]: [DVec3; 2],
        [start, stop]: [DVec3; 2],
        normal: DVec3,
    ) -> bool {
        let Some(cracks) = EdgeCracks::new(self.places, [from, to]) else {
            return false;
        };
        let Some(along) = (stop - start).try_normalize() else {
            return false;
        };
        let part_length = (PART * cracks.grain).max(LEAST_PART * cracks.reach);
        let parts = libm::ceil(from.distance(to) / part_length).clamp(1.0, 1024.0);
        let side = normal.cross(along);
        let end_of = |part: u32| {
            let share = f64::from(part) / parts;
            (start.lerp(stop, share), cracks.width(from.lerp(to, share)))
        };
        let mut begin = end_of(0);
        for part in 1..=parts as u32 {
            let end = end_of(part);
            let ends = [std::mem::replace(&mut begin, end), end];
            if ends.iter().any(|(_, width)| *width > 0.0) {
                let inward = ends.map(|(_, width)| side * (0.5 * width));
                let lifted = ends.map(|(end, _)| end + normal * (LIFT * cracks.widest));
                add_strip(strips, lifted, inward, normal);
            }
        }
        true
    }
}

/// The cracks along an edge.
struct EdgeCracks<'a> {
    /// The places within whose reach some of it is.
    places: Vec<&'a CrackPlace>,
    /// The least of their reaches, metres.
    reach: f64,
    /// Width of the widest, metres.
    widest: f64,
    /// Distance between the bumps of their sides, metres.
    grain: f64,
    bumps: Noise,
}

impl<'a> EdgeCracks<'a> {
    /// `None` where the edge is within reach of no place, or has no length.
    fn new(places: &'a [CrackPlace], [from, to]: [DVec3; 2]) -> Option<Self> {
        let along = (to - from).try_normalize()?;
        let distance = |place: &CrackPlace| {
            let at = (place.point - from)
                .dot(along)
                .clamp(0.0, from.distance(to));
            (from + along * at).distance(place.point)
        };
        let near = places.iter().filter(|place| distance(place) < place.reach);
        let places: Vec<&CrackPlace> = near.collect();
        let reach = places.iter().map(|place| place.reach);
        let reach = reach.fold(f64::INFINITY, f64::min);
        let widest = places.iter().map(|place| place.widest());
        let widest = widest.fold(0.0, f64::max);
        let grain = GRAIN * widest;
        (!places.is_empty()).then(|| Self {
            places,
            reach,
            widest,
            grain,
            bumps: Noise::new(SEED, grain),
        })
    }

    /// Width at a point of the edge, with ragged sides, metres.
    fn width(&self, point: DVec3) -> f64 {
        let widths = self.places.iter().map(|place| place.width(point));
        let smooth = widths.fold(0.0, f64::max);
        if smooth <= 0.0 {
            return 0.0;
        }
        let [mean, more] = RAGGED;
        smooth * (mean + more * self.bumps.height_at(point)).clamp(THINNEST, 1.0)
    }
}

/// Whether a mesh has so many strips that no more are added.
pub(super) fn is_full(strips: &Mesh) -> bool {
    strips.triangles.len() >= 2 * MAX_STRIPS
}

fn add_strip(strips: &mut Mesh, [a, b]: [DVec3; 2], inward: [DVec3; 2], normal: DVec3) {
    let first = strips.positions.len() as u32;
    let corners = [a, b, b + inward[1], a + inward[0]];
    let corners = corners.map(|corner| corner.as_vec3().to_array());
    strips.positions.extend(corners);
    strips.normals.extend([normal.as_vec3().to_array(); 4]);
    strips
        .triangles
        .extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|k| first + k)));
    strips.surfaces.extend([CAP_SURFACE; 2]);
}

/// The cells that a triangle meets, each once.
pub(super) struct CellWalk<'a> {
    pattern: &'a Pattern,
    /// Map from object space to pattern space.
    to_pattern: DMat3,
    translation: DVec3,
    /// The cell that was found last, where the search of the next begins.
    last: u32,
    /// By cell: the last triangle that has met it.
    met_by: Vec<u32>,
    triangle: u32,
    to_visit: Vec<u32>,
}

impl<'a> CellWalk<'a> {
    pub fn new(pattern: &'a Pattern, placement: Placement) -> Self {
        Self {
            pattern,
            to_pattern: placement.linear.inverse(),
            translation: placement.translation,
            last: 0,
            met_by: vec![0; pattern.cell_count()],
            triangle: 0,
            to_visit: Vec::new(),
        }
    }

    /// Begins another triangle.
    pub fn begin(&mut self) {
        self.triangle += 1;
        self.to_visit.clear();
    }

    pub fn add(&mut self, cell: u32) {
        let Some(met_by) = self.met_by.get_mut(cell as usize) else {
            return;
        };
        if *met_by != self.triangle {
            *met_by = self.triangle;
            self.to_visit.push(cell);
        }
    }

    pub fn next(&mut self) -> Option<u32> {
        self.to_visit.pop()
    }

    fn in_pattern_space(&self, point: DVec3) -> DVec3 {
        self.to_pattern * (point - self.translation)
    }

    /// The corners of a triangle in object space.
    pub fn part_corners(&self, triangle: [DVec3; 3]) -> [PartCorner; 3] {
        triangle.map(|object| PartCorner {
            pattern: self.in_pattern_space(object),
            object,
            beyond: NO_CELL,
        })
    }

    /// Adds the cell of a point in object space: from any cell the way to it leads over neighbours that are nearer.
    pub fn add_cell_at(&mut self, point: DVec3) {
        let point = self.in_pattern_space(point);
        let distance = |cell: u32| self.pattern.site(cell).distance_squared(point);
        let mut nearest = (distance(self.last), self.last);
        loop {
            let neighbors = self.pattern.neighbors(nearest.1).iter();
            let measured = neighbors.map(|cell| (distance(*cell), *cell));
            let best = measured.min_by(|a, b| a.0.total_cmp(&b.0));
            match best.filter(|best| best.0 < nearest.0) {
                Some(best) => nearest = best,
                None => break,
            }
        }
        self.last = nearest.1;
        self.add(nearest.1);
    }

    /// The part of a polygon in a cell.
    pub fn part_in_cell(&self, polygon: &[PartCorner], cell: u32) -> Vec<PartCorner> {
        let site = self.pattern.site(cell);
        let mut part = polygon.to_vec();
        for neighbor in self.pattern.neighbors(cell) {
            let other = self.pattern.site(*neighbor);
            let (middle, across) = (0.5 * (site + other), other - site);
            let height = |point: DVec3| (point - middle).dot(across);
            if part.iter().all(|corner| height(corner.pattern) <= 0.0) {
                continue;
            }
            part = clip(&part, *neighbor, height);
            if part.len() < 3 {
                return Vec::new();
            }
        }
        part
    }
}

/// The part of a convex polygon at heights of 0 and below, whose new edge has a cell beyond it.
fn clip(polygon: &[PartCorner], beyond: u32, height: impl Fn(DVec3) -> f64) -> Vec<PartCorner> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    let next = polygon.iter().cycle().skip(1);
    for (from, to) in polygon.iter().zip(next) {
        let (low, high) = (height(from.pattern), height(to.pattern));
        if low <= 0.0 {
            part.push(*from);
        }
        if (low <= 0.0) != (high <= 0.0) {
            let share = low / (low - high);
            part.push(PartCorner {
                pattern: from.pattern.lerp(to.pattern, share),
                object: from.object.lerp(to.object, share),
                beyond: if low <= 0.0 { beyond } else { from.beyond },
            });
        }
    }
    part
}
