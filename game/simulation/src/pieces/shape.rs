//! A mesh and what is prepared for it once, shared by all bodies that have it.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use fracture_geometry::hulls::{CachedHulls, ConvexParts};
use fracture_geometry::{Mesh, Solid, SolidError};

use super::chunked_mesh::ChunkedMesh;
use super::lazy::{LazyHulls, LazyParts, ShouldCancel};
use super::open_mesh::OpenMeshPolicy;
use super::pool::ChunkPool;
use super::stock::CutHistory;
use crate::event::BreakFailure;
use crate::mesh_codec::EncodedMesh;
use crate::stress::LazyLattice;

type Make = Box<dyn FnOnce() -> Result<Mesh, String> + Send>;

/// A body's mesh in body space, metres. The mesh is made and the solid that the cutter needs is
/// built at most once, on the worker: in advance when a body with it is added, or by the first break.
pub struct Shape {
    source: Mutex<Source>,
    solid: OnceLock<Result<Arc<Solid>, BreakFailure>>,
    surface: OnceLock<ChunkedMesh>,
    /// The chunks of its surface, also of those that somebody has kept.
    pool: ChunkPool,
    preparing: Preparing,
    /// Pieces have that of the whole.
    lattice: OnceLock<Arc<LazyLattice>>,
    /// What it was carved from; nothing where there are no convex parts.
    stock: OnceLock<Option<CutHistory>>,
    /// The hulls of the whole; nothing where nobody looks for what is left of that.
    hulls: OnceLock<Option<Arc<LazyHulls>>>,
}

/// What is known of a piece besides its mesh.
pub(crate) struct InheritedShapeData {
    /// The thickness of the sheet that it is a piece of.
    pub sheet: Option<f64>,
    /// Its chunks.
    pub surface: Option<ChunkedMesh>,
    /// What it was carved from.
    pub stock: Option<CutHistory>,
    /// The hulls of the whole that it is left of.
    pub hulls: Option<Arc<LazyHulls>>,
}

/// How the mesh becomes a solid.
#[derive(Clone, Copy, Default)]
struct Preparing {
    opening: OpenMeshPolicy,
    /// The thickness of the sheet that this is a piece of.
    sheet: Option<f64>,
}

/// Where the mesh is until the solid, which owns it then, is there.
enum Source {
    Make(Make),
    Mesh(Arc<Mesh>),
    /// Of somebody's save, all of which stays in memory for it; not many ask for the mesh.
    Encoded(EncodedMesh),
    /// The solid has it, or making it panicked.
    None,
}

impl Shape {
    /// A mesh whose solid is not prepared yet.
    pub fn new(mesh: Mesh) -> Arc<Self> {
        let mesh = Source::Mesh(Arc::new(mesh));
        Self::from_source(mesh, Preparing::default())
    }

    /// What a piece looks like.
    pub(crate) fn of_piece(mesh: Mesh, known: InheritedShapeData) -> Arc<Self> {
        Self::of_part(Source::Mesh(Arc::new(mesh)), known)
    }

    /// The same for a piece that comes from a save.
    pub(crate) fn from_encoded(mesh: EncodedMesh, known: InheritedShapeData) -> Arc<Self> {
        Self::of_part(Source::Encoded(mesh), known)
    }

    fn of_part(source: Source, known: InheritedShapeData) -> Arc<Self> {
        let InheritedShapeData {
            sheet,
            surface,
            stock,
            hulls,
        } = known;
        Arc::new(Self {
            source: Mutex::new(source),
            solid: OnceLock::new(),
            surface: surface.map(OnceLock::from).unwrap_or_default(),
            pool: ChunkPool::default(),
            preparing: Preparing {
                sheet,
                ..Preparing::default()
            },
            lattice: OnceLock::new(),
            stock: OnceLock::from(stock),
            hulls: OnceLock::from(hulls),
        })
    }

    /// A mesh to be made on the worker; an error is a message that names the node and the remedy.
    pub fn lazy(make: impl FnOnce() -> Result<Mesh, String> + Send + 'static) -> Arc<Self> {
        Self::lazy_with(OpenMeshPolicy::default(), make)
    }

    /// The same for a mesh that need not be closed.
    pub fn lazy_with(
        opening: OpenMeshPolicy,
        make: impl FnOnce() -> Result<Mesh, String> + Send + 'static,
    ) -> Arc<Self> {
        let preparing = Preparing {
            opening,
            sheet: None,
        };
        Self::from_source(Source::Make(Box::new(make)), preparing)
    }

    /// A solid that was prepared elsewhere.
    pub fn from_solid(solid: Arc<Solid>) -> Arc<Self> {
        Arc::new(Self {
            source: Mutex::new(Source::None),
            solid: OnceLock::from(Ok(solid)),
            surface: OnceLock::new(),
            pool: ChunkPool::default(),
            preparing: Preparing::default(),
            lattice: OnceLock::new(),
            stock: OnceLock::new(),
            hulls: OnceLock::new(),
        })
    }

    fn from_source(source: Source, preparing: Preparing) -> Arc<Self> {
        Arc::new(Self {
            source: Mutex::new(source),
            solid: OnceLock::new(),
            surface: OnceLock::new(),
            pool: ChunkPool::default(),
            preparing,
            lattice: OnceLock::new(),
            stock: OnceLock::new(),
            hulls: OnceLock::new(),
        })
    }

    /// The prepared solid, built now when it is not there yet: about a microsecond a triangle.
    pub fn solid(&self) -> Result<&Arc<Solid>, BreakFailure> {
        let solid = self.solid.get_or_init(|| self.build());
        solid.as_ref().map_err(BreakFailure::clone)
    }

    /// The surface of the solid in chunks, divided now when it is not yet.
    pub(crate) fn surface(&self, solid: &Solid) -> &ChunkedMesh {
        self.surface
            .get_or_init(|| ChunkedMesh::of(solid, &self.pool))
    }

    /// The chunks of its surface by name.
    pub(crate) fn chunk_pool(&self) -> &ChunkPool {
        &self.pool
    }

    /// The same where it is known already.
    pub(crate) fn known_surface(&self) -> Option<&ChunkedMesh> {
        self.surface.get()
    }

    /// What preparing has led to, `None` while it has not happened.
    pub fn prepared(&self) -> Option<Result<&Arc<Solid>, BreakFailure>> {
        Some(self.solid.get()?.as_ref().map_err(BreakFailure::clone))
    }

    /// What the body was carved from; the convex parts of what nobody has broken yet are made now when they are not
    /// there.
    pub(crate) fn stock(&self, solid: &Solid) -> Option<&CutHistory> {
        let stock = self.stock.get_or_init(|| {
            let parts = ConvexParts::new(solid);
            (!parts.is_empty()).then(|| CutHistory {
                parts: LazyParts::ready(parts),
                breaks: Vec::new(),
            })
        });
        stock.as_ref()
    }

    /// The same where it is known already.
    pub(crate) fn known_stock(&self) -> Option<&CutHistory> {
        self.stock.get()?.as_ref()
    }

    /// The hulls of the whole that the body is left of, or that it is while nobody has broken it.
    pub(crate) fn hulls(&self) -> Option<&Arc<LazyHulls>> {
        let hulls = self.hulls.get_or_init(|| {
            let solid = self.solid().ok()?.clone();
            let find =
                move |stop: &ShouldCancel| CachedHulls::with_cancel(&solid, stop).map(Arc::new);
            Some(LazyHulls::to_be_made(find))
        });
        hulls.as_ref()
    }

    /// The same where it is known already.
    pub(crate) fn known_hulls(&self) -> Option<&Arc<LazyHulls>> {
        self.hulls.get()?.as_ref()
    }

    /// The hulls of a whole body that need not have been prepared, for its pieces.
    pub(crate) fn hulls_later(self: &Arc<Self>) -> Arc<LazyHulls> {
        let whole = self.clone();
        LazyHulls::to_be_made(move |stop| match whole.hulls() {
            Some(hulls) => hulls.get_unless(stop).cloned(),
            None => Some(Arc::default()),
        })
    }

    /// The convex parts of such a body, for its pieces.
    pub(crate) fn parts_later(self: &Arc<Self>) -> Arc<LazyParts> {
        let whole = self.clone();
        LazyParts::to_be_made(move |_| {
            let solid = whole.solid().ok();
            let stock = solid.and_then(|solid| whole.stock(solid));
            Some(
                stock
                    .map(|stock| stock.parts.get().clone())
                    .unwrap_or_default(),
            )
        })
    }

    /// The cells in which a body of this shape carries its weight.
    pub(crate) fn lattice(&self) -> &Arc<LazyLattice> {
        self.lattice.get_or_init(Arc::default)
    }

    /// Gives the mesh to a function; a mesh without triangles when it is not made yet or was
    /// refused.
    pub fn with_mesh<R>(&self, function: impl FnOnce(&Mesh) -> R) -> R {
        let raw = match &*self.lock() {
            Source::Mesh(mesh) => Some(mesh.clone()),
            Source::Encoded(mesh) => mesh.decode().ok().map(Arc::new),
            Source::Make(_) | Source::None => None,
        };
        match (raw, self.solid.get()) {
            (Some(mesh), _) => function(&mesh),
            (None, Some(Ok(solid))) => function(solid.mesh()),
            (None, _) => function(&Mesh::default()),
        }
    }

    fn build(&self) -> Result<Arc<Solid>, BreakFailure> {
        let mesh = self.make()?;
        let mesh = Mesh::clone(&mesh);
        let solid = match self.preparing.sheet {
            Some(thickness) => Solid::shell(mesh, thickness)?,
            None => self.preparing.opening.solid(mesh)?,
        };
        Ok(Arc::new(solid))
    }

    /// The mesh, which stays the source's until [`Shape::slim`], so that [`Shape::with_mesh`] finds
    /// it all the time.
    fn make(&self) -> Result<Arc<Mesh>, BreakFailure> {
        let make = {
            let mut source = self.lock();
            match &*source {
                Source::Mesh(mesh) => return Ok(mesh.clone()),
                // It was read once before; where it is read again, it is as it was.
                Source::Encoded(mesh) => {
                    let mesh = mesh.decode().map_err(|_| SolidError::Empty)?;
                    return Ok(Arc::new(mesh));
                }
                Source::Make(_) | Source::None => {}
            }
            std::mem::replace(&mut *source, Source::None)
        };
        let Source::Make(make) = make else {
            return Err(SolidError::Empty.into());
        };
        let mesh = Arc::new(make().map_err(BreakFailure::Source)?);
        *self.lock() = Source::Mesh(mesh.clone());
        Ok(mesh)
    }

    /// Forgets the mesh once the solid has its own copy.
    pub(crate) fn slim(&self) {
        if matches!(self.solid.get(), Some(Ok(_))) {
            *self.lock() = Source::None;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Source> {
        // A panic elsewhere cannot leave the source half written.
        self.source.lock().unwrap_or_else(PoisonError::into_inner)
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
