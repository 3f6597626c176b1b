//! A queue that keeps what is strongest when too much comes at once.

use std::collections::VecDeque;

/// Things in the order in which they came; beyond a limit the weakest are dropped and counted. What
/// there is never exceeds twice the limit, and each thing costs the same time on average.
#[derive(Clone, Debug)]
pub struct PriorityCappedQueue<T> {
    queue: VecDeque<(f32, T)>,
    limit: usize,
    /// Once there was too much: what has no more strength than this has no chance.
    floor: Option<f32>,
    dropped: u64,
}

impl<T> PriorityCappedQueue<T> {
    /// An empty queue that gives out at most `limit` things.
    pub fn new(limit: usize) -> Self {
        Self {
            queue: VecDeque::new(),
            limit: limit.max(1),
            floor: None,
            dropped: 0,
        }
    }

    /// Takes a thing of some strength; false, and counted, when enough stronger ones are there.
    pub fn push(&mut self, strength: f32, thing: T) -> bool {
        if self.floor.is_some_and(|floor| strength <= floor) {
            self.dropped += 1;
            return false;
        }
        self.queue.push_back((strength, thing));
        if self.queue.len() >= 2 * self.limit {
            self.floor = self.thin_out();
        }
        true
    }

    /// Puts a thing before all others.
    pub fn push_front(&mut self, strength: f32, thing: T) {
        self.queue.push_front((strength, thing));
    }

    /// Everything, in the order in which it came; when that is more than `room`, the strongest first.
    pub fn take(&mut self, room: usize) -> Vec<T> {
        if self.queue.len() > self.limit {
            self.thin_out();
        }
        self.floor = None;
        let mut all: Vec<(f32, T)> = self.queue.drain(..).collect();
        if all.len() > room {
            all.sort_by(|a, b| b.0.total_cmp(&a.0));
        }
        all.into_iter().map(|(_, thing)| thing).collect()
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Forgets what there is, and does not count it.
    pub fn clear(&mut self) {
        self.queue.clear();
        self.floor = None;
    }

    /// How much has been dropped since the start.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Drops what is beyond the limit, the weakest first and of equal ones the last. Gives the least
    /// strength that is left.
    fn thin_out(&mut self) -> Option<f32> {
        let mut ranked: Vec<(f32, usize)> = Vec::with_capacity(self.queue.len());
        let strengths = self.queue.iter().map(|(strength, _)| *strength);
        ranked.extend(strengths.zip(0..));
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut stays = vec![false; ranked.len()];
        for (_, place) in ranked.iter().take(self.limit) {
            if let Some(stays) = stays.get_mut(*place) {
                *stays = true;
            }
        }
        self.dropped += ranked.len().saturating_sub(self.limit) as u64;
        let mut stays = stays.into_iter();
        self.queue.retain(|_| stays.next().unwrap_or(false));
        let last = ranked.get(self.limit.saturating_sub(1));
        last.map(|(strength, _)| *strength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_the_limit_things_keep_their_order() {
        let mut queue = PriorityCappedQueue::new(4);
        for (strength, name) in [(1.0, 'a'), (3.0, 'b'), (2.0, 'c')] {
            assert!(queue.push(strength, name));
        }
        queue.push_front(0.5, 'z');
        assert_eq!(queue.take(4), ['z', 'a', 'b', 'c']);
        assert!(queue.is_empty() && queue.dropped() == 0);
    }

    #[test]
    fn without_room_the_strongest_come_first() {
        let mut queue = PriorityCappedQueue::new(4);
        for (strength, name) in [(1.0, 'a'), (3.0, 'b'), (3.0, 'c')] {
            queue.push(strength, name);
        }
        assert_eq!(queue.take(2), ['b', 'c', 'a']);
    }

    #[test]
    fn beyond_the_limit_the_weakest_go_whatever_the_order() {
        let shuffled = (0..10_000u32).map(|i| (i * 7919) % 10_000);
        let mut queue = PriorityCappedQueue::new(100);
        for strength in shuffled {
            queue.push(strength as f32, strength);
            assert!(queue.queue.len() <= 200);
        }
        let mut left = queue.take(usize::MAX);
        left.sort_unstable();
        assert_eq!(left, (9900..10_000).collect::<Vec<_>>());
        assert_eq!(queue.dropped(), 9900);
        assert!(queue.push(0.0, 0), "the next frame starts anew");
    }
}
