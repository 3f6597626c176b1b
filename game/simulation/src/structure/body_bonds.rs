//! BodyBonds of a body: what it touches, and where.

use std::sync::Arc;

use glam::Vec3;

use crate::debris::BodyRef;
use crate::pieces::{Anchor, Anchors};

/// A bond of a body with another one.
#[derive(Clone)]
pub(crate) struct BodyBond {
    pub with: BodyRef,
    /// The places, in the space of the body that has this bond.
    pub places: Arc<[Anchor]>,
    /// m^2
    pub area: f32,
    /// Centre of the area, world space.
    pub center: Vec3,
}

/// A bond of a body that is held by touch with something that it touches; see
/// [`Simulation::bonds`](crate::Simulation::bonds).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HoldingBond {
    /// The body that it touches.
    pub with: BodyRef,
    /// Area in which the two touch, m^2.
    pub area: f32,
    /// Centre of that area, world space, metres.
    pub center: Vec3,
    /// Whether that body holds this one: it is nearer to the ground.
    pub supports: bool,
}

/// BodyBonds of a body that may be held, or hold another one.
#[derive(Clone, Default)]
pub(crate) struct BodyBonds {
    /// By what is touched, ascending.
    list: Vec<BodyBond>,
    /// Whether they have been searched where the body is now.
    pub is_known: bool,
    /// Where it is held by anything: what stays there when the body breaks. `None` while that is not known; it is held
    /// everywhere then.
    held_at: Option<Arc<[Anchor]>>,
    /// The part of these places where what is nearer to the ground holds it.
    supported_at: Option<Arc<[Anchor]>>,
    /// Whether nothing holds it any more, so that it is about to fall.
    pub falls: bool,
    /// Whether the host has asked for its stress before it was known what holds it.
    pub is_to_be_solved: bool,
    /// Steps to the ground; `None` of a body that has no way there.
    pub level: Option<u32>,
}

impl BodyBonds {
    /// BodyBonds of a new piece, in the space of the body that it is a part of.
    pub fn of_piece(held_at: &Arc<[Anchor]>) -> Self {
        Self {
            held_at: Some(held_at.clone()),
            ..Self::default()
        }
    }

    pub fn list(&self) -> &[BodyBond] {
        &self.list
    }

    /// Adds a bond, in place of an older one with the same body.
    pub fn insert(&mut self, bond: BodyBond) {
        let found = self.list.binary_search_by_key(&bond.with, |own| own.with);
        match found {
            Ok(index) => self.list[index] = bond,
            Err(index) => self.list.insert(index, bond),
        }
    }

    pub fn remove(&mut self, with: BodyRef) {
        self.list.retain(|bond| bond.with != with);
    }

    /// Removes all bonds, to be searched anew.
    pub fn take(&mut self) -> Vec<BodyBond> {
        std::mem::take(&mut self.list)
    }

    /// Whether it is known what is nearer to the ground and holds the body.
    pub fn has_supports(&self) -> bool {
        self.supported_at.is_some()
    }

    /// Takes where the body is held, by anything and by what is nearer to the ground. Returns whether the latter has
    /// changed.
    pub fn set_held(&mut self, held_at: Vec<Anchor>, supported_at: Vec<Anchor>) -> bool {
        let is_same = self.supported_at.as_deref() == Some(&*supported_at);
        self.held_at = Some(held_at.into());
        self.supported_at = Some(supported_at.into());
        !is_same
    }
}

/// The anchors with which a body breaks.
pub(crate) fn anchors_of_break(anchors: &Anchors, bonds: Option<&BodyBonds>) -> Anchors {
    let bonds = bonds.filter(|_| anchors.is_touching());
    let held_at = bonds.and_then(|bonds| bonds.held_at.clone());
    held_at.map_or_else(|| anchors.clone(), Anchors::Boxes)
}

/// The anchors with which a body carries its weight.
pub(crate) fn anchors_of_weight(anchors: &Anchors, bonds: Option<&BodyBonds>) -> Anchors {
    let known = bonds.filter(|_| anchors.is_touching());
    let supported_at = known.and_then(|bonds| bonds.supported_at.clone());
    supported_at.map_or_else(|| anchors_of_break(anchors, bonds), Anchors::Boxes)
}
