//! Surface of a solid that touches something else.

use super::Solid;
use crate::math::triangle::bisect;
use crate::math::Aabb;
use crate::mesh::area::{clip_to_box, AreaAccumulator, AreaProperties};
use glam::DVec3;

/// Parts that the surface in a region is divided into at least, about.
const COARSE_PARTS: f64 = 64.0;

/// The same for parts that touch in some of their points and not in others.
const FINE_PARTS: f64 = 8192.0;

/// Points of a part lie this far from its corners, towards its centre, in parts of the distance: corners often lie
/// on the edge of something.
const INSET: f64 = 0.02;

/// Cosine of the angle between two normals below which surfaces face each other.
const FACING: f64 = -0.5;

/// Times that a box around a contact is halved at most.
const MAX_HALVINGS: u32 = 5;

/// Surface that does not touch up to which a box is not halved, in parts of the surface that does.
const MIXED: f64 = 0.1;

/// Thickness up to which a box is not halved, in parts of its diagonal.
const THIN: f64 = 0.1;

/// A point of a surface, object space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceSample {
    /// Metres.
    pub position: DVec3,
    /// Outward unit normal.
    pub normal: DVec3,
}

/// Surface of a solid in a box, as triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceInBox {
    triangles: Vec<[DVec3; 3]>,
    area: f64,
    center: DVec3,
}

/// Surface of a solid that touches something else: area, centre, mean outward normal and moments, and the places.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchingSurface {
    /// Area properties, object space.
    pub area: AreaProperties,
    parts: Vec<SurfacePart>,
}

/// Small part of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SurfacePart {
    corners: [DVec3; 3],
    touches: bool,
}

impl Solid {
    /// The surface in a box (object space).
    pub fn surface_in(&self, region: &Aabb) -> SurfaceInBox {
        let mut triangles = Vec::new();
        self.for_each_leaf(
            |bounds| bounds.intersects(region),
            |triangle| {
                clip_to_box(self.positions_of(triangle), region, |part| {
                    triangles.push(part)
                });
                false
            },
        );
        SurfaceInBox {
            area: triangles.iter().map(area).sum(),
            triangles,
            center: region.center(),
        }
    }

    /// Whether a point of another surface (object space) lies in the solid, or within `gap` metres along its normal
    /// of surface that faces it.
    pub fn touches(&self, point: &SurfaceSample, gap: f64) -> bool {
        self.faces(point, gap) || (!self.is_shell() && self.is_inside(point.position))
    }

    fn faces(&self, point: &SurfaceSample, gap: f64) -> bool {
        let reach = point.normal * gap;
        let way = [point.position - reach, point.position + reach];
        let bounds = Aabb::from_points(way);
        self.for_each_leaf(
            |node| node.intersects(&bounds),
            |triangle| {
                let corners = self.positions_of(triangle);
                let cosine = normal(&corners).normalize_or_zero().dot(point.normal);
                // A sheet has two sides.
                let is_facing = cosine < FACING || (self.is_shell() && cosine > -FACING);
                is_facing && crosses(&corners, point.position, point.normal, gap)
            },
        )
    }

    /// Visits triangles in the nodes that a function wants, until one of them returns `true`.
    fn for_each_leaf(
        &self,
        wants: impl Fn(&Aabb) -> bool,
        mut visit: impl FnMut(u32) -> bool,
    ) -> bool {
        self.visit_node(0, &wants, &mut visit)
    }

    /// Visits the triangles below a node. A stack in memory would cost more than what is visited.
    fn visit_node(
        &self,
        index: u32,
        wants: &impl Fn(&Aabb) -> bool,
        visit: &mut impl FnMut(u32) -> bool,
    ) -> bool {
        let node = self.bvh.node(index);
        if !wants(&node.bounds()) {
            false
        } else if node.is_leaf() {
            node.triangles().any(visit)
        } else {
            self.visit_node(node.right, wants, visit) || self.visit_node(index + 1, wants, visit)
        }
    }
}

impl SurfaceInBox {
    /// Area, m^2.
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The part of the surface for whose points `touches` returns `true`; `None` without any. The border of the
    /// contact is found up to about a hundredth of the size of the surface.
    pub fn touching(
        &self,
        mut touches: impl FnMut(&SurfaceSample) -> bool,
    ) -> Option<TouchingSurface> {
        let mut parts = Vec::new();
        for corners in &self.triangles {
            self.divide(*corners, &mut touches, &mut parts);
        }
        let mut sum = AreaAccumulator::default();
        for part in parts.iter().filter(|part| part.touches) {
            sum.add(part.corners.map(|corner| corner - self.center));
        }
        let area = sum.finish(self.center)?;
        Some(TouchingSurface { area, parts })
    }

    /// Halves a triangle until its parts are small, or touch as a whole or not at all.
    fn divide(
        &self,
        corners: [DVec3; 3],
        touches: &mut impl FnMut(&SurfaceSample) -> bool,
        parts: &mut Vec<SurfacePart>,
    ) {
        let area = area(&corners);
        let normal = normal(&corners).normalize_or_zero();
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        let mut touches_at = |position| touches(&SurfaceSample { position, normal });
        let mut touches_in_center = None;
        let halves = bisect(&corners, 0.0).filter(|_| {
            let is_coarse = area * COARSE_PARTS > self.area;
            let is_fine = area * FINE_PARTS <= self.area;
            is_coarse
                || (!is_fine && {
                    let first = touches_at(center);
                    touches_in_center = Some(first);
                    let near = corners.map(|corner| corner.lerp(center, INSET));
                    near.into_iter().any(|point| touches_at(point) != first)
                })
        });
        match halves {
            Some([one, other]) => {
                self.divide(one, touches, parts);
                self.divide(other, touches, parts);
            }
            None if area > 0.0 => parts.push(SurfacePart {
                corners,
                touches: touches_in_center.unwrap_or_else(|| touches_at(center)),
            }),
            None => {}
        }
    }
}

impl TouchingSurface {
    /// Boxes that hold the surface in contact and little besides, at most 32, in the space that a function maps
    /// object space to.
    pub fn boxes(&self, map: impl Fn(DVec3) -> DVec3) -> Vec<Aabb> {
        let map = |part: &SurfacePart| SurfacePart {
            corners: part.corners.map(&map),
            ..*part
        };
        let mut boxes = Vec::new();
        let parts = self.parts.iter().map(map).collect();
        boxes_around(parts, MAX_HALVINGS, &mut boxes);
        boxes
    }
}

/// The cross product of two edges: twice the area, along the outward normal.
fn normal([a, b, c]: &[DVec3; 3]) -> DVec3 {
    (*b - *a).cross(*c - *a)
}

fn area(corners: &[DVec3; 3]) -> f64 {
    0.5 * normal(corners).length()
}

/// Whether a line through a point crosses a triangle within a distance on either side.
fn crosses(corners: &[DVec3; 3], point: DVec3, direction: DVec3, distance: f64) -> bool {
    let normal = normal(corners);
    let along = (corners[0] - point).dot(normal) / direction.dot(normal);
    let hit = point + along * direction;
    let [a, b, c] = *corners;
    let is_left = |from: DVec3, to: DVec3| (to - from).cross(hit - from).dot(normal) >= 0.0;
    along.abs() <= distance && is_left(a, b) && is_left(b, c) && is_left(c, a)
}

/// Finds boxes around the parts that touch: a box that is thick, or that holds parts which do not touch, is halved.
fn boxes_around(parts: Vec<SurfacePart>, halvings_left: u32, boxes: &mut Vec<Aabb>) {
    let touching = || parts.iter().filter(|part| part.touches);
    if touching().next().is_none() {
        return;
    }
    let around = Aabb::from_points(touching().flat_map(|part| part.corners));
    let extents = around.extents();
    let is_inside = |part: &SurfacePart| around.distance_squared(part.center()) == 0.0;
    let inside = parts.iter().filter(|part| is_inside(part));
    let area_of = |touches: bool| {
        let alike = inside.clone().filter(|part| part.touches == touches);
        alike.map(|part| area(&part.corners)).sum::<f64>()
    };
    let is_mixed = area_of(false) > MIXED * area_of(true);
    let is_thick = extents.min_element() > THIN * around.diagonal();
    if halvings_left == 0 || !(is_mixed || is_thick) {
        boxes.push(around);
        return;
    }
    let axis = extents.max_position();
    let middle = around.center()[axis];
    let (low, high) = parts
        .into_iter()
        .partition(|part| part.center()[axis] < middle);
    boxes_around(low, halvings_left - 1, boxes);
    boxes_around(high, halvings_left - 1, boxes);
}

impl SurfacePart {
    fn center(&self) -> DVec3 {
        let [a, b, c] = self.corners;
        (a + b + c) / 3.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use glam::{DMat3, DQuat};

    const GAP: f64 = 0.005;

    fn cuboid(size: [f32; 3]) -> Solid {
        Solid::new(Mesh::cuboid(size)).unwrap()
    }

    /// The contact of a cuboid with another one, which stands at a place and is turned about y.
    fn contact(own: [f32; 3], other: [f32; 3], at: DVec3, turn: f64) -> Option<TouchingSurface> {
        let (own, other) = (cuboid(own), cuboid(other));
        let turn = DQuat::from_rotation_y(turn);
        let [low, high] = other.bounds().corners();
        let corners = (0..8).map(|k| {
            let pick = |axis: usize| {
                if k >> axis & 1 == 0 {
                    low[axis]
                } else {
                    high[axis]
                }
            };
            turn * DVec3::new(pick(0), pick(1), pick(2)) + at
        });
        let mut region = Aabb::from_points(corners);
        region.min -= GAP;
        region.max += GAP;
        own.surface_in(&region).touching(|point| {
            let point = SurfaceSample {
                position: turn.inverse() * (point.position - at),
                normal: turn.inverse() * point.normal,
            };
            other.touches(&point, GAP)
        })
    }

    #[test]
    fn a_block_on_a_block_touches_with_its_face() {
        // A pillar 0.3 x 0.2 m on a plate.
        let at = DVec3::new(0.4, 1.05, 0.1);
        for above in [-0.002, 0.0, 0.004] {
            let found =
                contact([4.0, 0.1, 3.0], [0.3, 2.0, 0.2], at + DVec3::Y * above, 0.0).unwrap();
            assert!((found.area.area - 0.06).abs() < 0.0012, "{:?}", found.area);
            assert!((found.area.center - DVec3::new(0.4, 0.05, 0.1)).length() < 2e-3);
            assert!(found.area.normal.y > 0.999);
            let wanted = DMat3::from_diagonal(DVec3::new(
                0.2 * 0.3f64.powi(3) / 12.0,
                0.0,
                0.3 * 0.2f64.powi(3) / 12.0,
            ));
            let off = found.area.moments - wanted;
            assert!(off.x_axis.x.abs() < 0.05 * wanted.x_axis.x, "{off}");
            let boxes = found.boxes(|point| point);
            assert_eq!(boxes.len(), 1, "{boxes:?}");
        }
        assert_eq!(
            contact([4.0, 0.1, 3.0], [0.3, 2.0, 0.2], at + DVec3::Y * 0.006, 0.0),
            None
        );
    }

    #[test]
    fn the_area_of_a_turned_block_is_found() {
        for turn in [0.2, 0.785, 1.3] {
            let found = contact([4.0, 0.1, 3.0], [0.3, 2.0, 0.2], DVec3::Y * 1.05, turn).unwrap();
            assert!(
                (found.area.area - 0.06).abs() < 0.003,
                "{turn}: {}",
                found.area.area
            );
        }
    }

    #[test]
    fn a_beam_in_a_wall_touches_with_all_that_is_inside() {
        // 0.1 m of a beam of 0.2 x 0.2 m: its end and four sides.
        let found = contact([2.0, 0.2, 0.2], [0.3, 3.0, 3.0], DVec3::X * 1.05, 0.0).unwrap();
        let wanted = 0.04 + 4.0 * 0.02;
        assert!(
            (found.area.area - wanted).abs() < 0.005,
            "{}",
            found.area.area
        );
    }

    #[test]
    fn blocks_side_by_side_touch_where_they_overlap() {
        // Half of a face.
        let found = contact([1.0; 3], [1.0; 3], DVec3::new(1.0, 0.5, 0.0), 0.0).unwrap();
        assert!((found.area.area - 0.5).abs() < 0.01, "{}", found.area.area);
        assert!(found.area.normal.x > 0.999);
        // An edge has no area.
        assert_eq!(
            contact([1.0; 3], [1.0; 3], DVec3::new(1.0, 1.0, 0.0), 0.0),
            None
        );
    }

    #[test]
    fn boxes_leave_out_what_does_not_touch() {
        // A table with its legs towards -y: a plate, of which two strips touch.
        let plate = cuboid([2.0, 0.1, 1.0]);
        let surface = plate.surface_in(&Aabb::from_points([
            DVec3::new(-1.0, -0.06, -0.5),
            DVec3::new(1.0, -0.04, 0.5),
        ]));
        let found =
            surface.touching(|point| point.position.y < -0.049 && point.position.x.abs() > 0.8);
        let boxes = found.unwrap().boxes(|point| point);
        let holds = |x: f64| {
            boxes
                .iter()
                .any(|b| b.distance_squared(DVec3::new(x, -0.05, 0.1)) < 1e-9)
        };
        assert!(
            holds(-0.9) && holds(0.9) && !holds(0.0) && !holds(0.7),
            "{boxes:?}"
        );
    }
}
