//! Preset patterns of common materials.

use super::fracture_pattern::{FracturePattern, PatternAxis, PatternKind};

/// The name of a preset, and the function that creates it.
pub type Preset = (&'static str, fn() -> FracturePattern);

/// The presets.
pub const PRESETS: [Preset; 8] = [
    ("glass", glass),
    ("concrete", concrete),
    ("brick", brick),
    ("stone", stone),
    ("ceramic", ceramic),
    ("wood", wood),
    ("ice", ice),
    ("window", window),
];

/// A pane: a web with small pieces in its middle.
fn glass() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Radial,
        rings: 8,
        rays: 14,
        jitter: 0.6,
        seed: 3,
        fine_cells: 1,
        fine_parts: 12,
        ..Default::default()
    }
}

/// A pane of window glass: long shards, and crumbs where it was hit.
fn window() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Shards,
        rings: 7,
        rays: 24,
        jitter: 0.6,
        seed: 11,
        fine_cells: 1,
        fine_parts: 6,
        ..Default::default()
    }
}

fn concrete() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Crater,
        cells: 160,
        jitter: 0.6,
        seed: 1,
        ..Default::default()
    }
}

/// Common bricks, with their joints.
fn brick() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Bricks,
        jitter: 0.15,
        rows: 24,
        seed: 5,
        ..Default::default()
    }
}

fn stone() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Crater,
        cells: 130,
        jitter: 0.7,
        seed: 2,
        ..Default::default()
    }
}

/// A few large shards, and small ones where it was hit.
fn ceramic() -> FracturePattern {
    FracturePattern {
        cells: 20,
        falloff: 0.5,
        seed: 6,
        fine_cells: 3,
        fine_parts: 8,
        ..Default::default()
    }
}

/// Fibres along the object's long axis, some fifteen in the section of a beam.
fn wood() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Fibres,
        axis: PatternAxis::Longest,
        cells: 480,
        falloff: 0.6,
        aspect: 7.0,
        seed: 7,
        ..Default::default()
    }
}

/// Straight cracks through the whole object.
fn ice() -> FracturePattern {
    FracturePattern {
        kind: PatternKind::Planes,
        depth: 7,
        jitter: 0.2,
        seed: 8,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_planes() {
        for (name, make) in PRESETS {
            let cells = make().planes().unwrap().cell_count();
            assert!((16..5000).contains(&cells), "{name}: {cells}");
        }
    }
}
