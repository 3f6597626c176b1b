//! A panel that shows the fields of one object, as the inspector does.

use super::field_limits;
use fracture::PatternField;
use fyrox::{
    core::{pool::Handle, reflect::Reflect, uuid::Uuid},
    gui::{
        inspector::{
            editors::PropertyEditorDefinitionContainer, Inspector, InspectorBuilder,
            InspectorContext, InspectorContextArgs, InspectorEnvironment, InspectorMessage,
        },
        stack_panel::StackPanelBuilder,
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, UiNode, UserInterface,
    },
};
use std::sync::Arc;

/// A panel with the fields of one object.
pub struct InspectorPanel {
    pub panel: Handle<UiNode>,
    /// The inspector inside.
    pub inspector: Handle<Inspector>,
    filled: bool,
}

/// The property editors and their environment.
pub struct Editors {
    pub definitions: Arc<PropertyEditorDefinitionContainer>,
    pub environment: Arc<dyn InspectorEnvironment>,
}

impl InspectorPanel {
    pub fn new(ctx: &mut BuildContext, id: Uuid) -> Self {
        let inspector = InspectorBuilder::new(WidgetBuilder::new().with_id(id)).build(ctx);
        let panel = StackPanelBuilder::new(
            WidgetBuilder::new()
                .with_visibility(false)
                .with_child(inspector),
        )
        .build(ctx)
        .to_base();
        Self {
            panel,
            inspector,
            filled: false,
        }
    }

    /// Whether the fields have not been built yet, which takes the longest of all.
    pub fn is_new(&self) -> bool {
        !self.filled
    }

    /// Shows an object. Fields that are shown already are updated in place, so that the focus stays. Of
    /// a pattern only the fields of its kind are shown, with limits that follow the other fields.
    pub fn show(
        &mut self,
        ui: &mut UserInterface,
        object: Option<&dyn Reflect>,
        fields: Option<&[PatternField]>,
        editors: &Editors,
    ) {
        ui.send_sync(self.panel, WidgetMessage::Visibility(object.is_some()));
        let Some(object) = object else {
            return;
        };
        if self.filled {
            let context = ui[self.inspector].context().clone();
            if let Some(fields) = fields {
                field_limits::apply(ui, &context.entries, fields, object);
            }
            let synced = context.sync(object, ui, 0, true, Default::default(), Default::default());
            if synced.is_ok() {
                return;
            }
        }
        let context = InspectorContext::from_object(InspectorContextArgs {
            object,
            ctx: &mut ui.build_ctx(),
            definition_container: editors.definitions.clone(),
            environment: Some(editors.environment.clone()),
            layer_index: 0,
            generate_property_string_values: true,
            filter: Default::default(),
            name_column_width: 150.0,
            base_path: Default::default(),
            has_parent_object: false,
        });
        if let Some(fields) = fields {
            field_limits::apply(ui, &context.entries, fields, object);
        }
        ui.send(self.inspector, InspectorMessage::Context(context));
        self.filled = true;
    }
}
