//! Hulls that a piece can enter the scene with at once: halves of halves, without a search for good planes and
//! without voxels. Each lies in the convex hull of the piece, and so in its cell; over hollows they reach out of
//! the piece by more than other hulls do.

use super::params::{
    COARSE_CELLS, CONVEX_EXCESS, FINAL_HULL_SLACK, MAX_CONVEX_TRIANGLES, MAX_FINE_TRIANGLES,
    MAX_PROVISIONAL_HULLS, MAX_PROVISIONAL_POINTS, MAX_SHALLOW_TRIANGLES, MAX_SMALL_TRIANGLES,
    MIN_COARSE_VOLUME, PROVISIONAL_EXCESS, SEARCH_TOLERANCE, SHALLOW_FIT,
};
use super::search::context::DecomposeContext;
use super::search::hull_part::HullPart;
use super::shape::convex_hull::{ConvexHull, Hull};
use super::shape::part::Part;
use super::shape::quickhull::convex_hull;
use super::support_points::{box_directions, farthest};
use super::tolerance::depth_bound::is_shallow;
use crate::Mesh;
use glam::{DVec3, Vec3};

/// The hulls of a mesh of some volume, m^3, and whether it is known that they fit.
pub(super) fn provisional_hulls(mesh: &Mesh, volume: f64) -> (Vec<HullPart>, bool) {
    let count = mesh.triangles.len();
    let small = (count <= MAX_SMALL_TRIANGLES).then(|| provisional_context(mesh));
    if let Some(close) = small.as_ref().and_then(HullPart::from_shallow) {
        return (vec![close], true);
    }
    let is_tried = small.is_some();
    let coarse =
        (count > MAX_FINE_TRIANGLES).then(|| provisional_context(&mesh.clustered(COARSE_CELLS)));
    let coarse = coarse.and_then(|context| {
        let whole = HullPart::new(context.solid.clone(), &context)?;
        (whole.hull.volume() >= MIN_COARSE_VOLUME * volume).then_some((context, whole))
    });
    let is_coarse = coarse.is_some();
    let found = coarse.or_else(|| {
        let context = small.unwrap_or_else(|| provisional_context(mesh));
        let whole = HullPart::new(context.solid.clone(), &context)?;
        Some((context, whole))
    });
    let Some((context, whole)) = found else {
        return (Vec::new(), false);
    };
    // A close hull takes several times as long as this one, which tells where it is worth a try: the surface lies as deep
    // below the close hull, which is around this one, or deeper.
    let may_fit = || {
        let is_convex = whole.hull.volume() <= (1.0 + CONVEX_EXCESS) * volume;
        let triangles = mesh.triangles.iter().filter_map(|t| mesh.corners(*t));
        is_convex && is_shallow(triangles, &whole.hull, SHALLOW_FIT * context.tolerance)
    };
    if !is_tried && count <= MAX_SHALLOW_TRIANGLES && may_fit() {
        let fine = is_coarse.then(|| provisional_context(mesh));
        if let Some(close) = HullPart::from_shallow(fine.as_ref().unwrap_or(&context)) {
            return (vec![close], true);
        }
    }
    (cover(whole, volume, &context), false)
}

/// The hull of some of a mesh's points: the farthest in fixed directions, and those above the faces of the hull of these.
pub(super) fn outermost_hull(mesh: &Mesh) -> Option<ConvexHull> {
    let mut chosen = farthest(&mesh.positions, &box_directions());
    let planes = hull_of(mesh, &chosen)?.planes.into_iter();
    let normals: Vec<DVec3> = planes.map(|plane| plane.normal).collect();
    chosen.extend(farthest(&mesh.positions, &normals));
    chosen.sort_unstable();
    chosen.dedup();
    hull_of(mesh, &chosen)
}

/// The hull of some vertices.
fn hull_of(mesh: &Mesh, vertices: &[usize]) -> Option<ConvexHull> {
    let position = |vertex: &usize| Vec3::from(mesh.positions[*vertex]).as_dvec3();
    let points: Vec<DVec3> = vertices.iter().map(position).collect();
    convex_hull(&points, 0.0, MAX_PROVISIONAL_POINTS)
}

/// The surface of a mesh, where it is convex and has few points.
pub(super) fn convex_surface(mesh: &Mesh) -> Option<Hull> {
    if mesh.triangles.len() > MAX_CONVEX_TRIANGLES {
        return None;
    }
    let part = Part::from_mesh(mesh);
    let [low, high] = part.bounds().corners();
    let slack = FINAL_HULL_SLACK * (high - low).length();
    let is_behind = |triangle: &[u32; 3]| {
        let [a, b, c] = part.corners(*triangle);
        let normal = (b - a).cross(c - a);
        let most = slack * normal.length();
        // A triangle without area would be a face without a direction.
        most > 0.0
            && part
                .points
                .iter()
                .all(|point| normal.dot(*point - a) <= most)
    };
    let is_convex = !part.triangles.is_empty() && part.triangles.iter().all(is_behind);
    is_convex.then(|| Hull {
        points: part
            .points
            .iter()
            .map(|point| point.as_vec3().to_array())
            .collect(),
        volume: part.volume(),
        triangles: part.triangles,
    })
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
