//! The place of an attachment before its object broke: the way back to it, and the fall of what nothing carries.

use crate::{
    mirror::transforms::world_matrix,
    script::embedded_save::AttachmentHome,
    swap::{self, scene_edits::PIECE_TAG},
};
use fyrox::{
    core::{algebra::Matrix4, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::Collider,
        graph::Graph,
        joint::Joint,
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
    },
};

impl AttachmentHome {
    /// The present place of a node.
    pub(super) fn new(graph: &Graph, handle: Handle<Node>) -> Option<Self> {
        let node = graph.try_get_node(handle).ok()?;
        let transform = node.local_transform();
        let body = graph.try_get_of_type::<RigidBody>(handle);
        Some(Self {
            node: handle,
            name: node.name_owned(),
            parent: node.parent(),
            position: **transform.position(),
            rotation: **transform.rotation(),
            scale: **transform.scale(),
            is_hidden: !node.visibility(),
            is_disabled: !node.is_enabled(),
            body_type: body.map(|body| body.body_type()).unwrap_or_default(),
            ..Self::default()
        })
    }

    /// Lets the node fall as a dynamic body: itself if it is a body, or else below a new one with its colliders.
    /// `world` is its transform.
    pub(super) fn make_dynamic(&mut self, graph: &mut Graph, world: &Matrix4<f32>) {
        let root = graph.root();
        swap::link(graph, self.node, root, world);
        if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(self.node) {
            body.set_body_type(RigidBodyType::Dynamic);
            return body.wake_up();
        }
        let Ok(place) = graph.try_get_node(self.node) else {
            return;
        };
        let mut transform = place.local_transform().clone();
        transform.set_scale(fyrox::core::algebra::Vector3::repeat(1.0));
        let to_body = transform.matrix().try_inverse().unwrap_or_default();
        let base = BaseBuilder::new()
            .with_name(&self.name)
            .with_tag(PIECE_TAG.to_owned())
            .with_local_transform(transform);
        let body = RigidBodyBuilder::new(base).build(graph).to_base();
        graph.update_hierarchical_data_for_descendants(body);
        let colliders = subtree(graph, self.node).filter(|node| node.cast::<Collider>().is_some());
        let colliders: Vec<_> = colliders.map(|node| node.handle()).collect();
        let parts = colliders.into_iter().chain([self.node]);
        for part in parts.collect::<Vec<_>>() {
            if part != self.node {
                self.colliders.extend(Self::new(graph, part));
            }
            let local = to_body * world_matrix(graph, part);
            swap::link(graph, part, body, &local);
        }
        self.own_body = body;
    }

    /// Puts the node back; a dynamic body keeps its place. A file may tell of any nodes: none comes below itself, and only
    /// a body that was made for it is removed.
    pub(crate) fn put_back(&self, graph: &mut Graph) {
        let is_below_itself = || subtree(graph, self.node).any(|node| node.handle() == self.parent);
        if !graph.is_valid_handle(self.node)
            || !graph.is_valid_handle(self.parent)
            || is_below_itself()
        {
            return;
        }
        if self.moves_itself {
            let to_parent = world_matrix(graph, self.parent).try_inverse();
            let local = to_parent.unwrap_or_default() * world_matrix(graph, self.node);
            return swap::link(graph, self.node, self.parent, &local);
        }
        if let Ok(body) = graph.try_get_mut_of_type::<RigidBody>(self.node) {
            body.set_body_type(self.body_type);
        }
        if let Ok(node) = graph.try_get_node_mut(self.node) {
            let transform = node.local_transform_mut();
            transform
                .set_position(self.position)
                .set_rotation(self.rotation)
                .set_scale(self.scale);
        }
        graph.link_nodes(self.node, self.parent);
        swap::set_visible(graph, &[self.node], !self.is_hidden);
        swap::set_enabled(graph, &[self.node], !self.is_disabled);
        if self.holder.is_some() {
            set_end(
                graph,
                self.node,
                usize::from(self.is_second_end),
                self.holder,
            );
        }
        for collider in &self.colliders {
            collider.put_back(graph);
        }
        let own_body = graph.try_get_node(self.own_body);
        if own_body.is_ok_and(|body| body.tag() == PIECE_TAG) {
            swap::remove(graph, self.own_body);
        }
    }
}

/// Sets the body at an end of a joint.
pub(super) fn set_end(graph: &mut Graph, joint: Handle<Node>, end: usize, body: Handle<Node>) {
    if let Ok(joint) = graph.try_get_mut_of_type::<Joint>(joint) {
        if end == 0 {
            joint.set_body1(body.to_variant());
        } else {
            joint.set_body2(body.to_variant());
        }
    }
}

/// A node and its descendants.
pub(super) fn subtree(graph: &Graph, node: Handle<Node>) -> impl Iterator<Item = &Node> {
    let mut open = vec![node];
    std::iter::from_fn(move || loop {
        let node = graph.try_get_node(open.pop()?).ok();
        if let Some(node) = node {
            open.extend(node.children());
            return Some(node);
        }
    })
}
