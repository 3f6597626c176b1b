//! Worlds in which pieces fall, collide, rest, break again, hang together and meet bodies of the host.

use std::collections::BTreeMap;

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe};
use fracture_simulation::pattern::LazyPattern;
use fracture_simulation::{
    Anchors, Body, BodyId, BodyRef, Impact, Material, Motion, Pose, Settings, Shape, SharedShape,
    Simulation,
};
use glam::{Quat, Vec3};
use xxhash_rust::xxh3::Xxh3;

use crate::scenes;

const DT: f32 = 1.0 / 60.0;

/// The function that is called before each frame, with its number.
type Act = fn(&mut World, usize);

/// A simulation, and the bodies of its host that move.
pub struct World {
    pub simulation: Simulation,
    pub bodies: Vec<BodyId>,
    pub frames: usize,
    pub act: Act,
    /// Dynamic bodies, which fall and take what debris does to them.
    dynamic: BTreeMap<u64, Motion>,
}

impl World {
    pub fn new(threads: usize, frames: usize, act: Act) -> Self {
        let settings = Settings {
            threads,
            wait_for_results: true,
            freeze_after: 0.3,
            ..Settings::default()
        };
        Self::with_settings(settings, frames, act)
    }

    pub fn with_settings(settings: Settings, frames: usize, act: Act) -> Self {
        let simulation = Simulation::new(settings).expect("a simulation");
        Self {
            simulation,
            bodies: Vec::new(),
            frames,
            act,
            dynamic: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, body: Body) -> BodyId {
        let body = self.simulation.add(body).expect("a body");
        self.bodies.push(body);
        body
    }

    /// Adds a body of the host that does not move.
    pub fn add_fixed(&mut self, key: u64, shape: SharedShape, place: [f32; 3]) {
        let fixed = ExternalBody::fixed(shape, at(place));
        let added = self.simulation.set_external_body(key, fixed);
        added.expect("a fixed body");
    }

    pub fn add_ground(&mut self) {
        self.add_fixed(1, SharedShape::cuboid(30.0, 0.5, 30.0), [0.0, -0.5, 0.0]);
    }

    pub fn add_dynamic(&mut self, key: u64, shape: SharedShape, motion: Motion, mass: f32) {
        self.dynamic.insert(key, motion);
        let dynamic = ExternalBody::dynamic(shape, motion, mass);
        let added = self.simulation.set_external_body(key, dynamic);
        added.expect("a dynamic body");
    }

    /// Hits a body from above, hard enough to break it.
    pub fn hit(&mut self, body: BodyId, point: [f32; 3], radius: f32) {
        let impulse = Vec3::new(5.0, -60.0, 3.0);
        let mut hit = Impact::new(body, point.into(), Vec3::Y, impulse, 1500.0);
        hit.radius = Some(radius);
        // A body that is gone cannot be hit.
        let _ = self.simulation.impact(hit);
    }

    /// Hits one body after the other, so many frames apart; they stand in a row along x with a distance, and are hit at a
    /// height and a depth.
    pub fn hit_in_turn(&mut self, frame: usize, apart: usize, row: [f32; 3], radius: f32) {
        let [distance, y, z] = row;
        for index in 0..self.bodies.len() {
            if frame == 1 + apart * index {
                self.hit(self.bodies[index], [distance * index as f32, y, z], radius);
            }
        }
    }

    fn move_dynamic(&mut self) {
        for (key, motion) in &mut self.dynamic {
            motion.linear.y -= 9.81 * DT;
            motion.pose.translation += motion.linear * DT;
            self.simulation.set_external_motion(*key, *motion);
        }
    }

    pub fn step(&mut self, hasher: &mut Xxh3) {
        self.move_dynamic();
        self.simulation.step(DT);
        self.simulation.drain_events().for_each(drop);
        for (body, motion) in self.simulation.corrected_motions() {
            if let BodyRef::External(key) = body {
                self.dynamic.insert(key, motion);
            }
        }
        hasher.update(&self.simulation.state_hash().to_le_bytes());
        for motion in self.dynamic.values() {
            let Pose {
                translation,
                rotation,
            } = motion.pose;
            let numbers = translation.to_array().into_iter();
            for number in numbers.chain(rotation.to_array()) {
                hasher.update(&number.to_bits().to_le_bytes());
            }
        }
    }
}

/// Tells the hashes of every so many frames, a line each: that of a frame holds those of all frames before it.
pub fn tell_lines(threads: usize, every: usize, tell: &mut dyn FnMut(&str)) {
    for (name, make) in scenes::ALL {
        let mut world = make(threads);
        let mut hasher = Xxh3::new();
        for frame in 1..=world.frames {
            (world.act)(&mut world, frame);
            world.step(&mut hasher);
            if frame % every == 0 {
                tell(&format!("{name} {frame}: {:016x}", hasher.digest()));
            }
        }
        let counts = world.simulation.statistics();
        tell(&format!(
            "{name}: {} breaks, {} pieces, {} of them frozen, {} collapses",
            counts.breaks, counts.debris, counts.frozen, counts.collapses
        ));
    }
}

pub fn at(place: [f32; 3]) -> Motion {
    Motion::at(Pose::from_translation(place.into()))
}

/// At a place, turned.
pub fn turned(place: [f32; 3]) -> Motion {
    let rotation = Quat::from_xyzw(0.2, -0.3, 0.1, 0.9).normalize();
    Motion::at(Pose::from_parts(place.into(), rotation))
}

pub fn body(mesh: Mesh, motion: Motion) -> Body {
    let recipe = Recipe::Clustered {
        cells: 32,
        falloff: 1.0,
    };
    body_of(recipe, mesh, motion)
}

/// A body whose pieces break again where they fall hard.
pub fn body_of(recipe: Recipe, mesh: Mesh, motion: Motion) -> Body {
    let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, 5));
    Body {
        material: Material {
            damage_threshold: Some(20.0),
            min_radius: 0.2,
            max_radius: 0.7,
            threshold_factor: 2.0,
            ..Material::default()
        },
        motion,
        ..Body::new(Shape::new(mesh), pattern)
    }
}

/// A body that touch holds, of a strength in Pa, with mortar as strong.
pub fn member(mesh: Mesh, motion: Motion, strength: f32) -> Body {
    let body = body(mesh, motion);
    Body {
        anchors: Anchors::Touching {
            gap: 0.005,
            bond_strength: 1.0,
        },
        material: Material {
            tensile_strength: strength,
            max_depth: 12,
            threshold_factor: 1e6,
            ..body.material
        },
        ..body
    }
}
