//! Connected components of a mesh.

use super::edges::diagonal;
use crate::math::{Aabb, UnionFind};
use crate::mesh::mass::{half_solid_angle, is_wound_around, MassProperties};
use crate::mesh::EdgeTopology;
use glam::DVec3;

/// A connected component: triangles that are connected by common edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshComponent {
    /// Indices of the triangles in the mesh, ascending.
    pub triangles: Vec<u32>,
    /// Surface area, m^2.
    pub area: f64,
    /// Signed volume, m^3; of little meaning for an open component.
    pub volume: f64,
    /// Centre of the component's box, metres.
    pub center: DVec3,
    /// Diagonal of the component's box, metres.
    pub diagonal: f64,
    /// Whether every edge has as many triangles in one direction as in the other.
    pub is_closed: bool,
    /// Whether the component is closed and oriented inward, and no cavity of another component.
    pub inside_out: bool,
}

/// Triangles that are looked at to find the components around inward ones: about a second.
const MAX_CAVITY_TESTS: usize = 50_000_000;

/// The components of a mesh, the largest area first.
pub fn find(topology: &EdgeTopology) -> Vec<MeshComponent> {
    let mut is_open = vec![false; topology.corners.len()];
    for half_edge in topology.edges().flat_map(|edge| topology.unpaired(edge)) {
        is_open[half_edge as usize / 3] = true;
    }
    let with_properties = |triangles: Vec<u32>| {
        let component = measure(topology, &triangles, &is_open);
        (component, triangles)
    };
    let components = connected_triangles(topology).into_iter();
    let mut components: Vec<(MeshComponent, Vec<u32>)> = components.map(with_properties).collect();
    components.sort_by(|a, b| b.0.area.total_cmp(&a.0.area));
    let mut budget = MAX_CAVITY_TESTS;
    for index in 0..components.len() {
        let (component, triangles) = &components[index];
        if component.is_closed && component.volume < 0.0 {
            let point = topology.positions_of(triangles[0])[0];
            let is_cavity = is_enclosed(topology, &components, index, point, &mut budget);
            components[index].0.inside_out = !is_cavity;
        }
    }
    components
        .into_iter()
        .map(|(component, _)| component)
        .collect()
}

/// Triangles by component.
fn connected_triangles(topology: &EdgeTopology) -> Vec<Vec<u32>> {
    let sets = UnionFind::new(topology.corners.len());
    for edge in topology.edges() {
        for pair in edge.windows(2) {
            sets.unite(pair[0].1 / 3, pair[1].1 / 3);
        }
    }
    let labels = sets.labels();
    let mut components = vec![Vec::new(); labels.count];
    for (triangle, component) in (0..).zip(labels.of) {
        components[component].push(triangle);
    }
    components
}

fn measure(topology: &EdgeTopology, triangles: &[u32], is_open: &[bool]) -> MeshComponent {
    let positions = || triangles.iter().map(|t| topology.positions_of(*t));
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let corners = triangles.iter().flat_map(|t| topology.corners[*t as usize]);
    MeshComponent {
        triangles: triangles
            .iter()
            .map(|t| topology.source[*t as usize])
            .collect(),
        area: positions().map(area).sum(),
        volume: MassProperties::from_triangles(positions()).volume,
        center: Aabb::from_points(positions().flatten()).center(),
        diagonal: diagonal(corners.map(|p| &topology.points[p as usize])),
        is_closed: !triangles.iter().any(|t| is_open[*t as usize]),
        inside_out: false,
    }
}

/// Whether a point of component `own` lies in another component that is oriented outward. Beyond the
/// budget the answer is yes, so that nothing is reported that was not looked at.
fn is_enclosed(
    topology: &EdgeTopology,
    components: &[(MeshComponent, Vec<u32>)],
    own: usize,
    point: DVec3,
    budget: &mut usize,
) -> bool {
    let mut components = components.iter().enumerate();
    components.any(|(index, (component, triangles))| {
        if index == own || component.volume <= 0.0 {
            return false;
        }
        let Some(budget_left) = budget.checked_sub(triangles.len()) else {
            return true;
        };
        *budget = budget_left;
        let positions = triangles.iter().map(|t| topology.positions_of(*t));
        is_wound_around(positions.map(|t| half_solid_angle(t, point)).sum())
    })
}
