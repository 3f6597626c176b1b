//! The figures of a script with the ranges in which they make sense, in the artist's words.

use crate::script::{
    config::DestructibleConfig,
    enums::{Anchoring, OpenMesh},
};
use std::{fmt, ops::RangeInclusive};
use thiserror::Error;

/// Lengths with which positions and volumes are numbers, m.
const LENGTHS: RangeInclusive<f64> = 1e-9..=1e9;
/// The same with 0.
const LENGTHS_AND_0: RangeInclusive<f64> = 0.0..=1e9;
/// Sizes of other figures with which products of them are numbers, in their unit.
const AMOUNTS: RangeInclusive<f64> = 1e-18..=1e18;
/// The same with 0.
const AMOUNTS_AND_0: RangeInclusive<f64> = 0.0..=1e18;
/// Smallest depth of a held zone, m: rounding moves the vertices of a border by less.
const SMALLEST_DEPTH: f64 = 1e-4;

/// A figure of a script that is out of its range.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{} is {}; it must be {range}", self.whose(), Quantity(*.value, unit))]
pub(crate) struct FigureError {
    /// Name of the field as the inspector shows it.
    field: &'static str,
    value: f64,
    unit: &'static str,
    /// In words.
    range: String,
    is_of_card: bool,
}

impl FigureError {
    fn whose(&self) -> String {
        match self.is_of_card {
            true => format!("the {} of its card", self.field),
            false => format!("its {}", self.field),
        }
    }
}

/// A field of a script that is a number.
pub(super) struct Figure {
    field: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
    unit: &'static str,
}

impl Figure {
    /// The value with its sign and its kind of NaN: equal to itself.
    pub fn bits(&self) -> u64 {
        self.value.to_bits()
    }

    /// A time, seconds, which may be endless.
    pub fn time(field: &'static str, value: f32) -> Self {
        figure(field, value, 0.0..=f64::INFINITY, "s")
    }

    pub fn check(&self) -> Result<(), FigureError> {
        let (low, high) = (*self.range.start(), *self.range.end());
        // In the precision of the fields, in which the bounds themselves are typed.
        if (low as f32..=high as f32).contains(&(self.value as f32)) {
            return Ok(());
        }
        let range = if high.is_finite() {
            format!("from {} to {}", Short(low), Quantity(high, self.unit))
        } else {
            format!("{} or more", Quantity(low, self.unit))
        };
        Err(FigureError {
            field: self.field,
            value: self.value,
            unit: self.unit,
            range,
            is_of_card: false,
        })
    }
}

impl DestructibleConfig {
    /// Checks all figures that count.
    pub fn check(&self) -> Result<(), FigureError> {
        let unused = self.unused_fields();
        let figures = self.figures();
        let mut used = figures.iter().filter(|one| !unused.contains(&one.field));
        used.try_for_each(Figure::check)
            .map_err(|error| FigureError {
                is_of_card: self.of_card.has_named(error.field),
                ..error
            })
    }

    /// Fields that have no effect with the choices that have been made.
    fn unused_fields(&self) -> Vec<&'static str> {
        let mut unused = Vec::new();
        if self.open_mesh != OpenMesh::Shell {
            unused.push("Shell Thickness");
        }
        if matches!(*self.held.anchoring, Anchoring::Free | Anchoring::Touching) {
            unused.push("Depth");
        }
        if *self.held.anchoring != Anchoring::Touching {
            unused.extend(["Gap", "Bond Strength"]);
        }
        unused
    }

    /// All fields that are numbers, in the order of the inspector.
    pub(super) fn figures(&self) -> [Figure; 26] {
        let (breaking, inside) = (&self.breaking, &self.inside);
        let (held, pieces) = (&self.held, &self.pieces);
        let min_radius = f64::from(*breaking.min_radius);
        let max_radii = min_radius.max(*LENGTHS.start())..=*LENGTHS.end();
        let energy = *breaking.energy_per_volume;
        let tension = *self.strength.tensile_strength;
        let bars = &self.strength;
        let flows_at = *bars.bar_yield_strength;
        [
            figure("Density", self.density, 1e-6..=1e9, "kg/m^3"),
            figure("Shell Thickness", self.shell_thickness, LENGTHS, "m"),
            figure(
                "Damage Threshold",
                *breaking.damage_threshold,
                AMOUNTS_AND_0,
                "N s",
            ),
            figure("Weakening", *breaking.weakening, 0.0..=1.0, ""),
            figure("Sheet Toughness", *breaking.sheet_toughness, 1.0..=1e18, ""),
            figure("Energy Per Volume", energy, AMOUNTS, "J/m^3"),
            figure("Min Radius", *breaking.min_radius, LENGTHS, "m"),
            figure("Max Radius", *breaking.max_radius, max_radii, "m"),
            figure(
                "Texture Scale",
                *inside.texture_scale,
                0.0..=1e9,
                "per metre",
            ),
            figure("Texture Turn", *inside.texture_turn, -1e6..=1e6, "degrees"),
            figure("Bump Height", *inside.bump_height, LENGTHS_AND_0, "m"),
            figure("Bump Distance", *inside.bump_distance, LENGTHS, "m"),
            figure("Depth", *held.depth, SMALLEST_DEPTH..=1e9, "m"),
            figure("Gap", *held.gap, LENGTHS_AND_0, "m"),
            figure("Bond Strength", *held.bond_strength, AMOUNTS_AND_0, ""),
            figure("Min Size", *pieces.min_size, LENGTHS_AND_0, "m"),
            figure("Threshold Factor", *pieces.threshold_factor, 1.0..=1e18, ""),
            Figure::time("Lifetime", *pieces.lifetime),
            figure("Fade Time", *pieces.fade_time, AMOUNTS_AND_0, "s"),
            figure("Becomes Dust Below", *pieces.dust_size, LENGTHS_AND_0, "m"),
            figure("Tensile Strength", tension, AMOUNTS_AND_0, "Pa"),
            figure("Min Neck", *self.strength.min_neck, AMOUNTS_AND_0, "cm^2"),
            figure("Bar Spacing", *bars.bar_spacing, LENGTHS_AND_0, "m"),
            figure("Bar Diameter", *bars.bar_diameter, LENGTHS, "m"),
            figure("Bar Cover", *bars.bar_cover, LENGTHS_AND_0, "m"),
            figure("Bar Yield Strength", flows_at, AMOUNTS, "Pa"),
        ]
    }
}

/// Gives a figure that is out of its range another value. Returns why.
pub(crate) fn mend(
    value: &mut f32,
    other: f32,
    (field, range, unit): (&'static str, RangeInclusive<f64>, &'static str),
) -> Option<FigureError> {
    let error = figure(field, *value, range, unit).check().err()?;
    *value = other;
    Some(error)
}

pub(super) fn figure(
    field: &'static str,
    value: impl Into<f64>,
    range: RangeInclusive<f64>,
    unit: &'static str,
) -> Figure {
    Figure {
        field,
        value: value.into(),
        range,
        unit,
    }
}

/// A number with its unit, if it has one.
struct Quantity<'a>(f64, &'a str);

impl fmt::Display for Quantity<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value, unit) = self;
        let space = if unit.is_empty() { "" } else { " " };
        write!(f, "{}{space}{unit}", Short(*value))
    }
}

/// A number as it was typed: with no more digits than its precision has, and long ones with an exponent.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let is_long = value != 0.0 && !(1e-4..1e7).contains(&value.abs());
        let single = value as f32;
        match (f64::from(single) == value, is_long) {
            (true, true) => write!(f, "{single:e}"),
            (true, false) => write!(f, "{single}"),
            (false, true) => write!(f, "{value:e}"),
            (false, false) => write!(f, "{value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::destructible::Destructible;
    use fyrox::core::reflect::Reflect;

    /// The names of fields as the inspector shows them, those of sections included.
    fn names(object: &dyn Reflect, found: &mut Vec<String>) {
        const SECTIONS: [&str; 5] = ["breaking", "inside", "held", "pieces", "strength"];
        object.fields_ref(&mut |fields| {
            for field in fields {
                // Without breaks, which keep the inspector from writing each word large.
                found.push(field.display_name.replace('\u{a0}', " "));
                if SECTIONS.contains(&field.name) {
                    names(field.value.field_value_as_reflect(), found);
                }
            }
        });
    }

    #[test]
    fn figures_have_the_names_and_the_units_that_the_inspector_shows() {
        let script = Destructible::default();
        let mut shown = Vec::new();
        names(&script, &mut shown);
        for figure in DestructibleConfig::new(&script).figures() {
            let wanted = match figure.unit {
                "" => figure.field.to_owned(),
                unit => format!("{}, {unit}", figure.field),
            };
            assert!(shown.contains(&wanted), "{wanted} is not in {shown:?}");
        }
    }
}
