//! A surface from which points are taken, and how far what was taken is from what is left.

use crate::math::triangle::triangle_distance_squared_f32;
use crate::math::SparseSet;
use crate::mesh::Mesh;
use crate::mesh::{half_edges_by_edge, WeldedMesh};
use glam::Vec3;
use xxhash_rust::xxh3::xxh3_64;

/// Neighbours that a point is tried to be moved onto.
const TRIES: usize = 3;
/// Most triangles around a point and the one that it is moved onto: with more, looking at them all
/// takes more time than it saves triangles.
const CROWDED: usize = 16;
/// Cosine of the angle by which a triangle may turn in a step.
const TURN: f32 = 0.3;
/// Least height of a triangle for its longest side.
const FLAT: f32 = 1e-4;

/// Triangles on welded points, some of which have been taken away.
pub struct Surface {
    points: Vec<Vec3>,
    /// By point: its turn, which depends on nothing but its position.
    ranks: Vec<u64>,
    triangles: Vec<[u32; 3]>,
    /// By triangle: its unit normal.
    normals: Vec<Vec3>,
    /// By point: the triangles around it; none for one that has been taken away.
    around: Vec<Vec<u32>>,
    /// By triangle: points that were taken away and are nearest to it.
    taken: Vec<Vec<u32>>,
    /// By point: whether an edge of it does not have two triangles.
    on_border: Vec<bool>,
    work: Work,
}

/// Scratch.
#[derive(Default)]
struct Work {
    neighbors: Vec<u32>,
    others: Vec<u32>,
    moves: Vec<(f32, u32)>,
    kept: Vec<u32>,
    shapes: Vec<[Vec3; 3]>,
    homes: Vec<(u32, u32)>,
}

impl Surface {
    /// All of a mesh, but for triangles with a repeated point or without one.
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
            taken: vec![Vec::new(); triangles.len()],
            on_border: vec![false; points.len()],
            ranks: points.iter().map(rank).collect(),
            points: points.into_iter().map(Vec3::from).collect(),
            normals: Vec::new(),
            triangles,
            around,
            work: Work::default(),
        };
        let triangles = surface.triangles.iter();
        let unit = |t: &[u32; 3]| normal(surface.places(*t)).normalize_or_zero();
        surface.normals = triangles.map(unit).collect();
        surface.find_borders();
        surface
    }

    fn find_borders(&mut self) {
        let edges = half_edges_by_edge(&self.triangles);
        let from = |half_edge: u32| {
            let triangle = self.triangles[half_edge as usize / 3];
            triangle[half_edge as usize % 3]
        };
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            let paired = matches!(same, [a, b] if from(a.1) != from(b.1));
            if !paired {
                for point in [same[0].0 >> 32, same[0].0 & u64::from(u32::MAX)] {
                    self.on_border[point as usize] = true;
                }
            }
        }
    }

    /// How many points there were at first.
    pub fn point_count(&self) -> u32 {
        self.points.len() as u32
    }

    /// Whether a point is still there and on no border.
    pub fn is_inside(&self, point: u32) -> bool {
        !self.around[point as usize].is_empty() && !self.on_border[point as usize]
    }

    /// When it is a point's turn; the same wherever the point is in the list.
    pub fn rank(&self, point: u32) -> (u64, u32) {
        (self.ranks[point as usize], point)
    }

    /// Adds the points that share an edge with one; some twice.
    pub fn neighbors(&self, point: u32, out: &mut Vec<u32>) {
        let around = self.around[point as usize].iter();
        let corners = around.flat_map(|t| self.triangles[*t as usize]);
        out.extend(corners.filter(|other| *other != point));
    }

    /// Moves a point onto the neighbour where that changes least, if there is one where no point
    /// that was taken away gets farther than the limit. Returns that neighbour.
    pub fn take_off(&mut self, point: u32, limit: f32) -> Option<u32> {
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
        let onto: Vec<u32> = moves.take(TRIES).collect();
        self.work = work;
        let mut onto = onto.into_iter();
        onto.find(|onto| self.move_onto(point, *onto, limit))
    }

    /// How far moving a point onto another takes it off the planes around it.
    fn lift(&self, point: u32, onto: u32) -> f32 {
        let way = self.points[onto as usize] - self.points[point as usize];
        let around = self.around[point as usize].iter();
        let lifts = around.map(|t| self.normals[*t as usize].dot(way).abs());
        lifts.fold(0.0, f32::max)
    }

    /// Moves a point onto a neighbour, unless that would fold the surface or change how it hangs
    /// together, or something that was taken away, or the point itself, would be farther than the
    /// limit from the triangles around. Whether it was moved.
    fn move_onto(&mut self, point: u32, onto: u32, limit: f32) -> bool {
        let mut work = std::mem::take(&mut self.work);
        let moved = self.find_homes(point, onto, limit, &mut work);
        if moved {
            self.apply(point, onto, &work);
        }
        self.work = work;
        moved
    }

    /// Finds the triangles around that stay, their new shapes, and which of them what was taken away
    /// belongs to afterwards.
    fn find_homes(&self, point: u32, onto: u32, limit: f32, work: &mut Work) -> bool {
        let around = &self.around[point as usize];
        if around.len() + self.around[onto as usize].len() > CROWDED {
            return false;
        }
        work.kept.clear();
        work.shapes.clear();
        for triangle in around {
            let corners = self.triangles[*triangle as usize];
            if corners.contains(&onto) {
                continue;
            }
            let shape = self.places(moved(corners, point, onto));
            if is_bent(self.normals[*triangle as usize], shape) {
                return false;
            }
            work.kept.push(*triangle);
            work.shapes.push(shape);
        }
        let shared = around.len() - work.kept.len();
        if work.kept.is_empty() || shared == 0 || self.common(point, onto, work) != shared {
            return false;
        }
        work.homes.clear();
        for triangle in around {
            let own = work.kept.iter().position(|kept| kept == triangle);
            for taken in &self.taken[*triangle as usize] {
                let Some(home) = self.home(*taken, own, limit, work) else {
                    return false;
                };
                work.homes.push((*taken, home));
            }
        }
        let home = self.home(point, None, limit, work);
        work.homes.extend(home.map(|home| (point, home)));
        home.is_some()
    }

    /// A triangle within the limit of a point: its own if that is near enough, else the nearest.
    fn home(&self, taken: u32, own: Option<usize>, limit: f32, work: &Work) -> Option<u32> {
        let place = self.points[taken as usize];
        let far = |shape: &[Vec3; 3]| triangle_distance_squared_f32(place, *shape);
        let least = limit * limit;
        let near = own.filter(|own| far(&work.shapes[*own]) <= 0.25 * least);
        let at = near.or_else(|| {
            let all = work.shapes.iter().map(far).enumerate();
            let nearest = all.min_by(|a, b| a.1.total_cmp(&b.1));
            nearest.filter(|(_, far)| *far <= least).map(|(at, _)| at)
        })?;
        work.kept.get(at).copied()
    }

    /// How many neighbours two points have in common.
    fn common(&self, one: u32, other: u32, work: &mut Work) -> usize {
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
            self.taken[triangle as usize].clear();
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
        for (triangle, shape) in work.kept.iter().zip(&work.shapes) {
            self.normals[*triangle as usize] = normal(*shape).normalize_or_zero();
        }
        for (taken, home) in &work.homes {
            self.taken[*home as usize].push(*taken);
        }
    }

    fn places(&self, triangle: [u32; 3]) -> [Vec3; 3] {
        triangle.map(|point| self.points[point as usize])
    }

    /// What is left.
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

/// Whether a triangle has turned too far from its normal, or has hardly any height.
fn is_bent(before: Vec3, shape: [Vec3; 3]) -> bool {
    let after = normal(shape);
    let sides = (0..3).map(|k| shape[k].distance_squared(shape[(k + 1) % 3]));
    let longest = sides.fold(0.0, f32::max);
    let area = after.length();
    before.dot(after) < TURN * area * before.length() || area <= FLAT * longest
}

fn moved(corners: [u32; 3], point: u32, onto: u32) -> [u32; 3] {
    corners.map(|corner| if corner == point { onto } else { corner })
}

/// Twice as long as the area.
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a)
}
