//! A file whose end is written over again and again, and which is whole in between.

use std::io::{self, Seek, SeekFrom, Write};

/// What a recording is written to.
pub trait Medium: Write + Seek {
    /// Cuts what is behind, or fills up.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Sees to it that what was written is on the disk.
    fn keep(&mut self) -> io::Result<()>;
}

/// A text that grows, with an end that always stands behind what has come last.
pub struct Tape<M> {
    medium: M,
    /// Where the end begins.
    body: u64,
    end: String,
}

impl<M: Medium> Tape<M> {
    /// Begins with a head and an end.
    pub fn new(medium: M, head: &str, end: &str) -> io::Result<Self> {
        let mut tape = Self {
            medium,
            body: 0,
            end: String::new(),
        };
        tape.append(head, end)?;
        Ok(tape)
    }

    /// Puts more before the end, and another end. When that fails, the text is again what it was.
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

    /// Puts everything on the disk.
    pub fn close(mut self) -> io::Result<()> {
        self.medium.keep()
    }

    #[cfg(test)]
    pub fn into_medium(self) -> M {
        self.medium
    }
}
