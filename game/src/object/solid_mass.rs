//! Mass and inertia of an object's solid.

use crate::mirror::engine_bodies::mass_of_colliders;
use fracture_simulation::{
    external::{AdditionalInertia, BodyDesc, BodyType},
    geometry::glam::Vec3,
    Shape,
};
use fyrox::{
    core::pool::Handle,
    scene::{graph::Graph, node::Node},
};

/// Mass and inertia of a solid, body space.
///
/// Products of inertia are left out, because the engine has no place for them: a body that is turned against
/// its axes of symmetry spins as if it were symmetrical.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SolidMass {
    /// kg, above 0.
    pub kilograms: f32,
    /// m^3.
    pub volume: f32,
    /// Centre of mass, and moments of inertia about the axes of the body.
    pub inertia: AdditionalInertia,
}

impl SolidMass {
    /// Computes the mass of a shape with a density in kg/m^3. `None` for a shape without a solid, and when
    /// the mass is no number above zero.
    ///
    /// Prepares the solid, unless that has been done: up to a microsecond a triangle.
    pub fn new(shape: &Shape, density: f32) -> Option<Self> {
        let mass = shape.solid().ok()?.mass();
        let inertia = mass.inertia(density.into());
        let principal = [inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z];
        let kilograms = (mass.volume * f64::from(density)) as f32;
        let inertia = AdditionalInertia {
            center: mass.center.as_vec3(),
            principal: principal.map(|moment| moment.max(0.0) as f32).into(),
        };
        let volume = mass.volume as f32;
        Self::valid(kilograms, volume, inertia)
    }

    /// The mass of the colliders of a body if they were filled with a density in kg/m^3: an estimate in a time
    /// that does not grow with meshes. `None` without colliders, and when the mass is no number above zero.
    pub fn of_colliders(graph: &Graph, body: Handle<Node>, density: f32) -> Option<Self> {
        let mass = mass_of_colliders(graph, body, density);
        let inertia = mass.reconstruct_inertia_matrix();
        let inertia = AdditionalInertia {
            center: mass.local_com,
            principal: Vec3::new(inertia.x_axis.x, inertia.y_axis.y, inertia.z_axis.z),
        };
        Self::valid(mass.mass(), mass.mass() / density, inertia)
    }

    fn valid(kilograms: f32, volume: f32, inertia: AdditionalInertia) -> Option<Self> {
        let is_finite = inertia.center.is_finite() && inertia.principal.is_finite();
        let is_valid = kilograms > 0.0 && kilograms.is_finite() && is_finite;
        is_valid.then_some(Self {
            kilograms,
            volume,
            inertia,
        })
    }

    /// Gives the mirror of a dynamic body this mass in place of its own.
    pub fn replace_in(&self, desc: &mut BodyDesc) {
        if let BodyType::Dynamic(mass) = &mut desc.body_type {
            mass.additional_mass = self.kilograms;
            mass.additional_inertia = Some(self.inertia);
            for collider in &mut desc.colliders {
                collider.density = 0.0;
            }
        }
    }
}
