//! Synthesis of sounds. A break is a crack, a ringing body, and fragments: ringing splinters or grains
//! of noise, many at first and then ever fewer. A creak is a row of slips, as of wood that rubs, with grit. A ricochet is a
//! contact, and the whine of what spins away.

mod canvas;

pub use canvas::RATE;

use super::{effect::SoundCause, surface_kind::SurfaceKind};
use canvas::{Burst, Canvas, Ring};

/// Tones of a plate whose edges are free, roughly: shards of glass and of pots.
const PLATE: &[f32] = &[1.0, 1.73, 2.81, 4.07, 5.68];
/// Tones of a bar whose ends are free (Euler and Bernoulli): timber.
const BAR: &[f32] = &[1.0, 2.756, 5.404, 8.933];
/// Tones of a lump, roughly.
const LUMP: &[f32] = &[1.0, 1.52, 2.24, 2.91];

/// Returns the samples of a sound, -1 to 1. The same arguments give the same samples.
pub fn samples(kind: SurfaceKind, cause: SoundCause, variant: u32) -> Vec<f32> {
    // Length in seconds, drive, and what tells the causes' random numbers apart.
    let (seconds, drive, salt) = match cause {
        SoundCause::Break => (1.3, 1.8, 32),
        SoundCause::Contact => (0.35, 0.9, 0),
        SoundCause::Creak => (0.9, 1.2, 16),
        SoundCause::Ricochet => (0.9, 1.2, 48),
    };
    let place = SurfaceKind::ALL.iter().position(|other| *other == kind);
    let seed = place.unwrap_or(0) as u32 * 64 + salt + variant + 1;
    let mut canvas = Canvas::new(seconds, seed);
    // The first random numbers of near seeds are similar.
    for _ in 0..16 {
        canvas.random();
    }
    match (cause, kind) {
        (SoundCause::Break, SurfaceKind::Stone) => {
            canvas.masonry([55.0, 92.0], [350.0, 2600.0], [260.0, 800.0], 0.013)
        }
        (SoundCause::Break, SurfaceKind::Brick) => {
            canvas.masonry([80.0, 130.0], [700.0, 4200.0], [520.0, 1500.0], 0.022)
        }
        (SoundCause::Break, SurfaceKind::Glass) => canvas.pane(),
        (SoundCause::Break, SurfaceKind::Wood) => canvas.timber(),
        (SoundCause::Break, SurfaceKind::Ceramic) => canvas.pot(),
        (SoundCause::Break, SurfaceKind::Ice) => canvas.ice(),
        (SoundCause::Break, SurfaceKind::Metal) => canvas.iron(),
        (SoundCause::Contact, kind) => canvas.contact(kind),
        (SoundCause::Creak, kind) => canvas.creak(kind),
        (SoundCause::Ricochet, kind) => {
            canvas.contact(kind);
            if kind.is_hard() {
                canvas.whine();
            }
        }
    }
    canvas.finish(drive)
}

impl Canvas {
    fn crack(&mut self, at: f32, dies: f32, band: [f32; 2], strength: f32) {
        let attack = 0.0004;
        self.burst(Burst {
            at,
            attack,
            dies,
            band,
            strength,
        });
    }

    /// Short noises of many tones.
    fn grains(&mut self, count: u32, until: f32, [low, high]: [f32; 2], strength: f32) {
        for _ in 0..count {
            let at = self.moment(until);
            let middle = self.tone(low, high);
            let loud = self.random();
            let dies = self.between(0.5, 1.5) * 6.0 / middle + 0.0008;
            let strength = strength * loud * loud * (1.0 - 0.6 * at / until);
            self.crack(at, dies, [0.6 * middle, 1.6 * middle], strength);
        }
    }

    /// Splinters of two sizes; some fall and bounce ever faster.
    fn shards(&mut self, count: u32, until: f32, tones: [f32; 2], dies: f32, strength: f32) {
        for _ in 0..count {
            let mut at = self.moment(until);
            let tone = self.tone(tones[0], tones[1]);
            let loud = self.random();
            // Small ones die sooner.
            let dies = dies * self.between(0.4, 1.3) * (tones[0] / tone).sqrt();
            let mut strength = strength * (0.12 + loud * loud * loud);
            let bounces = if self.random() < 0.3 { 3 } else { 1 };
            let mut pause = self.between(0.05, 0.12);
            let stretch = self.between(0.93, 1.08);
            let ratios: Vec<f32> = PLATE.iter().map(|ratio| ratio.powf(stretch)).collect();
            for _ in 0..bounces {
                self.ring(Ring {
                    at,
                    tone,
                    ratios: &ratios,
                    dies,
                    blow: 2e-5,
                    strength,
                });
                at += pause;
                pause *= 0.62;
                strength *= 0.5;
            }
        }
    }

    /// Stone and bricks: a thud, a crack, and grit and lumps that come down.
    fn masonry(&mut self, thud: [f32; 2], grit: [f32; 2], lumps: [f32; 2], rings: f32) {
        let tone = self.tone(thud[0], thud[1]);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: LUMP,
            dies: 0.11,
            blow: 0.003,
            strength: 1.5,
        });
        self.burst(Burst {
            at: 0.0,
            attack: 0.003,
            dies: 0.09,
            band: [50.0, 420.0],
            strength: 0.35,
        });
        self.crack(0.0, 0.012, [500.0, 7000.0], 1.1);
        let second = self.between(0.018, 0.045);
        self.crack(second, 0.018, [400.0, 5000.0], 0.7);
        self.burst(Burst {
            at: 0.004,
            attack: 0.01,
            dies: 0.16,
            band: [250.0, 2800.0],
            strength: 0.28,
        });
        self.grains(130, 1.0, grit, 0.8);
        for _ in 0..9 {
            let at = self.moment(0.85) + 0.03;
            let tone = self.tone(lumps[0], lumps[1]);
            let strength = self.between(0.25, 0.8) * (1.1 - at);
            self.ring(Ring {
                at,
                tone,
                ratios: LUMP,
                dies: rings,
                blow: 4e-4,
                strength,
            });
            self.crack(at, 0.005, [tone, 4.0 * tone], 0.4 * strength);
        }
    }

    /// A pane: a bright crack that runs, its short clang, and shards for a second.
    fn pane(&mut self) {
        self.crack(0.0, 0.004, [1800.0, 15_000.0], 1.2);
        self.burst(Burst {
            at: 0.0,
            attack: 0.003,
            dies: 0.05,
            band: [3000.0, 13_000.0],
            strength: 0.4,
        });
        let tone = self.tone(380.0, 520.0);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: PLATE,
            dies: 0.04,
            blow: 2e-4,
            strength: 0.45,
        });
        self.shards(26, 0.09, [1900.0, 7600.0], 0.09, 0.5);
        self.shards(60, 1.0, [2300.0, 9000.0], 0.11, 0.38);
    }

    /// Timber: a snap and its bar, more snaps of splinters, fibres that tear.
    fn timber(&mut self) {
        let tone = self.tone(170.0, 240.0);
        self.crack(0.0, 0.0035, [700.0, 9000.0], 1.3);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: BAR,
            dies: 0.055,
            blow: 5e-4,
            strength: 1.3,
        });
        for _ in 0..7 {
            let at = 0.02 + self.moment(0.26);
            let tone = self.tone(300.0, 1000.0);
            let strength = self.between(0.2, 0.8);
            self.crack(at, 0.0025, [900.0, 8000.0], 0.9 * strength);
            self.ring(Ring {
                at,
                tone,
                ratios: BAR,
                dies: 0.022,
                blow: 3e-4,
                strength,
            });
        }
        self.grains(90, 0.42, [900.0, 5200.0], 0.55);
        for _ in 0..4 {
            let at = self.between(0.3, 0.85);
            let tone = self.tone(420.0, 1100.0);
            let strength = self.between(0.1, 0.3);
            self.ring(Ring {
                at,
                tone,
                ratios: BAR,
                dies: 0.016,
                blow: 4e-4,
                strength,
            });
        }
    }

    /// A pot: its hollow body once more, then sherds.
    fn pot(&mut self) {
        self.crack(0.0, 0.004, [1000.0, 11_000.0], 1.0);
        let tone = self.tone(300.0, 420.0);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: LUMP,
            dies: 0.035,
            blow: 3e-4,
            strength: 0.9,
        });
        self.shards(14, 0.06, [850.0, 3000.0], 0.05, 0.6);
        self.shards(26, 0.8, [1000.0, 4200.0], 0.06, 0.5);
        self.grains(40, 0.5, [1500.0, 6000.0], 0.25);
    }

    /// Ice: cracks that run, dull splinters and crunch.
    fn ice(&mut self) {
        self.crack(0.0, 0.003, [1500.0, 14_000.0], 1.3);
        let tone = self.tone(600.0, 780.0);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: LUMP,
            dies: 0.03,
            blow: 2e-4,
            strength: 0.6,
        });
        for _ in 0..5 {
            let at = 0.008 + self.moment(0.2);
            let strength = self.between(0.3, 0.9);
            self.crack(at, 0.003, [1800.0, 11_000.0], strength);
        }
        self.grains(110, 0.75, [1700.0, 7500.0], 0.7);
        self.shards(18, 0.6, [1300.0, 4200.0], 0.018, 0.35);
    }

    /// Cast iron: a crack without a warning, the body that rings, and lumps that clank.
    fn iron(&mut self) {
        self.crack(0.0, 0.003, [1200.0, 13_000.0], 1.3);
        let tone = self.tone(260.0, 380.0);
        self.ring(Ring {
            at: 0.0,
            tone,
            ratios: BAR,
            dies: 0.16,
            blow: 2e-4,
            strength: 1.1,
        });
        for _ in 0..6 {
            let at = 0.03 + self.moment(0.6);
            let tone = self.tone(420.0, 1300.0);
            let strength = self.between(0.15, 0.5) * (1.0 - at);
            self.ring(Ring {
                at,
                tone,
                ratios: BAR,
                dies: 0.07,
                blow: 1e-4,
                strength,
            });
            self.crack(at, 0.002, [1500.0, 9000.0], 0.6 * strength);
        }
        self.grains(30, 0.5, [1500.0, 7000.0], 0.25);
    }

    /// A striker that spins as it flies away: two tones that fall as it slows down.
    fn whine(&mut self) {
        let high = self.tone(2600.0, 4200.0);
        let low = self.between(0.4, 0.55) * high;
        let second = self.between(1.35, 1.6);
        self.glide(0.01, [high, low], 0.16, 0.5);
        self.glide(0.01, [second * high, second * low], 0.11, 0.25);
    }

    /// Something slips, again and again: ever faster, then slower until it stops.
    fn creak(&mut self, kind: SurfaceKind) {
        let (tones, ratios, dies, grit) = match kind {
            SurfaceKind::Wood => ([240.0, 420.0], BAR, 0.03, [900.0, 4200.0]),
            SurfaceKind::Stone => ([70.0, 120.0], LUMP, 0.05, [300.0, 2200.0]),
            SurfaceKind::Brick => ([110.0, 190.0], LUMP, 0.04, [600.0, 3600.0]),
            SurfaceKind::Glass => ([1900.0, 3600.0], PLATE, 0.06, [4000.0, 11_000.0]),
            SurfaceKind::Ceramic => ([900.0, 1700.0], PLATE, 0.04, [2000.0, 7000.0]),
            SurfaceKind::Ice => ([600.0, 1300.0], LUMP, 0.02, [1500.0, 7000.0]),
            SurfaceKind::Metal => ([160.0, 310.0], BAR, 0.07, [1200.0, 6000.0]),
        };
        let tone = self.tone(tones[0], tones[1]);
        let (mut at, slips) = (0.0, 14);
        for slip in 0..slips {
            // 0 at the ends, 1 in the middle.
            let share = slip as f32 / (slips - 1) as f32;
            let haste = 1.0 - (2.0 * share - 1.0).abs();
            let strength = (1.0 - 0.8 * share) * self.between(0.7, 1.0);
            self.ring(Ring {
                at,
                tone: tone * (1.0 + 0.25 * haste),
                ratios,
                dies,
                blow: 4e-4,
                strength,
            });
            self.crack(at, 0.004, grit, 0.5 * strength);
            at += self.between(0.8, 1.2) * (0.055 - 0.035 * haste);
        }
        self.grains(30, 0.7, grit, 0.3);
    }

    /// One thing meets another.
    fn contact(&mut self, kind: SurfaceKind) {
        let (tones, ratios, dies, blow) = match kind {
            SurfaceKind::Stone => ([180.0, 420.0], LUMP, 0.02, 8e-4),
            SurfaceKind::Brick => ([480.0, 1100.0], LUMP, 0.025, 4e-4),
            SurfaceKind::Glass => ([2100.0, 5200.0], PLATE, 0.10, 2e-5),
            SurfaceKind::Wood => ([260.0, 520.0], BAR, 0.035, 6e-4),
            SurfaceKind::Ceramic => ([1100.0, 2800.0], PLATE, 0.06, 5e-5),
            SurfaceKind::Ice => ([900.0, 2000.0], LUMP, 0.014, 1e-4),
            SurfaceKind::Metal => ([420.0, 1100.0], BAR, 0.12, 1e-4),
        };
        let tone = self.tone(tones[0], tones[1]);
        let mut strength = 1.0;
        let mut at = 0.0;
        // The object hits with one corner and then with another.
        for pause in [self.between(0.02, 0.07), self.between(0.02, 0.05), 0.0] {
            self.ring(Ring {
                at,
                tone,
                ratios,
                dies,
                blow,
                strength,
            });
            self.crack(at, 1.2 / tone, [0.8 * tone, 5.0 * tone], 0.4 * strength);
            at += pause;
            strength *= 0.35;
        }
        if matches!(kind, SurfaceKind::Stone | SurfaceKind::Brick) {
            self.grains(8, 0.12, [700.0, 3500.0], 0.35);
        }
    }
}

#[cfg(test)]
mod synthesis_tests;
