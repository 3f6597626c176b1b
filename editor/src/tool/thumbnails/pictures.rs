//! The thumbnails of all assets of a type, as the asset browser asks for them.

use fyrox::{
    asset::{
        manager::ResourceManager,
        untyped::{ResourceKind, UntypedResource},
        Resource, TypedResourceData,
    },
    core::{color::Color, parking_lot::Mutex, pool::Handle, uuid::Uuid},
    engine::Engine,
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{camera::Camera, node::Node, Scene},
};
use fyroxed_base::asset::preview::{AssetPreviewGenerator, AssetPreviewTexture};
use std::{collections::BTreeMap, sync::Arc};

/// Width and height of a thumbnail, pixels.
pub const SIDE: usize = 64;

/// The thumbnails of all assets of a type; clones share them.
pub struct Pictures<T: TypedResourceData>(Arc<Mutex<BTreeMap<Uuid, Picture<T>>>>);

/// A thumbnail and the asset that it shows.
struct Picture<T: TypedResourceData> {
    asset: Resource<T>,
    /// The content that has been drawn, or is being drawn.
    shown: Option<T>,
    texture: TextureResource,
}

impl<T: TypedResourceData> Default for Pictures<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T: TypedResourceData> Clone for Pictures<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: TypedResourceData + Clone + PartialEq> Pictures<T> {
    /// The loaded assets whose content has changed since the last call, with the textures that are to show them. Cheap when
    /// none has.
    pub fn take_changed(&self) -> Vec<(Resource<T>, TextureResource)> {
        let mut changed = Vec::new();
        for picture in self.0.lock().values_mut() {
            let content = picture.asset.data_ref();
            let now = content.as_loaded_ref();
            if now != picture.shown.as_ref() {
                if now.is_some() {
                    changed.push((picture.asset.clone(), picture.texture.clone()));
                }
                picture.shown = now.cloned();
            }
        }
        changed
    }

    /// The texture that shows an asset, which is grey until it has been drawn.
    fn of(&self, asset: Resource<T>) -> Option<TextureResource> {
        let mut all = self.0.lock();
        let id = asset.resource_uuid();
        if let Some(picture) = all.get(&id) {
            return Some(picture.texture.clone());
        }
        let texture = blank()?;
        let picture = Picture {
            texture: texture.clone(),
            asset,
            shown: None,
        };
        all.insert(id, picture);
        Some(texture)
    }
}

/// Gives a thumbnail other pixels, rows from above.
pub fn fill(texture: &TextureResource, pixels: &[u8]) {
    let mut data = texture.data_ref();
    if let Some(data) = data.as_loaded_mut() {
        let mut data = data.modify();
        if data.data_mut().len() == pixels.len() {
            data.data_mut().copy_from_slice(pixels);
        }
    }
}

fn blank() -> Option<TextureResource> {
    TextureResource::from_bytes(
        Uuid::new_v4(),
        TextureKind::Rectangle {
            width: SIDE as u32,
            height: SIDE as u32,
        },
        TexturePixelKind::RGBA8,
        [60, 60, 66, 255].repeat(SIDE * SIDE),
        ResourceKind::Embedded,
    )
}

impl<T: TypedResourceData + Clone + PartialEq> AssetPreviewGenerator for Pictures<T> {
    fn generate_scene(
        &mut self,
        _resource: &UntypedResource,
        _resource_manager: &ResourceManager,
        _scene: &mut Scene,
        _preview_camera: Handle<Camera>,
    ) -> Handle<Node> {
        Handle::NONE
    }

    fn generate_preview(
        &mut self,
        resource: &UntypedResource,
        _engine: &mut Engine,
    ) -> Option<AssetPreviewTexture> {
        let texture = self.of(resource.try_cast::<T>()?)?;
        Some(AssetPreviewTexture {
            texture,
            flip_y: false,
            color: Color::WHITE,
        })
    }

    fn simple_icon(
        &self,
        resource: &UntypedResource,
        _resource_manager: &ResourceManager,
    ) -> Option<TextureResource> {
        self.of(resource.try_cast::<T>()?)
    }
}
