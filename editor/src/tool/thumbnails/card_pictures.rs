//! Thumbnails of material cards, drawn by the engine one after the other.

use super::{
    broken_block::BrokenBlock,
    pictures::{fill, Pictured, Pictures},
};
use fracture::{FracturePatternResource, MaterialCard, MaterialCardResource};
use fyrox::{
    core::log::Log,
    engine::{Engine, GraphicsContext},
    resource::texture::TextureResource,
};
use std::collections::VecDeque;

impl Pictured for MaterialCard {
    fn pattern(&self) -> Option<&FracturePatternResource> {
        self.pattern.as_ref()
    }
}

/// The thumbnails of all cards.
#[derive(Default)]
pub struct CardPictures {
    pub pictures: Pictures<MaterialCard>,
    waiting: VecDeque<(MaterialCardResource, TextureResource)>,
    /// The one that is being drawn.
    current: Option<(BrokenBlock, TextureResource)>,
}

impl CardPictures {
    /// Goes on for a frame. Returns whether there is more to draw.
    pub fn refresh(&mut self, engine: &mut Engine) -> bool {
        self.waiting.extend(self.pictures.take_changed());
        if !matches!(engine.graphics_context, GraphicsContext::Initialized(_)) {
            return false;
        }
        if self.current.is_none() {
            self.current = self.waiting.pop_front().and_then(make_block);
        }
        if let Some((block, texture)) = &mut self.current {
            if block.update() {
                if let Some(pixels) = block.draw(engine) {
                    fill(texture, &pixels);
                }
                self.current = None;
            }
        }
        self.current.is_some() || !self.waiting.is_empty()
    }
}

fn make_block(
    (card, texture): (MaterialCardResource, TextureResource),
) -> Option<(BrokenBlock, TextureResource)> {
    let block = BrokenBlock::new(card);
    let block = block.inspect_err(|error| {
        Log::warn(format!("The thumbnail of a card cannot be drawn: {error}"));
    });
    Some((block.ok()?, texture))
}
