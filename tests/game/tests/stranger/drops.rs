//! Things of some materials that fall on the floor: flat, on an edge, on a corner and on end.

use crate::harness::{breaks, Form, Game, Thing};
use fracture::{Breaking, Destructible, Strength};
use fyrox::{
    core::algebra::{UnitQuaternion, Vector3},
    graph::SceneGraph,
    scene::rigidbody::RigidBodyType,
};

/// A box of a material, with the figures of its card.
struct Dropped {
    about: &'static str,
    /// Metres.
    size: [f32; 3],
    /// kg/m^3
    density: f32,
    /// J/m^3
    energy_per_volume: f64,
    /// Pa
    tensile_strength: f32,
    /// Heights from which it stays whole, and from which it breaks, metres.
    heights: [f32; 2],
}

fn cases() -> [Dropped; 7] {
    let case = |about, size, density, energy_per_volume, tensile_strength, heights| Dropped {
        about,
        size,
        density,
        energy_per_volume,
        tensile_strength,
        heights,
    };
    [
        case(
            "a pane of glass",
            [0.6, 0.004, 0.8],
            2500.0,
            14.5e3,
            13e6,
            [0.02, 1.5],
        ),
        case(
            "a pane of tempered glass",
            [0.5, 0.006, 0.8],
            2500.0,
            103e3,
            120e6,
            [0.5, 7.0],
        ),
        case(
            "a brick",
            [0.24, 0.07, 0.115],
            1900.0,
            8e3,
            6e6,
            [0.15, 1.0],
        ),
        case(
            "a slab of marble",
            [0.6, 0.03, 1.2],
            2700.0,
            50e3,
            7e6,
            [0.002, 3.0],
        ),
        case(
            "a block of concrete",
            [0.4, 0.4, 0.4],
            2400.0,
            20e3,
            2.9e6,
            [0.3, 2.0],
        ),
        case(
            "a beam of concrete",
            [0.2, 0.2, 1.0],
            2400.0,
            20e3,
            2.9e6,
            [0.02, 2.0],
        ),
        case(
            "a crate of oak",
            [0.6, 0.6, 0.6],
            740.0,
            90e3,
            30e6,
            [3.0, 30.0],
        ),
    ]
}

/// The ways in which they are turned: roll, pitch and yaw, radians.
const TURNS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [0.4, 0.0, 0.0],
    [0.5, 0.2, 0.3],
    [std::f32::consts::FRAC_PI_2, 0.0, 0.0],
];

/// Whether something breaks that falls from a height of its lowest point, turned.
fn is_broken(dropped: &Dropped, turn: [f32; 3], height: f32) -> bool {
    let [roll, pitch, yaw] = turn;
    let rotation = UnitQuaternion::from_euler_angles(roll, pitch, yaw);
    let half = 0.5 * Vector3::from(dropped.size);
    let reach = (rotation.to_rotation_matrix().matrix().abs() * half).y;
    let at = [0.0, height + reach, 0.0];
    let form = Form::Block(dropped.size);
    let mut thing = Thing::new("Thing", form, at, RigidBodyType::Dynamic);
    thing.script = Destructible {
        density: dropped.density.into(),
        breaking: Breaking {
            energy_per_volume: dropped.energy_per_volume.into(),
            ..Default::default()
        },
        strength: Strength {
            tensile_strength: dropped.tensile_strength.into(),
            ..Default::default()
        },
        ..Destructible::default()
    };
    let mut game = Game::new();
    let node = game.add(&thing);
    let graph = &mut game.scene().graph;
    let body = graph.try_get_node_mut(node).unwrap();
    body.local_transform_mut().set_rotation(rotation);
    let events = game.seconds(4.0);
    assert_eq!(game.faults(), "", "{}", dropped.about);
    breaks(&events)
}

#[test]
fn what_falls_breaks_from_the_same_height_however_it_is_turned() {
    for dropped in cases() {
        for turn in TURNS {
            let [holds, breaks] = dropped.heights;
            let about = dropped.about;
            assert!(
                !is_broken(&dropped, turn, holds),
                "{about}, {turn:?}, {holds} m"
            );
            assert!(
                is_broken(&dropped, turn, breaks),
                "{about}, {turn:?}, {breaks} m"
            );
        }
    }
}
