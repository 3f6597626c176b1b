//! Concrete and stone: a blow makes one crater, wider in front, with a cone at the back where it goes through.

use fracture_simulation::geometry::glam::{DVec3, Vec3};
use fracture_simulation::geometry::{Fracture, Mesh, Pattern, Piece, Recipe, Solid, Workspace};
use fracture_simulation::pattern::{LazyPattern, PatternBreak, PatternFit, PatternUnit};
use fracture_simulation::Material;

/// Seeds of patterns.
const SEEDS: u64 = 12;

/// A wall and a block of concrete, whose front is at z = 0.
fn bodies() -> [(&'static str, [f32; 3]); 3] {
    [
        ("slab", [3.0, 3.0, 0.12]),
        ("wall", [4.0, 2.8, 0.2]),
        ("block", [3.0, 3.0, 2.0]),
    ]
}

fn solid([width, height, depth]: [f32; 3]) -> Solid {
    let mut mesh = Mesh::cuboid([width, height, depth]);
    for corner in &mut mesh.positions {
        corner[2] -= 0.5 * depth;
    }
    Solid::new(mesh).unwrap()
}

/// A blow with an energy (J) on concrete.
fn struck(solid: &Solid, seed: u64, [point, normal]: [DVec3; 2], energy: f32) -> Fracture {
    let recipe = Recipe::Crater {
        cells: 160,
        jitter: 0.6,
    };
    let concrete = Material {
        volume_per_energy: 1.0 / 20e3,
        min_radius: 0.15,
        max_radius: 1.2,
        ..Material::default()
    };
    let blow = PatternBreak {
        pattern: &LazyPattern::new(move || Pattern::from_recipe(&recipe, seed)),
        fit: PatternFit {
            unit: PatternUnit::Crater,
            ..PatternFit::IMPACT
        },
        point,
        normal,
        spin: seed as f64,
        radius: concrete.break_radius(energy),
        everywhere: false,
        weakness: None,
    };
    blow.run(solid, &mut Workspace::default()).unwrap().fracture
}

fn in_front(solid: &Solid, seed: u64, energy: f32) -> Fracture {
    struck(solid, seed, [DVec3::new(0.1, 0.2, 0.0), DVec3::Z], energy)
}

fn volume(fracture: &Fracture) -> f64 {
    fracture.fragments().map(|piece| piece.mass.volume).sum()
}

/// Area of fragments in the plane of a height, m^2.
fn area_at(fracture: &Fracture, z: f32) -> f64 {
    let own = |piece: &Piece| {
        let corner = |at: u32| Vec3::from(piece.vertices[at as usize].position);
        let triangles = piece.triangles.iter().map(|triangle| triangle.map(corner));
        triangles
            .map(|corners| f64::from(below(corners, z)))
            .sum::<f64>()
    };
    fracture.fragments().map(own).sum()
}

/// The part of the area of a section that is due to its edge below a triangle.
fn below(corners: [Vec3; 3], z: f32) -> f32 {
    let crossing = |a: Vec3, b: Vec3| {
        let crosses = (a.z < z) != (b.z < z);
        crosses.then(|| (a.lerp(b, (z - a.z) / (b.z - a.z)), a.z < z))
    };
    let [a, b, c] = corners;
    let crossings = [crossing(a, b), crossing(b, c), crossing(c, a)];
    let at = |upwards: bool| {
        let found = crossings.iter().flatten().find(|(_, up)| *up == upwards);
        found.map(|(at, _)| *at)
    };
    match (at(false), at(true)) {
        (Some(from), Some(to)) => 0.5 * (from.x * to.y - to.x * from.y),
        _ => 0.0,
    }
}

/// Whether all that breaks out of the largest remainder is connected with each other by contacts.
fn is_one(fracture: &Fracture) -> bool {
    let remainder = fracture.fragments().count();
    let mut reached = vec![false; fracture.pieces.len()];
    reached[remainder..]
        .iter_mut()
        .take(1)
        .for_each(|reached| *reached = true);
    let mut open = vec![0];
    while let Some(piece) = open.pop() {
        if std::mem::replace(&mut reached[piece], true) {
            continue;
        }
        for contact in &fracture.contacts {
            let [a, b] = contact.pieces.map(|at| at as usize);
            open.extend(
                [(a, b), (b, a)]
                    .iter()
                    .filter(|(own, _)| *own == piece)
                    .map(|pair| pair.1),
            );
        }
    }
    reached.into_iter().all(|reached| reached)
}

#[test]
fn a_blow_makes_one_crater() {
    let mut head = Mesh::sphere(0.4, 40, 20);
    for p in &mut head.positions {
        p[0] *= 1.0 + 0.35 * (7.0 * p[1]).sin();
    }
    let head = Solid::new(head).unwrap();
    for seed in 0..SEEDS {
        for energy in [200.0, 1e3, 6e3, 3e4] {
            for (name, size) in bodies() {
                let fracture = in_front(&solid(size), seed, energy);
                assert!(is_one(&fracture), "{name}, seed {seed}, {energy} J");
            }
            let blow = struck(&head, seed, [DVec3::Y * 0.4, DVec3::Y], energy);
            assert!(is_one(&blow), "head, seed {seed}, {energy} J");
        }
    }
}

#[test]
fn a_crater_is_wider_in_front_and_at_the_back_of_what_is_thin_than_in_between() {
    for (name, size) in bodies() {
        let solid = solid(size);
        for seed in 0..SEEDS {
            let fracture = in_front(&solid, seed, 6e3);
            let depth = size[2].min(0.2);
            let shares = [1e-3, 0.25, 0.5, 0.75, 1.0 - 1e-3];
            let areas = shares.map(|share| area_at(&fracture, -share * depth));
            let narrowest = areas.into_iter().fold(f64::INFINITY, f64::min);
            let [front, .., back] = areas;
            let is_thin = size[2] < 0.5;
            let widest = if is_thin { front.min(back) } else { front };
            assert!(
                widest > 1.2 * narrowest && narrowest > 0.0,
                "{name}, seed {seed}: {areas:?} m^2"
            );
            let behind = area_at(&fracture, 1e-3 - size[2]);
            assert!(is_thin == (behind > 0.0), "{name}, seed {seed}");
        }
    }
}

#[test]
fn craters_grow_with_the_energy_and_rubble_is_fine_at_the_impact() {
    for (name, size) in bodies() {
        let solid = solid(size);
        for seed in 0..SEEDS {
            let energies = [300.0, 1.5e3, 6e3, 30e3];
            let breaks = energies.map(|energy| in_front(&solid, seed, energy));
            let volumes = breaks.each_ref().map(volume);
            assert!(volumes.is_sorted(), "{name}, seed {seed}: {volumes:?}");
            assert!(
                volumes[3] > 1.5 * volumes[2],
                "{name}, seed {seed}: {volumes:?}"
            );
            let [_, _, _, hardest] = &breaks;
            let point = DVec3::new(0.1, 0.2, 0.0);
            let mean = |is_near: bool| {
                let fragments = hardest.fragments();
                let some: Vec<f64> = fragments
                    .filter(|piece| (piece.mass.center.distance(point) < 0.3) == is_near)
                    .map(|piece| piece.mass.volume)
                    .collect();
                some.iter().sum::<f64>() / some.len() as f64
            };
            let [near, far] = [mean(true), mean(false)];
            assert!(
                far > 4.0 * near,
                "{name}, seed {seed}: {near} and {far} m^3"
            );
        }
    }
}

#[test]
fn a_column_and_an_arm_break_through() {
    let mut round = Mesh::sphere(0.25, 32, 32);
    for corner in &mut round.positions {
        corner[1] *= 8.0;
    }
    for (name, mesh, half_width) in [
        ("pillar", Mesh::cuboid([0.5, 3.4, 0.5]), 0.25),
        ("column", round, 0.25),
        ("arm", Mesh::cuboid([0.12, 1.6, 0.1]), 0.05),
    ] {
        let solid = Solid::new(mesh).unwrap();
        for seed in 0..SEEDS {
            let blow = [DVec3::new(0.0, 0.1, half_width), DVec3::Z];
            let fracture = struck(&solid, seed, blow, 3.2e3);
            let sides = fracture.islands().map(|piece| piece.mass.center.y > 0.1);
            let sides: Vec<bool> = sides.collect();
            assert!(
                sides.contains(&true) && sides.contains(&false),
                "{name}, seed {seed}: {sides:?}"
            );
        }
    }
}
