//! Sounds from numbers: bursts of noise through simple filters, and dying tones.

use super::Sort;
use std::f32::consts::TAU;

/// Samples a second.
pub const RATE: u32 = 22_050;

/// A tone that dies away: Hz, seconds until it has lost two thirds, strength.
type Tone = (f32, f32, f32);

/// The sound of a break, or of a contact, from -1 to 1.
pub fn samples(sort: Sort, breaks: bool, variant: u32) -> Vec<f32> {
    let mut sound = Sound::new(sort, breaks, variant);
    match (breaks, sort) {
        (true, Sort::Stone | Sort::Brick) => {
            sound.burst(0.0, 0.30, 0.22, 0.9);
            sound.ring(0.0, &[(74.0, 0.16, 0.7), (121.0, 0.09, 0.4)]);
            sound.crackle(26, 0.5, 0.35, 0.5);
        }
        (true, Sort::Glass) => {
            sound.burst(0.0, 0.03, 0.95, 0.8);
            sound.tinkle(34, 0.55, [2400.0, 8200.0], 0.07);
        }
        (true, Sort::Wood) => {
            for at in [0.0, 0.05, 0.11] {
                sound.burst(at, 0.02, 0.6, 0.9);
                sound.ring(at, &[(310.0, 0.03, 0.6), (690.0, 0.02, 0.4)]);
            }
            sound.crackle(12, 0.3, 0.7, 0.4);
        }
        (true, Sort::Ceramic) => {
            sound.burst(0.0, 0.03, 0.8, 0.7);
            sound.tinkle(20, 0.4, [1100.0, 4200.0], 0.05);
        }
        (true, Sort::Ice) => {
            sound.burst(0.0, 0.05, 0.8, 0.8);
            sound.ring(0.0, &[(820.0, 0.05, 0.4), (1730.0, 0.04, 0.3)]);
            sound.crackle(30, 0.45, 0.85, 0.5);
        }
        (false, Sort::Glass | Sort::Ceramic) => sound.tinkle(3, 0.05, [1800.0, 5600.0], 0.04),
        (false, Sort::Wood) => {
            sound.burst(0.0, 0.015, 0.4, 0.5);
            sound.ring(0.0, &[(240.0, 0.04, 0.8), (520.0, 0.02, 0.3)]);
        }
        (false, Sort::Ice) => {
            sound.burst(0.0, 0.02, 0.8, 0.5);
            sound.ring(0.0, &[(640.0, 0.03, 0.5)]);
        }
        (false, Sort::Stone | Sort::Brick) => {
            sound.burst(0.0, 0.05, 0.25, 0.7);
            sound.ring(0.0, &[(96.0, 0.06, 0.8), (180.0, 0.03, 0.3)]);
        }
    }
    sound.finish()
}

/// Samples under construction.
struct Sound {
    samples: Vec<f32>,
    random: u32,
}

impl Sound {
    fn new(sort: Sort, breaks: bool, variant: u32) -> Self {
        let seconds = if breaks { 0.9 } else { 0.3 };
        let place = Sort::ALL.iter().position(|other| *other == sort);
        let seed = place.unwrap_or(0) as u32 * 64 + u32::from(breaks) * 32 + variant + 1;
        Self {
            samples: vec![0.0; (seconds * RATE as f32) as usize],
            random: seed.wrapping_mul(0x9e37_79b9) | 1,
        }
    }

    /// From 0 to 1 (xorshift, Marsaglia 2003).
    fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8) as f32 / 16_777_216.0
    }

    /// Noise from a time on that dies away; `bright` from 0 to 1 lets high tones through.
    fn burst(&mut self, at: f32, dies: f32, bright: f32, strength: f32) {
        let start = index(at);
        let mut low = 0.0;
        for k in start..self.samples.len() {
            let time = (k - start) as f32 / RATE as f32;
            let noise = self.random() * 2.0 - 1.0;
            low += (noise - low) * bright;
            let loud = strength * (-time / dies).exp();
            if let Some(sample) = self.samples.get_mut(k) {
                *sample += low * loud;
            }
        }
    }

    /// Tones from a time on.
    fn ring(&mut self, at: f32, tones: &[Tone]) {
        let start = index(at);
        for (k, sample) in self.samples.iter_mut().enumerate().skip(start) {
            let time = (k - start) as f32 / RATE as f32;
            for (hertz, dies, strength) in tones {
                *sample += strength * (-time / dies).exp() * (TAU * hertz * time).sin();
            }
        }
    }

    /// Short bursts at random times, fewer towards the end.
    fn crackle(&mut self, count: u32, until: f32, bright: f32, strength: f32) {
        for _ in 0..count {
            let when = self.random();
            let dies = 0.002 + 0.006 * self.random();
            let loud = strength * self.random() * (1.0 - when);
            self.burst(when * when * until, dies, bright, loud);
        }
    }

    /// Splinters that ring, at random times.
    fn tinkle(&mut self, count: u32, until: f32, [low, high]: [f32; 2], dies: f32) {
        for _ in 0..count {
            let (when, tone) = (self.random(), self.random());
            let hertz = low + (high - low) * tone * tone;
            let loud = (0.1 + 0.4 * self.random()) * (1.0 - 0.6 * when);
            let dies = dies * (0.5 + self.random());
            self.ring(when * when * until, &[(hertz, dies, loud)]);
        }
    }

    /// As loud as can be, and silent at its end.
    fn finish(mut self) -> Vec<f32> {
        let most = self
            .samples
            .iter()
            .fold(0.0f32, |most, s| most.max(s.abs()));
        let count = self.samples.len() as f32;
        for (k, sample) in self.samples.iter_mut().enumerate() {
            let left = 1.0 - k as f32 / count;
            *sample *= (left * 8.0).min(1.0) * 0.9 / most.max(1e-6);
        }
        self.samples
    }
}

fn index(seconds: f32) -> usize {
    (seconds.max(0.0) * RATE as f32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn energy(samples: &[f32]) -> f32 {
        samples.iter().map(|s| s * s).sum::<f32>() / samples.len() as f32
    }

    /// How often it changes its sign in a second: the brighter the more often.
    fn brightness(samples: &[f32]) -> f32 {
        let changes = samples.windows(2).filter(|w| w[0] * w[1] < 0.0).count();
        changes as f32 * RATE as f32 / samples.len() as f32
    }

    #[test]
    fn every_sound_is_heard_and_dies_away() {
        for sort in Sort::ALL {
            for (breaks, variant) in [(true, 0), (true, 1), (false, 0)] {
                let sound = samples(sort, breaks, variant);
                let most = sound.iter().fold(0.0f32, |most, s| most.max(s.abs()));
                assert!((0.5..=1.0).contains(&most), "{sort:?}: {most}");
                let (head, tail) = sound.split_at(sound.len() * 3 / 4);
                assert!(energy(tail) * 10.0 < energy(head), "{sort:?} goes on");
                assert_eq!(sound, samples(sort, breaks, variant));
            }
            assert_ne!(samples(sort, true, 0), samples(sort, true, 1));
        }
    }

    #[test]
    fn glass_is_the_brightest() {
        let bright = |sort| brightness(&samples(sort, true, 0));
        let [glass, wood, stone] = [Sort::Glass, Sort::Wood, Sort::Stone].map(bright);
        assert!(
            glass > 2.0 * wood && glass > 2.0 * stone,
            "{glass} {wood} {stone}"
        );
    }
}
