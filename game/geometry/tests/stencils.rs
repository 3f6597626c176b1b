//! Stencils: models, pictures and points as patterns; what is no stencil is refused by name.

use crate::check::{all, broken, in_box, random, solid};
use fracture_geometry::stencil::{
    sites_of_parts, sites_of_points, Picture, StencilError, StencilPart,
};
use fracture_geometry::{Mesh, Pattern, Recipe, SolidError};
use glam::{DVec2, DVec3};
use rand::Rng;

/// The pieces of a cube of 2 m that is broken everywhere: as Cell Fracture makes them.
fn parts_of_cube(pattern: &Pattern) -> Vec<StencilPart> {
    let solid = solid(Mesh::cuboid([2.0, 2.0, 2.0]));
    let broken = broken("a cube", &solid, pattern, &all());
    let parts = broken.pieces.iter().enumerate();
    parts
        .map(|(at, piece)| StencilPart {
            name: format!("cell.{at:03}"),
            mesh: Mesh::from_triangles(
                piece.vertices.iter().map(|v| v.position).collect(),
                piece.triangles.clone(),
            ),
        })
        .collect()
}

fn boxes(boxes: &[([f32; 3], [f32; 3])]) -> Vec<StencilPart> {
    let part = |(at, (sides, middle)): (usize, &([f32; 3], [f32; 3]))| {
        let mut mesh = Mesh::cuboid(*sides);
        for position in &mut mesh.positions {
            *position = [0, 1, 2].map(|k| position[k] + middle[k]);
        }
        StencilPart {
            name: format!("box.{at}"),
            mesh,
        }
    };
    boxes.iter().enumerate().map(part).collect()
}

/// The mesh of a part with its corners drawn towards the middle, as Cell Fracture leaves a margin.
fn with_margin(parts: &[StencilPart], scale: f32) -> Vec<StencilPart> {
    let mut parts = parts.to_vec();
    for part in &mut parts {
        let count = part.mesh.positions.len() as f32;
        let middle =
            [0, 1, 2].map(|k| part.mesh.positions.iter().map(|p| p[k]).sum::<f32>() / count);
        for position in &mut part.mesh.positions {
            *position = [0, 1, 2].map(|k| middle[k] + (position[k] - middle[k]) * scale);
        }
    }
    parts
}

/// Share of random points of the cube that lie in the cell of the part they lie in.
fn agreement(pattern: &Pattern, sites: &[DVec3], seed: u64) -> f64 {
    let stencil = Pattern::from_sites(sites).expect("a pattern");
    let mut random = random(seed);
    let same = (0..1000).filter(|_| {
        let point = in_box(&mut random);
        stencil.cell_at(point) == pattern.cell_at(point)
    });
    same.count() as f64 / 1000.0
}

#[test]
fn cells_that_become_a_model_become_the_same_cells_again() {
    for seed in 0..6 {
        let cells = 8 + 12 * seed as u32;
        let pattern = Pattern::from_recipe(&Recipe::Uniform { cells }, seed).expect("a pattern");
        let parts = parts_of_cube(&pattern);
        assert_eq!(parts.len(), pattern.cell_count());
        let sites = sites_of_parts(&parts).expect("a stencil");
        let same = agreement(&pattern, &sites, seed);
        assert!(same > 0.998, "seed {seed}: {same}");
        let apart = sites_of_parts(&with_margin(&parts, 0.99)).expect("a stencil with gaps");
        assert!(
            agreement(&pattern, &apart, seed) > 0.96,
            "seed {seed} with gaps"
        );
    }
}

#[test]
fn a_stencil_ends_where_its_model_ends_and_cuts_closed_pieces() {
    for seed in 0..4 {
        let pattern =
            Pattern::from_recipe(&Recipe::Uniform { cells: 30 }, seed).expect("a pattern");
        let sites = sites_of_parts(&parts_of_cube(&pattern)).expect("a stencil");
        let stencil = Pattern::from_sites(&sites).expect("a pattern");
        // `broken` checks that pieces are closed and that volumes add up.
        let large = solid(Mesh::cuboid([3.0, 3.0, 3.0]));
        let result = broken("a larger cube", &large, &stencil, &all());
        let is_inside = |volume: f64| volume < 8.0 + 1e-3;
        let inside = result.pieces.iter().filter(|piece| {
            let far = piece.vertices.iter().flat_map(|v| v.position);
            far.fold(0.0_f32, |far, x| far.max(x.abs())) < 1.02
        });
        let volume: f64 = inside.map(|piece| piece.mass.volume).sum();
        assert!(is_inside(volume) && volume > 7.8, "seed {seed}: {volume}");
    }
}

#[test]
fn slabs_of_different_widths_are_a_stencil() {
    let slabs = boxes(&[
        ([1.0, 2.0, 2.0], [-1.5, 0.0, 0.0]),
        ([1.4, 2.0, 2.0], [-0.3, 0.0, 0.0]),
        ([1.2, 2.0, 2.0], [1.0, 0.0, 0.0]),
    ]);
    let sites = sites_of_parts(&slabs).expect("a stencil");
    let pattern = Pattern::from_sites(&sites).expect("a pattern");
    for (x, cell) in [(-1.1, 0), (-0.9, 1), (0.3, 1), (0.5, 2)] {
        assert_eq!(pattern.cell_at(DVec3::new(x, 0.3, -0.2)), cell, "{x}");
    }
}

#[test]
fn parts_that_overlap_are_refused_by_name() {
    let error = sites_of_parts(&boxes(&[
        ([1.0, 1.0, 1.0], [0.0; 3]),
        ([1.0, 1.0, 1.0], [0.9, 0.0, 0.0]),
    ]))
    .unwrap_err();
    let StencilError::Overlap {
        first,
        second,
        depth,
    } = &error
    else {
        panic!("{error}");
    };
    assert_eq!((first.as_str(), second.as_str()), ("box.0", "box.1"));
    assert!((depth - 0.1).abs() < 1e-6, "{error}");
    // Edges that cross: no face tells these boxes apart, and they are apart.
    let mut crossed = boxes(&[([2.0, 0.2, 0.2], [0.0; 3]), ([2.0, 0.2, 0.2], [0.0; 3])]);
    let turned = |[x, y, z]: [f32; 3], down: f32| [x, 0.7 * (y - z) - down, 0.7 * (y + z)];
    crossed[0]
        .mesh
        .positions
        .iter_mut()
        .for_each(|p| *p = turned(*p, 0.0));
    crossed[1].mesh.positions.iter_mut().for_each(|p| {
        let [x, y, z] = turned(*p, 0.285);
        *p = [z, y, -x];
    });
    let message = sites_of_parts(&crossed)
        .err()
        .map(|error| error.to_string());
    assert!(message.is_none_or(|message| !message.contains("overlap")));
}

#[test]
fn open_and_dented_parts_are_refused_by_name() {
    let mut open = boxes(&[([1.0; 3], [0.0; 3]), ([1.0; 3], [1.0, 0.0, 0.0])]);
    open[1].mesh.triangles.pop();
    let error = sites_of_parts(&open).unwrap_err();
    let is_open = matches!(&error, StencilError::Part { part, error: SolidError::NotClosed { .. } } if part == "box.1");
    assert!(is_open, "{error}");
    let dented = StencilPart {
        name: "ring".into(),
        mesh: Mesh::torus(1.0, 0.3, 24, 12),
    };
    let error =
        sites_of_parts(&[dented, boxes(&[([1.0; 3], [5.0, 0.0, 0.0])])[0].clone()]).unwrap_err();
    assert!(
        matches!(&error, StencilError::NotConvex { part, .. } if part == "ring"),
        "{error}"
    );
    let one = sites_of_parts(&boxes(&[([1.0; 3], [0.0; 3])])).unwrap_err();
    assert_eq!(
        one,
        StencilError::PartCount {
            found: 1,
            limit: 2000
        }
    );
}

#[test]
fn parts_that_no_points_can_have_are_refused_with_their_distance() {
    // A wall of two courses, whose joints end in the middle of a brick.
    let shifted = boxes(&[
        ([1.0, 1.0, 1.0], [-0.5, 0.5, 0.0]),
        ([1.0, 1.0, 1.0], [0.5, 0.5, 0.0]),
        ([0.4, 1.0, 1.0], [-0.8, -0.5, 0.0]),
        ([1.6, 1.0, 1.0], [0.2, -0.5, 0.0]),
    ]);
    let error = sites_of_parts(&shifted).unwrap_err();
    assert!(matches!(error, StencilError::NoCells { .. }), "{error}");
}

#[test]
fn points_are_read_whatever_is_between_them() {
    let text = "# x y z\n0 0 0\n1.5, -2e-1; 3 # a comment\n\n\t4\t5\t6\r\n";
    let sites = sites_of_points(text).expect("points");
    assert_eq!(
        sites,
        [
            DVec3::ZERO,
            DVec3::new(1.5, -0.2, 3.0),
            DVec3::new(4.0, 5.0, 6.0)
        ]
    );
    for (bad, line) in [
        ("0 0 0\n1 2", 2),
        ("x,y,z\n0 0 0", 1),
        ("0 0 0\n\n1 2 nan", 3),
        ("0 0 1e9", 1),
        ("1 2 3 4", 1),
    ] {
        let error = sites_of_points(bad).unwrap_err();
        assert!(
            matches!(error, StencilError::Point { line: at, .. } if at == line),
            "{bad}: {error}"
        );
    }
    let few = sites_of_points("1 2 3\n# 4 5 6").unwrap_err();
    assert!(matches!(few, StencilError::PointCount { found: 1, .. }));
}

/// A picture of the borders between cells, in the colours of ink and paper.
fn web(seed: u64, sites: u32, side: usize) -> Vec<f32> {
    let mut random = random(seed);
    let sites: Vec<DVec2> = (0..sites)
        .map(|_| DVec2::new(random.random(), random.random()) * side as f64)
        .collect();
    let pixel = |at: usize| {
        let point = DVec2::new((at % side) as f64, (at / side) as f64) + 0.5;
        let mut near: Vec<DVec2> = sites.clone();
        near.sort_by(|a, b| a.distance(point).total_cmp(&b.distance(point)));
        let across = (near[1] - near[0]).normalize();
        if across.dot(0.5 * (near[0] + near[1]) - point) < 1.5 {
            0.1
        } else {
            0.9
        }
    };
    (0..side * side).map(pixel).collect()
}

#[test]
fn borders_follow_the_lines_of_a_picture() {
    for seed in 0..6 {
        let picture = Picture::new(160, 160, &web(seed, 24, 160)).expect("a picture");
        let lines = picture.sites_of_lines(1.0, 120).expect("a stencil");
        assert!(lines.regions > 12 && lines.sites.len() <= 120);
        assert!(
            lines.followed > 0.9,
            "seed {seed}: {} of {}",
            lines.followed,
            lines.regions
        );
        let flat = lines.sites.iter().all(|site| site.y == 0.0);
        assert!(flat && Pattern::from_sites(&lines.sites).is_ok());
    }
}

#[test]
fn bent_lines_are_followed_by_more_cells() {
    let side = 160;
    let ring = |at: usize| {
        let point = DVec2::new((at % side) as f64, (at / side) as f64) - 79.5;
        if (point.length() - 45.0).abs() < 2.0 {
            0.0
        } else {
            1.0
        }
    };
    let pixels: Vec<f32> = (0..side * side).map(ring).collect();
    let picture = Picture::new(side, side, &pixels).expect("a picture");
    let lines = picture.sites_of_lines(1.0, 60).expect("a stencil");
    assert_eq!(lines.regions, 2);
    assert!(
        lines.followed > 0.8,
        "{} by {}",
        lines.followed,
        lines.sites.len()
    );
}

#[test]
fn dark_is_dense() {
    let side = 120;
    // Dark on the left, white on the right.
    let pixels: Vec<f32> = (0..side * side)
        .map(|at| if at % side < side / 2 { 0.0 } else { 1.0 })
        .collect();
    let picture = Picture::new(side, side, &pixels).expect("a picture");
    for seed in 0..4 {
        let sites = picture
            .sites_of_darkness(3.0, 200, seed)
            .expect("a stencil");
        assert_eq!(sites.len(), 200);
        assert_eq!(
            sites,
            picture.sites_of_darkness(3.0, 200, seed).expect("the same")
        );
        let left = sites.iter().filter(|site| site.x < 0.0).count();
        assert!(left > 170, "{left}");
        assert!(sites
            .iter()
            .all(|site| site.x.abs() <= 1.5 && site.z.abs() <= 1.5));
    }
}

#[test]
fn pictures_that_say_nothing_are_refused() {
    assert_eq!(
        Picture::new(16, 16, &[0.4; 256]).unwrap_err(),
        StencilError::OneColour
    );
    assert_eq!(
        Picture::new(16, 16, &[f32::NAN; 256]).unwrap_err(),
        StencilError::OneColour
    );
    for (width, height, pixels) in [(0, 0, 0), (4, 64, 256), (16, 16, 255), (usize::MAX, 16, 16)] {
        let error = Picture::new(width, height, &vec![0.5; pixels]).unwrap_err();
        assert_eq!(error, StencilError::PictureSize { width, height });
    }
    // A strip is not made smaller than a picture can be.
    let strip: Vec<f32> = (0..8000)
        .map(|at| if at % 1000 == 500 { 0.0 } else { 1.0 })
        .collect();
    let strip = Picture::new(1000, 8, &strip).expect("a picture");
    let regions = strip.sites_of_lines(1.0, 100).expect("two regions").regions;
    assert_eq!(regions, 2);
    // A line that parts nothing.
    let dash: Vec<f32> = (0..1024)
        .map(|at| {
            if at / 32 == 16 && at % 32 < 20 {
                0.0
            } else {
                1.0
            }
        })
        .collect();
    let picture = Picture::new(32, 32, &dash).expect("a picture");
    let error = picture.sites_of_lines(1.0, 100).unwrap_err();
    assert!(
        matches!(error, StencilError::Regions { found: 1, .. }),
        "{error}"
    );
    let error = picture.sites_of_darkness(0.0, 100, 0).unwrap_err();
    assert_eq!(error, StencilError::PictureWidth { width: 0.0 });
}
