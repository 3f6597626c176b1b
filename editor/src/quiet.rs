//! Fields with defaults from a parent that do not answer when they are only shown a value.
//!
//! The engine's editor of such fields passes on what its inner editor says, and on the way loses the
//! mark that it was told so by the model (a copied message starts anew). The inspector takes that for
//! an edit, and every undo becomes a new step. An "edit" to what the model already has is none, so
//! here it is dropped.

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
use std::{any::TypeId, collections::BTreeMap, fmt};

/// Widgets whose last value is remembered; when there are more, all are forgotten.
const REMEMBERED: usize = 4096;

/// The engine's editor of an inheritable field, kept from talking to itself.
struct Quiet<T: Reflect + FieldValue> {
    inner: InheritablePropertyEditorDefinition<T>,
    /// What each widget was last told.
    told: Mutex<BTreeMap<Handle<UiNode>, T>>,
}

/// Replaces the editor of inheritable fields of a type.
pub fn register<T>(editors: &PropertyEditorDefinitionContainer)
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
