//! Nodes that show pieces. A node that has done its work shows the next piece.

use crate::{
    mirror::transforms::position_and_rotation,
    swap::scene_edits::{remove, PIECE_TAG},
};
use fracture_simulation::Pose;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    material::MaterialResource,
    scene::{
        base::BaseBuilder,
        graph::Graph,
        mesh::{
            surface::{Surface, SurfaceBuilder, SurfaceResource},
            Mesh, MeshBuilder, RenderPath,
        },
        node::{Node, NodeTrait},
        transform::{Transform, TransformBuilder},
    },
};
use std::sync::{Mutex, PoisonError};

/// Most nodes that are kept for later.
const MOST: usize = 1024;
/// How long they are kept when nobody wants one, seconds.
const KEPT: f32 = 10.0;
/// Nodes let go in one frame after that.
const LET_GO: usize = 8;
/// What nodes are called that show nothing.
const POOLED_NAME: &str = "spare piece";

/// What is drawn of a piece, or of a chunk of one: surfaces with their material slots.
pub(crate) type PieceSurfaces = Vec<(u32, SurfaceResource)>;

/// How all pieces of an object are drawn: as the object was.
#[derive(Clone, Debug)]
pub(crate) struct PieceAppearance {
    /// One material per slot, that of the cut faces last.
    pub materials: Vec<MaterialResource>,
    pub drawing: RenderFlags,
}

/// How a mesh is drawn, whatever its materials are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RenderFlags {
    cast_shadows: bool,
    frustum_culling: bool,
    render_path: RenderPath,
}

impl PieceAppearance {
    /// The style of an object that has the given meshes.
    pub fn of(graph: &Graph, meshes: &[Handle<Node>], materials: Vec<MaterialResource>) -> Self {
        let mesh = meshes
            .iter()
            .find_map(|m| graph.try_get_of_type::<Mesh>(*m).ok());
        let drawing = RenderFlags {
            cast_shadows: mesh.is_none_or(|m| m.cast_shadows()),
            frustum_culling: mesh.is_none_or(|m| m.frustum_culling()),
            render_path: mesh.map(Mesh::render_path).unwrap_or_default(),
        };
        Self { materials, drawing }
    }

    /// The material of a slot.
    pub fn material(&self, slot: u32) -> Option<&MaterialResource> {
        let own = self.materials.get(slot as usize);
        own.or(self.materials.last())
    }

    fn surfaces<'a>(&'a self, look: &'a PieceSurfaces) -> impl Iterator<Item = Surface> + 'a {
        look.iter().map(|(slot, data)| {
            let builder = SurfaceBuilder::new(data.clone());
            match self.material(*slot) {
                Some(material) => builder.with_material(material.clone()).build(),
                None => builder.build(),
            }
        })
    }
}

/// Where a piece's node goes.
pub(crate) enum NodePlacement<'a> {
    /// Under the scene's root, in world space.
    World(&'a Pose),
    /// Under an engine body.
    Body(Handle<Node>, &'a Transform),
}

impl NodePlacement<'_> {
    pub(crate) fn transform(&self) -> Transform {
        match self {
            Self::World(pose) => {
                let (position, rotation) = position_and_rotation(pose);
                TransformBuilder::new()
                    .with_local_position(position)
                    .with_local_rotation(rotation)
                    .build()
            }
            Self::Body(_, transform) => (*transform).clone(),
        }
    }
}

/// Mesh nodes that show nothing, for the next pieces.
#[derive(Default)]
pub(crate) struct NodePool {
    nodes: Vec<Handle<Node>>,
    /// Seconds since one was taken or came.
    idle: f32,
}

impl NodePool {
    /// Shows a piece. The node's transforms are up to date when this returns.
    pub fn show(
        &mut self,
        graph: &mut Graph,
        name: &str,
        look: &PieceSurfaces,
        style: &PieceAppearance,
        place: &NodePlacement,
    ) -> Handle<Node> {
        let spare = self.take(graph);
        let node =
            spare.unwrap_or_else(|| MeshBuilder::new(BaseBuilder::new()).build(graph).to_base());
        if let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) {
            dress(mesh, name, place);
            redress(mesh, look, style);
        }
        settle(graph, node, place);
        node
    }

    /// Takes a node away that shows a piece. One on which something hangs goes with it.
    pub fn hide(&mut self, graph: &mut Graph, node: Handle<Node>) {
        if self.nodes.len() >= MOST || !is_bare(graph, node) {
            return remove(graph, node);
        }
        graph.unlink_node(node);
        if let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) {
            mesh.clear_surfaces();
            mesh.set_name(POOLED_NAME);
            mesh.set_visibility(false);
        }
        graph.update_hierarchical_data_for_descendants(node);
        self.nodes.push(node);
        self.idle = 0.0;
    }

    /// Lets nodes go that nobody has wanted for long.
    pub fn thin_out(&mut self, graph: &mut Graph, dt: f32) {
        self.idle += dt;
        if self.idle > KEPT {
            let kept = self.nodes.len().saturating_sub(LET_GO);
            for node in self.nodes.drain(kept..) {
                remove(graph, node);
            }
        }
    }

    fn take(&mut self, graph: &Graph) -> Option<Handle<Node>> {
        self.idle = 0.0;
        // The game may have removed some.
        while let Some(node) = self.nodes.pop() {
            if graph.is_valid_handle(node) {
                return Some(node);
            }
        }
        None
    }
}

/// Shows a piece by a node that shows it already, wherever it is.
pub(crate) fn show_ready(
    graph: &mut Graph,
    name: &str,
    mut node: Node,
    place: &NodePlacement,
) -> Handle<Node> {
    if let Some(mesh) = node.cast_mut::<Mesh>() {
        dress(mesh, name, place);
    }
    let node = graph.add_node(node);
    settle(graph, node, place);
    node
}

/// Makes a node a piece's, whatever it was before.
fn dress(mesh: &mut Mesh, name: &str, place: &NodePlacement) {
    mesh.set_name(name);
    mesh.set_tag(PIECE_TAG.to_owned());
    mesh.set_visibility(true);
    mesh.set_enabled(true);
    mesh.set_lifetime(None);
    mesh.set_local_transform(place.transform());
}

/// Makes a node show a look.
pub(crate) fn redress(mesh: &mut Mesh, look: &PieceSurfaces, style: &PieceAppearance) {
    mesh.set_cast_shadows(style.drawing.cast_shadows);
    mesh.set_frustum_culling(style.drawing.frustum_culling);
    mesh.set_render_path(style.drawing.render_path);
    // Setting them all at once would leave the bounding box as it was.
    mesh.clear_surfaces();
    for surface in style.surfaces(look) {
        mesh.add_surface(surface);
    }
}

/// Whether a node shows a piece and nothing hangs on it: neither other nodes nor a script.
pub(crate) fn is_bare(graph: &Graph, node: Handle<Node>) -> bool {
    let is_bare = |node: &Mesh| node.children().is_empty() && !node.has_scripts_assigned();
    graph.try_get_of_type::<Mesh>(node).is_ok_and(is_bare)
}

/// Whether a node is a mesh that the module has added.
pub(crate) fn is_of_pieces(graph: &Graph, node: Handle<Node>) -> bool {
    let mesh = graph.try_get_of_type::<Mesh>(node);
    mesh.is_ok_and(|mesh| mesh.tag() == PIECE_TAG)
}

/// The longest side of what a node shows, metres.
pub(crate) fn size_of(graph: &Graph, node: Handle<Node>) -> f32 {
    graph.try_get_node(node).map_or(0.0, |node| {
        let bounds = node.local_bounding_box();
        let size = (bounds.max - bounds.min).max();
        if size.is_finite() {
            size.max(0.0)
        } else {
            0.0
        }
    })
}

/// Gives a node something else to show, in the same place.
pub(crate) fn change_look(
    graph: &mut Graph,
    node: Handle<Node>,
    look: &PieceSurfaces,
    style: &PieceAppearance,
) {
    if let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) {
        redress(mesh, look, style);
    }
    graph.update_hierarchical_data_for_descendants(node);
}

pub(crate) fn settle(graph: &mut Graph, node: Handle<Node>, place: &NodePlacement) {
    if let NodePlacement::Body(body, _) = place {
        graph.link_nodes(node, *body);
    }
    graph.update_hierarchical_data_for_descendants(node);
}

/// Moves a piece's node, which stands under the scene's root.
pub(crate) fn move_piece(graph: &mut Graph, node: Handle<Node>, pose: &Pose) {
    if let Ok(node) = graph.try_get_node_mut(node) {
        let (position, rotation) = position_and_rotation(pose);
        node.local_transform_mut()
            .set_position(position)
            .set_rotation(rotation);
    }
}

/// The same for a piece that is smaller than it was, about a point of its own space.
pub(crate) fn move_shrunk(
    graph: &mut Graph,
    node: Handle<Node>,
    pose: &Pose,
    (center, scale): (rapier3d::math::Vec3, f32),
) {
    let kept = pose.rotation * (center * (1.0 - scale));
    let moved = Pose::from_parts(pose.translation + kept, pose.rotation);
    move_piece(graph, node, &moved);
    if let Ok(node) = graph.try_get_node_mut(node) {
        let scale = fyrox::core::algebra::Vector3::repeat(scale);
        node.local_transform_mut().set_scale(scale);
    }
}

/// A fragment's look, and perhaps the node that shows it.
pub(crate) struct PrebuiltPiece {
    look: PieceSurfaces,
    /// For the thread that owns the scene alone: nodes cannot be shared.
    node: Mutex<Option<Node>>,
}

impl PrebuiltPiece {
    /// A look, with a node where it is not likely that one is left from other pieces.
    pub fn new(look: PieceSurfaces, style: &PieceAppearance, with_node: bool) -> Self {
        let node = with_node.then(|| node(&look, style)).flatten();
        Self {
            look,
            node: Mutex::new(node),
        }
    }

    /// The look, and the node.
    pub fn into_parts(self) -> (PieceSurfaces, Option<Node>) {
        let node = self.node.into_inner();
        (self.look, node.unwrap_or_else(PoisonError::into_inner))
    }
}

/// A node that shows a look, and knows the box around it, which the engine takes some time for.
fn node(look: &PieceSurfaces, style: &PieceAppearance) -> Option<Node> {
    let mut node = MeshBuilder::new(BaseBuilder::new()).build_node();
    let mesh = node.cast_mut::<Mesh>()?;
    redress(mesh, look, style);
    mesh.local_bounding_box();
    Some(node)
}
