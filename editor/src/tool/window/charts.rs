//! Charts of a break: the pieces by volume, and the main thread time against the frame budget.

use crate::preview::{label, Figures, Histogram, BARS, DECADES, FRAME_MS};
use crate::tool::ids;
use crate::tool::window::widgets::{progress, text, tooltip};
use fyrox::{
    core::{algebra::Vector2, color::Color, pool::Handle},
    gui::{
        border::{Border, BorderBuilder},
        brush::Brush,
        canvas::CanvasBuilder,
        progress_bar::{ProgressBar, ProgressBarMessage},
        stack_panel::StackPanelBuilder,
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, HorizontalAlignment, Thickness, UiNode, UserInterface,
    },
};

/// Height of the tallest bar of the histogram, pixels.
const HEIGHT: f32 = 48.0;
/// Width of all bars together, pixels.
const WIDTH: f32 = 330.0;
/// Room for the counts at the left and for half of the last volume below, pixels.
const SIDE: f32 = 32.0;
/// Room for the volumes below and above the bars, pixels.
const LINE: f32 = 14.0;
/// Width of a number, pixels.
const NUMBER: f32 = 60.0;
/// Font size of the numbers.
const SMALL: f32 = 11.0;

/// The charts.
pub struct Charts {
    /// The panel of all charts.
    pub panel: Handle<UiNode>,
    bars: Vec<Handle<Border>>,
    /// Volumes at the ticks below the bars.
    ticks: Vec<Handle<Text>>,
    /// The count of the tallest bar, and 0.
    counts: [Handle<Text>; 2],
    legend: Handle<Text>,
    time: Handle<ProgressBar>,
    share: Handle<Text>,
}

impl Charts {
    /// Builds empty charts.
    pub fn new(ctx: &mut BuildContext) -> Self {
        let bars: Vec<_> = (0..BARS).map(|_| bar(ctx, 0.0)).collect();
        let axis = bar(ctx, WIDTH);
        let ticks: Vec<_> = (0..=DECADES)
            .map(|_| number(ctx, HorizontalAlignment::Center, NUMBER))
            .collect();
        let counts = [0.0, HEIGHT].map(|y| {
            let count = number(ctx, HorizontalAlignment::Right, SIDE - 4.0);
            ctx[count].set_desired_local_position(Vector2::new(0.0, y));
            count
        });
        ctx[axis].set_desired_local_position(Vector2::new(SIDE, LINE + HEIGHT));
        let tip = tooltip(ctx, "How many fragments there are of each size, from the smallest on the left to the largest on the right. From one number to the next volumes grow ten times. What is left of the object is not counted, unless it is all there is.");
        let all = bars.iter().map(|bar| bar.to_base());
        let all = all.chain(ticks.iter().chain(&counts).map(|text| text.to_base()));
        let chart = CanvasBuilder::new(
            WidgetBuilder::new()
                .with_height(HEIGHT + 2.0 * LINE + 4.0)
                .with_background(Brush::Solid(Color::TRANSPARENT).into())
                .with_tooltip(tip)
                .with_children(all.chain([axis.to_base()])),
        )
        .build(ctx);
        let legend = text(ctx, ids::LEGEND, "");
        let share = text(ctx, ids::SHARE, "");
        let time = progress(
            ctx,
            &format!("Main-thread time of the break against a frame of {FRAME_MS} ms."),
        );
        let panel = StackPanelBuilder::new(WidgetBuilder::new().with_children([
            legend.to_base(),
            chart.to_base(),
            share.to_base(),
            time.to_base(),
        ]))
        .build(ctx)
        .to_base();
        Self {
            panel,
            bars,
            ticks,
            counts,
            legend,
            time,
            share,
        }
    }

    /// Shows the charts of figures, or none.
    pub fn show(&self, ui: &UserInterface, figures: Option<&Figures>) {
        ui.send_sync(self.panel, WidgetMessage::Visibility(figures.is_some()));
        let Some(figures) = figures else {
            return;
        };
        self.show_sizes(ui, &figures.histogram());
        let what = match (figures.fragments.len(), figures.islands.len()) {
            (0, _) => "Islands by volume:".to_owned(),
            (_, 0) => "Fragments by volume:".to_owned(),
            (_, islands) => format!("Fragments by volume, without {}:", the_islands(islands)),
        };
        ui.send_sync(self.legend, TextMessage::Text(what));
        let (share, ms) = (figures.frame_share(), figures.main_ms);
        let part = ProgressBarMessage::Progress(share.clamp(0.0, 1.0));
        ui.send_sync(self.time, part);
        let percent = share * 100.0;
        let text = format!("Main thread {ms:.2} ms: {percent:.0} % of a frame of {FRAME_MS} ms:");
        ui.send_sync(self.share, TextMessage::Text(text));
    }

    fn show_sizes(&self, ui: &UserInterface, sizes: &Histogram) {
        let most = sizes.bars.iter().copied().max().unwrap_or(0);
        let labels = [most, 0].map(|count| count.to_string());
        for (text, label) in self.counts.iter().zip(labels) {
            ui.send_sync(*text, TextMessage::Text(label));
        }
        let width = WIDTH / sizes.bars.len().max(1) as f32;
        for (k, bar) in self.bars.iter().enumerate() {
            let count = sizes.bars.get(k).copied();
            ui.send_sync(*bar, WidgetMessage::Visibility(count.is_some()));
            let height = HEIGHT * count.unwrap_or(0) as f32 / most.max(1) as f32;
            let place = Vector2::new(SIDE + width * k as f32 + 1.0, LINE + HEIGHT - height);
            ui.send_sync(*bar, WidgetMessage::Width(width - 2.0));
            ui.send_sync(*bar, WidgetMessage::Height(height));
            ui.send_sync(*bar, WidgetMessage::DesiredPosition(place));
        }
        let decade = WIDTH / sizes.ticks.len().saturating_sub(1).max(1) as f32;
        for (k, text) in self.ticks.iter().enumerate() {
            let name = sizes.ticks.get(k).map(|tick| label(*tick));
            let x = SIDE + decade * k as f32 - 0.5 * NUMBER;
            let place = Vector2::new(x, LINE + HEIGHT + 2.0);
            ui.send_sync(*text, TextMessage::Text(name.unwrap_or_default()));
            ui.send_sync(*text, WidgetMessage::DesiredPosition(place));
        }
    }
}

fn the_islands(count: usize) -> String {
    match count {
        1 => "the island".into(),
        many => format!("the {many} islands"),
    }
}

/// Makes a bar of the histogram, or the line below.
fn bar(ctx: &mut BuildContext, width: f32) -> Handle<Border> {
    BorderBuilder::new(
        WidgetBuilder::new()
            .with_width(width)
            .with_height(1.0)
            .with_background(Brush::Solid(Color::opaque(110, 160, 220)).into()),
    )
    .with_stroke_thickness(Thickness::zero().into())
    .build(ctx)
}

/// Makes a number beside the bars.
fn number(ctx: &mut BuildContext, align: HorizontalAlignment, width: f32) -> Handle<Text> {
    TextBuilder::new(WidgetBuilder::new().with_width(width).with_height(LINE))
        .with_horizontal_text_alignment(align)
        .with_font_size(SMALL.into())
        .build(ctx)
}
