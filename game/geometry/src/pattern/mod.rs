//! Voronoi diagrams of sites, built once and placed on solids many times.
//!
//! Site `i` has the affine function `h_i(x) = 2 s_i . x - |s_i|^2`; its cell is where `h_i` is the
//! largest. Sites are rounded once to a grid of integers. Everything after that is exact, so that the
//! cached topology (neighbours, faces, edges, vertices) is that of the very functions that cut.

mod delaunay;
mod diagram;
mod io;
mod recipe;
mod voronoi;

pub(crate) use diagram::{
    check_count, parity, sorted, FaceEdge, VoronoiEdge, VoronoiVertex, GRID_BITS, GRID_HALF,
    REACH_BITS,
};
pub use diagram::{Pattern, MAX_CELLS};
pub(crate) use recipe::between_shells;
pub use recipe::{refine_near_origin, repeat_towards_origin, Recipe};

use crate::error::PatternError;
use crate::steps::finish;
use glam::DVec3;

impl Pattern {
    /// Builds the cells of sites given in pattern space.
    ///
    /// Of sites that fall on the same grid point only the first is kept, see [`Pattern::duplicates`];
    /// cells are numbered in the order of the sites that remain.
    ///
    /// # Errors
    /// [`PatternError`] if there are too few or too many sites, one is not finite, or nearly every
    /// cell would meet every other.
    pub fn from_sites(sites: &[DVec3]) -> Result<Self, PatternError> {
        finish(Self::from_sites_in_steps(sites))
    }

    /// The same in [steps](crate::steps) of some cells.
    ///
    /// # Errors
    /// As [`Pattern::from_sites`].
    pub async fn from_sites_in_steps(sites: &[DVec3]) -> Result<Self, PatternError> {
        voronoi::build(sites).await
    }

    /// Draws a recipe's sites and builds their cells.
    ///
    /// # Errors
    /// [`PatternError`] as from [`Recipe::sites`] and [`Pattern::from_sites`].
    pub fn from_recipe(recipe: &Recipe, seed: u64) -> Result<Self, PatternError> {
        Self::from_sites(&recipe.sites(seed)?)
    }

    /// Reads a pattern from the bytes of [`Pattern::to_bytes`].
    ///
    /// # Errors
    /// [`PatternError::Corrupt`], [`PatternError::Version`] or [`PatternError::TooManyCorners`]; any
    /// bytes may be given.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PatternError> {
        io::read(bytes)
    }

    /// Writes the grid and the sites, from which all else follows, with a version and a content hash:
    /// about 12 bytes a cell, the same on every platform.
    pub fn to_bytes(&self) -> Vec<u8> {
        io::write(self)
    }

    /// Content hash: of the grid and the sites, from which all else follows.
    pub fn content_hash(&self) -> u64 {
        io::hash(self)
    }
}
