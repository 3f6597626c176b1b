//! The sound of the loudspeakers: the engine's own sources, rendered without a device while the demo's
//! scenes break.

use crate::{
    gallery::{bomb, place},
    open::{alone, Open},
};
use executor::demo::{Effects, SoundBank};
use fracture::{BreakCause, BreakDiagnostics, Destruction, Event, Impact, Settings};
use fyrox::{
    core::{
        algebra::Vector3,
        pool::Handle,
        visitor::{Visit, Visitor},
    },
    scene::{
        node::Node,
        sound::{Sound, SoundEngine},
        Scene,
    },
};
use fyrox_sound::context::{SoundContext, SAMPLE_RATE};
use std::{f32::consts::TAU, fs, path::Path};

const STEP: f32 = 1.0 / 60.0;
/// Samples that a device asks for at once.
const BLOCK: usize = 2052;
/// Samples of one frame.
const FRAME: usize = SAMPLE_RATE as usize / 60;
/// Sources that may play at once.
const MOST: usize = 20;

/// A device's place: it takes what is to be heard.
struct Ears {
    context: SoundContext,
    engine: SoundEngine,
    left: Vec<f32>,
    right: Vec<f32>,
    owed: usize,
    most_sources: usize,
}

impl Ears {
    /// Listens to a scene that has made no sound yet.
    fn new(scene: &mut Scene) -> Self {
        let context = share(scene);
        let engine = SoundEngine::without_device();
        engine.state().add_context(context.clone());
        Self {
            context,
            engine,
            left: Vec::new(),
            right: Vec::new(),
            owed: 0,
            most_sources: 0,
        }
    }

    fn sources(&self) -> usize {
        self.context.state().sources().alive_count() as usize
    }

    fn frame(&mut self) {
        self.most_sources = self.most_sources.max(self.sources());
        self.owed += FRAME;
        if self.owed >= BLOCK {
            self.owed -= BLOCK;
            let mut block = vec![(0.0, 0.0); BLOCK];
            self.engine.state().render(&mut block);
            self.left.extend(block.iter().map(|sample| sample.0));
            self.right.extend(block.iter().map(|sample| sample.1));
        }
    }

    fn both(&self) -> Vec<f32> {
        let pairs = self.left.iter().zip(&self.right);
        pairs.map(|(left, right)| left + right).collect()
    }

    /// Keeps what was heard, to be listened to: 16 bits, two channels.
    fn keep(&self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sounds");
        fs::create_dir_all(&folder).unwrap();
        let pairs = self.left.iter().zip(&self.right);
        let samples: Vec<u8> = pairs
            .flat_map(|(left, right)| [left, right])
            .flat_map(|sample| ((sample * 32_767.0) as i16).to_le_bytes())
            .collect();
        let size = samples.len() as u32;
        let mut file = b"RIFF".to_vec();
        file.extend((36 + size).to_le_bytes());
        file.extend(b"WAVEfmt ");
        file.extend(16u32.to_le_bytes());
        for number in [1u16, 2] {
            file.extend(number.to_le_bytes());
        }
        file.extend(SAMPLE_RATE.to_le_bytes());
        file.extend((SAMPLE_RATE * 4).to_le_bytes());
        for number in [4u16, 16] {
            file.extend(number.to_le_bytes());
        }
        file.extend(b"data");
        file.extend(size.to_le_bytes());
        file.extend(samples);
        fs::write(folder.join(name).with_extension("wav"), file).unwrap();
    }

    /// No sample that a device could not play.
    fn check(&self) {
        for sample in self.left.iter().chain(&self.right) {
            assert!(sample.abs() <= 1.0, "{sample}");
        }
        assert!(self.most_sources <= MOST, "{}", self.most_sources);
    }
}

/// Gives a scene a sound context that is ours too: it is read twice from the same bytes, as one object.
fn share(scene: &mut Scene) -> SoundContext {
    let mut ours = SoundContext::new();
    let mut written = Visitor::new();
    ours.visit("Ours", &mut written).unwrap();
    let mut region = written.enter_region("Theirs").unwrap();
    ours.visit("Native", &mut region).unwrap();
    drop(region);
    let bytes = written.save_binary_to_vec().unwrap();
    let mut read = Visitor::load_from_memory(&bytes).unwrap();
    let mut ours = SoundContext::default();
    ours.visit("Ours", &mut read).unwrap();
    scene
        .graph
        .sound_context
        .visit("Theirs", &mut read)
        .unwrap();
    ours.state().serialization_options.skip_sources = true;
    ours
}

/// A scene of the demo that is seen and heard as in its window.
struct Hall {
    open: Open,
    effects: Effects,
    camera: Handle<Node>,
    ears: Ears,
    /// The frame in which something broke first.
    broke: Option<usize>,
    frames: usize,
}

impl Hall {
    fn new(name: &str) -> Self {
        let mut open = Open::new(format!("scenes/{name}.rgs"));
        open.destruction = Destruction::new(Settings {
            wait_for_results: true,
            report_contacts: 6.0,
            ..Settings::default()
        });
        open.destruction.set_resources(open.engine.resources());
        let camera = open.camera();
        let scene = open.engine.scene(open.scene).unwrap();
        let ears = Ears::new(scene);
        let effects = Effects::new(scene, &SoundBank::made());
        Self {
            open,
            effects,
            camera,
            ears,
            broke: None,
            frames: 0,
        }
    }

    /// Frames in the order of the window: destruction, what is heard of it, the engine, and the device.
    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            let scene = self.open.engine.scene(self.open.scene).unwrap();
            self.open.destruction.update(scene, STEP);
            let events = self.open.destruction.events();
            let broke = |event: &Event| matches!(event, Event::Broken { .. });
            if events.iter().any(broke) {
                self.broke.get_or_insert(self.frames);
            }
            let on = [true, true];
            self.effects.update(scene, self.camera, events, on, STEP);
            self.open.engine.frame(STEP);
            self.ears.frame();
            self.frames += 1;
        }
    }

    fn hit(&mut self, name: &str, height: f32, [energy, radius]: [f32; 2]) {
        let at = place(&mut self.open, name);
        let at = Vector3::new(at.x, height, at.z);
        let scene = self.open.engine.scene(self.open.scene).unwrap();
        let blow = Impact::new(at, Vector3::z(), energy).with_radius(radius);
        self.open
            .destruction
            .impact_by_name(scene, name, blow)
            .unwrap();
    }

    /// Hits something after half a second of silence, and listens for three seconds.
    fn listen(name: &str, object: &str, height: f32, blow: [f32; 2]) -> Self {
        let mut hall = Self::new(name);
        hall.frames(30);
        assert!(hall.ears.both().iter().all(|sample| *sample == 0.0));
        hall.hit(object, height, blow);
        hall.frames(180);
        hall.ears.check();
        hall.ears.keep(name);
        assert!(hall.broke.is_some(), "{name}: nothing breaks");
        hall
    }

    /// Returns the sound for a time from its start.
    fn sound(&self, seconds: f32) -> Vec<f32> {
        let heard = self.ears.both();
        let begin = heard.iter().position(|sample| *sample != 0.0).unwrap();
        let length = (seconds * SAMPLE_RATE as f32) as usize;
        heard[begin..].iter().copied().take(length).collect()
    }
}

fn energy(samples: &[f32]) -> f32 {
    samples.iter().map(|sample| sample * sample).sum()
}

/// The middle of the power over the tones, Hz: by one correlation for each of 120 tones.
fn centroid(samples: &[f32]) -> f32 {
    let tones = (0..120).map(|k| 60.0 * 1.045f32.powi(k));
    let (mut sum, mut all) = (0.0, 0.0);
    for hertz in tones {
        let (sin, cos) = (TAU * hertz / SAMPLE_RATE as f32).sin_cos();
        let (mut x, mut y) = (1.0f32, 0.0f32);
        let (mut real, mut imaginary) = (0.0, 0.0);
        for sample in samples {
            (real, imaginary) = (real + sample * x, imaginary + sample * y);
            (x, y) = (x * cos - y * sin, x * sin + y * cos);
        }
        // Tones are farther apart the higher they are.
        let power = (real * real + imaginary * imaginary) * hertz;
        sum += power * hertz;
        all += power;
    }
    sum / all
}

#[test]
fn a_break_is_heard_in_its_frame_and_dies_away() {
    let _alone = alone();
    let hall = Hall::listen("glass", "Pane", 1.2, [400.0, 0.6]);
    let heard = hall.ears.both();
    let first = heard.iter().position(|sample| *sample != 0.0).unwrap();
    let broke = hall.broke.unwrap() * FRAME;
    // A device's block may have begun just before it.
    assert!(
        (broke.saturating_sub(BLOCK)..broke + 2 * BLOCK).contains(&first),
        "broken at sample {broke}, heard at {first}"
    );
    let sound = hall.sound(3.0);
    let tenth = SAMPLE_RATE as usize / 10;
    assert!(energy(&sound[..tenth]) > 1.0, "it is hardly heard");
    let end = &heard[heard.len() - tenth..];
    assert!(energy(end) * 300.0 < energy(&sound[..tenth]));
}

#[test]
fn a_harder_blow_is_louder() {
    let _alone = alone();
    let loud = |blow| {
        let hall = Hall::listen("concrete", "Wall", 1.3, blow);
        energy(&hall.sound(0.25))
    };
    let (soft, hard) = (loud([8000.0, 0.25]), loud([60_000.0, 1.0]));
    assert!(hard > 2.0 * soft, "{soft} {hard}");
}

#[test]
fn materials_sound_different() {
    let _alone = alone();
    let tone = |name, object, height, energy| {
        let hall = Hall::listen(name, object, height, [energy, 0.5]);
        centroid(&hall.sound(0.5))
    };
    let glass = tone("glass", "Pane", 1.2, 400.0);
    let ceramic = tone("vase", "Vase", 0.8, 400.0);
    let wood = tone("beam", "Beam", 1.05, 9000.0);
    let stone = tone("concrete", "Wall", 1.3, 9000.0);
    let tones = [glass, ceramic, wood, stone];
    assert!(glass > 1.3 * ceramic, "{tones:?}");
    assert!(ceramic > 1.5 * wood, "{tones:?}");
    assert!(wood > 1.2 * stone, "{tones:?}");
    assert!((150.0..1500.0).contains(&stone), "{tones:?}");
}

#[test]
fn bombs_in_a_field_of_blocks_neither_clip_nor_pile_up() {
    let _alone = alone();
    let mut hall = Hall::new("stress");
    hall.frames(3);
    for round in 0..6 {
        let at = Vector3::new(round as f32 * 1.1 - 3.0, 0.6, 0.0);
        hall.open.act(&bomb(at));
        hall.frames(15);
    }
    hall.ears.check();
    hall.ears.keep("stress");
    assert!(hall.ears.most_sources > 4, "{}", hall.ears.most_sources);
    let loudest = hall.ears.left.iter().chain(&hall.ears.right);
    let loudest = loudest.fold(0.0f32, |most, sample| most.max(sample.abs()));
    assert!(loudest > 0.1, "{loudest}");
}

fn broken(point: Vector3<f32>, crack_area: f32) -> Event {
    Event::Broken {
        node: Handle::NONE,
        piece: Handle::NONE,
        name: "Thing".into(),
        surface_tag: "stone".into(),
        pieces: Vec::new(),
        dust: 0,
        cause: BreakCause::Impact,
        point,
        normal: Vector3::y(),
        energy: 500.0,
        radius: 0.5,
        crack_area,
        diagnostics: BreakDiagnostics::default(),
    }
}

/// Renders the sounds of events, half a minute apart, heard from the origin, looking along z.
fn hear(events: &[Event]) -> Vec<(f32, f32)> {
    let mut scene = Scene::new();
    let mut ears = Ears::new(&mut scene);
    let mut effects = Effects::new(&mut scene, &SoundBank::made());
    for event in events {
        (ears.left, ears.right) = Default::default();
        for frame in 0..1800 {
            let now: &[Event] = if frame == 0 {
                std::slice::from_ref(event)
            } else {
                &[]
            };
            effects.update(&mut scene, Handle::NONE, now, [true, true], STEP);
            scene.update(Default::default(), STEP, Default::default());
            ears.frame();
        }
        assert_eq!(ears.sources(), 0, "it goes on");
    }
    ears.left.iter().copied().zip(ears.right).collect()
}

fn sides(heard: &[(f32, f32)]) -> [f32; 2] {
    let sum = |side: fn(&(f32, f32)) -> f32| heard.iter().map(|s| side(s).powi(2)).sum::<f32>();
    [sum(|sample| sample.0), sum(|sample| sample.1)]
}

#[test]
fn what_is_on_the_left_is_heard_on_the_left_and_what_is_far_is_faint() {
    let to_the_left = Vector3::new(4.0, 0.0, 3.0);
    let [left, right] = sides(&hear(&[broken(to_the_left, 1.0)]));
    assert!(left > 4.0 * right, "{left} {right}");
    let [near, far] = [3.0, 40.0].map(|z| sides(&hear(&[broken(Vector3::z() * z, 1.0)]))[0]);
    assert!(near > 10.0 * far && far > 0.0, "{near} {far}");
}

/// A voice that has played something faint on the right plays the next sound as loud, and from where it is,
/// from its first sample on.
#[test]
fn a_sound_does_not_depend_on_what_its_voice_has_played_before() {
    let here = || broken(Vector3::new(2.0, 0.0, 1.0), 1.5);
    let there = broken(Vector3::new(-30.0, 0.0, 1.0), 0.01);
    let attack = |heard: Vec<(f32, f32)>| {
        let begin = heard.iter().position(|s| s.0 != 0.0).unwrap();
        sides(&heard[begin..begin + SAMPLE_RATE as usize / 50])
    };
    // All takes of a sound are about as loud at first.
    let (alone, after) = (attack(hear(&[here()])), attack(hear(&[there, here()])));
    for side in 0..2 {
        let ratio = after[side] / alone[side];
        assert!((0.4..2.5).contains(&ratio), "{alone:?} {after:?}");
    }
}

/// Without a sound card nobody asks for samples; sources come and go all the same.
#[test]
fn nothing_piles_up_without_a_device() {
    let _alone = alone();
    let mut scene = Scene::new();
    let context = share(&mut scene);
    let mut effects = Effects::new(&mut scene, &SoundBank::made());
    let nodes = scene.graph.linear_iter().count();
    let count = || context.state().sources().alive_count() as usize;
    let mut most = 0;
    for frame in 0..600 {
        let now = vec![broken(Vector3::z(), 0.2); if frame < 300 { 5 } else { 0 }];
        effects.update(&mut scene, Handle::NONE, &now, [true, true], STEP);
        scene.update(Default::default(), STEP, Default::default());
        most = most.max(count());
    }
    assert!((3..=MOST).contains(&most), "{most}");
    assert_eq!(count(), 0);
    let sounds = scene
        .graph
        .linear_iter()
        .filter(|node| node.cast::<Sound>().is_some());
    assert_eq!(sounds.count(), MOST);
    assert_eq!(scene.graph.linear_iter().count(), nodes);
}
