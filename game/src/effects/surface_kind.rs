//! Kinds of materials, as far as sound, dust and marks are concerned.

use fyrox::core::color::Color;

/// A kind of material with its own sound, dust and marks. The tag of a surface tells which: it begins with the word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SurfaceKind {
    /// Stone, concrete, plaster, and whatever has another tag.
    #[default]
    Stone,
    /// Bricks: red dust.
    Brick,
    /// Panes.
    Glass,
    /// Timber.
    Wood,
    /// Pots.
    Ceramic,
    /// Ice.
    Ice,
    /// Iron.
    Metal,
}

impl SurfaceKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Stone,
        Self::Brick,
        Self::Glass,
        Self::Wood,
        Self::Ceramic,
        Self::Ice,
        Self::Metal,
    ];

    /// The kind of a surface with a tag.
    pub fn of(tag: &str) -> Self {
        let kinds = [
            ("glass", Self::Glass),
            ("wood", Self::Wood),
            ("ceramic", Self::Ceramic),
            ("ice", Self::Ice),
            ("brick", Self::Brick),
            ("metal", Self::Metal),
        ];
        let own = kinds.iter().find(|(word, _)| tag.starts_with(word));
        own.map_or(Self::Stone, |(_, kind)| *kind)
    }

    /// The dust's colour, with its density as alpha.
    pub fn dust(self) -> Color {
        match self {
            Self::Stone => Color::from_rgba(176, 170, 158, 150),
            Self::Brick => Color::from_rgba(172, 138, 122, 150),
            Self::Glass => Color::from_rgba(214, 232, 230, 20),
            Self::Wood => Color::from_rgba(178, 154, 122, 34),
            Self::Ceramic => Color::from_rgba(220, 214, 206, 70),
            Self::Ice => Color::from_rgba(226, 240, 248, 80),
            Self::Metal => Color::from_rgba(92, 88, 84, 40),
        }
    }

    /// Whether what hits it at a small angle bounces off with a whine.
    pub fn is_hard(self) -> bool {
        !matches!(self, Self::Glass | Self::Wood)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_by_the_beginning_of_tags() {
        assert_eq!(SurfaceKind::of("glass_cut"), SurfaceKind::Glass);
        assert_eq!(SurfaceKind::of("brick_cut"), SurfaceKind::Brick);
        assert_eq!(SurfaceKind::of("metal"), SurfaceKind::Metal);
        assert_eq!(SurfaceKind::of("something"), SurfaceKind::Stone);
    }
}
