//! Choices that are kept from one start of the editor to the next, beside the editor's own settings.

use fyrox::core::log::Log;
use fyrox::scene::rigidbody::RigidBodyType;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The file, in the project's folder.
const FILE: &str = "fracture_editor.txt";
/// The words before the values.
const BODY: &str = "body: ";
const CARD: &str = "card: ";
const COOK: &str = "cook: ";
const DYNAMIC: &str = "dynamic";
const NO: &str = "no";

/// The type of body and the card that *Make Destructible* gives, and whether saving a scene cooks it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// The type of the rigid bodies.
    pub body_type: RigidBodyType,
    /// The file of the card, if there is one.
    pub card: Option<PathBuf>,
    /// Whether scenes are cooked when they are saved.
    pub cook_on_save: bool,
}

impl Default for Remembered {
    fn default() -> Self {
        Self {
            body_type: RigidBodyType::Static,
            card: None,
            cook_on_save: true,
        }
    }
}

impl Remembered {
    /// Reads the file; what is not there or makes no sense is as at the first start.
    pub fn load() -> Self {
        fs::read_to_string(FILE).map_or_else(|_| Self::default(), |text| Self::parse(&text))
    }

    /// Writes the file.
    pub fn save(&self) {
        let written = self.write(Path::new(FILE));
        if let Err(error) = written {
            Log::warn(format!(
                "{FILE} cannot be written: {error}; check the folder's permissions. The choice is forgotten when \
                 the editor is closed."
            ));
        }
    }

    fn write(&self, path: &Path) -> io::Result<()> {
        let body = match self.body_type {
            RigidBodyType::Dynamic => DYNAMIC,
            _ => "static",
        };
        let card = self
            .card
            .as_ref()
            .map(|card| format!("{CARD}{}\n", card.display()))
            .unwrap_or_default();
        let cook = if self.cook_on_save { "yes" } else { NO };
        fs::write(path, format!("{BODY}{body}\n{card}{COOK}{cook}\n"))
    }

    fn parse(text: &str) -> Self {
        let value = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let body_type = match value(BODY) {
            Some(DYNAMIC) => RigidBodyType::Dynamic,
            _ => RigidBodyType::Static,
        };
        let card = value(CARD).map(PathBuf::from);
        Self {
            body_type,
            card,
            cook_on_save: value(COOK) != Some(NO),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_as_they_were_written() {
        let path = std::env::temp_dir().join(format!("fracture-choices-{}", std::process::id()));
        for card in [None, Some(PathBuf::from("data/cards/oak.card"))] {
            for body_type in [RigidBodyType::Static, RigidBodyType::Dynamic] {
                for cook_on_save in [false, true] {
                    let choices = Remembered {
                        body_type,
                        card: card.clone(),
                        cook_on_save,
                    };
                    choices.write(&path).unwrap();
                    let text = fs::read_to_string(&path).unwrap();
                    assert_eq!(Remembered::parse(&text), choices);
                }
            }
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(
            Remembered::parse("\u{0}nonsense\nbody: 7"),
            Remembered::default()
        );
    }
}
