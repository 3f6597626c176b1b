//! Surface of a solid that touches another solid, cut out along the triangles of both.
//!
//! From a triangle, lines along its normal meet a triangle that faces it. The places in the first from which they do so
//! within the gap are a convex region, with five borders: three edges, and two lines where the distance is the gap. So
//! what faces the other solid is cut out exactly. The rest is inside it or not: as a whole, unless the other surface
//! pierces it; it is cut along that then.

use super::touching_surface::{SurfaceInBox, SurfacePart, TouchingSurface};
use super::Solid;
use crate::math::triangle::bisect;
use crate::math::{Aabb, Plane};
use crate::mesh::area::{clip, fan};
use glam::{DAffine3, DVec3};

/// Cosine of the angle between two normals below which surfaces face each other.
const FACING: f64 = -0.5;

/// Length up to which places are the same, in parts of the diagonal of the region: poses are in single precision.
const SNAP: f64 = 1e-5;

/// Regions from which on a large triangle is halved before they are cut out of it: each divides the rest.
const MANY_REGIONS: usize = 16;

/// A solid that a surface may touch.
#[derive(Clone, Copy, Debug)]
pub struct SolidBeside<'a> {
    /// The solid.
    pub solid: &'a Solid,
    /// Brings places of the surface into the solid's object space; it neither scales nor mirrors.
    pub to_solid: DAffine3,
    /// Distance up to which surfaces that face each other touch, metres.
    pub gap: f64,
}

/// Region of a triangle's plane from which lines along its normal meet another triangle within the gap.
#[derive(Clone, Copy)]
struct FacingRegion([Plane; 5]);

/// Triangle of the other solid that pierces the plane of one of the surface; space of the surface.
struct Piercing {
    plane: Plane,
    bounds: Aabb,
}

/// Surface that is divided into parts that touch another solid, and others.
struct Division<'a> {
    surface: &'a SurfaceInBox,
    beside: &'a SolidBeside<'a>,
    to_surface: DAffine3,
    /// Metres.
    snap: f64,
    parts: Vec<SurfacePart>,
}

impl SurfaceInBox {
    /// The part of the surface that lies in another solid, or within the gap along its normal of surface that faces it;
    /// `None` without any. A shell has no inside, and both its sides face.
    pub fn touching_solid(&self, beside: &SolidBeside) -> Option<TouchingSurface> {
        let mut division = Division {
            surface: self,
            beside,
            to_surface: beside.to_solid.inverse(),
            snap: SNAP * self.region.diagonal(),
            parts: Vec::new(),
        };
        for corners in &self.triangles {
            division.divide(*corners);
        }
        self.sum(division.parts)
    }
}

impl Division<'_> {
    /// Divides a triangle.
    fn divide(&mut self, corners: [DVec3; 3]) {
        let [a, b, c] = corners;
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return;
        };
        let own = Plane::through(normal, a);
        let (mut regions, mut piercing) = (Vec::new(), Vec::new());
        let SolidBeside { solid, gap, .. } = *self.beside;
        let around = Aabb::from_points(corners.map(|corner| self.to_solid(corner)));
        let reach = gap + self.snap;
        let around = Aabb {
            min: around.min - reach,
            max: around.max + reach,
        };
        solid.for_each_leaf(
            |bounds| bounds.intersects(&around),
            |triangle| {
                let other = solid.positions_of(triangle);
                if Aabb::from_points(other).intersects(&around) {
                    let other = other.map(|corner| self.to_surface.transform_point3(corner));
                    regions.extend(FacingRegion::new(&other, normal, reach, solid.is_shell()));
                    piercing.extend(Piercing::new(&other, &own, self.snap));
                }
                false
            },
        );
        self.cut(corners, &regions, &piercing);
    }

    /// Cuts regions out of a triangle.
    fn cut(&mut self, corners: [DVec3; 3], regions: &[FacingRegion], piercing: &[Piercing]) {
        let is_large = regions.len() > MANY_REGIONS && self.surface.is_coarse(&corners);
        if let Some(halves) = bisect(&corners, 0.0).filter(|_| is_large) {
            for half in halves {
                let meets = |region: &&FacingRegion| !region.misses(&half, self.snap);
                let near: Vec<FacingRegion> = regions.iter().filter(meets).copied().collect();
                self.cut(half, &near, piercing);
            }
            return;
        }
        let mut rest: Vec<Vec<DVec3>> = vec![corners.to_vec()];
        for region in regions {
            let mut left = Vec::with_capacity(rest.len());
            for polygon in rest {
                if region.misses(&polygon, self.snap) {
                    left.push(polygon);
                } else {
                    let inside = region.cut_out(polygon, self.snap, &mut left);
                    self.add(&inside, true);
                }
            }
            rest = left;
        }
        for polygon in rest {
            self.add_beside(polygon, piercing);
        }
    }

    /// Adds a convex polygon that faces nothing: its parts on either side of what pierces it are inside or not.
    fn add_beside(&mut self, polygon: Vec<DVec3>, piercing: &[Piercing]) {
        let mut open = vec![(polygon, 0)];
        while let Some((mut polygon, first)) = open.pop() {
            let bounds = Aabb::from_points(polygon.iter().copied());
            let pierces = |own: &Piercing| own.pierces(&polygon, &bounds, self.snap);
            let mut rest = piercing.iter().skip(first);
            let found = rest.position(pierces);
            let cut = found.and_then(|found| piercing.get(first + found));
            let is_fine = self.surface.is_fine(&polygon);
            if let Some(own) = cut.filter(|_| !is_fine) {
                let next = first + found.unwrap_or_default() + 1;
                let mut other = polygon.clone();
                clip(&mut polygon, |at| own.plane.height(at));
                clip(&mut other, |at| -own.plane.height(at));
                open.extend([(polygon, next), (other, next)]);
            } else {
                let center = polygon.iter().sum::<DVec3>() / polygon.len() as f64;
                self.add(&polygon, self.is_inside(center));
            }
        }
    }

    fn add(&mut self, polygon: &[DVec3], touches: bool) {
        fan(polygon, |corners| {
            self.surface
                .divide_evenly(corners, touches, &mut self.parts)
        });
    }

    fn is_inside(&self, place: DVec3) -> bool {
        let solid = self.beside.solid;
        let place = self.to_solid(place);
        let is_near = solid.bounds().distance_squared(place) == 0.0;
        is_near && !solid.is_shell() && solid.is_inside(place)
    }

    fn to_solid(&self, place: DVec3) -> DVec3 {
        self.beside.to_solid.transform_point3(place)
    }
}

impl FacingRegion {
    /// The region of a plane with a normal for a triangle; `None` if that faces away.
    fn new(other: &[DVec3; 3], normal: DVec3, gap: f64, is_shell: bool) -> Option<Self> {
        let [a, b, c] = *other;
        let facing = (b - a).cross(c - a).try_normalize()?;
        let cosine = facing.dot(normal);
        // A sheet has two sides.
        if !(cosine < FACING || (is_shell && cosine > -FACING)) {
            return None;
        }
        let side = cosine.signum();
        let edge = |from: DVec3, to: DVec3| {
            let inward = (normal.cross(to - from) * side).try_normalize()?;
            Some(Plane::through(inward, from))
        };
        let away = facing * side;
        let reach = away * (gap * cosine.abs());
        Some(Self([
            Plane::through(away, a - reach),
            Plane::through(-away, a + reach),
            edge(a, b)?,
            edge(b, c)?,
            edge(c, a)?,
        ]))
    }

    /// Whether nothing of a polygon is in the region.
    fn misses(&self, polygon: &[DVec3], snap: f64) -> bool {
        let is_outside = |border: &Plane| polygon.iter().all(|at| border.height(*at) <= snap);
        self.0.iter().any(is_outside)
    }

    /// The part of a convex polygon that is in the region; the others are added to a list.
    fn cut_out(
        &self,
        mut polygon: Vec<DVec3>,
        snap: f64,
        others: &mut Vec<Vec<DVec3>>,
    ) -> Vec<DVec3> {
        for border in &self.0 {
            if polygon.iter().any(|at| border.height(*at) < -snap) {
                let mut outside = polygon.clone();
                clip(&mut outside, |at| -border.height(at));
                others.push(outside);
                clip(&mut polygon, |at| border.height(at));
            }
        }
        polygon
    }
}

impl Piercing {
    /// A triangle that has corners on both sides of a plane.
    fn new(other: &[DVec3; 3], plane: &Plane, snap: f64) -> Option<Self> {
        let [a, b, c] = *other;
        if !is_on_both_sides(plane, other, snap) {
            return None;
        }
        let normal = (b - a).cross(c - a).try_normalize()?;
        Some(Self {
            plane: Plane::through(normal, a),
            bounds: Aabb::from_points(*other),
        })
    }

    /// Whether it may pierce a polygon in the plane.
    fn pierces(&self, polygon: &[DVec3], bounds: &Aabb, snap: f64) -> bool {
        self.bounds.intersects(bounds) && is_on_both_sides(&self.plane, polygon, snap)
    }
}

fn is_on_both_sides(plane: &Plane, points: &[DVec3], snap: f64) -> bool {
    let [low, high] = plane.height_range(points);
    low < -snap && high > snap
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::SurfaceSample;
    use crate::Mesh;
    use glam::{DQuat, EulerRot};
    use rand::{Rng, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    impl SolidBeside<'_> {
        /// Whether a place of a surface touches, by all triangles one after another.
        fn touches(&self, sample: &SurfaceSample) -> bool {
            let place = self.to_solid.transform_point3(sample.position);
            let normal = self.to_solid.transform_vector3(sample.normal);
            let faces = |triangle: u32| {
                let [a, b, c] = self.solid.positions_of(triangle);
                let facing = (b - a).cross(c - a).normalize();
                let along = (a - place).dot(facing) / normal.dot(facing);
                let hit = place + along * normal;
                let is_left =
                    |from: DVec3, to: DVec3| (to - from).cross(hit - from).dot(facing) >= 0.0;
                let cosine = facing.dot(normal);
                (cosine < FACING || (self.solid.is_shell() && cosine > -FACING))
                    && along.abs() <= self.gap
                    && (is_left(a, b) && is_left(b, c) && is_left(c, a))
            };
            (0..self.solid.triangle_count() as u32).any(faces)
                || (!self.solid.is_shell() && self.solid.is_inside(place))
        }
    }

    /// The surface of a solid near another one at a pose.
    fn near<'a>(
        own: &Solid,
        other: &'a Solid,
        from_other: DAffine3,
        gap: f64,
    ) -> (SurfaceInBox, SolidBeside<'a>) {
        let mut region = other.bounds().transformed(&from_other);
        region.min -= gap;
        region.max += gap;
        let beside = SolidBeside {
            solid: other,
            to_solid: from_other.inverse(),
            gap,
        };
        (own.surface_in(&region), beside)
    }

    /// Area and centre of a contact, by places a centimetre apart.
    fn told(surface: &SurfaceInBox, beside: &SolidBeside) -> (f64, DVec3) {
        let (mut sum, mut moment) = (0.0, DVec3::ZERO);
        for [a, b, c] in &surface.triangles {
            let across = (*b - *a).cross(*c - *a);
            let rows = (across.length().sqrt() / 0.01).ceil() as usize;
            let share = 0.5 * across.length() / (rows * rows) as f64;
            let normal = across.normalize_or_zero();
            for cell in 0..rows * rows {
                // Each cell of the parallelogram has a part of the triangle with a third of it, or both.
                let (i, j) = (cell / rows, cell % rows);
                for third in [1.0, 2.0] {
                    let [u, v] = [i, j].map(|step| (step as f64 + third / 3.0) / rows as f64);
                    let position = *a + (*b - *a) * u + (*c - *a) * v;
                    if u + v < 1.0 && beside.touches(&SurfaceSample { position, normal }) {
                        sum += share;
                        moment += position * share;
                    }
                }
            }
        }
        (sum, moment / sum)
    }

    #[test]
    fn what_is_cut_out_is_what_points_tell() {
        let block = Solid::new(Mesh::cuboid([1.0, 0.4, 0.6])).unwrap();
        let ball = Solid::new(Mesh::sphere(0.5, 24, 12)).unwrap();
        let bowl = Solid::new(Mesh::bowl(0.5, 0.1, 16, 8)).unwrap();
        let pairs = [
            (&block, &block),
            (&ball, &block),
            (&block, &bowl),
            (&bowl, &ball),
        ];
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut compared = 0;
        for case in 0..32 {
            let (own, other) = pairs[case % pairs.len()];
            let mut draw = |size: f64| size * (2.0 * random.random::<f64>() - 1.0);
            let at = DVec3::new(draw(0.6), draw(0.6), draw(0.6));
            let turn = DQuat::from_euler(EulerRot::XYZ, draw(2.0), draw(2.0), draw(2.0));
            let from_other = DAffine3::from_rotation_translation(turn, at);
            let (surface, beside) = near(own, other, from_other, 0.02);
            let cut = surface.touching_solid(&beside);
            let cut = cut.map(|own| (own.area.area, own.area.center));
            let (area, center) = cut.unwrap_or_default();
            let (told_area, told_center) = told(&surface, &beside);
            assert!(
                (area - told_area).abs() < 0.02 * area + 0.002,
                "case {case}: {area} and {told_area}"
            );
            if area > 0.02 {
                let apart = (center - told_center).length();
                assert!(apart < 0.01, "case {case}: {apart}");
                compared += 1;
            }
        }
        assert!(compared > 16, "{compared}");
    }

    #[test]
    fn a_face_on_a_face_is_cut_out_exactly() {
        let plate = Solid::new(Mesh::cuboid([4.0, 0.1, 3.0])).unwrap();
        let foot = Solid::new(Mesh::cuboid([0.3, 2.0, 0.2])).unwrap();
        for (turn, gap) in [(0.0, 0.0), (0.3, 0.005), (1.1, 0.05)] {
            let from_foot = DAffine3::from_rotation_translation(
                DQuat::from_rotation_y(turn),
                DVec3::new(0.4, 1.05, 0.1),
            );
            let (surface, beside) = near(&plate, &foot, from_foot, gap);
            let cut = surface.touching_solid(&beside).unwrap();
            assert!(
                (cut.area.area - 0.06).abs() < 1e-4,
                "{turn}: {}",
                cut.area.area
            );
            assert!((cut.area.center - DVec3::new(0.4, 0.05, 0.1)).length() < 1e-4);
            assert!(cut.area.normal.y > 0.999_999);
        }
    }

    #[test]
    fn both_sides_of_a_sheet_touch() {
        let plate = Solid::new(Mesh::cuboid([1.0, 0.1, 1.0])).unwrap();
        let sheet = Solid::shell(Mesh::cuboid([0.5, 0.002, 0.4]), 0.01).unwrap();
        // The lower side of the sheet, which faces the plate, and the upper one, which does not.
        for (height, gap) in [(0.052, 0.002), (0.048, 0.0015)] {
            let from_sheet = DAffine3::from_translation(DVec3::Y * height);
            let (surface, beside) = near(&plate, &sheet, from_sheet, gap);
            let found = surface.touching_solid(&beside).unwrap().area.area;
            assert!((found - 0.2).abs() < 1e-4, "{height}: {found}");
        }
    }

    #[test]
    fn many_triangles_on_a_large_one_add_up() {
        // A ball that is pressed flat has 40,000 triangles in its lower face.
        let mut mesh = Mesh::sphere(1.0, 200, 200);
        for position in &mut mesh.positions {
            position[1] = position[1].max(-0.2);
        }
        let ball = Solid::new(mesh).unwrap();
        let plate = Solid::new(Mesh::cuboid([4.0, 0.1, 4.0])).unwrap();
        let from_ball = DAffine3::from_translation(DVec3::Y * 0.25);
        let (surface, beside) = near(&plate, &ball, from_ball, 0.002);
        let cut = surface.touching_solid(&beside);
        let wanted = std::f64::consts::PI * (1.0 - 0.04);
        let found = cut.unwrap().area.area;
        assert!((found / wanted - 1.0).abs() < 0.01, "{found} of {wanted}");
    }
}
