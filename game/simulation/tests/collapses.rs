//! Collapses of bodies that are broken by impacts.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::geometry::hulls::HULL_TOLERANCE;
use fracture_simulation::geometry::Mesh;
use fracture_simulation::{
    Anchors, Body, BodyId, BodyKind, Broken, Cause, Event, Impact, NewPiece, Simulation,
};

use crate::craters::fit;
use crate::gentle_breaks::{center, energy};
use crate::setup::{body, impact_at, just_broken, step, waiting};
use crate::weight::{cantilever, collapse, cuboid, of_strength, solved};

/// The closed surface of filled boxes between grid planes.
pub fn blocks(planes: [&[f32]; 3], filled: impl Fn([usize; 3]) -> bool) -> Mesh {
    let counts = planes.map(|planes| planes.len() - 1);
    let is_filled = |at: [i32; 3]| {
        let inside = (0..3).all(|k| at[k] >= 0 && (at[k] as usize) < counts[k]);
        inside && filled(at.map(|k| k as usize))
    };
    let mut mesh = Mesh::default();
    let all = (0..counts[0]).flat_map(|x| (0..counts[1]).map(move |y| (x, y)));
    for [x, y, z] in all.flat_map(|(x, y)| (0..counts[2]).map(move |z| [x, y, z])) {
        let at = [x as i32, y as i32, z as i32];
        for (axis, step) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
            let mut beside = at;
            beside[axis] += 2 * step - 1;
            if !is_filled(at) || is_filled(beside) {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let first = mesh.positions.len() as u32;
            for (du, dv) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                let mut corner = at.map(|k| k as usize);
                corner[axis] += step as usize;
                corner[u] += du;
                corner[v] += dv;
                mesh.positions.push([0, 1, 2].map(|k| planes[k][corner[k]]));
            }
            let quad = if step == 1 {
                [[0, 1, 2], [0, 2, 3]]
            } else {
                [[0, 2, 1], [0, 3, 2]]
            };
            mesh.triangles
                .extend(quad.map(|t: [u32; 3]| t.map(|v| first + v)));
        }
    }
    mesh
}

pub fn impact_with_radius(body: BodyId, point: [f32; 3], radius: f32) -> Impact {
    Impact {
        radius: Some(radius),
        impulse: Vec3::new(0.0, 0.0, -30.0),
        normal: Vec3::Z,
        ..impact_at(body, point)
    }
}

/// The collapses that follow from an impact on a body; waits until no more events come.
pub fn break_and_collapse(simulation: &mut Simulation, at: Impact) -> Vec<Broken> {
    simulation.impact(at).unwrap();
    let mut hits = 0;
    let mut collapses = Vec::new();
    for _ in 0..8 {
        for event in step(simulation) {
            match event {
                Event::Broken(broken) if broken.cause == Cause::Weight => collapses.push(*broken),
                Event::Broken(_) => hits += 1,
                Event::BreakFailed { reason, .. } => panic!("{reason}"),
                _ => {}
            }
        }
    }
    assert!(hits > 0);
    collapses
}

/// A table of stone, 1.2 x 0.8 m, on four legs of 8 cm that stand in the ground.
pub fn table() -> Body {
    let x = [-0.6, -0.54, -0.46, 0.46, 0.54, 0.6];
    let z = [-0.4, -0.34, -0.26, 0.26, 0.34, 0.4];
    let leg = |k: usize| k == 1 || k == 3;
    let mesh = blocks([&x, &[0.0, 0.7, 0.76], &z], |[x, y, z]| {
        y == 1 || leg(x) && leg(z)
    });
    Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -0.1, -1.0),
            Vec3::new(1.0, 0.03, 1.0),
        ]]),
        ..of_strength(body(mesh), 3e6)
    }
}

#[test]
fn a_table_comes_down_with_its_third_leg() {
    let (mut simulation, id, support) = solved(table());
    assert!(
        support.weakest().unwrap().utilisation < 0.5,
        "it stands on four"
    );
    for [x, z] in [[-0.5, -0.3], [0.5, 0.3]] {
        let collapses = break_and_collapse(
            &mut simulation,
            impact_with_radius(id, [x, 0.35, z + 0.04], 0.12),
        );
        assert!(collapses.is_empty(), "it stands on two that are opposite");
    }
    let collapses = break_and_collapse(
        &mut simulation,
        impact_with_radius(id, [0.5, 0.35, -0.26], 0.12),
    );
    assert_eq!(collapses.len(), 1);
    let pieces = collapses[0].pieces.iter();
    let top = pieces
        .max_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume))
        .unwrap();
    assert!(!top.anchored && top.mass.volume > 0.05, "{top:?}");
    let before = top.center().y;
    for _ in 0..40 {
        step(&mut simulation);
    }
    let pose = simulation.motion(top.body).unwrap().pose;
    let after = pose.transform_point(top.mass.center.as_vec3()).y;
    assert!(after < before - 0.2, "from {before} to {after}");
}

/// A bridge of 6 m, anchored at both ends.
fn bridge(strength: f32) -> Body {
    let end = |x: f32| [Vec3::new(x - 1.0, -9.0, -9.0), Vec3::new(x + 1.0, 9.0, 9.0)];
    Body {
        anchors: Anchors::boxes(vec![end(-3.99), end(3.99)]),
        ..of_strength(
            body(cuboid([-3.0, -0.25, -0.5], [3.0, 0.25, 0.5])),
            strength,
        )
    }
}

#[test]
fn a_bridge_cut_in_the_middle_stays_on_both_sides_if_it_is_strong() {
    // Each half is a cantilever of 2.5 m: its root bears 0.9 MPa.
    for (strength, stays) in [(3e6, true), (0.4e6, false)] {
        let mut simulation = waiting();
        let id = simulation.add(bridge(strength)).unwrap();
        let collapses = break_and_collapse(
            &mut simulation,
            impact_with_radius(id, [0.0, 0.0, 0.5], 0.6),
        );
        assert_eq!(collapses.is_empty(), stays, "{strength} Pa");
        let remainders = simulation.descendants(id).into_iter();
        let remainders = remainders.filter(|&id| simulation.kind(id) == Some(BodyKind::Remainder));
        let left: f64 = remainders
            .map(|id| simulation.shape(id).unwrap().solid().unwrap().mass().volume)
            .sum();
        assert_eq!(left > 2.0, stays, "{left} m^3 of 3 stay");
    }
}

#[test]
fn a_column_whose_foot_is_cut_to_a_neck_falls() {
    let mesh = cuboid([-0.2, 0.0, -0.2], [0.2, 4.0, 0.2]);
    let column = |strength| Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -1.0, -1.0),
            Vec3::new(1.0, 0.05, 1.0),
        ]]),
        ..of_strength(body(mesh.clone()), strength)
    };
    // Impacts from three sides, until the body falls.
    let bites = |strength: f32| {
        let mut simulation = waiting();
        let id = simulation.add(column(strength)).unwrap();
        let mut collapses = Vec::new();
        for at in [[0.0, 0.6, 0.2], [0.16, 0.6, 0.0], [-0.16, 0.6, 0.05]] {
            if collapses.is_empty() {
                collapses = break_and_collapse(&mut simulation, impact_with_radius(id, at, 0.14));
            }
        }
        collapses
    };
    assert!(bites(1e9).is_empty(), "something is left to stand on");
    let collapses = bites(0.2e6);
    let fallen = collapses
        .iter()
        .flat_map(|c| &c.pieces)
        .filter(|piece| !piece.anchored);
    let largest = fallen.map(|piece| piece.mass.volume).fold(0.0, f64::max);
    assert!(largest > 0.4, "{largest} m^3 of 0.64 fall as one");
}

#[test]
fn a_cavity_is_nothing_that_could_fall() {
    let planes: &[f32] = &[-0.5, -0.3, 0.3, 0.5];
    let mesh = blocks([planes; 3], |at| at != [1, 1, 1]);
    let hollow = Body {
        anchors: Anchors::boxes(vec![[Vec3::splat(-1.0), Vec3::new(1.0, -0.45, 1.0)]]),
        ..of_strength(body(mesh), 3e6)
    };
    let mut simulation = waiting();
    let id = simulation.add(hollow).unwrap();
    let collapses = break_and_collapse(
        &mut simulation,
        impact_with_radius(id, [0.5, 0.5, 0.5], 0.1),
    );
    assert!(collapses.is_empty());
    assert_eq!(simulation.statistics().remainders, 1);
}

#[test]
fn an_impact_in_the_same_frame_goes_before_the_weight() {
    let mut simulation = waiting();
    let id = simulation
        .add(of_strength(cantilever(4.0, 0.3, 0.3), 1e6))
        .unwrap();
    simulation.solve_stress(id).unwrap();
    simulation
        .impact(impact_with_radius(id, [3.8, 0.0, 0.15], 0.1))
        .unwrap();
    let first = just_broken(&mut simulation);
    assert_eq!(first.cause, Cause::Impact);
    let second = collapse(&mut simulation).unwrap();
    assert!(first.pieces.iter().any(|piece| piece.body == second.body));
    assert_eq!(
        simulation.solve_stress(id),
        Err(fracture_simulation::BodyError::Unknown)
    );
}

#[test]
fn a_pillar_keeps_its_foot_wherever_it_is_hit() {
    let mut collapses = 0;
    for k in 0..12 {
        let at = 0.4 + 0.02 * k as f32;
        let column = Body {
            anchors: Anchors::from_bounds(|[low, high]| vec![[low, high.with_y(low.y + 0.02)]]),
            seed: k,
            ..of_strength(body(cuboid([-0.15, 0.0, -0.15], [0.15, 3.5, 0.15])), 2e5)
        };
        let mut simulation = waiting();
        let id = simulation.add(column).unwrap();
        for collapse in break_and_collapse(
            &mut simulation,
            impact_with_radius(id, [0.0, at, 0.15], 0.26),
        ) {
            collapses += 1;
            let held = collapse.pieces.iter().filter(|piece| piece.anchored);
            assert!(held.count() > 0, "{k}: its foot went with it, {collapse:?}");
            let free = collapse.pieces.iter().filter(|piece| !piece.anchored);
            assert!(free.count() > 0, "{k}");
        }
    }
    assert!(collapses > 3, "{collapses}");
}

/// All pieces that fall when a body of some strength is hit at some points.
fn collapses(body: Body, impacts: &[([f32; 3], f32)]) -> Vec<Broken> {
    let mut simulation = waiting();
    let id = simulation.add(body).unwrap();
    let hits = impacts
        .iter()
        .map(|(point, radius)| impact_with_radius(id, *point, *radius));
    hits.flat_map(|hit| break_and_collapse(&mut simulation, hit))
        .collect()
}

#[test]
fn falling_pieces_fit_their_hulls() {
    let legs = [([-0.5, 0.35, -0.26], 0.12), ([0.5, 0.35, 0.34], 0.12)];
    let third = ([0.5, 0.35, -0.26], 0.12);
    let column = Body {
        anchors: Anchors::boxes(vec![[
            Vec3::new(-1.0, -1.0, -1.0),
            Vec3::new(1.0, 0.05, 1.0),
        ]]),
        ..of_strength(body(cuboid([-0.2, 0.0, -0.2], [0.2, 4.0, 0.2])), 0.2e6)
    };
    let bites = [([0.0, 0.6, 0.2], 0.14), ([0.16, 0.6, 0.0], 0.14)];
    let beam = of_strength(cantilever(3.0, 0.3, 0.3), 0.5e6);
    let cases = [
        ("table", table(), vec![legs[0], legs[1], third]),
        ("bridge", bridge(0.4e6), vec![([0.0, 0.0, 0.5], 0.6)]),
        ("column", column, bites.to_vec()),
        ("beam", beam, vec![([2.9, 0.0, 0.15], 0.1)]),
    ];
    for (name, body, impacts) in cases {
        let mut fallen = 0;
        for broken in collapses(body, &impacts) {
            assert_eq!((broken.boxed_hulls, broken.loose_hulls), (0, 0), "{name}");
            for piece in broken.pieces.iter().filter(|piece| !piece.anchored) {
                let fit = fit(piece);
                assert!(
                    fit.protrusion <= HULL_TOLERANCE,
                    "{name}, {:?}: {fit:?}",
                    piece.kind
                );
                assert!(fit.uncovered <= 0.01, "{name}, {:?}: {fit:?}", piece.kind);
                fallen += 1;
            }
            assert!(broken.hulls < 100, "{name}: {} hulls", broken.hulls);
        }
        assert!(fallen > 0, "{name}");
    }
}

#[test]
fn the_halves_of_a_beam_that_snaps_neither_jam_nor_fly_apart() {
    for length in [3.0, 6.0] {
        let mut simulation = waiting();
        let beam = of_strength(cantilever(length, 0.3, 0.3), 0.4e6);
        let id = simulation.add(beam).unwrap();
        simulation.solve_stress(id).unwrap();
        let broken = collapse(&mut simulation).unwrap();
        let free = broken.pieces.iter().filter(|piece| !piece.anchored);
        let by_volume = |a: &&_, b: &&_| volume(a).total_cmp(&volume(b));
        let largest = free.max_by(by_volume).unwrap();
        let start = (center(&simulation, largest).y, energy(&simulation, &broken));
        for frame in 0..60 {
            step(&mut simulation);
            let gained = energy(&simulation, &broken) - start.1;
            assert!(
                gained < 1e-3 * 9.81 * largest.kilograms,
                "{frame}: {gained} J"
            );
        }
        let fallen = start.0 - center(&simulation, largest).y;
        assert!(fallen > 1.0, "{length} m: {fallen} m");
    }
}

fn volume(piece: &NewPiece) -> f64 {
    piece.mass.volume
}
