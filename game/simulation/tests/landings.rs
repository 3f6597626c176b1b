//! Large free pieces that land: they tear where the blow bends them.

use fracture_simulation::geometry::Mesh;
use fracture_simulation::{Body, BodyId, Event, Pose, Simulation};

use crate::buildings::{add_fixed, member};
use crate::setup::{quiet, step};

const SUPPORT: u64 = 1;
const REST: u64 = 2;

#[test]
fn trial() {
    for drop in [0.01_f32, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6] {
        let mut simulation = quiet();
        // A beam that stands on something that is taken away, above an edge below its middle.
        let mesh = Mesh::cuboid([3.0, 0.4, 0.4]);
        let beam = member(
            mesh,
            Pose::from_translation([0.0, 3.0, 0.0].into()),
            3e6,
            1.0,
        );
        add_fixed(&mut simulation, SUPPORT, [3.0, 0.2, 0.4], [0.0, 2.7, 0.0]);
        let id = simulation.add(beam).unwrap();
        for _ in 0..20 {
            step(&mut simulation);
        }
        add_fixed(
            &mut simulation,
            REST,
            [0.2, 0.2, 1.0],
            [0.0, 2.7 - drop, 0.0],
        );
        simulation.remove_external_body(SUPPORT);
        for frame in 0..120 {
            for event in step(&mut simulation) {
                if let Event::Broken(broken) = event {
                    println!(
                        "{drop} {frame} {:?} {} {:?}",
                        broken.cause,
                        broken.pieces.len(),
                        broken
                            .pieces
                            .iter()
                            .map(|p| p.kilograms)
                            .collect::<Vec<_>>()
                    );
                }
            }
        }
    }
}
