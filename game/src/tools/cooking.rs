//! Cooks a scene: computes what takes longest about preparing its objects, and keeps it in files beside their models.

use crate::{
    object::{
        conversion::SourceSurface, cooked_files::cooked_file, inputs::ObjectInputs,
        shape_cache::ShapeCache,
    },
    script::{config::DestructibleConfig, destructible::Destructible},
};
use fracture_simulation::{
    cooked::{CookedFile, CookedNeeds},
    OpenMeshPolicy,
};
use fyrox::{
    asset::manager::ResourceManager,
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// A cooking of a scene: all that is read of it, to be computed on any thread.
///
/// The game finds the files by itself, and reads instead of computing. They hold convex parts, hulls, lattices of
/// strength and simplified meshes; a mesh that has changed since is prepared as without them.
#[derive(Default)]
pub struct Cooking {
    /// By file.
    objects: BTreeMap<PathBuf, Vec<CookedObject>>,
}

/// An object to be cooked.
struct CookedObject {
    sources: Vec<SourceSurface>,
    policy: OpenMeshPolicy,
    needs: CookedNeeds,
}

/// The result of a [`Cooking`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CookReport {
    /// The files that were written, because their content has changed.
    pub written: Vec<PathBuf>,
    /// The files that had all of it already.
    pub unchanged: Vec<PathBuf>,
    /// Folders and files that cannot be written, each once in words with the remedy.
    pub problems: Vec<String>,
}

impl Cooking {
    /// Reads the destructibles of a scene, whose global transforms need not be known. `scene_file` is the file of the
    /// scene: meshes that come from no model are kept beside it.
    pub fn new(graph: &Graph, scene_file: Option<&Path>, resources: &ResourceManager) -> Self {
        let mut cooking = Self::default();
        for (node, _) in graph.pair_iter() {
            if let Ok(script) = graph.try_get_script_of::<Destructible>(node) {
                cooking.add(graph, node, script, scene_file, resources);
            }
        }
        cooking
    }

    /// Adds the object of a script; one that cannot break is left out, which the game reports.
    fn add(
        &mut self,
        graph: &Graph,
        node: Handle<Node>,
        script: &Destructible,
        scene_file: Option<&Path>,
        resources: &ResourceManager,
    ) {
        let Ok(inputs) = ObjectInputs::new(graph, node, script) else {
            return;
        };
        let Some(file) = cooked_file(graph, &inputs, scene_file, resources) else {
            return;
        };
        let Ok(own) = graph.try_get_node(node) else {
            return;
        };
        let config = DestructibleConfig::of_node(own, script);
        let object = CookedObject {
            policy: config.open_mesh_policy(),
            needs: CookedNeeds::new(&config.anchors(inputs.body_type), &config.material()),
            sources: inputs.sources,
        };
        self.objects.entry(file).or_default().push(object);
    }

    /// Computes what the files do not have yet, and writes them. `None` when `should_cancel` returned `true`
    /// meanwhile. Some seconds for a mesh of a million triangles.
    pub fn run(self, should_cancel: &(dyn Fn() -> bool + Sync)) -> Option<CookReport> {
        let mut report = CookReport::default();
        for (path, objects) in self.objects {
            let old = fs::read(&path).ok();
            let read = old
                .clone()
                .and_then(|bytes| CookedFile::from_bytes(bytes).ok());
            let mut file = read.unwrap_or_default();
            let mut shapes = BTreeMap::new();
            for object in objects {
                let earlier = |hash: u64| shapes.get(&hash).or_else(|| file.get(hash)).cloned();
                let shape = ShapeCache::default().shape(&object.sources, object.policy, None);
                // An object that cannot break is reported by the game.
                let cooked = shape.cook(object.needs, earlier, should_cancel);
                if let Ok(cooked) = cooked {
                    let (hash, shape) = cooked?;
                    shapes.insert(hash, shape);
                }
            }
            shapes.retain(|_, shape| !shape.is_empty());
            if shapes.is_empty() {
                continue;
            }
            file.insert(shapes);
            report.write(path, old, file.to_bytes());
        }
        Some(report)
    }
}

impl CookReport {
    /// Adds the report of another scene; what is named already is not named again.
    pub fn append(&mut self, other: Self) {
        self.written.extend(other.written);
        self.unchanged.extend(other.unchanged);
        other
            .problems
            .into_iter()
            .for_each(|problem| self.add_problem(problem));
    }

    fn add_problem(&mut self, problem: String) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn write(&mut self, path: PathBuf, old: Option<Vec<u8>>, new: Vec<u8>) {
        if old.as_ref() == Some(&new) {
            return self.unchanged.push(path);
        }
        match replace_file(&path, &new) {
            Ok(()) => self.written.push(path),
            // A folder, of which one file after the other says so, is named once.
            Err(error) => self.add_problem(format!(
                "{error}; the game prepares its objects without what is cooked until it can be written and the scene is \
                saved again"
            )),
        }
    }
}

/// Writes a file beside its old version and puts it in its place, so that a game that runs meanwhile reads one of them.
/// An error names what cannot be written: the folder, or the file.
fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let error =
        |path: &Path, error: io::Error| format!("{} cannot be written: {error}", path.display());
    let mut partial = path.as_os_str().to_owned();
    partial.push(".part");
    let partial = PathBuf::from(partial);
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let written = fs::write(&partial, bytes)
        .map_err(|why| error(folder.unwrap_or(Path::new(".")), why))
        .and_then(|()| fs::rename(&partial, path).map_err(|why| error(path, why)));
    if written.is_err() {
        // It may not be there.
        let _ = fs::remove_file(&partial);
    }
    written
}
