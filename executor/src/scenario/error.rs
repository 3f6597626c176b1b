//! Why a scenario is not run.

use super::read::ReadError;
use crate::{data_folder::DataFolderError, headless::HeadlessError, record::RecordError};
use std::path::PathBuf;
use thiserror::Error;

/// Why a scenario could not be run at all.
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
        /// What is wrong with the scene.
        reason: HeadlessError,
    },
    /// It cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The scenario names a node that the scene does not have.
    #[error("scenario {}: {who} names \"{name}\", but {what}{}", .path.display(), .hint)]
    Node {
        /// The scenario file.
        path: PathBuf,
        /// Which action or expectation.
        who: String,
        /// The name it gives.
        name: String,
        /// Why that does not do.
        what: &'static str,
        /// The nearest right name.
        hint: String,
    },
}
