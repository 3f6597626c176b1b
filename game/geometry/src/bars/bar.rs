//! A bar.

use glam::DVec3;

/// A straight bar along an axis of the solid's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The end with the lesser coordinate, metres.
    pub start: DVec3,
    /// The other end, metres.
    pub end: DVec3,
    /// The axis: 0, 1 or 2.
    pub axis: usize,
    /// Whether another piece than the one that has the bar holds it at its end.
    pub is_end_held: bool,
}

impl Bar {
    /// Length, metres.
    pub fn length(&self) -> f64 {
        self.end[self.axis] - self.start[self.axis]
    }

    /// The place at a distance from the start, metres.
    pub fn place(&self, distance: f64) -> DVec3 {
        self.start + distance * DVec3::AXES[self.axis]
    }

    /// A length of the bar, as a bar of its own.
    pub fn part(&self, [from, to]: [f64; 2]) -> Self {
        Self {
            start: self.place(from),
            end: self.place(to),
            axis: self.axis,
            is_end_held: self.is_end_held && to >= self.length(),
        }
    }
}
