//! Provisional hulls: what a piece collides as until its lasting hulls are found.

use crate::check::{all as every_cell, broken, clustered, solid};
use crate::solids;
use fracture_geometry::hulls::{HullError, Hulls, MAX_HULLS};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{MassProperties, Mesh, Pattern, Recipe};
use glam::Vec3;

/// Curved and hollow solids, and the fragments of some.
fn meshes() -> Vec<(String, Mesh)> {
    let mut all = vec![
        ("ring".to_owned(), Mesh::torus(0.35, 0.13, 40, 30)),
        ("dense ring".to_owned(), Mesh::torus(0.35, 0.13, 125, 80)),
        ("ball".to_owned(), Mesh::sphere(0.5, 40, 20)),
        ("bowl".to_owned(), Mesh::bowl(0.5, 0.05, 48, 24)),
        ("thin bowl".to_owned(), Mesh::bowl(0.5, 0.005, 60, 30)),
    ];
    let named = solids::all().into_iter();
    all.extend(named.map(|(name, mesh)| (name.to_owned(), mesh)));
    for (name, mesh) in all.clone().into_iter().take(5) {
        let pieces = pieces_of(&name, mesh).into_iter().enumerate();
        all.extend(pieces.map(|(number, piece)| (format!("{name}, piece {number}"), piece)));
    }
    all
}

/// The pieces of a mesh.
fn pieces_of(name: &str, mesh: Mesh) -> Vec<Mesh> {
    let whole = solid(mesh);
    let style = CapStyle::own_surface(whole.mesh());
    let broken = broken(name, &whole, &clustered(), &every_cell());
    let pieces = broken.pieces.iter();
    pieces.map(|piece| piece.to_mesh(&whole, &style)).collect()
}

fn provisional(mesh: &Mesh) -> Hulls {
    Hulls::provisional(mesh, MassProperties::from_mesh(mesh).volume)
}

fn bounds(points: impl Iterator<Item = Vec3>) -> [Vec3; 2] {
    points.fold([Vec3::MAX, Vec3::MIN], |[low, high], p| {
        [low.min(p), high.max(p)]
    })
}

#[test]
fn provisional_hulls_cover_a_piece_and_stay_in_its_box() {
    for (name, mesh) in meshes() {
        let found = provisional(&mesh);
        assert!(!found.hulls.is_empty(), "{name}");
        let [low, high] = bounds(mesh.positions.iter().map(|p| Vec3::from(*p)));
        let points = found.hulls.iter().flat_map(|hull| &hull.points);
        let [from, to] = bounds(points.map(|p| Vec3::from(*p)));
        let slack = 1e-5 * (high - low).max_element();
        assert!(
            from.cmpge(low - slack).all() && to.cmple(high + slack).all(),
            "{name}"
        );
        let whole = solid(mesh);
        let error = HullError::measure(&found.hulls, &whole);
        assert!(error.uncovered < 0.05, "{name}: {error:?}");
    }
}

#[test]
fn provisional_hulls_that_fit_are_the_lasting_ones() {
    let mut convex = 0;
    for (name, mesh) in meshes() {
        let found = provisional(&mesh);
        if found.within_tolerance {
            convex += 1;
            assert!(found == Hulls::from_mesh(&mesh), "{name}");
        }
    }
    assert!(convex > 5, "{convex}");
}

#[test]
fn most_pieces_of_a_dense_ball_need_no_exchange() {
    let pieces = pieces_of("dense ball", Mesh::sphere(0.5, 100, 50)).into_iter();
    let (mut curved, mut close) = (0, 0);
    for mesh in pieces.filter(|mesh| mesh.triangles.len() > 100) {
        curved += 1;
        close += u32::from(provisional(&mesh).within_tolerance);
    }
    assert!(
        curved > 20 && 10 * close >= 9 * curved,
        "{close} of {curved}"
    );
}

#[test]
fn provisional_hulls_are_few_and_each_time_the_same() {
    for (name, mesh) in meshes() {
        let found = provisional(&mesh);
        assert!(
            found.hulls.len() < MAX_HULLS / 8,
            "{name}: {}",
            found.hulls.len()
        );
        assert!(found == provisional(&mesh), "{name}");
    }
    assert!(provisional(&Mesh::default()).hulls.is_empty());
    let not_finite = Mesh::from_triangles(vec![[f32::NAN; 3]; 3], vec![[0, 1, 2]]);
    assert!(provisional(&not_finite).hulls.is_empty());
}

/// Whether a triangle is less than a millimetre high, as merged slivers leave them: rounding turns it, or it is in a step.
fn has_thin_triangle(mesh: &Mesh) -> bool {
    let is_thin = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| Vec3::from(mesh.positions[corner as usize]));
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (b - a).cross(c - a).length() <= 1e-3 * longest
    };
    mesh.triangles.iter().any(is_thin)
}

#[test]
fn convex_pieces_have_their_own_surface_and_others_none() {
    let pane = solid(Mesh::cuboid([1.0, 0.8, 0.02]));
    let style = CapStyle::own_surface(pane.mesh());
    let (mut count, mut bent) = (0, 0);
    for seed in 0..4 {
        let recipe = Recipe::Uniform { cells: 120 };
        let pattern = Pattern::from_recipe(&recipe, seed).unwrap();
        for piece in broken("pane", &pane, &pattern, &every_cell()).pieces {
            count += 1;
            let mesh = piece.to_mesh(&pane, &style);
            let Some(found) = Hulls::of_convex(&mesh) else {
                let is_sliver = piece.mass.volume < 1e-6;
                assert!(is_sliver || has_thin_triangle(&mesh), "{:?}", piece.mass);
                bent += 1;
                continue;
            };
            let volume: f64 = found.hulls.iter().map(|hull| hull.volume).sum();
            assert!((volume - piece.mass.volume).abs() < 1e-4 * piece.mass.volume + 1e-9);
        }
    }
    assert!(10 * bent < count, "{bent} of {count}");
    assert!(Hulls::of_convex(&Mesh::torus(0.35, 0.15, 8, 6)).is_none());
    assert!(Hulls::of_convex(&Mesh::default()).is_none());
}

#[test]
fn the_hull_of_outermost_vertices_leaves_out_low_corners_only() {
    for (name, mesh) in meshes() {
        let found = Hulls::of_outermost_vertices(&mesh);
        let [hull] = &found.hulls[..] else {
            panic!("{name}: {} hulls", found.hulls.len());
        };
        assert!(!found.within_tolerance && hull.points.len() <= 24, "{name}");
        let is_vertex = |point: &[f32; 3]| mesh.positions.contains(point);
        assert!(hull.points.iter().all(is_vertex), "{name}");
        assert!(found == Hulls::of_outermost_vertices(&mesh), "{name}");
        let error = HullError::measure(&found.hulls, &solid(mesh));
        assert!(error.uncovered < 0.1, "{name}: {error:?}");
    }
}

#[test]
fn the_hull_of_a_boxs_outermost_vertices_is_the_box_and_a_flat_mesh_has_none() {
    let cuboid = Mesh::cuboid([0.2, 1.0, 3.0]);
    let found = Hulls::of_outermost_vertices(&cuboid);
    assert!((found.hulls[0].volume - 0.6).abs() < 1e-6);
    let mut flat = cuboid;
    flat.positions
        .iter_mut()
        .for_each(|position| position[1] = 0.0);
    for mesh in [flat, Mesh::default()] {
        assert!(Hulls::of_outermost_vertices(&mesh).hulls.is_empty());
    }
}
