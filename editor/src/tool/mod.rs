//! The Fracture window: tune what is selected, and see it break before it does.
//!
//! The preview lives in a copy of the scene that only this tool knows, and the mode in the scene only
//! looks and draws lines. So nothing of either can be saved, undone or played.

mod actions;
mod aim;
mod bake;
mod bakery;
mod charts;
mod current;
mod drop;
mod edits;
mod gizmo;
pub mod ids;
mod limits;
mod looking;
mod mode;
mod open;
mod place;
mod rival;
mod screen;
mod sheet;
mod show;
mod showing;
mod subject;
mod thumbnail;
mod viewport;
mod watch;
mod widgets;
mod window;
mod words;
mod work;

pub use aim::{CRACKS, FAULTY, HOVERED};
use bakery::Bakery;
use fracture::FracturePattern;
use fyrox::{
    core::{pool::Handle, TypeUuidProvider},
    engine::ApplicationLoopController,
    gui::{
        dock::DockingManagerMessage,
        menu::{MenuItem, MenuItemMessage},
        message::UiMessage,
        widget::WidgetMessage,
        window::WindowMessage,
    },
};
use fyroxed_base::{menu::create_menu_item, plugin::EditorPlugin, Editor, Message};
use mode::PlaceImpact;
use open::Open;
use place::Place;
use subject::Subject;
use thumbnail::Thumbnails;
pub use watch::Longest;
use watch::Watch;
use window::FractureWindow;

/// The tool, as a plugin of the editor.
#[derive(Default)]
pub struct FractureTool {
    menu: Handle<MenuItem>,
    open: Option<Open>,
    thumbnails: Thumbnails,
    /// Where the window was when it was closed.
    place: Place,
    watch: Watch,
    bakery: Bakery,
}

impl EditorPlugin for FractureTool {
    fn on_start(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        self.menu = create_menu_item("Fracture", ids::MENU, vec![], &mut ui.build_ctx());
        ui.send(
            editor.menu.utils_menu.menu,
            MenuItemMessage::AddItem(self.menu),
        );
        let generators = &mut editor.asset_browser.preview_generators;
        generators.add(FracturePattern::type_uuid(), self.thumbnails.clone());
        let layout = editor.settings.windows.layout.as_ref();
        if layout.is_some_and(place::is_in) {
            // The layout is loaded after this, and finds it by its name.
            self.build_window(editor);
        }
    }

    fn on_exit(&mut self, editor: &mut Editor) {
        place::keep(editor);
    }

    fn on_sync_to_model(&mut self, editor: &mut Editor) {
        let _turn = self.watch.over("a step");
        self.thumbnails.refresh();
        if let Some(open) = &mut self.open {
            open.refresh(editor);
        }
    }

    fn on_mode_changed(&mut self, editor: &mut Editor) {
        let _turn = self.watch.over("a mode");
        self.leave(editor);
    }

    fn on_scene_changed(&mut self, editor: &mut Editor) {
        let _turn = self.watch.over("a scene");
        self.leave(editor);
        if let Some(open) = &mut self.open {
            open.aim.borrow_mut().clear();
            // Its nodes are those of the other scene.
            open.subject = Subject::default();
            open.placed = None;
            open.offer_mode(editor);
            open.refresh(editor);
            open.tell_impact(editor);
        }
    }

    fn on_leave_preview_mode(&mut self, editor: &mut Editor) {
        self.leave(editor);
    }

    fn is_in_preview_mode(&self, editor: &Editor) -> bool {
        self.open.as_ref().is_some_and(Open::is_active) || self.bakery.is_active(editor)
    }

    fn on_ui_message(&mut self, message: &mut UiMessage, editor: &mut Editor) {
        let _turn = self.watch.over("a message");
        if let Some(MenuItemMessage::Click) = message.data_from(self.menu) {
            self.open_window(editor);
        }
        let Some(open) = &mut self.open else {
            return;
        };
        if let Some(WindowMessage::Close) = message.data_for(open.window.window) {
            self.close_window(editor);
            return;
        }
        open.handle(message, editor);
    }

    fn on_update(&mut self, editor: &mut Editor, _loop_controller: ApplicationLoopController) {
        let _turn = self.watch.over("a frame");
        if let Some(open) = &mut self.open {
            open.update(editor);
            if let Some((scene, pieces)) = open.baked.take() {
                self.bakery.add(scene, pieces);
            }
        }
        let _turn = self.watch.over("baked pieces");
        self.bakery.update(editor);
    }

    fn on_post_update(&mut self, editor: &mut Editor, _controller: ApplicationLoopController) {
        if let Some(open) = &self.open {
            let _turn = self.watch.over("drawing lines");
            // Not earlier: the editor clears the lines of its scene in its update.
            open.draw(editor);
        }
        self.watch.next_frame();
    }

    fn on_message(&mut self, message: &Message, editor: &mut Editor) {
        let _turn = self.watch.over("a step");
        if matches!(message, Message::RedoCurrentSceneCommand) {
            self.bakery.finish_coming(editor);
        }
        let Some(open) = &mut self.open else {
            return;
        };
        match message {
            Message::SelectionChanged { .. } => open.refresh(editor),
            // What is seen may not be any more what the game would do.
            Message::UndoCurrentSceneCommand | Message::RedoCurrentSceneCommand => {
                open.rebreak_later();
            }
            Message::SaveScene { .. } | Message::SaveAllScenes => open.end_show(editor),
            _ => {}
        }
    }
}

impl FractureTool {
    /// The longest time that the tool has taken of the main thread in one frame since the last call.
    /// A frame in which it takes more than 50 ms is also told of in the log.
    pub fn longest(&self) -> Longest {
        self.watch.take()
    }

    /// The longest time of each kind of thing that the tool does, since the editor was started.
    pub fn longest_by_kind(&self) -> Vec<Longest> {
        self.watch.kinds()
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
                    place::open(&open.window, self.place, editor);
                }
            }
        }
    }

    fn build_window(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        let _turn = self.watch.over("building the window");
        let window = FractureWindow::new(&mut ui.build_ctx());
        let open = self.open.insert(Open::new(window, self.watch.clone()));
        open.look_for_patterns();
        open.offer_mode(editor);
        open.refresh(editor);
    }

    fn close_window(&mut self, editor: &mut Editor) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.end_show(editor);
        self.place = place::of(&open.window, editor.engine.user_interfaces.first());
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

    /// Ends the preview; the window stays.
    fn leave(&mut self, editor: &mut Editor) {
        self.bakery.finish(editor);
        if let Some(open) = &mut self.open {
            open.end_show(editor);
        }
    }
}
