//! A preview of a break in a copy of the scene, by the code and with the seeds of a game whose
//! `Settings::seed` is 0. It leaves no trace in the scene itself, because nothing of it is ever in there.

mod colors;
#[cfg(test)]
mod damage_tests;
mod exploded_view;
mod figures;
mod histogram;
mod neighbourhood;
pub(crate) mod piece_nodes;
mod scene_copy;
mod slow_colliders;

pub use colors::ColorBy;
pub(crate) use figures::{share, volume};
pub use figures::{Figures, FRAME_MS};
pub use histogram::{label, Histogram, BARS, DECADES};
pub use neighbourhood::bounds;
pub use scene_copy::{copy, Surroundings};

use colors::Paint;
use exploded_view::Center;
use figures::{SourceVolume, Swap};
use fracture::{Destructible, Destruction, Event, Impact, PieceInfo, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, transform::Transform, Scene},
};
use slow_colliders::Parts;
use std::collections::BTreeMap;

/// Frames without work after which all that is near counts as ready.
const READY: u32 = 10;

/// Appended to the object's name in the copy, which makes the name unique.
const MARK: &str = " (preview)";

/// An object in a copy of its scene, and its pieces there.
///
/// The caller owns the copy and updates it each frame before [`Preview::update`].
pub struct Preview {
    object: Handle<Node>,
    name: String,
    destruction: Destruction,
    /// Slow colliders of the surroundings, still being added.
    parts: Parts,
    running: bool,
    steps: u32,
    explode: f32,
    paint: Paint,
    /// Poses of the pieces when they are not moved apart.
    rests: BTreeMap<Handle<Node>, Rest>,
    figures: Figures,
    /// Times of a break whose figures have not been computed yet.
    swap: Option<Swap>,
    news: u64,
    shot: Option<Shot>,
    /// Frames that are left until the object is taken out, counted once it is ready.
    taken_out_in: Option<u32>,
    /// Whether it has been: what breaks then are others.
    is_taken_out: bool,
    /// Free pieces so far that became particles because they were too small or too many.
    dust: usize,
    cells_field: &'static str,
    fault: Option<String>,
    /// Number of the object's faults before it was broken. Later ones are about edits, after which the preview is
    /// made anew.
    early_faults: Option<usize>,
    struck_at: Vector3<f32>,
    /// Outward normal of the struck surface.
    normal: Vector3<f32>,
}

/// An impact along a ray.
struct Shot {
    from: Vector3<f32>,
    direction: Vector3<f32>,
    energy: f32,
    impulse: f32,
}

/// A piece at rest in the preview.
struct Rest {
    /// Its pose when it is not moved apart.
    base: Transform,
    /// The position at which it is shown.
    shown: Vector3<f32>,
}

impl Rest {
    fn of(node: &Node) -> Self {
        let base = node.local_transform().clone();
        let shown = **base.position();
        Self { base, shown }
    }

    /// Whether the simulation has moved the node since.
    fn has_moved(&self, node: &Node) -> bool {
        let now = node.local_transform();
        **now.position() != self.shown || **now.rotation() != **self.base.rotation()
    }
}

impl Preview {
    /// Makes the preview of an object that is in the copy: at rest and unbroken.
    pub fn new(copy: &mut Scene, object: Handle<Node>, surroundings: Surroundings) -> Self {
        let mut near = bounds(&copy.graph, object);
        near.inflate(Vector3::repeat(2.0 * neighbourhood::reach(&near)));
        let parts = Parts::of(&copy.graph, &surroundings.heavy, near);
        let cells_field = cells_field(&copy.graph, object);
        let mut name = String::new();
        if let Ok(node) = copy.graph.try_get_node_mut(object) {
            name = node.name_owned() + MARK;
            node.set_name(&name);
        }
        set_physics(&mut copy.graph, false);
        Self {
            object,
            name,
            destruction: Destruction::new(Settings {
                check_pieces: true,
                // Pieces stay separate nodes: each is coloured and moved by itself.
                merge_after: f32::INFINITY,
                ..Settings::default()
            }),
            parts,
            running: false,
            steps: 0,
            explode: 0.0,
            paint: Paint::default(),
            rests: BTreeMap::new(),
            figures: Figures::default(),
            swap: None,
            news: 0,
            shot: None,
            taken_out_in: None,
            is_taken_out: false,
            dust: 0,
            cells_field,
            fault: None,
            early_faults: None,
            struck_at: Vector3::zeros(),
            normal: Vector3::zeros(),
        }
    }

    /// The object's handle, the same in the scene and in the copy.
    pub fn object(&self) -> Handle<Node> {
        self.object
    }

    /// Strikes the object, or once it is broken the piece nearest to the impact. If the impact is
    /// refused, [`Preview::fault`] has the reason.
    pub fn strike(&mut self, copy: &Scene, blow: Impact) {
        (self.struck_at, self.normal) = (blow.point, blow.normal);
        let taken = self.destruction.impact_by_name(copy, &self.name, blow);
        if let Err(error) = taken {
            self.fault = Some(error.to_string().replace(MARK, ""));
            self.news += 1;
        }
    }

    /// Strikes the first object along a ray as soon as it is ready: energy in J, with an impulse of at
    /// least `least_impulse`, N s.
    pub fn shoot(
        &mut self,
        from: Vector3<f32>,
        direction: Vector3<f32>,
        energy: f32,
        least_impulse: f32,
    ) {
        let impulse = (2.0 * energy.max(0.0)).sqrt().max(least_impulse);
        self.shot = Some(Shot {
            from,
            direction,
            energy,
            impulse,
        });
    }

    /// Takes the object out as soon as all that is near is ready, and lets what it held come down.
    pub fn take_out(&mut self) {
        self.taken_out_in = Some(READY);
    }

    /// Starts or stops the physics of the preview.
    pub fn set_running(&mut self, copy: &mut Scene, running: bool) {
        self.running = running;
        if running {
            self.explode = 0.0;
            self.gather(&mut copy.graph);
        }
        set_physics(&mut copy.graph, running && self.parts.are_added());
    }

    /// Whether the physics of the preview is running.
    pub fn is_running(&self) -> bool {
        self.running
    }

    /// Runs the physics for one frame.
    pub fn step(&mut self, copy: &mut Scene) {
        self.set_running(copy, true);
        self.steps = 1;
    }

    /// Sets how far pieces are moved apart, 0 to 1. Stops the physics.
    pub fn set_explode(&mut self, copy: &mut Scene, explode: f32) {
        if self.running {
            self.set_running(copy, false);
        }
        self.explode = if explode.is_finite() {
            explode.max(0.0)
        } else {
            0.0
        };
    }

    /// Sets the meaning of the pieces' colours.
    pub fn set_colors(&mut self, by: ColorBy) {
        self.paint.set(by);
    }

    /// Does a frame's work after the copy has been updated; `dt` is in seconds. Returns whether time has
    /// passed: a frame in which the step of the debris is not done yet is skipped.
    pub fn update(&mut self, copy: &mut Scene, dt: f32) -> bool {
        if !self.parts.are_added() {
            self.parts.update(&mut copy.graph);
        }
        // Debris whose step takes longer than a frame falls in slow motion; the editor does not wait for
        // it.
        let late = self.destruction.is_stepping();
        // Nothing falls before the ground is there.
        set_physics(
            &mut copy.graph,
            self.running && !late && self.parts.are_added(),
        );
        if late {
            return false;
        }
        self.take_shot();
        self.destruction.update(copy, dt);
        self.take_out_ready(copy);
        let swapped = self.take_events();
        if self.running && self.steps > 0 && self.parts.are_added() {
            self.steps -= 1;
            if self.steps == 0 {
                self.set_running(copy, false);
            }
        }
        if swapped {
            // Swapping took long enough: painting and figures follow in frames of their own.
            return true;
        }
        let pieces = self.pieces();
        if let Some(swap) = self.swap.take() {
            self.take_figures(&swap, &pieces, &copy.graph);
            return true;
        }
        if !self.running {
            self.spread(&mut copy.graph, &pieces);
        }
        self.paint.apply(&mut copy.graph, &pieces, self.struck_at);
        copy.drawing_context.clear_lines();
        self.destruction.draw_damage(&mut copy.drawing_context);
        true
    }

    fn take_out_ready(&mut self, copy: &mut Scene) {
        let Some(frames) = self.taken_out_in else {
            return;
        };
        if !(self.parts.are_added() && self.destruction.is_idle()) {
            self.taken_out_in = Some(READY);
        } else if frames > 0 {
            self.taken_out_in = Some(frames - 1);
        } else {
            self.taken_out_in = None;
            self.is_taken_out = true;
            copy.graph.remove_node(self.object);
            self.set_running(copy, true);
        }
    }

    fn take_shot(&mut self) {
        if let Some(shot) = self.shot.take() {
            let (from, direction) = (shot.from, shot.direction);
            let (energy, impulse) = (shot.energy, shot.impulse);
            self.destruction
                .shoot(from, direction, f32::MAX, energy, impulse);
        }
    }

    /// Grows whenever figures or faults have changed.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// Whether a break is being computed.
    pub fn is_busy(&self) -> bool {
        if self.is_taken_out {
            return false;
        }
        self.swap.is_some()
            || self.shot.is_some()
            || self.taken_out_in.is_some()
            || !self.destruction.is_idle()
            || !self.parts.are_added()
    }

    /// The work that is done before there is something new to be seen, in words; empty for none.
    pub fn progress(&self) -> &'static str {
        if !self.parts.are_added() {
            "Adding what is around ..."
        } else if !self.is_busy() {
            ""
        } else if self.taken_out_in.is_some() {
            "Finding what holds what ..."
        } else if self.destruction.source_volume(&self.name).is_none() {
            "Preparing the mesh ..."
        } else {
            "Computing the break ..."
        }
    }

    /// The pieces.
    pub fn pieces(&self) -> Vec<PieceInfo> {
        self.destruction.pieces_of(&self.name)
    }

    /// The figures of the last break.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Why the last impact was refused, with the remedy.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Reads the events. Returns whether pieces have been swapped in.
    fn take_events(&mut self) -> bool {
        let mut swapped = false;
        let before = self.fault.clone();
        for event in self.destruction.events() {
            if let Event::Broken {
                dust, diagnostics, ..
            } = event
            {
                swapped = true;
                self.dust += dust;
                self.swap = Some(Swap {
                    worker_ms: diagnostics.worker_ms,
                    main_ms: self.destruction.statistics().main_ms,
                });
            }
            self.fault = fault_after(event, self.fault.take());
        }
        if self.is_taken_out {
            self.swap = None;
        }
        if swapped {
            let faults = self.destruction.faults().count();
            self.early_faults.get_or_insert(faults);
        }
        let early = self.early_faults.unwrap_or(usize::MAX);
        let object_fault = self.destruction.faults().take(early).last();
        if let (None, Some(fault)) = (&self.fault, object_fault) {
            self.fault = Some(fault.to_string().replace(MARK, ""));
        }
        self.news += u64::from(self.fault != before);
        swapped
    }

    fn take_figures(&mut self, swap: &Swap, pieces: &[PieceInfo], graph: &Graph) {
        let whole = SourceVolume {
            volume: self.destruction.source_volume(&self.name),
            triangles: self.destruction.source_triangles(&self.name).unwrap_or(0),
            dust_pieces: self.dust,
            dust_volume: self.destruction.dust_volume(&self.name),
            cells_field: self.cells_field,
        };
        self.figures = Figures::of(swap, pieces, whole, graph);
        self.news += 1;
    }

    /// Moves pieces apart.
    fn spread(&mut self, graph: &mut Graph, pieces: &[PieceInfo]) {
        let center = Center::of(pieces, self.struck_at, self.normal);
        for piece in pieces {
            let away = center.away(piece, self.explode);
            let away = to_parent(graph, piece.node, away);
            let Ok(node) = graph.try_get_node_mut(piece.node) else {
                continue;
            };
            let rest = self.rests.entry(piece.node);
            let rest = rest.or_insert_with(|| Rest::of(node));
            if rest.has_moved(node) {
                // The last physics step has ended after the pieces were stopped.
                *rest = Rest::of(node);
            }
            rest.shown = **rest.base.position() + away;
            node.local_transform_mut().set_position(rest.shown);
        }
    }

    /// Moves pieces back to their own poses.
    fn gather(&mut self, graph: &mut Graph) {
        for (node, rest) in std::mem::take(&mut self.rests) {
            if let Ok(node) = graph.try_get_node_mut(node) {
                node.set_local_transform(rest.base);
            }
        }
    }
}

/// Returns the name of the pattern field that sets an object's number of cells.
fn cells_field(graph: &Graph, object: Handle<Node>) -> &'static str {
    let Ok(script) = graph.try_get_script_of::<Destructible>(object) else {
        return "";
    };
    if !script.breaking.site_nodes.is_empty() {
        return "the number of Site Nodes";
    }
    let pattern = script.pattern.clone_inner();
    let content = pattern.and_then(|pattern| pattern.data_ref().as_loaded_ref().cloned());
    content.unwrap_or_default().cells_field()
}

fn to_parent(graph: &Graph, node: Handle<Node>, offset: Vector3<f32>) -> Vector3<f32> {
    let parent = graph.try_get_node(node).ok().map(|node| node.parent());
    let parent = parent.and_then(|parent| graph.try_get_node(parent).ok());
    let inverse = parent.and_then(|parent| parent.global_transform().try_inverse());
    inverse.map_or(offset, |inverse| inverse.transform_vector(&offset))
}

fn set_physics(graph: &mut Graph, running: bool) {
    graph.physics.enabled.set_value_and_mark_modified(running);
}

/// The fault that is shown after an event, with the remedy.
fn fault_after(event: &Event, fault: Option<String>) -> Option<String> {
    let text = match event {
        Event::Broken { .. } => return None,
        Event::Failed { reason, .. }
        | Event::Missed { reason, .. }
        | Event::Dropped { reason, .. } => reason.clone(),
        Event::Unbreakable { name, .. } => format!(
            "{} may not break again; raise Breaks In A Row or lower Min Size under Pieces",
            name.replace(MARK, "")
        ),
        Event::BelowThreshold {
            impulse, threshold, ..
        } => format!(
            "an impact of {impulse:.1} N s is below the threshold of {threshold:.1} N s; \
             strike harder, or lower Damage Threshold or, where that is 0, Energy Per Volume"
        ),
        Event::Damaged { damage, .. } => {
            let percent = 100.0 * damage;
            let weak = fault.unwrap_or_default();
            format!("{weak}; its place is damaged by {percent:.0} %: strike again until it breaks")
        }
        Event::Removed { .. }
        | Event::Detached { .. }
        | Event::Restored { .. }
        | Event::Strained { .. }
        | Event::Contact { .. } => return fault,
    };
    Some(text)
}
