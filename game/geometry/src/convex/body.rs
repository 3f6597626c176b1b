//! The body that hulls are made for.

use super::part::Part;
use super::polyhedron::bounds;
use super::room::Room;
use super::runs::Runs;
use crate::Mesh;
use std::cell::{Cell, OnceCell};

pub struct Body<'a> {
    pub whole: Part,
    /// The diagonal of its box, metres.
    pub size: f64,
    /// How far hulls may reach out, metres.
    pub allowed: f64,
    room: OnceCell<Room>,
    runs: OnceCell<Runs>,
    stop: &'a dyn Fn() -> bool,
    stopped: Cell<bool>,
}

impl<'a> Body<'a> {
    /// A body whose hulls may reach out by a part of its size.
    pub fn new(mesh: &Mesh, allowed: f64) -> Self {
        Self::unless(mesh, allowed, &|| false)
    }

    /// The same where somebody may tell that nobody needs the hulls now.
    pub fn unless(mesh: &Mesh, allowed: f64, stop: &'a dyn Fn() -> bool) -> Self {
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
            stop,
            stopped: Cell::new(false),
        }
    }

    /// Asks whether to leave off, once and for all.
    pub fn is_to_stop(&self) -> bool {
        let stopped = self.was_stopped() || (self.stop)();
        self.stopped.set(stopped);
        stopped
    }

    /// Whether that was the answer once: what was found is of no use then.
    pub fn was_stopped(&self) -> bool {
        self.stopped.get()
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
