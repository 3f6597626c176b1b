//! Variants that a preview can be compared with: the same object and impact with another seed or
//! pattern.

use fracture::{Destructible, FracturePattern, FracturePatternResource};
use fyrox::{
    asset::{manager::ResourceManager, Resource},
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::path::{Path, PathBuf};

/// The folder that is searched for patterns and cards.
const DATA: &str = "data";
/// Levels of folders that are searched.
const DEPTH: usize = 8;
/// Most files that are listed.
const MOST: usize = 200;

/// A choice of *Compare with*.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum CompareWith {
    /// No second preview.
    #[default]
    Nothing,
    /// The same pattern with another seed.
    Seed,
    /// A pattern of a file.
    Pattern(PathBuf),
}

/// The difference between the variant and the object.
#[derive(Clone)]
pub enum Variant {
    /// Another seed of its pattern.
    Seed(u32),
    /// Another pattern.
    Pattern(FracturePatternResource),
}

impl CompareWith {
    /// The choices that need no file.
    pub const ALWAYS: [Self; 2] = [Self::Nothing, Self::Seed];

    /// Lists all choices, with the pattern files of the project. Meant for a thread: folders may be
    /// large.
    pub fn all() -> Vec<Self> {
        let files = files_of_kind("pattern");
        let mut all = Self::ALWAYS.to_vec();
        all.extend(files.into_iter().map(Self::Pattern));
        all
    }

    /// Returns the name in the list.
    pub fn label(&self) -> String {
        match self {
            Self::Nothing => "nothing".into(),
            Self::Seed => "another seed".into(),
            Self::Pattern(path) => {
                let name = path.file_stem().unwrap_or_default();
                name.to_string_lossy().into_owned()
            }
        }
    }

    /// Returns the variant of a choice.
    pub fn variant(&self, seed: u32, resources: &ResourceManager) -> Option<Variant> {
        match self {
            Self::Nothing => None,
            Self::Seed => Some(Variant::Seed(seed)),
            Self::Pattern(path) => {
                Some(Variant::Pattern(resources.request::<FracturePattern>(path)))
            }
        }
    }
}

impl Variant {
    /// Applies the variant to the object in a copy of the scene.
    pub fn apply(&self, graph: &mut Graph, object: Handle<Node>) {
        let node = graph.try_get_node_mut(object).ok();
        let Some(script) = node.and_then(|node| node.try_get_script_mut::<Destructible>()) else {
            return;
        };
        match self {
            Self::Seed(seed) => {
                let own = script.pattern.clone_inner();
                let content = own.map_or(Some(FracturePattern::default()), |own| {
                    own.data_ref().as_loaded_ref().cloned()
                });
                // The preview reports a pattern that cannot be loaded.
                if let Some(content) = content {
                    let seed = *seed;
                    let other = FracturePattern { seed, ..content };
                    let other = Some(Resource::new_embedded(other));
                    script.pattern.set_value_and_mark_modified(other);
                }
            }
            Self::Pattern(pattern) => {
                let pattern = Some(pattern.clone());
                script.pattern.set_value_and_mark_modified(pattern);
            }
        }
    }
}

/// Lists the project's files with an extension. Meant for a thread: folders may be large.
pub fn files_of_kind(extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(Path::new(DATA), extension, DEPTH, &mut files);
    files.sort();
    files.truncate(MOST);
    files
}

fn collect(folder: &Path, extension: &str, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, extension, depth, found);
        } else if path.extension().is_some_and(|name| name == extension) {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_in_folders() {
        let folder = std::env::temp_dir().join(format!("fracture-variant-{}", std::process::id()));
        let inner = folder.join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("glass.pattern"), "").unwrap();
        std::fs::write(inner.join("glass.png"), "").unwrap();
        let mut found = Vec::new();
        collect(&folder, "pattern", 3, &mut found);
        assert_eq!(found, [inner.join("glass.pattern")]);
        found.clear();
        collect(&folder, "pattern", 2, &mut found);
        assert!(found.is_empty());
        collect(&folder.join("none"), "pattern", 2, &mut found);
        assert!(found.is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
