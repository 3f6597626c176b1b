//! The nodes that are copied for a preview: the object, the nodes around it, and lights. The copy is
//! made in one frame, so it must not grow with the scene.

use super::slow_colliders::{remedy, Remedy};
use fyrox::{
    core::{algebra::Vector3, math::aabb::AxisAlignedBoundingBox, pool::Handle},
    graph::SceneGraph,
    scene::{
        collider::Collider,
        graph::Graph,
        light::{directional::DirectionalLight, point::PointLight, spot::SpotLight},
        mesh::Mesh,
        node::Node,
        rigidbody::RigidBody,
        terrain::Terrain,
    },
};
use std::collections::{BTreeMap, BTreeSet};

/// Reach of the copy around the object, in sizes of the object.
const AROUND: f32 = 2.0;
/// Least reach of the copy, metres.
const AT_LEAST: f32 = 4.0;
/// Most nodes of a copy besides the object's own; the nearest are taken.
const MOST: usize = 400;

/// The nodes that are copied.
pub struct Near {
    nodes: BTreeSet<Handle<Node>>,
    /// Colliders that take too long to build, and their replacements.
    heavy: BTreeMap<Handle<Node>, Remedy>,
}

impl Near {
    /// Collects the nodes near an object.
    pub fn to(graph: &Graph, object: Handle<Node>) -> Self {
        let mut nodes = BTreeSet::new();
        add(graph, unit(graph, object), &mut nodes);
        let own = nodes.clone();
        for (_, root) in around(graph, object) {
            if nodes.len() >= own.len() + MOST {
                break;
            }
            add(graph, root, &mut nodes);
        }
        let heavy = nodes.iter().filter_map(|node| {
            let remedy = remedy(graph, *node, own.contains(node))?;
            Some((*node, remedy))
        });
        Self {
            heavy: heavy.collect(),
            nodes,
        }
    }

    /// Whether a node is copied.
    pub fn has(&self, node: Handle<Node>) -> bool {
        self.nodes.contains(&node)
    }

    /// Returns the replacement of a node, when it is a collider that takes too long to build.
    pub fn remedy(&self, node: Handle<Node>) -> Option<Remedy> {
        self.heavy.get(&node).copied()
    }

    /// Returns the colliders that get this replacement.
    pub fn heavy(&self, remedy: Remedy) -> Vec<Handle<Node>> {
        let all = self.heavy.iter().filter(|(_, own)| **own == remedy);
        all.map(|(node, _)| *node).collect()
    }
}

/// Returns the root with which a node is copied: the highest rigid body at or above it, or itself.
fn unit(graph: &Graph, node: Handle<Node>) -> Handle<Node> {
    let above = lineage(graph, node).filter(|above| {
        let node = graph.try_get_node(*above);
        node.is_ok_and(|node| node.cast::<RigidBody>().is_some())
    });
    above.last().unwrap_or(node)
}

/// Iterates over a node and its ancestors.
fn lineage(graph: &Graph, node: Handle<Node>) -> impl Iterator<Item = Handle<Node>> + '_ {
    std::iter::successors(Some(node), |node| {
        let parent = graph.try_get_node(*node).ok()?.parent();
        graph.is_valid_handle(parent).then_some(parent)
    })
}

/// Adds a node's descendants and ancestors.
fn add(graph: &Graph, root: Handle<Node>, nodes: &mut BTreeSet<Handle<Node>>) {
    if graph.is_valid_handle(root) {
        nodes.extend(graph.traverse_handle_iter(root));
        nodes.extend(lineage(graph, root));
    }
}

/// Returns the reach of the copy around an object of this size, metres.
pub fn reach(bounds: &AxisAlignedBoundingBox) -> f32 {
    ((bounds.max - bounds.min).norm() * AROUND).max(AT_LEAST)
}

/// Returns the world box of the meshes of an object, or of a metre around it when it has none.
pub fn bounds(graph: &Graph, object: Handle<Node>) -> AxisAlignedBoundingBox {
    let mut all = AxisAlignedBoundingBox::default();
    let own = graph.is_valid_handle(object).then_some(object);
    let nodes = own.into_iter().flat_map(|own| graph.traverse_iter(own));
    for (_, node) in nodes.filter(|(_, node)| node.cast::<Mesh>().is_some()) {
        let own = node.world_bounding_box();
        if own.is_valid() {
            all.add_box(own);
        }
    }
    if all.is_valid() {
        return all;
    }
    let node = graph.try_get_node(object);
    let mut around = AxisAlignedBoundingBox::unit();
    around.offset(node.map_or(Vector3::zeros(), |node| node.global_position()));
    around
}

/// Returns the roots around an object, lights first, then the nearest first.
fn around(graph: &Graph, object: Handle<Node>) -> Vec<(u32, Handle<Node>)> {
    let bounds = bounds(graph, object);
    let reach = reach(&bounds);
    let far = |(handle, node): (Handle<Node>, &Node)| {
        let distance = distance(node, &bounds).filter(|distance| *distance <= reach)?;
        // In whole millimetres: an integer can be sorted by.
        Some(((distance * 1e3) as u32, unit(graph, handle)))
    };
    let mut found: Vec<_> = graph.pair_iter().filter_map(far).collect();
    found.sort_unstable();
    found
}

/// Returns the distance of a node from a box; `None` for nodes that are not copied.
fn distance(node: &Node, bounds: &AxisAlignedBoundingBox) -> Option<f32> {
    if node.cast::<DirectionalLight>().is_some() {
        return Some(0.0);
    }
    let is_solid = node.cast::<Mesh>().is_some() || node.cast::<Terrain>().is_some();
    let shown = is_solid.then(|| node.world_bounding_box());
    let at = node.global_position();
    let is_point = node.cast::<Collider>().is_some()
        || node.cast::<PointLight>().is_some()
        || node.cast::<SpotLight>().is_some();
    match shown {
        Some(shown) if shown.is_valid() => Some(gap(&shown, bounds)),
        _ if is_point => Some(gap(&AxisAlignedBoundingBox::from_point(at), bounds)),
        _ => None,
    }
}

fn gap(a: &AxisAlignedBoundingBox, b: &AxisAlignedBoundingBox) -> f32 {
    let gap = |k: usize| (a.min[k] - b.max[k]).max(b.min[k] - a.max[k]).max(0.0);
    Vector3::new(gap(0), gap(1), gap(2)).norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, GeometrySource},
        light::{directional::DirectionalLightBuilder, BaseLightBuilder},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        rigidbody::RigidBodyBuilder,
        transform::TransformBuilder,
        Scene,
    };

    fn base(name: &str, at: Vector3<f32>) -> BaseBuilder {
        let transform = TransformBuilder::new().with_local_position(at).build();
        BaseBuilder::new()
            .with_name(name)
            .with_local_transform(transform)
    }

    /// A rigid body with a cube and a mesh collider.
    fn body(
        graph: &mut Graph,
        name: &str,
        at: Vector3<f32>,
        cube: &SurfaceResource,
    ) -> Handle<Node> {
        let surface = SurfaceBuilder::new(cube.clone()).build();
        let mesh = MeshBuilder::new(base("mesh", Vector3::zeros()))
            .with_surfaces(vec![surface])
            .build(graph)
            .to_base();
        let collider = ColliderBuilder::new(base("collider", Vector3::zeros()))
            .with_shape(ColliderShape::trimesh(vec![GeometrySource(mesh)]))
            .build(graph)
            .to_base::<Node>();
        let base = base(name, at).with_child(mesh).with_child(collider);
        RigidBodyBuilder::new(base).build(graph).to_base()
    }

    fn cube() -> SurfaceResource {
        let one = fyrox::core::algebra::Matrix4::identity();
        SurfaceResource::new_embedded(SurfaceData::make_cube(one))
    }

    fn updated(mut scene: Scene) -> Scene {
        let size = fyrox::core::algebra::Vector2::new(1.0, 1.0);
        scene.graph.update(size, 0.0, Default::default());
        scene
    }

    #[test]
    fn a_copy_of_a_large_scene_is_small() {
        let mut scene = Scene::new();
        let graph = &mut scene.graph;
        let cube = cube();
        let object = body(graph, "object", Vector3::zeros(), &cube);
        for k in 0..2000 {
            let at = Vector3::new((k % 40) as f32 * 1.5 + 1.5, 0.0, (k / 40) as f32 * 1.5);
            body(graph, "other", at, &cube);
        }
        let light = base("sun", Vector3::new(1e4, 0.0, 0.0));
        DirectionalLightBuilder::new(BaseLightBuilder::new(light)).build(graph);
        let scene = updated(scene);
        let root = scene.graph.get_root();
        let (copy, _) = crate::preview::copy(&scene, object, root, Handle::NONE);
        let named = |name: &str| {
            copy.graph
                .pair_iter()
                .filter(|(_, n)| n.name() == name)
                .count()
        };
        assert_eq!([named("object"), named("sun")], [1, 1]);
        // Within four metres or two sizes, each with its descendants.
        let others = named("other");
        assert!((4..60).contains(&others), "{others}");
        assert_eq!(named("mesh"), others + 1);
        assert_eq!(scene.graph.pair_iter().count(), 3 * 2001 + 2);
    }

    #[test]
    fn what_is_crowded_is_cut_off_by_number() {
        let mut scene = Scene::new();
        let cube = cube();
        let object = body(&mut scene.graph, "object", Vector3::zeros(), &cube);
        for k in 0..2000 {
            let at = Vector3::new(k as f32 * 1e-3 + 1.0, 0.0, 0.0);
            body(&mut scene.graph, "other", at, &cube);
        }
        let scene = updated(scene);
        let near = Near::to(&scene.graph, object);
        assert!((MOST..MOST + 10).contains(&near.nodes.len()));
    }
}
