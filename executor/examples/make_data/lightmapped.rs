//! A wall in a dark room, whose light is baked into textures by the engine.

use crate::set::{Result, Set};
use fracture::Anchoring;
use fyrox::{
    asset::{manager::ResourceManager, untyped::ResourceKind, ResourceData},
    core::{
        algebra::{Matrix4, Vector2, Vector3},
        color::Color,
        pool::Handle,
        Uuid,
    },
    material::{
        Material, MaterialResource, MaterialResourceBinding, MaterialResourceExtension,
        MaterialTextureBinding,
    },
    resource::texture::{Texture, TextureResource},
    scene::{
        base::BaseBuilder,
        collider::ColliderShape,
        graph::Graph,
        light::{point::PointLightBuilder, BaseLightBuilder},
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait, VertexWriteTrait},
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::{Transform, TransformBuilder},
        EnvironmentLightingSource, Scene,
    },
    utils::lightmap::{Lightmap, LightmapInputData},
};
use std::path::Path;

/// Where the engine's standard shader has the lightmap, and the coordinates for it.
const LIGHTMAP: &str = "lightmapTexture";
const COORDINATES: u8 = 6;

/// Texels of a lightmap for a metre.
const TEXELS: u32 = 24;
/// Distance of its charts, in parts of it.
const SPACING: f32 = 0.01;

/// A block of the room.
struct Block {
    name: &'static str,
    material: &'static str,
    size: [f32; 3],
    /// Of its middle, metres.
    at: [f32; 3],
}

const WALL: &str = "Wall";

const BLOCKS: [Block; 3] = [
    Block {
        name: WALL,
        material: "concrete",
        size: [3.0, 2.4, 0.3],
        at: [0.0, 1.2, 0.0],
    },
    Block {
        name: "Floor",
        material: "stone",
        size: [9.0, 0.2, 8.0],
        at: [0.0, -0.1, 0.0],
    },
    Block {
        name: "Back wall",
        material: "plaster",
        size: [9.0, 3.0, 0.2],
        at: [0.0, 1.5, -2.5],
    },
];

/// Writes the lightmaps, `light_wall.png` and so on.
pub fn write_pictures(folder: &Path) -> Result<()> {
    for (block, (_, light)) in BLOCKS.iter().zip(baked()?) {
        light.data_ref().save(&folder.join(file(block)))?;
        println!("{}", file(block));
    }
    Ok(())
}

fn file(block: &Block) -> String {
    let name = block.name.to_lowercase().replace(' ', "_");
    format!("light_{name}.png")
}

/// Writes the scene.
pub fn write(resources: &ResourceManager, data: &Path) -> Result<()> {
    let mut set = Set::empty(resources, data);
    let rendering = &mut set.scene.rendering_options;
    rendering.environment_lighting_source = EnvironmentLightingSource::AmbientColor;
    rendering.ambient_lighting_color = Color::opaque(40, 40, 48);
    for (block, (surface, _)) in BLOCKS.iter().zip(baked()?) {
        let light = set.resource::<Texture>(&format!("textures/{}", file(block)))?;
        let material = set.resource(&format!("materials/{}.material", block.material))?;
        let material = lit(material, light);
        let mesh = mesh(&mut set.scene.graph, block, surface, material);
        let [x, y, z] = block.size.map(|side| 0.5 * side);
        let shape = ColliderShape::cuboid(x, y, z);
        let collider = set.collider(Transform::identity(), shape, 2400.0);
        let mut base = BaseBuilder::new()
            .with_name(block.name)
            .with_local_transform(placed(block))
            .with_child(mesh)
            .with_child(collider);
        if block.name == WALL {
            let mut breaks = set.of_card("concrete")?;
            breaks.held.anchoring = Anchoring::Base.into();
            base = base.with_script(breaks);
        }
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(&mut set.scene.graph);
    }
    set.camera([1.1, 1.5, 2.9], [0.0, 1.2, 0.0]);
    set.save("scenes", "lightmapped")
}

/// The surfaces of all blocks with coordinates for lightmaps, and these.
fn baked() -> Result<Vec<(SurfaceResource, TextureResource)>> {
    let mut scene = Scene::new();
    let mut meshes = Vec::new();
    for block in &BLOCKS {
        let surface = SurfaceResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, cut(block));
        let material = MaterialResource::new_embedded(Material::standard());
        let mesh = mesh(&mut scene.graph, block, surface.clone(), material);
        let own = scene.graph[mesh].local_transform_mut();
        own.set_position(block.at.into());
        meshes.push((mesh, surface));
    }
    let place = TransformBuilder::new().with_local_position(Vector3::new(-1.4, 2.1, 2.0));
    let base = BaseBuilder::new().with_local_transform(place.build());
    let lamp = BaseLightBuilder::new(base).with_color(Color::opaque(255, 208, 150));
    PointLightBuilder::new(lamp)
        .with_radius(9.0)
        .build(&mut scene.graph);
    scene.graph.update_hierarchical_data();
    let (token, progress) = (Default::default(), Default::default());
    let input =
        LightmapInputData::from_scene(LIGHTMAP, COORDINATES, &scene, |_, _| true, token, progress)?;
    let mut baked = Lightmap::new(
        input,
        TEXELS,
        SPACING,
        Default::default(),
        Default::default(),
    )?;
    let of_mesh = meshes.into_iter().map(|(mesh, surface)| {
        let entries = baked.map.remove(&mesh);
        let light = entries.and_then(|mut entries| entries.pop()?.texture);
        Ok((surface, light.ok_or("a mesh has no lightmap")?))
    });
    of_mesh.collect()
}

/// The surface of a block, with texture coordinates in metres.
fn cut(block: &Block) -> SurfaceData {
    let size = Vector3::from(block.size);
    let mut data = SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(&size));
    let mut vertices = data.vertex_buffer.modify();
    for mut vertex in vertices.iter_mut() {
        let read = |usage| vertex.read_3_f32(usage).unwrap_or_default();
        let (at, normal) = (
            read(VertexAttributeUsage::Position),
            read(VertexAttributeUsage::Normal),
        );
        let place = match normal.iamax() {
            0 => Vector2::new(at.z, at.y),
            1 => Vector2::new(at.x, at.z),
            _ => Vector2::new(at.x, at.y),
        };
        // The buffer has been made with both.
        let _ = vertex.write_2_f32(VertexAttributeUsage::TexCoord0, place);
    }
    drop(vertices);
    data
}

fn mesh(
    graph: &mut Graph,
    block: &Block,
    surface: SurfaceResource,
    material: MaterialResource,
) -> Handle<Node> {
    let surface = SurfaceBuilder::new(surface).with_material(material);
    let base = BaseBuilder::new().with_name(format!("{} mesh", block.name));
    let mesh = MeshBuilder::new(base).with_surfaces(vec![surface.build()]);
    mesh.build(graph).to_base()
}

/// A material in the light of a lightmap.
fn lit(material: MaterialResource, light: TextureResource) -> MaterialResource {
    let lit = material.deep_copy_as_embedded();
    if let Some(own) = lit.state().data() {
        let binding = MaterialTextureBinding { value: Some(light) };
        own.bind(LIGHTMAP, MaterialResourceBinding::Texture(binding));
    }
    lit
}

fn placed(block: &Block) -> Transform {
    let place = TransformBuilder::new().with_local_position(block.at.into());
    place.build()
}
