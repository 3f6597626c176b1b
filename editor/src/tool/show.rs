//! The preview in its view, and the one it is compared with beside it.

use super::{
    rival::Rival,
    viewport::{Gaze, Viewport},
    watch::Watch,
};
use crate::{
    job::discard,
    preview::{copy, ColorBy, Preview},
};
use fracture::Impact;
use fyrox::{
    core::pool::Handle,
    engine::Engine,
    gui::{image::Image, message::UiMessage},
    scene::{node::Node, Scene},
};
use fyroxed_base::scene::GameScene;

/// How long a frame of a preview is, seconds.
const DT: f32 = 1.0 / 60.0;

/// A preview and the view of it.
struct View {
    preview: Preview,
    viewport: Viewport,
}

/// One or two previews that do everything together.
pub struct Show {
    main: View,
    rival: Option<View>,
    /// A blow that waits for the objects to be ready.
    blow: Option<Impact>,
}

/// What a show is of.
pub struct Topic<'a> {
    /// Watches what takes long.
    pub watch: Watch,
    /// The scene in the editor.
    pub from: &'a GameScene,
    /// The object in it.
    pub object: Handle<Node>,
    /// What it is compared with.
    pub rival: Option<Rival>,
}

impl Show {
    /// Copies what is near the object and shows it, looking from a direction.
    pub fn open(
        engine: &mut Engine,
        topic: &Topic,
        frames: [Handle<Image>; 2],
        direction: [f32; 2],
    ) -> Option<Self> {
        let main = View::open(engine, topic, None, frames[0], direction)?;
        let rival = topic.rival.as_ref();
        let rival =
            rival.and_then(|rival| View::open(engine, topic, Some(rival), frames[1], direction));
        Some(Self {
            main,
            rival,
            blow: None,
        })
    }

    /// Forgets everything. Gives where the user has turned the view to.
    pub fn close(self, engine: &mut Engine) -> Option<[f32; 2]> {
        let direction = self.main.viewport.direction();
        for view in std::iter::once(self.main).chain(self.rival) {
            view.viewport.close(engine);
            discard(view.preview);
        }
        direction
    }

    /// The preview of the object as it is tuned.
    pub fn preview(&self) -> &Preview {
        &self.main.preview
    }

    /// The preview it is compared with.
    pub fn rival(&self) -> Option<&Preview> {
        self.rival.as_ref().map(|view| &view.preview)
    }

    /// Strikes as soon as it can be.
    pub fn strike(&mut self, blow: Impact) {
        self.blow = Some(blow);
    }

    /// A frame. Returns whether there is anything new to be shown.
    pub fn update(&mut self, engine: &mut Engine) -> bool {
        let blow = self.blow.take();
        let mut changed = self.main.update(engine, None, blow.as_ref());
        let gaze = self.main.viewport.gaze();
        if let Some(rival) = &mut self.rival {
            changed |= rival.update(engine, Some(gaze), blow.as_ref());
        }
        changed
    }

    /// Whether it needs frames: something moves or is being computed.
    pub fn is_active(&self) -> bool {
        self.is_busy() || self.previews().any(Preview::is_running)
    }

    /// Whether a break is being computed.
    pub fn is_busy(&self) -> bool {
        self.blow.is_some() || self.previews().any(Preview::is_busy)
    }

    /// Does something to each preview in its copy of the scene.
    pub fn each(&mut self, engine: &mut Engine, mut act: impl FnMut(&mut Preview, &mut Scene)) {
        for view in self.views() {
            if let Ok(scene) = engine.scenes.try_get_mut(view.viewport.scene) {
                act(&mut view.preview, scene);
            }
        }
    }

    /// The copied scene of the object as it is tuned.
    pub fn scene<'a>(&self, engine: &'a Engine) -> Option<&'a Scene> {
        engine.scenes.try_get(self.main.viewport.scene).ok()
    }

    /// Mouse in a view: turns both, or strikes what is clicked at in both, with an energy, J, and at
    /// least an impulse, N s.
    pub fn handle(&mut self, message: &UiMessage, engine: &mut Engine, blow: (f32, f32)) {
        let mut ray = None;
        let mut gaze = None;
        for view in self.views() {
            let before = view.viewport.gaze();
            ray = ray.or(view.viewport.handle(message, engine));
            let now = view.viewport.gaze();
            gaze = gaze.or((now != before).then_some(now));
        }
        for view in self.views() {
            if let Some(ray) = ray {
                view.preview.shoot(ray.origin, ray.dir, blow);
            }
            if let Some(gaze) = gaze {
                view.viewport.set_gaze(gaze);
            }
        }
    }

    /// What the colours mean.
    pub fn set_colors(&mut self, index: usize) {
        let by = ColorBy::ALL
            .get(index)
            .map_or(ColorBy::default(), |(by, _)| *by);
        for view in self.views() {
            view.preview.set_colors(by);
        }
    }

    fn previews(&self) -> impl Iterator<Item = &Preview> {
        let views = std::iter::once(&self.main).chain(&self.rival);
        views.map(|view| &view.preview)
    }

    fn views(&mut self) -> impl Iterator<Item = &mut View> {
        std::iter::once(&mut self.main).chain(&mut self.rival)
    }
}

impl View {
    fn open(
        engine: &mut Engine,
        topic: &Topic,
        rival: Option<&Rival>,
        frame: Handle<Image>,
        direction: [f32; 2],
    ) -> Option<Self> {
        let Topic { from, object, .. } = *topic;
        let _turn = topic.watch.over("copying what is near");
        let scene = engine.scenes.try_get(from.scene).ok()?;
        let editor_objects = from.editor_objects_root.to_base();
        let (mut scene, around) = copy(scene, object, from.scene_content_root, editor_objects);
        if let Some(rival) = rival {
            rival.apply(&mut scene.graph, object);
        }
        let preview = Preview::new(&mut scene, object, around);
        Some(Self {
            preview,
            viewport: Viewport::open(engine, frame, scene, object, direction),
        })
    }

    fn update(&mut self, engine: &mut Engine, follow: Option<Gaze>, blow: Option<&Impact>) -> bool {
        self.viewport.update(engine, follow);
        let before = self.preview.news();
        let Ok(scene) = engine.scenes.try_get_mut(self.viewport.scene) else {
            return false;
        };
        if let Some(blow) = blow {
            // An object that the first update has yet to find is struck by name all the same.
            self.preview.strike(scene, blow.clone());
        }
        self.preview.update(scene, DT);
        before != self.preview.news()
    }
}
