//! Recursive random planes, by folding space.
//!
//! A Voronoi set has flat planes through many cells only where sites are mirror images. So space is
//! folded: a random plane, everything on its far side turned over to the near one, the next plane
//! through what is left, and so on. One site in the last part, unfolded plane by plane, gives
//! `2^depth` sites, and each plane is the bisector of all pairs that its unfolding made.
//!
//! That holds while no image crosses an earlier plane: then a point's nearest site is on its own
//! side of that plane. Planes are chosen so that some points of the part keep to it, and the site is
//! one of these.

use super::scattered::{in_box, on_sphere};
use crate::math::Plane;
use glam::DVec3;
use rand::Rng;
use rand_pcg::Pcg64Mcg;

/// Points that stand for a part while planes are chosen.
const CLOUD: usize = 96;
/// Planes tried for each level.
const TRIES: usize = 12;
/// Where full jitter may move a site, in parts of its distance to the last plane.
const JITTER_REACH: f64 = 0.7;

/// The mirror image of a point.
fn mirrored(plane: &Plane, point: DVec3) -> DVec3 {
    point - plane.normal * (2.0 * plane.height(point))
}

/// A point above the plane, or the mirror image of one below.
fn folded(plane: &Plane, point: DVec3) -> DVec3 {
    if plane.height(point) < 0.0 {
        mirrored(plane, point)
    } else {
        point
    }
}

/// The sites of `2^depth` cells around the origin.
pub fn sites(depth: u32, jitter: f64, random: &mut Pcg64Mcg) -> Vec<DVec3> {
    let mut cloud: Vec<DVec3> = (0..CLOUD).map(|_| in_box(random)).collect();
    let mut planes = Vec::new();
    for _ in 0..depth {
        let (plane, kept) = next_plane(&planes, &cloud, random);
        planes.push(plane);
        cloud = kept;
    }
    let middle = cloud.iter().sum::<DVec3>() / cloud.len().max(1) as f64;
    let nearest = |a: &&DVec3, b: &&DVec3| {
        a.distance_squared(middle)
            .total_cmp(&b.distance_squared(middle))
    };
    let site = cloud.iter().min_by(nearest).copied().unwrap_or_default();
    let room = planes.last().map_or(0.0, |last| last.height(site)) * JITTER_REACH * jitter;
    let sites = unfolded(&planes, site);
    let strayed = sites.into_iter().map(|site| site + in_box(random) * room);
    strayed.collect()
}

/// Of a few random planes that halve the cloud, the one that leaves the most room for the sites; and
/// the points that its folding leaves.
fn next_plane(before: &[Plane], cloud: &[DVec3], random: &mut Pcg64Mcg) -> (Plane, Vec<DVec3>) {
    let mut best: Option<(f64, Plane, Vec<DVec3>)> = None;
    for _ in 0..TRIES {
        let plane = halving(cloud, random);
        let with: Vec<Plane> = before.iter().copied().chain([plane]).collect();
        let points = cloud.iter().map(|point| folded(&plane, *point));
        let kept: Vec<DVec3> = points.filter(|point| unfolds(&with, *point)).collect();
        // Wide parts are halved before narrow ones.
        let score = kept.len() as f64 * spread(cloud, plane.normal);
        if best.as_ref().is_none_or(|(most, ..)| score > *most) {
            best = Some((score, plane, kept));
        }
    }
    match best {
        Some((_, plane, kept)) if !kept.is_empty() => (plane, kept),
        // No point unfolds cleanly: the plane is flat in most parts only.
        Some((_, plane, _)) => (plane, cloud.iter().map(|p| folded(&plane, *p)).collect()),
        None => (halving(cloud, random), cloud.to_vec()),
    }
}

/// A plane of random direction near the middle of the points.
fn halving(cloud: &[DVec3], random: &mut Pcg64Mcg) -> Plane {
    let normal = on_sphere(random);
    let middle = cloud.iter().sum::<DVec3>() / cloud.len().max(1) as f64;
    let stray = (random.random::<f64>() - 0.5) * 0.3 * spread(cloud, normal);
    let offset = normal.dot(middle) + stray;
    Plane { normal, offset }
}

/// How far the points reach along a direction.
fn spread(cloud: &[DVec3], direction: DVec3) -> f64 {
    let along = cloud.iter().map(|point| point.dot(direction));
    let (low, high) = along.fold((f64::MAX, f64::MIN), |(low, high), x| {
        (low.min(x), high.max(x))
    });
    (high - low).max(0.0)
}

/// Whether all images of a point keep to the near side of the planes before.
fn unfolds(planes: &[Plane], point: DVec3) -> bool {
    let mut images = vec![point];
    for plane in planes.iter().rev() {
        if images.iter().any(|image| plane.height(*image) <= 0.0) {
            return false;
        }
        let mirror_images: Vec<DVec3> =
            images.iter().map(|image| mirrored(plane, *image)).collect();
        images.extend(mirror_images);
    }
    true
}

/// The images of a point in all planes, the last plane first.
fn unfolded(planes: &[Plane], site: DVec3) -> Vec<DVec3> {
    let mut images = vec![site];
    for plane in planes.iter().rev() {
        let mirror_images: Vec<DVec3> =
            images.iter().map(|image| mirrored(plane, *image)).collect();
        images.extend(mirror_images);
    }
    images
}
