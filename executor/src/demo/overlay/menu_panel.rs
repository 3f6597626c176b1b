//! The menu's widgets.

use crate::demo::controls::Tool;
use crate::demo::overlay::menu::{Menu, Switches};
use crate::demo::program::Choices;
use crate::demo::scene_list::GALLERY;
use fyrox::{
    core::{algebra::Vector2, color::Color, pool::Handle},
    gui::{
        border::BorderBuilder,
        brush::Brush,
        message::UiMessage,
        stack_panel::StackPanelBuilder,
        text::{Text, TextBuilder, TextMessage},
        widget::{WidgetBuilder, WidgetMessage},
        BuildContext, Thickness, UiNode, UserInterface,
    },
};

const TITLE: &str = "fracture";
const KEYS: [&str; 2] = [
    "arrows and Enter, or the mouse   Tab: back to the scene",
    "touch: a tap, or a drag to look; two fingers fly, tap with both: menu",
];
const BACK: Color = Color::from_rgba(18, 20, 24, 214);
const PLAIN: Color = Color::from_rgba(206, 210, 214, 255);
const CHOSEN: Color = Color::from_rgba(255, 196, 84, 255);
const FAINT: Color = Color::from_rgba(132, 138, 146, 255);

/// The widgets of the menu.
#[derive(Debug, Default)]
pub struct MenuPanel {
    root: Handle<UiNode>,
    rows: Vec<Handle<Text>>,
    hint: Handle<Text>,
    /// State shown last, so that only changes are sent.
    shown: Option<(bool, usize, Choices, Switches, Tool, bool)>,
}

impl MenuPanel {
    /// Builds the widgets.
    pub fn build(ui: &mut UserInterface) -> Self {
        let ctx = &mut ui.build_ctx();
        let rows: Vec<_> = (0..Menu::ROWS)
            .map(|_| text(ctx, "", 14.0, PLAIN))
            .collect();
        let title = text(ctx, TITLE, 26.0, CHOSEN);
        let hint = text(ctx, "", 13.0, FAINT);
        let keys = KEYS.map(|keys| text(ctx, keys, 12.0, FAINT));
        let gap = |ctx: &mut BuildContext| text(ctx, "", 6.0, PLAIN);
        let (first, second) = rows.split_at(GALLERY.len());
        let mut all = vec![title, gap(ctx)];
        all.extend(first);
        all.push(gap(ctx));
        all.extend(second);
        all.extend([gap(ctx), hint]);
        all.extend(keys);
        let children = all.into_iter().map(|row| row.to_base());
        let stack = StackPanelBuilder::new(
            WidgetBuilder::new()
                .with_margin(Thickness::uniform(14.0))
                .with_children(children),
        )
        .build(ctx);
        let border = BorderBuilder::new(
            WidgetBuilder::new()
                .with_desired_position(Vector2::new(12.0, 12.0))
                .with_width(400.0)
                .with_visibility(false)
                .with_background(Brush::Solid(BACK).into())
                .with_foreground(Brush::Solid(BACK).into())
                .with_child(stack),
        )
        .with_corner_radius(6.0f32.into())
        .build(ctx);
        Self {
            root: border.to_base(),
            rows,
            hint,
            shown: None,
        }
    }

    /// Returns the row that was clicked.
    pub fn clicked(&self, message: &UiMessage) -> Option<usize> {
        let Some(WidgetMessage::MouseDown { .. }) = message.data::<WidgetMessage>() else {
            return None;
        };
        let own = |row: &Handle<Text>| row.to_base() == message.destination();
        self.rows.iter().position(own)
    }

    /// Returns the row at a position in the window.
    pub fn row_at(&self, ui: &UserInterface, place: Vector2<f32>) -> Option<usize> {
        let hit = ui.hit_test(place);
        self.rows.iter().position(|row| row.to_base() == hit)
    }

    /// Whether a position in the window is over the menu.
    pub fn is_at(&self, ui: &UserInterface, place: Vector2<f32>) -> bool {
        let hit = ui.hit_test(place);
        hit.is_some() && (hit == self.root || ui.is_node_child_of(hit, self.root))
    }

    /// Shows the current menu.
    pub fn update(&mut self, ui: &UserInterface, menu: &Menu) {
        let now = (
            menu.is_open(),
            menu.selected(),
            menu.choices.clone(),
            menu.switches,
            menu.tool,
            menu.locked,
        );
        if self.shown.as_ref() == Some(&now) {
            return;
        }
        self.shown = Some(now);
        ui.send(self.root, WidgetMessage::Visibility(menu.is_open()));
        for (index, row) in self.rows.iter().enumerate() {
            let chosen = index == menu.selected();
            let mark = if chosen { "> " } else { "   " };
            ui.send(
                *row,
                TextMessage::Text(format!("{mark}{}", menu.label(index))),
            );
            let color = if chosen { CHOSEN } else { PLAIN };
            ui.send(*row, WidgetMessage::Foreground(Brush::Solid(color).into()));
        }
        let hint = GALLERY.get(menu.selected()).map_or("", |entry| entry.hint);
        ui.send(self.hint, TextMessage::Text(hint.to_owned()));
    }
}

fn text(ctx: &mut BuildContext, text: &str, size: f32, color: Color) -> Handle<Text> {
    let look = WidgetBuilder::new().with_foreground(Brush::Solid(color).into());
    TextBuilder::new(look)
        .with_text(text)
        .with_font_size(size.into())
        .build(ctx)
}
