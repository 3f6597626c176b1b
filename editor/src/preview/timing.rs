//! Prints the main thread times of a preview in a large scene: `cargo test --release -p editor --lib
//! timing -- --ignored --nocapture`.

use super::{copy, slow_colliders::surface, ColorBy, Preview};
use fracture::{BreakPreview, Destructible, Impact};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        pool::Handle,
    },
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape, GeometrySource},
        graph::Graph,
        mesh::{
            surface::{SurfaceBuilder, SurfaceResource},
            MeshBuilder,
        },
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};
use std::time::Instant;

const DT: f32 = 1.0 / 60.0;

fn body(graph: &mut Graph, at: Vector3<f32>, data: &SurfaceResource) -> Handle<Node> {
    let surface = SurfaceBuilder::new(data.clone()).build();
    let mesh = MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(vec![surface])
        .build(graph)
        .to_base::<Node>();
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::trimesh(vec![GeometrySource(mesh)]))
        .build(graph)
        .to_base::<Node>();
    let place = TransformBuilder::new().with_local_position(at).build();
    let base = BaseBuilder::new().with_local_transform(place);
    RigidBodyBuilder::new(base.with_child(mesh).with_child(collider))
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base()
}

/// A closed ball, whose seam uses the same positions.
fn ball(rings: usize) -> SurfaceResource {
    let around = 2 * rings;
    let at = |k: usize, n: usize| {
        let (sin, cos) = (n as f32 / rings as f32 * std::f32::consts::PI).sin_cos();
        let turn = (k % around) as f32 / around as f32 * std::f32::consts::TAU;
        match n {
            0 => Vector3::y(),
            n if n == rings => -Vector3::y(),
            _ => Vector3::new(sin * turn.sin(), cos, sin * turn.cos()),
        }
    };
    let mut corners = Vec::new();
    for n in 0..rings {
        for k in 0..around {
            let [a, b, c, d] = [at(k, n), at(k, n + 1), at(k + 1, n + 1), at(k + 1, n)];
            if n + 1 < rings {
                corners.extend([a, b, c]);
            }
            if n > 0 {
                corners.extend([a, c, d]);
            }
        }
    }
    surface(&corners)
}

/// 2,000 bodies, each a mesh and a collider, around a ball of 70,000 triangles that is destructible.
fn scene() -> (Scene, Handle<Node>) {
    let mut scene = Scene::new();
    let (heavy, light) = (ball(133), ball(10));
    let object = body(&mut scene.graph, Vector3::zeros(), &heavy);
    scene.graph[object].add_script(Destructible::default());
    for k in 0..2000 {
        let at = Vector3::new((k % 40) as f32 - 20.0, -2.0, (k / 40) as f32 - 25.0);
        body(&mut scene.graph, at * 2.0, &light);
    }
    scene.update(Vector2::repeat(1.0), 0.0, Default::default());
    (scene, object)
}

fn timed<R>(what: &str, act: impl FnOnce() -> R) -> R {
    let begin = Instant::now();
    let result = act();
    println!("{what}: {:.2} ms", begin.elapsed().as_secs_f64() * 1e3);
    result
}

#[test]
#[ignore = "prints figures; nothing can fail"]
fn the_main_thread() {
    let (scene, object) = scene();
    let root = scene.graph.get_root();
    let sketch = timed("look at the object", || {
        BreakPreview::of(&scene.graph, object)
    });
    sketch.and_then(|sketch| sketch.prepare()).unwrap();
    let (mut copy, around) = timed("copy", || copy(&scene, object, root, Handle::NONE));
    let mut preview = timed("begin", || Preview::new(&mut copy, object, around));
    let update = |copy: &mut Scene| copy.update(Vector2::repeat(1.0), DT, Default::default());
    timed("first frame of the copy", || update(&mut copy));
    timed("first frame of the preview", || {
        preview.update(&mut copy, DT)
    });
    let blow = Impact::new(Vector3::new(0.0, 1.0, 0.0), Vector3::y(), 5000.0).with_radius(1.0);
    preview.strike(&copy, blow);
    for what in ["broken", "painted", "falling"] {
        if what == "painted" {
            timed("paint", || preview.set_colors(ColorBy::Cell));
        }
        if what == "falling" {
            preview.set_running(&mut copy, true);
        }
        let (mut engine, mut own) = (0.0f64, 0.0f64);
        for frame in 0.. {
            let begin = Instant::now();
            update(&mut copy);
            let middle = Instant::now();
            preview.update(&mut copy, DT);
            own = own.max(middle.elapsed().as_secs_f64() * 1e3);
            engine = engine.max((middle - begin).as_secs_f64() * 1e3);
            if frame > 30 && !preview.is_busy() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        println!("{what}: longest frame {engine:.2} ms of the engine, {own:.2} ms of the preview");
    }
    println!("{}", preview.figures());
    let baked = timed("bake", || preview.piece_nodes(&copy));
    println!("{} pieces", baked.len());
}
