//! Pieces that somebody has kept: what breaks had made of bodies, without the breaks. All threads that have
//! time make some, of whatever body; what comes of it does not depend on who that is.

use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::finishing::Making;
use super::renewing::{RecalledPiece, Renewal};
use crate::body::{Anchor, Anchors, Shape};
use crate::debris::{Colliders, LateHull};
use crate::event::BreakFailure;
use crate::kept::{Contents, Facts, Kept};
use crate::numbers::Unreadable;

/// Pieces of so many bytes keep whoever makes them busy for long. The worker begins with them, the thread
/// that waits with the others, so that it can put what is complete in its place meanwhile.
const LARGE: usize = 1 << 16;

/// All that is needed to make the pieces of a body.
pub(crate) struct RecallOrder {
    /// Of the whole body.
    pub shape: Arc<Shape>,
    pub anchors: Anchors,
    pub making: Making,
    pub kept: Kept,
}

/// The pieces of a body.
pub(crate) struct Recalled {
    pub pieces: Vec<RecalledPiece>,
    /// How much of it has become crumbs, m^3.
    pub crumbs: f64,
    /// Of the whole body.
    pub facts: Facts,
    /// What holds the pieces.
    pub anchors: Arc<[Anchor]>,
}

/// Bodies whose pieces are being made.
pub(crate) struct Recalling {
    bodies: Vec<Recall>,
    large: Queue,
    small: Queue,
    /// What is collided with of pieces that are there: their hulls are built by whoever has nothing to make.
    late: Mutex<Vec<Colliders>>,
    /// Whoever waits for a body.
    waiting: Mutex<()>,
    complete: Condvar,
}

/// Bodies and pieces of them that are begun in order.
struct Queue {
    pieces: Vec<[usize; 2]>,
    /// How many have been begun.
    begun: AtomicUsize,
}

/// One of the bodies.
struct Recall {
    order: RecallOrder,
    contents: Contents,
    /// How many of its pieces are not done yet.
    left: AtomicUsize,
    made: Vec<Mutex<Option<RecalledPiece>>>,
}

impl Recalling {
    /// Of bodies, in their order; `None` for what cannot be read.
    pub fn new(orders: Vec<RecallOrder>) -> Result<Arc<Self>, Unreadable> {
        let bodies = orders.into_iter().map(Recall::new);
        let bodies = bodies.collect::<Result<Vec<_>, _>>()?;
        let all = bodies.iter().enumerate();
        let all = all.flat_map(|(body, recall)| (0..recall.made.len()).map(move |p| [body, p]));
        let is_large = |[body, piece]: &[usize; 2]| {
            let pieces = bodies.get(*body).map(|recall| &recall.contents.pieces);
            let place = pieces.and_then(|pieces| pieces.get(*piece));
            place.is_some_and(|place| place.len() >= LARGE)
        };
        let (large, small) = all.partition(is_large);
        Ok(Arc::new(Self {
            large: Queue::new(large),
            small: Queue::new(small),
            bodies,
            late: Mutex::default(),
            waiting: Mutex::default(),
            complete: Condvar::new(),
        }))
    }

    /// Makes what nobody has begun, until nothing is left; then what can be made in advance of what was
    /// left for later.
    pub fn work(&self, cancel: &AtomicBool) {
        let queues = [&self.large, &self.small];
        while !cancel.load(Ordering::Relaxed) && self.work_one(queues) {}
        while !cancel.load(Ordering::Relaxed) && self.build_one() {}
    }

    /// Builds the hulls of a piece; whether there was one.
    fn build_one(&self) -> bool {
        let late = self
            .late
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let shapes = late.iter().flat_map(Colliders::shapes);
        for hull in shapes.flat_map(LateHull::all) {
            hull.built();
        }
        late.is_some()
    }

    /// Makes a piece that nobody has begun; whether there was one.
    fn work_one(&self, queues: [&Queue; 2]) -> bool {
        let Some([body, piece]) = queues.into_iter().find_map(Queue::next) else {
            return false;
        };
        if let Some(recall) = self.bodies.get(*body) {
            if recall.make(*piece, &self.late) {
                let _waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                self.complete.notify_all();
            }
        }
        true
    }

    /// The pieces of a body, which can be taken once; makes whatever nobody has begun until they are there.
    /// `None` when one of them cannot be made.
    pub fn take(&self, body: usize) -> Option<Recalled> {
        let recall = self.bodies.get(body)?;
        let queues = [&self.small, &self.large];
        while !recall.is_done() && self.work_one(queues) {}
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        while !recall.is_done() {
            let woken = self.complete.wait(waiting);
            waiting = woken.unwrap_or_else(PoisonError::into_inner);
        }
        drop(waiting);
        recall.take()
    }
}

impl Queue {
    fn new(pieces: Vec<[usize; 2]>) -> Self {
        Self {
            pieces,
            begun: AtomicUsize::new(0),
        }
    }

    fn next(&self) -> Option<&[usize; 2]> {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        self.pieces.get(begun)
    }
}

impl Recall {
    fn new(order: RecallOrder) -> Result<Self, Unreadable> {
        let contents = order.kept.contents()?;
        let made = contents.pieces.iter().map(|_| Mutex::default());
        let made: Vec<_> = made.collect();
        Ok(Self {
            order,
            contents,
            left: made.len().into(),
            made,
        })
    }

    fn is_done(&self) -> bool {
        self.left.load(Ordering::Acquire) == 0
    }

    /// Makes a piece, or nothing when it cannot be; whether it was the last.
    fn make(&self, piece: usize, late: &Mutex<Vec<Colliders>>) -> bool {
        // Nothing that a panic leaves half done is used again.
        let make = AssertUnwindSafe(|| self.one(piece));
        let made = catch_unwind(make).ok().flatten();
        if let Some(made) = &made {
            let mut late = late.lock().unwrap_or_else(PoisonError::into_inner);
            late.push(made.piece.colliders.clone());
        }
        if let Some(place) = self.made.get(piece) {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = made;
        }
        self.left.fetch_sub(1, Ordering::AcqRel) == 1
    }

    fn one(&self, piece: usize) -> Option<RecalledPiece> {
        let place: Range<usize> = self.contents.pieces.get(piece)?.clone();
        let kept = self.order.kept.piece(self.contents.layout, place).ok()?;
        let facts = self.facts().ok()?;
        let renewal = Renewal {
            shape: &self.order.shape,
            making: &self.order.making,
            facts: &facts,
        };
        renewal.piece(kept).ok()
    }

    /// What is known of the whole body: from the save, or from the body itself.
    fn facts(&self) -> Result<Facts, BreakFailure> {
        let of_body = || {
            let solid = self.order.shape.solid()?;
            let cap = self.order.making.cut_faces.style(solid);
            Ok(Facts::of(solid, cap.surface))
        };
        self.contents.facts.map_or_else(of_body, Ok)
    }

    fn take(&self) -> Option<Recalled> {
        let take = |place: &Mutex<Option<RecalledPiece>>| {
            let mut piece = place.lock().unwrap_or_else(PoisonError::into_inner);
            piece.take()
        };
        let facts = self.facts().ok()?;
        Some(Recalled {
            pieces: self.made.iter().map(take).collect::<Option<_>>()?,
            crumbs: self.contents.crumbs,
            facts,
            anchors: self.order.anchors.resolve(facts.bounds),
        })
    }
}
