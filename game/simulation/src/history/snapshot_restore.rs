//! Loading of snapshots on several threads: the pieces of several bodies, each piece on the first thread that
//! has time for it. The result does not depend on which thread that is.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use fracture_geometry::steps::pause;
use fracture_geometry::Mesh;

use super::piece_loader::{PieceLoader, RestoredPiece};
use super::snapshot::{PieceSnapshots, SavedCut, SnapshotIndex, SourceInfo};
use crate::pieces::PieceOptions;
use crate::pieces::{
    Anchor, Anchors, BladePatterns, Cut, CutPattern, LazyHulls, LazyParts, LazyPattern, Shape,
};

/// Size of a snapshot from which on it is loaded before the others, bytes: a large piece that is begun last
/// would keep one thread busy while the others have nothing left to do.
const LARGE_PIECE: usize = 1 << 16;

/// The input for loading the pieces of a body.
pub(crate) struct RestoreOrder {
    /// The shape of the intact body.
    pub shape: Arc<Shape>,
    pub anchors: Anchors,
    /// The pattern by which the pieces break.
    pub pattern: Arc<LazyPattern>,
    pub blades: BladePatterns,
    pub options: PieceOptions,
    pub snapshots: PieceSnapshots,
    pub index: SnapshotIndex,
}

/// Data shared by the pieces of a restored body.
pub(crate) struct RestoredBody {
    /// Volume that has become dust, m^3.
    pub dust_volume: f64,
    pub info: SourceInfo,
    /// The anchors that hold the pieces.
    pub anchors: Arc<[Anchor]>,
}

/// Bodies whose pieces are being loaded. Worker threads and the thread that waits for the pieces share it.
pub(crate) struct SnapshotRestore {
    bodies: Vec<BodyRestore>,
    /// Patterns that nothing has computed and no thread has begun. Pieces cannot break again without them, and
    /// two threads cannot share one: the workers begin with them.
    patterns: Mutex<Vec<Arc<LazyPattern>>>,
    /// Body and piece indices that no thread has begun. Workers take them from the front; the thread that waits
    /// for the pieces in order takes them from the back.
    queue: Mutex<VecDeque<[usize; 2]>>,
    /// True while a thread waits for a piece.
    is_waiting: Mutex<bool>,
    piece_loaded: Condvar,
}

/// One of the bodies.
struct BodyRestore {
    order: RestoreOrder,
    /// Convex parts of the intact body.
    parts: Arc<LazyParts>,
    /// Hulls of the intact body, if no anchor held it.
    hulls: Option<Arc<LazyHulls>>,
    cuts: Vec<Arc<Cut>>,
    slots: Vec<Mutex<PieceSlot>>,
}

/// A piece between loading and taking. It is kept here and not sent by a channel: when another thread frees
/// memory that a worker has allocated, both wait for each other in the allocator.
#[derive(Default)]
struct PieceSlot {
    is_loaded: bool,
    /// `None` also for a piece that could not be loaded, or has been taken.
    piece: Option<RestoredPiece>,
}

impl SnapshotRestore {
    /// Prepares the loading of several bodies; threads that call [`SnapshotRestore::work`] do it.
    pub fn new(orders: Vec<RestoreOrder>) -> Arc<Self> {
        let bodies: Vec<_> = orders.into_iter().map(BodyRestore::new).collect();
        let mut queue = VecDeque::new();
        for (body, restore) in bodies.iter().enumerate() {
            let ranges = restore.order.index.pieces.iter();
            let sizes = ranges.map(ExactSizeIterator::len);
            queue.extend(sizes.enumerate().map(|(piece, size)| (size, [body, piece])));
        }
        let largest_first = |(size, _): &(usize, _)| {
            let is_large = *size >= LARGE_PIECE;
            Reverse(if is_large { *size } else { 0 })
        };
        queue.make_contiguous().sort_by_key(largest_first);
        let patterns = bodies.iter().map(|restore| restore.order.pattern.clone());
        let mut seen = BTreeSet::new();
        let patterns = patterns.filter(|one| one.made().is_none() && seen.insert(Arc::as_ptr(one)));
        Arc::new(Self {
            patterns: Mutex::new(patterns.collect()),
            queue: Mutex::new(queue.into_iter().map(|(_, piece)| piece).collect()),
            bodies,
            is_waiting: Mutex::default(),
            piece_loaded: Condvar::new(),
        })
    }

    /// Computes patterns, in steps, and loads pieces, one in a step, until none is left that no thread has begun.
    pub async fn work(&self, cancel: &AtomicBool) {
        let mut scratch = Mesh::default();
        while !cancel.load(Ordering::Relaxed) {
            let has_worked =
                self.make_pattern().await || self.load_one(VecDeque::pop_front, &mut scratch);
            if !has_worked {
                break;
            }
            pause().await;
        }
    }

    /// Computes a pattern that no thread has begun; false when there is none.
    async fn make_pattern(&self) -> bool {
        let pattern = lock(&self.patterns).pop();
        if let Some(pattern) = &pattern {
            // An error of the pattern is reported when a body is prepared.
            let _ = pattern.get_in_steps().await;
        }
        pattern.is_some()
    }

    /// Loads a piece that no thread has begun; false when there is none.
    fn load_one(
        &self,
        pop: fn(&mut VecDeque<[usize; 2]>) -> Option<[usize; 2]>,
        scratch: &mut Mesh,
    ) -> bool {
        let Some([body, piece]) = pop(&mut lock(&self.queue)) else {
            return false;
        };
        if let Some(restore) = self.bodies.get(body) {
            restore.load(piece, scratch);
            if std::mem::take(&mut *lock(&self.is_waiting)) {
                self.piece_loaded.notify_all();
            }
        }
        true
    }

    /// Data shared by the pieces of a body.
    pub fn body(&self, body: usize) -> Option<RestoredBody> {
        let order = &self.bodies.get(body)?.order;
        let index = &order.index;
        Some(RestoredBody {
            dust_volume: index.dust_volume,
            info: index.info,
            anchors: order.anchors.resolve(index.info.bounds),
        })
    }

    /// Takes a piece of a body, once; until it is loaded, loads others. `None` for a piece that cannot be
    /// loaded. The content of `scratch` is lost.
    pub fn take(&self, body: usize, piece: usize, scratch: &mut Mesh) -> Option<RestoredPiece> {
        let slot = self.bodies.get(body)?.slots.get(piece)?;
        loop {
            let mut content = lock(slot);
            if content.is_loaded {
                return content.piece.take();
            }
            drop(content);
            if self.load_one(VecDeque::pop_back, scratch) {
                continue;
            }
            let mut is_waiting = lock(&self.is_waiting);
            // A worker may have finished it since the check above.
            if !lock(slot).is_loaded {
                *is_waiting = true;
                drop(self.piece_loaded.wait(is_waiting));
            }
        }
    }
}

impl RestoreOrder {
    fn past_cut(&self, cut: SavedCut) -> Cut {
        let pattern = self.blades.of(cut.by).unwrap_or(&self.pattern);
        Cut {
            pattern: CutPattern::new(pattern.clone(), cut.detail),
            by: cut.by,
            placement: cut.placement,
            removed: cut.removed_cells,
        }
    }
}

impl BodyRestore {
    fn new(mut order: RestoreOrder) -> Self {
        let slots = order.index.pieces.iter().map(|_| Mutex::default());
        let slots = slots.collect();
        let cuts = std::mem::take(&mut order.index.cuts).into_iter();
        let cuts = cuts.map(|cut| Arc::new(order.past_cut(cut)));
        Self {
            slots,
            parts: order.shape.deferred_source_parts(),
            hulls: order
                .anchors
                .is_free()
                .then(|| order.shape.deferred_source_hulls()),
            cuts: cuts.collect(),
            order,
        }
    }

    /// Loads a piece into its slot.
    fn load(&self, piece: usize, scratch: &mut Mesh) {
        // A panic leaves nothing behind that is used again.
        let load = AssertUnwindSafe(|| self.try_load(piece, scratch));
        let loaded = catch_unwind(load).ok().flatten();
        if let Some(slot) = self.slots.get(piece) {
            *lock(slot) = PieceSlot {
                is_loaded: true,
                piece: loaded,
            };
        }
    }

    fn try_load(&self, piece: usize, scratch: &mut Mesh) -> Option<RestoredPiece> {
        let order = &self.order;
        let range: Range<usize> = order.index.pieces.get(piece)?.clone();
        let saved = order.snapshots.piece(range, std::mem::take(scratch)).ok()?;
        let loader = PieceLoader {
            shape: &order.shape,
            options: &order.options,
            info: &order.index.info,
            parts: &self.parts,
            hulls: self.hulls.as_ref(),
            cuts: &self.cuts,
        };
        let (loaded, mesh) = loader.load(saved)?;
        *scratch = mesh;
        Some(loaded)
    }
}

/// Locks a mutex, also after a panic: nothing in these mutexes can be half written.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
