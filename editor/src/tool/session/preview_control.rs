//! Starting, updating and ending the preview. It is rebuilt when the object has changed.

use crate::preview::Preview;
use crate::tool::impact::ImpactMarker;
use crate::tool::impact::{describe, sentence, NO_IMPACT};
use crate::tool::session::Session;
use crate::tool::structure::Played;
use crate::tool::view::comparison::CompareWith;
use crate::tool::view::preview_pair::{PreviewPair, PreviewSource};
use fracture::{BreakPreview, Impact, PreviewError};
use fyrox::core::algebra::Vector3;
use fyroxed_base::{scene::GameScene, Editor};

/// Frames without a change after which an edited object is broken again.
const SETTLED: u32 = 12;
/// Frames after which the button that cancels a break is shown.
const PATIENCE: u32 = 10;
/// Frames between checks of the pattern's content.
const WATCHED: u32 = 30;
/// Angles between a new preview's camera and the impact's normal: about y, and downwards, radians.
const ASIDE: [f32; 2] = [0.5, 0.3];

impl Session {
    /// Schedules new crack lines, and a new break if there is a preview, for when edits have settled.
    pub fn schedule_break(&mut self) {
        self.redraw_later();
        if self.preview.is_some() && self.cracks_in.is_some() {
            self.break_in = Some(SETTLED);
        }
        // The lines may be those of another pattern.
        let mut aim = self.aim.borrow_mut();
        aim.near.clear();
        aim.far.clear();
    }

    /// Shows an impact that has just been placed.
    pub fn show_impact(&mut self) {
        self.redraw_later();
        // While the impact is dragged, breaks follow each other as fast as they are done.
        self.break_in.get_or_insert(SETTLED);
    }

    /// Schedules the preparation of mesh and pattern, which tells whether the object can break.
    pub fn schedule_prepare(&mut self) {
        self.prepare_job = None;
        self.prepare_in = self.sketch.is_ok().then_some(SETTLED);
        if self.sketch.is_err() {
            self.aim.borrow_mut().weak.clear();
        }
    }

    pub fn redraw_later(&mut self) {
        self.crack_job = None;
        let placed = self.aim.borrow().impact.is_some();
        self.cracks_in = placed.then_some(SETTLED);
    }

    /// Ends the preview.
    pub fn end_preview(&mut self, editor: &mut Editor) {
        self.break_in = None;
        if let Some(show) = self.preview.take() {
            let _timed = self.frame_time.measure("removing a preview");
            self.direction = show.close(&mut editor.engine).or(self.direction);
            let ui = editor.engine.user_interfaces.first();
            self.window.set_figures(ui, [None, None]);
        }
    }

    /// Builds the preview from the current state of the scene.
    pub fn start_preview(&mut self, editor: &mut Editor) {
        self.end_preview(editor);
        let Some(object) = self.selection.main else {
            return;
        };
        let entry = editor.scenes.current_scene_entry_ref();
        let Some(scene) = entry.controller.downcast_ref::<GameScene>() else {
            return;
        };
        let engine = &mut editor.engine;
        let direction = self
            .direction
            .unwrap_or_else(|| towards(&self.aim.borrow()));
        let source = PreviewSource {
            frame_time: self.frame_time.clone(),
            from: scene,
            object,
            variant: self
                .choice
                .variant(self.other_seed, &engine.resource_manager),
        };
        let frames = [self.window.screen.frame, self.window.screen.other];
        self.window
            .screen
            .divide(engine.user_interfaces.first(), source.variant.is_some());
        self.preview = PreviewPair::open(engine, &source, frames, direction);
        if let Some(show) = &mut self.preview {
            show.set_colors(self.colors);
            let explode = self.explode;
            show.each(engine, |preview, scene| preview.set_explode(scene, explode));
        }
    }

    /// Breaks the object in a new preview, or what is left of it in the running one.
    pub fn strike(&mut self, editor: &mut Editor, anew: bool) {
        let Some(impact) = self.impact() else {
            let ui = editor.engine.user_interfaces.first();
            return self.window.set_impact(ui, NO_IMPACT);
        };
        if anew || self.preview.is_none() {
            self.start_preview(editor);
        }
        if let Some(show) = &mut self.preview {
            show.strike(impact);
        }
    }

    /// Returns the placed impact with the current energy, hard enough to break the object.
    pub fn impact(&self) -> Option<Impact> {
        let placed = self.aim.borrow().impact.clone()?;
        let mut blow = Impact::new(placed.point, placed.normal, self.energy);
        blow.radius = placed.radius;
        let least = self.least_impulse();
        if blow.impulse.norm() < least {
            blow.impulse = -blow.normal * least;
        }
        Some(blow)
    }

    /// Returns the typed impulse that breaks the object, N s: an impact in the preview is at least as hard.
    pub fn least_impulse(&self) -> f32 {
        let sketch = self.sketch.as_ref().ok();
        let damage_threshold = sketch.and_then(BreakPreview::damage_threshold);
        damage_threshold.unwrap_or_default() * 1.001
    }

    pub fn update(&mut self, editor: &mut Editor) {
        if matches!(self.sketch, Err(PreviewError::Loading)) {
            self.refresh(editor);
        }
        self.build_fields(editor);
        self.update_jobs(editor);
        self.check_pattern_changed(editor);
        self.structure
            .update(self.selection.main, &self.window.structure, editor);
        self.play_removal(editor);
        if count_down(&mut self.prepare_in) {
            self.start_preparing();
        }
        if count_down(&mut self.cracks_in) {
            self.draw_cracks();
        }
        let dragged = self.aim.borrow().held.is_some();
        let waits = dragged && self.is_breaking();
        if !waits && count_down(&mut self.break_in) {
            self.strike(editor, true);
        }
        if let Some(show) = &mut self.preview {
            if show.update(&mut editor.engine) {
                self.tell_figures(editor);
            }
        }
        self.show_cancel_buttons(editor);
        self.show_notice(editor);
    }

    /// Takes the selected object out in a new preview, when its row was clicked.
    fn play_removal(&mut self, editor: &mut Editor) {
        // The selection changes some frames after the click.
        let is_selected = |played: &mut Played| Some(played.node) == self.selection.main;
        let Some(played) = self.structure.to_play.take_if(is_selected) else {
            return;
        };
        self.start_preview(editor);
        if let Some(show) = &mut self.preview {
            show.take_out(&mut editor.engine, &played.falls);
            self.explode = 0.0;
            let ui = editor.engine.user_interfaces.first();
            self.window.set_explode(ui, 0.0);
        }
    }

    /// Shows over the preview what is being done, or what the artist may do.
    fn show_notice(&mut self, editor: &Editor) {
        let notice = match &self.preview {
            Some(show) => show.progress(),
            None if self.selection.main.is_none() => {
                "The break is shown here, once a destructible node is selected."
            }
            None if matches!(self.sketch, Err(PreviewError::Loading)) => {
                "Loading the model and the pattern ..."
            }
            None if self.sketch.is_err() => {
                "This object cannot break yet. At the top of the window it says why."
            }
            None if self.break_in.is_some() => "Preparing the preview ...",
            None if self.aim.borrow().impact.is_none() => {
                "The break is shown here, once an impact is placed."
            }
            None => "Press Break.",
        };
        if notice != self.notice {
            self.notice = notice;
            let ui = editor.engine.user_interfaces.first();
            self.window.screen.set_notice(ui, notice);
        }
    }

    /// Whether a break of the preview is being computed.
    fn is_breaking(&self) -> bool {
        self.preview.as_ref().is_some_and(PreviewPair::is_busy)
    }

    /// Shows the buttons that cancel long work.
    fn show_cancel_buttons(&mut self, editor: &Editor) {
        self.busy = if self.is_breaking() { self.busy + 1 } else { 0 };
        let now = [
            self.busy > PATIENCE,
            self.check_job.is_some(),
            self.choice == CompareWith::Seed,
        ];
        if self.offered == Some(now) {
            return;
        }
        self.offered = Some(now);
        let [breaking, working, seeded] = now;
        let ui = editor.engine.user_interfaces.first();
        if breaking {
            let text = "Computing the break ... Cancel gives it up.";
            self.window.set_impact(ui, text);
        }
        self.window.set_breaking(ui, breaking);
        self.window.set_working(ui, working);
        self.window.set_seeded(ui, seeded);
    }

    /// Notices a pattern that has changed without a command: its file was written by another program, or
    /// deleted.
    fn check_pattern_changed(&mut self, editor: &mut Editor) {
        self.age = self.age.wrapping_add(1);
        if !self.age.is_multiple_of(WATCHED) {
            return;
        }
        let now = self.shown_pattern(editor);
        let content = now.as_ref().and_then(|now| now.content.as_ref());
        if content != self.shown.as_ref() {
            self.refresh(editor);
        } else if let Some(now) = now.filter(|now| now.label != self.label) {
            self.show_pattern_name(editor, now.label);
        }
    }

    fn tell_figures(&self, editor: &Editor) {
        let Some(show) = &self.preview else {
            return;
        };
        let figures = |preview: &Preview| preview.figures().clone();
        let main = figures(show.preview());
        let other = show.variant().map(figures);
        let ui = editor.engine.user_interfaces.first();
        self.window.set_figures(ui, [Some(&main), other.as_ref()]);
        let impact = describe(&self.aim.borrow());
        let fault = show.preview().fault();
        let of_other = show.variant().and_then(Preview::fault);
        let text = match (fault, of_other) {
            (Some(fault), _) => sentence(fault),
            (None, Some(fault)) => format!("On the right: {fault}."),
            (None, None) => impact,
        };
        self.window.set_impact(ui, &text);
    }
}

/// Counts down. Returns whether the countdown has just ended.
fn count_down(left: &mut Option<u32>) -> bool {
    let frames = *left;
    *left = frames.and_then(|frames| frames.checked_sub(1));
    frames == Some(0)
}

/// Returns yaw and pitch of a camera that faces the impact.
fn towards(aim: &ImpactMarker) -> [f32; 2] {
    let normal = aim
        .impact
        .as_ref()
        .map_or(-Vector3::z(), |impact| impact.normal);
    let yaw = if normal.xz().norm() > 0.1 {
        (-normal.x).atan2(-normal.z)
    } else {
        0.0
    };
    [yaw + ASIDE[0], ASIDE[1]]
}
