//! The history of breaks: which breaks each body took and which pieces it became, how that is saved,
//! and how a fresh body is brought back to the same state.

mod archive;
mod break_history;
pub(crate) mod byte_io;
mod log;
mod piece_loader;
mod piece_tree;
mod replay;
mod replay_job;
mod restore;
mod saving;
mod snapshot;
mod snapshot_restore;

use break_history::BreakHistory;
use piece_tree::PieceTree;

pub use archive::{Archive, ArchiveError, ARCHIVE_VERSION};
pub(crate) use break_history::Parts;
pub use log::{
    BreakLog, BreakRecord, BrokenBonds, LoggedCause, LoggedCollapse, LoggedImpact, PieceRef,
    PieceState, ReplayError,
};
pub use snapshot::PieceSnapshots;
pub(crate) use snapshot::{mesh_codec, SourceInfo};
pub(crate) use snapshot_restore::SnapshotRestore;

/// The breaks of all bodies and the pieces that they became.
#[derive(Default)]
pub(crate) struct History {
    pub breaks: BreakHistory,
    pub pieces: PieceTree,
}
