//! Which pieces go when there are too many.

use std::collections::BTreeMap;

use fracture_simulation::external::ExternalBody;
use fracture_simulation::geometry::glam::{Mat4, Vec3};
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Anchors, Body, BodyId, Event, Impact, NewPiece, RemoveReason, Settings, Simulation, Viewer,
};

use crate::engine::floor;
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
                Event::Refined(_) => {}
                event => panic!("{event:?}"),
            }
        }
    }
    (simulation, pieces, removed)
}

/// A camera that looks along -z, twice as wide as high; the angle is that of its height, radians.
fn camera(at: Vec3, angle: f32) -> Viewer {
    let look = Mat4::look_to_rh(at, Vec3::NEG_Z, Vec3::Y);
    Viewer::through(at, Mat4::perspective_rh_gl(angle, 2.0, 0.1, 1000.0) * look)
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
    let viewer = camera(Vec3::new(4.0, 0.0, 4.0), 0.6);
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
fn what_rests_goes_before_what_moves() {
    let mut simulation = with(Settings {
        max_pieces: 1000,
        chain_breaks: 0,
        ..Settings::default()
    });
    let (shape, motion) = floor(0.0);
    let ground = ExternalBody::fixed(shape, motion);
    simulation.set_external_body(1, ground).unwrap();
    let cube = |x: f32, height: f32| Body {
        motion: at(x, height, 0.0),
        ..body(Mesh::cuboid([0.4; 3]))
    };
    let [resting, moving] = [(0.0, 0.2), (3.0, 60.0)].map(|(x, height)| {
        let id = simulation.add(cube(x, height)).unwrap();
        let mut impact = impact_at(id, [x, height + 0.2, 0.0]);
        impact.radius = Some(0.3);
        impact.energy = 1.0;
        simulation.impact(impact).unwrap();
        id
    });
    for _ in 0..150 {
        step(&mut simulation);
    }
    let count = |simulation: &Simulation, of| simulation.descendants(of).len();
    let [rests, moves] = [resting, moving].map(|of| count(&simulation, of));
    assert!(rests > 5 && moves > 5, "{rests} and {moves}");
    simulation.set_limits(moves + 1, u64::MAX, f32::INFINITY);
    for _ in 0..3 {
        step(&mut simulation);
    }
    let left = count(&simulation, moving);
    assert!(left + 1 >= moves, "{left} of {moves} that move are left");
    assert!(count(&simulation, resting) < 3);
}

#[test]
fn what_is_far_goes_before_what_is_near() {
    let around = Viewer::around(Vec3::new(0.0, 0.0, 2.0));
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

/// Adds a floor and a building of four walls and a roof of 60 m3, 8 m wide and 3.5 m high; gives its volume.
fn building(simulation: &mut Simulation) -> (Vec<BodyId>, f64) {
    let (shape, place) = floor(0.0);
    simulation
        .set_external_body(1, ExternalBody::fixed(shape, place))
        .unwrap();
    let long = |z: f32| ([8.0, 3.2, 0.4], [0.0, 1.6, z]);
    let short = |x: f32| ([0.4, 3.2, 7.2], [x, 1.6, 0.0]);
    let roof = ([8.0, 0.3, 8.0], [0.0, 3.35, 0.0]);
    let parts = [long(-3.8), long(3.8), short(-3.8), short(3.8), roof];
    let mut volume = 0.0;
    let bodies = parts.map(|(size, [x, y, z])| {
        volume += f64::from(size.iter().product::<f32>());
        let end = |side: f32| {
            let middle = Vec3::X * (0.5 * side * size[0]);
            [
                middle - Vec3::new(0.1, 9.0, 9.0),
                middle + Vec3::new(0.1, 9.0, 9.0),
            ]
        };
        let base = [
            Vec3::new(-9.0, -9.0, -9.0),
            Vec3::new(9.0, 0.1 - 0.5 * size[1], 9.0),
        ];
        let anchors = if y > 3.0 {
            vec![end(-1.0), end(1.0)]
        } else {
            vec![base]
        };
        let mut part = Body {
            anchors: Anchors::boxes(anchors),
            pattern: pattern(64),
            motion: at(x, y, z),
            ..body(Mesh::cuboid(size))
        };
        part.material.min_radius = 0.2;
        simulation.add(part).unwrap()
    });
    (bodies.to_vec(), volume)
}

/// The point of a shot at the building and the normal there: each side in turn, at other places.
fn target(shot: u8) -> (Vec3, Vec3) {
    let turn = f32::from(shot);
    let (along, height) = (3.0 * (1.7 * turn).sin(), 1.6 + 1.1 * (2.3 * turn).cos());
    match shot % 5 {
        0 => (Vec3::new(along, height, 4.0), Vec3::Z),
        1 => (Vec3::new(4.0, height, along), Vec3::X),
        2 => (Vec3::new(along, height, -4.0), Vec3::NEG_Z),
        3 => (Vec3::new(-4.0, height, along), Vec3::NEG_X),
        _ => (Vec3::new(along, 3.5, 2.5 * (height - 1.6)), Vec3::Y),
    }
}

#[test]
fn a_building_under_fire_loses_small_pieces_only() {
    let max_pieces = 100;
    let mut simulation = with(Settings {
        max_pieces,
        ..Settings::default()
    });
    let (mut standing, volume) = building(&mut simulation);
    let (mut gone, mut dust, mut pieces) = (0.0, 0.0, BTreeMap::new());
    for shot in 0..27_u8 {
        let (point, normal) = target(shot);
        // An impact misses the bodies that its point is not on.
        for body in &standing {
            let impulse = normal * -400.0;
            let impact = Impact::new(*body, point, normal, impulse, 150.0);
            simulation.impact(impact).unwrap();
        }
        for _ in 0..12 {
            for event in step(&mut simulation) {
                match event {
                    Event::Broken(broken) => {
                        standing.retain(|body| *body != broken.body);
                        pieces.remove(&broken.body);
                        dust += broken
                            .dust
                            .iter()
                            .map(|dust| f64::from(dust.volume))
                            .sum::<f64>();
                        let held = broken.pieces.iter().filter(|piece| piece.anchored);
                        standing.extend(held.map(|piece| piece.body));
                        let new = broken.pieces.into_iter();
                        pieces.extend(new.map(|piece| (piece.body, piece)));
                    }
                    Event::Removed { body, reason, .. } => {
                        let piece = pieces.remove(&body).unwrap();
                        assert_eq!(reason, RemoveReason::Budget);
                        assert!(size(&piece) < 1.0, "shot {shot}: {} m", size(&piece));
                        gone += piece.mass.volume;
                    }
                    _ => {}
                }
            }
        }
    }
    let left: f64 = pieces.values().map(|piece| piece.mass.volume).sum();
    let error = (left + gone + dust - volume).abs();
    assert!(error < 1e-4 * volume, "{error} m3 are lost");
    assert!(gone > 0.0, "nothing went");
    assert!(left > 0.9 * volume, "{left} of {volume} m3 are left");
}
