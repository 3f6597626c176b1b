//! The simulation as the embedding layer uses it.

mod anchors;
mod calm;
mod chaos;
mod chunks;
mod collapses;
mod colliders;
mod collisions;
mod coupling;
mod cut_faces;
mod determinism;
mod engine;
mod failures;
mod frames;
mod lasting;
mod lifespan;
mod limits;
mod meshes;
mod motion;
mod open;
mod overlap;
mod pasts;
mod repeated;
mod settled;
mod setup;
mod surroundings;
mod weight;
