//! Numbers from the fuzzer's bytes. When the bytes run out, everything is zero.

use glam::DVec3;

/// A reader that never fails.
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Reads from the start.
    pub fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else {
            return 0;
        };
        self.rest = rest;
        *first
    }

    /// The next bytes as one number.
    pub fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }

    /// A number below the limit (at most 65,536).
    pub fn below(&mut self, limit: usize) -> usize {
        let number = if limit > 256 {
            usize::from(self.byte()) << 8 | usize::from(self.byte())
        } else {
            usize::from(self.byte())
        };
        number % limit.max(1)
    }

    /// Whether the next byte is odd.
    pub fn coin(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// A point of a lattice of `2 steps + 1` values from -1 to 1.
    pub fn lattice(&mut self, steps: usize) -> f32 {
        (self.below(2 * steps + 1) as f32 - steps as f32) / steps as f32
    }

    /// From -1 to 1, of a 32,768th.
    pub fn unit(&mut self) -> f64 {
        self.below(65_536) as f64 / 32_768.0 - 1.0
    }

    /// A power of two or ten between far limits.
    pub fn scale(&mut self) -> f64 {
        match self.below(8) {
            0..=3 => 1.0,
            4 => libm::exp2(self.below(41) as f64 - 20.0),
            5 => libm::exp10(self.below(9) as f64 - 4.0),
            6 => 1e-4,
            _ => 1e4,
        }
    }

    /// Any number at all: plain ones, famous ones, raw bits.
    pub fn wild(&mut self) -> f64 {
        const FAMOUS: [f64; 20] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
            f64::EPSILON,
            1e15,
            -1e15,
            1e-15,
            1e38,
            1e-38,
            1e-300,
            1e150,
        ];
        match self.below(4) {
            0 => self.unit(),
            1 => FAMOUS[self.below(FAMOUS.len())],
            2 => self.unit() * libm::exp2(self.below(2046) as f64 - 1023.0),
            _ => f64::from_bits(self.word()),
        }
    }

    /// Three plain numbers.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit())
    }

    /// Three of any numbers.
    pub fn wild_vector(&mut self) -> DVec3 {
        DVec3::new(self.wild(), self.wild(), self.wild())
    }
}
