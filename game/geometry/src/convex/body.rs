//! The body that hulls are made for.

use super::part::Part;
use super::polyhedron::bounds;
use super::room::Room;
use crate::Mesh;
use std::cell::OnceCell;

pub struct Body {
    pub whole: Part,
    /// The diagonal of its box, metres.
    pub size: f64,
    /// How far hulls may reach out, metres.
    pub allowed: f64,
    room: OnceCell<Room>,
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
        }
    }

    /// Where its hulls may be.
    pub fn room(&self) -> &Room {
        self.room
            .get_or_init(|| Room::around(&self.whole, self.allowed))
    }
}
