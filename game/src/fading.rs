//! How pieces leave the scene: a choice an artist makes.

use fyrox::core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*};
use strum_macros::{AsRefStr, EnumString, VariantNames};

/// How a piece leaves the scene when its time has come, or when there are too many. Physically it is
/// gone from the start.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Visit,
    Reflect,
    AsRefStr,
    EnumString,
    VariantNames,
    TypeUuidProvider,
)]
#[type_uuid(id = "5d0f7c52-2f9f-4a4e-9b0e-6a5f2f7f8d31")]
pub enum Fading {
    /// From one frame to the next.
    Vanish,
    /// It becomes smaller and smaller.
    #[default]
    Shrink,
    /// It goes down into the ground by its own height.
    Sink,
    /// It falls to dust: particles take its place, from the outside in.
    Dissolve,
}
