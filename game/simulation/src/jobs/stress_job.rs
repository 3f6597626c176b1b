//! A body under its own weight, on the worker: whether it holds, and the pieces when it does not.

use std::sync::atomic::AtomicBool;
use std::sync::Arc;

use fracture_geometry::{Aabb, GroupSplit, Piece, Placement, Solid, SupportGraph, Workspace};
use glam::DVec3;

use super::break_job::BreakResult;
use crate::event::BreakFailure;
use crate::pieces::CutInheritance;
use crate::pieces::PieceOptions;
use crate::pieces::RemainderCollider;
use crate::pieces::{Anchor, Anchors, Shape};
use crate::stress::{
    BrokenFaces, CrackParts, LazyLattice, StressGraph, StressProblem, StressSolution,
};

/// All that the worker needs to weigh a body.
pub(crate) struct StressJob {
    pub shape: Arc<Shape>,
    pub lattice: Arc<LazyLattice>,
    pub strain: StressInput,
    pub anchors: Anchors,
    /// Pa, above 0.
    pub strength: f64,
    pub making: PieceOptions,
}

/// What a body has to bear, and what has cracked in it before.
#[derive(Clone)]
pub(crate) struct StressInput {
    /// m/s^2, body space.
    pub gravity: DVec3,
    pub damage: Arc<BrokenFaces>,
}

/// What came of it.
pub(crate) struct StressResult {
    pub support: Arc<StressGraph>,
    pub damage: Arc<BrokenFaces>,
    pub collapse: Option<Collapse>,
}

/// A body that came apart.
pub(crate) struct Collapse {
    pub outcome: BreakResult,
    /// The middle of the crack, body space.
    pub point: DVec3,
    /// What made it come apart.
    pub strain: StressInput,
}

impl StressJob {
    /// Weighs the body; a shell has no cross-sections and always holds.
    pub fn run(
        self,
        cancel: Arc<AtomicBool>,
        workspace: &mut Workspace,
    ) -> Result<StressResult, BreakFailure> {
        let solid = self.shape.solid()?;
        self.shape.slim();
        if solid.is_shell() {
            return Ok(self.holds());
        }
        let lattice = self.lattice.get_or_make(solid)?;
        workspace.set_cancel(Some(cancel.clone()));
        let anchors = self.anchors.resolve(solid.bounds().as_vec3());
        let boxes: Vec<Aabb> = anchors.iter().map(bounds).collect();
        let (pattern, place) = (&lattice.pattern, Placement::IDENTITY);
        let division = SupportGraph::build(solid, pattern, place, &boxes, workspace)?;
        let load = StressProblem {
            lattice: &lattice,
            division: &division,
            anchors: &anchors,
            damage: &self.strain.damage,
            strength: self.strength,
            weight: self.strain.gravity * self.making.density,
        };
        let verdict = load.bear();
        let separation = match (verdict.members.is_empty(), verdict.held.contains(&true)) {
            (true, true) => None,
            (true, false) => Some(GroupSplit::uncut(solid)),
            (false, _) => {
                let members = &verdict.members;
                Some(GroupSplit::cut(solid, pattern, place, members, workspace)?)
            }
        };
        let teeth = match &separation {
            Some(separation) if !verdict.members.is_empty() => {
                let members = &verdict.teeth.members;
                let apart = GroupSplit::cut(solid, pattern, place, members, workspace)?;
                teeth(separation, &apart, &verdict.teeth)
            }
            _ => Vec::new(),
        };
        let collapse = separation.map(|separation| {
            let crater =
                RemainderCollider::new(pattern, &Placement::IDENTITY, &separation.fracture);
            self.collapse(
                solid,
                &verdict,
                (&separation, &teeth),
                (crater, &anchors),
                &cancel,
            )
        });
        Ok(StressResult {
            collapse: collapse.transpose()?,
            support: Arc::new(verdict.support),
            damage: Arc::new(verdict.damage),
        })
    }

    fn holds(self) -> StressResult {
        StressResult {
            support: Arc::default(),
            damage: self.strain.damage,
            collapse: None,
        }
    }

    /// The pieces of a body that came apart: those of components that are held stay.
    fn collapse(
        &self,
        solid: &Solid,
        verdict: &StressSolution,
        (separation, teeth): (&GroupSplit, &[Vec<Piece>]),
        (crater, anchors): (RemainderCollider, &Arc<[Anchor]>),
        cancel: &AtomicBool,
    ) -> Result<Collapse, BreakFailure> {
        let broken = &separation.fracture;
        // Without a cut nothing is in a group: then nothing is held.
        let is_cut = !verdict.members.is_empty();
        let held = |group: &u32| match is_cut {
            true => verdict.held.get(*group as usize).copied(),
            false => Some(false),
        };
        let held: Vec<Option<bool>> = separation.groups.iter().map(held).collect();
        let bequest = self.shape.stock(solid).map(CutInheritance::new);
        let mut finishing = self
            .making
            .finishing(&self.shape, solid, anchors, crater, cancel);
        finishing.teeth = teeth;
        finishing.bequest = bequest.as_ref();
        let pieces = finishing.run(&broken.pieces, &held)?;
        let cap_surface = finishing.cap.surface;
        Ok(Collapse {
            outcome: BreakResult::new(solid, broken, pieces, cap_surface, anchors),
            point: verdict.crack.unwrap_or(solid.mass().center),
            strain: self.strain.clone(),
        })
    }
}

/// What each piece consists of when its teeth are taken off. Nothing where that cannot be told, because a component
/// does not hang together.
fn teeth(separation: &GroupSplit, apart: &GroupSplit, teeth: &CrackParts) -> Vec<Vec<Piece>> {
    let of_component = |component: u32| {
        let parts = apart.fracture.pieces.iter().zip(&apart.groups);
        let own =
            parts.filter(|(_, group)| teeth.components.get(**group as usize) == Some(&component));
        own.map(|(piece, _)| piece.clone()).collect()
    };
    let groups = &separation.groups;
    let parts = groups.iter().map(|group| {
        let alike = groups.iter().filter(|other| *other == group).count();
        match alike {
            1 => of_component(*group),
            _ => Vec::new(),
        }
    });
    parts.collect()
}

fn bounds([a, b]: &Anchor) -> Aabb {
    Aabb::from_points([a.as_dvec3(), b.as_dvec3()])
}
