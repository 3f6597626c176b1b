//! The area around the viewports. It decides whether the wheel zooms in them or scrolls the panel they are in.

use fyrox::{
    core::{pool::Handle, reflect::prelude::*, type_traits::prelude::*, visitor::prelude::*},
    gui::{
        define_widget_deref,
        message::UiMessage,
        widget::{Widget, WidgetBuilder, WidgetMessage},
        BuildContext, Control, UiNode, UserInterface,
    },
};

/// Takes the wheel from the panel while the cursor is over a viewport that has been clicked or dragged since it
/// came there, and while Ctrl is held. So one can scroll past the viewports.
#[derive(Clone, Debug, Default, Visit, Reflect, ComponentProvider, TypeUuidProvider)]
#[type_uuid(id = "7c1d5c0e-7f0b-4d59-9a39-3f3c2a6a0b42")]
#[reflect(derived_type = "UiNode")]
pub struct WheelArea {
    widget: Widget,
    is_used: bool,
}

define_widget_deref!(WheelArea);

impl WheelArea {
    /// Makes the area around what the builder has as children.
    pub fn build(builder: WidgetBuilder, ctx: &mut BuildContext) -> Handle<Self> {
        ctx.add(Self {
            widget: builder.build(ctx),
            is_used: false,
        })
    }

    /// Whether the wheel zooms.
    pub fn takes_wheel(&self, ui: &UserInterface) -> bool {
        self.is_used || ui.keyboard_modifiers().control
    }
}

impl Control for WheelArea {
    fn handle_routed_message(&mut self, ui: &mut UserInterface, message: &mut UiMessage) {
        self.widget.handle_routed_message(ui, message);
        match message.data::<WidgetMessage>() {
            Some(WidgetMessage::MouseDown { .. }) => self.is_used = true,
            Some(WidgetMessage::MouseLeave) => {
                self.is_used &= self.screen_bounds().contains(ui.cursor_position());
            }
            // A message that is handled does not scroll the panel.
            Some(WidgetMessage::MouseWheel { .. }) if self.takes_wheel(ui) => {
                message.set_handled(true);
            }
            _ => {}
        }
    }
}
