//! The views of the preview in the window: one, or two side by side.

use super::{ids, widgets::tooltip};
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

/// Height of the views.
const HEIGHT: f32 = 300.0;
/// Between two views.
const GAP: f32 = 2.0;

/// The dark screen with the views.
pub struct Screen {
    /// Keeps its place when there is nothing to be seen.
    pub border: Handle<Border>,
    /// The object as it is tuned.
    pub frame: Handle<Image>,
    /// What it is compared with.
    pub other: Handle<Image>,
}

impl Screen {
    /// Builds it, dark.
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

    /// Gives half of the screen to the second view, or all of it to the first.
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
