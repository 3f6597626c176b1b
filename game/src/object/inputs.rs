//! Collects and checks the nodes of a destructible: its rigid body, meshes, materials and colliders.

use crate::{
    mirror::{
        anchors::is_anchor,
        engine_bodies::body_type,
        transforms::{ancestry, mesh_to_body, vec3, BodyFrame},
    },
    object::{conversion::SourceSurface, levels_of_detail::ObjectMeshes, skin::skin_of},
    script::destructible::Destructible,
    swap::nodes::is_piece,
};
use fracture_geometry::glam::DVec3;
use fyrox::{
    asset::state::ResourceState,
    core::{algebra::Point3, pool::Handle},
    graph::SceneGraph,
    material::MaterialResource,
    scene::{
        collider::Collider,
        graph::Graph,
        mesh::Mesh,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};
use rapier3d::parry::bounding_volume::Aabb;
use thiserror::Error;

/// The nodes, surfaces and materials of a destructible.
pub(crate) struct ObjectInputs {
    /// The rigid body node.
    pub body: Handle<Node>,
    pub body_type: RigidBodyType,
    /// The body's pose and scale.
    pub frame: BodyFrame,
    /// The mesh nodes that break, in the order of the graph: of levels of detail the finest.
    pub meshes: Vec<Handle<Node>>,
    /// The mesh nodes of the coarser levels of detail.
    pub coarser_meshes: Vec<Handle<Node>>,
    /// The colliders of the object.
    pub colliders: Vec<Handle<Node>>,
    /// The surfaces that the shape is read from.
    pub sources: Vec<SourceSurface>,
    /// One material per surface of the shape.
    pub materials: Vec<MaterialResource>,
    /// Hand-placed sites in body space; empty when the pattern's own sites are used.
    pub sites: Vec<DVec3>,
}

/// Reason why a destructible cannot break. Each message names the remedy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InputError {
    /// No rigid body at or above the script's node.
    #[error("there is no rigid body at or above it; put the script on a rigid body node or on a child of one")]
    NoBody,
    /// Another script has the same rigid body.
    #[error("its rigid body already belongs to the destructible \"{owner}\"; give it a rigid body of its own")]
    Shared {
        /// Name of the other object.
        owner: String,
    },
    /// There is no mesh to break.
    #[error("it points at no mesh; add a visible mesh node with a surface below it, or list one under Mesh Nodes")]
    NoMesh,
    /// An entry of Mesh Nodes is missing, or not a mesh.
    #[error("entry {index} of its Mesh Nodes is not a mesh node of this scene; choose a mesh or remove the entry")]
    NotAMesh {
        /// Index in the list.
        index: usize,
    },
    /// A listed mesh is not below the rigid body.
    #[error("mesh node \"{mesh}\" is not below the rigid body \"{body}\"; move it there or remove it from Mesh Nodes")]
    NotBelowBody {
        /// The mesh node.
        mesh: String,
        /// The rigid body node.
        body: String,
    },
    /// A hand-placed site is missing, or not below the rigid body.
    #[error("entry {index} of its Site Nodes is not below the rigid body \"{body}\"; choose a node there or remove the entry")]
    BadSite {
        /// Index in the list.
        index: usize,
        /// The rigid body node.
        body: String,
    },
    /// The model file that a mesh comes from is missing or damaged; the engine shows a cube in its place.
    #[error("the model that mesh node \"{mesh}\" comes from cannot be loaded: {reason}; bring the file back or replace the node")]
    LostModel {
        /// The mesh node.
        mesh: String,
        /// The engine's error.
        reason: String,
    },
    /// A mesh is deformed by bones, and is not to break.
    #[error("mesh node \"{mesh}\" is skinned; switch Break In Pose on, so that it breaks as a statue, or replace it by a static one")]
    Skinned {
        /// The mesh node.
        mesh: String,
    },
}

impl ObjectInputs {
    /// Collects the inputs of the object whose script a node carries.
    pub fn new(
        graph: &Graph,
        node: Handle<Node>,
        script: &Destructible,
    ) -> Result<Self, InputError> {
        let body = body_above(graph, node).ok_or(InputError::NoBody)?;
        let body_type = body_type(graph, body).ok_or(InputError::NoBody)?;
        let frame = BodyFrame::new(graph, body);
        let meshes = find_meshes(graph, node, body, script)?;
        let meshes = ObjectMeshes::new(graph, body, meshes);
        let sites = find_sites(graph, body, &frame, script)?;
        let mut inputs = Self {
            sites,
            body,
            body_type,
            frame,
            colliders: find_colliders(graph, body, script),
            meshes: meshes.finest,
            coarser_meshes: meshes.coarser,
            sources: Vec::new(),
            materials: Vec::new(),
        };
        for mesh in inputs.meshes.clone() {
            inputs.add_mesh(graph, mesh, *script.break_in_pose)?;
        }
        if inputs.sources.is_empty() {
            return Err(InputError::NoMesh);
        }
        Ok(inputs)
    }

    /// The box of the meshes in body space, metres.
    pub fn local_bounds(&self, graph: &Graph) -> Aabb {
        let mut bounds = Aabb::new_invalid();
        for mesh in &self.meshes {
            let Ok(node) = graph.try_get_node(*mesh) else {
                continue;
            };
            let of_mesh = node.local_bounding_box();
            let to_body = mesh_to_body(graph, &self.frame, self.body, *mesh);
            for corner in of_mesh.corners() {
                let corner = to_body.transform_point(&Point3::from(corner));
                bounds.take_point(vec3(corner.coords));
            }
        }
        bounds
    }

    /// Whether the rigid body is dynamic.
    pub fn is_dynamic(&self) -> bool {
        self.body_type == RigidBodyType::Dynamic
    }

    /// Whether surfaces are still being loaded.
    pub fn is_loading(&self) -> bool {
        self.sources.iter().any(|source| source.data.is_loading())
    }

    fn add_mesh(
        &mut self,
        graph: &Graph,
        handle: Handle<Node>,
        breaks_in_pose: bool,
    ) -> Result<(), InputError> {
        let Ok(mesh) = graph.try_get_of_type::<Mesh>(handle) else {
            return Ok(());
        };
        if let Some(reason) = model_error(graph, handle) {
            return Err(InputError::LostModel {
                mesh: mesh.name_owned(),
                reason,
            });
        }
        let transform = mesh_to_body(graph, &self.frame, self.body, handle);
        for surface in mesh.surfaces() {
            let skin = skin_of(graph, &self.frame, surface.bones());
            if skin.is_some() && !breaks_in_pose {
                return Err(InputError::Skinned {
                    mesh: mesh.name_owned(),
                });
            }
            let surface_id = self.material_slot(surface.material());
            self.sources.push(SourceSurface {
                node: mesh.name_owned(),
                data: surface.data(),
                transform,
                surface: surface_id,
                skin,
            });
        }
        Ok(())
    }

    /// The slot of a material. Surfaces with the same material share one, for fewer draw calls.
    fn material_slot(&mut self, material: &MaterialResource) -> u32 {
        let same = |other: &MaterialResource| other.key() == material.key();
        let slot = self.materials.iter().position(same).unwrap_or_else(|| {
            self.materials.push(material.clone());
            self.materials.len() - 1
        });
        slot as u32
    }
}

/// The rigid body at or above a node.
pub(crate) fn body_above(graph: &Graph, node: Handle<Node>) -> Option<Handle<Node>> {
    let body = ancestry(graph, node).find(|node| node.cast::<RigidBody>().is_some());
    body.map(|node| node.handle())
}

/// The load error of the model that a node was instantiated from; `None` if it is loaded, or there is
/// none.
fn model_error(graph: &Graph, node: Handle<Node>) -> Option<String> {
    let model = graph.try_get_node(node).ok()?.resource()?;
    let header = model.header();
    match &header.state {
        ResourceState::LoadError { error, .. } => Some(error.to_string()),
        _ => None,
    }
}

fn find_meshes(
    graph: &Graph,
    node: Handle<Node>,
    body: Handle<Node>,
    script: &Destructible,
) -> Result<Vec<Handle<Node>>, InputError> {
    let listed = &script.mesh_nodes;
    for (index, mesh) in listed.iter().enumerate() {
        check_listed(graph, *mesh, body, index)?;
    }
    // Nodes that show cracks are no part of the object.
    let visible = |mesh: &Handle<Node>| {
        let node = graph.try_get_node(*mesh);
        node.is_ok_and(|node| node.visibility()) && !is_piece(graph, *mesh)
    };
    let meshes: Vec<_> = if listed.is_empty() {
        // An invisible mesh is a helper, usually the geometry of a collider.
        own_descendants::<Mesh>(graph, node)
            .into_iter()
            .filter(visible)
            .collect()
    } else {
        listed.to_vec()
    };
    if meshes.is_empty() {
        return Err(InputError::NoMesh);
    }
    Ok(meshes)
}

fn check_listed(
    graph: &Graph,
    mesh: Handle<Node>,
    body: Handle<Node>,
    index: usize,
) -> Result<(), InputError> {
    let Ok(node) = graph.try_get_of_type::<Mesh>(mesh) else {
        return Err(InputError::NotAMesh { index });
    };
    if ancestry(graph, mesh).any(|node| node.handle() == body) {
        return Ok(());
    }
    Err(InputError::NotBelowBody {
        mesh: node.name_owned(),
        body: name_of(graph, body),
    })
}

fn name_of(graph: &Graph, node: Handle<Node>) -> String {
    let node = graph.try_get_node(node);
    node.map(|node| node.name_owned()).unwrap_or_default()
}

/// The positions of the listed nodes in body space.
fn find_sites(
    graph: &Graph,
    body: Handle<Node>,
    frame: &BodyFrame,
    script: &Destructible,
) -> Result<Vec<DVec3>, InputError> {
    let place = |(index, site): (usize, &Handle<Node>)| {
        if !ancestry(graph, *site).any(|node| node.handle() == body) {
            let body = name_of(graph, body);
            return Err(InputError::BadSite { index, body });
        }
        let at = mesh_to_body(graph, frame, body, *site).column(3).xyz();
        Ok(DVec3::new(at.x.into(), at.y.into(), at.z.into()))
    };
    script
        .breaking
        .site_nodes
        .iter()
        .enumerate()
        .map(place)
        .collect()
}

fn find_colliders(graph: &Graph, body: Handle<Node>, script: &Destructible) -> Vec<Handle<Node>> {
    let chosen = *script.collider;
    if graph.try_get_of_type::<Collider>(chosen).is_ok() {
        return vec![chosen];
    }
    let solid = |handle: &Handle<Node>| {
        let collider = graph.try_get_of_type::<Collider>(*handle);
        collider.is_ok_and(|c| !c.is_sensor() && c.parent() == body) && !is_anchor(graph, *handle)
    };
    own_descendants::<Collider>(graph, body)
        .into_iter()
        .filter(solid)
        .collect()
}

/// The nodes of a type at and below a node, except those of another rigid body.
fn own_descendants<T: fyrox::scene::node::NodeTrait>(
    graph: &Graph,
    top: Handle<Node>,
) -> Vec<Handle<Node>> {
    let mut found = Vec::new();
    let mut open = vec![top];
    while let Some(handle) = open.pop() {
        let Ok(node) = graph.try_get_node(handle) else {
            continue;
        };
        if handle != top && node.cast::<RigidBody>().is_some() {
            continue;
        }
        if node.cast::<T>().is_some() {
            found.push(handle);
        }
        open.extend(node.children().iter().rev());
    }
    found
}
