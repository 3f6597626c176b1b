//! The job that finds where bodies touch.

use std::sync::Arc;

use fracture_geometry::steps::pause;
use fracture_geometry::support::{AreaProperties, SolidBeside, TouchingSurface};
use fracture_geometry::{Aabb, Solid};
use glam::{DAffine3, DVec3, Vec3};
use rapier3d::geometry::FeatureId;
use rapier3d::math::Pose;
use rapier3d::parry::query::Ray;
use rapier3d::parry::shape::{SharedShape, TypedShape};
use rapier3d::prelude::BoundingVolume;

use crate::debris::{BodyRef, ExternalBody};
use crate::pieces::{Anchor, Shape};
use crate::types::BodyId;

/// Margin around the places of a bond, metres: vertices on its border are inside in spite of rounding.
const MARGIN: f32 = 1e-3;

/// Length of the rays that tell whether a point is below the surface of a mesh that need not be closed, metres.
const DEPTH: f32 = 10.0;

/// Searches bonds between pairs of bodies.
pub(crate) struct BondJob {
    /// The bodies of which all bonds are found.
    pub searched: Vec<BodyId>,
    pub bodies: Vec<PlacedBody>,
    /// Indices into the bodies. The first of a pair has a solid.
    pub pairs: Vec<CandidatePair>,
    /// Upward unit vector: against gravity.
    pub up: Vec3,
}

/// Two bodies that may touch.
pub(crate) struct CandidatePair {
    pub bodies: [usize; 2],
    /// Metres.
    pub gap: f32,
}

/// A body where it is.
pub(crate) struct PlacedBody {
    pub owner: BodyRef,
    pub pose: Pose,
    pub form: BodyForm,
}

/// Form of a body.
pub(crate) enum BodyForm {
    Solid(Arc<Shape>),
    /// The colliders of a body of the engine, with their poses in it.
    Colliders(Vec<(SharedShape, Pose)>),
}

impl PlacedBody {
    pub fn solid(body: BodyId, shape: Arc<Shape>, pose: Pose) -> Self {
        Self {
            owner: BodyRef::Breakable(body),
            pose,
            form: BodyForm::Solid(shape),
        }
    }

    pub fn external(key: u64, body: &ExternalBody) -> Self {
        let colliders = body.desc.colliders.iter();
        let colliders = colliders.map(|collider| (collider.shape.clone(), collider.pose));
        Self {
            owner: BodyRef::External(key),
            pose: body.motion.pose,
            form: BodyForm::Colliders(colliders.collect()),
        }
    }
}

/// All bonds of some bodies.
pub(crate) struct FoundBonds {
    pub searched: Vec<BodyId>,
    pub bonds: Vec<FoundBond>,
}

/// A bond between two bodies.
pub(crate) struct FoundBond {
    pub bodies: [BodyRef; 2],
    /// By body: the places, in its space.
    pub places: [Arc<[Anchor]>; 2],
    /// World space; its normal points from the first to the second.
    pub face: AreaProperties,
}

impl BondJob {
    /// Searches the bonds, in steps of one pair.
    pub async fn run(self) -> FoundBonds {
        let mut bonds = Vec::new();
        for pair in &self.pairs {
            bonds.extend(self.bond(pair));
            pause().await;
        }
        FoundBonds {
            bonds,
            searched: self.searched,
        }
    }

    fn bond(&self, pair: &CandidatePair) -> Option<FoundBond> {
        let [one, other] = pair.bodies.map(|index| self.bodies.get(index));
        let (one, other) = (one?, other?);
        let gap = pair.gap;
        let (from_one, found) = touching(one, other, gap, self.up)?;
        let own = if from_one { one.pose } else { other.pose };
        Some(FoundBond {
            bodies: [one.owner, other.owner],
            places: [
                places(&found, own, one.pose, from_one, gap),
                places(&found, own, other.pose, !from_one, gap),
            ],
            face: face(&found, own, from_one),
        })
    }
}

/// Where two bodies touch with a gap, and whether that was found on the first, which has a solid.
pub(crate) fn touching(
    one: &PlacedBody,
    other: &PlacedBody,
    gap: f32,
    up: Vec3,
) -> Option<(bool, TouchingSurface)> {
    match (&one.form, &other.form) {
        (BodyForm::Solid(a), BodyForm::Solid(b)) => {
            let solids = [&**a.solid().ok()?, &**b.solid().ok()?];
            between_solids(solids, [one.pose, other.pose], gap)
        }
        (BodyForm::Solid(shape), BodyForm::Colliders(colliders)) => {
            let ground = Ground::new(colliders, other.pose, up, gap);
            Some((true, ground.bond(shape.solid().ok()?, one.pose)?))
        }
        (BodyForm::Colliders(_), _) => None,
    }
}

/// The face of a bond in world space, seen from the first body.
fn face(found: &TouchingSurface, own: Pose, from_first: bool) -> AreaProperties {
    let area = &found.area;
    let sign = if from_first { 1.0 } else { -1.0 };
    let transform = transform_of(&own);
    let to_world = transform.matrix3;
    AreaProperties {
        area: area.area,
        center: transform.transform_point3(area.center),
        normal: to_world * area.normal * sign,
        moments: to_world * area.moments * to_world.transpose(),
    }
}

/// The places of a bond in the space of a body, from those in the space of the body `own` that it was found on, which
/// may be the same.
fn places(found: &TouchingSurface, own: Pose, pose: Pose, is_own: bool, gap: f32) -> Arc<[Anchor]> {
    let to_body = transform_of(&pose).inverse() * transform_of(&own);
    let map = |point: DVec3| {
        if is_own {
            point
        } else {
            to_body.transform_point3(point)
        }
    };
    let margin = if is_own { MARGIN } else { MARGIN + gap };
    let boxes = found.boxes(map);
    let anchor = |bounds: &Aabb| {
        let [low, high] = bounds.as_vec3();
        [low - margin, high + margin]
    };
    boxes.iter().map(anchor).collect()
}

/// The bond of two solids, on the one that has less surface near the other: so a beam in a wall touches it with
/// its cross-section. Says whether that is the first.
fn between_solids(
    solids: [&Solid; 2],
    poses: [Pose; 2],
    gap: f32,
) -> Option<(bool, TouchingSurface)> {
    let [one, other] = solids;
    let gap = f64::from(gap);
    let places = poses.map(|pose| transform_of(&pose));
    let between = |from: usize, to: usize| places[to].inverse() * places[from];
    let region = |of: usize, seen_from: usize| {
        let around = solids[of].bounds().transformed(&between(of, seen_from));
        Aabb {
            min: around.min - gap,
            max: around.max + gap,
        }
    };
    let surfaces = [
        one.surface_in(&region(1, 0)),
        other.surface_in(&region(0, 1)),
    ];
    let touching = |own: usize, with: usize| {
        surfaces[own].touching_solid(&SolidBeside {
            solid: solids[with],
            to_solid: between(own, with),
            gap,
        })
    };
    let is_first_smaller = surfaces[0].area() <= surfaces[1].area();
    let order = if is_first_smaller {
        [(0, 1), (1, 0)]
    } else {
        [(1, 0), (0, 1)]
    };
    let mut orders = order.into_iter();
    orders.find_map(|(own, with)| Some((own == 0, touching(own, with)?)))
}

/// Colliders of a body of the engine.
struct Ground<'a> {
    colliders: Vec<(&'a SharedShape, Pose, rapier3d::geometry::Aabb)>,
    up: Vec3,
    gap: f32,
}

impl<'a> Ground<'a> {
    fn new(colliders: &'a [(SharedShape, Pose)], pose: Pose, up: Vec3, gap: f32) -> Self {
        let place = |(shape, own): &'a (SharedShape, Pose)| {
            let pose = pose * *own;
            (shape, pose, shape.compute_aabb(&pose).loosened(gap))
        };
        Self {
            colliders: colliders.iter().map(place).collect(),
            up,
            gap,
        }
    }

    /// The bond of a solid at a pose.
    fn bond(&self, solid: &Solid, pose: Pose) -> Option<TouchingSurface> {
        let region = self.region(solid, &pose.inverse());
        solid.surface_in(&region).touching(|point| {
            let position = pose.transform_point(point.position.as_vec3());
            let normal = pose.rotation * point.normal.as_vec3();
            let mut near = self
                .colliders
                .iter()
                .filter(|(_, _, bounds)| bounds.contains_local_point(position));
            near.any(|(shape, pose, _)| {
                crosses(shape, pose, position, normal, self.gap)
                    || is_below(shape, pose, position, self.up)
            })
        })
    }

    /// A box around the colliders, in the space of a solid.
    fn region(&self, solid: &Solid, to_solid: &Pose) -> Aabb {
        let boxes = self.colliders.iter().map(|(_, _, bounds)| *bounds);
        let Some(around) = boxes.reduce(|all, one| all.merged(&one)) else {
            return Aabb::EMPTY;
        };
        let corners = [around.mins, around.maxs].map(|corner| corner.as_dvec3());
        if corners.iter().all(|corner| corner.is_finite()) {
            Aabb::from_points(corners).transformed(&transform_of(to_solid))
        } else {
            solid.bounds()
        }
    }
}

/// Whether a point is inside a collider, or below its surface if that need not be closed.
fn is_below(shape: &SharedShape, pose: &Pose, point: Vec3, up: Vec3) -> bool {
    let triangles = match shape.as_typed_shape() {
        TypedShape::TriMesh(mesh) => mesh.indices().len(),
        TypedShape::HeightField(field) => 2 * field.nrows() * field.ncols(),
        TypedShape::Compound(compound) => {
            let is_below =
                |(own, shape): &(Pose, SharedShape)| is_below(shape, &(*pose * *own), point, up);
            return compound.shapes().iter().any(is_below);
        }
        _ => return shape.contains_point(pose, point),
    };
    let ray = Ray::new(point, up);
    let hit = shape.cast_ray_and_get_normal(pose, &ray, DEPTH, false);
    // A surface that is met from behind has numbers after those of all faces.
    hit.is_some_and(
        |hit| matches!(hit.feature, FeatureId::Face(face) if face as usize >= triangles),
    )
}

/// Whether a line through a point enters a collider within a distance on either side. A line that begins inside leaves
/// it, as one from the upper side of a thin pane that lies on it: those surfaces do not face each other.
fn crosses(shape: &SharedShape, pose: &Pose, point: Vec3, normal: Vec3, distance: f32) -> bool {
    let ray = Ray::new(point - distance * normal, normal);
    !shape.contains_point(pose, ray.origin)
        && shape.cast_ray(pose, &ray, 2.0 * distance, false).is_some()
}

/// A pose in double precision.
fn transform_of(pose: &Pose) -> DAffine3 {
    let rotation = pose.rotation.as_dquat().normalize();
    DAffine3::from_rotation_translation(rotation, pose.translation.as_dvec3())
}
