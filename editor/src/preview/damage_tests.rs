//! Damage in a preview: told in words, and drawn around its place.

use super::*;
use fracture::{Breaking, Destructible, Impact};
use fyrox::{
    core::algebra::{Matrix4, Vector2},
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            MeshBuilder,
        },
        rigidbody::{RigidBodyBuilder, RigidBodyType},
    },
};

/// A static cube that breaks at 20 N s.
fn scene() -> (Scene, Handle<Node>) {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
    let mesh = MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(vec![SurfaceBuilder::new(data).build()])
        .build(graph);
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::cuboid(0.5, 0.5, 0.5))
        .build(graph);
    let script = Destructible {
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            weakening: 1.0.into(),
            ..Breaking::default()
        },
        ..Destructible::default()
    };
    let base = BaseBuilder::new().with_child(mesh).with_child(collider);
    let object = RigidBodyBuilder::new(base.with_script(script))
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base();
    (scene, object)
}

/// Runs until nothing is being computed, at most a minute.
fn run(preview: &mut Preview, copy: &mut Scene) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        copy.update(Vector2::repeat(1.0), 0.0, Default::default());
        preview.update(copy, 0.0);
        if !preview.is_busy() {
            break;
        }
        assert!(std::time::Instant::now() < end, "the break does not end");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    copy.update(Vector2::repeat(1.0), 0.0, Default::default());
    preview.update(copy, 0.0);
}

#[test]
fn a_weak_blow_is_told_and_drawn_and_the_next_one_breaks() {
    let (scene, object) = scene();
    let root = scene.graph.get_root();
    let (mut copy, around) = copy(&scene, object, root, Handle::NONE);
    let mut preview = Preview::new(&mut copy, object, around);
    run(&mut preview, &mut copy);
    assert!(copy.drawing_context.lines.is_empty());
    let point = Vector3::new(0.1, 0.5, 0.0);
    let blow = Impact::new(point, Vector3::y(), 100.0).with_impulse(-Vector3::y() * 18.0);
    preview.strike(&copy, blow.clone());
    run(&mut preview, &mut copy);
    let told = preview.fault().unwrap_or_default();
    assert!(told.contains("damaged by 81 %"), "{told}");
    let lines = &copy.drawing_context.lines;
    assert!(lines.len() > 10, "{}", lines.len());
    let is_on_top = |at: &Vector3<f32>| (at.y - 0.5).abs() < 0.05;
    assert!(lines
        .iter()
        .all(|line| is_on_top(&line.begin) && is_on_top(&line.end)));
    preview.strike(&copy, blow);
    run(&mut preview, &mut copy);
    assert!(preview.pieces().len() > 1, "{:?}", preview.fault());
    assert_eq!(preview.fault(), None);
}
