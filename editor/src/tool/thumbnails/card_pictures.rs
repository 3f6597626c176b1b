//! Thumbnails of material cards, drawn by the engine one after the other.

use super::{
    broken_block::BrokenBlock,
    pictures::{fill, Pictures},
};
use fracture::{MaterialCard, MaterialCardResource};
use fyrox::{
    core::log::Log,
    engine::{Engine, GraphicsContext},
    resource::texture::TextureResource,
};
use std::collections::VecDeque;

/// The thumbnails of all cards.
#[derive(Default)]
pub struct CardPictures {
    pub pictures: Pictures<MaterialCard>,
    waiting: VecDeque<(MaterialCardResource, TextureResource)>,
    /// The one that is being drawn.
    current: Option<(BrokenBlock, TextureResource)>,
}

impl CardPictures {
    /// Goes on for a frame.
    pub fn refresh(&mut self, engine: &mut Engine) {
        self.waiting.extend(self.pictures.take_changed());
        if !matches!(engine.graphics_context, GraphicsContext::Initialized(_)) {
            return;
        }
        if self.current.is_none() {
            let next = self.waiting.pop_front();
            let block = |(card, texture)| match BrokenBlock::new(card) {
                Ok(block) => Some((block, texture)),
                Err(error) => {
                    Log::warn(format!("The thumbnail of a card cannot be drawn: {error}"));
                    None
                }
            };
            self.current = next.and_then(block);
        }
        let Some((block, texture)) = &mut self.current else {
            return;
        };
        if block.update() {
            if let Some(pixels) = block.draw(engine) {
                fill(texture, &pixels);
            }
            self.current = None;
        }
    }
}
