//! Docking of the window: beside the inspector at first, then where the user has put it, also after the
//! editor's next start.

use crate::tool::window::{FractureWindow, HEIGHT, NAME, WIDTH};
use fyrox::{
    core::{
        algebra::Vector2,
        pool::{Handle, ObjectOrVariant},
    },
    graph::SceneGraph,
    gui::{
        dock::{config::DockingManagerLayoutDescriptor, DockingManagerMessage, Tile, TileMessage},
        widget::WidgetMessage,
        window::{WindowAlignment, WindowMessage},
        UiNode, UserInterface,
    },
};
use fyroxed_base::{plugins::inspector::InspectorPlugin, Editor};

/// The place where the window opens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DockState {
    /// As a tab beside the inspector.
    #[default]
    Docked,
    /// Floating, with position and size in pixels.
    Floating {
        position: Vector2<f32>,
        size: Vector2<f32>,
    },
}

/// Whether the window is open in a layout, docked or floating.
pub fn is_in(layout: &DockingManagerLayoutDescriptor) -> bool {
    let mut floating = layout.floating_windows.iter();
    let is_ours = |name: &str| name == NAME;
    layout.has_window(NAME) || floating.any(|window| is_ours(&window.name) && window.is_open)
}

/// Saves the editor's layout when this window is in it or was before. The editor itself saves it only on
/// request, from its menu, and would lose this window.
pub fn keep(editor: &mut Editor) {
    let ui = editor.engine.user_interfaces.first();
    let now = ui[editor.docking_manager].layout(ui);
    let before = editor.settings.windows.layout.as_ref();
    if is_in(&now) || before.is_some_and(is_in) {
        editor.settings.windows.layout = Some(now);
        editor.settings.force_save();
    }
}

/// Returns the window's current place.
pub fn of(window: &FractureWindow, ui: &UserInterface) -> DockState {
    let widget = &ui[window.window];
    match tile_of(ui, window.window) {
        Some(_) => DockState::Docked,
        None => DockState::Floating {
            position: widget.screen_position(),
            size: widget.actual_local_size(),
        },
    }
}

/// Opens the window at a place; on the right, floating, when the inspector is not docked.
pub fn open(window: &FractureWindow, place: DockState, editor: &Editor) {
    let ui = editor.engine.user_interfaces.first();
    let inspector = editor.plugins.try_get::<InspectorPlugin>();
    let tile = inspector.and_then(|inspector| tile_of(ui, inspector.inspector));
    match (place, tile) {
        (DockState::Docked, Some((handle, tile))) if tile.content.can_dock() => {
            ui.send(window.window, WidgetMessage::Visibility(true));
            let content = tile.content.clone().plus_window(window.window);
            ui.send(handle, TileMessage::Content(content));
        }
        (DockState::Docked, _) => {
            let screen = ui.screen_size();
            let position = Vector2::new((screen.x - WIDTH).max(0.0), 30.0);
            let size = Vector2::new(WIDTH, HEIGHT.min(screen.y - 2.0 * position.y));
            float(window, position, size, editor);
        }
        (DockState::Floating { position, size }, _) => float(window, position, size, editor),
    }
}

fn float(window: &FractureWindow, position: Vector2<f32>, size: Vector2<f32>, editor: &Editor) {
    let ui = editor.engine.user_interfaces.first();
    ui.send(window.window, WidgetMessage::Width(size.x));
    ui.send(window.window, WidgetMessage::Height(size.y));
    ui.send(
        window.window,
        WindowMessage::Open {
            alignment: WindowAlignment::Position(position),
            modal: false,
            focus_content: false,
        },
    );
    let floating = DockingManagerMessage::AddFloatingWindow(window.window);
    ui.send(editor.docking_manager, floating);
}

/// Returns the tile in which a widget is docked.
fn tile_of(
    ui: &UserInterface,
    widget: Handle<impl ObjectOrVariant<UiNode>>,
) -> Option<(Handle<UiNode>, &Tile)> {
    ui.find_component_up::<Tile>(widget)
}
