//! Report on the faults of a mesh, as numbers and as places that can be drawn.
//!
//! Breaking a mesh needs no report. A report tells an artist why a mesh is refused, or what will look
//! odd; [`Solid::repaired`](crate::Solid::repaired) repairs the faults that need no decision.
//! [`check_closed`] only tells whether a mesh is closed.
//!
//! ```
//! use fracture_geometry::check::MeshReport;
//! use fracture_geometry::Mesh;
//!
//! let mut mesh = Mesh::cuboid([1.0, 1.0, 1.0]);
//! mesh.triangles.truncate(10); // one side is missing
//! let report = MeshReport::new(&mesh)?;
//! assert_eq!(report.boundary_loops.len(), 1);
//! println!("{report}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod edges;
pub(crate) mod mesh_components;
mod self_intersections;
mod text;

pub use crate::mesh::{check_closed, Closedness};
pub(crate) use edges::diagonal;
pub use edges::{BoundaryLoop, EdgePositions};
pub use mesh_components::MeshComponent;
pub use self_intersections::{SelfIntersection, SelfIntersections};

use crate::error::SolidError;
use crate::mesh::mass::MassProperties;
use crate::mesh::{check_arrays, EdgeTopology, Mesh};
use edges::FaultyEdges;
use glam::DVec3;
use rustc_hash::FxHashSet;

/// Faults and measures of a mesh. Triangles are indices into [`Mesh::triangles`]; positions are in
/// metres in the mesh's own space.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MeshReport {
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of different vertex positions.
    pub points: usize,
    /// Diagonal of the mesh's box, metres.
    pub diagonal: f64,
    /// Area of all triangles, m^2.
    pub area: f64,
    /// Signed volume, m^3; of little meaning for an open mesh.
    pub volume: f64,
    /// Open boundaries, the longest first.
    pub boundary_loops: Vec<BoundaryLoop>,
    /// Edges of more than two triangles. They are allowed where as many triangles run along the edge
    /// in one direction as in the other.
    pub non_manifold: Vec<EdgePositions>,
    /// Non-manifold edges with more triangles in one direction than in the other.
    pub unbalanced: Vec<EdgePositions>,
    /// Edges between two triangles of opposite orientation.
    pub inconsistent: Vec<EdgePositions>,
    /// Triangles that use one position twice. They are left out of solids.
    pub degenerate: Vec<u32>,
    /// Triangles of three positions and no area.
    pub zero_area: Vec<u32>,
    /// Triangles with an area that are thinner than a thousandth of their longest side.
    pub slivers: Vec<u32>,
    /// Triangles with the corners and the orientation of an earlier one.
    pub duplicates: Vec<u32>,
    /// Connected components, the largest area first.
    pub components: Vec<MeshComponent>,
    /// Triangles that pass through each other.
    pub self_intersections: SelfIntersections,
}

impl MeshReport {
    /// Examines a mesh; takes about twice as long as [`Solid::new`](crate::Solid::new).
    ///
    /// # Errors
    /// [`SolidError`] if the arrays do not match, are too large or hold positions that are not finite.
    pub fn new(mesh: &Mesh) -> Result<Self, SolidError> {
        check_arrays(mesh)?;
        let topology = EdgeTopology::new(mesh);
        let edges = FaultyEdges::new(&topology);
        let components = mesh_components::find(&topology);
        Ok(Self {
            triangles: mesh.triangles.len(),
            vertices: mesh.positions.len(),
            points: topology.points.len(),
            diagonal: diagonal(&mesh.positions),
            area: components.iter().map(|component| component.area).sum(),
            volume: MassProperties::from_triangles(topology.triangle_positions()).volume,
            boundary_loops: edges.boundary_loops,
            non_manifold: edges.non_manifold,
            unbalanced: edges.unbalanced,
            inconsistent: edges.inconsistent,
            degenerate: topology.degenerate(mesh.triangles.len() as u32),
            zero_area: find_triangles(&topology, |[a, b, c]| (b - a).cross(c - a) == DVec3::ZERO),
            slivers: find_triangles(&topology, is_sliver),
            duplicates: find_duplicates(&topology),
            components,
            self_intersections: self_intersections::find(&topology),
        })
    }

    /// Whether every edge has as many triangles in one direction as in the other.
    pub fn is_closed(&self) -> bool {
        self.boundary_loops.is_empty() && self.unbalanced.is_empty() && self.inconsistent.is_empty()
    }

    /// Whether the mesh breaks as it is: it is closed, encloses a volume, does not intersect itself,
    /// and no component is inside out.
    pub fn is_sound(&self) -> bool {
        self.is_closed()
            && self.volume > 0.0
            && self.self_intersections.count == 0
            && !self.components.iter().any(|component| component.inside_out)
    }

    /// The triangles to be repaired: degenerate ones, those without area, slivers, duplicates, and
    /// those of components that are inside out.
    pub fn faulty_triangles(&self) -> impl Iterator<Item = u32> + '_ {
        let lists = [
            &self.degenerate,
            &self.zero_area,
            &self.slivers,
            &self.duplicates,
        ];
        let inside_out = self.components.iter().filter(|c| c.inside_out);
        let lists = lists.into_iter().chain(inside_out.map(|c| &c.triangles));
        lists.flatten().copied()
    }

    /// The components below a hundredth of the mesh's size.
    pub fn tiny_components(&self) -> impl Iterator<Item = &MeshComponent> {
        let limit = 0.01 * self.diagonal;
        self.components.iter().filter(move |c| c.diagonal < limit)
    }
}

/// Height of a sliver as a fraction of its longest side.
const SLIVER_HEIGHT: f64 = 1e-3;

fn is_sliver([a, b, c]: [DVec3; 3]) -> bool {
    let double_area = (b - a).cross(c - a).length();
    let sides = [b - a, c - b, a - c].map(|side| side.length_squared());
    let longest = sides.into_iter().fold(0.0, f64::max);
    double_area > 0.0 && double_area < SLIVER_HEIGHT * longest
}

/// The triangles whose corners meet a condition, as indices in the mesh.
fn find_triangles(topology: &EdgeTopology, is_wanted: impl Fn([DVec3; 3]) -> bool) -> Vec<u32> {
    let all = topology.triangle_positions().zip(&topology.source);
    let wanted = all.filter(|(positions, _)| is_wanted(*positions));
    wanted.map(|(_, source)| *source).collect()
}

/// The triangles with the corners and the orientation of an earlier one, ascending.
pub(crate) fn find_duplicates(topology: &EdgeTopology) -> Vec<u32> {
    let mut seen: FxHashSet<[u32; 3]> = FxHashSet::default();
    let all = (0..).zip(&topology.source);
    let repeated = all.filter(|(triangle, _)| !seen.insert(topology.oriented_key(*triangle)));
    repeated.map(|(_, source)| *source).collect()
}
