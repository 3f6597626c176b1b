//! The crack lines of an impact at the cursor, computed on a thread of its own where there can be one.

use fracture::{in_front, BreakPreview, CrackLines, Destruction, Impact};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::{debug::Line, Scene},
};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver},
        Arc, Mutex,
    },
    thread,
};

/// Energy of the impact that is shown, J: that of a ball of the gun.
const ENERGY: f32 = 16_000.0;
const CRACKS: Color = Color::opaque(255, 96, 40);

/// The lines that are drawn, and the job that computes the next ones.
#[derive(Debug, Default)]
pub struct CrackPreview {
    shown: Vec<[Vector3<f32>; 2]>,
    under_way: Option<(Receiver<Option<CrackLines>>, Arc<AtomicBool>)>,
}

impl CrackPreview {
    /// Starts computing for the object under the cursor and draws the last result.
    pub fn update(
        &mut self,
        scene: &mut Scene,
        destruction: &Destruction,
        eye: Vector3<f32>,
        direction: Vector3<f32>,
    ) {
        self.take_in();
        if self.under_way.is_none() {
            self.begin(scene, destruction, eye, direction);
        }
        for line in &self.shown {
            let [begin, end] = line.map(|end| in_front(end, eye));
            let color = CRACKS;
            scene.drawing_context.add_line(Line { begin, end, color });
        }
    }

    /// Clears the lines.
    pub fn clear(&mut self) {
        self.shown.clear();
        self.under_way = None;
    }

    fn take_in(&mut self) {
        let Some((answer, _)) = &self.under_way else {
            return;
        };
        match answer.try_recv() {
            Ok(found) => {
                self.shown = found.map_or_else(Vec::new, |outlines| outlines.lines);
                self.under_way = None;
            }
            Err(mpsc::TryRecvError::Disconnected) => self.under_way = None,
            Err(mpsc::TryRecvError::Empty) => (),
        }
    }

    fn begin(
        &mut self,
        scene: &Scene,
        destruction: &Destruction,
        eye: Vector3<f32>,
        direction: Vector3<f32>,
    ) {
        let hit = destruction.cast_ray(eye, direction, 100.0);
        // A broken object has no preview.
        let sketch =
            hit.and_then(|hit| Some((BreakPreview::of(&scene.graph, hit.node).ok()?, hit)));
        let Some((sketch, hit)) = sketch else {
            self.shown.clear();
            return;
        };
        let (sender, answer) = mpsc::channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let stop = cancel.clone();
        let work = move || {
            let blow = Impact::new(hit.point, hit.normal, ENERGY);
            // The receiver is gone once the scene is closed.
            let _ = sender.send(sketch.outlines(&blow, false, &stop).ok());
        };
        in_background(work);
        self.under_way = Some((answer, cancel));
    }
}

/// Does work on a thread of its own; at once where none can be had.
fn in_background(work: impl FnOnce() + Send + 'static) {
    let waiting = Arc::new(Mutex::new(Some(work)));
    let take = |waiting: &Mutex<Option<_>>| waiting.lock().ok().and_then(|mut work| work.take());
    let own = waiting.clone();
    let thread = thread::Builder::new().name("cells".into());
    let started = thread.spawn(move || take(&own).into_iter().for_each(|work| work()));
    if started.is_err() {
        take(&waiting).into_iter().for_each(|work| work());
    }
}

impl Drop for CrackPreview {
    fn drop(&mut self) {
        if let Some((_, cancel)) = &self.under_way {
            cancel.store(true, Ordering::Relaxed);
        }
    }
}
