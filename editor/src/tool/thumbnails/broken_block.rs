//! A block of a card's material that was struck, for its thumbnail.

use super::pictures::SIDE;
use crate::{
    preview::{Preview, Surroundings},
    tool::view::camera,
};
use fracture::{
    make_destructible, Destructible, Impact, MakeDestructibleError, MaterialCardResource,
};
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector2, Vector3},
        color::Color,
        pool::Handle,
    },
    engine::{Engine, GraphicsContext},
    graph::SceneGraph,
    graphics::framebuffer::ReadTarget,
    material::{MaterialResource, MaterialResourceBinding},
    resource::texture::{TextureResource, TextureResourceExtension},
    scene::{
        base::BaseBuilder,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh, MeshBuilder, RenderPath,
        },
        rigidbody::RigidBodyType,
        skybox::SkyBox,
        Scene,
    },
};
use fyroxed_base::asset::preview::make_preview_scene;

/// Name of the pass of deferred drawing in the engine's shaders.
const GBUFFER_PASS_NAME: &str = "GBuffer";
/// Point on the front that is struck; the block has sides of a metre around the origin.
const STRUCK: Vector3<f32> = Vector3::new(0.1, 0.1, -0.5);
/// Radius of the break, metres: most of the block.
const RADIUS: f32 = 0.8;
/// Energy of the blow, J, which breaks any material.
const ENERGY: f32 = 1e9;
/// How far the pieces are moved apart, 0 to 1.
const APART: f32 = 0.25;
/// Yaw and pitch from which the block is seen, radians.
const GAZE: [f32; 2] = [0.5, 0.4];
/// Distance of the camera, metres.
const DISTANCE: f32 = 2.6;
/// Grey behind the block.
const BACKGROUND: Color = Color::repeat_opaque(110);
/// Frames in which the pieces are moved apart, their figures taken and their places found.
const SETTLING: u32 = 4;
/// Frames for which materials that do not come are waited for.
const PATIENCE: u32 = 600;

/// The block in a scene of its own.
pub struct BrokenBlock {
    scene: Scene,
    preview: Preview,
    inside: Option<MaterialResource>,
    next: Step,
    /// Updates since it was made or moved apart.
    frames: u32,
}

/// The thing that happens once nothing is being computed.
enum Step {
    Strike,
    MoveApart,
    Show,
}

impl BrokenBlock {
    /// Makes the block, of a card that is loaded.
    ///
    /// # Errors
    /// Those of [`make_destructible`].
    pub fn new(card: MaterialCardResource) -> Result<Self, MakeDestructibleError> {
        let mut scene = make_preview_scene(false);
        // Glass is seen against it, too.
        scene.set_skybox(Some(SkyBox::from_single_color(BACKGROUND)));
        let target = TextureResource::new_render_target(SIDE as u32, SIDE as u32);
        scene.rendering_options.render_target = Some(target);
        let content = card.data_ref().as_loaded_ref().cloned();
        let inside = content.and_then(|card| card.inside_material);
        let cube = SurfaceData::make_cube(Matrix4::identity());
        let mut surface = SurfaceBuilder::new(SurfaceResource::new_embedded(cube));
        if let Some(inside) = &inside {
            surface = surface.with_material(inside.clone());
        }
        let mesh = MeshBuilder::new(BaseBuilder::new().with_name("block"))
            .with_surfaces(vec![surface.build()])
            .build(&mut scene.graph)
            .to_base();
        let script = Destructible::with_card(card);
        let made = make_destructible(&mut scene.graph, mesh, RigidBodyType::Dynamic, script)?;
        place_camera(&mut scene);
        Ok(Self {
            preview: Preview::new(&mut scene, made.body, Surroundings::default()),
            scene,
            inside,
            next: Step::Strike,
            frames: 0,
        })
    }

    /// Does a frame's work. Returns whether the block can be drawn: it is broken, or cannot be, and its materials are there.
    pub fn update(&mut self) -> bool {
        self.scene
            .update(Vector2::repeat(SIDE as f32), 0.0, Default::default());
        self.preview.update(&mut self.scene, 0.0);
        self.frames += 1;
        if self.preview.is_busy() {
            return false;
        }
        match self.next {
            Step::Strike => {
                let mut blow = Impact::new(STRUCK, -Vector3::z(), ENERGY);
                blow.radius = Some(RADIUS);
                self.preview.strike(&self.scene, blow);
                self.next = Step::MoveApart;
            }
            Step::MoveApart => {
                self.preview.set_explode(&mut self.scene, APART);
                self.next = Step::Show;
                self.frames = 0;
            }
            Step::Show => {
                let is_loading = self.inside.as_ref().is_some_and(is_loading);
                let is_ready = self.frames > PATIENCE || !is_loading;
                if is_ready && self.frames > SETTLING {
                    self.choose_render_path();
                    return true;
                }
            }
        }
        false
    }

    /// Draws what only has a forward pass, such as glass, by that pass.
    fn choose_render_path(&mut self) {
        let is_forward_only = self.inside.as_ref().is_some_and(is_forward_only);
        if is_forward_only {
            for node in self.scene.graph.linear_iter_mut() {
                if let Some(mesh) = node.cast_mut::<Mesh>() {
                    mesh.set_render_path(RenderPath::Forward);
                }
            }
        }
    }

    /// Draws the block, as pixels in rows from above. `None` without a window.
    pub fn draw(&self, engine: &mut Engine) -> Option<Vec<u8>> {
        let (time, resources) = (engine.elapsed_time(), engine.resource_manager.clone());
        let GraphicsContext::Initialized(context) = &mut engine.graphics_context else {
            return None;
        };
        // The renderer keeps what it needs for a scene by its handle, and this scene has none.
        let handle = Handle::new(u32::MAX, u32::MAX);
        let renderer = &mut context.renderer;
        let drawn = renderer.render_scene(handle, &self.scene, time, 0.0, &resources);
        let rows = drawn.ok().and_then(|drawn| {
            let picture = &drawn.scene_data.ldr_scene_framebuffer;
            picture.read_pixels(ReadTarget::Color(0))
        });
        renderer.scene_data_map.remove(&handle);
        Some(rows?.rchunks(4 * SIDE).flatten().copied().collect())
    }
}

/// Whether a material, its shader or one of its textures is still being loaded.
fn is_loading(material: &MaterialResource) -> bool {
    let material = material.data_ref();
    let Some(material) = material.as_loaded_ref() else {
        return true;
    };
    let is_texture_loading = |binding: &MaterialResourceBinding| match binding {
        MaterialResourceBinding::Texture(texture) => {
            let texture = texture.value.as_ref();
            texture.is_some_and(|texture| !texture.is_ok() && !texture.is_failed_to_load())
        }
        MaterialResourceBinding::PropertyGroup(_) => false,
    };
    !material.shader().is_ok() || material.bindings().values().any(is_texture_loading)
}

/// Whether the shader of a material has no pass of deferred drawing.
fn is_forward_only(material: &MaterialResource) -> bool {
    let material = material.data_ref();
    let Some(material) = material.as_loaded_ref() else {
        return false;
    };
    let shader = material.shader().data_ref();
    let Some(shader) = shader.as_loaded_ref() else {
        return false;
    };
    let mut passes = shader.definition.passes.iter();
    !passes.any(|pass| pass.name.as_str() == GBUFFER_PASS_NAME)
}

fn place_camera(scene: &mut Scene) {
    let camera = camera(&mut scene.graph);
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), GAZE[0])
        * UnitQuaternion::from_axis_angle(&Vector3::x_axis(), GAZE[1]);
    if let Ok(camera) = scene.graph.try_get_mut(camera) {
        camera
            .local_transform_mut()
            .set_rotation(turn)
            .set_position(turn * -Vector3::z() * DISTANCE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture::{FracturePatternResource, MaterialCard, PRESETS};
    use fyrox::{asset::untyped::ResourceKind, core::uuid::Uuid};
    use std::{thread, time::Duration};

    #[test]
    fn a_block_breaks_by_each_pattern_and_is_shown_then() {
        for (name, make) in PRESETS {
            let pattern =
                FracturePatternResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, make());
            let card = MaterialCard {
                pattern: Some(pattern),
                ..MaterialCard::default()
            };
            let card = MaterialCardResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, card);
            let mut block = BrokenBlock::new(card).unwrap();
            let mut waits = 0;
            while !block.update() {
                waits += 1;
                assert!(waits < 60_000, "{name}: {:?}", block.preview.fault());
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(block.preview.fault(), None, "{name}");
            assert!(block.preview.pieces().len() > 4, "{name}");
        }
    }
}
