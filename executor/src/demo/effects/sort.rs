//! Materials, as far as sound and dust are concerned.

use fyrox::core::color::Color;

/// A material with its own sound and dust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SoundMaterial {
    /// Stone, concrete and bricks.
    #[default]
    Stone,
    /// Bricks: red dust.
    Brick,
    /// Panes.
    Glass,
    /// Timber.
    Wood,
    /// Vases.
    Ceramic,
    /// Ice.
    Ice,
}

impl SoundMaterial {
    /// All materials.
    pub const ALL: [Self; 6] = [
        Self::Stone,
        Self::Brick,
        Self::Glass,
        Self::Wood,
        Self::Ceramic,
        Self::Ice,
    ];

    /// Returns the material for an event's word, or for a file name that begins with one.
    pub fn of(material: &str) -> Self {
        let sorts = [
            ("glass", Self::Glass),
            ("wood", Self::Wood),
            ("ceramic", Self::Ceramic),
            ("ice", Self::Ice),
            ("brick", Self::Brick),
        ];
        let own = sorts.iter().find(|(word, _)| material.starts_with(word));
        own.map_or(Self::Stone, |(_, sort)| *sort)
    }

    /// Returns the dust's colour, with its density as alpha.
    pub fn dust(self) -> Color {
        match self {
            Self::Stone => Color::from_rgba(176, 170, 158, 110),
            Self::Brick => Color::from_rgba(178, 120, 96, 110),
            Self::Glass => Color::from_rgba(214, 232, 230, 46),
            Self::Wood => Color::from_rgba(186, 150, 108, 70),
            Self::Ceramic => Color::from_rgba(220, 214, 206, 70),
            Self::Ice => Color::from_rgba(226, 240, 248, 80),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_go_by_their_names() {
        assert_eq!(SoundMaterial::of("glass_cut"), SoundMaterial::Glass);
        assert_eq!(SoundMaterial::of("brick_cut"), SoundMaterial::Brick);
        assert_eq!(SoundMaterial::of("something"), SoundMaterial::Stone);
    }
}
