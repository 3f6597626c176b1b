//! Draws meshes of the scene once more in plain colours, over its picture. The scene itself is not changed.

use fyrox::{
    core::{color::Color, pool::Handle, sstorage::ImmutableString, Uuid},
    engine::GraphicsContext,
    graph::SceneGraph,
    graphics::error::FrameworkError,
    material::{
        shader::{ShaderResource, ShaderResourceExtension},
        Material, MaterialResource,
    },
    renderer::{
        bundle::{BundleRenderContext, RenderContext, RenderDataBundleStorage},
        RenderPassStatistics, SceneRenderPass, SceneRenderPassContext,
    },
    scene::{mesh::RenderPath, node::Node, Scene},
};
use fyroxed_base::Editor;
use std::{any::TypeId, cell::RefCell, collections::BTreeMap, rc::Rc};

/// The pass of the shader that draws.
const PASS: &str = "Forward";

/// Meshes that are drawn in colours over the picture of a scene.
#[derive(Default)]
pub(super) struct Overlay {
    scene: Handle<Scene>,
    /// The meshes of each colour.
    meshes: BTreeMap<[u8; 3], Vec<Handle<Node>>>,
    /// One material for each colour that was ever drawn.
    materials: BTreeMap<[u8; 3], MaterialResource>,
    shader: Option<ShaderResource>,
}

/// The overlay, shared with the renderer once there is one.
#[derive(Default)]
pub(super) struct SharedOverlay {
    overlay: Rc<RefCell<Overlay>>,
    is_added: bool,
}

impl SharedOverlay {
    /// Sets what is drawn.
    pub fn set(&self, scene: Handle<Scene>, meshes: &[(Handle<Node>, Color)]) {
        let mut overlay = self.overlay.borrow_mut();
        overlay.scene = scene;
        overlay.meshes.clear();
        for (mesh, color) in meshes {
            let same = overlay.meshes.entry([color.r, color.g, color.b]);
            same.or_default().push(*mesh);
        }
    }

    /// The colour in which a mesh is drawn.
    pub fn color(&self, mesh: Handle<Node>) -> Option<Color> {
        let overlay = self.overlay.borrow();
        let mut colors = overlay.meshes.iter();
        let found = colors.find(|(_, meshes)| meshes.contains(&mesh));
        found.map(|([r, g, b], _)| Color::opaque(*r, *g, *b))
    }

    /// Hands it to the renderer, which a session without a window does not have.
    pub fn add(&mut self, editor: &mut Editor) {
        if let GraphicsContext::Initialized(context) = &mut editor.engine.graphics_context {
            if !self.is_added {
                context.renderer.add_render_pass(self.overlay.clone());
                self.is_added = true;
            }
        }
    }

    /// Takes it from the renderer.
    pub fn remove(&mut self, editor: &mut Editor) {
        if let GraphicsContext::Initialized(context) = &mut editor.engine.graphics_context {
            context.renderer.remove_render_pass(self.overlay.clone());
        }
        self.is_added = false;
    }
}

impl Overlay {
    /// The material of a colour, made once; `None` if the shader is faulty.
    fn material(&mut self, color: [u8; 3]) -> Option<MaterialResource> {
        if let Some(material) = self.materials.get(&color) {
            return Some(material.clone());
        }
        if self.shader.is_none() {
            let text = include_str!("overlay.shader");
            let kind = fyrox::asset::untyped::ResourceKind::Embedded;
            self.shader = ShaderResource::from_str(Uuid::new_v4(), text, kind).ok();
        }
        let mut material = Material::from_shader(self.shader.clone()?);
        let [r, g, b] = color;
        material.set_property("color", Color::opaque(r, g, b));
        let material = MaterialResource::new_embedded(material);
        self.materials.insert(color, material.clone());
        Some(material)
    }

    /// Collects the meshes of a colour, with its material.
    fn collect(
        &self,
        ctx: &mut SceneRenderPassContext,
        meshes: &[Handle<Node>],
        material: &MaterialResource,
        pass: &ImmutableString,
    ) -> RenderDataBundleStorage {
        let mut storage = RenderDataBundleStorage::new_empty(ctx.observer.position.clone());
        let mut context = RenderContext {
            render_mask: ctx.observer.render_mask,
            elapsed_time: ctx.elapsed_time,
            observer_position: &ctx.observer.position,
            frustum: Some(&ctx.observer.frustum),
            storage: &mut storage,
            graph: &ctx.scene.graph,
            render_pass_name: pass,
            dynamic_surface_cache: ctx.dynamic_surface_cache,
        };
        for mesh in meshes {
            if let Ok(node) = ctx.scene.graph.try_get_node(*mesh) {
                if node.global_visibility() {
                    node.collect_render_data(&mut context);
                }
            }
        }
        for bundle in &mut storage.bundles {
            bundle.material = material.clone();
            bundle.render_path = RenderPath::Forward;
        }
        storage
    }
}

impl SceneRenderPass for Overlay {
    fn on_ldr_render(
        &mut self,
        mut ctx: SceneRenderPassContext,
    ) -> Result<RenderPassStatistics, FrameworkError> {
        let mut statistics = RenderPassStatistics::default();
        if self.scene != ctx.scene_handle {
            return Ok(statistics);
        }
        let pass = ImmutableString::new(PASS);
        let meshes = std::mem::take(&mut self.meshes);
        for (color, meshes) in &meshes {
            let Some(material) = self.material(*color) else {
                break;
            };
            let storage = self.collect(&mut ctx, meshes, &material, &pass);
            statistics += storage.render_to_frame_buffer(
                ctx.server,
                ctx.geometry_cache,
                ctx.shader_cache,
                |_| true,
                |_| true,
                BundleRenderContext {
                    texture_cache: ctx.texture_cache,
                    render_pass_name: &pass,
                    frame_buffer: ctx.framebuffer,
                    viewport: ctx.observer.viewport,
                    uniform_memory_allocator: ctx.uniform_memory_allocator,
                    resource_manager: ctx.resource_manager,
                    use_pom: false,
                    light_position: &Default::default(),
                    ambient_light: Default::default(),
                    scene_depth: Some(ctx.depth_texture),
                    renderer_resources: ctx.renderer_resources,
                },
            )?;
        }
        self.meshes = meshes;
        Ok(statistics)
    }

    fn source_type_id(&self) -> TypeId {
        TypeId::of::<Editor>()
    }
}
