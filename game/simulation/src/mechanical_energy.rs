//! Mechanical energy of all bodies, for tests: only impacts and the host's bodies may raise it.

use fracture_geometry::MassProperties;
use glam::{DMat3, Vec3};

use crate::pieces::components::{Breakable, PieceBuild};
use crate::types::Motion;

/// Sums the energy of all bodies, J; see [`Simulation::mechanical_energy`](crate::Simulation::mechanical_energy).
pub(crate) fn sum(world: &hecs::World, gravity: Vec3) -> f64 {
    let mut query = world.query::<(hecs::Entity, &Breakable, &Motion, Option<&PieceBuild>)>();
    let energy = |(_, breakable, motion, build): (_, &Breakable, &Motion, Option<&PieceBuild>)| {
        let solid = || Some(*breakable.shape.solid().ok()?.mass());
        let mass = build.map(|build| build.mass).or_else(solid)?;
        let density = f64::from(breakable.asset.material.density);
        let center = motion
            .pose
            .transform_point(mass.center.as_vec3())
            .as_dvec3();
        let height = -gravity.as_dvec3().dot(center);
        Some(kinetic_energy(&mass, density, motion) + mass.volume * density * height)
    };
    let energies: Vec<f64> = query.iter().filter_map(energy).collect();
    energies.iter().sum()
}

/// The kinetic energy of a body of some density (kg/m^3) that moves, J.
pub(crate) fn kinetic_energy(mass: &MassProperties, density: f64, motion: &Motion) -> f64 {
    let turn = DMat3::from_quat(motion.pose.rotation.as_dquat());
    let spin = turn.transpose() * motion.angular.as_dvec3();
    let linear = mass.volume * density * motion.linear.as_dvec3().length_squared();
    0.5 * (linear + spin.dot(mass.inertia(density) * spin))
}
