//! Where the window is: docked beside the inspector at first, then where the user has put it, also after the
//! editor's next start.

use super::window::{FractureWindow, HEIGHT, NAME, WIDTH};
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

/// Where the window opens.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Place {
    /// As a tab of the inspector, whose work it does.
    #[default]
    Docked,
    /// Here, and so large.
    Floating {
        position: Vector2<f32>,
        size: Vector2<f32>,
    },
}

/// Whether the window is open in a layout, docked or not.
pub fn is_in(layout: &DockingManagerLayoutDescriptor) -> bool {
    let mut floating = layout.floating_windows.iter();
    let is_ours = |name: &str| name == NAME;
    layout.has_window(NAME) || floating.any(|window| is_ours(&window.name) && window.is_open)
}

/// Has the editor start with its windows as they are now, when this one is open, or was before: it would
/// keep them when it is told to, in its menu, and so forget this one.
pub fn keep(editor: &mut Editor) {
    let ui = editor.engine.user_interfaces.first();
    let now = ui[editor.docking_manager].layout(ui);
    let before = editor.settings.windows.layout.as_ref();
    if is_in(&now) || before.is_some_and(is_in) {
        editor.settings.windows.layout = Some(now);
        editor.settings.force_save();
    }
}

/// Where the window is now.
pub fn of(window: &FractureWindow, ui: &UserInterface) -> Place {
    let widget = &ui[window.window];
    match tile_of(ui, window.window) {
        Some(_) => Place::Docked,
        None => Place::Floating {
            position: widget.screen_position(),
            size: widget.actual_local_size(),
        },
    }
}

/// Opens the window at a place. Where the inspector is not docked, it floats on the right.
pub fn open(window: &FractureWindow, place: Place, editor: &Editor) {
    let ui = editor.engine.user_interfaces.first();
    let inspector = editor.plugins.try_get::<InspectorPlugin>();
    let tile = inspector.and_then(|inspector| tile_of(ui, inspector.inspector));
    match (place, tile) {
        (Place::Docked, Some((handle, tile))) if tile.content.can_dock() => {
            ui.send(window.window, WidgetMessage::Visibility(true));
            let content = tile.content.clone().plus_window(window.window);
            ui.send(handle, TileMessage::Content(content));
        }
        (Place::Docked, _) => {
            let screen = ui.screen_size();
            let position = Vector2::new((screen.x - WIDTH).max(0.0), 30.0);
            let size = Vector2::new(WIDTH, HEIGHT.min(screen.y - 2.0 * position.y));
            float(window, position, size, editor);
        }
        (Place::Floating { position, size }, _) => float(window, position, size, editor),
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

/// The tile that a widget is docked in.
fn tile_of(
    ui: &UserInterface,
    widget: Handle<impl ObjectOrVariant<UiNode>>,
) -> Option<(Handle<UiNode>, &Tile)> {
    ui.find_component_up::<Tile>(widget)
}
