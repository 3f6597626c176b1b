//! A mesh under edge collapses, and the distances of removed points from the remaining triangles.

use super::{half_edges_by_edge, Mesh, WeldedMesh};
use crate::math::triangle::triangle_distance_squared_f32;
use crate::math::SparseSet;
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

/// Triangles over welded points, some of which have been removed.
pub struct CollapseMesh {
    points: Vec<Vec3>,
    /// By point: its rank in the order of collapses, a hash of its position.
    ranks: Vec<u64>,
    triangles: Vec<[u32; 3]>,
    /// By triangle: its unit normal.
    normals: Vec<Vec3>,
    /// By point: the triangles around it; none for a removed point.
    around: Vec<Vec<u32>>,
    /// By triangle: the removed points assigned to it.
    removed: Vec<Vec<u32>>,
    /// By point: whether it is on an edge that does not have two paired triangles.
    on_boundary: Vec<bool>,
    work: Work,
}

/// Scratch.
#[derive(Default)]
struct Work {
    neighbors: Vec<u32>,
    others: Vec<u32>,
    moves: Vec<(f32, u32)>,
    kept: Vec<u32>,
    new_corners: Vec<[Vec3; 3]>,
    assignments: Vec<(u32, u32)>,
}

impl CollapseMesh {
    /// The triangles of a mesh except degenerate ones and those with an index out of range.
    pub fn new(mesh: &Mesh) -> Self {
        let known = |t: &&[u32; 3]| t.iter().all(|v| (*v as usize) < mesh.positions.len());
        let triangles = mesh.triangles.iter().filter(known).copied().collect();
        let known = Mesh::from_triangles(mesh.positions.clone(), triangles);
        let WeldedMesh {
            points,
            corners: triangles,
            ..
        } = WeldedMesh::new(&known);
        let mut around = vec![Vec::new(); points.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            for point in triangle {
                around[*point as usize].push(index as u32);
            }
        }
        let mut surface = Self {
            removed: vec![Vec::new(); triangles.len()],
            on_boundary: vec![false; points.len()],
            ranks: points.iter().map(rank).collect(),
            points: points.into_iter().map(Vec3::from).collect(),
            normals: Vec::new(),
            triangles,
            around,
            work: Work::default(),
        };
        let triangles = surface.triangles.iter();
        let unit = |t: &[u32; 3]| normal(surface.positions_of(*t)).normalize_or_zero();
        surface.normals = triangles.map(unit).collect();
        surface.find_boundaries();
        surface
    }

    fn find_boundaries(&mut self) {
        let edges = half_edges_by_edge(&self.triangles);
        let from = |half_edge: u32| {
            let triangle = self.triangles[half_edge as usize / 3];
            triangle[half_edge as usize % 3]
        };
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let paired = matches!(same, [a, b] if from(a.1) != from(b.1));
            if !paired {
                for point in [same[0].0 >> 32, same[0].0 & u64::from(u32::MAX)] {
                    self.on_boundary[point as usize] = true;
                }
            }
        }
    }

    /// The number of points, removed ones included.
    pub fn point_count(&self) -> u32 {
        self.points.len() as u32
    }

    /// Whether a point is left and not on a boundary.
    pub fn is_interior(&self, point: u32) -> bool {
        !self.around[point as usize].is_empty() && !self.on_boundary[point as usize]
    }

    /// The rank of a point in the order of collapses, which does not depend on the order of points.
    pub fn rank(&self, point: u32) -> (u64, u32) {
        (self.ranks[point as usize], point)
    }

    /// Appends the points that share an edge with a point; some twice.
    pub fn neighbors(&self, point: u32, out: &mut Vec<u32>) {
        let around = self.around[point as usize].iter();
        let corners = around.flat_map(|t| self.triangles[*t as usize]);
        out.extend(corners.filter(|other| *other != point));
    }

    /// Moves a point onto the neighbour where that changes least, if no removed point gets farther from
    /// its triangle than the limit. Returns that neighbour.
    pub fn collapse(&mut self, point: u32, limit: f32) -> Option<u32> {
        let mut work = std::mem::take(&mut self.work);
        work.neighbors.clear();
        self.neighbors(point, &mut work.neighbors);
        work.neighbors.sort_unstable();
        work.neighbors.dedup();
        work.moves.clear();
        let lifts = work.neighbors.iter().map(|n| (self.lift(point, *n), *n));
        work.moves.extend(lifts.filter(|(lift, _)| *lift <= limit));
        work.moves.sort_unstable_by(|a, b| {
            let by_rank = || self.rank(a.1).cmp(&self.rank(b.1));
            a.0.total_cmp(&b.0).then_with(by_rank)
        });
        let moves = work.moves.iter().map(|(_, onto)| *onto);
        let onto: Vec<u32> = moves.take(MAX_TARGETS).collect();
        self.work = work;
        let mut onto = onto.into_iter();
        onto.find(|onto| self.move_onto(point, *onto, limit))
    }

    /// The largest distance from the planes around a point that moving it onto another takes it.
    fn lift(&self, point: u32, onto: u32) -> f32 {
        let way = self.points[onto as usize] - self.points[point as usize];
        let around = self.around[point as usize].iter();
        let lifts = around.map(|t| self.normals[*t as usize].dot(way).abs());
        lifts.fold(0.0, f32::max)
    }

    /// Moves a point onto a neighbour, unless that would fold the surface or change its topology, or put a
    /// removed point or the point itself farther than the limit from the triangles around. Returns
    /// whether the point was moved.
    fn move_onto(&mut self, point: u32, onto: u32, limit: f32) -> bool {
        let mut work = std::mem::take(&mut self.work);
        let moved = self.assign_removed(point, onto, limit, &mut work);
        if moved {
            self.apply(point, onto, &work);
        }
        self.work = work;
        moved
    }

    /// Finds the triangles around that stay, their new corners, and the one to which each removed point is
    /// assigned afterwards. Returns whether all of this is allowed.
    fn assign_removed(&self, point: u32, onto: u32, limit: f32, work: &mut Work) -> bool {
        let around = &self.around[point as usize];
        if around.len() + self.around[onto as usize].len() > MAX_AROUND {
            return false;
        }
        work.kept.clear();
        work.new_corners.clear();
        for triangle in around {
            let corners = self.triangles[*triangle as usize];
            if corners.contains(&onto) {
                continue;
            }
            let shape = self.positions_of(moved(corners, point, onto));
            if is_folded(self.normals[*triangle as usize], shape) {
                return false;
            }
            work.kept.push(*triangle);
            work.new_corners.push(shape);
        }
        let shared = around.len() - work.kept.len();
        if work.kept.is_empty() || shared == 0 || self.common_neighbors(point, onto, work) != shared
        {
            return false;
        }
        work.assignments.clear();
        for triangle in around {
            let own = work.kept.iter().position(|kept| kept == triangle);
            for removed in &self.removed[*triangle as usize] {
                let Some(home) = self.nearest_triangle(*removed, own, limit, work) else {
                    return false;
                };
                work.assignments.push((*removed, home));
            }
        }
        let home = self.nearest_triangle(point, None, limit, work);
        work.assignments.extend(home.map(|home| (point, home)));
        home.is_some()
    }

    /// A triangle within the limit of a removed point: its own if that is near enough, else the nearest.
    fn nearest_triangle(
        &self,
        removed: u32,
        own: Option<usize>,
        limit: f32,
        work: &Work,
    ) -> Option<u32> {
        let place = self.points[removed as usize];
        let far = |shape: &[Vec3; 3]| triangle_distance_squared_f32(place, *shape);
        let least = limit * limit;
        let near = own.filter(|own| far(&work.new_corners[*own]) <= 0.25 * least);
        let at = near.or_else(|| {
            let all = work.new_corners.iter().map(far).enumerate();
            let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1));
            nearest.filter(|(_, far)| *far <= least).map(|(at, _)| at)
        })?;
        work.kept.get(at).copied()
    }

    /// The number of common neighbours of two points.
    fn common_neighbors(&self, one: u32, other: u32, work: &mut Work) -> usize {
        for (point, list) in [(one, &mut work.neighbors), (other, &mut work.others)] {
            list.clear();
            self.neighbors(point, list);
            list.sort_unstable();
            list.dedup();
        }
        let others = &work.others;
        let own = work.neighbors.iter();
        own.filter(|point| others.binary_search(point).is_ok())
            .count()
    }

    fn apply(&mut self, point: u32, onto: u32, work: &Work) {
        let around = std::mem::take(&mut self.around[point as usize]);
        for triangle in around {
            self.removed[triangle as usize].clear();
            let corners = self.triangles[triangle as usize];
            if corners.contains(&onto) {
                for corner in corners {
                    self.around[corner as usize].retain(|t| *t != triangle);
                }
            } else {
                self.triangles[triangle as usize] = moved(corners, point, onto);
                self.around[onto as usize].push(triangle);
            }
        }
        for (triangle, shape) in work.kept.iter().zip(&work.new_corners) {
            self.normals[*triangle as usize] = normal(*shape).normalize_or_zero();
        }
        for (removed, home) in &work.assignments {
            self.removed[*home as usize].push(*removed);
        }
    }

    fn positions_of(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|point| self.points[point as usize])
    }

    /// The remaining triangles.
    pub fn to_mesh(&self) -> Mesh {
        let mut points = SparseSet::with_id_capacity(self.points.len());
        let is_left =
            |(index, corners): &(u32, &[u32; 3])| self.around[corners[0] as usize].contains(index);
        let left = (0..).zip(&self.triangles).filter(is_left);
        let triangles = left.map(|(_, corners)| corners.map(|point| points.insert(point)));
        let triangles = triangles.collect();
        let position = |point: &u32| self.points[*point as usize].to_array();
        Mesh::from_triangles(points.ids().iter().map(position).collect(), triangles)
    }
}

fn rank(position: &[f32; 3]) -> u64 {
    let bytes = position.map(|x| x.to_bits().to_le_bytes());
    xxh3_64(bytes.as_flattened())
}

/// Whether a triangle turns too far from its normal, or has hardly any height.
fn is_folded(before: Vec3, shape: [Vec3; 3]) -> bool {
    let after = normal(shape);
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
