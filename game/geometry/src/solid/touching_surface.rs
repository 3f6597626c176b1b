//! Surface of a solid that touches something else.

use super::Solid;
use crate::math::triangle::bisect;
use crate::math::Aabb;
use crate::mesh::area::{clip_to_box, fan, AreaAccumulator, AreaProperties};
use glam::DVec3;

/// Parts that the surface in a region is divided into at least, about.
const COARSE_PARTS: f64 = 64.0;

/// The same for parts that touch in some of their points and not in others.
const FINE_PARTS: f64 = 8192.0;

/// Points of a part lie this far from its corners, towards its centre, in parts of the distance: corners often lie
/// on the edge of something.
const INSET: f64 = 0.02;

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
    pub(super) triangles: Vec<[DVec3; 3]>,
    area: f64,
    pub(super) region: Aabb,
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
pub(super) struct SurfacePart {
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
            region: *region,
        }
    }

    /// Visits triangles in the nodes that a function wants, until one of them returns `true`.
    pub(super) fn for_each_leaf(
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
            let normal = normal(corners).normalize_or_zero();
            let mut touches = |position| touches(&SurfaceSample { position, normal });
            self.halve(*corners, &mut touches, &mut parts);
        }
        self.sum(parts)
    }

    /// The sum of the parts that touch; `None` without any.
    pub(super) fn sum(&self, parts: Vec<SurfacePart>) -> Option<TouchingSurface> {
        let center = self.region.center();
        let mut sum = AreaAccumulator::default();
        for part in parts.iter().filter(|part| part.touches) {
            sum.add(part.corners.map(|corner| corner - center));
        }
        let area = sum.finish(center)?;
        Some(TouchingSurface { area, parts })
    }

    /// Halves a triangle until its parts are small, or touch as a whole or not at all.
    fn halve(
        &self,
        corners: [DVec3; 3],
        touches: &mut impl FnMut(DVec3) -> bool,
        parts: &mut Vec<SurfacePart>,
    ) {
        let area = area(&corners);
        let center = (corners[0] + corners[1] + corners[2]) / 3.0;
        let mut touches_in_center = None;
        let halves = bisect(&corners, 0.0).filter(|_| {
            self.is_coarse(&corners)
                || (!self.is_fine(&corners) && {
                    let first = touches(center);
                    touches_in_center = Some(first);
                    let near = corners.map(|corner| corner.lerp(center, INSET));
                    near.into_iter().any(|point| touches(point) != first)
                })
        });
        match halves {
            Some([one, other]) => {
                self.halve(one, touches, parts);
                self.halve(other, touches, parts);
            }
            None if area > 0.0 => parts.push(SurfacePart {
                corners,
                touches: touches_in_center.unwrap_or_else(|| touches(center)),
            }),
            None => {}
        }
    }

    /// Adds a triangle that touches as a whole or not at all, in parts that are not large.
    pub(super) fn divide_evenly(
        &self,
        corners: [DVec3; 3],
        touches: bool,
        parts: &mut Vec<SurfacePart>,
    ) {
        let halves = bisect(&corners, 0.0).filter(|_| self.is_coarse(&corners));
        match halves {
            Some(halves) => {
                for half in halves {
                    self.divide_evenly(half, touches, parts);
                }
            }
            None if area(&corners) > 0.0 => parts.push(SurfacePart { corners, touches }),
            None => {}
        }
    }

    /// Whether a convex polygon is so small that it is not divided.
    pub(super) fn is_fine(&self, polygon: &[DVec3]) -> bool {
        let mut sum = 0.0;
        fan(polygon, |corners| sum += area(&corners));
        sum * FINE_PARTS <= self.area
    }

    /// Whether a triangle is so large that it is halved in any case.
    pub(super) fn is_coarse(&self, corners: &[DVec3; 3]) -> bool {
        area(corners) * COARSE_PARTS > self.area
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
    use crate::solid::SolidBeside;
    use crate::Mesh;
    use glam::{DAffine3, DMat3, DQuat};

    const GAP: f64 = 0.005;

    fn cuboid(size: [f32; 3]) -> Solid {
        Solid::new(Mesh::cuboid(size)).unwrap()
    }

    /// The contact of a cuboid with another one, which stands at a place and is turned about y.
    fn contact(own: [f32; 3], other: [f32; 3], at: DVec3, turn: f64) -> Option<TouchingSurface> {
        let (own, other) = (cuboid(own), cuboid(other));
        let from_other = DAffine3::from_rotation_translation(DQuat::from_rotation_y(turn), at);
        let mut region = other.bounds().transformed(&from_other);
        region.min -= GAP;
        region.max += GAP;
        own.surface_in(&region).touching_solid(&SolidBeside {
            solid: &other,
            to_solid: from_other.inverse(),
            gap: GAP,
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
