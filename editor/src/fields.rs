//! How the fields of destructibles are edited in the inspector.

use fracture::FracturePattern;
use fyrox::{
    asset::{Resource, TypedResourceData},
    gui::inspector::editors::inherit::InheritablePropertyEditorDefinition,
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
}

fn register_asset<T: TypedResourceData>(editor: &Editor) {
    let sender = editor.message_sender.clone();
    let editors = &editor.property_editors;
    editors.insert(ResourceFieldPropertyEditorDefinition::<T>::new(sender));
    editors.insert(InheritablePropertyEditorDefinition::<Option<Resource<T>>>::new());
}
