//! Thumbnails of patterns and material cards in the asset browser.

mod broken_block;
mod card_pictures;
mod pattern_pictures;
mod pictures;

use card_pictures::CardPictures;
use fracture::{FracturePattern, MaterialCard};
use fyrox::{core::TypeUuidProvider, engine::Engine};
use fyroxed_base::asset::preview::AssetPreviewGeneratorsCollection;
use pictures::Pictures;

/// The thumbnails of all patterns and cards.
#[derive(Default)]
pub struct Thumbnails {
    patterns: Pictures<FracturePattern>,
    cards: CardPictures,
}

impl Thumbnails {
    /// Has the asset browser show them.
    pub fn add_to(&self, generators: &mut AssetPreviewGeneratorsCollection) {
        generators.add(FracturePattern::type_uuid(), self.patterns.clone());
        generators.add(MaterialCard::type_uuid(), self.cards.pictures.clone());
    }

    /// Draws those whose assets have changed, one card after the other, for a frame. Cheap when none has. Returns whether
    /// there is more to draw.
    pub fn refresh(&mut self, engine: &mut Engine) -> bool {
        pattern_pictures::refresh(&self.patterns);
        self.cards.refresh(engine)
    }
}
