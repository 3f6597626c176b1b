//! How many pieces may come and go in a step, so that no frame is long. The rest follows in the next ones.

/// Changes that a break counts for besides its pieces: events, history, the body that goes.
const CHANGES_OF_BREAK: usize = 4;

/// Pieces that come and go in a step.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Most changes in a step.
    pub limit: usize,
    /// Changes in the current step, or in the last one.
    count: usize,
    /// Whether the current step has no limit.
    is_unlimited: bool,
}

impl Default for Changes {
    fn default() -> Self {
        Self {
            limit: usize::MAX,
            count: 0,
            is_unlimited: true,
        }
    }
}

impl Changes {
    /// Begins a step.
    pub fn begin_step(&mut self, is_unlimited: bool) {
        (self.count, self.is_unlimited) = (0, is_unlimited);
    }

    /// Whether so many changes still fit. The first ones of a step always do, however many they are.
    pub fn has_room_for(&self, changes: usize) -> bool {
        self.is_unlimited || self.count == 0 || self.count.saturating_add(changes) <= self.limit
    }

    /// Number of pieces that may be removed. A part of the limit is kept for them, so that they go while others come.
    pub fn room_for_removals(&self) -> usize {
        if self.is_unlimited {
            return usize::MAX;
        }
        let room = self.limit.saturating_sub(self.count);
        room.max(self.limit / 4).max(1)
    }

    pub fn add(&mut self, changes: usize) {
        self.count = self.count.saturating_add(changes);
    }

    pub fn count(&self) -> usize {
        self.count
    }
}

/// The changes of a break into so many pieces.
pub(crate) fn changes_of_break(pieces: usize) -> usize {
    pieces.saturating_add(CHANGES_OF_BREAK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_room_for_its_first_changes_and_for_what_fits_after_them() {
        let mut changes = Changes {
            limit: 10,
            ..Changes::default()
        };
        changes.begin_step(false);
        assert!(changes.has_room_for(1000));
        changes.add(6);
        assert!(changes.has_room_for(4) && !changes.has_room_for(5));
        assert_eq!(changes.room_for_removals(), 4);
        changes.add(usize::MAX);
        assert!(!changes.has_room_for(0));
        assert_eq!(changes.room_for_removals(), 2);
        changes.begin_step(true);
        changes.add(1000);
        assert!(changes.has_room_for(usize::MAX));
        assert_eq!(changes.room_for_removals(), usize::MAX);
    }
}
