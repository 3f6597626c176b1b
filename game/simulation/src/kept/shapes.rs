//! What pieces are collided with, as bytes.

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape, TriMesh};

use crate::debris::{convex, debris_collider, Built, HullCount};
use crate::numbers::{write_corners, write_count, write_f32s, Reader, TooShort};

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
pub(super) fn read(bytes: &mut Reader, mesh: &Mesh) -> Result<Built, TooShort> {
    let hulls = HullCount {
        hulls: bytes.u32()?,
        boxed: bytes.u32()?,
        loose: bytes.u32()?,
    };
    let shape = match bytes.u8()? {
        HULLS => read_hulls(bytes)?,
        ITSELF => trimesh(&mesh.positions, mesh.triangles.clone()),
        TRIANGLES => {
            let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
            let points = bytes.rows(points)?;
            trimesh(&points, bytes.corners(triangles, points.len())?)
        }
        ANEW => None,
        _ => return Err(TooShort),
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
fn read_hulls(bytes: &mut Reader) -> Result<Option<SharedShape>, TooShort> {
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

fn read_hull(bytes: &mut Reader) -> Result<Option<(Pose, SharedShape)>, TooShort> {
    if bytes.u8()? == BOX {
        let [center, half] = [bytes.f32s()?, bytes.f32s()?].map(Vec3::from);
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        return Ok(Some((Pose::from_translation(center), cuboid)));
    }
    let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
    let points = bytes.rows(points)?;
    let triangles = bytes.corners(triangles, points.len())?;
    let points: Vec<Vec3> = points.into_iter().map(Vec3::from).collect();
    let shape = match ConvexPolyhedron::from_convex_mesh(points.clone(), &triangles) {
        Some(polyhedron) => Some(SharedShape::new(polyhedron)),
        // Where faces were made one of several, corners in the middle of their sides are left out.
        None => convex(points).map(|hull| hull.shape),
    };
    Ok(shape.map(|shape| (Pose::IDENTITY, shape)))
}
