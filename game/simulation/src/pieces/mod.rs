//! Breakable bodies and their pieces: what they are made of, and how pieces are built.

mod anchors;
mod body;
mod builder;
mod chunk;
mod chunked_mesh;
mod colliders;
pub(crate) mod components;
mod cut_history;
mod hook_context;
mod impulse;
mod lazy;
mod material;
mod parallel;
mod pattern_fit;
mod piece_hooks;
mod shape;

pub use anchors::{Anchor, Anchors};
pub use body::Body;
pub(crate) use builder::{BrokenPiece, Keep, PieceOptions};
pub(crate) use chunk::{triangle_mesh, ChunkName};
pub(crate) use chunked_mesh::{ChunkedMesh, ChunkedMeshParts, CollisionSpace};
pub use colliders::Colliders;
pub(crate) use colliders::{debris_collider, HullCount, LazyConvexHull, RemainderCollider};
pub(crate) use cut_history::{Cut, CutHistory, CutInheritance};
pub(crate) use hook_context::{HookContext, HookOutput, PieceOutput};
pub use impulse::absorbed_impulse;
pub(crate) use impulse::{fraction_absorbed, ImpulseDistribution, PushedPiece, Velocity};
pub use lazy::LazyPattern;
pub(crate) use lazy::{LazyHulls, LazyParts, Precompute};
pub use material::{DebrisLifetime, InteriorFaces, Material};
pub use pattern_fit::{BodyAxis, PatternAxes, PatternFit, PatternOrigin, PatternUnit};
pub(crate) use piece_hooks::ChunkHooks;
pub use piece_hooks::{Payload, PieceHooks, PieceInput, SharedPayload};
pub(crate) use shape::InheritedShapeData;
pub use shape::{OpenMeshPolicy, Shape};
