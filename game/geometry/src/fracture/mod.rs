//! One break, from an aligned pattern and a prepared solid to finished pieces.
//!
//! The order of work: surface (the cells share it out), lines (which stretches
//! of pattern edges lie inside), caps (each face filled once), rest (what is left of cut triangles),
//! join (what hangs together), group (pieces), emit (arrays).

mod active_cells;
mod caps;
mod edge_point;
mod emit;
mod grid;
mod group_split;
mod islands;
mod output;
mod placement;
mod residual;
mod support_graph;
mod surface;
mod workspace;

pub(crate) use emit::order_by_surface;
pub use group_split::GroupSplit;
pub use islands::groups::GroupAssignment;
pub use output::{
    Fracture, FractureReport, Piece, PieceContact, PieceKind, PieceVertex, VertexSource,
    CAP_SURFACE,
};
pub use placement::{CellSelection, FractureParams, Placement};
pub use support_graph::{AnchoredArea, Bond, SupportGraph, SupportNode};
pub use workspace::{SerialRunner, TaskRunner, Workspace};

use crate::error::FractureError;
use crate::pattern::Pattern;
use crate::solid::Solid;
use caps::cap::{self, CapInput};
use grid::GridFrame;
use residual::ResidualInput;
use workspace::{Buffers, Intermediates, ParallelFor};

/// Breaks a solid by a placed pattern.
///
/// The same input gives the same bytes, whatever the workspace was used for before.
///
/// # Errors
/// [`FractureError`] when the break cannot start or was cancelled. Degenerate geometry is no error;
/// it lands in [`Fracture::report`].
pub fn fracture(
    solid: &Solid,
    pattern: &Pattern,
    cut: &FractureParams,
    workspace: &mut Workspace,
) -> Result<Fracture, FractureError> {
    fracture_on(
        &SerialRunner,
        solid,
        pattern,
        cut,
        std::slice::from_mut(workspace),
    )
}

/// [`fracture`] with the work on cells spread over as many threads as there are workspaces.
///
/// The result is the same for any number of workspaces.
///
/// # Errors
/// As [`fracture`]. Without any workspace the break counts as cancelled.
pub fn fracture_on(
    runner: &dyn TaskRunner,
    solid: &Solid,
    pattern: &Pattern,
    cut: &FractureParams,
    workspaces: &mut [Workspace],
) -> Result<Fracture, FractureError> {
    let frame = GridFrame::new(solid, pattern, cut)?;
    with_lists(runner, workspaces, |team, lists| {
        frame.affected(&mut lists.made.slots)?;
        let report = cut_and_connect(&frame, team, lists)?;
        write(&frame, team, lists, &[], report)
    })
}

/// Does some work with the lists of the first workspace.
fn with_lists<T>(
    runner: &dyn TaskRunner,
    workspaces: &mut [Workspace],
    work: impl FnOnce(&mut ParallelFor, &mut Buffers) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let mut lists = workspaces
        .first_mut()
        .map(|first| std::mem::take(&mut first.lists))
        .unwrap_or_default();
    let mut team = ParallelFor { runner, workspaces };
    let result = work(&mut team, &mut lists);
    if let Some(first) = team.workspaces.first_mut() {
        first.lists = lists;
    }
    result
}

/// Does some work with a pattern that is laid onto a solid as a whole, on this thread.
fn with_all_cells<T>(
    solid: &Solid,
    pattern: &Pattern,
    placement: Placement,
    workspace: &mut Workspace,
    work: impl FnOnce(&GridFrame, &mut ParallelFor, &mut Buffers) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let cut = FractureParams {
        placement,
        selection: CellSelection::All,
    };
    let frame = GridFrame::new(solid, pattern, &cut)?;
    let workspaces = std::slice::from_mut(workspace);
    with_lists(&SerialRunner, workspaces, |team, lists| {
        work(&frame, team, lists)
    })
}

/// Cuts the affected cells out and finds what hangs together.
fn cut_and_connect(
    frame: &GridFrame,
    team: &mut ParallelFor,
    lists: &mut Buffers,
) -> Result<FractureReport, FractureError> {
    let made = &mut lists.made;
    cut_surface(frame, team, made)?;
    make_caps(frame, team, made)?;
    if made.caps.is_empty() && made.surface.is_empty() {
        return Err(frame.out_of_reach());
    }
    find_rests(frame, team, made)?;
    join(frame, team, lists)
}

/// What the affected cells hold of the surface.
fn cut_surface(
    frame: &GridFrame,
    team: &mut ParallelFor,
    made: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        slots,
        reach,
        surface,
        ..
    } = made;
    reach.fill(frame, slots);
    let chunks = surface.chunks.resize(reach.jobs.len());
    team.each(chunks, |at, chunk, work| {
        work.cutter.cut(frame, slots, reach, &reach.jobs[at], chunk);
    })?;
    surface.sort(slots);
    Ok(())
}

/// The caps of all affected cells; a shell has none.
fn make_caps(
    frame: &GridFrame,
    team: &mut ParallelFor,
    made: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        slots,
        surface,
        lines,
        cell_caps,
        caps,
        ..
    } = made;
    if frame.solid.is_shell() {
        cell_caps.resize(0);
        caps.clear();
        return Ok(());
    }
    lines.find(frame, slots, surface);
    let from = CapInput {
        frame,
        slots,
        surface,
        lines,
    };
    team.each(cell_caps.resize(slots.count()), |slot, out, work| {
        work.caps.caps_of(&from, slot as u32, out);
    })?;
    cap::places(cell_caps, caps);
    Ok(())
}

/// What is left of every triangle that some affected cell has a polygon of.
fn find_rests(
    frame: &GridFrame,
    team: &mut ParallelFor,
    made: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        slots,
        surface,
        cut_triangles,
        rests,
        ..
    } = made;
    cut_triangles.clear();
    if slots.count() < frame.pattern.cell_count() {
        let mut start = 0;
        for same in surface.taken.chunk_by(|a, b| a.triangle == b.triangle) {
            cut_triangles.push(start..start + same.len() as u32);
            start += same.len() as u32;
        }
    }
    let cuts = ResidualInput {
        frame,
        slots,
        surface,
    };
    team.each(rests.resize(cut_triangles.len()), |at, rest, work| {
        let own = cut_triangles[at].start as usize..cut_triangles[at].end as usize;
        work.rests.rest_of(&cuts, &surface.taken[own], rest);
    })
}

/// Joins the parts that hang together, and weighs them.
fn join(
    frame: &GridFrame,
    team: &mut ParallelFor,
    lists: &mut Buffers,
) -> Result<FractureReport, FractureError> {
    let parts = lists.made.parts(frame.solid);
    let caps = parts.cell_caps.iter().flat_map(|own| &*own.caps);
    let report = FractureReport {
        affected: parts.slots.count() as u32,
        rough_caps: caps.filter(|cap| cap.rough).count() as u32,
        ..FractureReport::default()
    };
    let jobs = lists.components.start(&parts);
    let components = &lists.components;
    team.each(&mut vec![(); jobs], |job, (), work| {
        components.join(&parts, job, &mut work.union);
    })?;
    lists.components.finish(&parts);
    let components = &lists.components;
    let sums = lists.groups.start(components.count());
    team.each(sums, |at, sum, _| {
        *sum = islands::pieces::sum(&parts, components.members(at as u32));
    })?;
    Ok(report)
}

/// Sorts what hangs together into pieces and writes these out; `members` join it to groups first.
fn write(
    frame: &GridFrame,
    team: &mut ParallelFor,
    lists: &mut Buffers,
    members: &[GroupAssignment],
    mut report: FractureReport,
) -> Result<Fracture, FractureError> {
    let parts = lists.made.parts(frame.solid);
    let components = &lists.components;
    lists.groups.sort(&parts, components, members, &mut report);
    let pieces = &lists.groups.pieces;
    let emitted = lists.emitted.resize(pieces.len());
    team.each(emitted, |at, out, work| {
        work.emitter.piece(&parts, &pieces[at], out);
    })?;
    let mut result = std::mem::take(&mut lists.result);
    for emitted in emitted {
        report.collapsed += emitted.collapsed;
        report.flat += emitted.flat;
        result.pieces.push(std::mem::take(&mut emitted.piece));
    }
    result.contacts.clone_from(&lists.groups.contacts);
    result.report = report;
    Ok(result)
}
