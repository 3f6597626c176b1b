//! Bytes that go over the wire, counted by frames.

use std::collections::VecDeque;

/// Frames that count as a second.
const SECOND: usize = 60;

/// Bytes in the last second and altogether.
#[derive(Debug, Default)]
pub struct Traffic {
    frames: VecDeque<u64>,
    now: u64,
    total: u64,
}

impl Traffic {
    /// Counts a datagram.
    pub fn count(&mut self, bytes: usize) {
        self.now += bytes as u64;
        self.total += bytes as u64;
    }

    /// Ends a frame.
    pub fn end_frame(&mut self) {
        self.frames.push_back(std::mem::take(&mut self.now));
        if self.frames.len() > SECOND {
            self.frames.pop_front();
        }
    }

    /// Bytes in the last second.
    pub fn per_second(&self) -> u64 {
        self.frames.iter().sum()
    }

    /// Bytes since the start.
    pub fn total(&self) -> u64 {
        self.total
    }
}
