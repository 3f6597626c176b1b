//! Small widgets, all with a tooltip.

use fyrox::{
    core::{algebra::Vector2, color::Color, pool::Handle, uuid::Uuid},
    gui::{
        brush::Brush,
        button::{Button, ButtonBuilder},
        check_box::{CheckBox, CheckBoxBuilder},
        dropdown_list::{DropdownList, DropdownListBuilder, DropdownListMessage},
        grid::{Column, GridBuilder, Row},
        numeric::{NumericUpDown, NumericUpDownBuilder},
        progress_bar::{ProgressBar, ProgressBarBuilder},
        scroll_bar::{ScrollBar, ScrollBarBuilder},
        stack_panel::StackPanelBuilder,
        text::{Text, TextBuilder},
        utils::{make_dropdown_list_option, make_simple_tooltip},
        widget::WidgetBuilder,
        wrap_panel::WrapPanelBuilder,
        BuildContext, HorizontalAlignment, Orientation, RcUiNodeHandle, Thickness, UiNode,
        UserInterface, VerticalAlignment,
    },
};
use fyroxed_base::fyrox::gui::formatted_text::WrapMode;

/// Makes a tooltip, which breaks into lines by itself.
pub fn tooltip(ctx: &mut BuildContext, tip: &str) -> RcUiNodeHandle {
    make_simple_tooltip(ctx, tip)
}

fn base(ctx: &mut BuildContext, id: Uuid, tip: &str) -> WidgetBuilder {
    let tip = tooltip(ctx, tip);
    WidgetBuilder::new()
        .with_id(id)
        .with_margin(Thickness::uniform(2.0))
        .with_tooltip(tip)
}

/// Makes a button as wide as its label.
pub fn button(ctx: &mut BuildContext, id: Uuid, label: &str, tip: &str) -> Handle<Button> {
    let width = 18.0 + 7.5 * label.len() as f32;
    let base = base(ctx, id, tip).with_height(24.0).with_width(width);
    ButtonBuilder::new(base).with_text(label).build(ctx)
}

/// Makes a box that can be ticked, with its label.
pub fn tick(ctx: &mut BuildContext, id: Uuid, name: &str, tip: &str) -> Handle<CheckBox> {
    // Only the box and its label react to clicks.
    let base = base(ctx, id, tip).with_horizontal_alignment(HorizontalAlignment::Left);
    let content = label(ctx, name);
    CheckBoxBuilder::new(base)
        .with_content(content)
        .checked(Some(true))
        .build(ctx)
}

/// Makes a field for a non-negative number.
pub fn number(
    ctx: &mut BuildContext,
    id: Uuid,
    value: f32,
    tip: &str,
) -> Handle<NumericUpDown<f32>> {
    let base = base(ctx, id, tip).with_height(24.0).with_width(120.0);
    NumericUpDownBuilder::new(base)
        .with_min_value(0.0)
        .with_max_value(1e9)
        .with_step(100.0)
        .with_precision(0)
        .with_value(value)
        .build(ctx)
}

/// Makes a field for a seed: a non-negative whole number.
pub fn seed(ctx: &mut BuildContext, id: Uuid, value: u16, tip: &str) -> Handle<NumericUpDown<f32>> {
    let base = base(ctx, id, tip).with_height(24.0).with_width(90.0);
    NumericUpDownBuilder::new(base)
        .with_min_value(0.0)
        .with_max_value(65535.0)
        .with_step(1.0)
        .with_precision(0)
        .with_value(f32::from(value))
        .build(ctx)
}

/// Makes a slider from 0 to 1.
pub fn slider(ctx: &mut BuildContext, id: Uuid, value: f32, tip: &str) -> Handle<ScrollBar> {
    let base = base(ctx, id, tip).with_height(24.0);
    ScrollBarBuilder::new(base)
        .with_min(0.0)
        .with_max(1.0)
        .with_step(0.05)
        .with_value(value)
        .build(ctx)
}

/// Gives a list other entries, and chooses one.
pub fn fill(
    ui: &mut UserInterface,
    list: Handle<DropdownList>,
    names: &[String],
    chosen: Option<usize>,
) {
    let ctx = &mut ui.build_ctx();
    let items = names.iter().map(|name| option(ctx, name)).collect();
    ui.send_sync(list, DropdownListMessage::Items(items));
    ui.send_sync(list, DropdownListMessage::Selection(chosen));
}

/// Makes an entry of a list.
pub fn option(ctx: &mut BuildContext, name: &str) -> Handle<UiNode> {
    make_dropdown_list_option(ctx, name)
}

/// Makes a drop-down list with the first name chosen.
pub fn list(ctx: &mut BuildContext, id: Uuid, names: &[&str], tip: &str) -> Handle<DropdownList> {
    let items = names.iter().map(|name| option(ctx, name)).collect();
    let base = base(ctx, id, tip)
        .with_height(24.0)
        .with_min_size(Vector2::new(150.0, 24.0));
    DropdownListBuilder::new(base)
        .with_items(items)
        .with_selected(0)
        .with_close_on_selection(true)
        .build(ctx)
}

/// Makes a text that wraps.
pub fn text(ctx: &mut BuildContext, id: Uuid, content: &str) -> Handle<Text> {
    TextBuilder::new(
        WidgetBuilder::new()
            .with_id(id)
            .with_margin(Thickness::uniform(4.0)),
    )
    .with_wrap(WrapMode::Word)
    .with_text(content)
    .build(ctx)
}

/// Makes a text that wraps, with a least height, so that the widgets below stay in place.
pub fn tall_text(ctx: &mut BuildContext, id: Uuid, height: f32) -> Handle<Text> {
    TextBuilder::new(
        WidgetBuilder::new()
            .with_id(id)
            .with_min_size(Vector2::new(0.0, height))
            .with_margin(Thickness::uniform(4.0)),
    )
    .with_wrap(WrapMode::Word)
    .build(ctx)
}

/// Makes the title of a section.
pub fn heading(ctx: &mut BuildContext, name: &str) -> Handle<UiNode> {
    TextBuilder::new(
        WidgetBuilder::new()
            .with_foreground(Brush::Solid(Color::opaque(230, 170, 90)).into())
            .with_margin(Thickness {
                left: 2.0,
                top: 10.0,
                right: 2.0,
                bottom: 2.0,
            }),
    )
    .with_text(name)
    .build(ctx)
    .to_base()
}

/// Makes a progress bar from 0 to 1.
pub fn progress(ctx: &mut BuildContext, tip: &str) -> Handle<ProgressBar> {
    let tip = tooltip(ctx, tip);
    ProgressBarBuilder::new(
        WidgetBuilder::new()
            .with_height(12.0)
            .with_margin(Thickness::uniform(2.0))
            .with_tooltip(tip),
    )
    .build(ctx)
}

/// Lays out widgets side by side.
pub fn row(ctx: &mut BuildContext, widgets: &[Handle<UiNode>]) -> Handle<UiNode> {
    StackPanelBuilder::new(
        WidgetBuilder::new()
            .with_horizontal_alignment(HorizontalAlignment::Left)
            .with_children(widgets.iter().copied()),
    )
    .with_orientation(Orientation::Horizontal)
    .build(ctx)
    .to_base()
}

/// Width of the labels before widgets, pixels.
const NAME_WIDTH: f32 = 105.0;

/// Lays out a label and a widget that fills the rest of the width.
pub fn named(ctx: &mut BuildContext, name: &str, widget: Handle<UiNode>) -> Handle<UiNode> {
    let name = label(ctx, name);
    ctx[widget].set_column(1);
    GridBuilder::new(WidgetBuilder::new().with_children([name, widget]))
        .add_row(Row::auto())
        .add_column(Column::strict(NAME_WIDTH))
        .add_column(Column::stretch())
        .build(ctx)
        .to_base()
}

/// Makes a label before a widget.
pub fn label(ctx: &mut BuildContext, name: &str) -> Handle<UiNode> {
    TextBuilder::new(WidgetBuilder::new().with_margin(Thickness::uniform(4.0)))
        .with_vertical_text_alignment(VerticalAlignment::Center)
        .with_text(name)
        .build(ctx)
        .to_base()
}

/// Lays out buttons side by side, in as many lines as needed.
pub fn wrap(ctx: &mut BuildContext, buttons: &[Handle<Button>]) -> Handle<UiNode> {
    WrapPanelBuilder::new(
        WidgetBuilder::new().with_children(buttons.iter().map(|button| button.to_base())),
    )
    .with_orientation(Orientation::Horizontal)
    .build(ctx)
    .to_base()
}
