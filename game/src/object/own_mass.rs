//! The mass of a rigid body before it gets that of its solid.

use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::Graph,
        node::Node,
        rigidbody::{RigidBody, RigidBodyMassPropertiesType},
    },
};

/// The mass of a rigid body as the game has set it, to be given back.
#[derive(Clone, Debug)]
pub(crate) struct OwnMass {
    /// Without the colliders.
    pub kilograms: f32,
    /// Whether centre of mass and inertia are set too.
    pub kind: RigidBodyMassPropertiesType,
    /// Densities of the colliders, kg/m^3.
    pub densities: Vec<(Handle<Node>, Option<f32>)>,
}

impl OwnMass {
    /// The mass of a rigid body now.
    pub fn new(graph: &Graph, body: Handle<Node>) -> Option<Self> {
        let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
        let density = |child: &Handle<Node>| {
            let collider = graph.try_get_of_type::<Collider>(*child).ok()?;
            Some((*child, collider.density()))
        };
        Some(Self {
            kilograms: node.mass(),
            kind: node.mass_properties_type(),
            densities: node.children().iter().filter_map(density).collect(),
        })
    }
}
