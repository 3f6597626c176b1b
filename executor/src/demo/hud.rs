//! A line of text: what one can do, and what the destruction does.

use fracture::Statistics;
use fyrox::{
    core::pool::Handle,
    core::{algebra::Vector2, color::Color},
    gui::{
        brush::Brush,
        text::{Text, TextBuilder, TextMessage},
        widget::WidgetBuilder,
        UserInterface,
    },
    plugin::PluginContext,
};
use std::time::Instant;

/// What one can do.
const KEYS: &str = "left click: shoot   B: bomb   R: reset   WASD or arrows: fly   right mouse: look   Q E: down, up";

const LOADING: &str = "loading ...";

/// Frames between two changes of the text.
const EVERY: u32 = 6;

/// The text in the corner.
#[derive(Default, Debug)]
pub struct Hud {
    ui: Handle<UserInterface>,
    text: Handle<Text>,
    frame: u32,
    longest: f32,
    pictures: u32,
    since: Option<Instant>,
    per_second: f32,
    complaint: Option<String>,
}

impl Hud {
    /// Puts the text on the screen.
    pub fn build(&mut self, ctx: &mut PluginContext) {
        let mut ui = UserInterface::new(Vector2::new(1024.0, 576.0));
        self.text = line(&mut ui, LOADING, 17.0, 10.0);
        line(&mut ui, KEYS, 14.0, 36.0);
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
    }

    /// Says what went wrong instead.
    pub fn complain(&mut self, what: String) {
        self.complaint = Some(what);
    }

    /// Shows the numbers of now.
    pub fn update(
        &mut self,
        ctx: &mut PluginContext,
        statistics: Option<Statistics>,
        loading: bool,
        recording: bool,
    ) {
        self.longest = self
            .longest
            .max(statistics.as_ref().map_or(0.0, |s| s.main_ms));
        self.frame += 1;
        if !self.frame.is_multiple_of(EVERY) {
            return;
        }
        let line = match (&self.complaint, statistics, loading) {
            (Some(complaint), ..) => complaint.clone(),
            (None, Some(statistics), false) if recording => {
                format!("recording   {}", self.numbers(&statistics))
            }
            (None, Some(statistics), false) => self.numbers(&statistics),
            _ => LOADING.to_owned(),
        };
        self.longest = 0.0;
        if let Ok(ui) = ctx.user_interfaces.try_get_mut(self.ui) {
            ui.send(self.text, TextMessage::Text(line));
        }
    }

    fn numbers(&self, statistics: &Statistics) -> String {
        format!(
            "fragments {}   islands {}   moving {}   worker {:.1} ms   main thread {:.2} ms   {:.0} pictures/s",
            statistics.fragments,
            statistics.islands,
            statistics.awake,
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
