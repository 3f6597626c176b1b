//! Blows of more and more energy on objects with the script as it comes: none breaks less than a weaker one.

use crate::{
    drops::{ball, block, bowl, MakeModel},
    world::World,
};
use fracture::{Destructible, Event, Impact};
use fyrox::{core::algebra::Vector3, scene::rigidbody::RigidBodyType};

/// Joules.
const ENERGIES: [f32; 10] = [250.0, 400.0, 1e3, 2.5e3, 6e3, 16e3, 64e3, 1.5e5, 4e5, 1e6];

/// Pieces and dust, and area of the cracks (m^2), of what an impact breaks.
fn break_by(
    world: &mut World,
    point: Vector3<f32>,
    normal: Vector3<f32>,
    energy: f32,
) -> (usize, f32) {
    let impact = Impact::new(point, normal, energy);
    let events = world.strike("object", impact);
    let (mut count, mut area) = (0, 0.0);
    for event in events {
        if let Event::Broken {
            pieces,
            dust,
            crack_area,
            ..
        } = event
        {
            count += pieces.len() + dust;
            area += crack_area;
        }
    }
    (count, area)
}

fn object(model: MakeModel, kind: RigidBodyType) -> World {
    let mut world = World::new();
    let (surface, shape, _) = model();
    let script = Some(Destructible::default());
    world.body(
        "object",
        kind,
        Vector3::zeros(),
        vec![surface],
        shape,
        script,
    );
    world.steps(2);
    world
}

fn assert_no_less(of: &str, outcome: impl Fn(f32) -> (usize, f32)) {
    let mut last = (0, 0.0);
    for energy in ENERGIES {
        let now = outcome(energy);
        let told = format!("{of}, {energy} J: {last:?}, {now:?}");
        assert!(now.0 >= last.0 && now.1 >= 0.99 * last.1, "{told}");
        last = now;
    }
    assert!(last.0 > 20, "{of}: {last:?}");
}

#[test]
fn a_harder_blow_on_an_object_breaks_no_less() {
    let models: [(&str, MakeModel, [f32; 3], [f32; 3]); 4] = [
        ("ball", ball, [0.0, 0.25, 0.0], [0.0, 1.0, 0.0]),
        (
            "ball from aside",
            ball,
            [0.15, 0.1, 0.173],
            [0.6, 0.4, 0.69],
        ),
        ("bowl", bowl, [0.0, -0.075, 0.0], [0.0, -1.0, 0.0]),
        (
            "statue",
            || block([0.4, 1.8, 0.3]),
            [0.05, 0.5, 0.15],
            [0.0, 0.0, 1.0],
        ),
    ];
    for (name, model, point, normal) in models {
        for kind in [RigidBodyType::Dynamic, RigidBodyType::Static] {
            assert_no_less(&format!("{name}, {kind:?}"), |energy| {
                break_by(
                    &mut object(model, kind),
                    point.into(),
                    normal.into(),
                    energy,
                )
            });
        }
    }
}

#[test]
fn a_harder_blow_on_what_is_left_of_an_object_breaks_no_less() {
    let wall: MakeModel = || block([3.0, 2.2, 0.25]);
    for [first, second] in [
        [[0.0, 0.2], [0.4, -0.1]],
        [[0.7, 0.4], [-0.6, -0.2]],
        [[-0.2, -0.3], [0.3, 0.5]],
    ] {
        assert_no_less(&format!("{second:?}"), |energy| {
            let mut world = object(wall, RigidBodyType::Static);
            let at = |[x, y]: [f32; 2]| Vector3::new(x, y, 0.125);
            let (pieces, _) = break_by(&mut world, at(first), Vector3::z(), 1.5e3);
            assert!(pieces > 3, "the first blow breaks nothing");
            break_by(&mut world, at(second), Vector3::z(), energy)
        });
    }
}
