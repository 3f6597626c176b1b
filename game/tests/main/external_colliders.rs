//! The engine's colliders as obstacles of debris.

use crate::world::{broken, free, hard, World, DT};
use fracture::{Breaking, Destructible, Pieces};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape, GeometrySource},
        graph::physics::CoefficientCombineRule,
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
    },
};

/// The lowest centre among the pieces that have not rolled off the edge, and are no splinters of less than a cubic
/// millimetre: such a one may pass through a surface.
fn lowest(world: &World, name: &str) -> f32 {
    let pieces = world.destruction.pieces_of(name);
    assert!(!pieces.is_empty());
    pieces
        .iter()
        .filter(|piece| piece.position.xz().norm() < 2.5 && piece.volume > 1e-9)
        .map(|p| p.position.y)
        .fold(f32::INFINITY, f32::min)
}

use fyrox::scene::collider::{BitMask, InteractionGroups};

/// Height of a crate's lowest piece above a floor, with given collision groups of both colliders.
fn falls_onto(
    set: fn(&mut Collider, InteractionGroups) -> InteractionGroups,
    floor: [u32; 2],
    own: [u32; 2],
) -> f32 {
    let mut world = World::new();
    let ground = world.floor();
    let cube = world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 1.0, 0.0),
        free(),
    );
    for (body, [memberships, filter]) in [(ground, floor), (cube, own)] {
        let children = world.node(body).children().to_vec();
        for child in children {
            let graph = &mut world.scene.graph;
            if let Ok(collider) = graph.try_get_mut_of_type::<Collider>(child) {
                let groups = InteractionGroups::new(BitMask(memberships), BitMask(filter));
                set(collider, groups);
            }
        }
    }
    world.step();
    world.strike("crate", hard(Vector3::new(0.0, 1.5, 0.0)).with_radius(0.3));
    world.steps(90);
    lowest(&world, "crate")
}

#[test]
fn pieces_have_the_collision_groups_of_their_object() {
    for set in [Collider::set_collision_groups, Collider::set_solver_groups] {
        assert!(falls_onto(set, [1, u32::MAX], [2, u32::MAX]) > -0.05);
        assert!(falls_onto(set, [1, 2], [2, 1]) > -0.05);
        for (floor, own) in [
            ([1, 1], [2, u32::MAX]),
            ([1, u32::MAX], [2, 2]),
            ([1, 4], [2, 4]),
        ] {
            let lowest = falls_onto(set, floor, own);
            assert!(lowest < -1.0, "{floor:?} {own:?}: {lowest}");
        }
    }
}

/// Drops the debris of a cube onto a static body with a shape at the origin.
fn drop_onto(shape: ColliderShape, half_height: f32) {
    let mut world = World::new();
    let surface = crate::world::cube_surface(Matrix4::new_scaling(6.0), None);
    let support = world.body(
        "support",
        RigidBodyType::Static,
        Vector3::new(0.0, -half_height, 0.0),
        vec![surface],
        shape.clone(),
        None,
    );
    if let Some(sources) = mesh_source(&world, support) {
        let collider = world.node(support).children()[1];
        let collider = world
            .scene
            .graph
            .try_get_mut_of_type::<fyrox::scene::collider::Collider>(collider)
            .unwrap();
        let shape = match collider.shape_value() {
            ColliderShape::Trimesh(_) => ColliderShape::trimesh(vec![sources]),
            ColliderShape::Polyhedron(mut shape) => {
                shape.geometry_source = sources;
                ColliderShape::Polyhedron(shape)
            }
            other => other,
        };
        collider.set_shape(shape);
    }
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 1.0, 0.0),
        free(),
    );
    world.step();
    world.strike(
        "crate",
        hard(Vector3::new(0.0, 1.5, 0.0))
            .with_impulse(Vector3::new(0.0, -2.0, 0.0))
            .with_radius(0.3),
    );
    world.steps(90);
    let pieces = world.destruction.pieces_of("crate");
    let volume = |below: f32| -> f64 {
        let below = pieces.iter().filter(|piece| piece.position.y < below);
        below.map(|piece| piece.volume).sum()
    };
    // A tiny piece may pass through a surface without volume; larger pieces may not.
    assert!(
        volume(-0.1) < 2e-3,
        "{} m^3 of 1 fell through {shape:?}",
        volume(-0.1)
    );
    assert!(
        volume(0.9) > 0.9,
        "the debris did not come down onto {shape:?}"
    );
}

fn mesh_source(world: &World, support: Handle<Node>) -> Option<GeometrySource> {
    Some(GeometrySource(*world.node(support).children().first()?))
}

#[test]
fn debris_rests_on_boxes_cylinders_and_meshes() {
    drop_onto(ColliderShape::cuboid(3.0, 3.0, 3.0), 3.0);
    drop_onto(ColliderShape::cylinder(3.0, 3.0), 3.0);
    drop_onto(ColliderShape::trimesh(vec![]), 3.0);
    drop_onto(ColliderShape::Polyhedron(Default::default()), 3.0);
}

#[test]
fn debris_falls_when_its_support_is_removed() {
    let mut world = World::new();
    let floor = world.floor();
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 1.0, 0.0),
        free(),
    );
    world.step();
    world.strike("crate", hard(Vector3::new(0.0, 1.5, 0.0)).with_radius(0.4));
    world.steps(90);
    assert!(lowest(&world, "crate") > -0.1);
    world.scene.graph.remove_node(floor);
    world.steps(60);
    assert!(lowest(&world, "crate") < -2.0);
}

#[test]
fn a_moving_body_pushes_debris_out_of_its_way() {
    let mut world = World::new();
    world.floor();
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.5, 0.0),
        free(),
    );
    world.step();
    world.strike("crate", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(0.8));
    world.steps(120);
    let mean = |world: &World| {
        let pieces = world.destruction.pieces_of("crate");
        pieces.iter().map(|p| p.position.x).sum::<f32>() / pieces.len() as f32
    };
    let before = mean(&world);
    // A block slides through the debris at 2 m/s.
    let surface = crate::world::cube_surface(Matrix4::identity(), None);
    let block = world.body(
        "block",
        RigidBodyType::KinematicPositionBased,
        Vector3::new(-3.0, 0.5, 0.0),
        vec![surface],
        ColliderShape::cuboid(0.5, 0.5, 1.5),
        None,
    );
    for frame in 0..120 {
        let x = -3.0 + 2.0 * DT * frame as f32;
        world
            .scene
            .graph
            .try_get_node_mut(block)
            .unwrap()
            .set_position(Vector3::new(x, 0.5, 0.0));
        world.step();
    }
    let after = mean(&world);
    assert!(after > before + 0.3, "{before} to {after}");
}

#[test]
fn an_intact_object_carries_the_debris_of_another() {
    let mut world = World::new();
    world.cube(
        "table",
        RigidBodyType::Static,
        Vector3::new(0.0, -0.5, 0.0),
        Destructible {
            breaking: Breaking {
                damage_threshold: 1e9.into(),
                ..Breaking::default()
            },
            ..Default::default()
        },
    );
    world.cube(
        "crate",
        RigidBodyType::Static,
        Vector3::new(0.0, 0.7, 0.0),
        free(),
    );
    world.step();
    world.strike(
        "crate",
        hard(Vector3::new(0.0, 1.2, 0.0))
            .with_impulse(Vector3::new(0.0, -25.0, 0.0))
            .with_radius(0.1),
    );
    world.steps(60);
    let largest = world
        .destruction
        .pieces_of("crate")
        .into_iter()
        .max_by(|a, b| a.volume.total_cmp(&b.volume))
        .unwrap();
    assert!(largest.position.y > 0.3, "{}", largest.position.y);
}

/// Posts on a wide floor, at least 12 m from its centre.
fn posts(world: &mut World) {
    for number in 0..2500 {
        let [x, z] = [number % 50, number / 50].map(|i| 6.0 * i as f32 - 147.0);
        if x.abs().max(z.abs()) < 12.0 {
            continue;
        }
        let kind = match number % 5 {
            0 => RigidBodyType::KinematicPositionBased,
            _ => RigidBodyType::Static,
        };
        let at = Vector3::new(x, 1.0, z);
        let shape = ColliderShape::cuboid(0.2, 1.0, 0.2);
        world.body("post", kind, at, Vec::new(), shape, None);
    }
}

fn shape_of(world: &mut World, body: Handle<Node>, shape: ColliderShape) {
    let children = world.node(body).children().to_vec();
    for child in children {
        let graph = &mut world.scene.graph;
        if let Ok(collider) = graph.try_get_mut_of_type::<Collider>(child) {
            collider.set_shape(shape.clone());
        }
    }
}

fn put(world: &mut World, body: Handle<Node>, at: Vector3<f32>) {
    let graph = &mut world.scene.graph;
    graph.try_get_node_mut(body).unwrap().set_position(at);
}

#[test]
fn colliders_that_approach_debris_from_afar_are_mirrored() {
    let mut world = World::new();
    world.floor();
    posts(&mut world);
    let far = |x: f32| Vector3::new(x, 0.3, 0.0);
    let kinds = [RigidBodyType::Static, RigidBodyType::KinematicPositionBased];
    let [table, plough] = kinds.map(|kind| {
        let shape = ColliderShape::cuboid(0.5, 0.3, 2.0);
        world.body("moved", kind, far(90.0), Vec::new(), shape, None)
    });
    let at = Vector3::new(0.0, 0.5, 0.0);
    world.cube("crate", RigidBodyType::Static, at, free());
    world.steps(20);
    let statistics = world.destruction.statistics();
    assert!(statistics.surroundings > 2000, "{statistics:?}");
    assert!(statistics.mirrored < 50, "{statistics:?}");
    world.strike("crate", hard(Vector3::new(0.0, 1.0, 0.0)).with_radius(2.0));
    world.steps(120);
    let statistics = world.destruction.statistics();
    assert!(statistics.mirrored < 50, "{statistics:?}");
    let mean = |world: &World| {
        let pieces = world.destruction.pieces_of("crate");
        pieces.iter().map(|p| p.position.x).sum::<f32>() / pieces.len() as f32
    };
    // A kinematic post approaches.
    let before = mean(&world);
    for frame in 0..240 {
        put(&mut world, plough, far(60.0 - 0.25 * frame as f32));
        world.step();
    }
    let pushed = mean(&world);
    assert!(pushed < before - 0.2, "from {before} to {pushed}");
    // A static post is moved below falling pieces, which the patrol notices.
    let height = Vector3::new(0.0, 7.0, 0.0);
    world.cube("upper", RigidBodyType::Static, height, free());
    world.steps(2);
    world.strike("upper", hard(Vector3::new(0.0, 7.5, 0.0)).with_radius(2.0));
    put(&mut world, table, Vector3::new(0.0, 2.0, 0.0));
    shape_of(&mut world, table, ColliderShape::cuboid(6.0, 0.3, 6.0));
    world.steps(240);
    let heights = |world: &World| -> Vec<f32> {
        let pieces = world.destruction.pieces_of("upper");
        pieces.iter().map(|piece| piece.position.y).collect()
    };
    let lie = heights(&world);
    let up = |heights: &[f32]| heights.iter().filter(|y| **y > 1.7).count();
    assert!(up(&lie) * 10 > 9 * lie.len(), "{lie:?}");
    // The post shrinks below them.
    shape_of(&mut world, table, ColliderShape::cuboid(0.1, 0.3, 0.1));
    world.steps(120);
    let fallen = heights(&world);
    assert!(up(&fallen) * 10 < fallen.len(), "{fallen:?}");
    let statistics = world.destruction.statistics();
    assert!(statistics.mirrored < 80, "{statistics:?}");
    assert_eq!(world.destruction.faults().count(), 0);
}

/// Friction and bounce of a collider, and their rules.
#[derive(Clone, Copy)]
struct Contact {
    friction: f32,
    restitution: f32,
    rule: CoefficientCombineRule,
}

/// Gives the collider of the crate its contact.
fn set_contact(world: &mut World, contact: Contact) {
    let collider = world.named("crate collider")[0];
    let graph = &mut world.scene.graph;
    let collider: &mut Collider = graph.try_get_mut_of_type(collider).unwrap();
    collider.set_friction(contact.friction);
    collider.set_restitution(contact.restitution);
    collider.set_friction_combine_rule(contact.rule);
    collider.set_restitution_combine_rule(contact.rule);
}

/// Breaks a cube that moves over a floor, 1.5 m above it. Returns the highest speed at which a piece has come back
/// from the floor, and how far the pieces have come on average, after two seconds.
fn land(contact: Contact) -> (f32, f32) {
    land_after(0, contact, contact)
}

/// The same with another contact of the collider in some frames before.
fn land_after(frames: usize, before: Contact, contact: Contact) -> (f32, f32) {
    let mut world = World::new();
    world.floor();
    let at = Vector3::new(0.0, 2.0, 0.0);
    let script = Destructible {
        pieces: Pieces {
            threshold_factor: 1e9.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    };
    let body = world.cube("crate", RigidBodyType::Dynamic, at, script);
    set_contact(&mut world, before);
    world.steps(frames);
    let graph = &mut world.scene.graph;
    let node: &mut RigidBody = graph.try_get_mut_of_type(body).unwrap();
    node.set_lin_vel(Vector3::new(3.0, 0.0, 0.0));
    set_contact(&mut world, contact);
    world.step();
    let impact = hard(Vector3::new(0.05, 2.5, 0.0)).with_radius(0.5);
    world.strike("crate", impact.with_impulse(Vector3::new(0.0, -25.0, 0.0)));
    let mut fastest = 0.0f32;
    for _ in 0..120 {
        world.step();
        for piece in world.destruction.pieces_of("crate") {
            if piece.volume > 0.02 {
                fastest = fastest.max(piece.velocity.y);
            }
        }
    }
    assert_eq!(world.destruction.faults().count(), 0);
    let pieces = world.destruction.pieces_of("crate");
    let way: f32 = pieces.iter().map(|piece| piece.position.x).sum();
    (fastest, way / pieces.len() as f32)
}

#[test]
fn pieces_bounce_and_slide_like_the_collider_of_their_object() {
    use CoefficientCombineRule::{Average, Max, Min};
    let land = |friction, restitution, rule| {
        let contact = Contact {
            friction,
            restitution,
            rule,
        };
        land(contact)
    };
    let (dead, stopped) = land(0.9, 0.0, Average);
    let (averaged, _) = land(0.9, 0.9, Average);
    let (bouncy, _) = land(0.9, 0.9, Max);
    let (_, sliding) = land(0.02, 0.0, Min);
    // 0 is the engine's default, and ice where the rule says so.
    let (_, unset) = land(0.0, 0.0, Average);
    let (_, on_ice) = land(0.0, 0.0, Min);
    assert!(
        dead < averaged && averaged < bouncy,
        "{dead} {averaged} {bouncy}"
    );
    assert!(bouncy > 3.0, "{bouncy}"); // they land at some 5.5 m/s
    assert!(sliding > stopped + 1.5, "{sliding} {stopped}");
    assert!((unset - stopped).abs() < 0.8, "{unset} {stopped}");
    assert!(on_ice > sliding, "{on_ice} {sliding}");
}

#[test]
fn pieces_bounce_and_slide_as_the_collider_of_their_object_does_when_they_come_off() {
    use CoefficientCombineRule::{Average, Max, Min};
    let contact = |friction, restitution, rule| Contact {
        friction,
        restitution,
        rule,
    };
    let [dead, bouncy, sliding] = [
        contact(0.8, 0.0, Average),
        contact(0.8, 0.85, Max),
        contact(0.03, 0.0, Min),
    ];
    for frames in [1, 3] {
        let plain = land_after(frames, dead, dead);
        for (changed, unlike) in [(bouncy, dead), (sliding, dead), (dead, sliding)] {
            let from_the_start = land_after(frames, changed, changed);
            assert_eq!(land_after(frames, unlike, changed), from_the_start);
            assert_ne!(land_after(frames, unlike, unlike), from_the_start);
        }
        let bounce = land_after(frames, dead, bouncy).0;
        assert!(bounce > plain.0 + 1.0, "{bounce} {plain:?}");
        let way = land_after(frames, dead, sliding).1;
        assert!(way > plain.1 + 1.5, "{way} {plain:?}");
    }
}

/// Drops a ball onto what stands of a struck slab whose collider has been given a bounce when the slab has been there for
/// some frames, and another one when it has been struck once. Returns the speed at which the ball comes back.
fn bounce_off_remainder(restitutions: [f32; 2]) -> f32 {
    let mut world = World::new();
    world.floor();
    let mut script = Destructible::default();
    script.breaking.damage_threshold = 20.0.into();
    let size = Vector3::new(4.0, 1.0, 4.0);
    let at = Vector3::new(0.0, 0.5, 0.0);
    let slab = world.block("slab", RigidBodyType::Static, at, size, script);
    world.steps(3);
    let collider = world.named("slab collider")[0];
    for (restitution, x) in restitutions.into_iter().zip([-1.7, -0.9]) {
        let graph = &mut world.scene.graph;
        let collider: &mut Collider = graph.try_get_mut_of_type(collider).unwrap();
        collider.set_restitution(restitution);
        collider.set_restitution_combine_rule(CoefficientCombineRule::Max);
        world.step();
        let blow = hard(Vector3::new(x, 1.0, 0.1)).with_radius(0.3);
        world.destruction.impact(slab, blow).unwrap();
        assert!(!broken(&world.steps(3)).is_empty());
    }
    let still = world.destruction.pieces_of(slab);
    assert!(still
        .iter()
        .any(|piece| piece.anchored && piece.volume > 13.0));
    let ball = world.ball(0.5, Vector3::new(1.4, 2.4, 0.3), Vector3::zeros());
    let mut fastest = 0.0f32;
    for _ in 0..60 {
        world.step();
        let ball: &RigidBody = world.scene.graph.try_get_of_type(ball).unwrap();
        fastest = fastest.max(ball.lin_vel().y);
    }
    fastest
}

#[test]
fn what_bounces_off_a_remainder_follows_the_collider_of_the_object() {
    // It lands at some 5.1 m/s.
    let [dead, lively, late] = [[0.0, 0.0], [0.8, 0.8], [0.0, 0.7]].map(bounce_off_remainder);
    assert!(dead < 0.5, "{dead}");
    assert!((3.6..4.5).contains(&lively), "{lively}");
    assert!((3.1..4.0).contains(&late), "{late}");
}

#[test]
fn colliders_with_absurd_friction_and_bounce_do_no_harm() {
    for absurd in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
        let contact = Contact {
            friction: absurd,
            restitution: absurd,
            rule: CoefficientCombineRule::Average,
        };
        let (fastest, way) = land(contact);
        assert!(
            fastest < 3.0 && way.abs() < 8.0,
            "{absurd}: {fastest} {way}"
        );
    }
}
