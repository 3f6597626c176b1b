//! Pieces are solids: they are broken again, and hit again where they were hit before.

use crate::check::{self, all, broken_within, coarseness, in_box, random};
use crate::solids;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, Fracture, FractureError, FractureParams, Mesh, Pattern, Piece,
    Placement, Recipe, Solid, Workspace,
};
use glam::{DMat3, DVec3, Vec3};

/// Sites drawn in a solid's box.
fn drawn(solid: &Solid, cells: u32, seed: u64) -> Pattern {
    let [low, high] = solid.bounds().corners();
    let sites = Recipe::Uniform { cells }.sites(seed).expect("sites");
    let place = |s: &DVec3| (low + high) * 0.5 + *s * (high - low) * 0.5;
    Pattern::from_sites(&sites.iter().map(place).collect::<Vec<_>>()).expect("a pattern")
}

pub fn solid_of(source: &Solid, piece: &Piece) -> Mesh {
    piece.to_mesh(source, &CapStyle::own_surface(source.mesh()))
}

fn rebroken(name: &str, solid: &Solid, pattern: &Pattern, cut: &FractureParams) -> Fracture {
    broken_within(1e-5 + coarseness(solid), name, solid, pattern, cut)
}

/// Every output is fed back in as an input, ten times.
fn ten_rounds(name: &str, mesh: Mesh, chosen: impl Fn(&Fracture) -> Option<&Piece>) {
    let mut solid = check::solid(mesh);
    for round in 0..10u64 {
        let pattern = drawn(&solid, 6, round);
        let result = rebroken(&format!("{name}, round {round}"), &solid, &pattern, &all());
        let piece = chosen(&result).expect("a piece");
        solid = check::solid(solid_of(&solid, piece));
    }
}

#[test]
fn the_largest_piece_ten_times_in_a_row() {
    let volume = |p: &&Piece| p.mass.volume;
    for (name, mesh) in solids::all() {
        ten_rounds(name, mesh, |result| {
            let pieces = result.pieces.iter();
            pieces.max_by(|a, b| volume(a).total_cmp(&volume(b)))
        });
    }
}

#[test]
fn the_smallest_piece_ten_times_in_a_row() {
    // After ten rounds a cube's smallest pieces are some steps of f32 wide.
    let mesh = solids::mapped(&Mesh::cuboid([1.0; 3]), |p| p + 0.5);
    ten_rounds("cube", mesh, |result| {
        let pieces = result.pieces.iter();
        pieces.min_by(|a, b| a.mass.volume.total_cmp(&b.mass.volume))
    });
}

#[test]
fn all_pieces_of_pieces_of_pieces() {
    for (name, mesh) in [
        ("sponge", solids::sponge(1)),
        ("rings", solids::linked_rings()),
        ("letters", solids::letters()),
    ] {
        let mut solids = vec![check::solid(mesh)];
        let whole = solids[0].mass().volume;
        let mut dust = 0.0;
        for round in 0..3u64 {
            let mut next = Vec::new();
            for (index, solid) in solids.iter().enumerate() {
                let pattern = drawn(solid, 5, round * 1000 + index as u64);
                let result = rebroken(&format!("{name} {round} {index}"), solid, &pattern, &all());
                dust += result.report.dust_volume;
                next.extend(
                    result
                        .pieces
                        .iter()
                        .map(|p| check::solid(solid_of(solid, p))),
                );
            }
            solids = next;
        }
        let sum: f64 = solids.iter().map(|s| s.mass().volume).sum();
        let error = (sum + dust - whole).abs() / whole;
        assert!(error < 3e-5, "{name}: {error:e} in {} pieces", solids.len());
    }
}

/// The second pattern's planes lie, up to rounding, in the faces that the first has left.
#[test]
fn two_hits_at_the_same_point() {
    let recipe = Recipe::Clustered {
        cells: 40,
        falloff: 1.0,
    };
    let mut random = random(8);
    for (name, mesh) in solids::all() {
        let mut solid = check::solid(mesh);
        let corner = solid.mesh().triangles[solid.mesh().triangles.len() / 2][0];
        let point = Vec3::from(solid.mesh().positions[corner as usize]).as_dvec3();
        let normal = in_box(&mut random);
        for hit in 0..4u64 {
            // Twice the very same pattern, then others.
            let pattern = Pattern::from_recipe(&recipe, hit / 2).expect("a pattern");
            let cut = FractureParams {
                placement: Placement::at_impact(point, normal, 0.3, 0.6),
                selection: CellSelection::Within {
                    point,
                    radius: 0.1 + 0.05 * hit as f64,
                },
            };
            match fracture(&solid, &pattern, &cut, &mut Workspace::default()) {
                Ok(result) => {
                    let tolerance = 1e-5 + coarseness(&solid);
                    check::check(tolerance, &format!("{name}, hit {hit}"), &solid, &result);
                    let Some(island) = result.islands().next() else {
                        break;
                    };
                    solid = check::solid(solid_of(&solid, island));
                }
                // Nothing is left there.
                Err(FractureError::OutOfReach { .. }) => {}
                Err(error) => panic!("{name}, hit {hit}: {error}"),
            }
        }
    }
}

/// A pattern laid over its own fragment: every face of the fragment lies in a plane of the pattern.
#[test]
fn a_fragment_cut_by_its_own_pattern_stays_whole() {
    // Where cubes overlap, a fragment is two parts through each other, and may come apart.
    let simple = solids::all()
        .into_iter()
        .filter(|(name, _)| *name != "overlapping cubes");
    for (name, mesh) in simple {
        let solid = check::solid(mesh);
        let pattern = drawn(&solid, 12, 4);
        let result = rebroken(name, &solid, &pattern, &all());
        for (index, piece) in result.pieces.iter().enumerate() {
            let fragment = check::solid(solid_of(&solid, piece));
            let name = format!("{name}, fragment {index}");
            let again = rebroken(&name, &fragment, &pattern, &all());
            let largest = again
                .pieces
                .iter()
                .map(|p| p.mass.volume)
                .fold(0.0, f64::max);
            let share = largest / fragment.mass().volume;
            assert!(share > 0.99, "{name}: {share}");
        }
    }
}

/// Rotations by right and half right angles of both: planes in faces, moved off them by rounding.
#[test]
fn planes_in_turned_faces() {
    for turns in 0..8u8 {
        let turn = DMat3::from_rotation_y(std::f64::consts::FRAC_PI_4 * f64::from(turns));
        let sites = [-0.25, 0.25, 0.75].map(|x| turn * DVec3::new(x, 0.0, 0.0));
        let pattern = Pattern::from_sites(&sites).expect("a pattern");
        let cube = solids::mapped(&Mesh::cuboid([1.0; 3]), |p| turn.as_mat3() * p);
        let result = rebroken(
            &format!("turned {turns}"),
            &check::solid(cube),
            &pattern,
            &all(),
        );
        let volumes: Vec<f64> = result.pieces.iter().map(|p| p.mass.volume).collect();
        assert_eq!(volumes.len(), 2, "{volumes:?}");
        assert!(
            volumes.iter().all(|v| (v - 0.5).abs() < 1e-6),
            "{volumes:?}"
        );
    }
}
