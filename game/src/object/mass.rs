//! The mass of an object: a dynamic rigid body gets that of its solid, or shares its own among the pieces.
//!
//! So an object weighs before a break what its pieces weigh after it, and a collision with it has the outcome
//! that a collision with the pieces would have.

use crate::{
    destruction::Destruction,
    mirror::engine_bodies::dynamic_mass,
    object::{LiveObject, Object},
    script::enums::MassSource,
    swap,
};
use fracture_simulation::{
    external::{AdditionalInertia, BodyDesc, BodyType},
    BodyId, Material, Shape, Simulation,
};
use fyrox::scene::graph::Graph;

const NO_MASS: &str =
    "its rigid body has no mass to share; give the body a Mass, or set Mass Source to From Density";

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
        let is_finite = inertia.center.is_finite() && inertia.principal.is_finite();
        let is_valid = kilograms > 0.0 && kilograms.is_finite() && is_finite;
        is_valid.then_some(Self {
            kilograms,
            volume: mass.volume as f32,
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

impl Destruction {
    /// Gives the rigid body of an intact object the mass of its solid, which is ready now, or the object's
    /// pieces that of the rigid body.
    pub(crate) fn apply_mass_source(
        &mut self,
        graph: &mut Graph,
        simulation: &mut Simulation,
        root: BodyId,
    ) {
        let Some((object, live)) = self.dynamic_object(root) else {
            return;
        };
        if object.config.mass_source == MassSource::FromBody {
            return self.share_mass(graph, simulation, root);
        }
        if let Some(mass) = SolidMass::new(&live.shape, object.config.material().density) {
            swap::set_mass(graph, live.body, &mass);
        }
    }

    /// Gives the pieces of an intact object with [`MassSource::FromBody`] the density with which they weigh
    /// together what its rigid body weighs, and that takes as much energy per mass to break as the script's. A break under way keeps the density of the script.
    pub(crate) fn share_mass(&mut self, graph: &Graph, simulation: &mut Simulation, root: BodyId) {
        let Some((object, live)) = self.dynamic_object(root) else {
            return;
        };
        let shares = object.config.mass_source == MassSource::FromBody;
        if !shares || simulation.is_breaking(root) {
            return;
        }
        let Some(unit) = SolidMass::new(&live.shape, 1.0) else {
            return; // the object cannot break, which is reported by the worker
        };
        let own = dynamic_mass(graph, live.body).unwrap_or_default();
        let typed = object.config.material();
        let density = own / unit.kilograms;
        let material = Material {
            density,
            // A kilogram takes as much energy to break as the script says, so the same speeds break the object.
            volume_per_energy: typed.volume_per_energy * (typed.density / density),
            ..typed
        };
        if simulation.set_material(root, material).is_err() {
            let name = object.name.clone();
            self.faults.report(&name, NO_MASS);
        }
    }

    /// The object of an intact body that the engine's physics moves.
    fn dynamic_object(&self, root: BodyId) -> Option<(&Object, &LiveObject)> {
        let object = self.objects.get(self.objects.of_root(root)?)?;
        let live = object.live().filter(|live| live.dynamic && !live.broken);
        Some((object, live?))
    }
}
