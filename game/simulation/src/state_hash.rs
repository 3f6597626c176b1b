//! Hashes of a simulation's state, for tests of determinism: equal states have equal hashes.

use std::sync::Arc;

use fracture_geometry::Mesh;
use xxhash_rust::xxh3::Xxh3;

use crate::pieces::Shape;
use crate::simulation::Simulation;
use crate::types::BodyId;

/// Hashes the state of all bodies; see [`Simulation::state_hash`].
pub(crate) fn of_state(simulation: &Simulation) -> u64 {
    let mut bodies: Vec<BodyId> = simulation
        .world
        .iter()
        .map(|e| BodyId(e.entity()))
        .collect();
    bodies.sort_unstable();
    let mut hash = StateHash::default();
    for body in bodies {
        hash.add(body.to_bits());
        hash.add(simulation.kind(body).map_or(0, |kind| kind as u64 + 1));
        let motion = simulation.motion(body).unwrap_or_default();
        hash.add_all(&motion.pose.translation.to_array());
        hash.add_all(&motion.pose.rotation.to_array());
        hash.add_all(&motion.linear.to_array());
        hash.add_all(&motion.angular.to_array());
        for spot in simulation.damaged_spots(body) {
            hash.add_all(&spot.point.to_array());
            hash.add_all(&[spot.radius, spot.damage]);
        }
    }
    hash.finish()
}

/// Hashes meshes under the given names; see [`Simulation::geometry_hash`].
pub(crate) fn of_shapes<'a>(shapes: impl Iterator<Item = (&'a str, Option<Arc<Shape>>)>) -> u64 {
    let mut hash = StateHash::default();
    for (name, shape) in shapes {
        hash.add_text(name);
        let solid = shape.as_ref().and_then(|shape| shape.solid().ok());
        if let Some(solid) = solid {
            hash.add_mesh(solid.mesh());
        }
    }
    hash.finish()
}

/// Hashes numbers by their bits.
#[derive(Default)]
struct StateHash(Xxh3);

impl StateHash {
    fn add(&mut self, value: u64) {
        self.0.update(&value.to_le_bytes());
    }

    fn add_all(&mut self, values: &[f32]) {
        for value in values {
            self.0.update(&value.to_bits().to_le_bytes());
        }
    }

    /// Adds a text and its length.
    fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    /// Adds all arrays of a mesh and their lengths.
    fn add_mesh(&mut self, mesh: &Mesh) {
        self.add_rows(&mesh.positions);
        self.add_rows(&mesh.normals);
        self.add_rows(&mesh.tangents);
        self.add_rows(&mesh.uvs);
        self.add_rows(&mesh.colors);
        for attribute in &mesh.attributes {
            self.add(u64::from(attribute.id));
            self.add(attribute.values.len() as u64);
            self.add_all(attribute.on_cuts.as_slice());
            self.add_all(&attribute.values);
        }
        self.add(mesh.triangles.len() as u64);
        let numbers = mesh.triangles.iter().flatten().chain(&mesh.surfaces);
        numbers.for_each(|number| self.add(u64::from(*number)));
    }

    fn add_rows<const N: usize>(&mut self, rows: &[[f32; N]]) {
        self.add(rows.len() as u64);
        rows.iter().for_each(|row| self.add_all(row));
    }

    fn finish(&self) -> u64 {
        self.0.digest()
    }
}
