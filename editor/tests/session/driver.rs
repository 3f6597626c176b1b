//! A plugin that goes through a list of steps, each as soon as the one before is done.

use editor::tool::{ids, FractureTool};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
        uuid::Uuid,
    },
    engine::ApplicationLoopController,
    graph::SceneGraph,
    gui::{
        dropdown_list::{DropdownList, DropdownListMessage},
        message::{ButtonState, MouseButton, OsEvent},
        test::UserInterfaceTestingExtension,
        text::Text,
        UiNode,
    },
    scene::{graph::Graph, node::Node, Scene},
};
use fyroxed_base::{
    command::CommandContext, plugin::EditorPlugin, scene::GameScene, Editor, Message,
};
use std::{
    collections::VecDeque,
    env, fs,
    path::Path,
    process,
    time::{Duration, Instant},
};

/// Longest time for a step: the longest takes some 20 s on two cores without a graphics card.
pub const STEP_LIMIT: Duration = Duration::from_secs(150);
/// Frames between steps, for the user interface to settle.
const PAUSE: u32 = 3;

/// A step's action in a frame; returns whether the step is done.
type Act = Box<dyn FnMut(&mut Editor) -> bool>;

/// A part of a session.
pub struct Step {
    name: String,
    act: Act,
}

/// Done as soon as the closure says so.
pub fn until(name: &str, act: impl FnMut(&mut Editor) -> bool + 'static) -> Step {
    Step {
        name: name.into(),
        act: Box::new(act),
    }
}

/// Lets some frames pass.
pub fn wait(frames: u32) -> Step {
    let mut left = frames;
    until("some frames pass", move |_| {
        left = left.saturating_sub(1);
        left == 0
    })
}

/// Done at once.
pub fn then(name: &str, mut act: impl FnMut(&mut Editor) + 'static) -> Step {
    until(name, move |editor| {
        act(editor);
        true
    })
}

/// Clicks at a widget, once it has been scrolled into sight.
pub fn click(name: &str, id: Uuid) -> Step {
    let mut frames = 0;
    until(name, move |editor| {
        frames += 1;
        if frames == 1 {
            show(editor, id);
        }
        if frames == PAUSE {
            let ui = editor.engine.user_interfaces.first_mut();
            ui.click_at(id);
        }
        frames == PAUSE
    })
}

/// Scrolls a widget into sight.
pub fn scroll(name: &str, id: Uuid) -> Step {
    then(name, move |editor| show(editor, id))
}

fn show(editor: &mut Editor, id: Uuid) {
    let ui = editor.engine.user_interfaces.first_mut();
    let found = ui.find_from_root(&mut |node: &UiNode| node.id == id);
    let (handle, _) = found.unwrap_or_else(|| panic!("there is no widget {id}"));
    bring(editor, handle);
}

/// Scrolls a widget into sight.
pub fn bring(editor: &mut Editor, handle: Handle<UiNode>) {
    use fyrox::gui::scroll_viewer::{ScrollViewer, ScrollViewerMessage};
    let ui = editor.engine.user_interfaces.first_mut();
    let viewer = ui.find_handle_up(handle, &mut |node: &UiNode| {
        node.cast::<ScrollViewer>().is_some()
    });
    if viewer.is_some() {
        ui.send(viewer, ScrollViewerMessage::BringIntoView(handle));
    }
}

/// Chooses an entry of a list.
pub fn choose(name: &str, id: Uuid, wanted: fn(&str) -> bool) -> Step {
    then(name, move |editor| {
        let ui = editor.engine.user_interfaces.first_mut();
        let found = ui.find_from_root(&mut |node: &UiNode| node.id == id);
        let (list, node) = found.unwrap_or_else(|| panic!("there is no list {id}"));
        let items = node.cast::<DropdownList>().expect("a list").items.to_vec();
        let is_wanted = |item: &Handle<UiNode>| {
            let mut texts = ui.traverse_iter(*item);
            texts.any(|(_, node)| node.cast::<Text>().is_some_and(|text| wanted(&text.text())))
        };
        let index = items.iter().position(is_wanted).expect("an entry");
        ui.send(list, DropdownListMessage::Selection(Some(index)));
    })
}

/// A mouse event.
pub enum Mouse {
    Move(Vector2<f32>),
    Press,
    Release,
}

/// Does something with the mouse.
pub fn mouse(editor: &mut Editor, what: Mouse) {
    let button = |state| OsEvent::MouseInput {
        button: MouseButton::Left,
        state,
    };
    let event = match what {
        Mouse::Move(position) => OsEvent::CursorMoved { position },
        Mouse::Press => button(ButtonState::Pressed),
        Mouse::Release => button(ButtonState::Released),
    };
    let ui = editor.engine.user_interfaces.first_mut();
    ui.process_os_event(&event);
}

/// The middle of a widget.
pub fn center(editor: &Editor, widget: Handle<UiNode>) -> Vector2<f32> {
    let ui = editor.engine.user_interfaces.first();
    ui.node(widget).screen_bounds().center()
}

/// Returns the screen position of a point of the scene.
pub fn on_screen(editor: &mut Editor, at: Vector3<f32>) -> Vector2<f32> {
    let ui = editor.engine.user_interfaces.first();
    let bounds = editor.scene_viewer.frame_bounds(ui);
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry
        .controller
        .downcast_ref::<GameScene>()
        .expect("a scene");
    let camera = game_scene.camera_controller.camera;
    let scene = scene(editor).expect("a scene");
    let camera = scene.graph.try_get(camera).expect("a camera");
    bounds.position + camera.project(at, bounds.size).expect("a point in sight")
}

/// The plugin.
pub struct Driver {
    steps: VecDeque<Step>,
    begin: Instant,
    pause: u32,
    clock: Clock,
}

/// Frame times of the editor.
struct Clock {
    last: Instant,
    used: Option<Used>,
    longest: Duration,
    /// Of all frames, the most of each.
    most: Used,
}

/// Processor time of a thread, and the time that it has waited for a busy processor.
#[derive(Clone, Copy, Default)]
struct Used {
    worked: Duration,
    waited: Duration,
}

impl Clock {
    fn new() -> Self {
        Self {
            last: Instant::now(),
            used: used(),
            longest: Duration::ZERO,
            most: Used::default(),
        }
    }

    /// Takes note of a frame.
    fn tick(&mut self) {
        let (now, used) = (Instant::now(), used());
        self.longest = self.longest.max(now - self.last);
        if let Some((now, last)) = used.zip(self.used) {
            self.most.worked = self.most.worked.max(now.worked - last.worked);
            self.most.waited = self.most.waited.max(now.waited - last.waited);
        }
        (self.last, self.used) = (now, used);
    }

    /// Describes the frames since the last call.
    fn tell(&mut self, editor: &Editor) -> String {
        let tool = editor.plugins.get::<FractureTool>().longest();
        let text = format!(
            "longest frame {:.0} ms; at most {:.0} of work and {:.0} of waiting for a processor; \
             the tool {:.1} ms, most of it with {}",
            ms(self.longest),
            ms(self.most.worked),
            ms(self.most.waited),
            ms(tool.took),
            tool.work,
        );
        (self.longest, self.most) = Default::default();
        text
    }
}

/// Returns the processor time of this thread, where the system provides it.
fn used() -> Option<Used> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let mut numbers = text.split_whitespace().map_while(|word| word.parse().ok());
    Some(Used {
        worked: Duration::from_nanos(numbers.next()?),
        waited: Duration::from_nanos(numbers.next()?),
    })
}

fn ms(duration: Duration) -> f32 {
    duration.as_secs_f32() * 1e3
}

/// Writes the main thread times of the tool by kind of work as a table. With `FRACTURE_PICTURES` the
/// table is also kept in that folder.
fn table(editor: &Editor) -> String {
    let mut kinds = editor.plugins.get::<FractureTool>().longest_by_kind();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.took));
    let line =
        |kind: &editor::tool::LongestFrame| format!("{:8.1} ms  {}\n", ms(kind.took), kind.work);
    let head = "The longest of each kind in one frame, by the clock on the wall:\n";
    let text = head.to_owned() + &kinds.iter().map(line).collect::<String>();
    if let Some(folder) = env::var_os("FRACTURE_PICTURES") {
        let mode = env::args().nth(1).unwrap_or_default();
        let kept = Path::new(&folder).join(format!("editor_times_{mode}.txt"));
        let _ = fs::create_dir_all(&folder);
        let _ = fs::write(kept, &text);
    }
    text
}

impl Driver {
    /// Goes through steps.
    pub fn new(steps: Vec<Step>) -> Self {
        // A failed step ends the process, whatever thread or callback it is in.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            usual(info);
            println!("session failed: {info}");
            process::exit(1);
        }));
        Self {
            steps: steps.into(),
            begin: Instant::now(),
            pause: PAUSE,
            clock: Clock::new(),
        }
    }
}

impl EditorPlugin for Driver {
    fn is_in_preview_mode(&self, _editor: &Editor) -> bool {
        true // never asleep
    }

    fn on_post_update(&mut self, editor: &mut Editor, _controller: ApplicationLoopController) {
        self.clock.tick();
        if self.pause > 0 {
            self.pause -= 1;
            return;
        }
        let Some(step) = self.steps.front_mut() else {
            print!("{}", table(editor));
            println!("session done");
            process::exit(0);
        };
        let done = (step.act)(editor);
        let took = self.begin.elapsed();
        if done {
            println!(
                "{} ({:.1} s; {})",
                step.name,
                took.as_secs_f32(),
                self.clock.tell(editor)
            );
            self.steps.pop_front();
            self.begin = Instant::now();
            self.pause = PAUSE;
        } else {
            let name = &step.name;
            let says = [
                ids::STATUS,
                ids::PATTERN,
                ids::IMPACT,
                ids::FIGURES,
                ids::REPORT,
            ];
            let says = || says.map(|id| text(editor, id)).join("\n");
            assert!(
                took < STEP_LIMIT,
                "\"{name}\" is not done within {STEP_LIMIT:?}; the window says:\n{}",
                says()
            );
        }
    }
}

/// The root of the artist's scene, above which there is only the editor's own.
pub fn content_root(editor: &Editor) -> Handle<Node> {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>();
    game_scene.expect("a scene").scene_content_root
}

/// The scene that is looked at, once it is open.
pub fn scene(editor: &mut Editor) -> Option<&mut Scene> {
    let entry = editor.scenes.current_scene_entry_mut();
    let scene = entry.controller.downcast_mut::<GameScene>()?.scene;
    editor.engine.scenes.try_get_mut(scene).ok()
}

pub fn node(graph: &Graph, name: &str) -> Option<Handle<Node>> {
    let mut nodes = graph.pair_iter();
    nodes.find(|(_, node)| node.name() == name).map(|(h, _)| h)
}

/// A node of the open scene by its name.
pub fn handle(editor: &mut Editor, name: &str) -> Handle<Node> {
    let scene = scene(editor).expect("a scene");
    node(&scene.graph, name).unwrap_or_else(|| panic!("there is no node {name}"))
}

/// Returns the text of a widget.
pub fn text(editor: &Editor, id: Uuid) -> String {
    let ui = editor.engine.user_interfaces.first();
    let widget = ui.find_by_uuid_of::<Text>(id);
    widget.map(Text::text).unwrap_or_default()
}

/// The name of the last step that can be undone.
pub fn last_command(editor: &mut Editor) -> String {
    struct Nothing;
    impl fyrox::core::type_traits::ComponentProvider for Nothing {
        fn query_component_ref(&self, _: std::any::TypeId) -> Option<&dyn std::any::Any> {
            None
        }
        fn query_component_mut(&mut self, _: std::any::TypeId) -> Option<&mut dyn std::any::Any> {
            None
        }
    }
    impl CommandContext for Nothing {}
    let stack = &mut editor.scenes.current_scene_entry_mut().command_stack;
    let top = stack.top.expect("a step");
    stack.commands[top].0.name(&Nothing)
}

pub fn undo(editor: &mut Editor) {
    editor.message_sender.send(Message::UndoCurrentSceneCommand);
}

pub fn redo(editor: &mut Editor) {
    editor.message_sender.send(Message::RedoCurrentSceneCommand);
}
