//! Orientation of triangles: consistent across edges, and outward.

use crate::check::mesh_components;
use crate::mesh::{EdgeTopology, Mesh};
use glam::DVec3;

/// A neighbour across an edge of two triangles.
#[derive(Clone, Copy)]
struct Neighbor {
    triangle: u32,
    /// Whether both triangles run along the edge in the same direction, so that one has to be flipped.
    is_opposed: bool,
}

/// Flips triangles whose orientation differs from their neighbours' across edges of two triangles, in
/// each component those of the smaller area. One-sided components (Moebius strips) stay as they are.
/// Returns the number of flipped triangles.
pub fn orient_consistently(mesh: &mut Mesh) -> usize {
    let topology = EdgeTopology::new(mesh);
    let mut neighbors: Vec<Vec<Neighbor>> = vec![Vec::new(); topology.corners.len()];
    let mut any_opposed = false;
    for edge in topology.edges() {
        if let [(_, a), (_, b)] = *edge {
            let is_opposed = topology.is_forward(a) == topology.is_forward(b);
            for (own, other) in [(a, b), (b, a)] {
                neighbors[own as usize / 3].push(Neighbor {
                    triangle: other / 3,
                    is_opposed,
                });
            }
            any_opposed |= is_opposed;
        }
    }
    if !any_opposed {
        return 0;
    }
    let mut sides = vec![None; topology.corners.len()];
    let mut count = 0;
    for first in 0..sides.len() as u32 {
        if sides[first as usize].is_none() {
            for triangle in minority(&topology, &neighbors, &mut sides, first) {
                flip(mesh, topology.source[triangle as usize]);
                count += 1;
            }
        }
    }
    count
}

/// The triangles of a component that have to be flipped. `sides` gets the orientation of each of its
/// triangles relative to the first.
fn minority(
    topology: &EdgeTopology,
    neighbors: &[Vec<Neighbor>],
    sides: &mut [Option<bool>],
    first: u32,
) -> Vec<u32> {
    sides[first as usize] = Some(false);
    let mut component = vec![first];
    let mut next = 0;
    let mut areas = [0.0; 2];
    let mut is_one_sided = false;
    while let Some(&triangle) = component.get(next) {
        next += 1;
        let own = sides[triangle as usize] == Some(true);
        areas[usize::from(own)] += double_area(topology.positions_of(triangle));
        for neighbor in &neighbors[triangle as usize] {
            let expected = own ^ neighbor.is_opposed;
            match sides[neighbor.triangle as usize] {
                None => {
                    sides[neighbor.triangle as usize] = Some(expected);
                    component.push(neighbor.triangle);
                }
                Some(side) => is_one_sided |= side != expected,
            }
        }
    }
    let smaller = areas[1] <= areas[0];
    component.retain(|t| !is_one_sided && sides[*t as usize] == Some(smaller));
    component
}

fn double_area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length()
}

/// Flips closed components that are inside out and no cavity of another; returns the number of
/// flipped triangles.
pub fn orient_outward(mesh: &mut Mesh) -> usize {
    let components = mesh_components::find(&EdgeTopology::new(mesh));
    let inside_out = components.iter().filter(|component| component.inside_out);
    let triangles: Vec<u32> = inside_out.flat_map(|c| c.triangles.clone()).collect();
    for triangle in &triangles {
        flip(mesh, *triangle);
    }
    triangles.len()
}

fn flip(mesh: &mut Mesh, triangle: u32) {
    if let Some(corners) = mesh.triangles.get_mut(triangle as usize) {
        corners.swap(1, 2);
    }
}
