//! Frozen rubble: it costs nothing, and still moves, falls and breaks when it has to.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{external::ExternalBody, Impact, NewPiece, SharedShape, Simulation};

use crate::setup::{at, body, broken, impact_at, step, waiting};

/// A heap on a floor, all pieces of which are frozen.
fn heap() -> (Simulation, Vec<NewPiece>) {
    let mut simulation = waiting();
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let block = fracture_simulation::Body {
        motion: at(0.0, 0.5, 0.0),
        ..body(Mesh::cuboid([1.0; 3]))
    };
    let id = simulation.add(block).unwrap();
    let wide = Impact {
        radius: Some(3.0),
        ..impact_at(id, [0.0, 1.0, 0.0])
    };
    simulation.impact(wide).unwrap();
    let pieces = broken(&mut simulation).pieces;
    for _ in 0..900 {
        step(&mut simulation);
    }
    let statistics = simulation.statistics();
    assert_eq!(statistics.frozen, pieces.len(), "{statistics:?}");
    (simulation, pieces)
}

fn height(simulation: &Simulation, piece: &NewPiece) -> f32 {
    let pose = simulation.motion(piece.body).unwrap().pose;
    pose.transform_point(piece.mass.center.as_vec3()).y
}

#[test]
fn what_lies_on_a_piece_falls_when_it_goes() {
    let (mut simulation, pieces) = heap();
    let lower =
        |a: &&NewPiece, b: &&NewPiece| height(&simulation, a).total_cmp(&height(&simulation, b));
    let highest = pieces.iter().max_by(lower).unwrap();
    let before = height(&simulation, highest);
    let others: Vec<_> = pieces.iter().filter(|p| p.body != highest.body).collect();
    for piece in others {
        simulation.remove(piece.body);
    }
    for _ in 0..300 {
        step(&mut simulation);
    }
    let after = height(&simulation, highest);
    assert!(after < before - 0.1, "from {before} to {after}");
    assert_eq!(simulation.statistics().frozen, 1);
}

#[test]
fn a_pebble_wakes_nobody_and_a_boulder_all_it_pushes() {
    for (kilograms, freed) in [(0.02, false), (2000.0, true)] {
        let (mut simulation, pieces) = heap();
        let ball = SharedShape::ball(0.2);
        let ball = ExternalBody::dynamic(ball, at(0.0, 2.0, 0.0), kilograms);
        simulation.set_external_body(2, ball).unwrap();
        let mut engine = crate::engine::Engine::default();
        let falling = fracture_simulation::rapier3d::prelude::RigidBodyBuilder::dynamic()
            .translation(Vec3::new(0.0, 2.0, 0.0));
        let ball = SharedShape::ball(0.2);
        let density = kilograms / ball.mass_properties(1.0).mass();
        let (floor, place) = crate::engine::floor(0.0);
        engine.add(
            fracture_simulation::rapier3d::prelude::RigidBodyBuilder::fixed().pose(place.pose),
            floor,
            1.0,
        );
        let handle = engine.add(falling, ball, density);
        let mut least = pieces.len();
        for _ in 0..120 {
            engine.frame(&mut simulation, &[(2, handle)]);
            least = least.min(simulation.statistics().frozen);
        }
        assert_eq!(least < pieces.len(), freed, "{kilograms} kg: {least}");
        let height = engine.motion(handle).pose.translation.y;
        assert!(height > 0.15, "{kilograms} kg at {height} m");
    }
}

#[test]
fn gravity_that_changes_moves_the_heap() {
    let (mut simulation, pieces) = heap();
    simulation.set_gravity(Vec3::new(0.0, 2.0, 0.0));
    for _ in 0..60 {
        step(&mut simulation);
    }
    assert_eq!(simulation.statistics().frozen, 0);
    for piece in &pieces {
        assert!(height(&simulation, piece) > 0.7, "it flies");
    }
}

#[test]
fn a_hit_on_a_piece_moves_it() {
    let (mut simulation, pieces) = heap();
    let piece = &pieces[0];
    let before = simulation.motion(piece.body).unwrap().pose.translation;
    let point = before + piece.mass.center.as_vec3();
    let push = Vec3::new(0.0, 4.0, 0.0) * piece.kilograms as f32;
    let weak = Impact::new(piece.body, point, Vec3::Y, push.clamp_length_max(19.0), 0.0);
    simulation.impact(weak).unwrap();
    step(&mut simulation);
    step(&mut simulation);
    let after = simulation.motion(piece.body).unwrap();
    assert!(after.pose.translation != before || after.linear != Vec3::ZERO);
    assert!(simulation.statistics().frozen < pieces.len());
}
