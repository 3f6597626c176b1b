//! Finer versions of a pattern, for breaks of all sizes.

use fracture_geometry::steps::pause;
use fracture_geometry::{refine_near_origin, repeat_towards_origin, Pattern, PatternError};
use glam::DVec3;

/// Most cells that a pattern is refined to. Beyond a thousand pieces of one break the smallest are dust.
const MAX_REFINED_CELLS: usize = 1024;

/// Fewest cells of a pattern that is refined: a single cut stays one.
const MIN_REFINED_CELLS: usize = 3;

/// Seed of the sites that are added to cells.
const REFINE_SEED: u64 = 0x2545_f491_4f6c_dd1d;

/// How many more cells than the host's a pattern has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PatternDetail {
    /// How many times the pattern is repeated towards the impact, each time half as large.
    pub octaves: u8,
    /// How many times each of its cells is halved, as far as a pattern may have so many.
    pub halvings: u8,
}

impl PatternDetail {
    /// Whether the pattern is that of the host.
    pub fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// How many times of some the cells of a pattern that has so many are halved.
    pub fn allowed_halvings(cells: usize, halvings: u8) -> u8 {
        let fits = |halvings: &u8| cells << halvings <= MAX_REFINED_CELLS;
        let halvings = if cells < MIN_REFINED_CELLS {
            0
        } else {
            halvings
        };
        (1..=halvings).take_while(fits).last().unwrap_or(0)
    }

    /// Makes the pattern with more cells, in steps.
    pub async fn apply(self, pattern: &Pattern) -> Result<Pattern, PatternError> {
        let cells = 0..pattern.cell_count() as u32;
        let sites: Vec<DVec3> = cells.map(|cell| pattern.site(cell)).collect();
        let sites = repeat_towards_origin(&sites, u32::from(self.octaves));
        let parts = 1 << Self::allowed_halvings(sites.len(), self.halvings);
        let sites = refine_near_origin(&sites, u32::MAX, parts, REFINE_SEED)?;
        pause().await;
        Pattern::from_sites_in_steps(&sites).await
    }
}
