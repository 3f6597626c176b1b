//! The thumbnails of all assets of a type, as the asset browser asks for them.

use fracture::{FracturePattern, FracturePatternResource};
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

/// An asset that has a thumbnail.
pub trait Pictured: TypedResourceData + Clone + PartialEq {
    /// The pattern that its thumbnail shows besides, which may change by itself.
    fn pattern(&self) -> Option<&FracturePatternResource>;
}

/// The thumbnails of all assets of a type; clones share them.
pub struct Pictures<T: TypedResourceData>(Arc<Mutex<BTreeMap<Uuid, Picture<T>>>>);

/// A thumbnail and the asset that it shows.
struct Picture<T: TypedResourceData> {
    asset: Resource<T>,
    /// The content that has been drawn, or is being drawn, and that of its pattern.
    shown: Option<(T, Option<FracturePattern>)>,
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

impl<T: Pictured> Pictures<T> {
    /// The loaded assets whose content, or that of their pattern, has changed since the last call, with the textures that are
    /// to show them. Cheap when none has. One whose pattern is being loaded waits for it.
    pub fn take_changed(&self) -> Vec<(Resource<T>, TextureResource)> {
        let mut changed = Vec::new();
        for picture in self.0.lock().values_mut() {
            let content = picture.asset.data_ref();
            let Some(now) = content.as_loaded_ref() else {
                picture.shown = None;
                continue;
            };
            if now.pattern().is_some_and(Resource::is_loading) {
                continue;
            }
            let pattern = now.pattern().map(Resource::data_ref);
            let pattern = pattern.as_ref().and_then(|data| data.as_loaded_ref());
            let shown = picture.shown.as_ref();
            if shown.is_none_or(|(own, of_pattern)| own != now || of_pattern.as_ref() != pattern) {
                picture.shown = Some((now.clone(), pattern.cloned()));
                changed.push((picture.asset.clone(), picture.texture.clone()));
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

impl<T: Pictured> AssetPreviewGenerator for Pictures<T> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use fracture::{MaterialCard, MaterialCardResource};

    fn embedded<T: TypedResourceData>(content: T) -> Resource<T> {
        Resource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, content)
    }

    fn change<T: TypedResourceData>(asset: &Resource<T>, change: impl FnOnce(&mut T)) {
        change(asset.data_ref().as_loaded_mut().expect("loaded"));
    }

    #[test]
    fn a_card_is_drawn_again_when_it_or_its_pattern_changes() {
        let pattern = embedded(FracturePattern::default());
        let card: MaterialCardResource = embedded(MaterialCard {
            pattern: Some(pattern.clone()),
            ..MaterialCard::default()
        });
        let pictures = Pictures::default();
        assert!(pictures.of(card.clone()).is_some());
        let changed = || {
            let changed = pictures.take_changed();
            assert!(changed.iter().all(|(asset, _)| *asset == card));
            changed.len()
        };
        assert_eq!([changed(), changed()], [1, 0], "the first time");
        change(&pattern, |pattern| pattern.seed += 1);
        assert_eq!([changed(), changed()], [1, 0], "its pattern");
        change(&card, |card| card.density *= 2.0);
        assert_eq!([changed(), changed()], [1, 0], "the card");
        change(&card, |card| card.pattern = None);
        assert_eq!([changed(), changed()], [1, 0], "without a pattern");
        change(&pattern, |pattern| pattern.seed += 1);
        assert_eq!(changed(), 0, "a pattern that it has no more");
    }

    #[test]
    fn a_card_waits_for_its_pattern_and_is_drawn_without_one_that_cannot_be_loaded() {
        let pattern = FracturePatternResource::new_pending(Uuid::new_v4(), ResourceKind::External);
        let card = embedded(MaterialCard {
            pattern: Some(pattern.clone()),
            ..MaterialCard::default()
        });
        let pictures = Pictures::default();
        assert!(pictures.of(card).is_some());
        assert_eq!(pictures.take_changed().len(), 0);
        pattern
            .into_untyped()
            .commit_error("cut.pattern".into(), "cut short");
        assert_eq!(pictures.take_changed().len(), 1);
    }
}
