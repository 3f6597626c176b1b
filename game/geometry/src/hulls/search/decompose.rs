//! The search for few hulls: split what does not fit, the worst first, then merge.

use super::context::DecomposeContext;
use super::hull_part::{finish_hulls, HullPart};
use super::merge::merge_hulls;
use super::split_tree::SplitTree;
use crate::hulls::params::{MAX_HULLS, MAX_PARTS_PER_HULL};
use crate::steps::pause;

/// Hulls of a solid of which depth alone does not show that one hull fits, and whether all fit.
pub async fn decompose_concave(context: &DecomposeContext<'_>) -> (Vec<HullPart>, bool) {
    let Some(whole) = HullPart::new(context.solid.clone(), context) else {
        return (Vec::new(), false);
    };
    pause().await;
    let (mut parts, all_fit) = if whole.fits(context).await {
        (vec![whole], true)
    } else {
        let components = whole.connected(context);
        let mut tree = SplitTree::default();
        let parts = split_until_fit(components, context, &mut tree).await;
        merge_hulls(parts.fitting, parts.unfit, MAX_HULLS, context).await
    };
    finish_hulls(&mut parts, context).await;
    (parts, all_fit)
}

/// Parts after all splits.
pub struct SplitParts {
    pub fitting: Vec<HullPart>,
    /// Parts that do not fit and could not be split.
    pub unfit: Vec<HullPart>,
}

/// Splits parts that do not fit, those with the most excess volume first, until there are too many.
/// Records the splits.
pub async fn split_until_fit(
    mut parts: Vec<HullPart>,
    context: &DecomposeContext<'_>,
    tree: &mut SplitTree,
) -> SplitParts {
    tree.add_roots(&mut parts);
    let (mut fitting, mut unfit) = (Vec::new(), Vec::new());
    // Each with its excess volume.
    let mut open: Vec<(f64, HullPart)> = Vec::new();
    let max_parts = MAX_PARTS_PER_HULL * MAX_HULLS;
    loop {
        for part in parts {
            if context.poll_cancel() {
                break;
            }
            if part.fits(context).await {
                fitting.push(part);
            } else {
                open.push((part.excess_volume(), part));
            }
            pause().await;
        }
        if fitting.len() + open.len() + unfit.len() >= max_parts || context.poll_cancel() {
            break;
        }
        let Some(part) = take_worst(&mut open) else {
            break;
        };
        parts = match part.best_plane(context).await {
            None => {
                unfit.push(part);
                Vec::new()
            }
            Some(plane) => {
                let mut sides = part.split(&plane, context);
                tree.record(&part, &plane, &mut sides);
                sides.into_iter().flatten().collect()
            }
        };
    }
    unfit.extend(open.into_iter().map(|(_, part)| part));
    SplitParts { fitting, unfit }
}

/// Removes the part with the most excess volume.
fn take_worst(open: &mut Vec<(f64, HullPart)>) -> Option<HullPart> {
    let excesses = open.iter().map(|(excess, _)| *excess).enumerate();
    let (worst, _) = excesses.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(open.swap_remove(worst).1)
}

/// Merges parts of a split that have to fit: `None` when some do not, when too many are left, or when
/// cancelled.
pub async fn merge_all(parts: SplitParts, context: &DecomposeContext<'_>) -> Option<Vec<HullPart>> {
    if !parts.unfit.is_empty() {
        return None;
    }
    let (mut merged, _) = merge_hulls(parts.fitting, Vec::new(), usize::MAX, context).await;
    if merged.len() > MAX_HULLS || context.was_cancelled() {
        return None;
    }
    finish_hulls(&mut merged, context).await;
    Some(merged)
}
