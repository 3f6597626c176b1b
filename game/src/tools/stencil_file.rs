//! The file that a stencil is read from: a model, a picture or a list of points.

use crate::{
    object::conversion::{read_surfaces, ConversionError, GreyPixels, SourceSurface},
    pattern::{FracturePattern, PatternKind, StencilSites},
};
use fracture_geometry::{
    glam::DVec3,
    stencil::{sites_of_parts, sites_of_points, Picture, StencilError, StencilPart},
    Pattern, PatternError,
};
use fyrox::{
    asset::manager::ResourceManager,
    core::{algebra::Matrix4, futures::executor::block_on, pool::Handle},
    graph::SceneGraph,
    resource::{
        model::Model,
        texture::{CompressionOptions, Texture, TextureImportOptions, TextureKind},
    },
    scene::{graph::Graph, mesh::Mesh as MeshNode, node::Node},
};
use std::path::Path;
use thiserror::Error;

/// Extensions of pictures, of models, and of lists of points.
const PICTURES: [&str; 5] = ["png", "jpg", "jpeg", "tga", "bmp"];
const MODELS: [&str; 4] = ["glb", "gltf", "fbx", "rgs"];
const LISTS: [&str; 3] = ["points", "csv", "txt"];

/// Reason why a file cannot become a stencil; the pattern stays as it was. Each message names the file and the remedy.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StencilFileError {
    /// The pattern is of another kind.
    #[error("the pattern is no stencil; choose the kind Stencil first")]
    Kind,
    /// The file's extension is none of those that can be read.
    #[error("the stencil \"{file}\" is no model (.glb, .gltf, .fbx, .rgs), picture (.png, .jpg, .tga, .bmp) or list of points (.points, .csv, .txt); choose such a file as Source File")]
    Extension {
        /// The file.
        file: String,
    },
    /// The file cannot be read.
    #[error("the stencil \"{file}\" cannot be read: {reason}; restore the file or choose another Source File")]
    Read {
        /// The file.
        file: String,
        /// The engine's reason.
        reason: String,
    },
    /// A mesh of the model cannot be read.
    #[error("the stencil \"{file}\": {error}")]
    Mesh {
        /// The file.
        file: String,
        /// The fault of the mesh.
        error: ConversionError,
    },
    /// The content is no stencil.
    #[error("the stencil \"{file}\": {error}")]
    Content {
        /// The file.
        file: String,
        /// The fault of the content.
        error: StencilError,
    },
    /// The sites make no pattern.
    #[error("the stencil \"{file}\": {error}")]
    Pattern {
        /// The file.
        file: String,
        /// The fault of the sites.
        error: PatternError,
    },
}

/// Reads the cells of a stencil from the [`FracturePattern::source`] of a pattern, and says in a sentence what it found. The
/// game needs the file no more. Waits for the engine's loader, and a second for a picture; for tools.
///
/// # Errors
/// [`StencilFileError`]; the pattern stays as it was then.
pub fn read_stencil(
    pattern: &mut FracturePattern,
    resources: &ResourceManager,
) -> Result<String, StencilFileError> {
    if pattern.kind != PatternKind::Stencil {
        return Err(StencilFileError::Kind);
    }
    let file = || pattern.source.clone();
    let (sites, told) = StencilFile { pattern, resources }.read()?;
    let stencil = StencilSites::new(&sites);
    let planes = Pattern::from_sites(&stencil.sites());
    let planes = planes.map_err(|error| StencilFileError::Pattern {
        file: file(),
        error,
    })?;
    let cells = planes.cell_count();
    let told = format!("\"{}\": {told}; the pattern has {cells} cells.", file());
    pattern.stencil = stencil;
    Ok(told)
}

/// A pattern, whose file is to be read.
struct StencilFile<'a> {
    pattern: &'a FracturePattern,
    resources: &'a ResourceManager,
}

impl StencilFile<'_> {
    /// Reads the sites, and says what has been found.
    fn read(&self) -> Result<(Vec<DVec3>, String), StencilFileError> {
        let path = Path::new(&self.pattern.source);
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let is_one_of = |all: &[&str]| all.iter().any(|one| extension.eq_ignore_ascii_case(one));
        let file = || self.pattern.source.clone();
        let content = |error| StencilFileError::Content {
            file: file(),
            error,
        };
        let (sites, told) = if is_one_of(&MODELS) {
            let parts = self.parts_of_model()?;
            let sites = sites_of_parts(&parts).map_err(content)?;
            (sites, format!("{} convex parts", parts.len()))
        } else if is_one_of(&PICTURES) {
            let texture = self.read_picture(&self.bytes()?)?;
            let picture = grey(&texture).map_err(content)?;
            self.sites_of_picture(&picture).map_err(content)?
        } else if is_one_of(&LISTS) {
            let bytes = self.bytes()?;
            let sites = sites_of_points(&String::from_utf8_lossy(&bytes)).map_err(content)?;
            let told = format!("{} points", sites.len());
            (sites, told)
        } else {
            return Err(StencilFileError::Extension { file: file() });
        };
        Ok((sites, told))
    }

    fn sites_of_picture(&self, picture: &Picture) -> Result<(Vec<DVec3>, String), StencilError> {
        let width = f64::from(self.pattern.picture_width);
        if self.pattern.lines {
            let found = picture.sites_of_lines(width, self.pattern.cells)?;
            let told = format!(
                "{} regions between lines, of which the cells follow {:.0} %",
                found.regions,
                100.0 * found.followed
            );
            return Ok((found.sites, told));
        }
        let sites =
            picture.sites_of_darkness(width, self.pattern.cells, u64::from(self.pattern.seed))?;
        Ok((sites, "a picture, dense where it is dark".into()))
    }

    fn unread(&self, reason: String) -> StencilFileError {
        StencilFileError::Read {
            file: self.pattern.source.clone(),
            reason,
        }
    }

    fn bytes(&self) -> Result<Vec<u8>, StencilFileError> {
        let io = self.resources.resource_io();
        let bytes = block_on(io.load_file(Path::new(&self.pattern.source)));
        bytes.map_err(|error| self.unread(error.to_string()))
    }

    /// Reads a picture anew: as a texture of the project it may be compressed.
    fn read_picture(&self, bytes: &[u8]) -> Result<Texture, StencilFileError> {
        let options =
            TextureImportOptions::default().with_compression(CompressionOptions::NoCompression);
        let texture = Texture::load_from_memory(bytes, options);
        texture.map_err(|error| self.unread(error.to_string()))
    }

    /// The meshes of a model, each a part, in the model's space.
    fn parts_of_model(&self) -> Result<Vec<StencilPart>, StencilFileError> {
        let model = block_on(self.resources.request::<Model>(&self.pattern.source));
        let model = model.map_err(|error| self.unread(error.to_string()))?;
        let data = model.data_ref();
        let Some(model) = data.as_loaded_ref() else {
            return Err(self.unread("it is no model".into()));
        };
        let graph = &model.get_scene().graph;
        let meshes = graph.pair_iter().filter(|(_, node)| node.is_mesh());
        let part = |handle| {
            let sources = surfaces_of(graph, handle);
            let mesh = read_surfaces(&sources).map_err(|error| StencilFileError::Mesh {
                file: self.pattern.source.clone(),
                error,
            })?;
            let name = graph.try_get_node(handle).map(|node| node.name_owned());
            Ok(StencilPart {
                name: name.unwrap_or_default(),
                mesh,
            })
        };
        meshes.map(|(handle, _)| part(handle)).collect()
    }
}

/// The surfaces of a mesh node, with its transform in a graph whose transforms have not been computed.
fn surfaces_of(graph: &Graph, mesh: Handle<Node>) -> Vec<SourceSurface> {
    let mut transform = Matrix4::identity();
    let mut above = mesh;
    while let Ok(node) = graph.try_get_node(above) {
        transform = node.local_transform().matrix() * transform;
        above = node.parent();
    }
    let Ok(node) = graph.try_get_of_type::<MeshNode>(mesh) else {
        return Vec::new();
    };
    let surfaces = node.surfaces().iter().zip(0..);
    surfaces
        .map(|(surface, number)| SourceSurface {
            node: node.name_owned(),
            data: surface.data(),
            transform,
            surface: number,
            skin: None,
        })
        .collect()
}

/// The brightness of a texture.
fn grey(texture: &Texture) -> Result<Picture, StencilError> {
    let Some(pixels) = GreyPixels::of(texture) else {
        let (width, height) = match texture.kind() {
            TextureKind::Rectangle { width, height } => (width as usize, height as usize),
            _ => (0, 0),
        };
        return Err(StencilError::PictureSize { width, height });
    };
    Picture::new(pixels.width, pixels.height, &pixels.brightness)
}
