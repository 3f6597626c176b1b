//! Property editors of the inspector for the fields of destructibles.
//!
//! The engine's editor of an inheritable field forwards the messages of its inner editor and loses, on
//! the way, the mark that the value came from the model. The inspector takes that for an edit, and every
//! undo becomes a new command. Here an "edit" to the value that the model already has is dropped.

use fracture::{Anchoring, CutMapping, FracturePattern, MaterialCard, WeaknessMapping};
use fyrox::{
    asset::{Resource, TypedResourceData},
    material::Material,
    resource::texture::TextureResource,
};
use fyrox::{
    core::{
        parking_lot::Mutex,
        pool::Handle,
        reflect::{FieldValue, Reflect},
        variable::InheritableVariable,
    },
    gui::{
        inspector::{
            editors::{
                inherit::InheritablePropertyEditorDefinition, PropertyEditorBuildContext,
                PropertyEditorDefinition, PropertyEditorDefinitionContainer,
                PropertyEditorInstance, PropertyEditorMessageContext,
                PropertyEditorTranslationContext,
            },
            FieldAction, InspectorError, PropertyChanged,
        },
        message::UiMessage,
        UiNode,
    },
};
use fyroxed_base::{
    plugins::inspector::editors::resource::ResourceFieldPropertyEditorDefinition, Editor,
};
use std::{any::TypeId, collections::BTreeMap, fmt};

/// Registers editors for asset fields (patterns and optional materials, which the engine's own nodes do
/// not have) and replaces the editors of inheritable fields.
pub fn register(editor: &Editor) {
    register_asset::<FracturePattern>(editor);
    register_asset::<MaterialCard>(editor);
    register_asset::<Material>(editor);
    let editors = &editor.property_editors;
    register_quiet::<f32>(editors);
    register_quiet::<f64>(editors);
    register_quiet::<u32>(editors);
    register_quiet::<bool>(editors);
    register_quiet::<Anchoring>(editors);
    register_quiet::<CutMapping>(editors);
    register_quiet::<WeaknessMapping>(editors);
    register_quiet::<Option<TextureResource>>(editors);
}

fn register_asset<T: TypedResourceData>(editor: &Editor) {
    let sender = editor.message_sender.clone();
    let editors = &editor.property_editors;
    editors.insert(ResourceFieldPropertyEditorDefinition::<T>::new(sender));
    register_quiet::<Option<Resource<T>>>(editors);
}

/// Most widgets whose last value is remembered; beyond that number all are forgotten.
const REMEMBERED: usize = 4096;

/// The engine's editor of an inheritable field, without the echo of values that come from the model.
struct Quiet<T: Reflect + FieldValue> {
    inner: InheritablePropertyEditorDefinition<T>,
    /// The value that each widget was last given by the model.
    told: Mutex<BTreeMap<Handle<UiNode>, T>>,
}

/// Replaces the editor of inheritable fields of a type by one without echo.
fn register_quiet<T>(editors: &PropertyEditorDefinitionContainer)
where
    T: Reflect + FieldValue + Clone + PartialEq + Send,
{
    editors.insert(Quiet::<T> {
        inner: InheritablePropertyEditorDefinition::new(),
        told: Default::default(),
    });
}

impl<T: Reflect + FieldValue> fmt::Debug for Quiet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Quiet")
    }
}

impl<T> PropertyEditorDefinition for Quiet<T>
where
    T: Reflect + FieldValue + Clone + PartialEq + Send,
{
    fn value_type_id(&self) -> TypeId {
        self.inner.value_type_id()
    }

    fn create_instance(
        &self,
        ctx: PropertyEditorBuildContext,
    ) -> Result<PropertyEditorInstance, InspectorError> {
        self.inner.create_instance(ctx)
    }

    fn create_message(
        &self,
        ctx: PropertyEditorMessageContext,
    ) -> Result<Option<UiMessage>, InspectorError> {
        let value = ctx
            .property_info
            .cast_value::<InheritableVariable<T>>()?
            .get_value_ref()
            .clone();
        let mut told = self.told.lock();
        if told.len() >= REMEMBERED {
            told.clear();
        }
        told.insert(ctx.instance, value);
        drop(told);
        self.inner.create_message(ctx)
    }

    fn translate_message(&self, ctx: PropertyEditorTranslationContext) -> Option<PropertyChanged> {
        let widget = ctx.message.destination();
        let change = self.inner.translate_message(ctx)?;
        let told = self.told.lock();
        let known = told.get(&widget);
        (!known.is_some_and(|known| is_change_to(&change, known))).then_some(change)
    }
}

fn is_change_to<T: PartialEq + 'static>(change: &PropertyChanged, known: &T) -> bool {
    let FieldAction::ObjectAction(value) = &change.action else {
        return false;
    };
    let mut same = false;
    value.cast_value::<T>(&mut |value| same = value == Some(known));
    same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_to_the_known_value_is_none() {
        let change = |value: f32| PropertyChanged {
            name: "density".into(),
            action: FieldAction::object(value),
        };
        assert!(is_change_to(&change(2.5), &2.5f32));
        assert!(!is_change_to(&change(2.5), &2.0f32));
        assert!(!is_change_to(&change(2.5), &2u32));
    }
}
