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
        dock::{
            config::{
                DockingManagerLayoutDescriptor, MultiWindowDescriptor, TileContentDescriptor,
                TileDescriptor,
            },
            DockingManagerMessage, Tile, TileMessage,
        },
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
/// request, from its menu, and would lose this window. One that is maximised is saved with its tab.
pub fn keep(editor: &mut Editor, tab: &HomeTab) {
    let ui = editor.engine.user_interfaces.first();
    let mut now = ui[editor.docking_manager].layout(ui);
    if tab.tile.is_some() {
        if let Some(inspector) = editor.plugins.try_get::<InspectorPlugin>() {
            insert_tab(&mut now, &ui[inspector.inspector].name);
        }
    }
    let before = editor.settings.windows.layout.as_ref();
    if is_in(&now) || before.is_some_and(is_in) {
        editor.settings.windows.layout = Some(now);
        editor.settings.force_save();
    }
}

/// Puts the window of a layout, which floats, into a tab beside another one that is docked.
fn insert_tab(layout: &mut DockingManagerLayoutDescriptor, beside: &str) {
    let root = layout.root_tile_descriptor.as_mut();
    if root.is_some_and(|root| insert_beside(root, beside)) {
        let floating = &mut layout.floating_windows;
        floating.retain(|window| window.name.as_str() != NAME);
    }
}

fn insert_beside(tile: &mut TileDescriptor, beside: &str) -> bool {
    match &mut tile.content {
        TileContentDescriptor::Window(name) if name.as_str() == beside => {
            tile.content = TileContentDescriptor::MultiWindow(MultiWindowDescriptor {
                index: 0,
                names: vec![NAME.into(), name.clone()],
            });
            true
        }
        TileContentDescriptor::MultiWindow(tabs) if tabs.has_window(beside) => {
            tabs.names.insert(0, NAME.into());
            tabs.index = 0;
            true
        }
        TileContentDescriptor::SplitTiles(tiles) => {
            let mut tiles = tiles.children.iter_mut();
            tiles.any(|tile| insert_beside(tile, beside))
        }
        _ => false,
    }
}

/// The tab that a maximised window comes back to. The engine takes a window out of its tab to maximise it, and lets
/// it float afterwards.
#[derive(Debug, Default)]
pub struct HomeTab {
    tile: Option<Handle<UiNode>>,
}

impl HomeTab {
    /// Follows a message to the window: puts it back into its tab when it is not maximised any more.
    pub fn follow(&mut self, message: &WindowMessage, window: &FractureWindow, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        match message {
            WindowMessage::Maximize(true) => {
                // The engine sends this twice, the second time for the window without its tab.
                let tile = tile_of(ui, window.window).map(|(tile, _)| tile);
                self.tile = tile.or(self.tile);
            }
            WindowMessage::Maximize(false) => {
                if let Some(tile) = self.tile.take() {
                    dock(window, tile, editor);
                }
            }
            // Dragged away, it stays where it is put.
            WindowMessage::MoveStart => self.tile = None,
            _ => {}
        }
    }
}

/// Docks the window in a tile, or beside the inspector if the tile is gone.
fn dock(window: &FractureWindow, tile: Handle<UiNode>, editor: &Editor) {
    let ui = editor.engine.user_interfaces.first();
    let content = ui
        .try_get_node(tile)
        .ok()
        .and_then(|node| node.cast::<Tile>());
    match content
        .map(|tile| &tile.content)
        .filter(|content| content.can_dock())
    {
        Some(content) => {
            let floating = DockingManagerMessage::RemoveFloatingWindow(window.window);
            ui.send(editor.docking_manager, floating);
            let content = content.clone().plus_window(window.window);
            ui.send(tile, TileMessage::Content(content));
        }
        None => open(window, DockState::Docked, editor),
    }
}

/// Returns the window's current place: that of its tab, if it is maximised.
pub fn of(window: &FractureWindow, tab: &HomeTab, ui: &UserInterface) -> DockState {
    let widget = &ui[window.window];
    match tile_of(ui, window.window) {
        Some(_) => DockState::Docked,
        None if tab.tile.is_some() => DockState::Docked,
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

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::gui::dock::config::{FloatingWindowDescriptor, SplitTilesDescriptor};

    #[test]
    fn a_maximised_window_is_saved_with_its_tab() {
        let tile = |content| Box::new(TileDescriptor { content });
        let inspector = || TileContentDescriptor::Window("Inspector".into());
        let tabs = TileContentDescriptor::MultiWindow(MultiWindowDescriptor {
            index: 1,
            names: vec!["Log".into(), "Inspector".into()],
        });
        for content in [inspector(), tabs] {
            let scene = TileContentDescriptor::Window("Scene".into());
            let tiles = TileContentDescriptor::SplitTiles(SplitTilesDescriptor {
                children: [tile(scene), tile(content)],
                ..Default::default()
            });
            let floating = ["FractureTool", "Other"].map(|name| FloatingWindowDescriptor {
                name: name.into(),
                is_open: true,
                ..Default::default()
            });
            let mut layout = DockingManagerLayoutDescriptor {
                floating_windows: floating.to_vec(),
                root_tile_descriptor: Some(TileDescriptor { content: tiles }),
            };
            insert_tab(&mut layout, "Inspector");
            assert!(layout.has_window(NAME) && layout.has_window("Inspector"));
            assert_eq!(layout.floating_windows.len(), 1);
        }
    }
}
