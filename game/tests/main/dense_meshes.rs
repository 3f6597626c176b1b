//! Dense meshes: surfaces and colliders far from a break are reused.

use crate::world::{broken, World};
use fracture::{Anchoring, Breaking, Destructible, Held, Impact, PieceInfo, Settings};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::physics::RayCastOptions,
        mesh::{
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
            Mesh,
        },
        node::Node,
        rigidbody::RigidBodyType,
    },
};
use std::collections::BTreeSet;

/// Radius of the ball, metres.
const RADIUS: f32 = 1.0;
/// Columns and rows of the ball.
const COLUMNS: usize = 187;

/// A ball of 70,000 triangles on the ground.
fn world_with_ball() -> World {
    world_with_balls(&["ball"])
}

/// Balls of 70,000 triangles at one position, with the same mesh.
fn world_with_balls(names: &[&str]) -> World {
    let mut world = World::with(Settings {
        wait_for_results: true,
        ..Default::default()
    });
    let shape = ColliderShape::ball(RADIUS);
    let data = SurfaceData::make_sphere(COLUMNS, COLUMNS, RADIUS, &Matrix4::identity());
    let data = SurfaceResource::new_embedded(data);
    let script = Destructible {
        held: Held {
            anchoring: Anchoring::Base.into(),
            depth: 0.1.into(),
            ..Held::default()
        },
        ..Default::default()
    };
    for name in names {
        let surfaces = vec![SurfaceBuilder::new(data.clone()).build()];
        let (kind, at) = (RigidBodyType::Static, Vector3::zeros());
        let (shape, script) = (shape.clone(), Some(script.clone()));
        world.body(name, kind, at, surfaces, shape, script);
    }
    world.steps(3);
    while !world.destruction.is_idle() {
        world.step();
    }
    world
}

/// An impact at the point of the ball in a direction from its centre.
fn impact(direction: Vector3<f32>) -> Impact {
    let normal = direction.normalize();
    Impact::new(normal * RADIUS, normal, 2000.0).with_radius(0.2)
}

fn held(world: &World) -> PieceInfo {
    held_of(world, "ball")
}

fn held_of(world: &World, name: &str) -> PieceInfo {
    let pieces = world.destruction.pieces_of(name).into_iter();
    let mut held: Vec<_> = pieces.filter(|piece| piece.anchored).collect();
    assert_eq!(held.len(), 1);
    held.swap_remove(0)
}

/// The keys of a piece's surfaces.
fn surfaces(world: &World, piece: &PieceInfo) -> BTreeSet<u64> {
    let surfaces = world.mesh(piece.node).surfaces();
    surfaces
        .iter()
        .map(|surface| surface.data().key())
        .collect()
}

fn triangles(mesh: &Mesh) -> usize {
    let count = |data: SurfaceResource| data.data_ref().geometry_buffer.len();
    mesh.surfaces().iter().map(|s| count(s.data())).sum()
}

/// The enabled colliders, each with its number of triangles.
fn colliders(world: &World) -> Vec<(Handle<Node>, usize)> {
    let named = world.named("ball collider").into_iter();
    let enabled = named.filter(|handle| world.node(*handle).is_globally_enabled());
    let size = |handle: Handle<Node>| {
        let collider = world
            .scene
            .graph
            .try_get_of_type::<Collider>(handle)
            .unwrap();
        let ColliderShape::Trimesh(shape) = collider.shape() else {
            return 0;
        };
        let meshes = shape.sources.iter().map(|source| world.mesh(source.0));
        meshes.map(triangles).sum()
    };
    enabled.map(|handle| (handle, size(handle))).collect()
}

/// Distances from the centre at which rays of the engine's physics from outside hit.
fn rays(world: &World) -> Vec<f32> {
    let ray = |k: i32| {
        let (turn, height) = (k as f32 * 0.61, (k % 41) as f32 / 20.5 - 1.0);
        let flat = (1.0 - height * height).max(0.0).sqrt();
        let from = Vector3::new(flat * turn.cos(), height, flat * turn.sin()) * 3.0;
        let mut hits = Vec::new();
        let options = RayCastOptions {
            ray_origin: Point3::from(from),
            ray_direction: -from.normalize(),
            max_len: 3.0,
            groups: Default::default(),
            sort_results: true,
        };
        world.scene.graph.physics.cast_ray(options, &mut hits);
        hits.first().map_or(0.0, |hit| hit.position.coords.norm())
    };
    (0..400).map(ray).collect()
}

#[test]
fn surfaces_far_from_a_break_are_reused() {
    let mut world = world_with_ball();
    let directions = [
        Vector3::new(1.0, 0.2, 0.0),
        Vector3::new(0.8, 0.4, 0.5),
        Vector3::new(-0.3, 0.9, 0.2),
    ];
    assert_eq!(
        broken(&world.strike("ball", impact(directions[0]))),
        ["ball"]
    );
    let mut before = surfaces(&world, &held(&world));
    let total: usize = triangles(world.mesh(held(&world).node));
    assert!(total > 60_000, "{total}");
    for direction in &directions[1..] {
        let name = held(&world).name;
        assert_eq!(broken(&world.strike(&name, impact(*direction))), [name]);
        let after = surfaces(&world, &held(&world));
        let kept = before.intersection(&after).count();
        assert!(kept < before.len(), "something was hit");
        assert!(
            3 * kept > 2 * before.len(),
            "{kept} of {} kept",
            before.len()
        );
        before = after;
    }
    let drawn = triangles(world.mesh(held(&world).node));
    assert!(drawn > 60_000, "{drawn}");
}

#[test]
fn restored_pieces_share_surfaces_far_from_breaks() {
    let names = ["ball", "other"];
    let balls = || world_with_balls(&names);
    let common = |world: &World| {
        let [one, other] = names.map(|name| surfaces(world, &held_of(world, name)));
        [one.intersection(&other).count(), one.len()]
    };
    let (mut world, mut loaded) = (balls(), balls());
    world.strike("ball", impact(Vector3::new(1.0, 0.2, 0.0)));
    world.strike("other", impact(Vector3::new(0.8, 0.4, 0.5)));
    let save = world.destruction.save(&mut world.scene);
    let restored = loaded.destruction.restore(&mut loaded.scene, save);
    restored.unwrap();
    assert_eq!(common(&loaded), common(&world));
    let [shared, all] = common(&loaded);
    assert!(2 * shared > all, "{shared} of {all}");

    // Colliders are reused, too: the nodes have other handles, but the same surfaces.
    let sizes = |world: &World| {
        let mut sizes: Vec<usize> = colliders(world).into_iter().map(|(_, size)| size).collect();
        sizes.sort_unstable();
        sizes
    };
    world.steps(2);
    loaded.steps(2);
    assert_eq!(sizes(&loaded), sizes(&world));
    assert_eq!(rays(&loaded), rays(&world));
    let before = surfaces(&loaded, &held(&loaded));
    loaded.strike(&held(&loaded).name, impact(Vector3::new(-0.3, 0.9, 0.2)));
    let after = surfaces(&loaded, &held(&loaded));
    let kept = before.intersection(&after).count();
    assert!(3 * kept > 2 * before.len(), "{kept} of {}", before.len());
}

#[test]
fn collision_meshes_are_small_and_close_to_the_surface() {
    let mut world = world_with_ball();
    world.strike("ball", impact(Vector3::new(1.0, 0.2, 0.0)));
    world.steps(2);
    let parts = colliders(&world);
    let sum: usize = parts.iter().map(|(_, size)| size).sum();
    assert!((200..=2000).contains(&sum), "{parts:?}");
    assert!(parts.iter().all(|(_, size)| (1..=1000).contains(size)));
    // All rays except those into the crater end within a hundredth of the ball's size from its surface.
    let off = |distance: &&f32| (**distance - RADIUS).abs() > 0.01 * 2.0 * RADIUS;
    let distances = rays(&world);
    let far = distances.iter().filter(off).count();
    assert!((1..30).contains(&far), "{far} of {}", distances.len());
    assert!(distances.iter().all(|distance| *distance > 0.5), "no hole");
}

#[test]
fn collision_meshes_are_coarse_at_the_break_until_better_ones_are_ready() {
    let mut world = world_with_ball();
    let hit = impact(Vector3::new(1.0, 0.2, 0.0)).with_radius(0.4);
    assert_eq!(broken(&world.strike("ball", hit)), ["ball"]);
    assert!(!world.destruction.is_idle(), "better ones are to come");
    let entered = colliders(&world);
    let sum: usize = entered.iter().map(|(_, size)| size).sum();
    assert!((200..=8000).contains(&sum), "{entered:?}");
    world.step();
    let lasting = colliders(&world);
    assert!(lasting != entered && world.destruction.is_idle());
    assert!(lasting.iter().map(|(_, size)| size).sum::<usize>() < sum);
    world.steps(2);
    assert_eq!(colliders(&world), lasting);
    // The engine's physics knows them: but for those into the crater, rays end near the surface.
    let is_far = |distance: &&f32| (**distance - RADIUS).abs() > 0.01 * 2.0 * RADIUS;
    let crater = rays(&world).iter().filter(is_far).count();
    assert!((1..60).contains(&crater), "{crater}");
    assert_eq!(world.faults(), "");
}

#[test]
fn small_meshes_are_their_own_collision_meshes() {
    let mut world = World::new();
    let script = Destructible::default();
    let (kind, at) = (RigidBodyType::Static, Vector3::new(0.0, 0.5, 0.0));
    world.cube("ball", kind, at, script);
    world.step();
    let top = Impact::new(Vector3::new(0.0, 1.0, 0.0), Vector3::y(), 2000.0);
    world.strike("ball", top.with_radius(0.3));
    let sum: usize = colliders(&world).iter().map(|(_, size)| size).sum();
    assert_eq!(sum, triangles(world.mesh(held(&world).node)));
}

#[test]
fn only_the_colliders_at_the_break_are_replaced() {
    // The ball is rough enough to need several collision meshes.
    let mut world = World::new();
    let mut data = SurfaceData::make_sphere(120, 120, RADIUS, &Matrix4::identity());
    bend(&mut data);
    let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
    let script = Destructible {
        // Else the second break is as coarse as the surroundings of the first.
        breaking: Breaking {
            cracks_stay: false.into(),
            ..Breaking::default()
        },
        held: Held {
            anchoring: Anchoring::Base.into(),
            depth: 0.1.into(),
            ..Held::default()
        },
        ..Default::default()
    };
    let shape = ColliderShape::ball(RADIUS);
    let (kind, at) = (RigidBodyType::Static, Vector3::zeros());
    world.body("ball", kind, at, vec![surface], shape, Some(script));
    world.steps(3);
    world.strike("ball", impact(Vector3::x()));
    let before: BTreeSet<_> = handles(&world);
    assert!(before.len() >= 4, "{before:?}");
    let name = held(&world).name;
    world.strike(&name, impact(Vector3::new(1.0, 0.6, 0.0)));
    let after = handles(&world);
    let kept = before.intersection(&after).count();
    assert!(kept < before.len(), "something was hit");
    assert!(2 * kept >= before.len(), "{kept} of {} kept", before.len());
}

fn handles(world: &World) -> BTreeSet<u32> {
    let colliders = colliders(world).into_iter();
    colliders.map(|(handle, _)| handle.index()).collect()
}

/// Adds bumps all over, equal on both sides of the seam.
fn bend(data: &mut SurfaceData) {
    use fyrox::scene::mesh::buffer::{VertexAttributeUsage, VertexReadTrait, VertexWriteTrait};
    let mut vertices = data.vertex_buffer.modify();
    for mut vertex in vertices.iter_mut() {
        let at = vertex.read_3_f32(VertexAttributeUsage::Position).unwrap();
        let key = at.map(|x| (x * 1e4).round() * 1e-4);
        let bump = (19.0 * key.x).sin() * (17.0 * key.y).sin() * (18.0 * key.z).sin();
        let moved = at * (1.0 + 0.12 * bump);
        vertex
            .write_3_f32(VertexAttributeUsage::Position, moved)
            .unwrap();
    }
}
