//! Balls that are thrown into a wall until they fly through its rubble.

use std::collections::VecDeque;

use fracture::{Destructible, PRESETS};
use fracture_geometry::Mesh;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        node::Node,
        rigidbody::{RigidBodyBuilder, RigidBodyType},
        transform::TransformBuilder,
        Scene,
    },
};

use super::{add_destructible, ball, ball_of, quantile, Ball, Options, Range, Reader, Update};

/// The wall that is there for the balls: those of the demo have some five hundred bricks.
pub const WALL: &str = "wall_of_bricks";

/// Sides of the wall, metres.
const SIDES: [f32; 3] = [6.0, 2.6, 0.25];

/// Frames between two balls.
const FRAMES_APART: usize = 6;

/// Balls that are there at the same time.
const MOST_AMONG: usize = 20;

/// Throws balls into scenes, and prints a table.
pub fn table(inputs: &[String], reader: &Reader, options: &Options) -> Result<(), String> {
    println!("| scene | pieces | awake | update, ms | p99 | longest | of the processor, ms | p99 | longest | debris step, ms | p99 |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for input in inputs {
        let resources = Some(&reader.engine.resource_manager);
        let (scene, ball, reach) = match input.as_str() {
            WALL => (wall(), ball([0.0, 1.4, 5.0], [0.0, 0.5, -38.0]), 2.6),
            name => (reader.scene(name)?, ball_of(name)?, 1.6),
        };
        let mut range = Range::new(scene, resources, options);
        range.prepare(options.cold);
        println!("{}", barrage(range, input, options.balls, ball, reach));
    }
    Ok(())
}

/// A wall of bricks on a floor.
fn wall() -> Scene {
    let mut scene = Scene::new();
    let graph = &mut scene.graph;
    let mut body = |name: &str, height: f32, sides: [f32; 3]| {
        let [x, y, z] = sides.map(|side| side / 2.0);
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::cuboid(x, y, z))
            .build(graph);
        let mut place = TransformBuilder::new();
        place = place.with_local_position(Vector3::new(0.0, height, 0.0));
        let base = BaseBuilder::new()
            .with_name(name)
            .with_local_transform(place.build())
            .with_child(collider);
        RigidBodyBuilder::new(base)
            .with_body_type(RigidBodyType::Static)
            .build(graph)
            .to_base()
    };
    body("Floor", -0.5, [60.0, 1.0, 60.0]);
    let wall = body("Wall", SIDES[1] / 2.0, SIDES);
    let preset = PRESETS.iter().find(|(name, _)| *name == "brick");
    let pattern = preset.map(|(_, make)| make());
    let mut script = Destructible {
        density: 1900.0.into(),
        ..Destructible::default()
    };
    script.breaking.max_radius = 0.85.into();
    add_destructible(graph, wall, &Mesh::cuboid(SIDES), pattern, script);
    scene
}

/// Throws balls, ten a second, each a little elsewhere, up to some metres to both sides. Returns a row of the table.
fn barrage(mut range: Range, name: &str, balls: usize, ball: Ball, reach: f32) -> String {
    range.updates.clear();
    let mut thrown: VecDeque<Handle<Node>> = VecDeque::new();
    let (mut steps, mut awake, mut most) = (Vec::new(), Vec::new(), 0);
    let (radius, mass, [_, y, z], [_, vy, vz]) = ball;
    let flight = z / -vz;
    for index in 0..balls * FRAMES_APART {
        if index % FRAMES_APART == 0 {
            let turn = (index / FRAMES_APART) as f32;
            let (aside, up) = (
                2.0 * (turn * 0.618).fract() - 1.0,
                (turn * 0.382).fract() - 0.6,
            );
            let velocity = [reach / flight * aside, vy + 14.0 * up, vz];
            thrown.push_back(range.throw((radius, mass, [0.0, y, z], velocity)));
            if thrown.len() > MOST_AMONG {
                let first = thrown.pop_front().unwrap_or_default();
                range.scene.graph.remove_node(first);
            }
        }
        range.frame();
        let statistics = range.destruction.statistics();
        steps.push(f64::from(statistics.physics_ms));
        awake.push(statistics.awake as f64);
        most = most.max(statistics.fragments + statistics.islands);
    }
    let of =
        |get: fn(&Update) -> f64, share| quantile(range.updates.iter().map(get).collect(), share);
    format!(
        "| {name} | {most} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.1} | {:.1} |",
        quantile(awake, 0.5),
        of(|update| update.time, 0.5),
        of(|update| update.time, 0.99),
        of(|update| update.time, 1.0),
        of(|update| update.work, 0.5),
        of(|update| update.work, 0.99),
        of(|update| update.work, 1.0),
        quantile(steps.clone(), 0.5),
        quantile(steps, 0.99),
    )
}
