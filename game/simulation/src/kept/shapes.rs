//! What pieces are collided with, as bytes.

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape, TriMesh};

use crate::debris::{convex, debris_collider, Built, HullCount};
use crate::numbers::{write_corners, write_count, write_f32s, Reader, Unreadable};

/// To be made of the mesh as that of a fragment: nothing that a break makes.
const ANEW: u8 = 0;
const HULLS: u8 = 1;
/// The very mesh.
const ITSELF: u8 = 2;
const TRIANGLES: u8 = 3;

const POLYHEDRON: u8 = 0;
const BOX: u8 = 1;

/// Writes a shape; `mesh` is the piece's.
pub(super) fn write(out: &mut Vec<u8>, shape: &SharedShape, hulls: HullCount, mesh: &Mesh) {
    for count in [hulls.hulls, hulls.boxed, hulls.loose] {
        out.extend(count.to_le_bytes());
    }
    let start = out.len();
    if let Some(triangles) = shape.as_trimesh() {
        write_triangles(out, triangles, mesh);
    } else if write_hulls(out, shape).is_none() {
        out.truncate(start);
        out.push(ANEW);
    }
}

/// Reads what [`write`] has written.
pub(super) fn read(bytes: &mut Reader, mesh: &Mesh) -> Result<Built, Unreadable> {
    let hulls = HullCount {
        hulls: bytes.u32()?,
        boxed: bytes.u32()?,
        loose: bytes.u32()?,
        ..HullCount::default()
    };
    let shape = match bytes.u8()? {
        HULLS => read_hulls(bytes)?,
        ITSELF => trimesh(&mesh.positions, mesh.triangles.clone()),
        TRIANGLES => {
            let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
            let points = bytes.places(points)?;
            trimesh(&points, bytes.corners(triangles, points.len())?)
        }
        ANEW => None,
        _ => return Err(Unreadable),
    };
    Ok(shape.map_or_else(|| debris_collider(mesh), |shape| Built { shape, hulls }))
}

fn trimesh(points: &[[f32; 3]], triangles: Vec<[u32; 3]>) -> Option<SharedShape> {
    let points = points.iter().map(|point| Vec3::from(*point)).collect();
    SharedShape::trimesh(points, triangles).ok()
}

fn write_triangles(out: &mut Vec<u8>, shape: &TriMesh, mesh: &Mesh) {
    let points = || shape.vertices().iter().map(|point| point.to_array());
    let is_same = points().eq(mesh.positions.iter().copied());
    if is_same && shape.indices() == mesh.triangles {
        out.push(ITSELF);
        return;
    }
    out.push(TRIANGLES);
    write_count(out, shape.vertices().len());
    write_count(out, shape.indices().len());
    points().for_each(|point| write_f32s(out, &point));
    write_corners(out, shape.indices(), shape.vertices().len());
}

/// `None` when it is none of hulls and boxes.
fn write_hulls(out: &mut Vec<u8>, shape: &SharedShape) -> Option<()> {
    out.push(HULLS);
    let Some(compound) = shape.as_compound() else {
        write_count(out, 1);
        return write_hull(out, &Pose::IDENTITY, shape);
    };
    write_count(out, compound.shapes().len());
    let parts = compound.shapes().iter();
    parts
        .map(|(pose, part)| write_hull(out, pose, part))
        .collect()
}

fn write_hull(out: &mut Vec<u8>, pose: &Pose, shape: &SharedShape) -> Option<()> {
    if let Some(cuboid) = shape.as_cuboid() {
        out.push(BOX);
        write_f32s(out, &pose.translation.to_array());
        write_f32s(out, &cuboid.half_extents.to_array());
        return Some(());
    }
    let polyhedron = shape.as_convex_polyhedron();
    let polyhedron = polyhedron.filter(|_| *pose == Pose::IDENTITY)?;
    let (points, triangles) = polyhedron.to_trimesh();
    out.push(POLYHEDRON);
    write_count(out, points.len());
    write_count(out, triangles.len());
    points
        .iter()
        .for_each(|point| write_f32s(out, &point.to_array()));
    write_corners(out, &triangles, points.len());
    Some(())
}

/// `None` when something of it cannot be made.
fn read_hulls(bytes: &mut Reader) -> Result<Option<SharedShape>, Unreadable> {
    let count = bytes.u32()?;
    let parts = (0..count).map(|_| read_hull(bytes));
    let parts = parts.collect::<Result<Option<Vec<_>>, _>>()?;
    let lone = |pose: &Pose| *pose == Pose::IDENTITY;
    Ok(parts.and_then(|mut parts| match parts.as_slice() {
        [] => None,
        [(pose, _)] if lone(pose) => parts.pop().map(|(_, shape)| shape),
        _ => Some(SharedShape::compound(parts)),
    }))
}

fn read_hull(bytes: &mut Reader) -> Result<Option<(Pose, SharedShape)>, Unreadable> {
    if bytes.u8()? == BOX {
        let [center, half] = [bytes.place()?, bytes.place()?];
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        return Ok(Some((Pose::from_translation(center), cuboid)));
    }
    let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
    let points = bytes.places(points)?;
    let triangles = bytes.corners(triangles, points.len())?;
    let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
    let shape = match ConvexPolyhedron::from_convex_mesh(points.clone(), &triangles) {
        Some(polyhedron) => Some(SharedShape::new(polyhedron)),
        // Where faces were made one of several, corners in the middle of their sides are left out.
        None => convex(points).map(|hull| hull.shape),
    };
    Ok(shape.map(|shape| (Pose::IDENTITY, shape)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(shape: &SharedShape, mesh: &Mesh) -> Built {
        let hulls = HullCount {
            hulls: 3,
            boxed: 2,
            loose: 1,
            ..HullCount::default()
        };
        let mut bytes = Vec::new();
        write(&mut bytes, shape, hulls, mesh);
        for length in 0..bytes.len() {
            assert!(read(&mut Reader(&bytes[..length]), mesh).is_err());
        }
        let built = read(&mut Reader(&bytes), mesh).unwrap();
        assert_eq!(built.hulls, hulls);
        built
    }

    /// The corners, the sides of faces, and how large it is.
    fn told(shape: &SharedShape) -> (Vec<Vec3>, usize, [Vec3; 2]) {
        let parts = match shape.as_compound() {
            Some(compound) => compound.shapes().to_vec(),
            None => vec![(Pose::IDENTITY, shape.clone())],
        };
        let hulls = parts
            .iter()
            .filter_map(|(_, part)| part.as_convex_polyhedron());
        let points = hulls
            .clone()
            .flat_map(|hull| hull.points().to_vec())
            .collect();
        let sides = hulls.map(|hull| hull.vertices_adj_to_face().len()).sum();
        let bounds = shape.compute_local_aabb();
        (points, sides, [bounds.mins, bounds.maxs])
    }

    #[test]
    fn hulls_come_back_with_their_faces() {
        let meshes = [
            Mesh::cuboid([1.0, 0.5, 0.2]),
            Mesh::torus(0.8, 0.3, 16, 12),
            Mesh::sphere(0.4, 24, 12),
        ];
        for mesh in meshes {
            let shape = debris_collider(&mesh).shape;
            assert_eq!(told(&through(&shape, &mesh).shape), told(&shape));
        }
    }

    #[test]
    fn boxes_come_back_where_they_are() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let at = Pose::from_translation(Vec3::new(1.0, 2.0, 3.0));
        let cuboid = (at, SharedShape::cuboid(0.1, 0.2, 0.3));
        let hull = (Pose::IDENTITY, debris_collider(&mesh).shape);
        for parts in [vec![cuboid.clone()], vec![cuboid, hull]] {
            let shape = SharedShape::compound(parts);
            assert_eq!(told(&through(&shape, &mesh).shape), told(&shape));
        }
    }

    #[test]
    fn triangles_come_back_whether_they_are_the_meshs_or_not() {
        let [mesh, other] = [Mesh::cuboid([1.0; 3]), Mesh::torus(0.8, 0.3, 16, 12)];
        let shape = trimesh(&mesh.positions, mesh.triangles.clone()).unwrap();
        let corners = |shape: &SharedShape| {
            let triangles = shape.as_trimesh().unwrap();
            (triangles.vertices().to_vec(), triangles.indices().to_vec())
        };
        for of in [&mesh, &other] {
            assert_eq!(corners(&through(&shape, of).shape), corners(&shape));
        }
    }

    #[test]
    fn what_no_break_makes_is_made_anew_of_the_mesh() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let mut bytes = Vec::new();
        let turned = Pose::from_rotation(glam::Quat::from_rotation_y(1.0));
        let part = (turned, debris_collider(&mesh).shape);
        let shape = SharedShape::compound(vec![part]);
        write(&mut bytes, &shape, HullCount::default(), &mesh);
        let built = read(&mut Reader(&bytes), &mesh).unwrap();
        assert_eq!(told(&built.shape), told(&debris_collider(&mesh).shape));
        assert_eq!(built.hulls.hulls, 1);
    }
}
