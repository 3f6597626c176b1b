//! What an embedding game can rely on, on bare scenes: no engine, no window, no files.

mod api;
mod blows;
mod bodies;
mod chunks;
mod coupling;
mod input;
mod looks;
mod messages;
mod patterns;
mod quiet;
mod reloading;
mod rubble;
mod saves;
mod shapes;
mod sketches;
mod stowing;
mod surroundings;
mod tools;
mod world;
