//! How the fields of destructibles are edited in the inspector.

use crate::quiet;
use fracture::{Anchoring, CutMapping, FracturePattern};
use fyrox::{
    asset::{Resource, TypedResourceData},
    material::Material,
};
use fyroxed_base::{
    plugins::inspector::editors::resource::ResourceFieldPropertyEditorDefinition, Editor,
};

/// Makes the asset fields pickable: patterns, and optional materials, which the engine's own nodes
/// do not have.
pub fn register(editor: &Editor) {
    register_asset::<FracturePattern>(editor);
    register_asset::<Material>(editor);
    let editors = &editor.property_editors;
    quiet::register::<f32>(editors);
    quiet::register::<u32>(editors);
    quiet::register::<bool>(editors);
    quiet::register::<Anchoring>(editors);
    quiet::register::<CutMapping>(editors);
}

fn register_asset<T: TypedResourceData>(editor: &Editor) {
    let sender = editor.message_sender.clone();
    let editors = &editor.property_editors;
    editors.insert(ResourceFieldPropertyEditorDefinition::<T>::new(sender));
    quiet::register::<Option<Resource<T>>>(editors);
}
