//! Phases of a break, in order.

use crate::error::FractureError;
use crate::fracture::caps::face_caps::{list_caps, CapInput};
use crate::fracture::grid::GridFrame;
use crate::fracture::ids::{ComponentId, LocalCell};
use crate::fracture::islands::groups::Groups;
use crate::fracture::islands::pieces::sum_mass;
use crate::fracture::output::{Fracture, FractureReport};
use crate::fracture::placement::{CellSelection, FractureParams, Placement};
use crate::fracture::residual::ResidualInput;
use crate::fracture::workspace::{Buffers, Intermediates, ParallelFor, Workspace};
use crate::pattern::Pattern;
use crate::solid::Solid;
use crate::steps::{finish, pause};
use crate::tasks::{SerialRunner, TaskRunner};

/// Breaks a solid by a placed pattern.
///
/// The same input gives the same bytes, whatever the workspace was used for before.
///
/// # Errors
/// [`FractureError`] when the break cannot start or was cancelled. Degenerate geometry is no error, but is
/// counted in [`Fracture::report`].
pub fn fracture(
    solid: &Solid,
    pattern: &Pattern,
    params: &FractureParams,
    workspace: &mut Workspace,
) -> Result<Fracture, FractureError> {
    let workspaces = std::slice::from_mut(workspace);
    fracture_on(&SerialRunner, solid, pattern, params, workspaces)
}

/// Breaks a solid like [`fracture`], on as many threads as there are workspaces.
///
/// The result is the same for any number of workspaces.
///
/// # Errors
/// As [`fracture`]. Without any workspace the break counts as cancelled.
pub fn fracture_on(
    runner: &dyn TaskRunner,
    solid: &Solid,
    pattern: &Pattern,
    params: &FractureParams,
    workspaces: &mut [Workspace],
) -> Result<Fracture, FractureError> {
    finish(fracture_in_steps(
        runner, solid, pattern, params, workspaces,
    ))
}

/// Breaks a solid like [`fracture_on`], in [steps](crate::steps): with one workspace, a step is a part of a phase, of
/// some hundred triangles at most, but for connecting parts, which is one.
///
/// # Errors
/// As [`fracture_on`].
pub async fn fracture_in_steps(
    runner: &dyn TaskRunner,
    solid: &Solid,
    pattern: &Pattern,
    params: &FractureParams<'_>,
    workspaces: &mut [Workspace],
) -> Result<Fracture, FractureError> {
    let frame = GridFrame::new(solid, pattern, params)?;
    let mut buffers = take_buffers(workspaces);
    let mut parallel = ParallelFor { runner, workspaces };
    let broken = cut_out(&frame, &mut parallel, &mut buffers).await;
    put_back(workspaces, buffers);
    broken
}

/// Cuts the selected cells out.
async fn cut_out(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    buffers: &mut Buffers,
) -> Result<Fracture, FractureError> {
    frame.select_cells(&mut buffers.intermediates.affected)?;
    pause().await;
    let report = cut_and_connect(frame, parallel, buffers).await?;
    emit_pieces(frame, parallel, buffers, None, report).await
}

/// Takes the buffers of the first workspace.
fn take_buffers(workspaces: &mut [Workspace]) -> Buffers {
    let first = workspaces.first_mut();
    first.map_or_else(Buffers::default, |first| std::mem::take(&mut first.buffers))
}

/// Gives the first workspace its buffers back.
fn put_back(workspaces: &mut [Workspace], buffers: Buffers) {
    if let Some(first) = workspaces.first_mut() {
        first.buffers = buffers;
    }
}

/// Runs a task with all cells of a placed pattern on this thread, in steps.
pub async fn with_all_cells<T>(
    solid: &Solid,
    pattern: &Pattern,
    placement: Placement,
    workspace: &mut Workspace,
    task: impl AsyncFnOnce(&GridFrame, &mut ParallelFor, &mut Buffers) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let params = FractureParams {
        placement,
        selection: CellSelection::All,
    };
    let frame = GridFrame::new(solid, pattern, &params)?;
    let workspaces = std::slice::from_mut(workspace);
    let mut buffers = take_buffers(workspaces);
    let mut parallel = ParallelFor {
        runner: &SerialRunner,
        workspaces,
    };
    let result = task(&frame, &mut parallel, &mut buffers).await;
    put_back(workspaces, buffers);
    result
}

/// Cuts the affected cells out and finds the connected components.
pub async fn cut_and_connect(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    buffers: &mut Buffers,
) -> Result<FractureReport, FractureError> {
    let intermediates = &mut buffers.intermediates;
    clip_surface(frame, parallel, intermediates).await?;
    build_caps(frame, parallel, intermediates).await?;
    if intermediates.caps.is_empty() && intermediates.surface.is_empty() {
        return Err(frame.out_of_reach());
    }
    build_residuals(frame, parallel, intermediates).await?;
    connect(frame, parallel, buffers).await
}

/// Clips the surface to the affected cells.
async fn clip_surface(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    intermediates: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        affected,
        work,
        surface,
        ..
    } = intermediates;
    work.fill(frame, affected);
    let outputs = surface.outputs.resize(work.jobs.len());
    parallel
        .for_each(outputs, |job, out, workspace| {
            let clipper = &mut workspace.clipper;
            clipper.clip_subtree(frame, affected, work, &work.jobs[job], out);
        })
        .await?;
    surface.sort_by_cell(affected.count());
    Ok(())
}

/// Builds the caps of all affected cells; a shell has none.
async fn build_caps(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    intermediates: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        affected,
        surface,
        spans,
        cell_caps,
        caps,
        ..
    } = intermediates;
    if frame.solid.is_shell() {
        cell_caps.resize(0);
        caps.clear();
        return Ok(());
    }
    spans.fill(frame, affected, surface);
    let input = CapInput {
        frame,
        affected,
        surface,
        spans,
    };
    let outputs = cell_caps.resize(affected.count());
    parallel
        .for_each(outputs, |cell, out, workspace| {
            let cell = LocalCell(cell as u32);
            workspace.caps.build_caps(&input, cell, out);
        })
        .await?;
    list_caps(cell_caps, caps);
    Ok(())
}

/// Builds the residuals of all clipped triangles; there are none if all cells are affected.
async fn build_residuals(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    intermediates: &mut Intermediates,
) -> Result<(), FractureError> {
    let Intermediates {
        affected,
        surface,
        clipped_triangles,
        residuals,
        ..
    } = intermediates;
    let polygons = &surface.polygons;
    clipped_triangles.clear();
    if affected.count() < frame.pattern.cell_count() {
        let mut start = 0;
        for same in polygons.chunk_by(|a, b| a.triangle == b.triangle) {
            clipped_triangles.push(start..start + same.len());
            start += same.len();
        }
    }
    let input = ResidualInput {
        frame,
        affected,
        surface,
    };
    let outputs = residuals.resize(clipped_triangles.len());
    parallel
        .for_each(outputs, |at, out, workspace| {
            let own = &polygons[clipped_triangles[at].clone()];
            workspace.residuals.build(&input, own, out);
        })
        .await
}

/// Connects elements to components, and sums the mass of each component.
async fn connect(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    buffers: &mut Buffers,
) -> Result<FractureReport, FractureError> {
    let cut = buffers.intermediates.cut_solid(frame.solid);
    let rough_caps = cut.cap_ids().filter(|cap| cut.cap(*cap).rough).count();
    let report = FractureReport {
        affected_cells: cut.affected.count() as u32,
        rough_caps: rough_caps as u32,
        ..FractureReport::default()
    };
    let jobs = buffers.components.start(&cut);
    let components = &buffers.components;
    parallel
        .for_each_index(jobs, |job, workspace| {
            components.connect(&cut, job, &mut workspace.connect);
        })
        .await?;
    buffers.components.finish(&cut);
    let components = &buffers.components;
    let sums = buffers.assembly.start(components.count());
    parallel
        .for_each(sums, |component, sum, _| {
            let component = ComponentId(component as u32);
            *sum = sum_mass(&cut, components.elements(component));
        })
        .await?;
    Ok(report)
}

/// Assembles pieces from components and writes them out. Components merge to `groups` first, if there are any.
pub async fn emit_pieces(
    frame: &GridFrame<'_>,
    parallel: &mut ParallelFor<'_>,
    buffers: &mut Buffers,
    groups: Option<&Groups>,
    mut report: FractureReport,
) -> Result<Fracture, FractureError> {
    let cut = buffers.intermediates.cut_solid(frame.solid);
    let (components, assembly) = (&buffers.components, &mut buffers.assembly);
    assembly.assemble(&cut, components, groups, &mut report);
    let pieces = &assembly.pieces;
    let emitted = buffers.emitted.resize(pieces.len());
    parallel
        .for_each(emitted, |at, out, workspace| {
            workspace.emitter.emit(&cut, &pieces[at], out);
        })
        .await?;
    let mut result = std::mem::take(&mut buffers.result);
    for emitted in emitted {
        report.collapsed += emitted.collapsed;
        report.flat += emitted.flat;
        result.pieces.push(std::mem::take(&mut emitted.piece));
    }
    result.contacts.clone_from(&assembly.contacts);
    result.report = report;
    Ok(result)
}
