//! The preview in its view.

use super::viewport::Viewport;
use crate::preview::{copy, ColorBy, Preview};
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
pub struct Show {
    /// What is previewed.
    pub preview: Preview,
    viewport: Viewport,
    /// A blow that waits for the object to be ready.
    blow: Option<Impact>,
}

impl Show {
    /// Copies the scene and shows the object in it.
    pub fn open(
        engine: &mut Engine,
        from: &GameScene,
        object: Handle<Node>,
        frame: Handle<Image>,
        direction: [f32; 2],
    ) -> Option<Self> {
        let scene = engine.scenes.try_get(from.scene).ok()?;
        let editor_objects = from.editor_objects_root.to_base();
        let mut scene = copy(scene, from.scene_content_root, editor_objects);
        let preview = Preview::new(&mut scene, object);
        Some(Self {
            preview,
            viewport: Viewport::open(engine, frame, scene, object, direction),
            blow: None,
        })
    }

    /// Forgets everything. Gives where the user has turned the view to.
    pub fn close(self, engine: &mut Engine) -> Option<[f32; 2]> {
        let direction = self.viewport.direction();
        self.viewport.close(engine);
        direction
    }

    /// Strikes as soon as it can be.
    pub fn strike(&mut self, blow: Impact) {
        self.blow = Some(blow);
    }

    /// A frame. Returns whether there is anything new to be shown.
    pub fn update(&mut self, engine: &mut Engine) -> bool {
        self.viewport.update(engine);
        let before = self.preview.pieces().len();
        let fault = self.preview.fault().map(str::to_owned);
        let Ok(scene) = engine.scenes.try_get_mut(self.viewport.scene) else {
            return false;
        };
        if let Some(blow) = self.blow.take() {
            // An object that the first update has yet to find is struck by name all the same.
            let _ = self.preview.strike(scene, blow);
        }
        self.preview.update(scene, DT);
        before != self.preview.pieces().len() || fault.as_deref() != self.preview.fault()
    }

    /// Whether it needs frames: something moves or is being computed.
    pub fn is_active(&self) -> bool {
        self.preview.is_busy() || self.preview.is_running() || self.blow.is_some()
    }

    /// Does something to the copied scene.
    pub fn with<R>(
        &mut self,
        engine: &mut Engine,
        act: impl FnOnce(&mut Preview, &mut Scene) -> R,
    ) -> Option<R> {
        let scene = engine.scenes.try_get_mut(self.viewport.scene).ok()?;
        Some(act(&mut self.preview, scene))
    }

    /// The copied scene.
    pub fn scene<'a>(&self, engine: &'a Engine) -> Option<&'a Scene> {
        engine.scenes.try_get(self.viewport.scene).ok()
    }

    /// Mouse in the view: turns it, or strikes what is clicked at.
    pub fn handle(&mut self, message: &UiMessage, engine: &mut Engine, energy: f32) {
        if let Some(ray) = self.viewport.handle(message, engine) {
            self.preview.shoot(ray.origin, ray.dir, energy);
        }
    }

    /// What the colours mean.
    pub fn set_colors(&mut self, index: usize) {
        let by = ColorBy::ALL
            .get(index)
            .map_or(ColorBy::default(), |(by, _)| *by);
        self.preview.set_colors(by);
    }
}
