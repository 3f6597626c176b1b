//! Changes of single nodes: colliders, visibility, motions.

use crate::mirror::{
    engine_bodies::{estimated_mass, mass_against_push, mass_properties, pushed_by},
    transforms::{engine_vector, position_and_rotation, rotation_of, world_matrix},
};
use crate::object::{own_mass::OwnMass, solid_mass::SolidMass};
use crate::script::embedded_save::{BodyStart, UndrawnMesh};
use fracture_simulation::{Motion, Push};
use fyrox::{
    core::{
        algebra::{Matrix3, Matrix4, Vector3},
        math::Matrix4Ext,
        pool::Handle,
    },
    graph::{SceneGraph, SceneGraphNode},
    scene::{
        base::BaseBuilder,
        collider::{BitMask, Collider},
        graph::Graph,
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyMassPropertiesType},
    },
    script::ScriptTrait,
};

/// The tag of every node that the module adds to a scene.
pub const PIECE_TAG: &str = "fracture";

/// Removes a node with its descendants, if it still exists.
pub(crate) fn remove(graph: &mut Graph, node: Handle<Node>) {
    if graph.is_valid_handle(node) {
        graph.remove_node(node);
    }
}

/// Shows or hides the meshes of an object. Hidden meshes stay in the scene, so that handles to them remain
/// valid.
pub(crate) fn set_visible(graph: &mut Graph, meshes: &[Handle<Node>], visible: bool) {
    for mesh in meshes {
        if let Ok(node) = graph.try_get_node_mut(*mesh) {
            node.set_visibility(visible);
            graph.update_hierarchical_data_for_descendants(*mesh);
        }
    }
}

/// Has no camera draw some meshes, and notes those that are not noted yet. They stay visible all the same: objects are read
/// from visible meshes.
pub(crate) fn draw_no_more(
    graph: &mut Graph,
    meshes: &[Handle<Node>],
    undrawn: &mut Vec<UndrawnMesh>,
) {
    for &mesh in meshes {
        let is_noted = undrawn.iter().any(|known| known.mesh == mesh);
        if let Some(node) = graph.try_get_node_mut(mesh).ok().filter(|_| !is_noted) {
            let mask = node.render_mask.set_value_silent(BitMask::none());
            undrawn.push(UndrawnMesh { mesh, mask });
        }
    }
}

/// Has cameras draw meshes again, as before.
pub(crate) fn draw_again(graph: &mut Graph, undrawn: &mut Vec<UndrawnMesh>) {
    for UndrawnMesh { mesh, mask } in undrawn.drain(..) {
        if let Ok(node) = graph.try_get_node_mut(mesh) {
            node.render_mask.set_value_silent(mask);
        }
    }
}

/// Enables or disables nodes with their descendants, for the engine's physics. Disabled nodes stay in the
/// scene, so that handles to them remain valid.
pub(crate) fn set_enabled(graph: &mut Graph, nodes: &[Handle<Node>], enabled: bool) {
    for node in nodes {
        if let Ok(own) = graph.try_get_node_mut(*node) {
            own.set_enabled(enabled);
            graph.update_hierarchical_data_for_descendants(*node);
        }
    }
}

/// Hides the meshes that are visible, and returns them.
pub(crate) fn hide(graph: &mut Graph, meshes: &[Handle<Node>]) -> Vec<Handle<Node>> {
    let is_visible = |mesh: &&Handle<Node>| {
        let node = graph.try_get_node(**mesh);
        node.is_ok_and(|node| node.visibility())
    };
    let visible: Vec<_> = meshes.iter().filter(is_visible).copied().collect();
    set_visible(graph, &visible, false);
    visible
}

/// Disables the nodes that are enabled, and returns them.
pub(crate) fn disable(graph: &mut Graph, nodes: &[Handle<Node>]) -> Vec<Handle<Node>> {
    let is_enabled =
        |node: &&Handle<Node>| graph.try_get_node(**node).is_ok_and(|n| n.is_enabled());
    let enabled: Vec<_> = nodes.iter().filter(is_enabled).copied().collect();
    set_enabled(graph, &enabled, false);
    enabled
}

/// Links a node to another parent, and gives it a local transform. Shear is lost.
pub(crate) fn link(
    graph: &mut Graph,
    node: Handle<Node>,
    parent: Handle<Node>,
    local: &Matrix4<f32>,
) {
    let linear = local.fixed_view::<3, 3>(0, 0).into_owned();
    let mut scale = Vector3::from_iterator(linear.column_iter().map(|column| column.norm()));
    if linear.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let inverse = scale.map(|s| if s == 0.0 { 0.0 } else { 1.0 / s });
    let rotation = linear * Matrix3::from_diagonal(&inverse);
    let Ok(own) = graph.try_get_node_mut(node) else {
        return;
    };
    own.local_transform_mut()
        .set_position(Vector3::new(local[12], local[13], local[14]))
        .set_rotation(rotation_of(&rotation))
        .set_scale(scale);
    graph.link_nodes(node, parent);
    graph.update_hierarchical_data_for_descendants(node);
}

/// All nodes with a tag. In a scene that has just been loaded, those with one of this crate's were saved with it.
pub(crate) fn tagged_nodes<'a>(
    graph: &'a Graph,
    tag: &'a str,
) -> impl Iterator<Item = Handle<Node>> + 'a {
    let nodes = graph.pair_iter();
    nodes.filter_map(move |(handle, node)| (node.tag() == tag).then_some(handle))
}

/// Adds a node that only carries a script.
pub(crate) fn add_script(graph: &mut Graph, name: &str, script: impl ScriptTrait) -> Handle<Node> {
    let base = BaseBuilder::new().with_name(name).with_script(script);
    PivotBuilder::new(base).build(graph).to_base()
}

/// Gives a dynamic body the part of a push at a point that it takes, at once.
pub(crate) fn push_body(graph: &mut Graph, body: Handle<Node>, point: Vector3<f32>, push: &Push) {
    let Some(mass) = mass_properties(graph, body) else {
        return;
    };
    let along = engine_vector(push.direction());
    let against = mass_against_push(graph, body, &mass, point, along);
    let Some(pushed) = pushed_by(graph, body, &mass, point, push.absorbed_by(against)) else {
        return;
    };
    if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(body) {
        let linear = body.lin_vel() + engine_vector(pushed.linear);
        let angular = body.ang_vel() + engine_vector(pushed.angular);
        if linear.iter().chain(&angular).all(|v| v.is_finite()) {
            body.set_lin_vel(linear);
            body.set_ang_vel(angular);
            body.wake_up();
        }
    }
}

/// Mass that the colliders of a body may add to the one that it is given, as a share of that. Less would have
/// the engine make more colliders anew.
const MAX_COLLIDER_SHARE: f32 = 0.002;

/// Gives a dynamic body a mass in place of its own. Colliders with a mass that counts lose their density.
pub(crate) fn set_mass(graph: &mut Graph, body: Handle<Node>, mass: &SolidMass) {
    let Ok(node) = graph.try_get_mut_of_type::<RigidBody>(body) else {
        return;
    };
    node.set_mass(mass.kilograms);
    node.set_mass_properties_type(RigidBodyMassPropertiesType::Additional {
        center_of_mass: engine_vector(mass.inertia.center),
        principal_inertia: engine_vector(mass.inertia.principal),
    });
    let children = node.children().to_vec();
    let of_collider = |child: &Handle<Node>| estimated_mass(graph, body, *child, mass.volume);
    if children.iter().map(of_collider).sum::<f32>() <= MAX_COLLIDER_SHARE * mass.kilograms {
        return; // the common case: no collider has a density
    }
    for child in children {
        set_density(graph, body, child, Some(0.0));
    }
}

/// Gives a body the mass back that it had before [`set_mass`].
pub(crate) fn give_mass_back(graph: &mut Graph, body: Handle<Node>, own: &OwnMass) {
    if let Ok(node) = graph.try_get_mut_of_type::<RigidBody>(body) {
        node.set_mass(own.kilograms);
        node.set_mass_properties_type(own.kind);
    }
    for (collider, density) in &own.densities {
        set_density(graph, body, *collider, *density);
    }
}

/// Gives a child of a body a density if it is a collider.
///
/// The engine reads a density only when it makes its own collider of a node; linking the node again has it made
/// anew before the next physics step.
fn set_density(graph: &mut Graph, body: Handle<Node>, child: Handle<Node>, density: Option<f32>) {
    let collider = graph.try_get_mut_of_type::<Collider>(child);
    let Some(collider) = collider.ok().filter(|c| c.density() != density) else {
        return;
    };
    collider.set_density(density);
    let parent = graph.try_get_node(body).ok();
    let position = parent.and_then(|node| node.children().iter().position(|own| *own == child));
    graph.link_nodes(child, body);
    if let Some((position, parent)) = position.zip(graph.try_get_node_mut(body).ok()) {
        parent.set_child_position(child, position);
    }
}

/// Distance by which a body is displaced before it gets its position, metres: more than the engine's
/// threshold.
const DISPLACEMENT: f32 = 1.0;

/// Gives a dynamic body a new pose and new velocities.
pub(crate) fn set_motion(graph: &mut Graph, body: Handle<Node>, motion: &Motion) {
    let Ok(node) = graph.try_get_node(body) else {
        return;
    };
    let parent = world_matrix(graph, node.parent()).try_inverse();
    let Some(from_world) = parent.filter(|parent| parent.iter().all(|x| x.is_finite())) else {
        return;
    };
    let (position, rotation) = position_and_rotation(&motion.pose);
    let local = from_world * rotation.to_homogeneous().append_translation(&position);
    let position = Vector3::new(local[12], local[13], local[14]);
    let rotation = rotation_of(&local.basis());
    let [linear, angular] = [motion.linear, motion.angular].map(engine_vector);
    place_body(
        graph,
        &BodyStart {
            body,
            position,
            rotation,
            linear_velocity: linear,
            angular_velocity: angular,
        },
    );
}

/// Gives a rigid body a local position, a local rotation and velocities.
pub(crate) fn place_body(graph: &mut Graph, start: &BodyStart) {
    // The engine's physics ignores a node that moves by less than a millimetre: without the
    // displacement, a resting body would sink by as much in every frame.
    for position in [
        start.position + Vector3::repeat(DISPLACEMENT),
        start.position,
    ] {
        let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(start.body) else {
            return;
        };
        let transform = body.local_transform_mut();
        transform
            .set_position(position)
            .set_rotation(start.rotation);
        graph.update_hierarchical_data_for_descendants(start.body);
    }
    if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(start.body) {
        body.set_lin_vel(start.linear_velocity);
        body.set_ang_vel(start.angular_velocity);
    }
}
