//! Pieces that somebody has kept: what breaks had made of bodies, without the breaks. All threads that have
//! time make some, of whatever body; what comes of it does not depend on who that is.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use fracture_geometry::Mesh;

use super::piece_loader::{PieceLoader, RestoredPiece};
use super::snapshot::{PieceSnapshots, SavedCut, SnapshotIndex, SourceInfo};
use crate::pieces::PieceOptions;
use crate::pieces::{Anchor, Anchors, Cut, LazyHulls, LazyParts, LazyPattern, Shape};

/// Pieces of so many bytes keep whoever makes them busy for long: they are begun first.
const LARGE: usize = 1 << 16;

/// All that is needed to make the pieces of a body.
pub(crate) struct RestoreOrder {
    /// Of the whole body.
    pub shape: Arc<Shape>,
    pub anchors: Anchors,
    /// What the pieces break by.
    pub pattern: Arc<LazyPattern>,
    /// What blades cut by.
    pub blade: Arc<LazyPattern>,
    pub making: PieceOptions,
    pub kept: PieceSnapshots,
    pub contents: SnapshotIndex,
}

/// What the pieces of a body have in common.
pub(crate) struct RestoredBody {
    /// How much of it has become crumbs, m^3.
    pub crumbs: f64,
    /// Of the whole body.
    pub facts: SourceInfo,
    /// What holds the pieces.
    pub anchors: Arc<[Anchor]>,
}

/// Bodies whose pieces are being made.
pub(crate) struct SnapshotRestore {
    bodies: Vec<BodyRestore>,
    /// Patterns that are not there yet, and nobody has begun. Without them nothing can be broken again, and two
    /// cannot share in one: workers begin with them.
    patterns: Mutex<Vec<Arc<LazyPattern>>>,
    /// Bodies and pieces of them that nobody has begun. Workers begin with the first; the thread that waits
    /// takes pieces in their order, and meanwhile makes the last.
    open: Mutex<VecDeque<[usize; 2]>>,
    /// Whether somebody waits for a piece.
    waiting: Mutex<bool>,
    made: Condvar,
}

/// One of the bodies.
struct BodyRestore {
    order: RestoreOrder,
    /// What the whole body was carved from, which is nothing else.
    parts: Arc<LazyParts>,
    /// Its hulls, when nothing held it.
    hulls: Option<Arc<LazyHulls>>,
    /// The breaks that pieces know of.
    cuts: Vec<Arc<Cut>>,
    pieces: Vec<Mutex<PieceSlot>>,
}

/// How far a piece has come. It stays here until it is taken: memory that the worker has asked for keeps both
/// waiting for each other when another thread gives it back meanwhile.
#[derive(Default)]
struct PieceSlot {
    done: bool,
    /// Nothing where it cannot be made, or has been taken.
    piece: Option<RestoredPiece>,
}

impl SnapshotRestore {
    /// Of bodies, in their order.
    pub fn new(orders: Vec<RestoreOrder>) -> Arc<Self> {
        let bodies: Vec<_> = orders.into_iter().map(BodyRestore::new).collect();
        let mut open = VecDeque::new();
        for (body, recall) in bodies.iter().enumerate() {
            let sizes = recall
                .order
                .contents
                .pieces
                .iter()
                .map(ExactSizeIterator::len);
            open.extend(sizes.enumerate().map(|(piece, size)| (size, [body, piece])));
        }
        // Nobody is to wait for what takes longest in the end.
        let first = |(size, _): &(usize, _)| Reverse(if *size < LARGE { 0 } else { *size });
        open.make_contiguous().sort_by_key(first);
        let patterns = bodies.iter().map(|recall| recall.order.pattern.clone());
        let mut seen = BTreeSet::new();
        let patterns = patterns.filter(|one| one.made().is_none() && seen.insert(Arc::as_ptr(one)));
        Arc::new(Self {
            patterns: Mutex::new(patterns.collect()),
            open: Mutex::new(open.into_iter().map(|(_, piece)| piece).collect()),
            bodies,
            waiting: Mutex::default(),
            made: Condvar::new(),
        })
    }

    /// Makes what nobody has begun, until nothing is left.
    pub fn work(&self, cancel: &AtomicBool) {
        let mut scratch = Mesh::default();
        let mut make = || self.make_pattern() || self.make_one(VecDeque::pop_front, &mut scratch);
        while !cancel.load(Ordering::Relaxed) && make() {}
    }

    /// Makes a pattern that nobody has begun; whether there was one.
    fn make_pattern(&self) -> bool {
        let pattern = lock(&self.patterns).pop();
        if let Some(pattern) = &pattern {
            // What is wrong with it is told when a body is prepared.
            let _ = pattern.get();
        }
        pattern.is_some()
    }

    /// Makes a piece that nobody has begun; whether there was one.
    fn make_one(
        &self,
        next: fn(&mut VecDeque<[usize; 2]>) -> Option<[usize; 2]>,
        scratch: &mut Mesh,
    ) -> bool {
        let Some([body, piece]) = next(&mut lock(&self.open)) else {
            return false;
        };
        if let Some(recall) = self.bodies.get(body) {
            recall.make(piece, scratch);
            if std::mem::take(&mut *lock(&self.waiting)) {
                self.made.notify_all();
            }
        }
        true
    }

    /// What the pieces of a body have in common; `None` where that cannot be known.
    pub fn body(&self, body: usize) -> Option<RestoredBody> {
        let recall = self.bodies.get(body)?;
        let contents = &recall.order.contents;
        let facts = contents.facts;
        Some(RestoredBody {
            crumbs: contents.crumbs,
            facts,
            anchors: recall.order.anchors.resolve(facts.bounds),
        })
    }

    /// A piece of a body, which can be taken once; until it is there, makes what nobody has begun.
    /// `None` when it cannot be made. `scratch` is any mesh.
    pub fn take(&self, [body, piece]: [usize; 2], scratch: &mut Mesh) -> Option<RestoredPiece> {
        let place = self.bodies.get(body)?.pieces.get(piece)?;
        loop {
            let mut progress = lock(place);
            if progress.done {
                return progress.piece.take();
            }
            drop(progress);
            if self.make_one(VecDeque::pop_back, scratch) {
                continue;
            }
            let mut waiting = lock(&self.waiting);
            // It may have been made since then.
            if !lock(place).done {
                *waiting = true;
                drop(self.made.wait(waiting));
            }
        }
    }
}

impl RestoreOrder {
    fn past_cut(&self, cut: SavedCut) -> Cut {
        let pattern = match cut.blade {
            true => &self.blade,
            false => &self.pattern,
        };
        Cut {
            pattern: pattern.clone(),
            blade: cut.blade,
            placement: cut.placement,
            broken_out: cut.broken_out,
        }
    }
}

impl BodyRestore {
    fn new(mut order: RestoreOrder) -> Self {
        let pieces = order.contents.pieces.iter().map(|_| Mutex::default());
        let pieces = pieces.collect();
        let cuts = std::mem::take(&mut order.contents.cuts).into_iter();
        let cuts = cuts.map(|cut| Arc::new(order.past_cut(cut)));
        Self {
            pieces,
            parts: order.shape.parts_later(),
            hulls: order.anchors.is_free().then(|| order.shape.hulls_later()),
            cuts: cuts.collect(),
            order,
        }
    }

    /// Makes a piece, or nothing when it cannot be.
    fn make(&self, piece: usize, scratch: &mut Mesh) {
        // Nothing that a panic leaves half done is used again.
        let make = AssertUnwindSafe(|| self.one(piece, scratch));
        let made = catch_unwind(make).ok().flatten();
        if let Some(place) = self.pieces.get(piece) {
            *lock(place) = PieceSlot {
                done: true,
                piece: made,
            };
        }
    }

    fn one(&self, piece: usize, scratch: &mut Mesh) -> Option<RestoredPiece> {
        let place: Range<usize> = self.order.contents.pieces.get(piece)?.clone();
        let kept = &self.order.kept;
        let kept = kept.piece(place, std::mem::take(scratch)).ok()?;
        let renewal = PieceLoader {
            shape: &self.order.shape,
            making: &self.order.making,
            facts: &self.order.contents.facts,
            parts: &self.parts,
            hulls: self.hulls.as_ref(),
            cuts: &self.cuts,
        };
        let (made, mesh) = renewal.piece(kept)?;
        *scratch = mesh;
        Some(made)
    }
}

/// Nothing that is kept in a lock can be left half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
