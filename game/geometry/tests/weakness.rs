//! Places where breaks take less energy: what is painted on a mesh, and how far breaks reach there.

use crate::check::{broken, in_box, random, solid};
use fracture_geometry::steps::finish;
use fracture_geometry::{
    BreakShape, CellSelection, FractureParams, Mesh, Pattern, Piece, Placement, Recipe, Weakness,
    MAX_WEAKNESS,
};
use glam::DVec3;

/// The weakness of a mesh by a paint that depends on the place.
fn painted(mesh: &Mesh, paint: impl Fn(DVec3) -> f64) -> Weakness {
    let place = |corners: [u32; 3], weights: [f64; 3]| {
        let corners = corners.map(|corner| mesh.positions[corner as usize].map(f64::from));
        let shares = corners.into_iter().zip(weights);
        let place = shares.map(|(corner, weight)| DVec3::from_array(corner) * weight);
        paint(place.sum())
    };
    finish(Weakness::of_paint_in_steps(mesh, place))
}

fn wall() -> Mesh {
    Mesh::cuboid([4.0, 3.0, 0.3])
}

#[test]
fn weakness_is_as_painted_on_the_surface_and_inside_as_nearby() {
    let half = painted(&wall(), |place| f64::from(u8::from(place.x > 0.0)));
    let mut random = random(0);
    for _ in 0..200 {
        // Also beside it and before it.
        let place = in_box(&mut random) * DVec3::new(3.0, 2.5, 0.5);
        let wanted = match place.x {
            x if x > 0.15 => MAX_WEAKNESS,
            x if x < -0.15 => 0.0,
            _ => continue,
        };
        let found = half.at(place);
        assert!((found - wanted).abs() < 1e-12, "{place}: {found}");
    }
    let grey = painted(&wall(), |_| 0.5);
    let [middle, greatest] = [grey.at(DVec3::ZERO), grey.greatest()];
    assert!((middle - 0.5 * MAX_WEAKNESS).abs() < 0.002, "{middle}");
    assert!((greatest - middle).abs() < 1e-12);
}

#[test]
fn a_line_thinner_than_a_cell_counts() {
    let line = painted(&wall(), |place| {
        f64::from(u8::from((place.x - 0.377).abs() < 0.01))
    });
    assert_eq!(line.greatest(), MAX_WEAKNESS);
    for y in [-1.2, 0.0, 0.9] {
        let on = line.at(DVec3::new(0.377, y, 0.15));
        assert!(on > 0.5 * MAX_WEAKNESS, "{on}");
        for x in [0.2, 0.55] {
            assert_eq!(line.at(DVec3::new(x, y, 0.15)), 0.0);
        }
    }
}

#[test]
fn where_nothing_is_painted_nothing_is_weak() {
    let empty = Mesh::default();
    let point = Mesh::from_triangles(vec![[1.0; 3]; 3], vec![[0, 1, 2]]);
    for (mesh, paint) in [
        (wall(), 0.0),
        (wall(), f64::NAN),
        (wall(), -3.0),
        (empty, 1.0),
    ] {
        let none = painted(&mesh, |_| paint);
        assert_eq!((none.greatest(), none.reach(DVec3::ONE)), (0.0, 1.0));
    }
    let tiny = painted(&point, |_| 7.0);
    assert_eq!(
        (tiny.greatest(), tiny.at(DVec3::ONE)),
        (MAX_WEAKNESS, MAX_WEAKNESS)
    );
    assert_eq!(tiny.at(DVec3::new(f64::NAN, 0.0, 0.0)), 0.0);
    assert_eq!(tiny.at(DVec3::splat(f64::INFINITY)), 0.0);
}

#[test]
fn weak_places_are_on_the_surface_a_cell_apart_and_on_both_sides_of_a_pane() {
    let pane = Mesh::cuboid([4.0, 3.0, 0.01]);
    for (mesh, thickness) in [(wall(), 0.3), (pane, 0.01)] {
        let half = painted(&mesh, |place| f64::from(u8::from(place.x > 0.0)));
        let places = half.places_on(&mesh);
        let side = half.cell_size();
        for normal in [DVec3::Z, DVec3::NEG_Z] {
            let on_side = places.iter().filter(|place| place.normal == normal);
            let on_side: Vec<_> = on_side.collect();
            for place in &on_side {
                assert!(
                    (place.point.dot(normal) - 0.5 * thickness).abs() < 1e-6,
                    "{place:?}"
                );
                assert!(place.point.x > -side, "{place:?}");
                assert_eq!(place.weakness, half.at(place.point));
            }
            // Those of the weak half, and perhaps a column beside it.
            let rows = (3.0 / side).round() as usize;
            let columns = (2.0 / side).round() as usize;
            assert!(
                (rows * columns..=rows * (columns + 1)).contains(&on_side.len()),
                "{} of {rows} by {columns}",
                on_side.len()
            );
        }
    }
    let firm = painted(&wall(), |_| 0.0);
    assert!(firm.places_on(&wall()).is_empty());
    let crushed = Mesh::from_triangles(vec![[1.0; 3]; 3], vec![[0, 1, 2]]);
    assert!(painted(&crushed, |_| 1.0).places_on(&crushed).is_empty());
}

/// Fragments of a break of the wall, in the middle.
fn fragments(seed: u64, radius: f64, weakness: Option<&Weakness>) -> Vec<Piece> {
    let recipe = Recipe::Uniform { cells: 1000 };
    let pattern = Pattern::from_recipe(&recipe, seed).unwrap();
    let cut = FractureParams {
        placement: Placement::at_impact(DVec3::Z * 0.15, DVec3::Z, 0.0, 2.0),
        selection: CellSelection::Nested {
            point: DVec3::Z * 0.15,
            radius,
            smallest: 0.5 * radius,
            shape: BreakShape::Ball,
            weakness,
        },
    };
    let broken = broken("wall", &solid(wall()), &pattern, &cut);
    broken.fragments().cloned().collect()
}

#[test]
fn a_break_where_all_is_weak_is_one_of_a_larger_radius() {
    let weak = painted(&wall(), |_| 1.0);
    let reach = weak.reach(DVec3::ZERO);
    // To the power of 5/18.
    assert!((reach - 1.895_735_652_406).abs() < 1e-9, "{reach}");
    for seed in 0..5 {
        let there = fragments(seed, 0.4, Some(&weak));
        let elsewhere = fragments(seed, 0.4 * reach, None);
        assert!(there == elsewhere && there.len() > 1, "{seed}");
    }
}

#[test]
fn a_break_goes_along_a_weak_stripe() {
    let stripe = painted(&wall(), |place| f64::from(u8::from(place.y.abs() < 0.3)));
    for seed in 0..5 {
        let usual = fragments(seed, 0.5, None);
        let along = fragments(seed, 0.5, Some(&stripe));
        let reach = |pieces: &[Piece], axis: usize| {
            let centers = pieces.iter().map(|piece| piece.mass.center[axis].abs());
            centers.fold(0.0, f64::max)
        };
        assert!(along.len() > usual.len());
        assert!(reach(&along, 0) > 1.4 * reach(&usual, 0), "{seed}");
        assert!(reach(&along, 1) < reach(&usual, 1).max(0.3) + 0.1, "{seed}");
    }
}
