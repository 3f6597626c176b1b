//! Convex parts of what stays of a plain body after its breaks, for its collider.
//!
//! A triangle mesh has a contact for each triangle near a piece, dozens where a wall was broken often, and no inside. Convex
//! parts have one for each flat side.

use std::sync::Arc;

use fracture_geometry::hulls::{ConvexPart, ConvexParts, InsideOf, PlacedPattern};
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, PieceKind};
use rapier3d::math::Pose;
use rapier3d::parry::shape::SharedShape;

use super::colliders::convex_shape;
use super::cut::CutRecord;

/// Most triangles of a body whose convex parts are found in no time: a wall, a beam, a column.
pub(super) const MAX_PLAIN_TRIANGLES: usize = 300;

/// Most convex parts of a piece.
const MAX_PARTS: usize = 4096;

/// Share of a piece's volume by which its convex parts may differ from it.
const MAX_LACKING_VOLUME: f64 = 0.01;

/// Convex parts of a piece, with their shapes. Parts that a break does not touch are shared with what was broken.
#[derive(Clone)]
pub(crate) struct RemainingParts(Arc<[Arc<RemainingPart>]>);

struct RemainingPart {
    part: ConvexPart,
    /// m^3
    volume: f64,
    shape: SharedShape,
}

impl RemainingPart {
    /// `None` for a splinter of which no shape can be made.
    fn new(part: ConvexPart) -> Option<Arc<Self>> {
        let hull = part.hull();
        Some(Arc::new(Self {
            volume: hull.volume,
            shape: convex_shape(&hull)?,
            part,
        }))
    }
}

impl RemainingParts {
    /// The parts of an intact body after cuts, as far as they are in a piece with a mesh and a volume (m^3). `None` where they are not
    /// all of the piece, as when a part of it came down by its weight, and where there are too many. `is_alone` says that the last
    /// cut has left no other island.
    pub async fn after(
        source: &ConvexParts,
        cuts: &[CutRecord],
        mesh: &Mesh,
        volume: f64,
        is_alone: bool,
    ) -> Option<Self> {
        let mut parts: Vec<ConvexPart> = source.parts().collect();
        for record in cuts {
            let pattern = record.0.placed_pattern()?;
            let mut left = Vec::with_capacity(parts.len());
            for part in parts {
                match changed(&part, record, &pattern) {
                    Some(parts) => left.extend(parts),
                    None => left.push(part),
                }
                pause().await;
            }
            parts = left;
        }
        let is_alone = is_alone && cuts.len() == 1;
        let inside = (!is_alone).then(|| InsideOf::new(mesh));
        parts.retain(|part| inside.as_ref().is_none_or(|piece| piece.contains(part)));
        let parts = parts.into_iter().filter_map(RemainingPart::new);
        Self::checked(parts.collect(), volume)
    }

    /// The same after one more cut.
    pub async fn after_next(
        &self,
        record: &CutRecord,
        mesh: &Mesh,
        volume: f64,
        is_alone: bool,
    ) -> Option<Self> {
        let pattern = record.0.placed_pattern()?;
        let inside = (!is_alone).then(|| InsideOf::new(mesh));
        let is_inside =
            |part: &ConvexPart| inside.as_ref().is_none_or(|piece| piece.contains(part));
        let mut left = Vec::new();
        for part in &*self.0 {
            match changed(&part.part, record, &pattern) {
                Some(mut parts) => {
                    parts.retain(is_inside);
                    left.extend(parts.into_iter().filter_map(RemainingPart::new));
                }
                None if is_inside(&part.part) => left.push(part.clone()),
                None => {}
            }
            pause().await;
        }
        Self::checked(left, volume)
    }

    fn checked(parts: Vec<Arc<RemainingPart>>, volume: f64) -> Option<Self> {
        let sum: f64 = parts.iter().map(|part| part.volume).sum();
        let is_all = (sum / volume - 1.0).abs() < MAX_LACKING_VOLUME;
        (is_all && parts.len() <= MAX_PARTS).then(|| Self(parts.into()))
    }

    /// The parts as one shape; `None` for no parts.
    pub fn shape(&self) -> Option<SharedShape> {
        let parts = self.0.iter();
        let mut shapes: Vec<_> = parts
            .map(|part| (Pose::IDENTITY, part.shape.clone()))
            .collect();
        match (shapes.len(), shapes.pop()) {
            (1, Some((_, shape))) => Some(shape),
            (_, last) => {
                shapes.push(last?);
                Some(SharedShape::compound(shapes))
            }
        }
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// The rest of a part after a cut by its pattern, without slivers; `None` where that does not touch it.
fn changed(
    part: &ConvexPart,
    (cut, kind): &CutRecord,
    pattern: &PlacedPattern,
) -> Option<Vec<ConvexPart>> {
    match kind {
        PieceKind::Fragment { cell, .. } => {
            Some(part.in_cell(pattern, *cell).into_iter().collect())
        }
        PieceKind::Island { .. } => {
            part.without(pattern, &cut.removed, cut.removed.sliver_volume())
        }
    }
}
