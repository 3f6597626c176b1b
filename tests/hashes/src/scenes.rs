//! The worlds: each has bodies, and what happens to them.

use fracture_simulation::external::{ExternalBody, JointDesc};
use fracture_simulation::geometry::{Mesh, Recipe};
use fracture_simulation::rapier3d::math::{Pose, Vector};
use fracture_simulation::rapier3d::prelude::{
    FixedJointBuilder, GenericJoint, RevoluteJointBuilder, RopeJointBuilder, SphericalJointBuilder,
    SpringJointBuilder,
};
use fracture_simulation::{Anchors, Body, BodyRef, Impact, Material, Motion, SharedShape};
use glam::{Quat, Vec3};

use crate::worlds::{at, body, body_of, member, turned, World};

/// Makes a world that has a number of worker threads.
type Make = fn(usize) -> World;

pub const ALL: [(&str, Make); 8] = [
    ("repeated hits", repeated_hits),
    ("materials", materials),
    ("shapes", shapes),
    ("joined wall", joined_wall),
    ("held wall", held_wall),
    ("joints", joints),
    ("blast and blade", blast_and_blade),
    ("heap and plough", heap_and_plough),
];

fn repeated_hits(threads: usize) -> World {
    let mut world = World::new(threads, 180, |world, frame| {
        if frame % 15 == 1 && frame < 70 {
            let points = [[0.0, 1.5, 0.0], [0.5, 1.6, 3.1], [3.1, 1.2, 0.0]];
            for (index, point) in points.into_iter().enumerate() {
                world.hit(world.bodies[index], point, 0.5);
            }
        }
    });
    world.add_ground();
    world.add(body(Mesh::cuboid([1.0; 3]), at([0.0, 1.0, 0.0])));
    world.add(body(Mesh::cuboid([4.0, 2.0, 0.2]), at([0.0, 1.1, 3.0])));
    world.add(body(Mesh::torus(0.6, 0.2, 32, 16), turned([2.5, 1.2, 0.0])));
    world
}

fn materials(threads: usize) -> World {
    let mut world = World::new(threads, 150, |world, frame| {
        world.hit_in_turn(frame, 3, [1.5, 2.9, 0.0], 0.4);
    });
    world.add_ground();
    let (falloff, jitter) = (1.0, 0.4);
    let recipes = [
        Recipe::Crater { cells: 50, jitter },
        Recipe::Radial {
            rings: 5,
            rays: 9,
            jitter,
        },
        Recipe::Splinters {
            cells: 50,
            falloff,
            aspect: 8.0,
        },
        Recipe::Fibres {
            cells: 50,
            falloff,
            aspect: 8.0,
        },
        Recipe::Bricks {
            rows: 6,
            size: [2.0, 1.0],
            offset: 0.5,
            jitter: 0.2,
        },
        Recipe::Planes { depth: 5, jitter },
    ];
    for (index, recipe) in recipes.into_iter().enumerate() {
        let mesh = Mesh::cuboid([1.0, 0.8, 0.3 + 0.1 * index as f32]);
        let mut body = body_of(recipe, mesh, at([1.5 * index as f32, 2.5, 0.0]));
        body.material.density = 500.0 + 900.0 * index as f32;
        body.contact.friction = Some(0.2 + 0.15 * index as f32);
        body.contact.restitution = Some(0.1 * index as f32);
        world.add(body);
    }
    world
}

/// Rubble falls on all shapes that an engine has.
fn shapes(threads: usize) -> World {
    let mut world = World::new(threads, 180, |world, frame| {
        world.hit_in_turn(frame, 2, [2.0, 3.4, 0.0], 1.0);
    });
    let torus = Mesh::torus(0.5, 0.2, 24, 12);
    let vertices = torus.positions.iter().map(|p| Vec3::from(*p)).collect();
    let trimesh = SharedShape::trimesh(vertices, torus.triangles);
    let bumps: Vec<Vec3> = (0..121)
        .map(|k| {
            let height = (k * 37 % 11) as f32 * 0.03;
            Vec3::new((k % 11) as f32 - 5.0, height, (k / 11) as f32 - 5.0)
        })
        .collect();
    let squares = (0..110u32).filter(|k| k % 11 < 10);
    let triangles = squares.flat_map(|k| [[k, k + 11, k + 1], [k + 1, k + 11, k + 12]]);
    let hills = SharedShape::trimesh(bumps, triangles.collect());
    world.add_fixed(1, hills.expect("hills"), [5.0, -0.3, 0.0]);
    world.add_fixed(2, SharedShape::halfspace(Vec3::Y), [0.0, -0.3, 0.0]);
    let shapes = [
        SharedShape::ball(0.4),
        SharedShape::capsule_y(0.3, 0.25),
        SharedShape::cylinder(0.3, 0.4),
        SharedShape::cone(0.5, 0.4),
        trimesh.expect("a ring"),
        SharedShape::round_cuboid(0.3, 0.2, 0.3, 0.05),
    ];
    for (index, shape) in shapes.into_iter().enumerate() {
        let x = 2.0 * index as f32;
        world.add_fixed(10 + index as u64, shape, [x + 0.1, 0.6, 0.05]);
        world.add(body(Mesh::sphere(0.45, 16, 10), at([x, 3.0, 0.0])));
    }
    world
}

/// A wall of blocks that comes down as one when its support is gone, and comes apart.
fn joined_wall(threads: usize) -> World {
    let mut world = World::new(threads, 180, |world, frame| {
        if frame == 24 {
            world.simulation.remove_external_body(2);
        }
    });
    world.add_ground();
    world.add_fixed(2, SharedShape::cuboid(2.0, 0.1, 0.5), [0.0, 1.9, 0.0]);
    for index in 0..20 {
        let (column, row) = (index % 5, index / 5);
        let place = [0.5 * column as f32 - 1.0, 2.2 + 0.4 * row as f32, 0.0];
        world.add(member(Mesh::cuboid([0.5, 0.4, 0.3]), at(place), 0.3e6));
    }
    world
}

/// A wall on its foot, and a cantilever, which weight and blows bring down.
fn held_wall(threads: usize) -> World {
    let mut world = World::new(threads, 180, |world, frame| {
        if frame % 20 == 1 && frame < 130 {
            let x = -1.5 + frame as f32 * 0.025;
            world.hit(world.bodies[0], [x, 0.5, 0.1], 0.45);
            world.hit(world.bodies[1], [1.0 - 0.1 * x, 3.15, 3.0], 0.25);
        }
    });
    world.add_ground();
    let held = |size: [f32; 3], place: [f32; 3], anchor: [Vec3; 2]| {
        let body = body(Mesh::cuboid(size), at(place));
        Body {
            anchors: Anchors::boxes(vec![anchor]),
            material: Material {
                tensile_strength: 1.0e6,
                ..body.material
            },
            ..body
        }
    };
    let foot = [Vec3::new(-2.0, -1.1, -0.2), Vec3::new(2.0, -0.95, 0.2)];
    world.add(held([4.0, 2.0, 0.2], [0.0, 1.0, 0.0], foot));
    let end = [Vec3::new(-1.6, -0.2, -0.2), Vec3::new(-1.4, 0.2, 0.2)];
    world.add(held([3.0, 0.3, 0.3], [0.0, 3.0, 3.0], end));
    world
}

/// Rubble falls on bodies of the host, free ones and such as hang on joints.
fn joints(threads: usize) -> World {
    let mut world = World::new(threads, 180, |world, frame| {
        world.hit_in_turn(frame, 10, [2.0, 4.4, 0.1], 1.0);
    });
    world.add_ground();
    let above = Vec3::Y * 0.8;
    let all: [GenericJoint; 5] = [
        SphericalJointBuilder::new()
            .local_anchor2(above)
            .build()
            .into(),
        RevoluteJointBuilder::new(Vector::Z)
            .local_anchor2(above)
            .limits([-0.7, 0.7])
            .build()
            .into(),
        RopeJointBuilder::new(0.9)
            .local_anchor2(Vec3::Y * 0.1)
            .build()
            .into(),
        SpringJointBuilder::new(0.8, 400.0, 10.0).build().into(),
        FixedJointBuilder::new()
            .local_frame2(Pose::from_translation(above))
            .build()
            .into(),
    ];
    for (index, joint) in all.into_iter().enumerate() {
        let (x, key) = (2.0 * index as f32, 10 + 10 * index as u64);
        world.add_fixed(key, SharedShape::ball(0.01), [x, 2.6, 0.0]);
        let plate = SharedShape::cuboid(0.4, 0.1, 0.4);
        world.add_dynamic(key + 1, plate, at([x, 1.8, 0.0]), 30.0);
        let bodies = [key, key + 1].map(BodyRef::External);
        world.simulation.set_joint(key, JointDesc { bodies, joint });
        let crate_ = SharedShape::cuboid(0.25, 0.25, 0.25);
        world.add_dynamic(key + 2, crate_, at([x + 0.3, 0.3, 0.2]), 20.0);
        world.add(body(Mesh::cuboid([0.8, 0.6, 0.7]), turned([x, 4.0, 0.1])));
    }
    world
}

fn blast_and_blade(threads: usize) -> World {
    let mut world = World::new(threads, 150, |world, frame| {
        if frame == 3 {
            let point = Vec3::new(0.0, 0.5, 0.0);
            let _ = world.simulation.impact(Impact::blade(
                world.bodies[0],
                point,
                Vec3::new(0.3, 1.0, 0.2).normalize(),
            ));
        }
        if frame == 30 {
            let loads = world.simulation.blast(Vec3::new(0.1, 0.3, 1.2), 4.0, 4e5);
            for load in loads {
                if let BodyRef::Breakable(body) = load.body {
                    let hit = Impact::new(body, load.point, load.normal, load.impulse, load.energy);
                    let _ = world.simulation.impact(hit);
                }
            }
        }
    });
    world.add_ground();
    for index in 0..9 {
        let (x, z) = ((index % 3) as f32 * 1.4, (index / 3) as f32 * 1.4);
        world.add(body(
            Mesh::cuboid([0.7, 1.0, 0.6]),
            at([x - 1.4, 0.5, z - 1.4]),
        ));
    }
    world
}

/// A heap that comes to rest, is frozen, and is ploughed by a body that turns.
fn heap_and_plough(threads: usize) -> World {
    let mut world = World::new(threads, 480, |world, frame| {
        if frame < 40 && frame % 8 == 1 {
            let index = frame / 8;
            let y = 1.4 + 1.2 * index as f32;
            world.hit(world.bodies[index], [0.1, y, 0.0], 1.0);
        }
        if frame > 330 {
            let turn = 0.02 * (frame - 330) as f32;
            let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
            let place = Vec3::new(-3.0 + 2.0 * turn, 0.4, 0.0);
            let motion = Motion {
                linear: Vec3::X * 2.4,
                ..Motion::at(Pose::from_parts(place, rotation))
            };
            world.simulation.set_external_motion(5, motion);
        }
    });
    world.add_ground();
    let plough = ExternalBody::kinematic(SharedShape::cuboid(0.1, 0.4, 1.0), at([-3.0, 0.4, 0.0]));
    let added = world.simulation.set_external_body(5, plough);
    added.expect("a plough");
    for index in 0..5 {
        let place = [0.1 * index as f32, 1.0 + 1.2 * index as f32, 0.0];
        world.add(body(Mesh::cuboid([0.9, 0.8, 0.7]), turned(place)));
    }
    world
}
