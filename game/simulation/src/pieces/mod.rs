//! Breakable bodies and their pieces: what they are made of, and how pieces are built.

mod anchors;
mod bar_bonds;
mod bar_drawing;
mod barred_piece;
mod bars;
mod blades;
mod body;
mod broken_piece;
mod builder;
mod chunk;
mod chunk_colliders;
mod chunked_mesh;
mod colliders;
mod collision_chunk;
pub(crate) mod components;
mod cooked;
mod crack_search;
mod cracks;
mod cut;
mod cut_history;
mod damage;
mod drawn;
mod hook_context;
mod impulse;
mod lazy;
mod loose_crack;
mod material;
mod painted_weakness;
mod pattern_break;
mod pattern_detail;
mod pattern_fit;
mod pattern_scale;
mod piece_bars;
mod piece_draft;
mod piece_hooks;
mod refinement;
mod remaining_parts;
mod rough_drafts;
mod section_fit;
mod shape;
mod solid_conversion;
mod struck_place;

pub(crate) use anchors::touches_any;
pub use anchors::{Anchor, Anchors};
pub(crate) use bar_bonds::BarBond;
pub(crate) use bar_drawing::BarDrawing;
pub(crate) use bars::{BarsOutcome, PartedBy};
pub(crate) use blades::{BladePatterns, CutBy};
pub use body::Body;
pub(crate) use broken_piece::BrokenPiece;
pub(crate) use builder::{vertex_count, PieceOptions};
pub(crate) use chunk::{triangle_mesh, ChunkName};
pub(crate) use chunked_mesh::{ChunkedMesh, ChunkedMeshParts, CollisionSpace};
pub use colliders::Colliders;
pub(crate) use colliders::{
    debris_collider, mesh_bounds, BuiltCollider, HullCount, RemainderCollider,
};
pub use cooked::{
    CookedBy, CookedBytes, CookedError, CookedFile, CookedNeeds, CookedProblem, CookedShape,
    CookedSource, COOKED_VERSION,
};
pub(crate) use crack_search::{CrackSearch, DrawnCracks};
pub use cracks::{CrackSet, KeptPattern};
pub(crate) use cracks::{Cracks, NewCracks};
pub(crate) use cut::{Cut, CutPattern};
pub(crate) use cut_history::{CutHistory, CutInheritance};
pub use damage::DamagedSpot;
pub(crate) use damage::{Damage, MAX_DAMAGE};
pub(crate) use drawn::Drawn;
pub(crate) use hook_context::{HookContext, HookOutput, PieceOutput};
pub use impulse::Push;
pub(crate) use impulse::{
    fraction_absorbed, pushed_as_one, ImpulseDistribution, PushedPiece, Velocity,
};
pub use lazy::LazyPattern;
pub(crate) use lazy::{LazyHulls, LazyParts};
pub(crate) use loose_crack::LooseCrack;
pub use material::{DebrisLifetime, InteriorFaces, Material};
pub use painted_weakness::PaintedWeakness;
pub(crate) use painted_weakness::{energy_share, weakness_of};
pub(crate) use pattern_break::prepare_details;
pub use pattern_break::{BrokenByPattern, PatternBreak};
pub(crate) use pattern_detail::PatternDetail;
pub use pattern_fit::{BodyAxis, PatternAxes, PatternFit, PatternOrigin, PatternUnit};
pub use pattern_scale::BreakRadius;
pub use piece_bars::PieceBars;
pub(crate) use piece_draft::Keep;
pub(crate) use piece_hooks::ChunkHooks;
pub use piece_hooks::{Payload, PieceHooks, PieceInput, SharedPayload};
#[cfg(test)]
pub(crate) use refinement::HullOrigin;
pub(crate) use refinement::{Refined, Refinement};
pub(crate) use shape::InheritedShapeData;
pub use shape::{MakeMesh, Shape};
pub use solid_conversion::{MendMesh, OpenMeshPolicy};
pub(crate) use struck_place::{entry_place, struck_place};
