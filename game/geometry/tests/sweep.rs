//! Seeded cases without end: solid x pattern x placement x impact x radius.
//!
//! `FRACTURE_SWEEP=10000 cargo test --release -p fracture_geometry --test geometry sweep -- --nocapture`
//! runs that many cases; without the variable a share of them runs. A failure names its case; the
//! same case runs alone as `FRACTURE_SWEEP_CASE=NUMBER`. `FRACTURE_SCANS=FOLDER` adds the OBJ meshes
//! of a folder to the solids.

use crate::check::{self, in_box, random, Errors};
use crate::files;
use crate::solids;
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureError, FractureParams, Mesh, Pattern, Placement,
    Recipe, Solid, Workspace,
};
use glam::{DMat3, DVec3, Vec3};
use rand::Rng;
use rand_pcg::Pcg64Mcg;
use std::path::PathBuf;

/// How many run in the tests, in every profile the same.
const SHARE: u64 = 1000;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn sweep() {
    let made = solids::all().into_iter();
    let made = made.map(|(name, mesh)| (name.to_string(), mesh));
    let prepared = |(name, mesh)| (name, check::solid(mesh));
    let solids: Vec<(String, Solid)> = made.chain(scans()).map(prepared).collect();
    let cases = match number("FRACTURE_SWEEP_CASE") {
        Some(case) => case..case + 1,
        None => 0..number("FRACTURE_SWEEP").unwrap_or(SHARE),
    };
    let mut sum = Sum::default();
    for case in cases {
        match run(case, &solids) {
            Some(case) => sum.add(&case),
            None => sum.beside += 1,
        }
    }
    println!("{sum:?}");
    assert!(1000 * sum.flat <= sum.triangles, "{sum:?}");
}

/// The closed meshes of the folder that the environment names, by file name.
fn scans() -> Vec<(String, Mesh)> {
    let Some(folder) = std::env::var_os("FRACTURE_SCANS") else {
        return Vec::new();
    };
    let entries = std::fs::read_dir(&folder).expect("FRACTURE_SCANS is a folder");
    let paths = entries.map(|entry| entry.expect("a folder that can be read").path());
    let is_obj = |path: &PathBuf| path.extension().is_some_and(|e| e == "obj");
    let mut paths: Vec<PathBuf> = paths.filter(is_obj).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let mesh = files::read_obj(path).unwrap_or_else(|error| panic!("{error}"));
        (path.display().to_string(), fitted(&mesh))
    };
    paths.iter().map(read).collect()
}

/// Moved and scaled into the unit cube, for which impacts and radii are drawn.
fn fitted(mesh: &Mesh) -> Mesh {
    let points = || mesh.positions.iter().map(|p| Vec3::from(*p));
    let low = points().fold(Vec3::INFINITY, Vec3::min);
    let high = points().fold(Vec3::NEG_INFINITY, Vec3::max);
    let scale = 1.0 / (high - low).max_element();
    solids::mapped(mesh, |p| (p - (low + high) * 0.5) * scale)
}

/// Totals of all cases.
#[derive(Debug, Default)]
struct Sum {
    /// Impacts beside the solid, which are refused.
    beside: usize,
    breaks: usize,
    pieces: usize,
    triangles: usize,
    /// Triangles of no area: at most one in a thousand.
    flat: usize,
    collapsed: usize,
    slivers: usize,
    dust: usize,
    rough_caps: usize,
    worst: Errors,
}

impl Sum {
    fn add(&mut self, case: &Case) {
        self.worst = self.worst.worst(case.errors);
        let report = &case.result.report;
        self.breaks += 1;
        self.pieces += case.result.pieces.len();
        self.triangles += case.triangles;
        self.flat += report.flat as usize;
        self.collapsed += report.collapsed as usize;
        self.slivers += report.slivers as usize;
        self.dust += report.dust as usize;
        self.rough_caps += report.rough_caps as usize;
    }
}

/// A break that was checked.
struct Case {
    result: Fracture,
    /// Of all pieces, those in patches too.
    triangles: usize,
    errors: Errors,
}

fn run(case: u64, solids: &[(String, Solid)]) -> Option<Case> {
    let mut random = random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let (name, solid) = &solids[random.random_range(0..solids.len())];
    let pattern = pattern(&mut random);
    let point = impact(solid, &mut random);
    let cut = FractureParams {
        placement: placement(point, &mut random),
        selection: if random.random_bool(0.3) {
            CellSelection::All
        } else {
            let radius = 0.01 * libm::pow(100.0, random.random::<f64>());
            CellSelection::Within { point, radius }
        },
    };
    let name = format!("case {case}, {name}");
    match fracture(solid, &pattern, &cut, &mut Workspace::default()) {
        Ok(result) => {
            let tolerance = 1e-5 + 0.1 * check::coarseness(solid);
            let errors = check::check(tolerance, &name, solid, &result);
            let pieces = result.pieces.iter();
            let triangles = pieces.map(|p| p.expanded(solid).triangles.len()).sum();
            Some(Case {
                result,
                triangles,
                errors,
            })
        }
        // Some impacts lie beside the solid.
        Err(FractureError::OutOfReach { .. }) => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

fn pattern(random: &mut Pcg64Mcg) -> Pattern {
    let cells = random.random_range(2..120);
    let seed = random.random();
    let from = |recipe: Recipe| recipe.sites(seed).expect("sites");
    let sites = match random.random_range(0..6) {
        0 | 1 => from(Recipe::Uniform { cells }),
        2 => from(Recipe::Clustered {
            cells,
            falloff: 1.0,
        }),
        3 => lattice(random.random_range(2..6)),
        // Symmetric pairs: many bisectors through one point.
        4 => {
            let mut sites = from(Recipe::Uniform { cells });
            sites.extend(sites.clone().iter().map(|s| -*s));
            sites
        }
        // Coarse coordinates: many sites at equal distances.
        _ => from(Recipe::Uniform { cells: cells + 20 })
            .iter()
            .map(|s| (*s * 4.0).round() * 0.25)
            .collect(),
    };
    Pattern::from_sites(&sites).expect("a pattern")
}

fn lattice(n: i32) -> Vec<DVec3> {
    let at = |k: i32| 2.0 * (f64::from(k) + 0.5) / f64::from(n) - 1.0;
    let cube = (0..n * n * n).map(|k| DVec3::new(at(k % n), at(k / n % n), at(k / n / n)));
    cube.collect()
}

/// A vertex, the middle of an edge, a point of a face, or anywhere.
fn impact(solid: &Solid, random: &mut Pcg64Mcg) -> DVec3 {
    let mesh = solid.mesh();
    let triangle = mesh.triangles[random.random_range(0..mesh.triangles.len())];
    let [a, b, c] = triangle.map(|v| Vec3::from(mesh.positions[v as usize]).as_dvec3());
    match random.random_range(0..4) {
        0 => a,
        1 => (a + b) * 0.5,
        2 => (a + b + c) / 3.0,
        _ => in_box(random) * 0.5,
    }
}

fn placement(point: DVec3, random: &mut Pcg64Mcg) -> Placement {
    let scale = 0.1 * libm::pow(30.0, random.random::<f64>());
    let normal = match random.random_range(0..3) {
        0 => DVec3::Y,
        1 => DVec3::new(1.0, 1.0, 0.0),
        _ => in_box(random),
    };
    let mut placement = Placement::at_impact(point, normal, random.random_range(0.0..6.3), scale);
    match random.random_range(0..4) {
        // Centred and axis-aligned: planes fall on vertices, edges and faces.
        0 => {
            placement = Placement {
                linear: DMat3::from_diagonal(DVec3::splat(0.5)),
                translation: DVec3::ZERO,
            }
        }
        // Splinters.
        1 => placement.linear *= DMat3::from_diagonal(DVec3::new(1.0, 8.0, 1.0)),
        _ => {}
    }
    placement
}
