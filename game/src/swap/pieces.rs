//! The pieces of a scene and the nodes that show them.

use crate::swap;
use crate::{
    destruction::Destruction,
    mirror::{engine_bodies::key_of, transforms::position_and_rotation},
    object::ObjectId,
    swap::{
        nodes::{PieceAppearance, PieceSurfaces},
        scene_edits::PieceCollider,
    },
};
use fracture_geometry::{MeshReport, Solid, SolidError};
use fracture_simulation::{BodyId, Pose, Simulation};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{graph::Graph, node::Node},
};
use rapier3d::math::Vec3;
use std::{collections::BTreeMap, sync::Arc};

/// What a piece was to the break that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A connected part of an affected cell.
    Fragment,
    /// A connected part of what was not affected.
    Island,
}

/// A living piece of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceInfo {
    /// The name of its node: `<object>/fragment_<cell>_<part>` or `<object>/island_<k>`; a piece of
    /// a piece has the piece's name in place of the object's.
    pub name: String,
    /// Fragment or island.
    pub kind: PieceKind,
    /// m^3.
    pub volume: f64,
    /// Whether its mesh is closed; `None` unless
    /// [`Settings::check_pieces`](crate::Settings::check_pieces).
    pub closed: Option<bool>,
    /// Whether it is held in place, and so is still the engine's rigid body.
    pub anchored: bool,
    /// Its centre of mass, world space, metres.
    pub position: Vector3<f32>,
    /// The node that shows it; settled pieces may share one, see
    /// [`Settings::merge_after`](crate::Settings::merge_after).
    pub node: Handle<Node>,
    /// How often it and its ancestors were broken; 1 after the first break.
    pub generation: u32,
}

/// A piece as it is kept.
pub(crate) struct Piece {
    pub object: ObjectId,
    /// The node that shows it: its own, or when it is merged that of its batch.
    pub node: Handle<Node>,
    pub merged: bool,
    /// What is drawn of it, and how.
    pub look: PieceSurfaces,
    pub style: Arc<PieceAppearance>,
    pub triangles: u32,
    /// What the engine collides with; held pieces only.
    pub collision: Vec<PieceCollider>,
    pub name: String,
    pub kind: PieceKind,
    pub volume: f64,
    pub closed: Option<bool>,
    pub anchored: bool,
    pub generation: u32,
    /// Centre of mass in body space.
    pub center: Vec3,
    pub pose: Pose,
}

/// All living pieces of a scene.
#[derive(Default)]
pub(crate) struct Pieces {
    by_body: BTreeMap<BodyId, Piece>,
    by_node: BTreeMap<u64, BodyId>,
}

impl Pieces {
    pub fn insert(&mut self, body: BodyId, piece: Piece) {
        self.by_node.insert(key_of(piece.node), body);
        self.by_body.insert(body, piece);
    }

    pub fn get(&self, body: BodyId) -> Option<&Piece> {
        self.by_body.get(&body)
    }

    /// Takes a piece out of the books; its nodes are the caller's to remove.
    pub fn forget_body(&mut self, body: BodyId) -> Option<Piece> {
        let piece = self.by_body.remove(&body)?;
        if !piece.merged {
            self.by_node.remove(&key_of(piece.node));
        }
        Some(piece)
    }

    /// A piece has got a node of its own, which is under the scene's root.
    pub fn set_own_node(&mut self, body: BodyId, node: Handle<Node>) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            (piece.node, piece.merged) = (node, false);
            self.by_node.insert(key_of(node), body);
        }
    }

    /// A piece is shown by a node that shows others too.
    pub fn set_shared_node(&mut self, body: BodyId, node: Handle<Node>) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            self.by_node.remove(&key_of(piece.node));
            (piece.node, piece.merged) = (node, true);
        }
    }

    /// Takes away what is collided with of a piece, for its own pieces to take over.
    pub fn take_collision(&mut self, body: BodyId) -> Vec<PieceCollider> {
        let piece = self.by_body.get_mut(&body);
        piece.map_or_else(Vec::new, |piece| std::mem::take(&mut piece.collision))
    }

    /// Takes the piece that a node shows out of the books.
    pub fn forget_node(&mut self, node: Handle<Node>) -> Option<(BodyId, ObjectId)> {
        let body = self.at_node(node)?;
        let piece = self.forget_body(body)?;
        Some((body, piece.object))
    }

    /// The piece that a node shows.
    pub fn at_node(&self, node: Handle<Node>) -> Option<BodyId> {
        self.by_node.get(&key_of(node)).copied()
    }

    /// The piece of a name.
    pub fn at_name(&self, name: &str) -> Option<BodyId> {
        let named = |(body, piece): (&BodyId, &Piece)| (piece.name == name).then_some(*body);
        self.by_body.iter().find_map(named)
    }

    pub fn has_any_of(&self, object: ObjectId) -> bool {
        self.by_body.values().any(|piece| piece.object == object)
    }

    /// Bodies and pieces, in the order in which they came to be.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Piece)> {
        self.by_body.iter().map(|(body, piece)| (*body, piece))
    }

    /// Takes note of where a held piece has been moved; its node follows the body's by itself.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) {
        if let Some(piece) = self.by_body.get_mut(&body) {
            piece.pose = pose;
        }
    }

    /// How many fragments and islands there are.
    pub fn count(&self) -> (usize, usize) {
        let is_fragment = |piece: &&Piece| piece.kind == PieceKind::Fragment;
        let fragments = self.by_body.values().filter(is_fragment).count();
        (fragments, self.by_body.len() - fragments)
    }

    /// Puts the nodes where the debris has moved to.
    pub fn move_nodes(&mut self, graph: &mut Graph, simulation: &Simulation) {
        for (body, pose) in simulation.moving_pieces() {
            if let Some(piece) = self.by_body.get_mut(&body) {
                piece.pose = pose;
                if !piece.merged {
                    swap::move_piece(graph, piece.node, &pose);
                }
            }
        }
    }
}

impl Piece {
    fn info(&self) -> PieceInfo {
        PieceInfo {
            name: self.name.clone(),
            kind: self.kind,
            volume: self.volume,
            closed: self.closed,
            anchored: self.anchored,
            position: self.world_center(),
            node: self.node,
            generation: self.generation,
        }
    }

    /// Centre of mass in world space.
    pub fn world_center(&self) -> Vector3<f32> {
        let (position, rotation) = position_and_rotation(&self.pose);
        position + rotation * Vector3::new(self.center.x, self.center.y, self.center.z)
    }
}

impl Destruction {
    /// The names of all nodes that carry the script, sorted.
    pub fn object_names(&self) -> Vec<String> {
        let mut names: Vec<_> = self
            .objects
            .values()
            .map(|object| object.name.clone())
            .collect();
        names.sort();
        names
    }

    /// Whether the object of that name is whole; `None` when there is none.
    pub fn is_intact(&self, name: &str) -> Option<bool> {
        let id = self.object_named(name)?;
        Some(
            self.objects
                .get(&id)?
                .live()
                .is_none_or(|live| !live.broken),
        )
    }

    /// The volume of the whole object of that name, m^3; `None` until it is prepared.
    pub fn source_volume(&self, name: &str) -> Option<f64> {
        Some(self.source(name)?.mass().volume)
    }

    /// The volume of all pieces of the object of that name that were too small to be any, m^3; see
    /// [`Destructible::crumb_size`](crate::Destructible::crumb_size).
    pub fn crumbs_volume(&self, name: &str) -> f64 {
        let object = self.object_named(name).and_then(|id| self.objects.get(&id));
        object.map_or(0.0, |object| object.crumbs)
    }

    /// The triangles of the whole object of that name; `None` until it is prepared.
    pub fn source_triangles(&self, name: &str) -> Option<usize> {
        Some(self.source(name)?.triangle_count())
    }

    fn source(&self, name: &str) -> Option<&Arc<Solid>> {
        let live = self.objects.get(&self.object_named(name)?)?.live()?;
        live.shape.prepared()?.ok()
    }

    /// What is right and wrong with the mesh of the object of that name, as it was read: holes, turned
    /// triangles, parts that pass through each other. `None` until it is read, and when there is no
    /// such object; a mesh that cannot be looked at at all is an error that says why.
    ///
    /// It looks at every triangle, for tools and tests; a game should ask when nothing has to move.
    pub fn health(&self, name: &str) -> Option<Result<MeshReport, SolidError>> {
        let live = self.objects.get(&self.object_named(name)?)?.live()?;
        let is_read = live.shape.prepared().is_some();
        is_read.then(|| live.shape.with_mesh(MeshReport::new))
    }

    /// The living pieces of the object of that name, pieces of pieces too; none while it is whole.
    pub fn pieces_of(&self, name: &str) -> Vec<PieceInfo> {
        let Some(id) = self.object_named(name) else {
            return Vec::new();
        };
        let own = self.pieces.iter().filter(|(_, piece)| piece.object == id);
        own.map(|(_, piece)| piece.info()).collect()
    }

    /// The first object of that name.
    pub(crate) fn object_named(&self, name: &str) -> Option<ObjectId> {
        let named = |(id, object): (&ObjectId, &crate::object::Object)| {
            (object.name == name).then_some(*id)
        };
        self.objects.iter().find_map(named)
    }
}
