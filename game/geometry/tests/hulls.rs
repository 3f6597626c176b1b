//! Hulls of procedural solids and of their pieces: they cover, and do not protrude.

use crate::check::{all, assert_fits, broken, clustered, hit, near};
use crate::solids;
use fracture_geometry::hulls::{HullError, Hulls, HULL_TOLERANCE, MAX_HULLS};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{FractureParams, Mesh, Pattern, Placement, Recipe, Solid};
use glam::{DQuat, DVec3, Vec3};

/// Largest distance from a vertex of a piece to its hulls, as a fraction of its size.
const LEFT_OUT: f64 = 0.01;

fn solid(mesh: &Mesh) -> Solid {
    Solid::new(mesh.clone()).expect("a closed mesh")
}

fn recipes() -> [Recipe; 2] {
    [
        Recipe::Uniform { cells: 10 },
        Recipe::Clustered {
            cells: 20,
            falloff: 0.8,
        },
    ]
}

/// The meshes of all pieces of a break.
fn pieces(
    name: &str,
    solid: &Solid,
    recipe: &Recipe,
    cut: &FractureParams,
    seed: u64,
) -> Vec<Mesh> {
    let pattern = Pattern::from_recipe(recipe, seed).expect("a pattern");
    let style = CapStyle::own_surface(solid.mesh());
    let broken = broken(name, solid, &pattern, cut);
    let meshes = broken.pieces.iter().map(|p| p.to_mesh(solid, &style));
    meshes.collect()
}

#[derive(Default)]
struct Sum {
    pieces: usize,
    hulls: usize,
    protrusion: f64,
    uncovered: f64,
}

impl Sum {
    fn add(&mut self, name: &str, mesh: &Mesh) {
        let Hulls {
            hulls,
            within_tolerance,
            ..
        } = Hulls::from_mesh(mesh);
        assert!(hulls.len() <= MAX_HULLS, "{name}: {}", hulls.len());
        for hull in &hulls {
            assert!(hull.points.len() <= 128 && hull.volume > 0.0, "{name}");
        }
        // A piece too small to be a solid cannot be measured.
        let Ok(solid) = Solid::new(mesh.clone()) else {
            return;
        };
        let measured = HullError::measure(&hulls, &solid);
        self.pieces += 1;
        self.hulls += hulls.len();
        self.uncovered = self.uncovered.max(measured.uncovered);
        assert!(
            measured.uncovered <= LEFT_OUT,
            "{name}: {measured:?} of {} hulls, {} triangles, {:?}, {:?}",
            hulls.len(),
            mesh.triangles.len(),
            solid.bounds(),
            hulls
                .iter()
                .map(|hull| hull.points.len())
                .collect::<Vec<_>>()
        );
        assert!(within_tolerance, "{name}");
        self.protrusion = self.protrusion.max(measured.protrusion);
    }
}

#[test]
fn hulls_of_pieces_cover_them_and_protrude_by_a_fiftieth_at_most() {
    let mut total = 0;
    for (name, mesh) in solids::all() {
        let solid = solid(&mesh);
        let mut sum = Sum::default();
        for (seed, recipe) in (1..).zip(&recipes()) {
            for piece in pieces(name, &solid, recipe, &all(), seed) {
                sum.add(name, &piece);
            }
        }
        println!(
            "{name}: {} pieces, {} hulls, protrusion {:.4}, uncovered {:.4}",
            sum.pieces, sum.hulls, sum.protrusion, sum.uncovered
        );
        assert!(
            sum.protrusion <= HULL_TOLERANCE,
            "{name}: {}",
            sum.protrusion
        );
        total += sum.pieces;
    }
    assert!(total > 400, "{total}");
}

#[test]
fn whole_solids_keep_their_holes_and_cavities() {
    for (name, mesh) in solids::all() {
        let hulls = Hulls::from_mesh(&mesh);
        assert!(hulls.within_tolerance, "{name}");
        let measured = HullError::measure(&hulls.hulls, &solid(&mesh));
        assert!(
            measured.protrusion <= HULL_TOLERANCE,
            "{name}: {measured:?}"
        );
        assert!(measured.uncovered <= LEFT_OUT, "{name}: {measured:?}");
    }
}

/// The islands that are left of a body after a hit from one of three sides.
fn remainders(name: &str, body: &Solid) -> Vec<Mesh> {
    let size = body.bounds().diagonal();
    let style = CapStyle::own_surface(body.mesh());
    let sides = [0.5, 2.5, 4.5].map(|angle| {
        let broken = broken(name, body, &clustered(), &hit(body, angle, 0.2 * size));
        let islands = broken.islands().map(|piece| piece.to_mesh(body, &style));
        islands.collect::<Vec<_>>()
    });
    sides.concat()
}

#[test]
fn hulls_merged_of_many_parts_fit() {
    let bowl = Mesh::bowl(1.1, 0.06, 128, 32);
    assert_fits("fine bowl", &Hulls::from_mesh(&bowl), &solid(&bowl));
    for remainder in remainders("sponge", &solid(&solids::sponge(2))) {
        let hulls = Hulls::from_mesh(&remainder);
        let measured = HullError::measure(&hulls.hulls, &solid(&remainder));
        // The voxels are a little off for one of 800 hulls.
        assert!(
            hulls.within_tolerance && measured.protrusion <= 1.01 * HULL_TOLERANCE,
            "{measured:?}"
        );
        assert!(measured.uncovered <= LEFT_OUT, "{measured:?}");
    }
}

#[test]
fn what_needs_too_many_hulls_says_so_and_is_covered() {
    let mesh = solids::checkers(11);
    let hulls = Hulls::from_mesh(&mesh);
    assert!(!hulls.within_tolerance && hulls.hulls.len() <= MAX_HULLS);
    let measured = HullError::measure(&hulls.hulls, &solid(&mesh));
    assert!(
        measured.protrusion > HULL_TOLERANCE && measured.uncovered <= LEFT_OUT,
        "{measured:?}"
    );
}

#[test]
fn the_measure_sees_a_filled_hole_and_a_filled_cavity() {
    let hollow = solids::hollow_box();
    let cube = Mesh::cuboid([1.0; 3]);
    let filled = Hulls::from_mesh(&cube);
    let measured = HullError::measure(&filled.hulls, &solid(&hollow));
    // The middle of a cavity of 0.7.
    assert!(
        (measured.protrusion * 3f64.sqrt() - 0.35).abs() < 0.01,
        "{measured:?}"
    );
    let exact = HullError::measure(&filled.hulls, &solid(&cube));
    assert!(
        exact.protrusion <= 0.012 && exact.uncovered < 1e-6,
        "{exact:?}"
    );
    let small = Hulls::from_mesh(&Mesh::cuboid([0.8; 3]));
    let short = HullError::measure(&small.hulls, &solid(&cube));
    assert!((short.uncovered - 0.1).abs() < 1e-3, "{short:?}");
}

#[test]
fn the_same_piece_gives_the_same_bytes_in_any_order() {
    let mesh = Mesh::torus(0.35, 0.15, 32, 16);
    let solid = solid(&mesh);
    let meshes = pieces("torus", &solid, &recipes()[0], &all(), 3);
    let once: Vec<Hulls> = meshes.iter().map(Hulls::from_mesh).collect();
    let mut twice: Vec<Hulls> = meshes.iter().rev().map(Hulls::from_mesh).collect();
    twice.reverse();
    assert_eq!(once, twice);
}

#[test]
fn turned_and_scaled_pieces_get_about_as_many_hulls() {
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, 1.1, -0.7);
    let count = |scale: f64, turn: DQuat| {
        let place = |p: Vec3| (turn * p.as_dvec3() * scale).as_vec3();
        let mesh = solids::mapped(&Mesh::torus(0.35, 0.15, 32, 16), place);
        let solid = solid(&mesh);
        let cut = FractureParams {
            placement: Placement::at_impact(DVec3::ZERO, turn * DVec3::Y, 0.0, scale),
            ..near(DVec3::ZERO, 9.0 * scale)
        };
        let meshes = pieces("torus", &solid, &recipes()[0], &cut, 3);
        let hulls = meshes.iter().map(|m| Hulls::from_mesh(m).hulls.len());
        hulls.sum::<usize>()
    };
    let straight = count(1.0, DQuat::IDENTITY);
    for (scale, turn) in [(1.0, turn), (100.0, DQuat::IDENTITY), (1e-3, turn)] {
        let other = count(scale, turn);
        let (less, more) = (straight.min(other), straight.max(other));
        assert!(more * 4 <= less * 5, "{straight} and {other}");
    }
}

#[test]
fn bad_meshes_give_hulls_or_none() {
    let nothing = Hulls::from_mesh(&Mesh::default());
    assert!(nothing.hulls.is_empty());
    let flat = solids::mapped(&Mesh::cuboid([1.0; 3]), |p| Vec3::new(p.x, p.y, 0.0));
    assert!(Hulls::from_mesh(&flat).hulls.is_empty());
    let mut open = Mesh::torus(0.35, 0.15, 32, 16);
    open.triangles.truncate(700);
    open.positions.push([f32::NAN; 3]);
    open.triangles.push([0, 1, u32::MAX]);
    let last = open.positions.len() as u32 - 1;
    open.triangles.push([0, 1, last]);
    let hulls = Hulls::from_mesh(&open).hulls;
    assert!(!hulls.is_empty());
    let finite = hulls.iter().flat_map(|hull| &hull.points).flatten();
    assert!(finite.clone().all(|x| x.is_finite()));
    let far = solids::mapped(&Mesh::torus(0.35, 0.15, 32, 16), |p| p + 4000.0 * Vec3::X);
    assert!(!Hulls::from_mesh(&far).hulls.is_empty());
}
