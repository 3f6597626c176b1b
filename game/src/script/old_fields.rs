//! Reads the fields of scripts in scenes that were saved before fields had sections.

use crate::script::destructible::Destructible;
use fyrox::core::{variable::InheritableVariable, visitor::prelude::*};

impl Destructible {
    /// Reads the fields of scenes that were saved before there were sections. A field that is missing is
    /// inherited.
    pub(super) fn read_flat_fields(&mut self, region: &mut Visitor) {
        read(region, "Material", &mut self.surface_tag);
        let breaking = &mut self.breaking;
        read(region, "Toughness", &mut breaking.damage_threshold);
        convert(
            region,
            "EnergyToRadius",
            &mut breaking.energy_per_volume,
            energy_per_volume,
        );
        read(region, "MinRadius", &mut breaking.min_radius);
        read(region, "MaxRadius", &mut breaking.max_radius);
        read(region, "Seed", &mut breaking.seed);
        read(region, "SiteNodes", &mut breaking.site_nodes);
        let inside = &mut self.inside;
        read(region, "CutMaterial", &mut inside.material);
        read(region, "CutUv", &mut inside.texture_mapping);
        read(region, "CutUvScale", &mut inside.texture_scale);
        read(region, "CutUvTurn", &mut inside.texture_turn);
        read(region, "CutRoughness", &mut inside.bump_height);
        read(region, "CutGrain", &mut inside.bump_distance);
        read(region, "Anchoring", &mut self.held.anchoring);
        read(region, "AnchorDepth", &mut self.held.depth);
        let pieces = &mut self.pieces;
        read(region, "MaxGeneration", &mut pieces.max_depth);
        convert(region, "SmallestVolume", &mut pieces.min_size, f32::cbrt);
        read(region, "PieceToughness", &mut pieces.threshold_factor);
        read(region, "PieceLifetime", &mut pieces.lifetime);
        read(region, "Fading", &mut pieces.fading);
        read(region, "FadeTime", &mut pieces.fade_time);
        read(region, "CrumbSize", &mut pieces.dust_size);
        let strength = &mut self.strength;
        read(region, "Strength", &mut strength.tensile_strength);
        read(region, "WeighAtStart", &mut strength.check_at_start);
    }
}

/// Reads a field of a scene without sections, if it is there.
fn read<T: Visit>(region: &mut Visitor, name: &str, value: &mut InheritableVariable<T>) {
    let _ = value.visit(name, region);
}

/// Reads a field whose unit has changed.
fn convert<T: Clone>(
    region: &mut Visitor,
    name: &str,
    value: &mut InheritableVariable<T>,
    new: impl FnOnce(f32) -> T,
) {
    let mut old = InheritableVariable::new_non_modified(0.0);
    let is_found = region.has_region(name) && old.visit(name, region).is_ok();
    *value = match (is_found, old.is_modified()) {
        (true, true) => InheritableVariable::new_modified(new(*old)),
        (true, false) => InheritableVariable::new_non_modified(new(*old)),
        (false, _) => InheritableVariable::new_non_modified(value.clone_inner()),
    };
}

/// Converts the volume that a joule breaks, m^3/J. The inverse of the result is the very same number, so that
/// an old scene breaks as before.
fn energy_per_volume(volume_per_energy: f32) -> f64 {
    let single = volume_per_energy.recip();
    if single.recip() == volume_per_energy {
        single.into()
    } else {
        f64::from(volume_per_energy).recip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_of_an_old_scene_is_kept_to_the_last_bit() {
        for volume in [1e-5f32, 2e-5, 3e-5, 7e-5, 1e-4, 0.125 / 36.0, 1.7e-3] {
            assert_eq!(energy_per_volume(volume).recip() as f32, volume);
        }
        assert_eq!(energy_per_volume(0.0).recip() as f32, 0.0);
    }
}
