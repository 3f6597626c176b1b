//! Building blocks of sounds: band-limited noise and ringing bodies.

use std::f32::consts::TAU;

/// Samples a second: the engine's own rate, so that it interpolates nothing.
pub const RATE: u32 = 44_100;
/// Amplitude below which a partial is cut off, as a fraction of the loudest.
const INAUDIBLE: f32 = 1e-3;
/// Highest frequency that is synthesised, Hz: higher ones are inaudible or would alias.
const HIGHEST: f32 = 17_000.0;

/// A burst of noise that rises quickly and decays.
#[derive(Clone, Copy)]
pub struct Burst {
    /// Start, seconds.
    pub at: f32,
    /// Rise time, seconds.
    pub attack: f32,
    /// Decay time to a third, seconds.
    pub dies: f32,
    /// Lowest and highest frequency, Hz.
    pub band: [f32; 2],
    /// Amplitude.
    pub strength: f32,
}

/// A body that rings after an impact.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    /// Start, seconds.
    pub at: f32,
    /// Lowest frequency, Hz.
    pub tone: f32,
    /// Frequencies as multiples of the lowest; they tell a bar from a plate.
    pub ratios: &'a [f32],
    /// Decay time of the lowest frequency to a third, seconds. Higher ones decay faster.
    pub dies: f32,
    /// Duration of the impact, seconds: it does not excite higher frequencies.
    pub blow: f32,
    /// Amplitude.
    pub strength: f32,
}

/// Samples under construction, and the random numbers that vary them.
pub struct Canvas {
    samples: Vec<f32>,
    random: u32,
}

impl Canvas {
    /// Makes silence of a length.
    pub fn new(seconds: f32, seed: u32) -> Self {
        Self {
            samples: vec![0.0; index(seconds)],
            random: seed.wrapping_mul(0x9e37_79b9) | 1,
        }
    }

    /// Returns a random number from 0 to 1 (xorshift, Marsaglia 2003).
    pub fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8) as f32 / 16_777_216.0
    }

    /// Returns a random number between two numbers.
    pub fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.random()
    }

    /// Returns a random frequency between two, each octave equally likely.
    pub fn tone(&mut self, least: f32, most: f32) -> f32 {
        least * (most / least).powf(self.random())
    }

    /// Adds noise.
    pub fn burst(&mut self, burst: Burst) {
        let lasts = burst.attack + burst.dies * (1.0 / INAUDIBLE).ln();
        let range = self.range(burst.at, lasts);
        let [low, high] = burst.band.map(|hertz| smoothing(hertz.min(HIGHEST)));
        let (rise, fall) = (step(burst.attack), step(burst.dies));
        // Narrow bands are as loud as broad ones.
        let strength = burst.strength * (HIGHEST / (burst.band[1] - burst.band[0])).sqrt();
        let (mut first, mut second, mut base) = (0.0, 0.0, 0.0);
        let (mut up, mut down) = (1.0, 1.0);
        for k in range {
            let noise = self.random() * 2.0 - 1.0;
            first += (noise - first) * high;
            second += (first - second) * high;
            base += (second - base) * low;
            // Denormal numbers are slow.
            up = if up > 1e-6 { up * rise } else { 0.0 };
            down *= fall;
            if let Some(sample) = self.samples.get_mut(k) {
                *sample += strength * (1.0 - up) * down * (second - base);
            }
        }
    }

    /// Adds a ringing body.
    pub fn ring(&mut self, ring: Ring) {
        for (place, ratio) in ring.ratios.iter().enumerate() {
            let hertz = ring.tone * ratio;
            // Half a sine of force: its spectrum, roughly.
            let excited = 1.0 / (1.0 + (2.0 * hertz * ring.blow).powi(2));
            let strength = ring.strength * excited / (1.0 + 0.35 * place as f32);
            let dies = ring.dies / ratio.powf(0.8);
            if hertz < HIGHEST && strength > INAUDIBLE {
                self.partial(ring.at, hertz, dies, strength);
            }
        }
    }

    /// Adds a decaying sine, as a complex number that turns and shrinks.
    fn partial(&mut self, at: f32, hertz: f32, dies: f32, strength: f32) {
        let range = self.range(at, dies * (strength / INAUDIBLE).max(2.0).ln());
        let (sin, cos) = (TAU * hertz / RATE as f32).sin_cos();
        let shrink = step(dies);
        let (sin, cos) = (sin * shrink, cos * shrink);
        let (mut x, mut y) = (strength, 0.0f32);
        for sample in self.samples.get_mut(range).into_iter().flatten() {
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
            *sample += y;
        }
    }

    /// Adds a decaying sine whose frequency falls or rises from one to another, Hz, while it decays to a third.
    pub fn glide(&mut self, at: f32, [from, to]: [f32; 2], dies: f32, strength: f32) {
        let range = self.range(at, dies * (strength / INAUDIBLE).max(2.0).ln());
        let (fall, shrink) = (step(dies).powf((from / to).ln()), step(dies));
        let (mut hertz, mut phase, mut loud) = (from, 0.0f32, strength);
        for sample in self.samples.get_mut(range).into_iter().flatten() {
            phase = (phase + TAU * hertz / RATE as f32) % TAU;
            *sample += loud * phase.sin();
            hertz = (hertz * fall).max(0.5 * to);
            loud *= shrink;
        }
    }

    /// Returns a random time, dense at first and then sparser, seconds.
    pub fn moment(&mut self, until: f32) -> f32 {
        let when = self.random();
        when * when * until
    }

    /// Returns the samples without inaudible low frequencies, softly clipped by `drive`, and silent at
    /// the end.
    pub fn finish(mut self, drive: f32) -> Vec<f32> {
        self.level();
        let most = self
            .samples
            .iter()
            .fold(0.0f32, |most, s| most.max(s.abs()));
        let count = self.samples.len() as f32;
        for (k, sample) in self.samples.iter_mut().enumerate() {
            let left = 1.0 - k as f32 / count;
            let loud = (drive * *sample / most.max(1e-6)).tanh() / drive.tanh();
            *sample = 0.95 * loud * (left * 5.0).min(1.0);
        }
        self.samples
    }

    /// Removes frequencies below 30 Hz.
    fn level(&mut self) {
        let slow = smoothing(30.0);
        let mut base = 0.0;
        for sample in &mut self.samples {
            base += (*sample - base) * slow;
            *sample -= base;
        }
    }

    /// Returns the samples of a time span.
    fn range(&self, at: f32, lasts: f32) -> std::ops::Range<usize> {
        let start = index(at).min(self.samples.len());
        start..(start + index(lasts)).min(self.samples.len())
    }
}

/// Returns the decay factor per sample of a decay time to a third.
fn step(seconds: f32) -> f32 {
    (-1.0 / (seconds * RATE as f32).max(1e-3)).exp()
}

/// Returns the smoothing factor per sample of a low-pass filter.
fn smoothing(hertz: f32) -> f32 {
    1.0 - (-TAU * hertz / RATE as f32).exp()
}

fn index(seconds: f32) -> usize {
    (seconds.max(0.0) * RATE as f32) as usize
}
