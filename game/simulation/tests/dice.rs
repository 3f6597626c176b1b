//! Random numbers that are the same everywhere.

/// A small random number generator.
pub struct Dice(pub u64);

impl Dice {
    /// 24 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0 >> 40
    }

    /// A number below some count, of at most 24 bits.
    pub fn below(&mut self, count: usize) -> usize {
        self.bits() as usize % count
    }
}
