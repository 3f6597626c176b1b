//! Rubble at rest, and an engine with the same static bodies.

use std::sync::Arc;

use fracture_simulation::geometry::glam::{DVec3, Vec3};
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::rapier3d::prelude::*;
use fracture_simulation::{
    external::ExternalBody,
    pattern::{LazyPattern, PatternFit},
    Body, Broken, Impact, Motion, Simulation,
};

use crate::engine::{floor, Engine};
use crate::setup::{at, broken, impact_at, step, waiting};

/// A floor at height 0 and four walls around a square of 1.6 m.
pub fn pit() -> Vec<(SharedShape, Motion)> {
    let walls = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    let wall = |(x, z): (f32, f32)| {
        let half = Vec3::new(0.1 + 0.9 * z.abs(), 1.0, 0.1 + 0.9 * x.abs());
        let shape = SharedShape::cuboid(half.x, half.y, half.z);
        (shape, at(0.9 * x, 1.0, 0.9 * z))
    };
    let mut all = vec![floor(0.0)];
    all.extend(walls.map(wall));
    all
}

pub fn engine_with(statics: &[(SharedShape, Motion)]) -> Engine {
    let mut engine = Engine::default();
    for (shape, place) in statics {
        engine.add(
            RigidBodyBuilder::fixed().pose(place.pose),
            shape.clone(),
            1.0,
        );
    }
    engine
}

pub fn simulation_with(statics: &[(SharedShape, Motion)]) -> Simulation {
    let mut simulation = waiting();
    for (key, (shape, place)) in (1..).zip(statics) {
        let fixed = ExternalBody::fixed(shape.clone(), *place);
        simulation.set_external_body(key, fixed).unwrap();
    }
    simulation
}

/// Steps in which rubble comes to rest, ten seconds.
const MOST_STEPS_TO_REST: usize = 600;

/// Breaks a body into evenly spread pieces, and lets them come to rest.
pub fn rubble(
    simulation: &mut Simulation,
    mesh: Mesh,
    place: Motion,
    pattern: Arc<LazyPattern>,
) -> Broken {
    let middle = place.pose.translation;
    let id = simulation
        .add(Body {
            pattern,
            fit: PatternFit::BODY,
            motion: place,
            ..crate::setup::body(mesh)
        })
        .unwrap();
    let wide = Impact {
        radius: Some(3.0),
        impulse: Vec3::new(0.0, -20.0, 0.0),
        energy: 1e-3,
        ..impact_at(id, middle.to_array())
    };
    simulation.impact(wide).unwrap();
    let broken = broken(simulation);
    for _ in 0..MOST_STEPS_TO_REST {
        step(simulation);
        if simulation.statistics().awake == 0 {
            break;
        }
    }
    assert_eq!(simulation.statistics().awake, 0, "the rubble rests");
    // Frozen pieces cost nothing, and no others.
    for _ in 0..60 {
        step(simulation);
    }
    broken
}

/// A pile of rubble at rest in a pit, and an engine with the same pit.
pub fn pile() -> (Simulation, Engine, Broken) {
    let mut simulation = simulation_with(&pit());
    let pattern = LazyPattern::new(|| Pattern::from_recipe(&Recipe::Uniform { cells: 100 }, 5));
    let cube = Mesh::cuboid([1.0; 3]);
    let broken = rubble(&mut simulation, cube, at(0.0, 0.7, 0.0), pattern);
    assert!(broken.pieces.len() > 50, "{} pieces", broken.pieces.len());
    (simulation, engine_with(&pit()), broken)
}

/// A pattern of upright prisms.
pub fn bricks() -> Arc<LazyPattern> {
    let column = |i: i32| f64::from(i) * 0.13;
    let sites = (0..100).map(move |i| DVec3::new(column(i % 10 - 5), 0.0, column(i / 10 - 5)));
    LazyPattern::new(move || Pattern::from_sites(&sites.collect::<Vec<_>>()))
}

/// A floor of rubble: bricks of equal height that fill the pit and cannot roll.
pub fn pavement() -> (Simulation, Engine, Broken) {
    let mut simulation = simulation_with(&pit());
    let slab = Mesh::cuboid([1.59, 0.3, 1.59]);
    let broken = rubble(&mut simulation, slab, at(0.0, 0.15, 0.0), bricks());
    assert!(broken.pieces.len() > 30, "{} pieces", broken.pieces.len());
    (simulation, engine_with(&pit()), broken)
}

/// Adds a body to the engine and to the simulation.
pub fn add_to_both(
    simulation: &mut Simulation,
    engine: &mut Engine,
    key: u64,
    body: RigidBodyBuilder,
    shape: SharedShape,
    mass: f32,
) -> RigidBodyHandle {
    let density = mass / shape.mass_properties(1.0).mass();
    let handle = engine.add(body, shape.clone(), density);
    let free = ExternalBody::dynamic(shape, engine.motion(handle), mass);
    simulation.set_external_body(key, free).unwrap();
    handle
}

/// Rubble on a wide floor.
pub fn heap() -> (Simulation, Engine, Broken) {
    let statics = [floor(0.0)];
    let mut simulation = simulation_with(&statics);
    let pattern = LazyPattern::new(|| Pattern::from_recipe(&Recipe::Uniform { cells: 100 }, 5));
    let cube = Mesh::cuboid([1.0, 0.4, 1.0]);
    let broken = rubble(&mut simulation, cube, at(0.0, 0.2, 0.0), pattern);
    (simulation, engine_with(&statics), broken)
}
