//! Connected parts of a surface.

use super::diagonal;
use crate::math::UnionFind;
use crate::mesh::mass::{half_solid_angle, winds, MassProperties};
use crate::mesh::EdgeTopology;
use glam::DVec3;

/// A connected part: triangles that share edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshComponent {
    /// Its triangles in the mesh, ascending.
    pub triangles: Vec<u32>,
    /// m^2.
    pub area: f64,
    /// Signed, m^3; it says little when the part has borders.
    pub volume: f64,
    /// The middle of its box, metres.
    pub middle: [f64; 3],
    /// The diagonal of its box, metres.
    pub diagonal: f64,
    /// Whether every edge has as many triangles one way as the other.
    pub closed: bool,
    /// Closed and turned inwards, and in no other part whose cavity it could be.
    pub inside_out: bool,
}

/// Inward parts are looked for in at most this many other triangles.
const MOST_LOOKED_AT: usize = 50_000_000;

/// The islands of a surface, the largest area first.
pub fn find(welded: &EdgeTopology) -> Vec<MeshComponent> {
    let members = components(welded);
    let mut open = vec![false; welded.corners.len()];
    for edge in welded.edges() {
        for half_edge in welded.excess(edge) {
            open[half_edge as usize / 3] = true;
        }
    }
    let measured = |list: &Vec<u32>| measure(welded, list, &open);
    let mut islands: Vec<(MeshComponent, Vec<u32>)> = members
        .into_iter()
        .map(|list| (measured(&list), list))
        .collect();
    islands.sort_by(|a, b| b.0.area.total_cmp(&a.0.area));
    let mut budget = MOST_LOOKED_AT;
    for at in 0..islands.len() {
        let (island, list) = &islands[at];
        if island.closed && island.volume < 0.0 {
            let point = welded.place(list[0])[0];
            let held = is_held(welded, &islands, at, point, &mut budget);
            islands[at].0.inside_out = !held;
        }
    }
    islands.into_iter().map(|(island, _)| island).collect()
}

/// Triangles by connected part.
pub fn components(welded: &EdgeTopology) -> Vec<Vec<u32>> {
    let mut sets = UnionFind::new(welded.corners.len());
    for edge in welded.edges() {
        for pair in edge.windows(2) {
            sets.join(pair[0].1 / 3, pair[1].1 / 3);
        }
    }
    let groups = sets.groups();
    let mut lists = vec![Vec::new(); groups.count];
    for (triangle, group) in (0..).zip(groups.of) {
        lists[group].push(triangle);
    }
    lists
}

fn measure(welded: &EdgeTopology, list: &[u32], open: &[bool]) -> MeshComponent {
    let places = || list.iter().map(|t| welded.place(*t));
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let far = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = places()
        .flatten()
        .fold(far, |(l, h), p| (l.min(p), h.max(p)));
    let corners = || list.iter().flat_map(|t| welded.corners[*t as usize]);
    MeshComponent {
        triangles: list.iter().map(|t| welded.source[*t as usize]).collect(),
        area: places().map(area).sum(),
        volume: MassProperties::of_triangles(places()).volume,
        middle: ((low + high) * 0.5).to_array(),
        diagonal: diagonal(corners().map(|p| &welded.points[p as usize])),
        closed: !list.iter().any(|t| open[*t as usize]),
        inside_out: false,
    }
}

/// Whether a point lies in some other part that is right side out. Beyond the budget it counts as
/// held.
fn is_held(
    welded: &EdgeTopology,
    islands: &[(MeshComponent, Vec<u32>)],
    own: usize,
    point: DVec3,
    budget: &mut usize,
) -> bool {
    islands.iter().enumerate().any(|(at, (island, list))| {
        if at == own || island.volume <= 0.0 {
            return false;
        }
        let Some(rest) = budget.checked_sub(list.len()) else {
            return true;
        };
        *budget = rest;
        let angles = list
            .iter()
            .map(|t| half_solid_angle(welded.place(*t), point));
        winds(angles.sum())
    })
}
