//! Shape of a body: its mesh, and the data that is prepared from it once and shared by all bodies that
//! have it.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::steps::{finish, pause, step};
use fracture_geometry::{Mesh, Solid, SolidError};
use glam::DMat3;

use super::chunk::ChunkPool;
use super::chunked_mesh::ChunkedMesh;
use super::cooked::{CookedBy, CookedNeeds, CookedShape};
use super::cut_history::CutHistory;
use super::lazy::{LazyHulls, LazyParts};
use super::solid_conversion::{MendMesh, MendedMesh, OpenMeshPolicy, SolidConversion};
use crate::error::BreakFailure;
use crate::mesh_codec::EncodedMesh;
use crate::stress::LazyLattice;

/// Makes a mesh on the worker; an error is a message that names the node and the remedy.
pub type MakeMesh = Box<dyn FnOnce() -> Result<Mesh, String> + Send>;

/// Gives the function that makes the mesh as it is now.
type PosedMesh = Arc<dyn Fn() -> MakeMesh + Send + Sync>;

/// A solid in the making.
type Preparing = Pin<Box<dyn Future<Output = (Result<Solid, SolidError>, MendedMesh)> + Send>>;

/// A body's mesh in body space, metres. The mesh is made and the solid that the cutter needs is built at
/// most once, on the worker: in advance when a body with it is added, or by the first break.
pub struct Shape {
    source: Mutex<MeshSource>,
    solid: OnceLock<Result<Arc<Solid>, BreakFailure>>,
    /// Present from the first step of making the solid to the last. The thread that takes a step holds the lock.
    preparing: Mutex<Option<Preparing>>,
    /// Whether a step has taken the result of a job that prepared it: a job may do so at any time beside a step.
    is_reported: AtomicBool,
    conversion: SolidConversion,
    /// Of a mesh that changes until it breaks.
    posed: Option<PosedMesh>,
    /// Where results of preparation are that were computed before.
    cooked: Option<CookedBy>,
    chunked_mesh: OnceLock<ChunkedMesh>,
    /// Chunks of the mesh, also of pieces from saves.
    chunk_pool: ChunkPool,
    /// Pieces have the lattice of the intact body.
    lattice: OnceLock<Arc<LazyLattice>>,
    /// Of the intact body.
    convex_parts: OnceLock<Arc<LazyParts>>,
    /// `None` where there are no convex parts.
    cut_history: OnceLock<Option<CutHistory>>,
    /// Hulls of the intact body; `None` for pieces that are no remainder of it.
    source_hulls: OnceLock<Option<Arc<LazyHulls>>>,
}

/// Data that the shape of a piece inherits from the break, besides its mesh.
pub(crate) struct InheritedShapeData {
    /// Thickness of the sheet that it is a piece of.
    pub sheet_thickness: Option<f64>,
    /// Long frame of the whole that it is a part of.
    pub whole_frame: DMat3,
    pub chunked_mesh: Option<ChunkedMesh>,
    pub cut_history: Option<CutHistory>,
    /// Hulls of the intact body that it is a remainder of.
    pub source_hulls: Option<Arc<LazyHulls>>,
}

/// The mesh, until the solid exists, which has a copy of its own.
enum MeshSource {
    Function(MakeMesh),
    Mesh(Arc<Mesh>),
    /// A mesh of a save, all of which stays in memory for it; few callers ask for the mesh.
    Encoded(EncodedMesh),
    /// The solid has it, or making it panicked.
    None,
}

/// The mesh of a shape, wherever that keeps it at the time.
pub(crate) enum CurrentMesh {
    OfSource(Arc<Mesh>),
    OfSolid(Arc<Solid>),
}

impl Deref for CurrentMesh {
    type Target = Mesh;

    fn deref(&self) -> &Mesh {
        match self {
            Self::OfSource(mesh) => mesh,
            Self::OfSolid(solid) => solid.mesh(),
        }
    }
}

/// Constructors.
impl Shape {
    /// A mesh whose solid is not prepared yet.
    pub fn new(mesh: Mesh) -> Arc<Self> {
        let source = MeshSource::Mesh(Arc::new(mesh));
        Arc::new(Self::unprepared(source, SolidConversion::default()))
    }

    /// A mesh to be made on the worker; an error is a message that names the node and the remedy.
    pub fn lazy(make: impl FnOnce() -> Result<Mesh, String> + Send + 'static) -> Arc<Self> {
        Self::lazy_with(OpenMeshPolicy::default(), make)
    }

    /// A mesh to be made on the worker, that need not be closed.
    pub fn lazy_with(
        open_mesh: OpenMeshPolicy,
        make: impl FnOnce() -> Result<Mesh, String> + Send + 'static,
    ) -> Arc<Self> {
        Self::lazy_cooked(open_mesh, None, make)
    }

    /// The same, where some of its preparation may have been [cooked](Shape::cook).
    pub fn lazy_cooked(
        open_mesh: OpenMeshPolicy,
        cooked: Option<CookedBy>,
        make: impl FnOnce() -> Result<Mesh, String> + Send + 'static,
    ) -> Arc<Self> {
        Self::lazy_from(open_mesh, None, cooked, make)
    }

    /// The same, where a mesh that is not closed is mended first.
    pub fn lazy_mended(
        open_mesh: OpenMeshPolicy,
        mend: MendMesh,
        cooked: Option<CookedBy>,
        make: impl FnOnce() -> Result<Mesh, String> + Send + 'static,
    ) -> Arc<Self> {
        Self::lazy_from(open_mesh, Some(mend), cooked, make)
    }

    fn lazy_from(
        open_mesh: OpenMeshPolicy,
        mend: Option<MendMesh>,
        cooked: Option<CookedBy>,
        make: impl FnOnce() -> Result<Mesh, String> + Send + 'static,
    ) -> Arc<Self> {
        let conversion = SolidConversion {
            open_mesh,
            mend,
            ..SolidConversion::default()
        };
        let source = MeshSource::Function(Box::new(make));
        Arc::new(Self {
            cooked,
            ..Self::unprepared(source, conversion)
        })
    }

    /// A mesh that changes until it breaks, as a skinned one does. `now` is called by the thread that takes the steps: here,
    /// and at each blow that may break a body, which breaks by the mesh that is made of what it gives then.
    pub fn posed(
        open_mesh: OpenMeshPolicy,
        now: impl Fn() -> MakeMesh + Send + Sync + 'static,
    ) -> Arc<Self> {
        let conversion = SolidConversion {
            open_mesh,
            ..SolidConversion::default()
        };
        Self::in_pose(Arc::new(now), conversion)
    }

    fn in_pose(now: PosedMesh, conversion: SolidConversion) -> Arc<Self> {
        Arc::new(Self {
            posed: Some(now.clone()),
            ..Self::unprepared(MeshSource::Function(now()), conversion)
        })
    }

    /// The shape of the mesh as it is now; `None` for one that does not change.
    pub(crate) fn now(&self) -> Option<Arc<Self>> {
        let posed = self.posed.as_ref()?;
        Some(Self::in_pose(posed.clone(), self.conversion))
    }

    /// A solid that was prepared elsewhere.
    pub fn from_solid(solid: Arc<Solid>) -> Arc<Self> {
        Arc::new(Self {
            solid: OnceLock::from(Ok(solid)),
            is_reported: AtomicBool::new(true),
            ..Self::unprepared(MeshSource::None, SolidConversion::default())
        })
    }

    /// The shape of a new piece.
    pub(crate) fn for_piece(mesh: Arc<Mesh>, inherited: InheritedShapeData) -> Arc<Self> {
        Self::inheriting(MeshSource::Mesh(mesh), inherited)
    }

    /// The shape of a piece from a save.
    pub(crate) fn from_encoded(mesh: EncodedMesh, inherited: InheritedShapeData) -> Arc<Self> {
        Self::inheriting(MeshSource::Encoded(mesh), inherited)
    }

    fn inheriting(source: MeshSource, inherited: InheritedShapeData) -> Arc<Self> {
        let conversion = SolidConversion {
            sheet_thickness: inherited.sheet_thickness,
            whole_frame: Some(inherited.whole_frame),
            ..SolidConversion::default()
        };
        let chunked_mesh = inherited.chunked_mesh.map(OnceLock::from);
        Arc::new(Self {
            chunked_mesh: chunked_mesh.unwrap_or_default(),
            cut_history: OnceLock::from(inherited.cut_history),
            source_hulls: OnceLock::from(inherited.source_hulls),
            ..Self::unprepared(source, conversion)
        })
    }

    fn unprepared(source: MeshSource, conversion: SolidConversion) -> Self {
        Self {
            source: Mutex::new(source),
            solid: OnceLock::new(),
            preparing: Mutex::new(None),
            is_reported: AtomicBool::new(false),
            conversion,
            posed: None,
            cooked: None,
            chunked_mesh: OnceLock::new(),
            chunk_pool: ChunkPool::default(),
            lattice: OnceLock::new(),
            convex_parts: OnceLock::new(),
            cut_history: OnceLock::new(),
            source_hulls: OnceLock::new(),
        }
    }
}

/// Mesh and solid.
impl Shape {
    /// The prepared solid, built now if need be: about a microsecond a triangle.
    pub fn solid(&self) -> Result<&Arc<Solid>, BreakFailure> {
        finish(self.solid_in_steps())
    }

    /// The same in [steps](fracture_geometry::steps): between two of them it can be left, and anyone can go on.
    pub(crate) async fn solid_in_steps(&self) -> Result<&Arc<Solid>, BreakFailure> {
        loop {
            if let Some(prepared) = self.prepare_step() {
                return prepared;
            }
            pause().await;
        }
    }

    /// Prepares the solid of a piece in advance, with what the next break asks of it, until that is done or it is told to
    /// stop after a step; `false` then.
    pub(crate) fn prepare_in_advance(&self, should_stop: &mut dyn FnMut() -> bool) -> bool {
        loop {
            match self.prepare_step() {
                Some(prepared) => {
                    self.release_source_mesh();
                    _ = prepared.map(|solid| solid.uv_density());
                    return true;
                }
                None if should_stop() => return false,
                None => {}
            }
        }
    }

    /// Takes a step towards the solid, unless it is prepared; the solid if it is prepared then.
    fn prepare_step(&self) -> Option<Result<&Arc<Solid>, BreakFailure>> {
        if self.solid.get().is_none() {
            let preparing = self.preparing.lock();
            let mut preparing = preparing.unwrap_or_else(PoisonError::into_inner);
            // Another thread may have ended it meanwhile.
            if self.solid.get().is_none() {
                if let Some(prepared) = self.take_step(&mut preparing) {
                    self.solid.get_or_init(|| prepared);
                }
            }
        }
        self.prepared()
    }

    /// The solid or the error of preparing it; `None` while it has not been prepared, which a job may do at any time
    /// beside a step.
    pub(crate) fn prepared(&self) -> Option<Result<&Arc<Solid>, BreakFailure>> {
        Some(self.solid.get()?.as_ref().map_err(BreakFailure::clone))
    }

    /// The solid or the error of preparing it; `None` until a step has taken the result of a job that prepared it, so
    /// that the timing of jobs does not show in what a step does, nor in what a host does after it.
    pub fn reported(&self) -> Option<Result<&Arc<Solid>, BreakFailure>> {
        let is_reported = self.is_reported.load(Ordering::Relaxed);
        is_reported.then(|| self.prepared()).flatten()
    }

    /// Notes that a step has taken the result of a job that may have prepared the shape.
    pub(crate) fn report(&self) {
        let is_prepared = self.solid.get().is_some();
        self.is_reported.fetch_or(is_prepared, Ordering::Relaxed);
    }

    /// Passes the mesh to a function; a mesh without triangles when it is not made yet or was refused.
    pub fn with_mesh<R>(&self, function: impl FnOnce(&Mesh) -> R) -> R {
        function(&self.current_mesh())
    }

    /// The mesh, for more than a call; a mesh without triangles when it is not made yet or was refused.
    pub(crate) fn current_mesh(&self) -> CurrentMesh {
        let mesh = match &*self.lock_source() {
            MeshSource::Mesh(mesh) => Some(mesh.clone()),
            MeshSource::Encoded(encoded) => encoded.decode().ok().map(Arc::new),
            MeshSource::Function(_) | MeshSource::None => None,
        };
        match (mesh, self.solid.get()) {
            (Some(mesh), _) => CurrentMesh::OfSource(mesh),
            (None, Some(Ok(solid))) => CurrentMesh::OfSolid(solid.clone()),
            (None, _) => CurrentMesh::OfSource(Arc::default()),
        }
    }

    /// Takes a step towards the solid: the first makes the mesh.
    fn take_step(
        &self,
        preparing: &mut Option<Preparing>,
    ) -> Option<Result<Arc<Solid>, BreakFailure>> {
        // Taken out: what a panic leaves half done is not gone on with.
        let Some(mut work) = preparing.take() else {
            match self.source_mesh() {
                Ok(mesh) => *preparing = Some(Box::pin(self.conversion.solid(mesh))),
                Err(error) => return Some(Err(error)),
            }
            return None;
        };
        let Some((solid, mended)) = step(work.as_mut()) else {
            *preparing = Some(work);
            return None;
        };
        if let Some(mended) = mended {
            *self.lock_source() = MeshSource::Mesh(mended);
        }
        Some(solid.map(Arc::new).map_err(BreakFailure::from))
    }

    /// The mesh, made now if need be. The source keeps it until [`Shape::release_source_mesh`], so that
    /// [`Shape::with_mesh`] finds it all the time.
    fn source_mesh(&self) -> Result<Arc<Mesh>, BreakFailure> {
        let taken = {
            let mut source = self.lock_source();
            match &*source {
                MeshSource::Mesh(mesh) => return Ok(mesh.clone()),
                // Decoded once before without an error.
                MeshSource::Encoded(encoded) => {
                    let mesh = encoded.decode().map_err(|_| SolidError::Empty)?;
                    return Ok(Arc::new(mesh));
                }
                MeshSource::Function(_) | MeshSource::None => {}
            }
            std::mem::replace(&mut *source, MeshSource::None)
        };
        let MeshSource::Function(make) = taken else {
            return Err(SolidError::Empty.into());
        };
        let mesh = Arc::new(make().map_err(BreakFailure::Source)?);
        *self.lock_source() = MeshSource::Mesh(mesh.clone());
        Ok(mesh)
    }

    /// Releases the source's mesh once the solid has a copy of its own.
    pub(crate) fn release_source_mesh(&self) {
        if matches!(self.solid.get(), Some(Ok(_))) {
            *self.lock_source() = MeshSource::None;
        }
    }

    fn lock_source(&self) -> MutexGuard<'_, MeshSource> {
        // A panic elsewhere cannot leave the source half written.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Data derived from the solid.
impl Shape {
    /// The solid's mesh in chunks, divided now if need be.
    pub(crate) fn chunked_mesh(&self, solid: &Solid) -> &ChunkedMesh {
        self.chunked_mesh.get_or_init(|| {
            let chunked_mesh = ChunkedMesh::from_solid(solid, &self.chunk_pool);
            let cooked = self.cooked.as_ref();
            if let Some(simplified) = cooked.and_then(|cooked| cooked.collision_chunks(solid)) {
                chunked_mesh.set_simplified_chunks(simplified);
            }
            chunked_mesh
        })
    }

    pub(crate) fn existing_chunked_mesh(&self) -> Option<&ChunkedMesh> {
        self.chunked_mesh.get()
    }

    pub(crate) fn chunk_pool(&self) -> &ChunkPool {
        &self.chunk_pool
    }

    /// The cut history; `None` where there cannot be convex parts. They need not be known yet: they take long to find.
    pub(crate) fn cut_history(&self, solid: &Arc<Solid>) -> Option<&CutHistory> {
        let history = self.cut_history.get_or_init(|| {
            let triangles = solid.triangle_count();
            let new = || CutHistory::new(self.convex_parts(solid).clone(), triangles);
            ConvexParts::may_exist(solid).then(new)
        });
        history.as_ref()
    }

    /// The cut history with its convex parts, which are found in steps if they are not known.
    pub(crate) async fn cut_history_with_parts(&self, solid: &Arc<Solid>) -> Option<&CutHistory> {
        let history = self.cut_history(solid)?;
        history.source_parts.get_in_steps().await;
        Some(history)
    }

    fn convex_parts(&self, solid: &Arc<Solid>) -> &Arc<LazyParts> {
        self.convex_parts.get_or_init(|| {
            let (solid, cooked) = (solid.clone(), self.cooked.clone());
            Arc::new(LazyParts::new(Arc::default, async move {
                let cooked = cooked.and_then(|cooked| cooked.convex_parts(&solid));
                Arc::new(match cooked {
                    Some(parts) => parts,
                    None => ConvexParts::in_steps(&solid).await,
                })
            }))
        })
    }

    pub(crate) fn existing_cut_history(&self) -> Option<&CutHistory> {
        self.cut_history.get()?.as_ref()
    }

    /// Hulls of the intact body that this is, or is a remainder of.
    pub(crate) fn source_hulls(&self) -> Option<&Arc<LazyHulls>> {
        let hulls = self.source_hulls.get_or_init(|| {
            let solid = self.solid().ok()?.clone();
            let cooked = self.cooked.clone();
            Some(Arc::new(LazyHulls::new(Arc::default, async move {
                let cooked = cooked.and_then(|cooked| cooked.cached_hulls(&solid));
                let hulls = match cooked {
                    Some(hulls) => Some(hulls),
                    None => CachedHulls::in_steps(&solid, &|| false).await,
                };
                hulls.map(Arc::new).unwrap_or_default()
            })))
        });
        hulls.as_ref()
    }

    /// Of a piece: the long frame of the whole that it is a part of.
    pub(crate) fn whole_frame(&self) -> Option<DMat3> {
        self.conversion.whole_frame
    }

    pub(crate) fn existing_source_hulls(&self) -> Option<&Arc<LazyHulls>> {
        self.source_hulls.get()?.as_ref()
    }

    /// Hulls of an intact body that need not have been prepared, for its restored pieces.
    pub(crate) fn deferred_source_hulls(self: &Arc<Self>) -> Arc<LazyHulls> {
        let shape = self.clone();
        Arc::new(LazyHulls::new(Arc::default, async move {
            match shape.source_hulls() {
                Some(hulls) => hulls.get_in_steps().await.clone(),
                None => Arc::default(),
            }
        }))
    }

    /// Convex parts of an intact body that need not have been prepared, for its restored pieces.
    pub(crate) fn deferred_source_parts(self: &Arc<Self>) -> Arc<LazyParts> {
        let shape = self.clone();
        Arc::new(LazyParts::new(Arc::default, async move {
            let Ok(solid) = shape.solid_in_steps().await else {
                return Arc::default();
            };
            match shape.cut_history_with_parts(solid).await {
                Some(history) => history.source_parts.get_in_steps().await.clone(),
                None => Arc::default(),
            }
        }))
    }

    /// The stress lattice of all bodies with this shape.
    pub(crate) fn lattice(&self) -> &Arc<LazyLattice> {
        self.lattice.get_or_init(|| {
            let cooked = self.cooked.clone();
            LazyLattice::new(move |solid| cooked.as_ref()?.lattice(solid))
        })
    }

    /// Computes what takes longest about preparing bodies with these needs, to be kept in a
    /// [`CookedFile`](crate::cooked::CookedFile); with the content hash of the solid, by which the file finds it. What
    /// `earlier` has of a solid with that hash is not computed again. `None` when `should_cancel` returned `true`
    /// meanwhile.
    ///
    /// # Errors
    /// [`BreakFailure`] when the mesh cannot be broken.
    pub fn cook(
        &self,
        needs: CookedNeeds,
        earlier: impl FnOnce(u64) -> Option<CookedShape>,
        should_cancel: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<(u64, CookedShape)>, BreakFailure> {
        let solid = self.solid()?;
        let hash = solid.content_hash();
        let earlier = earlier(hash).unwrap_or_default();
        let cooked = CookedShape::compute(solid, needs, earlier, should_cancel);
        Ok(cooked.map(|cooked| (hash, cooked)))
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prepared = self.solid.get().map(Result::is_ok);
        f.debug_struct("Shape")
            .field("prepared", &prepared)
            .finish()
    }
}
