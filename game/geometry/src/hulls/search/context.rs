//! The body that hulls are made for.

use crate::hulls::search::runs::TriangleBatches;
use crate::hulls::shape::convex_hull::bounds;
use crate::hulls::shape::part::Part;
use crate::hulls::tolerance::tolerance_volume::ToleranceVolume;
use crate::Mesh;
use std::cell::{Cell, OnceCell};

pub struct DecomposeContext<'a> {
    pub whole: Part,
    /// The diagonal of its box, metres.
    pub size: f64,
    /// How far hulls may reach out, metres.
    pub allowed: f64,
    room: OnceCell<ToleranceVolume>,
    runs: OnceCell<TriangleBatches>,
    stop: &'a dyn Fn() -> bool,
    stopped: Cell<bool>,
}

impl<'a> DecomposeContext<'a> {
    /// A body whose hulls may reach out by a part of its size.
    pub fn new(mesh: &Mesh, allowed: f64) -> Self {
        Self::with_cancel(mesh, allowed, &|| false)
    }

    /// The same where somebody may tell that nobody needs the hulls now.
    pub fn with_cancel(mesh: &Mesh, allowed: f64, stop: &'a dyn Fn() -> bool) -> Self {
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
    pub fn runs(&self) -> &TriangleBatches {
        self.runs.get_or_init(|| TriangleBatches::of(&self.whole))
    }

    /// Where its hulls may be.
    pub fn room(&self) -> &ToleranceVolume {
        self.room
            .get_or_init(|| ToleranceVolume::around(&self.whole, self.allowed))
    }
}
