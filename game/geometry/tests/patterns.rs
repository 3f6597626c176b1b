//! Patterns: the cells partition space, survive a round trip, and refuse damaged bytes.

use crate::check::{in_box, random};
use fracture_geometry::{Mesh, Pattern, PatternError, Recipe};
use glam::DVec3;
use rand::Rng;
use xxhash_rust::xxh3::xxh3_64;

fn uniform(cells: u32) -> Pattern {
    Pattern::from_recipe(&Recipe::Uniform { cells }, 23).expect("a pattern")
}

#[test]
fn neighbours_are_mutual_and_hold_the_nearest_site() {
    let pattern = uniform(500);
    for cell in 0..500u32 {
        let own = pattern.neighbors(cell);
        assert!(own.iter().all(|n| pattern.neighbors(*n).contains(&cell)));
        let distance = |other: u32| pattern.site(other).distance_squared(pattern.site(cell));
        let others = (0..500).filter(|o| *o != cell);
        let nearest = others.min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        assert!(own.contains(&nearest.expect("another cell")));
    }
    for none in [500, 501, u32::MAX] {
        assert!(pattern.neighbors(none).is_empty());
    }
}

/// A point belongs to the cell of its nearest site exactly when no neighbour is nearer.
#[test]
fn neighbours_alone_decide_where_a_point_is() {
    let pattern = uniform(300);
    let mut random = random(3);
    for _ in 0..2000 {
        let point = in_box(&mut random) * random.random_range(0.1..3.0);
        let cell = pattern.cell_at(point);
        let distance = |other: u32| pattern.site(other).distance_squared(point);
        let inside = |c: u32| {
            pattern
                .neighbors(c)
                .iter()
                .all(|n| distance(*n) >= distance(c))
        };
        assert!(inside(cell));
        assert_eq!((0..300).filter(|c| inside(*c)).count(), 1);
    }
}

#[test]
fn cells_of_a_box_have_the_volume_of_the_box() {
    let pattern = uniform(200);
    let solid = crate::check::solid(Mesh::cuboid([2.0; 3]));
    let result = crate::check::broken("box", &solid, &pattern, &crate::check::all());
    assert_eq!(result.pieces.len(), 200);
    let sum: f64 = result.pieces.iter().map(|p| p.mass.volume).sum();
    assert!((sum - 8.0).abs() < 1e-6);
    for piece in &result.pieces {
        let fracture_geometry::PieceKind::Fragment { cell, .. } = piece.kind else {
            panic!("no cell was left out");
        };
        assert_eq!(pattern.cell_at(piece.mass.center), cell);
    }
}

#[test]
fn clustered_sites_are_denser_at_the_origin() {
    let sites = Recipe::Clustered {
        cells: 4000,
        falloff: 1.0,
    }
    .sites(2)
    .expect("sites");
    let within = |radius: f64| sites.iter().filter(|s| s.length() < radius).count() as f64;
    assert_eq!(within(1.001), 4000.0);
    assert!((within(0.5) / 4000.0 - 0.5).abs() < 0.05);
    assert!((within(0.25) / 4000.0 - 0.25).abs() < 0.05);
}

#[test]
fn sites_and_cells_depend_on_the_seed_alone() {
    let recipe = Recipe::Clustered {
        cells: 50,
        falloff: 0.7,
    };
    assert_eq!(recipe.sites(9), recipe.sites(9));
    assert_ne!(recipe.sites(9), recipe.sites(10));
}

#[test]
fn duplicates_are_dropped_and_counted() {
    let mut sites = Recipe::Uniform { cells: 30 }.sites(1).expect("sites");
    let before = Pattern::from_sites(&sites).expect("a pattern");
    sites.push(sites[4]);
    sites.push(sites[7] + DVec3::splat(1e-12));
    let after = Pattern::from_sites(&sites).expect("a pattern");
    assert_eq!((before.cell_count(), before.duplicates()), (30, 0));
    assert_eq!((after.cell_count(), after.duplicates()), (30, 2));
}

#[test]
fn a_pattern_survives_its_bytes() {
    let pattern = uniform(64);
    let bytes = pattern.to_bytes();
    assert_eq!(Pattern::from_bytes(&bytes), Ok(pattern));
}

/// Version 1 had the cells after the sites. (Fuzzing: with cells that did not belong together a break
/// left an array.)
#[test]
fn a_file_of_version_1_is_read_by_its_sites() {
    let pattern = uniform(16);
    let mut bytes = pattern.to_bytes();
    bytes[8] = 1;
    bytes.extend([7; 1000]);
    let hash = xxh3_64(&bytes[20..]);
    bytes[12..20].copy_from_slice(&hash.to_le_bytes());
    assert_eq!(Pattern::from_bytes(&bytes), Ok(pattern));
}

#[test]
fn sites_that_no_pattern_has_are_refused() {
    let bytes = uniform(16).to_bytes();
    let first_site = bytes.len() - 16 * 12;
    for (at, value) in [
        (first_site, i32::MAX),
        (bytes.len() - 4, 1 << 19),
        (28, i32::MAX),
    ] {
        let mut damaged = bytes.clone();
        damaged[at..at + 4].copy_from_slice(&value.to_le_bytes());
        check_refused(damaged);
    }
    let mut twice = bytes;
    twice.copy_within(first_site..first_site + 12, first_site + 12);
    check_refused(twice);
}

fn check_refused(mut bytes: Vec<u8>) {
    let hash = xxh3_64(&bytes[20..]);
    bytes[12..20].copy_from_slice(&hash.to_le_bytes());
    let read = Pattern::from_bytes(&bytes);
    assert!(matches!(read, Err(PatternError::Corrupt { .. })));
}

#[test]
fn damaged_bytes_are_refused() {
    let bytes = uniform(16).to_bytes();
    for length in (0..bytes.len()).step_by(7) {
        assert!(
            Pattern::from_bytes(&bytes[..length]).is_err(),
            "cut at {length}"
        );
    }
    let mut random = random(1);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = random.random_range(0..damaged.len());
        damaged[at] ^= 1 << random.random_range(0..8);
        assert!(Pattern::from_bytes(&damaged).is_err(), "byte {at}");
    }
    let mut newer = bytes;
    newer[8] = 3;
    let error = Pattern::from_bytes(&newer);
    assert_eq!(
        error,
        Err(PatternError::Version {
            found: 3,
            supported: 2
        })
    );
}
