//! A pattern as editors show it: the fields that its kind uses, their limits, and its picture.

use super::fracture_pattern::{FracturePattern, PatternKind};
use fracture_geometry::{glam::DVec3, Mesh, PatternError, Solid, MAX_CELLS};

/// A field that a pattern's kind uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatternField {
    /// Name of the field in the struct.
    pub name: &'static str,
    /// Smallest and largest value, given the other fields; `None` for a field that is no number.
    pub limits: Option<[f64; 2]>,
}

/// Largest number in the field `cells`.
const MAX_CELL_COUNT: f64 = 10_000.0;
/// Largest number of cells of a picture.
const MAX_PICTURE_CELLS: f64 = 2000.0;
/// Largest number of rows of bricks.
const MAX_ROWS: f64 = 100.0;
/// Largest number of cells that are divided by a second pattern.
const MAX_FINE_CELLS: u32 = 1000;
/// Largest number of parts of such a cell.
const MAX_FINE_PARTS: u32 = 100;
/// Shortest and longest side of a brick, in units of its height.
const BRICK_SIDES: [f64; 2] = [0.1, 100.0];

/// Sides and thickness of the slab in a picture, metres.
const PICTURE_SLAB: [f32; 3] = [1.2, 1.2, 0.3];
/// Radius of the break in the middle of that slab, metres.
const PICTURE_RADIUS: f64 = 0.5;

impl FracturePattern {
    /// The fields that the pattern's kind uses, for tools that show no others.
    pub fn fields(&self) -> Vec<PatternField> {
        let free = ["version", "kind", "seed"].map(|name| PatternField { name, limits: None });
        let own = self.own_fields().into_iter();
        let numbers = own.chain(self.second_fields());
        let numbers = numbers.map(|(name, limits)| PatternField { name, limits });
        free.into_iter().chain(numbers).collect()
    }

    /// The fields of the second pattern. Their limits keep the number of cells below the maximum.
    fn second_fields(&self) -> [(&'static str, Option<[f64; 2]>); 2] {
        let max = u32::try_from(MAX_CELLS).unwrap_or(u32::MAX);
        let room = max.saturating_sub(self.cell_count());
        let cells = (room / self.fine_parts.max(1)).min(MAX_FINE_CELLS);
        let parts = (room / self.fine_cells.max(1)).clamp(2, MAX_FINE_PARTS);
        [
            ("fine_cells", Some([0.0, f64::from(cells)])),
            ("fine_parts", Some([2.0, f64::from(parts)])),
        ]
    }

    /// The fields that not all kinds use.
    fn own_fields(&self) -> Vec<(&'static str, Option<[f64; 2]>)> {
        let cells = ("cells", Some([2.0, MAX_CELL_COUNT]));
        let falloff = ("falloff", Some([0.1, 8.0]));
        let jitter = ("jitter", Some([0.0, 1.0]));
        let axis = ("axis", None);
        match self.kind {
            PatternKind::Uniform => vec![cells, ("inside_mesh", None)],
            PatternKind::Clustered => vec![cells, falloff],
            PatternKind::Crater => vec![cells, jitter],
            PatternKind::Radial | PatternKind::Shards => vec![
                ("rings", Some([1.0, 100.0])),
                ("rays", Some([3.0, 100.0])),
                jitter,
            ],
            PatternKind::Splinters | PatternKind::Fibres => {
                vec![cells, falloff, axis, ("aspect", Some([1.0, 100.0]))]
            }
            PatternKind::Bricks => self.brick_fields(),
            PatternKind::Slabs => vec![
                ("cells", Some([2.0, 1000.0])),
                axis,
                jitter,
                ("tilt", Some([0.0, 57.0])),
            ],
            PatternKind::Planes => vec![axis, jitter, ("depth", Some([1.0, 10.0]))],
            PatternKind::Blade => vec![("tilt", Some([0.0, 180.0]))],
            PatternKind::Stencil => vec![
                ("source", None),
                ("lines", None),
                ("cells", Some([2.0, MAX_PICTURE_CELLS])),
                ("picture_width", Some([0.01, 1000.0])),
                ("scale", Some([0.01, 100.0])),
                ("fixed", None),
                axis,
            ],
        }
    }

    /// The fields of bricks. Bricks fill a cube: their number depends on all of their sizes.
    fn brick_fields(&self) -> Vec<(&'static str, Option<[f64; 2]>)> {
        let height = f64::from(self.brick_height);
        let [shortest, longest] = BRICK_SIDES.map(|heights| heights * height);
        let sides = [self.brick_length, self.brick_depth].map(f64::from);
        let [lowest, highest] = [
            sides[0].max(sides[1]) / BRICK_SIDES[1],
            sides[0].min(sides[1]) / BRICK_SIDES[0],
        ];
        let fits = |change: &dyn Fn(&mut Self)| {
            let mut bricks = self.clone();
            change(&mut bricks);
            bricks.cell_count() as usize <= MAX_CELLS
        };
        let rows = |value: f64| fits(&|bricks| bricks.rows = value as u32);
        let length = |value: f64| fits(&|bricks| bricks.brick_length = value as f32);
        let height = |value: f64| fits(&|bricks| bricks.brick_height = value as f32);
        let depth = |value: f64| fits(&|bricks| bricks.brick_depth = value as f32);
        vec![
            ("axis", None),
            ("jitter", Some([0.0, 1.0])),
            ("rows", Some([2.0, last_valid(rows, 2.0, MAX_ROWS).floor()])),
            (
                "brick_length",
                Some([last_valid(length, longest, shortest), longest]),
            ),
            (
                "brick_height",
                Some([lowest, last_valid(height, lowest, highest)]),
            ),
            (
                "brick_depth",
                Some([last_valid(depth, longest, shortest), longest]),
            ),
            ("offset", Some([0.0, 1.0])),
        ]
    }

    /// The cells on the front of a slab of 1.2 m that is struck in its middle: the cell number of each
    /// pixel, row by row from the top, `side` pixels each. Takes milliseconds, and a tenth of a second for
    /// thousands of cells; for a worker.
    ///
    /// # Errors
    /// A fault of the pattern.
    pub fn picture(&self, side: usize) -> Result<Vec<u32>, PatternError> {
        // Cannot fail: a box is closed.
        let Ok(slab) = Solid::new(Mesh::cuboid(PICTURE_SLAB)) else {
            return Ok(vec![0; side * side]);
        };
        let planes = self.planes_inside(&slab)?;
        let [width, height, depth] = PICTURE_SLAB.map(|side| f64::from(side) * 0.5);
        let struck = DVec3::new(0.0, 0.0, depth);
        let fit = self.fit();
        let placement = fit.placement(&slab, struck, DVec3::Z, 0.0, PICTURE_RADIUS);
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

/// The number between `from` and `to` nearest to `to` that is valid, by bisection; `from` is valid.
fn last_valid(is_valid: impl Fn(f64) -> bool, from: f64, to: f64) -> f64 {
    if is_valid(to) {
        return to;
    }
    let (mut valid, mut invalid) = (from, to);
    for _ in 0..24 {
        let middle = 0.5 * (valid + invalid);
        if is_valid(middle) {
            valid = middle;
        } else {
            invalid = middle;
        }
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::PRESETS;
    use fyrox::core::reflect::Reflect;
    use std::collections::BTreeSet;

    const KINDS: [PatternKind; 12] = [
        PatternKind::Uniform,
        PatternKind::Clustered,
        PatternKind::Radial,
        PatternKind::Splinters,
        PatternKind::Bricks,
        PatternKind::Slabs,
        PatternKind::Planes,
        PatternKind::Blade,
        PatternKind::Fibres,
        PatternKind::Crater,
        PatternKind::Stencil,
        PatternKind::Shards,
    ];

    fn of(kind: PatternKind) -> FracturePattern {
        FracturePattern {
            kind,
            ..Default::default()
        }
    }

    fn names(pattern: &FracturePattern) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        pattern.fields_ref(&mut |fields| {
            names = fields.iter().map(|field| field.name.to_owned()).collect();
        });
        names
    }

    #[test]
    fn every_field_is_one_of_the_pattern_and_used_by_some_kind() {
        let all = names(&FracturePattern::default());
        let mut seen = BTreeSet::new();
        for kind in KINDS {
            let fields = of(kind).fields();
            seen.extend(fields.into_iter().map(|field| field.name.to_owned()));
        }
        assert_eq!(seen, all);
    }

    /// Sets a field by its name.
    fn set(pattern: &mut FracturePattern, name: &str, value: f64) {
        let (float, number) = (value as f32, value as u32);
        let mut done = false;
        for value in [Box::new(float) as Box<dyn Reflect>, Box::new(number)] {
            pattern.set_field(name, value, &mut |result| done |= result.is_ok());
        }
        assert!(done, "{name}");
    }

    #[test]
    fn every_limit_gives_a_pattern() {
        for kind in KINDS {
            for field in of(kind).fields() {
                for limit in field.limits.into_iter().flatten() {
                    let mut pattern = of(kind);
                    set(&mut pattern, field.name, limit);
                    let made = pattern.recipe().map(|recipe| recipe.sites(0));
                    assert!(
                        made.as_ref().is_none_or(Result::is_ok),
                        "{kind:?}: {} {limit}: {made:?}",
                        field.name
                    );
                }
            }
        }
    }

    #[test]
    fn limits_follow_the_other_fields() {
        let rows = |length: f32| {
            let bricks = FracturePattern {
                brick_length: length,
                ..of(PatternKind::Bricks)
            };
            let fields = bricks.fields();
            let rows = fields.iter().find(|field| field.name == "rows");
            rows.and_then(|rows| rows.limits).unwrap()[1]
        };
        assert!(rows(0.075) < rows(0.25) && rows(0.25) < 100.0);
        assert_eq!(rows(5.0), 100.0);
    }

    #[test]
    fn advice_names_the_field_of_the_kind() {
        let advice = |pattern: FracturePattern| pattern.planes().unwrap_err().to_string();
        let bricks = FracturePattern {
            rows: 1000,
            ..of(PatternKind::Bricks)
        };
        assert!(advice(bricks).ends_with("; lower Rows"));
        let web = FracturePattern {
            rings: 900,
            rays: 900,
            ..of(PatternKind::Radial)
        };
        assert!(advice(web).ends_with("; lower Rings or Rays"));
        let fine = FracturePattern {
            fine_cells: 64,
            fine_parts: 1000,
            ..of(PatternKind::Clustered)
        };
        assert!(advice(fine).ends_with("; lower Cells To Crumble At The Impact or Crumbs Of Each"));
        let one = FracturePattern {
            cells: 1,
            ..of(PatternKind::Uniform)
        };
        assert!(advice(one).ends_with("; raise Cells"));
    }

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
