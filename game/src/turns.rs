//! Things that are looked at in turn, so many in a frame.

/// Where the last turn ended.
#[derive(Clone, Copy, Default)]
pub(crate) struct Turn(u64);

impl Turn {
    /// Adds the next so many keys; `keys` gives those from one on, in order. After the last one it is
    /// the first one's turn in the next frame.
    pub fn take<I: Iterator<Item = u64>>(
        &mut self,
        count: usize,
        keys: impl FnOnce(u64) -> I,
        round: &mut Vec<u64>,
    ) {
        let before = round.len();
        round.extend(keys(self.0).take(count));
        self.0 = match round.last() {
            Some(last) if round.len() == before + count => last.saturating_add(1),
            _ => 0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_has_a_turn() {
        let mut turn = Turn::default();
        let mut rounds = Vec::new();
        for _ in 0..4 {
            turn.take(
                3,
                |from| (1..9).filter(move |key| *key >= from),
                &mut rounds,
            );
        }
        assert_eq!(rounds, [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3]);
    }
}
