//! Free pieces and what they meet: colliders, the push of a hit, and a physics world of their own.

mod ahead;
mod birth;
mod blow;
mod blows;
mod collider;
mod colliders;
mod convex;
mod coupled;
mod coupling;
mod crater;
mod engagement;
mod extent;
mod groups;
mod guard;
mod hollow;
mod home;
mod hooks;
mod joint;
mod joints;
mod late_hull;
mod marked;
mod members;
mod moves;
mod passage;
mod polygon;
mod push;
mod queries;
mod rest;
mod rigid;
mod settled;
mod settling;
mod sheet;
mod stepping;
mod stillness;
mod surrounding;
mod tag;
mod targets;
mod watched;
mod world;

pub(crate) use collider::{
    debris_collider, fallen_collider, hulls_collider, static_collider, Built, HullCount,
};
pub(crate) use crater::Crater;
pub(crate) use home::Home;
pub(crate) use late_hull::LateHull;
pub(crate) use members::NewDebris;
pub(crate) use moves::Moved;
pub(crate) use push::{part_taken, Push};
pub(crate) use rigid::PushedPiece;
pub(crate) use sheet::thickened;
pub(crate) use stepping::{passes, Threads, LONGEST_FRAME, LONGEST_STEP};
pub(crate) use world::DebrisWorld;

pub use blow::DebrisCollision;
pub use colliders::Colliders;
pub use groups::CollisionGroups;
pub use joint::JointDesc;
pub use surrounding::{BodyDesc, BodyRef, BodyType, ColliderDesc, ExternalBody, MassDesc, RayHit};
