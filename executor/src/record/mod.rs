//! Recordings: the actions of a player, written as a scenario while they happen.
//!
//! Actions are recorded, not their results, so a log of a thousand hits takes less than 100 KB. A recording is
//! written to `FILE.ron.part` and becomes `FILE.ron` when it ends, so that an older `FILE.ron` is kept until the
//! new one is complete. After every action the unfinished file is a whole scenario: cut short by a crash, it
//! can be replayed as it is.

mod safe_file;
mod text;

pub use text::Heading;

use crate::scenario::action::Action;
use safe_file::{SafeFile, Storage};
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// Why recording is not possible or has stopped.
#[derive(Debug, Error)]
pub enum RecordError {
    /// An unfinished recording has this name.
    #[error("recording {}: {} is there from a recording that was cut short. It can be replayed as it is; rename it or remove it, then record again", .path.display(), .part.display())]
    Unfinished {
        /// The file that was asked for.
        path: PathBuf,
        /// The unfinished file.
        part: PathBuf,
    },
    /// The name is that of a folder or a device.
    #[error("recording {}: that is no file, and would be lost; name another", .0.display())]
    NoFile(PathBuf),
    /// The file cannot be opened for writing.
    #[error("recording {} cannot be written: {reason}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// Writing has failed.
    #[error("recording stopped: {reason}. What was recorded before is in {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
}

/// Writes actions to a file.
pub struct Recorder {
    path: PathBuf,
    part: PathBuf,
    /// `None` when it is finished or has failed.
    tape: Option<SafeFile<File>>,
}

impl Recorder {
    /// Begins a recording.
    ///
    /// # Errors
    /// [`RecordError`] when the file cannot be written, or an unfinished one is in the way.
    pub fn new(path: &Path, heading: &Heading) -> Result<Self, RecordError> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(RecordError::NoFile(path.to_path_buf()));
        }
        let part = unfinished(path);
        let opened = OpenOptions::new().write(true).create_new(true).open(&part);
        let file = opened.map_err(|reason| match reason.kind() {
            io::ErrorKind::AlreadyExists => RecordError::Unfinished {
                path: path.to_path_buf(),
                part: part.clone(),
            },
            _ => RecordError::Open {
                path: path.to_path_buf(),
                reason,
            },
        })?;
        let tape = SafeFile::new(file, &text::head(heading), &text::tail(1, None));
        let tape = tape.map_err(|reason| {
            // The file is empty, so nothing is lost.
            let _ = fs::remove_file(&part);
            RecordError::Open {
                path: path.to_path_buf(),
                reason,
            }
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            part,
            tape: Some(tape),
        })
    }

    /// Whether the recording is running.
    pub fn is_running(&self) -> bool {
        self.tape.is_some()
    }

    /// Takes down what happens before a frame.
    ///
    /// # Errors
    /// [`RecordError::Write`], once; then the recording has stopped, and what was written before is
    /// whole.
    pub fn note(&mut self, frame: u32, action: &Action) -> Result<(), RecordError> {
        let Some(tape) = &mut self.tape else {
            return Ok(());
        };
        let written = text::line(frame, action)
            .and_then(|line| tape.append(&line, &text::tail(frame.saturating_add(1), None)));
        self.stopped_by(written)
    }

    /// Ends the recording after so many frames, and gives the file its name. With the hash of the
    /// state at the end, a replay is checked against it. Nothing is kept of a run of no frames.
    ///
    /// # Errors
    /// [`RecordError::Write`] when it cannot be written to its end, or not renamed.
    pub fn finish(&mut self, frames: u32, state: Option<u64>) -> Result<(), RecordError> {
        let Some(mut tape) = self.tape.take() else {
            return Ok(());
        };
        if frames == 0 {
            return self.stopped_by(fs::remove_file(&self.part));
        }
        let written = tape
            .append("", &text::tail(frames, state))
            .and_then(|()| tape.close())
            .and_then(|()| fs::rename(&self.part, &self.path));
        self.stopped_by(written)
    }

    fn stopped_by(&mut self, written: io::Result<()>) -> Result<(), RecordError> {
        written.map_err(|reason| {
            self.tape = None;
            RecordError::Write {
                path: self.part.clone(),
                reason,
            }
        })
    }
}

/// Returns the name of the unfinished recording.
fn unfinished(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// Whether a recording can begin.
///
/// # Errors
/// [`RecordError`] when the file cannot be written, or an unfinished one is in the way.
pub fn check(path: &Path) -> Result<(), RecordError> {
    let heading = Heading {
        about: String::new(),
        scene: PathBuf::new(),
        step: 1.0,
        seed: 0,
        wait_for_results: true,
        most_balls: None,
    };
    Recorder::new(path, &heading)?.finish(0, None)
}

/// Returns the name of a session's recording by its number: `play.ron`, `play-2.ron`, `play-3.ron`.
pub fn numbered(path: &Path, number: u32) -> PathBuf {
    if number <= 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{number}.{extension}"))
}

impl Storage for File {
    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }

    fn keep(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}

#[cfg(test)]
mod record_tests;
