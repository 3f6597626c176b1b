//! Convex parts and cached hulls that were written and read again.

use fracture_geometry::byte_io::ByteReader;
use fracture_geometry::glam::{DVec3, Vec3};
use fracture_geometry::hulls::{CachedHulls, ConvexParts, Hull, Hulls};
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid, Workspace,
};

/// Solids with many convex parts, with one, and with cached hulls.
fn solids() -> Vec<Solid> {
    let mut two = Mesh::torus(0.5, 0.2, 24, 12);
    let other = Mesh::sphere(0.3, 16, 8);
    let first = two.positions.len() as u32;
    let shifted = |p: &[f32; 3]| (Vec3::from(*p) + 3.0 * Vec3::X).to_array();
    two.positions.extend(other.positions.iter().map(shifted));
    two.triangles
        .extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    two = Mesh::from_triangles(two.positions, two.triangles);
    let meshes = [
        Mesh::cuboid([1.0, 2.0, 0.5]),
        Mesh::torus(0.35, 0.15, 32, 16),
        Mesh::sphere(0.5, 24, 16),
        two,
    ];
    meshes.map(|mesh| Solid::new(mesh).unwrap()).into()
}

fn bytes_of(parts: &ConvexParts, hulls: &CachedHulls) -> Vec<u8> {
    let mut bytes = Vec::new();
    parts.write(&mut bytes);
    hulls.write(&mut bytes);
    bytes
}

/// Reads parts and hulls; `None` when the bytes are refused.
fn read(bytes: &[u8], solid: &Solid) -> Option<(ConvexParts, CachedHulls)> {
    let mut reader = ByteReader(bytes);
    let parts = ConvexParts::read(&mut reader, solid).ok()?;
    Some((parts, CachedHulls::read(&mut reader, solid).ok()?))
}

/// The remainder of a solid after a break.
fn remainder(solid: &Solid) -> Mesh {
    let pattern = Pattern::from_recipe(
        &Recipe::Clustered {
            cells: 24,
            falloff: 1.0,
        },
        7,
    )
    .unwrap();
    let point = Vec3::from(solid.mesh().positions[0]).as_dvec3();
    let params = FractureParams {
        placement: Placement::at_impact(point, DVec3::Y, 0.0, 0.4),
        selection: CellSelection::Within {
            point,
            radius: 0.15,
        },
    };
    let broken = fracture(solid, &pattern, &params, &mut Workspace::default()).unwrap();
    let largest = broken
        .pieces
        .iter()
        .max_by_key(|piece| piece.triangles.len());
    largest
        .unwrap()
        .to_mesh(solid, &CapStyle::own_surface(solid.mesh()))
}

#[test]
fn what_is_read_is_what_was_written_and_gives_the_same_hulls() {
    for solid in solids() {
        let (parts, hulls) = (ConvexParts::new(&solid), CachedHulls::new(&solid));
        let bytes = bytes_of(&parts, &hulls);
        let (read_parts, read_hulls) = read(&bytes, &solid).expect("its own bytes");
        assert_eq!(read_parts, parts);
        assert_eq!(bytes_of(&read_parts, &read_hulls), bytes);
        let rest = remainder(&solid);
        let [fresh, cooked] = [&hulls, &read_hulls].map(|hulls| Hulls::from_cached(&rest, hulls));
        assert_eq!(fresh, cooked);
    }
}

#[test]
fn bytes_that_are_cut_short_are_refused() {
    let solid = &solids()[1];
    let bytes = bytes_of(&ConvexParts::new(solid), &CachedHulls::new(solid));
    for length in (0..bytes.len()).step_by(61) {
        assert!(read(&bytes[..length], solid).is_none(), "{length} bytes");
    }
}

#[test]
fn bytes_of_another_solid_and_damaged_ones_are_refused_or_do_no_harm() {
    let solids = solids();
    let solid = &solids[1];
    let bytes = bytes_of(&ConvexParts::new(solid), &CachedHulls::new(solid));
    let small = Solid::new(Mesh::torus(0.035, 0.015, 32, 16)).unwrap();
    assert!(read(&bytes, &small).is_none(), "hulls of a larger solid");
    let rest = remainder(solid);
    let mut accepted = 0;
    for k in 0..4000_usize {
        let mut damaged = bytes.clone();
        let at = k * 7919 % bytes.len();
        let number = [0, 1, 0x7f, 0x80, 0xf0, 0xff][k % 6];
        for byte in damaged.iter_mut().skip(at).take(1 + k % 4) {
            *byte = number;
        }
        let Some((_, hulls)) = read(&damaged, solid) else {
            continue;
        };
        accepted += 1;
        if accepted % 40 == 0 {
            let found = Hulls::from_cached(&rest, &hulls);
            assert!(!found.hulls.is_empty());
        }
    }
    assert!(accepted > 100, "{accepted} are read");
}

/// Whether hulls are in the box of a solid, or beside it by a fiftieth of its size, and their triangles exist.
fn are_hulls_of(hulls: &[Hull], solid: &Solid) -> bool {
    let bounds = solid.bounds();
    let margin = DVec3::splat(0.02 * bounds.diagonal());
    let [low, high] = [bounds.min - margin, bounds.max + margin];
    hulls.iter().all(|hull| {
        let mut points = hull.points.iter().map(|p| Vec3::from(*p).as_dvec3());
        let is_inside = points.all(|p| p.cmpge(low).all() && p.cmple(high).all());
        let mut corners = hull.triangles.as_flattened().iter();
        is_inside && corners.all(|corner| (*corner as usize) < hull.points.len())
    })
}

#[test]
fn each_damaged_byte_is_refused_or_leaves_hulls_in_the_box_of_the_solid() {
    let solid = Solid::new(Mesh::torus(0.35, 0.15, 12, 8)).unwrap();
    let bytes = bytes_of(&ConvexParts::new(&solid), &CachedHulls::new(&solid));
    let [mut refused, mut accepted] = [0, 0];
    for at in 0..bytes.len() {
        for change in [1, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            match read(&damaged, &solid) {
                None => refused += 1,
                Some((parts, hulls)) => {
                    accepted += 1;
                    assert!(are_hulls_of(&parts.hulls(), &solid), "byte {at}");
                    assert!(are_hulls_of(&hulls.hulls(), &solid), "byte {at}");
                }
            }
        }
    }
    assert!(refused > 1000 && accepted > 1000, "{refused}, {accepted}");
}
