//! The script that overrides the debris settings in a scene.

use crate::{script::figures::mend, settings::Settings};
use fyrox::{
    core::{
        reflect::prelude::*, type_traits::prelude::*, variable::InheritableVariable,
        visitor::prelude::*,
    },
    scene::collider::BitMask,
    script::ScriptTrait,
};

/// Debris settings of a scene, in place of the game's [`Settings`].
///
/// Put the script on one node of a scene, no matter which. It takes effect when it is found, and edits take
/// effect while the game runs. The settings stay in force when the script is removed.
#[derive(Visit, Reflect, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "3a1d2f60-9f0b-4f59-8c1e-7b2f0f6f4a18")]
#[visit(optional)]
pub struct DebrisSettings {
    /// Free pieces at once. Beyond it, pieces are removed that are in the frame of no enabled camera, the smallest and
    /// farthest first, and then small ones in view; those of a metre and more stay, even if they are too many.
    pub max_pieces: InheritableVariable<u32>,

    /// Triangles of all free pieces together. Beyond it, the same pieces are removed.
    pub max_triangles: InheritableVariable<u32>,

    /// Seconds of sleep after which a free piece is frozen, that is, fixed in its place. A frozen piece costs
    /// nothing, until it is pushed hard or loses its support.
    #[reflect(min_value = 0.0, step = 0.5)]
    pub settle_after: InheritableVariable<f32>,

    /// Seconds after which a frozen piece is drawn in a batch with others near it.
    #[reflect(min_value = 0.0, step = 0.5)]
    pub merge_after: InheritableVariable<f32>,

    /// Distance from the camera within which a piece of one metre casts a shadow; for others it is as many times longer or
    /// shorter as they are.
    #[reflect(display_name = "Shadow Distance,\u{a0}m", min_value = 0.0, step = 10.0)]
    pub shadow_distance: InheritableVariable<f32>,

    /// Dust particles at once, in place of pieces that are too small to be bodies.
    pub max_particles: InheritableVariable<u32>,

    /// Collision groups whose members break nothing, such as that of the characters: a rigid body is harmless
    /// when all of its colliders belong to these groups only.
    pub harmless_groups: InheritableVariable<BitMask>,
}

impl Default for DebrisSettings {
    fn default() -> Self {
        let settings = Settings::default();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self {
            max_pieces: count(settings.max_pieces).into(),
            max_triangles: u32::try_from(settings.max_triangles)
                .unwrap_or(u32::MAX)
                .into(),
            settle_after: settings.settle_after.into(),
            merge_after: settings.merge_after.into(),
            shadow_distance: settings.shadow_distance.into(),
            max_particles: count(settings.max_particles).into(),
            harmless_groups: BitMask(settings.harmless_groups).into(),
        }
    }
}

impl ScriptTrait for DebrisSettings {}

impl DebrisSettings {
    /// The settings with these overrides, and a fault in words for each figure that makes no sense: the setting stays as
    /// it is.
    pub(crate) fn applied_to(&self, settings: &Settings) -> (Settings, Vec<String>) {
        let mut refusals = Vec::new();
        let mut taken = |field, mut figure: f32, other: f32, unit| {
            let error = mend(&mut figure, other, (field, 0.0..=f64::INFINITY, unit));
            refusals.extend(error.map(|error| format!("{error}. It is taken as {other} {unit}")));
            figure
        };
        let settings = Settings {
            max_pieces: *self.max_pieces as usize,
            max_triangles: u64::from(*self.max_triangles),
            settle_after: taken(
                "Settle After",
                *self.settle_after,
                settings.settle_after,
                "s",
            ),
            merge_after: taken("Merge After", *self.merge_after, settings.merge_after, "s"),
            shadow_distance: taken(
                "Shadow Distance",
                *self.shadow_distance,
                settings.shadow_distance,
                "m",
            ),
            max_particles: *self.max_particles as usize,
            harmless_groups: self.harmless_groups.0,
            ..settings.clone()
        };
        (settings, refusals)
    }
}
