//! Pictures of patterns, for thumbnails.

use super::FracturePattern;
use fracture_geometry::{glam::DVec3, Mesh, PatternError, Solid};

/// Sides and thickness of the slab in a picture, metres.
const SLAB: [f32; 3] = [1.2, 1.2, 0.3];
/// Radius of the break in its middle, metres.
const RADIUS: f64 = 0.5;

impl FracturePattern {
    /// The cells on the front of a slab of 1.2 m that is struck in its middle: the cell number of each
    /// pixel, row by row from the top, `side` pixels each. Takes milliseconds, and a tenth of a second for
    /// thousands of cells; for a worker.
    ///
    /// # Errors
    /// A fault of the pattern.
    pub fn picture(&self, side: usize) -> Result<Vec<u32>, PatternError> {
        // Cannot fail: a box is closed.
        let Ok(slab) = Solid::new(Mesh::cuboid(SLAB)) else {
            return Ok(vec![0; side * side]);
        };
        let planes = self.planes_inside(&slab)?;
        let [width, height, depth] = SLAB.map(|side| f64::from(side) * 0.5);
        let struck = DVec3::new(0.0, 0.0, depth);
        let fit = self.fit();
        let placement = fit.placement(&slab, struck, DVec3::Z, 0.0, RADIUS);
        let back = placement.linear.inverse();
        let cell = |pixel: usize| {
            let at = |k: usize| 2.0 * (k as f64 + 0.5) / side as f64 - 1.0;
            let (x, y) = (at(pixel % side), -at(pixel / side));
            let point = struck + DVec3::new(x * width, y * height, 0.0);
            planes.cell_at(back * (point - placement.translation))
        };
        Ok((0..side * side).map(cell).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{PatternKind, PRESETS};
    use std::collections::BTreeSet;

    fn cells(picture: &[u32]) -> usize {
        picture.iter().collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn presets_have_pictures_of_their_own() {
        let pictures = PRESETS.map(|(name, make)| (name, make().picture(32).unwrap()));
        for (at, (name, picture)) in pictures.iter().enumerate() {
            assert_eq!(picture.len(), 32 * 32);
            assert!(cells(picture) > 5, "{name}: {} cells", cells(picture));
            let same = pictures[..at].iter().any(|(_, other)| other == picture);
            assert!(!same, "{name}");
        }
    }

    #[test]
    fn a_blade_has_two_sides_and_a_faulty_pattern_none() {
        let blade = FracturePattern {
            kind: PatternKind::Blade,
            ..Default::default()
        };
        assert_eq!(cells(&blade.picture(16).unwrap()), 2);
        let none = FracturePattern {
            cells: 0,
            ..Default::default()
        };
        assert!(none.picture(16).is_err());
    }
}
