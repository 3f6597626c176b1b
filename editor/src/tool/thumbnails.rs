//! Thumbnails of pattern assets: the cells on a slab that is struck in its middle.

use fracture::{FracturePattern, FracturePatternResource};
use fyrox::{
    asset::{
        manager::ResourceManager,
        untyped::{ResourceKind, UntypedResource},
    },
    core::{color::Color, color::Hsv, log::Log, parking_lot::Mutex, pool::Handle, uuid::Uuid},
    engine::Engine,
    resource::texture::{TextureKind, TexturePixelKind, TextureResource, TextureResourceExtension},
    scene::{camera::Camera, node::Node, Scene},
};
use fyroxed_base::asset::preview::{AssetPreviewGenerator, AssetPreviewTexture};
use std::{collections::BTreeMap, sync::Arc, thread};

/// Width and height, pixels.
const SIDE: usize = 64;
/// Colour of the edges between cells.
const EDGE: [u8; 4] = [24, 24, 28, 255];
/// Colour of a pattern that cannot be built.
const FAULTY: [u8; 4] = [150, 40, 40, 255];

/// The thumbnails of all patterns; clones share them.
#[derive(Clone, Default)]
pub struct Thumbnails(Arc<Mutex<BTreeMap<Uuid, Thumbnail>>>);

/// A picture and the pattern that it shows.
struct Thumbnail {
    resource: FracturePatternResource,
    shown: Option<FracturePattern>,
    texture: TextureResource,
}

impl Thumbnails {
    /// Draws the thumbnails whose patterns have changed. Cheap when none has.
    pub fn refresh(&self) {
        for thumbnail in self.0.lock().values_mut() {
            thumbnail.refresh();
        }
    }

    fn of(&self, resource: FracturePatternResource) -> Option<TextureResource> {
        let mut all = self.0.lock();
        let id = resource.resource_uuid();
        if let Some(thumbnail) = all.get_mut(&id) {
            thumbnail.refresh();
            return Some(thumbnail.texture.clone());
        }
        let mut thumbnail = Thumbnail {
            texture: blank()?,
            resource,
            shown: None,
        };
        thumbnail.refresh();
        let texture = thumbnail.texture.clone();
        all.insert(id, thumbnail);
        Some(texture)
    }
}

impl Thumbnail {
    /// Draws on a thread of its own if the pattern has changed.
    fn refresh(&mut self) {
        let now = self.resource.data_ref().as_loaded_ref().cloned();
        if now == self.shown {
            return;
        }
        self.shown.clone_from(&now);
        let (Some(pattern), texture) = (now, self.texture.clone()) else {
            return;
        };
        let draw = move || {
            let pixels = draw(&pattern);
            let mut data = texture.data_ref();
            if let Some(data) = data.as_loaded_mut() {
                let mut data = data.modify();
                if data.data_mut().len() == pixels.len() {
                    data.data_mut().copy_from_slice(&pixels);
                }
            }
        };
        let thread = thread::Builder::new().name("fracture thumbnail".into());
        if let Err(error) = thread.spawn(draw) {
            Log::warn(format!("A thumbnail cannot be drawn: {error}."));
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

/// Returns the pixels of a pattern: a colour per cell, dark edges between cells.
fn draw(pattern: &FracturePattern) -> Vec<u8> {
    let Ok(cells) = pattern.picture(SIDE) else {
        return FAULTY.repeat(SIDE * SIDE);
    };
    let pixel = |at: usize| {
        let cell = cells.get(at);
        let is_last = at % SIDE == SIDE - 1;
        let right = if is_last { cell } else { cells.get(at + 1) };
        let below = cells.get(at + SIDE).or(cell);
        match cell {
            Some(cell) if right == Some(cell) && below == Some(cell) => shade(*cell),
            _ => EDGE,
        }
    };
    (0..SIDE * SIDE).flat_map(pixel).collect()
}

/// Returns a warm grey that differs between neighbouring numbers.
fn shade(cell: u32) -> [u8; 4] {
    let step = |by: f32| (cell as f32 * by).fract();
    let color = Color::from(Hsv::new(
        25.0 + 20.0 * step(0.618),
        15.0 + 20.0 * step(0.414),
        60.0 + 30.0 * step(0.732),
    ));
    [color.r, color.g, color.b, 255]
}

impl AssetPreviewGenerator for Thumbnails {
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
        let texture = self.of(resource.try_cast::<FracturePattern>()?)?;
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
        self.of(resource.try_cast::<FracturePattern>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture::PRESETS;

    #[test]
    fn thumbnails_show_cells_and_edges_and_what_is_faulty() {
        for (name, make) in PRESETS {
            let pixels = draw(&make());
            assert_eq!(pixels.len(), SIDE * SIDE * 4);
            let edges = pixels.chunks(4).filter(|pixel| *pixel == EDGE).count();
            assert!((100..SIDE * SIDE / 2).contains(&edges), "{name}: {edges}");
        }
        let faulty = FracturePattern {
            cells: 0,
            ..Default::default()
        };
        assert!(draw(&faulty).chunks(4).all(|pixel| pixel == FAULTY));
    }
}
