//! A mesh under edge collapses, and the distances of removed points from the remaining triangles.

use super::fans::Fans;
use super::{Mesh, WeldedMesh};
use crate::math::triangle::MeasuredTriangle;
use crate::math::{SparseSet, NONE};
use glam::Vec3;
use xxhash_rust::xxh3::xxh3_64;

/// Neighbours onto which a collapse is tried: the best ones nearly always succeed or none does.
const MAX_TARGETS: usize = 3;
/// Most triangles around both points of a collapse: with more, testing them takes longer than fewer
/// triangles save.
const MAX_AROUND: usize = 16;
/// Cosine of the largest angle by which a triangle may turn in a collapse.
const MIN_TURN_COSINE: f32 = 0.3;
/// Least height of a triangle as a fraction of its longest side.
const MIN_HEIGHT: f32 = 1e-4;

/// Triangles over welded points, some of which have been removed. Points are numbered in the order of collapses: by a
/// hash of their positions, so that the order does not depend on that of the mesh.
pub struct CollapseMesh {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// By triangle: its unit normal.
    normals: Vec<Vec3>,
    /// By triangle: whether it is left.
    is_left: Vec<bool>,
    /// By point: the triangles around it; none for a removed point.
    fans: Fans,
    /// By point: whether it is on an edge that does not have two paired triangles.
    on_boundary: Vec<bool>,
    removed: RemovedPoints,
    marks: PointMarks,
    work: Work,
}

/// Removed points by the triangle that each is assigned to, as linked lists.
struct RemovedPoints {
    /// By triangle: its first point, or [`NONE`].
    first: Vec<u32>,
    /// By removed point: the next one of its triangle, or [`NONE`].
    next: Vec<u32>,
}

impl RemovedPoints {
    fn of(&self, triangle: u32) -> impl Iterator<Item = u32> + '_ {
        let known = |point: u32| (point != NONE).then_some(point);
        let first = known(self.first[triangle as usize]);
        std::iter::successors(first, move |point| known(self.next[*point as usize]))
    }

    fn assign(&mut self, point: u32, triangle: u32) {
        let first = &mut self.first[triangle as usize];
        self.next[point as usize] = *first;
        *first = point;
    }
}

/// PointMarks on points, all of which are taken off at once.
struct PointMarks {
    /// By point.
    rounds: Vec<u32>,
    round: u32,
}

impl PointMarks {
    fn new(points: usize) -> Self {
        Self {
            rounds: vec![0; points],
            round: 0,
        }
    }

    /// Takes all marks off.
    fn clear(&mut self) {
        if self.round == u32::MAX {
            self.rounds.fill(0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// PointMarks a point. Returns whether it had no mark.
    fn insert(&mut self, point: u32) -> bool {
        std::mem::replace(&mut self.rounds[point as usize], self.round) != self.round
    }

    /// Takes the mark off a point. Returns whether it had one.
    fn remove(&mut self, point: u32) -> bool {
        std::mem::replace(&mut self.rounds[point as usize], 0) == self.round
    }

    fn contains(&self, point: u32) -> bool {
        self.rounds[point as usize] == self.round
    }
}

/// Scratch.
#[derive(Default)]
struct Work {
    neighbors: Vec<u32>,
    /// Of the triangles around a point.
    normals: Vec<Vec3>,
    moves: Vec<(f32, u32)>,
    kept: Vec<KeptTriangle>,
    assignments: Vec<(u32, u32)>,
}

/// A triangle that a collapse keeps.
struct KeptTriangle {
    triangle: u32,
    /// After the collapse, of twice its area.
    normal: Vec3,
    shape: MeasuredTriangle<Vec3, f32>,
}

impl CollapseMesh {
    /// The triangles of a mesh except degenerate ones and those with an index out of range.
    pub fn new(mesh: &Mesh) -> Self {
        let (points, triangles) = ranked(weld(mesh));
        let fans = Fans::new(points.len(), &triangles);
        let mut surface = Self {
            is_left: vec![true; triangles.len()],
            removed: RemovedPoints {
                first: vec![NONE; triangles.len()],
                next: vec![NONE; points.len()],
            },
            on_boundary: Vec::new(),
            marks: PointMarks::new(points.len()),
            normals: Vec::new(),
            points,
            triangles,
            fans,
            work: Work::default(),
        };
        let triangles = surface.triangles.iter();
        let unit = |t: &[u32; 3]| normal(surface.positions_of(*t)).normalize_or_zero();
        surface.normals = triangles.map(unit).collect();
        let points = 0..surface.point_count();
        surface.on_boundary = points.map(|point| surface.has_boundary(point)).collect();
        surface
    }

    /// Whether an edge at a point does not have exactly two triangles that run along it in opposite directions.
    fn has_boundary(&mut self, point: u32) -> bool {
        let (triangles, marks) = (&self.triangles, &mut self.marks);
        let around = self.fans.around(point).iter();
        let mut neighbors = around.map(|t| neighbors_in(triangles[*t as usize], point));
        marks.clear();
        // Those that edges lead to are all different, and as many edges come from the same.
        let mut again = neighbors.clone();
        !(neighbors.all(|[next, _]| marks.insert(next))
            && again.all(|[_, previous]| marks.remove(previous)))
    }

    /// The number of points, removed ones included.
    pub fn point_count(&self) -> u32 {
        self.points.len() as u32
    }

    /// Whether a point is left and not on a boundary.
    pub fn is_interior(&self, point: u32) -> bool {
        !self.on_boundary[point as usize] && !self.fans.around(point).is_empty()
    }

    /// The points that share an edge with a point; some twice.
    pub fn neighbors(&self, point: u32) -> impl Iterator<Item = u32> + '_ {
        let around = self.fans.around(point).iter();
        around.flat_map(move |t| neighbors_in(self.triangles[*t as usize], point))
    }

    /// Moves a point onto the neighbour where that changes least, if no removed point gets farther from
    /// its triangle than the limit. Returns that neighbour.
    pub fn collapse(&mut self, point: u32, limit: f32) -> Option<u32> {
        let mut work = std::mem::take(&mut self.work);
        self.find_moves(point, limit, &mut work);
        let moves = work.moves.len().min(MAX_TARGETS);
        let onto = (0..moves).find_map(|at| {
            let onto = work.moves[at].1;
            self.assign_removed(point, onto, limit, &mut work)
                .then_some(onto)
        });
        if let Some(onto) = onto {
            self.apply(point, onto, &work);
        }
        self.work = work;
        onto
    }

    /// Finds the neighbours onto which a point may be moved, best first.
    fn find_moves(&mut self, point: u32, limit: f32, work: &mut Work) {
        work.neighbors.clear();
        work.normals.clear();
        work.moves.clear();
        self.marks.clear();
        for triangle in self.fans.around(point) {
            work.normals.push(self.normals[*triangle as usize]);
            for neighbor in neighbors_in(self.triangles[*triangle as usize], point) {
                if self.marks.insert(neighbor) {
                    work.neighbors.push(neighbor);
                }
            }
        }
        for neighbor in &work.neighbors {
            // The largest distance from the planes around the point that moving it there takes it.
            let way = self.points[*neighbor as usize] - self.points[point as usize];
            let lifts = work.normals.iter().map(|normal| normal.dot(way).abs());
            let lift = lifts.fold(0.0, f32::max);
            if lift <= limit {
                work.moves.push((lift, *neighbor));
            }
        }
        work.moves
            .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Finds the triangles around that stay when a point is moved onto a neighbour, and the one to which each removed
    /// point is assigned then. Returns whether that is allowed: it must not fold the surface or change its topology,
    /// nor put a removed point or the point itself farther than the limit from the triangles around.
    fn assign_removed(&mut self, point: u32, onto: u32, limit: f32, work: &mut Work) -> bool {
        let around = self.fans.around(point).len();
        if around + self.fans.around(onto).len() > MAX_AROUND || !self.find_kept(point, onto, work)
        {
            return false;
        }
        let shared = around - work.kept.len();
        if work.kept.is_empty() || shared == 0 || self.common_neighbors(onto, work) != shared {
            return false;
        }
        work.assignments.clear();
        let mut kept = work.kept.iter().peekable();
        for triangle in self.fans.around(point) {
            let own = kept.next_if(|kept| kept.triangle == *triangle);
            for removed in self.removed.of(*triangle) {
                let place = self.points[removed as usize];
                let Some(home) = nearest_triangle(place, own, limit, &work.kept) else {
                    return false;
                };
                work.assignments.push((removed, home));
            }
        }
        let home = nearest_triangle(self.points[point as usize], None, limit, &work.kept);
        work.assignments.extend(home.map(|home| (point, home)));
        home.is_some()
    }

    /// Finds the triangles around a point that stay when it is moved, in their order. Returns whether none folds.
    fn find_kept(&self, point: u32, onto: u32, work: &mut Work) -> bool {
        work.kept.clear();
        for triangle in self.fans.around(point) {
            let corners = self.triangles[*triangle as usize];
            if corners.contains(&onto) {
                continue;
            }
            let corners = self.positions_of(moved(corners, point, onto));
            let normal = normal(corners);
            if is_folded(self.normals[*triangle as usize], normal, corners) {
                return false;
            }
            work.kept.push(KeptTriangle {
                triangle: *triangle,
                normal,
                shape: MeasuredTriangle::<Vec3, f32>::new(corners),
            });
        }
        true
    }

    /// The number of neighbours in `work` that are neighbours of another point, too.
    fn common_neighbors(&mut self, other: u32, work: &Work) -> usize {
        self.marks.clear();
        for triangle in self.fans.around(other) {
            for neighbor in neighbors_in(self.triangles[*triangle as usize], other) {
                self.marks.insert(neighbor);
            }
        }
        let own = work.neighbors.iter();
        own.filter(|point| self.marks.contains(**point)).count()
    }

    fn apply(&mut self, point: u32, onto: u32, work: &Work) {
        for at in 0..self.fans.around(point).len() {
            let triangle = self.fans.around(point)[at];
            self.removed.first[triangle as usize] = NONE;
            let corners = self.triangles[triangle as usize];
            if corners.contains(&onto) {
                self.is_left[triangle as usize] = false;
                let others = corners.into_iter().filter(|corner| *corner != point);
                others.for_each(|corner| self.fans.remove(corner, triangle));
            } else {
                self.triangles[triangle as usize] = moved(corners, point, onto);
                self.fans.push(onto, triangle);
            }
        }
        self.fans.clear(point);
        for kept in &work.kept {
            self.normals[kept.triangle as usize] = kept.normal.normalize_or_zero();
        }
        for (removed, home) in &work.assignments {
            self.removed.assign(*removed, *home);
        }
    }

    fn positions_of(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|point| self.points[point as usize])
    }

    /// The remaining triangles.
    pub fn to_mesh(&self) -> Mesh {
        let left = self.triangles.iter().zip(&self.is_left);
        let left = left.filter(|(_, is_left)| **is_left);
        mesh_of(&self.points, left.map(|(corners, _)| *corners))
    }
}

/// A mesh with identical positions joined, without degenerate triangles and those with an index out of range.
pub fn joined(mesh: &Mesh) -> Mesh {
    let welded = weld(mesh);
    let points: Vec<Vec3> = welded.points.into_iter().map(Vec3::from).collect();
    mesh_of(&points, welded.corners.into_iter())
}

/// A mesh of triangles and the points that they use.
fn mesh_of(points: &[Vec3], triangles: impl Iterator<Item = [u32; 3]>) -> Mesh {
    let mut used = SparseSet::with_id_capacity(points.len());
    let triangles = triangles.map(|corners| corners.map(|point| used.insert(point)));
    let triangles = triangles.collect();
    let position = |point: &u32| points[*point as usize].to_array();
    Mesh::from_triangles(used.ids().iter().map(position).collect(), triangles)
}

/// Welds the triangles of a mesh whose indices are in range.
fn weld(mesh: &Mesh) -> WeldedMesh {
    let known = |t: &&[u32; 3]| t.iter().all(|v| (*v as usize) < mesh.positions.len());
    let triangles = mesh.triangles.iter().filter(known).copied().collect();
    WeldedMesh::new(&Mesh::from_triangles(mesh.positions.clone(), triangles))
}

/// The points in the order of collapses, and the triangles over them, in an order that follows from their positions
/// alone: of parts that several bodies share, the result must not depend on whose mesh comes first.
fn ranked(welded: WeldedMesh) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let points: Vec<Vec3> = welded.points.iter().map(|p| Vec3::from(*p) + 0.0).collect();
    let hashes = points.iter().map(|point| hash(point.to_array()));
    let mut order: Vec<(u64, u32)> = hashes.zip(0..).collect();
    order.sort_unstable();
    let mut ranks = vec![0; order.len()];
    for (rank, (_, point)) in (0..).zip(&order) {
        ranks[*point as usize] = rank;
    }
    let corners = welded.corners.into_iter();
    let mut triangles: Vec<[u32; 3]> = corners
        .map(|corners| from_lowest(corners.map(|point| ranks[point as usize])))
        .collect();
    triangles.sort_unstable();
    let points = order.iter().map(|(_, point)| points[*point as usize]);
    (points.collect(), triangles)
}

/// The corners of a triangle, from the lowest on.
fn from_lowest([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a < b && a < c {
        [a, b, c]
    } else if b < c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

fn hash(position: [f32; 3]) -> u64 {
    let bytes = position.map(|x| x.to_bits().to_le_bytes());
    xxh3_64(bytes.as_flattened())
}

/// The other corners of a triangle, from the one after a point on.
#[inline]
fn neighbors_in([a, b, c]: [u32; 3], point: u32) -> [u32; 2] {
    if a == point {
        [b, c]
    } else if b == point {
        [c, a]
    } else {
        [a, b]
    }
}

/// A triangle within the limit of a removed point: its own if that is near enough, else the nearest.
fn nearest_triangle(
    place: Vec3,
    own: Option<&KeptTriangle>,
    limit: f32,
    kept: &[KeptTriangle],
) -> Option<u32> {
    let least = limit * limit;
    if let Some(own) = own.filter(|own| own.shape.distance_squared(place) <= 0.25 * least) {
        return Some(own.triangle);
    }
    let measured = kept
        .iter()
        .map(|kept| (kept.shape.distance_squared(place), kept));
    let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
    let near = nearest.filter(|(far, _)| *far <= least);
    near.map(|(_, kept)| kept.triangle)
}

/// Whether a triangle turns too far from its unit normal, or has hardly any height; `after` is its new normal, of
/// twice its area.
fn is_folded(before: Vec3, after: Vec3, shape: [Vec3; 3]) -> bool {
    let sides = (0..3).map(|k| shape[k].distance_squared(shape[(k + 1) % 3]));
    let longest = sides.fold(0.0, f32::max);
    let area = after.length();
    before.dot(after) < MIN_TURN_COSINE * area * before.length() || area <= MIN_HEIGHT * longest
}

fn moved(corners: [u32; 3], point: u32, onto: u32) -> [u32; 3] {
    corners.map(|corner| if corner == point { onto } else { corner })
}

/// The normal of a triangle, of twice its area.
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
