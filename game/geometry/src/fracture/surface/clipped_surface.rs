//! The surface as the affected cells hold it: whole triangles in runs, and polygons of cut ones.

use crate::fracture::active_cells::ActiveCells;
use crate::fracture::surface::classify::ClipOutput;
use crate::fracture::surface::clipped_polygon::PolygonView;
use crate::math::PooledVec;
use std::ops::Range;

/// A polygon: the part of a cut triangle that lies in one cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Polygon {
    pub triangle: u32,
    /// The slot of the cell.
    pub slot: u32,
    chunk: u32,
    first: u32,
    count: u32,
}

/// A polygon as one of its triangle's.
#[derive(Clone, Copy, Debug)]
pub struct PolygonRef {
    pub triangle: u32,
    pub slot: u32,
    pub polygon: u32,
}

/// What affected cells hold of the surface, found anew for every break in the same memory.
#[derive(Default)]
pub struct ClippedSurface {
    pub chunks: PooledVec<ClipOutput>,
    /// By slot, then by triangle.
    polygons: Vec<Polygon>,
    /// By slot: where its polygons start; one more at the end.
    starts: Vec<u32>,
    /// The same by triangle, then by slot.
    pub taken: Vec<PolygonRef>,
    /// By slot, ascending; with room between slots.
    runs: Vec<Range<u32>>,
    /// By slot: where its runs are.
    run_places: Vec<Range<u32>>,
}

impl ClippedSurface {
    /// Sorts what the chunks hold by cells.
    pub fn sort(&mut self, slots: &ActiveCells) {
        self.sort_polygons(slots.count());
        self.sort_runs(slots.count());
    }

    fn sort_polygons(&mut self, count: usize) {
        let Self {
            chunks,
            polygons,
            starts,
            taken,
            ..
        } = self;
        // One slot further: filling in moves each start to its end, which is the next one's start.
        starts.clear();
        starts.resize(count + 2, 0);
        for cutout in chunks.iter().flat_map(|chunk| &chunk.cutouts) {
            starts[cutout.slot as usize + 2] += 1;
        }
        for slot in 2..count + 2 {
            starts[slot] += starts[slot - 1];
        }
        polygons.clear();
        polygons.resize(starts[count + 1] as usize, Polygon::default());
        taken.clear();
        for (index, chunk) in chunks.iter().enumerate() {
            for cutout in &chunk.cutouts {
                let next = &mut starts[cutout.slot as usize + 1];
                polygons[*next as usize] = Polygon {
                    triangle: cutout.triangle,
                    slot: cutout.slot,
                    chunk: index as u32,
                    first: cutout.first,
                    count: cutout.count,
                };
                taken.push(PolygonRef {
                    triangle: cutout.triangle,
                    slot: cutout.slot,
                    polygon: *next,
                });
                *next += 1;
            }
        }
    }

    fn sort_runs(&mut self, count: usize) {
        let Self {
            chunks,
            runs,
            run_places,
            ..
        } = self;
        run_places.clear();
        run_places.resize(count, 0..0);
        for (slot, _) in chunks.iter().flat_map(|chunk| &chunk.runs) {
            run_places[*slot as usize].end += 1;
        }
        let mut start = 0;
        for place in run_places.iter_mut() {
            let next = start + place.end;
            *place = start..start;
            start = next;
        }
        runs.clear();
        runs.resize(start as usize, 0..0);
        for (slot, run) in chunks.iter().flat_map(|chunk| &chunk.runs) {
            let place = &mut run_places[*slot as usize];
            let known = place.start < place.end;
            if known && runs[place.end as usize - 1].end == run.start {
                runs[place.end as usize - 1].end = run.end;
            } else {
                runs[place.end as usize] = run.clone();
                place.end += 1;
            }
        }
    }

    /// Runs of triangles that lie wholly in the cell of a slot.
    pub fn runs(&self, slot: u32) -> &[Range<u32>] {
        let place = &self.run_places[slot as usize];
        &self.runs[place.start as usize..place.end as usize]
    }

    /// The polygons in the cell of a slot, by their numbers.
    pub fn polygons_of(&self, slot: u32) -> Range<u32> {
        self.starts[slot as usize]..self.starts[slot as usize + 1]
    }

    /// How many polygons there are.
    pub fn polygon_count(&self) -> u32 {
        self.polygons.len() as u32
    }

    pub fn polygon(&self, polygon: u32) -> &Polygon {
        &self.polygons[polygon as usize]
    }

    /// The polygon of a cut triangle that lies in the cell of a slot; `first` is the number of the
    /// triangle's first polygon in [`ClippedSurface::taken`].
    pub fn polygon_in(&self, first: usize, slot: u32) -> Option<u32> {
        let triangle = self.taken[first].triangle;
        let own = self.taken[first..].iter();
        let mut own = own.take_while(|taken| taken.triangle == triangle);
        own.find(|taken| taken.slot == slot)
            .map(|taken| taken.polygon)
    }

    /// A polygon's edges and corners.
    pub fn outline(&self, polygon: &Polygon) -> PolygonView<'_> {
        let first = polygon.first as usize;
        let corners = &self.chunks[polygon.chunk as usize].corners;
        corners.outline(first..first + polygon.count as usize)
    }

    /// Whether no part of the surface lies in the cell of a slot.
    pub fn is_empty_in(&self, slot: u32) -> bool {
        self.runs(slot).is_empty() && self.polygons_of(slot).is_empty()
    }

    /// Whether no part of the surface lies in any affected cell.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.polygons.is_empty()
    }
}
