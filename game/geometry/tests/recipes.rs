//! Kinds of patterns: cells have the shapes that their names promise, for every seed.

use crate::check::{broken, coarseness, random, solid};
use fracture_geometry::{
    refine_near_origin, CellSelection, Fracture, FractureParams, Mesh, Pattern, PatternError,
    Piece, PieceContact, PieceKind, Placement, Recipe, VertexSource,
};
use glam::{DMat3, DVec3, Vec3};
use rand::Rng;

const KINDS: [Recipe; 11] = [
    Recipe::Uniform { cells: 60 },
    Recipe::Clustered {
        cells: 60,
        falloff: 1.0,
    },
    Recipe::Radial {
        rings: 6,
        rays: 11,
        jitter: 0.5,
    },
    Recipe::Shards {
        rings: 5,
        rays: 11,
        jitter: 0.5,
    },
    Recipe::Splinters {
        cells: 50,
        falloff: 0.5,
        aspect: 8.0,
    },
    Recipe::Bricks {
        rows: 8,
        size: [3.3, 1.6],
        offset: 0.5,
        jitter: 0.4,
    },
    Recipe::Slabs {
        slabs: 9,
        jitter: 0.5,
        tilt: 0.1,
    },
    Recipe::Planes {
        depth: 5,
        jitter: 0.2,
    },
    Recipe::Blade { tilt: 0.7 },
    Recipe::Fibres {
        cells: 60,
        falloff: 0.6,
        aspect: 7.0,
    },
    Recipe::Crater {
        cells: 60,
        jitter: 0.5,
    },
];

fn pattern(recipe: Recipe, seed: u64) -> Pattern {
    Pattern::from_recipe(&recipe, seed).expect("a pattern")
}

/// The pattern in object space as it is meant to look, one unit of its rows a metre.
fn stretched(recipe: Recipe) -> FractureParams<'static> {
    FractureParams {
        placement: Placement {
            linear: DMat3::from_diagonal(recipe.stretch()),
            translation: DVec3::ZERO,
        },
        selection: CellSelection::All,
    }
}

fn cuboid(recipe: Recipe, seed: u64, size: [f32; 3]) -> Fracture {
    let solid = solid(Mesh::cuboid(size));
    let name = format!("{recipe:?}, seed {seed}");
    broken(&name, &solid, &pattern(recipe, seed), &stretched(recipe))
}

fn extent(piece: &Piece) -> DVec3 {
    let corners = piece.vertices.iter().map(|c| Vec3::from(c.position));
    let (low, high) = corners.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| {
        (low.min(p), high.max(p))
    });
    (high - low).as_dvec3()
}

fn cell(piece: &Piece) -> u32 {
    match piece.kind {
        PieceKind::Fragment { cell, .. } => cell,
        PieceKind::Island { .. } => panic!("every cell is affected"),
    }
}

fn cap_normals(piece: &Piece) -> impl Iterator<Item = DVec3> + '_ {
    piece
        .vertices
        .iter()
        .filter_map(|corner| match corner.source {
            VertexSource::Cap { normal } => Some(Vec3::from(normal).as_dvec3()),
            _ => None,
        })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn every_kind_breaks_every_placement_into_closed_pieces() {
    let torus = solid(Mesh::torus(0.7, 0.3, 24, 12));
    let cube = solid(Mesh::cuboid([1.5; 3]));
    for recipe in KINDS {
        for seed in 0..12 {
            let mut random = random(seed);
            let turn = crate::check::in_box(&mut random);
            let point = crate::check::in_box(&mut random) * 0.4;
            let at = Placement::at_impact(point, turn, turn.x, random.random_range(0.3..2.0));
            let placement = Placement {
                linear: at.linear * DMat3::from_diagonal(recipe.stretch()),
                translation: at.translation,
            };
            let radius = random.random_range(0.2..1.5);
            let selections = [CellSelection::All, CellSelection::Within { point, radius }];
            let pattern = pattern(recipe, seed);
            for (solid, selection) in [(&torus, selections[0]), (&cube, selections[1])] {
                let name = format!("{recipe:?}, seed {seed}");
                let cut = FractureParams {
                    placement,
                    selection,
                };
                let tolerance = 1e-5 + coarseness(solid);
                crate::check::broken_within(tolerance, &name, solid, &pattern, &cut);
            }
        }
    }
}

#[test]
fn bricks_without_jitter_are_bricks() {
    let recipe = Recipe::Bricks {
        rows: 16,
        size: [3.0, 1.5],
        offset: 0.5,
        jitter: 0.0,
    };
    // Joints lie on whole numbers, so this cuts no brick of an even course.
    let result = cuboid(recipe, 1, [12.0, 6.0, 3.0]);
    let whole: Vec<&Piece> = result
        .pieces
        .iter()
        .filter(|piece| (piece.mass.volume - 4.5).abs() < 0.02)
        .collect();
    assert_eq!(
        whole.len(),
        (3 * 4 + 3 * 3) * 2,
        "of {}",
        result.pieces.len()
    );
    for piece in whole {
        let size = extent(piece);
        assert!(
            (size - DVec3::new(3.0, 1.0, 1.5)).abs().max_element() < 0.07,
            "{size}"
        );
    }
}

#[test]
fn brick_courses_meet_the_next_period_where_they_met_before() {
    let recipe = Recipe::Bricks {
        rows: 8,
        size: [3.0, 1.5],
        offset: 0.5,
        jitter: 0.0,
    };
    let sites = recipe.sites(0).expect("sites");
    let period = recipe.period().expect("a lattice");
    let has = |at: DVec3| sites.iter().any(|site| site.distance(at) < 1e-9);
    let inner = sites.iter().filter(|site| site.abs().max_element() < 0.3);
    for step in [DVec3::X, DVec3::Y, DVec3::Z] {
        assert!(inner.clone().all(|site| has(*site + step * period)));
    }
}

#[test]
fn jitter_makes_bricks_uneven_but_leaves_them_bricks() {
    for seed in 0..8 {
        let recipe = Recipe::Bricks {
            rows: 16,
            size: [3.0, 1.5],
            offset: 0.5,
            jitter: 0.6,
        };
        let result = cuboid(recipe, seed, [12.0, 6.0, 3.0]);
        // The box's ends cut bricks in two.
        let inner = |p: &&Piece| p.mass.center.x.abs() < 4.0 && p.mass.center.y.abs() < 2.0;
        let sizes: Vec<DVec3> = result.pieces.iter().filter(inner).map(extent).collect();
        let part = |axis: usize| median(sizes.iter().map(|size| size[axis]).collect());
        let (x, y, z) = (part(0), part(1), part(2));
        assert!(
            (2.0..4.0).contains(&x) && (0.7..1.4).contains(&y),
            "{x} {y}"
        );
        assert!((z - 1.5).abs() < 0.1, "{z}");
        let lengths = sizes.iter().map(|size| size.x).filter(|x| *x > 2.0);
        let (low, high) = lengths.fold((f64::MAX, 0.0), |(a, b), x| (a.min(x), x.max(b)));
        assert!(high - low > 0.3, "{low} {high}");
    }
}

#[test]
fn splinters_are_long_along_their_axis() {
    for seed in 0..8 {
        let recipe = Recipe::Splinters {
            cells: 400,
            falloff: 1.0 / 3.0,
            aspect: 8.0,
        };
        let result = cuboid(recipe, seed, [1.0, 2.0, 1.0]);
        let inner = result
            .pieces
            .iter()
            .filter(|p| p.mass.center.abs().max_element() < 0.4);
        let ratios = inner.map(|piece| {
            let size = extent(piece);
            size.y / size.x.max(size.z)
        });
        let ratio = median(ratios.collect());
        assert!((4.0..12.0).contains(&ratio), "seed {seed}: {ratio}");
    }
}

#[test]
fn pieces_of_a_web_get_larger_outwards_and_rays_are_straight() {
    let (rings, rays) = (6, 12);
    let recipe = |jitter| Recipe::Radial {
        rings,
        rays,
        jitter,
    };
    for seed in 0..6 {
        let result = cuboid(recipe(0.4), seed, [8.0, 0.02, 8.0]);
        // The outermost ring reaches to the border of the pane.
        let ring_volume = |ring: u32| {
            let own = |p: &&Piece| (1..).contains(&cell(p)) && (cell(p) - 1) / rays == ring;
            median(
                result
                    .pieces
                    .iter()
                    .filter(own)
                    .map(|p| p.mass.volume)
                    .collect(),
            )
        };
        let volumes: Vec<f64> = (0..rings).map(ring_volume).collect();
        assert!(
            volumes.windows(2).all(|pair| pair[1] > 1.2 * pair[0]),
            "{volumes:?}"
        );
    }
    // Every cut between two rays of an even web is a plane through the middle.
    let even = pattern(recipe(0.0), 0);
    for inner in 1..even.cell_count() as u32 {
        for &outer in even.neighbors(inner).iter().filter(|n| **n > 0) {
            if (inner - 1) / rays == (outer - 1) / rays {
                let (a, b) = (even.site(inner).length(), even.site(outer).length());
                assert!((a - b).abs() < 1e-4 * a.max(0.1), "{inner} {outer}");
            }
        }
    }
}

#[test]
fn rays_between_shards_end_at_rings_and_shards_are_long() {
    let (rings, rays) = (5_u32, 12_u32);
    let recipe = |jitter| Recipe::Shards {
        rings,
        rays,
        jitter,
    };
    let even = pattern(recipe(0.0), 0);
    // The rings with half of the rays are the outermost, and every other one from there.
    let in_ring: Vec<u32> = (0..rings).map(|ring| rays >> (1 - ring % 2)).collect();
    assert_eq!(even.cell_count() as u32, 1 + in_ring.iter().sum::<u32>());
    let ring_of = |cell: u32| {
        let radius = even.site(cell).length();
        let larger = (1..even.cell_count() as u32)
            .filter(|other| even.site(*other).length() > 1.01 * radius);
        let larger = larger.count() as u32;
        (0..rings).find(|ring| in_ring[..*ring as usize].iter().sum::<u32>() == larger)
    };
    let angle = |cell: u32| even.site(cell).z.atan2(even.site(cell).x);
    for cell in 1..even.cell_count() as u32 {
        let ring = ring_of(cell).expect("sites of a ring are as far out");
        if ring == 0 || ring + 1 == rings {
            continue;
        }
        let beyond = even.neighbors(cell).iter().filter(|other| **other > 0);
        let beyond = beyond.filter(|other| ring_of(**other) == Some(ring - 1));
        // Beside a piece of a ring with all rays is one of twice its width, which ends one of its rays: both are off its own
        // direction by half of its width.
        let step = std::f64::consts::TAU / f64::from(rays);
        if ring % 2 == 1 {
            let off = beyond.map(|other| {
                let off = (angle(*other) - angle(cell)).rem_euclid(std::f64::consts::TAU);
                off.min(std::f64::consts::TAU - off)
            });
            let nearest = off.fold(f64::INFINITY, f64::min);
            assert!((nearest - 0.5 * step).abs() < 1e-3, "{cell}: {nearest}");
        }
    }
    for seed in 0..6 {
        let result = cuboid(recipe(0.4), seed, [8.0, 0.02, 8.0]);
        let whole: f64 = result.pieces.iter().map(|piece| piece.mass.volume).sum();
        assert!((whole - 8.0 * 0.02 * 8.0).abs() < 1e-5 * whole);
    }
}

#[test]
fn slabs_are_parallel_and_even_without_jitter() {
    let even = Recipe::Slabs {
        slabs: 7,
        jitter: 0.0,
        tilt: 0.0,
    };
    let result = cuboid(even, 3, [1.0, 2.0, 0.5]);
    assert_eq!(result.pieces.len(), 7);
    for piece in &result.pieces {
        assert!((extent(piece).y - 2.0 / 7.0).abs() < 1e-4);
        assert!(cap_normals(piece).all(|normal| normal.y.abs() == 1.0));
    }
    for seed in 0..8 {
        let leaning = Recipe::Slabs {
            slabs: 7,
            jitter: 0.5,
            tilt: 0.2,
        };
        let result = cuboid(leaning, seed, [1.0, 2.0, 0.5]);
        let flattest = result.pieces.iter().flat_map(cap_normals);
        let least = flattest.map(|n| n.y.abs()).fold(1.0, f64::min);
        assert!((0.9..0.99999).contains(&least), "seed {seed}: {least}");
    }
}

/// A cell on one side of the first plane touches but one on the other, its mirror image; what else
/// they share comes from sites being rounded to the grid.
#[test]
fn the_first_of_recursive_planes_is_flat_and_goes_through_everything() {
    for seed in 0..30 {
        for depth in [1, 3, 6] {
            let result = cuboid(Recipe::Planes { depth, jitter: 0.0 }, seed, [2.0; 3]);
            let half = 1u32 << (depth - 1);
            let (mut through, mut strange) = (0.0, 0.0);
            for &PieceContact { pieces, area } in &result.contacts {
                let [a, b] = pieces.map(|piece| cell(&result.pieces[piece as usize]));
                if (a < half) != (b < half) {
                    if a.abs_diff(b) == half {
                        through += area;
                    } else {
                        strange += area;
                    }
                }
            }
            assert!(
                strange < 0.005 * through,
                "seed {seed}: {strange} of {through}"
            );
            // A plane near the middle of a cube of side 2.
            assert!(through > 2.5, "seed {seed}, depth {depth}: {through}");
        }
    }
}

#[test]
fn recursive_planes_leave_no_dust_of_a_cube() {
    for seed in 0..10 {
        let recipe = Recipe::Planes {
            depth: 6,
            jitter: 0.15,
        };
        let result = cuboid(recipe, seed, [2.0; 3]);
        let volumes: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
        let large = volumes.iter().filter(|v| **v > 8.0 / 64.0 / 20.0).count();
        assert!(large >= 24, "seed {seed}: {large} of {}", volumes.len());
    }
}

#[test]
fn a_blade_cuts_once_along_its_plane() {
    for tilt in [0.0, 0.5, 1.5] {
        let result = cuboid(Recipe::Blade { tilt }, 0, [1.0; 3]);
        assert_eq!(result.pieces.len(), 2);
        let along = DVec3::new(libm::sin(tilt), libm::cos(tilt), 0.0);
        for normal in result.pieces.iter().flat_map(cap_normals) {
            assert!(
                (normal.dot(along).abs() - 1.0).abs() < 1e-6,
                "{tilt}: {normal}"
            );
        }
        let halves: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
        assert!((halves[0] - halves[1]).abs() < 1e-5, "{halves:?}");
    }
}

#[test]
fn refining_makes_small_cells_near_the_impact_and_leaves_the_others() {
    let sites = Recipe::Uniform { cells: 100 }.sites(4).expect("sites");
    let fine = refine_near_origin(&sites, 5, 12, 9).expect("sites");
    assert!(
        (100 + 5 * 8..=100 + 5 * 11).contains(&fine.len()),
        "{}",
        fine.len()
    );
    assert_eq!(refine_near_origin(&sites, 5, 12, 9), Ok(fine.clone()));
    assert!(sites.iter().all(|site| fine.contains(site)));
    // New sites lie in the cells of the five sites nearest to the origin.
    let mut order = sites.clone();
    order.sort_by(|a, b| a.length().total_cmp(&b.length()));
    for site in fine.iter().filter(|site| !sites.contains(site)) {
        let distance = |other: &DVec3| site.distance(*other);
        let nearest = sites
            .iter()
            .min_by(|a, b| distance(a).total_cmp(&distance(b)));
        assert!(order[..5].contains(nearest.expect("a site")));
    }
    let error = refine_near_origin(&sites, 100, 10_000, 0);
    assert!(matches!(error, Err(PatternError::TooManySites { .. })));
}

#[test]
fn parameters_out_of_range_are_named() {
    let bad = [
        (
            Recipe::Radial {
                rings: 0,
                rays: 12,
                jitter: 0.0,
            },
            "rings",
        ),
        (
            Recipe::Radial {
                rings: 5,
                rays: 2,
                jitter: 0.0,
            },
            "rays",
        ),
        (
            Recipe::Splinters {
                cells: 10,
                falloff: 1.0,
                aspect: f64::NAN,
            },
            "aspect",
        ),
        (
            Recipe::Bricks {
                rows: 8,
                size: [0.0, 1.0],
                offset: 0.5,
                jitter: 0.0,
            },
            "brick",
        ),
        (
            Recipe::Bricks {
                rows: 8,
                size: [3.0, f64::NAN],
                offset: 0.5,
                jitter: 0.0,
            },
            "brick",
        ),
        (
            Recipe::Slabs {
                slabs: 1,
                jitter: 0.0,
                tilt: 0.0,
            },
            "slabs",
        ),
        (
            Recipe::Slabs {
                slabs: 5,
                jitter: 0.0,
                tilt: 1.6,
            },
            "tilt",
        ),
        (
            Recipe::Planes {
                depth: 11,
                jitter: 0.0,
            },
            "depth",
        ),
        (
            Recipe::Blade {
                tilt: f64::INFINITY,
            },
            "tilt",
        ),
    ];
    for (recipe, name) in bad {
        let message = recipe.sites(0).expect_err("out of range").to_string();
        assert!(message.contains(name), "{recipe:?}: {message}");
        recipe.cells();
    }
    let huge = Recipe::Radial {
        rings: 1000,
        rays: 1000,
        jitter: 0.0,
    };
    assert!(matches!(
        huge.sites(0),
        Err(PatternError::TooManySites { .. })
    ));
}

#[test]
fn points_drawn_inside_a_ring_are_in_its_tube() {
    let ring = solid(Mesh::torus(0.7, 0.2, 48, 24));
    for seed in 0..5 {
        let points = ring.sample_volume(300, seed);
        assert_eq!(points.len(), 300);
        assert_eq!(points, ring.sample_volume(300, seed));
        // The ring may lie in any plane: its thinnest direction is across it.
        let [low, high] = ring.bounds().corners();
        let axis = (high - low).min_position();
        let off = |p: &DVec3| {
            let across = p[axis];
            let around = (p.length_squared() - across * across).sqrt() - 0.7;
            around.hypot(across)
        };
        assert!(points.iter().all(|p| off(p) < 0.2001), "seed {seed}");
        let outer = points.iter().filter(|p| off(p) > 0.1).count();
        assert!((190..260).contains(&outer), "three quarters, not {outer}");
    }
    let hollow = solid(crate::solids::hollow_box());
    let points = hollow.sample_volume(500, 1);
    assert!(points.iter().all(|p| p.abs().max_element() > 0.3499));
}

#[test]
fn inner_cells_of_fibres_part_what_is_above_from_what_is_below() {
    for seed in 0..12 {
        let fibres = |cells, falloff| Recipe::Fibres {
            cells,
            falloff,
            aspect: 8.0,
        };
        for recipe in [fibres(100, 0.5), fibres(480, 0.6), fibres(60, 2.0)] {
            let pattern = pattern(recipe, seed);
            let layer = recipe.layer().unwrap();
            let mut random = random(seed);
            for _ in 0..200 {
                let [x, z] = [(); 2].map(|()| random.random_range(-1.0..1.0));
                let site = pattern.site(pattern.cell_at(DVec3::new(x, 0.0, z)));
                assert!(
                    site.y.abs() < 0.15 * layer,
                    "{recipe:?}, seed {seed}: {site}"
                );
            }
        }
    }
}

#[test]
fn cells_of_a_crater_double_with_the_distance_and_most_are_in_the_body() {
    let recipe = Recipe::Crater {
        cells: 80,
        jitter: 0.5,
    };
    for seed in 0..12 {
        let sites = recipe.sites(seed).unwrap();
        assert_eq!(sites.len(), recipe.cells() as usize);
        let within = |radius: f64| sites.iter().filter(|site| site.length() < radius).count();
        let octaves = [0.125, 0.25, 0.5, 1.0].map(within);
        let shells = [1, 2, 3].map(|at| octaves[at] - octaves[at - 1]);
        assert!(
            shells.iter().all(|count| (20..33).contains(count)),
            "seed {seed}: {octaves:?}"
        );
        let inside = sites.iter().filter(|site| site.y < 0.0).count();
        assert!(inside * 10 > sites.len() * 7, "seed {seed}: {inside}");
    }
}
