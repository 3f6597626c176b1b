//! Places of a body that are painted weak: they break by weaker blows, farther, into smaller pieces, and tear first.

use std::sync::Arc;

use fracture_simulation::geometry::glam::{DVec3, Vec3};
use fracture_simulation::geometry::{Mesh, Weakness};
use fracture_simulation::pattern::PaintedWeakness;
use fracture_simulation::{Body, BodyId, Broken, Impact, Material, Settings, Simulation};

use crate::setup::{
    breaks_among, front_blow, piece_hashes, remainder, step, strike, waiting, wall, with,
};
use crate::weight::{cantilever, cuboid, of_strength, solved};

/// The share of the impulse that a break takes at a place that is painted black.
const LEAST_SHARE: f32 = 0.316_227_77;

/// A body with a mesh of its own, painted by place: 0 is white, 1 black.
fn painted(body: Body, mesh: Mesh, paint: impl Fn(DVec3) -> f64 + Send + Sync + 'static) -> Body {
    let weakness = PaintedWeakness::in_steps(async move {
        let place = |corners: [u32; 3], weights: [f64; 3]| {
            let corners = corners.map(|corner| mesh.positions[corner as usize].map(f64::from));
            let shares = corners.into_iter().zip(weights);
            let place = shares.map(|(corner, weight)| DVec3::from_array(corner) * weight);
            paint(place.sum())
        };
        Weakness::of_paint_in_steps(&mesh, place).await
    });
    Body {
        weakness: Some(Arc::new(weakness)),
        ..body
    }
}

/// The wall, whose right half is weak.
fn half_weak() -> Body {
    painted(wall(), wall_mesh(), |place| {
        f64::from(u8::from(place.x > 0.0))
    })
}

fn wall_mesh() -> Mesh {
    cuboid([-2.0, 0.0, -0.1], [2.0, 2.0, 0.1])
}

/// A blow from the front, in parts of the wall's damage threshold.
fn blow(body: BodyId, x: f32, severity: f32) -> Impact {
    Impact {
        impulse: Vec3::NEG_Z * (20.0 * severity),
        ..front_blow(body, [x, 1.0, 0.1], 200.0)
    }
}

fn breaks(simulation: &mut Simulation, impact: Impact) -> bool {
    strike(simulation, impact).0.is_some()
}

#[test]
fn a_weak_place_breaks_by_a_third_of_the_impulse_and_a_firm_one_does_not() {
    // In the first step nobody knows yet what is painted.
    for steps_before in [0, 3] {
        for (x, severity, wanted) in [
            (1.0, 1.05 * LEAST_SHARE, true),
            (1.0, 0.95 * LEAST_SHARE, false),
            (-1.0, 0.99, false),
            (-1.0, 1.01, true),
        ] {
            let mut simulation = waiting();
            let id = simulation.add(half_weak()).unwrap();
            for _ in 0..steps_before {
                step(&mut simulation);
            }
            let found = breaks(&mut simulation, blow(id, x, severity));
            assert_eq!(found, wanted, "{steps_before} {x} {severity}");
        }
    }
}

#[test]
fn a_threshold_that_follows_from_the_size_is_lower_at_a_weak_place() {
    let mut simulation = waiting();
    let unset = |body: Body| Body {
        material: Material {
            damage_threshold: None,
            ..body.material
        },
        ..body
    };
    let id = simulation.add(unset(half_weak())).unwrap();
    assert_eq!(simulation.damage_threshold(&blow(id, 1.0, 1.0)), None);
    step(&mut simulation);
    step(&mut simulation);
    let threshold = |x| simulation.damage_threshold(&blow(id, x, 1.0)).unwrap();
    let ratio = threshold(1.0) / threshold(-1.0);
    assert!((ratio - LEAST_SHARE).abs() < 1e-4, "{ratio}");
}

/// The break of a blow of some energy.
fn broken(body: Body, x: f32, energy: f32) -> Broken {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    let impact = Impact {
        energy,
        ..blow(id, x, 1.5)
    };
    strike(&mut simulation, impact).0.unwrap()
}

#[test]
fn a_weak_place_breaks_farther_and_into_smaller_pieces() {
    let free = |broken: &Broken| {
        let pieces = broken.pieces.iter().filter(|piece| !piece.anchored);
        let volumes: Vec<f64> = pieces.map(|piece| piece.mass.volume).collect();
        (volumes.len() as f64, volumes.iter().sum::<f64>())
    };
    for energy in [50.0, 300.0] {
        let [firm, weak] = [-1.0, 1.0].map(|x| free(&broken(half_weak(), x, energy)));
        let usual = free(&broken(wall(), 1.0, energy));
        // The pattern is turned alike, as if the other half were not there.
        assert!(
            firm.1 < 1.2 * usual.1 && usual.1 < 1.2 * firm.1,
            "{firm:?} {usual:?}"
        );
        assert!(weak.1 > 2.0 * usual.1, "{energy}: {weak:?} {usual:?}");
        let [weak_mean, usual_mean] = [weak, usual].map(|(count, volume)| volume / count);
        assert!(
            weak_mean < 0.75 * usual_mean,
            "{energy}: {weak_mean} {usual_mean}"
        );
    }
}

#[test]
fn a_painted_break_is_the_same_for_any_number_of_threads_and_from_a_save() {
    let hashes = |threads: usize| {
        let mut simulation = with(Settings {
            threads,
            ..Settings::default()
        });
        let id = simulation.add(half_weak()).unwrap();
        for x in [0.7, 0.2, -0.3] {
            strike(&mut simulation, blow(id, x, 1.5));
        }
        (piece_hashes(&simulation, id), simulation, id)
    };
    let (first, simulation, id) = hashes(0);
    for threads in [1, 2] {
        assert_eq!(hashes(threads).0, first, "{threads}");
    }
    for save in [simulation.save(id), simulation.save_compact(id)] {
        let mut loaded = waiting();
        let id = loaded.add(half_weak()).unwrap();
        loaded.restore(id, &save).unwrap();
        for _ in 0..5 {
            step(&mut loaded);
        }
        assert_eq!(piece_hashes(&loaded, id), first);
    }
}

#[test]
fn what_stays_of_a_body_is_as_weak_as_it_was() {
    let mut simulation = waiting();
    let id = simulation.add(half_weak()).unwrap();
    let (first, _) = strike(&mut simulation, blow(id, -1.5, 1.5));
    let rest = remainder(&first.unwrap());
    assert!(!breaks(&mut simulation, blow(rest, -0.8, 0.5)));
    assert!(breaks(&mut simulation, blow(rest, 1.5, 0.5)));
}

#[test]
fn a_beam_tears_where_it_is_weak() {
    let beam = || cantilever(2.0, 0.3, 0.3);
    let mesh = || cuboid([0.0, -0.15, -0.15], [2.0, 0.15, 0.15]);
    let (_, _, support) = solved(of_strength(beam(), 1e12));
    // It bears its weight with a tenth to spare.
    let strength = 1.1 * 1e12 * support.weakest().unwrap().utilisation;
    let collapse = |body: Body| {
        let mut simulation = waiting();
        let id = simulation.add(of_strength(body, strength)).unwrap();
        simulation.solve_stress(id).unwrap();
        let events = (0..5).flat_map(|_| step(&mut simulation));
        breaks_among(events).map(|broken| broken.pieces).last()
    };
    assert!(collapse(beam()).is_none());
    // Where the moment is half of that at the root.
    let ring = painted(beam(), mesh(), |place| {
        f64::from(u8::from((place.x - 0.5).abs() < 0.1))
    });
    let pieces = collapse(ring).unwrap();
    let held = pieces.iter().find(|piece| piece.anchored).unwrap();
    let length = held.mass.volume / 0.09;
    assert!((length - 0.5).abs() < 0.15, "{length}");
    let grey = painted(beam(), mesh(), |place| {
        0.1 * f64::from(u8::from((place.x - 0.5).abs() < 0.1))
    });
    assert!(collapse(grey).is_none());
}
