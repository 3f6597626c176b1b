//! Putting one site in: the hole it makes, and what fills the hole.

use super::{Delaunay, Facet};

/// Scratch for one site after another.
#[derive(Default)]
pub struct Hole {
    /// The tetrahedra whose sphere holds the site.
    dug: Vec<u32>,
    /// The facets around them, seen from inside the hole.
    rim: Vec<Facet>,
    /// By facet of the rim: the tetrahedron between it and the site.
    filling: Vec<u32>,
    seams: Seams,
}

impl Hole {
    /// Puts a site in, given one tetrahedron whose sphere holds it. Returns one that has it.
    pub fn dig_and_fill(&mut self, delaunay: &mut Delaunay, inside: u32, site: u32) -> u32 {
        delaunay.mark += 2;
        self.dig(delaunay, inside, site);
        self.fill(delaunay, site);
        delaunay.free.append(&mut self.dug);
        self.filling.first().copied().unwrap_or(inside)
    }

    fn dig(&mut self, delaunay: &mut Delaunay, inside: u32, site: u32) {
        let (stays, goes) = (delaunay.mark, delaunay.mark + 1);
        let point = delaunay.point(site);
        self.rim.clear();
        self.dug.clear();
        self.dug.push(inside);
        delaunay.marks[inside as usize] = goes;
        let mut at = 0;
        while let Some(&tet) = self.dug.get(at) {
            at += 1;
            for (slot, beyond) in delaunay.tets[tet as usize].beyond.into_iter().enumerate() {
                let next = beyond.tet();
                let mark = delaunay.marks[next as usize];
                if mark == goes {
                    continue;
                }
                if mark != stays && delaunay.conflicts(next, site, point) {
                    delaunay.marks[next as usize] = goes;
                    self.dug.push(next);
                } else {
                    delaunay.marks[next as usize] = stays;
                    self.rim.push(Facet::new(tet, slot));
                }
            }
        }
    }

    /// A tetrahedron per facet of the rim takes the place of the one inside, with the site for the
    /// corner opposite to the facet.
    fn fill(&mut self, delaunay: &mut Delaunay, site: u32) {
        self.filling.clear();
        for &facet in &self.rim {
            let inside = delaunay.tets[facet.tet() as usize];
            let mut corners = inside.corners;
            corners[facet.slot()] = site;
            let tet = delaunay.add(corners);
            let outside = inside.beyond[facet.slot()];
            delaunay.tets[tet as usize].beyond[facet.slot()] = outside;
            delaunay.tets[outside.tet() as usize].beyond[outside.slot()] =
                Facet::new(tet, facet.slot());
            self.filling.push(tet);
        }
        self.seams.start(self.rim.len());
        for (&facet, &tet) in self.rim.iter().zip(&self.filling) {
            for slot in (0..4).filter(|slot| *slot != facet.slot()) {
                let edge = edge(&delaunay.tets[tet as usize].corners, facet.slot(), slot);
                let here = Facet::new(tet, slot);
                if let Some(there) = self.seams.meet(edge, here) {
                    delaunay.join(here, there);
                }
            }
        }
    }
}

/// The corners in the two slots that are left, the smaller id first.
fn edge(corners: &[u32; 4], one: usize, other: usize) -> u64 {
    let third = (0..4).find(|k| *k != one && *k != other).unwrap_or(0);
    let ends = [corners[third], corners[6 - one - other - third]];
    let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    u64::from(low) << 32 | u64::from(high)
}

/// The edges of the rim, where the tetrahedra of two of its facets meet: a table that is not
/// emptied, but whose entries are of a turn.
#[derive(Default)]
struct Seams {
    entries: Vec<Seam>,
    turn: u32,
}

#[derive(Clone, Copy)]
struct Seam {
    edge: u64,
    facet: Facet,
    turn: u32,
}

impl Seams {
    /// Starts over, with room for the edges of so many facets.
    fn start(&mut self, facets: usize) {
        const EMPTY: Seam = Seam {
            edge: 0,
            facet: Facet::NONE,
            turn: 0,
        };
        self.turn += 1;
        let room = (4 * facets).next_power_of_two();
        if self.entries.len() < room {
            self.entries = vec![EMPTY; room];
        }
    }

    /// The facet that was met at this edge before; else keeps this one for the next.
    fn meet(&mut self, edge: u64, facet: Facet) -> Option<Facet> {
        let mask = self.entries.len() - 1;
        let scrambled = edge.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut at = (scrambled >> 40) as usize & mask;
        loop {
            let entry = &mut self.entries[at];
            if entry.turn != self.turn {
                let turn = self.turn;
                *entry = Seam { edge, facet, turn };
                return None;
            }
            if entry.edge == edge {
                return Some(entry.facet);
            }
            at = (at + 1) & mask;
        }
    }
}
