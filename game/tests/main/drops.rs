//! Objects that fall onto a floor.

use crate::world::{cube_surface, World};
use fracture::{conversion::write_surfaces, Destructible, Event};
use fracture_geometry::Mesh;
use fyrox::{
    core::algebra::{Matrix4, UnitQuaternion, Vector3},
    graph::SceneGraph,
    scene::{
        collider::ColliderShape,
        mesh::surface::{Surface, SurfaceBuilder},
        rigidbody::RigidBodyType,
    },
};

/// A model that falls: its surface, its collider, and how far its lowest point is below its origin, m.
pub type Model = (Surface, ColliderShape, f32);

pub type MakeModel = fn() -> Model;

pub fn block([x, y, z]: [f32; 3]) -> Model {
    let surface = cube_surface(
        Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
        None,
    );
    (
        surface,
        ColliderShape::cuboid(0.5 * x, 0.5 * y, 0.5 * z),
        0.5 * y,
    )
}

fn surface(mesh: &Mesh) -> Surface {
    let data = write_surfaces(mesh).into_values().next().unwrap();
    SurfaceBuilder::new(data).build()
}

/// A bowl of 30 cm, open at the top, with walls of 3 cm, in the middle of its box.
pub fn bowl() -> Model {
    let mut mesh = Mesh::bowl(0.15, 0.03, 24, 6);
    mesh.positions.iter_mut().for_each(|at| at[1] += 0.075);
    let shape = ColliderShape::cuboid(0.15, 0.075, 0.15);
    (surface(&mesh), shape, 0.075)
}

pub fn ball() -> Model {
    let mesh = Mesh::sphere(0.25, 32, 16);
    (surface(&mesh), ColliderShape::ball(0.25), 0.25)
}

/// Pieces and dust, and area of the cracks (m^2), of the first break of a drop from a height (m).
fn drop(model: MakeModel, turn: UnitQuaternion<f32>, height: f32) -> (usize, f32) {
    let mut world = World::new();
    world.floor();
    let (surface, shape, low) = model();
    let at = Vector3::new(0.0, low + height, 0.0);
    let kind = RigidBodyType::Dynamic;
    let script = Some(Destructible::default());
    let body = world.body("object", kind, at, vec![surface], shape, script);
    let node = world.scene.graph.try_get_node_mut(body).unwrap();
    node.local_transform_mut().set_rotation(turn);
    for _ in 0..120 {
        for event in world.step() {
            match event {
                Event::Broken {
                    pieces,
                    dust,
                    crack_area,
                    ..
                } => return (pieces.len() + dust, crack_area),
                // A weak blow leaves damage, and it is chance what strikes the place again.
                Event::BelowThreshold { .. } => return (1, 0.0),
                _ => {}
            }
        }
    }
    assert_eq!(world.faults(), "");
    (1, 0.0)
}

#[test]
fn a_drop_from_higher_breaks_no_less() {
    let models: [(&str, MakeModel); 6] = [
        ("cube", || block([0.5; 3])),
        ("bowl", bowl),
        ("ball", ball),
        ("statue", || block([0.4, 1.8, 0.3])),
        ("plate", || block([0.6, 0.1, 0.4])),
        ("brick", || block([0.24, 0.11, 0.12])),
    ];
    let turns = [
        ("flat", [0.0; 3]),
        ("tilted", [0.01, 0.0, 0.008]),
        ("edge", [0.5, 0.0, 0.0]),
        ("corner", [0.4, 0.3, 0.6]),
    ];
    for (name, model) in models {
        for (turn, [x, y, z]) in turns {
            let turned = UnitQuaternion::from_euler_angles(x, y, z);
            let mut last = (0, 0.0);
            for height in [1.0, 2.0, 3.0, 5.0, 8.0, 12.0] {
                let now = drop(model, turned, height);
                let of = format!("{name}, {turn}, {height} m: {last:?}, {now:?}");
                assert!(now.0 >= last.0 && now.1 >= 0.99 * last.1, "{of}");
                last = now;
            }
            assert!(last.0 > 1, "{name}, {turn}: nothing broke");
        }
    }
}
