//! Which pieces go when there are too many.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Anchors, Body, BodyId, Event, Impact, NewPiece, RemoveReason, Settings, Simulation, Viewer,
};

use crate::setup::{at, body, impact_at, pattern, step, with};

/// Breaks blocks that hang side by side, 2 m apart, into pieces; gives all pieces of all breaks and what was
/// removed at once.
fn shatter(
    max_pieces: usize,
    sides: &[f32],
    viewers: &[Viewer],
) -> (Simulation, Vec<NewPiece>, Vec<BodyId>) {
    let mut simulation = with(Settings {
        max_pieces,
        gravity: Vec3::ZERO,
        chain_breaks: 0,
        ..Settings::default()
    });
    simulation.set_viewers(viewers.iter().copied());
    for (number, side) in (0_u8..).zip(sides) {
        let x = 4.0 * f32::from(number);
        let mut block = body(Mesh::cuboid([*side; 3]));
        block.motion = at(x, 0.0, 0.0);
        let id = simulation.add(block).unwrap();
        let mut impact = impact_at(id, [x, 0.5 * side, 0.0]);
        impact.radius = Some(0.5 * side);
        impact.energy = 1.0;
        simulation.impact(impact).unwrap();
    }
    let (mut pieces, mut removed) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        for event in step(&mut simulation) {
            match event {
                Event::Broken(broken) => pieces.extend(broken.pieces),
                Event::Removed { body, reason, .. } => {
                    assert_eq!(reason, RemoveReason::Budget);
                    removed.push(body);
                }
                event => panic!("{event:?}"),
            }
        }
    }
    (simulation, pieces, removed)
}

fn size(piece: &NewPiece) -> f32 {
    piece.colliders.bounds().extents().max_element()
}

#[test]
fn the_smallest_go_and_the_largest_stay() {
    for max_pieces in [3, 10, 20] {
        let (simulation, pieces, removed) = shatter(max_pieces, &[1.0, 0.5], &[]);
        assert_eq!(simulation.statistics().debris, max_pieces);
        let gone = |piece: &&NewPiece| removed.contains(&piece.body);
        let largest_gone = pieces.iter().filter(gone).map(size).fold(0.0, f32::max);
        let stays = pieces.iter().filter(|piece| !gone(piece)).map(size);
        let smallest_left = stays.fold(f32::MAX, f32::min);
        assert!(
            largest_gone <= smallest_left,
            "{largest_gone} {smallest_left}"
        );
    }
}

#[test]
fn large_pieces_stay_even_if_they_are_too_many() {
    let (simulation, pieces, removed) = shatter(1, &[6.0, 5.0], &[]);
    let large = pieces.iter().filter(|piece| size(piece) >= 1.0).count();
    assert!(large > 2, "{large}");
    assert_eq!(simulation.statistics().debris, large);
    assert!(pieces
        .iter()
        .all(|piece| removed.contains(&piece.body) == (size(piece) < 1.0)));
}

#[test]
fn what_is_in_view_goes_last() {
    // Three equal blocks: the middle one is seen, from so near that nothing else is.
    let viewer = Viewer {
        position: Vec3::new(4.0, 0.0, 4.0),
        direction: Vec3::NEG_Z,
        half_angle: 0.3,
    };
    let blocks = [0.6; 3];
    let (_, all, none) = shatter(1000, &blocks, &[viewer]);
    assert!(none.is_empty());
    let is_seen = |piece: &NewPiece| (piece.center().x - 4.0).abs() < 1.0;
    let seen = all.iter().filter(|piece| is_seen(piece)).count();
    let (_, pieces, removed) = shatter(seen + 5, &blocks, &[viewer]);
    assert_eq!(pieces.iter().filter(of_seen_in(&removed)).count(), 0);
    // Only when nothing else is left.
    let (_, pieces, removed) = shatter(seen - 3, &blocks, &[viewer]);
    assert_eq!(pieces.iter().filter(of_seen_in(&removed)).count(), 3);
    assert_eq!(removed.len(), pieces.len() - (seen - 3));
}

/// Whether a piece is of the middle block and was removed.
fn of_seen_in(removed: &[BodyId]) -> impl Fn(&&NewPiece) -> bool + '_ {
    |piece| (piece.center().x - 4.0).abs() < 1.0 && removed.contains(&piece.body)
}

#[test]
fn what_is_far_goes_before_what_is_near() {
    let around = Viewer {
        position: Vec3::new(0.0, 0.0, 2.0),
        direction: Vec3::ZERO,
        half_angle: 0.0,
    };
    let (_, pieces, removed) = shatter(30, &[0.6; 4], &[around]);
    let mean = |gone: bool| {
        let of = pieces
            .iter()
            .filter(|piece| removed.contains(&piece.body) == gone);
        let x: Vec<f32> = of.map(|piece| piece.center().x).collect();
        x.iter().sum::<f32>() / x.len() as f32
    };
    assert!(
        mean(true) > mean(false) + 1.0,
        "{} {}",
        mean(true),
        mean(false)
    );
}

#[test]
fn the_top_of_a_cut_pillar_stays_while_chips_go() {
    for max_pieces in [5, 20, 100] {
        let mut simulation = with(Settings {
            max_pieces,
            ..Settings::default()
        });
        let pillar = body(Mesh::cuboid([1.0, 6.0, 1.0]));
        let pillar = Body {
            anchors: Anchors::boxes(vec![[Vec3::splat(-3.0), Vec3::new(3.0, -2.9, 3.0)]]),
            pattern: pattern(400),
            ..pillar
        };
        let id = simulation.add(pillar).unwrap();
        for height in [-0.6, -0.4] {
            let impact = Impact {
                radius: Some(1.2),
                ..impact_at(id, [0.0, height, 0.5])
            };
            simulation.impact(impact).unwrap();
        }
        let (mut top, mut gone) = (None, 0);
        for _ in 0..240 {
            for event in step(&mut simulation) {
                match event {
                    Event::Broken(broken) => {
                        let free = broken.pieces.iter().filter(|piece| !piece.anchored);
                        let large = free.max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume));
                        top = top.or(large.map(|piece| (piece.body, piece.mass.volume)));
                    }
                    Event::Removed { body, .. } => {
                        gone += 1;
                        assert_ne!(Some(body), top.map(|(top, _)| top), "{max_pieces} pieces");
                    }
                    _ => {}
                }
            }
        }
        assert!(top.is_some_and(|(_, volume)| volume > 2.5), "{top:?}");
        assert!(
            gone > 0 || max_pieces == 100,
            "nothing went of {max_pieces}"
        );
    }
}
