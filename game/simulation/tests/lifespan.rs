//! Ends of pieces: lifetimes, budgets, dust.

use fracture_simulation::geometry::{glam::Vec3, Pattern, Recipe};
use fracture_simulation::{
    external::ExternalBody,
    pattern::{LazyPattern, PatternFit},
    Body, BodyError, Broken, DebrisLifetime, Event, Impact, RemoveReason, Settings, SharedShape,
    Simulation, TaskOutput,
};

use crate::setup::{at, broken, cube, impact_at, step, waiting, with, DT};

/// A simulation with a floor, and a cube on it whose pieces have the given lifetime.
fn on_a_floor(settings: Settings, lifetime: DebrisLifetime) -> (Simulation, Broken) {
    let mut simulation = with(settings);
    let ground = SharedShape::cuboid(20.0, 0.5, 20.0);
    let ground = ExternalBody::fixed(ground, at(0.0, -0.5, 0.0));
    simulation.set_external_body(1, ground).unwrap();
    let block = Body {
        motion: at(0.0, 0.5, 0.0),
        lifetime,
        ..cube()
    };
    let id = simulation.add(block).unwrap();
    let wide = Impact {
        radius: Some(3.0),
        ..impact_at(id, [0.0, 1.0, 0.0])
    };
    simulation.impact(wide).unwrap();
    let broken = broken(&mut simulation);
    (simulation, broken)
}

fn lasting(lifetime: f32) -> DebrisLifetime {
    DebrisLifetime {
        lifetime,
        ..DebrisLifetime::default()
    }
}

/// Seconds after which each piece was removed, all for the same reason.
fn ends(simulation: &mut Simulation, reason: RemoveReason, frames: u32) -> Vec<f32> {
    let mut ends = Vec::new();
    for frame in 1..=frames {
        for event in step(simulation) {
            if let Event::Removed { reason: why, .. } = event {
                assert_eq!(why, reason);
                ends.push(frame as f32 * DT);
            }
        }
    }
    ends
}

#[test]
fn pieces_at_rest_go_when_their_time_has_come_and_not_all_at_once() {
    let (mut simulation, broken) = on_a_floor(Settings::default(), lasting(10.0));
    let ends = ends(&mut simulation, RemoveReason::Lifetime, 60 * 21);
    assert_eq!(ends.len(), broken.pieces.len());
    let first = ends.first().unwrap();
    let last = ends.last().unwrap();
    assert!(*first > 9.9 && *last < 20.1, "{ends:?}");
    assert!(last - first > 1.0, "{ends:?}");
    let statistics = simulation.statistics();
    let left = (statistics.debris, statistics.triangles, statistics.frozen);
    assert_eq!(left, (0, 0, 0));
    assert_eq!(statistics.removed, ends.len() as u64);
}

#[test]
fn moving_pieces_live_twice_as_long() {
    let mut simulation = waiting();
    let body = Body {
        lifetime: lasting(2.0),
        ..cube()
    };
    let id = simulation.add(body).unwrap();
    simulation.impact(impact_at(id, [0.0, 0.5, 0.0])).unwrap();
    let pieces = broken(&mut simulation).pieces.len();
    let ends = ends(&mut simulation, RemoveReason::Lifetime, 60 * 7);
    assert_eq!(ends.len(), pieces);
    assert!(ends.iter().all(|end| (3.9..=5.8).contains(end)), "{ends:?}");
}

#[test]
fn pieces_of_pieces_start_anew_and_last_as_long() {
    let (mut simulation, first) = on_a_floor(Settings::default(), lasting(10.0));
    (0..480).for_each(|_| _ = step(&mut simulation));
    let piece = &first.pieces[0];
    let center = simulation.motion(piece.body).unwrap().pose;
    let center = center.transform_point(piece.mass.center.as_vec3());
    simulation
        .impact(impact_at(piece.body, center.to_array()))
        .unwrap();
    let young = broken(&mut simulation).pieces.len();
    let ends = ends(&mut simulation, RemoveReason::Lifetime, 60 * 27);
    let late = ends.iter().filter(|end| **end > 9.8).count();
    assert!(late >= young, "{late} of {young}: {ends:?}");
    assert_eq!(simulation.statistics().debris, 0);
}

#[test]
fn triangles_have_a_budget_too() {
    let unlimited = Settings::default();
    let (simulation, broken) = on_a_floor(unlimited, DebrisLifetime::default());
    let all = simulation.statistics().triangles;
    let count = |piece: &fracture_simulation::NewPiece| {
        piece.shape.with_mesh(|mesh| mesh.triangles.len() as u64)
    };
    assert_eq!(all, broken.pieces.iter().map(count).sum::<u64>());
    let limited = Settings {
        max_triangles: all / 2,
        ..Settings::default()
    };
    let (mut simulation, _) = on_a_floor(limited, DebrisLifetime::default());
    let statistics = simulation.statistics();
    assert!(statistics.triangles <= all / 2, "{statistics:?}");
    assert!(statistics.removed > 0 && statistics.debris > 0);
    // No more pieces are removed than the budget asks for.
    assert!(statistics.triangles > all / 3, "{statistics:?}");
    assert!(ends(&mut simulation, RemoveReason::Budget, 60).is_empty());
}

/// Length of the longest side of a piece.
fn size(piece: &fracture_simulation::NewPiece) -> f32 {
    piece.shape.with_mesh(|mesh| {
        let side = |axis: usize| {
            let along = mesh.positions.iter().map(|p| p[axis]);
            along.clone().fold(f32::MIN, f32::max) - along.fold(f32::MAX, f32::min)
        };
        side(0).max(side(1)).max(side(2))
    })
}

#[test]
fn tiny_pieces_are_dust_that_take_their_part_of_everything() {
    let (_, whole) = on_a_floor(Settings::default(), DebrisLifetime::default());
    let mut sizes: Vec<f32> = whole.pieces.iter().map(size).collect();
    sizes.sort_by(f32::total_cmp);
    let tiny = DebrisLifetime {
        dust_size: sizes[sizes.len() / 2],
        ..DebrisLifetime::default()
    };
    let (simulation, broken) = on_a_floor(Settings::default(), tiny);
    assert!(!broken.dust.is_empty());
    assert_eq!(broken.pieces.len() + broken.dust.len(), whole.pieces.len());
    assert!(broken
        .pieces
        .iter()
        .all(|piece| size(piece) >= tiny.dust_size));
    let dust: f64 = broken.dust.iter().map(|c| f64::from(c.volume)).sum();
    let pieces: f64 = broken.pieces.iter().map(|p| p.mass.volume).sum();
    assert!((dust + pieces - 1.0).abs() < 1e-4);
    // Pieces and dust together have the momentum of the impact.
    let density = f64::from(cube().material.density);
    let own = |v: Vec3, volume: f64| v.as_dvec3() * volume * density;
    let momentum = broken
        .pieces
        .iter()
        .map(|p| own(p.motion.linear, p.mass.volume))
        .chain(
            broken
                .dust
                .iter()
                .map(|c| own(c.velocity, f64::from(c.volume))),
        )
        .fold(
            Default::default(),
            |a: fracture_simulation::geometry::glam::DVec3, b| a + b,
        );
    assert!((momentum.y + 50.0).abs() < 0.05, "{momentum}");
    assert_eq!(
        simulation.statistics().dust_particles,
        broken.dust.len() as u64
    );
}

#[test]
fn of_a_great_many_pieces_the_smallest_are_dust() {
    let mut simulation = waiting();
    let recipe = Recipe::Uniform { cells: 8000 };
    let many = Body {
        pattern: LazyPattern::new(move || Pattern::from_recipe(&recipe, 1)),
        fit: PatternFit::BODY,
        ..cube()
    };
    let id = simulation.add(many).unwrap();
    let wide = Impact {
        radius: Some(3.0),
        ..impact_at(id, [0.0, 0.5, 0.0])
    };
    simulation.impact(wide).unwrap();
    let broken = broken(&mut simulation);
    assert_eq!(broken.pieces.len(), 1024);
    assert!(broken.dust.len() > 500, "{}", broken.dust.len());
    let bodies = broken.pieces.iter().map(|p| p.mass.volume as f32);
    let smallest = bodies.fold(f32::MAX, f32::min);
    assert!(broken
        .dust
        .iter()
        .all(|particle| particle.volume <= smallest));
    let dust: f64 = broken.dust.iter().map(|c| f64::from(c.volume)).sum();
    let pieces: f64 = broken.pieces.iter().map(|p| p.mass.volume).sum();
    assert!((dust + pieces - 1.0).abs() < 1e-4, "{dust} + {pieces}");
}

#[test]
fn the_largest_piece_is_a_body_whatever_its_size() {
    let all = DebrisLifetime {
        dust_size: 1e6,
        ..DebrisLifetime::default()
    };
    let (mut simulation, broken) = on_a_floor(Settings::default(), all);
    assert_eq!(broken.pieces.len(), 1);
    let largest = broken.pieces[0].mass.volume as f32;
    assert!(broken
        .dust
        .iter()
        .all(|particle| particle.volume <= largest));
    let past = simulation.save_compact(broken.body);
    assert_eq!(past.pieces.len(), 1);
    (0..60).for_each(|_| _ = step(&mut simulation));
}

#[test]
fn invalid_lifetimes_are_refused() {
    let mut simulation = waiting();
    let id = simulation.add(cube()).unwrap();
    for (lifetime, dust_size) in [
        (0.0, 0.0),
        (-1.0, 0.0),
        (f32::NAN, 0.0),
        (1.0, -1.0),
        (1.0, f32::NAN),
        (1.0, f32::INFINITY),
    ] {
        let lifetime = DebrisLifetime {
            lifetime,
            dust_size,
        };
        let refused = simulation.add(Body { lifetime, ..cube() });
        assert!(matches!(refused, Err(BodyError::Material { .. })));
        assert!(simulation.set_lifetime(id, lifetime).is_err());
    }
    assert!(simulation.set_lifetime(id, lasting(f32::MAX)).is_ok());
}

#[test]
fn who_settles_and_who_is_freed_is_told() {
    let (mut simulation, broken) = on_a_floor(Settings::default(), DebrisLifetime::default());
    let mut settled = std::collections::BTreeSet::new();
    let mut follow = |simulation: &mut Simulation| {
        step(simulation);
        for (body, fixed) in simulation.freeze_changes() {
            let changed = if fixed {
                settled.insert(body)
            } else {
                settled.remove(&body)
            };
            assert!(changed, "{body:?} {fixed}");
        }
        assert_eq!(settled.len(), simulation.statistics().frozen);
    };
    (0..900).for_each(|_| follow(&mut simulation));
    assert_eq!(simulation.statistics().frozen, broken.pieces.len());
    simulation.set_gravity(Vec3::new(0.0, 1.0, 0.0));
    (0..3).for_each(|_| follow(&mut simulation));
    assert_eq!(simulation.statistics().frozen, 0);
}

#[test]
fn errands_are_run_and_a_panic_is_nothing_worse() {
    let mut simulation = waiting();
    let fine = simulation.spawn_task(async { Box::new(41 + 1) as TaskOutput });
    let fine = fine.unwrap();
    let bad = simulation
        .spawn_task(async { panic!("on purpose") })
        .unwrap();
    step(&mut simulation);
    let found: Vec<_> = simulation.drain_tasks().collect();
    let [(first, Some(number)), (second, None)] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!((*first, *second), (fine, bad));
    assert_eq!(number.downcast_ref::<i32>(), Some(&42));
    assert!(simulation.is_idle());
}
