//! The job that solves the stress in an anchored body under its own weight, or in a free one that lands, and makes the
//! pieces if it comes apart.

use std::sync::Arc;

use fracture_geometry::steps::pause;
use fracture_geometry::support::GroupSplit;
use fracture_geometry::{Aabb, Fracture, Piece, Placement, Solid, Workspace};
use glam::DVec3;

use super::break_job::BreakResult;
use crate::changes::changes_of_break;
use crate::error::BreakFailure;
use crate::parallel::JobThread;
use crate::pieces::{
    weakness_of, Anchor, Anchors, CutInheritance, PaintedWeakness, PartedBy, PieceOptions,
    RemainderCollider, Shape,
};
use crate::stress::{
    BrokenBonds, CrackParts, Lattice, LazyLattice, StressGraph, StressLoad, StressProblem,
    StressSolution, SupportGraphs,
};

/// Distance between the bumps of cracks by weight in those of blows: a building that comes down has hundreds of such cracks,
/// which nobody is near, and each of them is cut and drawn on.
const COLLAPSE_GRAIN: f32 = 2.0;

/// All inputs of a stress solve, so that the worker needs nothing of the simulation.
pub(crate) struct StressJob {
    pub shape: Arc<Shape>,
    /// `None` of a body without strength, which stays while anything holds it.
    pub lattice: Option<Arc<LazyLattice>>,
    pub support_graphs: Arc<SupportGraphs>,
    pub input: StressInput,
    pub anchors: Anchors,
    /// Pa, above 0 where there is a lattice.
    pub strength: f64,
    /// Painted on the intact body.
    pub weakness: Option<Arc<PaintedWeakness>>,
    /// Section by less than which no part of a body that was broken hangs, m^2.
    pub neck: f64,
    pub options: PieceOptions,
}

/// The inputs that a log keeps, from which the same collapse follows.
#[derive(Clone)]
pub(crate) struct StressInput {
    /// m/s^2, body space.
    pub gravity: DVec3,
    /// Bonds that were broken before.
    pub broken_bonds: Arc<BrokenBonds>,
    /// Besides its own weight.
    pub loads: Arc<[StressLoad]>,
    /// Those of the anchors on which it only rests.
    pub loose_supports: Arc<[Anchor]>,
    /// Angular velocity of a free body, which its inertia keeps in equilibrium with its loads, rad/s, body space; `None`
    /// of a held one.
    pub spin: Option<DVec3>,
}

/// The result of a stress solve.
pub(crate) struct StressResult {
    pub graph: Arc<StressGraph>,
    pub broken_bonds: Arc<BrokenBonds>,
    pub collapse: Option<Collapse>,
}

/// The pieces of a body that came apart under its own weight.
pub(crate) struct Collapse {
    pub pieces: BreakResult,
    /// The middle of the crack, body space.
    pub point: DVec3,
    pub input: StressInput,
}

impl StressResult {
    /// How many pieces come or go by it.
    pub fn changes(&self) -> usize {
        let collapse = self.collapse.as_ref();
        collapse.map_or(1, |collapse| changes_of_break(collapse.pieces.pieces.len()))
    }
}

impl StressJob {
    /// Solves the stress, in steps; a shell has no cross-sections and always holds.
    pub async fn run(self, thread: &mut JobThread) -> Result<StressResult, BreakFailure> {
        let solid = self.shape.solid_in_steps().await?;
        self.shape.release_source_mesh();
        pause().await;
        let anchors = self.anchors.resolve(solid.bounds().as_vec3());
        if anchors.is_empty() && self.input.spin.is_none() {
            return self.fall(solid, &anchors, thread).await;
        }
        let Some(lattice) = self.lattice.as_ref().filter(|_| !solid.is_shell()) else {
            return Ok(StressResult {
                graph: Arc::default(),
                broken_bonds: self.input.broken_bonds,
                collapse: None,
            });
        };
        let lattice = lattice.get_or_make(solid).await?;
        pause().await;
        let solution = self.solve(solid, &lattice, &anchors, thread);
        let solution = solution.await?;
        pause().await;
        let split = Split::in_steps(solid, &lattice, &solution, &mut thread.workspace).await?;
        pause().await;
        let collapse = match &split {
            Some(split) => {
                let (pattern, placement) = (&lattice.pattern, Placement::IDENTITY);
                let by_cells = RemainderCollider::new(pattern, &placement, split.fracture());
                let by_cells = Some(by_cells);
                let collapse = self.collapse(solid, &solution, split, by_cells, &anchors, thread);
                Some(collapse.await?)
            }
            None => None,
        };
        Ok(StressResult {
            collapse,
            graph: Arc::new(solution.graph),
            broken_bonds: Arc::new(solution.broken_bonds),
        })
    }

    async fn solve(
        &self,
        solid: &Arc<Solid>,
        lattice: &Arc<Lattice>,
        anchors: &[Anchor],
        thread: &mut JobThread,
    ) -> Result<StressSolution, BreakFailure> {
        let StressInput {
            loads,
            loose_supports,
            ..
        } = &self.input;
        let is_firm = |anchor: &Anchor| !loose_supports.contains(anchor);
        let firm: Vec<Anchor> = anchors.iter().copied().filter(is_firm).collect();
        let places = loads.iter().map(|load| &*load.places);
        let regions = [&*firm, loose_supports].into_iter().chain(places);
        let regions = regions.map(|boxes| boxes.iter().map(bounds).collect());
        let regions: Vec<Vec<Aabb>> = regions.collect();
        let regions: Vec<&[Aabb]> = regions.iter().map(Vec::as_slice).collect();
        let support = self
            .support_graphs
            .get_or_make(solid, lattice, &mut thread.workspace);
        let support = support.await?;
        pause().await;
        let weakness = weakness_of(self.weakness.as_ref()).await;
        let problem = StressProblem {
            lattice,
            support: &support,
            surface: &support.surface_in(&regions),
            anchors: &firm,
            broken_bonds: &self.input.broken_bonds,
            strength: self.strength,
            weakness,
            neck: self.neck,
            weight: self.input.gravity * self.options.density,
            loads,
            density: self.options.density,
            spin: self.input.spin,
        };
        Ok(problem.solve(&mut thread.system).await)
    }

    /// Makes a body that nothing holds a free piece, uncut.
    async fn fall(
        &self,
        solid: &Arc<Solid>,
        anchors: &Arc<[Anchor]>,
        thread: &JobThread,
    ) -> Result<StressResult, BreakFailure> {
        let solution = StressSolution::unheld(BrokenBonds::clone(&self.input.broken_bonds));
        let split = Split::uncut(solid);
        let collapse = self.collapse(solid, &solution, &split, None, anchors, thread);
        let collapse = collapse.await?;
        Ok(StressResult {
            collapse: Some(collapse),
            graph: Arc::new(solution.graph),
            broken_bonds: self.input.broken_bonds.clone(),
        })
    }

    /// The pieces of a body that came apart: those of components that are held stay.
    async fn collapse(
        &self,
        solid: &Arc<Solid>,
        solution: &StressSolution,
        split: &Split,
        by_cells: Option<RemainderCollider<'_>>,
        anchors: &Arc<[Anchor]>,
        thread: &JobThread,
    ) -> Result<Collapse, BreakFailure> {
        let _call = thread.helpers.call();
        let held: Vec<Option<bool>> = split
            .components
            .groups
            .iter()
            .map(|component| solution.is_held(*component))
            .collect();
        let history = self.shape.cut_history(solid);
        let cut_inheritance = history.map(CutInheritance::of_collapse);
        let mut options = self.options.clone();
        options.interior_faces.roughness.grain *= COLLAPSE_GRAIN;
        let mut builder = options.builder(&self.shape, solid, anchors, thread);
        builder.remainder_collider = by_cells;
        builder.crack_parts = &split.crack_parts;
        builder.cut_inheritance = cut_inheritance.as_ref();
        let mut pieces = builder.build(&split.fracture().pieces, &held).await?;
        let by = PartedBy::Weight;
        let bars = options.bars.share(solid, &mut pieces, by).await?;
        for (piece, component) in pieces.iter_mut().zip(&split.components.groups) {
            piece.loose_crack = solution.loose_crack(*component);
        }
        let cap_surface = builder.cap_style.surface;
        let pieces = BreakResult::new(solid, split.fracture(), pieces, cap_surface, anchors);
        Ok(Collapse {
            pieces: BreakResult { bars, ..pieces },
            point: solution.crack_center.unwrap_or(solid.mass().center),
            input: self.input.clone(),
        })
    }
}

/// A body divided into the components that come apart.
struct Split {
    components: GroupSplit,
    /// By piece: the parts that it is collided with; empty for pieces that are collided with as they are.
    crack_parts: Vec<Vec<Piece>>,
}

impl Split {
    /// Divides a body, in steps; `None` if it holds, or if the crack takes nothing off a body that is held or lands.
    async fn in_steps(
        solid: &Solid,
        lattice: &Lattice,
        solution: &StressSolution,
        workspace: &mut Workspace,
    ) -> Result<Option<Self>, BreakFailure> {
        if !solution.separates() {
            let falls_whole = !solution.is_held_at_all() && !solution.is_free;
            return Ok(falls_whole.then(|| Self::uncut(solid)));
        }
        let (pattern, placement) = (&lattice.pattern, Placement::IDENTITY);
        let split = GroupSplit::cut_in_steps;
        let groups = &solution.components;
        let components = split(solid, pattern, placement, groups, workspace).await?;
        // What is connected to each other all the same stays one piece: cut again and again, it would only get more
        // and more triangles.
        let [first, rest @ ..] = &*components.groups else {
            return Ok(None);
        };
        let is_one = rest.iter().all(|component| component == first);
        if is_one && (solution.is_free || solution.is_held(*first) == Some(true)) {
            return Ok(None);
        }
        let groups = &solution.crack_parts.groups;
        let parts = split(solid, pattern, placement, groups, workspace).await?;
        Ok(Some(Self {
            crack_parts: crack_parts(&components, &parts, &solution.crack_parts),
            components,
        }))
    }

    /// A body that stays in one piece.
    fn uncut(solid: &Solid) -> Self {
        Self {
            components: GroupSplit::uncut(solid),
            crack_parts: Vec::new(),
        }
    }

    fn fracture(&self) -> &Fracture {
        &self.components.fracture
    }
}

/// By piece: the parts of its component, divided a second time along the crack. Empty where parts cannot
/// be assigned, because a component is not connected.
fn crack_parts(
    components: &GroupSplit,
    parts: &GroupSplit,
    assignment: &CrackParts,
) -> Vec<Vec<Piece>> {
    let parts_of = |component: u32| {
        let parts = parts.fracture.pieces.iter().zip(&parts.groups);
        let own = parts
            .filter(|(_, group)| assignment.components.get(**group as usize) == Some(&component));
        own.map(|(piece, _)| piece.clone()).collect()
    };
    let groups = &components.groups;
    let by_piece = groups.iter().map(|group| {
        let pieces = groups.iter().filter(|other| *other == group).count();
        if pieces == 1 {
            parts_of(*group)
        } else {
            Vec::new()
        }
    });
    by_piece.collect()
}

fn bounds([a, b]: &Anchor) -> Aabb {
    Aabb::from_points([a.as_dvec3(), b.as_dvec3()])
}

#[cfg(test)]
mod tests {
    use fracture_geometry::steps::finish;
    use fracture_geometry::support::SupportGraph;
    use fracture_geometry::Mesh;

    use super::*;

    /// A beam divided along the bonds between parts of cells of different components; `None` for parts that belong to
    /// what they touch.
    fn split(component: impl Fn(u32) -> Option<u32>) -> Option<Split> {
        let solid = Solid::new(Mesh::cuboid([1.0, 0.2, 0.3])).unwrap();
        let lattice = Lattice::new(&solid).unwrap();
        let workspace = &mut Workspace::default();
        let graph =
            SupportGraph::build(&solid, &lattice.pattern, Placement::IDENTITY, workspace).unwrap();
        let groups = graph
            .nodes
            .iter()
            .map(|node| component(node.cell).unwrap_or(u32::MAX));
        let groups = graph.groups(&groups.collect::<Vec<_>>(), None);
        let solution = StressSolution::of_groups(groups, vec![true, true]);
        finish(Split::in_steps(&solid, &lattice, &solution, workspace)).unwrap()
    }

    #[test]
    fn a_crack_that_takes_nothing_off_leaves_a_held_body_as_it_is() {
        // The two cells are connected through those around them.
        assert!(split(|cell| (cell < 2).then_some(cell)).is_none());
        let alternating = split(|cell| Some(cell % 2)).unwrap();
        assert!(alternating.fracture().pieces.len() > 1);
    }
}
