//! Hulls that a piece can enter the scene with at once: halves of halves, without a search for good planes and
//! without voxels. Each lies in the convex hull of the piece, and so in its cell; over hollows they reach out of
//! the piece by more than other hulls do.

use super::params::{
    COARSE_CELLS, CONVEX_EXCESS, MAX_FINE_TRIANGLES, MAX_PROVISIONAL_HULLS, MAX_PROVISIONAL_POINTS,
    MAX_SHALLOW_TRIANGLES, MIN_COARSE_VOLUME, PROVISIONAL_EXCESS, PROVISIONAL_SLACK,
    SEARCH_TOLERANCE,
};
use super::search::context::DecomposeContext;
use super::search::hull_part::HullPart;
use super::shape::quickhull::convex_hull;
use super::tolerance::depth_bound::fits_by_depth;
use crate::mesh::mass::MassProperties;
use crate::Mesh;
use glam::{IVec3, Vec3};
use rustc_hash::FxHashMap;

/// The hulls, and whether it is known that they fit.
pub(super) fn provisional_hulls(mesh: &Mesh) -> (Vec<HullPart>, bool) {
    let count = mesh.triangles.len();
    let coarse = (count > MAX_SHALLOW_TRIANGLES)
        .then(|| coarse(mesh))
        .flatten();
    let context = |mesh: &Mesh| DecomposeContext::new(mesh, SEARCH_TOLERANCE);
    let fine = context(coarse.as_ref().unwrap_or(mesh));
    let Some(whole) = HullPart::new(fine.solid.clone(), &fine) else {
        return (Vec::new(), false);
    };
    // A close hull takes several times as long as this one, which tells where it is worth a try.
    let is_convex = || whole.excess_volume() <= CONVEX_EXCESS * whole.part.volume();
    let may_fit = || is_convex() || fits_by_depth(&whole.part, &whole.hull, fine.tolerance);
    if coarse.is_none() && may_fit() {
        if let Some(close) = HullPart::from_shallow(&fine) {
            return (vec![close], true);
        }
    }
    if count <= MAX_FINE_TRIANGLES || coarse.is_some() {
        return (cover(whole, &fine), false);
    }
    let coarse = self::coarse(mesh).map(|mesh| context(&mesh));
    let coarse = coarse.and_then(|coarse| {
        let whole = HullPart::new(coarse.solid.clone(), &coarse)?;
        Some(cover(whole, &coarse))
    });
    (coarse.unwrap_or_else(|| cover(whole, &fine)), false)
}

/// Covers a piece: halves the part with the most excess volume until little is left.
fn cover(whole: HullPart, context: &DecomposeContext) -> Vec<HullPart> {
    let most_excess = PROVISIONAL_EXCESS * context.solid.volume();
    let (mut open, mut done) = (whole.connected(context), Vec::new());
    while open.len() + done.len() < MAX_PROVISIONAL_HULLS {
        let excesses: Vec<f64> = open.iter().map(HullPart::excess_volume).collect();
        let worst = (0..open.len()).max_by(|a, b| excesses[*a].total_cmp(&excesses[*b]));
        let is_much = excesses.iter().sum::<f64>() > most_excess;
        let Some(worst) = worst.filter(|_| is_much) else {
            break;
        };
        let part = open.swap_remove(worst);
        match part.halving_plane(context) {
            Some(plane) => open.extend(part.split(&plane, context).into_iter().flatten()),
            None => done.push(part),
        }
    }
    open.append(&mut done);
    for part in &mut open {
        let slack = PROVISIONAL_SLACK * context.size;
        if let Some(hull) = convex_hull(&part.part.points, slack, MAX_PROVISIONAL_POINTS) {
            part.hull = hull;
        }
    }
    open
}

/// A mesh with fewer triangles: of the vertices in each cell of a grid, the one that is farthest from the middle
/// stands for all. It is closed if the mesh is. `None` where too little is left of what is thin.
fn coarse(mesh: &Mesh) -> Option<Mesh> {
    let points = mesh.positions.iter().map(|point| Vec3::from(*point));
    let bounds = points.clone().filter(|point| point.is_finite());
    let [low, high] = bounds.fold(
        [Vec3::INFINITY, Vec3::NEG_INFINITY],
        |[low, high], point| [low.min(point), high.max(point)],
    );
    let (middle, scale) = (
        (low + high) / 2.0,
        COARSE_CELLS / (high - low).max_element(),
    );
    let cell = |point: Vec3| ((point - low) * scale).as_ivec3();
    let mut index: FxHashMap<IVec3, u32> = FxHashMap::default();
    let mut chosen: Vec<Vec3> = Vec::new();
    let ids: Vec<u32> = points
        .map(|point| {
            let id = *index.entry(cell(point)).or_insert_with(|| {
                chosen.push(point);
                chosen.len() as u32 - 1
            });
            let farthest = &mut chosen[id as usize];
            if point.distance_squared(middle) > farthest.distance_squared(middle) {
                *farthest = point;
            }
            id
        })
        .collect();
    let corner = |id: u32| ids.get(id as usize).copied();
    let triangles = mesh.triangles.iter().filter_map(|&[a, b, c]| {
        let [a, b, c] = [corner(a)?, corner(b)?, corner(c)?];
        (a != b && b != c && c != a).then_some([a, b, c])
    });
    let triangles: Vec<[u32; 3]> = triangles.collect();
    let coarse = Mesh::from_triangles(chosen.iter().map(Vec3::to_array).collect(), triangles);
    let volume = |mesh: &Mesh| MassProperties::from_mesh(mesh).volume;
    (volume(&coarse) >= MIN_COARSE_VOLUME * volume(mesh)).then_some(coarse)
}
