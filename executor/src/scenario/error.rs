//! Why a scenario is not run.

use super::read::ReadError;
use crate::{data_folder::DataFolderError, headless::HeadlessError, record::RecordError};
use std::path::PathBuf;
use thiserror::Error;

/// Why a scenario could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scenario file.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The data folder.
    #[error(transparent)]
    Data(#[from] DataFolderError),
    /// The engine or the scene.
    #[error("scenario {}: {reason}", .path.display())]
    Scene {
        /// The scenario file.
        path: PathBuf,
        /// The error of the scene.
        reason: HeadlessError,
    },
    /// The run cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The scenario names a node that does not exist in the scene.
    #[error("scenario {}: {who} names \"{name}\", but {what}{}", .path.display(), .hint)]
    Node {
        /// The scenario file.
        path: PathBuf,
        /// The action or expectation.
        who: String,
        /// The name.
        name: String,
        /// The mistake.
        what: &'static str,
        /// The nearest right name.
        hint: String,
    },
}
