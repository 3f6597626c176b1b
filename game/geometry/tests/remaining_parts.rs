//! Convex parts of what fractures leave.

use crate::check::{broken, clustered, hit, solid};
use crate::solids;
use fracture_geometry::hulls::{
    ConvexPart, ConvexParts, HullError, InsideOf, PlacedPattern, RemovedCells,
};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{FractureParams, Mesh, Pattern, Piece, Placement, Recipe, Solid};
use glam::DVec3;

/// Most by which the volumes of a piece and of its parts may differ, relatively. Parts that cover a piece and have no more
/// volume do not reach out of it.
const MAX_EXCESS: f64 = 1e-4;

/// Most of a piece that no part covers, as a fraction of its size.
const MAX_UNCOVERED: f64 = 1e-6;

fn part_volume(parts: &[ConvexPart]) -> f64 {
    parts.iter().map(|part| part.hull().volume).sum()
}

/// Breaks a body again and again, each time the largest island of the break before, and compares it with what is left of the
/// convex parts of the whole.
fn break_again(name: &str, mesh: Mesh, breaks: usize) {
    let mut body = solid(mesh);
    let mut parts: Vec<ConvexPart> = ConvexParts::new(&body).parts().collect();
    assert!(!parts.is_empty(), "{name}");
    let (pattern, radius) = (clustered(), 0.15 * body.bounds().diagonal());
    for turn in 0..breaks {
        let cut = hit(&body, 2.4 * turn as f64, radius);
        let broken = broken(name, &body, &pattern, &cut);
        let (placed, removed) = (
            PlacedPattern::new(&pattern, cut.placement),
            RemovedCells::from_fracture(&broken),
        );
        let left = |part: ConvexPart| part.without(&placed, &removed, 0.0).unwrap_or(vec![part]);
        parts = parts.into_iter().flat_map(left).collect();
        let style = CapStyle::own_surface(body.mesh());
        let island = |piece: &Piece| Solid::new(piece.to_mesh(&body, &style)).ok();
        let islands = broken.islands().filter_map(island);
        let islands: Vec<Solid> = islands.collect();
        let of_island = |island: &Solid| {
            let inside = InsideOf::new(island.mesh());
            let own = parts.iter().filter(|part| inside.contains(part));
            own.cloned().collect::<Vec<_>>()
        };
        for island in &islands {
            let (own, volume) = (of_island(island), island.mass().volume);
            let found = part_volume(&own);
            assert!(
                (found / volume - 1.0).abs() < MAX_EXCESS,
                "{name} {turn}: {found} of {volume}"
            );
            let hulls: Vec<_> = own.iter().map(ConvexPart::hull).collect();
            let error = HullError::measure(&hulls, island);
            assert!(error.uncovered < MAX_UNCOVERED, "{name} {turn}: {error:?}");
        }
        let largest = islands
            .into_iter()
            .max_by(|a, b| a.mass().volume.total_cmp(&b.mass().volume));
        body = largest.expect("an island");
        parts = of_island(&body);
    }
}

#[test]
fn what_is_left_of_plain_bodies_is_made_of_their_parts() {
    for (name, mesh) in [
        ("wall", Mesh::cuboid([4.0, 2.0, 0.2])),
        ("cube", Mesh::cuboid([1.0; 3])),
        ("ball", Mesh::sphere(0.5, 16, 10)),
        ("letter H", solids::letter_h()),
    ] {
        break_again(name, mesh, 5);
    }
}

#[test]
fn a_part_apart_from_a_break_is_left_whole() {
    let wall = solid(Mesh::cuboid([4.0, 2.0, 0.2]));
    let pattern = clustered();
    let cut = hit(&wall, 0.0, 0.3);
    let broken = broken("wall", &wall, &pattern, &cut);
    let placed = PlacedPattern::new(&pattern, cut.placement);
    let removed = RemovedCells::from_fracture(&broken);
    let mut far = Mesh::cuboid([1.0, 2.0, 0.2]);
    for position in &mut far.positions {
        position[0] -= 1.5;
    }
    for (mesh, is_touched) in [(Mesh::cuboid([4.0, 2.0, 0.2]), true), (far, false)] {
        let parts = ConvexParts::new(&solid(mesh));
        let part = parts.parts().next().expect("a part");
        assert_eq!(part.without(&placed, &removed, 0.0).is_some(), is_touched);
    }
}

#[test]
fn slivers_are_left_out_and_nothing_else() {
    // Bricks whose layers end at the surface, up to their jitter.
    let recipe = Recipe::Bricks {
        rows: 12,
        size: [2.0, 1.0],
        offset: 0.5,
        jitter: 0.15,
    };
    let pattern = Pattern::from_recipe(&recipe, 5).expect("bricks");
    let wall = solid(Mesh::cuboid([3.0, 2.0, 2.0]));
    let parts = ConvexParts::new(&wall);
    let part = parts.parts().next().expect("a part");
    let (mut slivers, mut left) = (0, 0);
    for turn in 0..6 {
        let cut = FractureParams {
            placement: Placement {
                translation: DVec3::new(0.1 * f64::from(turn), 0.0, 0.0),
                ..Placement::IDENTITY
            },
            ..hit(&wall, f64::from(turn), 0.6)
        };
        let broken = broken("wall", &wall, &pattern, &cut);
        let placed = PlacedPattern::new(&pattern, cut.placement);
        let removed = RemovedCells::from_fracture(&broken);
        let min_volume = removed.sliver_volume();
        let volumes = |min_volume: f64| {
            let parts = part.without(&placed, &removed, min_volume).expect("struck");
            let volumes = parts.iter().map(|part| part.hull().volume);
            let mut volumes: Vec<f64> = volumes.collect();
            volumes.sort_by(f64::total_cmp);
            volumes
        };
        let (mut all, without) = (volumes(0.0), volumes(min_volume));
        let count = all.len();
        all.retain(|volume| *volume >= min_volume);
        assert_eq!(all, without);
        (slivers, left) = (slivers + count - all.len(), left + all.len());
    }
    assert!(slivers > 0 && left > 20, "{slivers}, {left}");
}
