//! Bodies that wait for a job.

use std::collections::{BTreeSet, VecDeque};

use crate::types::BodyId;

/// Bodies that wait for a job, the oldest first, each of them once: the job sees the body as it is then.
#[derive(Default)]
pub(crate) struct BodyQueue {
    order: VecDeque<BodyId>,
    /// The same bodies.
    waiting: BTreeSet<BodyId>,
}

impl BodyQueue {
    /// Adds a body, unless it waits already.
    pub fn push(&mut self, body: BodyId) {
        if self.waiting.insert(body) {
            self.order.push_back(body);
        }
    }

    /// Takes the one that has waited longest.
    pub fn pop(&mut self) -> Option<BodyId> {
        let body = self.order.pop_front()?;
        self.waiting.remove(&body);
        Some(body)
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

impl Extend<BodyId> for BodyQueue {
    fn extend<T: IntoIterator<Item = BodyId>>(&mut self, bodies: T) {
        bodies.into_iter().for_each(|body| self.push(body));
    }
}

#[cfg(test)]
mod tests {
    use hecs::World;

    use super::*;

    #[test]
    fn a_body_that_waits_keeps_its_place() {
        let mut world = World::new();
        let [a, b] = [(); 2].map(|()| BodyId(world.spawn(())));
        let mut queue = BodyQueue::default();
        queue.extend([a, b, a]);
        assert_eq!(
            [queue.pop(), queue.pop(), queue.pop()],
            [Some(a), Some(b), None]
        );
        queue.push(a);
        assert!(!queue.is_empty() && queue.pop() == Some(a));
    }
}
