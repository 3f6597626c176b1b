//! Free pieces and what they meet: colliders, the push of a hit, and a physics world of their own.

mod bodies;
mod contact_events;
mod contact_offset;
mod contacts;
mod extent;
mod external;
mod freeze;
mod frozen;
mod groups;
mod handle_set;
mod hooks;
mod idle;
mod ignored_pairs;
mod joint;
mod joints;
mod moves;
mod non_solid;
mod physics_queries;
mod shadow;
mod sleep;
mod soft_ccd;
mod step;
mod tag;
mod targets;
mod tracked;
mod tunnelling;
mod world;

pub(crate) use bodies::NewDebris;
pub(crate) use moves::MovedPiece;
pub(crate) use step::{passes, Threads, LONGEST_FRAME, LONGEST_STEP};
pub(crate) use world::DebrisWorld;

pub use contact_events::DebrisCollision;
pub use external::{BodyDesc, BodyRef, BodyType, ColliderDesc, ExternalBody, MassDesc, RayHit};
pub use groups::CollisionGroups;
pub use joint::JointDesc;
