//! The debris' own physics world: free pieces, proxies of the bodies that the engine moves, and external
//! bodies.

mod bodies;
mod contact_forces;
mod contact_offset;
mod contact_reports;
mod contacts;
mod energy_bound;
mod exchange;
mod external;
mod freeze;
mod hooks;
mod idle;
mod joints;
mod landing_contacts;
mod landings;
mod lazy_hull;
mod moves;
mod passages;
mod physics;
mod physics_queries;
mod released;
mod shadow;
mod sleep;
mod step;
mod support;
mod targets;
mod tunnelling;
mod user_data;
mod weld_joints;
mod weld_strength;
mod welds;
mod world;

pub(crate) use bodies::{PieceDesc, PieceFigures};
pub(crate) use contact_forces::Pressing;
pub(crate) use landings::{Landing, Landings};
pub(crate) use lazy_hull::LazyConvexHull;
pub(crate) use moves::MovedPiece;
pub(crate) use step::{time_passes, Threads, MAX_FRAME, MAX_SUBSTEP};
pub(crate) use world::DebrisWorld;

pub use contact_forces::ContactForce;
pub use contacts::DebrisCollision;
pub use external::{
    AdditionalInertia, BodyDesc, BodyRef, BodyType, ColliderDesc, CollisionGroups,
    ContactProperties, ExternalBody, MassDesc, RayHit,
};
pub use joints::JointDesc;
pub use landings::{LandingContact, LandingContacts, LandingStep};
pub use passages::BrokenWay;
pub use welds::WeldEnd;
