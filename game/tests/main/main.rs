//! The behaviour that a game can rely on, tested on bare scenes: no engine, no window, no files.

mod allocations;
mod api;
mod attachments;
mod blades_and_pushes;
mod debris_view;
mod dense_meshes;
mod embedded_saves;
mod everyday;
mod external_bodies;
mod external_colliders;
mod faults;
mod impacts;
mod lifecycle;
mod masses;
mod messages;
mod names;
mod passing;
mod patterns;
mod previews;
mod reloading;
mod restore_intact;
mod saves;
mod scene_nodes;
mod shapes;
mod sizes;
mod world;
