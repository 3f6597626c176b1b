//! The scripts by which a scene has dust, sounds and marks.

use super::{
    effect::SoundCause,
    effect_script::{file_fault, EffectScript},
    tagged_rows::TaggedRow,
};
use crate::script::figures::{mend, FigureError};
use fyrox::{
    core::{
        algebra::Vector3, color::Color, reflect::prelude::*, type_traits::prelude::*,
        variable::InheritableVariable, visitor::prelude::*,
    },
    resource::{model::ModelResource, texture::TextureResource},
    scene::sound::SoundBufferResource,
    script::ScriptTrait,
};
use std::ops::RangeInclusive;

/// Most clouds, and most marks, whatever a script says.
const MOST: u32 = 1000;
/// Factors on what there is usually.
const FACTORS: RangeInclusive<f64> = 0.0..=100.0;
/// Factors on loudness.
const VOLUMES: RangeInclusive<f64> = 0.0..=2.0;
/// Times of dust, s.
const TIMES: RangeInclusive<f64> = 0.0..=600.0;
/// Times of marks, s.
const LIFETIMES: RangeInclusive<f64> = 0.0..=f64::INFINITY;
/// Speeds of wind along an axis, m/s.
const SPEEDS: RangeInclusive<f64> = -100.0..=100.0;

/// Clouds of dust where objects break, where pieces land, and where something is near its strength.
///
/// Put the script on one node of a scene, no matter which; while the node is disabled there is none. The more cracks a
/// break has, and the more energy, the more dust; what comes down by its weight leaves dust that hangs in the air. The
/// colour is that of the material ([`Destructible::surface_tag`](crate::Destructible::surface_tag)).
#[derive(Visit, Reflect, Debug, Clone, PartialEq, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "5b0b9f0c-3f0f-4c6c-8f62-0d8a6f3b1e91")]
#[visit(optional)]
pub struct BreakDust {
    /// Factor on the number of particles. 0: no dust.
    #[reflect(min_value = 0.0, max_value = 100.0, step = 0.1)]
    pub amount: InheritableVariable<f32>,

    /// How long the dust of the largest breaks hangs in the air, s.
    #[reflect(
        display_name = "Hang Time,\u{a0}s",
        min_value = 0.0,
        max_value = 600.0,
        step = 0.5
    )]
    pub hang_time: InheritableVariable<f32>,

    /// Velocity with which dust drifts, m/s.
    #[reflect(display_name = "Wind,\u{a0}m/s")]
    pub wind: InheritableVariable<Vector3<f32>>,

    /// Clouds at once, 1000 at most. Beyond it, dense ones replace thin ones, and thin ones are left out.
    pub max_clouds: InheritableVariable<u32>,

    /// Dust of materials that differs from the usual one.
    #[reflect(display_name = "Own Dust")]
    pub own: InheritableVariable<Vec<OwnDust>>,
}

/// The dust of a material, in place of the usual one.
#[derive(Visit, Reflect, Debug, Clone, PartialEq, TypeUuidProvider)]
#[type_uuid(id = "0a7b7f3a-9b42-4f4d-a1f3-2c7b1d5f7c02")]
#[visit(optional)]
pub struct OwnDust {
    /// The beginning of the materials' tags; empty for all.
    pub tag: String,

    /// Colour, with the density as alpha.
    pub color: Color,

    /// A prefab that is put there instead, with its y axis away from the surface: particle systems, lights, whatever.
    pub prefab: Option<ModelResource>,

    /// The time after which the prefab is removed, s.
    #[reflect(
        display_name = "Time,\u{a0}s",
        min_value = 0.0,
        max_value = 600.0,
        step = 0.5
    )]
    pub prefab_time: f32,
}

/// Sounds of breaks, of hard contacts, of blows that break nothing and of what is near its strength.
///
/// Put the script on one node of a scene, no matter which; while the node is disabled there are none. They are
/// synthesised for the kind of material ([`Destructible::surface_tag`](crate::Destructible::surface_tag)): tags that begin
/// with *brick*, *ceramic*, *glass*, *ice*, *metal* or *wood* have their own, all others sound of stone. They are heard by
/// the scene's listener; if it has none when the script is found, by its first enabled camera.
#[derive(Visit, Reflect, Debug, Clone, PartialEq, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "a3b6a2f4-31c6-4f56-9d1f-5f1f0c6e2b77")]
#[visit(optional)]
pub struct BreakSounds {
    /// Factor on the loudness. 0: silence.
    #[reflect(min_value = 0.0, max_value = 2.0, step = 0.1)]
    pub volume: InheritableVariable<f32>,

    /// Sounds of materials in place of the synthesised ones.
    #[reflect(display_name = "Own Sounds")]
    pub own: InheritableVariable<Vec<OwnSound>>,
}

/// A sound of a material. Several for the same tag and cause are played in turn.
#[derive(Visit, Reflect, Debug, Default, Clone, PartialEq, TypeUuidProvider)]
#[type_uuid(id = "71c0fd9e-4df1-4f0b-b29f-1e4d3c1e9a38")]
#[visit(optional)]
pub struct OwnSound {
    /// The beginning of the materials' tags; empty for all.
    pub tag: String,

    /// The event that it is the sound of.
    pub cause: SoundCause,

    /// The sound.
    pub sound: Option<SoundBufferResource>,
}

/// Marks on what is hit and does not break: pits where a blow was too weak, and dust where pieces land.
///
/// Put the script on one node of a scene, no matter which; while the node is disabled there are none. Marks are decals:
/// what is drawn as transparent ([`RenderPath::Forward`](fyrox::scene::mesh::RenderPath::Forward)) has none. They move with
/// what they are on, and go with it.
#[derive(Visit, Reflect, Debug, Clone, PartialEq, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "e0c3b35d-2e8e-4a58-8a0e-9b5e7d1c4f63")]
#[visit(optional)]
pub struct ImpactMarks {
    /// Factor on the width. 0: no marks.
    #[reflect(min_value = 0.0, max_value = 100.0, step = 0.1)]
    pub size: InheritableVariable<f32>,

    /// Marks at once, 1000 at most. Beyond it, the oldest goes.
    pub max_marks: InheritableVariable<u32>,

    /// The time after which a mark fades, s. 0: it stays.
    #[reflect(display_name = "Lifetime,\u{a0}s", min_value = 0.0, step = 1.0)]
    pub lifetime: InheritableVariable<f32>,

    /// Marks of materials that differ from the usual ones.
    #[reflect(display_name = "Own Marks")]
    pub own: InheritableVariable<Vec<OwnMark>>,
}

/// The mark on a material, in place of the usual one. Several for the same tag are used in turn.
#[derive(Visit, Reflect, Debug, Clone, PartialEq, TypeUuidProvider)]
#[type_uuid(id = "c9a5de0b-58b8-4f8f-8d3e-7a6c2b9d1f45")]
#[visit(optional)]
pub struct OwnMark {
    /// The beginning of the materials' tags; empty for all.
    pub tag: String,

    /// The picture, with what shows of the surface as alpha. Empty: the usual one.
    pub texture: Option<TextureResource>,

    /// Colour by which the picture is multiplied.
    pub color: Color,

    /// Factor on the width.
    #[reflect(min_value = 0.0, max_value = 100.0, step = 0.1)]
    pub size: f32,
}

impl ScriptTrait for BreakDust {}
impl ScriptTrait for BreakSounds {}
impl ScriptTrait for ImpactMarks {}

impl Default for BreakDust {
    fn default() -> Self {
        Self {
            amount: 1.0.into(),
            hang_time: 8.0.into(),
            wind: Vector3::new(0.25, 0.0, 0.1).into(),
            max_clouds: 40.into(),
            own: Vec::new().into(),
        }
    }
}

impl Default for OwnDust {
    fn default() -> Self {
        Self {
            tag: String::new(),
            color: Color::from_rgba(176, 170, 158, 150),
            prefab: None,
            prefab_time: 5.0,
        }
    }
}

impl Default for BreakSounds {
    fn default() -> Self {
        Self {
            volume: 1.0.into(),
            own: Vec::new().into(),
        }
    }
}

impl Default for ImpactMarks {
    fn default() -> Self {
        Self {
            size: 1.0.into(),
            max_marks: 40.into(),
            lifetime: 0.0.into(),
            own: Vec::new().into(),
        }
    }
}

impl Default for OwnMark {
    fn default() -> Self {
        Self {
            tag: String::new(),
            texture: None,
            color: Color::WHITE,
            size: 1.0,
        }
    }
}

impl TaggedRow for OwnDust {
    fn tag(&self) -> &str {
        &self.tag
    }
}

impl TaggedRow for OwnSound {
    fn tag(&self) -> &str {
        &self.tag
    }
}

impl TaggedRow for OwnMark {
    fn tag(&self) -> &str {
        &self.tag
    }
}

impl EffectScript for BreakDust {
    fn mend(&mut self) -> Vec<FigureError> {
        let usual = Self::default();
        let mut refusals = Refusals::default();
        *self.max_clouds = MOST.min(*self.max_clouds);
        refusals.mend(&mut self.amount, *usual.amount, ("Amount", FACTORS, ""));
        refusals.mend(
            &mut self.hang_time,
            *usual.hang_time,
            ("Hang Time", TIMES, "s"),
        );
        for speed in self.wind.iter_mut() {
            refusals.mend(speed, 0.0, ("Wind", SPEEDS, "m/s"));
        }
        for own in self.own.iter_mut() {
            let usual = OwnDust::default().prefab_time;
            refusals.mend(&mut own.prefab_time, usual, ("Time", TIMES, "s"));
        }
        refusals.0
    }

    fn file_faults(&self) -> Vec<String> {
        let faults = self
            .own
            .iter()
            .filter_map(|own| file_fault(&own.tag, own.prefab.as_ref()));
        faults.collect()
    }
}

impl EffectScript for BreakSounds {
    fn mend(&mut self) -> Vec<FigureError> {
        let mut refusals = Refusals::default();
        refusals.mend(&mut self.volume, 1.0, ("Volume", VOLUMES, ""));
        refusals.0
    }

    fn file_faults(&self) -> Vec<String> {
        let faults = self
            .own
            .iter()
            .filter_map(|own| file_fault(&own.tag, own.sound.as_ref()));
        faults.collect()
    }
}

impl EffectScript for ImpactMarks {
    fn mend(&mut self) -> Vec<FigureError> {
        let mut refusals = Refusals::default();
        *self.max_marks = MOST.min(*self.max_marks);
        refusals.mend(&mut self.size, 1.0, ("Size", FACTORS, ""));
        refusals.mend(&mut self.lifetime, 0.0, ("Lifetime", LIFETIMES, "s"));
        for own in self.own.iter_mut() {
            refusals.mend(&mut own.size, 1.0, ("Size", FACTORS, ""));
        }
        refusals.0
    }

    fn file_faults(&self) -> Vec<String> {
        let faults = self
            .own
            .iter()
            .filter_map(|own| file_fault(&own.tag, own.texture.as_ref()));
        faults.collect()
    }
}

/// Figures out of their ranges.
#[derive(Default)]
struct Refusals(Vec<FigureError>);

impl Refusals {
    fn mend(
        &mut self,
        value: &mut f32,
        usual: f32,
        figure: (&'static str, RangeInclusive<f64>, &'static str),
    ) {
        self.0.extend(mend(value, usual, figure));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_figures_are_refused_by_name() {
        let mut dust = BreakDust::default();
        assert!(dust.mend().is_empty());
        *dust.amount = -1.0;
        *dust.hang_time = f32::NAN;
        dust.wind.x = f32::INFINITY;
        dust.own.push(OwnDust {
            prefab_time: -2.0,
            ..OwnDust::default()
        });
        let told: Vec<String> = dust.mend().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "its Amount is -1; it must be from 0 to 100",
                "its Hang Time is NaN s; it must be from 0 to 600 s",
                "its Wind is inf m/s; it must be from -100 to 100 m/s",
                "its Time is -2 s; it must be from 0 to 600 s",
            ]
        );
        assert_eq!(dust.own.first(), Some(&OwnDust::default()));
        let usual = BreakDust::default();
        assert_eq!((dust.amount, dust.wind.x), (usual.amount, 0.0));

        let mut sounds = BreakSounds::default();
        *sounds.volume = 3.0;
        let mut marks = ImpactMarks::default();
        *marks.lifetime = f32::NEG_INFINITY;
        assert_eq!([sounds.mend().len(), marks.mend().len()], [1, 1]);
        assert_eq!((sounds, marks), Default::default());
    }
}
