//! Certification of an asset: checks the contract in many breaks with different seeds and impacts.

use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureError, FractureParams, Pattern, Placement, Recipe,
    Solid, Workspace,
};
use glam::{DMat3, DVec3, Vec3};
use indicatif::{ProgressBar, ProgressStyle};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::fmt;
use std::time::Instant;

/// Volumes may be off by this share of the solid's.
const VOLUME_ERROR: f64 = 1e-5;

/// Totals of many breaks.
#[derive(Default, Serialize)]
pub struct Certificate {
    holds: bool,
    /// Broken as a sheet, which has no closed pieces.
    shell: bool,
    breaks: u32,
    /// Impacts whose cells held none of the mesh.
    beside: u32,
    pieces: usize,
    closed_pieces: usize,
    worst_volume_error: f64,
    slivers: u32,
    dust: u32,
    triangles: usize,
    flat_triangles: u32,
    rough_caps: u32,
    most_pieces: usize,
    median_ms: f64,
    largest_ms: f64,
    /// The seeds of breaks that did not hold, and why; the first of them.
    failures: Vec<(u64, String)>,
}

/// Breaks a solid with seeds from `seed` on: three of four around an impact on its surface, with
/// radii from a fiftieth to half of its size, one all over.
pub fn certify(solid: &Solid, cells: u32, seed: u64, breaks: u32) -> Result<Certificate, String> {
    let bar = ProgressBar::new(u64::from(breaks));
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} breaks, {eta} left");
    bar.set_style(style.map_err(|e| e.to_string())?);
    let mut certificate = Certificate {
        shell: solid.is_shell(),
        breaks,
        ..Certificate::default()
    };
    let mut times = Vec::new();
    let mut workspace = Workspace::default();
    for seed in seed..seed + u64::from(breaks) {
        let (pattern, cut) = case(solid, cells, seed)?;
        let start = Instant::now();
        let result = fracture(solid, &pattern, &cut, &mut workspace);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        match result {
            Ok(broken) => certificate.add(solid, seed, &broken),
            Err(FractureError::OutOfReach { .. }) => certificate.beside += 1,
            Err(error) => certificate.fail(seed, error.to_string()),
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort_by(f64::total_cmp);
    certificate.median_ms = times.get(times.len() / 2).copied().unwrap_or(0.0);
    certificate.largest_ms = times.last().copied().unwrap_or(0.0);
    certificate.holds = certificate.failures.is_empty() && !certificate.shell;
    Ok(certificate)
}

fn case(
    solid: &Solid,
    cells: u32,
    seed: u64,
) -> Result<(Pattern, FractureParams<'static>), String> {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let [low, high] = solid.bounds().corners();
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    if random.random_bool(0.25) {
        let pattern = Pattern::from_recipe(&Recipe::Uniform { cells }, seed);
        let linear = DMat3::from_diagonal(half.max(DVec3::splat(1e-9 * half.max_element())));
        let cut = FractureParams {
            placement: Placement {
                linear,
                translation: middle,
            },
            selection: CellSelection::All,
        };
        return Ok((pattern.map_err(|e| e.to_string())?, cut));
    }
    let recipe = Recipe::Clustered {
        cells,
        falloff: random.random_range(0.4..1.5),
    };
    let pattern = Pattern::from_recipe(&recipe, seed).map_err(|e| e.to_string())?;
    let (point, normal) = on_surface(solid, &mut random);
    let size = half.length();
    let radius = size * 0.04 * libm::pow(25.0, random.random::<f64>());
    let cut = FractureParams {
        placement: Placement::at_impact(point, normal, random.random_range(0.0..6.3), 2.0 * radius),
        selection: CellSelection::Within { point, radius },
    };
    Ok((pattern, cut))
}

/// A point of some triangle and its normal.
fn on_surface(solid: &Solid, random: &mut Pcg64Mcg) -> (DVec3, DVec3) {
    let mesh = solid.mesh();
    let triangle = mesh.triangles[random.random_range(0..mesh.triangles.len())];
    let [a, b, c] = triangle.map(|v| Vec3::from(mesh.positions[v as usize]).as_dvec3());
    let (mut u, mut v) = (random.random::<f64>(), random.random::<f64>());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    (a + (b - a) * u + (c - a) * v, (b - a).cross(c - a))
}

impl Certificate {
    /// Whether all pieces of all breaks were closed and their volumes added up.
    pub fn holds(&self) -> bool {
        self.holds
    }

    fn fail(&mut self, seed: u64, why: String) {
        if self.failures.len() < 100 {
            self.failures.push((seed, why));
        }
    }

    fn add(&mut self, solid: &Solid, seed: u64, broken: &Fracture) {
        let style = CapStyle::own_surface(solid.mesh());
        let meshes = broken.pieces.iter().map(|p| p.to_mesh(solid, &style));
        let mut closed = 0;
        for mesh in meshes {
            self.triangles += mesh.triangles.len();
            closed += usize::from(check_closed(&mesh).is_closed());
        }
        let sum: f64 = broken.pieces.iter().map(|p| p.mass.volume).sum();
        let whole = solid.mass().volume;
        let error = (sum + broken.report.dust_volume - whole).abs() / whole;
        self.pieces += broken.pieces.len();
        self.closed_pieces += closed;
        self.most_pieces = self.most_pieces.max(broken.pieces.len());
        self.worst_volume_error = self.worst_volume_error.max(error);
        self.slivers += broken.report.slivers;
        self.dust += broken.report.dust;
        self.flat_triangles += broken.report.flat;
        self.rough_caps += broken.report.rough_caps;
        let open = broken.pieces.len() - closed;
        if open > 0 && !self.shell {
            self.fail(seed, format!("{open} pieces are open"));
        }
        if error.is_nan() || error > VOLUME_ERROR {
            self.fail(seed, format!("the volume is off by {error:.1e}"));
        }
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let share = 100.0 * self.closed_pieces as f64 / self.pieces.max(1) as f64;
        writeln!(
            f,
            "{} breaks, {} beside the mesh: {} pieces (at most {}), {share:.4} % closed, worst volume \
             error {:.1e}",
            self.breaks, self.beside, self.pieces, self.most_pieces, self.worst_volume_error
        )?;
        writeln!(
            f,
            "{} slivers joined, {} dust, {} of {} triangles flat, {} rough caps",
            self.slivers, self.dust, self.flat_triangles, self.triangles, self.rough_caps
        )?;
        writeln!(
            f,
            "median {:.3} ms, largest {:.3} ms",
            self.median_ms, self.largest_ms
        )?;
        for (seed, why) in &self.failures {
            writeln!(f, "seed {seed}: {why}")?;
        }
        f.write_str(match (self.holds, self.shell) {
            (true, _) => "the asset holds the contract",
            (false, true) => "the asset is a shell, and its pieces are open",
            (false, false) => "the asset does NOT hold the contract",
        })
    }
}
