//! Convex hulls that together fit a piece: what physics collides with.
//!
//! There are three ways to [`Hulls`]; all give hulls that cover the piece and protrude from it by at
//! most [`HULL_TOLERANCE`]:
//!
//! - [`Hulls::from_mesh`] searches, for any closed mesh. Pieces that are nearly convex get one hull at
//!   once. Others are split by planes until each part's hull fits, and parts that one hull fits are
//!   merged.
//! - [`Hulls::from_convex_parts`] is for fragments of a solid that many fractures will hit. The solid's
//!   [`ConvexParts`], made once, are clipped to the fragment's cell, and before that by the fractures
//!   that the solid went through ([`FractureHistory`]). No plane is searched.
//! - [`Hulls::from_cached`] is for large remainders of a solid. The hulls of the whole solid
//!   ([`CachedHulls`], made once) stay where nothing was removed.
//!
//! Where there is nothing to reuse, or it does not fit, the last two search as the first does: all
//! three always give hulls. [`HullError`] measures how well hulls fit.
//!
//! ```
//! use fracture_geometry::hulls::{HullError, Hulls, HULL_TOLERANCE};
//! use fracture_geometry::{Mesh, Solid};
//!
//! let ring = Solid::new(Mesh::torus(0.35, 0.15, 32, 16))?;
//! let Hulls { hulls, within_tolerance, .. } = Hulls::from_mesh(ring.mesh());
//! assert!(hulls.len() > 3 && within_tolerance);
//! assert!(HullError::measure(&hulls, &ring).protrusion <= HULL_TOLERANCE);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod measure;
mod params;
mod provisional;
mod reuse;
mod search;
mod shape;
mod support_points;
mod tolerance;

pub use measure::HullError;
pub use params::{HULL_TOLERANCE, MAX_HULLS, MIN_REMAINDER_SIZE};
pub use reuse::cached::CachedHulls;
pub use reuse::convex_parts::ConvexParts;
pub use reuse::history::{FractureHistory, PastFracture, RemovedCells};
pub use reuse::placed_pattern::PlacedPattern;
pub use reuse::remaining_parts::{ConvexPart, InsideOf};
pub use shape::convex_hull::Hull;
pub use support_points::support_points;

use crate::steps::{finish, pause};
use crate::Mesh;
use params::SEARCH_TOLERANCE;
use search::context::{Cancel, DecomposeContext};
use search::decompose::decompose_concave;
use search::hull_part::HullPart;

/// Hulls that together fit a piece.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hulls {
    /// At most [`MAX_HULLS`]; none for a piece that is flat.
    pub hulls: Vec<Hull>,
    /// Whether they all protrude by at most [`HULL_TOLERANCE`].
    pub within_tolerance: bool,
    /// Whether convex parts or cached hulls were reused, see [`Hulls::from_convex_parts`] and
    /// [`Hulls::from_cached`].
    pub reused: bool,
}

/// Where the hulls of a piece come from.
#[derive(Clone, Copy)]
pub enum HullSource<'a> {
    /// A search: [`Hulls::from_mesh`].
    Search,
    /// The convex parts of the whole solid, for a fragment of a cell: [`Hulls::from_convex_parts`].
    ConvexParts {
        /// The fractures that the parts are clipped by.
        history: &'a FractureHistory<'a>,
        /// The cell of the present one.
        cell: u32,
    },
    /// The hulls of the whole solid, for a remainder: [`Hulls::from_cached`].
    Cached(&'a CachedHulls),
}

impl Hulls {
    /// Searches hulls of a closed mesh: the same for the same mesh. An open mesh, or one with vertices
    /// that are not finite, gets hulls of the triangles that can be used.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        Self::from_source(mesh, HullSource::Search)
    }

    /// Hulls of a fragment: the solid's convex parts, clipped to the fragment's Voronoi cell and merged
    /// greedily. One hull where that fits; hulls of a search, as by [`Hulls::from_mesh`], where the
    /// parts do not.
    pub fn from_convex_parts(mesh: &Mesh, history: &FractureHistory, cell: u32) -> Self {
        Self::from_source(mesh, HullSource::ConvexParts { history, cell })
    }

    /// Hulls of a remainder, which is what fractures have left of a solid: the cached hulls of the
    /// whole solid where nothing was removed, hulls of a search elsewhere. Hulls of a search only, as
    /// by [`Hulls::from_mesh`], when the remainder is smaller than [`MIN_REMAINDER_SIZE`] or the cached
    /// hulls do not fit.
    pub fn from_cached(mesh: &Mesh, cached: &CachedHulls) -> Self {
        Self::from_source(mesh, HullSource::Cached(cached))
    }

    /// Hulls from any of these sources.
    pub fn from_source(mesh: &Mesh, source: HullSource) -> Self {
        Self::with_cancel(mesh, source, &|| false).unwrap_or_default()
    }

    /// The same, or `None` when `cancel` returns `true` meanwhile. It is called every few hundred
    /// triangles, except at the beginning.
    pub fn with_cancel(mesh: &Mesh, source: HullSource, cancel: &Cancel) -> Option<Self> {
        finish(Self::in_steps(mesh, source, cancel))
    }

    /// The same in [steps](crate::steps).
    pub async fn in_steps(
        mesh: &Mesh,
        source: HullSource<'_>,
        cancel: &Cancel<'_>,
    ) -> Option<Self> {
        let context = DecomposeContext::with_cancel(mesh, SEARCH_TOLERANCE, cancel);
        let hulls = match source {
            HullSource::Cached(cached) => Self::cached(&context, cached).await,
            HullSource::Search | HullSource::ConvexParts { .. } => {
                Self::found(&context, source).await
            }
        };
        (!context.was_cancelled()).then_some(hulls)
    }

    async fn cached(context: &DecomposeContext<'_>, cached: &CachedHulls) -> Self {
        if let Some(parts) = cached.remainder_hulls(context).await {
            return Self::from_reused(&parts);
        }
        Self::found(context, HullSource::Search).await
    }

    async fn found(context: &DecomposeContext<'_>, source: HullSource<'_>) -> Self {
        if let Some(whole) = HullPart::from_shallow(context) {
            return Self::new(&[whole], true);
        }
        pause().await;
        if context.poll_cancel() {
            return Self::default();
        }
        if let HullSource::ConvexParts { history, cell } = source {
            if let Some(parts) = history.fragment_hulls(context, cell).await {
                return Self::from_reused(&parts);
            }
        }
        let (parts, all_fit) = decompose_concave(context).await;
        Self::new(&parts, all_fit)
    }

    /// Hulls that cover a closed mesh, found in 0.1 to 1 milliseconds: the one that fits, if the piece is all but
    /// convex, else up to eight of which nobody knows how far they protrude. They lie in the piece's convex hull.
    /// `volume` is that of the mesh, m^3, which a break knows. A flat mesh has none.
    pub fn provisional(mesh: &Mesh, volume: f64) -> Self {
        let (parts, all_fit) = provisional::provisional_hulls(mesh, volume);
        Self::new(&parts, all_fit)
    }

    /// The surface of a closed mesh that is convex, in a tenth of the time of a search, with the triangles that it has.
    /// `None` of any other, and of one with many points.
    pub fn of_convex(mesh: &Mesh) -> Option<Self> {
        Some(Self {
            hulls: vec![provisional::convex_surface(mesh)?],
            within_tolerance: true,
            reused: false,
        })
    }

    /// One hull around up to 24 vertices of a mesh, found in some hundredths of a millisecond: those farthest out. It lies in
    /// the convex hull of the mesh, reaches over all hollows, and leaves corners out that are lower than some hundredths of
    /// the size. A flat mesh has none.
    pub fn of_outermost_vertices(mesh: &Mesh) -> Self {
        let hull = provisional::outermost_hull(mesh);
        Self {
            hulls: hull.iter().map(Hull::from).collect(),
            ..Self::default()
        }
    }

    fn new(parts: &[HullPart], all_fit: bool) -> Self {
        Self {
            hulls: parts.iter().map(|part| Hull::from(&part.hull)).collect(),
            within_tolerance: all_fit,
            reused: false,
        }
    }

    fn from_reused(parts: &[HullPart]) -> Self {
        Self {
            reused: true,
            ..Self::new(parts, true)
        }
    }
}
