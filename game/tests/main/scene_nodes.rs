//! The nodes of a scene after a break.

use crate::world::{broken, cube_surface, hard, loose, placed, World};
use fracture::{Destructible, Inside, PieceKind};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    material::{Material, MaterialResource},
    scene::{
        base::{BaseBuilder, LevelOfDetail, LodGroup},
        collider::{Collider, ColliderShape},
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            MeshBuilder,
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
    },
};

/// Signed volume of the triangles that a node draws, world space.
fn drawn_volume(world: &World, node: Handle<Node>) -> f32 {
    let mesh = world.mesh(node);
    let transform = mesh.global_transform();
    let mut volume = 0.0;
    for surface in mesh.surfaces() {
        let data = surface.data();
        let data = data.data_ref();
        let corner = |v: u32| {
            let vertex = data.vertex_buffer.get(v as usize).unwrap();
            let position = vertex.read_3_f32(VertexAttributeUsage::Position).unwrap();
            transform.transform_point(&Point3::from(position)).coords
        };
        for triangle in data.geometry_buffer.iter() {
            let [a, b, c] = triangle.0.map(corner);
            volume += a.dot(&b.cross(&c)) / 6.0;
        }
    }
    volume
}

#[test]
fn pieces_replace_the_object_in_the_next_frame() {
    let mut world = World::new();
    world.struck_wall(Vector3::new(0.0, 0.5, 0.0));
    assert_eq!(world.destruction.is_intact("wall"), Some(true));
    assert!(
        broken(&world.step()).is_empty(),
        "the frame of the impact shows the whole object"
    );
    assert!(world.node(world.named("wall mesh")[0]).global_visibility());
    assert_eq!(broken(&world.step()), ["wall"]);

    let pieces = world.destruction.pieces_of("wall");
    assert!(
        pieces
            .iter()
            .filter(|p| p.kind == PieceKind::Fragment)
            .count()
            > 3
    );
    assert!(pieces.iter().all(|piece| piece.closed == Some(true)));
    let total: f64 = pieces.iter().map(|piece| piece.volume).sum();
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    let drawn: f32 = pieces
        .iter()
        .map(|piece| drawn_volume(&world, piece.node))
        .sum();
    assert!((drawn - 1.0).abs() < 1e-3, "{drawn}");
    assert!(!world.node(world.named("wall mesh")[0]).global_visibility());
}

#[test]
fn names_tell_fragments_and_islands_apart() {
    let mut world = World::new();
    world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        Destructible::default(),
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.0, 0.5, 0.0)).with_radius(0.2));
    for piece in world.destruction.pieces_of("wall") {
        let kind = match piece.kind {
            PieceKind::Fragment => "wall/fragment_",
            PieceKind::Island => "wall/island_",
        };
        assert!(piece.name.starts_with(kind), "{}", piece.name);
        assert_eq!(world.node(piece.node).name(), piece.name);
    }
    let names: std::collections::BTreeSet<_> = world
        .destruction
        .pieces_of("wall")
        .into_iter()
        .map(|p| p.name)
        .collect();
    assert_eq!(names.len(), world.destruction.pieces_of("wall").len());
}

#[test]
fn materials_are_kept_and_cut_faces_get_their_own() {
    let (brick, plaster, cut) = (material(), material(), material());
    let half = |x: f32, m: &MaterialResource| {
        // Two boxes side by side, not touching: two shells of one object.
        let transform =
            Matrix4::new_translation(&Vector3::new(x, 0.0, 0.0)) * Matrix4::new_scaling(0.5);
        cube_surface(transform, Some(m.clone()))
    };
    let mut world = World::new();
    let script = Destructible {
        inside: Inside {
            material: Some(cut.clone()).into(),
            ..Inside::default()
        },
        ..Default::default()
    };
    let surfaces = vec![half(-0.3, &brick), half(0.3, &plaster)];
    world.body(
        "wall",
        RigidBodyType::Static,
        Vector3::zeros(),
        surfaces,
        ColliderShape::cuboid(0.6, 0.3, 0.3),
        Some(script),
    );
    world.step();
    assert_eq!(
        broken(&world.strike("wall", hard(Vector3::new(0.0, 0.2, 0.0)).with_radius(1.0))),
        ["wall"]
    );
    let mut seen = [0; 3];
    for piece in world.destruction.pieces_of("wall") {
        for surface in world.mesh(piece.node).surfaces() {
            let which = [&brick, &plaster, &cut]
                .iter()
                .position(|m| m.key() == surface.material().key());
            seen[which.expect("no other material")] += 1;
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

#[test]
fn nested_and_scaled_meshes_keep_their_size_and_position() {
    // body (scaled, rotated) > pivot (rotated, scaled unevenly) > mesh (mirrored)
    let mut world = World::new();
    let graph = &mut world.scene.graph;
    let turn = |angle: f32| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
    let transform = |angle: f32, scale: Vector3<f32>| {
        TransformBuilder::new()
            .with_local_position(Vector3::new(0.3, 0.2, 0.1))
            .with_local_rotation(turn(angle))
            .with_local_scale(scale)
            .build()
    };
    let mesh = MeshBuilder::new(
        BaseBuilder::new().with_local_transform(transform(0.4, Vector3::new(-1.0, 1.0, 1.0))),
    )
    .with_surfaces(vec![cube_surface(Matrix4::identity(), None)])
    .build(graph);
    let pivot = PivotBuilder::new(
        BaseBuilder::new()
            .with_local_transform(transform(0.5, Vector3::new(2.0, 0.5, 1.0)))
            .with_child(mesh),
    )
    .build(graph);
    let body = BaseBuilder::new()
        .with_name("statue")
        .with_local_transform(transform(0.6, Vector3::new(1.5, 1.5, 1.5)))
        .with_child(pivot)
        .with_script(Destructible::default());
    RigidBodyBuilder::new(body)
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    world.step();
    let mesh = mesh.to_base();
    let (before, center) = (
        drawn_volume(&world, mesh).abs(),
        world.node(mesh).global_position(),
    );
    assert!((before - 3.375).abs() < 1e-3, "{before}");

    let impact = hard(center).with_radius(0.6);
    assert_eq!(broken(&world.strike("statue", impact)), ["statue"]);
    let pieces = world.destruction.pieces_of("statue");
    let drawn: f32 = pieces
        .iter()
        .map(|piece| drawn_volume(&world, piece.node))
        .sum();
    assert!(
        (drawn - before).abs() < 1e-2,
        "{drawn} of {before}; negative would be inside out"
    );
    let mass: f64 = pieces.iter().map(|p| p.volume).sum();
    let mean = pieces.iter().fold(Vector3::zeros(), |sum, p| {
        sum + p.position * (p.volume / mass) as f32
    });
    assert!((mean - center).norm() < 0.05, "{mean} {center}");
}

#[test]
fn the_anchored_remainder_stays_a_static_body_with_new_colliders() {
    let mut world = World::new();
    let wall = world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        Destructible::default(),
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.3));
    let held: Vec<_> = world
        .destruction
        .pieces_of("wall")
        .into_iter()
        .filter(|piece| piece.anchored)
        .collect();
    assert_eq!(held.len(), 1);
    assert_eq!(world.node(held[0].node).parent(), wall);
    assert!(world.node(wall).is_globally_enabled());
    let colliders = world.named("wall collider");
    assert_eq!(colliders.len(), 2, "its own and that of what is left");
    let enabled = |handle: &&Handle<Node>| world.node(**handle).is_globally_enabled();
    let enabled: Vec<_> = colliders.iter().filter(enabled).collect();
    let [collider] = enabled.as_slice() else {
        panic!("{enabled:?}");
    };
    let graph = &world.scene.graph;
    let collider = graph.try_get_of_type::<Collider>(**collider).unwrap();
    assert!(matches!(collider.shape(), ColliderShape::Trimesh(_)));
    assert_eq!(collider.friction(), 0.5, "as the one it stands for");
    // The engine's rays still hit it where it stood.
    world.steps(2);
    assert!(
        ray_down(&world, 0.4) > 0.9,
        "the top next to the break is still there"
    );
}

/// Height at which a ray of the engine's physics, cast down at a position on the x axis, hits.
fn ray_down(world: &World, x: f32) -> f32 {
    use fyrox::scene::graph::physics::RayCastOptions;
    let mut hits = Vec::new();
    let options = RayCastOptions {
        ray_origin: Point3::new(x, 5.0, 0.4),
        ray_direction: -Vector3::y(),
        max_len: 10.0,
        groups: Default::default(),
        sort_results: true,
    };
    world.scene.graph.physics.cast_ray(options, &mut hits);
    hits.first().map_or(f32::NEG_INFINITY, |hit| hit.position.y)
}

#[test]
fn free_objects_are_disabled_in_the_engine_and_fall() {
    let mut world = World::new();
    world.floor();
    let wall = world.cube(
        "wall",
        RigidBodyType::Static,
        Vector3::new(0.0, 2.0, 0.0),
        loose(),
    );
    world.step();
    world.strike("wall", hard(Vector3::new(0.0, 2.5, 0.0)).with_radius(0.4));
    assert!(!world.node(wall).is_enabled());
    let height = |world: &World| {
        let pieces = world.destruction.pieces_of("wall");
        pieces
            .iter()
            .map(|p| p.position.y)
            .fold(f32::NEG_INFINITY, f32::max)
    };
    let before = height(&world);
    world.steps(120);
    let after = height(&world);
    assert!(
        before > 2.0 && after < 1.6 && after > 0.0,
        "{before} to {after}"
    );
    for piece in world.destruction.pieces_of("wall") {
        let drawn = world.node(piece.node);
        assert!(drawn.parent() == world.scene.graph.get_root());
        assert!(!piece.anchored);
    }
}

#[test]
fn the_transform_helper_places_nodes() {
    // All other tests rely on this helper.
    let transform = placed(Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(**transform.position(), Vector3::new(1.0, 2.0, 3.0));
}

fn material() -> MaterialResource {
    MaterialResource::new_embedded(Material::standard())
}

/// Adds a cube of 2 m with a mesh for each of three levels of detail, the finest in the middle, whose group is on
/// its rigid body or on a node between. Returns the meshes, the finest first.
fn add_with_levels(world: &mut World, on_body: bool, listed: &[usize]) -> [Handle<Node>; 3] {
    let graph = &mut world.scene.graph;
    let meshes = [2.0, 1.9, 1.8].map(|side| {
        let surface = cube_surface(Matrix4::new_scaling(side), None);
        MeshBuilder::new(BaseBuilder::new().with_name(format!("mesh of {side} m")))
            .with_surfaces(vec![surface])
            .build(graph)
            .to_base::<Node>()
    });
    let level = |begin, end, mesh: usize| LevelOfDetail::new(begin, end, vec![meshes[mesh]]);
    let group = LodGroup {
        levels: vec![level(0.5, 1.0, 2), level(0.0, 0.2, 0), level(0.2, 0.5, 1)],
    };
    let script = Destructible {
        mesh_nodes: listed
            .iter()
            .map(|mesh| meshes[*mesh])
            .collect::<Vec<_>>()
            .into(),
        ..Default::default()
    };
    let base = BaseBuilder::new();
    let base = meshes
        .iter()
        .fold(base, |base, mesh| base.with_child(*mesh));
    let between = PivotBuilder::new(base).build(graph).to_base::<Node>();
    let base = BaseBuilder::new()
        .with_name("statue")
        .with_child(between)
        .with_script(script);
    let body = RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph)
        .to_base::<Node>();
    let owner = if on_body { body } else { between };
    let owner = graph.try_get_node_mut(owner).unwrap();
    owner.set_lod_group(Some(group));
    meshes
}

#[test]
fn what_a_game_makes_when_pieces_go_is_where_it_was_put() {
    let mut world = World::new();
    let cubes: Vec<_> = (0..14)
        .map(|index| {
            let at = Vector3::new(3.0 * index as f32, 0.5, 0.0);
            let cube = world.cube("cube", RigidBodyType::Static, at, loose());
            (cube, hard(at + Vector3::y() * 0.5).with_radius(2.0))
        })
        .collect();
    world.steps(3);
    for (cube, impact) in &cubes {
        world.destruction.impact(*cube, impact.clone()).unwrap();
    }
    world.steps(3);
    assert!(world.destruction.pieces_of("cube").len() > 150);
    world.destruction.restore_intact("cube").unwrap();
    for frame in 0..12 {
        world.step();
        let at = Vector3::new(frame as f32, 20.0, 5.0);
        let ball = world.ball(1.0, at, Vector3::zeros());
        world.step();
        let place = world.node(ball).global_position();
        assert!((place - at).norm() < 0.1, "frame {frame}: {place}");
    }
}

#[test]
fn a_level_of_detail_may_hang_below_another() {
    let mut world = World::new();
    let graph = &mut world.scene.graph;
    let mesh = |graph: &mut _, side, child: Option<Handle<Node>>| {
        let surface = cube_surface(Matrix4::new_scaling(side), None);
        let base = BaseBuilder::new().with_name("level");
        let base = child
            .into_iter()
            .fold(base, |base, child| base.with_child(child));
        let mesh = MeshBuilder::new(base).with_surfaces(vec![surface]);
        mesh.build(graph).to_base::<Node>()
    };
    let coarsest = mesh(graph, 1.8, None);
    let coarse = mesh(graph, 1.9, Some(coarsest));
    let finest = mesh(graph, 2.0, Some(coarse));
    let level = |begin, end, mesh| LevelOfDetail::new(begin, end, vec![mesh]);
    let levels = vec![
        level(0.0, 0.2, finest),
        level(0.2, 0.5, coarse),
        level(0.5, 1.0, coarsest),
    ];
    let node = graph.try_get_node_mut(finest).unwrap();
    node.set_lod_group(Some(LodGroup { levels }));
    let base = BaseBuilder::new()
        .with_name("statue")
        .with_child(finest)
        .with_script(Destructible::default());
    RigidBodyBuilder::new(base)
        .with_body_type(RigidBodyType::Static)
        .build(graph);
    world.step();
    world.strike("statue", hard(Vector3::new(0.0, 1.0, 0.0)));
    let pieces = world.destruction.pieces_of("statue");
    let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
    assert!((volume / 8.0 - 1.0).abs() < 1e-3, "{volume}");
    for mesh in [finest, coarse, coarsest] {
        assert!(!world.node(mesh).visibility());
    }
}

#[test]
fn of_levels_of_detail_the_finest_breaks_and_the_others_go_with_it() {
    for (listed, broken_side) in [
        (&[][..], 2.0f64),
        (&[0, 1, 2], 2.0),
        (&[2, 1], 1.9),
        (&[2], 1.8),
    ] {
        for on_body in [true, false] {
            let mut world = World::new();
            let meshes = add_with_levels(&mut world, on_body, listed);
            world.step();
            world.strike(
                "statue",
                hard(Vector3::new(0.0, 0.5 * broken_side as f32, 0.0)),
            );
            let pieces = world.destruction.pieces_of("statue");
            let volume: f64 = pieces.iter().map(|piece| piece.volume).sum();
            let expected = broken_side.powi(3);
            assert!(
                (volume / expected - 1.0).abs() < 1e-3,
                "{listed:?}: {volume}"
            );
            for mesh in meshes {
                assert!(!world.node(mesh).visibility(), "{listed:?}");
            }
        }
    }
}
