//! Random impacts on random bodies: nothing panics, all numbers stay finite, no mass is lost.

use std::collections::BTreeMap;

use fracture_simulation::geometry::glam::{Quat, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    external::ExternalBody, Body, BodyId, Event, Impact, Motion, Pose, Settings, SharedShape,
};

use crate::dice::Dice;
use crate::setup::{at, body, step, wall, with};

impl Dice {
    /// A number from -1 to 1.
    fn roll(&mut self) -> f32 {
        self.bits() as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll())
    }
}

fn bodies() -> Vec<Body> {
    vec![
        body(Mesh::cuboid([1.0, 1.0, 1.0])),
        body(Mesh::torus(0.6, 0.2, 24, 12)),
        body(Mesh::sphere(0.7, 24, 12)),
        body(Mesh::cuboid([2.0, 1.5, 0.01])),
        body(Mesh::cuboid([3.0, 0.05, 0.05])),
        wall(),
    ]
}

fn run(seed: u64) {
    let mut dice = Dice(seed);
    let mut simulation = with(Settings {
        seed,
        max_pieces: 300,
        ..Settings::default()
    });
    let ground = ExternalBody::fixed(SharedShape::cuboid(50.0, 1.0, 50.0), at(0.0, -2.0, 0.0));
    simulation.set_external_body(0, ground).unwrap();
    let mut kilograms: BTreeMap<BodyId, f64> = BTreeMap::new();
    let mut targets: Vec<BodyId> = Vec::new();
    for (index, body) in bodies().into_iter().enumerate() {
        let turn = Quat::from_scaled_axis(3.0 * dice.vector());
        let place = Vec3::new(4.0 * index as f32, 1.0, 0.0);
        let motion = Motion {
            linear: 3.0 * dice.vector(),
            angular: 2.0 * dice.vector(),
            pose: Pose::from_parts(place, turn),
        };
        let id = simulation.add(Body { motion, ..body }).unwrap();
        targets.push(id);
    }
    for frame in 0..150 {
        if frame % 3 == 0 && !targets.is_empty() {
            let pick = (dice.roll().abs() * targets.len() as f32) as usize;
            let body = targets[pick.min(targets.len() - 1)];
            let pose = simulation.motion(body).unwrap_or_default().pose;
            let impact = Impact {
                radius: (frame % 2 == 0).then_some(0.05 + dice.roll().abs()),
                ..Impact::new(
                    body,
                    pose.transform_point(0.5 * dice.vector()),
                    dice.vector(),
                    100.0 * dice.vector(),
                    2000.0 * dice.roll().abs(),
                )
            };
            // The body may have been removed; that is an error and no more.
            let _ = simulation.impact(impact);
        }
        for event in step(&mut simulation) {
            let Event::Broken(broken) = event else {
                continue;
            };
            assert!(broken.volume_error < 1e-5, "{}", broken.volume_error);
            let sum: f64 = broken.pieces.iter().map(|piece| piece.kilograms).sum();
            if let Some(before) = kilograms.get(&broken.body) {
                assert!(
                    (sum - before).abs() < 1e-4 * before,
                    "{before} kg became {sum}"
                );
            }
            for piece in &broken.pieces {
                assert_eq!(piece.closed, Some(true));
                assert!(piece.mass.volume > 0.0);
                kilograms.insert(piece.body, piece.kilograms);
                targets.push(piece.body);
            }
        }
        for (_, pose) in simulation.moving_pieces() {
            assert!(pose.is_finite());
        }
    }
    let statistics = simulation.statistics();
    assert!(statistics.breaks > 5, "{statistics:?}");
    assert!(statistics.debris <= 300 && statistics.intact <= 6);
}

#[test]
fn random_impacts_on_random_bodies() {
    for seed in 0..6 {
        run(seed);
    }
}
