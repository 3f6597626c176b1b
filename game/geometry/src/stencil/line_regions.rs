//! Regions between the lines of a picture, and sites whose cells cover them.

use crate::stencil::borders::Border;
use crate::stencil::fit::fit_sites;
use crate::stencil::picture::{nearest, Picture};
use crate::stencil::stencil_error::StencilError;
use glam::{DVec2, DVec3};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

/// Brightness below which a pixel belongs to a line.
const DARK: f32 = 0.5;
/// Fewest pixels of a region; smaller ones are specks.
const SPECK: usize = 6;
/// Fewest pixels of a border that counts.
const SHORT: usize = 3;
/// Rounds in which sites are added where lines are not followed.
const ROUNDS: usize = 10;
/// Rounds in which sites are moved, before others are added.
const MOVES: usize = 24;
/// How far sites are moved, in means of what the pixels of a cell ask for.
const PACE: f64 = 1.5;
/// How much the depth of a new site in its region counts beside its distance from others.
const DEEP: f64 = 3.0;
/// Share of a middling region's pixels that may be in cells of others.
const WRONG: f64 = 0.01;
/// Distance from a border at which a line counts as followed, in widths of the picture.
const NEAR: f64 = 0.015;
/// Directions in which borders are looked for.
const AROUND: [DVec2; 8] = [
    DVec2::new(1.0, 0.0),
    DVec2::new(0.7, 0.7),
    DVec2::new(0.0, 1.0),
    DVec2::new(-0.7, 0.7),
    DVec2::new(-1.0, 0.0),
    DVec2::new(-0.7, -0.7),
    DVec2::new(0.0, -1.0),
    DVec2::new(0.7, -0.7),
];
/// Marks a pixel without a region.
const NO_REGION: usize = usize::MAX;

/// Regions of a picture.
pub(super) struct LineRegions<'a> {
    picture: &'a Picture,
    /// By pixel: its region; pixels of lines belong to the nearest.
    regions: Vec<usize>,
    /// By pixel: how many steps it is from other regions.
    depths: Vec<u32>,
    count: usize,
}

/// Sites and the region of each.
#[derive(Clone, Default)]
struct RegionSites {
    sites: Vec<DVec2>,
    regions: Vec<usize>,
}

impl RegionSites {
    /// The site of a region that is nearest to a point.
    fn nearest_of(&self, region: usize, point: DVec2) -> Option<usize> {
        let sites = self.sites.iter().zip(&self.regions).enumerate();
        let own = sites.filter(|(_, (_, other))| **other == region);
        let distances = own.map(|(at, (site, _))| (site.distance_squared(point), at));
        distances
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, at)| at)
    }
}

impl<'a> LineRegions<'a> {
    pub fn new(picture: &'a Picture, most: usize) -> Result<Self, StencilError> {
        let mut found = Self {
            picture,
            regions: vec![NO_REGION; picture.brightness.len()],
            depths: Vec::new(),
            count: 0,
        };
        for pixel in 0..picture.brightness.len() {
            if !found.is_dark(pixel) && found.region(pixel) == NO_REGION {
                found.flood(pixel);
            }
        }
        if !(2..=most).contains(&found.count) {
            return Err(StencilError::Regions {
                found: found.count,
                limit: most,
            });
        }
        found.spread();
        found.measure_depths();
        Ok(found)
    }

    pub fn count(&self) -> usize {
        self.count
    }

    fn is_dark(&self, pixel: usize) -> bool {
        self.picture
            .brightness
            .get(pixel)
            .is_some_and(|value| *value < DARK)
    }

    fn region(&self, pixel: usize) -> usize {
        self.regions.get(pixel).copied().unwrap_or(NO_REGION)
    }

    fn set_region(&mut self, pixel: usize, region: usize) {
        if let Some(own) = self.regions.get_mut(pixel) {
            *own = region;
        }
    }

    /// The pixels beside a pixel.
    fn beside(&self, pixel: usize) -> impl Iterator<Item = usize> {
        let (width, count) = (self.picture.width, self.regions.len());
        let column = pixel % width;
        let left = (column > 0).then(|| pixel - 1);
        let right = (column + 1 < width).then_some(pixel + 1);
        let up = pixel.checked_sub(width);
        let down = Some(pixel + width).filter(|pixel| *pixel < count);
        [left, right, up, down].into_iter().flatten()
    }

    /// Gives a region to all bright pixels that are connected with this one.
    fn flood(&mut self, from: usize) {
        let region = self.count;
        self.set_region(from, region);
        let mut filled = vec![from];
        let mut at = 0;
        while let Some(pixel) = filled.get(at).copied() {
            at += 1;
            for next in self.beside(pixel) {
                if !self.is_dark(next) && self.region(next) == NO_REGION {
                    self.set_region(next, region);
                    filled.push(next);
                }
            }
        }
        if filled.len() < SPECK {
            // Goes to a neighbour, as the lines do. Marked by a region that does not exist, so that it is not found again.
            filled
                .into_iter()
                .for_each(|pixel| self.set_region(pixel, NO_REGION - 1));
        } else {
            self.count += 1;
        }
    }

    /// Gives the pixels of lines and specks to the nearest region.
    fn spread(&mut self) {
        let count = self.count;
        let has_region = |region: usize| region < count;
        let all = 0..self.regions.len();
        let mut front: VecDeque<usize> = all
            .filter(|pixel| has_region(self.region(*pixel)))
            .collect();
        while let Some(pixel) = front.pop_front() {
            let region = self.region(pixel);
            for next in self.beside(pixel) {
                if !has_region(self.region(next)) {
                    self.set_region(next, region);
                    front.push_back(next);
                }
            }
        }
    }

    /// Measures how deep each pixel lies in its region.
    fn measure_depths(&mut self) {
        let mut depths = vec![0_u32; self.regions.len()];
        let is_border = |pixel: &usize| {
            let own = self.region(*pixel);
            self.beside(*pixel).any(|next| self.region(next) != own)
        };
        let mut front: VecDeque<usize> = (0..self.regions.len()).filter(is_border).collect();
        for pixel in &front {
            depths[*pixel] = 1;
        }
        while let Some(pixel) = front.pop_front() {
            for next in self.beside(pixel) {
                if depths[next] == 0 {
                    depths[next] = depths[pixel] + 1;
                    front.push_back(next);
                }
            }
        }
        self.depths = depths;
    }

    /// Sites for the regions, and the share of the lines that the borders of their cells follow.
    pub fn sites(&self, most: usize) -> (Vec<DVec2>, f64) {
        let mut sites = self.first_sites();
        let mut best = (0.0, sites.clone());
        for round in 0..=ROUNDS {
            for moves in 0..=MOVES {
                let wrong = self.wrong_pixels(&sites);
                if moves % (MOVES / 4) == 0 {
                    let followed = self.followed(&sites);
                    if followed > best.0 {
                        best = (followed, sites.clone());
                    }
                }
                if moves == MOVES {
                    let count = sites.sites.len();
                    self.add_where_wrong(&wrong, &mut sites, most);
                    if round == ROUNDS || sites.sites.len() == count {
                        return (best.1.sites, best.0);
                    }
                    break;
                }
                self.move_where_wrong(&wrong, &mut sites);
            }
        }
        (best.1.sites, best.0)
    }

    /// The pixels that lie in cells of other regions, with the site of that cell.
    fn wrong_pixels(&self, sites: &RegionSites) -> Vec<(usize, usize)> {
        let all = 0..self.regions.len();
        let cell = |pixel: usize| (pixel, nearest(&sites.sites, self.picture.middle_of(pixel)));
        let is_wrong =
            |(pixel, cell): &(usize, usize)| sites.regions.get(*cell) != self.regions.get(*pixel);
        all.map(cell).filter(is_wrong).collect()
    }

    /// Moves the nearest site of their own region towards wrong pixels, and the site in whose cell they lie away from
    /// them (learning vector quantization).
    fn move_where_wrong(&self, wrong: &[(usize, usize)], sites: &mut RegionSites) {
        let mut moves = vec![DVec2::ZERO; sites.sites.len()];
        for (pixel, cell) in wrong {
            let middle = self.picture.middle_of(*pixel);
            let Some(own) = sites.nearest_of(self.region(*pixel), middle) else {
                continue;
            };
            for (site, sign) in [(own, 1.0), (*cell, -1.0)] {
                if let (Some(sum), Some(place)) = (moves.get_mut(site), sites.sites.get(site)) {
                    *sum += sign * (middle - *place);
                }
            }
        }
        let cell_size = self.regions.len() as f64 / sites.sites.len() as f64;
        for (site, sum) in sites.sites.iter_mut().zip(moves) {
            *site += (PACE / cell_size * sum).clamp_length_max(0.2 * cell_size.sqrt());
        }
    }

    /// One site in each region, such that straight lines are in the middle between two.
    fn first_sites(&self) -> RegionSites {
        let mut sums = vec![(DVec2::ZERO, 0.0); self.count];
        for (pixel, region) in self.regions.iter().enumerate() {
            if let Some((sum, count)) = sums.get_mut(*region) {
                *sum += self.picture.middle_of(pixel);
                *count += 1.0;
            }
        }
        let centers: Vec<DVec2> = sums.iter().map(|(sum, count)| *sum / *count).collect();
        let flat: Vec<DVec3> = centers.iter().map(|c| DVec3::new(c.x, 0.0, c.y)).collect();
        let fitted = fit_sites(&flat, &self.borders(&centers));
        RegionSites {
            sites: fitted
                .iter()
                .map(|site| DVec2::new(site.x, site.z))
                .collect(),
            regions: (0..self.count).collect(),
        }
    }

    /// The lines between each two regions, as straight as they are on the whole.
    fn borders(&self, centers: &[DVec2]) -> Vec<Border> {
        let mut points: BTreeMap<[usize; 2], Vec<DVec2>> = BTreeMap::new();
        for (pixel, region) in self.regions.iter().enumerate() {
            for next in self.beside(pixel) {
                let other = self.region(next);
                if *region < other && other < self.count {
                    let middle =
                        0.5 * (self.picture.middle_of(pixel) + self.picture.middle_of(next));
                    points.entry([*region, other]).or_default().push(middle);
                }
            }
        }
        let long = points
            .into_iter()
            .filter(|(_, points)| points.len() >= SHORT);
        let border = |(parts, points): ([usize; 2], Vec<DVec2>)| {
            let (middle, normal) = straight_line(&points);
            let [one, other] = parts.map(|at| centers.get(at).copied().unwrap_or_default());
            let normal = if normal.dot(other - one) < 0.0 {
                -normal
            } else {
                normal
            };
            Border {
                parts,
                normal: DVec3::new(normal.x, 0.0, normal.y),
                distance: normal.dot(middle),
                // The direction of a short line is known badly: its error falls with the third half power of its length.
                weight: (points.len() as f64).powi(3),
            }
        };
        long.map(border).collect()
    }

    /// Adds a site to each region that has many pixels in cells of others: at the one of these that is deepest in its
    /// region and far from its other sites.
    fn add_where_wrong(&self, wrong: &[(usize, usize)], sites: &mut RegionSites, most: usize) {
        let mut worst: BTreeMap<usize, (usize, f64, DVec2)> = BTreeMap::new();
        for (pixel, _) in wrong {
            let (region, middle) = (self.region(*pixel), self.picture.middle_of(*pixel));
            let depth = self.depths.get(*pixel).copied().unwrap_or_default();
            let own = sites.nearest_of(region, middle);
            let own = own.and_then(|own| sites.sites.get(own));
            let far = own.map_or(f64::INFINITY, |own| own.distance(middle));
            let score = far.min(DEEP * f64::from(depth));
            let (count, best, place) = worst.entry(region).or_default();
            *count += 1;
            if score > *best {
                (*best, *place) = (score, middle);
            }
        }
        let few = WRONG * self.regions.len() as f64 / self.count as f64;
        let mut worst: Vec<(usize, usize, DVec2)> = worst
            .into_iter()
            .filter(|(_, (count, ..))| *count as f64 > few)
            .map(|(region, (count, _, place))| (count, region, place))
            .collect();
        worst.sort_by_key(|&(size, region, ..)| Reverse((size, region)));
        worst.truncate(most.saturating_sub(sites.sites.len()));
        for (_, region, place) in worst {
            sites.sites.push(place);
            sites.regions.push(region);
        }
    }

    /// Share of the lines' middles near a border between cells of two regions. Lines that end within a region part nothing
    /// and do not count.
    fn followed(&self, sites: &RegionSites) -> f64 {
        let near = NEAR * self.picture.width as f64;
        let region = |point: DVec2| sites.regions.get(nearest(&sites.sites, point));
        let is_followed = |pixel: &usize| {
            let middle = self.picture.middle_of(*pixel);
            let own = region(middle);
            let mut around = AROUND.iter();
            around.any(|offset| region(middle + near * *offset) != own)
        };
        // The pixels where regions meet are the middle of the lines.
        let depths = self.depths.iter().enumerate();
        let lines: Vec<usize> = depths
            .filter(|(_, depth)| **depth == 1)
            .map(|(at, _)| at)
            .collect();
        let followed = lines.iter().filter(|pixel| is_followed(pixel)).count();
        followed as f64 / lines.len().max(1) as f64
    }
}

/// The straight line that points lie nearest to: a point of it, and its unit normal.
fn straight_line(points: &[DVec2]) -> (DVec2, DVec2) {
    let count = points.len().max(1) as f64;
    let middle = points.iter().sum::<DVec2>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let offset = *point - middle;
        xx += offset.x * offset.x;
        xy += offset.x * offset.y;
        yy += offset.y * offset.y;
    }
    // The eigenvector of the smaller eigenvalue.
    let smaller = 0.5 * (xx + yy - ((xx - yy) * (xx - yy) + 4.0 * xy * xy).sqrt());
    let (one, other) = (DVec2::new(xy, smaller - xx), DVec2::new(smaller - yy, xy));
    let normal = if one.length_squared() > other.length_squared() {
        one
    } else {
        other
    };
    let fallback = if xx < yy { DVec2::X } else { DVec2::Y };
    (middle, normal.normalize_or(fallback))
}
