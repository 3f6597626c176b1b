//! Frames from an impact to its pieces: `cargo bench -p fyrox-fracture --bench next_frame -- [OPTIONS] [SCENE | FILE.obj]...`
//!
//! Scenes of the demo, each with a shot, or given meshes, which are struck on top. Frames are paced by the clock,
//! as in a game that draws at that rate: what the worker does not finish in time is seen later.
//!
//! - `--hz RATES`: frames in a second, 60 by default; or several, as in `30,60,144`, each with a table
//! - `--unpaced`: frame after frame, each waiting for the worker, for a profile
//! - `--threads COUNT`: worker threads, by default those of a game on this machine
//! - `--runs COUNT`: shots at each scene, 5 by default
//! - `--cells COUNT`: breaks meshes everywhere into so many cells, in place of where they are hit
//! - `--cold`: the shot hits in the first three frames after loading; otherwise when everything is prepared
//! - `--no-cracks`: cracks do not stay
//! - `--volley COUNT`: meshes are struck two or three times, at another end each time, as soon as the last break is seen:
//!   its refinements run. The first break does not count
//! - `--balls COUNT`: no shots, but so many balls, ten a second, all over a wall of a thousand bricks, or over the middle
//!   of the scenes that are named; the last twenty stay
//! - `cards`: a wall of each card that ships, struck by the ball of the demo
//! - `--removed NODE`: no shots; the node is taken out of the scenes that are named, as `Walls 1` out of `mill`
//!
//! A table is printed: frames to the pieces (median, 95th percentile, worst; above 60 Hz in frames of 60 Hz), the worker's median time and where
//! it went, pieces, and the module's longest update and its 99th percentile in all frames: by the clock, and the
//! processor time of the main thread, which other programs do not affect. For balls: pieces, those that move, the
//! module's updates, and the debris' own steps. For what is removed: frames until bodies come down, how many then and in
//! all, and the last such frame of 300. `cube_250` and `cube_1000` are cubes that break into as many pieces.

#[path = "next_frame/barrage.rs"]
mod barrage;
#[path = "next_frame/removal.rs"]
mod removal;
#[path = "next_frame/struck_mesh.rs"]
mod struck_mesh;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use fracture::{
    conversion::write_surfaces, BreakDiagnostics, Destructible, Destruction, Event,
    FracturePattern, Impact, Settings,
};
use fracture_geometry::Mesh;
use fyrox::{
    asset::{io::FsResourceIo, manager::ResourceManager, untyped::ResourceKind, Resource},
    core::{
        algebra::{Vector2, Vector3},
        dyntype::DynTypeConstructorContainer,
        futures::executor::block_on,
        pool::Handle,
        task::TaskPool,
        SafeLock, Uuid,
    },
    engine::{Engine, EngineInitParams, GraphicsContextParams, SerializationContext},
    graph::SceneGraph,
    gui::constructor::new_widget_constructor_container,
    scene::{
        base::BaseBuilder,
        collider::{ColliderBuilder, ColliderShape},
        graph::Graph,
        mesh::{surface::SurfaceBuilder, MeshBuilder},
        node::Node,
        rigidbody::RigidBodyBuilder,
        transform::TransformBuilder,
        Scene, SceneLoader,
    },
};

/// Frames after a shot in which its pieces must come.
const MOST_FRAMES: usize = 1200;

/// Frames after the pieces that are timed, too.
const FRAMES_AFTER: usize = 60;

/// Frames before a shot when everything is prepared.
const FRAMES_BEFORE: usize = 30;

/// How long idle workers may compute in advance, before a shot.
const REST: Duration = Duration::from_millis(500);

/// Frames of a ball's way that are left to it when it is to hit at once.
const FRAMES_OF_WAY: usize = 2;

/// A ball: radius (m), mass (kg), start (m) and velocity (m/s).
type Ball = (f32, f32, [f32; 3], [f32; 3]);

/// A ball of the demo.
const fn ball(from: [f32; 3], velocity: [f32; 3]) -> Ball {
    (0.12, 20.0, from, velocity)
}

/// The scenes of the demo, and what is thrown into each.
const SCENES: [(&str, Ball); 11] = [
    ("wall", ball([0.3, 1.5, 5.0], [0.0, 0.5, -40.0])),
    ("concrete", ball([2.0, 1.8, 6.0], [-9.3, 0.3, -38.0])),
    ("beam", (0.22, 120.0, [0.1, 2.6, 0.0], [0.0, -9.0, 0.0])),
    ("ice", ball([0.8, 1.2, 5.0], [-6.0, 0.8, -39.0])),
    ("glass", ball([0.6, 1.5, 4.0], [-3.2, 0.2, -38.0])),
    ("torus_20k", ball([0.42, 3.0, 0.0], [0.0, -30.0, 0.0])),
    ("brick", ball([-2.0, 1.8, 5.0], [7.0, 1.5, -38.0])),
    ("column", ball([0.0, 1.6, 5.0], [0.0, 0.5, -40.0])),
    ("statue", ball([0.3, 1.6, 5.0], [0.0, 0.5, -40.0])),
    ("marble", ball([0.5, 2.0, 5.0], [-1.1, 1.0, -39.0])),
    ("vase", ball([0.9, 1.2, 3.0], [-12.0, -4.0, -38.0])),
];

/// The command line.
struct Options {
    /// Frames in a second, for a table each; `None` for no pace.
    rates: Vec<Option<f64>>,
    /// That of the table.
    hertz: Option<f64>,
    threads: usize,
    runs: usize,
    cold: bool,
    cracks: bool,
    /// Blows to a mesh.
    volley: usize,
    /// Cells of meshes that break everywhere.
    cells: Option<u32>,
    /// Balls to be thrown in place of shots.
    balls: usize,
    /// The node that is taken out in place of shots.
    removed: Option<String>,
    /// Names of scenes, or OBJ files.
    inputs: Vec<String>,
}

impl Options {
    fn read() -> Result<Self, String> {
        let mut options = Self {
            rates: vec![Some(60.0)],
            hertz: None,
            threads: Settings::default().threads,
            runs: 5,
            cold: false,
            cracks: true,
            volley: 1,
            cells: None,
            balls: 0,
            removed: None,
            inputs: Vec::new(),
        };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            let number = |text: Option<&str>| {
                let value = text.and_then(|text| text.parse::<u32>().ok());
                let value = value.filter(|value| *value > 0);
                value.ok_or_else(|| format!("{word} needs a number above 0"))
            };
            let mut next_number = || number(words.next().as_deref());
            match word.as_str() {
                "--hz" => {
                    let rates = words.next().unwrap_or_default();
                    let rate = |rate| Ok(Some(f64::from(number(Some(rate))?)));
                    options.rates = rates.split(',').map(rate).collect::<Result<_, String>>()?;
                }
                "--threads" => {
                    let threads = words.next().unwrap_or_default();
                    let threads = threads.parse().map_err(|_| "--threads needs a number");
                    options.threads = threads?;
                }
                "--runs" => options.runs = next_number()? as usize,
                "--volley" => options.volley = next_number()? as usize,
                "--cells" => options.cells = Some(next_number()?),
                "--balls" => options.balls = next_number()? as usize,
                "--removed" => options.removed = words.next(),
                "--unpaced" => options.rates = vec![None],
                "--cold" => options.cold = true,
                "--no-cracks" => options.cracks = false,
                // Cargo's own.
                "--bench" => {}
                input => options.inputs.push(input.to_owned()),
            }
        }
        if options.inputs.is_empty() && options.balls > 0 {
            options.inputs = vec![barrage::WALL.to_owned()];
        } else if options.inputs.is_empty() {
            options.inputs = SCENES.map(|(name, _)| name.to_owned()).to_vec();
        }
        Ok(options)
    }
}

/// A scene that is struck.
struct Range {
    scene: Scene,
    destruction: Destruction,
    /// Time of a frame.
    period: Option<Duration>,
    step: f32,
    next: Instant,
    /// Times of the module in each frame.
    updates: Vec<Update>,
}

/// Time that the module took of a frame, ms.
#[derive(Clone, Copy)]
struct Update {
    /// By the clock.
    time: f64,
    /// Of the processor, on the main thread.
    work: f64,
}

/// The outcome of a shot.
struct Shot {
    diagnostics: BreakDiagnostics,
    pieces: usize,
    /// From the shot until it hits.
    frames_before: usize,
    updates: Vec<Update>,
}

impl Range {
    fn new(mut scene: Scene, resources: Option<&ResourceManager>, options: &Options) -> Self {
        for node in scene.graph.linear_iter_mut() {
            if let Some(script) = node.try_get_script_mut::<Destructible>() {
                script.breaking.cracks_stay = options.cracks.into();
            }
        }
        let mut destruction = Destruction::new(Settings {
            threads: options.threads,
            wait_for_results: options.hertz.is_none(),
            ..Settings::default()
        });
        if let Some(resources) = resources {
            destruction.set_resources(resources);
        }
        let seconds = options.hertz.map_or(1.0 / 60.0, f64::recip);
        Self {
            scene,
            destruction,
            period: options.hertz.map(|_| Duration::from_secs_f64(seconds)),
            step: seconds as f32,
            next: Instant::now(),
            updates: Vec::new(),
        }
    }

    /// Runs a frame; the rest of its time, in which a game draws, is slept.
    fn frame(&mut self) -> Option<(BreakDiagnostics, usize)> {
        let size = Vector2::new(1.0, 1.0);
        self.scene.update(size, self.step, Default::default());
        let (start, working) = (Instant::now(), ThreadTime::now());
        self.destruction.update(&mut self.scene, self.step);
        let (mut time, mut work) = (start.elapsed(), working.elapsed());
        let broken = self
            .destruction
            .events()
            .iter()
            .find_map(|event| match event {
                Event::Broken {
                    diagnostics,
                    pieces,
                    ..
                } => Some((*diagnostics, pieces.len())),
                _ => None,
            });
        let (start, working) = (Instant::now(), ThreadTime::now());
        self.destruction.begin_next_step(&self.scene, self.step);
        time += start.elapsed();
        work += working.elapsed();
        self.updates.push(Update {
            time: time.as_secs_f64() * 1e3,
            work: work.as_secs_f64() * 1e3,
        });
        if let Some(period) = self.period {
            self.next += period;
            std::thread::sleep(self.next.saturating_duration_since(Instant::now()));
            // A frame that came late is not made up for.
            self.next = self.next.max(Instant::now() - period);
        }
        broken
    }

    fn prepare(&mut self, cold: bool) {
        self.next = Instant::now();
        self.frame();
        if cold {
            return;
        }
        while !self.destruction.is_idle() {
            self.frame();
        }
        std::thread::sleep(REST);
        self.next = Instant::now();
        for _ in 0..FRAMES_BEFORE {
            self.frame();
        }
    }

    /// Runs frames until something breaks.
    fn shot(&mut self) -> Option<Shot> {
        self.updates.clear();
        let (diagnostics, pieces) = (0..MOST_FRAMES).find_map(|_| self.frame())?;
        let waited = diagnostics.frames_waited as usize;
        Some(Shot {
            diagnostics,
            pieces,
            frames_before: self.updates.len().saturating_sub(waited),
            updates: std::mem::take(&mut self.updates),
        })
    }

    /// The same, with the updates of some frames after it.
    fn last_shot(mut self) -> Option<Shot> {
        let mut shot = self.shot()?;
        for _ in 0..FRAMES_AFTER {
            self.frame();
        }
        shot.updates.extend(self.updates);
        Some(shot)
    }

    /// Strikes a mesh as often as there are impacts; all breaks but the first of several.
    fn volley(mut self, mut impacts: Vec<Impact>) -> Result<Vec<Shot>, String> {
        let nothing = || "nothing has broken".to_owned();
        let mut shots = Vec::new();
        let last = impacts.pop().ok_or_else(nothing)?;
        for impact in impacts {
            self.strike(impact)?;
            shots.push(self.shot().ok_or_else(nothing)?);
        }
        self.strike(last)?;
        shots.push(self.last_shot().ok_or_else(nothing)?);
        Ok(shots.split_off(usize::from(shots.len() > 1)))
    }

    fn strike(&mut self, impact: Impact) -> Result<(), String> {
        let struck = self.destruction.impact_by_name(&self.scene, "Mesh", impact);
        struck.map_err(|error| error.to_string())
    }

    fn throw(&mut self, (radius, mass, from, velocity): Ball) -> Handle<Node> {
        let graph = &mut self.scene.graph;
        let volume = 4.0 / 3.0 * std::f32::consts::PI * radius.powi(3);
        let collider = ColliderBuilder::new(BaseBuilder::new())
            .with_shape(ColliderShape::ball(radius))
            .with_density(Some(mass / volume))
            .build(graph);
        let place = TransformBuilder::new().with_local_position(Vector3::from(from));
        let base = BaseBuilder::new().with_local_transform(place.build());
        RigidBodyBuilder::new(base.with_child(collider))
            .with_lin_vel(Vector3::from(velocity))
            .with_ccd_enabled(true)
            .build(graph)
            .to_base()
    }
}

/// An engine without a window, which reads the scenes of the demo.
struct Reader {
    engine: Engine,
}

impl Reader {
    /// Enters the folder above the data, from which the engine names its files.
    fn new() -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        env::set_current_dir(&root).map_err(|error| error.to_string())?;
        let task_pool = Arc::new(TaskPool::new());
        let engine = Engine::new(EngineInitParams {
            graphics_context_params: GraphicsContextParams::default(),
            serialization_context: Arc::new(SerializationContext::new()),
            widget_constructors: Arc::new(new_widget_constructor_container()),
            dyn_type_constructors: Arc::new(DynTypeConstructorContainer::default()),
            resource_manager: ResourceManager::new(Arc::new(FsResourceIo), task_pool.clone()),
            task_pool,
        });
        let engine = engine.map_err(|error| format!("the engine does not start: {error:?}"))?;
        fracture::register(&engine.serialization_context, &engine.resource_manager);
        let registry = engine.resource_manager.state().resource_registry.clone();
        let path = PathBuf::from("data/resources.registry");
        registry.safe_lock().set_path(path);
        engine.resource_manager.update_or_load_registry();
        Ok(Self { engine })
    }

    /// A scene of the demo, or a wall of a card.
    fn scene(&self, name: &str) -> Result<Scene, String> {
        if let Some(card) = name.strip_suffix(".card") {
            let card = format!("data/cards/{card}.card");
            let card = block_on(self.engine.resource_manager.request(&card));
            let card = card.map_err(|error| format!("{name}: {error}"))?;
            return Ok(struck_mesh::wall_of(card));
        }
        let path = PathBuf::from(format!("data/scenes/{name}.rgs"));
        let loaded = block_on(SceneLoader::from_file(
            &path,
            self.engine.resource_manager.resource_io().as_ref(),
            self.engine.serialization_context.clone(),
            self.engine.dyn_type_constructors.clone(),
            self.engine.resource_manager.clone(),
        ));
        let (loader, _) = loaded.map_err(|error| format!("{}: {error}", path.display()))?;
        let scene = block_on(loader.finish());
        let is_loaded = || {
            let state = self.engine.resource_manager.state();
            state.get_wait_context().is_all_loaded()
        };
        while !is_loaded() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(scene)
    }
}

/// Gives a body a mesh and the script, with a pattern that is embedded in the scene.
fn add_destructible(
    graph: &mut Graph,
    body: Handle<Node>,
    mesh: &Mesh,
    pattern: Option<FracturePattern>,
    mut script: Destructible,
) {
    let surfaces = write_surfaces(mesh).into_values();
    let surfaces = surfaces.map(|surface| SurfaceBuilder::new(surface).build());
    let look = MeshBuilder::new(BaseBuilder::new())
        .with_surfaces(surfaces.collect())
        .build(graph);
    graph.link_nodes(look, body);
    let embedded = |pattern| Resource::new_ok(Uuid::new_v4(), ResourceKind::Embedded, pattern);
    if let Some(pattern) = pattern {
        script.pattern = Some(embedded(pattern)).into();
    }
    if let Ok(node) = graph.try_get_node_mut(body) {
        node.add_script(script);
    }
}

/// The names of the files of cards.
fn cards() -> Result<Vec<String>, String> {
    let files = std::fs::read_dir("data/cards").map_err(|error| error.to_string())?;
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".card")).collect();
    names.sort();
    Ok(names)
}

/// The ball of a scene.
fn ball_of(scene: &str) -> Result<Ball, String> {
    if scene.ends_with(".card") {
        return Ok(ball([0.1, 1.0, 5.0], [0.0, 0.5, -40.0]));
    }
    let ball = SCENES.iter().find(|(name, _)| *name == scene);
    let ball = ball.map(|(_, ball)| *ball);
    ball.ok_or_else(|| format!("{scene}: neither a scene nor an OBJ file"))
}

/// Breaks a scene or a mesh as often as was asked for.
fn shots(input: &str, reader: &Reader, options: &Options) -> Result<Vec<Shot>, String> {
    let cells = input.strip_prefix("cube_");
    let cells = cells.and_then(|cells| cells.parse::<u32>().ok());
    let mesh = match cells {
        Some(_) => Some(Mesh::cuboid([1.0; 3])),
        None => input
            .ends_with(".obj")
            .then(|| struck_mesh::read_obj(input))
            .transpose()?,
    };
    let mut shots = Vec::new();
    let is_scene = mesh.is_none();
    let mut way = None;
    // Where a ball is to hit at once, the first one shows when it would.
    for _ in 0..options.runs + usize::from(options.cold && is_scene) {
        let shot: Result<Vec<Shot>, String> = if let Some(mesh) = &mesh {
            let (scene, impacts) = struck_mesh::struck(mesh, cells.or(options.cells));
            let mut range = Range::new(scene, None, options);
            range.prepare(options.cold);
            range.volley(impacts.take(options.volley).collect())
        } else {
            let shot = ball_shot(input, way, reader, options)?;
            way.get_or_insert(shot.frames_before);
            Ok(vec![shot])
        };
        shots.extend(shot.map_err(|error| format!("{input}: {error}"))?);
    }
    let measured = usize::from(options.cold && is_scene).min(shots.len());
    Ok(shots.split_off(measured))
}

/// Throws the ball of a scene. It comes in the third frame, where all but that of its way of so many frames is skipped.
fn ball_shot(
    input: &str,
    way: Option<usize>,
    reader: &Reader,
    options: &Options,
) -> Result<Shot, String> {
    let (radius, mass, from, velocity) = ball_of(input)?;
    let scene = reader.scene(input)?;
    let mut range = Range::new(scene, Some(&reader.engine.resource_manager), options);
    range.prepare(options.cold);
    let skipped = way.map_or(0, |way| way.saturating_sub(FRAMES_OF_WAY));
    let time = skipped as f32 * range.step;
    let start = Vector3::from(from) + Vector3::from(velocity) * time;
    range.throw((radius, mass, start.into(), velocity));
    let shot = range.last_shot();
    shot.ok_or_else(|| "nothing has broken".to_owned())
}

/// The value below which a share of some values is.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let index = (share * values.len().saturating_sub(1) as f64).round() as usize;
    values.get(index).copied().unwrap_or_default()
}

fn row(input: &str, shots: &[Shot], options: &Options) -> String {
    let of = |get: fn(&BreakDiagnostics) -> f64, share| {
        let values = shots.iter().map(|shot| get(&shot.diagnostics));
        quantile(values.collect(), share)
    };
    let faster = options.hertz.map_or(1.0, |hertz| (hertz / 60.0).max(1.0));
    let frames = |share| (of(|d| d.frames_waited as f64, share) / faster).ceil();
    let median = |get| of(get, 0.5);
    let of_update = |get: fn(&Update) -> f64, share| {
        let updates = shots.iter().flat_map(|shot| &shot.updates);
        quantile(updates.map(get).collect(), share)
    };
    let name = Path::new(input)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    format!(
        "| {name} | {} | {} | {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {:.1} | {:.1} | {:.1} | {:.1} |",
        frames(0.5),
        frames(0.95),
        frames(1.0),
        median(|d| f64::from(d.worker_ms)),
        median(|d| f64::from(d.times.prepare)),
        median(|d| f64::from(d.times.cut)),
        median(|d| f64::from(d.times.meshes)),
        median(|d| f64::from(d.times.colliders)),
        median(|d| f64::from(d.times.hooks)),
        shots.first().map_or(0, |shot| shot.pieces),
        of_update(|update| update.time, 0.99),
        of_update(|update| update.time, 1.0),
        of_update(|update| update.work, 0.99),
        of_update(|update| update.work, 1.0),
    )
}

/// Prints a table.
fn table(inputs: &[String], reader: &Reader, options: &Options) -> Result<(), String> {
    let pace = options
        .hertz
        .map_or("as fast as it goes".to_owned(), |hertz| {
            format!("{hertz} Hz")
        });
    println!(
        "{pace}, {} worker threads, {} runs",
        options.threads, options.runs
    );
    if options.balls > 0 {
        return barrage::table(inputs, reader, options);
    }
    if let Some(node) = &options.removed {
        return removal::table(node, inputs, reader, options);
    }
    println!("| scene | frames | p95 | worst | worker, ms | prepare | cut | meshes | colliders | surfaces | pieces | update p99, ms | longest | of the processor, p99 | longest |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for input in inputs {
        println!("{}", row(input, &shots(input, reader, options)?, options));
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let mut options = Options::read()?;
    let here = env::current_dir().map_err(|error| error.to_string())?;
    let reader = Reader::new()?;
    let path = |input: &String| {
        let is_file = input.ends_with(".obj");
        let file = is_file.then(|| here.join(input).display().to_string());
        file.unwrap_or_else(|| input.clone())
    };
    let mut inputs: Vec<String> = options.inputs.iter().map(path).collect();
    if let Some(index) = inputs.iter().position(|input| input == "cards") {
        inputs.splice(index..=index, cards()?);
    }
    for hertz in std::mem::take(&mut options.rates) {
        options.hertz = hertz;
        table(&inputs, &reader, &options)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
