//! The fields that a pattern's kind uses, and their limits.

use super::{FracturePattern, PatternKind};
use fracture_geometry::{Pattern, PatternError, MAX_CELLS};

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
/// Largest number of rows of bricks.
const MAX_ROWS: f64 = 100.0;
/// Largest number of cells that are divided by a second pattern.
const MAX_FINE_CELLS: u32 = 1000;
/// Largest number of parts of such a cell.
const MAX_FINE_PARTS: u32 = 100;
/// Shortest and longest side of a brick, in units of its height.
const BRICK_SIDES: [f64; 2] = [0.1, 100.0];

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
        let room = max.saturating_sub(self.recipe().cells());
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
            PatternKind::Radial => vec![
                ("rings", Some([1.0, 100.0])),
                ("rays", Some([3.0, 100.0])),
                jitter,
            ],
            PatternKind::Splinters => vec![cells, falloff, axis, ("aspect", Some([1.0, 100.0]))],
            PatternKind::Bricks => self.brick_fields(),
            PatternKind::Slabs => vec![
                ("cells", Some([2.0, 1000.0])),
                axis,
                jitter,
                ("tilt", Some([0.0, 57.0])),
            ],
            PatternKind::Planes => vec![axis, jitter, ("depth", Some([1.0, 10.0]))],
            PatternKind::Blade => vec![("tilt", Some([0.0, 180.0]))],
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
            bricks.recipe().cells() as usize <= MAX_CELLS
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

    /// The field that determines the number of cells, as editors write it.
    pub fn cells_field(&self) -> &'static str {
        match self.kind {
            _ if self.fine_cells > 0 && self.has_most_fine_cells() => "Fine Cells or Fine Parts",
            PatternKind::Uniform
            | PatternKind::Clustered
            | PatternKind::Splinters
            | PatternKind::Slabs => "Cells",
            PatternKind::Radial => "Rings or Rays",
            PatternKind::Bricks => "Rows",
            PatternKind::Planes => "Depth",
            PatternKind::Blade => "Fine Cells",
        }
    }

    fn has_most_fine_cells(&self) -> bool {
        self.fine_cells.saturating_mul(self.fine_parts) > self.recipe().cells()
    }

    /// Adds the field that helps to an error.
    pub(super) fn with_remedy(
        &self,
        planes: Result<Pattern, PatternError>,
    ) -> Result<Pattern, PatternError> {
        planes.map_err(|error| error.with_field(self.cells_field()))
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
    use fyrox::core::reflect::Reflect;
    use std::collections::BTreeSet;

    const KINDS: [PatternKind; 8] = [
        PatternKind::Uniform,
        PatternKind::Clustered,
        PatternKind::Radial,
        PatternKind::Splinters,
        PatternKind::Bricks,
        PatternKind::Slabs,
        PatternKind::Planes,
        PatternKind::Blade,
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
                    let made = pattern.recipe().sites(0);
                    assert!(made.is_ok(), "{kind:?}: {} {limit}: {made:?}", field.name);
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
        assert!(advice(fine).ends_with("; lower Fine Cells or Fine Parts"));
        let one = FracturePattern {
            cells: 1,
            ..of(PatternKind::Uniform)
        };
        assert!(advice(one).ends_with("; raise Cells"));
    }
}
