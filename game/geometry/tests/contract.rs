//! Seeded sweeps over solids, patterns, impacts and alignments.

use crate::check::{self, all, broken, in_box, near, random};
use crate::solids;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    Aabb, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid,
};
use glam::{DMat3, DVec3, Mat3, Vec3};
use rand::Rng;

fn uniform(cells: u32, seed: u64) -> Pattern {
    let sites = Recipe::Uniform { cells }.sites(seed).expect("sites");
    let half: Vec<DVec3> = sites.into_iter().map(|site| site * 0.55).collect();
    Pattern::from_sites(&half).expect("a pattern")
}

#[test]
fn every_solid_falls_into_closed_pieces() {
    for (name, mesh) in solids::all() {
        let solid = check::solid(mesh);
        for (cells, seed) in [(2, 1), (20, 2), (100, 3)] {
            broken(
                &format!("{name} x {cells}"),
                &solid,
                &uniform(cells, seed),
                &all(),
            );
        }
    }
}

#[test]
fn every_solid_breaks_around_an_impact() {
    let recipe = |cells, falloff| Recipe::Clustered { cells, falloff };
    for (name, mesh) in solids::all() {
        let solid = check::solid(mesh);
        let mut random = random(11);
        for seed in 0..12u64 {
            let cells = random.random_range(2..80);
            let pattern = Pattern::from_recipe(&recipe(cells, 1.0), seed).expect("a pattern");
            let triangle = random.random_range(0..solid.mesh().triangles.len());
            let corner = solid.mesh().triangles[triangle][0] as usize;
            let point = Vec3::from(solid.mesh().positions[corner]).as_dvec3();
            let scale = random.random_range(0.3..1.5);
            let spin = random.random_range(0.0..6.0);
            let cut = FractureParams {
                placement: Placement::at_impact(point, in_box(&mut random), spin, scale),
                selection: CellSelection::Within {
                    point,
                    radius: random.random_range(0.02..0.5),
                },
            };
            broken(&format!("{name} hit {seed}"), &solid, &pattern, &cut);
        }
    }
}

#[test]
fn what_is_not_reached_stays_one_piece_without_seams() {
    let solid = check::solid(Mesh::cuboid([1.0; 3]));
    let pattern = uniform(100, 4);
    let cut = near(DVec3::new(0.5, 0.5, 0.5), 0.1);
    let result = broken("corner of a cube", &solid, &pattern, &cut);
    assert_eq!(result.islands().count(), 1);
    let island = result.islands().next().expect("an island");
    let faces = island.surfaces.iter().filter(|s| **s == 0).count();
    // Three faces of the cube are untouched: two triangles each.
    assert!(faces < 60, "{faces} triangles on the old surface");
}

#[test]
fn a_bar_cut_through_its_middle_leaves_two_islands() {
    let solid = check::solid(Mesh::cuboid([4.0, 0.5, 0.5]));
    let sites: Vec<DVec3> = (-4..=4)
        .map(|k| DVec3::new(0.4 * f64::from(k), 0.0, 0.0))
        .collect();
    let pattern = Pattern::from_sites(&sites).expect("a pattern");
    let result = broken("bar", &solid, &pattern, &near(DVec3::ZERO, 0.1));
    assert_eq!(
        (result.fragments().count(), result.islands().count()),
        (1, 2)
    );
}

#[test]
fn a_torus_cut_once_stays_one_island_and_cut_twice_falls_into_two() {
    let solid = check::solid(Mesh::torus(1.0, 0.2, 64, 24));
    let around = |k: i32| {
        let angle = std::f64::consts::TAU * f64::from(k) / 12.0;
        DVec3::new(angle.cos(), 0.0, angle.sin())
    };
    let pattern = Pattern::from_sites(&(0..12).map(around).collect::<Vec<_>>()).expect("pattern");
    let once = broken("ring", &solid, &pattern, &near(around(0), 0.1));
    assert_eq!((once.fragments().count(), once.islands().count()), (1, 1));
    // A slab of two sites far apart reaches both arms.
    let slab = [-0.6, 0.0, 0.6].map(|x| DVec3::new(x, 0.0, 0.0));
    let slab = Pattern::from_sites(&slab).expect("a pattern");
    let twice = broken("ring, slab", &solid, &slab, &near(DVec3::ZERO, 0.1));
    assert_eq!((twice.fragments().count(), twice.islands().count()), (2, 2));
}

#[test]
fn a_cavity_belongs_to_what_is_around_it() {
    let solid = check::solid(solids::hollow_box());
    let pattern = uniform(60, 9);
    let result = broken(
        "hollow box",
        &solid,
        &pattern,
        &near(DVec3::splat(0.5), 0.12),
    );
    assert_eq!(result.islands().count(), 1);
}

/// Boxes in boxes, each turned the other way, and foams whose cavities lie in rows.
#[test]
fn cavities_belong_to_the_smallest_part_around_them() {
    let side = |k: i32| Mesh::cuboid([1.0 - 0.15 * k as f32; 3]);
    let shells: Vec<Mesh> = (0..6)
        .map(|k| match k % 2 {
            0 => side(k),
            _ => solids::flipped(&side(k)),
        })
        .collect();
    let onion = check::solid(solids::joined(&shells));
    let corner = near(DVec3::splat(0.5), 0.02);
    let result = broken("onion", &onion, &uniform(60, 9), &corner);
    assert_eq!(result.islands().count(), 3);
    let foam = |n: i32| {
        let is_cavity = |c: [i32; 3]| c.iter().all(|x| x % 2 == 1);
        check::solid(solids::voxels(n, |c| !is_cavity(c)))
    };
    for n in [3, 9, 21] {
        let solid = foam(n);
        let name = format!("foam {n}");
        let result = broken(&name, &solid, &uniform(60, 9), &near(DVec3::X * 0.5, 0.2));
        assert_eq!(result.islands().count(), 1, "{name}");
        assert_eq!(result.report.dust, 0, "{name}");
        let whole = broken(&name, &solid, &uniform(4, 2), &all());
        assert_eq!(whole.pieces.len(), 4, "{name}");
    }
}

#[test]
fn a_wall_breaks_from_within_as_from_without() {
    let solid = check::solid(solids::hollow_box());
    let mut random = random(3);
    for seed in 0..20 {
        let [across, up, _] = (in_box(&mut random) * 0.25).to_array();
        let name = format!("hollow box from within {seed}");
        let within = near(DVec3::new(across, 0.35, up), 0.02);
        let result = broken(&name, &solid, &uniform(1000, seed), &within);
        assert!(result.fragments().count() > 0, "{name}");
        assert_eq!(result.islands().count(), 1, "{name}");
    }
}

#[test]
fn a_break_that_does_not_reach_the_surface_takes_nothing_off() {
    let hollow = [
        Mesh::cuboid([1.0; 3]),
        solids::flipped(&Mesh::sphere(0.02, 8, 6)),
    ];
    let hollow = solids::joined(&hollow);
    for (name, mesh) in [("box", Mesh::cuboid([1.0; 3])), ("hollow", hollow)] {
        let solid = check::solid(mesh);
        // Beside the bubble: into it a break could fall.
        let inside = near(DVec3::X * 0.2, 0.05);
        for seed in 0..20 {
            let name = format!("{name} {seed}");
            let result = broken(&name, &solid, &uniform(1000, seed), &inside);
            assert_eq!(result.pieces.len(), 1, "{name}");
        }
    }
}

/// A small solid in a large one, which overlaps it, and a break around it: no piece is a small one less a large cavity.
#[test]
fn a_break_around_a_solid_in_another_one_leaves_each_piece_its_own_center() {
    let both = [Mesh::cuboid([1.0; 3]), Mesh::sphere(0.08, 8, 6)];
    let solid = check::solid(solids::joined(&both));
    for seed in 0..40 {
        let name = format!("one in another {seed}");
        let result = broken(&name, &solid, &uniform(400, seed), &near(DVec3::ZERO, 0.15));
        for piece in &result.pieces {
            let mesh = piece.to_mesh(&solid, &CapStyle::own_surface(solid.mesh()));
            let places = mesh.positions.iter().map(|at| Vec3::from(*at).as_dvec3());
            let [low, high] = Aabb::from_points(places).corners();
            let center = piece.mass.center;
            let is_inside = center.cmpge(low).all() && center.cmple(high).all();
            assert!(is_inside, "{name}: {center} of {low} to {high}");
        }
    }
}

#[test]
fn rings_that_are_linked_are_two_islands() {
    let solid = check::solid(solids::linked_rings());
    let pattern = uniform(60, 9);
    let result = broken(
        "rings",
        &solid,
        &pattern,
        &near(DVec3::new(-0.3, 0.0, 0.0), 0.05),
    );
    assert_eq!(result.islands().count(), 2);
}

/// Turning, mirroring and moving the solid together with the pattern changes no count and no volume.
#[test]
fn pieces_turn_with_the_world() {
    let mesh = solids::sponge(1);
    let sites = Recipe::Uniform { cells: 40 }.sites(3).expect("sites");
    let sites: Vec<DVec3> = sites.into_iter().map(|s| s * 0.5).collect();
    let volumes = |map: DMat3, mesh: Mesh| -> Vec<f64> {
        let placed: Vec<DVec3> = sites.iter().map(|s| map * *s).collect();
        let pattern = Pattern::from_sites(&placed).expect("a pattern");
        let result = broken("turned", &check::solid(mesh), &pattern, &all());
        let mut list: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let still = volumes(DMat3::IDENTITY, mesh.clone());
    let quarter = Mat3::from_cols(Vec3::Y, -Vec3::X, Vec3::Z);
    let skew = Mat3::from_rotation_y(0.7) * Mat3::from_rotation_x(0.4);
    let mirror = Mat3::from_diagonal(Vec3::new(-1.0, 1.0, 1.0));
    for (map, mirrored) in [(quarter, false), (skew, false), (mirror, true)] {
        let mut moved = solids::mapped(&mesh, |p| map * p);
        if mirrored {
            moved = solids::flipped(&moved);
        }
        let turned = volumes(map.as_dmat3(), moved);
        assert_eq!(still.len(), turned.len());
        for (a, b) in still.iter().zip(&turned) {
            assert!((a - b).abs() < 1e-5, "{a} became {b}");
        }
    }
}

#[test]
fn the_order_of_triangles_and_sites_changes_numbers_only() {
    let mesh = Mesh::torus(0.35, 0.15, 24, 12);
    let mut sites: Vec<DVec3> = Recipe::Uniform { cells: 30 }.sites(8).expect("sites");
    let measure = |mesh: Mesh, sites: &[DVec3]| {
        let pattern = Pattern::from_sites(sites).expect("a pattern");
        let result = broken("order", &check::solid(mesh), &pattern, &all());
        let mut list: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let before = measure(mesh.clone(), &sites);
    let mut shuffled = mesh;
    shuffled.triangles.reverse();
    for triangle in &mut shuffled.triangles {
        triangle.rotate_left(1);
    }
    sites.reverse();
    let after = measure(shuffled, &sites);
    assert_eq!(before.len(), after.len());
    for (a, b) in before.iter().zip(&after) {
        assert!((a - b).abs() < 1e-8, "{a} became {b}");
    }
}

#[test]
fn caps_are_shared_bit_for_bit() {
    let solid = check::solid(Mesh::sphere(0.5, 20, 14));
    let result = broken("sphere", &solid, &uniform(30, 5), &all());
    let mut count = std::collections::BTreeMap::new();
    for piece in &result.pieces {
        let old: Vec<[u32; 3]> = solid
            .mesh()
            .positions
            .iter()
            .map(|p| p.map(f32::to_bits))
            .collect();
        let mut own: Vec<[u32; 3]> = piece
            .vertices
            .iter()
            .map(|c| c.position.map(f32::to_bits))
            .collect();
        own.sort_unstable();
        own.dedup();
        for point in own.into_iter().filter(|p| !old.contains(p)) {
            *count.entry(point).or_insert(0) += 1;
        }
    }
    // Every cut point belongs to at least two pieces.
    assert!(count.values().all(|n| *n >= 2));
}

#[test]
fn attributes_are_interpolated_and_old_ones_kept() {
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.colors = mesh
        .positions
        .iter()
        .map(|p| [p[0] + 0.5, p[1] + 0.5, p[2] + 0.5, 1.0])
        .collect();
    mesh.tangents = mesh
        .normals
        .iter()
        .map(|n| [n[1], n[2], n[0], 1.0])
        .collect();
    let solid: Solid = check::solid(mesh.clone());
    let result = broken("coloured cube", &solid, &uniform(25, 6), &all());
    let style = fracture_geometry::piece_mesh::CapStyle::own_surface(&mesh);
    for piece in &result.pieces {
        let own = piece.to_mesh(&solid, &style);
        assert_eq!(own.colors.len(), own.positions.len());
        assert_eq!(own.tangents.len(), own.positions.len());
        for (triangle, surface) in own.triangles.iter().zip(&own.surfaces) {
            for v in triangle.map(|v| v as usize) {
                let normal = Vec3::from(own.normals[v]);
                assert!((normal.length() - 1.0).abs() < 1e-5);
                let tangent = Vec3::from_slice(&own.tangents[v][..3]);
                assert!(tangent.dot(normal).abs() < 1e-4);
                if *surface == 0 {
                    // The colour is a linear function of the place, and so it must stay.
                    let wanted = Vec3::from(own.positions[v]) + 0.5;
                    let color = Vec3::from_slice(&own.colors[v][..3]);
                    assert!((color - wanted).length() < 1e-5);
                }
            }
        }
    }
}
