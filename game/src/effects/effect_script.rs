//! A script with figures of effects.

use crate::script::figures::FigureError;
use fyrox::script::ScriptTrait;

/// A script that is looked for in a scene.
pub(super) trait EffectScript: ScriptTrait + Clone {
    /// Gives figures that make no sense the values of a new script. Returns what has been replaced.
    fn mend(&mut self) -> Vec<FigureError>;
}
