//! Triangles turned round: the same way as their neighbours, and parts right side out.

use crate::check::components;
use crate::mesh::EdgeTopology;
use crate::mesh::Mesh;
use glam::DVec3;

/// Turns triangles that face the other way than their neighbours across edges of two triangles; the
/// smaller area gives way. A strip that is turned once (Moebius) stays as it is.
pub fn alike(mesh: &mut Mesh) -> usize {
    let welded = EdgeTopology::new(mesh);
    let mut links: Vec<Vec<(u32, bool)>> = vec![Vec::new(); welded.corners.len()];
    let mut any = false;
    for edge in welded.edges() {
        if let [(_, a), (_, b)] = *edge {
            let odd = welded.is_forward(a) == welded.is_forward(b);
            links[a as usize / 3].push((b / 3, odd));
            links[b as usize / 3].push((a / 3, odd));
            any |= odd;
        }
    }
    if !any {
        return 0;
    }
    let mut turned = vec![None; welded.corners.len()];
    let mut count = 0;
    for first in 0..turned.len() as u32 {
        if turned[first as usize].is_none() {
            for triangle in minority(&welded, &links, &mut turned, first) {
                flip(mesh, welded.source[triangle as usize]);
                count += 1;
            }
        }
    }
    count
}

/// The triangles of a part that have to be turned.
fn minority(
    welded: &EdgeTopology,
    links: &[Vec<(u32, bool)>],
    turned: &mut [Option<bool>],
    first: u32,
) -> Vec<u32> {
    turned[first as usize] = Some(false);
    let mut part = vec![first];
    let mut at = 0;
    let mut areas = [0.0; 2];
    let mut twisted = false;
    while let Some(&triangle) = part.get(at) {
        at += 1;
        let own = turned[triangle as usize] == Some(true);
        areas[usize::from(own)] += area(welded.place(triangle));
        for &(other, odd) in &links[triangle as usize] {
            match turned[other as usize] {
                None => {
                    turned[other as usize] = Some(own ^ odd);
                    part.push(other);
                }
                Some(there) => twisted |= there != (own ^ odd),
            }
        }
    }
    let less = areas[1] <= areas[0];
    part.retain(|t| !twisted && turned[*t as usize] == Some(less));
    part
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length()
}

/// Turns closed parts that are inside out and no cavity of another.
pub fn outwards(mesh: &mut Mesh) -> usize {
    let islands = components::find(&EdgeTopology::new(mesh));
    let wrong = islands.iter().filter(|island| island.inside_out);
    let list: Vec<u32> = wrong.flat_map(|island| island.triangles.clone()).collect();
    list.iter().for_each(|triangle| flip(mesh, *triangle));
    list.len()
}

fn flip(mesh: &mut Mesh, triangle: u32) {
    if let Some(corners) = mesh.triangles.get_mut(triangle as usize) {
        corners.swap(1, 2);
    }
}
