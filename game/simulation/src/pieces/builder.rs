//! From cut pieces to bodies-to-be: meshes, colliders, and the embedding layer's own work.

use std::collections::BTreeSet;
use std::iter::repeat;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use fracture_geometry::hulls::{FractureHistory, Hulls, MIN_REMAINDER_SIZE};
use fracture_geometry::{
    roughen, CapStyle, FractureError, MassProperties, Mesh, MeshWithSources, Piece, PieceKind,
    Solid,
};
use glam::Vec3;
use rapier3d::parry::shape::SharedShape;

use super::anchoring::is_anchored;
use super::bequest::CutInheritance;
use super::hook_context::{DraftView, HookContext, HookOutput, PieceOutput, Viewer};
use super::parallel::{beside, SharedWork};
use crate::event::BreakFailure;
use crate::pieces::{
    debris_collider, fallen_collider, hulls_collider, static_collider, thickened, BuiltCollider,
    Colliders, HullCount, RemainderCollider,
};
use crate::pieces::{
    Anchor, ChunkedMesh, InheritedShapeData, InteriorFaces, LazyHulls, PieceHooks, Shape,
};

/// From this many triangles on, a second thread helps with colliders; below, starting it would take as
/// long.
const WORTH_A_THREAD: usize = 2000;

/// Pieces of a break that are bodies. What makes one costs the frame that swaps it in, so there must
/// be an end to it. Fixed, because past breaks have to come out the same whatever the settings are.
pub(crate) const MOST_BODIES: usize = 1024;

/// A piece without its place in the simulation.
pub(crate) struct BrokenPiece {
    pub kind: PieceKind,
    pub anchored: bool,
    pub shape: Arc<Shape>,
    pub colliders: Colliders,
    /// Of its colliders.
    pub hulls: HullCount,
    pub mass: MassProperties,
    pub kilograms: f64,
    /// Too small to be a body.
    pub crumb: bool,
    pub triangles: u32,
    /// Change of velocity by the hit, m/s, and of turning, rad/s; body space.
    pub push: [Vec3; 2],
    pub closed: Option<bool>,
    pub seen: HookOutput,
}

/// How a body's pieces are made.
#[derive(Clone)]
pub(crate) struct PieceOptions {
    /// kg/m^3
    pub density: f64,
    /// Free pieces below it are crumbs, metres.
    pub crumb_size: f32,
    pub cut_faces: InteriorFaces,
    pub finish: Option<PieceHooks>,
    pub check_pieces: bool,
    pub lasting: Keep,
}

/// Which pieces of a break are there to stay. Of others, which are broken again or gone before they
/// are seen or touched, there is the mesh alone.
#[derive(Clone)]
pub(crate) enum Keep {
    All,
    /// By place among those that are bodies.
    Only(BTreeSet<usize>),
}

impl PieceOptions {
    /// How pieces are seen whose cut faces have a surface.
    pub(crate) fn sight(&self, cap_surface: u32) -> HookContext<'_> {
        HookContext {
            finish: self.finish.as_ref(),
            check_pieces: self.check_pieces,
            cap_surface,
            recalled: false,
        }
    }

    /// For the pieces of one break.
    pub(crate) fn finishing<'a>(
        &'a self,
        shape: &'a Shape,
        solid: &'a Solid,
        anchors: &'a [Anchor],
        crater: RemainderCollider<'a>,
        cancel: &'a AtomicBool,
    ) -> PieceBuilder<'a> {
        PieceBuilder {
            making: self,
            surface: shape.surface(solid),
            solid,
            anchors,
            cap: self.cut_faces.style(solid),
            crater,
            cancel,
            teeth: &[],
            clipping: None,
            bequest: None,
            free: None,
        }
    }
}

/// What the pieces of one break share.
pub(crate) struct PieceBuilder<'a> {
    /// The surface of the solid.
    pub surface: &'a ChunkedMesh,
    making: &'a PieceOptions,
    pub solid: &'a Solid,
    pub anchors: &'a [Anchor],
    pub cap: CapStyle,
    pub crater: RemainderCollider<'a>,
    pub cancel: &'a AtomicBool,
    /// By piece: what it consists of when the teeth are taken off that it has along a crack.
    pub teeth: &'a [Vec<Piece>],
    /// What clips the solid's convex parts, when it has any.
    pub clipping: Option<FractureHistory<'a>>,
    /// What pieces know of those.
    pub bequest: Option<&'a CutInheritance<'a>>,
    /// The body, when nothing held it: what is left of it has hulls of the whole.
    pub free: Option<&'a Shape>,
}

/// A piece with its mesh.
struct PieceDraft<'a> {
    piece: &'a Piece,
    /// What it consists of, when it has teeth.
    teeth: &'a [Piece],
    /// With flat cut faces, which colliders are made of.
    flat: MeshWithSources,
    /// With bumps on them, if there are any.
    rough: Option<Mesh>,
    mass: MassProperties,
    anchored: bool,
    crumb: bool,
    /// Whether it is there to stay.
    lasting: bool,
}

impl PieceDraft<'_> {
    /// What is seen, and what breaks next.
    fn seen(&self) -> &Mesh {
        self.rough.as_ref().unwrap_or(&self.flat.mesh)
    }
}

/// What is made of every piece, unless the job is cancelled.
type Made<T> = Result<Vec<T>, BreakFailure>;

/// A shape; nothing for what is collided with in parts, which come with its looks.
type Collider = Option<BuiltCollider>;

impl PieceBuilder<'_> {
    /// Finishes all pieces; stops between two when the job is cancelled. `held` tells by piece
    /// whether it stays; where it does not, an island stays that touches an anchor.
    pub fn run(
        &self,
        pieces: &[Piece],
        held: &[Option<bool>],
    ) -> Result<Vec<BrokenPiece>, BreakFailure> {
        let told = held.iter().copied().chain(repeat(None));
        let told = pieces.iter().zip(told);
        let teeth = self.teeth.iter().map(Vec::as_slice).chain(repeat(&[][..]));
        let drafts = told.zip(teeth);
        let drafts = drafts.map(|((piece, held), teeth)| self.draft(piece, held, teeth));
        let mut drafts: Vec<PieceDraft> = drafts.collect();
        self.mark_crumbs(&mut drafts);
        self.mark_lasting(&mut drafts);
        if !self.making.cut_faces.roughness.is_flat() {
            self.roughen(pieces, &mut drafts);
        }
        let (colliders, looks) = self.colliders_and_looks(&drafts);
        let finished = drafts.into_iter().zip(colliders?).zip(looks?);
        let joined = finished.enumerate();
        let joined =
            joined.map(|(piece, ((draft, built), look))| self.join(piece, draft, built, look));
        Ok(joined.collect())
    }

    /// Colliders mostly take longer: who is done with looks helps with them.
    fn colliders_and_looks(&self, drafts: &[PieceDraft]) -> (Made<Collider>, Made<PieceOutput>) {
        let viewer = self.viewer();
        let colliders = SharedWork::new(drafts, |draft| {
            self.unless_cancelled(|| self.collider(&viewer, draft))
        });
        let one = |draft: &PieceDraft| self.unless_cancelled(|| look(&viewer, draft));
        let looks = || drafts.iter().map(one).collect();
        let triangles = drafts.iter().map(|draft| draft.flat.mesh.triangles.len());
        let looks = match triangles.sum::<usize>() >= WORTH_A_THREAD {
            true => beside(|| colliders.work(), looks),
            false => looks(),
        };
        (colliders.finish().into_iter().collect(), looks)
    }

    fn unless_cancelled<T>(&self, work: impl FnOnce() -> T) -> Result<T, BreakFailure> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(FractureError::Cancelled.into()),
            false => Ok(work()),
        }
    }

    fn draft<'p>(
        &self,
        piece: &'p Piece,
        held: Option<bool>,
        teeth: &'p [Piece],
    ) -> PieceDraft<'p> {
        let flat = piece.to_mesh_with_sources(self.solid, &self.cap);
        let island = matches!(piece.kind, PieceKind::Island { .. });
        let touches = || island && is_anchored(&flat.mesh, self.anchors);
        PieceDraft {
            anchored: held.unwrap_or_else(touches),
            mass: piece.mass,
            piece,
            teeth,
            flat,
            rough: None,
            crumb: false,
            lasting: true,
        }
    }

    /// Tells the pieces that are too small to be bodies; the largest is one whatever its size.
    fn mark_crumbs(&self, drafts: &mut [PieceDraft]) {
        let most = drafts.iter().map(|draft| draft.mass.volume);
        let most = most.fold(0.0, f64::max);
        for draft in &mut *drafts {
            let can_be = !draft.anchored && draft.mass.volume < most;
            draft.crumb = can_be && size(&draft.flat.mesh) < self.making.crumb_size;
        }
        limit_bodies(drafts);
    }

    fn mark_lasting(&self, drafts: &mut [PieceDraft]) {
        let bodies = drafts.iter_mut().filter(|draft| !draft.crumb);
        for (place, draft) in bodies.enumerate() {
            draft.lasting = match &self.making.lasting {
                Keep::All => true,
                Keep::Only(places) => places.contains(&place),
            };
        }
    }

    fn roughen(&self, pieces: &[Piece], drafts: &mut [PieceDraft]) {
        let mut meshes: Vec<Mesh> = drafts.iter().map(|draft| draft.flat.mesh.clone()).collect();
        roughen(
            pieces,
            &mut meshes,
            self.solid,
            &self.making.cut_faces.roughness,
        );
        for (draft, mesh) in drafts.iter_mut().zip(meshes) {
            if !draft.piece.open {
                draft.mass = MassProperties::from_mesh(&mesh);
            }
            draft.rough = Some(mesh);
        }
    }

    fn collider(&self, viewer: &Viewer, draft: &PieceDraft) -> Collider {
        if draft.crumb || !draft.lasting {
            return Some(BuiltCollider {
                shape: SharedShape::ball(1e-3),
                hulls: HullCount::default(),
            });
        }
        let mesh = &draft.flat.mesh;
        let in_parts = viewer.collides_in_parts(draft.piece.kind, draft.anchored, mesh);
        (!in_parts).then(|| self.collider_of_mesh(draft))
    }

    fn collider_of_mesh(&self, draft: &PieceDraft) -> BuiltCollider {
        let volume = draft.piece.mass.volume;
        let sheet = self.solid.thickness();
        let sheet = sheet.map(|thickness| thickened(&draft.flat.mesh, thickness));
        let mesh = sheet.as_ref().unwrap_or(&draft.flat.mesh);
        match (draft.piece.kind, &self.clipping) {
            _ if draft.anchored => static_collider(mesh, volume, &self.crater),
            _ if !draft.teeth.is_empty() => {
                let parts = draft.teeth.iter();
                let parts = parts.map(|part| part.to_mesh(self.solid, &self.cap));
                fallen_collider(mesh, &parts.collect::<Vec<_>>())
            }
            (PieceKind::Fragment { cell, .. }, Some(clipping)) => {
                hulls_collider(mesh, Hulls::from_convex_parts(mesh, clipping, cell))
            }
            (PieceKind::Island { .. }, _) => match self.whole_hulls() {
                Some(whole) if self.is_most(mesh) => {
                    hulls_collider(mesh, Hulls::from_cached(mesh, whole.get()))
                }
                _ => debris_collider(mesh),
            },
            (PieceKind::Fragment { .. }, None) => debris_collider(mesh),
        }
    }

    /// The hulls of the whole that the body is left of.
    fn whole_hulls(&self) -> Option<&Arc<LazyHulls>> {
        self.free?.hulls()
    }

    /// Whether a piece may be large enough for those: they are not found for what is not.
    fn is_most(&self, mesh: &Mesh) -> bool {
        let length = |[low, high]: [Vec3; 2]| low.distance(high);
        let body = self.solid.bounds().as_vec3();
        f64::from(length(bounds(mesh))) >= MIN_REMAINDER_SIZE * f64::from(length(body))
    }

    fn viewer(&self) -> Viewer<'_> {
        Viewer {
            sight: self.making.sight(self.cap.surface),
            solid: self.solid,
            surface: self.surface,
        }
    }

    fn join(
        &self,
        number: usize,
        draft: PieceDraft,
        built: Collider,
        look: PieceOutput,
    ) -> BrokenPiece {
        let mass = draft.mass;
        let (colliders, hulls) = match (look.colliders, built) {
            (Some(parts), _) => (parts, HullCount::default()),
            (None, built) => {
                let built = built.unwrap_or_else(|| self.collider_of_mesh(&draft));
                (built.shape.into(), built.hulls)
            }
        };
        let mesh = draft.rough.unwrap_or(draft.flat.mesh);
        let triangles = mesh.triangles.len() as u32;
        let bequest = self.bequest.filter(|_| !draft.crumb);
        let is_rest = matches!(draft.piece.kind, PieceKind::Island { .. }) && !draft.crumb;
        let known = InheritedShapeData {
            sheet: self.solid.thickness(),
            surface: look.surface,
            stock: bequest.map(|bequest| bequest.of_piece(number, bounds(&mesh))),
            hulls: is_rest.then(|| self.whole_hulls().cloned()).flatten(),
        };
        let shape = Shape::of_piece(mesh, known);
        BrokenPiece {
            kind: draft.piece.kind,
            anchored: draft.anchored,
            shape,
            colliders,
            hulls,
            mass,
            kilograms: mass.volume * self.making.density,
            crumb: draft.crumb,
            triangles,
            push: [Vec3::ZERO; 2],
            closed: look.closed,
            seen: look.made,
        }
    }
}

fn look(viewer: &Viewer, draft: &PieceDraft) -> PieceOutput {
    if draft.crumb {
        return PieceOutput::default();
    }
    viewer.look(&DraftView {
        kind: draft.piece.kind,
        anchored: draft.anchored,
        mass: &draft.mass,
        flat: &draft.flat,
        seen: draft.seen(),
        collision: &[],
        lasting: draft.lasting,
    })
}

/// Makes crumbs of the smallest free pieces where there are too many for all to be bodies.
fn limit_bodies(drafts: &mut [PieceDraft]) {
    let is_free = |draft: &&mut PieceDraft| !draft.anchored && !draft.crumb;
    let mut free: Vec<&mut PieceDraft> = drafts.iter_mut().filter(is_free).collect();
    // Of equal volume those that come first stay.
    free.sort_by(|a, b| b.mass.volume.total_cmp(&a.mass.volume));
    for draft in free.into_iter().skip(MOST_BODIES) {
        draft.crumb = true;
    }
}

/// The longest side of a mesh, metres.
fn size(mesh: &Mesh) -> f32 {
    let [low, high] = bounds(mesh);
    (high - low).max_element()
}

/// The box around a mesh.
fn bounds(mesh: &Mesh) -> [Vec3; 2] {
    let positions = mesh.positions.iter().map(|p| Vec3::from_array(*p));
    positions.fold([Vec3::MAX, Vec3::MIN], |[low, high], p| {
        [low.min(p), high.max(p)]
    })
}
