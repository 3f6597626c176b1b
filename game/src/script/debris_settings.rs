//! The script that says how a scene treats its rubble. It holds tuning only.

use crate::settings::Settings;
use fyrox::{
    core::{
        reflect::prelude::*, type_traits::prelude::*, variable::InheritableVariable,
        visitor::prelude::*,
    },
    script::ScriptTrait,
};

/// How a scene treats its rubble, in place of what the game's [`Settings`] say.
///
/// Put it on any node, on one in a scene. It counts from the frame in which it is found on, and
/// changes count while the game runs.
#[derive(Visit, Reflect, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "3a1d2f60-9f0b-4f59-8c1e-7b2f0f6f4a18")]
#[visit(optional)]
pub struct DebrisSettings {
    /// Free pieces that may exist at once; beyond it the oldest and smallest go.
    pub max_pieces: InheritableVariable<u32>,

    /// Triangles that free pieces may have together; beyond it the same go.
    pub max_triangles: InheritableVariable<u32>,

    /// How long a piece has to sleep until it is fixed in its place, s: then it costs nothing, until
    /// something pushes it hard or takes its support away.
    #[reflect(min_value = 0.0, step = 0.5)]
    pub settle_after: InheritableVariable<f32>,

    /// How long a piece has to be fixed until it is drawn together with others near it, s.
    #[reflect(min_value = 0.0, step = 0.5)]
    pub merge_after: InheritableVariable<f32>,

    /// Particles at once that stand for pieces too small to be any.
    pub max_particles: InheritableVariable<u32>,
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
            max_particles: count(settings.max_particles).into(),
        }
    }
}

impl ScriptTrait for DebrisSettings {}

impl DebrisSettings {
    /// The settings with these rules in them; times that are none leave what was.
    pub(crate) fn applied_to(&self, settings: &Settings) -> Settings {
        let time = |own: f32, other: f32| if own >= 0.0 { own } else { other };
        Settings {
            max_pieces: *self.max_pieces as usize,
            max_triangles: u64::from(*self.max_triangles),
            settle_after: time(*self.settle_after, settings.settle_after),
            merge_after: time(*self.merge_after, settings.merge_after),
            max_particles: *self.max_particles as usize,
            ..settings.clone()
        }
    }
}
