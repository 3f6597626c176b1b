//! Objects that fall in a preview land on colliders that the engine takes long to build.

use super::*;
use crate::preview::{copy, Preview};
use fracture::{Destructible, Impact};
use fyrox::{
    core::algebra::Vector2,
    scene::{
        collider::ConvexPolyhedronShape, rigidbody::RigidBodyBuilder, transform::TransformBuilder,
        Scene,
    },
};

const DT: f32 = 1.0 / 60.0;

fn base(at: Vector3<f32>, scale: f32) -> BaseBuilder {
    let transform = TransformBuilder::new()
        .with_local_position(at)
        .with_local_scale(Vector3::repeat(scale));
    BaseBuilder::new().with_local_transform(transform.build())
}

fn mesh(graph: &mut Graph, data: SurfaceData, scale: f32) -> Handle<Node> {
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
    MeshBuilder::new(base(Vector3::zeros(), scale))
        .with_surfaces(vec![surface])
        .build(graph)
        .to_base()
}

fn body(
    graph: &mut Graph,
    kind: RigidBodyType,
    at: Vector3<f32>,
    children: &[Handle<Node>],
) -> Handle<Node> {
    let children = children.iter().copied();
    RigidBodyBuilder::new(children.fold(base(at, 1.0), BaseBuilder::with_child))
        .with_body_type(kind)
        .build(graph)
        .to_base()
}

fn collider(graph: &mut Graph, shape: ColliderShape) -> Handle<Node> {
    let builder = ColliderBuilder::new(BaseBuilder::new().with_name("collider"));
    builder.with_shape(shape).build(graph).to_base()
}

/// A dome of 79,200 triangles under a cube that falls onto its top, and a sphere of as many that
/// falls beside it.
fn scene() -> (Scene, Handle<Node>, Handle<Node>) {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    let one = Matrix4::identity();
    // Scaled at its node: its vertices are not where the ground is.
    let dome = mesh(graph, SurfaceData::make_sphere(200, 200, 2.0, &one), 2.0);
    let heavy = ColliderShape::trimesh(vec![GeometrySource(dome)]);
    let heavy = collider(graph, heavy);
    let under = Vector3::new(1.0, -4.0, 0.0);
    body(graph, RigidBodyType::Static, under, &[dome, heavy]);
    let cube = mesh(graph, SurfaceData::make_cube(one), 0.5);
    let light = collider(graph, ColliderShape::cuboid(0.25, 0.25, 0.25));
    let over = Vector3::new(1.0, 0.4, 0.0);
    let object = body(graph, RigidBodyType::Dynamic, over, &[cube, light]);
    graph[object].add_script(Destructible::default());
    let ball = mesh(graph, SurfaceData::make_sphere(200, 200, 0.25, &one), 1.0);
    let shape = ColliderShape::Polyhedron(ConvexPolyhedronShape {
        geometry_source: GeometrySource(ball),
    });
    let boxed = collider(graph, shape);
    let beside = Vector3::new(1.0, 0.4, 1.0);
    let ball = body(graph, RigidBodyType::Dynamic, beside, &[ball, boxed]);
    update(&mut scene, 0.0);
    (scene, object, ball)
}

fn update(scene: &mut Scene, dt: f32) {
    scene.update(Vector2::repeat(1.0), dt, Default::default());
}

fn run(preview: &mut Preview, copy: &mut Scene, frames: usize) {
    let mut passed = 0;
    while passed < frames {
        update(copy, DT);
        passed += usize::from(preview.update(copy, DT));
    }
}

#[test]
fn what_falls_stands_on_heavy_colliders() {
    let (scene, object, ball) = scene();
    let root = scene.graph.get_root();
    let (mut copy, around) = copy(&scene, object, root, Handle::NONE);
    assert_eq!(around.heavy.len(), 1);
    let mut preview = Preview::new(&mut copy, object, around);
    preview.set_running(&mut copy, true);
    // Nothing falls before the ground is there.
    let start = scene.graph[object].global_position();
    while !preview.parts.are_added() {
        assert_eq!(copy.graph[object].global_position(), start);
        run(&mut preview, &mut copy, 1);
        std::thread::yield_now();
    }
    run(&mut preview, &mut copy, 60);
    let height = |copy: &Scene, node: Handle<Node>| copy.graph[node].global_position().y;
    let rest = height(&copy, object);
    assert!((0.2..0.27).contains(&rest), "{rest}");
    // On the slope beside the top, upright as its box.
    let beside = height(&copy, ball);
    assert!((-1.0..0.3).contains(&beside), "{beside}");
    let blow = Impact::new(Vector3::new(1.0, rest + 0.25, 0.0), Vector3::y(), 200.0);
    preview.strike(&copy, blow);
    run(&mut preview, &mut copy, 1);
    while preview.is_busy() {
        run(&mut preview, &mut copy, 1);
        std::thread::yield_now();
    }
    run(&mut preview, &mut copy, 30);
    // The poses of moving pieces are extrapolated by the measured time of a step, so they may reach
    // below the ground.
    preview.set_running(&mut copy, false);
    run(&mut preview, &mut copy, 2);
    let pieces = preview.pieces();
    assert!(pieces.len() > 3, "{}: {:?}", pieces.len(), preview.fault());
    for piece in pieces {
        let over = (piece.position - Vector3::new(1.0, -4.0, 0.0)).norm();
        assert!(
            over > 3.98,
            "{} is {over} from the middle of the dome",
            piece.name
        );
    }
}

#[test]
fn only_what_is_near_is_divided() {
    let (scene, object, _) = scene();
    let root = scene.graph.get_root();
    let (copy, around) = copy(&scene, object, root, Handle::NONE);
    let whole = whole(&copy.graph, around.heavy[0]).unwrap();
    let near = |half: f32| {
        let half = Vector3::repeat(half);
        AxisAlignedBoundingBox::from_min_max(-half, half)
    };
    let triangles = |parts: Vec<Part>| -> usize {
        let count = |part: &Part| part.surface.data_ref().geometry_buffer.len();
        assert!(parts.iter().all(|part| count(part) <= PART));
        parts.iter().map(count).sum()
    };
    let all = triangles(whole.divide(&near(100.0)));
    let some = triangles(whole.divide(&near(1.0)));
    assert!(
        all > 70_000 && (100..all / 4).contains(&some),
        "{some} of {all}"
    );
}
