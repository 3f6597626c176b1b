//! Lightmaps: the light of a level, in a texture of each material that the engine's standard shaders read at the second
//! texture coordinates.

use crate::object::cooked_files::model_file;
use fyrox::{
    asset::manager::ResourceManager,
    core::pool::Handle,
    graph::SceneGraph,
    material::{
        MaterialResource, MaterialResourceBinding, MaterialResourceExtension,
        MaterialTextureBinding,
    },
    resource::texture::TextureResource,
    scene::{
        graph::Graph,
        mesh::{
            buffer::{VertexAttributeDataType, VertexAttributeUsage},
            surface::{Surface, SurfaceData},
            Mesh,
        },
        node::Node,
    },
};
use std::path::Path;

/// The name of a lightmap among the textures of a material.
pub(crate) const LIGHTMAP: &str = "lightmapTexture";

/// The material of cut faces in the light of the surfaces beside them: it has their lightmap if it has none of its own. An
/// object whose surfaces have several lightmaps has the first one inside.
pub(crate) fn in_light_of(
    outside: &[MaterialResource],
    inside: MaterialResource,
) -> MaterialResource {
    let Some(lightmap) = outside.iter().find_map(lightmap_of) else {
        return inside; // the common case
    };
    if !inside.is_ok() || lightmap_of(&inside).is_some() {
        return inside;
    }
    let lit = inside.deep_copy();
    if let Some(material) = lit.state().data() {
        let value = Some(lightmap);
        let binding = MaterialResourceBinding::Texture(MaterialTextureBinding { value });
        material.bind(LIGHTMAP, binding);
    }
    lit
}

fn lightmap_of(material: &MaterialResource) -> Option<TextureResource> {
    let mut state = material.state();
    state.data()?.texture(LIGHTMAP)
}

/// The fault of a mesh with a lightmap and without the coordinates for it; `None` if there is none.
pub(crate) fn fault(
    graph: &Graph,
    meshes: &[Handle<Node>],
    scene_file: Option<&Path>,
    resources: Option<&ResourceManager>,
) -> Option<String> {
    let mut meshes = meshes
        .iter()
        .filter_map(|mesh| graph.try_get_of_type::<Mesh>(*mesh).ok());
    let mesh = meshes.find(|mesh| mesh.surfaces().iter().any(lacks_coordinates))?;
    let model = resources.and_then(|resources| model_file(graph, mesh.handle(), resources));
    let file = model.or(scene_file.map(Path::to_path_buf));
    let of_file = file.map(|file| format!(" of {}", file.display()));
    Some(format!(
        "mesh node \"{}\"{} has a lightmap and no second texture coordinates for it, so it is lit by one point of it; \
        generate the lightmap anew, or remove it from the material",
        mesh.name(),
        of_file.unwrap_or_default()
    ))
}

fn lacks_coordinates(surface: &Surface) -> bool {
    if lightmap_of(surface.material()).is_none() {
        return false; // the common case
    }
    let are_coordinates = |data: &SurfaceData| {
        let mut layout = data.vertex_buffer.layout().iter();
        layout.any(|own| {
            own.usage == VertexAttributeUsage::TexCoord1
                && own.data_type == VertexAttributeDataType::F32
                && own.size >= 2
        })
    };
    let data = surface.data();
    let data = data.data_ref();
    data.as_loaded_ref()
        .is_some_and(|data| !are_coordinates(data))
}
