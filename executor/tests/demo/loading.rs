//! Cost of loading the scenes of the menu in the middle of destruction.

use crate::{
    gallery::{bomb, place},
    open::{alone, Open},
};
use executor::{data_folder::DataFolder, demo::GALLERY, headless::Headless};
use fracture::{Destruction, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::Scene,
};
use std::{path::PathBuf, time::Instant};

type Save = fn(&mut Destruction, &mut Scene) -> Vec<u8>;

const WAYS: [(&str, Save); 2] = [
    ("with pieces", Destruction::save),
    ("without", Destruction::save_compact),
];
const RUNS: usize = 15;

/// `cargo test --release -p executor --test demo loading_in_figures -- --ignored --nocapture`.
#[test]
#[ignore = "prints figures"]
fn loading_in_figures() {
    let _alone = alone();
    for entry in GALLERY {
        let mut open = Open::new(entry.file);
        open.frames(5);
        let names = open.destruction.object_names();
        for object in &names {
            let center = place(&mut open, object) + Vector3::new(0.1, 0.2, 0.3);
            open.act(&bomb(center));
        }
        open.frames(20);
        let breaks = open.destruction.statistics().breaks;
        let pieces = names.iter().map(|name| open.destruction.pieces_of(name));
        let pieces: usize = pieces.map(|pieces| pieces.len()).sum();
        println!("{}: {breaks} breaks, {pieces} pieces", entry.file);
        let scene = open.engine.scene(open.scene).unwrap();
        let saves = WAYS.map(|(name, save)| (name, save(&mut open.destruction, scene)));
        drop(open);
        let mut level = Level::new(entry.file);
        for (name, save) in saves {
            let taken: Vec<_> = (0..RUNS).map(|_| Taken::by(&mut level, &save)).collect();
            let median = |of: fn(&Taken) -> f64| {
                let mut all: Vec<f64> = taken.iter().map(of).collect();
                all.sort_by(f64::total_cmp);
                all[RUNS / 2]
            };
            println!(
                "{}, {name}, {} kB: ready after {:.1} ms fresh, {:.1} loaded, {:.2} ms a break more; restored when ready in {:.2} ms a break",
                entry.file,
                save.len() / 1000,
                median(|taken| taken.fresh),
                median(|taken| taken.loaded),
                median(|taken| taken.loaded - taken.fresh) / breaks as f64,
                median(|taken| taken.restored) / breaks as f64
            );
        }
    }
}

/// Milliseconds.
struct Taken {
    /// Until a scene can be broken.
    fresh: f64,
    /// From there until it is as it was saved.
    restored: f64,
    /// Until a scene is as it was saved, and can be broken.
    loaded: f64,
}

impl Taken {
    fn by(level: &mut Level, save: &[u8]) -> Self {
        level.open();
        let fresh = taken(|| level.make_ready());
        let bytes = save.to_vec();
        let restored = taken(|| level.restore(bytes));
        level.open();
        let bytes = save.to_vec();
        let loaded = taken(|| {
            level.restore(bytes);
            level.make_ready();
        });
        Self {
            fresh,
            restored,
            loaded,
        }
    }
}

fn taken(what: impl FnOnce()) -> f64 {
    let start = Instant::now();
    what();
    start.elapsed().as_secs_f64() * 1e3
}

/// A scene that is opened again and again.
struct Level {
    engine: Headless,
    path: PathBuf,
    scene: Handle<Scene>,
    destruction: Destruction,
}

impl Level {
    fn new(file: &str) -> Self {
        let data = DataFolder::find(None, None).unwrap();
        Self {
            engine: Headless::new(&data).unwrap(),
            path: data.scene(file.as_ref(), None),
            scene: Handle::NONE,
            destruction: Destruction::new(Settings::default()),
        }
    }

    /// As the engine has loaded it: nobody has looked at its objects yet.
    fn open(&mut self) {
        self.destruction = Destruction::new(Settings::default());
        self.engine.close(self.scene);
        self.scene = self.engine.open(&self.path).unwrap();
        let resources = self.engine.resources();
        self.destruction.set_resources(resources);
        // What the engine still loads beside is not what is measured.
        while resources.state().count_pending_resources() > 0 {
            std::thread::yield_now();
        }
    }

    fn make_ready(&mut self) {
        let scene = self.engine.scene(self.scene).unwrap();
        self.destruction.update(scene, 0.0);
        while !self.destruction.is_idle() {
            std::thread::yield_now();
            self.destruction.update(scene, 0.0);
        }
    }

    fn restore(&mut self, save: Vec<u8>) {
        let scene = self.engine.scene(self.scene).unwrap();
        let restored = self.destruction.restore(scene, save);
        assert!(restored.is_ok(), "{restored:?}");
    }
}
