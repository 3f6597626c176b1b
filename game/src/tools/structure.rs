//! The structure of a scene: what holds each of its objects, how much it bears, and what comes down with it.

use crate::{
    mirror::{
        anchors::anchor_error, colliders::MirroredColliders, engine_bodies::node_of,
        transforms::vec3,
    },
    object::{inputs::ObjectInputs, loading::add_to_simulation, shape_cache::ShapeCache},
    script::{config::DestructibleConfig, destructible::Destructible},
};
use fracture_simulation::{
    certificate::{Certification, Hold, Removal, StructureMember},
    BodyId, BodyRef, Settings as SimulationSettings, Simulation, SimulationError,
};
use fyrox::{
    asset::manager::ResourceManager,
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::collections::BTreeMap;

/// All that is read of a scene to certify its structure, on any thread.
pub struct SceneStructure {
    simulation: Simulation,
    nodes: BTreeMap<BodyId, ObjectNodes>,
    problems: Vec<StructureProblem>,
}

/// The nodes of an object.
struct ObjectNodes {
    /// The node with the script.
    script: Handle<Node>,
    /// The mesh nodes that break.
    meshes: Vec<Handle<Node>>,
}

/// An object that cannot be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructureProblem {
    /// The node with the script.
    pub node: Handle<Node>,
    /// The reason, with the remedy.
    pub reason: String,
}

/// The structural certificate of a scene: its objects that are held or should be.
///
/// It is found by the code of the game, but no time passes: it tells what statics bring down, and not what falling
/// parts break.
pub struct StructureCertificate {
    certification: Certification,
    nodes: BTreeMap<BodyId, ObjectNodes>,
    problems: Vec<StructureProblem>,
}

impl SceneStructure {
    /// Reads a scene whose files are loaded and whose global transforms are known; it is not changed. `resources` knows
    /// where [cooked](crate::Cooking) shapes are.
    ///
    /// # Errors
    /// [`SimulationError`] when no thread can be started.
    pub fn new(
        graph: &Graph,
        resources: Option<&ResourceManager>,
    ) -> Result<Self, SimulationError> {
        let mut structure = Self {
            simulation: Simulation::new(SimulationSettings {
                gravity: vec3(*graph.physics.gravity),
                wait_for_results: true,
                ..SimulationSettings::default()
            })?,
            nodes: BTreeMap::new(),
            problems: Vec::new(),
        };
        let mut shapes = ShapeCache::default();
        shapes.resources = resources.cloned();
        let mut colliders = MirroredColliders::default();
        for (node, _) in graph.pair_iter() {
            if let Ok(script) = graph.try_get_script_of::<Destructible>(node) {
                if let Err(reason) = structure.add(graph, node, script, &mut shapes, &mut colliders)
                {
                    structure.problems.push(StructureProblem { node, reason });
                }
            }
        }
        for (node, _) in graph.pair_iter() {
            if let Some(error) = anchor_error(graph, node) {
                let reason = error.to_string();
                structure.problems.push(StructureProblem { node, reason });
            }
            colliders.mirror_node(&mut structure.simulation, graph, node);
        }
        Ok(structure)
    }

    fn add(
        &mut self,
        graph: &Graph,
        node: Handle<Node>,
        script: &Destructible,
        shapes: &mut ShapeCache,
        colliders: &mut MirroredColliders,
    ) -> Result<(), String> {
        let inputs = ObjectInputs::new(graph, node, script).map_err(|error| error.to_string())?;
        let own = graph
            .try_get_node(node)
            .map_err(|error| error.to_string())?;
        let (config, name) = (DestructibleConfig::of_node(own, script), own.name_owned());
        let simulation = &mut self.simulation;
        let meshes = inputs.meshes.clone();
        let live = add_to_simulation(&name, &config, inputs, graph, simulation, shapes)?;
        let live =
            live.ok_or("its mesh, card or pattern is not loaded; check that the files exist")?;
        for collider in &live.colliders {
            colliders.exclude(simulation, graph, *collider);
        }
        let script = node;
        self.nodes.insert(live.root, ObjectNodes { script, meshes });
        Ok(())
    }

    /// Looks at the structure. Takes as long as the objects' preparation and a solve of the stress in each; for a
    /// worker.
    pub fn certify(self) -> StructureCertificate {
        self.certify_unless_cancelled(&|| false)
    }

    /// As [`Self::certify`], but ends early once `is_cancelled` says so: the certificate is incomplete then, and of no
    /// use.
    pub fn certify_unless_cancelled(self, is_cancelled: &dyn Fn() -> bool) -> StructureCertificate {
        StructureCertificate {
            certification: Certification::unless_cancelled(self.simulation, is_cancelled),
            nodes: self.nodes,
            problems: self.problems,
        }
    }
}

impl StructureCertificate {
    /// The objects that are held or should be, with the nodes of their scripts.
    pub fn members(&self) -> impl Iterator<Item = (Handle<Node>, &StructureMember)> {
        let members = self.certification.members().iter();
        members.filter_map(|member| Some((self.node(member.body)?, member)))
    }

    /// The node with the script of an object.
    pub fn node(&self, body: BodyId) -> Option<Handle<Node>> {
        self.nodes.get(&body).map(|nodes| nodes.script)
    }

    /// The mesh nodes of an object that break.
    pub fn meshes(&self, body: BodyId) -> &[Handle<Node>] {
        self.nodes.get(&body).map_or(&[], |nodes| &nodes.meshes)
    }

    /// The node of what an object has a bond with: that with the script of another object, or a collider.
    pub fn holder(&self, body: BodyRef) -> Handle<Node> {
        match body {
            BodyRef::Breakable(body) => self.node(body).unwrap_or_default(),
            BodyRef::External(key) => node_of(key),
        }
    }

    /// The objects that cannot be looked at.
    pub fn problems(&self) -> &[StructureProblem] {
        &self.problems
    }

    /// Whether objects are held by touch in a scene in which nothing stands still: then nothing falls either.
    pub fn lacks_ground(&self) -> bool {
        let hangs = |member: &StructureMember| {
            member.falls == 0.0 && matches!(member.hold, Hold::Nothing { .. })
        };
        self.certification.members().iter().any(hangs)
    }

    /// Finds what comes down when an object is taken out. Takes milliseconds for some hundred objects; for a worker.
    ///
    /// # Errors
    /// [`SimulationError`] when no thread can be started.
    pub fn without(&self, body: BodyId) -> Result<Removal, SimulationError> {
        self.certification.without(body)
    }
}
