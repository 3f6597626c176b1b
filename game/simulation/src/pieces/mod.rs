//! Breakable bodies and their pieces: what they are made of, and how pieces are built.

mod anchoring;
mod anchors;
mod bequest;
mod body;
mod builder;
mod chunk;
mod chunked_mesh;
mod colliders;
pub(crate) mod components;
mod hook_context;
mod impulse;
mod interior_faces;
mod lazy;
mod lazy_pattern;
mod lifetime;
mod material;
mod open_mesh;
mod parallel;
mod pattern_fit;
mod piece_hooks;
mod pool;
mod rigid;
mod shape;
mod stock;
mod trees;

pub use anchors::{Anchor, Anchors};
pub(crate) use bequest::CutInheritance;
pub use body::{Body, BodyId, BodyKind, Motion};
pub(crate) use builder::{BrokenPiece, Keep, PieceOptions};
pub(crate) use chunk::{tree, ChunkName};
pub(crate) use chunked_mesh::{ChunkedMesh, ChunkedMeshParts, CollisionSpace};
pub use colliders::Colliders;
pub(crate) use colliders::{
    debris_collider, fallen_collider, hulls_collider, static_collider, thickened, BuiltCollider,
    HullCount, LazyConvexHull, RemainderCollider,
};
pub(crate) use hook_context::{HookContext, HookOutput, PieceOutput};
pub(crate) use impulse::{fraction_absorbed, ImpulseDistribution};
pub use interior_faces::InteriorFaces;
pub(crate) use lazy::{LazyHulls, LazyParts, Precompute};
pub use lazy_pattern::LazyPattern;
pub use lifetime::DebrisLifetime;
pub use material::Material;
pub use open_mesh::OpenMeshPolicy;
pub use pattern_fit::{BodyAxis, PatternAxes, PatternFit, PatternOrigin, PatternUnit};
pub(crate) use piece_hooks::ChunkHooks;
pub use piece_hooks::{Payload, PieceHooks, PieceInput, SharedPayload};
pub(crate) use rigid::PushedPiece;
pub(crate) use shape::InheritedShapeData;
pub use shape::Shape;
pub(crate) use stock::{Cut, CutHistory};
