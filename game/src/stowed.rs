//! What the engine's own saving takes along of a scene in the middle of destruction.

use fyrox::{
    core::{pool::Handle, reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*},
    scene::node::Node,
    script::ScriptTrait,
};

/// What has become of a scene's objects, in the scene itself.
///
/// [`Destruction::stow`](crate::Destruction::stow) adds a node that carries it before a scene is saved;
/// the first update of the loaded scene acts on it and takes it away.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "0a4a7a52-53a5-4b64-8ab3-7c3a8d5f1e26")]
#[visit(optional)]
pub struct Stowed {
    /// As [`Destruction::save`](crate::Destruction::save) gives it.
    #[reflect(hidden)]
    pub save: Vec<u8>,
    /// The meshes of objects that are broken, which are not drawn any more.
    #[reflect(hidden)]
    pub hidden: Vec<Handle<Node>>,
    /// The bodies and colliders of broken objects that physics knows no more.
    #[reflect(hidden)]
    pub disabled: Vec<Handle<Node>>,
}

impl ScriptTrait for Stowed {}
