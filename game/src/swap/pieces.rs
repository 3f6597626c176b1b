//! The pieces of a scene and their nodes.

use crate::swap;
use crate::{
    mirror::{
        engine_bodies::key_of,
        transforms::{position_and_rotation, vec3},
    },
    object::ObjectId,
    swap::{
        nodes::{attach, NodePlacement, PieceAppearance, PieceSurfaces},
        piece_colliders::PieceCollider,
        piece_info::{PieceInfo, PieceKind},
    },
};
use fracture_simulation::{BodyId, Motion, Pose, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, transform::Transform},
};
use rapier3d::{
    math::Vec3,
    parry::{bounding_volume::Aabb, query::PointQuery},
};
use std::{collections::BTreeMap, ops::Bound, sync::Arc};

/// The plugin's data of a piece.
pub(crate) struct Piece {
    pub object: ObjectId,
    /// The node that shows the piece: its own, or that of its batch.
    pub node: Handle<Node>,
    /// The node below it that shows its cracks.
    pub cracks: Handle<Node>,
    /// The node below it that shows its bare bars.
    pub bars: Handle<Node>,
    /// Whether the node is that of a batch.
    pub batched: bool,
    pub surfaces: PieceSurfaces,
    pub appearance: Arc<PieceAppearance>,
    pub triangles: u32,
    /// Colliders of a held piece in the engine's physics; empty for a free one.
    pub colliders: Vec<PieceCollider>,
    pub name: String,
    pub kind: PieceKind,
    pub volume: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Box in body space, metres.
    pub local_bounds: Aabb,
    pub closed: Option<bool>,
    pub anchored: bool,
    pub generation: u32,
    /// Centre of mass in body space.
    pub center: Vec3,
    pub pose: Pose,
}

/// All living pieces of a scene.
#[derive(Default)]
pub(crate) struct PieceStore {
    by_body: BTreeMap<BodyId, Piece>,
    /// Pieces with a node of their own, by node key.
    by_node: BTreeMap<u64, BodyId>,
    /// Number of pieces of each object.
    per_object: BTreeMap<ObjectId, usize>,
}

impl PieceStore {
    pub fn insert(&mut self, body: BodyId, piece: Piece) {
        self.by_node.insert(key_of(piece.node), body);
        *self.per_object.entry(piece.object).or_default() += 1;
        self.by_body.insert(body, piece);
    }

    pub fn get(&self, body: BodyId) -> Option<&Piece> {
        self.by_body.get(&body)
    }

    /// Sets the bounds of a piece in body space, if it is still there.
    pub fn set_local_bounds(&mut self, body: BodyId, bounds: Aabb) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            piece.local_bounds = bounds;
        }
    }

    /// The object that a piece belongs to.
    pub fn object_of(&self, body: BodyId) -> Option<ObjectId> {
        self.get(body).map(|piece| piece.object)
    }

    /// Removes a piece. The caller takes care of its nodes.
    pub fn remove(&mut self, body: BodyId) -> Option<Piece> {
        let piece = self.by_body.remove(&body)?;
        if !piece.batched {
            self.by_node.remove(&key_of(piece.node));
        }
        if let Some(count) = self.per_object.get_mut(&piece.object) {
            *count -= 1;
            if *count == 0 {
                self.per_object.remove(&piece.object);
            }
        }
        Some(piece)
    }

    /// Sets the node of a piece to one of its own, below the scene's root.
    pub fn set_own_node(&mut self, body: BodyId, node: Handle<Node>) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            (piece.node, piece.batched) = (node, false);
            self.by_node.insert(key_of(node), body);
        }
    }

    /// Sets the node of a piece to that of its batch.
    pub fn set_batch_node(&mut self, body: BodyId, node: Handle<Node>) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            self.by_node.remove(&key_of(piece.node));
            (piece.node, piece.batched) = (node, true);
        }
    }

    /// Takes the colliders of a piece, for its own pieces to reuse.
    pub fn take_colliders(&mut self, body: BodyId) -> Vec<PieceCollider> {
        let piece = self.by_body.get_mut(&body);
        piece.map_or_else(Vec::new, |piece| std::mem::take(&mut piece.colliders))
    }

    /// Gives a piece other colliders.
    pub fn set_colliders(&mut self, body: BodyId, colliders: Vec<PieceCollider>) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            piece.colliders = colliders;
        }
    }

    /// Moves a node that shows something on a body to below the piece that inherits it, which is given, or removes it where
    /// there is none.
    pub fn pass_on(
        &self,
        graph: &mut Graph,
        node: Handle<Node>,
        heir: Option<BodyId>,
    ) -> Option<BodyId> {
        let heir = heir.filter(|_| graph.is_valid_handle(node));
        let Some((heir, piece)) = heir.and_then(|heir| Some((heir, self.get(heir)?))) else {
            swap::remove(graph, node);
            return None;
        };
        let below = Transform::identity();
        if let Ok(node) = graph.try_get_node_mut(node) {
            node.set_local_transform(below.clone());
        }
        attach(graph, node, &NodePlacement::Body(piece.node, &below));
        Some(heir)
    }

    /// Sets the node of a piece's cracks, and gives the one before.
    pub fn set_cracks(&mut self, body: BodyId, node: Handle<Node>) -> Handle<Node> {
        let piece = self.by_body.get_mut(&body);
        piece.map_or(Handle::NONE, |piece| {
            std::mem::replace(&mut piece.cracks, node)
        })
    }

    /// Sets the node of a piece's bare bars, and gives the one before.
    pub fn set_bars(&mut self, body: BodyId, node: Handle<Node>) -> Handle<Node> {
        let piece = self.by_body.get_mut(&body);
        piece.map_or(Handle::NONE, |piece| {
            std::mem::replace(&mut piece.bars, node)
        })
    }

    /// Removes the piece whose own node this is.
    pub fn remove_by_node(&mut self, node: Handle<Node>) -> Option<(BodyId, ObjectId)> {
        let body = self.at_node(node)?;
        let piece = self.remove(body)?;
        Some((body, piece.object))
    }

    /// The piece whose own node this is.
    pub fn at_node(&self, node: Handle<Node>) -> Option<BodyId> {
        self.by_node.get(&key_of(node)).copied()
    }

    pub fn has_any_of(&self, object: ObjectId) -> bool {
        self.per_object.contains_key(&object)
    }

    /// The pieces of an object, in the order of creation.
    pub fn bodies_of(&self, object: ObjectId) -> Vec<BodyId> {
        let own = self.iter().filter(|(_, piece)| piece.object == object);
        own.map(|(body, _)| body).collect()
    }

    /// All pieces with their bodies, in the order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Piece)> {
        self.from(None)
    }

    /// All pieces from one on, or from the first one.
    pub fn from(&self, first: Option<BodyId>) -> impl Iterator<Item = (BodyId, &Piece)> {
        let first = first.map_or(Bound::Unbounded, Bound::Included);
        let following = self.by_body.range((first, Bound::Unbounded));
        following.map(|(body, piece)| (*body, piece))
    }

    /// Sets the pose of a held piece. Its node follows the rigid body's node by itself.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            piece.pose = pose;
        }
    }

    /// The numbers of fragments and islands.
    pub fn count(&self) -> (usize, usize) {
        let is_fragment = |piece: &&Piece| piece.kind == PieceKind::Fragment;
        let fragments = self.by_body.values().filter(is_fragment).count();
        (fragments, self.by_body.len() - fragments)
    }

    /// Moves the nodes of the pieces that have moved.
    pub fn move_nodes(&mut self, graph: &mut Graph, simulation: &Simulation) {
        for (body, pose) in simulation.moving_pieces() {
            if let Some(piece) = self.by_body.get_mut(&body) {
                piece.pose = pose;
                if !piece.batched {
                    swap::move_piece(graph, piece.node, &pose);
                }
            }
        }
    }
}

impl Piece {
    /// The public data of the piece; `motion` is that of its body.
    pub fn info(&self, motion: Option<Motion>) -> PieceInfo {
        let vector = |v: Vec3| Vector3::new(v.x, v.y, v.z);
        let (linear, angular) = motion.map_or_else(Default::default, |m| (m.linear, m.angular));
        let bounds = self.local_bounds.transform_by(&self.pose);
        PieceInfo {
            name: self.name.clone(),
            kind: self.kind,
            volume: self.volume,
            mass: self.mass,
            closed: self.closed,
            anchored: self.anchored,
            position: self.world_center(),
            velocity: vector(linear),
            angular_velocity: vector(angular),
            bounds: [vector(bounds.mins), vector(bounds.maxs)],
            node: self.node,
            generation: self.generation,
        }
    }

    /// Centre of mass in world space.
    pub fn world_center(&self) -> Vector3<f32> {
        let (position, rotation) = position_and_rotation(&self.pose);
        position + rotation * Vector3::new(self.center.x, self.center.y, self.center.z)
    }

    /// The distance of a point in world space from the piece's box, metres.
    pub fn distance(&self, point: Vector3<f32>) -> f32 {
        let bounds = &self.local_bounds;
        bounds.distance_to_point(&self.pose, vec3(point), true)
    }
}
