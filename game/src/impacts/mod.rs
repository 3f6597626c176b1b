//! Impacts on objects: found in the engine's contacts, or requested by game code.

pub(crate) mod blasts;
mod ccd_impacts;
pub(crate) mod collect;
mod contact;
mod contact_impacts;
pub(crate) mod delivery;
mod first_steps;
pub(crate) mod impact;
pub(crate) mod kept_blast;
mod landings;
mod meeting;
pub(crate) mod queue;
mod resting;
pub(crate) mod scene_bodies;
mod separate_contacts;
pub(crate) mod targets;
mod touch;

use crate::object::ObjectId;
use ccd_impacts::BodyTracker;
use contact_impacts::{ContactHistory, ResidualImpulse};
use first_steps::FirstSteps;
use fracture_simulation::Push;
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::node::Node,
};
use kept_blast::KeptBlast;
use queue::ImpactQueue;
use std::collections::{BTreeMap, BTreeSet};

/// The impacts of a scene on their way to the simulation.
#[derive(Default)]
pub(crate) struct Impacts {
    /// Impacts for the next update.
    pub queue: ImpactQueue,
    /// Explosions that are to reach what was not known at their time.
    pub kept_blasts: Vec<KeptBlast>,
    /// Pushes of the engine's bodies that a step is to follow, with the points that are pushed, metres.
    pub pushes: Vec<(Handle<Node>, Vector3<f32>, Push)>,
    history: ContactHistory,
    pub bodies: BodyTracker,
    /// Bodies that may have passed through an object in their first step.
    pub first_steps: FirstSteps,
    /// Keys of the rigid bodies that break nothing, until the simulation is there to know them.
    pub harmless: BTreeSet<u64>,
    /// Impulses that strikers get back if the object that they struck breaks.
    pub residuals: BTreeMap<ObjectId, Vec<ResidualImpulse>>,
}
