//! The heads-up display: numbers, the graph of frame times, the current tool, and keys.

use crate::demo::overlay::frame_graph::FrameGraph;
use crate::demo::overlay::menu::Menu;
use crate::demo::overlay::menu_panel::MenuPanel;
use fracture::Statistics;
use fyrox::core::instant::Instant;
use fyrox::{
    core::pool::Handle,
    core::{algebra::Vector2, color::Color},
    gui::{
        border::BorderBuilder,
        brush::Brush,
        formatted_text::WrapMode,
        stack_panel::StackPanelBuilder,
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, Thickness, UiNode, UserInterface,
    },
    plugin::PluginContext,
};

/// Short list of keys.
const KEYS: [&str; 6] = [
    "left mouse   2 shoot   3 bomb (wheel)   4 hammer   5 blade   6 push",
    "right mouse or C look   arrows, W A S D fly   Q E down, up",
    "Space pause   . step   , slow motion   B bomb",
    "R reset   T the last hit with another seed",
    "V what holds what   G supports, damage   H cells   F1 hide this   Tab menu",
    "1 W A S D push a cube, where there are cubes",
];
const LOADING: &str = "loading ...";
const BACK: Color = Color::from_rgba(18, 20, 24, 196);
const PLAIN: Color = Color::from_rgba(226, 230, 234, 255);
const TOOL: Color = Color::from_rgba(255, 196, 84, 255);
const FAINT: Color = Color::from_rgba(172, 178, 186, 255);
/// Width at which lines are wrapped, pixels.
const WIDEST: f32 = 420.0;
/// Frames between two changes of the text.
const EVERY: u32 = 6;

/// State that the display shows.
#[derive(Debug, Default)]
pub struct HudState<'a> {
    /// Statistics of the destruction.
    pub statistics: Option<Statistics>,
    /// Whether the scene is being loaded.
    pub loading: bool,
    /// Whether it is recorded.
    pub recording: bool,
    /// The side among other players, if there are any.
    pub players: Option<&'a str>,
    /// The current tool and the speed of time.
    pub tool: &'a str,
}

/// The heads-up display.
#[derive(Default, Debug)]
pub struct Hud {
    ui: Handle<UserInterface>,
    card: Handle<UiNode>,
    numbers: Handle<Text>,
    tool: Handle<Text>,
    keys: Vec<Handle<Text>>,
    panel: MenuPanel,
    graph: FrameGraph,
    frame: u32,
    longest: f32,
    pictures: u32,
    since: Option<Instant>,
    per_second: f32,
    complaint: Option<String>,
    /// Whether the menu covers it.
    covered: bool,
    /// Visibility of numbers and of the rest, as set last.
    shown: Option<[bool; 2]>,
}

impl Hud {
    /// Builds the widgets.
    pub fn build(&mut self, ctx: &mut PluginContext) {
        let mut ui = UserInterface::new(Vector2::new(1024.0, 576.0));
        let to = &mut ui.build_ctx();
        self.numbers = line(to, LOADING, 14.0, PLAIN);
        self.tool = line(to, "", 14.0, TOOL);
        self.keys = KEYS.map(|keys| line(to, keys, 12.0, FAINT)).into();
        self.graph = FrameGraph::build(to);
        let texts = [&self.numbers, &self.tool].map(|text| text.to_base());
        let keys = self.keys.iter().map(|text| text.to_base());
        let rows = texts.into_iter().chain([self.graph.image().to_base()]);
        self.card = card(to, rows.chain(keys).collect::<Vec<_>>());
        self.panel = MenuPanel::build(&mut ui);
        self.ui = ctx.user_interfaces.add(ui);
    }

    /// Records a frame that is about to be drawn.
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

    /// Shows a problem in place of the hint.
    pub fn complain(&mut self, what: String) {
        self.complaint = Some(what);
    }

    /// Clears the problem when another scene opens.
    pub fn forget_complaint(&mut self) {
        self.complaint = None;
    }

    /// The menu's widgets.
    pub fn panel(&self) -> &MenuPanel {
        &self.panel
    }

    /// The user interface.
    pub fn ui(&self) -> Handle<UserInterface> {
        self.ui
    }

    /// Shows the current state.
    pub fn update(&mut self, ctx: &mut PluginContext, shown: HudState, menu: &Menu) {
        let now = shown.statistics.as_ref().map_or(0.0, |s| s.main_ms);
        self.longest = self.longest.max(now);
        self.frame += 1;
        let Ok(ui) = ctx.user_interfaces.try_get_mut(self.ui) else {
            return;
        };
        self.panel.update(ui, menu);
        self.covered = menu.is_open();
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
        let line = match shown.players {
            Some(players) => format!("{players}\n{line}"),
            None => line,
        };
        self.longest = 0.0;
        ui.send(self.numbers, TextMessage::Text(line));
        ui.send(self.tool, TextMessage::Text(shown.tool.to_owned()));
        self.graph.draw();
    }

    /// Shows or hides everything but complaints and the menu.
    fn show_numbers(&mut self, ui: &UserInterface, show: bool) {
        let now = [show, show || (self.complaint.is_some() && !self.covered)];
        if self.shown == Some(now) {
            return;
        }
        self.shown = Some(now);
        ui.send(self.card, WidgetMessage::Visibility(now[1]));
        for text in self.keys.iter().chain([&self.tool]) {
            ui.send(*text, WidgetMessage::Visibility(show));
        }
        self.graph.show(ui, show);
    }

    fn numbers(&self, statistics: &Statistics) -> String {
        let pieces = statistics.fragments + statistics.islands;
        format!(
            "pieces {pieces}   asleep {}   islands {}   queue {}\nworker {:.1} ms   main thread {:.2} ms   {:.0} pictures/s",
            pieces.saturating_sub(statistics.awake),
            statistics.islands,
            statistics.jobs_pending,
            statistics.worker_ms,
            self.longest,
            self.per_second,
        )
    }
}

/// Makes a dark card for text, readable against any background.
fn card(ctx: &mut BuildContext, rows: impl IntoIterator<Item = Handle<UiNode>>) -> Handle<UiNode> {
    let stack = StackPanelBuilder::new(
        WidgetBuilder::new()
            .with_margin(Thickness::uniform(10.0))
            .with_hit_test_visibility(false)
            .with_children(rows),
    )
    .build(ctx);
    let border = BorderBuilder::new(
        WidgetBuilder::new()
            .with_desired_position(Vector2::repeat(12.0))
            .with_hit_test_visibility(false)
            .with_background(Brush::Solid(BACK).into())
            .with_foreground(Brush::Solid(BACK).into())
            .with_child(stack),
    );
    border
        .with_corner_radius(6.0f32.into())
        .build(ctx)
        .to_base()
}

/// Makes a line of text as wide as its content.
fn line(ctx: &mut BuildContext, text: &str, size: f32, color: Color) -> Handle<Text> {
    let look = WidgetBuilder::new()
        .with_hit_test_visibility(false)
        .with_max_size(Vector2::new(WIDEST, f32::INFINITY))
        .with_foreground(Brush::Solid(color).into());
    TextBuilder::new(look)
        .with_text(text)
        .with_wrap(WrapMode::Word)
        .with_font_size(size.into())
        .build(ctx)
}
