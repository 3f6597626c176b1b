//! Blows of fast bodies on bodies that fly off with them: what is told agrees with the momentum that was passed on.

use crate::{
    impacts::wall,
    world::{cube_surface, placed, World},
};
use fracture::{conversion::write_surfaces, Destructible, Event};
use fracture_geometry::Mesh as SolidMesh;
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        collider::{
            Collider, ColliderBuilder, ColliderShape, ConvexPolyhedronShape, GeometrySource,
        },
        mesh::surface::SurfaceBuilder,
        node::Node,
        rigidbody::{RigidBody, RigidBodyBuilder, RigidBodyType},
    },
};

/// A box that lies on a floor or flies, and the ball that is thrown at it.
struct Blow {
    /// Metres.
    size: [f32; 3],
    is_convex_mesh: bool,
    /// Mass of the ball, kg.
    mass: f32,
    /// m/s
    velocity: [f32; 3],
    /// Place on the box that the ball is thrown at, in units of its half sides.
    at: [f32; 3],
}

impl Blow {
    /// A world with the box in it, and the ball on its way.
    fn world(&self, script: Destructible, floor: bool) -> (World, Handle<Node>) {
        let mut world = World::new();
        let size = Vector3::from(self.size);
        let half = 0.5 * size;
        let mut at = Vector3::new(0.0, 3.0, 0.0);
        if floor {
            world.floor();
            at.y = half.y;
        } else {
            let gravity = &mut world.scene.graph.physics.gravity;
            gravity.set_value_and_mark_modified(Vector3::zeros());
        }
        let surfaces = vec![cube_surface(Matrix4::new_nonuniform_scaling(&size), None)];
        let shape = ColliderShape::cuboid(half.x, half.y, half.z);
        let kind = RigidBodyType::Dynamic;
        let body = world.body("box", kind, at, surfaces, shape, Some(script));
        if self.is_convex_mesh {
            let graph = &mut world.scene.graph;
            let [mesh, collider] = graph.try_get_node(body).unwrap().children()[..] else {
                panic!("a mesh and a collider");
            };
            let collider: &mut Collider = graph.try_get_mut_of_type(collider).unwrap();
            collider.set_shape(ColliderShape::Polyhedron(ConvexPolyhedronShape {
                geometry_source: GeometrySource(mesh),
            }));
        }
        world.steps(30);
        let velocity = Vector3::from(self.velocity);
        let aim = at + Vector3::from(self.at).component_mul(&half);
        let from = aim - velocity.normalize() * (half.norm() + 0.2) - velocity / 17.0;
        world.ball(self.mass, from, velocity);
        (world, body)
    }
}

/// Mass of the collider of a ball, kg.
const BALL_COLLIDER: f32 = 0.0042;

const BLOWS: [Blow; 9] = [
    Blow {
        size: [0.29, 1.45, 0.29],
        is_convex_mesh: false,
        mass: 20.0,
        velocity: [0.0, 0.0, -56.0],
        at: [0.0, 0.1, 1.0],
    },
    Blow {
        size: [0.29, 1.45, 0.29],
        is_convex_mesh: true,
        mass: 20.0,
        velocity: [-12.0, -10.0, -54.0],
        at: [0.3, 0.6, 1.0],
    },
    Blow {
        size: [0.3, 0.036, 0.21],
        is_convex_mesh: false,
        mass: 600.0,
        velocity: [9.4, -15.7, -52.8],
        at: [0.1, 1.0, 0.1],
    },
    Blow {
        size: [0.18, 0.08, 0.18],
        is_convex_mesh: false,
        mass: 20.0,
        velocity: [-12.6, -15.2, -55.2],
        at: [0.2, 0.4, 0.9],
    },
    Blow {
        size: [0.12, 0.06, 0.12],
        is_convex_mesh: false,
        mass: 0.01,
        velocity: [-286.0, -21.0, -660.0],
        at: [0.1, 0.1, 0.1],
    },
    Blow {
        size: [1.0, 1.0, 1.0],
        is_convex_mesh: true,
        mass: 1.0,
        velocity: [0.0, 0.0, -120.0],
        at: [0.0, 0.0, 1.0],
    },
    Blow {
        size: [0.05, 0.8, 1.0],
        is_convex_mesh: false,
        mass: 3.0,
        velocity: [25.0, -3.0, 1.0],
        at: [-1.0, 0.3, 0.1],
    },
    Blow {
        size: [2.0, 0.4, 0.6],
        is_convex_mesh: true,
        mass: 200.0,
        velocity: [-18.0, -4.0, 7.0],
        at: [1.0, 0.5, 0.2],
    },
    Blow {
        size: [0.4, 0.3, 0.5],
        is_convex_mesh: false,
        mass: 5.0,
        velocity: [3.0, -35.0, 2.0],
        at: [0.1, 1.0, 0.0],
    },
];

/// The momentum that a box has got, N s, and the sum of the impulses that are told.
fn passed_on(blow: &Blow, floor: bool) -> [f32; 2] {
    let (mut world, body) = blow.world(wall(1e12), floor);
    let impulse = |event: &Event| match event {
        Event::BelowThreshold { impulse, .. } => Some(*impulse),
        _ => None,
    };
    let (mut told, mut most) = (0.0f32, 0.0f32);
    for _ in 0..15 {
        told += world.step().iter().filter_map(impulse).sum::<f32>();
        let body: &RigidBody = world.scene.graph.try_get_of_type(body).unwrap();
        most = most.max(body.mass() * body.lin_vel().norm());
    }
    [most, told]
}

#[test]
fn the_impulse_of_a_blow_is_what_the_struck_body_has_got() {
    for (index, blow) in BLOWS.iter().enumerate() {
        let [got, told] = passed_on(blow, false);
        assert!(got > 1.0, "{index}: {got} N s");
        // Friction is not told.
        assert!(
            told > 0.75 * got && told < 1.05 * got,
            "{index}: {told} N s are told of {got}"
        );
        let [got, told] = passed_on(blow, true);
        assert!(told > 0.5 * got, "on a floor, {index}: {told} N s of {got}");
    }
}

#[test]
fn a_hard_blow_breaks_what_flies_off_with_it() {
    for (index, blow) in BLOWS.iter().enumerate() {
        for floor in [false, true] {
            let (mut world, _) = blow.world(Destructible::default(), floor);
            let mass = f64::from(2400.0 * blow.size.iter().product::<f32>());
            let striker = f64::from(blow.mass + BALL_COLLIDER);
            let speed = f64::from(Vector3::from(blow.velocity).norm());
            let against_free = striker * mass / (mass + striker);
            let least = 0.1 * against_free * speed * speed;
            // The floor holds what is pressed onto it.
            let resisting = if floor { striker } else { against_free };
            let most = 0.51 * resisting * speed * speed;
            let energy = |event: &Event| match event {
                Event::Broken { name, energy, .. } if name == "box" => Some(f64::from(*energy)),
                _ => None,
            };
            let energies: Vec<_> = world.steps(15).iter().filter_map(energy).collect();
            let [energy] = energies[..] else {
                panic!("{index}, floor {floor}: {energies:?}");
            };
            assert!(
                energy > least && energy < most,
                "{index}, floor {floor}: {energy} of {most} J"
            );
        }
    }
}

/// Adds a bullet of 20 g and 6 mm.
fn bullet(world: &mut World, from: Vector3<f32>, velocity: Vector3<f32>) {
    let graph = &mut world.scene.graph;
    let collider = ColliderBuilder::new(BaseBuilder::new())
        .with_shape(ColliderShape::ball(0.006))
        .build(graph);
    let base = BaseBuilder::new()
        .with_local_transform(placed(from))
        .with_child(collider);
    RigidBodyBuilder::new(base)
        .with_mass(0.02)
        .with_lin_vel(velocity)
        .with_ccd_enabled(true)
        .build(graph);
}

#[test]
fn a_blow_on_a_collider_around_a_mesh_breaks_the_mesh() {
    let sphere = SolidMesh::sphere(0.5, 32, 16);
    let bowl = SolidMesh::bowl(0.5, 0.05, 24, 8);
    // Shots past the middle of the box, where the mesh is not right behind it.
    for (mesh, size, aim, velocity) in [
        (
            &sphere,
            3.5,
            [-0.2, 0.6],
            Vector3::new(-30.0, -40.0, -200.0),
        ),
        (&sphere, 3.5, [0.9, 0.9], Vector3::new(0.0, 0.0, -500.0)),
        (&sphere, 0.6, [0.7, -0.7], Vector3::new(0.0, 1.0, -160.0)),
        (&bowl, 2.0, [0.7, 0.3], Vector3::new(-20.0, 0.0, -300.0)),
    ] {
        let mut world = World::new();
        let mut mesh = mesh.clone();
        for point in &mut mesh.positions {
            *point = point.map(|x| size * x);
        }
        let [low, high] = [f32::min, f32::max].map(|pick: fn(f32, f32) -> f32| {
            let points = mesh.positions.iter().copied();
            Vector3::from(
                points
                    .reduce(|a, b| [0, 1, 2].map(|k| pick(a[k], b[k])))
                    .unwrap(),
            )
        });
        for point in &mut mesh.positions {
            *point = [0, 1, 2].map(|k| point[k] - 0.5 * (low[k] + high[k]));
        }
        let half = 0.5 * (high - low);
        let data = write_surfaces(&mesh).into_values().next().unwrap();
        let surfaces = vec![SurfaceBuilder::new(data).build()];
        let shape = ColliderShape::cuboid(half.x, half.y, half.z);
        let kind = RigidBodyType::Static;
        let script = Some(Destructible::default());
        world.body("object", kind, Vector3::zeros(), surfaces, shape, script);
        world.steps(3);
        let at = Vector3::new(aim[0] * half.x, aim[1] * half.y, half.z);
        let from = at - velocity.normalize() * 0.3 - velocity / 17.0;
        bullet(&mut world, from, velocity);
        let points = world.steps(15).into_iter().filter_map(|event| match event {
            Event::Broken {
                name,
                point,
                radius,
                ..
            } if name == "object" => Some((point, radius)),
            _ => None,
        });
        let [(point, radius)] = points.collect::<Vec<_>>()[..] else {
            panic!("{size} m at {aim:?}: {}", world.faults());
        };
        let distance = mesh
            .positions
            .iter()
            .map(|p| (Vector3::from(*p) - point).norm());
        let distance = distance.fold(f32::INFINITY, f32::min);
        // Cells reach past the radius.
        let reach = (0.12 * size).max(2.0 * radius);
        assert!(distance < reach, "{size} m: {distance}");
    }
}
