//! What things are made of, as far as one hears and sees it.

use fyrox::core::color::Color;

/// A sort of material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
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

impl Sort {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Stone,
        Self::Brick,
        Self::Glass,
        Self::Wood,
        Self::Ceramic,
        Self::Ice,
    ];

    /// By what an event says that a thing is made of: a word, or the name of a file that begins with
    /// one.
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

    /// The colour of its dust, and how dense it is.
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
        assert_eq!(Sort::of("glass_cut"), Sort::Glass);
        assert_eq!(Sort::of("brick_cut"), Sort::Brick);
        assert_eq!(Sort::of("something"), Sort::Stone);
    }
}
