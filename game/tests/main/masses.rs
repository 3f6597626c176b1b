//! The mass of objects: a break keeps mass and momentum, whatever the engine's body weighed at first.

use crate::world::{broken, cube_surface, hard, World, DT};
use fracture::{Breaking, Destructible, Event, Impact, MassSource, PieceInfo, Pieces};
use fyrox::{
    core::{
        algebra::{Matrix4, UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{Collider, ColliderShape},
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            surface::{SurfaceBuilder, SurfaceData, SurfaceResource},
        },
        node::Node,
        pivot::PivotBuilder,
        rigidbody::{RigidBody, RigidBodyType},
        transform::TransformBuilder,
    },
};

/// A script whose pieces are all bodies.
fn brittle(density: f32) -> Destructible {
    Destructible {
        density: density.into(),
        breaking: Breaking {
            damage_threshold: 20.0.into(),
            ..Breaking::default()
        },
        pieces: Pieces {
            dust_size: 0.0.into(),
            ..Pieces::default()
        },
        ..Destructible::default()
    }
}

fn from_body() -> Destructible {
    Destructible {
        mass_source: MassSource::FromBody.into(),
        ..brittle(2400.0)
    }
}

fn weightless() -> World {
    let mut world = World::new();
    let gravity = &mut world.scene.graph.physics.gravity;
    gravity.set_value_and_mark_modified(Vector3::zeros());
    world
}

fn rigid_body(world: &World, node: Handle<Node>) -> &RigidBody {
    world.scene.graph.try_get_of_type(node).unwrap()
}

fn rigid_body_mut(world: &mut World, node: Handle<Node>) -> &mut RigidBody {
    world.scene.graph.try_get_mut_of_type(node).unwrap()
}

fn set_density(world: &mut World, collider: &str, density: Option<f32>) {
    let collider = world.named(collider)[0];
    let collider: &mut Collider = world.scene.graph.try_get_mut_of_type(collider).unwrap();
    collider.set_density(density);
}

/// The mass of all pieces of the object "crate", kg.
fn mass_of_pieces(world: &World) -> f32 {
    let pieces = world.destruction.pieces_of("crate").into_iter();
    pieces.map(|piece| piece.mass as f32).sum()
}

/// The momentum of all pieces of the object "crate", N s.
fn momentum_of_pieces(world: &World) -> Vector3<f32> {
    let momentum = |piece: PieceInfo| piece.velocity * piece.mass as f32;
    let pieces = world.destruction.pieces_of("crate").into_iter();
    pieces.map(momentum).sum()
}

/// The mass with which the engine's physics moves a body, kg.
fn felt_mass(world: &mut World, body: Handle<Node>) -> f32 {
    let before = rigid_body(world, body).lin_vel();
    let impulse = Vector3::new(0.0, 100.0, 0.0);
    rigid_body_mut(world, body).apply_impulse(impulse);
    world.step();
    100.0 / (rigid_body(world, body).lin_vel() - before).norm()
}

fn assert_near(value: f32, expected: f32, tolerance: f32, what: &str) {
    let error = (value - expected).abs() / expected.abs();
    assert!(error < tolerance, "{what}: {value} and not {expected}");
}

/// Throws 20 kg at 30 m/s along x at the object "crate", and checks that the momentum stays what it was until
/// some frames after the break.
fn throw_and_check_momentum(world: &mut World, from: Vector3<f32>, what: &str) {
    let ball = world.ball(20.0, from, Vector3::new(30.0, 0.0, 0.0));
    let events = world.steps(14);
    assert_eq!(broken(&events).first(), Some(&"crate"), "{what}");
    let of_ball = rigid_body(world, ball).lin_vel().x * 20.0;
    assert_near(of_ball + momentum_of_pieces(world).x, 600.0, 0.01, what);
}

#[test]
fn a_break_keeps_momentum_for_every_size_and_density() {
    let figures = [
        (0.5, 2400.0),
        (0.5, 600.0),
        (0.5, 20.0),
        (1.0, 2400.0),
        (0.3, 7800.0),
        (0.7, 900.0),
    ];
    for (size, density) in figures {
        for of_collider in [None, Some(0.0), Some(2400.0)] {
            let mut world = weightless();
            let script = brittle(density);
            let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
            world.block("crate", kind, at, Vector3::repeat(size), script);
            set_density(&mut world, "crate collider", of_collider);
            let what = format!("{size} m, {density} kg/m3, collider {of_collider:?}");
            throw_and_check_momentum(&mut world, Vector3::new(-2.3, 0.05, 0.02), &what);
            let mass = density * size.powi(3);
            assert_near(mass_of_pieces(&world), mass, 0.001, &what);
        }
    }
}

/// The lowest and the highest corner of what a node shows, world space.
fn shown_bounds(world: &World, node: Handle<Node>) -> [Vector3<f32>; 2] {
    let mesh = world.mesh(node);
    let to_world = mesh.local_transform().matrix();
    let mut bounds = [Vector3::repeat(f32::MAX), Vector3::repeat(f32::MIN)];
    for surface in mesh.surfaces() {
        let data = surface.data_ref().data_ref();
        for vertex in data.vertex_buffer.iter() {
            let at = vertex.read_3_f32(VertexAttributeUsage::Position).unwrap();
            let at = to_world.transform_point(&at.into()).coords;
            bounds = [bounds[0].inf(&at), bounds[1].sup(&at)];
        }
    }
    bounds
}

#[test]
fn the_pieces_in_the_event_of_a_break_have_its_mass_and_momentum_and_their_bounds() {
    let cases = [
        (Vector3::new(0.8, 0.5, 0.6), 700.0),
        (Vector3::new(0.3, 1.2, 0.3), 2100.0),
        (Vector3::new(1.5, 0.2, 0.9), 55.0),
    ];
    for (size, density) in cases {
        let mut world = weightless();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::new(0.0, 1.0, 0.0));
        let body = world.block("crate", kind, at, size, brittle(density));
        world.steps(3);
        let velocity = Vector3::new(1.5, -0.4, 0.7);
        rigid_body_mut(&mut world, body).set_lin_vel(velocity);
        world.steps(2);
        let top = world.node(body).global_position() + Vector3::new(0.1, 0.5 * size.y, 0.0);
        let blow =
            Impact::new(top, Vector3::y(), 900.0).with_impulse(Vector3::new(0.0, -30.0, 0.0));
        world.destruction.impact(body, blow).unwrap();
        let events = std::iter::repeat_with(|| world.step()).take(4);
        let broken = events.flatten().find_map(|event| match event {
            Event::Broken {
                pieces,
                diagnostics,
                ..
            } => Some((pieces, diagnostics)),
            _ => None,
        });
        let (pieces, diagnostics) = broken.unwrap();
        let what = format!("{size:?} of {density} kg/m3");
        assert!(pieces.len() > 5, "{what}");
        let mass = density * size.product();
        let sum = pieces.iter().map(|piece| piece.mass).sum::<f64>() as f32;
        assert_near(sum, mass, 1e-4, &what);
        let momentum = |piece: &PieceInfo| piece.velocity * piece.mass as f32;
        let sum: Vector3<f32> = pieces.iter().map(momentum).sum();
        let gain = diagnostics.momentum_gain;
        assert!((-30.5..-5.0).contains(&gain.y), "{what}: {gain:?}");
        let expected = velocity * mass + gain;
        let error = (sum - expected).norm() / expected.norm();
        assert!(error < 0.005, "{what}: {sum:?} and not {expected:?}");
        for piece in &pieces {
            let shown = shown_bounds(&world, piece.node);
            let sides = shown[1] - shown[0];
            // Their colliders reach out of them by a fiftieth, and the node may be a step further.
            let tolerance = 0.03 * sides.norm() + 1.1 * piece.velocity.norm() * DT;
            for (told, shown) in piece.bounds.iter().zip(shown) {
                let error = (told - shown).amax();
                assert!(
                    error < tolerance,
                    "{what}, {}: {told:?} {shown:?}",
                    piece.name
                );
            }
        }
    }
}

#[test]
fn a_break_keeps_momentum_below_turned_and_scaled_nodes() {
    for (scale, angle, of_body) in [
        (0.5, 0.0, None),
        (2.0, 0.7, None),
        (1.3, 2.0, None),
        (1.6, 0.4, Some(40.0)),
        (0.7, 1.1, Some(9.0)),
    ] {
        let mut world = weightless();
        let kind = RigidBodyType::Dynamic;
        let script = of_body.map_or_else(|| brittle(1200.0), |_| from_body());
        let body = world.cube("crate", kind, Vector3::zeros(), script);
        if let Some(mass) = of_body {
            rigid_body_mut(&mut world, body).set_mass(mass);
            set_density(&mut world, "crate collider", Some(0.0));
        }
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        let parent = TransformBuilder::new()
            .with_local_rotation(turn)
            .with_local_scale(Vector3::repeat(scale))
            .build();
        let graph = &mut world.scene.graph;
        let base = BaseBuilder::new().with_local_transform(parent);
        let parent = PivotBuilder::new(base).build(graph).to_base::<Node>();
        graph.link_nodes(body, parent);
        let own_scale = Vector3::new(0.8, 0.5, 0.6);
        let transform = rigid_body_mut(&mut world, body).local_transform_mut();
        transform.set_scale(own_scale);
        let what = format!("scale {scale}, turned by {angle}");
        throw_and_check_momentum(&mut world, Vector3::new(-4.2, 0.0, 0.0), &what);
        let volume = own_scale.product() * scale.powi(3);
        let expected = of_body.unwrap_or(1200.0 * volume);
        assert_near(mass_of_pieces(&world), expected, 0.001, &what);
    }
}

#[test]
fn the_pieces_of_an_object_share_the_mass_of_its_body() {
    for (of_body, of_collider) in [(50.0, None), (3.0, Some(100.0)), (0.0, Some(7.0))] {
        let mut world = weightless();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
        let size = Vector3::new(0.5, 0.5, 1.0);
        let body = world.block("crate", kind, at, size, from_body());
        rigid_body_mut(&mut world, body).set_mass(of_body);
        set_density(&mut world, "crate collider", of_collider);
        let total = of_body + 0.25 * of_collider.unwrap_or(1.0);
        let what = format!("{of_body} kg with a collider of {of_collider:?} kg/m3");
        throw_and_check_momentum(&mut world, Vector3::new(-2.2, 0.0, 0.0), &what);
        assert_near(mass_of_pieces(&world), total, 0.001, &what);
    }
}

#[test]
fn a_body_feels_as_heavy_as_its_solid() {
    let mut world = weightless();
    let kind = RigidBodyType::Dynamic;
    let size = Vector3::new(0.5, 1.0, 0.25);
    let crates = [None, Some(5.0), Some(2400.0)].map(|density| {
        let name = format!("crate of {density:?}");
        let at = Vector3::new(density.unwrap_or_default(), 0.0, 0.0);
        let body = world.block(&name, kind, at, size, brittle(800.0));
        set_density(&mut world, &format!("{name} collider"), density);
        body
    });
    world.steps(3);
    for body in crates {
        let children = world.node(body).children().to_vec();
        let names = children.iter().map(|child| world.node(*child).name());
        let names: Vec<_> = names.map(|name| name.rsplit(' ').next()).collect();
        assert_eq!(names, [Some("mesh"), Some("collider")]);
        let felt = felt_mass(&mut world, body);
        assert_near(felt, 100.0, 0.003, world.node(body).name());
        assert_eq!(world.destruction.faults().count(), 0);
    }
}

#[test]
fn an_object_that_cannot_break_keeps_the_mass_of_its_body() {
    for of_collider in [None, Some(0.0), Some(40.0)] {
        let mut world = weightless();
        let mut data = SurfaceData::make_cube(Matrix4::identity());
        let triangles = data.geometry_buffer.triangles_ref()[1..].to_vec();
        data.geometry_buffer.set_triangles(triangles);
        let surface = SurfaceBuilder::new(SurfaceResource::new_embedded(data)).build();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
        let shape = ColliderShape::cuboid(0.5, 0.5, 0.5);
        let body = world.body(
            "open",
            kind,
            at,
            vec![surface],
            shape,
            Some(brittle(2400.0)),
        );
        rigid_body_mut(&mut world, body).set_mass(30.0);
        set_density(&mut world, "open collider", of_collider);
        world.steps(3);
        assert!(world.faults().contains("not closed"), "{}", world.faults());
        let what = format!("collider {of_collider:?}");
        let expected = 30.0 + of_collider.unwrap_or(1.0);
        assert_near(felt_mass(&mut world, body), expected, 0.003, &what);
    }
}

#[test]
fn a_body_turns_about_the_centre_of_its_solid() {
    let mut world = weightless();
    // The mesh stands on the origin of its body, as models do.
    let raised = Matrix4::new_translation(&Vector3::new(0.0, 1.0, 0.0));
    let surface = cube_surface(raised * Matrix4::new_scaling(2.0), None);
    let shape = ColliderShape::ball(0.2);
    let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
    let script = Some(brittle(1000.0));
    let body = world.body("crate", kind, at, vec![surface], shape, script);
    world.steps(3);
    // An impulse through the centre does not turn it.
    let impulse = Vector3::new(8000.0, 0.0, 0.0);
    rigid_body_mut(&mut world, body).apply_impulse_at_point(impulse, Vector3::new(0.0, 1.0, 0.0));
    world.step();
    let node = rigid_body(&world, body);
    assert_near(node.lin_vel().x, 1.0, 1e-3, "speed");
    assert!(node.ang_vel().norm() < 1e-3, "{}", node.ang_vel());
    // A cube of side a and mass m has a moment of m a^2 / 6.
    rigid_body_mut(&mut world, body).apply_torque_impulse(Vector3::new(0.0, 0.0, 500.0));
    world.step();
    let turn = rigid_body(&world, body).ang_vel().z;
    assert_near(turn, 500.0 / (8000.0 * 4.0 / 6.0), 1e-3, "turn");
}

#[test]
fn a_body_without_a_mass_to_share_is_a_fault() {
    let mut world = weightless();
    let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
    let body = world.cube("crate", kind, at, from_body());
    rigid_body_mut(&mut world, body).set_mass(0.0);
    set_density(&mut world, "crate collider", Some(0.0));
    world.steps(3);
    let faults: Vec<_> = world.destruction.faults().collect();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].message.contains("Mass Source"), "{faults:?}");
}

#[test]
fn a_static_object_has_the_mass_of_its_density_when_it_is_let_go() {
    let mut world = weightless();
    let (kind, at) = (RigidBodyType::Static, Vector3::zeros());
    let size = Vector3::repeat(0.5);
    let body = world.block("crate", kind, at, size, brittle(2400.0));
    world.steps(3);
    rigid_body_mut(&mut world, body).set_body_type(RigidBodyType::Dynamic);
    world.steps(3);
    assert_near(felt_mass(&mut world, body), 300.0, 0.003, "mass");
}

#[test]
fn restored_pieces_share_the_mass_of_the_body() {
    let scene = || {
        let mut world = weightless();
        let (kind, at) = (RigidBodyType::Dynamic, Vector3::zeros());
        let body = world.cube("crate", kind, at, from_body());
        rigid_body_mut(&mut world, body).set_mass(39.0);
        world.step();
        world
    };
    let mut world = scene();
    world.strike("crate", hard(Vector3::new(0.0, 0.5, 0.0)));
    let save = world.destruction.save(&mut world.scene);
    let mut loaded = scene();
    loaded.destruction.restore(&mut loaded.scene, save).unwrap();
    assert_near(mass_of_pieces(&loaded), 40.0, 0.001, "mass");
}
