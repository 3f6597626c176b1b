//! Picture quality that follows what the machine can do.
//!
//! The quality starts high, and goes down a step when frames take too long; a software renderer ends at the
//! lowest after a few seconds. It never goes up again, so that the picture does not flicker
//! between two steps.

use fyrox::core::instant::Instant;
use fyrox::renderer::{CsmSettings, QualitySettings, ShadowMapPrecision};

/// Frames after which a quality level is judged.
const TRIAL: u32 = 12;
/// Time after which a quality level is judged at the latest, seconds.
const PATIENCE: f32 = 1.0;
/// Frames after a change that are not counted: they compile shaders and make buffers.
const SETTLING: u32 = 4;
/// Longest acceptable frame, seconds.
const LONGEST: f32 = 0.04;

/// The current quality level and its measurements.
#[derive(Debug, Default)]
pub struct QualityGovernor {
    level: usize,
    frames: u32,
    spent: f32,
    last: Option<Instant>,
}

impl QualityGovernor {
    /// Returns the settings of the current level.
    pub fn settings(&self) -> QualitySettings {
        match self.level {
            0 => high(),
            1 => medium(),
            _ => low(),
        }
    }

    /// Call once for each frame drawn. Returns lower settings when frames take too long.
    pub fn on_frame(&mut self) -> Option<QualitySettings> {
        let now = Instant::now();
        let took = self.last.replace(now).map(|last| now - last)?.as_secs_f32();
        self.frames += 1;
        if self.frames > SETTLING {
            self.spent += took;
        }
        let counted = self.frames.saturating_sub(SETTLING);
        if counted == 0 || (counted < TRIAL && self.spent < PATIENCE) {
            return None;
        }
        let mean = self.spent / counted as f32;
        (self.frames, self.spent) = (0, 0.0);
        if mean <= LONGEST || self.level == 2 {
            return None;
        }
        self.level += 1;
        Some(self.settings())
    }
}

/// Good looks without the passes that cost most.
fn high() -> QualitySettings {
    QualitySettings {
        use_parallax_mapping: false,
        light_scatter_enabled: false,
        ..QualitySettings::high()
    }
}

/// Hard shadows, no glow.
fn medium() -> QualitySettings {
    QualitySettings {
        use_ssao: false,
        csm_settings: shadows(2048),
        hdr_settings: QualitySettings::low().hdr_settings,
        ..QualitySettings::medium()
    }
}

/// For software renderers: only what tells the shapes.
fn low() -> QualitySettings {
    QualitySettings {
        csm_settings: shadows(1024),
        ..QualitySettings::low()
    }
}

fn shadows(size: usize) -> CsmSettings {
    CsmSettings {
        enabled: true,
        size,
        precision: ShadowMapPrecision::Full,
        pcf: false,
    }
}
