//! The report of a run, as JSON.

use super::energy::EnergyTotals;
use fracture::{BreakCause, DetachedTo, Event, Statistics};
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// The outcome of a scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The scenario file's name.
    pub scenario: String,
    /// Its purpose.
    pub about: String,
    /// The scene, as the scenario names it.
    pub scene: String,
    /// Whether all expectations hold.
    pub passed: bool,
    /// Frames that were run.
    pub frames: u32,
    /// Seconds a frame.
    pub step: f32,
    /// The scenario's seed.
    pub seed: u64,
    /// Whether each frame waited for the worker.
    pub wait_for_results: bool,
    /// Worker threads.
    pub threads: usize,
    /// Hash of the state of all bodies at the end; equal for equal runs.
    pub state_hash: String,
    /// Hash of the meshes of all pieces at the end, whatever their poses; see
    /// [`Destruction::geometry_hash`](fracture::Destruction::geometry_hash).
    pub geometry_hash: String,
    /// Each expectation with its outcome.
    pub expectations: Vec<ExpectationReport>,
    /// Each breakable object at the end.
    pub objects: Vec<ObjectReport>,
    /// Each living piece at the end, by object and name.
    pub pieces: Vec<PieceReport>,
    /// Events of the module, in order.
    pub events: Vec<EventReport>,
    /// Faults the module reported.
    pub faults: Vec<String>,
    /// Actions that could not be done, and resources of the scene that are missing.
    pub warnings: Vec<String>,
    /// Where energy was brought, and where it went, of runs that wait for results.
    pub energy: Option<EnergyTotals>,
    /// Where energy or momentum came out of nothing, of runs that wait for results.
    pub energy_excesses: Vec<String>,
    /// Times, which are never part of an expectation.
    pub time_ms: TimeReport,
}

/// One expectation.
#[derive(Clone, Debug, Serialize)]
pub struct ExpectationReport {
    /// The frame after which it was checked.
    pub frame: u32,
    /// The expectation.
    pub expected: String,
    /// The finding.
    pub found: String,
    /// Whether it holds.
    pub passed: bool,
}

/// One breakable object.
#[derive(Clone, Debug, Serialize)]
pub struct ObjectReport {
    /// Name of the node.
    pub name: String,
    /// Whether it is unbroken; `null` when it does not exist any more.
    pub intact: Option<bool>,
    /// Number of its fragments.
    pub fragments: usize,
    /// Number of its islands.
    pub islands: usize,
    /// Number of its islands that are still held.
    pub anchored: usize,
    /// Volume of the unbroken object, m^3, once known.
    pub volume: Option<f64>,
    /// The relative difference to the sum of its pieces' volumes.
    pub volume_error: Option<f64>,
    /// Whether all pieces are closed.
    pub closed: bool,
}

/// One piece.
#[derive(Clone, Debug, Serialize)]
pub struct PieceReport {
    /// Name of its node.
    pub name: String,
    /// Cubic metres.
    pub volume: f64,
    /// Whether it is held in place.
    pub anchored: bool,
    /// Its centre of mass, world space, metres.
    pub position: [f32; 3],
}

/// One event of the module. Its fields depend on the kind.
#[derive(Clone, Debug, Serialize)]
pub struct EventReport {
    /// The frame.
    pub frame: u32,
    /// Name of the event.
    pub kind: &'static str,
    /// The object, or a piece of it.
    pub name: String,
    /// Its numbers and reasons.
    #[serde(flatten)]
    pub details: BTreeMap<&'static str, Value>,
}

impl EventReport {
    /// The report of an event.
    pub fn new(frame: u32, event: &Event) -> Self {
        let (kind, name) = kind_and_name(event);
        Self {
            frame,
            kind,
            name: name.clone(),
            details: details(event).into_iter().collect(),
        }
    }
}

fn kind_and_name(event: &Event) -> (&'static str, &String) {
    match event {
        Event::Broken { name, .. } => ("Broken", name),
        Event::BelowThreshold { name, .. } => ("BelowThreshold", name),
        Event::Damaged { name, .. } => ("Damaged", name),
        Event::Strained { name, .. } => ("Strained", name),
        Event::Missed { name, .. } => ("Missed", name),
        Event::Failed { name, .. } => ("Failed", name),
        Event::Dropped { name, .. } => ("Dropped", name),
        Event::Unbreakable { name, .. } => ("Unbreakable", name),
        Event::Contact { name, .. } => ("Contact", name),
        Event::Removed { name, .. } => ("Removed", name),
        Event::Detached { name, .. } => ("Detached", name),
        Event::Restored { name, .. } => ("Restored", name),
    }
}

/// The numbers and reasons of an event.
fn details(event: &Event) -> Vec<(&'static str, Value)> {
    match event {
        Event::Broken { .. } => break_details(event),
        Event::BelowThreshold {
            impulse, threshold, ..
        } => vec![
            ("impulse", json!(impulse)),
            ("damage_threshold", json!(threshold)),
        ],
        Event::Damaged { damage, .. } => vec![("damage", json!(damage))],
        Event::Strained { utilisation, .. } => vec![("utilisation", json!(utilisation))],
        Event::Missed { reason, .. }
        | Event::Failed { reason, .. }
        | Event::Dropped { reason, .. } => because(reason),
        Event::Contact {
            surface_tag,
            other_surface_tag,
            impulse,
            speed,
            energy,
            ..
        } => vec![
            ("material", json!(surface_tag)),
            ("other_material", json!(other_surface_tag)),
            ("impulse", json!(impulse)),
            ("speed", json!(speed)),
            ("energy", json!(energy)),
        ],
        Event::Removed { reason, .. } => because(&format!("{reason:?}")),
        Event::Detached { to, .. } => {
            let to = match to {
                DetachedTo::Piece { name, .. } => name.clone(),
                other => format!("{other:?}"),
            };
            vec![("to", json!(to))]
        }
        Event::Unbreakable { .. } | Event::Restored { .. } => Vec::new(),
    }
}

/// The numbers of a break.
fn break_details(event: &Event) -> Vec<(&'static str, Value)> {
    let Event::Broken {
        cause,
        surface_tag,
        energy,
        radius,
        crack_area,
        diagnostics,
        ..
    } = event
    else {
        return Vec::new();
    };
    let (fragments, islands) = event.piece_counts();
    vec![
        ("material", json!(surface_tag)),
        ("fragments", json!(fragments)),
        ("islands", json!(islands)),
        ("by_weight", json!(*cause == BreakCause::Weight)),
        ("energy", json!(energy)),
        ("radius", json!(radius)),
        ("crack_area", json!(crack_area)),
        ("frames_waited", json!(diagnostics.frames_waited)),
        ("worker_ms", json!(diagnostics.worker_ms)),
        ("volume_error", json!(diagnostics.volume_error)),
    ]
}

fn because(reason: &str) -> Vec<(&'static str, Value)> {
    vec![("reason", json!(reason))]
}

/// Times in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TimeReport {
    /// Main thread time of the module, debris physics included: mean of all frames. Where the scenario
    /// waits for results, waiting is included.
    pub main_mean: f32,
    /// Main thread time of the module: longest frame.
    pub main_max: f32,
    /// Debris physics alone: mean of all frames.
    pub physics_mean: f32,
    /// Debris physics alone: longest frame.
    pub physics_max: f32,
    /// Longest break on the worker.
    pub worker_max: f32,
}

impl TimeReport {
    /// Adds one of so many frames.
    pub(super) fn add(&mut self, statistics: &Statistics, frames: u32) {
        self.main_mean += statistics.main_ms / frames as f32;
        self.physics_mean += statistics.physics_ms / frames as f32;
        self.physics_max = self.physics_max.max(statistics.physics_ms);
        self.main_max = self.main_max.max(statistics.main_ms);
        self.worker_max = statistics.worker_ms_max;
    }
}
