//! Meshes with fewer triangles: how near they stay, and that their parts still meet.

use crate::solids;
use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::RenderPartition;
use fracture_geometry::{Mesh, Solid};
use glam::Vec3;
use std::collections::BTreeSet;

const TOLERANCE: f32 = 0.01;

/// A sphere with bumps, of some 4 n^2 triangles.
fn bumpy(n: u32) -> Mesh {
    solids::mapped(&Mesh::sphere(0.5, 2 * n, n), |p| {
        let bump = libm::sinf(9.0 * p.x) * libm::sinf(7.0 * p.y) * libm::sinf(8.0 * p.z);
        p * (1.0 + 0.15 * bump)
    })
}

/// A flat plate of n^2 squares on either side.
fn plate(n: u32) -> Mesh {
    let side = |flip: bool| {
        let row = n + 1;
        let mut mesh = Mesh::default();
        for at in 0..row * row {
            let (x, y) = ((at % row) as f32 / n as f32, (at / row) as f32 / n as f32);
            mesh.positions.push([x, y, if flip { 0.0 } else { 0.1 }]);
        }
        for at in 0..n * n {
            let a = at / n * row + at % n;
            mesh.triangles
                .extend([[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]);
        }
        if flip {
            solids::flipped(&mesh)
        } else {
            mesh
        }
    };
    solids::joined(&[side(true), side(false)])
}

fn triangles(mesh: &Mesh) -> Vec<[Vec3; 3]> {
    let place = |v: u32| Vec3::from(mesh.positions[v as usize]);
    mesh.triangles.iter().map(|t| t.map(place)).collect()
}

/// Distance from a triangle, by dividing it until the answer is near enough.
fn distance([a, b, c]: [Vec3; 3], p: Vec3) -> f32 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| normal.cross(*to - *from).dot(p - *from) >= 0.0);
    let segment = |from: Vec3, to: Vec3| {
        let share = (p - from).dot(to - from) / (to - from).length_squared().max(1e-30);
        (from + share.clamp(0.0, 1.0) * (to - from)).distance(p)
    };
    if inside && normal != Vec3::ZERO {
        normal.dot(p - a).abs()
    } else {
        segment(a, b).min(segment(b, c)).min(segment(c, a))
    }
}

/// The largest distance of the vertices of a mesh, and of the middles of its triangles, from another.
fn farthest(from: &Mesh, to: &Mesh) -> [f32; 2] {
    let to = triangles(to);
    let own = triangles(from).into_iter();
    let middles = own.map(|[a, b, c]| (a + b + c) / 3.0).collect();
    let vertices = from.positions.iter().map(|p| Vec3::from(*p)).collect();
    [vertices, middles].map(|points: Vec<Vec3>| {
        points
            .into_iter()
            .map(|p| to.iter().map(|t| distance(*t, p)).fold(f32::MAX, f32::min))
            .fold(0.0, f32::max)
    })
}

#[test]
fn few_triangles_stay_near() {
    for (name, mesh, most) in [
        ("bumpy", bumpy(36), 900),
        ("torus", Mesh::torus(0.35, 0.15, 60, 40), 900),
        ("plate", plate(40), 450),
        ("box", Mesh::cuboid([1.0, 2.0, 3.0]), 12),
    ] {
        let light = mesh.simplified(TOLERANCE);
        assert!(
            light.triangles.len() <= most,
            "{name}: {}",
            light.triangles.len()
        );
        let (there, back) = (farthest(&mesh, &light), farthest(&light, &mesh));
        assert!(there[0] <= TOLERANCE * 1.0001, "{name}: {there:?}");
        assert!(there[1] <= TOLERANCE * 1.5, "{name}: {there:?}");
        assert!(back[1] <= TOLERANCE * 1.5, "{name}: {back:?}");
        let known = |p: &[f32; 3]| mesh.positions.contains(p);
        assert!(light.positions.iter().all(known), "{name}");
    }
}

#[test]
fn what_is_closed_stays_closed_and_what_is_sharp_stays_sharp() {
    for (name, mesh) in solids::all() {
        let light = mesh.simplified(TOLERANCE);
        assert!(light.triangles.len() <= mesh.triangles.len(), "{name}");
        assert!(check_closed(&light).is_closed(), "{name}");
    }
    let corners = |mesh: &Mesh| {
        let count = |sign: f32| {
            let far = |p: &&[f32; 3]| p.iter().all(|x| x * sign > 0.0);
            mesh.positions.iter().filter(far).count()
        };
        [count(1.0), count(-1.0)]
    };
    let cube = solids::voxels(8, |_| true);
    let light = cube.simplified(0.001);
    assert_eq!(light.triangles.len(), 12, "only its corners are left");
    assert_eq!(corners(&light), [1, 1]);
}

#[test]
fn clusters_of_vertices_become_one() {
    for (name, mesh) in [
        ("bumpy", bumpy(36)),
        ("torus", Mesh::torus(0.35, 0.15, 60, 40)),
    ] {
        for cells in [6, 12] {
            let light = mesh.clustered(cells);
            assert!(check_closed(&light).is_closed(), "{name}");
            assert!(2 * light.triangles.len() < mesh.triangles.len(), "{name}");
            assert!(
                light.positions.iter().all(|p| mesh.positions.contains(p)),
                "{name}"
            );
            let diagonal = 3.0f32.sqrt() / f32::from(cells);
            assert!(farthest(&mesh, &light)[0] < diagonal, "{name}");
        }
    }
    let fine = Mesh::cuboid([1.0, 2.0, 3.0]);
    assert_eq!(fine.clustered(64).triangles.len(), 12);
    for cells in [0, 1, u8::MAX] {
        assert!(Mesh::default().clustered(cells).triangles.is_empty());
        let odd = Mesh::from_triangles(
            vec![[f32::NAN; 3], [f32::MAX; 3], [0.0; 3]],
            vec![[0, 1, 9]],
        );
        assert!(odd.clustered(cells).triangles.is_empty());
    }
}

/// Parts that are simplified one by one, and then together.
#[test]
fn parts_still_meet() {
    let mesh = bumpy(60);
    let solid = Solid::new(mesh.clone()).expect("a solid");
    let chunks = RenderPartition::new(&solid);
    assert!(chunks.count() >= 4, "{}", chunks.count());
    let parts = chunks.meshes(&mesh, |_| true);
    let light: Vec<Mesh> = parts
        .map(|(_, part)| part.simplified(0.5 * TOLERANCE))
        .collect();
    let joined = solids::joined(&light);
    assert!(check_closed(&joined).is_closed());
    assert!(farthest(&mesh, &joined)[0] <= 0.5001 * TOLERANCE);
    let whole = joined.simplified(0.5 * TOLERANCE);
    assert!(check_closed(&whole).is_closed());
    assert!(farthest(&mesh, &whole)[0] <= 1.0001 * TOLERANCE);
    let [all, few, least] = [&mesh, &joined, &whole].map(|mesh| mesh.triangles.len());
    assert!(
        4 * few < all && 4 * least < 3 * few,
        "{all}, {few}, {least}"
    );
}

/// A change in one place leaves the triangles elsewhere as they are, also when all triangles are
/// listed in another order.
#[test]
fn what_is_far_away_does_not_matter() {
    let mesh = bumpy(40);
    let mut other = mesh.clone();
    other.triangles.reverse();
    for position in &mut other.positions {
        if position[1] > 0.45 {
            position[1] += 0.05;
        }
    }
    let far = |mesh: &Mesh| {
        let light = triangles(&mesh.simplified(TOLERANCE)).into_iter();
        let low = light.filter(|t| t.iter().all(|p| p.y < 0.2));
        let bits = |p: Vec3| p.to_array().map(f32::to_bits);
        let sorted = |t: [Vec3; 3]| {
            let mut corners = t.map(bits);
            corners.sort_unstable();
            corners
        };
        low.map(sorted).collect::<BTreeSet<_>>()
    };
    let (one, two) = (far(&mesh), far(&other));
    let same = one.intersection(&two).count();
    assert!(
        100 * same > 95 * one.len(),
        "{same} of {} and {}",
        one.len(),
        two.len()
    );
}

/// Whichever body has a part that several share.
#[test]
fn the_order_of_triangles_and_vertices_does_not_matter() {
    for mesh in [bumpy(24), Mesh::torus(0.35, 0.15, 60, 40), plate(20)] {
        let count = mesh.positions.len() as u32;
        let mut other = mesh.clone();
        other.positions.reverse();
        other.triangles.reverse();
        for triangle in &mut other.triangles {
            *triangle = triangle.map(|vertex| count - 1 - vertex);
            triangle.rotate_left(1);
        }
        let [one, other] = [mesh, other].map(|mesh| mesh.simplified(TOLERANCE));
        assert!(one == other && !one.triangles.is_empty());
    }
}

#[test]
fn odd_input_is_harmless() {
    assert!(Mesh::default().simplified(1.0).triangles.is_empty());
    let mut mesh = bumpy(8);
    for tolerance in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let same = mesh.simplified(tolerance);
        assert_eq!(same.triangles.len(), mesh.triangles.len(), "{tolerance}");
    }
    mesh.positions[5] = [f32::NAN, f32::INFINITY, 0.0];
    mesh.triangles.push([0, 1, 1_000_000]);
    mesh.triangles.push([3, 3, 4]);
    mesh.simplified(0.1);
    // All of it within the tolerance: something is left to collide with.
    assert!(!bumpy(8).simplified(100.0).triangles.is_empty());
}
