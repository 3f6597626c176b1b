//! Tuning constants of the hull search, in one place.
//!
//! "Size" is the diagonal of the bounding box of the mesh that hulls are made for, and "tolerance" is
//! [`SEARCH_TOLERANCE`] of it, unless a constant says otherwise. Lengths given as fractions of the size
//! make the search the same at every scale.

// Promises to callers.

/// Largest distance that a hull may protrude from its piece, as a fraction of the size.
pub const HULL_TOLERANCE: f64 = 0.02;
/// Most hulls of a piece. Bounds the time of the search: what does not fit into so many is reported as
/// out of tolerance. Most pieces need one to five, large ones of a vase 40, a sponge 170.
pub const MAX_HULLS: usize = 512;
/// Most points of a hull. Bounds the cost of a collision; a round body's hull leaves out 0.8 % of its
/// size.
pub const MAX_HULL_POINTS: usize = 128;

// Tolerances of the search.

/// Distance that the search lets a hull protrude, as a fraction of the size. Less than
/// [`HULL_TOLERANCE`] by what the voxels of the tolerance volume may be off.
pub const SEARCH_TOLERANCE: f64 = 0.0185;
/// Distance by which points may lie outside of a hull during the search, as a fraction of the size.
/// Larger is faster: hulls have fewer points.
pub const SEARCH_HULL_SLACK: f64 = 0.004;
/// Distance by which points may lie outside of the hulls that are returned, as a fraction of the size.
/// Next to nothing, so that convex pieces lie on each other as before the cut.
pub const FINAL_HULL_SLACK: f64 = 0.0005;
/// Smallest diagonal of a part's box, as a fraction of the size; smaller parts are dropped,
/// and the nearest hull covers their points.
pub const MIN_PART_SIZE: f64 = 0.002;
/// Most parts during the search for each of [`MAX_HULLS`]. Many merge again: of a bowl with a thin wall
/// seven of eight.
pub const MAX_PARTS_PER_HULL: usize = 6;

// Concavity samples and split planes.

/// Longest edge of the triangles that are sampled once, in tolerances. Larger is faster and misses
/// small concavities.
pub const SAMPLE_SPACING: f64 = 2.0;
/// Distance of a sample in front of the surface, in tolerances: beyond what voxels round to "near".
pub const SAMPLE_OFFSET: f64 = 1.3;
/// Most faces with concavities whose planes are tried. More is slower and finds better planes.
pub const MAX_FACE_PLANES: usize = 4;
/// Planes that are tried through the normal of the deepest sample, evenly turned around it. More is
/// slower and finds better planes.
pub const NORMAL_PLANES: u32 = 2;
/// Largest difference of normals (cosine) and of positions (fraction of the part's size) of samples of
/// one face.
pub const SAME_FACE: f64 = 0.02;
/// Offset of a plane above its face, as a fraction of the part's size, so that rounding leaves none of
/// the face above.
pub const FACE_PLANE_OFFSET: f64 = 1e-6;

// Cost of a split.

/// Share of the cost that a plane has to save; else the part is halved across its longest side. Higher
/// halves more parts blindly, lower keeps planes that hardly help.
pub const MIN_GAIN: f64 = 0.03;
/// Share of the cost from which on no better plane is searched. Lower is faster; parts may merge again
/// anyway.
pub const SUFFICIENT_GAIN: f64 = 0.3;
/// Weight of the hulls' volume against the volume in front of concave surfaces. Higher prefers planes
/// that save volume to planes through concavities.
pub const VOLUME_WEIGHT: f64 = 0.5;
/// Exponent of the cost. Above 1, two halves cost less than the whole: a ring has to be split more than
/// once.
pub const COST_EXPONENT: f64 = 1.08;
/// Distance by which points may lie outside of an estimated hull, as a fraction of the size.
/// Larger is faster and less exact.
pub const COST_HULL_SLACK: f64 = 0.012;
/// Most points of an estimated hull. Fewer is faster and less exact.
pub const COST_HULL_POINTS: usize = 24;
/// Most points of a part that all count in its costs; of more, one for each cell of a grid. Fewer is
/// faster and less exact.
pub const COST_POINTS: usize = 100;
/// Side of a cell of that grid, as a fraction of the size. Larger is faster and less exact.
pub const COST_CELL_SIZE: f64 = 0.04;
/// Most concavity samples that a cost counts; of more, every n-th. Fewer is faster and less exact.
pub const COST_SAMPLES: usize = 60;

// Merging.

/// Corners of each hull whose midpoints are looked up before a joint hull is made. More finds more
/// pairs apart without a hull, fewer is faster for each pair.
pub const MERGE_PROBE_POINTS: usize = 12;

// Tolerance volume. See `tolerance_volume` for how its lengths follow from `VOXELS_PER_TOLERANCE`.

/// Voxels for each tolerance. More makes the volume more exact; time and memory grow with the third
/// power.
pub const VOXELS_PER_TOLERANCE: f64 = 3.0;
/// Offset of the grid, in voxels, so that meshes whose vertices lie on a grid do not meet voxel
/// centres.
pub const GRID_SHIFT: [f64; 2] = [0.414, 0.271];
/// Dilation, in voxels, of voxels whose centres are inside of the mesh. Larger lets hulls protrude
/// farther; so do the next two.
pub const DILATE_INSIDE: f64 = 2.6;
/// Dilation, in voxels, of voxels that a triangle goes through.
pub const DILATE_SURFACE: f64 = 2.2;
/// Dilation, in voxels, of voxels that an edge of the mesh goes through: of thin meshes, columns may
/// see nothing else.
pub const DILATE_EDGES: f64 = 1.6;
/// Thickness, in voxels, below which an upright hull may lie between columns, so that its faces are
/// looked up, too.
pub const THIN_HULL: f64 = 1.5;
/// Distance, in voxels, by which the places that are looked up along a hull's edges are inside of it.
pub const EDGE_INSET: f64 = 0.4;

// Other tests of hulls.

/// Least share of its hull's volume that a part has for the depth of its surface to bound the hull's
/// protrusion. Less may be all shell; a shell has a tenth at most.
pub const MIN_FILL: f64 = 0.5;
/// Triangles that share a bounding box in queries of the surface. More makes boxes fewer and larger.
pub const BATCH_TRIANGLES: usize = 32;

// Convex parts of a whole solid.

/// Limits of a partition of a solid into convex parts.
pub struct Quality {
    /// Largest depth of the surface inside of a part, as a fraction of the solid's size. Larger gives
    /// fewer parts, which fit fewer fragments.
    pub max_depth: f64,
    /// Most parts. Merging the clips of more takes longer than a search.
    pub max_parts: usize,
    /// Most triangles of the solid. Bounds the time of the partition.
    pub max_triangles: usize,
}
/// Qualities that are tried in turn until one suffices.
pub const QUALITIES: [Quality; 2] = [
    Quality {
        max_depth: 5e-4,
        max_parts: 128,
        max_triangles: 25_000,
    },
    Quality {
        max_depth: 2e-3,
        max_parts: 512,
        max_triangles: 10_000,
    },
];
/// Distance by which points may lie outside of a convex part, as a fraction of the solid's size.
/// Larger is faster; fragments lose what is left out.
pub const PARTS_HULL_SLACK: f64 = 2e-4;
/// Most points of a convex part. Bounds the time to clip it.
pub const PARTS_HULL_POINTS: usize = 1000;
/// Halvings of a triangle that lies across edges of a hull, for each piece of it to be near one plane.
/// More finds more parts convex and takes longer for those that are not.
pub const MAX_HALVINGS: u32 = 4;
/// Splits (without a convex part so far) or convex parts after which the partition may be given up.
/// Fewer is faster with solids that are concave in too many places.
pub const PATIENCE: usize = 24;
/// Least share of the solid's volume in convex parts. Higher leaves more solids without parts, lower
/// more fragments with parts that do not fit.
pub const MIN_CONVEX_VOLUME: f64 = 0.9;
/// Sine of the angle between triangles below which their edge is not reflex.
pub const MIN_REFLEX_SINE: f64 = 1e-3;
/// Offset of a plane above the deepest triangle, as a fraction of its depth, so that rounding leaves
/// none of it above.
pub const DEEP_PLANE_OFFSET: f64 = 1e-5;

// Reuse.

/// Least share of a piece's volume that reused parts have; with less they are not all of it.
pub const MIN_REUSED_VOLUME: f64 = 0.99;
/// Smallest diagonal of a clipped part's box, as a fraction of the fragment's size; smaller ones are
/// dropped.
pub const MIN_CLIPPED_SIZE: f64 = 0.01;
/// Most hulls of a fragment that are kept without a try to merge them by the tolerance volume. Higher
/// is faster, lower gives fewer hulls.
pub const FEW_HULLS: usize = 3;
/// Distance by which points may lie outside of the joint hull of clipped parts, as a fraction of the
/// size. Less than [`SEARCH_HULL_SLACK`], since joint hulls are joined again.
pub const CLIPPED_HULL_SLACK: f64 = 0.001;
/// Distance by which a clipped part may protrude from a hull that counts as having it, as a fraction of
/// the size.
pub const ABSORB_SLACK: f64 = 0.002;
/// Tolerance of cached hulls as a share of [`SEARCH_TOLERANCE`]: remainders are smaller than the whole.
pub const CACHED_TOLERANCE: f64 = 0.8;
/// Fewest cached hulls worth keeping: a single one is touched by every fracture.
pub const MIN_CACHED_HULLS: usize = 2;
/// Smallest remainder, as a fraction of the original's box diagonal, for which
/// [`Hulls::from_cached`](super::Hulls::from_cached) reuses the cached hulls. Below it, a search yields
/// fewer hulls.
pub const MIN_REMAINDER_SIZE: f64 = 0.9;

// Provisional hulls.

/// Most provisional hulls of a piece, unless it has more components. More fit better, and take longer to find and
/// in each step until better ones are there.
pub const MAX_PROVISIONAL_HULLS: usize = 8;
/// Most points of a provisional hull. Bounds the cost of a collision.
pub const MAX_PROVISIONAL_POINTS: usize = 24;
/// Most triangles of a piece that is looked at for being convex: each is compared with each point, of which there are half
/// as many.
pub const MAX_CONVEX_TRIANGLES: usize = 124;
/// Volume of provisional hulls outside of the piece, as a share of the piece's, below which none is halved any
/// more. Less takes longer and fits better.
pub const PROVISIONAL_EXCESS: f64 = 0.2;
/// Most triangles of a mesh for which a close hull is found first, as it is the only one of most pieces that are so small.
pub const MAX_SMALL_TRIANGLES: usize = 100;
/// Most triangles of a mesh of which it is looked at once whether a close hull fits. More take too long.
pub const MAX_SHALLOW_TRIANGLES: usize = 3000;
/// Volume of its hull outside of a piece, as a share of the piece's, up to which it is looked whether one hull fits.
pub const CONVEX_EXCESS: f64 = 0.05;
/// Tolerances by which a surface may be deep in the coarse hull of a mesh for a close one to be tried. Some, because a close
/// hull has its centre deeper and so may fit where the coarse one does not; fewer are faster and find fewer close hulls.
pub const SHALLOW_FIT: f64 = 3.0;
/// Most triangles of a mesh that is covered as it is; a larger one is made coarse before.
pub const MAX_FINE_TRIANGLES: usize = 300;
/// Cells of the grid that makes a mesh coarse, along its longest side. Fewer are faster and less exact.
pub const COARSE_CELLS: u8 = 14;
/// Least share of a mesh's volume that the hull of the coarse mesh has; less where all of it is flat and thinner than a
/// cell. Walls that are thinner and curved are covered as surfaces.
pub const MIN_COARSE_VOLUME: f64 = 0.75;

// Measuring.

/// Resolution of a measured protrusion, as a fraction of the size. Smaller is slower.
pub const MEASURE_RESOLUTION: f64 = 0.0015;
/// Smallest protrusion that is measured, as a fraction of the size. Smaller is slower.
pub const MEASURE_FLOOR: f64 = 0.012;
/// Height of a triangle, as a fraction of its longest edge, below which rounding to f32 leaves it any
/// normal; the planes around it do without its own.
pub const MIN_TRIANGLE_HEIGHT: f64 = 1e-4;

// Rounding.

/// Heights below a face's plane from which it counts as visible, as fractions of the hull's size, tried
/// in turn: small ones keep hulls exact, larger ones remove flat neighbours together until the horizon
/// is one loop.
pub const VISIBILITY_SLACK: [f64; 4] = [1e-7, 1e-6, 1e-5, 1e-4];
/// Largest slack of a thin hull, as a fraction of its thickness.
pub const MAX_SLACK_OF_THICKNESS: f64 = 0.05;
/// Thickness of points, as a fraction of their size, below which they have no hull.
pub const MIN_THICKNESS: f64 = 1e-6;
/// Distance from a clipping plane, as a fraction of the largest coordinate, below which a point is on
/// it.
pub const ON_PLANE: f64 = 1e-9;
/// Difference of boxes and volumes, as a fraction of a part's size, below which two parts are the same.
pub const SAME_PART: f64 = 1e-9;
