//! Things that a baked object holds: held as before, since its body and its collider stay.

use super::bake::{bake, BakeInput};
use fracture::{
    certificate::{Hold, StructureMember},
    Anchoring, Destructible, SceneStructure,
};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        graph::Graph,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
    },
};

/// Adds a static body of a mesh and a collider.
fn block(graph: &mut Graph, name: &str, size: [f32; 3], height: f32) -> [Handle<Node>; 2] {
    let size = Vector3::from(size);
    let cube = SurfaceData::make_cube(Matrix4::new_nonuniform_scaling(&size));
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(cube)).build();
    let mesh = MeshBuilder::new(BaseBuilder::new()).with_surfaces(vec![surface]);
    let mesh = mesh.build(graph).to_base();
    let half = 0.5 * size;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(half.x, half.y, half.z))
        .build(graph);
    let place = TransformBuilder::new().with_local_position(Vector3::new(0.0, height, 0.0));
    let base = BaseBuilder::new()
        .with_name(name)
        .with_local_transform(place.build())
        .with_child(mesh)
        .with_child(collider);
    let body = RigidBodyBuilder::new(base).with_body_type(RigidBodyType::Static);
    [body.build(graph).to_base(), mesh]
}

fn certified(graph: &mut Graph) -> Vec<(String, StructureMember)> {
    graph.update_hierarchical_data();
    let certificate = SceneStructure::new(graph, None).unwrap().certify();
    let named = |(node, member): (Handle<Node>, &StructureMember)| {
        (graph[node].name_owned(), member.clone())
    };
    certificate.members().map(named).collect()
}

/// The area of what holds the statue up, and whether that is another object.
fn held(graph: &mut Graph) -> (f32, bool) {
    let members = certified(graph);
    let (_, statue) = members.iter().find(|(name, _)| name == "Statue").unwrap();
    assert_eq!(statue.falls, 0.0);
    let Hold::Bonds(bonds) = &statue.hold else {
        panic!("{:?}", statue.hold);
    };
    let [bond] = bonds.as_slice() else {
        panic!("{bonds:?}");
    };
    assert!(bond.supports);
    (bond.area, bond.with.breakable().is_some())
}

#[test]
fn what_stands_on_a_baked_object_is_held_as_before_and_again_when_that_is_undone() {
    let mut graph = Graph::new();
    block(&mut graph, "Ground", [8.0, 1.0, 8.0], -0.5);
    let [pedestal, mesh] = block(&mut graph, "Pedestal", [1.0, 1.0, 1.0], 0.5);
    let [statue, _] = block(&mut graph, "Statue", [0.5, 2.0, 0.5], 2.0);
    for body in [pedestal, statue] {
        let mut script = Destructible::default();
        script.held.anchoring = Anchoring::Touching.into();
        graph[body].add_script(script);
    }
    let (area, is_object) = held(&mut graph);
    assert!(is_object && (area - 0.25).abs() < 1e-3, "{area}");

    let piece = || MeshBuilder::new(BaseBuilder::new()).build_node();
    let what = BakeInput {
        object: pedestal,
        body: pedestal,
        meshes: vec![mesh],
        pieces: (0..3).map(|_| piece()).collect(),
    };
    let mut step = bake(what, &mut graph).unwrap();
    let pieces = step.pieces();
    step.put(&mut graph);
    pieces.advance(&mut graph, usize::MAX);
    let (area, is_object) = held(&mut graph);
    assert!(!is_object && (area - 0.25).abs() < 0.01, "{area}");

    step.take(&mut graph);
    pieces.advance(&mut graph, usize::MAX);
    let (area, is_object) = held(&mut graph);
    assert!(is_object && (area - 0.25).abs() < 1e-3, "{area}");
    step.pieces().finalize(&mut graph);
}
