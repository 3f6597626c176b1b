//! The history of breaks: the breaks that each body took and the pieces that it became, the format in
//! which that is saved, and two ways to bring a fresh body to the same state: loading snapshots of the
//! pieces, or replaying the breaks.

mod archive;
mod bar_codec;
mod crack_codec;
mod laid_codec;
mod log;
mod piece_loader;
mod piece_tree;
mod replay_job;
pub(crate) mod restore;
mod saved_strain;
pub(crate) mod saving;
mod snapshot;
mod snapshot_restore;
mod snapshot_swap;

pub(crate) use archive::{read_record, record_bytes};
pub use archive::{Archive, ArchiveError, ARCHIVE_VERSION};
pub(crate) use log::is_bearable;
pub use log::{
    BreakLog, BreakRecord, LoggedCause, LoggedCollapse, LoggedImpact, PieceRef, PieceState,
    ReplayError,
};
pub use snapshot::PieceSnapshots;
pub(crate) use snapshot::SourceInfo;
pub(crate) use snapshot_restore::SnapshotRestore;

use std::collections::BTreeMap;
use std::sync::Arc;

use fracture_geometry::PieceKind;

use crate::pieces::Anchor;
use crate::types::BodyId;
use piece_tree::PieceTree;

/// The breaks of all bodies, and the pieces that they became.
#[derive(Default)]
pub(crate) struct History {
    /// By the id of the body that was added; its entity has gone.
    sources: BTreeMap<BodyId, SourceHistory>,
    pub pieces: PieceTree,
}

/// The breaks of one body that was added and of its pieces.
pub(crate) struct SourceHistory {
    pub breaks: Vec<BreakRecord>,
    /// Volume that has become dust, m^3.
    pub dust_volume: f64,
    pub info: SourceInfo,
}

/// A component of pieces: where the piece comes from.
#[derive(Clone)]
pub(crate) struct PieceOrigin {
    /// The body that was added.
    pub source: BodyId,
    pub piece: PieceRef,
    /// Kinds of the pieces that it was a part of, oldest first, and its own kind last.
    pub kinds: Arc<[PieceKind]>,
}

impl PieceOrigin {
    /// The origin of an intact body.
    pub fn intact(source: BodyId) -> Self {
        Self {
            source,
            piece: PieceRef::INTACT,
            kinds: Arc::default(),
        }
    }

    /// The origin of a piece of this body or piece.
    pub fn of_piece(&self, piece: PieceRef, kind: PieceKind) -> Self {
        Self {
            source: self.source,
            piece,
            kinds: self.kinds.iter().copied().chain([kind]).collect(),
        }
    }
}

impl History {
    /// The history of a body that was added and has broken.
    pub fn source(&self, source: BodyId) -> Option<&SourceHistory> {
        self.sources.get(&source)
    }

    /// The breaks of a body and its pieces, in order.
    pub fn breaks(&self, source: BodyId) -> &[BreakRecord] {
        self.source(source).map_or(&[], |source| &source.breaks)
    }

    /// Where the break held its body that has made a piece: there the piece is held at first, if it is held by touch.
    pub fn held_at_first(&self, source: BodyId, piece: PieceRef) -> Option<Arc<[Anchor]>> {
        let made_by = self.breaks(source).get(piece.break_index as usize)?;
        made_by.held_at.clone()
    }

    /// The index that the next break of a body or one of its pieces will have.
    pub fn next_break(&self, source: BodyId) -> u32 {
        u32::try_from(self.breaks(source).len()).unwrap_or(u32::MAX)
    }

    /// Records a break. `info` counts for the first break of a body, that of the intact body.
    pub fn record(
        &mut self,
        source: BodyId,
        record: BreakRecord,
        dust_volume: f64,
        info: SourceInfo,
    ) {
        let empty = || SourceHistory {
            breaks: Vec::new(),
            dust_volume: 0.0,
            info,
        };
        let history = self.sources.entry(source).or_insert_with(empty);
        history.breaks.push(record);
        history.dust_volume += dust_volume;
    }

    /// Records a break of a piece that has been removed, which a game elsewhere has taken. False for a body that has
    /// not broken.
    pub fn record_missed(&mut self, source: BodyId, record: BreakRecord) -> bool {
        let history = self.sources.get_mut(&source);
        history.map(|history| history.breaks.push(record)).is_some()
    }

    /// Sets the whole history of a body, which has been restored from snapshots.
    pub fn insert(&mut self, source: BodyId, history: SourceHistory) {
        self.sources.insert(source, history);
    }

    /// Puts the breaks of a body into the order of a log, after the body has taken the same ones in
    /// another order. The cracks along which they went on are those that were found, where the log has none.
    pub fn reorder(&mut self, source: BodyId, breaks: &[BreakRecord]) {
        if let Some(history) = self.sources.get_mut(&source) {
            let mut ordered = breaks.to_vec();
            let impacts = ordered
                .iter_mut()
                .filter_map(|record| record.cause.impact());
            for impact in impacts.filter(|impact| impact.kept.is_none()) {
                // The turn of its pattern is that of no other break.
                let is_same = |found: &&mut LoggedImpact| {
                    (found.point, found.spin) == (impact.point, impact.spin)
                };
                let found = history.breaks.iter_mut();
                let mut found = found.filter_map(|record| record.cause.impact());
                impact.kept = found.find(is_same).and_then(|found| found.kept);
            }
            history.breaks = ordered;
        }
    }

    /// Forgets the breaks of a body that has been removed with all its pieces.
    pub fn forget(&mut self, source: BodyId) {
        self.sources.remove(&source);
    }
}
