//! Insertion of one site: its conflict cavity, and the star that fills it.

use super::triangulation::{Delaunay, Facet};

/// The cavity of a site that is being inserted; scratch for one site after another.
#[derive(Default)]
pub struct Cavity {
    /// Tetrahedra whose circumsphere contains the site.
    conflicts: Vec<u32>,
    /// Facets around the conflicts, seen from inside.
    boundary_facets: Vec<Facet>,
    /// By boundary facet: the tetrahedron between it and the site.
    star: Vec<u32>,
    edges: EdgeTable,
}

impl Cavity {
    /// Inserts a site, given a tetrahedron whose circumsphere contains it. Returns a tetrahedron that
    /// has the site.
    pub fn insert(&mut self, delaunay: &mut Delaunay, conflicting: u32, site: u32) -> u32 {
        delaunay.mark += 2;
        self.find_conflicts(delaunay, conflicting, site);
        self.star_hole(delaunay, site);
        delaunay.free.append(&mut self.conflicts);
        self.star.first().copied().unwrap_or(conflicting)
    }

    fn find_conflicts(&mut self, delaunay: &mut Delaunay, conflicting: u32, site: u32) {
        let (stays, removed) = (delaunay.mark, delaunay.mark + 1);
        let point = delaunay.point(site);
        self.boundary_facets.clear();
        self.conflicts.clear();
        self.conflicts.push(conflicting);
        delaunay.marks[conflicting as usize] = removed;
        let mut next = 0;
        while let Some(&tet) = self.conflicts.get(next) {
            next += 1;
            for (slot, across) in delaunay.tets[tet as usize].across.into_iter().enumerate() {
                let neighbor = across.tet();
                let mark = delaunay.marks[neighbor as usize];
                if mark == removed {
                    continue;
                }
                if mark != stays && delaunay.conflicts(neighbor, site, point) {
                    delaunay.marks[neighbor as usize] = removed;
                    self.conflicts.push(neighbor);
                } else {
                    delaunay.marks[neighbor as usize] = stays;
                    self.boundary_facets.push(Facet::new(tet, slot));
                }
            }
        }
    }

    /// Fills the cavity: one tetrahedron for each boundary facet, which takes the place of the removed
    /// one there, with the site as the corner opposite to the facet.
    fn star_hole(&mut self, delaunay: &mut Delaunay, site: u32) {
        self.star.clear();
        for &facet in &self.boundary_facets {
            let removed = delaunay.tets[facet.tet() as usize];
            let mut corners = removed.corners;
            corners[facet.slot()] = site;
            let tet = delaunay.add(corners);
            delaunay.join(Facet::new(tet, facet.slot()), removed.across[facet.slot()]);
            self.star.push(tet);
        }
        self.edges.start(self.boundary_facets.len());
        for (&facet, &tet) in self.boundary_facets.iter().zip(&self.star) {
            for slot in (0..4).filter(|slot| *slot != facet.slot()) {
                let edge = edge_key(&delaunay.tets[tet as usize].corners, facet.slot(), slot);
                let own = Facet::new(tet, slot);
                if let Some(other) = self.edges.match_or_insert(edge, own) {
                    delaunay.join(own, other);
                }
            }
        }
    }
}

/// The corners in the two slots besides two given ones, the smaller id first.
fn edge_key(corners: &[u32; 4], one: usize, other: usize) -> u64 {
    let third = (0..4).find(|k| *k != one && *k != other).unwrap_or(0);
    let ends = [corners[third], corners[6 - one - other - third]];
    let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
    u64::from(low) << 32 | u64::from(high)
}

/// Hash table of the edges of boundary facets, at which two tetrahedra of the star meet. Instead of
/// being emptied for each site, entries carry the number of their insertion.
#[derive(Default)]
struct EdgeTable {
    entries: Vec<EdgeEntry>,
    insertion: u32,
}

#[derive(Clone, Copy)]
struct EdgeEntry {
    edge: u64,
    facet: Facet,
    insertion: u32,
}

impl EdgeTable {
    /// Starts over, with room for the edges of so many facets.
    fn start(&mut self, facets: usize) {
        const EMPTY: EdgeEntry = EdgeEntry {
            edge: 0,
            facet: Facet::NONE,
            insertion: 0,
        };
        self.insertion += 1;
        let size = (4 * facets).next_power_of_two();
        if self.entries.len() < size {
            self.entries = vec![EMPTY; size];
        }
    }

    /// The facet that was inserted for an edge; inserts this facet if there is none.
    fn match_or_insert(&mut self, edge: u64, facet: Facet) -> Option<Facet> {
        let mask = self.entries.len() - 1;
        let hash = edge.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut index = (hash >> 40) as usize & mask;
        loop {
            let entry = &mut self.entries[index];
            if entry.insertion != self.insertion {
                *entry = EdgeEntry {
                    edge,
                    facet,
                    insertion: self.insertion,
                };
                return None;
            }
            if entry.edge == edge {
                return Some(entry.facet);
            }
            index = (index + 1) & mask;
        }
    }
}
