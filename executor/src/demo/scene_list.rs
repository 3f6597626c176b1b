//! The scenes of the menu.

use std::path::{Path, PathBuf};

/// A scene of the menu.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneEntry {
    /// As the menu shows it.
    pub title: &'static str,
    /// Its file in the data folder.
    pub file: &'static str,
    /// A hint for the player.
    pub hint: &'static str,
    /// The bodies that W A S D push, if any.
    pub cubes: &'static [&'static str],
}

const fn entry(title: &'static str, file: &'static str, hint: &'static str) -> SceneEntry {
    SceneEntry {
        title,
        file,
        hint,
        cubes: &[],
    }
}

/// All scenes, in the order of the menu.
pub const GALLERY: &[SceneEntry] = &[
    entry(
        "Courtyard",
        "scenes/demo.rgs",
        "something of everything: shoot at what you like",
    ),
    entry(
        "Glass pane",
        "scenes/glass.rgs",
        "shoot through it, then break what is left in the frame",
    ),
    entry(
        "Concrete wall",
        "scenes/concrete.rgs",
        "set off bombs at its foot, or cut it with the blade",
    ),
    entry(
        "Brick wall",
        "scenes/brick.rgs",
        "it breaks along its joints, brick by brick",
    ),
    entry(
        "Wooden beam",
        "scenes/beam.rgs",
        "the hammer splinters it along its grain",
    ),
    entry(
        "Ceramic vases",
        "scenes/vase.rgs",
        "push one off the plinth, or shoot one",
    ),
    entry(
        "Columns",
        "scenes/columns.rgs",
        "bring the roof down: the outer columns first",
    ),
    entry(
        "Statue",
        "scenes/marble.rgs",
        "marble: an arm with the hammer, or a cut with the blade",
    ),
    entry("Ice", "scenes/ice.rgs", "it cracks along clear planes"),
    entry(
        "Demolition site",
        "scenes/house.rgs",
        "take its pillars away; G shows how they carry the house",
    ),
    entry(
        "Mill",
        "scenes/mill.rgs",
        "V shows what holds what; take the columns of the open corner away",
    ),
    entry(
        "Arch bridge",
        "scenes/arch.rgs",
        "it stands as long as its keystone does",
    ),
    entry(
        "Plank bridge",
        "scenes/planks.rgs",
        "push crates onto the planks, or cut them with the blade",
    ),
    SceneEntry {
        title: "Two cubes",
        file: "scenes/cubes.rgs",
        hint: "W A S D push a cube, 1 takes the other one: let them collide",
        cubes: &["Cube 1", "Cube 2"],
    },
    entry(
        "Sixty blocks",
        "scenes/stress.rgs",
        "a bomb with a large radius (wheel) in their middle",
    ),
];

/// Returns the entry of a scene file, wherever the data folder is.
pub fn at(scene: &Path) -> Option<usize> {
    let own = |entry: &SceneEntry| scene.ends_with(entry.file);
    GALLERY.iter().position(own)
}

/// Returns the path of an entry's file in a data folder.
pub fn path(entry: &SceneEntry, data: &Path) -> PathBuf {
    data.join(entry.file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_folder::DataFolder;

    #[test]
    fn every_scene_of_the_menu_is_there_and_is_found_again() {
        let data = DataFolder::find(None, None).unwrap();
        for (index, entry) in GALLERY.iter().enumerate() {
            let path = path(entry, data.path());
            assert!(path.is_file(), "{}", path.display());
            assert_eq!(at(&path), Some(index));
        }
        assert_eq!(at(Path::new("scenes/none.rgs")), None);
    }
}
