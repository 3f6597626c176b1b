//! The panel with the preview's viewports: one, or two side by side.

use crate::tool::ids;
use crate::tool::view::wheel_area::WheelArea;
use crate::tool::window::widgets::tooltip;
use fyrox::{
    core::{color::Color, pool::Handle},
    gui::{
        border::{Border, BorderBuilder},
        brush::Brush,
        formatted_text::WrapMode,
        grid::{Column, GridBuilder, Row},
        image::{Image, ImageBuilder},
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, HorizontalAlignment, Thickness, UserInterface, VerticalAlignment,
    },
};

/// Height of the viewports, pixels.
const HEIGHT: f32 = 300.0;
/// Gap between two viewports, pixels.
const GAP: f32 = 2.0;

/// The dark panel with the viewports.
pub struct PreviewPanel {
    /// The panel, shown also without a preview.
    pub area: Handle<WheelArea>,
    border: Handle<Border>,
    /// The viewport of the object as it is.
    pub frame: Handle<Image>,
    /// The viewport of the variant.
    pub other: Handle<Image>,
    /// The text over the viewports about the work under way, and the box around it.
    notice: Handle<Text>,
    notice_box: Handle<Border>,
}

impl PreviewPanel {
    /// Builds the dark panel.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let tip = "The object as the game would break it. Drag to turn, middle button to move, click \
                   to strike; then the wheel zooms, and with Ctrl it always does. Fit View shows the \
                   whole object again.";
        let frame = view(ctx, 0, tip);
        let tip = "What it is compared with: the same blow on the same object, with another seed \
                   or pattern.";
        let other = view(ctx, 1, tip);
        let (notice, notice_box) = notice(ctx);
        let all = [frame.to_base(), other.to_base(), notice_box.to_base()];
        let grid = GridBuilder::new(WidgetBuilder::new().with_children(all))
            .add_row(Row::stretch())
            .add_column(Column::stretch())
            .add_column(Column::auto())
            .build(ctx);
        let border = BorderBuilder::new(
            WidgetBuilder::new()
                .with_height(HEIGHT)
                .with_margin(Thickness::uniform(2.0))
                .with_background(Brush::Solid(Color::opaque(30, 30, 34)).into())
                .with_child(grid),
        )
        .build(ctx);
        let area = WheelArea::build(WidgetBuilder::new().with_child(border), ctx);
        Self {
            area,
            border,
            frame,
            other,
            notice,
            notice_box,
        }
    }

    /// Shows what is being done, or nothing.
    pub fn set_notice(&self, ui: &UserInterface, text: &str) {
        ui.send_sync(self.notice, TextMessage::Text(text.into()));
        ui.send_sync(self.notice_box, WidgetMessage::Visibility(!text.is_empty()));
    }

    /// Divides the panel between two viewports, or gives all of it to the first.
    pub fn divide(&self, ui: &UserInterface, divided: bool) {
        let all = ui[self.border].actual_local_size().x;
        let half = if divided { 0.5 * (all - GAP) } else { 0.0 };
        ui.send(self.other, WidgetMessage::Width(half));
    }
}

/// Makes the text over the viewports, and a dark box around it, which let the mouse through.
fn notice(ctx: &mut BuildContext) -> (Handle<Text>, Handle<Border>) {
    let text = TextBuilder::new(
        WidgetBuilder::new()
            .with_id(ids::NOTICE)
            .with_hit_test_visibility(false)
            .with_margin(Thickness::uniform(6.0)),
    )
    .with_wrap(WrapMode::Word)
    .build(ctx);
    let dark = BorderBuilder::new(
        WidgetBuilder::new()
            .with_visibility(false)
            .with_hit_test_visibility(false)
            .with_horizontal_alignment(HorizontalAlignment::Left)
            .with_vertical_alignment(VerticalAlignment::Top)
            .with_background(Brush::Solid(Color::from_rgba(30, 30, 34, 200)).into())
            .with_child(text),
    )
    .build(ctx);
    (text, dark)
}

fn view(ctx: &mut BuildContext, column: usize, tip: &str) -> Handle<Image> {
    let tip = tooltip(ctx, tip);
    let id = [ids::FRAME, ids::OTHER_FRAME][column.min(1)];
    let margin = Thickness {
        left: if column == 0 { 0.0 } else { GAP },
        ..Thickness::zero()
    };
    ImageBuilder::new(
        WidgetBuilder::new()
            .with_id(id)
            .on_column(column)
            .with_margin(margin)
            .with_visibility(false)
            .with_tooltip(tip),
    )
    .with_flip(true)
    .build(ctx)
}
