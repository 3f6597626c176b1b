//! The preview of the tool: made anew when something has changed, and ended without a trace.

use super::{
    aim::Aim,
    open::Open,
    rival::Choice,
    show::{Show, Topic},
    words::{describe, sentence, NO_IMPACT},
};
use crate::preview::Preview;
use fracture::{BreakPreview, Impact, SketchError};
use fyrox::core::algebra::Vector3;
use fyroxed_base::{scene::GameScene, Editor};

/// Frames without a change before an edited object is broken anew.
const SETTLED: u32 = 12;
/// Frames after which a break can be given up.
const PATIENCE: u32 = 10;
/// Frames between looks at the pattern's content.
const WATCHED: u32 = 30;
/// How far a new preview looks past the impact's normal, about y and down, radians.
const ASIDE: [f32; 2] = [0.5, 0.3];

impl Open {
    /// Draws the cracks anew once edits have settled, and breaks the object if there is a preview.
    pub fn rebreak_later(&mut self) {
        self.redraw_later();
        if self.show.is_some() && self.redraw.is_some() {
            self.rebreak = Some(SETTLED);
        }
        // Drawn by another pattern, maybe.
        let mut aim = self.aim.borrow_mut();
        aim.near.clear();
        aim.far.clear();
    }

    /// Shows the impact that has just been placed.
    pub fn show_impact(&mut self) {
        self.redraw_later();
        // While it is dragged, figures follow as fast as breaks are done.
        self.rebreak.get_or_insert(SETTLED);
    }

    /// Finds out whether the object can break, once edits have settled.
    pub fn prepare_later(&mut self) {
        self.preparing = None;
        self.prepare = self.sketch.is_ok().then_some(SETTLED);
    }

    pub fn redraw_later(&mut self) {
        self.drawing = None;
        let placed = self.aim.borrow().impact.is_some();
        self.redraw = placed.then_some(SETTLED);
    }

    /// Ends the preview and forgets the pieces.
    pub fn end_show(&mut self, editor: &mut Editor) {
        self.rebreak = None;
        if let Some(show) = self.show.take() {
            let _turn = self.watch.over("removing a preview");
            self.direction = show.close(&mut editor.engine).or(self.direction);
            let ui = editor.engine.user_interfaces.first();
            self.window.set_figures(ui, [None, None]);
        }
    }

    /// Makes the preview anew from the scene as it is.
    pub fn start_show(&mut self, editor: &mut Editor) {
        self.end_show(editor);
        let Some(object) = self.subject.main else {
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
        let topic = Topic {
            watch: self.watch.clone(),
            from: scene,
            object,
            rival: self.choice.rival(self.other_seed, &engine.resource_manager),
        };
        let frames = [self.window.screen.frame, self.window.screen.other];
        self.window
            .screen
            .divide(engine.user_interfaces.first(), topic.rival.is_some());
        self.show = Show::open(engine, &topic, frames, direction);
        if let Some(show) = &mut self.show {
            show.set_colors(self.colors);
            let explode = self.explode;
            show.each(engine, |preview, scene| preview.set_explode(scene, explode));
        }
    }

    /// Breaks the object: in a new preview, or what is left of it in the one there is.
    pub fn strike(&mut self, editor: &mut Editor, anew: bool) {
        let Some(impact) = self.impact() else {
            let ui = editor.engine.user_interfaces.first();
            return self.window.set_impact(ui, NO_IMPACT);
        };
        if anew || self.show.is_none() {
            self.start_show(editor);
        }
        if let Some(show) = &mut self.show {
            show.strike(impact);
        }
    }

    /// The impact with the energy that is set now, hard enough to break the object.
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

    /// The impulse that just breaks the object, N s: what is struck in the preview is to be seen
    /// broken, however tough it is.
    pub fn least_impulse(&self) -> f32 {
        let toughness = self.sketch.as_ref().map_or(0.0, BreakPreview::toughness);
        toughness * 1.001
    }

    pub fn update(&mut self, editor: &mut Editor) {
        if matches!(self.sketch, Err(SketchError::Loading)) {
            self.refresh(editor);
        }
        self.build_fields(editor);
        self.update_jobs(editor);
        self.watch_pattern(editor);
        if count_down(&mut self.prepare) {
            self.start_preparing();
        }
        if count_down(&mut self.redraw) {
            self.draw_cracks();
        }
        let dragged = self.aim.borrow().held.is_some();
        let waits = dragged && self.is_breaking();
        if !waits && count_down(&mut self.rebreak) {
            self.strike(editor, true);
        }
        if let Some(show) = &mut self.show {
            if show.update(&mut editor.engine) {
                self.tell_figures(editor);
            }
        }
        self.tell_work(editor);
    }

    /// Whether a break is being computed for the preview.
    fn is_breaking(&self) -> bool {
        self.show.as_ref().is_some_and(Show::is_busy)
    }

    /// Offers to give up what takes long.
    fn tell_work(&mut self, editor: &Editor) {
        self.busy = if self.is_breaking() { self.busy + 1 } else { 0 };
        let now = [
            self.busy > PATIENCE,
            self.working.is_some(),
            self.choice == Choice::Seed,
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

    /// Notices a pattern that has changed without a step: its file was written by another program,
    /// or is gone.
    fn watch_pattern(&mut self, editor: &mut Editor) {
        self.age = self.age.wrapping_add(1);
        if !self.age.is_multiple_of(WATCHED) {
            return;
        }
        let now = self.shown_pattern(editor);
        let content = now.as_ref().and_then(|now| now.content.as_ref());
        if content != self.shown.as_ref() {
            self.refresh(editor);
        } else if let Some(now) = now.filter(|now| now.label != self.label) {
            self.tell_pattern(editor, now.label);
        }
    }

    fn tell_figures(&self, editor: &Editor) {
        let Some(show) = &self.show else {
            return;
        };
        let figures = |preview: &Preview| preview.figures().clone();
        let main = figures(show.preview());
        let other = show.rival().map(figures);
        let ui = editor.engine.user_interfaces.first();
        self.window.set_figures(ui, [Some(&main), other.as_ref()]);
        let impact = describe(&self.aim.borrow());
        let fault = show.preview().fault();
        let of_other = show.rival().and_then(Preview::fault);
        let text = match (fault, of_other) {
            (Some(fault), _) => sentence(fault),
            (None, Some(fault)) => format!("On the right: {fault}."),
            (None, None) => impact,
        };
        self.window.set_impact(ui, &text);
    }
}

/// Whether the last frame has just passed.
fn count_down(left: &mut Option<u32>) -> bool {
    let frames = *left;
    *left = frames.and_then(|frames| frames.checked_sub(1));
    frames == Some(0)
}

/// The direction of a view onto the impact.
fn towards(aim: &Aim) -> [f32; 2] {
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
