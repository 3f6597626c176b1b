//! Paint on an object that makes places of it weak.

use crate::script::enums::WeaknessMapping;
use fyrox::resource::texture::TextureResource;

/// Paint on an object: the darker it is, the weaker is the place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paint {
    pub picture: Option<TextureResource>,
    /// How the picture lies on it.
    pub mapping: WeaknessMapping,
    /// Whether the colours of vertices count.
    pub colors: bool,
}

impl Paint {
    /// Whether nothing is painted.
    pub fn is_none(&self) -> bool {
        self.picture.is_none() && !self.colors
    }
}
