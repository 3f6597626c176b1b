//! Convex polygons cut at planes (Sutherland and Hodgman, 1974).

use glam::Vec3;

/// Three corners.
pub(super) type Triangle = [Vec3; 3];

/// A convex polygon; empty when nothing is left of it.
#[derive(Clone, Debug)]
pub(crate) struct Polygon(Vec<Vec3>);

impl From<Triangle> for Polygon {
    fn from(corners: Triangle) -> Self {
        Self(corners.to_vec())
    }
}

impl Polygon {
    /// Whether all of it lies where `normal . x <= offset`.
    pub fn is_below(&self, normal: Vec3, offset: f32) -> bool {
        self.0.iter().all(|corner| normal.dot(*corner) <= offset)
    }

    /// The part where `normal . x <= offset`.
    pub fn clipped(&self, normal: Vec3, offset: f32) -> Self {
        let mut out = Vec::with_capacity(self.0.len() + 1);
        let next = self.0.iter().cycle().skip(1);
        for (from, to) in self.0.iter().zip(next) {
            let (a, b) = (normal.dot(*from) - offset, normal.dot(*to) - offset);
            if a <= 0.0 {
                out.push(*from);
            }
            if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                out.push(from.lerp(*to, a / (a - b)));
            }
        }
        if out.len() < 3 {
            out.clear();
        }
        Self(out)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a fan.
    pub fn triangles(&self) -> impl Iterator<Item = Triangle> + '_ {
        let first = self.0.first().copied().unwrap_or_default();
        let pairs = self.0.iter().skip(1).zip(self.0.iter().skip(2));
        pairs.map(move |(&b, &c)| [first, b, c])
    }
}
