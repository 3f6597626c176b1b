//! Recipes: seeded site generators, with the same result on every platform.
//!
//! Every recipe draws sites whose Voronoi cells *are* the wanted pieces, so that one kind of pattern
//! serves all. Recipes with long or flat cells draw their sites in a compressed space, which
//! [`Recipe::stretch`] undoes when the pattern is placed on a body: cells stay convex, and neighbours
//! still share one plane.
//!
//! Below, "flat" means flat up to the rounding of sites to the pattern's grid.

mod crater;
mod fibres;
mod radial;
mod recursive_planes;
mod refine;
mod rows;
mod scattered;

pub use crater::between_shells;
pub use refine::{refine_near_origin, repeat_towards_origin};

use crate::error::PatternError;
use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// Most slabs, rows of bricks, rings and rays: more are taken for a mistake.
const MAX_ROWS: u32 = 1000;
/// Most recursion levels of [`Recipe::Planes`]: 1,024 cells.
const MAX_DEPTH: u32 = 10;

/// A generator of sites in pattern space.
///
/// Recipes that are placed at impacts (clustered, crater, radial, shards, splinters, fibres, blade) have the impact at the origin
/// and its normal along the y axis. The others have a place of their own in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Recipe {
    /// Evenly spread over the box from -1 to 1.
    Uniform {
        /// Number of cells.
        cells: u32,
    },
    /// In the unit ball around the origin, where the impact is: distances are `u^falloff` of a uniform
    /// `u`, so that the density of cells falls with distance.
    Clustered {
        /// Number of cells.
        cells: u32,
        /// Exponent of the radial fall-off: 1/3 is uniform in the ball, 1 falls with the square of
        /// the distance, larger packs the cells closer around the impact. From 0.1 to 8.
        falloff: f64,
    },
    /// Shells of cells around the impact, every other one twice as large, so that pieces keep their shape
    /// and get larger outwards.
    Crater {
        /// Number of cells.
        cells: u32,
        /// Irregularity of the shells, from 0 to 1.
        jitter: f64,
    },
    /// Radial web of a broken pane: sites in the plane y = 0 on rings that grow by a constant factor, so
    /// that pieces keep their shape and get larger outwards. Cells are prisms along y. Without jitter
    /// the rays are flat and go through the y axis.
    Radial {
        /// Rings around the middle piece, from 1 to 1,000.
        rings: u32,
        /// Rays from the middle, from 3 to 1,000.
        rays: u32,
        /// Irregularity of rays and rings: 0 is a spider's web, 1 is chaotic.
        jitter: f64,
    },
    /// Shards of a pane of float glass: as [`Recipe::Radial`], but rings grow by more, so that pieces are long, and every
    /// other ray ends at every other ring.
    Shards {
        /// Rings around the middle piece, from 1 to 1,000. The outermost has half of the rays.
        rings: u32,
        /// Rays from the middle, from 3 to 1,000.
        rays: u32,
        /// Irregularity of rays and rings, from 0 to 1.
        jitter: f64,
    },
    /// Clustered cells that are long along y, for wood. Exact Voronoi cells of the compressed sites.
    Splinters {
        /// Number of cells.
        cells: u32,
        /// Exponent of the radial fall-off, as for clustered cells.
        falloff: f64,
        /// Length of a splinter in widths, from 1 to 100.
        aspect: f64,
    },
    /// Fibres along y around an impact, each broken across near y = 0 at a place of its own: an inner cell that holds
    /// its part of the plane y = 0, and two cells on both sides. So the inner cells part everything above them from
    /// everything below, and what they leave ends in points of uneven length.
    Fibres {
        /// Number of cells, five for each fibre.
        cells: u32,
        /// Exponent of the radial fall-off, as for clustered cells; 1/2 is uniform in the unit disc.
        falloff: f64,
        /// Length of a splinter in widths, from 1 to 100.
        aspect: f64,
    },
    /// Courses of bricks, one unit high, with joints on whole numbers. Bed joints are flat to about a 64th
    /// of a course when courses are shifted; all other joints are flat.
    Bricks {
        /// Number of courses; bricks along x and z fill a cube with them.
        rows: u32,
        /// Length (along x) and depth (along z) of a brick in heights, from 0.1 to 100.
        size: [f64; 2],
        /// Shift of every other course as a fraction of a brick, from 0 to 1.
        offset: f64,
        /// Irregularity of lengths and courses, from 0 to 1.
        jitter: f64,
    },
    /// Slabs across y between -1 and 1, with flat faces.
    Slabs {
        /// Number of slabs, from 2 to 1,000.
        slabs: u32,
        /// Irregularity of their thickness, from 0 to 1.
        jitter: f64,
        /// Angle between neighbouring slabs, radians, from 0 to 1.
        tilt: f64,
    },
    /// Random planes, each of which halves all parts: `2^depth` cells. The first plane is flat throughout;
    /// each later one is flat within a part and continues in the next part as its mirror image, because
    /// cells of a Voronoi diagram meet face to face. So this is not a tree of independent cuts, which no
    /// Voronoi diagram can be.
    Planes {
        /// Number of planes, from 1 to 10.
        depth: u32,
        /// Displacement of sites from that symmetry: 0 keeps every plane flat, 1 hides the planes.
        jitter: f64,
    },
    /// One plane through the origin: a straight cut.
    Blade {
        /// Angle between the plane's normal and the y axis, radians: 0 cuts across the impact's
        /// normal, a right angle cuts into the surface.
        tilt: f64,
    },
}

impl Recipe {
    /// The number of cells asked for.
    pub fn cells(&self) -> u32 {
        match *self {
            Self::Uniform { cells }
            | Self::Clustered { cells, .. }
            | Self::Splinters { cells, .. } => cells,
            Self::Crater { cells, .. } => crater::per_shell(cells)
                .saturating_mul(crater::SHELLS)
                .saturating_add(1),
            Self::Fibres { cells, .. } => fibres::columns(cells).saturating_mul(fibres::LAYERS),
            Self::Radial { rings, rays, .. } => rings.saturating_mul(rays).saturating_add(1),
            Self::Shards { rings, rays, .. } => {
                let pair = rays.saturating_add(rays.div_ceil(2));
                let outermost = (rings % 2).saturating_mul(rays.div_ceil(2));
                (rings / 2)
                    .saturating_mul(pair)
                    .saturating_add(outermost.saturating_add(1))
            }
            Self::Bricks { rows, size, .. } => rows::brick_counts(rows, size)
                .into_iter()
                .fold(1, u32::saturating_mul),
            Self::Slabs { slabs, .. } => slabs,
            Self::Planes { depth, .. } => 1 << depth.min(31),
            Self::Blade { .. } => 2,
        }
    }

    /// The recipe's numbers in the order of its fields. Recipes of one kind with equal parameters have equal
    /// sites for equal seeds.
    pub fn parameters(&self) -> Vec<f64> {
        match *self {
            Self::Uniform { cells } => vec![cells.into()],
            Self::Clustered { cells, falloff } => vec![cells.into(), falloff],
            Self::Crater { cells, jitter } => vec![cells.into(), jitter],
            Self::Radial {
                rings,
                rays,
                jitter,
            }
            | Self::Shards {
                rings,
                rays,
                jitter,
            } => vec![rings.into(), rays.into(), jitter],
            Self::Splinters {
                cells,
                falloff,
                aspect,
            }
            | Self::Fibres {
                cells,
                falloff,
                aspect,
            } => vec![cells.into(), falloff, aspect],
            Self::Bricks {
                rows,
                size: [length, depth],
                offset,
                jitter,
            } => vec![rows.into(), length, depth, offset, jitter],
            Self::Slabs {
                slabs,
                jitter,
                tilt,
            } => vec![slabs.into(), jitter, tilt],
            Self::Planes { depth, jitter } => vec![depth.into(), jitter],
            Self::Blade { tilt } => vec![tilt],
        }
    }

    /// Factors by which the space of the sites is stretched when the pattern is placed on a body.
    pub fn stretch(&self) -> DVec3 {
        match *self {
            Self::Splinters { aspect, .. } | Self::Fibres { aspect, .. } => {
                DVec3::new(1.0, aspect, 1.0)
            }
            Self::Bricks { size, .. } => rows::brick_stretch(size),
            _ => DVec3::ONE,
        }
    }

    /// Height of a layer of cells along y, in the space of the sites, where the pattern has layers.
    pub fn layer(&self) -> Option<f64> {
        match *self {
            Self::Fibres { cells, .. } => Some(fibres::spacing(cells)),
            _ => None,
        }
    }

    /// The period of a repeating pattern along the axes, in the space of the sites.
    pub fn period(&self) -> Option<DVec3> {
        match *self {
            Self::Bricks { size, .. } => Some(rows::brick_period(size)),
            _ => None,
        }
    }

    /// Draws the sites.
    ///
    /// # Errors
    /// [`PatternError::TooManySites`], or [`PatternError::Parameter`] if a parameter is out of its range.
    /// Too few cells are an error only when the pattern is built.
    pub fn sites(&self, seed: u64) -> Result<Vec<DVec3>, PatternError> {
        self.check()?;
        super::check_count(self.cells() as usize)?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        Ok(match *self {
            Self::Uniform { cells } => scattered::uniform(cells, &mut random),
            Self::Clustered { cells, falloff } => scattered::clustered(cells, falloff, &mut random),
            Self::Splinters {
                cells,
                falloff,
                aspect,
            } => scattered::splinters(cells, falloff, aspect, &mut random),
            Self::Crater { cells, jitter } => crater::sites(cells, jitter, &mut random),
            Self::Fibres { cells, falloff, .. } => fibres::sites(cells, falloff, &mut random),
            Self::Radial {
                rings,
                rays,
                jitter,
            } => radial::sites(rings, rays, jitter, &mut random),
            Self::Shards {
                rings,
                rays,
                jitter,
            } => radial::shards(rings, rays, jitter, &mut random),
            Self::Bricks {
                rows,
                size,
                offset,
                jitter,
            } => rows::bricks(rows, size, offset, jitter, &mut random),
            Self::Slabs {
                slabs,
                jitter,
                tilt,
            } => rows::slabs(slabs, jitter, tilt, &mut random),
            Self::Planes { depth, jitter } => recursive_planes::sites(depth, jitter, &mut random),
            Self::Blade { tilt } => rows::blade(tilt),
        })
    }

    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`PatternError::Parameter`] names the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), PatternError> {
        match *self {
            Self::Uniform { .. } => Ok(()),
            Self::Clustered { falloff, .. } => check_falloff(falloff),
            Self::Crater { jitter, .. } => check_fraction("jitter", jitter),
            Self::Splinters {
                falloff, aspect, ..
            }
            | Self::Fibres {
                falloff, aspect, ..
            } => check_long(falloff, aspect),
            Self::Radial {
                rings,
                rays,
                jitter,
            }
            | Self::Shards {
                rings,
                rays,
                jitter,
            } => check_web(rings, rays, jitter),
            Self::Bricks {
                rows,
                size,
                offset,
                jitter,
            } => {
                check_bricks(rows, size)?;
                check_fraction("offset", offset)?;
                check_fraction("jitter", jitter)
            }
            Self::Slabs {
                slabs,
                jitter,
                tilt,
            } => {
                check_rows("number of slabs", slabs, 2, "from 2 to 1000")?;
                check_fraction("jitter", jitter)?;
                degrees("tilt", tilt, [0.0, 1.0], "from 0 to 57.2 degrees")
            }
            Self::Planes { depth, jitter } => {
                within("depth", depth.into(), 1.0, MAX_DEPTH.into(), "from 1 to 10")?;
                check_fraction("jitter", jitter)
            }
            Self::Blade { tilt } => degrees("tilt", tilt, [-3.2, 3.2], "from -183 to 183 degrees"),
        }
    }
}

fn check_fraction(parameter: &'static str, value: f64) -> Result<(), PatternError> {
    within(parameter, value, 0.0, 1.0, "from 0 to 1")
}

fn check_falloff(falloff: f64) -> Result<(), PatternError> {
    within("falloff", falloff, 0.1, 8.0, "from 0.1 to 8")
}

/// Checks the figures of long cells.
fn check_long(falloff: f64, aspect: f64) -> Result<(), PatternError> {
    check_falloff(falloff)?;
    within("aspect", aspect, 1.0, 100.0, "from 1 to 100")
}

/// Checks the number of courses of bricks, and their length and depth.
fn check_bricks(rows: u32, size: [f64; 2]) -> Result<(), PatternError> {
    check_rows("number of rows", rows, 2, "from 2 to 1000")?;
    let range = "from 0.1 to 100 heights";
    let mut sides = size.into_iter();
    sides.try_for_each(|side| within("brick's length or depth", side, 0.1, 100.0, range))
}

/// Checks the figures of a web.
fn check_web(rings: u32, rays: u32, jitter: f64) -> Result<(), PatternError> {
    check_rows("number of rings", rings, 1, "from 1 to 1000")?;
    check_rows("number of rays", rays, 3, "from 3 to 1000")?;
    check_fraction("jitter", jitter)
}

/// Checks a number of rows, slabs, rings or rays.
fn check_rows(
    parameter: &'static str,
    value: u32,
    least: u32,
    range: &'static str,
) -> Result<(), PatternError> {
    let [value, least, most] = [value, least, MAX_ROWS].map(f64::from);
    within(parameter, value, least, most, range)
}

/// Checks an angle in radians; messages give it in degrees.
fn degrees(
    parameter: &'static str,
    radians: f64,
    [least, most]: [f64; 2],
    range: &'static str,
) -> Result<(), PatternError> {
    let [value, least, most] = [radians, least, most].map(f64::to_degrees);
    within(parameter, value, least, most, range)
}

/// Checks a parameter against its range; NaN is outside of every range.
fn within(
    parameter: &'static str,
    value: f64,
    least: f64,
    most: f64,
    range: &'static str,
) -> Result<(), PatternError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(PatternError::Parameter {
        parameter,
        value,
        range,
    })
}
