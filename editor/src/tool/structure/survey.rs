//! The state of the structure section: what was found, what is being looked for, and what is shown of it.

use super::{
    cursor::object_along,
    findings::{Findings, ObjectFinding},
    overlay::SharedOverlay,
    paint::{heat, paint, COMES_DOWN},
    words::Words,
    work::{certify, Certified, TakingOut},
};
use crate::{
    background_job::{discard, Job, Poll},
    tool::window::structure_panel::{StructureFields, StructureTexts, NOT_CERTIFIED, ROWS},
};
use fracture::{certificate::Removal, in_front, BodyId, SceneStructure, StructureCertificate};
use fyrox::{
    core::{
        algebra::{Vector2, Vector3},
        color::Color,
        pool::Handle,
    },
    graph::SceneGraph,
    gui::{button::ButtonMessage, message::UiMessage, widget::WidgetMessage, UiNode},
    scene::{
        debug::{Line, SceneDrawingContext},
        graph::Graph,
        node::Node,
        Scene,
    },
};
use fyroxed_base::{
    scene::{commands::ChangeSelectionCommand, GameScene, Selection},
    world::selection::GraphSelection,
    Editor,
};
use std::sync::atomic::Ordering;

/// Frames that the cursor rests on an object before it is shown what comes down without it.
const REST: u32 = 12;
/// How much of the scene is seen around an object that the camera goes to, in sizes of the object.
const AROUND: f32 = 2.5;

/// The structure of the scene, as far as it has been looked at.
#[derive(Default)]
pub(crate) struct StructureSurvey {
    scene: Handle<Scene>,
    findings: Option<Findings>,
    /// There while no work needs it.
    certificate: Option<StructureCertificate>,
    certifying: Option<Job<Certified>>,
    taking_out: Option<TakingOut>,
    /// Whether each object is taken out, and not only one.
    is_sweep: bool,
    /// Why there are no findings, or no more of them.
    failure: Option<String>,
    /// Whether the scene has changed since.
    is_outdated: bool,
    /// The object of the row that was clicked last.
    chosen: Option<BodyId>,
    cursor: RestingCursor,
    /// The selected node.
    selected: Option<Handle<Node>>,
    /// Whether anything has changed that is shown.
    is_changed: bool,
    overlay: SharedOverlay,
    /// The removal that the preview should play, once.
    pub to_play: Option<Played>,
}

/// A removal that the preview plays: the object, and the others that come down.
pub(crate) struct Played {
    pub node: Handle<Node>,
    pub falls: Vec<Handle<Node>>,
}

/// The cursor in the view of the scene.
#[derive(Default)]
struct RestingCursor {
    /// Its place on the screen, pixels; none outside the view.
    at: Option<Vector2<f32>>,
    has_moved: bool,
    /// The object under it, and the frames since it is there.
    over: Option<BodyId>,
    rests: u32,
}

impl RestingCursor {
    /// The object that it has rested on.
    fn object(&self) -> Option<BodyId> {
        self.over.filter(|_| self.rests >= REST)
    }
}

impl StructureSurvey {
    /// Whether the editor has to keep updating.
    pub fn is_active(&self) -> bool {
        let rests = self.cursor.over.is_some() && self.cursor.rests < REST;
        self.certifying.is_some() || self.taking_out.is_some() || rests || self.cursor.has_moved
    }

    /// Handles buttons and rows of the window, and the cursor in the view of the scene.
    pub fn handle(&mut self, message: &UiMessage, fields: &StructureFields, editor: &mut Editor) {
        if let Some(ButtonMessage::Click) = message.data() {
            return self.click(message.destination(), fields, editor);
        }
        if self.findings.is_none()
            || message.destination() != editor.scene_viewer.frame().to_base::<UiNode>()
        {
            return;
        }
        match message.data() {
            Some(WidgetMessage::MouseMove { pos, .. }) => {
                (self.cursor.at, self.cursor.has_moved) = (Some(*pos), true);
            }
            Some(WidgetMessage::MouseLeave) => {
                (self.cursor.at, self.cursor.has_moved) = (None, true);
            }
            _ => {}
        }
    }

    fn click(&mut self, button: Handle<UiNode>, fields: &StructureFields, editor: &mut Editor) {
        let is = |other: Handle<fyrox::gui::button::Button>| button == other.to_base::<UiNode>();
        if is(fields.certify) {
            self.certify(editor);
        } else if is(fields.take_out) {
            self.take_out_each();
        } else if is(fields.cancel) {
            self.cancel();
        } else if is(fields.clear) {
            self.clear();
        } else if let Some(row) = fields.problems.index(button) {
            self.go_to_problem(row, editor);
        } else if let Some(row) = fields.worst.index(button) {
            self.go_to_removal(row, editor);
        }
    }

    /// Reads the scene and starts looking at its structure.
    fn certify(&mut self, editor: &mut Editor) {
        self.clear();
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(game_scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        self.scene = game_scene.scene;
        let Ok(scene) = editor.engine.scenes.try_get(self.scene) else {
            return;
        };
        match SceneStructure::new(&scene.graph, Some(&editor.engine.resource_manager)) {
            Ok(structure) => self.certifying = Some(certify(structure)),
            Err(error) => {
                self.failure = Some(format!("The structure cannot be looked at: {error}."))
            }
        }
    }

    /// Starts taking out each object in turn.
    fn take_out_each(&mut self) {
        let Some(findings) = &self.findings else {
            return;
        };
        let objects = findings.objects.iter().map(|object| object.member.body);
        let bodies = objects.filter(|body| !findings.removals.contains_key(body));
        let bodies = bodies.collect();
        self.take_out(bodies, true);
    }

    /// Starts taking out objects, unless others are being taken out.
    fn take_out(&mut self, bodies: Vec<BodyId>, is_sweep: bool) {
        if let Some(certificate) = self.certificate.take() {
            self.taking_out = Some(TakingOut::start(certificate, bodies));
            self.is_sweep = is_sweep;
            self.is_changed = true;
        }
    }

    fn cancel(&mut self) {
        if let Some(taking_out) = &self.taking_out {
            let cancel = &taking_out.job.progress.cancel;
            cancel.store(true, Ordering::Relaxed);
        }
        if self.certifying.take().is_some() {
            self.failure = Some("Cancelled.".into());
        }
        self.is_changed = true;
    }

    /// Forgets what was found.
    pub fn clear(&mut self) {
        if let Some(certificate) = self.certificate.take() {
            discard(certificate);
        }
        let overlay = std::mem::take(&mut self.overlay);
        let selected = self.selected;
        *self = Self {
            overlay,
            selected,
            is_changed: true,
            ..Self::default()
        };
    }

    /// Tells that the scene has changed.
    pub fn outdate(&mut self) {
        self.is_changed |= !self.is_outdated;
        self.is_outdated = true;
    }

    /// Ends with the window.
    pub fn close(&mut self, editor: &mut Editor) {
        self.clear();
        self.overlay.remove(editor);
    }

    fn go_to_problem(&mut self, row: usize, editor: &mut Editor) {
        let node = self.words(editor).and_then(|words| {
            let problems = words.problems();
            problems.get(row).map(|(node, _)| *node)
        });
        if let Some(node) = node {
            go_to(editor, node);
        }
    }

    fn go_to_removal(&mut self, row: usize, editor: &mut Editor) {
        let Some(findings) = &self.findings else {
            return;
        };
        let Some(removal) = findings.worst().get(row).copied() else {
            return;
        };
        let falls = removal.falls.iter().map(|fall| findings.node(fall.body));
        let node = findings.node(removal.removed);
        let falls = falls.collect();
        self.chosen = Some(removal.removed);
        self.is_changed = true;
        self.to_play = Some(Played { node, falls });
        go_to(editor, node);
    }

    /// Follows the jobs and the cursor, and shows what has changed.
    pub fn update(
        &mut self,
        selected: Option<Handle<Node>>,
        fields: &StructureFields,
        editor: &mut Editor,
    ) {
        self.take_certificate();
        self.take_removals();
        self.follow_cursor(editor);
        self.follow_selection(selected);
        if let Some(taking_out) = &self.taking_out {
            let ui = editor.engine.user_interfaces.first();
            fields.set_progress(ui, taking_out.share());
        }
        if std::mem::take(&mut self.is_changed) {
            self.overlay.add(editor);
            self.show(fields, editor);
        }
    }

    fn take_certificate(&mut self) {
        let Some(job) = &self.certifying else {
            return;
        };
        match job.poll() {
            Poll::Running => return,
            Poll::Done(certified) => {
                self.certificate = Some(certified.certificate);
                self.findings = Some(certified.findings);
            }
            Poll::Lost => self.failure = Some(LOST.into()),
        }
        self.certifying = None;
        self.is_changed = true;
    }

    fn take_removals(&mut self) {
        let (Some(taking_out), Some(findings)) = (&self.taking_out, &mut self.findings) else {
            return;
        };
        // Before the removals are read: the last ones come before the job is done.
        let state = taking_out.job.poll();
        for removal in taking_out.found.try_iter() {
            findings.removals.insert(removal.removed, removal);
            self.is_changed = true;
        }
        match state {
            Poll::Running => return,
            Poll::Done((certificate, reason)) => {
                self.certificate = Some(certificate);
                self.failure = reason.map(|reason| format!("{reason}."));
            }
            Poll::Lost => self.failure = Some(LOST.into()),
        }
        self.taking_out = None;
        self.is_changed = true;
    }

    /// Finds the object that the cursor rests on, and has it taken out.
    fn follow_cursor(&mut self, editor: &Editor) {
        let before = self.cursor.object();
        if std::mem::take(&mut self.cursor.has_moved) {
            let over = self.cursor.at.and_then(|at| self.object_at(at, editor));
            if over != self.cursor.over {
                (self.cursor.over, self.cursor.rests) = (over, 0);
            }
        }
        if self.cursor.over.is_some() {
            self.cursor.rests = self.cursor.rests.saturating_add(1);
        }
        let now = self.cursor.object();
        self.is_changed |= now != before;
        let is_known = |body: &BodyId| {
            let findings = self.findings.as_ref();
            findings.is_some_and(|findings| findings.removals.contains_key(body))
        };
        if let Some(body) = now.filter(|body| !is_known(body)) {
            self.take_out(vec![body], false);
        }
    }

    fn object_at(&self, at: Vector2<f32>, editor: &Editor) -> Option<BodyId> {
        let entry = editor.scenes.current_scene_entry_ref();
        let game_scene = entry.controller.downcast_ref::<GameScene>()?;
        let graph = &editor.engine.scenes.try_get(self.scene).ok()?.graph;
        let camera = graph.try_get(game_scene.camera_controller.camera).ok()?;
        let bounds = editor
            .scene_viewer
            .frame_bounds(editor.engine.user_interfaces.first());
        let ray = camera.make_ray(at - bounds.position, bounds.size);
        object_along(graph, self.findings.as_ref()?, &ray)
    }

    fn follow_selection(&mut self, selected: Option<Handle<Node>>) {
        if self.selected == selected {
            return;
        }
        self.selected = selected;
        self.is_changed = true;
        let chosen = self.chosen.zip(self.findings.as_ref());
        let node = chosen.map(|(body, findings)| findings.node(body));
        if node != selected {
            self.chosen = None;
        }
    }

    /// The object that is taken out in the view of the scene, if that is known.
    fn shown_removal(&self) -> Option<&Removal> {
        let body = self.cursor.object().or(self.chosen)?;
        self.findings.as_ref()?.removals.get(&body)
    }

    /// The object whose findings are shown: under the cursor, or else selected.
    fn shown_object(&self) -> Option<&ObjectFinding> {
        let findings = self.findings.as_ref()?;
        let under = self.cursor.object();
        let under = under.and_then(|body| findings.of_node(findings.node(body)));
        under.or_else(|| findings.of_node(self.selected?))
    }

    fn words<'a>(&'a self, editor: &'a Editor) -> Option<Words<'a>> {
        Some(Words {
            graph: &editor.engine.scenes.try_get(self.scene).ok()?.graph,
            findings: self.findings.as_ref()?,
        })
    }

    fn show(&self, fields: &StructureFields, editor: &Editor) {
        let colors = self.findings.as_ref();
        let colors = colors.map(|findings| paint(findings, self.shown_removal()));
        self.overlay.set(self.scene, &colors.unwrap_or_default());
        let ui = editor.engine.user_interfaces.first();
        fields.show(ui, &self.texts(editor));
    }

    fn texts(&self, editor: &Editor) -> StructureTexts {
        let is_working = self.certifying.is_some() || (self.taking_out.is_some() && self.is_sweep);
        let Some(words) = self.words(editor) else {
            let summary = match &self.failure {
                Some(failure) => failure.clone(),
                None if is_working => "Looking at the structure ...".into(),
                None => NOT_CERTIFIED.into(),
            };
            return StructureTexts {
                summary,
                is_working,
                ..StructureTexts::default()
            };
        };
        let mut problems: Vec<String> = words.problems().into_iter().map(|row| row.1).collect();
        let mut summary = words.scene();
        if self.is_outdated {
            summary =
                format!("The scene has changed since; press Certify Structure again.\n{summary}");
        }
        if let Some(failure) = &self.failure {
            summary = format!("{failure}\n{summary}");
        }
        if problems.len() > ROWS {
            summary += &format!("\nThe first {ROWS} of {} problems:", problems.len());
            problems.truncate(ROWS);
        }
        let worst = words.findings.worst().into_iter().take(ROWS);
        let object = self.shown_object().map(|object| words.object(object));
        StructureTexts {
            summary,
            problems,
            object: object.unwrap_or_default(),
            worst_title: self.worst_title(words.findings),
            worst: worst.map(|removal| words.worst(removal)).collect(),
            has_colors: true,
            is_working,
        }
    }

    fn worst_title(&self, findings: &Findings) -> String {
        let (done, all) = (findings.removals.len(), findings.objects.len());
        match &self.taking_out {
            Some(_) if self.is_sweep => format!("Taken out: {done} of {all} ..."),
            _ if done == 0 => String::new(),
            _ if findings.worst().is_empty() => {
                format!("{done} of {all} taken out; nothing comes down without any of them.")
            }
            _ => format!("{done} of {all} taken out. Most comes down without:"),
        }
    }

    /// Marks the bonds and the weakest place of the object that is shown, for a camera at `eye`.
    pub fn draw(&self, context: &mut SceneDrawingContext, eye: Vector3<f32>) {
        let Some(object) = self.shown_object() else {
            return;
        };
        for (_, bond) in object.bonds.iter().filter(|(_, bond)| bond.supports) {
            let color = if bond.is_loose {
                Color::WHITE
            } else {
                heat(bond.utilisation)
            };
            let center = bond.center.to_array().into();
            diamond(context, center, 0.5 * bond.area.sqrt(), color, eye);
        }
        if let Some(weakest) = object.member.weakest {
            let center = Vector3::from(weakest.point.to_array());
            let size = 0.02 * (eye - center).norm();
            diamond(context, center, size, COMES_DOWN, eye);
        }
    }

    /// The colour in which a mesh is drawn; for tests.
    pub fn color(&self, mesh: Handle<Node>) -> Option<Color> {
        self.overlay.color(mesh)
    }
}

/// Said when a job has ended without a result.
const LOST: &str =
    "The structure cannot be looked at: the work has stopped with an error, which is in the log; \
                    please report it with the scene.";

/// Draws the edges of an octahedron.
fn diamond(
    context: &mut SceneDrawingContext,
    center: Vector3<f32>,
    size: f32,
    color: Color,
    eye: Vector3<f32>,
) {
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| axis * size);
    for [a, b] in [[x, y], [y, z], [z, x]] {
        let corners = [a, b, -a, -b].map(|corner| in_front(center + corner, eye));
        for (begin, end) in corners.into_iter().zip(corners.into_iter().cycle().skip(1)) {
            context.add_line(Line { begin, end, color });
        }
    }
}

/// Selects a node and brings the camera there.
fn go_to(editor: &mut Editor, node: Handle<Node>) {
    let entry = editor.scenes.current_scene_entry_mut();
    let Some(game_scene) = entry.controller.downcast_mut::<GameScene>() else {
        return;
    };
    let Ok(scene) = editor.engine.scenes.try_get_mut(game_scene.scene) else {
        return;
    };
    let graph: &Graph = &scene.graph;
    if !graph.is_valid_handle(node) {
        return;
    }
    let camera = &mut game_scene.camera_controller;
    camera.fit_object(scene, node, Some(AROUND));
    let selection = Selection::new(GraphSelection::single_or_empty(node));
    let sender = &editor.message_sender;
    sender.do_command(ChangeSelectionCommand::new(selection));
}
