//! What is wrong with a mesh, as numbers and as places that can be drawn.
//!
//! Nothing here is needed to break a mesh; it tells an artist why one is refused, or what will look
//! odd. [`Solid::repaired`](crate::Solid::repaired) mends what can be mended without a decision.

pub(crate) mod components;
mod edges;
mod self_intersections;
mod text;

pub use components::MeshComponent;
pub use edges::BoundaryLoop;
pub use self_intersections::{SelfIntersection, SelfIntersections};

use crate::error::SolidError;
use crate::mesh::check_arrays;
use crate::mesh::mass::MassProperties;
use crate::mesh::EdgeTopology;
use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use rustc_hash::FxHashMap;

/// Two ends of an edge, metres.
pub type EdgePositions = [[f32; 3]; 2];

/// The health of a mesh. Triangles are indices into [`Mesh::triangles`], places are in metres in
/// the mesh's own space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshReport {
    /// Triangles of the mesh.
    pub triangles: usize,
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Vertices of different position.
    pub points: usize,
    /// The diagonal of the mesh's box, metres.
    pub diagonal: f64,
    /// Area of all triangles, m^2.
    pub area: f64,
    /// Signed volume, m^3; it says little when the mesh has borders.
    pub volume: f64,
    /// Open borders.
    pub borders: Vec<BoundaryLoop>,
    /// Edges of more than two triangles. They are no fault where as many run one way as the other.
    pub crowded: Vec<EdgePositions>,
    /// Edges of more than two triangles of which not as many run one way as the other.
    pub unbalanced: Vec<EdgePositions>,
    /// Edges between two triangles that face opposite ways.
    pub turned: Vec<EdgePositions>,
    /// Triangles that use one position twice; they are left out.
    pub repeated: Vec<u32>,
    /// Triangles of three positions and no area.
    pub flat: Vec<u32>,
    /// Triangles that have an area, and are thinner than a thousandth of their longest side.
    pub slivers: Vec<u32>,
    /// Triangles that are there before, facing the same way.
    pub duplicates: Vec<u32>,
    /// Connected parts, the largest area first.
    pub islands: Vec<MeshComponent>,
    /// Triangles that pass through each other.
    pub crossings: SelfIntersections,
}

impl MeshReport {
    /// Looks a mesh over. Takes about as long as preparing it twice.
    ///
    /// # Errors
    /// [`SolidError`] when the arrays do not fit together, hold too much or something not finite.
    pub fn of(mesh: &Mesh) -> Result<Self, SolidError> {
        check_arrays(mesh)?;
        let welded = EdgeTopology::new(mesh);
        let edges = edges::look(&welded);
        let islands = components::find(&welded);
        let (flat, duplicates) = flat_and_duplicates(&welded);
        let slivers = slivers(&welded);
        Ok(Self {
            triangles: mesh.triangles.len(),
            vertices: mesh.positions.len(),
            points: welded.points.len(),
            diagonal: diagonal(&mesh.positions),
            area: islands.iter().map(|island| island.area).sum(),
            volume: MassProperties::of_triangles(welded.places()).volume,
            borders: edges.borders,
            crowded: edges.crowded,
            unbalanced: edges.unbalanced,
            turned: edges.turned,
            repeated: welded.repeated(mesh.triangles.len() as u32),
            flat,
            slivers,
            duplicates,
            islands,
            crossings: self_intersections::find(&welded),
        })
    }

    /// Whether every edge has as many triangles on one side as on the other.
    pub fn is_closed(&self) -> bool {
        self.borders.is_empty() && self.unbalanced.is_empty() && self.turned.is_empty()
    }

    /// Whether the mesh breaks as it is: [`Solid::new`](crate::Solid::new) accepts it, it lies
    /// nowhere in itself, and no part is inside out.
    pub fn is_sound(&self) -> bool {
        self.is_closed()
            && self.volume > 0.0
            && self.crossings.count == 0
            && !self.islands.iter().any(|island| island.inside_out)
    }

    /// The triangles that need mending: those that are left out, flat, slivers or there twice, and those
    /// of parts that are inside out.
    pub fn faulty_triangles(&self) -> impl Iterator<Item = u32> + '_ {
        let lists = [&self.repeated, &self.flat, &self.slivers, &self.duplicates];
        let turned = self.islands.iter().filter(|island| island.inside_out);
        let lists = lists.into_iter().chain(turned.map(|part| &part.triangles));
        lists.flatten().copied()
    }

    /// Connected parts below a hundredth of the mesh's size.
    pub fn tiny(&self) -> impl Iterator<Item = &MeshComponent> {
        let limit = 0.01 * self.diagonal;
        self.islands.iter().filter(move |i| i.diagonal < limit)
    }
}

/// The diagonal of the box around some positions.
pub(crate) fn diagonal<'a>(positions: impl IntoIterator<Item = &'a [f32; 3]>) -> f64 {
    let far = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = positions.into_iter().fold(far, |(low, high), p| {
        let at = Vec3::from(*p).as_dvec3();
        (low.min(at), high.max(at))
    });
    (high - low).max(DVec3::ZERO).length()
}

/// How thin a sliver is for its longest side.
const SLIVER: f64 = 1e-3;

fn slivers(welded: &EdgeTopology) -> Vec<u32> {
    let is_sliver = |triangle: usize| {
        let [a, b, c] = welded.place(triangle as u32);
        let double = (b - a).cross(c - a).length();
        let sides = [b - a, c - b, a - c].map(|side| side.length_squared());
        let longest = sides.into_iter().fold(0.0, f64::max);
        double > 0.0 && double < SLIVER * longest
    };
    let all = welded.source.iter().enumerate();
    let found = all.filter(|(triangle, _)| is_sliver(*triangle));
    found.map(|(_, source)| *source).collect()
}

pub(crate) fn flat_and_duplicates(welded: &EdgeTopology) -> (Vec<u32>, Vec<u32>) {
    let mut seen: FxHashMap<[u32; 3], u32> = FxHashMap::default();
    let (mut flat, mut duplicates) = (Vec::new(), Vec::new());
    for (triangle, source) in welded.source.iter().enumerate() {
        let [a, b, c] = welded.place(triangle as u32);
        if (b - a).cross(c - a) == DVec3::ZERO {
            flat.push(*source);
        }
        let key = welded.turned_key(triangle as u32);
        if *seen.entry(key).or_insert(*source) != *source {
            duplicates.push(*source);
        }
    }
    (flat, duplicates)
}
