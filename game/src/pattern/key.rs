//! Keys by which patterns with equal cell planes are recognised.

use super::FracturePattern;
use fracture_geometry::Recipe;

/// Identifies cell planes: equal keys mean equal planes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternKey(Vec<u64>);

impl FracturePattern {
    /// The key of the planes, computed from the fields that the kind uses.
    pub(crate) fn key(&self) -> PatternKey {
        let fine = match self.fine_cells {
            0 => [0, 0],
            cells => [cells, self.fine_parts],
        };
        let inside = u32::from(self.is_inside_mesh());
        let mut key = vec![self.kind as u32, self.seed, inside, fine[0], fine[1]]
            .into_iter()
            .map(u64::from)
            .collect();
        add(&mut key, self.recipe());
        PatternKey(key)
    }
}

fn add(key: &mut Vec<u64>, recipe: Recipe) {
    let mut reals = |values: &[f64]| key.extend(values.iter().map(|value| value.to_bits()));
    match recipe {
        Recipe::Uniform { cells } => reals(&[cells.into()]),
        Recipe::Clustered { cells, falloff } => reals(&[cells.into(), falloff]),
        Recipe::Radial {
            rings,
            rays,
            jitter,
        } => reals(&[rings.into(), rays.into(), jitter]),
        Recipe::Splinters {
            cells,
            falloff,
            aspect,
        } => reals(&[cells.into(), falloff, aspect]),
        Recipe::Bricks {
            rows,
            size: [length, depth],
            offset,
            jitter,
        } => reals(&[rows.into(), length, depth, offset, jitter]),
        Recipe::Slabs {
            slabs,
            jitter,
            tilt,
        } => reals(&[slabs.into(), jitter, tilt]),
        Recipe::Planes { depth, jitter } => reals(&[depth.into(), jitter]),
        Recipe::Blade { tilt } => reals(&[tilt]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{PatternKind, PRESETS};

    #[test]
    fn keys_follow_what_the_planes_depend_on() {
        let pattern = FracturePattern::default();
        let other = |change: fn(&mut FracturePattern)| {
            let mut other = pattern.clone();
            change(&mut other);
            other.key()
        };
        assert_ne!(pattern.key(), other(|p| p.cells = 63));
        assert_ne!(pattern.key(), other(|p| p.seed = 1));
        assert_ne!(pattern.key(), other(|p| p.falloff = 2.0));
        assert_ne!(pattern.key(), other(|p| p.kind = PatternKind::Uniform));
        assert_ne!(pattern.key(), other(|p| p.fine_cells = 3));
        assert_eq!(pattern.key(), other(|p| p.version = 0));
        assert_eq!(pattern.key(), other(|p| p.rings = 3));
        assert_eq!(pattern.key(), other(|p| p.inside_mesh = true));
    }

    #[test]
    fn presets_differ() {
        let keys = PRESETS.map(|(_, make)| make().key());
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{}", PRESETS[at].0);
        }
    }
}
