//! What the pieces of a break are told of what their body was carved from.

use std::sync::Arc;

use fracture_geometry::hulls::{FractureHistory, RemovedCells};
use fracture_geometry::{Fracture, PieceKind, Placement};
use glam::Vec3;

use crate::pieces::{Cut, CutHistory, LazyPattern};

/// The same for all pieces of a break.
pub(crate) struct CutInheritance<'a> {
    /// Of what was broken.
    stock: &'a CutHistory,
    /// Nothing where no cells tell what came of it.
    last: Option<Last>,
}

/// The break, and what it made of the body, by piece.
struct Last {
    cut: Arc<Cut>,
    kinds: Vec<PieceKind>,
}

impl<'a> CutInheritance<'a> {
    /// Of what came apart by itself.
    pub fn new(stock: &'a CutHistory) -> Self {
        Self { stock, last: None }
    }

    /// Of what was broken by a pattern.
    pub fn of_break(
        stock: &'a CutHistory,
        (pattern, blade): (&Arc<LazyPattern>, bool),
        placement: Placement,
        broken: &Fracture,
    ) -> Self {
        let cut = Cut {
            pattern: pattern.clone(),
            blade,
            placement,
            broken_out: RemovedCells::from_fracture(broken),
        };
        Self {
            stock,
            last: Some(Last {
                cut: Arc::new(cut),
                kinds: broken.pieces.iter().map(|piece| piece.kind).collect(),
            }),
        }
    }

    /// What clips the hulls of fragments; `None` where one hull does for each, because the body is convex, and for
    /// what a blade has parted, which are none.
    pub fn clipping(&self) -> Option<FractureHistory<'_>> {
        let cut = &self.last.as_ref().filter(|last| !last.cut.blade)?.cut;
        let within = cut.broken_out.bounds.as_vec3();
        let parts = self.stock.parts.get();
        let past = self.stock.carvings(within);
        let is_convex = parts.len() <= 1 && past.is_empty();
        let pattern = cut.cells().filter(|_| !is_convex)?;
        Some(FractureHistory {
            parts,
            past,
            pattern,
        })
    }

    /// What a piece within a box is told.
    pub fn of_piece(&self, piece: usize, bounds: [Vec3; 2]) -> CutHistory {
        let last = self.last.as_ref();
        let last = last.and_then(|last| Some((last.cut.clone(), *last.kinds.get(piece)?)));
        self.stock.of_piece(bounds, last)
    }
}
