//! Phases of a break, in order.

use crate::error::FractureError;
use crate::fracture::caps::face_caps::{list_caps, CapInput};
use crate::fracture::grid::GridFrame;
use crate::fracture::ids::{ComponentId, LocalCell};
use crate::fracture::islands::groups::GroupAssignment;
use crate::fracture::islands::pieces::sum_mass;
use crate::fracture::output::{Fracture, FractureReport};
use crate::fracture::placement::{CellSelection, FractureParams, Placement};
use crate::fracture::residual::ResidualInput;
use crate::fracture::workspace::{
    Buffers, Intermediates, ParallelFor, SerialRunner, TaskRunner, Workspace,
};
use crate::pattern::Pattern;
use crate::solid::Solid;

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
    let frame = GridFrame::new(solid, pattern, params)?;
    with_buffers(runner, workspaces, |parallel, buffers| {
        frame.select_cells(&mut buffers.intermediates.affected)?;
        let report = cut_and_connect(&frame, parallel, buffers)?;
        emit_pieces(&frame, parallel, buffers, &[], report)
    })
}

/// Runs a task with the buffers of the first workspace.
fn with_buffers<T>(
    runner: &dyn TaskRunner,
    workspaces: &mut [Workspace],
    task: impl FnOnce(&mut ParallelFor, &mut Buffers) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let mut buffers = workspaces
        .first_mut()
        .map(|first| std::mem::take(&mut first.buffers))
        .unwrap_or_default();
    let mut parallel = ParallelFor { runner, workspaces };
    let result = task(&mut parallel, &mut buffers);
    if let Some(first) = parallel.workspaces.first_mut() {
        first.buffers = buffers;
    }
    result
}

/// Runs a task with all cells of a placed pattern on this thread.
pub fn with_all_cells<T>(
    solid: &Solid,
    pattern: &Pattern,
    placement: Placement,
    workspace: &mut Workspace,
    task: impl FnOnce(&GridFrame, &mut ParallelFor, &mut Buffers) -> Result<T, FractureError>,
) -> Result<T, FractureError> {
    let params = FractureParams {
        placement,
        selection: CellSelection::All,
    };
    let frame = GridFrame::new(solid, pattern, &params)?;
    let workspaces = std::slice::from_mut(workspace);
    with_buffers(&SerialRunner, workspaces, |parallel, buffers| {
        task(&frame, parallel, buffers)
    })
}

/// Cuts the affected cells out and finds the connected components.
pub fn cut_and_connect(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
    buffers: &mut Buffers,
) -> Result<FractureReport, FractureError> {
    let intermediates = &mut buffers.intermediates;
    clip_surface(frame, parallel, intermediates)?;
    build_caps(frame, parallel, intermediates)?;
    if intermediates.caps.is_empty() && intermediates.surface.is_empty() {
        return Err(frame.out_of_reach());
    }
    build_residuals(frame, parallel, intermediates)?;
    connect(frame, parallel, buffers)
}

/// Clips the surface to the affected cells.
fn clip_surface(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
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
    parallel.for_each(outputs, |job, out, workspace| {
        let clipper = &mut workspace.clipper;
        clipper.clip_subtree(frame, affected, work, &work.jobs[job], out);
    })?;
    surface.sort_by_cell(affected.count());
    Ok(())
}

/// Builds the caps of all affected cells; a shell has none.
fn build_caps(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
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
    parallel.for_each(outputs, |cell, out, workspace| {
        let cell = LocalCell(cell as u32);
        workspace.caps.build_caps(&input, cell, out);
    })?;
    list_caps(cell_caps, caps);
    Ok(())
}

/// Builds the residuals of all clipped triangles; there are none if all cells are affected.
fn build_residuals(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
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
    parallel.for_each(outputs, |at, out, workspace| {
        let own = &polygons[clipped_triangles[at].clone()];
        workspace.residuals.build(&input, own, out);
    })
}

/// Connects elements to components, and sums the mass of each component.
fn connect(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
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
    parallel.for_each_index(jobs, |job, workspace| {
        components.connect(&cut, job, &mut workspace.connect);
    })?;
    buffers.components.finish(&cut);
    let components = &buffers.components;
    let sums = buffers.assembly.start(components.count());
    parallel.for_each(sums, |component, sum, _| {
        let component = ComponentId(component as u32);
        *sum = sum_mass(&cut, components.elements(component));
    })?;
    Ok(report)
}

/// Assembles pieces from components and writes them out. Components with `assignments` merge to groups first.
pub fn emit_pieces(
    frame: &GridFrame,
    parallel: &mut ParallelFor,
    buffers: &mut Buffers,
    assignments: &[GroupAssignment],
    mut report: FractureReport,
) -> Result<Fracture, FractureError> {
    let cut = buffers.intermediates.cut_solid(frame.solid);
    let (components, assembly) = (&buffers.components, &mut buffers.assembly);
    assembly.assemble(&cut, components, assignments, &mut report);
    let pieces = &assembly.pieces;
    let emitted = buffers.emitted.resize(pieces.len());
    parallel.for_each(emitted, |at, out, workspace| {
        workspace.emitter.emit(&cut, &pieces[at], out);
    })?;
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
