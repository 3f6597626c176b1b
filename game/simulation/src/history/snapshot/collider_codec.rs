//! What pieces are collided with, as bytes.

use std::panic::{catch_unwind, AssertUnwindSafe};

use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape, TriMesh};
use rapier3d::parry::transformation::try_convex_hull;

use crate::history::byte_io::{write_corners, write_count, write_f32s, ByteReader, Malformed};
use crate::pieces::{debris_collider, Colliders, HullCount, LazyConvexHull};
use crate::pieces::{tree, ChunkedMesh};

/// To be made of the mesh as that of a fragment: nothing that a break makes.
const ANEW: u8 = 0;
const HULLS: u8 = 1;
/// The very mesh.
const ITSELF: u8 = 2;
const TRIANGLES: u8 = 3;
/// Several meshes, each one of those or that of a chunk.
const PARTS: u8 = 4;
/// The triangles of a chunk of the surface.
const CHUNK: u8 = 5;

const POLYHEDRON: u8 = 0;
const BOX: u8 = 1;

/// What a piece is collided with, as far as it can be known without its surface.
pub(crate) struct SavedColliders {
    /// At least one.
    pub parts: Vec<SavedCollider>,
    pub hulls: HullCount,
}

/// A part of that.
#[derive(Clone)]
pub(crate) enum SavedCollider {
    Shape(SharedShape),
    /// The triangles of a chunk.
    Chunk(u32),
}

/// Writes shapes; `mesh` is the piece's, and `surface` its chunks if it has any.
pub(super) fn write(
    out: &mut Vec<u8>,
    (colliders, hulls): (&Colliders, HullCount),
    mesh: &Mesh,
    surface: Option<&ChunkedMesh>,
) {
    for count in [hulls.hulls, hulls.boxed, hulls.loose] {
        out.extend(count.to_le_bytes());
    }
    let count = colliders.shapes().count();
    if count == 1 {
        return write_shape(out, colliders.first(), mesh);
    }
    out.push(PARTS);
    write_count(out, count);
    for shape in colliders.shapes() {
        match surface.and_then(|surface| surface.chunk_of(shape)) {
            Some(chunk) => {
                out.push(CHUNK);
                write_count(out, chunk);
            }
            None => write_shape(out, shape, mesh),
        }
    }
}

fn write_shape(out: &mut Vec<u8>, shape: &SharedShape, mesh: &Mesh) {
    let start = out.len();
    if let Some(triangles) = shape.as_trimesh() {
        write_triangles(out, triangles, mesh);
    } else if write_hulls(out, shape).is_none() {
        out.truncate(start);
        out.push(ANEW);
    }
}

/// Reads what [`write`] has written, for a mesh with so many chunks.
pub(super) fn read(
    bytes: &mut ByteReader,
    mesh: &Mesh,
    chunks: usize,
) -> Result<SavedColliders, Malformed> {
    let hulls = HullCount {
        hulls: bytes.u32()?,
        boxed: bytes.u32()?,
        loose: bytes.u32()?,
        ..HullCount::default()
    };
    let kind = bytes.u8()?;
    if kind != PARTS {
        let shape = read_shape(bytes, kind, mesh)?;
        return Ok(shape.map_or_else(
            || SavedColliders::anew(mesh),
            |shape| SavedColliders {
                parts: vec![SavedCollider::Shape(shape)],
                hulls,
            },
        ));
    }
    let mut parts = Vec::new();
    for _ in 0..bytes.u32()? {
        parts.extend(read_part(bytes, mesh, chunks)?);
    }
    match parts.is_empty() {
        true => Ok(SavedColliders::anew(mesh)),
        false => Ok(SavedColliders { parts, hulls }),
    }
}

fn read_part(
    bytes: &mut ByteReader,
    mesh: &Mesh,
    chunks: usize,
) -> Result<Option<SavedCollider>, Malformed> {
    let kind = bytes.u8()?;
    if kind != CHUNK {
        return Ok(read_shape(bytes, kind, mesh)?.map(SavedCollider::Shape));
    }
    let chunk = bytes.u32()?;
    let is_there = (chunk as usize) < chunks;
    is_there
        .then_some(Some(SavedCollider::Chunk(chunk)))
        .ok_or(Malformed)
}

/// `None` for what has to be made of the mesh.
fn read_shape(
    bytes: &mut ByteReader,
    kind: u8,
    mesh: &Mesh,
) -> Result<Option<SharedShape>, Malformed> {
    Ok(match kind {
        HULLS => read_hulls(bytes)?,
        ITSELF => {
            let points = mesh.positions.iter().map(|point| Vec3::from(*point));
            tree(points.collect(), mesh.triangles.clone())
        }
        TRIANGLES => {
            let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
            let points = bytes.points(points)?;
            let triangles = bytes.corners(triangles, points.len())?;
            tree(points, triangles)
        }
        ANEW => None,
        _ => return Err(Malformed),
    })
}

impl SavedCollider {
    pub fn is_chunk(&self) -> bool {
        matches!(self, Self::Chunk(_))
    }
}

impl SavedColliders {
    /// As a fragment of such a mesh is collided with.
    pub fn anew(mesh: &Mesh) -> Self {
        let built = debris_collider(mesh);
        Self {
            parts: vec![SavedCollider::Shape(built.shape)],
            hulls: built.hulls,
        }
    }
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
    let found;
    if let Some(cuboid) = shape.as_cuboid() {
        out.push(BOX);
        write_f32s(out, &pose.translation.to_array());
        write_f32s(out, &cuboid.half_extents.to_array());
        return Some(());
    }
    if *pose != Pose::IDENTITY {
        return None;
    }
    let (points, triangles) = match shape.as_shape::<LazyConvexHull>() {
        Some(late) => late.source(),
        None => {
            found = triangulated(shape.as_convex_polyhedron()?);
            (&*found.0, &*found.1)
        }
    };
    out.push(POLYHEDRON);
    write_count(out, points.len());
    write_count(out, triangles.len());
    points
        .iter()
        .for_each(|point| write_f32s(out, &point.to_array()));
    write_corners(out, triangles, points.len());
    Some(())
}

/// The hull's faces in triangles, from which it can be built again. Where faces were made one of several,
/// corners in the middle of their sides are left out on one side only; then other triangles are found.
fn triangulated(hull: &ConvexPolyhedron) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (points, triangles) = hull.to_trimesh();
    let sides = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]];
    let mut all: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    all.sort_unstable();
    let is_closed = all
        .iter()
        .all(|[a, b]| all.binary_search(&[*b, *a]).is_ok());
    let find = || try_convex_hull(&points).ok();
    let anew = || catch_unwind(AssertUnwindSafe(find)).ok().flatten();
    match is_closed {
        true => (points, triangles),
        false => anew().unwrap_or((points, triangles)),
    }
}

/// `None` when something of it cannot be made.
fn read_hulls(bytes: &mut ByteReader) -> Result<Option<SharedShape>, Malformed> {
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

fn read_hull(bytes: &mut ByteReader) -> Result<Option<(Pose, SharedShape)>, Malformed> {
    if bytes.u8()? == BOX {
        let [center, half] = [bytes.place()?, bytes.place()?];
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        return Ok(Some((Pose::from_translation(center), cuboid)));
    }
    let [points, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
    let points = bytes.points(points)?;
    let triangles = bytes.corners(triangles, points.len())?;
    if points.is_empty() {
        return Ok(None);
    }
    let shape = SharedShape::new(LazyConvexHull::new(points, triangles));
    Ok(Some((Pose::IDENTITY, shape)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapier3d::parry::shape::TypedShape;

    fn through(shape: &SharedShape, mesh: &Mesh) -> SharedShape {
        let hulls = HullCount {
            hulls: 3,
            boxed: 2,
            loose: 1,
            ..HullCount::default()
        };
        let mut bytes = Vec::new();
        write(&mut bytes, (&shape.clone().into(), hulls), mesh, None);
        for length in 0..bytes.len() {
            assert!(read(&mut ByteReader(&bytes[..length]), mesh, 0).is_err());
        }
        let read = read(&mut ByteReader(&bytes), mesh, 0).unwrap();
        assert_eq!(read.hulls, hulls);
        lone(&read)
    }

    fn lone(read: &SavedColliders) -> SharedShape {
        match read.parts.as_slice() {
            [SavedCollider::Shape(shape)] => shape.clone(),
            _ => panic!("not one shape"),
        }
    }

    /// The corners, the sides of faces, and how large it is.
    fn told(shape: &SharedShape) -> (Vec<Vec3>, usize, [Vec3; 2]) {
        let parts = match shape.as_compound() {
            Some(compound) => compound.shapes().to_vec(),
            None => vec![(Pose::IDENTITY, shape.clone())],
        };
        let hull = |part: &'_ SharedShape| match part.as_typed_shape() {
            TypedShape::ConvexPolyhedron(hull) => Some(hull.clone()),
            _ => None,
        };
        let hulls = parts.iter().filter_map(|(_, part)| hull(part));
        let hulls: Vec<_> = hulls.collect();
        let hulls = hulls.iter();
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
            assert_eq!(told(&through(&shape, &mesh)), told(&shape));
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
            assert_eq!(told(&through(&shape, &mesh)), told(&shape));
        }
    }

    #[test]
    fn triangles_come_back_whether_they_are_the_meshs_or_not() {
        let [mesh, other] = [Mesh::cuboid([1.0; 3]), Mesh::torus(0.8, 0.3, 16, 12)];
        let points = mesh.positions.iter().map(|point| Vec3::from(*point));
        let shape = tree(points.collect(), mesh.triangles.clone()).unwrap();
        let corners = |shape: &SharedShape| {
            let triangles = shape.as_trimesh().unwrap();
            (triangles.vertices().to_vec(), triangles.indices().to_vec())
        };
        for of in [&mesh, &other] {
            assert_eq!(corners(&through(&shape, of)), corners(&shape));
        }
    }

    #[test]
    fn what_no_break_makes_is_made_anew_of_the_mesh() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let mut bytes = Vec::new();
        let turned = Pose::from_rotation(glam::Quat::from_rotation_y(1.0));
        let part = (turned, debris_collider(&mesh).shape);
        let shape = SharedShape::compound(vec![part]);
        let colliders = (&shape.into(), HullCount::default());
        write(&mut bytes, colliders, &mesh, None);
        let built = read(&mut ByteReader(&bytes), &mesh, 0).unwrap();
        assert_eq!(told(&lone(&built)), told(&debris_collider(&mesh).shape));
        assert_eq!(built.hulls.hulls, 1);
    }
}
