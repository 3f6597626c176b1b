//! Laying in: a net at each large face of plates, at every face of blocks, and bars along the edges of beams.

use super::bar::Bar;
use super::clear_parts::clear_parts;
use crate::Solid;
use glam::DVec3;

/// Most bars of a solid: one that would have more has them farther apart. More make every break of it slower.
pub const MAX_BARS: usize = 4096;
/// Length below which a bar is not held by what is around it, in diameters: the least anchorage (EN 1992-1-1, 8.4.4).
const LEAST_GRIP: f64 = 10.0;
/// Length of a beam in depths, from which it is none of a plate's parts (EN 1992-1-1, 5.3.1).
const BEAM_LENGTH: f64 = 3.0;
/// Depth of a beam's section in widths, above which it is a wall (EN 1992-1-1, 5.3.1).
const BEAM_DEPTH: f64 = 4.0;
/// Part of the volume of its box from which on a body is taken for a box.
const LEAST_FILL: f64 = 0.6;
/// Most lines along which bars are looked for in what is none; most of them are short or outside.
const MAX_LINES_INSIDE: usize = 512;
/// Clear distance between bars that do not touch, in diameters (EN 1992-1-1, 8.2).
const CLEAR_DISTANCE: f64 = 1.0;

/// Sizes and steel of the bars of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BarFigures {
    /// Distance of bars from middle to middle, metres; 0 for none.
    pub spacing: f64,
    /// Diameter, metres.
    pub diameter: f64,
    /// Concrete between bars and faces, metres. Where faces are not flat, half of it is enough.
    pub cover: f64,
    /// Tension from which on the steel flows, Pa.
    pub yield_strength: f64,
}

impl Default for BarFigures {
    /// None; with a spacing, bars of 12 mm that flow at 500 MPa, 30 mm deep.
    fn default() -> Self {
        Self {
            spacing: 0.0,
            diameter: 0.012,
            cover: 0.03,
            yield_strength: 5e8,
        }
    }
}

impl BarFigures {
    /// Length in concrete from which on it holds a bar, metres.
    pub fn least_grip(&self) -> f64 {
        LEAST_GRIP * self.diameter
    }

    /// Distance from a face to the middle of the bars next to it.
    fn edge(&self) -> f64 {
        self.cover + 0.5 * self.diameter
    }

    /// Least distance from the surface to the middle of any bar.
    fn depth(&self) -> f64 {
        0.5 * (self.cover + self.diameter)
    }

    /// Whether there are bars of these figures.
    pub fn are_bars(&self) -> bool {
        let sizes = [self.spacing, self.diameter, self.cover, self.yield_strength];
        sizes.iter().all(|size| size.is_finite())
            && sizes[0] > 0.0
            && sizes[1] > 0.0
            && sizes[2] >= 0.0
            && sizes[3] > 0.0
    }
}

/// Lays bars into a solid: the same for the same solid and figures, in the same order.
///
/// A plate has bars along its two long axes, near each of its large faces, or in its middle where it is too thin for
/// two nets. A beam or a column has bars along its length, around its section; what is neither has them along all three
/// axes, near all its faces. What does not fill its box has bars at the same distances in its inside, too. What is not in
/// the solid, less half the cover, is left out, and so is what is then too short to be held; there may be no bars at all.
pub fn lay_in(solid: &Solid, figures: BarFigures) -> Vec<Bar> {
    if !figures.are_bars() {
        return Vec::new();
    }
    let mut figures = figures;
    let mut lines = lines(solid, &figures);
    while lines.is_none() {
        figures.spacing *= 2.0;
        lines = self::lines(solid, &figures);
    }
    // Ends keep the whole cover where a face is across them, as it mostly is.
    let rest = (figures.cover - figures.depth()).max(0.0);
    let least = figures.least_grip() + 2.0 * rest;
    let mut bars = Vec::new();
    for line in lines.into_iter().flatten() {
        let parts = clear_parts(solid, &line, figures.depth(), least).into_iter();
        let parts = parts.map(|[from, to]| line.part([from + rest, to - rest]));
        bars.extend(parts.filter(|bar| bar.length() >= figures.least_grip()));
    }
    bars.truncate(MAX_BARS);
    bars
}

/// The axes of a box: the longest, the middle and the shortest; of equal ones the first comes first.
fn sorted_axes(sides: DVec3) -> [usize; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by(|a, b| sides[*b].total_cmp(&sides[*a]));
    axes
}

/// Lines through the box of a solid, as bars from face to face; `None` if there are too many.
fn lines(solid: &Solid, figures: &BarFigures) -> Option<Vec<Bar>> {
    let bounds = solid.bounds();
    let sides = bounds.extents();
    let axes @ [long, middle, short] = sorted_axes(sides);
    let is_plate = sides[middle] > BEAM_DEPTH * sides[short];
    // The faces of other bodies are not those of their boxes.
    let is_box = solid.mass().volume >= LEAST_FILL * sides.element_product();
    let offsets = if is_plate {
        nets(sides, axes, figures)?
    } else if sides[long] >= BEAM_LENGTH * sides[middle] {
        lines_along(long, [middle, short], sides, is_box, figures)?
    } else {
        let mut cage = Vec::new();
        let mut figures = *figures;
        for (axis, section) in [
            (long, [middle, short]),
            (middle, [long, short]),
            (short, [long, middle]),
        ] {
            cage.extend(lines_along(axis, section, sides, is_box, &figures)?);
            figures.cover += figures.diameter;
        }
        cage
    };
    let most = if is_box || is_plate {
        MAX_BARS
    } else {
        MAX_LINES_INSIDE
    };
    let line = |(at, axis): (DVec3, usize)| {
        let start = bounds.min + at;
        Bar {
            start,
            end: start + sides[axis] * DVec3::AXES[axis],
            axis,
            is_end_held: false,
        }
    };
    (offsets.len() <= most).then(|| offsets.into_iter().map(line).collect())
}

/// Lines along both long axes of a plate, near each of its large faces, each by its place on the lower face and its axis.
fn nets(
    sides: DVec3,
    [long, middle, short]: [usize; 3],
    figures: &BarFigures,
) -> Option<Vec<(DVec3, usize)>> {
    let mut found = Vec::new();
    for (axis, other, inside) in [(long, middle, 0.0), (middle, long, figures.diameter)] {
        let across = places(sides[other], figures)?;
        for depth in layers(sides[short], figures, inside) {
            let at = |a: &f64| *a * DVec3::AXES[other] + depth * DVec3::AXES[short];
            found.extend(across.iter().map(|a| (at(a), axis)));
        }
    }
    Some(found)
}

/// Lines along an axis all over the section that two others span, or only around it, each by its place on the lower face
/// and its axis. `None` if there are too many.
fn lines_along(
    axis: usize,
    section: [usize; 2],
    sides: DVec3,
    only_around: bool,
    figures: &BarFigures,
) -> Option<Vec<(DVec3, usize)>> {
    let [across, deep] = section.map(|axis| places(sides[axis], figures));
    let (across, deep) = (across?, deep?);
    let is_end = |k: usize, places: &[f64]| k == 0 || k + 1 == places.len();
    let mut found = Vec::new();
    for (i, a) in across.iter().enumerate() {
        let is_whole = !only_around || is_end(i, &across);
        let kept = |(k, _): &(usize, &f64)| is_whole || is_end(*k, &deep);
        for (_, d) in deep.iter().enumerate().filter(kept) {
            let offset = *a * DVec3::AXES[section[0]] + *d * DVec3::AXES[section[1]];
            found.push((offset, axis));
        }
        if found.len() > MAX_BARS {
            return None;
        }
    }
    Some(found)
}

/// Places of bars along a side, evenly from edge to edge and no farther apart than the spacing; in the middle where there
/// is no room for two. `None` if there are too many.
fn places(side: f64, figures: &BarFigures) -> Option<Vec<f64>> {
    let room = side - 2.0 * figures.edge();
    if room < (1.0 + CLEAR_DISTANCE) * figures.diameter {
        return Some(vec![0.5 * side]);
    }
    let gaps = (room / figures.spacing).ceil();
    if gaps > MAX_BARS as f64 {
        return None;
    }
    let place = |k: u32| figures.edge() + room * f64::from(k) / gaps;
    Some((0..=gaps as u32).map(place).collect())
}

/// Depths of the bars of one direction, of which those of the other direction touch them: `inside` is 0 for the bars next
/// to the faces, and a diameter for those on their inside.
fn layers(thickness: f64, figures: &BarFigures, inside: f64) -> Vec<f64> {
    let diameter = figures.diameter;
    let net = figures.edge() + 1.5 * diameter;
    if thickness >= 2.0 * net + CLEAR_DISTANCE * diameter {
        let depth = figures.edge() + inside;
        vec![depth, thickness - depth]
    } else {
        vec![0.5 * (thickness - diameter) + inside]
    }
}
