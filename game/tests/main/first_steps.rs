//! Bodies that meet an object in the first physics step of their life.

use crate::{
    impacts::wall,
    world::{placed, World, DT},
};
use fracture::Event;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{BitMask, Collider, ColliderBuilder, ColliderShape, InteractionGroups},
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
    },
};

/// Reach of all shapes along x, metres.
const REACH: f32 = 0.1;

/// A body that is thrown along x, of 20 kg.
struct Throw {
    shape: ColliderShape,
    speed: f32,
    /// Whether the engine looks for contacts ahead of it.
    ccd: bool,
    /// Whether the collider is made before the body, as by the engine's builders.
    collider_first: bool,
}

impl Throw {
    /// Takes ten frames, and asserts that the body strikes once in them, with what it has of energy.
    fn assert_one_strike(&self, world: &mut World, what: &str) {
        let found = energies(&world.steps(10));
        let what = format!(
            "{:?}, {} m/s, CCD {}, collider first {}, {what}",
            self.shape, self.speed, self.ccd, self.collider_first
        );
        let most = 10.0 * self.speed * self.speed;
        assert_eq!(found.len(), 1, "{what}: {found:?}");
        assert!(
            found[0] > 0.7 * most && found[0] < 1.05 * most,
            "{what}: {found:?} of {most} J"
        );
    }

    /// Adds the body at a place.
    fn add(&self, world: &mut World, at: Vector3<f32>) -> Handle<Node> {
        let graph = &mut world.scene.graph;
        let collider = || ColliderBuilder::new(BaseBuilder::new()).with_shape(self.shape.clone());
        let first = self.collider_first.then(|| collider().build(graph));
        let base = BaseBuilder::new().with_local_transform(placed(at));
        let base = first.into_iter().fold(base, BaseBuilder::with_child);
        let body = RigidBodyBuilder::new(base)
            .with_mass(20.0)
            .with_lin_vel(Vector3::new(self.speed, 0.0, 0.0))
            .with_ccd_enabled(self.ccd)
            .build(graph)
            .to_base();
        if !self.collider_first {
            let collider = collider().build(graph);
            graph.link_nodes(collider, body);
        }
        body
    }

    /// Whether the engine lets the body through in a step in spite of its collider.
    fn may_tunnel(&self) -> bool {
        !self.ccd && !self.collider_first
    }
}

fn throws() -> Vec<Throw> {
    let shapes = [
        ColliderShape::ball(REACH),
        ColliderShape::cuboid(REACH, 0.2, 0.05),
        ColliderShape::capsule(Vector3::y() * -0.2, Vector3::y() * 0.2, REACH),
    ];
    let mut throws = Vec::new();
    for shape in shapes {
        for speed in [3.0, 12.0, 30.0, 60.0, 150.0] {
            for (ccd, collider_first) in
                [(true, true), (true, false), (false, true), (false, false)]
            {
                let shape = shape.clone();
                throws.push(Throw {
                    shape,
                    speed,
                    ccd,
                    collider_first,
                });
            }
        }
    }
    throws
}

/// Energies of the first breaks of whole objects, J.
fn energies(events: &[Event]) -> Vec<f32> {
    let energy = |event: &Event| match event {
        Event::Broken { name, energy, .. } if !name.contains('/') => Some(*energy),
        _ => None,
    };
    events.iter().filter_map(energy).collect()
}

#[test]
fn a_body_that_a_script_throws_breaks_what_it_meets_in_its_first_step() {
    for throw in throws() {
        // The share of the first step that lies before the wall, and the wall's thickness in metres.
        for (gap, thickness) in [(0.02, 0.2), (0.4, 0.2), (0.8, 0.2), (0.3, 1.0)] {
            if throw.may_tunnel() && throw.speed * DT > 0.5 * thickness {
                continue;
            }
            let mut world = World::new();
            let size = Vector3::new(thickness, 2.0, 2.0);
            let kind = RigidBodyType::Static;
            world.block("wall", kind, Vector3::zeros(), size, wall(20.0));
            world.steps(3);
            let x = -0.5 * thickness - REACH - gap * throw.speed * DT;
            throw.add(&mut world, Vector3::new(x, 0.05, 0.0));
            let what = format!("{gap} of a step, {thickness} m");
            throw.assert_one_strike(&mut world, &what);
        }
    }
}

#[test]
fn a_body_breaks_a_wall_that_is_made_in_the_same_frame() {
    for throw in throws() {
        for (gap, thickness) in [(0.02, 0.2), (0.4, 0.2), (0.8, 0.2), (0.3, 1.0)] {
            for (wall_first, frames) in [(true, 0), (false, 0), (true, 3), (false, 3)] {
                if !throw.ccd && throw.speed * DT > 0.5 * thickness {
                    continue;
                }
                let mut world = World::new();
                world.steps(frames);
                let size = Vector3::new(thickness, 2.0, 2.0);
                let add_wall = |world: &mut World| {
                    let kind = RigidBodyType::Static;
                    world.block("wall", kind, Vector3::zeros(), size, wall(20.0));
                };
                let x = -0.5 * thickness - REACH - gap * throw.speed * DT;
                let at = Vector3::new(x, 0.05, 0.0);
                if wall_first {
                    add_wall(&mut world);
                    throw.add(&mut world, at);
                } else {
                    throw.add(&mut world, at);
                    add_wall(&mut world);
                }
                let what = format!(
                    "{gap} of a step, {thickness} m, wall first {wall_first}, {frames} frames before"
                );
                throw.assert_one_strike(&mut world, &what);
            }
        }
    }
}

#[test]
fn an_object_that_a_script_throws_down_breaks_on_the_ground() {
    for (speed, height) in [
        (5.0, 0.03),
        (20.0, 0.2),
        (60.0, 0.1),
        (60.0, 0.6),
        (120.0, 1.5),
    ] {
        for ccd in [true, false] {
            let mut world = World::new();
            world.floor();
            world.steps(3);
            let (kind, at) = (
                RigidBodyType::Dynamic,
                Vector3::new(0.0, 0.25 + height, 0.0),
            );
            let vase = world.block("vase", kind, at, Vector3::repeat(0.5), wall(20.0));
            let body: &mut RigidBody = world.scene.graph.try_get_mut_of_type(vase).unwrap();
            body.set_lin_vel(Vector3::new(0.0, -speed, 0.0));
            body.enable_ccd(ccd);
            let found = energies(&world.steps(10));
            let what = format!("{speed} m/s, {height} m, CCD {ccd}");
            // 300 kg.
            let most = 150.0 * speed * speed;
            assert_eq!(found.len(), 1, "{what}: {found:?}");
            assert!(
                found[0] > 0.9 * most && found[0] < 1.05 * most,
                "{what}: {found:?} of {most} J"
            );
        }
    }
}

#[test]
fn a_body_that_passes_by_or_has_other_groups_is_left_where_it_is() {
    let only = |bit| InteractionGroups::new(BitMask(bit), BitMask(bit));
    for (y, meets_walls) in [(1.5, true), (0.0, false)] {
        let mut world = World::new();
        let kind = RigidBodyType::Static;
        world.cube("wall", kind, Vector3::zeros(), wall(20.0));
        world.steps(3);
        let ball = world.ball(
            20.0,
            Vector3::new(-0.7, y, 0.0),
            Vector3::new(120.0, 0.0, 0.0),
        );
        if !meets_walls {
            let child = world.node(ball).children()[0];
            let collider: &mut Collider = world.scene.graph.try_get_mut_of_type(child).unwrap();
            collider.set_collision_groups(only(2));
            let walls = world.named("wall collider");
            let collider: &mut Collider = world.scene.graph.try_get_mut_of_type(walls[0]).unwrap();
            collider.set_collision_groups(only(1));
        }
        let events = world.step();
        assert!(events.is_empty(), "{events:?}");
        let x = world.node(ball).local_transform().position().x;
        assert!((x - 1.3).abs() < 0.01, "{x}");
    }
}
