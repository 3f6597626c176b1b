//! Hulls of what fractures left of a whole solid. Where nothing was removed, the cached hulls of the
//! whole fit. The remainder is split as the whole was, and only its parts that no hull fits are
//! searched.

use super::cached::{CachedHulls, MergedHull};
use crate::hulls::params::{MIN_REMAINDER_SIZE, MIN_REUSED_VOLUME};
use crate::hulls::search::context::DecomposeContext;
use crate::hulls::search::decompose::{merge_all, split_until_fit};
use crate::hulls::search::hull_part::HullPart;
use crate::hulls::search::split_tree::{NodeSplit, SplitTree};
use crate::hulls::shape::connected::connected_parts;
use crate::hulls::shape::part::Part;
use crate::steps::pause;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

impl CachedHulls {
    /// Few hulls of a remainder; `None` when the cached ones are of no use for it.
    pub(in crate::hulls) async fn remainder_hulls(
        &self,
        context: &DecomposeContext<'_>,
    ) -> Option<Vec<HullPart>> {
        if self.is_empty() || context.size < MIN_REMAINDER_SIZE * self.size {
            return None;
        }
        let mut remainder = Remainder::new(context, &self.tree);
        if remainder.volume() < MIN_REUSED_VOLUME * context.solid.volume() {
            return None;
        }
        let (mut fitting, mut open) = (Vec::new(), Vec::new());
        for merged in &self.hulls {
            match remainder.fit(merged) {
                Ok(part) => fitting.push(part),
                Err(parts) => open.extend(parts),
            }
            pause().await;
        }
        let mut tree = SplitTree::default();
        let mut parts = split_until_fit(open, context, &mut tree).await;
        fitting.append(&mut parts.fitting);
        parts.fitting = fitting;
        merge_all(parts, context).await
    }
}

/// The rest of each of the parts that the whole was split into.
struct Remainder<'a> {
    context: &'a DecomposeContext<'a>,
    tree: &'a SplitTree,
    /// By node of the tree: what is left of its part, split no further than was needed so far.
    parts: BTreeMap<u32, Part>,
    /// Leaves of which nothing was removed.
    unchanged: BTreeSet<u32>,
}

impl<'a> Remainder<'a> {
    /// Splits a remainder as the whole was, until each part is unchanged or a leaf.
    fn new(context: &'a DecomposeContext<'a>, tree: &'a SplitTree) -> Self {
        let mut remainder = Self {
            context,
            tree,
            parts: BTreeMap::new(),
            unchanged: BTreeSet::new(),
        };
        let mut open = remainder.assign(context.solid.clone(), &tree.roots);
        while let Some((node, part)) = open.pop() {
            match tree.split(node) {
                _ if tree.is_same(node, &part) => {
                    remainder.unchanged.extend(tree.leaves(node));
                    remainder.add(node, part);
                }
                Some(split) => open.extend(remainder.split(&part, split)),
                None => remainder.add(node, part),
            }
        }
        remainder
    }

    fn volume(&self) -> f64 {
        self.parts.values().map(Part::volume).sum()
    }

    fn add(&mut self, node: u32, part: Part) {
        self.parts.entry(node).or_default().append(&part);
    }

    /// Both sides of a split, with the nodes that they belong to.
    fn split(&self, part: &Part, split: &NodeSplit) -> Vec<(u32, Part)> {
        let sides = part.split(&split.plane).into_iter().zip(&split.sides);
        let parts = sides.flat_map(|(side, nodes)| self.assign(side, nodes));
        parts.collect()
    }

    /// The components of a part, each with the one of the nodes that it most likely belongs to.
    fn assign(&self, part: Part, nodes: &Range<u32>) -> Vec<(u32, Part)> {
        let components = if nodes.len() == 1 {
            vec![part]
        } else {
            connected_parts(part)
        };
        let components = components.into_iter();
        let assigned =
            components.filter_map(|part| Some((self.tree.node_around(nodes, &part)?, part)));
        assigned.collect()
    }

    /// The rest of the parts of a cached hull with one hull that fits: the cached one if nothing was
    /// removed. Those parts if no hull fits.
    fn fit(&mut self, merged: &MergedHull) -> Result<HullPart, Vec<HullPart>> {
        let context = self.context;
        let fits = |part: &HullPart| context.volume().contains_hull(&part.hull);
        let mut leaves = merged.leaves.iter();
        if leaves.all(|leaf| self.unchanged.contains(leaf)) {
            let cached = HullPart::from_hull(merged.hull.clone());
            if fits(&cached) {
                return Ok(cached);
            }
        }
        let parts = merged.leaves.iter().filter_map(|leaf| self.take(*leaf));
        let parts: Vec<Part> = parts.flat_map(connected_parts).collect();
        let mut joint = Part::default();
        parts.iter().for_each(|part| joint.append(part));
        let joint = HullPart::new(joint, context).filter(fits);
        joint.ok_or_else(|| HullPart::from_parts(parts, context))
    }

    /// Removes and returns what is left of a node's part, after the splits that it still needs.
    fn take(&mut self, node: u32) -> Option<Part> {
        if let Some(part) = self.parts.remove(&node) {
            return Some(part);
        }
        let parent = self.tree.parent(node)?;
        let (part, split) = (self.take(parent)?, self.tree.split(parent)?);
        for (node, part) in self.split(&part, split) {
            self.add(node, part);
        }
        self.parts.remove(&node)
    }
}
