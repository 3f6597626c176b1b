//! The body that hulls are made for.

use super::part::Part;
use super::polyhedron::bounds;
use super::room::Room;
use super::runs::Runs;
use crate::Mesh;
use std::cell::OnceCell;

pub struct Body {
    pub whole: Part,
    /// The diagonal of its box, metres.
    pub size: f64,
    /// How far hulls may reach out, metres.
    pub allowed: f64,
    room: OnceCell<Room>,
    runs: OnceCell<Runs>,
}

impl Body {
    /// A body whose hulls may reach out by a part of its size.
    pub fn new(mesh: &Mesh, allowed: f64) -> Self {
        let whole = Part::of(mesh);
        let [low, high] = bounds(&whole.points);
        let is_something = !whole.triangles.is_empty();
        let size = match is_something {
            true => low.distance(high),
            false => 0.0,
        };
        Self {
            size,
            allowed: allowed * size,
            whole,
            room: OnceCell::new(),
            runs: OnceCell::new(),
        }
    }

    /// Its surface, to look at places of.
    pub fn runs(&self) -> &Runs {
        self.runs.get_or_init(|| Runs::of(&self.whole))
    }

    /// Where its hulls may be.
    pub fn room(&self) -> &Room {
        self.room
            .get_or_init(|| Room::around(&self.whole, self.allowed))
    }
}
