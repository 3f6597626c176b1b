//! Bars of reinforced concrete: what a break leaves bare of them.

use fracture_simulation::geometry::bars::BarFigures;
use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::{Mesh, PieceKind};
use fracture_simulation::{
    Anchors, BareBars, Body, BodyId, Broken, Event, Impact, Material, NewPiece, Settings, Shape,
    Simulation,
};

use crate::setup::{self, front_blow, quiet, remainder, step, wall, with, written_and_read};

/// A wall of 4 m x 2 m x 0.2 m with two nets.
fn reinforced() -> Body {
    let body = wall();
    Body {
        material: Material {
            min_radius: 0.3,
            bars: BarFigures {
                spacing: 0.15,
                ..BarFigures::default()
            },
            ..body.material
        },
        ..body
    }
}

/// Strikes, and steps until all has come of it.
fn strike(simulation: &mut Simulation, impact: Impact) -> (Broken, Vec<BareBars>) {
    let (broken, others) = setup::strike(simulation, impact);
    let bars = others.into_iter().filter_map(|event| match event {
        Event::BarsBared(new) => Some(new),
        _ => None,
    });
    (broken.unwrap(), bars.collect())
}

fn bars_of(bars: &[BareBars], body: BodyId) -> &BareBars {
    bars.iter().rfind(|own| own.body == body).unwrap()
}

fn positions(bars: &BareBars) -> Vec<Vec3> {
    bars.rods.positions.iter().map(|p| Vec3::from(*p)).collect()
}

#[test]
fn bars_span_the_hole_of_a_blow_and_are_where_it_is_only() {
    let mut simulation = quiet();
    let id = simulation.add(reinforced()).unwrap();
    let (broken, bars) = strike(&mut simulation, front_blow(id, [0.0, 1.0, 0.1], 5000.0));
    let held = remainder(&broken);
    assert!(broken
        .pieces
        .iter()
        .all(|piece| piece.has_bars == piece.anchored));
    let places = positions(bars_of(&bars, held));
    assert!(places.len() > 100);
    // In the hole, but for their ends in what holds them.
    let broken_off = broken.pieces.iter().filter(|piece| !piece.anchored);
    let (low, high) = broken_off.fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), piece| {
            let bounds = piece.colliders.bounds();
            (low.min(bounds.mins), high.max(bounds.maxs))
        },
    );
    let end = 4.0 * 0.012;
    for place in &places {
        let [x, y, z] = place.to_array();
        assert!(
            (low.x - end..high.x + end).contains(&x),
            "{place} {low} {high}"
        );
        assert!(
            (low.y - end..high.y + end).contains(&y),
            "{place} {low} {high}"
        );
        assert!(z > -0.4 && z < 0.1, "pushed to the back: {place}");
    }
    assert!(places.iter().any(|place| place.z < -0.08), "bent");
}

#[test]
fn a_wall_without_bars_shows_none() {
    let mut simulation = quiet();
    let plain = simulation.add(wall()).unwrap();
    let (broken, bars) = strike(&mut simulation, front_blow(plain, [0.0, 1.0, 0.1], 5000.0));
    assert!(bars.is_empty() && broken.pieces.iter().all(|piece| !piece.has_bars));
}

#[test]
fn a_free_wall_shows_bars_in_its_hole_as_a_held_one_does_and_rubble_has_none() {
    let shown = |anchors: Anchors| {
        let mut simulation = quiet();
        let body = Body {
            anchors,
            ..reinforced()
        };
        let id = simulation.add(body).unwrap();
        let (broken, bars) = strike(&mut simulation, front_blow(id, [0.0, 1.0, 0.1], 5000.0));
        let is_island = |kind| matches!(kind, PieceKind::Island { .. });
        for piece in &broken.pieces {
            assert!(!piece.has_bars || is_island(piece.kind), "{piece:?}");
        }
        let large = broken.pieces.iter().filter(|piece| piece.has_bars);
        let large = large.max_by(|a, b| a.kilograms.total_cmp(&b.kilograms));
        positions(bars_of(&bars, large.unwrap().body))
    };
    let free = shown(Anchors::free());
    assert!(free.len() > 100);
    assert!(free == shown(reinforced().anchors));
}

#[test]
fn a_block_that_a_blow_leaves_nothing_whole_of_has_bars_in_its_large_fragments() {
    let mut simulation = quiet();
    let mut body = reinforced();
    body.shape = Shape::new(Mesh::cuboid([0.6; 3]));
    body.anchors = Anchors::free();
    let id = simulation.add(body).unwrap();
    let impact = Impact {
        radius: Some(1.2),
        ..front_blow(id, [0.0, 0.0, 0.3], 5000.0)
    };
    let (broken, bars) = strike(&mut simulation, impact);
    let all: f64 = broken.pieces.iter().map(|piece| piece.kilograms).sum();
    let barred: Vec<&NewPiece> = broken
        .pieces
        .iter()
        .filter(|piece| piece.has_bars)
        .collect();
    assert!(barred.len() > 1 && barred.len() < broken.pieces.len());
    for piece in barred {
        let is_island = matches!(piece.kind, PieceKind::Island { .. });
        assert!(is_island || piece.kilograms > 0.02 * all, "{piece:?}");
        assert!(!positions(bars_of(&bars, piece.body)).is_empty());
    }
}

#[test]
fn parts_of_a_free_slab_have_what_is_in_them_with_ends_that_stick_out() {
    let mut simulation = quiet();
    let mut body = reinforced();
    body.anchors = Anchors::free();
    body.material.threshold_factor = 1.0;
    let id = simulation.add(body).unwrap();
    // All the way through.
    let impact = Impact {
        radius: Some(1.3),
        ..front_blow(id, [0.0, 1.0, 0.1], 50_000.0)
    };
    let (broken, bars) = strike(&mut simulation, impact);
    let parts = broken.pieces.iter().filter(|piece| piece.has_bars);
    let parts: Vec<&NewPiece> = parts.collect();
    assert_eq!(parts.len(), 3, "two corners and the other end");
    for part in parts {
        let bounds = part.colliders.bounds();
        let places = positions(bars_of(&bars, part.body));
        let away = |place: &&Vec3| {
            let nearest = place.clamp(bounds.mins, bounds.maxs);
            nearest.distance(**place) > 0.05
        };
        assert!(places.iter().filter(away).count() > 20, "ends stick out");
    }
    // What is struck again has its own bars, and rubble none.
    let rubble = broken.pieces.iter().filter(|piece| !piece.has_bars);
    let rubble = rubble.max_by(|a, b| a.kilograms.total_cmp(&b.kilograms));
    let rubble = rubble.unwrap();
    let blow = Impact {
        point: rubble
            .motion
            .pose
            .transform_point(rubble.mass.center.as_vec3()),
        ..front_blow(rubble.body, [0.0; 3], 50_000.0)
    };
    let (again, bars) = strike(&mut simulation, blow);
    assert!(bars.is_empty() && again.pieces.iter().all(|piece| !piece.has_bars));
}

#[test]
fn bare_bars_stay_while_the_hole_grows() {
    let mut simulation = quiet();
    let id = simulation.add(reinforced()).unwrap();
    let mut body = id;
    let mut last = 0;
    for x in [0.0, 0.35, -0.35] {
        let (broken, bars) = strike(&mut simulation, front_blow(body, [x, 1.0, 0.1], 4000.0));
        body = remainder(&broken);
        let count = bars_of(&bars, body).rods.triangles.len();
        assert!(count > last, "{count} after {last}");
        last = count;
    }
}

#[test]
fn a_blow_that_is_too_hard_tears_bars() {
    let ends = |energy: f32| {
        let mut simulation = quiet();
        let id = simulation.add(reinforced()).unwrap();
        let (broken, bars) = strike(&mut simulation, front_blow(id, [0.0, 1.0, 0.1], energy));
        let rods = &bars_of(&bars, remainder(&broken)).rods;
        // Each rod has two ends of six triangles.
        let axial = |normal: &&[f32; 3]| normal[2].abs() < 1e-3;
        (rods.normals.iter().filter(axial).count(), broken.radius)
    };
    let (whole, radius) = ends(2e5);
    let (torn, same_radius) = ends(4e6);
    assert_eq!(radius, same_radius, "of the largest radius");
    assert_ne!(whole, torn);
}

#[test]
fn a_body_that_has_no_room_for_bars_is_told_once_and_breaks_as_plain_concrete() {
    let mut simulation = quiet();
    let mut thick = reinforced();
    thick.material.bars.cover = 0.3;
    let id = simulation.add(thick).unwrap();
    let mut body = id;
    let mut told = Vec::new();
    for x in [0.0, 0.4] {
        simulation
            .impact(front_blow(body, [x, 1.0, 0.1], 4000.0))
            .unwrap();
        for event in (0..5)
            .flat_map(|_| step(&mut simulation))
            .collect::<Vec<_>>()
        {
            match event {
                Event::Broken(broken) => body = remainder(&broken),
                Event::NoRoomForBars { body } => told.push(body),
                Event::BarsBared(_) => panic!("there are none"),
                _ => {}
            }
        }
    }
    assert_ne!(body, id);
    assert_eq!(told, [id]);
}

/// The bars of the last event of the remainder of a body.
fn drawn(simulation: &mut Simulation, mut told: Vec<BareBars>) -> Vec<Vec3> {
    for _ in 0..3 {
        for event in step(simulation) {
            if let Event::BarsBared(new) = event {
                told.push(new);
            }
        }
    }
    positions(told.last().unwrap())
}

#[test]
fn saves_and_logs_have_the_same_bars() {
    let mut simulation = quiet();
    let id = simulation.add(reinforced()).unwrap();
    let (broken, _) = strike(&mut simulation, front_blow(id, [0.0, 1.0, 0.1], 5000.0));
    let held = remainder(&broken);
    let (_, bars) = strike(&mut simulation, front_blow(held, [0.5, 1.2, 0.1], 8000.0));
    let shown = drawn(&mut simulation, bars);
    let full = written_and_read(simulation.save(id));
    let compact = written_and_read(simulation.save_compact(id));
    for save in [full, compact] {
        let mut loaded = quiet();
        let restored = loaded.add(reinforced()).unwrap();
        loaded.restore(restored, &save).unwrap();
        assert!(drawn(&mut loaded, Vec::new()) == shown);
        // Later blows find the same bars.
        let saved: Vec<_> = loaded
            .save(restored)
            .pieces
            .into_iter()
            .map(|p| p.bars)
            .collect();
        assert_eq!(
            saved,
            save.pieces
                .iter()
                .map(|p| p.bars.clone())
                .collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_blade_cuts_bars_as_well() {
    let mut simulation = quiet();
    let id = simulation.add(reinforced()).unwrap();
    let cut = Impact::blade(id, Vec3::new(0.0, 1.0, 0.0), Vec3::Y);
    let (broken, bars) = strike(&mut simulation, cut);
    let held = remainder(&broken);
    let places = bars.iter().filter(|own| own.body == held).map(positions);
    assert_eq!(places.flatten().count(), 0);
}

#[test]
fn the_same_bars_for_any_number_of_threads() {
    let run = |threads: usize| {
        let mut simulation = with(Settings {
            threads,
            chain_breaks: 0,
            ..Settings::default()
        });
        let id = simulation.add(reinforced()).unwrap();
        let (_, bars) = strike(&mut simulation, front_blow(id, [0.3, 1.1, 0.1], 6000.0));
        bars.iter().map(positions).collect::<Vec<_>>()
    };
    let one = run(1);
    assert!(one == run(2) && one == run(0));
}
