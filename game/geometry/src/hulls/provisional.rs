//! Hulls that a piece can enter the scene with at once: halves of halves, without a search for good planes and
//! without voxels. Each lies in the convex hull of the piece, and so in its cell; over hollows they reach out of
//! the piece by more than other hulls do.

use super::params::{
    COARSE_CELLS, CONVEX_EXCESS, MAX_FINE_TRIANGLES, MAX_PROVISIONAL_HULLS, MAX_PROVISIONAL_POINTS,
    MAX_SHALLOW_TRIANGLES, MIN_COARSE_VOLUME, PROVISIONAL_EXCESS, SEARCH_TOLERANCE,
};
use super::search::context::DecomposeContext;
use super::search::hull_part::HullPart;
use crate::math::NONE;
use crate::Mesh;
use glam::Vec3;

/// Cells of the grid along an axis, with the last ones, into which what is at the end may be rounded.
const GRID: usize = COARSE_CELLS as usize + 1;

/// The hulls of a mesh of some volume, m^3, and whether it is known that they fit.
pub(super) fn provisional_hulls(mesh: &Mesh, volume: f64) -> (Vec<HullPart>, bool) {
    let count = mesh.triangles.len();
    let coarse = (count > MAX_FINE_TRIANGLES).then(|| provisional_context(&coarse(mesh)));
    let coarse = coarse.and_then(|context| {
        let whole = HullPart::new(context.solid.clone(), &context)?;
        (whole.hull.volume() >= MIN_COARSE_VOLUME * volume).then_some((context, whole))
    });
    let is_coarse = coarse.is_some();
    let found = coarse.or_else(|| {
        let context = provisional_context(mesh);
        let whole = HullPart::new(context.solid.clone(), &context)?;
        Some((context, whole))
    });
    let Some((context, whole)) = found else {
        return (Vec::new(), false);
    };
    // A close hull takes several times as long as this one, which tells where it is worth a try.
    if count <= MAX_SHALLOW_TRIANGLES && whole.hull.volume() <= (1.0 + CONVEX_EXCESS) * volume {
        let fine = is_coarse.then(|| provisional_context(mesh));
        if let Some(close) = HullPart::from_shallow(fine.as_ref().unwrap_or(&context)) {
            return (vec![close], true);
        }
    }
    (cover(whole, volume, &context), false)
}

/// Parts of few points, so that each hull is found fast.
fn provisional_context(mesh: &Mesh) -> DecomposeContext<'static> {
    let mut context = DecomposeContext::new(mesh, SEARCH_TOLERANCE);
    context.max_hull_points = MAX_PROVISIONAL_POINTS;
    context
}

/// A part, and the volume of its hull outside of it, m^3.
struct OpenPart {
    part: HullPart,
    excess: f64,
}

impl From<HullPart> for OpenPart {
    fn from(part: HullPart) -> Self {
        let excess = part.excess_volume();
        Self { part, excess }
    }
}

/// Covers a piece: halves the part with the most excess volume until little is left.
fn cover(whole: HullPart, volume: f64, context: &DecomposeContext) -> Vec<HullPart> {
    let most_excess = PROVISIONAL_EXCESS * volume;
    let connected = whole.connected(context).into_iter();
    let mut open: Vec<OpenPart> = connected.map(OpenPart::from).collect();
    let mut done = Vec::new();
    while open.len() + done.len() < MAX_PROVISIONAL_HULLS {
        let worst = (0..open.len()).max_by(|a, b| open[*a].excess.total_cmp(&open[*b].excess));
        let is_much = open.iter().map(|open| open.excess).sum::<f64>() > most_excess;
        let Some(worst) = worst.filter(|_| is_much) else {
            break;
        };
        let part = open.swap_remove(worst).part;
        match part.halving_plane(context) {
            Some(plane) => {
                let halves = part.split(&plane, context).into_iter().flatten();
                open.extend(halves.map(OpenPart::from));
            }
            None => done.push(part),
        }
    }
    open.into_iter().map(|open| open.part).chain(done).collect()
}

/// A mesh with fewer triangles: of the vertices in each cell of a grid, the one that is farthest from the middle
/// stands for all. It is closed if the mesh is. Of what is thinner than a cell too little may be left.
fn coarse(mesh: &Mesh) -> Mesh {
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
    // By cell of the grid, which is small: the number of the vertex that stands for all, or `NONE`.
    let mut index = vec![NONE; GRID * GRID * GRID];
    let cell = |point: Vec3| {
        let place = ((point - low) * scale).as_ivec3();
        let [x, y, z] = place
            .to_array()
            .map(|at| at.clamp(0, GRID as i32 - 1) as usize);
        (x * GRID + y) * GRID + z
    };
    let mut chosen: Vec<Vec3> = Vec::new();
    let ids: Vec<u32> = points
        .map(|point| {
            let id = &mut index[cell(point)];
            if *id == NONE {
                *id = chosen.len() as u32;
                chosen.push(point);
            }
            let farthest = &mut chosen[*id as usize];
            if point.distance_squared(middle) > farthest.distance_squared(middle) {
                *farthest = point;
            }
            *id
        })
        .collect();
    let corner = |id: u32| ids.get(id as usize).copied();
    let triangles = mesh.triangles.iter().filter_map(|&[a, b, c]| {
        let [a, b, c] = [corner(a)?, corner(b)?, corner(c)?];
        (a != b && b != c && c != a).then_some([a, b, c])
    });
    let positions = chosen.iter().map(Vec3::to_array).collect();
    Mesh::from_triangles(positions, triangles.collect())
}
