//! Every collider shape of the engine, mirrored: rays in the debris world hit where rays of the engine hit.

use crate::world::{cube_surface, World};
use fracture::Destructible;
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, UnitQuaternion, Vector2, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{
            ColliderBuilder, ColliderShape, ConvexPolyhedronShape, GeometrySource, HeightfieldShape,
        },
        graph::physics::RayCastOptions,
        mesh::MeshBuilder,
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        terrain::{Terrain, TerrainBuilder},
        transform::TransformBuilder,
    },
};

/// Adds the mesh or terrain that a shape is built from.
type Source = fn(&mut World) -> Handle<Node>;

fn none(_: &mut World) -> Handle<Node> {
    Handle::NONE
}

fn mesh(world: &mut World) -> Handle<Node> {
    let stretched = Matrix4::new_nonuniform_scaling(&Vector3::new(1.0, 2.0, 1.5));
    let surface = cube_surface(stretched, None);
    MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(vec![surface])
        .build(&mut world.scene.graph)
        .to_base()
}

/// A hilly terrain of three chunks.
fn terrain(world: &mut World) -> Handle<Node> {
    let graph = &mut world.scene.graph;
    let terrain = TerrainBuilder::new(BaseBuilder::new())
        .with_chunk_size(Vector2::new(4.0, 3.0))
        .with_height_map_size(Vector2::new(19, 19))
        .with_width_chunks(0..3)
        .with_length_chunks(0..1)
        .build(graph);
    let node = graph.try_get_mut(terrain).unwrap();
    node.for_each_height_map_pixel(|height, place| {
        *height = 0.5 * (1.3 * place.x).sin() + 0.3 * place.y;
    });
    terrain.to_base()
}

/// The same terrain with holes in two chunks.
fn holed_terrain(world: &mut World) -> Handle<Node> {
    let terrain = terrain(world);
    let graph = &mut world.scene.graph;
    let node = graph.try_get_mut_of_type::<Terrain>(terrain).unwrap();
    node.set_holes_enabled(true);
    for chunk in node.chunks_mut().iter_mut().take(2) {
        let mask = chunk.hole_mask().unwrap().clone();
        let mut mask = mask.data_ref();
        for (place, texel) in mask.modify().data_mut().iter_mut().enumerate() {
            if place % 5 < 3 {
                *texel = 0;
            }
        }
    }
    terrain
}

/// Adds a collider, away from the origin of its body, below a rotated and scaled pivot.
fn place(world: &mut World, kind: RigidBodyType, shape: ColliderShape, source: Handle<Node>) {
    let graph = &mut world.scene.graph;
    let turned = |x: f32, angle: f32| {
        TransformBuilder::new()
            .with_local_position(Vector3::new(x, 0.3, 0.1))
            .with_local_rotation(UnitQuaternion::from_euler_angles(0.2, angle, 0.1))
    };
    let collider =
        ColliderBuilder::new(BaseBuilder::new().with_local_transform(turned(0.2, 0.4).build()))
            .with_shape(shape)
            .build(graph);
    let body = BaseBuilder::new()
        .with_local_transform(turned(-0.4, -0.3).build())
        .with_child(collider);
    let body = RigidBodyBuilder::new(body)
        .with_body_type(kind)
        .with_gravity_scale(0.0)
        .build(graph);
    if source.is_some() {
        graph.link_nodes(source, body);
    }
}

fn compare(shape: fn(Handle<Node>) -> ColliderShape, source: Source, least: usize) {
    for kind in [RigidBodyType::Static, RigidBodyType::Dynamic] {
        let mut world = World::new();
        let source = source(&mut world);
        let shape = shape(source);
        let still = matches!(
            shape,
            ColliderShape::Trimesh(_) | ColliderShape::Heightfield(_) | ColliderShape::Triangle(_)
        );
        if still && kind == RigidBodyType::Dynamic {
            continue;
        }
        place(&mut world, kind, shape.clone(), source);
        // Rays are cast in the debris world only while there are destructibles.
        let far = Vector3::new(500.0, 0.0, 0.0);
        world.cube("far", RigidBodyType::Static, far, Destructible::default());
        world.steps(4);
        let (mut met, mut different) = (0, Vec::new());
        for i in 0..400u16 {
            let (x, z) = (
                f32::from(i % 20) * 0.31 - 2.9,
                f32::from(i / 20) * 0.29 - 2.7,
            );
            let origin = Vector3::new(x, 6.0, z);
            let direction = Vector3::new(0.05, -1.0, 0.08).normalize();
            let expected = engine_ray(&world, origin, direction);
            let found = world.destruction.cast_ray(origin, direction, 20.0);
            let found = found.map(|hit| hit.distance);
            met += usize::from(expected.is_some());
            let same = match (expected, found) {
                (Some(a), Some(b)) => (a - b).abs() < 2e-3,
                (None, None) => true,
                _ => false,
            };
            if !same {
                different.push((x, z, expected, found));
            }
        }
        // A ray onto an edge may miss in either world, and the physics engine misses some rays that reach a
        // height field from its side, depending on the last bit.
        let relief = matches!(shape, ColliderShape::Heightfield(_));
        let most = if relief { 20 } else { 2 };
        assert!(different.len() <= most, "{kind:?} {shape:?}: {different:?}");
        assert!(met >= least, "{met} rays met {shape:?}");
    }
}

fn engine_ray(world: &World, origin: Vector3<f32>, direction: Vector3<f32>) -> Option<f32> {
    let mut hits = Vec::new();
    let options = RayCastOptions {
        ray_origin: Point3::from(origin),
        ray_direction: direction,
        max_len: 20.0,
        groups: Default::default(),
        sort_results: true,
    };
    world.scene.graph.physics.cast_ray(options, &mut hits);
    hits.first().map(|hit| hit.toi)
}

#[test]
fn every_shape_of_the_engine_is_mirrored_where_it_is() {
    compare(|_| ColliderShape::ball(1.0), none, 20);
    compare(|_| ColliderShape::cuboid(1.0, 0.5, 0.7), none, 20);
    compare(|_| ColliderShape::cylinder(0.8, 0.6), none, 10);
    compare(|_| ColliderShape::cone(0.9, 0.8), none, 10);
    compare(
        |_| ColliderShape::capsule(Vector3::zeros(), Vector3::new(0.5, 1.0, 0.0), 0.5),
        none,
        10,
    );
    compare(
        |_| {
            let corner = Vector3::new;
            ColliderShape::triangle(
                corner(-1.0, 0.0, -1.0),
                corner(1.5, 0.2, -1.0),
                corner(0.0, 0.4, 1.5),
            )
        },
        none,
        20,
    );
    compare(
        |mesh| ColliderShape::trimesh(vec![GeometrySource(mesh)]),
        mesh,
        10,
    );
    compare(
        |mesh| {
            ColliderShape::Polyhedron(ConvexPolyhedronShape {
                geometry_source: GeometrySource(mesh),
            })
        },
        mesh,
        10,
    );
    compare(
        |terrain| {
            ColliderShape::Heightfield(HeightfieldShape {
                geometry_source: GeometrySource(terrain),
            })
        },
        terrain,
        40,
    );
}

#[test]
fn holes_of_a_terrain_are_holes() {
    let shape = |terrain| {
        ColliderShape::Heightfield(HeightfieldShape {
            geometry_source: GeometrySource(terrain),
        })
    };
    compare(shape, holed_terrain, 20);
    let met = |source: Source| {
        let mut world = World::new();
        let source = source(&mut world);
        place(&mut world, RigidBodyType::Static, shape(source), source);
        let far = Vector3::new(500.0, 0.0, 0.0);
        world.cube("far", RigidBodyType::Static, far, Destructible::default());
        world.steps(4);
        let rays = (0..400u16).map(|i| (f32::from(i % 20), f32::from(i / 20)));
        let places = rays.map(|(x, z)| Vector3::new(x * 0.31 - 2.9, 6.0, z * 0.29 - 2.7));
        let hits = places.filter_map(|at| world.destruction.cast_ray(at, -Vector3::y(), 20.0));
        hits.count()
    };
    let (whole, holed) = (met(terrain), met(holed_terrain));
    assert!(holed > 0 && holed < whole * 3 / 4, "{holed} of {whole}");
}

#[test]
fn queries_find_pieces_objects_and_bodies_of_the_engine() {
    use crate::world::{hard, loose};
    let mut world = World::new();
    let floor = world.floor();
    let ball = world.ball(1.0, Vector3::new(2.0, 0.1, 0.0), Vector3::zeros());
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        loose(),
    );
    let other = world.cube(
        "other",
        RigidBodyType::Static,
        Vector3::new(-2.0, 0.5, 0.0),
        loose(),
    );
    world.step();
    world.strike("crate", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.9));
    world.steps(30);
    let asked = &world.destruction;
    let down = |x: f32| {
        asked
            .cast_ray(Vector3::new(x, 5.0, 0.0), -Vector3::y(), 10.0)
            .unwrap()
    };
    let (piece, whole, rolling, ground) = (down(0.0), down(-2.0), down(2.0), down(3.5));
    assert!(piece.breakable && world.node(piece.node).name().starts_with("crate/"));
    assert!(whole.breakable && whole.node == other);
    assert!(
        (whole.distance - 4.0).abs() < 1e-3 && whole.normal.y > 0.99,
        "{whole:?}"
    );
    assert!(!rolling.breakable && rolling.node == ball, "{rolling:?}");
    assert!(!ground.breakable && world.node(ground.node).parent() == floor);
    // A moving ball hits the object that a ray misses.
    let beside = Vector3::new(-2.0, 5.0, 0.7);
    assert!(
        !asked
            .cast_ray(beside, -Vector3::y(), 10.0)
            .unwrap()
            .breakable
    );
    let fat = asked.cast_sphere(beside, 0.3, -Vector3::y(), 10.0).unwrap();
    assert_eq!(fat.node, other);
    assert!(fat.distance > 3.6 && fat.distance < 4.0, "{fat:?}");
    let around = asked.overlap_sphere(Vector3::new(-2.0, 1.6, 0.0), 0.7);
    assert_eq!(around, [other]);
    let low = Vector3::new(0.0, 0.2, 0.0);
    let boxed = asked.overlap_box(low, UnitQuaternion::identity(), Vector3::new(1.4, 0.3, 1.4));
    assert!(boxed.len() > 3 && !boxed.contains(&other) && boxed.contains(&ground.node));
    // Invalid queries hit nothing.
    assert!(asked.overlap_sphere(low, f32::NAN).is_empty());
    assert!(asked
        .overlap_box(low, UnitQuaternion::identity(), -low)
        .is_empty());
    assert!(asked.cast_sphere(low, -1.0, Vector3::y(), 1.0).is_none());
    assert!(asked.cast_ray(low, Vector3::zeros(), 1.0).is_none());
}
