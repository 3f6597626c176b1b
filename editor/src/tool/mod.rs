//! The Fracture window: tunes the selected objects and previews how they break.
//!
//! The preview runs in a copy of the scene that only this tool knows, and the mode in the scene only
//! picks and draws lines. So nothing of either can be saved, undone or played.

mod baked_queue;
mod cook_queue;
mod frame_time;
pub mod ids;
mod impact;
mod remembered;
mod session;
mod structure;
mod thumbnails;
mod tooltip_delay;
mod view;
mod window;

use baked_queue::BakedQueue;
use cook_queue::CookQueue;
use frame_time::FrameTime;
pub use frame_time::LongestFrame;
use fyrox::{
    core::{color::Color, pool::Handle, TypeUuidProvider},
    engine::ApplicationLoopController,
    gui::{
        dock::DockingManagerMessage,
        menu::{MenuItem, MenuItemMessage},
        message::UiMessage,
        widget::WidgetMessage,
        window::WindowMessage,
    },
    scene::node::Node,
};
use fyroxed_base::{
    menu::create_menu_item, plugin::EditorPlugin, Editor, Message, UpdateLoopState,
};
use impact::place_mode::PlaceImpact;
pub use impact::{CRACKS, FAULTY, HOVERED, WEAK};
use remembered::Remembered;
use session::selection::DestructibleSelection;
use session::Session;
pub use structure::{heat, COMES_DOWN, NO_STRENGTH, TAKEN_OUT};
use thumbnails::Thumbnails;
use tooltip_delay::TooltipDelay;
use window::docking::{self, DockState, HomeTab};
use window::FractureWindow;

/// The Fracture window and its thumbnails, as a plugin of the editor.
#[derive(Default)]
pub struct FractureTool {
    menu: Handle<MenuItem>,
    open: Option<Session>,
    thumbnails: Thumbnails,
    /// Dock state of the window when it was closed.
    place: DockState,
    /// The tab that it comes back to when it is maximised.
    tab: HomeTab,
    frame_time: FrameTime,
    bakery: BakedQueue,
    kitchen: CookQueue,
    tooltips: TooltipDelay,
}

impl EditorPlugin for FractureTool {
    fn on_start(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        self.menu = create_menu_item("Fracture", ids::MENU, vec![], &mut ui.build_ctx());
        ui.send(
            editor.menu.utils_menu.menu,
            MenuItemMessage::AddItem(self.menu),
        );
        self.thumbnails
            .add_to(&mut editor.asset_browser.preview_generators);
        let layout = editor.settings.windows.layout.as_ref();
        if layout.is_some_and(docking::is_in) {
            // The layout is loaded afterwards and finds the window by its name.
            self.build_window(editor);
        }
    }

    fn on_exit(&mut self, editor: &mut Editor) {
        docking::keep(editor, &self.tab);
    }

    fn on_sync_to_model(&mut self, editor: &mut Editor) {
        let _timed = self.frame_time.measure("a step");
        if let Some(open) = &mut self.open {
            open.refresh(editor);
        }
    }

    fn on_mode_changed(&mut self, editor: &mut Editor) {
        let _timed = self.frame_time.measure("a mode");
        self.leave(editor);
    }

    fn on_scene_changed(&mut self, editor: &mut Editor) {
        let _timed = self.frame_time.measure("a scene");
        self.leave(editor);
        if let Some(open) = &mut self.open {
            open.aim.borrow_mut().clear();
            // The selected nodes were those of the other scene.
            open.selection = DestructibleSelection::default();
            open.last_impact = None;
            open.structure.clear();
            open.add_place_mode(editor);
            open.refresh(editor);
            open.show_impact_text(editor);
        }
    }

    fn on_leave_preview_mode(&mut self, editor: &mut Editor) {
        self.leave(editor);
    }

    fn is_in_preview_mode(&self, editor: &Editor) -> bool {
        self.open.as_ref().is_some_and(Session::is_active) || self.bakery.is_active(editor)
    }

    fn on_ui_message(&mut self, message: &mut UiMessage, editor: &mut Editor) {
        let _timed = self.frame_time.measure("a message");
        if let Some(MenuItemMessage::Click) = message.data_from(self.menu) {
            self.open_window(editor);
        }
        let Some(open) = &mut self.open else {
            return;
        };
        let to_window = message.data_for::<WindowMessage>(open.window.window);
        if let Some(to_window) = to_window {
            self.tab.follow(to_window, &open.window, editor);
        }
        if let Some(WindowMessage::Close) = to_window {
            self.close_window(editor);
            return;
        }
        open.handle(message, editor);
    }

    fn on_update(&mut self, editor: &mut Editor, _loop_controller: ApplicationLoopController) {
        let _timed = self.frame_time.measure("a frame");
        self.tooltips
            .update(editor.engine.user_interfaces.first_mut());
        if let Some(open) = &mut self.open {
            open.update(editor);
            if let Some((scene, pieces)) = open.baked.take() {
                self.bakery.add(scene, pieces);
            }
        }
        let _timed = self.frame_time.measure("thumbnails");
        if self.thumbnails.refresh(&mut editor.engine) {
            // Else the editor sleeps until the mouse is moved.
            editor.update_loop_state = UpdateLoopState::default();
        }
        let _timed = self.frame_time.measure("baked pieces");
        self.bakery.update(editor);
        self.kitchen.update();
    }

    fn on_post_update(&mut self, editor: &mut Editor, _controller: ApplicationLoopController) {
        if let Some(open) = &self.open {
            let _timed = self.frame_time.measure("drawing lines");
            // Not earlier: the editor clears the lines of its scene in its own update.
            open.draw(editor);
        }
        self.frame_time.next_frame();
    }

    fn on_message(&mut self, message: &Message, editor: &mut Editor) {
        let _timed = self.frame_time.measure("a step");
        if matches!(message, Message::RedoCurrentSceneCommand) {
            self.bakery.finish_coming(editor);
        }
        if let Message::SaveScene { id, path } = message {
            // The choice is kept while the window is closed.
            let open = self.open.as_ref();
            let cook = open.map_or_else(
                || Remembered::load().cook_on_save,
                |open| open.remembered.cook_on_save,
            );
            if cook {
                self.kitchen.add(editor, *id, path);
            }
        }
        let Some(open) = &mut self.open else {
            return;
        };
        match message {
            Message::SelectionChanged { .. } => open.refresh(editor),
            // The preview may be out of date.
            Message::UndoCurrentSceneCommand | Message::RedoCurrentSceneCommand => {
                open.structure.outdate();
                open.schedule_break();
            }
            Message::DoCommand(command) if command.0.is_significant() => open.structure.outdate(),
            Message::SaveScene { .. } | Message::SaveAllScenes => open.end_preview(editor),
            _ => {}
        }
    }
}

impl FractureTool {
    /// Returns the longest main thread time of the tool in one frame since the last call. A frame of
    /// more than 50 ms is also logged.
    pub fn longest(&self) -> LongestFrame {
        self.frame_time.take()
    }

    /// Returns the longest main thread time of each kind of work since the editor was started.
    pub fn longest_by_kind(&self) -> Vec<LongestFrame> {
        self.frame_time.kinds()
    }

    /// Returns the colour in which a mesh of the scene is shown by its structure.
    pub fn structure_color(&self, mesh: Handle<Node>) -> Option<Color> {
        self.open.as_ref()?.structure.color(mesh)
    }

    fn open_window(&mut self, editor: &mut Editor) {
        match &self.open {
            Some(open) => {
                let ui = editor.engine.user_interfaces.first();
                ui.send(open.window.window, WidgetMessage::Topmost);
            }
            None => {
                self.build_window(editor);
                if let Some(open) = &self.open {
                    docking::open(&open.window, self.place, editor);
                }
            }
        }
    }

    fn build_window(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        let _timed = self.frame_time.measure("building the window");
        let window = FractureWindow::new(&mut ui.build_ctx());
        let open = self
            .open
            .insert(Session::new(window, self.frame_time.clone()));
        open.start_pattern_search();
        open.cards.start_search();
        let ui = editor.engine.user_interfaces.first();
        open.window.set_body_type(ui, open.remembered.body_type);
        open.window
            .set_cook_on_save(ui, open.remembered.cook_on_save);
        open.add_place_mode(editor);
        open.refresh(editor);
    }

    fn close_window(&mut self, editor: &mut Editor) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.end_preview(editor);
        open.structure.close(editor);
        let ui = editor.engine.user_interfaces.first();
        self.place = docking::of(&open.window, &self.tab, ui);
        self.tab = HomeTab::default();
        let entry = editor.scenes.current_scene_entry_mut();
        if entry.current_interaction_mode == Some(PlaceImpact::type_uuid()) {
            entry.set_interaction_mode(&mut editor.engine, None);
        }
        entry.interaction_modes.remove_typed::<PlaceImpact>();
        let ui = editor.engine.user_interfaces.first();
        let floating = DockingManagerMessage::RemoveFloatingWindow(open.window.window);
        ui.send(editor.docking_manager, floating);
        ui.send(open.window.window, WidgetMessage::Remove);
    }

    /// Ends the preview; the window stays open.
    fn leave(&mut self, editor: &mut Editor) {
        self.bakery.finish(editor);
        if let Some(open) = &mut self.open {
            open.end_preview(editor);
        }
    }
}
