//! Strips of cracks lie where a break by the same placement divides the surface.

use crate::check::solid;
use crate::solids::hollow_box;
use fracture_geometry::piece_mesh::{CapStyle, CrackPlace, CrackStrips};
use fracture_geometry::steps::finish;
use fracture_geometry::{
    fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Workspace,
    CAP_SURFACE,
};
use glam::{DVec3, Vec3};
use std::collections::BTreeSet;

type Line = [DVec3; 2];

/// The edges between the outside and the cut faces of a mesh.
fn cut_edges(mesh: &Mesh) -> Vec<Line> {
    let place = |vertex: u32| mesh.positions[vertex as usize];
    let bits = |vertex: u32| place(vertex).map(|x| (x + 0.0).to_bits());
    let edges = |cap: bool| {
        let triangles = mesh.triangles.iter().enumerate();
        let own = triangles.filter(move |(index, _)| (mesh.surface(*index) == CAP_SURFACE) == cap);
        own.flat_map(|(_, t)| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]])
    };
    let caps: BTreeSet<_> = edges(true).map(|edge| edge.map(bits)).collect();
    let shared = edges(false).filter(|[a, b]| caps.contains(&[bits(*b), bits(*a)]));
    shared
        .map(|edge| edge.map(|vertex| DVec3::from(place(vertex).map(f64::from))))
        .collect()
}

fn distance(point: DVec3, [from, to]: &Line) -> f64 {
    let along = *to - *from;
    let share = along.dot(point - *from) / along.length_squared().max(1e-30);
    point.distance(*from + along * share.clamp(0.0, 1.0))
}

fn is_on(point: DVec3, lines: &[Line], tolerance: f64) -> bool {
    lines.iter().any(|line| distance(point, line) < tolerance)
}

/// The cracks of strips, without their lift.
fn cracks(strips: &Mesh, lift: f32) -> Vec<Line> {
    let ends = |quad: usize| {
        [0, 1].map(|k| {
            let at = Vec3::from(strips.positions[quad + k]);
            (at - Vec3::from(strips.normals[quad]) * lift).as_dvec3()
        })
    };
    (0..strips.positions.len()).step_by(4).map(ends).collect()
}

#[test]
fn strips_lie_where_a_break_divides_the_surface_and_nowhere_else() {
    let recipe = Recipe::Clustered {
        cells: 40,
        falloff: 1.0,
    };
    for (mesh, point, normal) in [
        (Mesh::cuboid([1.0, 0.8, 0.3]), [0.1, 0.1, 0.15], DVec3::Z),
        (Mesh::torus(0.5, 0.2, 64, 32), [0.7, 0.0, 0.0], DVec3::X),
        (hollow_box(), [0.2, 0.5, 0.1], DVec3::Y),
    ] {
        let body = solid(mesh);
        let pattern = Pattern::from_recipe(&recipe, 5).unwrap();
        let place = CrackPlace {
            point: DVec3::from(point),
            reach: 0.3,
        };
        let placement = Placement::at_impact(place.point, normal, 0.7, 0.6);
        let params = FractureParams {
            placement,
            selection: CellSelection::All,
        };
        let broken = fracture(&body, &pattern, &params, &mut Workspace::default()).unwrap();
        let style = CapStyle {
            surface: CAP_SURFACE,
            ..CapStyle::own_surface(body.mesh())
        };
        let pieces = broken.pieces.iter();
        let cut: Vec<Line> = pieces
            .flat_map(|p| cut_edges(&p.to_mesh(&body, &style)))
            .collect();
        let crack_strips = CrackStrips {
            pattern: &pattern,
            placement,
            places: &[place],
        };
        let mut strips = Mesh::default();
        finish(crack_strips.add_to(&mut strips, body.mesh(), |_| true));
        // A fiftieth of the reach wide, and lifted by 0.15 of that.
        let cracks = cracks(&strips, 0.3 * 0.02 * 0.15);
        assert!(cracks.len() > 100, "{}", cracks.len());
        let mut slivers = 0;
        for [a, b] in &cracks {
            slivers += usize::from(!is_on(0.5 * (*a + *b), &cut, 1e-4));
            assert!(a.distance(place.point).min(b.distance(place.point)) < place.reach);
        }
        // A break joins slivers to their neighbours.
        assert!(slivers * 30 < cracks.len(), "{slivers} of {}", cracks.len());
        let near = |[a, b]: &&Line| [a, b].iter().all(|end| end.distance(place.point) < 0.29);
        let mut seen = 0;
        for [a, b] in cut
            .iter()
            .filter(near)
            .filter(|[a, b]| a.distance(*b) > 1e-4)
        {
            assert!(is_on(0.5 * (*a + *b), &cracks, 1e-4), "{a} {b}");
            seen += 1;
        }
        assert!(seen > 30, "{seen}");
    }
}

#[test]
fn strips_become_narrower_outwards_and_stay_off_surfaces_without_cracks() {
    let mesh = Mesh::cuboid([2.0, 2.0, 0.2]);
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 400 }, 2).unwrap();
    let places = [[-0.5, 0.0], [0.5, 0.3]].map(|[x, y]| CrackPlace {
        point: DVec3::new(x, y, 0.1),
        reach: 0.5,
    });
    let crack_strips = CrackStrips {
        pattern: &pattern,
        placement: Placement::IDENTITY,
        places: &places,
    };
    let mut strips = Mesh::default();
    finish(crack_strips.add_to(&mut strips, &mesh, |_| false));
    assert_eq!(strips, Mesh::default());
    finish(crack_strips.add_to(&mut strips, &mesh, |_| true));
    let at = |vertex: usize| Vec3::from(strips.positions[vertex]);
    let mut widest = [0.0f32; 5];
    for quad in (0..strips.positions.len()).step_by(4) {
        let distance = |place: &CrackPlace| at(quad).distance(place.point.as_vec3());
        let nearest = places.iter().map(distance).fold(f32::INFINITY, f32::min);
        let ring = ((nearest * 10.0) as usize).min(4);
        widest[ring] = widest[ring].max(at(quad).distance(at(quad + 3)));
        // Counter-clockwise seen from outside.
        let [along, across] = [at(quad + 1) - at(quad), at(quad + 3) - at(quad)];
        assert!(along.cross(across).dot(Vec3::from(strips.normals[quad])) >= 0.0);
    }
    let full = 0.5 * 0.01;
    for (ring, wanted) in [full, full, full, full, 0.75 * full]
        .into_iter()
        .enumerate()
    {
        assert!((0.8..1.01).contains(&(widest[ring] / wanted)), "{widest:?}");
    }
    // No wider, however far they reach.
    let places = places.map(|place| CrackPlace {
        reach: 20.0,
        ..place
    });
    let crack_strips = CrackStrips {
        places: &places,
        ..crack_strips
    };
    let mut strips = Mesh::default();
    finish(crack_strips.add_to(&mut strips, &mesh, |_| true));
    let at = |vertex: usize| Vec3::from(strips.positions[vertex]);
    let quads = (0..strips.positions.len()).step_by(4);
    let widths = quads.map(|quad| at(quad).distance(at(quad + 3)));
    let widest = widths.fold(0.0, f32::max);
    assert!((0.8..1.01).contains(&(widest / (0.5 * 0.012))), "{widest}");
}
