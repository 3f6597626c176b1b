//! Levels of detail: the finest level of an object breaks, the others are hidden with it.

use crate::mirror::transforms::ancestry;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        base::{LevelOfDetail, LodGroup},
        graph::Graph,
        mesh::Mesh,
        node::Node,
    },
};

/// The meshes of an object, by what becomes of them in a break.
pub(super) struct ObjectMeshes {
    /// Those that break: the finest level of each group, and what is in no group.
    pub finest: Vec<Handle<Node>>,
    /// The visible meshes of all other levels of these groups.
    pub coarser: Vec<Handle<Node>>,
}

impl ObjectMeshes {
    /// Divides the meshes of an object by the groups at, above and below its rigid body.
    pub fn new(graph: &Graph, body: Handle<Node>, meshes: Vec<Handle<Node>>) -> Self {
        let mut divided = Self {
            finest: meshes,
            coarser: Vec::new(),
        };
        let above = ancestry(graph, body).filter_map(|node| node.lod_group());
        let below = descendants(graph, body).skip(1);
        let below = below.filter_map(|node| node.lod_group());
        for group in above.chain(below) {
            divided.divide(graph, body, group);
        }
        divided
    }

    /// Moves the meshes of all but the finest level of a group that the object has a mesh in.
    fn divide(&mut self, graph: &Graph, body: Handle<Node>, group: &LodGroup) {
        let mut levels: Vec<&LevelOfDetail> = group.levels.iter().collect();
        levels.sort_by(|a, b| a.begin().total_cmp(&b.begin()));
        let levels_of = |mesh: &Handle<Node>| level_of(graph, *mesh, &levels);
        let Some(finest) = self.finest.iter().filter_map(levels_of).min() else {
            return;
        };
        // Finer levels have no mesh that breaks, where the script lists coarser ones.
        let is_coarser = |mesh: Handle<Node>| {
            level_of(graph, mesh, &levels).is_some_and(|level| level != finest)
        };
        self.finest.retain(|mesh| !is_coarser(*mesh));
        let visible = descendants(graph, body)
            .filter(|node| node.cast::<Mesh>().is_some() && node.visibility())
            .map(|node| node.handle());
        let coarser = visible.filter(|mesh| is_coarser(*mesh));
        let new: Vec<_> = coarser
            .filter(|mesh| !self.coarser.contains(mesh))
            .collect();
        self.coarser.extend(new);
    }
}

/// The first of the levels that list a mesh, or else the nearest node above it that any of them lists.
fn level_of(graph: &Graph, mesh: Handle<Node>, levels: &[&LevelOfDetail]) -> Option<usize> {
    let listed = |node: &Node| {
        let mut levels = levels.iter();
        levels.position(|level| level.objects.contains(&node.handle()))
    };
    ancestry(graph, mesh).find_map(listed)
}

/// A node and all nodes below it, parents first.
fn descendants(graph: &Graph, top: Handle<Node>) -> impl Iterator<Item = &Node> {
    let mut open = vec![top];
    std::iter::from_fn(move || loop {
        let node = graph.try_get_node(open.pop()?);
        if let Ok(node) = node {
            open.extend(node.children().iter().rev());
            return Some(node);
        }
    })
}
