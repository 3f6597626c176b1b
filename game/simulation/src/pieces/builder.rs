//! Builds pieces from the output of the cutter: render meshes, colliders, and the output of the host's
//! hooks.

use std::cmp::Reverse;
use std::future::ready;
use std::iter::repeat;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use fracture_geometry::hulls::MIN_REMAINDER_SIZE;
use fracture_geometry::piece_mesh::{CapStyle, Roughness};
use fracture_geometry::steps::{finish, pause};
use fracture_geometry::{FractureError, Mesh, Piece, PieceKind, Solid};
use glam::{DMat3, Vec3};

use super::anchors::{touches_any, Anchor};
use super::bars::BarsInBody;
use super::blades::CutBy;
use super::broken_piece::BrokenPiece;
use super::chunked_mesh::{ChunkTask, ChunkedMesh};
use super::colliders::{
    collapsed_collider, convex_collider, debris_collider, mesh_bounds, outermost_collider,
    provisional_collider, static_collider, thickened, BuiltCollider, Colliders, HullCount,
    RemainderCollider,
};
use super::collision_chunk::CollisionChunk;
use super::cut_history::CutInheritance;
use super::hook_context::{HookContext, PieceOutput};
use super::impulse::Velocity;
use super::lazy::LazyHulls;
use super::material::InteriorFaces;
use super::pattern_fit::BodyAxis;
use super::piece_draft::{limit_bodies, mark_kept, Input, Keep, PieceColliders, PieceDraft};
use super::piece_hooks::PieceHooks;
use super::refinement::{CollisionRefinement, HullOrigin, Refinement};
use super::remaining_parts::RemainingParts;
use super::rough_drafts::roughen_drafts;
use super::shape::{InheritedShapeData, Shape};
use crate::debris::PieceFigures;
use crate::error::BreakFailure;
use crate::event::BreakTimes;
use crate::parallel::{Helpers, JobThread, SharedItems, SharedWork, MIN_TRIANGLES_FOR_HELPERS};
use crate::stopwatch::PieceClocks;

/// How the pieces of a body are built.
#[derive(Clone)]
pub(crate) struct PieceOptions {
    /// kg/m^3
    pub density: f64,
    /// Free pieces whose longest side is below this become dust, metres.
    pub dust_size: f32,
    pub interior_faces: InteriorFaces,
    /// The axis of the grain, along which textures of cut faces are upright.
    pub grain: BodyAxis,
    pub hooks: Option<PieceHooks>,
    pub check_pieces: bool,
    pub bars: BarsInBody,
    pub keep: Keep,
}

impl PieceOptions {
    pub fn hook_context(&self, cap_surface: u32) -> HookContext<'_> {
        HookContext {
            hooks: self.hooks.as_ref(),
            check_pieces: self.check_pieces,
            cap_surface,
            restored: false,
            provisional: false,
            is_repeatable: true,
        }
    }

    /// A builder for the pieces of one break.
    pub fn builder<'a>(
        &'a self,
        shape: &'a Shape,
        solid: &'a Solid,
        anchors: &'a [Anchor],
        thread: &'a JobThread,
    ) -> PieceBuilder<'a> {
        PieceBuilder {
            options: self,
            chunked_mesh: shape.chunked_mesh(solid),
            solid,
            anchors,
            cap_style: self.interior_faces.style(solid, self.grain),
            remainder_collider: None,
            thread,
            crack_parts: &[],
            provisional: false,
            is_hurried: false,
            is_repeatable: true,
            cut_by: CutBy::Pattern,
            cut_inheritance: None,
            source_hulls: None,
            long_frame: solid.long_frame(),
            clocks: PieceClocks::default(),
        }
    }
}

/// Builds the pieces of one break.
pub(crate) struct PieceBuilder<'a> {
    options: &'a PieceOptions,
    solid: &'a Solid,
    /// Of the solid.
    chunked_mesh: &'a ChunkedMesh,
    anchors: &'a [Anchor],
    pub cap_style: CapStyle,
    /// For what stays of a body whose convex parts are not known.
    pub remainder_collider: Option<RemainderCollider<'a>>,
    thread: &'a JobThread,
    /// By piece: the parts that it is collided with, when it interlocks with others along a crack.
    pub crack_parts: &'a [Vec<Piece>],
    /// Whether pieces get colliders that are ready at once, to be refined later.
    pub provisional: bool,
    /// Whether there is so much of them that each enters with a hull that takes next to no time.
    pub is_hurried: bool,
    /// Whether these must not depend on what other jobs have made.
    pub is_repeatable: bool,
    pub cut_by: CutBy,
    pub cut_inheritance: Option<&'a CutInheritance<'a>>,
    /// The shape that was broken, when no anchor held it: remainders of it reuse the hulls of the intact
    /// body.
    pub source_hulls: Option<&'a Shape>,
    /// Of the solid.
    long_frame: DMat3,
    clocks: PieceClocks,
}

impl PieceBuilder<'_> {
    /// Builds all pieces, in steps; cancelling takes effect between two. `held` says by piece whether it stays; an
    /// island without an entry stays if it touches an anchor.
    pub async fn build(
        &self,
        pieces: &[Piece],
        held: &[Option<bool>],
    ) -> Result<Vec<BrokenPiece>, BreakFailure> {
        let held = held.iter().copied().chain(repeat(None));
        let crack_parts = self.crack_parts.iter().map(Vec::as_slice);
        let crack_parts = crack_parts.chain(repeat(&[][..]));
        let inputs = pieces.iter().zip(held).zip(crack_parts);
        let mut inputs: Vec<Input> = inputs.enumerate().collect();
        // The largest first: begun last, it would be waited for.
        inputs.sort_by_key(|(_, ((piece, _), _))| {
            Reverse((piece.patches.len(), piece.triangles.len()))
        });
        let helpers = self.helpers_for(vertex_count(pieces));
        let drafts = helpers.map_in_steps(&inputs, |(number, ((piece, held), parts))| {
            let draft = || self.draft(piece, *held, parts);
            let mut draft = self.clocks.meshes.time(draft);
            // Those of a large remainder take as long as all else about a mesh.
            let (collider, chunked) = helpers.join(
                || self.early_collider(&draft),
                || self.clocks.meshes.time(|| self.early_chunks(&draft)),
            );
            draft.early_collider = collider;
            draft.chunked_mesh = chunked;
            (*number, draft)
        });
        let mut drafts = drafts.await;
        drafts.sort_unstable_by_key(|(number, _)| *number);
        let drafts = drafts.into_iter().map(|(_, draft)| draft).collect();
        let drafts = self.finished(pieces, drafts).await;
        let (colliders, outputs) = self.colliders_and_outputs(&drafts).await?;
        let parts = drafts.into_iter().zip(colliders).zip(outputs);
        let pieces = parts.map(|((draft, colliders), output)| self.join(draft, colliders, output));
        Ok(pieces.collect())
    }

    /// The drafts with what follows from all of them together.
    async fn finished<'p>(
        &self,
        pieces: &[Piece],
        mut drafts: Vec<PieceDraft<'p>>,
    ) -> Vec<PieceDraft<'p>> {
        self.mark_dust(&mut drafts);
        mark_kept(&mut drafts, &self.options.keep);
        self.add_cut_histories(&mut drafts);
        if let Some(roughness) = self.roughness() {
            let roughen = roughen_drafts(
                &self.thread.helpers,
                pieces,
                &mut drafts,
                self.solid,
                roughness,
                // Those of what stays take as long as the bumps.
                |drafts| self.find_remaining_parts(drafts),
            );
            self.clocks.meshes.time_steps(roughen).await;
        }
        let helpers = self.helpers_for(self.solid.triangle_count());
        let chunk = |draft: &PieceDraft| match draft.chunked_mesh {
            Some(_) => None,
            None => self.clocks.meshes.time(|| self.chunked_mesh(draft)),
        };
        let chunked = helpers.map_in_steps(&drafts, chunk).await;
        for (draft, chunked) in drafts.iter_mut().zip(chunked) {
            draft.chunked_mesh = draft.chunked_mesh.take().or(chunked);
        }
        drafts
    }

    /// The bumps of cut faces, if they have any: a saw leaves them flat.
    fn roughness(&self) -> Option<&Roughness> {
        let roughness = &self.options.interior_faces.roughness;
        (self.cut_by != CutBy::Kerf && !roughness.is_flat()).then_some(roughness)
    }

    fn add_cut_histories(&self, drafts: &mut [PieceDraft]) {
        let margin = Vec3::splat(self.roughness().map_or(0.0, |roughness| roughness.height));
        for (number, draft) in drafts.iter_mut().enumerate() {
            let cuts = self.cut_inheritance.filter(|_| !draft.is_dust);
            let [low, high] = mesh_bounds(&draft.flat.mesh);
            draft.cut_history =
                cuts.map(|cuts| cuts.for_piece(number, [low - margin, high + margin]));
        }
    }

    fn find_remaining_parts(&self, drafts: &[PieceDraft]) {
        let are_used = |draft: &&PieceDraft| !draft.is_dust && draft.keep;
        for draft in drafts.iter().filter(are_used) {
            let find = || finish(self.remaining_parts(draft));
            let _ = self.unless_cancelled(|| self.clocks.colliders.time(find));
        }
    }

    /// Time that went into the pieces so far.
    pub fn times(&self) -> BreakTimes {
        BreakTimes {
            meshes: self.clocks.meshes.milliseconds(),
            colliders: self.clocks.colliders.milliseconds(),
            hooks: self.clocks.hooks.milliseconds(),
            ..BreakTimes::default()
        }
    }

    /// The chunks of an island.
    fn chunked_mesh(&self, draft: &PieceDraft) -> Option<ChunkedMesh> {
        if draft.is_dust {
            return None;
        }
        let context = self.hook_context();
        context.chunked_mesh(&draft.view(), self.solid, self.chunked_mesh)
    }

    fn hook_context(&self) -> HookContext<'_> {
        HookContext {
            provisional: self.provisional,
            is_repeatable: self.is_repeatable,
            ..self.options.hook_context(self.cap_style.surface)
        }
    }

    /// Colliders and hook outputs of all drafts.
    async fn colliders_and_outputs(
        &self,
        drafts: &[PieceDraft<'_>],
    ) -> Result<(Vec<PieceColliders>, Vec<PieceOutput>), BreakFailure> {
        let context = self.hook_context();
        let triangles = |draft: &PieceDraft| draft.flat.mesh.triangles.len();
        // The largest first: begun last, it would be waited for.
        let mut by_size: Vec<(usize, &PieceDraft)> = drafts.iter().enumerate().collect();
        by_size.sort_by_key(|(_, draft)| Reverse(triangles(draft)));
        let colliders = SharedWork::new(&by_size, |(number, draft)| async {
            let build = self.colliders(&context, draft);
            let built = match self.check_cancelled() {
                Ok(()) => Ok(self.clocks.colliders.time_steps(build).await),
                Err(cancelled) => Err(cancelled),
            };
            (*number, built)
        });
        let outputs = SharedWork::new(drafts, |draft| {
            let run = || context.run(&draft.view(), self.chunked_mesh);
            ready(if draft.is_dust {
                Ok(PieceOutput::default())
            } else {
                self.unless_cancelled(|| self.clocks.hooks.time(run))
            })
        });
        let islands = drafts.iter().filter(|draft| !draft.is_dust);
        let chunks =
            islands.flat_map(|draft| context.chunk_tasks(&draft.view(), self.chunked_mesh));
        let chunks = SharedItems::new(chunks);
        // Helpers begin at the other end: two threads that both make surfaces wait for memory.
        let all = drafts.iter().map(triangles).sum();
        let helpers = self.helpers_for(all);
        if helpers.threads() > 1 {
            helpers.run_beside(
                || {
                    while self.make_chunk(&chunks) {}
                    outputs.work();
                    colliders.work();
                },
                || {
                    colliders.work();
                    while self.make_chunk(&chunks) {}
                    outputs.work();
                },
            );
        }
        while self.make_chunk(&chunks) {
            pause().await;
        }
        let outputs = outputs.finish_in_steps().await;
        let mut colliders = colliders.finish_in_steps().await;
        colliders.sort_by_key(|(number, _)| *number);
        let colliders: Result<_, _> = colliders.into_iter().map(|(_, built)| built).collect();
        let outputs: Result<_, _> = outputs.into_iter().collect();
        Ok((colliders?, outputs?))
    }

    /// Makes what the host needs of a chunk that no thread has begun with; false when none is left, or when cancelled.
    fn make_chunk<'t>(&self, chunks: &SharedItems<impl Iterator<Item = ChunkTask<'t>>>) -> bool {
        let Some(chunk) = chunks.take() else {
            return false;
        };
        let make = || self.clocks.hooks.time(|| chunk.run());
        self.unless_cancelled(make).is_ok()
    }

    /// Helpers for the work on some triangles.
    fn helpers_for(&self, triangles: usize) -> Helpers {
        if triangles < MIN_TRIANGLES_FOR_HELPERS {
            Helpers::default()
        } else {
            self.thread.helpers.clone()
        }
    }

    fn unless_cancelled<T>(&self, work: impl FnOnce() -> T) -> Result<T, BreakFailure> {
        self.check_cancelled().map(|()| work())
    }

    fn check_cancelled(&self) -> Result<(), BreakFailure> {
        if self.thread.cancel.load(Ordering::Relaxed) {
            return Err(FractureError::Cancelled.into());
        }
        Ok(())
    }

    fn draft<'p>(
        &self,
        piece: &'p Piece,
        held: Option<bool>,
        crack_parts: &'p [Piece],
    ) -> PieceDraft<'p> {
        let flat = piece.to_mesh_with_sources(self.solid, &self.cap_style);
        let is_island = matches!(piece.kind, PieceKind::Island { .. });
        let touches_anchor = || is_island && touches_any(&flat.mesh, self.anchors);
        PieceDraft {
            anchored: held.unwrap_or_else(touches_anchor),
            mass: piece.mass,
            piece,
            crack_parts,
            flat,
            early_collider: None,
            rough: None,
            cut_history: None,
            chunked_mesh: None,
            is_dust: false,
            keep: true,
        }
    }

    /// Marks the free pieces that are too small to be bodies, and the smallest where there are too many.
    /// The largest piece is a body whatever its size. What a blade takes out is dust.
    fn mark_dust(&self, drafts: &mut [PieceDraft]) {
        let volumes = drafts.iter().map(|draft| draft.mass.volume);
        let largest = volumes.fold(0.0, f64::max);
        for draft in &mut *drafts {
            let can_be_dust = !draft.anchored && draft.mass.volume < largest;
            draft.is_dust =
                self.cut_by.takes_out(draft.piece.kind) || can_be_dust && self.may_be_dust(draft);
        }
        limit_bodies(drafts);
    }

    /// The colliders of a draft.
    async fn colliders(&self, context: &HookContext<'_>, draft: &PieceDraft<'_>) -> PieceColliders {
        if draft.is_dust || !draft.keep {
            return BuiltCollider::placeholder().into();
        }
        let by_chunk = match self.remaining_parts(draft).await {
            Some(_) => None,
            None => context.chunk_colliders(&draft.view(), self.solid, self.chunked_mesh),
        };
        let mut colliders: PieceColliders = match by_chunk {
            Some(colliders) => PieceColliders {
                colliders,
                hulls: HullCount::default(),
                figures: None,
                provisional: false,
            },
            None => self.mesh_collider(draft).await.into(),
        };
        if draft.anchored && !self.provisional && context.chunk_hooks(draft.piece.kind).is_some() {
            self.simplify(draft, &mut colliders.colliders).await;
        }
        if !draft.anchored {
            let (shape, density) = (colliders.colliders.first(), self.options.density);
            colliders.figures = Some(PieceFigures::new(shape, &draft.mass, density));
        }
        colliders
    }

    /// Whether colliders of held pieces are simplified: the two sides of a sheet would meet.
    fn simplifies(&self) -> bool {
        self.solid.thickness().is_none()
    }

    /// Gives a held piece that no refinement follows the colliders that one would give it.
    async fn simplify(&self, draft: &PieceDraft<'_>, colliders: &mut Colliders) {
        let Some(chunked) = draft.chunked_mesh.as_ref().filter(|_| self.simplifies()) else {
            return;
        };
        if let Some(simplified) = chunked.simplified_colliders(colliders).await {
            chunked.share_simplified(colliders, &simplified);
            *colliders = simplified;
        }
    }

    /// The convex parts of a held piece, where they are all of it. Found when they are first asked for.
    async fn remaining_parts<'d>(&self, draft: &'d PieceDraft<'_>) -> Option<&'d RemainingParts> {
        let cuts = self.cut_inheritance.filter(|_| draft.anchored)?;
        let history = draft.cut_history.as_ref()?;
        let (mesh, volume) = (&draft.flat.mesh, draft.piece.mass.volume);
        cuts.find_remaining_parts(history, mesh, volume).await;
        history.remaining_parts()
    }

    /// The collider of a piece for which nothing of the other pieces is needed, so that no thread that has no mesh to make
    /// waits.
    fn early_collider(&self, draft: &PieceDraft) -> Option<BuiltCollider> {
        let is_alone = !draft.anchored && draft.crack_parts.is_empty();
        if !self.provisional || !is_alone || self.may_be_dust(draft) || self.solid.is_shell() {
            return None;
        }
        let build = || self.provisional_collider(draft.piece, &draft.flat.mesh);
        let built = self.unless_cancelled(|| self.clocks.colliders.time(build));
        built.ok()
    }

    fn provisional_collider(&self, piece: &Piece, mesh: &Mesh) -> BuiltCollider {
        // What is left around the fragments has hollows where they were.
        let is_in_a_cell = matches!(piece.kind, PieceKind::Fragment { .. });
        let outermost = || is_in_a_cell.then(|| outermost_collider(mesh))?;
        let hurried = || convex_collider(mesh).or_else(outermost);
        let quick = self.is_hurried.then(hurried).flatten();
        quick.unwrap_or_else(|| provisional_collider(mesh, piece.mass.volume))
    }

    /// The chunks of an island that is drawn as it was cut.
    fn early_chunks(&self, draft: &PieceDraft) -> Option<ChunkedMesh> {
        if self.roughness().is_some() || self.may_be_dust(draft) {
            return None;
        }
        self.chunked_mesh(draft)
    }

    fn may_be_dust(&self, draft: &PieceDraft) -> bool {
        let [low, high] = mesh_bounds(&draft.flat.mesh);
        (high - low).max_element() < self.options.dust_size
    }

    async fn mesh_collider(&self, draft: &PieceDraft<'_>) -> BuiltCollider {
        if let Some(built) = &draft.early_collider {
            return built.clone();
        }
        let volume = draft.piece.mass.volume;
        let thickness = self.solid.thickness();
        let plate = thickness.map(|thickness| thickened(&draft.flat.mesh, thickness));
        let mesh = plate.as_ref().unwrap_or(&draft.flat.mesh);
        if draft.anchored {
            let parts = self.remaining_parts(draft).await;
            let by_cells = self.remainder_collider.as_ref();
            return static_collider(mesh, volume, parts, by_cells);
        }
        if !draft.crack_parts.is_empty() {
            let parts = draft.crack_parts.iter();
            let parts = parts.map(|part| part.to_mesh(self.solid, &self.cap_style));
            return collapsed_collider(mesh, &parts.collect::<Vec<_>>());
        }
        // Hulls of thin plates are left as they are: rougher ones come to no rest.
        if self.provisional && plate.is_none() {
            return self.provisional_collider(draft.piece, mesh);
        }
        let origin = self.hull_origin(draft);
        let built = origin.collider(mesh, &|| false).await;
        built.unwrap_or_else(|| debris_collider(mesh))
    }

    /// Where the lasting hulls of a free piece come from.
    fn hull_origin(&self, draft: &PieceDraft) -> HullOrigin {
        let is_by_cells = self
            .cut_inheritance
            .is_some_and(CutInheritance::is_by_cells);
        match draft.piece.kind {
            PieceKind::Fragment { cell, .. } => match &draft.cut_history {
                Some(history) if is_by_cells => HullOrigin::Clipped {
                    history: history.clone(),
                    cell,
                },
                _ => HullOrigin::Search,
            },
            PieceKind::Island { .. } => match self.hulls_of_intact_body() {
                Some(hulls) if self.is_large_remainder(&draft.flat.mesh) => {
                    HullOrigin::Cached(hulls.clone())
                }
                _ => HullOrigin::Search,
            },
        }
    }

    fn hulls_of_intact_body(&self) -> Option<&Arc<LazyHulls>> {
        self.source_hulls?.source_hulls()
    }

    /// Whether a piece is large enough to reuse hulls of the intact body, so that these are worth
    /// computing.
    fn is_large_remainder(&self, mesh: &Mesh) -> bool {
        let diagonal = |[low, high]: [Vec3; 2]| f64::from(low.distance(high));
        let solid_bounds = self.solid.bounds().as_vec3();
        diagonal(mesh_bounds(mesh)) >= MIN_REMAINDER_SIZE * diagonal(solid_bounds)
    }

    fn join(&self, draft: PieceDraft, built: PieceColliders, output: PieceOutput) -> BrokenPiece {
        let kind = draft.piece.kind;
        let origin = built.provisional.then(|| self.hull_origin(&draft));
        let source_hulls = draft
            .is_remainder()
            .then(|| self.hulls_of_intact_body().cloned());
        let flat = Arc::new(draft.flat.mesh);
        let flat_of_rough = draft.rough.is_some().then(|| flat.clone());
        let mesh = draft.rough.map_or_else(|| flat.clone(), Arc::new);
        let mass = draft.mass;
        let inherited = InheritedShapeData {
            sheet_thickness: self.solid.thickness(),
            whole_frame: self.long_frame,
            chunked_mesh: draft.chunked_mesh,
            cut_history: draft.cut_history,
            source_hulls: source_hulls.flatten(),
        };
        let triangles = mesh.triangles.len() as u32;
        let shape = Shape::for_piece(mesh, inherited);
        let mut hook_output = output.hooks;
        let provisional = std::mem::take(&mut hook_output.provisional);
        let refinement = match origin {
            Some(origin) => Some(Refinement::Hulls { mesh: flat, origin }),
            None => self.collision_refinement(kind, &shape, provisional, &built.colliders),
        };
        BrokenPiece {
            kind,
            anchored: draft.anchored,
            triangles,
            shape,
            flat: flat_of_rough,
            colliders: built.colliders,
            hulls: built.hulls,
            figures: built.figures,
            mass,
            kilograms: mass.volume * self.options.density,
            is_dust: draft.is_dust,
            velocity_change: Velocity::default(),
            loose_crack: None,
            bars: None,
            refinement,
            is_closed: output.is_closed,
            hook_output,
        }
    }

    /// The refinement of a piece that enters with some provisional collision chunks.
    fn collision_refinement(
        &self,
        kind: PieceKind,
        shape: &Arc<Shape>,
        provisional: Vec<Arc<CollisionChunk>>,
        colliders: &Colliders,
    ) -> Option<Refinement> {
        let hooks = self.hook_context().chunk_hooks(kind);
        let hooks = hooks.filter(|_| !provisional.is_empty())?;
        Some(Refinement::Collision(Box::new(CollisionRefinement {
            shape: shape.clone(),
            hooks: hooks.clone(),
            provisional,
            colliders: self.simplifies().then(|| colliders.clone()),
        })))
    }
}

/// The number of vertices of some pieces.
pub(crate) fn vertex_count(pieces: &[Piece]) -> usize {
    pieces.iter().map(|piece| piece.vertices.len()).sum()
}
