//! A file that grows and is complete after each write, because its end is rewritten.

use std::io::{self, Seek, SeekFrom, Write};

/// Storage of a recording.
pub trait Storage: Write + Seek {
    /// Truncates or extends the file.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Flushes to the disk.
    fn keep(&mut self) -> io::Result<()>;
}

/// A text that grows, with an end that always follows the last addition.
pub struct SafeFile<M> {
    medium: M,
    /// Offset of the end.
    body: u64,
    end: String,
}

impl<M: Storage> SafeFile<M> {
    /// Starts with a head and an end.
    pub fn new(medium: M, head: &str, end: &str) -> io::Result<Self> {
        let mut tape = Self {
            medium,
            body: 0,
            end: String::new(),
        };
        tape.append(head, end)?;
        Ok(tape)
    }

    /// Inserts text before the end and replaces the end. On failure the old text is restored.
    pub fn append(&mut self, more: &str, end: &str) -> io::Result<()> {
        match self.write(&[more, end].concat()) {
            Ok(()) => {
                self.body += more.len() as u64;
                end.clone_into(&mut self.end);
                Ok(())
            }
            Err(error) => {
                // The old end had room before, so a full disk has room for it again.
                let old = self.end.clone();
                let _ = self.write(&old);
                Err(error)
            }
        }
    }

    fn write(&mut self, text: &str) -> io::Result<()> {
        self.medium.seek(SeekFrom::Start(self.body))?;
        let written = self.medium.write_all(text.as_bytes());
        let written = written.and_then(|()| self.medium.flush());
        let length = match &written {
            Ok(()) => self.body + text.len() as u64,
            Err(_) => self.body,
        };
        self.medium.set_length(length)?;
        written
    }

    /// Flushes everything to the disk.
    pub fn close(mut self) -> io::Result<()> {
        self.medium.keep()
    }

    #[cfg(test)]
    pub fn into_medium(self) -> M {
        self.medium
    }
}
