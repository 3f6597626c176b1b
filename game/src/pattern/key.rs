//! Keys by which patterns with equal cell planes are recognised.

use super::FracturePattern;

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
        let fields = [self.kind as u32, self.seed, inside, fine[0], fine[1]];
        let parameters = self.recipe().parameters().into_iter();
        let fields = fields.into_iter().map(u64::from);
        PatternKey(fields.chain(parameters.map(f64::to_bits)).collect())
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
