//! What is written over the picture: numbers, a graph of frame times, the tool in hand, and keys.

use super::{graph::Graph, menu::Menu, panel::Panel};
use fracture::Statistics;
use fyrox::{
    core::pool::Handle,
    core::{algebra::Vector2, color::Color},
    gui::{
        brush::Brush,
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        UserInterface,
    },
    plugin::PluginContext,
};
use std::time::Instant;

/// What one can do.
const KEYS: [&str; 3] = [
    "Tab: menu   2 shoot  3 bomb  4 hammer (hold)  5 blade (drag)  6 push (hold)   wheel: radius of the bomb   B: bomb",
    "R: reset   T: last hit again, other seed   Space: pause   . : single step   , : slow motion   G supports   H cells   F1 numbers",
    "W A S D or arrows: fly   Q E: down, up   right mouse or C: look   1 W A S D: push a cube, where there are cubes",
];
const LOADING: &str = "loading ...";
/// Frames between two changes of the text.
const EVERY: u32 = 6;

/// What is to be shown.
#[derive(Debug, Default)]
pub struct Shown<'a> {
    /// Of the destruction.
    pub statistics: Option<Statistics>,
    /// Whether the scene is being loaded.
    pub loading: bool,
    /// Whether it is recorded.
    pub recording: bool,
    /// The tool in hand, and time.
    pub tool: &'a str,
}

/// Everything over the picture.
#[derive(Default, Debug)]
pub struct Hud {
    ui: Handle<UserInterface>,
    numbers: Handle<Text>,
    tool: Handle<Text>,
    keys: Vec<Handle<Text>>,
    panel: Panel,
    graph: Graph,
    frame: u32,
    longest: f32,
    pictures: u32,
    since: Option<Instant>,
    per_second: f32,
    complaint: Option<String>,
    /// Whether numbers are shown.
    shown: Option<bool>,
}

impl Hud {
    /// Puts the text on the screen.
    pub fn build(&mut self, ctx: &mut PluginContext) {
        let mut ui = UserInterface::new(Vector2::new(1024.0, 576.0));
        self.numbers = line(&mut ui, LOADING, 16.0, 10.0);
        self.tool = line(&mut ui, "", 15.0, 34.0);
        let keys = KEYS.iter().zip([58.0, 76.0, 94.0]);
        self.keys = keys
            .map(|(keys, top)| line(&mut ui, keys, 13.0, top))
            .collect();
        self.graph = Graph::build(&mut ui);
        self.panel = Panel::build(&mut ui);
        self.ui = ctx.user_interfaces.add(ui);
    }

    /// A picture is about to be drawn.
    pub fn on_picture(&mut self) {
        self.pictures += 1;
        let now = Instant::now();
        let passed = now - *self.since.get_or_insert(now);
        if passed.as_secs_f32() >= 1.0 {
            self.per_second = self.pictures as f32 / passed.as_secs_f32();
            (self.pictures, self.since) = (0, Some(now));
        }
        self.graph.on_picture(now, self.longest);
    }

    /// Says what went wrong instead.
    pub fn complain(&mut self, what: String) {
        self.complaint = Some(what);
    }

    /// A scene that opens has nothing to do with what went wrong before.
    pub fn forget_complaint(&mut self) {
        self.complaint = None;
    }

    /// The menu on the screen.
    pub fn panel(&self) -> &Panel {
        &self.panel
    }

    /// Where everything is drawn.
    pub fn ui(&self) -> Handle<UserInterface> {
        self.ui
    }

    /// Shows what is now.
    pub fn update(&mut self, ctx: &mut PluginContext, shown: Shown, menu: &Menu) {
        let now = shown.statistics.as_ref().map_or(0.0, |s| s.main_ms);
        self.longest = self.longest.max(now);
        self.frame += 1;
        let Ok(ui) = ctx.user_interfaces.try_get_mut(self.ui) else {
            return;
        };
        self.panel.update(ui, menu);
        self.show_numbers(ui, menu.switches.overlay && !menu.is_open());
        if !self.frame.is_multiple_of(EVERY) {
            return;
        }
        let line = match (&self.complaint, shown.statistics, shown.loading) {
            (Some(complaint), ..) => complaint.clone(),
            (None, Some(statistics), false) => {
                let recording = if shown.recording { "recording   " } else { "" };
                format!("{recording}{}", self.numbers(&statistics))
            }
            _ => LOADING.to_owned(),
        };
        self.longest = 0.0;
        ui.send(self.numbers, TextMessage::Text(line));
        ui.send(self.tool, TextMessage::Text(shown.tool.to_owned()));
        self.graph.draw();
    }

    /// Shows or hides everything but complaints and the menu.
    fn show_numbers(&mut self, ui: &UserInterface, show: bool) {
        let numbers = show || (self.complaint.is_some() && self.shown == Some(false));
        if self.shown == Some(show) {
            return;
        }
        self.shown = Some(show);
        ui.send(self.numbers, WidgetMessage::Visibility(numbers));
        for text in self.keys.iter().chain([&self.tool]) {
            ui.send(*text, WidgetMessage::Visibility(show));
        }
        self.graph.show(ui, show);
    }

    fn numbers(&self, statistics: &Statistics) -> String {
        let pieces = statistics.fragments + statistics.islands;
        format!(
            "pieces {pieces}   asleep {}   islands {}   queue {}   worker {:.1} ms   main thread {:.2} ms   {:.0} pictures/s",
            pieces.saturating_sub(statistics.awake),
            statistics.islands,
            statistics.jobs_pending,
            statistics.worker_ms,
            self.longest,
            self.per_second,
        )
    }
}

/// A line of text at the left, `top` pixels down.
fn line(ui: &mut UserInterface, text: &str, size: f32, top: f32) -> Handle<Text> {
    let look = WidgetBuilder::new()
        .with_desired_position(Vector2::new(12.0, top))
        .with_hit_test_visibility(false)
        .with_foreground(Brush::Solid(Color::WHITE).into());
    TextBuilder::new(look)
        .with_text(text)
        .with_font_size(size.into())
        .with_shadow(true)
        .with_shadow_brush(Brush::Solid(Color::from_rgba(0, 0, 0, 200)))
        .with_shadow_offset(Vector2::new(1.0, 1.0))
        .with_shadow_dilation(0.0)
        .build(&mut ui.build_ctx())
}
