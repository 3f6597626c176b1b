//! Points that are listed in a text.

use crate::pattern::MAX_CELLS;
use crate::stencil::stencil_error::StencilError;
use glam::DVec3;

/// Largest coordinate, metres: what is farther away is taken for a mistake.
const MAX_COORDINATE: f64 = 1e6;
/// Most characters of a line in a message.
const SHOWN: usize = 40;

/// Reads a list of points: one in each line, x y z in metres, with spaces, tabs, commas or semicolons between. Empty
/// lines and what follows a `#` do not count.
///
/// # Errors
/// [`StencilError::Point`] names the first line that is no point; [`StencilError::PointCount`].
pub fn sites_of_points(text: &str) -> Result<Vec<DVec3>, StencilError> {
    let mut sites = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if !content.is_empty() {
            sites.push(point(content).ok_or_else(|| StencilError::Point {
                line: at + 1,
                text: line.trim().chars().take(SHOWN).collect(),
            })?);
        }
    }
    if !(2..=MAX_CELLS).contains(&sites.len()) {
        return Err(StencilError::PointCount {
            found: sites.len(),
            limit: MAX_CELLS,
        });
    }
    Ok(sites)
}

fn point(line: &str) -> Option<DVec3> {
    let is_between = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let words = line.split(is_between).filter(|word| !word.is_empty());
    let numbers: Option<Vec<f64>> = words.map(|word| word.parse().ok()).collect();
    let &[x, y, z] = numbers?.as_slice() else {
        return None;
    };
    let point = DVec3::new(x, y, z);
    (point.abs().max_element() <= MAX_COORDINATE && point.is_finite()).then_some(point)
}
