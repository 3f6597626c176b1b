//! What sounds are made of: noise between two tones, and bodies that ring.

use std::f32::consts::TAU;

/// Samples a second: the engine's own rate, so that it interpolates nothing.
pub const RATE: u32 = 44_100;
/// What is quieter is not worked out, as a part of the loudest.
const INAUDIBLE: f32 = 1e-3;
/// Tones from here on are not heard, or would come out as others, Hz.
const HIGHEST: f32 = 17_000.0;

/// Noise that comes quickly and dies away.
#[derive(Clone, Copy)]
pub struct Burst {
    /// When it begins, seconds.
    pub at: f32,
    /// Until it is loudest, seconds.
    pub attack: f32,
    /// Until it has lost two thirds, seconds.
    pub dies: f32,
    /// Its lowest and highest tones, Hz.
    pub band: [f32; 2],
    /// How loud it is.
    pub strength: f32,
}

/// A body that rings after a blow.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    /// When it is struck, seconds.
    pub at: f32,
    /// Its lowest tone, Hz.
    pub tone: f32,
    /// Its tones as multiples of the lowest: what tells a bar from a plate.
    pub ratios: &'a [f32],
    /// Until the lowest tone has lost two thirds, seconds. Higher ones die sooner.
    pub dies: f32,
    /// Length of the blow, seconds: it does not excite what is faster.
    pub blow: f32,
    /// How loud it is.
    pub strength: f32,
}

/// Samples under construction, and the chance that varies them.
pub struct Canvas {
    samples: Vec<f32>,
    random: u32,
}

impl Canvas {
    /// Silence of a length.
    pub fn new(seconds: f32, seed: u32) -> Self {
        Self {
            samples: vec![0.0; index(seconds)],
            random: seed.wrapping_mul(0x9e37_79b9) | 1,
        }
    }

    /// From 0 to 1 (xorshift, Marsaglia 2003).
    pub fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8) as f32 / 16_777_216.0
    }

    /// Between two numbers.
    pub fn between(&mut self, least: f32, most: f32) -> f32 {
        least + (most - least) * self.random()
    }

    /// Between two numbers, each octave as likely as the other.
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
            // Tiny numbers are slow ones.
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

    /// A tone that dies away: a point that turns and shrinks.
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

    /// Dense at first, then ever more seldom: when one of many things happens, seconds.
    pub fn moment(&mut self, until: f32) -> f32 {
        let when = self.random();
        when * when * until
    }

    /// The samples: without tones that nobody hears but that take room, rounded off where they are loudest
    /// the more they are driven, and silent at the end.
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

    /// Takes off what is below 30 Hz.
    fn level(&mut self) {
        let slow = smoothing(30.0);
        let mut base = 0.0;
        for sample in &mut self.samples {
            base += (*sample - base) * slow;
            *sample -= base;
        }
    }

    /// From a time on, for a time.
    fn range(&self, at: f32, lasts: f32) -> std::ops::Range<usize> {
        let start = index(at).min(self.samples.len());
        start..(start + index(lasts)).min(self.samples.len())
    }
}

/// What is left of a whole after one sample, when a time takes two thirds of it.
fn step(seconds: f32) -> f32 {
    (-1.0 / (seconds * RATE as f32).max(1e-3)).exp()
}

/// How far a filter that lets pass what is below a tone follows in one sample.
fn smoothing(hertz: f32) -> f32 {
    1.0 - (-TAU * hertz / RATE as f32).exp()
}

fn index(seconds: f32) -> usize {
    (seconds.max(0.0) * RATE as f32) as usize
}
