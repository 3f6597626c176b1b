//! The preview and its viewport, with a second one beside it for comparison.

use crate::tool::frame_time::FrameTime;
use crate::tool::view::comparison::Variant;
use crate::tool::view::viewport::{CameraPose, Viewport};
use crate::{
    background_job::discard,
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

/// Frame length of a preview, seconds.
const DT: f32 = 1.0 / 60.0;

/// A preview and its viewport.
struct View {
    preview: Preview,
    viewport: Viewport,
}

/// One or two previews that run in step.
pub struct PreviewPair {
    main: View,
    variant: Option<View>,
    /// An impact that waits until the objects are ready.
    blow: Option<Impact>,
}

/// Input of a new preview.
pub struct PreviewSource<'a> {
    /// Main thread times of the tool.
    pub frame_time: FrameTime,
    /// The editor's scene.
    pub from: &'a GameScene,
    /// The object in the editor's scene.
    pub object: Handle<Node>,
    /// The variant to compare with.
    pub variant: Option<Variant>,
}

impl PreviewPair {
    /// Copies the object and the nodes near it and shows them from a direction (yaw and pitch, radians).
    pub fn open(
        engine: &mut Engine,
        source: &PreviewSource,
        frames: [Handle<Image>; 2],
        direction: [f32; 2],
    ) -> Option<Self> {
        let main = View::open(engine, source, None, frames[0], direction)?;
        let variant = source.variant.as_ref();
        let variant = variant
            .and_then(|variant| View::open(engine, source, Some(variant), frames[1], direction));
        Some(Self {
            main,
            variant,
            blow: None,
        })
    }

    /// Closes the previews. Returns yaw and pitch to which the user has turned the camera.
    pub fn close(self, engine: &mut Engine) -> Option<[f32; 2]> {
        let direction = self.main.viewport.direction();
        for view in std::iter::once(self.main).chain(self.variant) {
            view.viewport.close(engine);
            discard(view.preview);
        }
        direction
    }

    /// The preview of the object as it is.
    pub fn preview(&self) -> &Preview {
        &self.main.preview
    }

    /// The preview of the variant.
    pub fn variant(&self) -> Option<&Preview> {
        self.variant.as_ref().map(|view| &view.preview)
    }

    /// Strikes the objects as soon as they are ready.
    pub fn strike(&mut self, blow: Impact) {
        self.blow = Some(blow);
    }

    /// Takes the object out as soon as it is ready, and shows it together with others that come down.
    pub fn take_out(&mut self, engine: &mut Engine, others: &[Handle<Node>]) {
        for view in self.views() {
            view.preview.take_out();
            view.viewport.show_also(engine, others);
        }
    }

    /// Runs a frame. Returns whether figures or faults have changed.
    pub fn update(&mut self, engine: &mut Engine) -> bool {
        let blow = self.blow.take();
        let mut changed = self.main.update(engine, None, blow.as_ref());
        let gaze = self.main.viewport.gaze();
        if let Some(variant) = &mut self.variant {
            changed |= variant.update(engine, Some(gaze), blow.as_ref());
        }
        changed
    }

    /// Whether pieces move or a break is being computed, so that frames are needed.
    pub fn is_active(&self) -> bool {
        self.is_busy() || self.previews().any(Preview::is_running)
    }

    /// Whether a break is being computed.
    pub fn is_busy(&self) -> bool {
        self.blow.is_some() || self.previews().any(Preview::is_busy)
    }

    /// Calls a function for each preview with its copy of the scene.
    pub fn each(&mut self, engine: &mut Engine, mut act: impl FnMut(&mut Preview, &mut Scene)) {
        for view in self.views() {
            if let Ok(scene) = engine.scenes.try_get_mut(view.viewport.scene) {
                act(&mut view.preview, scene);
            }
        }
    }

    /// The copied scene of the object as it is.
    pub fn scene<'a>(&self, engine: &'a Engine) -> Option<&'a Scene> {
        engine.scenes.try_get(self.main.viewport.scene).ok()
    }

    /// Handles the mouse in a viewport: drags turn both cameras, a click strikes in both, with an energy
    /// (J) and a least impulse (N s).
    pub fn handle(
        &mut self,
        message: &UiMessage,
        engine: &mut Engine,
        energy: f32,
        least_impulse: f32,
    ) {
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
                view.preview
                    .shoot(ray.origin, ray.dir, energy, least_impulse);
            }
            if let Some(gaze) = gaze {
                view.viewport.set_gaze(gaze);
            }
        }
    }

    /// Shows the whole object in both viewports.
    pub fn fit(&mut self) {
        self.views().for_each(|view| view.viewport.fit());
    }

    /// The work that is done before there is something new to be seen, in words; empty for none.
    pub fn progress(&self) -> &'static str {
        if self.blow.is_some() {
            return "Preparing the preview ...";
        }
        let mut steps = self.previews().map(Preview::progress);
        steps.find(|step| !step.is_empty()).unwrap_or_default()
    }

    /// Sets the meaning of the pieces' colours.
    pub fn set_colors(&mut self, index: usize) {
        let by = ColorBy::ALL
            .get(index)
            .map_or(ColorBy::default(), |(by, _)| *by);
        for view in self.views() {
            view.preview.set_colors(by);
        }
    }

    fn previews(&self) -> impl Iterator<Item = &Preview> {
        let views = std::iter::once(&self.main).chain(&self.variant);
        views.map(|view| &view.preview)
    }

    fn views(&mut self) -> impl Iterator<Item = &mut View> {
        std::iter::once(&mut self.main).chain(&mut self.variant)
    }
}

impl View {
    fn open(
        engine: &mut Engine,
        source: &PreviewSource,
        variant: Option<&Variant>,
        frame: Handle<Image>,
        direction: [f32; 2],
    ) -> Option<Self> {
        let PreviewSource { from, object, .. } = *source;
        let _timed = source.frame_time.measure("copying what is near");
        let scene = engine.scenes.try_get(from.scene).ok()?;
        let editor_objects = from.editor_objects_root.to_base();
        let (mut scene, around) = copy(scene, object, from.scene_content_root, editor_objects);
        if let Some(variant) = variant {
            variant.apply(&mut scene.graph, object);
        }
        let preview = Preview::new(&mut scene, object, around);
        Some(Self {
            preview,
            viewport: Viewport::open(engine, frame, scene, object, direction),
        })
    }

    fn update(
        &mut self,
        engine: &mut Engine,
        follow: Option<CameraPose>,
        blow: Option<&Impact>,
    ) -> bool {
        self.viewport.update(engine, follow);
        let before = self.preview.news();
        let Ok(scene) = engine.scenes.try_get_mut(self.viewport.scene) else {
            return false;
        };
        if let Some(blow) = blow {
            // An object that the first update has not found yet can be struck by its name.
            self.preview.strike(scene, blow.clone());
        }
        self.preview.update(scene, DT);
        before != self.preview.news()
    }
}
