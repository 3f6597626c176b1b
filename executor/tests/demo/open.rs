//! A scene of the data folder, headless.

use executor::{
    data_folder::DataFolder,
    demo::{Tool, Tools, View},
    headless::Headless,
    scenario::{perform, Action, Balls},
};
use fracture::{Destruction, Event, Settings};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{camera::Camera, node::Node, Scene},
};
use std::{
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Size of the picture that the player would see.
pub const SIZE: Vector2<f32> = Vector2::new(1024.0, 576.0);
const STEP: f32 = 1.0 / 60.0;

/// The engine's resources live by the current folder: one scene at a time.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub struct Open {
    pub engine: Headless,
    pub scene: Handle<Scene>,
    pub destruction: Destruction,
    pub balls: Balls,
    pub events: Vec<Event>,
}

impl Open {
    pub fn new(file: impl AsRef<Path>) -> Self {
        let data = DataFolder::find(None, None).unwrap();
        Self::in_engine(Headless::new(&data).unwrap(), &data, file)
    }

    /// Closes the scene and opens one in the same engine: engines that are gone leave their resources behind.
    pub fn reopened(self, file: impl AsRef<Path>) -> Self {
        let Self {
            mut engine,
            scene,
            destruction,
            ..
        } = self;
        drop(destruction);
        engine.close(scene);
        Self::in_engine(engine, &DataFolder::find(None, None).unwrap(), file)
    }

    fn in_engine(mut engine: Headless, data: &DataFolder, file: impl AsRef<Path>) -> Self {
        let path = data.scene(file.as_ref(), None);
        let scene = engine.open(&path).unwrap();
        assert_eq!(engine.missing(scene), Vec::<String>::new());
        let mut destruction = Destruction::new(Settings {
            wait_for_results: true,
            check_pieces: true,
            ..Settings::default()
        });
        destruction.set_resources(engine.resources());
        destruction.update(engine.scene(scene).unwrap(), 0.0);
        Self {
            engine,
            scene,
            destruction,
            balls: Balls::default(),
            events: Vec::new(),
        }
    }

    pub fn frames(&mut self, count: usize) {
        for _ in 0..count {
            self.engine.frame(STEP);
            let scene = self.engine.scene(self.scene).unwrap();
            self.destruction.update(scene, STEP);
            self.events
                .extend(self.destruction.events().iter().cloned());
        }
    }

    pub fn act(&mut self, action: &Action) {
        let scene = self.engine.scene(self.scene).unwrap();
        let (destruction, balls) = (&mut self.destruction, &mut self.balls);
        perform(action, scene, destruction, balls, &mut |_, _| ()).unwrap();
    }

    pub fn camera(&mut self) -> Handle<Node> {
        let scene = self.engine.scene(self.scene).unwrap();
        let mut nodes = scene.graph.pair_iter();
        let camera = nodes.find(|(_, node)| node.cast::<Camera>().is_some());
        camera.unwrap().0
    }

    /// Lets a tool look at the scene as the player does.
    pub fn with<T>(&mut self, tools: &mut Tools, what: impl FnOnce(&mut Tools, &View) -> T) -> T {
        let camera = self.camera();
        let view = View {
            scene: self.engine.scene(self.scene).unwrap(),
            destruction: &self.destruction,
            camera,
            size: SIZE,
        };
        what(tools, &view)
    }

    /// Where a point of the world is in the picture: the place whose line of sight leads there, found
    /// by Newton's method.
    pub fn pixel(&mut self, point: Vector3<f32>) -> Vector2<f32> {
        let mut at = SIZE * 0.5;
        for _ in 0..20 {
            let miss = |open: &mut Self, at: Vector2<f32>| {
                let mut tools = Tools::default();
                tools.aim(at);
                let [eye, way] = open
                    .with(&mut tools, |tools, view| tools.sight(view))
                    .unwrap();
                way - (point - eye).normalize()
            };
            let here = miss(self, at);
            let across = miss(self, at + Vector2::x()) - here;
            let down = miss(self, at + Vector2::y()) - here;
            at.x -= here.dot(&across) / across.norm_squared();
            at.y -= here.dot(&down) / down.norm_squared();
        }
        at
    }

    /// Uses a tool at points of the world: down at the first, up at the last, after some frames.
    pub fn click(&mut self, tool: Tool, points: &[Vector3<f32>], held: usize) -> Vec<Action> {
        let mut tools = Tools::default();
        tools.take(tool);
        let (first, last) = (points[0], points[points.len() - 1]);
        tools.aim(self.pixel(first));
        let mut actions: Vec<Action> = Vec::new();
        actions.extend(self.with(&mut tools, Tools::press));
        for _ in 0..held {
            let more = self.with(&mut tools, Tools::hold);
            more.iter().for_each(|action| self.act(action));
            if more.is_some() {
                self.frames(1);
            }
            actions.extend(more);
        }
        tools.aim(self.pixel(last));
        let released = self.with(&mut tools, Tools::release);
        actions.extend(released);
        actions
    }

    pub fn broken(&self) -> Vec<String> {
        let events = self.events.iter();
        let names = events.filter_map(|event| match event {
            Event::Broken { name, .. } => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }
}
