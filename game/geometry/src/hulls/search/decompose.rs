//! Few hulls that fit a piece.

use crate::hulls::search::concavity::gaps;
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::merge::merge;
use crate::hulls::search::split_tree::SplitTree;
use crate::hulls::tolerance::coverage::cover;

/// What hulls are made to reach out at most, as a part of the size: less than what is promised, because
/// it is looked for in cubes.
pub const SEARCH_TOLERANCE: f64 = 0.0185;

/// Most hulls of a piece, so that the search ends: what does not fit into so many is left as it is, and counted.
/// Most pieces need one to five, large ones of a vase 40, a sponge 170, a soap bubble 270.
pub const MAX_HULLS: usize = 512;

/// Most parts for each hull while planes are sought: many are joined again, of a fine bowl with a thin wall seven of
/// eight.
const SOUGHT: usize = 6;

/// Hulls of a body, and whether all fit.
pub fn fitting(body: &DecomposeContext) -> (Vec<HullPart>, bool) {
    match HullPart::shallow(body) {
        Some(whole) => (vec![whole], true),
        None => searched(body),
    }
}

/// Hulls of a body for which it is not told that one does.
pub fn searched(body: &DecomposeContext) -> (Vec<HullPart>, bool) {
    let Some(whole) = HullPart::new(body.whole.clone(), body) else {
        return (Vec::new(), false);
    };
    let (mut pieces, fit) = match whole.fits(body) {
        true => (vec![whole], true),
        false => {
            let (done, stuck) = divided(whole.pieces(body), body, &mut SplitTree::default());
            merge(done, stuck, MAX_HULLS, body)
        }
    };
    cover(&mut pieces, body);
    (pieces, fit)
}

/// Parts with hulls, joined to few; `None` when some do not fit, or when too many are left.
pub fn all_joined(
    done: Vec<HullPart>,
    stuck: Vec<HullPart>,
    body: &DecomposeContext,
) -> Option<Vec<HullPart>> {
    if !stuck.is_empty() {
        return None;
    }
    let (mut pieces, _) = merge(done, stuck, usize::MAX, body);
    if pieces.len() > MAX_HULLS || body.was_stopped() {
        return None;
    }
    cover(&mut pieces, body);
    Some(pieces)
}

/// Cuts what does not fit, the worst first, while there are not too many, and notes that. Also what is left of that.
pub fn divided(
    mut pieces: Vec<HullPart>,
    body: &DecomposeContext,
    cuts: &mut SplitTree,
) -> (Vec<HullPart>, Vec<HullPart>) {
    cuts.begin(&mut pieces);
    let (mut done, mut open, mut stuck) = (Vec::new(), Vec::new(), Vec::new());
    let sort = |piece: HullPart, open: &mut Vec<_>, done: &mut Vec<_>| match piece.fits(body) {
        true => done.push(piece),
        false => open.push((piece.empty(), piece)),
    };
    for piece in pieces {
        sort(piece, &mut open, &mut done);
    }
    while done.len() + open.len() + stuck.len() < SOUGHT * MAX_HULLS && !body.is_to_stop() {
        let Some(piece) = take_emptiest(&mut open) else {
            break;
        };
        let gaps = gaps(&piece.part, &piece.hull, body);
        match piece.best_cut(&gaps, body) {
            None => stuck.push(piece),
            Some(plane) => {
                let mut sides = piece.cut(&plane, body);
                cuts.note(&piece, &plane, &mut sides);
                for piece in sides.into_iter().flatten() {
                    sort(piece, &mut open, &mut done);
                }
            }
        }
    }
    stuck.extend(open.into_iter().map(|(_, piece)| piece));
    (done, stuck)
}

/// Takes out the piece with the most of what is given with each.
fn take_emptiest(open: &mut Vec<(f64, HullPart)>) -> Option<HullPart> {
    let empty = open.iter().map(|(empty, _)| *empty).enumerate();
    let (emptiest, _) = empty.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(open.swap_remove(emptiest).1)
}
