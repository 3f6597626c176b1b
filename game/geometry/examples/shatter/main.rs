//! Breaks an OBJ mesh from the command line: pieces as OBJ, figures as JSON.
//!
//! `cargo run --release -p fracture_geometry --example shatter -- --mesh FILE.obj --cells 100`
//!
//! `--health` looks a mesh over, `--repair` mends one that is no solid, and `--certify` tells
//! whether an asset holds the contract, however it is hit; its exit code is 1 when it does not.

mod certify;
mod files;
mod report;

use clap::Parser;
use fracture_geometry::check::MeshReport;
use fracture_geometry::repair::RepairOptions;
use fracture_geometry::{
    fracture_on, CellSelection, Fracture, FractureError, FractureParams, Mesh, Pattern, Placement,
    Recipe, Solid, SolidError, TaskRunner, Workspace,
};
use glam::{DMat3, DVec3};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Breaks a closed mesh into Voronoi pieces.
#[derive(Parser)]
struct Options {
    /// The mesh, an OBJ file; faces of more than three corners are split.
    #[arg(long)]
    mesh: PathBuf,
    /// Draw this many sites in the mesh's box; 64 when certifying.
    #[arg(long, conflicts_with = "sites", required_unless_present_any = ["sites", "health", "certify"])]
    cells: Option<u32>,
    /// Seed of `--cells`.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Read sites from lines "x y z", in the mesh's own space.
    #[arg(long)]
    sites: Option<PathBuf>,
    /// Break only around this point, "X,Y,Z"; every cell without it. Negative: --impact=-1,0,0
    #[arg(long, value_parser = point, allow_hyphen_values = true, requires = "radius")]
    impact: Option<DVec3>,
    /// Radius around the impact.
    #[arg(long, allow_hyphen_values = true, requires = "impact")]
    radius: Option<f64>,
    /// Write the pieces, one object each.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Write the figures as JSON.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Close small holes and turn what is inside out; what stays open is broken as a shell.
    #[arg(long)]
    repair: bool,
    /// Holes that `--repair` closes may be this large, as a share of the mesh's diagonal.
    #[arg(long, default_value_t = 0.1, requires = "repair")]
    hole: f64,
    /// Say what is wrong with the mesh, and break nothing.
    #[arg(long, conflicts_with_all = ["out", "report", "certify"])]
    health: bool,
    /// Break the mesh many times, with other seeds and impacts, and sum up.
    #[arg(long, conflicts_with_all = ["out", "sites", "impact"])]
    certify: bool,
    /// How many times `--certify` breaks it.
    #[arg(long, default_value_t = 200, requires = "certify", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    breaks: u32,
    /// Threads for the work on cells.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Repeat each timed step this often and give medians.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeat: u32,
}

fn point(text: &str) -> Result<DVec3, String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|x| x.trim().parse()).collect();
    match numbers.as_deref() {
        Ok(&[x, y, z]) => Ok(DVec3::new(x, y, z)),
        _ => Err("a point is three numbers, X,Y,Z".into()),
    }
}

/// Threads that wait for work between calls.
struct Threads(rayon::ThreadPool);

impl Threads {
    fn new(count: u32) -> Result<Self, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count as usize);
        pool.build().map(Self).map_err(|e| e.to_string())
    }
}

impl TaskRunner for Threads {
    fn run(&self, tasks: &mut [Box<dyn FnMut() + Send + '_>]) {
        self.0.in_place_scope(|scope| {
            let Some((own, others)) = tasks.split_first_mut() else {
                return;
            };
            for task in others {
                scope.spawn(move |_| task());
            }
            own();
        });
    }
}

/// The median time of some runs in milliseconds, and what the last gave.
fn timed<T>(repeat: u32, mut run: impl FnMut() -> T) -> (f64, T) {
    let mut times = Vec::new();
    let mut once = || {
        let start = Instant::now();
        let result = run();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        result
    };
    let mut result = once();
    for _ in 1..repeat {
        result = once();
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], result)
}

fn sites(options: &Options, solid: &Solid) -> Result<Vec<DVec3>, String> {
    if let Some(file) = &options.sites {
        return files::read_sites(file);
    }
    let [low, high] = solid.bounds().corners();
    let placement = Placement {
        linear: DMat3::from_diagonal((high - low) * 0.5),
        translation: (low + high) * 0.5,
    };
    let recipe = Recipe::Uniform {
        cells: options.cells.unwrap_or(0),
    };
    let drawn = recipe.sites(options.seed).map_err(|e| e.to_string())?;
    Ok(drawn
        .into_iter()
        .map(|site| placement.point(site))
        .collect())
}

/// The prepared mesh and the time that took.
fn prepared(options: &Options, mesh: Mesh) -> Result<(f64, Solid), String> {
    let named = |e: SolidError| format!("{}: {e}", options.mesh.display());
    if options.repair {
        let repair = RepairOptions {
            max_hole: options.hole,
            ..RepairOptions::default()
        };
        let (time, result) = timed(options.repeat, || Solid::repaired(mesh.clone(), &repair));
        let (solid, repairs) = result.map_err(named)?;
        println!("{repairs}");
        return Ok((time, solid));
    }
    let (time, solid) = timed(options.repeat, || Solid::new(mesh.clone()));
    match solid.map_err(named) {
        Ok(solid) => Ok((time, solid)),
        Err(message) => Err(format!("{message}; --repair mends it, --health says more")),
    }
}

fn run(options: &Options) -> Result<ExitCode, String> {
    let mesh = files::read_obj(&options.mesh)?;
    if options.health || options.certify {
        let health = MeshReport::new(&mesh);
        let health = health.map_err(|e| format!("{}: {e}", options.mesh.display()))?;
        println!("{health}");
    }
    if options.health {
        return Ok(ExitCode::SUCCESS);
    }
    let (prepare, solid) = prepared(options, mesh)?;
    if options.certify {
        return certified(options, &solid);
    }
    shattered(options, &solid, prepare)?;
    Ok(ExitCode::SUCCESS)
}

fn certified(options: &Options, solid: &Solid) -> Result<ExitCode, String> {
    let cells = options.cells.unwrap_or(64);
    let certificate = certify::certify(solid, cells, options.seed, options.breaks)?;
    write_report(options, &certificate)?;
    println!("{certificate}");
    Ok(if certificate.holds() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn write_report(options: &Options, report: &impl Serialize) -> Result<(), String> {
    let Some(file) = &options.report else {
        return Ok(());
    };
    let text = serde_json::to_string_pretty(report).map_err(|e| e.to_string())?;
    files::write(file, text.as_bytes())
}

fn shattered(options: &Options, solid: &Solid, prepare: f64) -> Result<(), String> {
    let sites = sites(options, solid)?;
    let (pattern_time, pattern) = timed(options.repeat, || Pattern::from_sites(&sites));
    let pattern = pattern.map_err(|e| e.to_string())?;
    let selection = match (options.impact, options.radius) {
        (Some(point), Some(radius)) => CellSelection::Within { point, radius },
        _ => CellSelection::All,
    };
    let cut = FractureParams {
        placement: Placement::IDENTITY,
        selection,
    };
    let mut workspaces: Vec<Workspace> = Vec::new();
    workspaces.resize_with(options.threads as usize, Workspace::default);
    // This thread works too.
    let threads = Threads::new(options.threads.saturating_sub(1).max(1))?;
    let runner: &dyn TaskRunner = if options.threads > 1 {
        &threads
    } else {
        &fracture_geometry::SerialRunner
    };
    let mut last = None;
    let (fracture_time, ()) = timed(options.repeat, || {
        // As a game does that has taken what it needs from the pieces.
        if let (Some(Ok(done)), [first, ..]) = (last.take(), &mut workspaces[..]) {
            first.recycle(done);
        }
        last = Some(fracture_on(runner, solid, &pattern, &cut, &mut workspaces));
    });
    let broken: Result<Fracture, _> = last.unwrap_or(Err(FractureError::Cancelled));
    let broken = broken.map_err(|e| format!("{}: {e}", options.mesh.display()))?;
    if let Some(file) = &options.out {
        files::write_obj(file, solid, &broken)?;
    }
    let times = report::Times {
        pattern: pattern_time,
        prepare,
        fracture: fracture_time,
    };
    let report = report::Report::new(solid, &pattern, &broken, options.threads, times);
    write_report(options, &report)?;
    println!("{report}");
    Ok(())
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("shatter: {message}");
            ExitCode::FAILURE
        }
    }
}
