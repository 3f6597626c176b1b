//! The files of cooked shapes: one beside each model, and one beside a scene for meshes of its own.

use crate::{
    fault::FaultLog, fault::MODULE, object::inputs::ObjectInputs, platform::CAN_WAIT_FOR_FILES,
};
use fracture_simulation::cooked::{CookedBy, CookedBytes, CookedProblem, CookedSource};
use fyrox::{
    asset::{io::ResourceIo, manager::ResourceManager},
    core::{futures::executor::block_on, pool::Handle, task::TaskPool},
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

/// The cooked shapes of a scene's objects. Files are read on the worker; in a browser, beside the frames.
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
        let new = || source(path.clone(), resources, sender.clone());
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

fn source(
    path: PathBuf,
    resources: &ResourceManager,
    problems: Sender<Problem>,
) -> Arc<CookedSource> {
    let (io, file) = (resources.resource_io(), path.clone());
    let report = move |problem| {
        // Nobody listens when the scene has been closed.
        let _ = problems.send((path.clone(), problem));
    };
    if CAN_WAIT_FOR_FILES {
        CookedSource::new(move || block_on(load(io.clone(), file.clone())), report)
    } else {
        CookedSource::new(arriving(io, file, &resources.task_pool()), report)
    }
}

/// Begins to load a file, and gives what has come of it so far.
fn arriving(
    io: Arc<dyn ResourceIo>,
    file: PathBuf,
    pool: &TaskPool,
) -> impl FnMut() -> CookedBytes + Send + 'static {
    let (sender, receiver) = channel();
    pool.spawn_task(async move {
        // Nobody asks for it any more when the scene has been closed.
        let _ = sender.send(load(io, file).await);
    });
    move || receiver.try_recv().unwrap_or(CookedBytes::Pending)
}

async fn load(io: Arc<dyn ResourceIo>, file: PathBuf) -> CookedBytes {
    if !io.exists(&file).await {
        return CookedBytes::Missing;
    }
    let bytes = io.load_file(&file).await;
    bytes.map_or_else(
        |error| CookedBytes::Unreadable(error.to_string()),
        CookedBytes::Read,
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::asset::io::FsResourceIo;
    use std::{
        env, fs, process,
        time::{Duration, Instant},
    };

    /// Asks for a file that nobody waits for until it is there.
    fn arrived(file: &Path) -> CookedBytes {
        let pool = TaskPool::new();
        let mut read = arriving(Arc::new(FsResourceIo), file.to_path_buf(), &pool);
        let begin = Instant::now();
        loop {
            let bytes = read();
            if bytes != CookedBytes::Pending {
                assert_eq!(read(), CookedBytes::Pending, "it comes once");
                return bytes;
            }
            assert!(begin.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_file_arrives_beside_the_frames() {
        let folder = env::temp_dir().join(format!("fracture-arriving-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("statue.glb.cooked");
        assert_eq!(arrived(&file), CookedBytes::Missing);
        fs::write(&file, b"bytes").unwrap();
        assert_eq!(arrived(&file), CookedBytes::Read(b"bytes".to_vec()));
        // It exists, and cannot be read as a file.
        assert!(matches!(arrived(&folder), CookedBytes::Unreadable(_)));
        fs::remove_dir_all(&folder).unwrap();
    }
}
