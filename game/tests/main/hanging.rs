//! Structures of loose blocks of which one is struck: ten seconds later nothing hangs in the air.

use crate::world::{loose, World, DT};
use fracture::{conversion::write_surfaces, Impact, Settings};
use fracture_geometry::Mesh as SolidMesh;
use fyrox::{
    core::algebra::{UnitQuaternion, Vector3},
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape, ConvexPolyhedronShape, GeometrySource},
        mesh::surface::SurfaceBuilder,
        rigidbody::RigidBodyType,
    },
};
use std::f32::consts::PI;

/// A structure, and the block of it that is struck at a point.
struct Structure {
    build: fn(&mut World),
    struck: &'static str,
    at: [f32; 3],
}

const STRUCTURES: [Structure; 10] = [
    Structure {
        build: table,
        struck: "leg 1",
        at: [0.86, 0.4, -0.4],
    },
    Structure {
        build: table,
        struck: "top",
        at: [0.1, 0.88, 0.1],
    },
    Structure {
        build: portal,
        struck: "left",
        at: [-1.0, 1.0, 0.2],
    },
    Structure {
        build: portal,
        struck: "lintel",
        at: [0.0, 2.3, 0.0],
    },
    Structure {
        build: doorframe,
        struck: "left",
        at: [-0.6, 1.2, 0.2],
    },
    Structure {
        build: stack,
        struck: "beam 2 a",
        at: [0.0, 0.75, -0.925],
    },
    Structure {
        build: storeys,
        struck: "post 0 l",
        at: [-0.8, 0.6, 0.15],
    },
    Structure {
        build: arch,
        struck: "stone 4",
        at: [0.0, 1.35, 0.0],
    },
    Structure {
        build: arch,
        struck: "stone 2",
        at: [-0.9, 0.75, 0.25],
    },
    Structure {
        build: arch,
        struck: "stone 0",
        at: [-1.15, 0.2, 0.25],
    },
];

fn block(world: &mut World, name: &str, at: [f32; 3], size: [f32; 3]) {
    let kind = RigidBodyType::Dynamic;
    world.block(name, kind, at.into(), size.into(), loose());
}

fn table(world: &mut World) {
    for (leg, [x, z]) in [[-0.8, -0.4], [0.8, -0.4], [-0.8, 0.4], [0.8, 0.4]]
        .into_iter()
        .enumerate()
    {
        block(world, &format!("leg {leg}"), [x, 0.4, z], [0.12, 0.8, 0.12]);
    }
    block(world, "top", [0.0, 0.84, 0.0], [1.9, 0.08, 1.1]);
    block(world, "vase", [0.5, 1.03, -0.2], [0.2, 0.3, 0.2]);
}

fn portal(world: &mut World) {
    for (name, x) in [("left", -1.0), ("right", 1.0)] {
        block(world, name, [x, 1.0, 0.0], [0.4, 2.0, 0.4]);
    }
    block(world, "lintel", [0.0, 2.15, 0.0], [2.6, 0.3, 0.4]);
}

fn doorframe(world: &mut World) {
    block(world, "sill", [0.0, 0.1, 0.0], [1.6, 0.2, 0.4]);
    for (name, x) in [("left", -0.6), ("right", 0.6)] {
        block(world, name, [x, 1.2, 0.0], [0.3, 2.0, 0.4]);
    }
    block(world, "head", [0.0, 2.35, 0.0], [1.6, 0.3, 0.4]);
    block(world, "load", [0.0, 2.7, 0.0], [1.2, 0.4, 0.4]);
}

/// Beams across each other, six layers of two.
fn stack(world: &mut World) {
    for layer in 0..6 {
        let y = 0.15 + 0.3 * layer as f32;
        for (name, at) in [("a", -0.8), ("b", 0.8)] {
            let name = format!("beam {layer} {name}");
            if layer % 2 == 0 {
                block(world, &name, [0.0, y, at], [2.4, 0.3, 0.25]);
            } else {
                block(world, &name, [at, y, 0.0], [0.25, 0.3, 2.4]);
            }
        }
    }
}

/// Three portals on each other.
fn storeys(world: &mut World) {
    for storey in 0..3 {
        let y = 1.25 * storey as f32;
        for (name, x) in [("l", -0.8), ("r", 0.8)] {
            let name = format!("post {storey} {name}");
            block(world, &name, [x, y + 0.5, 0.0], [0.3, 1.0, 0.3]);
        }
        let name = format!("plank {storey}");
        block(world, &name, [0.0, y + 1.125, 0.0], [2.0, 0.25, 0.4]);
    }
}

/// An arch of nine stones, of 1 m inside and 1.35 m outside.
fn arch(world: &mut World) {
    let step = PI / 9.0;
    for stone in 0..9 {
        let angle = (stone as f32 + 0.5) * step - 0.5 * PI;
        voussoir(world, &format!("stone {stone}"), angle, step);
    }
}

/// Adds a stone of an arch at an angle from its crown; it takes `step` of the arch.
fn voussoir(world: &mut World, name: &str, angle: f32, step: f32) {
    let middle = 1.175;
    let mut mesh = SolidMesh::cuboid([1.0; 3]);
    for position in &mut mesh.positions {
        let radius = middle + 0.35 * position[1];
        let (sin, cos) = (0.998 * step * position[0]).sin_cos();
        *position = [radius * sin, radius * cos - middle, 0.5 * position[2]];
    }
    let data = write_surfaces(&mesh).into_values().next().unwrap();
    let surfaces = vec![SurfaceBuilder::new(data).build()];
    let at = Vector3::new(angle.sin(), angle.cos(), 0.0) * middle;
    let (kind, shape) = (RigidBodyType::Dynamic, ColliderShape::ball(0.1));
    let body = world.body(name, kind, at, surfaces, shape, Some(loose()));
    let graph = &mut world.scene.graph;
    let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -angle);
    let node = graph.try_get_node_mut(body).unwrap();
    node.local_transform_mut().set_rotation(turn);
    let [mesh, collider] = node.children()[..] else {
        panic!("a mesh and a collider");
    };
    let collider: &mut Collider = graph.try_get_mut_of_type(collider).unwrap();
    collider.set_shape(ColliderShape::Polyhedron(ConvexPolyhedronShape {
        geometry_source: GeometrySource(mesh),
    }));
}

#[test]
fn nothing_hangs_when_a_block_of_a_structure_is_struck() {
    for (index, structure) in STRUCTURES.iter().enumerate() {
        let energy = [600.0, 3000.0, 15_000.0][index % 3];
        let mut world = World::with(Settings {
            wait_for_results: true,
            merge_after: f32::INFINITY,
            ..Settings::default()
        });
        world.floor();
        (structure.build)(&mut world);
        world.steps(30);
        assert_eq!(world.destruction.hanging(&world.scene), []);
        let (point, struck) = (Vector3::from(structure.at), structure.struck);
        let body = world.named(struck)[0];
        let center = **world.node(body).local_transform().position();
        let impact = Impact::new(point, point - center, energy);
        world.strike(struck, impact);
        assert_eq!(world.destruction.is_intact(struck), Some(false));
        world.steps((10.0 / DT) as usize);
        let hanging = world.destruction.hanging(&world.scene);
        assert!(hanging.is_empty(), "{struck}, {energy} J: {hanging:?}");
    }
}

#[test]
fn what_is_left_in_the_air_is_found() {
    let mut world = World::new();
    world.floor();
    block(&mut world, "low", [0.0, 0.2, 0.0], [0.5, 0.4, 0.5]);
    block(&mut world, "on it", [0.1, 0.55, 0.0], [0.4, 0.3, 0.4]);
    block(&mut world, "high", [2.0, 1.0, 0.0], [0.5, 0.4, 0.5]);
    block(&mut world, "on that", [2.1, 1.35, 0.0], [0.4, 0.3, 0.4]);
    world.ball(5.0, Vector3::new(-2.0, 1.0, 0.0), Vector3::zeros());
    world
        .scene
        .graph
        .physics
        .gravity
        .set_value_and_mark_modified(Vector3::new(0.0, -1e-6, 0.0));
    world.steps(3);
    let names = |world: &World| {
        let hanging = world.destruction.hanging(&world.scene).into_iter();
        hanging.map(|body| body.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&world), ["high", "on that", "ball"]);
    world
        .scene
        .graph
        .physics
        .gravity
        .set_value_and_mark_modified(Vector3::new(0.0, -9.81, 0.0));
    world.steps(240);
    assert_eq!(names(&world), [""; 0]);
}
