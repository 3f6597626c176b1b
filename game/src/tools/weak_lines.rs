//! The crosses that show where an object is painted weak.

use fracture_geometry::{glam::DVec3, Mesh, WeakPlace, Weakness, MAX_WEAKNESS};

/// Least weakness that is drawn, as a share of the greatest.
const LEAST: f64 = 0.1;

/// Length of the arms of a cross at the weakest place, as a share of the distance of two crosses.
const ARM: f64 = 0.45;

/// The lines of crosses on a mesh, the larger the weaker it is there: both ends of each, in the space of the mesh.
pub(super) fn weak_lines(weakness: &Weakness, mesh: &Mesh) -> Vec<[DVec3; 2]> {
    let places = weakness.places_on(mesh).into_iter();
    let places = places.filter(|place| place.weakness >= LEAST * MAX_WEAKNESS);
    let longest = ARM * weakness.cell_size();
    places
        .flat_map(|place| cross(&place, longest * place.weakness / MAX_WEAKNESS))
        .collect()
}

/// The two lines of a cross with arms of a length.
fn cross(place: &WeakPlace, arm: f64) -> [[DVec3; 2]; 2] {
    // Upright on walls, along x on floors.
    let up = if place.normal.y.abs() < 0.9 {
        DVec3::Y
    } else {
        DVec3::X
    };
    let side = up.cross(place.normal).normalize_or_zero();
    let up = place.normal.cross(side);
    let line = |way: DVec3| [place.point - way * arm, place.point + way * arm];
    [line(side), line(up)]
}
