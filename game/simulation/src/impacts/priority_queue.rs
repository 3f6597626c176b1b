//! A queue that keeps the entries of highest priority when there are too many.

use std::collections::VecDeque;

/// A bounded first-in first-out queue. Beyond the limit the entries of lowest priority are dropped and
/// counted. It never holds more than twice the limit, and each entry costs constant time on average.
#[derive(Clone, Debug)]
pub struct PriorityCappedQueue<T> {
    entries: VecDeque<(f32, T)>,
    limit: usize,
    /// Set once there were too many: entries of no higher priority are refused.
    floor: Option<f32>,
    dropped: u64,
}

impl<T> PriorityCappedQueue<T> {
    /// An empty queue that gives out at most `limit` entries at once.
    pub fn new(limit: usize) -> Self {
        Self {
            entries: VecDeque::new(),
            limit: limit.max(1),
            floor: None,
            dropped: 0,
        }
    }

    /// Adds an entry; false, and counted, when there are enough of higher priority.
    pub fn push(&mut self, priority: f32, entry: T) -> bool {
        if self.floor.is_some_and(|floor| priority <= floor) {
            self.dropped += 1;
            return false;
        }
        self.entries.push_back((priority, entry));
        if self.entries.len() >= 2 * self.limit {
            self.floor = self.drop_excess();
        }
        true
    }

    /// Adds an entry before all others.
    pub fn push_front(&mut self, priority: f32, entry: T) {
        self.entries.push_front((priority, entry));
    }

    /// Removes and returns all entries, oldest first; if there are more than `room`, those of highest
    /// priority first.
    pub fn take(&mut self, room: usize) -> Vec<T> {
        if self.entries.len() > self.limit {
            self.drop_excess();
        }
        self.floor = None;
        let mut all: Vec<(f32, T)> = self.entries.drain(..).collect();
        if all.len() > room {
            all.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        all.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Removes the entries that do not stay, without counting them as dropped.
    pub fn retain(&mut self, stays: impl Fn(&T) -> bool) {
        self.entries.retain(|(_, entry)| stays(entry));
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Removes all entries without counting them as dropped.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.floor = None;
    }

    /// Number of entries dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Drops what is beyond the limit, the lowest priority first and of equal ones the newest. Returns
    /// the lowest priority that is left.
    fn drop_excess(&mut self) -> Option<f32> {
        let mut ranked: Vec<(f32, usize)> = Vec::with_capacity(self.entries.len());
        let priorities = self.entries.iter().map(|(priority, _)| *priority);
        ranked.extend(priorities.zip(0..));
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut stays = vec![false; ranked.len()];
        for (_, index) in ranked.iter().take(self.limit) {
            if let Some(stays) = stays.get_mut(*index) {
                *stays = true;
            }
        }
        self.dropped += ranked.len().saturating_sub(self.limit) as u64;
        let mut stays = stays.into_iter();
        self.entries.retain(|_| stays.next().unwrap_or(false));
        let lowest = ranked.get(self.limit.saturating_sub(1));
        lowest.map(|(priority, _)| *priority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_the_limit_entries_keep_their_order() {
        let mut queue = PriorityCappedQueue::new(4);
        for (priority, name) in [(1.0, 'a'), (3.0, 'b'), (2.0, 'c')] {
            assert!(queue.push(priority, name));
        }
        queue.push_front(0.5, 'z');
        assert_eq!(queue.take(4), ['z', 'a', 'b', 'c']);
        assert!(queue.is_empty() && queue.dropped() == 0);
    }

    #[test]
    fn what_is_taken_back_is_not_counted() {
        let mut queue = PriorityCappedQueue::new(4);
        for (priority, name) in [(1.0, 'a'), (3.0, 'b'), (2.0, 'c')] {
            queue.push(priority, name);
        }
        queue.retain(|name| *name != 'b');
        assert_eq!(queue.dropped(), 0);
        assert_eq!(queue.take(4), ['a', 'c']);
    }

    #[test]
    fn without_room_the_highest_priority_comes_first() {
        let mut queue = PriorityCappedQueue::new(4);
        for (priority, name) in [(1.0, 'a'), (3.0, 'b'), (3.0, 'c')] {
            queue.push(priority, name);
        }
        assert_eq!(queue.take(2), ['b', 'c', 'a']);
    }

    #[test]
    fn beyond_the_limit_the_lowest_priorities_go_whatever_the_order() {
        let shuffled = (0..10_000u32).map(|i| (i * 7919) % 10_000);
        let mut queue = PriorityCappedQueue::new(100);
        for priority in shuffled {
            queue.push(priority as f32, priority);
            assert!(queue.entries.len() <= 200);
        }
        let mut left = queue.take(usize::MAX);
        left.sort_unstable();
        assert_eq!(left, (9900..10_000).collect::<Vec<_>>());
        assert_eq!(queue.dropped(), 9900);
        assert!(queue.push(0.0, 0), "the next frame starts anew");
    }
}
