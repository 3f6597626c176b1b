//! What a simulation is in, as numbers that are the same when it is the same.

use crate::body::BodyId;
use crate::hash::StateHash;
use crate::simulation::Simulation;

impl Simulation {
    /// A hash over ids, kinds and the bits of poses and velocities of all bodies.
    pub fn state_hash(&self) -> u64 {
        let mut bodies: Vec<BodyId> = self.world.iter().map(|e| BodyId(e.entity())).collect();
        bodies.sort_unstable();
        let mut hash = StateHash::default();
        for body in bodies {
            hash.add(body.to_bits());
            hash.add(self.kind(body).map_or(0, |kind| kind as u64 + 1));
            let motion = self.motion(body).unwrap_or_default();
            hash.add_all(&motion.pose.translation.to_array());
            hash.add_all(&motion.pose.rotation.to_array());
            hash.add_all(&motion.linear.to_array());
            hash.add_all(&motion.angular.to_array());
        }
        hash.finish()
    }

    /// A hash over the meshes of some bodies under the given names, in the given order: every bit of
    /// positions, attributes, triangles and surfaces. Poses do not count. It waits for meshes that
    /// are still being prepared, so it is for tests.
    pub fn geometry_hash<'a>(&self, bodies: impl IntoIterator<Item = (&'a str, BodyId)>) -> u64 {
        let mut hash = StateHash::default();
        for (name, body) in bodies {
            hash.add_text(name);
            let shape = self.shape(body);
            let solid = shape.as_ref().and_then(|shape| shape.solid().ok());
            if let Some(solid) = solid {
                hash.add_mesh(solid.mesh());
            }
        }
        hash.finish()
    }
}
