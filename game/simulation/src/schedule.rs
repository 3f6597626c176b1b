//! The order of a frame: the only place that calls the systems, which are functions.

use web_time::Instant;

use crate::budget::enforce;
use crate::debris::time_passes;
use crate::debris_sync::apply_step;
use crate::impacts::resolve::resolve_impacts;
use crate::jobs::bond_requests::submit_bond_searches;
use crate::jobs::building_requests::submit_building_job;
use crate::jobs::collider_requests::submit_collider_builds;
use crate::jobs::fall_requests::submit_falls;
use crate::jobs::prepare_requests::submit_preparations;
use crate::jobs::stress_requests::{submit_landings, submit_stress_jobs};
use crate::loads::landing::take_host_landings;
use crate::loads::update::update_loads;
use crate::network::{follow_authority, follow_debris, tell_breaks, tell_debris, Role};
use crate::simulation::Simulation;
use crate::stopwatch::Stopwatch;
use crate::structure::hold::update_holds;
use crate::swap::apply_results::apply_results;

/// Takes a frame of `dt` seconds; see [`Simulation::step`].
pub(crate) fn step(simulation: &mut Simulation, dt: f32) {
    let start = Instant::now();
    simulation.statistics.frame += 1;
    let dt = if time_passes(dt) { dt } else { 0.0 };

    let is_unlimited = simulation.settings.wait_for_results;
    simulation.changes.begin_step(is_unlimited);
    simulation.statistics.changes_ms = 0.0;
    simulation.debris.begin_frame(dt);
    let settings = &simulation.settings;
    if simulation.debris.try_skip_frame(dt, settings) {
        simulation.statistics.skipped_frames += 1;
    } else {
        step_frame(simulation, dt);
    }
    simulation.debris.update_render_poses();

    simulation.statistics.step_ms = start.elapsed().as_secs_f32() * 1e3;
}

fn step_frame(simulation: &mut Simulation, dt: f32) {
    apply_step::fetch(simulation);
    work_on_jobs(simulation);
    let mut stopwatch = Stopwatch::start();
    simulation.statistics.structure_ms = 0.0;
    apply_results(simulation);
    tell_breaks(simulation);
    tell_debris(simulation, dt);
    let mut changes_ms = stopwatch.lap();
    follow_authority(simulation);
    follow_debris(simulation, dt);
    resolve_impacts(simulation);
    submit_collider_builds(simulation);
    update_loads(simulation, dt);
    take_host_landings(simulation);
    stopwatch.lap();
    if decides_structure(simulation) {
        update_holds(simulation);
    }
    let mut structure_ms = stopwatch.lap();
    submit_falls(simulation);
    submit_preparations(simulation);
    stopwatch.lap();
    // What a part of a building bears is known before it is solved whether it breaks.
    let frame = simulation.statistics.frame;
    if decides_structure(simulation) && !simulation.structure.has_done_enough(frame) {
        submit_bond_searches(simulation);
        submit_building_job(simulation);
    }
    structure_ms += stopwatch.lap();
    submit_stress_jobs(simulation);
    submit_landings(simulation);
    simulation.statistics.structure_ms += structure_ms;
    enforce::remove_expired(simulation, dt);
    enforce::enforce_budget(simulation);
    changes_ms += stopwatch.lap();
    simulation.statistics.changes_ms = changes_ms;
    stream_environment(simulation);
    apply_step::step(simulation, dt);
    enforce::count(simulation);
}

/// Whether it is looked at what holds what: not where a game elsewhere decides what comes down.
fn decides_structure(simulation: &Simulation) -> bool {
    !simulation.structure.is_paused && simulation.network.role != Role::Client
}

/// Does the work of the threads, if there are none, for some time.
fn work_on_jobs(simulation: &mut Simulation) {
    let (start, limit) = (Instant::now(), simulation.settings.job_ms);
    let mut goes_on = || start.elapsed().as_secs_f32() * 1e3 < limit;
    simulation.jobs.worker.work(&mut goes_on);
}

fn stream_environment(simulation: &mut Simulation) {
    let world = simulation.debris.wait_mut();
    simulation
        .environment
        .stream(world, &mut simulation.statistics);
}

/// Begins the debris step of the next frame; see [`Simulation::begin_next_step`].
pub(crate) fn begin_next_step(simulation: &mut Simulation, dt: f32) -> bool {
    if !simulation.can_begin_next_step(dt) {
        return false;
    }
    stream_environment(simulation);
    simulation.debris.begin_next_step(dt)
}
