//! An object weighs before a break what its pieces weigh after it, and what strikes it gives what it loses.

use crate::harness::{breaks, Form, Game, Striker, Thing};
use fracture::{Event, MassSource};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder, collider::ColliderShape, node::Node, pivot::PivotBuilder,
        rigidbody::RigidBodyType, transform::TransformBuilder,
    },
};

/// Speed along x of the 20 kg that a test throws, m/s.
const SPEED: f32 = 30.0;

fn ball(at: [f32; 3], ccd: bool) -> Striker {
    Striker {
        shape: ColliderShape::ball(0.1),
        mass: 20.0,
        at,
        velocity: [SPEED, 0.0, 0.0],
        ccd,
    }
}

/// The momentum along x of a body, N s; none once it has been broken.
fn momentum(game: &mut Game, body: Handle<Node>, mass: f32) -> f32 {
    game.body(body).lin_vel().x * mass
}

#[test]
fn momentum_before_a_break_is_momentum_after_it() {
    let forms = [
        Form::Block([0.5; 3]),
        Form::Scaled([0.4, 0.9, 0.5]),
        Form::Boxed("vase.glb"),
        Form::Boxed("statue.glb"),
        Form::Boxed("crystal.glb"),
        Form::Boxed("torus.glb"),
    ];
    for form in forms {
        for (source, scale) in [
            (MassSource::FromDensity, 1.0),
            (MassSource::FromBody, 1.0),
            (MassSource::FromDensity, 1.7),
        ] {
            let mut game = Game::new().without_gravity();
            let mut thing = Thing::new("Thing", form, [0.0, 5.0, 0.0], RigidBodyType::Dynamic);
            thing.script.mass_source = source.into();
            thing.script.breaking.damage_threshold = 20.0.into();
            let thing = game.add(&thing);
            if source == MassSource::FromBody {
                game.body(thing).set_mass(12.0);
            }
            if scale != 1.0 {
                put_below_scaled(&mut game, thing, scale);
            }
            game.seconds(0.2);
            let target = middle(&mut game, thing);
            let from = target - Vector3::new(2.5, -0.02, 0.03);
            let ball = game.throw(&ball(from.into(), true));
            let what = format!("{form:?} {source:?} {scale}");
            // In the frame of the break: slow pieces are damped from then on.
            let is_broken = (0..20).any(|_| breaks(&game.frames(1)));
            assert!(is_broken, "{what}");
            let pieces = game.destruction.pieces_of(thing);
            let of_pieces = pieces.iter().map(|p| p.velocity.x * p.mass as f32);
            let sum = of_pieces.sum::<f32>() + momentum(&mut game, ball, 20.0);
            // Dust has the rest, at the speed of the ball at most.
            let whole: f64 = pieces.iter().map(|piece| piece.volume).sum();
            let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
            let dust = game.destruction.dust_volume(thing) * mass / whole;
            let before = 20.0 * SPEED;
            let most = 0.01 * before + dust as f32 * SPEED;
            assert!((sum - before).abs() < most, "{what}: {sum} of {before} N s");
        }
    }
}

/// Puts an object below a node that is scaled and turned. The engine's colliders keep their size.
fn put_below_scaled(game: &mut Game, node: Handle<Node>, scale: f32) {
    let graph = &mut game.scene().graph;
    let turn = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.6);
    let place = TransformBuilder::new()
        .with_local_rotation(turn)
        .with_local_scale(Vector3::repeat(scale));
    let base = BaseBuilder::new().with_local_transform(place.build());
    let parent = PivotBuilder::new(base).build(graph);
    graph.link_nodes(node, parent);
}

/// The middle of what a node's meshes show.
fn middle(game: &mut Game, node: Handle<Node>) -> Vector3<f32> {
    let graph = &game.scene().graph;
    let mut bounds = fyrox::core::math::aabb::AxisAlignedBoundingBox::default();
    let nodes = graph.traverse_iter(node);
    for (_, node) in nodes.filter(|(_, node)| node.cast::<fyrox::scene::mesh::Mesh>().is_some()) {
        bounds.add_box(node.world_bounding_box());
    }
    bounds.center()
}

#[test]
fn two_that_break_each_other_share_what_they_have() {
    for (form, speed) in [
        (Form::Block([0.6; 3]), 15.0f32),
        (Form::Boxed("statue.glb"), 20.0),
        (Form::Scaled([0.5, 0.8, 0.4]), 40.0),
    ] {
        let mut game = Game::new().without_gravity();
        let add = |game: &mut Game, name, x| {
            let thing = Thing::new(name, form, [x, 4.0, 0.0], RigidBodyType::Dynamic);
            game.add(&thing)
        };
        let [left, right] =
            [("Left", -3.0), ("Right", 0.0)].map(|(name, x)| add(&mut game, name, x));
        game.seconds(0.2);
        game.body(left).set_lin_vel(Vector3::new(speed, 0.0, 0.0));
        let mut energies = Vec::new();
        for event in game.seconds(0.6) {
            if let Event::Broken {
                node,
                piece,
                energy,
                ..
            } = event
            {
                if piece.is_none() {
                    energies.push((node, energy));
                }
            }
        }
        let volume = game.destruction.source_volume(left).unwrap() as f32;
        // The mass that counts is half of one, as of two that are alike.
        let most = 0.5 * (0.5 * 2400.0 * volume) * speed * speed;
        let sum: f32 = energies.iter().map(|(_, energy)| energy).sum();
        let both = [left, right]
            .iter()
            .all(|node| energies.iter().any(|(of, _)| of == node));
        assert!(both, "{form:?}: {energies:?}");
        assert!(sum < 1.01 * most, "{form:?}: {sum} of {most} J");
    }
}
