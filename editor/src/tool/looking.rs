//! What is computed beside the editor, taken when it is done: looks along the cursor, cracks, checks.

use super::{
    current::with_scene,
    open::Open,
    rival::Choice,
    words::{describe, sentence},
    work::{self, Seen},
};
use fracture::SketchError;
use fyrox::graph::SceneGraph;
use fyroxed_base::Editor;

impl Open {
    pub fn update_jobs(&mut self, editor: &mut Editor) {
        if let Some(seen) = work::take(&mut self.looking) {
            self.take_seen(editor, seen);
        }
        if self.looking.is_none() {
            self.start_look();
        }
        if let Some(choices) = work::take(&mut self.searching) {
            self.offer_patterns(choices, editor);
        }
        if let Some(Err(error)) = work::take(&mut self.preparing) {
            self.tell_unfit(editor, &error);
        }
        if let Some(Ok(cracks)) = work::take(&mut self.drawing) {
            let mut aim = self.aim.borrow_mut();
            (aim.near, aim.far, aim.radius) = (cracks.near, cracks.far, cracks.radius);
            drop(aim);
            if self.show.is_none() {
                self.tell_impact(editor);
            }
        }
        let ui = editor.engine.user_interfaces.first();
        if let Some(job) = &self.working {
            let share = job.progress.done() as f32 / work::SWEEP as f32;
            self.window.set_progress(ui, share);
        }
        if let Some(report) = work::take(&mut self.working) {
            self.window.set_report(ui, &report.text);
            let mut aim = self.aim.borrow_mut();
            aim.faults = report.places;
            aim.mark = report.mark;
            aim.faulty = report.edges;
        }
    }

    /// Offers the patterns that there are to be compared with. What is chosen stays chosen.
    fn offer_patterns(&mut self, choices: Vec<Choice>, editor: &mut Editor) {
        let _turn = self.watch.over("listing patterns");
        let chosen = choices.iter().position(|choice| *choice == self.choice);
        let ui = editor.engine.user_interfaces.first_mut();
        self.window.set_choices(ui, &choices, chosen);
        self.choices = choices;
    }

    pub fn start_preparing(&mut self) {
        if let Ok(sketch) = &self.sketch {
            self.preparing = Some(work::prepare(sketch.clone()));
        }
    }

    /// Says that what looked well cannot break.
    fn tell_unfit(&self, editor: &Editor, error: &SketchError) {
        let Ok(sketch) = &self.sketch else {
            return;
        };
        let advice = sketch.advice(error);
        let name = with_scene(editor, |graph| {
            let node = graph.try_get_node(self.subject.main?).ok()?;
            Some(node.name_owned())
        });
        let name = name.flatten().unwrap_or_default();
        let ui = editor.engine.user_interfaces.first();
        self.window
            .set_status(ui, &format!("\"{name}\" cannot break: {advice}."));
    }

    pub fn start_look(&mut self) {
        let mut aim = self.aim.borrow_mut();
        let (Some(look), Ok(sketch)) = (aim.look.take(), &self.sketch) else {
            return;
        };
        let impact = aim.impact.clone();
        self.looking = Some(work::look(sketch.clone(), look, self.energy, impact));
    }

    pub fn take_seen(&mut self, editor: &mut Editor, seen: Result<Option<Seen>, SketchError>) {
        let ui = editor.engine.user_interfaces.first();
        let seen = match seen {
            Ok(seen) => seen,
            Err(error) => return self.window.set_impact(ui, &sentence(&error.to_string())),
        };
        {
            let mut aim = self.aim.borrow_mut();
            aim.hover.clear();
            match seen {
                Some(seen) if seen.placed => {
                    aim.impact = Some(seen.blow);
                    aim.radius = seen.radius;
                    aim.near = seen.lines;
                    aim.far.clear();
                }
                Some(seen) => {
                    aim.hover = seen.lines;
                    return;
                }
                None => return,
            }
        }
        self.tell_impact(editor);
        self.show_impact();
    }

    pub fn draw_cracks(&mut self) {
        if let (Ok(sketch), Some(impact)) = (&self.sketch, self.impact()) {
            self.drawing = Some(work::cracks(sketch.clone(), impact));
        }
    }

    pub fn tell_impact(&self, editor: &Editor) {
        let ui = editor.engine.user_interfaces.first();
        self.window.set_impact(ui, &describe(&self.aim.borrow()));
    }
}
