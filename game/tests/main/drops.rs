//! Objects that fall onto a floor.

use crate::world::{cube_surface, World};
use fracture::{conversion::write_surfaces, Destructible, Event};
use fracture_geometry::Mesh;
use fyrox::{
    core::algebra::{Matrix4, Vector3},
    scene::{
        collider::ColliderShape,
        mesh::surface::{Surface, SurfaceBuilder},
        rigidbody::RigidBodyType,
    },
};

/// A model that falls: its surface, its collider, and how far its lowest point is below its origin, m.
type Model = (Surface, ColliderShape, f32);

type MakeModel = fn() -> Model;

fn block([x, y, z]: [f32; 3]) -> Model {
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

/// A bowl of 30 cm, open at the top, with walls of 3 cm, in the middle of its box.
fn bowl() -> Model {
    let mut mesh = Mesh::bowl(0.15, 0.03, 24, 6);
    mesh.positions.iter_mut().for_each(|at| at[1] += 0.075);
    let data = write_surfaces(&mesh).into_values().next().unwrap();
    let surface = SurfaceBuilder::new(data).build();
    (surface, ColliderShape::cylinder(0.075, 0.15), 0.075)
}

/// Share of the area of cracks that a drop from higher may miss: a faster object is deeper in the floor when the
/// engine finds their contact, at a place of the object some centimetres away.
const OTHER_PLACE: f32 = 0.05;

/// Pieces and dust, and area of the cracks (m^2), of the first break and of all, of a drop from a height (m).
fn drop(model: fn() -> Model, height: f32) -> [(usize, f32); 2] {
    let mut world = World::new();
    world.floor();
    let (surface, shape, low) = model();
    let at = Vector3::new(0.0, low + height, 0.0);
    let kind = RigidBodyType::Dynamic;
    let script = Some(Destructible::default());
    world.body("object", kind, at, vec![surface], shape, script);
    let mut breaks = Vec::new();
    for event in world.steps(120) {
        if let Event::Broken {
            pieces,
            dust,
            crack_area,
            ..
        } = event
        {
            breaks.push((pieces.len() + dust, crack_area));
        }
    }
    assert_eq!(world.faults(), "");
    let first = *breaks.first().expect("nothing broke");
    let all = breaks.into_iter();
    // A piece that breaks is none any more.
    let all = all.fold((1, 0.0), |sum, (pieces, area)| {
        (sum.0 + pieces - 1, sum.1 + area)
    });
    [first, all]
}

#[test]
fn a_drop_from_higher_breaks_no_less() {
    let models: [(&str, MakeModel); 3] = [
        ("cube", || block([0.5; 3])),
        ("bowl", bowl),
        ("statue", || block([0.4, 1.8, 0.3])),
    ];
    for (name, model) in models {
        let [low, high] = [2.0, 5.0].map(|height| drop(model, height));
        for (low, high) in low.into_iter().zip(high) {
            let of = format!("{name}: {low:?}, {high:?}");
            assert!(
                high.0 >= low.0 && high.1 >= (1.0 - OTHER_PLACE) * low.1,
                "{of}"
            );
        }
    }
}
