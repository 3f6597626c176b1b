//! Convex parts of a model as a stencil.

use crate::stencil::borders::{border_between, Border};
use crate::stencil::fit::fit_sites;
use crate::stencil::model_part::{ModelPart, StencilPart};
use crate::stencil::stencil_error::StencilError;
use glam::DVec3;

/// Most parts of a model that becomes a stencil.
pub const MAX_PARTS: usize = 2000;
/// Deepest overlap of two parts, in diagonals of the smaller one.
const OVERLAP: f64 = 0.01;
/// Farthest that a corner of a part may lie outside of the cell that it becomes, in diagonals of the part.
const OFF: f64 = 0.05;
/// Cosine of the angle up to which faces on the outside of a part are bounded as one: 30 degrees.
const ONE_SIDE: f64 = 0.87;

/// Finds sites whose cells are the parts, in their order, and then sites outside, by which the outermost parts end where
/// they do.
///
/// Parts may be apart by 3 % of their diagonals, as Cell Fracture leaves a margin; the border is in the middle. Wider gaps
/// go to the nearest parts. Corners lie within 5 % of a part's diagonal of its cell, else the parts are refused.
///
/// # Errors
/// [`StencilError`] names the part that is open, not convex, overlaps another or cannot be a cell.
pub fn sites_of_parts(parts: &[StencilPart]) -> Result<Vec<DVec3>, StencilError> {
    if !(2..=MAX_PARTS).contains(&parts.len()) {
        return Err(StencilError::PartCount {
            found: parts.len(),
            limit: MAX_PARTS,
        });
    }
    let parts: Vec<ModelPart> = parts.iter().map(ModelPart::new).collect::<Result<_, _>>()?;
    let borders = borders(&parts)?;
    let centers: Vec<DVec3> = parts.iter().map(|part| part.center).collect();
    let mut sites = fit_sites(&centers, &borders);
    check_cells(&parts, &sites)?;
    let outside = outer_sites(&parts, &borders, &sites);
    sites.extend(outside);
    Ok(sites)
}

/// The borders of all neighbours; an error where two parts overlap.
fn borders(parts: &[ModelPart]) -> Result<Vec<Border>, StencilError> {
    let mut borders = Vec::new();
    for (second, other) in parts.iter().enumerate() {
        for (first, one) in parts.iter().enumerate().take(second) {
            let size = one.size.min(other.size);
            if (one.center - other.center).length() > one.size + other.size + size {
                continue;
            }
            let gap = one.gap(other, -OVERLAP * size);
            if gap < -OVERLAP * size {
                return Err(StencilError::Overlap {
                    first: one.name.clone(),
                    second: other.name.clone(),
                    depth: -gap,
                });
            }
            borders.extend(border_between(parts, [first, second]));
        }
    }
    Ok(borders)
}

/// Checks that every part lies in the cell of its site.
fn check_cells(parts: &[ModelPart], sites: &[DVec3]) -> Result<(), StencilError> {
    let mut worst: Option<(f64, f64, &ModelPart)> = None;
    for (part, own) in parts.iter().zip(sites) {
        for corner in &part.corners {
            let others = sites.iter().filter(|other| *other != own);
            let beyond = others.map(|other| beyond_border(*corner, *own, *other));
            let distance = beyond.fold(f64::NEG_INFINITY, f64::max);
            let share = distance / part.size;
            let is_off = share > OFF || share.is_nan();
            if is_off && worst.is_none_or(|(most, ..)| share > most || share.is_nan()) {
                worst = Some((share, distance, part));
            }
        }
    }
    worst.map_or(Ok(()), |(_, distance, part)| {
        Err(StencilError::NoCells {
            part: part.name.clone(),
            distance,
        })
    })
}

/// How far a point lies beyond the border of the cells of two sites, seen from the first.
fn beyond_border(point: DVec3, own: DVec3, other: DVec3) -> f64 {
    let across = (other - own).normalize_or_zero();
    across.dot(point - 0.5 * (own + other))
}

/// Mirror images of the sites of the outermost parts in their outer faces: so the cells end where the model does. Those
/// that would cut into a part are left out.
fn outer_sites(parts: &[ModelPart], borders: &[Border], sites: &[DVec3]) -> Vec<DVec3> {
    let mut outside = Vec::new();
    for (at, (part, own)) in parts.iter().zip(sites).enumerate() {
        let mut inner: Vec<DVec3> = Vec::new();
        for border in borders {
            match border.parts {
                [one, _] if one == at => inner.push(border.normal),
                [_, other] if other == at => inner.push(-border.normal),
                _ => {}
            }
        }
        let mut faces: Vec<_> = part.faces.iter().map(|face| (face.area(), face)).collect();
        faces.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut taken: Vec<DVec3> = Vec::new();
        for (_, face) in faces {
            let is_near = |other: &DVec3| other.dot(face.normal) > ONE_SIDE;
            if inner.iter().any(|n| n.dot(face.normal) > 0.999) || taken.iter().any(is_near) {
                continue;
            }
            let depth = face.distance - face.normal.dot(*own);
            let image = *own + 2.0 * depth * face.normal;
            if depth > 0.0 && cuts_nothing(image, parts, sites) {
                taken.push(face.normal);
                outside.push(image);
            }
        }
    }
    outside
}

/// Whether the cell of a site outside leaves all parts whole.
fn cuts_nothing(outer: DVec3, parts: &[ModelPart], sites: &[DVec3]) -> bool {
    parts.iter().zip(sites).all(|(part, own)| {
        let mut corners = part.corners.iter();
        corners.all(|corner| beyond_border(*corner, *own, outer) <= OFF * part.size)
    })
}
