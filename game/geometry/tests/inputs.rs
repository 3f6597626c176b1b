//! Bad input gives one clear error and changes nothing.

use crate::check::{self, all, near};
use crate::solids;
use fracture_geometry::{
    fracture, CellSelection, FractureError, FractureParams, Mesh, Pattern, PatternError, Placement,
    Recipe, Solid, SolidError, Workspace, MAX_CELLS,
};
use glam::{DMat3, DVec3};

fn pattern() -> Pattern {
    Pattern::from_recipe(&Recipe::Uniform { cells: 10 }, 1).expect("a pattern")
}

fn refused(cut: &FractureParams) -> FractureError {
    let solid = check::solid(Mesh::cuboid([1.0; 3]));
    let result = fracture(&solid, &pattern(), cut, &mut Workspace::default());
    result.expect_err("must be refused")
}

#[test]
fn meshes_that_are_no_solids() {
    let refused = |mesh: Mesh| Solid::new(mesh).expect_err("must be refused");
    assert_eq!(refused(Mesh::default()), SolidError::Empty);
    let one = Mesh::from_triangles(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        vec![[0, 1, 2]],
    );
    assert!(matches!(
        refused(one),
        SolidError::NotClosed { edges: 3, .. }
    ));
    let mut open = Mesh::cuboid([1.0; 3]);
    open.triangles.pop();
    assert!(matches!(
        refused(open),
        SolidError::NotClosed { edges: 3, .. }
    ));
    let mut holed = Mesh::cuboid([1.0; 3]);
    holed.positions[5][1] = f32::NAN;
    assert_eq!(refused(holed), SolidError::NotFinite { vertex: 5 });
    let mut wild = Mesh::cuboid([1.0; 3]);
    wild.triangles[3][1] = 1_000_000;
    assert!(matches!(refused(wild), SolidError::Mismatched { .. }));
    let mut short = Mesh::cuboid([1.0; 3]);
    short.normals.pop();
    assert!(matches!(
        refused(short),
        SolidError::Mismatched {
            what: "normals",
            ..
        }
    ));
    let inside_out = solids::flipped(&Mesh::cuboid([1.0; 3]));
    assert!(matches!(refused(inside_out), SolidError::NoVolume { .. }));
    let flat = Mesh::cuboid([1.0, 1.0, 0.0]);
    assert!(matches!(refused(flat), SolidError::NoVolume { .. }));
}

#[test]
fn messages_name_the_remedy() {
    let mut open = Mesh::cuboid([1.0; 3]);
    open.triangles.pop();
    let message = Solid::new(open).expect_err("open").to_string();
    assert!(
        message.contains("not closed") && message.contains("close the holes"),
        "{message}"
    );
}

#[test]
fn patterns_of_no_or_one_cell_or_too_many() {
    let few = |cells| Pattern::from_recipe(&Recipe::Uniform { cells }, 1);
    let field = "the number of cells";
    let too_few = |found| Err(PatternError::TooFewSites { found, field });
    assert_eq!(few(0), too_few(0));
    assert_eq!(few(1), too_few(1));
    let found = MAX_CELLS + 1;
    assert_eq!(
        few(found as u32),
        Err(PatternError::TooManySites {
            found,
            limit: MAX_CELLS,
            field
        })
    );
    let same = [DVec3::ONE; 5];
    assert_eq!(Pattern::from_sites(&same), too_few(1));
    let named = too_few(1).map_err(|error| error.with_field("Rows"));
    let named = named.expect_err("too few").to_string();
    assert!(named.ends_with("; raise Rows"), "{named}");
    let wild = [DVec3::ONE, DVec3::NAN];
    assert_eq!(
        Pattern::from_sites(&wild),
        Err(PatternError::NotFinite { site: 1 })
    );
    let steep = Recipe::Clustered {
        cells: 9,
        falloff: f64::NAN,
    };
    assert!(matches!(
        steep.sites(1),
        Err(PatternError::Parameter { .. })
    ));
}

#[test]
fn impacts_that_reach_nothing_or_are_no_numbers() {
    assert_eq!(
        refused(&near(DVec3::NAN, 1.0)),
        FractureError::ImpactNotFinite
    );
    for radius in [0.0, -1.0, f64::INFINITY, f64::NAN] {
        let error = refused(&near(DVec3::ZERO, radius));
        assert!(
            matches!(error, FractureError::Radius { .. }),
            "{radius}: {error}"
        );
    }
    let far = refused(&near(DVec3::splat(100.0), 1.0));
    assert!(matches!(far, FractureError::OutOfReach { .. }));
}

#[test]
fn placements_that_flatten_mirror_or_shrink_too_far() {
    let placed = |linear: DMat3| FractureParams {
        placement: Placement {
            linear,
            translation: DVec3::ZERO,
        },
        selection: CellSelection::All,
    };
    for linear in [
        DMat3::ZERO,
        DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0)),
        DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)),
        DMat3::from_diagonal(DVec3::splat(f64::NAN)),
    ] {
        assert_eq!(refused(&placed(linear)), FractureError::Placement);
    }
    let tiny = refused(&placed(DMat3::from_diagonal(DVec3::splat(1e-6))));
    assert!(matches!(tiny, FractureError::PatternTooSmall { .. }));
}

#[test]
fn triangles_of_no_area_are_left_out_or_carried_along() {
    // A vertex in the middle of an edge, with a triangle of no area that closes the gap.
    let mut mesh = Mesh::cuboid([1.0; 3]);
    mesh.triangles.push([0, 0, 1]);
    mesh.triangles.push([0, 1, 1]);
    let solid = check::solid(mesh);
    assert_eq!(solid.triangle_count(), 12);
    check::broken("repeated corners", &solid, &pattern(), &all());
    let mut mesh = Mesh::from_triangles(Vec::new(), Vec::new());
    mesh.positions = vec![
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.0, 0.0],
    ];
    mesh.triangles = vec![
        [0, 2, 4],
        [4, 2, 1],
        [0, 1, 3],
        [0, 3, 2],
        [1, 2, 3],
        [0, 4, 1],
    ];
    let solid = check::solid(mesh);
    check::broken("a flat triangle", &solid, &pattern(), &all());
}

/// Each site of one line has a corner with each of the other.
#[test]
fn cells_that_all_meet_each_other_are_refused() {
    let lines = |count: u32| {
        let at = (0..count).map(f64::from);
        let lines = at.flat_map(|k| [DVec3::new(k, 0.0, 0.0), DVec3::new(0.1, k, 40.0)]);
        Pattern::from_sites(&lines.collect::<Vec<_>>())
    };
    assert!(lines(200).is_ok());
    let error = lines(1000);
    assert!(matches!(error, Err(PatternError::TooManyCorners { .. })));
}
