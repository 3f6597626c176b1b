//! The files of cooked shapes: one beside each model, and one beside a scene for meshes of its own.

use crate::{fault::FaultLog, fault::MODULE, object::inputs::ObjectInputs};
use fracture_simulation::cooked::{CookedBy, CookedProblem, CookedSource};
use fyrox::{
    asset::{io::ResourceIo, manager::ResourceManager},
    core::{futures::executor::block_on, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        mpsc::{channel, Receiver, Sender},
        Arc,
    },
};

/// Ending of the names of files of cooked shapes, after that of the model or scene.
const EXTENSION: &str = "cooked";

/// The cooked shapes of a scene's objects. Files are read on the worker.
pub(crate) struct CookedFiles {
    sources: BTreeMap<PathBuf, Arc<CookedSource>>,
    /// The file of the scene.
    pub scene_file: Option<PathBuf>,
    problems: (Sender<Problem>, Receiver<Problem>),
}

/// A problem with a file.
type Problem = (PathBuf, CookedProblem);

impl Default for CookedFiles {
    fn default() -> Self {
        Self {
            sources: BTreeMap::new(),
            scene_file: None,
            problems: channel(),
        }
    }
}

impl CookedFiles {
    /// Where an object's cooked shape is.
    pub fn of_object(
        &mut self,
        graph: &Graph,
        inputs: &ObjectInputs,
        name: &str,
        resources: &ResourceManager,
    ) -> Option<CookedBy> {
        let path = cooked_file(graph, inputs, self.scene_file.as_deref(), resources)?;
        let sender = &self.problems.0;
        let new = || source(path.clone(), resources.resource_io(), sender.clone());
        Some(CookedBy {
            source: self.sources.entry(path.clone()).or_insert_with(new).clone(),
            name: name.to_owned(),
        })
    }

    /// Reports files that cannot be used.
    pub fn report_problems(&self, faults: &mut FaultLog) {
        for (path, problem) in self.problems.1.try_iter() {
            let path = path.display();
            let message = format!(
                "{path} is not used: {problem}; save the scene in the editor to cook it again"
            );
            faults.report(MODULE, message);
        }
    }

    /// The number of results of preparation that were read.
    pub fn results(&self) -> u64 {
        self.sources.values().map(|source| source.results()).sum()
    }
}

fn source(path: PathBuf, io: Arc<dyn ResourceIo>, problems: Sender<Problem>) -> Arc<CookedSource> {
    let file = path.clone();
    let read = move || {
        if !block_on(io.exists(&file)) {
            return Ok(None);
        }
        let bytes = block_on(io.load_file(&file));
        bytes.map(Some).map_err(|error| error.to_string())
    };
    CookedSource::new(read, move |problem| {
        // Nobody listens when the scene has been closed.
        let _ = problems.send((path.clone(), problem));
    })
}

/// The file of an object's cooked shape: beside the model that its first mesh comes from, or beside the scene. `None`
/// when neither file is known.
pub(crate) fn cooked_file(
    graph: &Graph,
    inputs: &ObjectInputs,
    scene_file: Option<&Path>,
    resources: &ResourceManager,
) -> Option<PathBuf> {
    let model = inputs
        .meshes
        .first()
        .and_then(|mesh| model_file(graph, *mesh, resources));
    let mut name = model
        .or(scene_file.map(Path::to_path_buf))?
        .into_os_string();
    name.push(".");
    name.push(EXTENSION);
    Some(name.into())
}

/// The file of the model that a node comes from, however many prefabs are between.
pub(super) fn model_file(
    graph: &Graph,
    node: Handle<Node>,
    resources: &ResourceManager,
) -> Option<PathBuf> {
    let model = graph.try_get_node(node).ok()?.root_resource()?;
    resources.resource_path(&model)
}
