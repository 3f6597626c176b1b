//! The command *Bake Pieces*: the pieces of a preview become ordinary nodes of the scene, in place of
//! the object.

use super::{
    baked_pieces::BakedPieces,
    hidden_nodes::{Hidden, TakenScript},
};
use crate::preview::piece_nodes::placed;
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder, graph::Graph, node::Node, pivot::PivotBuilder,
        transform::TransformBuilder,
    },
};
use fyroxed_base::{
    command::{CommandContext, CommandTrait},
    scene::commands::GameSceneContext,
};
use thiserror::Error;

/// Why pieces cannot be baked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BakeError {
    /// The preview has not been broken.
    #[error("there are no pieces yet; break the object in the preview first")]
    NoPieces,
    /// The object does not exist any more.
    #[error("the object is not in the scene any more; select another one")]
    NoObject,
    /// The object's rigid body has a scale of zero.
    #[error("the scale of \"{0}\" is 0 in some direction, so that nothing can lie below it; give it another one")]
    Flat(String),
}

/// Input of [`bake`].
pub struct BakeInput {
    /// The node with the script.
    pub object: Handle<Node>,
    /// Its rigid body, the parent of the baked pieces.
    pub body: Handle<Node>,
    /// Its meshes, which are hidden.
    pub meshes: Vec<Handle<Node>>,
    /// The pieces in world space, see [`Preview::piece_nodes`](crate::preview::Preview::piece_nodes).
    pub pieces: Vec<Node>,
}

/// Command that puts baked pieces below an object in place of its meshes and takes its script away: the
/// pieces are ordinary nodes, which do not break.
#[derive(Debug)]
pub struct Bake {
    name: String,
    object: Handle<Node>,
    hidden: Hidden,
    script: Option<TakenScript>,
    pieces: BakedPieces,
}

/// Makes the command. Its pieces are inserted and removed a few per frame, see [`Bake::pieces`].
///
/// # Errors
///
/// [`BakeError`] when there is nothing to bake.
pub fn bake(what: BakeInput, graph: &mut Graph) -> Result<Bake, BakeError> {
    let BakeInput { object, body, .. } = what;
    let node = graph.try_get_node(object);
    let name = node.map_err(|_| BakeError::NoObject)?.name_owned();
    if what.pieces.is_empty() {
        return Err(BakeError::NoPieces);
    }
    let above = graph.try_get_node(body).map_err(|_| BakeError::NoObject)?;
    let (unscaled, inverse) =
        rigid(&above.global_transform()).ok_or_else(|| BakeError::Flat(above.name_owned()))?;
    let base = BaseBuilder::new()
        .with_name(format!("{name} pieces"))
        .with_local_transform(TransformBuilder::new().with_local_scale(unscaled).build());
    let root = PivotBuilder::new(base).build(graph).to_base();
    graph.link_nodes(root, body);
    // Only commands change the scene: the node is taken out again until the command is executed.
    let out = graph.take_reserve_sub_graph(root);
    let placed = what.pieces.into_iter().map(|piece| below(piece, &inverse));
    Ok(Bake {
        name: format!("Bake \"{name}\""),
        object,
        hidden: Hidden::of(what.meshes),
        script: None,
        pieces: BakedPieces::new(out, root, placed.collect()),
    })
}

/// The local scale that cancels a node's world scale, and the inverse of the world matrix with that
/// scale.
fn rigid(world: &Matrix4<f32>) -> Option<(Vector3<f32>, Matrix4<f32>)> {
    let lengths = [0, 1, 2].map(|k| world.fixed_view::<3, 1>(0, k).norm());
    let unscaled = Vector3::from(lengths.map(f32::recip));
    let inverse = (world * Matrix4::new_nonuniform_scaling(&unscaled)).try_inverse()?;
    let finite = unscaled.iter().all(|scale| scale.is_finite());
    finite.then_some((unscaled, inverse))
}

/// Moves a piece from world space below a node, given the inverse of the node's world matrix.
fn below(mut piece: Node, inverse: &Matrix4<f32>) -> Node {
    let world = piece.local_transform().matrix();
    piece.set_local_transform(placed(&(inverse * world)));
    piece
}

impl Bake {
    /// The pieces, which are inserted or removed over the frames after the command is executed or
    /// reverted.
    pub fn pieces(&self) -> BakedPieces {
        self.pieces.clone()
    }

    /// Hides the meshes and requests the pieces.
    pub fn put(&mut self, graph: &mut Graph) {
        self.hidden.hide(graph);
        self.script = TakenScript::of(graph, self.object);
        self.pieces.want(graph, true);
    }

    /// Shows the meshes and requests that the pieces go.
    pub fn take(&mut self, graph: &mut Graph) {
        self.pieces.want(graph, false);
        if let Some(script) = self.script.take() {
            script.put_back(graph);
        }
        self.hidden.show(graph);
    }
}

impl CommandTrait for Bake {
    fn name(&mut self, _context: &dyn CommandContext) -> String {
        self.name.clone()
    }

    fn execute(&mut self, context: &mut dyn CommandContext) {
        self.put(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn revert(&mut self, context: &mut dyn CommandContext) {
        self.take(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn finalize(&mut self, context: &mut dyn CommandContext) {
        let scene = &mut context.get_mut::<GameSceneContext>().scene;
        self.pieces.finalize(&mut scene.graph);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture::Destructible;
    use fyrox::scene::{
        mesh::MeshBuilder, rigidbody::RigidBodyBuilder, transform::TransformBuilder,
    };

    fn pieces(count: usize) -> Vec<Node> {
        let place = TransformBuilder::new().with_local_position(Vector3::new(1.0, 2.0, 3.0));
        let place = place.build();
        let base = || BaseBuilder::new().with_local_transform(place.clone());
        (0..count)
            .map(|_| MeshBuilder::new(base()).build_node())
            .collect()
    }

    /// An object of a rotated and scaled rigid body and a mesh.
    fn scene() -> (Graph, [Handle<Node>; 2]) {
        let mut graph = Graph::new();
        let mesh = MeshBuilder::new(BaseBuilder::new().with_name("mesh"));
        let mesh = mesh.build(&mut graph).to_base();
        let place = TransformBuilder::new()
            .with_local_position(Vector3::new(5.0, 0.0, 0.0))
            .with_local_rotation(fyrox::core::algebra::UnitQuaternion::from_euler_angles(
                0.3, 0.7, 0.1,
            ))
            .with_local_scale(Vector3::new(2.0, 1.0, 0.5));
        let base = BaseBuilder::new()
            .with_name("Vase")
            .with_local_transform(place.build())
            .with_child(mesh);
        let body: Handle<Node> = RigidBodyBuilder::new(base).build(&mut graph).to_base();
        graph[body].add_script(Destructible::default());
        graph.update_hierarchical_data();
        (graph, [body, mesh])
    }

    fn baked([body, mesh]: [Handle<Node>; 2], count: usize) -> BakeInput {
        BakeInput {
            object: body,
            body,
            meshes: vec![mesh],
            pieces: pieces(count),
        }
    }

    fn count(graph: &Graph) -> usize {
        graph.pair_iter().count()
    }

    fn scripts(graph: &Graph, [body, _]: [Handle<Node>; 2]) -> usize {
        graph[body].scripts().count()
    }

    #[test]
    fn pieces_come_and_go_a_few_at_a_time() {
        let (mut graph, object) = scene();
        let before = count(&graph);
        let mut step = bake(baked(object, 10), &mut graph).unwrap();
        let pieces = step.pieces();
        assert_eq!((pieces.advance(&mut graph, 4), count(&graph)), (0, before));
        step.put(&mut graph);
        let advance = |graph: &mut Graph| (pieces.advance(graph, 4), count(graph));
        assert_eq!(advance(&mut graph), (4, before + 5));
        assert!(!graph[object[1]].visibility());
        assert_eq!(scripts(&graph, object), 0);
        // Reverted while pieces are being inserted.
        step.take(&mut graph);
        assert!(graph[object[1]].visibility());
        assert_eq!(scripts(&graph, object), 1);
        assert_eq!(advance(&mut graph), (4, before));
        assert!(step.pieces().are_settled(&graph));
        step.put(&mut graph);
        let rounds = [(); 3].map(|()| advance(&mut graph).0);
        assert_eq!((rounds, count(&graph)), ([4, 4, 2], before + 11));
        assert!(step.pieces().are_settled(&graph));
        step.take(&mut graph);
        assert_eq!(advance(&mut graph), (4, before + 7));
        // Dropped while pieces are being inserted.
        step.pieces().finalize(&mut graph);
        let rounds = [(); 2].map(|()| advance(&mut graph).0);
        assert_eq!((rounds, count(&graph)), ([4, 2], before));
        assert!(step.pieces().are_settled(&graph));
    }

    #[test]
    fn they_lie_where_they_lay_and_keep_their_handles() {
        let (mut graph, object) = scene();
        let mut step = bake(baked(object, 100), &mut graph).unwrap();
        let rest = step.pieces();
        let mut handles = |graph: &mut Graph| {
            step.put(graph);
            rest.advance(graph, usize::MAX);
            let nodes = graph.pair_iter().filter(|(_, node)| node.name().is_empty());
            let handles: Vec<_> = nodes.map(|(handle, _)| handle).collect();
            graph.update_hierarchical_data();
            for handle in &handles {
                let off = graph[*handle].global_position() - Vector3::new(1.0, 2.0, 3.0);
                assert!(off.norm() < 1e-5, "{off}");
            }
            let groups = graph[object[0]].children().last().unwrap();
            assert_eq!(graph[*groups].children().len(), 2);
            step.take(graph);
            rest.advance(graph, usize::MAX);
            handles
        };
        let first = handles(&mut graph);
        assert_eq!(first.len(), 100);
        assert_eq!(handles(&mut graph), first);
        step.pieces().finalize(&mut graph);
    }

    #[test]
    fn there_must_be_something_to_bake() {
        let (mut graph, object) = scene();
        let none = bake(baked(object, 0), &mut graph);
        assert_eq!(none.err(), Some(BakeError::NoPieces));
        let gone = bake(baked([Handle::NONE; 2], 1), &mut graph);
        assert_eq!(gone.err(), Some(BakeError::NoObject));
        graph[object[0]]
            .local_transform_mut()
            .set_scale(Vector3::new(1.0, 0.0, 1.0));
        graph.update_hierarchical_data();
        let flat = bake(baked(object, 1), &mut graph);
        assert_eq!(flat.err(), Some(BakeError::Flat("Vase".into())));
    }
}
