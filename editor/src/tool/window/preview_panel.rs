//! The panel with the preview's viewports: one, or two side by side.

use crate::tool::ids;
use crate::tool::window::widgets::tooltip;
use fyrox::{
    core::{color::Color, pool::Handle},
    gui::{
        border::{Border, BorderBuilder},
        brush::Brush,
        grid::{Column, GridBuilder, Row},
        image::{Image, ImageBuilder},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, Thickness, UserInterface,
    },
};

/// Height of the viewports, pixels.
const HEIGHT: f32 = 300.0;
/// Gap between two viewports, pixels.
const GAP: f32 = 2.0;

/// The dark panel with the viewports.
pub struct PreviewPanel {
    /// The panel itself, shown also without a preview.
    pub border: Handle<Border>,
    /// The viewport of the object as it is.
    pub frame: Handle<Image>,
    /// The viewport of the variant.
    pub other: Handle<Image>,
}

impl PreviewPanel {
    /// Builds the dark panel.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let tip = "The object as the game would break it. Drag to turn, wheel to zoom, middle \
                   button to move, click to strike.";
        let frame = view(ctx, 0, tip);
        let tip = "What it is compared with: the same blow on the same object, with another seed \
                   or pattern.";
        let other = view(ctx, 1, tip);
        let grid = GridBuilder::new(
            WidgetBuilder::new().with_children([frame.to_base(), other.to_base()]),
        )
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
        Self {
            border,
            frame,
            other,
        }
    }

    /// Divides the panel between two viewports, or gives all of it to the first.
    pub fn divide(&self, ui: &UserInterface, divided: bool) {
        let all = ui[self.border].actual_local_size().x;
        let half = if divided { 0.5 * (all - GAP) } else { 0.0 };
        ui.send(self.other, WidgetMessage::Width(half));
    }
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
