//! Sites in a uniform grid, visited in growing shells around a site, nearest first.

use super::GRID_HALF;

/// A site and its squared distance in one number, which orders sites by distance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Near(u64);

impl Near {
    const SITE_BITS: u32 = 20;

    fn new(squared: i64, site: u32) -> Self {
        Self((squared as u64) << Self::SITE_BITS | u64::from(site))
    }

    /// The squared distance in grid units, below 2^40.
    pub fn squared(self) -> f64 {
        (self.0 >> Self::SITE_BITS) as f64
    }

    pub fn site(self) -> u32 {
        self.0 as u32 & ((1 << Self::SITE_BITS) - 1)
    }
}

/// Balls of a larger radius, in bucket widths, reach more buckets than are worth looking into.
const MOST_WIDTHS: f64 = 1.5;

/// Buckets of sites.
pub struct SiteGrid<'a> {
    sites: &'a [[i32; 3]],
    side: i64,
    /// Of a bucket, in grid units.
    width: f64,
    /// By site: its bucket along each axis.
    places: Vec<[u8; 3]>,
    starts: Vec<u32>,
    order: Vec<u32>,
}

impl<'a> SiteGrid<'a> {
    /// About four sites a bucket.
    pub fn new(sites: &'a [[i32; 3]]) -> Self {
        let side = (libm::cbrt(sites.len() as f64 / 4.0) as i64).clamp(1, 128);
        let mut grid = Self {
            sites,
            side,
            width: (2 * GRID_HALF + 1) as f64 / side as f64,
            places: Vec::with_capacity(sites.len()),
            starts: vec![0; (side * side * side) as usize + 1],
            order: vec![0; sites.len()],
        };
        for site in sites {
            let at = |x: i32| ((i64::from(x) + GRID_HALF) * side / (2 * GRID_HALF + 1)) as u8;
            grid.places.push([at(site[0]), at(site[1]), at(site[2])]);
        }
        for id in 0..sites.len() as u32 {
            let bucket = grid.bucket(grid.place(id));
            grid.starts[bucket + 1] += 1;
        }
        for bucket in 1..grid.starts.len() {
            grid.starts[bucket] += grid.starts[bucket - 1];
        }
        let mut next = grid.starts.clone();
        for id in 0..sites.len() as u32 {
            let bucket = grid.bucket(grid.place(id));
            grid.order[next[bucket] as usize] = id;
            next[bucket] += 1;
        }
        grid
    }

    fn place(&self, site: u32) -> [i64; 3] {
        let [x, y, z] = self.places[site as usize];
        [i64::from(x), i64::from(y), i64::from(z)]
    }

    fn bucket(&self, [x, y, z]: [i64; 3]) -> usize {
        ((z * self.side + y) * self.side + x) as usize
    }

    /// Fills `out` with the sites of one shell of buckets, nearest first. Returns the squared distance that no site of a later shell is below, or `None` when
    /// this shell and all later ones lie outside the grid.
    pub fn shell(&self, around: u32, shell: i64, out: &mut Vec<Near>) -> Option<f64> {
        out.clear();
        if shell >= self.side {
            return None;
        }
        let middle = self.place(around);
        let range =
            |axis: usize| (middle[axis] - shell).max(0)..=(middle[axis] + shell).min(self.side - 1);
        for z in range(2) {
            for y in range(1) {
                let on_side = (z - middle[2]).abs() == shell || (y - middle[1]).abs() == shell;
                let step = if on_side { 1 } else { (2 * shell).max(1) };
                let mut x = middle[0] - shell;
                while x <= middle[0] + shell {
                    if (0..self.side).contains(&x) {
                        self.collect([x, y, z], around, out);
                    }
                    x += step;
                }
            }
        }
        out.sort_unstable();
        let free = shell as f64 * self.width;
        Some(free * free)
    }

    /// Whether the ball around a cell's vertex `at` with the cell's site on it reaches only a few
    /// buckets; then `out` gets every site of them, but for those of the shells up to `tried`
    /// around `own`, that may be nearer to `at` than `own`. Each coordinate may be off by `off`.
    pub fn nearer(&self, own: u32, tried: i64, at: [f64; 3], off: f64, out: &mut Vec<u32>) -> bool {
        let squared = |site: [i32; 3]| {
            let d = |axis: usize| at[axis] - f64::from(site[axis]);
            d(0) * d(0) + d(1) * d(1) + d(2) * d(2)
        };
        let reach = squared(self.sites[own as usize]);
        let radius = reach.sqrt() + 4.0 * off + 1e-3;
        if radius > MOST_WIDTHS * self.width {
            return false;
        }
        let range = |axis: usize| {
            let bucket = |x: f64| ((x + GRID_HALF as f64) / self.width).floor() as i64;
            let (low, high) = (at[axis] - radius - 2.0, at[axis] + radius + 2.0);
            bucket(low).max(0)..=bucket(high).min(self.side - 1)
        };
        let middle = self.place(own);
        let was_tried = |axis: usize, at: i64| (at - middle[axis]).abs() <= tried;
        let within = radius * radius;
        for z in range(2) {
            for y in range(1) {
                let in_slab = was_tried(1, y) && was_tried(2, z);
                for x in range(0) {
                    if in_slab && was_tried(0, x) {
                        continue;
                    }
                    let near = |id: &&u32| squared(self.sites[**id as usize]) <= within;
                    out.extend(self.sites_in([x, y, z]).iter().filter(near));
                }
            }
        }
        true
    }

    fn sites_in(&self, place: [i64; 3]) -> &[u32] {
        let bucket = self.bucket(place);
        &self.order[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// The box around a site in which all sites belong to the shells up to `shell`; it is open where
    /// no site lies beyond.
    pub fn covered(&self, around: u32, shell: i64) -> [[f64; 2]; 3] {
        let middle = self.place(around);
        let edge = |bucket: i64| bucket as f64 * self.width - GRID_HALF as f64;
        middle.map(|at| {
            let (low, high) = (at - shell, at + shell + 1);
            // Buckets are rounded to whole grid units: two units inside is surely inside.
            [
                if low <= 0 {
                    f64::NEG_INFINITY
                } else {
                    edge(low) + 2.0
                },
                if high >= self.side {
                    f64::INFINITY
                } else {
                    edge(high) - 2.0
                },
            ]
        })
    }

    fn collect(&self, place: [i64; 3], around: u32, out: &mut Vec<Near>) {
        let center = self.sites[around as usize];
        for &id in self.sites_in(place) {
            if id != around {
                let site = self.sites[id as usize];
                let d = |axis: usize| (site[axis] - center[axis]) as i64;
                out.push(Near::new(d(0) * d(0) + d(1) * d(1) + d(2) * d(2), id));
            }
        }
    }
}
