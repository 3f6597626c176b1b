//! Sounds of breaks: the engine's own sources, rendered without a device while things break.

use crate::{
    effects::{add_effects, of_tag},
    world::World,
};
use fracture::{BreakSounds, Event, Impact, OwnSound, SoundCause};
use fyrox::{
    asset::untyped::ResourceKind,
    core::{
        algebra::Vector3,
        pool::Handle,
        visitor::{Visit, Visitor},
        Uuid,
    },
    graph::SceneGraph,
    scene::{
        base::BaseBuilder,
        node::Node,
        rigidbody::RigidBodyType,
        sound::{
            listener::{Listener, ListenerBuilder},
            DataSource, Sound, SoundBuffer, SoundBufferResource, SoundEngine, Status,
        },
        Scene,
    },
};
use fyrox_sound::context::{SoundContext, SAMPLE_RATE};
use std::{f32::consts::TAU, fs, path::Path};

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

/// A scene that is heard from its origin, looking along z.
struct Hall {
    world: World,
    ears: Ears,
    /// The frame in which something broke first.
    broke: Option<usize>,
    frames: usize,
}

impl Hall {
    fn new(script: BreakSounds) -> Self {
        let mut world = World::new();
        let ears = Ears::new(&mut world.scene);
        add_effects(&mut world, |base| base.with_script(script));
        Self {
            world,
            ears,
            broke: None,
            frames: 0,
        }
    }

    /// Adds a cube of a material that nothing stands on: its pieces touch nothing.
    fn cube(&mut self, tag: &str, at: Vector3<f32>) -> Handle<Node> {
        self.world
            .cube("cube", RigidBodyType::Static, at, of_tag(tag))
    }

    fn frames(&mut self, count: usize) {
        for _ in 0..count {
            let broke = |event: &Event| matches!(event, Event::Broken { .. });
            if self.world.step().iter().any(broke) {
                self.broke.get_or_insert(self.frames);
            }
            self.ears.frame();
            self.frames += 1;
        }
    }

    fn strike(&mut self, cube: Handle<Node>, at: Vector3<f32>, energy: f32, radius: f32) {
        let top = at + Vector3::y() * 0.5;
        let blow = Impact::new(top, Vector3::y(), energy).with_radius(radius);
        self.world.destruction.impact(cube, blow).unwrap();
    }

    /// Strikes a cube before the ear after half a second of silence, and listens for three seconds.
    fn listen(tag: &str, energy: f32, radius: f32) -> Self {
        let mut hall = Self::new(BreakSounds::default());
        let at = Vector3::z() * 2.0;
        let cube = hall.cube(tag, at);
        hall.frames(30);
        assert!(hall.ears.both().iter().all(|sample| *sample == 0.0));
        hall.strike(cube, at, energy, radius);
        hall.frames(180);
        hall.ears.check();
        hall.ears.keep(tag);
        assert!(hall.broke.is_some(), "{tag}: nothing breaks");
        hall
    }

    /// Breaks cubes at places, 15 seconds apart. Returns what is heard of the last one.
    fn hear(places: &[Vector3<f32>]) -> Vec<(f32, f32)> {
        let mut hall = Self::new(BreakSounds::default());
        for at in places {
            let cube = hall.cube("stone", *at);
            hall.frames(2);
            (hall.ears.left, hall.ears.right) = Default::default();
            hall.strike(cube, *at, 3000.0, 0.5);
            hall.frames(900);
            assert_eq!(hall.ears.sources(), 0, "it goes on");
        }
        assert_eq!(hall.world.destruction.statistics().sounds, places.len());
        hall.ears
            .left
            .iter()
            .copied()
            .zip(hall.ears.right)
            .collect()
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
    let hall = Hall::listen("glass", 2000.0, 0.6);
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
fn a_larger_break_is_louder() {
    let loud = |energy_in, radius| {
        let hall = Hall::listen("concrete", energy_in, radius);
        energy(&hall.sound(0.25))
    };
    let (soft, hard) = (loud(2000.0, 0.15), loud(60_000.0, 1.5));
    assert!(hard > 2.0 * soft, "{soft} {hard}");
}

#[test]
fn materials_sound_different() {
    let tone = |tag| centroid(&Hall::listen(tag, 9000.0, 0.5).sound(0.5));
    let tones = ["glass", "ceramic", "wood", "stone", "metal"].map(tone);
    let [glass, ceramic, wood, stone, metal] = tones;
    assert!(glass > 1.3 * ceramic, "{tones:?}");
    assert!(ceramic > 1.5 * wood, "{tones:?}");
    assert!(wood > 1.2 * stone, "{tones:?}");
    assert!((150.0..1500.0).contains(&stone), "{tones:?}");
    assert!(metal > 1.2 * stone && metal < glass, "{tones:?}");
}

#[test]
fn many_breaks_at_once_neither_clip_nor_pile_up() {
    let mut hall = Hall::new(BreakSounds::default());
    let cubes: Vec<_> = (0..30)
        .map(|k| {
            let at = Vector3::new((k % 6) as f32 * 1.5 - 4.0, 0.0, 2.0 + (k / 6) as f32);
            (hall.cube("brick", at), at)
        })
        .collect();
    hall.frames(3);
    for some in cubes.chunks(5) {
        for (cube, at) in some {
            hall.strike(*cube, *at, 9000.0, 1.5);
        }
        hall.frames(4);
    }
    hall.frames(120);
    hall.ears.check();
    hall.ears.keep("many");
    assert!(hall.ears.most_sources > 4, "{}", hall.ears.most_sources);
    let loudest = hall.ears.left.iter().chain(&hall.ears.right);
    let loudest = loudest.fold(0.0f32, |most, sample| most.max(sample.abs()));
    assert!(loudest > 0.1, "{loudest}");
    hall.frames(600);
    assert_eq!(hall.ears.sources(), 0);
    let nodes = hall.world.scene.graph.linear_iter();
    let voices = nodes.filter(|node| node.cast::<Sound>().is_some());
    assert_eq!(voices.count(), MOST);
}

fn sides(heard: &[(f32, f32)]) -> [f32; 2] {
    let sum = |side: fn(&(f32, f32)) -> f32| heard.iter().map(|s| side(s).powi(2)).sum::<f32>();
    [sum(|sample| sample.0), sum(|sample| sample.1)]
}

#[test]
fn what_is_on_the_left_is_heard_on_the_left_and_what_is_far_is_faint() {
    let [left, right] = sides(&Hall::hear(&[Vector3::new(4.0, 0.0, 3.0)]));
    assert!(left > 4.0 * right, "{left} {right}");
    let [near, far] = [3.0, 40.0].map(|z| sides(&Hall::hear(&[Vector3::z() * z]))[0]);
    assert!(near > 10.0 * far && far > 0.0, "{near} {far}");
}

/// A voice that has played something faint on the right plays the next sound as loud, and from where it is,
/// from its first sample on.
#[test]
fn a_sound_does_not_depend_on_what_its_voice_has_played_before() {
    let here = Vector3::new(2.0, 0.0, 1.0);
    let there = Vector3::new(-30.0, 0.0, 1.0);
    let attack = |heard: Vec<(f32, f32)>| {
        let begin = heard.iter().position(|s| s.0 != 0.0).unwrap();
        sides(&heard[begin..begin + SAMPLE_RATE as usize / 50])
    };
    // All takes of a sound are about as loud at first.
    let (alone, after) = (
        attack(Hall::hear(&[here])),
        attack(Hall::hear(&[there, here])),
    );
    for side in 0..2 {
        let ratio = after[side] / alone[side];
        assert!((0.4..2.5).contains(&ratio), "{alone:?} {after:?}");
    }
}

/// Without a sound card nobody asks for samples; sources come and go all the same.
#[test]
fn nothing_piles_up_without_a_device() {
    let mut world = World::new();
    let context = share(&mut world.scene);
    add_effects(&mut world, |base| base.with_script(BreakSounds::default()));
    let count = || context.state().sources().alive_count() as usize;
    let at = |k: usize| Vector3::new((k % 10) as f32 * 1.5, 0.0, 2.0 + (k / 10) as f32 * 1.5);
    let cubes: Vec<_> = (0..40)
        .map(|k| world.cube("cube", RigidBodyType::Static, at(k), of_tag("ice")))
        .collect();
    world.step();
    let mut most = 0;
    for frame in 0..600 {
        if let Some(cube) = cubes.get(frame) {
            let blow = Impact::new(at(frame) + Vector3::y() * 0.5, Vector3::y(), 5000.0);
            world.destruction.impact(*cube, blow).unwrap();
        }
        world.step();
        most = most.max(count());
    }
    assert!((3..=MOST).contains(&most), "{most}");
    assert_eq!(count(), 0);
}

/// A tone of half a second.
fn tone(hertz: f32) -> SoundBufferResource {
    let samples = (0..SAMPLE_RATE / 2).map(|k| (TAU * hertz * k as f32 / SAMPLE_RATE as f32).sin());
    let source = DataSource::Raw {
        sample_rate: SAMPLE_RATE as usize,
        channel_count: 1,
        samples: samples.collect(),
    };
    let buffer = SoundBuffer::raw_generic(source).unwrap();
    SoundBufferResource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, buffer)
}

#[test]
fn an_artists_sound_is_played_for_its_material_and_cause() {
    let own = |tag: &str, cause, hertz| OwnSound {
        tag: tag.into(),
        cause,
        sound: Some(tone(hertz)),
    };
    let script = BreakSounds {
        own: vec![
            own("", SoundCause::Break, 500.0),
            own("wood", SoundCause::Break, 1000.0),
            own("wood", SoundCause::Contact, 2000.0),
        ]
        .into(),
        ..BreakSounds::default()
    };
    let middle = |tag: &str| {
        let mut hall = Hall::new(script.clone());
        let at = Vector3::z() * 2.0;
        let cube = hall.cube(tag, at);
        hall.frames(2);
        hall.strike(cube, at, 3000.0, 0.5);
        hall.frames(60);
        // A pitch of 0.9 to 1.2.
        centroid(&hall.sound(0.4))
    };
    let [wood, stone] = ["wood_oak", "stone"].map(middle);
    assert!((900.0..1300.0).contains(&wood), "{wood}");
    assert!((450.0..650.0).contains(&stone), "{stone}");
}

#[test]
fn a_blow_that_breaks_nothing_is_heard_and_one_at_a_small_angle_whines() {
    let heard = |along: Vector3<f32>, energy: f32| {
        let mut hall = Hall::new(BreakSounds::default());
        let at = Vector3::z() * 2.0;
        let mut strong = of_tag("stone");
        strong.breaking.damage_threshold = 1e6.into();
        let cube = hall.world.cube("cube", RigidBodyType::Static, at, strong);
        hall.frames(2);
        let top = at + Vector3::y() * 0.5;
        let blow = Impact {
            impulse: along.normalize() * 5.0,
            ..Impact::new(top, Vector3::y(), energy)
        };
        hall.world.destruction.impact(cube, blow).unwrap();
        hall.frames(60);
        hall
    };
    let [straight, flat] = [-Vector3::y(), Vector3::new(1.0, -0.4, 0.0)].map(|along| {
        let hall = heard(along, 900.0);
        assert_eq!(hall.world.destruction.statistics().sounds, 1);
        centroid(&hall.sound(0.5))
    });
    assert!(flat > 2.0 * straight, "{straight} {flat}");
    let faint = heard(-Vector3::y(), 0.5);
    assert_eq!(faint.world.destruction.statistics().sounds, 0);
}

#[test]
fn a_scene_without_a_listener_gets_one_and_keeps_its_own() {
    let listeners = |own: bool| {
        let mut world = World::new();
        if own {
            ListenerBuilder::new(BaseBuilder::new()).build(&mut world.scene.graph);
        }
        add_effects(&mut world, |base| base.with_script(BreakSounds::default()));
        world.steps(3);
        let nodes = world.scene.graph.linear_iter();
        nodes
            .filter(|node| node.cast::<Listener>().is_some())
            .count()
    };
    assert_eq!([listeners(false), listeners(true)], [1, 1]);
}

#[test]
fn silence_is_no_sound_and_a_disabled_node_has_no_voices() {
    let mut world = World::new();
    let script = BreakSounds {
        volume: 0.0.into(),
        ..BreakSounds::default()
    };
    let effects = add_effects(&mut world, |base| base.with_script(script));
    world.struck_wall(Vector3::zeros());
    world.steps(5);
    let is_playing = |node: &Node| {
        let sound = node.cast::<Sound>();
        sound.is_some_and(|sound| sound.status() == Status::Playing)
    };
    let graph = &mut world.scene.graph;
    assert!(!graph.linear_iter().any(is_playing));
    graph.try_get_node_mut(effects).unwrap().set_enabled(false);
    world.step();
    let graph = &world.scene.graph;
    assert_eq!(
        graph
            .linear_iter()
            .filter(|node| node.cast::<Sound>().is_some())
            .count(),
        0
    );
}
