//! The mass of an object: a dynamic rigid body gets that of its solid, or shares its own among the pieces. One that
//! cannot break keeps its own.
//!
//! So an object weighs before a break what its pieces weigh after it, and a collision with it has the outcome
//! that a collision with the pieces would have.

use crate::{
    fault::FaultLog,
    mirror::engine_bodies::dynamic_mass,
    object::{
        own_mass::OwnMass, solid_mass::SolidMass, LiveObject, Object, ObjectId, ObjectState,
        Objects,
    },
    script::enums::MassSource,
    swap,
};
use fracture_simulation::{BodyId, BreakFailure, Material, Simulation};
use fyrox::scene::graph::Graph;

const NO_MASS: &str =
    "its rigid body has no mass to share; give the body a Mass, or set Mass Source to From Density";

/// Gives the rigid body of an intact object the mass of its solid, which is ready now, or the object's
/// pieces that of the rigid body.
pub(crate) fn apply_mass_source(
    objects: &Objects,
    faults: &mut FaultLog,
    graph: &mut Graph,
    simulation: &mut Simulation,
    root: BodyId,
) {
    let Some((object, live)) = dynamic_object(objects, root) else {
        return;
    };
    if object.config.mass_source == MassSource::FromBody {
        return share_mass(objects, faults, graph, simulation, root);
    }
    if let Some(mass) = SolidMass::new(&live.shape, object.config.material().density) {
        swap::set_mass(graph, live.body, &mass);
    }
}

/// Gives the rigid body of an object that has just been found the mass of its colliders at the density of the
/// object, until that of its solid is known: it may strike something in the next step.
pub(crate) fn estimate_mass(objects: &mut Objects, graph: &mut Graph, id: ObjectId) {
    let Some(object) = objects.get_mut(id) else {
        return;
    };
    let density = object.config.material().density;
    let from_density = object.config.mass_source == MassSource::FromDensity;
    let ObjectState::Live(live) = &mut object.state else {
        return;
    };
    if live.dynamic && !live.broken && from_density {
        if let Some(mass) = SolidMass::of_colliders(graph, live.body, density) {
            live.own_mass = OwnMass::new(graph, live.body);
            swap::set_mass(graph, live.body, &mass);
        }
    }
}

/// Gives the rigid body of an object its own mass back if the object cannot be prepared for breaking: it stays as it
/// was.
pub(crate) fn keep_own_mass(
    objects: &mut Objects,
    graph: &mut Graph,
    root: BodyId,
    reason: &BreakFailure,
) {
    let is_of_preparing = matches!(
        reason,
        BreakFailure::Source(_) | BreakFailure::Pattern(_) | BreakFailure::Solid(_)
    );
    let object = objects.of_root(root).and_then(|id| objects.get_mut(id));
    if let Some(ObjectState::Live(live)) = object.map(|object| &mut object.state) {
        if let Some(own) = live.own_mass.take_if(|_| is_of_preparing && !live.broken) {
            swap::give_mass_back(graph, live.body, &own);
        }
    }
}

/// Gives the pieces of an intact object with [`MassSource::FromBody`] the density with which they weigh
/// together what its rigid body weighs, and that takes as much energy per mass to break as the script's. A break under way keeps the density of the script.
pub(crate) fn share_mass(
    objects: &Objects,
    faults: &mut FaultLog,
    graph: &Graph,
    simulation: &mut Simulation,
    root: BodyId,
) {
    let Some((object, live)) = dynamic_object(objects, root) else {
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
        faults.report(&object.name, NO_MASS);
    }
}

/// The object of an intact body that the engine's physics moves.
fn dynamic_object(objects: &Objects, root: BodyId) -> Option<(&Object, &LiveObject)> {
    let object = objects.get(objects.of_root(root)?)?;
    let live = object.live().filter(|live| live.dynamic && !live.broken);
    Some((object, live?))
}
