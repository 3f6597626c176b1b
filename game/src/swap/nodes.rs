//! The mesh nodes that show pieces. Unused nodes are pooled and show other pieces later.

use crate::{
    mirror::transforms::position_and_rotation,
    swap::scene_edits::{remove, PIECE_TAG},
};
use fracture_simulation::{hooks::SharedPayload, Pose};
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

/// Pooled nodes at most.
const MAX_POOLED: usize = 1024;
/// Pooled nodes that are kept: those of a batch that comes apart. Fragments come with nodes of their own.
const KEPT_POOLED: usize = 128;
/// Seconds without use after which the pool shrinks.
const MAX_IDLE_TIME: f32 = 10.0;
/// Nodes removed per frame while the pool shrinks. More at once would cost a long frame.
const REMOVED_PER_FRAME: usize = 8;
/// Name of pooled nodes.
const POOLED_NAME: &str = "spare piece";

/// The surfaces of a piece, or of a chunk of one, with their material slots.
pub(crate) type PieceSurfaces = Vec<(u32, SurfaceResource)>;

/// The surfaces that the worker has made of what is drawn.
pub(crate) fn surfaces_of(payload: &SharedPayload) -> Option<&PieceSurfaces> {
    payload.downcast_ref()
}

/// The materials and render flags of an object's pieces, taken from the object's meshes.
#[derive(Clone, Debug)]
pub(crate) struct PieceAppearance {
    /// One material per slot; the last one is that of the cut faces.
    pub materials: Vec<MaterialResource>,
    pub flags: RenderFlags,
}

/// The render settings of a mesh node besides its materials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RenderFlags {
    cast_shadows: bool,
    frustum_culling: bool,
    render_path: RenderPath,
}

impl PieceAppearance {
    /// The appearance of an object with these meshes and materials.
    pub fn new(graph: &Graph, meshes: &[Handle<Node>], materials: Vec<MaterialResource>) -> Self {
        let mesh = meshes
            .iter()
            .find_map(|m| graph.try_get_of_type::<Mesh>(*m).ok());
        let flags = RenderFlags {
            cast_shadows: mesh.is_none_or(|m| m.cast_shadows()),
            frustum_culling: mesh.is_none_or(|m| m.frustum_culling()),
            render_path: mesh.map(Mesh::render_path).unwrap_or_default(),
        };
        Self { materials, flags }
    }

    /// The material of a slot; the last one for slots beyond.
    pub fn material(&self, slot: u32) -> Option<&MaterialResource> {
        let material = self.materials.get(slot as usize);
        material.or(self.materials.last())
    }

    fn build_surfaces<'a>(
        &'a self,
        surfaces: &'a PieceSurfaces,
    ) -> impl Iterator<Item = Surface> + 'a {
        surfaces.iter().map(|(slot, data)| {
            let builder = SurfaceBuilder::new(data.clone());
            match self.material(*slot) {
                Some(material) => builder.with_material(material.clone()).build(),
                None => builder.build(),
            }
        })
    }
}

/// Parent and transform of a piece's node.
pub(crate) enum NodePlacement<'a> {
    /// Below the scene's root, in world space.
    World(&'a Pose),
    /// Below a rigid body node, with a local transform.
    Body(Handle<Node>, &'a Transform),
}

impl RenderFlags {
    /// The same without a shadow.
    pub fn without_shadow(self) -> Self {
        Self {
            cast_shadows: false,
            ..self
        }
    }

    /// Whether it casts shadows.
    pub fn cast_shadows(&self) -> bool {
        self.cast_shadows
    }

    /// Whether it is drawn as opaque or as transparent.
    pub fn render_path(&self) -> RenderPath {
        self.render_path
    }
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

/// A pool of hidden mesh nodes for later pieces.
#[derive(Default)]
pub(crate) struct NodePool {
    nodes: Vec<Handle<Node>>,
    /// Seconds since a node was taken or recycled.
    idle_time: f32,
}

impl NodePool {
    /// Shows a piece by a pooled or a new node, whose transforms are up to date.
    pub fn show(
        &mut self,
        graph: &mut Graph,
        name: &str,
        surfaces: &PieceSurfaces,
        appearance: &PieceAppearance,
        placement: &NodePlacement,
    ) -> Handle<Node> {
        let pooled = self.take(graph);
        let node =
            pooled.unwrap_or_else(|| MeshBuilder::new(BaseBuilder::new()).build(graph).to_base());
        if let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) {
            init_node(mesh, name, placement);
            set_surfaces(mesh, surfaces, appearance);
        }
        attach(graph, node, placement);
        node
    }

    /// The same, and no node for no surfaces.
    pub fn show_if_any(
        &mut self,
        graph: &mut Graph,
        name: &str,
        surfaces: &PieceSurfaces,
        appearance: &PieceAppearance,
        placement: &NodePlacement,
    ) -> Handle<Node> {
        if surfaces.is_empty() {
            return Handle::NONE;
        }
        self.show(graph, name, surfaces, appearance, placement)
    }

    /// Hides a piece's node and returns it to the pool. A node with children or a script is removed with them.
    pub fn recycle(&mut self, graph: &mut Graph, node: Handle<Node>) {
        if self.nodes.len() >= MAX_POOLED || !is_bare(graph, node) {
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
        self.idle_time = 0.0;
    }

    /// Removes some nodes when there are more than are needed, or when none has been used for long.
    pub fn shrink(&mut self, graph: &mut Graph, dt: f32) {
        self.idle_time += dt;
        let needed = if self.idle_time > MAX_IDLE_TIME {
            0
        } else {
            KEPT_POOLED
        };
        if self.nodes.len() > needed {
            let kept = self
                .nodes
                .len()
                .saturating_sub(REMOVED_PER_FRAME)
                .max(needed);
            for node in self.nodes.drain(kept..) {
                remove(graph, node);
            }
        }
    }

    fn take(&mut self, graph: &Graph) -> Option<Handle<Node>> {
        self.idle_time = 0.0;
        // The game may have removed some.
        while let Some(node) = self.nodes.pop() {
            if graph.is_valid_handle(node) {
                return Some(node);
            }
        }
        None
    }
}

/// Adds a node that the worker has built to the scene.
pub(crate) fn add_prebuilt(
    graph: &mut Graph,
    name: &str,
    mut node: Node,
    placement: &NodePlacement,
) -> Handle<Node> {
    if let Some(mesh) = node.cast_mut::<Mesh>() {
        mesh.set_name(name);
        mesh.set_local_transform(placement.transform());
    }
    let node = graph.add_node(node);
    attach(graph, node, placement);
    node
}

/// Resets name, visibility and transform of a node for a piece.
fn init_node(mesh: &mut Mesh, name: &str, placement: &NodePlacement) {
    mesh.set_name(name);
    mesh.set_tag(PIECE_TAG.to_owned());
    mesh.set_visibility(true);
    mesh.set_enabled(true);
    mesh.set_lifetime(None);
    mesh.set_local_transform(placement.transform());
}

/// Replaces the surfaces and render flags of a node.
fn set_surfaces(mesh: &mut Mesh, surfaces: &PieceSurfaces, appearance: &PieceAppearance) {
    mesh.set_cast_shadows(appearance.flags.cast_shadows);
    mesh.set_frustum_culling(appearance.flags.frustum_culling);
    mesh.set_render_path(appearance.flags.render_path);
    // Setting all surfaces at once would not update the bounding box.
    mesh.clear_surfaces();
    for surface in appearance.build_surfaces(surfaces) {
        mesh.add_surface(surface);
    }
}

/// Whether a mesh node has neither children nor a script.
pub(crate) fn is_bare(graph: &Graph, node: Handle<Node>) -> bool {
    let is_bare = |node: &Mesh| node.children().is_empty() && !node.has_scripts_assigned();
    graph.try_get_of_type::<Mesh>(node).is_ok_and(is_bare)
}

/// Whether a node is a mesh node with the tag of pieces.
pub(crate) fn is_piece(graph: &Graph, node: Handle<Node>) -> bool {
    let mesh = graph.try_get_of_type::<Mesh>(node);
    mesh.is_ok_and(|mesh| mesh.tag() == PIECE_TAG)
}

/// The longest side of a node's bounding box, metres; 0 for an empty one.
pub(crate) fn node_size(graph: &Graph, node: Handle<Node>) -> f32 {
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

/// Replaces the surfaces of a node in the scene.
pub(crate) fn replace_surfaces(
    graph: &mut Graph,
    node: Handle<Node>,
    surfaces: &PieceSurfaces,
    appearance: &PieceAppearance,
) {
    if let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) {
        set_surfaces(mesh, surfaces, appearance);
    }
    graph.update_hierarchical_data_for_descendants(node);
}

/// Links a node to its parent and updates its transforms.
pub(super) fn attach(graph: &mut Graph, node: Handle<Node>, placement: &NodePlacement) {
    if let NodePlacement::Body(body, _) = placement {
        graph.link_nodes(node, *body);
    }
    graph.update_hierarchical_data_for_descendants(node);
}

/// Moves a piece's node, which is below the scene's root.
pub(crate) fn move_piece(graph: &mut Graph, node: Handle<Node>, pose: &Pose) {
    if let Ok(node) = graph.try_get_node_mut(node) {
        let (position, rotation) = position_and_rotation(pose);
        node.local_transform_mut()
            .set_position(position)
            .set_rotation(rotation);
    }
}

/// Moves a piece's node, and scales it about a point in body space.
pub(crate) fn move_scaled_piece(
    graph: &mut Graph,
    node: Handle<Node>,
    pose: &Pose,
    center: rapier3d::math::Vec3,
    scale: f32,
) {
    let offset = pose.rotation * (center * (1.0 - scale));
    let moved = Pose::from_parts(pose.translation + offset, pose.rotation);
    move_piece(graph, node, &moved);
    if let Ok(node) = graph.try_get_node_mut(node) {
        let scale = fyrox::core::algebra::Vector3::repeat(scale);
        node.local_transform_mut().set_scale(scale);
    }
}

/// A fragment's surfaces, and the node that shows them, built on the worker.
pub(crate) struct PrebuiltPiece {
    surfaces: PieceSurfaces,
    /// The mutex makes the value `Sync`: nodes are not. Only the thread that owns the scene takes it.
    node: Mutex<Option<Node>>,
}

impl PrebuiltPiece {
    /// Stores surfaces, and builds a node for them: half the work that a pooled node would be for the main thread.
    pub fn new(surfaces: PieceSurfaces, appearance: &PieceAppearance) -> Self {
        let node = build_node(&surfaces, appearance);
        Self {
            surfaces,
            node: Mutex::new(node),
        }
    }

    /// The surfaces, and the node.
    pub fn into_parts(self) -> (PieceSurfaces, Option<Node>) {
        let node = self.node.into_inner();
        (self.surfaces, node.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Builds the node of a piece, which has no name and no place yet, and computes its bounding box, so that the main thread
/// need not.
fn build_node(surfaces: &PieceSurfaces, appearance: &PieceAppearance) -> Option<Node> {
    let base = BaseBuilder::new().with_tag(PIECE_TAG.to_owned());
    let mut node = MeshBuilder::new(base).build_node();
    let mesh = node.cast_mut::<Mesh>()?;
    set_surfaces(mesh, surfaces, appearance);
    mesh.local_bounding_box();
    Some(node)
}
