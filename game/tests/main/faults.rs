//! Faults of artists and game code, and the messages about them.

use crate::world::{broken, cube_surface, hard, World};
use fracture::{Breaking, Destructible, Event, FracturePattern, Impact, OpenMesh, PatternKind};
use fyrox::{
    asset::{state::LoadError, untyped::ResourceKind, Resource},
    core::algebra::{Matrix4, UnitQuaternion, Vector3},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::ColliderShape,
        mesh::surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
        pivot::PivotBuilder,
        rigidbody::RigidBodyType,
    },
};

#[test]
fn missing_meshes_missing_bodies_and_foreign_meshes_are_reported_once() {
    let mut world = World::new();
    world.body(
        "hollow",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![],
        ColliderShape::ball(1.0),
        Some(Destructible::default()),
    );
    let lonely = BaseBuilder::new()
        .with_name("lonely")
        .with_script(Destructible::default());
    PivotBuilder::new(lonely).build(&mut world.scene.graph);
    let other = world.cube(
        "other",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    let foreign = world.node(other).children()[0];
    let script = Destructible {
        mesh_nodes: vec![foreign].into(),
        ..Default::default()
    };
    world.cube("thief", RigidBodyType::Static, Vector3::zeros(), script);
    world.steps(20);
    let text = world.faults();
    assert!(text.contains("\"hollow\": it points at no mesh"), "{text}");
    assert!(
        text.contains("\"lonely\": there is no rigid body"),
        "{text}"
    );
    assert!(
        text.contains("\"thief\": mesh node \"other mesh\" is not below"),
        "{text}"
    );
    assert_eq!(world.destruction.statistics().faults, 3, "{text}");
    let refused = world
        .destruction
        .impact_by_name(&world.scene, "hollow", hard(Vector3::zeros()));
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("points at no mesh"));
    assert_eq!(world.destruction.is_intact("hollow"), Some(true));
}

#[test]
fn a_body_has_one_owner() {
    let mut world = World::new();
    let wall = world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    let mesh = world.node(wall).children()[0];
    let node = world.scene.graph.try_get_node_mut(mesh).unwrap();
    node.add_script(Destructible::default());
    world.steps(10);
    assert_eq!(world.destruction.statistics().faults, 1);
    assert!(world
        .faults()
        .contains("already belongs to the destructible"));
    // The object that was found first keeps the body.
    let struck = world.strike("wall mesh", hard(Vector3::new(0.0, 0.5, 0.0)));
    assert_eq!(broken(&struck), ["wall mesh"]);
}

#[test]
fn an_open_mesh_stays_intact_with_a_fault() {
    let mut data = SurfaceData::make_cube(Matrix4::identity());
    let triangles = data.geometry_buffer.triangles_ref()[1..].to_vec();
    data.geometry_buffer.set_triangles(triangles);
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
    let mut world = World::new();
    world.body(
        "open",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![surface],
        ColliderShape::cuboid(0.5, 0.5, 0.5),
        Some(Destructible::default()),
    );
    world.step();
    let events = world.strike("open", hard(Vector3::new(0.0, 0.5, 0.0)));
    assert!(broken(&events).is_empty());
    assert!(events.iter().any(|e| matches!(e, Event::Failed { name, reason, .. } if name == "open" && reason.contains("not closed"))), "{events:?}");
    assert!(world.faults().contains("\"open\""));
    assert!(world.node(world.named("open mesh")[0]).global_visibility());
}

#[test]
fn an_object_repaired_in_the_running_scene_breaks() {
    let mut world = World::new();
    let hollow = world.body(
        "hollow",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![],
        ColliderShape::cuboid(0.5, 0.5, 0.5),
        Some(Destructible::default()),
    );
    world.steps(2);
    let mesh = world.node(hollow).children()[0];
    let mesh = world
        .scene
        .graph
        .try_get_mut_of_type::<fyrox::scene::mesh::Mesh>(mesh)
        .unwrap();
    mesh.add_surface(cube_surface(Matrix4::identity(), None));
    world.steps(2);
    assert_eq!(
        broken(&world.strike("hollow", hard(Vector3::new(0.0, 0.5, 0.0)))),
        ["hollow"]
    );
}

#[test]
fn a_far_away_impact_misses() {
    let mut world = World::new();
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    world.step();
    let events = world.strike("wall", hard(Vector3::new(0.0, 50.0, 0.0)).with_radius(0.5));
    assert!(
        matches!(&events[..], [Event::Missed { name, .. }] if name == "wall"),
        "{events:?}"
    );
    assert!(world.faults().contains("does not reach the mesh"));
    assert_eq!(world.destruction.is_intact("wall"), Some(true));
}

#[test]
fn invalid_patterns_leave_the_object_intact() {
    let pattern = |cells| {
        Some(Resource::new_embedded(FracturePattern {
            cells,
            kind: PatternKind::Uniform,
            ..Default::default()
        }))
    };
    let lost = Resource::<FracturePattern>::new_load_error(
        ResourceKind::External,
        "data/lost.pattern".into(),
        LoadError::new("file not found: data/lost.pattern"),
    );
    for (name, pattern, words) in [
        ("none", pattern(0), "at least 2"),
        ("one", pattern(1), "at least 2"),
        ("many", pattern(u32::MAX), "more than the limit"),
        ("lost", Some(lost), "data/lost.pattern"),
    ] {
        let mut world = World::new();
        let script = Destructible {
            pattern: pattern.into(),
            ..Default::default()
        };
        let node = world.cube(name, RigidBodyType::Static, Vector3::zeros(), script);
        world.steps(2);
        let _ = world
            .destruction
            .impact(node, hard(Vector3::new(0.0, 0.5, 0.0)));
        let events = world.steps(3);
        assert!(broken(&events).is_empty(), "{name}");
        let text = world.faults();
        assert!(
            text.contains(words) && text.contains(&format!("\"{name}\"")),
            "{name}: {text}"
        );
        assert_eq!(world.destruction.is_intact(name), Some(true));
    }
}

#[test]
fn fields_edited_at_run_time_take_effect() {
    let mut world = World::new();
    let script = Destructible {
        breaking: Breaking {
            damage_threshold: 1e9.into(),
            ..Breaking::default()
        },
        ..Default::default()
    };
    let wall = world.cube("wall", RigidBodyType::Static, Vector3::zeros(), script);
    world.step();
    assert!(broken(&world.strike("wall", hard(Vector3::new(0.0, 0.5, 0.0)))).is_empty());
    let script = world
        .scene
        .graph
        .try_get_script_of_mut::<Destructible>(wall)
        .unwrap();
    script.breaking.damage_threshold = 1.0.into();
    world.steps(2);
    assert_eq!(
        broken(&world.strike("wall", hard(Vector3::new(0.0, 0.5, 0.0)))),
        ["wall"]
    );
}

#[test]
fn a_mesh_that_is_scaled_in_play_breaks_at_the_size_that_it_has() {
    // Scales of the body and of its mesh; both are also turned, which changes no size.
    let cases = [
        (2.0, 1.0, 8.0),
        (1.0, 0.5, 0.125),
        (1.5, 2.0, 27.0),
        (1.0, 1.0, 1.0),
    ];
    for (body_scale, mesh_scale, volume) in cases {
        let mut world = World::new();
        let wall = world.cube(
            "wall",
            RigidBodyType::Static,
            Vector3::zeros(),
            Destructible::default(),
        );
        world.steps(3);
        let mesh = world.named("wall mesh")[0];
        for (node, scale) in [(wall, body_scale), (mesh, mesh_scale)] {
            let transform = world.scene.graph[node].local_transform_mut();
            transform.set_scale(Vector3::repeat(scale));
            transform.set_rotation(UnitQuaternion::from_euler_angles(0.3, -0.8, 0.1));
        }
        world.steps(4);
        let top = 0.5 * body_scale * mesh_scale;
        let events = world.strike("wall", hard(Vector3::new(0.0, top, 0.0)));
        assert_eq!(broken(&events), ["wall"]);
        let pieces = world.destruction.pieces_of("wall");
        let sum: f64 = pieces.iter().map(|piece| piece.volume).sum();
        assert!((sum / volume - 1.0).abs() < 1e-4, "{sum} of {volume}");
        assert_eq!(world.faults(), "");
    }
}

/// A world with an open mesh and a policy for it.
fn open_world(data: SurfaceData, open: OpenMesh, thickness: f32) -> World {
    let mut world = World::new();
    let script = Destructible {
        open_mesh: open.into(),
        shell_thickness: thickness.into(),
        ..Default::default()
    };
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
    world.body(
        "open",
        RigidBodyType::Static,
        Vector3::zeros(),
        vec![surface],
        ColliderShape::ball(0.5),
        Some(script),
    );
    world.step();
    world
}

fn holed_sphere() -> SurfaceData {
    let mut data = SurfaceData::make_sphere(24, 24, 0.5, &Matrix4::identity());
    let mut triangles = data.geometry_buffer.triangles_ref().to_vec();
    triangles.drain(300..302);
    data.geometry_buffer.set_triangles(triangles);
    data
}

#[test]
fn the_repair_policy_closes_a_small_hole() {
    let impact = || hard(Vector3::new(0.0, 0.5, 0.0)).with_radius(0.2);
    let mut refused = open_world(holed_sphere(), OpenMesh::Refuse, 0.002);
    refused.strike("open", impact());
    let text = refused.faults();
    assert!(text.contains("not closed"), "{text}");
    assert!(text.contains("set its Not Watertight to Repair"), "{text}");
    let mut mended = open_world(holed_sphere(), OpenMesh::Repair, 0.002);
    assert_eq!(broken(&mended.strike("open", impact())), ["open"]);
    let pieces = mended.destruction.pieces_of("open");
    assert!(pieces.iter().all(|piece| piece.closed == Some(true)));
    assert_eq!(mended.faults(), "");
}

#[test]
fn the_shell_policy_breaks_a_sheet_with_the_mass_of_its_thickness() {
    let sheet = || {
        let plane = Matrix4::new_nonuniform_scaling(&Vector3::new(2.0, 1.0, 1.0));
        SurfaceData::make_quad(&plane)
    };
    let impact = || hard(Vector3::zeros()).with_radius(0.2);
    let mut refused = open_world(sheet(), OpenMesh::Repair, 0.002);
    refused.strike("open", impact());
    let text = refused.faults();
    assert!(text.contains("set its Not Watertight to Shell"), "{text}");
    let mut torn = open_world(sheet(), OpenMesh::Shell, 0.01);
    assert_eq!(broken(&torn.strike("open", impact())), ["open"]);
    let pieces = torn.destruction.pieces_of("open");
    let volume: f64 = pieces.iter().map(|p| p.volume).sum();
    let volume = volume + torn.destruction.dust_volume("open");
    let area = torn.destruction.source_volume("open").unwrap() / 0.01;
    assert!((volume / (area * 0.01) - 1.0).abs() < 1e-5, "{volume}");
    assert!(
        (1.9..2.1).contains(&area) || (7.9..8.1).contains(&area),
        "{area}"
    );
    let mut flat = open_world(sheet(), OpenMesh::Shell, -1.0);
    flat.steps(2);
    assert!(
        flat.faults()
            .contains("its Shell Thickness is -1 m; it must be"),
        "{}",
        flat.faults()
    );
}

#[test]
fn a_mesh_report_can_be_queried() {
    let mut world = open_world(holed_sphere(), OpenMesh::Refuse, 0.002);
    assert!(world.destruction.mesh_report("nobody").is_none());
    world.steps(2);
    let health = world.destruction.mesh_report("open").unwrap().unwrap();
    assert_eq!(health.boundary_loops.len(), 1);
    assert!(health.to_string().contains("open border"), "{health}");
}

#[test]
fn velocities_that_are_not_finite_do_not_spread() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut world = World::new();
        world.floor();
        let cube = |world: &mut World, name, at| {
            world.cube(name, RigidBodyType::Dynamic, at, Destructible::default())
        };
        let sick = cube(&mut world, "sick", Vector3::new(-3.0, 0.5, 0.0));
        cube(&mut world, "sound", Vector3::new(3.0, 0.5, 0.0));
        world.steps(5);
        for _ in 0..2 {
            let graph = &mut world.scene.graph;
            let body = graph.try_get_mut_of_type::<fyrox::scene::rigidbody::RigidBody>(sick);
            let body = body.unwrap();
            body.set_lin_vel(Vector3::new(0.0, bad, 0.0));
            body.set_ang_vel(Vector3::repeat(bad));
            let impact = hard(Vector3::new(-3.0, 1.0, 0.0));
            let _ = world.destruction.impact(sick, impact);
            world.steps(3);
        }
        let impact = hard(Vector3::new(3.0, 1.0, 0.0));
        assert_eq!(broken(&world.strike("sound", impact)), ["sound"]);
        world.steps(60);
        for piece in world.destruction.pieces_of("sound") {
            let at = piece.position;
            assert!(at.iter().all(|x| x.is_finite()) && at.y > -0.1, "{at:?}");
        }
    }
}

#[test]
fn ten_thousand_impacts_in_one_frame_are_counted() {
    let mut world = World::new();
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    world.steps(2);
    let mut taken = 0;
    for number in 0..10_000 {
        let impact = Impact::new(
            Vector3::new(0.0, 0.5, 0.0),
            Vector3::y(),
            2000.0 + number as f32 * 0.01,
        );
        let struck = world
            .destruction
            .impact_by_name(&world.scene, "wall", impact);
        taken += u64::from(struck.is_ok());
    }
    assert!(taken > 0);
    let events = world.steps(3);
    assert_eq!(broken(&events)[0], "wall");
    let statistics = world.destruction.statistics();
    assert!(statistics.dropped > 8_900, "{statistics:?}");
    assert!(events.len() < 5_000);
}

#[test]
fn a_body_removed_in_the_middle_of_a_break_leaves_nothing() {
    for removed_after in 0..3 {
        let mut world = World::with(fracture::Settings::default());
        let before = world.scene.graph.pair_iter().count();
        let wall = world.cube(
            "wall",
            RigidBodyType::Dynamic,
            Vector3::zeros(),
            Destructible::default(),
        );
        world.steps(2);
        let impact = hard(Vector3::new(0.0, 0.5, 0.0)).with_radius(3.0);
        world.destruction.impact(wall, impact).unwrap();
        world.steps(removed_after);
        world.scene.graph.remove_node(wall);
        for _ in 0..200 {
            world.step();
            if world.destruction.is_idle() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(world.destruction.is_idle());
        let pieces = world.destruction.statistics().fragments;
        // Pieces that had broken off before are debris, and stay.
        let nodes = world.scene.graph.pair_iter().count();
        assert_eq!(nodes, before + pieces, "removed after {removed_after}");
    }
}
