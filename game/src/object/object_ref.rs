//! References of game code to objects.

use crate::{
    destruction::Destruction,
    impacts::{queue::ImpactTarget, targets::target_at},
    object::{ObjectId, Objects},
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use thiserror::Error;

/// An object, by any of its nodes, or all objects of a name.
///
/// By node: the node with the script, the rigid body, a mesh or collider of the object, or the node of one of
/// its pieces. By name: all objects that have it, as instances of a prefab do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectRef<'a> {
    /// By one of its nodes.
    Node(Handle<Node>),
    /// All of a name.
    Name(&'a str),
}

impl From<Handle<Node>> for ObjectRef<'_> {
    fn from(node: Handle<Node>) -> Self {
        Self::Node(node)
    }
}

impl<'a> From<&'a str> for ObjectRef<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for ObjectRef<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

/// Reason why there is no such object. Nothing has happened.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObjectError {
    /// The node is neither a destructible nor a piece of one.
    #[error("node {node} is neither a destructible nor a piece of one; give the node with the script Destructible")]
    NotDestructible {
        /// The node.
        node: Handle<Node>,
    },
    /// No destructible has that name.
    #[error("there is no destructible \"{name}\"; there are: {known}")]
    UnknownName {
        /// The unknown name.
        name: String,
        /// The names of all destructibles.
        known: String,
    },
    /// A corner of a box is NaN or infinite, or the lowest corner is above the highest.
    #[error("the box reaches from {} to {}; it must be finite, with the lowest corner first", corners[0], corners[1])]
    Box {
        /// The corners as they were given.
        corners: [Vector3<f32>; 2],
    },
}

/// The objects that are meant, in the order of discovery.
pub(crate) fn resolve(destruction: &Destruction, object: ObjectRef) -> Vec<ObjectId> {
    match object {
        ObjectRef::Name(name) => destruction.objects.all_named(name).collect(),
        ObjectRef::Node(node) => object_of_node(destruction, node).into_iter().collect(),
    }
}

fn object_of_node(destruction: &Destruction, node: Handle<Node>) -> Option<ObjectId> {
    match target_at(destruction, node)? {
        ImpactTarget::Object(id) => Some(id),
        ImpactTarget::Piece(body) => Some(destruction.pieces.get(body)?.object),
        ImpactTarget::EngineBody(_) | ImpactTarget::Node(_) => None,
    }
}

/// The error of a reference to nothing.
pub(crate) fn no_such(objects: &Objects, object: ObjectRef) -> ObjectError {
    match object {
        ObjectRef::Node(node) => ObjectError::NotDestructible { node },
        ObjectRef::Name(name) => ObjectError::UnknownName {
            name: name.to_owned(),
            known: objects.listed_names(),
        },
    }
}
