//! Takes back what would fold a face over itself: the field bends space gently, but the triangles
//! that follow it may be thin.

use super::points::Points;
use super::subdivide::Faces;
use glam::{DVec3, Vec3};

/// Rounds; each takes back more, and after a few there is nothing left to take back.
const ROUNDS: usize = 8;
/// The cosine of 75 degrees, the most that a triangle may turn.
const STEEPEST: f64 = 0.26;

/// The moved points, back where they were where triangles would turn by more than that.
pub fn unfolded(points: &Points, mut moved: Vec<[f32; 3]>, faces: &[Faces]) -> Vec<[f32; 3]> {
    for _ in 0..ROUNDS {
        let mut back: Vec<u32> = Vec::new();
        for piece in faces {
            let of = |v: u32| piece.points[v as usize];
            let triangles = piece.caps.iter().map(|t| t.map(of));
            let folded = triangles.filter(|t| is_folded(points, &moved, t));
            back.extend(folded.flatten());
        }
        if back.is_empty() {
            break;
        }
        for point in back {
            moved[point as usize] = points.flat(point);
        }
    }
    moved
}

fn is_folded(points: &Points, moved: &[[f32; 3]], triangle: &[u32; 3]) -> bool {
    let still = |p: &u32| moved[*p as usize] == points.flat(*p);
    if triangle.iter().all(still) {
        return false;
    }
    let before = normal(triangle.map(|p| points.flat(p)));
    let after = normal(triangle.map(|p| moved[p as usize]));
    let turned = before.dot(after);
    // Also when it is not a number.
    turned.partial_cmp(&(STEEPEST * before.length() * after.length()))
        != Some(std::cmp::Ordering::Greater)
}

fn normal(corners: [[f32; 3]; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|p| Vec3::from(p).as_dvec3());
    (b - a).cross(c - a)
}
