//! What a preview is compared with: the same object and blow with another seed or pattern.

use fracture::{Destructible, FracturePattern, FracturePatternResource};
use fyrox::{
    asset::{manager::ResourceManager, Resource},
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::path::{Path, PathBuf};

/// Where patterns are looked for.
const DATA: &str = "data";
/// How deep folders are searched.
const DEPTH: usize = 8;
/// Most patterns that are offered.
const MOST: usize = 200;

/// What may be compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Choice {
    /// There is one preview only.
    #[default]
    Nothing,
    /// The same pattern with another seed.
    Seed,
    /// A pattern of a file.
    Pattern(PathBuf),
}

/// The other object's tuning.
#[derive(Clone)]
pub enum Rival {
    /// Another seed of its pattern.
    Seed(u32),
    /// Another pattern.
    Pattern(FracturePatternResource),
}

impl Choice {
    /// What there is to choose from without any file.
    pub const ALWAYS: [Self; 2] = [Self::Nothing, Self::Seed];

    /// Everything there is to choose from: the files are those of the project as it is now. For a
    /// thread: folders may be large.
    pub fn all() -> Vec<Self> {
        let mut files = Vec::new();
        collect(Path::new(DATA), DEPTH, &mut files);
        files.sort();
        files.truncate(MOST);
        let mut all = Self::ALWAYS.to_vec();
        all.extend(files.into_iter().map(Self::Pattern));
        all
    }

    /// How it is called in the list.
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

    /// The rival it stands for.
    pub fn rival(&self, seed: u32, resources: &ResourceManager) -> Option<Rival> {
        match self {
            Self::Nothing => None,
            Self::Seed => Some(Rival::Seed(seed)),
            Self::Pattern(path) => Some(Rival::Pattern(resources.request::<FracturePattern>(path))),
        }
    }
}

impl Rival {
    /// Tunes the object in a copy of the scene.
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
                // One that cannot be loaded is told of by the preview.
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

fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, depth, found);
        } else if path.extension().is_some_and(|name| name == "pattern") {
            found.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_found_in_folders() {
        let folder = std::env::temp_dir().join(format!("fracture-rival-{}", std::process::id()));
        let inner = folder.join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("glass.pattern"), "").unwrap();
        std::fs::write(inner.join("glass.png"), "").unwrap();
        let mut found = Vec::new();
        collect(&folder, 3, &mut found);
        assert_eq!(found, [inner.join("glass.pattern")]);
        found.clear();
        collect(&folder, 2, &mut found);
        assert!(found.is_empty());
        collect(&folder.join("none"), 2, &mut found);
        assert!(found.is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
