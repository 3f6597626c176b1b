//! The script that carries a save of the broken objects inside a saved scene.

use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
        reflect::prelude::*,
        type_traits::prelude::*,
        visitor::{prelude::*, BinaryBlob},
    },
    scene::{collider::BitMask, node::Node, rigidbody::RigidBodyType},
    script::ScriptTrait,
};

/// A save of a scene's broken objects, embedded in the scene.
///
/// [`Destruction::embed_save`](crate::Destruction::embed_save) adds a node with this script before a scene is
/// saved. The first update of the loaded scene restores the objects and removes the node.
#[derive(Visit, Reflect, Default, Debug, Clone, TypeUuidProvider, ComponentProvider)]
#[type_uuid(id = "0a4a7a52-53a5-4b64-8ab3-7c3a8d5f1e26")]
#[visit(optional)]
pub struct EmbeddedSave {
    /// As [`Destruction::save`](crate::Destruction::save) gives it.
    #[reflect(hidden)]
    pub save: SaveBytes,
    /// The hidden meshes of broken objects.
    #[reflect(hidden)]
    pub hidden: Vec<Handle<Node>>,
    /// The meshes of intact objects that are shown as they sag.
    #[reflect(hidden)]
    pub undrawn: Vec<UndrawnMesh>,
    /// The disabled bodies and colliders of broken objects.
    #[reflect(hidden)]
    pub disabled: Vec<Handle<Node>>,
    /// Dynamic rigid bodies of objects, as they were when the objects were found.
    #[reflect(hidden)]
    pub starts: Vec<BodyStart>,
    /// Where attachments of broken objects were before.
    #[reflect(hidden)]
    pub attachments: Vec<AttachmentHome>,
}

/// A mesh that no camera draws, because something else shows how it sags.
#[derive(Visit, Reflect, Default, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct UndrawnMesh {
    /// The mesh.
    pub mesh: Handle<Node>,
    /// The mask by which cameras draw it.
    pub mask: BitMask,
}

/// An attachment of an object as it was before the object broke.
#[derive(Visit, Reflect, Default, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct AttachmentHome {
    /// The node: a child of the object, or a joint.
    pub node: Handle<Node>,
    /// Name for events: that of the node, or of the body on the joint.
    pub name: String,
    /// Its parent; none of what the game has hung on a piece.
    pub parent: Handle<Node>,
    /// Local position, metres.
    pub position: Vector3<f32>,
    /// Local rotation.
    pub rotation: UnitQuaternion<f32>,
    /// Local scale.
    pub scale: Vector3<f32>,
    /// Whether the artist has hidden it.
    pub is_hidden: bool,
    /// Whether the artist has disabled it.
    pub is_disabled: bool,
    /// Type of the body if it is one.
    pub body_type: RigidBodyType,
    /// The body that has been made for it to fall.
    pub own_body: Handle<Node>,
    /// The colliders that have been moved to that body.
    pub colliders: Vec<AttachmentHome>,
    /// Whether it is a dynamic body: with its parent it keeps the place that it has.
    pub moves_itself: bool,
    /// For a joint, the object's body.
    pub holder: Handle<Node>,
    /// For a joint, whether the object's body is the second one.
    pub is_second_end: bool,
    /// For a joint, the body that hangs at its other end; none if the object hangs there itself.
    pub jointed: BodyStart,
}

/// A rigid body as it was when its object was found.
#[derive(Visit, Reflect, Default, Debug, Clone, PartialEq)]
#[visit(optional)]
pub struct BodyStart {
    /// The rigid body.
    pub body: Handle<Node>,
    /// Local position, metres.
    pub position: Vector3<f32>,
    /// Local rotation.
    pub rotation: UnitQuaternion<f32>,
    /// Velocity, m/s.
    pub linear_velocity: Vector3<f32>,
    /// Angular velocity, rad/s.
    pub angular_velocity: Vector3<f32>,
}

impl ScriptTrait for EmbeddedSave {}

/// Bytes that the engine writes as one block. It would write the bytes of a vector one by one, each with a
/// name.
#[derive(Reflect, Default, Debug, Clone)]
pub struct SaveBytes(pub Vec<u8>);

impl Visit for SaveBytes {
    fn visit(&mut self, name: &str, visitor: &mut Visitor) -> VisitResult {
        BinaryBlob { vec: &mut self.0 }.visit(name, visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(mut save: SaveBytes) -> Vec<u8> {
        let mut written = Visitor::new();
        assert!(save.visit("Save", &mut written).is_ok());
        let written = written.save_binary_to_vec().unwrap_or_default();
        let mut read = SaveBytes::default();
        let visitor = Visitor::load_from_memory(&written);
        assert!(visitor.is_ok_and(|mut visitor| read.visit("Save", &mut visitor).is_ok()));
        read.0
    }

    #[test]
    fn bytes_come_back() {
        let save: Vec<u8> = (0..1000_u32).map(|number| number as u8).collect();
        assert_eq!(through(SaveBytes(save.clone())), save);
    }
}
