//! Explosions: the energy and the impulse of a charge, shared by solid angle among the bodies that it sees.

use std::cmp::Reverse;
use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use hecs::World;
use rapier3d::geometry::Aabb;
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::BoundingVolume;

use super::solid_angle::box_faces;
use crate::debris::{BodyRef, RayHit};
use crate::environment::AllBodies;
use crate::pieces::components::{Breakable, Intact, Proxy};
use crate::types::{BodyId, Motion};

/// Rays over the whole sphere. More find narrower gaps in what shields a body, and cost time.
const RAYS: f64 = 2048.0;

/// Number of bodies that one explosion reaches: those of largest solid angle.
const MAX_BODIES: usize = 1024;

/// Radius of the charge, metres: a body that comes closer surrounds the charge and does not shield others.
const CHARGE_RADIUS: f32 = 0.01;

/// Energy of a kilogram of TNT, J: the gas of a charge has the mass of as much TNT.
const TNT_ENERGY: f64 = 4.184e6;

/// Density of air, kg/m^3.
const AIR_DENSITY: f64 = 1.2;

/// The effect of an explosion on one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlastLoad {
    /// The body: a breakable one, or a dynamic external one.
    pub body: BodyRef,
    /// Point of the body's surface, metres: near the middle of all that the explosion reaches.
    pub point: Vec3,
    /// Outward unit normal there.
    pub normal: Vec3,
    /// Impulse of the gas, N s. A light body takes less of it, see [`Push`](crate::Push).
    pub impulse: Vec3,
    /// Energy, J.
    pub energy: f32,
}

/// A charge that explodes.
#[derive(Clone, Copy)]
struct Charge {
    center: Vec3,
    /// Reach, metres.
    radius: f32,
    /// J
    energy: f64,
}

impl Charge {
    /// Momentum in all directions together at a distance, N s: the energy moves the gas of the charge and
    /// the air that it has swept up (the snowplough model of a blast wave). Further away than a metre for each
    /// cube root of a kilogram of TNT the wave is weak, and its momentum grows with the distance only: the
    /// impulse on a square metre falls as the inverse of it. A kilogram gives 190 N s per square metre at 3 m and 57 at
    /// 10 m, where charts of reflected blast waves have some 200 and 55 (Kingery and Bulmash, 1984).
    fn momentum(&self, distance: f64) -> f64 {
        let gas = self.energy / TNT_ENERGY;
        let strong = distance.min(libm::cbrt(gas));
        let air = AIR_DENSITY * 4.0 / 3.0 * PI * strong.powi(3);
        let momentum = (2.0 * self.energy * (gas + air)).sqrt();
        if distance > strong {
            momentum * distance / strong
        } else {
            momentum
        }
    }
}

/// A body within reach of a charge.
struct NearBody {
    body: BodyRef,
    bounds: Aabb,
    /// Whether it has colliders in the debris world, whose surface the rays hit.
    has_colliders: bool,
}

/// Sum over the rays that reach one body.
#[derive(Default)]
struct Exposure {
    /// Points and normals of the hits, with their solid angles.
    hits: Vec<(Vec3, Vec3, f64)>,
    /// Steradians.
    solid_angle: f64,
    /// N s
    impulse: DVec3,
}

impl Exposure {
    fn add(&mut self, charge: &Charge, hit: &RayHit, direction: DVec3, solid_angle: f64) {
        let normal = hit.normal.normalize_or(-direction.as_vec3());
        self.hits.push((hit.point, normal, solid_angle));
        self.solid_angle += solid_angle;
        let share = solid_angle / (4.0 * PI);
        self.impulse += direction * (charge.momentum(hit.distance.into()) * share);
    }

    /// The load on the body, at the hit nearest to the mean of all. `scale` keeps the sum over all bodies
    /// within the energy of the charge.
    fn load(&self, body: BodyRef, charge: &Charge, scale: f64) -> Option<BlastLoad> {
        let weighted = self.hits.iter().map(|(p, _, share)| p.as_dvec3() * *share);
        let mean = (weighted.sum::<DVec3>() / self.solid_angle).as_vec3();
        let distance = |point: &Vec3| point.distance_squared(mean);
        let hits = self.hits.iter();
        let (point, normal, _) = hits.min_by(|a, b| distance(&a.0).total_cmp(&distance(&b.0)))?;
        Some(BlastLoad {
            body,
            point: *point,
            normal: *normal,
            impulse: (self.impulse * scale).as_vec3(),
            energy: (charge.energy * scale * self.solid_angle / (4.0 * PI)) as f32,
        })
    }
}

/// Shares the energy and the impulse of a charge among the bodies that it sees; see
/// [`Simulation::blast`](crate::Simulation::blast).
pub(crate) fn blast(
    bodies: &AllBodies,
    world: &World,
    center: Vec3,
    radius: f32,
    energy: f32,
) -> Vec<BlastLoad> {
    let is_positive = |value: f32| value > 0.0 && value.is_finite();
    if !(center.is_finite() && is_positive(radius) && is_positive(energy)) {
        return Vec::new();
    }
    let charge = Charge {
        center,
        radius,
        energy: energy.into(),
    };
    let pose = Pose::from_translation(center);
    let around = bodies.overlap_shape(&SharedShape::ball(CHARGE_RADIUS), pose);
    let mut exposures = Vec::new();
    for near in bodies_near(bodies, world, &charge) {
        let exposure = exposure(bodies, &charge, &near, &around);
        if exposure.solid_angle > 0.0 {
            exposures.push((near.body, exposure));
        }
    }
    let total: f64 = exposures.iter().map(|(_, e)| e.solid_angle).sum();
    let scale = (4.0 * PI / total).min(1.0);
    let loads = exposures.iter();
    let loads = loads.filter_map(|(body, exposure)| exposure.load(*body, &charge, scale));
    loads.collect()
}

/// Breakable and dynamic bodies within reach, with their boxes; those of largest solid angle.
fn bodies_near(bodies: &AllBodies, world: &World, charge: &Charge) -> Vec<NearBody> {
    let ball = SharedShape::ball(charge.radius);
    let touched = bodies.overlap_shape(&ball, Pose::from_translation(charge.center));
    let movable = |body: &BodyRef| match body {
        BodyRef::Breakable(_) => true,
        BodyRef::External(key) => bodies.streaming.is_dynamic(*key),
    };
    let with_bounds = |body: BodyRef| {
        Some(NearBody {
            body,
            bounds: bodies.bounds(body)?,
            has_colliders: true,
        })
    };
    let mut near: Vec<_> = touched
        .into_iter()
        .filter(movable)
        .filter_map(with_bounds)
        .collect();
    near.extend(bodies_without_colliders(world, charge));
    if near.len() > MAX_BODIES {
        let center = charge.center.as_dvec3();
        let solid_angle = |bounds: &Aabb| -> f64 {
            let faces = box_faces(bounds, center);
            faces.iter().map(|face| face.solid_angle).sum()
        };
        near.sort_by_cached_key(|near| {
            // Not negative, so the bits sort as the numbers do.
            let largest_first = Reverse(solid_angle(&near.bounds).max(0.0).to_bits());
            (largest_first, near.body)
        });
        near.truncate(MAX_BODIES);
    }
    near
}

/// Intact bodies within reach that have no colliders in the debris world, with the boxes of their meshes.
fn bodies_without_colliders(world: &World, charge: &Charge) -> Vec<NearBody> {
    type Parts<'a> = (hecs::Entity, &'a Breakable, &'a Motion);
    let query = world.query::<Parts>();
    let mut query = query.with::<&Intact>().without::<&Proxy>();
    let bodies = query.iter().filter_map(|(entity, breakable, motion)| {
        let bounds = breakable.shape.reported()?.ok()?.bounds();
        let [min, max] = [bounds.min, bounds.max].map(|corner| corner.as_vec3());
        let bounds = Aabb::new(min, max).transform_by(&motion.pose);
        let nearest = charge.center.clamp(bounds.mins, bounds.maxs);
        let is_near = nearest.distance(charge.center) < charge.radius;
        is_near.then_some(NearBody {
            body: BodyRef::Breakable(BodyId(entity)),
            bounds,
            has_colliders: false,
        })
    });
    let mut bodies: Vec<_> = bodies.collect();
    bodies.sort_by_key(|near| near.body);
    bodies
}

/// Casts rays at the box of a body. Bodies `around` the charge do not shield others.
fn exposure(bodies: &AllBodies, charge: &Charge, near: &NearBody, around: &[BodyRef]) -> Exposure {
    let body = near.body;
    let surrounds = around.contains(&body);
    let bounds = if surrounds {
        near.bounds.loosened(CHARGE_RADIUS)
    } else {
        near.bounds
    };
    let has_surface = !surrounds && near.has_colliders;
    let mut exposure = Exposure::default();
    for face in box_faces(&bounds, charge.center.as_dvec3()) {
        let rays = (RAYS * face.solid_angle / (4.0 * PI)).ceil() as u32;
        let solid_angle = face.solid_angle / f64::from(rays);
        for point in face.points(rays) {
            let way = point - charge.center.as_dvec3();
            let direction = way.normalize_or_zero();
            let to_box = way.length() as f32;
            let ray = direction.as_vec3();
            let first = bodies.cast_ray(charge.center, ray, charge.radius, around);
            let hit = if has_surface {
                first.filter(|hit| hit.owner() == Some(body))
            } else {
                // A body without a surface of its own here is reached as far as its box.
                let is_free = first.is_none_or(|hit| hit.distance > to_box);
                let point = point.as_vec3();
                is_free.then(|| RayHit::new(Some(body), point, Vec3::ZERO, to_box))
            };
            if let Some(hit) = hit.filter(|hit| hit.distance <= charge.radius) {
                exposure.add(charge, &hit, direction, solid_angle);
            }
        }
    }
    if surrounds {
        touch(bodies, charge, body, &bounds, &mut exposure);
    }
    exposure
}

/// Makes the exposure of a body around the charge that of its nearest surface, which the gas of one
/// half pushes inwards.
fn touch(
    bodies: &AllBodies,
    charge: &Charge,
    body: BodyRef,
    bounds: &Aabb,
    exposure: &mut Exposure,
) {
    let id = body.breakable();
    let nearest = id.and_then(|id| bodies.nearest_surface(id, charge.center));
    // A charge exactly on the surface has no nearest point: its own is it.
    let outward = charge.center - bounds.center();
    let on_surface = [charge.center, outward.normalize_or(Vec3::Y)];
    let [point, normal] = nearest.unwrap_or(on_surface);
    exposure.hits = vec![(point, normal, exposure.solid_angle)];
    // The mean of the cosine over a half sphere is a half.
    let share = 0.25 * exposure.solid_angle / (4.0 * PI);
    exposure.impulse = -normal.as_dvec3() * (charge.momentum(0.0) * share);
}
