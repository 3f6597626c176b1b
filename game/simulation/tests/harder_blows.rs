//! A harder blow never breaks less than a weaker one.

use std::sync::Arc;

use fracture_simulation::geometry::glam::DVec3;
use fracture_simulation::geometry::{Mesh, Pattern, Recipe, Solid, Workspace};
use fracture_simulation::pattern::{
    BodyAxis, LazyPattern, PatternAxes, PatternBreak, PatternFit, PatternOrigin, PatternUnit,
};
use fracture_simulation::Material;

use crate::meshes::{arch, vase};
use crate::setup::{body, broken, impact_at, pattern, waiting};

/// Pieces and area of cracks (m^2) of a break.
type Measure = (usize, f64);

/// All kinds of patterns, with how the plugin lays them onto a body.
fn patterns(seed: u64) -> Vec<(&'static str, Arc<LazyPattern>, PatternFit)> {
    let (cells, falloff, jitter) = (64, 1.0, 0.4);
    let body_axis = PatternAxes::Body(BodyAxis::Y);
    let fitted = |recipe: Recipe, fit: PatternFit| {
        let stretch = recipe.stretch();
        let pattern = LazyPattern::new(move || Pattern::from_recipe(&recipe, seed));
        (pattern, PatternFit { stretch, ..fit })
    };
    let bricks = Recipe::Bricks {
        rows: 16,
        size: [3.3, 1.6],
        offset: 0.5,
        jitter,
    };
    let fibres = Recipe::Fibres {
        cells: 240,
        falloff,
        aspect: 7.0,
    };
    let list = [
        (
            "clustered",
            fitted(Recipe::Clustered { cells, falloff }, PatternFit::IMPACT),
        ),
        (
            "few",
            fitted(Recipe::Clustered { cells: 8, falloff }, PatternFit::IMPACT),
        ),
        (
            "close",
            fitted(
                Recipe::Clustered {
                    cells,
                    falloff: 4.0,
                },
                PatternFit::IMPACT,
            ),
        ),
        (
            "even",
            fitted(
                Recipe::Clustered {
                    cells: 200,
                    falloff: 0.333,
                },
                PatternFit::IMPACT,
            ),
        ),
        (
            "radial",
            fitted(
                Recipe::Radial {
                    rings: 7,
                    rays: 13,
                    jitter,
                },
                PatternFit::IMPACT,
            ),
        ),
        (
            "blade",
            fitted(Recipe::Blade { tilt: 0.3 }, PatternFit::IMPACT),
        ),
        (
            "splinters",
            fitted(
                Recipe::Splinters {
                    cells,
                    falloff,
                    aspect: 8.0,
                },
                PatternFit {
                    axes: PatternAxes::Grain(BodyAxis::X),
                    ..PatternFit::IMPACT
                },
            ),
        ),
        (
            "crater",
            fitted(
                Recipe::Crater { cells, jitter },
                PatternFit {
                    unit: PatternUnit::Crater,
                    ..PatternFit::IMPACT
                },
            ),
        ),
        (
            "fibres",
            fitted(
                fibres,
                PatternFit {
                    axes: PatternAxes::Grain(BodyAxis::Longest),
                    unit: PatternUnit::Section(fibres.layer().unwrap()),
                    ..PatternFit::IMPACT
                },
            ),
        ),
        (
            "uniform",
            fitted(Recipe::Uniform { cells }, PatternFit::BODY),
        ),
        (
            "planes",
            fitted(
                Recipe::Planes { depth: 6, jitter },
                PatternFit {
                    axes: body_axis,
                    ..PatternFit::BODY
                },
            ),
        ),
        (
            "slabs",
            fitted(
                Recipe::Slabs {
                    slabs: 12,
                    jitter,
                    tilt: 0.1,
                },
                PatternFit {
                    axes: body_axis,
                    unit: PatternUnit::Sides,
                    ..PatternFit::BODY
                },
            ),
        ),
        (
            "bricks",
            fitted(
                bricks,
                PatternFit {
                    origin: PatternOrigin::Lattice(bricks.period().unwrap()),
                    axes: body_axis,
                    unit: PatternUnit::Metres(0.075),
                    stretch: DVec3::ONE,
                },
            ),
        ),
    ];
    list.into_iter()
        .map(|(name, (pattern, fit))| (name, pattern, fit))
        .collect()
}

/// Bodies with points on them and the normals there.
fn bodies() -> Vec<(&'static str, Mesh, Vec<[DVec3; 2]>)> {
    let on = |points: &[[f64; 6]]| {
        let pair = |p: &[f64; 6]| [DVec3::new(p[0], p[1], p[2]), DVec3::new(p[3], p[4], p[5])];
        points.iter().map(pair).collect::<Vec<_>>()
    };
    let mut bent = Mesh::sphere(0.4, 40, 20);
    for p in &mut bent.positions {
        // A head with a dent, a neck and no symmetry.
        let bulge = 1.0 + 0.35 * (7.0 * p[0]).sin() * (5.0 * p[1] + 1.0).cos();
        *p = [
            p[0] * bulge + 0.2 * p[1] * p[1],
            1.3 * p[1],
            0.7 * p[2] * bulge,
        ];
    }
    vec![
        (
            "cube",
            Mesh::cuboid([1.0; 3]),
            on(&[
                [0.0, 0.5, 0.0, 0.0, 1.0, 0.0],
                [0.5, 0.4, -0.3, 1.0, 0.0, 0.0],
            ]),
        ),
        (
            "wall",
            Mesh::cuboid([4.0, 2.8, 0.2]),
            on(&[
                [0.0, 0.3, 0.1, 0.0, 0.0, 1.0],
                [1.8, 1.2, 0.1, 0.0, 0.0, 1.0],
            ]),
        ),
        (
            "ball",
            Mesh::sphere(0.25, 32, 16),
            on(&[[0.0, 0.25, 0.0, 0.0, 1.0, 0.0]]),
        ),
        (
            "ring",
            Mesh::torus(0.6, 0.15, 48, 24),
            on(&[
                [0.75, 0.0, 0.0, 1.0, 0.0, 0.0],
                [0.0, 0.15, 0.6, 0.0, 1.0, 0.0],
            ]),
        ),
        ("bent", bent, on(&[[0.1, 0.5, 0.0, 0.0, 1.0, 0.0]])),
        ("vase", vase(), on(&[[0.26, 1.0, 0.0, 1.0, 0.0, 0.0]])),
        ("arch", arch(), on(&[[0.0, 1.0, 0.0, 0.0, 1.0, 0.0]])),
    ]
}

/// Pieces and cracks of a break by an energy (J).
fn measure(at: &PatternBreak, solid: &Solid, workspace: &mut Workspace) -> Measure {
    let fracture = at.run(solid, workspace).unwrap().fracture;
    let area = fracture.contacts.iter().map(|c| f64::from(c.area)).sum();
    let pieces = fracture.pieces.len();
    workspace.recycle(fracture);
    (pieces, area)
}

#[test]
fn a_harder_blow_never_breaks_less() {
    let material = Material::default();
    let mut workspace = Workspace::default();
    for seed in [1, 2] {
        for (kind, pattern, fit) in patterns(seed) {
            for (name, mesh, points) in bodies() {
                let solid = Solid::new(mesh).unwrap();
                for [point, normal] in points {
                    let mut last: Measure = (0, 0.0);
                    for step in 0..14 {
                        let energy = 4.0_f32.powi(step);
                        let at = PatternBreak {
                            pattern: &pattern,
                            fit,
                            point,
                            normal,
                            spin: seed as f64,
                            radius: material.break_radius(energy),
                            everywhere: false,
                            weakness: None,
                        };
                        let now = measure(&at, &solid, &mut workspace);
                        // Slivers that find another neighbour take some millionths of the area along.
                        let no_less = now.0 >= last.0 && now.1 >= last.1 * (1.0 - 1e-4);
                        assert!(
                            no_less,
                            "{kind} {name} {seed} {energy} J: {last:?}, {now:?}"
                        );
                        last = now;
                    }
                }
            }
        }
    }
}

#[test]
fn energy_beyond_the_whole_body_makes_smaller_pieces() {
    // A skull of 25 cm breaks as a whole from some 300 J on.
    let material = Material {
        max_radius: 20.0,
        ..Material::default()
    };
    let solid = Solid::new(Mesh::sphere(0.12, 32, 16)).unwrap();
    let pattern = pattern(64);
    let mut pieces = Vec::new();
    for energy in [250.0, 4e3, 64e3, 1e6, 1e8] {
        let at = PatternBreak {
            pattern: &pattern,
            fit: PatternFit::IMPACT,
            point: DVec3::Y * 0.12,
            normal: DVec3::Y,
            spin: 0.4,
            radius: material.break_radius(energy),
            everywhere: false,
            weakness: None,
        };
        pieces.push(measure(&at, &solid, &mut Workspace::default()).0);
    }
    assert!(pieces.is_sorted(), "{pieces:?}");
    assert!(pieces[3] >= 3 * pieces[0], "{pieces:?}");
    assert!(pieces[4] <= 1024, "{pieces:?}");
}

/// Pieces of a cube of half a metre that an impact with an energy (J) breaks.
fn pieces_of_a_cube(energy: f32, radius: Option<f32>) -> usize {
    let mut simulation = waiting();
    let mut body = body(Mesh::cuboid([0.5; 3]));
    body.material.min_radius = 0.1;
    let id = simulation.add(body).unwrap();
    let mut impact = impact_at(id, [0.1, 0.25, 0.0]);
    impact.energy = energy;
    impact.radius = radius;
    simulation.impact(impact).unwrap();
    broken(&mut simulation).pieces.len()
}

#[test]
fn bodies_break_into_no_fewer_pieces_by_harder_blows() {
    let energies = [10.0, 250.0, 1e3, 64e3, 1e6, 1e8];
    let pieces = energies.map(|energy| pieces_of_a_cube(energy, None));
    assert!(pieces.is_sorted() && pieces[0] < pieces[5], "{pieces:?}");
}

#[test]
fn a_radius_that_is_given_holds_for_all_energies() {
    for radius in [0.1, 0.25, 3.0] {
        let pieces = [1.0, 1e3, 1e6].map(|energy| pieces_of_a_cube(energy, Some(radius)));
        assert!(
            pieces[0] > 1 && pieces.iter().all(|count| *count == pieces[0]),
            "{pieces:?}"
        );
    }
    assert!(pieces_of_a_cube(1.0, Some(3.0)) >= pieces_of_a_cube(1.0, Some(0.4)));
}
