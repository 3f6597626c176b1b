//! Previews for tools agree with the breaks of the game.

use crate::world::{hard, World};
use fracture::{
    BreakPreview, Breaking, Destructible, Event, FracturePattern, PreviewError, PRESETS,
};
use fyrox::{
    asset::{untyped::ResourceKind, Resource},
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    scene::{
        collider::ColliderShape,
        mesh::{
            buffer::TriangleBuffer,
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
        },
        node::Node,
        rigidbody::RigidBodyType,
    },
};
use std::sync::{atomic::AtomicBool, Arc};

fn cube(world: &mut World, pattern: FracturePattern) -> Handle<Node> {
    let pattern = Resource::new_ok(Default::default(), ResourceKind::Embedded, pattern);
    let script = Destructible {
        pattern: Some(pattern).into(),
        breaking: Breaking {
            seed: 5.into(),
            ..Breaking::default()
        },
        ..Default::default()
    };
    let at = Vector3::new(3.0, 1.0, -2.0);
    world.cube("cube", RigidBodyType::Static, at, script)
}

fn preview(world: &World, node: Handle<Node>) -> BreakPreview {
    BreakPreview::of(&world.scene.graph, node).unwrap()
}

#[test]
fn a_preview_equals_the_break() {
    for (name, preset) in PRESETS {
        let mut world = World::new();
        let node = cube(&mut world, preset());
        let impact = hard(Vector3::new(3.1, 1.5, -2.2));
        let told = preview(&world, node);
        let told = told.outlines(&impact, false, &Default::default()).unwrap();
        world.step();
        let events = world.strike("cube", impact);
        let made = events.iter().find_map(|event| match event {
            Event::Broken { .. } => Some(event.piece_counts()),
            _ => None,
        });
        assert_eq!(made, Some((told.fragments, told.islands)), "{name}");
    }
}

#[test]
fn crack_lines_lie_on_the_surface_around_the_impact() {
    let mut world = World::new();
    let node = cube(&mut world, FracturePattern::default());
    let impact = hard(Vector3::new(3.0, 1.5, -2.0)).with_radius(0.2);
    let sketch = preview(&world, node);
    let near = sketch
        .outlines(&impact, false, &Default::default())
        .unwrap();
    let all = sketch.outlines(&impact, true, &Default::default()).unwrap();
    assert!(!near.lines.is_empty() && near.lines.len() < all.lines.len());
    assert_eq!(all.islands, 0);
    for end in all.lines.iter().chain(&near.lines).flatten() {
        let off = (end - Vector3::new(3.0, 1.0, -2.0)).abs().max() - 0.5;
        assert!(off.abs() < 1e-5, "{end}");
    }
}

#[test]
fn test_breaks_are_repeatable_and_differ() {
    let mut world = World::new();
    let node = cube(&mut world, FracturePattern::default());
    let sketch = preview(&world, node);
    let run = |number| {
        let mut trial = sketch.trial(number, &Default::default()).unwrap();
        trial.cut_ms = 0.0;
        trial
    };
    for number in 0..20 {
        let trial = run(number);
        assert_eq!(trial, run(number));
        assert_ne!(trial, run(number + 1));
        assert!(trial.pieces > 1 && trial.open == 0, "{trial:?}");
        assert!(
            trial.volume_error < 1e-5 && trial.smallest > 0.0,
            "{trial:?}"
        );
    }
}

#[test]
fn a_mesh_check_lists_the_edges_of_a_hole() {
    let mut world = World::new();
    let sound = cube(&mut world, FracturePattern::default());
    let health = preview(&world, sound).health();
    assert!(health.fine && health.edges.is_empty(), "{}", health.text);
    let data = SurfaceData::make_cube(Matrix4::identity());
    let mut triangles = data.geometry_buffer.triangles_ref().to_vec();
    triangles.pop();
    let open = SurfaceData::new(data.vertex_buffer, TriangleBuffer::new(triangles));
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(open)).build();
    let node = world.body(
        "open",
        RigidBodyType::Static,
        Vector3::new(0.0, 5.0, 0.0),
        vec![surface],
        ColliderShape::cuboid(0.5, 0.5, 0.5),
        Some(Destructible::default()),
    );
    let health = preview(&world, node).health();
    assert_eq!(health.edges.len(), 3, "{}", health.text);
    assert!(health.text.contains("1 open borders"), "{}", health.text);
    assert!(health.mark > 0.0);
    let heights = health.edges.iter().flatten().map(|end| end.y);
    assert!(heights.fold(f32::MAX, f32::min) > 4.0, "in world space");
}

#[test]
fn previews_can_be_cancelled_and_report_faults() {
    let mut world = World::new();
    let node = cube(&mut world, FracturePattern::default());
    let cancelled = Arc::new(AtomicBool::new(true));
    let impact = hard(Vector3::new(3.0, 1.5, -2.0));
    let error = preview(&world, node).outlines(&impact, true, &cancelled);
    assert!(error.unwrap_err().to_string().contains("cancelled"));
    let ball = world.ball(1.0, Vector3::zeros(), Vector3::zeros());
    let none = BreakPreview::of(&world.scene.graph, ball).err();
    assert_eq!(none, Some(PreviewError::NotDestructible));
    let empty = FracturePattern {
        cells: 1,
        ..Default::default()
    };
    let few = cube(&mut world, empty);
    let error = preview(&world, few).prepare().unwrap_err().to_string();
    assert!(error.contains("at least 2 different sites"), "{error}");
}
