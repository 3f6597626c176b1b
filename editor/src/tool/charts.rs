//! Figures as small charts: pieces by size, time against the frame.

use super::{
    ids,
    widgets::{progress, text, tooltip},
};
use crate::preview::{volume, Figures, BARS, FRAME_MS};
use fyrox::{
    core::{color::Color, pool::Handle},
    gui::{
        border::{Border, BorderBuilder},
        brush::Brush,
        progress_bar::{ProgressBar, ProgressBarMessage},
        stack_panel::StackPanelBuilder,
        text::{Text, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, Orientation, Thickness, UiNode, UserInterface, VerticalAlignment,
    },
};

/// Height of the tallest bar of the histogram.
const HEIGHT: f32 = 40.0;

/// The charts.
pub struct Charts {
    /// All of them.
    pub panel: Handle<UiNode>,
    bars: Vec<Handle<Border>>,
    legend: Handle<Text>,
    time: Handle<ProgressBar>,
    share: Handle<Text>,
}

impl Charts {
    /// Builds them, empty.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let bars: Vec<_> = (0..BARS).map(|_| bar(ctx)).collect();
        let tip = tooltip(ctx, "How many pieces there are of each size, from the smallest on the left to the largest on the right, in equal steps of the logarithm of the volume.");
        let chart = StackPanelBuilder::new(
            WidgetBuilder::new()
                .with_height(HEIGHT + 6.0)
                .with_tooltip(tip)
                .with_children(bars.iter().map(|bar| bar.to_base())),
        )
        .with_orientation(Orientation::Horizontal)
        .build(ctx);
        let legend = text(ctx, ids::LEGEND, "");
        let share = text(ctx, ids::SHARE, "");
        let time = progress(
            ctx,
            &format!("Main-thread time of the break against a frame of {FRAME_MS} ms."),
        );
        let panel = StackPanelBuilder::new(WidgetBuilder::new().with_children([
            chart.to_base(),
            legend.to_base(),
            time.to_base(),
            share.to_base(),
        ]))
        .build(ctx)
        .to_base();
        Self {
            panel,
            bars,
            legend,
            time,
            share,
        }
    }

    /// Shows figures.
    pub fn show(&self, ui: &UserInterface, figures: Option<&Figures>) {
        let counts = figures.map_or([0; BARS], Figures::histogram);
        let most = counts.iter().copied().max().unwrap_or(0).max(1) as f32;
        for (bar, count) in self.bars.iter().zip(counts) {
            let height = 1.0 + HEIGHT * count as f32 / most;
            ui.send_sync(*bar, WidgetMessage::Height(height));
        }
        let share = figures.map_or(0.0, Figures::frame_share);
        ui.send_sync(
            self.time,
            ProgressBarMessage::Progress(share.clamp(0.0, 1.0)),
        );
        let legend = figures.map(|figures| {
            let ends = [figures.volumes.first(), figures.volumes.last()];
            let [low, high] = ends.map(|end| volume(end.copied().unwrap_or(0.0)));
            format!("Pieces by size, {low} to {high}; tallest bar: {most}.")
        });
        ui.send_sync(self.legend, TextMessage::Text(legend.unwrap_or_default()));
        let share = figures.map(|figures| {
            let (percent, ms) = (share * 100.0, figures.main_ms);
            format!("Main thread {ms:.2} ms: {percent:.0} % of a frame of {FRAME_MS} ms.")
        });
        ui.send_sync(self.share, TextMessage::Text(share.unwrap_or_default()));
    }
}

/// A bar of the histogram.
fn bar(ctx: &mut BuildContext) -> Handle<Border> {
    BorderBuilder::new(
        WidgetBuilder::new()
            .with_width(28.0)
            .with_height(1.0)
            .with_margin(Thickness::uniform(1.0))
            .with_vertical_alignment(VerticalAlignment::Bottom)
            .with_background(Brush::Solid(Color::opaque(110, 160, 220)).into()),
    )
    .build(ctx)
}
