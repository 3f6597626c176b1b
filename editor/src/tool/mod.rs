//! The Fracture window: tune what is selected, and see it break before it does.
//!
//! The preview lives in a copy of the scene that only this tool knows, and the mode in the scene only
//! looks and draws lines. So nothing of either can be saved, undone or played.

mod actions;
mod aim;
pub mod ids;
mod mode;
mod show;
mod subject;
mod viewport;
mod widgets;
mod window;
mod work;

use crate::job::Job;
use aim::Aim;
use fracture::{Impact, Sketch, SketchError};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
        TypeUuidProvider,
    },
    engine::ApplicationLoopController,
    gui::{
        dock::DockingManagerMessage,
        menu::{MenuItem, MenuItemMessage},
        message::UiMessage,
        widget::WidgetMessage,
        window::{WindowAlignment, WindowMessage},
    },
};
use fyroxed_base::{
    menu::create_menu_item, plugin::EditorPlugin, plugins::inspector::EditorEnvironment,
    scene::GameScene, Editor, Message,
};
use mode::PlaceImpact;
use show::Show;
use std::{cell::RefCell, rc::Rc, sync::Arc};
use subject::Subject;
use window::{Editors, FractureWindow};
use work::{Lines, Report, Seen};

/// Frames without a change before an edited object is broken anew.
const SETTLED: u32 = 12;
/// How far a new preview looks past the impact's normal, about y and down, radians.
const ASIDE: [f32; 2] = [0.5, 0.3];

/// The tool, as a plugin of the editor.
#[derive(Default)]
pub struct FractureTool {
    menu: Handle<MenuItem>,
    open: Option<Open>,
}

/// The tool while its window is open.
struct Open {
    window: FractureWindow,
    subject: Subject,
    sketch: Result<Sketch, SketchError>,
    aim: Rc<RefCell<Aim>>,
    energy: f32,
    show: Option<Show>,
    /// Where the user has turned the view to.
    direction: Option<[f32; 2]>,
    /// How far pieces are moved apart, and what colours mean: kept over resets.
    explode: f32,
    colors: usize,
    /// Counts down to breaking the object anew after an edit.
    rebreak: Option<u32>,
    looking: Option<Job<Result<Option<Seen>, SketchError>>>,
    drawing: Option<Job<Result<Lines, SketchError>>>,
    working: Option<Job<Report>>,
}

impl EditorPlugin for FractureTool {
    fn on_start(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        self.menu = create_menu_item("Fracture", ids::MENU, vec![], &mut ui.build_ctx());
        ui.send(
            editor.menu.utils_menu.menu,
            MenuItemMessage::AddItem(self.menu),
        );
        let layout = editor.settings.windows.layout.as_ref();
        if layout.is_some_and(|layout| layout.has_window(window::NAME)) {
            self.open_window(editor);
        }
    }

    fn on_sync_to_model(&mut self, editor: &mut Editor) {
        if let Some(open) = &mut self.open {
            open.refresh(editor);
        }
    }

    fn on_mode_changed(&mut self, editor: &mut Editor) {
        self.leave(editor);
    }

    fn on_scene_changed(&mut self, editor: &mut Editor) {
        self.leave(editor);
        if let Some(open) = &mut self.open {
            open.aim.borrow_mut().clear();
            open.offer_mode(editor);
            open.refresh(editor);
        }
    }

    fn on_leave_preview_mode(&mut self, editor: &mut Editor) {
        self.leave(editor);
    }

    fn is_in_preview_mode(&self, _editor: &Editor) -> bool {
        self.open.as_ref().is_some_and(Open::is_active)
    }

    fn on_ui_message(&mut self, message: &mut UiMessage, editor: &mut Editor) {
        if let Some(MenuItemMessage::Click) = message.data_from(self.menu) {
            self.open_window(editor);
        }
        let Some(open) = &mut self.open else {
            return;
        };
        if let Some(WindowMessage::Close) = message.data_from(open.window.window) {
            self.close_window(editor);
            return;
        }
        open.handle(message, editor);
    }

    fn on_update(&mut self, editor: &mut Editor, _loop_controller: ApplicationLoopController) {
        if let Some(open) = &mut self.open {
            open.update(editor);
        }
    }

    fn on_message(&mut self, message: &Message, editor: &mut Editor) {
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
    fn open_window(&mut self, editor: &mut Editor) {
        let ui = editor.engine.user_interfaces.first_mut();
        if self.open.is_none() {
            let window = FractureWindow::new(&mut ui.build_ctx());
            self.open = Some(Open::new(window));
        }
        let Some(open) = &mut self.open else {
            return;
        };
        // On the right, over the inspector, whose work it does.
        let screen = ui.screen_size();
        let place = Vector2::new((screen.x - window::WIDTH).max(0.0), 30.0);
        let height = window::HEIGHT.min(screen.y - 2.0 * place.y);
        ui.send(open.window.window, WidgetMessage::Height(height));
        ui.send(
            open.window.window,
            WindowMessage::Open {
                alignment: WindowAlignment::Position(place),
                modal: false,
                focus_content: false,
            },
        );
        let floating = DockingManagerMessage::AddFloatingWindow(open.window.window);
        ui.send(editor.docking_manager, floating);
        open.offer_mode(editor);
        open.refresh(editor);
    }

    fn close_window(&mut self, editor: &mut Editor) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.end_show(editor);
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
        if let Some(open) = &mut self.open {
            open.end_show(editor);
        }
    }
}

impl Open {
    fn new(window: FractureWindow) -> Self {
        Self {
            window,
            subject: Subject::default(),
            sketch: Err(SketchError::NotDestructible),
            aim: Default::default(),
            energy: 2000.0,
            show: None,
            direction: None,
            explode: 0.0,
            colors: 0,
            rebreak: None,
            looking: None,
            drawing: None,
            working: None,
        }
    }

    /// Whether the editor must not go to sleep.
    fn is_active(&self) -> bool {
        self.show.as_ref().is_some_and(Show::is_active)
            || self.rebreak.is_some()
            || self.looking.is_some()
            || self.drawing.is_some()
            || self.working.is_some()
            || matches!(self.sketch, Err(SketchError::Loading))
    }

    /// Lets the impact be placed in the current scene.
    fn offer_mode(&self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_mut();
        if entry.controller.downcast_ref::<GameScene>().is_none() {
            return;
        }
        let modes = &mut entry.interaction_modes;
        modes.remove_typed::<PlaceImpact>();
        modes.add(PlaceImpact::new(self.aim.clone()));
    }

    /// Looks at the selection anew and shows it.
    fn refresh(&mut self, editor: &mut Editor) {
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return self.show_nothing(editor);
        };
        let Ok(scene) = editor.engine.scenes.try_get(game_scene.scene) else {
            return self.show_nothing(editor);
        };
        let graph = &scene.graph;
        let subject = Subject::of(&entry.selection, graph);
        let other = subject.main != self.subject.main;
        self.subject = subject;
        self.sketch = match self.subject.main {
            Some(node) => Sketch::of(graph, node),
            None => Err(SketchError::NotDestructible),
        };
        let status = self.subject.status(graph, &self.sketch);
        let script = self.subject.script(graph).cloned();
        let pattern = self.subject.pattern(graph, &editor.engine.resource_manager);
        let offer = self.subject.nodes.iter().any(|node| {
            let script = graph.try_get_script_of::<fracture::Destructible>(*node);
            script.is_err()
        });
        let editors = editors(editor);
        let ui = editor.engine.user_interfaces.first_mut();
        let window = &mut self.window;
        window.set_status(ui, &status);
        window.set_offer(ui, offer);
        window.show_script(ui, script.as_ref(), &editors);
        let content = pattern
            .as_ref()
            .and_then(|pattern| pattern.content.as_ref());
        window.show_pattern(ui, content, &editors);
        let label = pattern.as_ref().map_or("", |pattern| &pattern.label);
        window.set_pattern_name(ui, label);
        if other {
            self.aim.borrow_mut().clear();
            self.looking = None;
            self.drawing = None;
            self.rebreak = None;
            self.end_show(editor);
            self.tell_impact(editor);
        } else {
            self.rebreak_later();
        }
    }

    fn show_nothing(&mut self, editor: &mut Editor) {
        self.subject = Subject::default();
        self.sketch = Err(SketchError::NotDestructible);
        self.end_show(editor);
        let ui = editor.engine.user_interfaces.first();
        self.window
            .set_status(ui, "Open a scene and select a node in it.");
        self.window.set_offer(ui, false);
    }

    /// Breaks the object anew once edits have settled, if there is a preview.
    fn rebreak_later(&mut self) {
        if self.show.is_some() && self.aim.borrow().impact.is_some() {
            self.rebreak = Some(SETTLED);
        }
        // Drawn by another pattern, maybe; what is drawn anew comes with the break.
        let mut aim = self.aim.borrow_mut();
        aim.near.clear();
        aim.far.clear();
        drop(aim);
        self.drawing = None;
    }

    /// Ends the preview and forgets the pieces.
    fn end_show(&mut self, editor: &mut Editor) {
        self.rebreak = None;
        if let Some(show) = self.show.take() {
            self.direction = show.close(&mut editor.engine).or(self.direction);
            let ui = editor.engine.user_interfaces.first();
            self.window.set_figures(ui, None);
        }
    }

    /// Makes the preview anew from the scene as it is.
    fn start_show(&mut self, editor: &mut Editor) {
        self.end_show(editor);
        let Some(object) = self.subject.main else {
            return;
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let frame = self.window.frame;
        let engine = &mut editor.engine;
        let direction = self
            .direction
            .unwrap_or_else(|| towards(&self.aim.borrow()));
        self.show = Show::open(engine, scene, object, frame, direction);
        if let Some(show) = &mut self.show {
            show.set_colors(self.colors);
            let explode = self.explode;
            show.with(engine, |preview, scene| preview.set_explode(scene, explode));
        }
    }

    /// Breaks the object: in a new preview, or what is left of it in the one there is.
    fn strike(&mut self, editor: &mut Editor, anew: bool) {
        let Some(impact) = self.impact() else {
            let ui = editor.engine.user_interfaces.first();
            let text = "No impact placed: press Place Impact and click on the object.";
            return self.window.set_impact(ui, text);
        };
        if anew || self.show.is_none() {
            self.start_show(editor);
        }
        if let Some(show) = &mut self.show {
            show.strike(impact);
        }
    }

    /// The impact with the energy that is set now, hard enough to break the object.
    fn impact(&self) -> Option<Impact> {
        let placed = self.aim.borrow().impact.clone()?;
        let mut blow = Impact::new(placed.point, placed.normal, self.energy);
        blow.radius = placed.radius;
        let toughness = self.sketch.as_ref().map_or(0.0, Sketch::toughness);
        if blow.impulse.norm() < toughness {
            blow.impulse = -blow.normal * toughness * 1.001;
        }
        Some(blow)
    }

    fn update(&mut self, editor: &mut Editor) {
        if matches!(self.sketch, Err(SketchError::Loading)) {
            self.refresh(editor);
        }
        self.update_jobs(editor);
        self.rebreak = match self.rebreak {
            Some(0) => {
                self.strike(editor, true);
                self.draw_pattern();
                None
            }
            Some(frames) => Some(frames - 1),
            None => None,
        };
        if let Some(show) = &mut self.show {
            if show.update(&mut editor.engine) {
                let ui = editor.engine.user_interfaces.first();
                self.window.set_figures(ui, Some(show.preview.figures()));
                let impact = describe(&self.aim.borrow());
                let text = show.preview.fault().map_or(impact, sentence);
                self.window.set_impact(ui, &text);
            }
        }
    }

    fn update_jobs(&mut self, editor: &mut Editor) {
        if let Some(seen) = work::take(&mut self.looking) {
            self.take_seen(editor, seen);
        }
        if self.looking.is_none() {
            self.start_look();
        }
        if let Some(lines) = work::take(&mut self.drawing) {
            self.aim.borrow_mut().far = lines.unwrap_or_default();
        }
        let ui = editor.engine.user_interfaces.first();
        if let Some(job) = &self.working {
            let share = job.progress.done() as f32 / work::SWEEP as f32;
            self.window.set_progress(ui, share);
        }
        if let Some(report) = work::take(&mut self.working) {
            self.window.set_report(ui, &report.text);
            let mut aim = self.aim.borrow_mut();
            aim.faults = report.places;
            aim.faulty = report.edges;
        }
    }

    fn start_look(&mut self) {
        let mut aim = self.aim.borrow_mut();
        let (Some(look), Ok(sketch)) = (aim.look.take(), &self.sketch) else {
            return;
        };
        let impact = aim.impact.clone();
        self.looking = Some(work::look(sketch.clone(), look, self.energy, impact));
    }

    fn take_seen(&mut self, editor: &mut Editor, seen: Result<Option<Seen>, SketchError>) {
        let ui = editor.engine.user_interfaces.first();
        let seen = match seen {
            Ok(seen) => seen,
            Err(error) => return self.window.set_impact(ui, &sentence(&error.to_string())),
        };
        {
            let mut aim = self.aim.borrow_mut();
            aim.hover.clear();
            match seen {
                Some(seen) if seen.placed => {
                    aim.impact = Some(seen.blow);
                    aim.radius = seen.radius;
                    aim.near = seen.lines;
                    aim.far.clear();
                }
                Some(seen) => {
                    aim.hover = seen.lines;
                    return;
                }
                None => return,
            }
        }
        self.tell_impact(editor);
        self.drawing = None;
        self.rebreak = Some(SETTLED);
    }

    fn draw_pattern(&mut self) {
        if let (Ok(sketch), Some(impact)) = (&self.sketch, self.impact()) {
            self.drawing = Some(work::pattern(sketch.clone(), impact));
        }
    }

    fn tell_impact(&self, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_impact(ui, &describe(&self.aim.borrow()));
    }
}

/// The direction of a view onto the impact.
fn towards(aim: &Aim) -> [f32; 2] {
    let normal = aim
        .impact
        .as_ref()
        .map_or(-Vector3::z(), |impact| impact.normal);
    let yaw = if normal.xz().norm() > 0.1 {
        (-normal.x).atan2(-normal.z)
    } else {
        0.0
    };
    [yaw + ASIDE[0], ASIDE[1]]
}

fn describe(aim: &Aim) -> String {
    let Some(impact) = &aim.impact else {
        return "No impact placed.".into();
    };
    let at = impact.point;
    format!(
        "Impact at ({:.2}, {:.2}, {:.2}), radius {:.2} m.",
        at.x, at.y, at.z, aim.radius
    )
}

/// A message as a sentence.
fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

fn editors(editor: &Editor) -> Editors {
    let engine = &editor.engine;
    Editors {
        definitions: editor.property_editors.clone(),
        environment: Arc::new(EditorEnvironment {
            resource_manager: engine.resource_manager.clone(),
            serialization_context: engine.serialization_context.clone(),
            dyn_type_constructors: engine.dyn_type_constructors.clone(),
            available_animations: Vec::new(),
            sender: editor.message_sender.clone(),
            icon_request_sender: editor.asset_browser.preview_sender.clone(),
            style: Some(engine.user_interfaces.first().style().clone()),
        }),
    }
}
