//! The script that makes a collider hold what it meets.

use fyrox::{
    core::{reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*},
    script::ScriptTrait,
};

/// Makes the collider of its node an anchor: a destructible whose Anchoring is Touching is held where its surface is
/// inside the collider, or touches it.
///
/// Put the script on a collider node anywhere in the scene: below the object, below another node, or by itself. It
/// needs no rigid body; below one, tick Is Sensor, so that nothing collides with it. The collider has the size of its
/// shape, whatever the scale of the node, as in the engine; of a mesh the convex hull counts. It can be moved, disabled
/// and removed while the game runs: what it held is looked at again.
#[derive(Visit, Reflect, Default, Debug, Clone, PartialEq, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "7d0e5b1c-2a6f-4f0e-9b7a-61c3c5a90f42")]
#[visit(optional)]
pub struct Anchor {}

impl ScriptTrait for Anchor {}
