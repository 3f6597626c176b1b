//! Colliders as bytes.

use std::panic::{catch_unwind, AssertUnwindSafe};

use fracture_geometry::byte_io::{write_count, write_f32s, write_triangles, ByteReader, Malformed};
use fracture_geometry::Mesh;
use glam::Vec3;
use rapier3d::math::Pose;
use rapier3d::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier3d::parry::shape::{ConvexPolyhedron, SharedShape, TriMesh, TypedShape};
use rapier3d::parry::transformation::try_convex_hull;

use crate::debris::LazyConvexHull;
use crate::pieces::{debris_collider, mesh_bounds, Colliders, HullCount};
use crate::pieces::{triangle_mesh, ChunkedMesh};

// Marks of shapes.

/// A provisional shape, or one of a kind that breaks do not make: the collider is built from the mesh when it is
/// read.
const FROM_MESH: u8 = 0;
const HULLS: u8 = 1;
/// The triangles of the piece's mesh.
const SAME_TRIANGLES: u8 = 2;
const TRIANGLES: u8 = 3;
/// Several shapes.
const SEVERAL: u8 = 4;
/// The triangles of a chunk of the mesh.
const CHUNK: u8 = 5;
/// Those of a chunk that was simplified, and its index.
const SIMPLIFIED_CHUNK: u8 = 6;

/// A shape may reach out of its mesh by the size of that, and by this at least, metres: tiny shapes are boxes.
const MIN_MARGIN: f32 = 0.01;

// Marks of the parts of `HULLS`.
const POLYHEDRON: u8 = 0;
const CUBOID: u8 = 1;

/// The colliders of a piece, as far as they can be read without its chunks.
pub(crate) struct SavedColliders {
    /// At least one.
    pub shapes: Vec<SavedCollider>,
    pub hulls: HullCount,
}

/// One of the colliders.
#[derive(Clone)]
pub(crate) enum SavedCollider {
    Shape(SharedShape),
    /// The triangles of a chunk, by its index.
    Chunk(u32),
    /// The simplified triangles of a chunk.
    SimplifiedChunk(u32, SharedShape),
}

/// Writes the colliders of a piece with the given mesh and, if it has one, chunked mesh; without colliders, a mark
/// by which they are built from the mesh when they are read.
pub(super) fn write(
    out: &mut Vec<u8>,
    colliders: Option<&Colliders>,
    hulls: HullCount,
    mesh: &Mesh,
    chunked_mesh: Option<&ChunkedMesh>,
) {
    for count in [hulls.hulls, hulls.boxed, hulls.loose] {
        out.extend(count.to_le_bytes());
    }
    let Some(colliders) = colliders else {
        return out.push(FROM_MESH);
    };
    let count = colliders.shapes().count();
    if count == 1 {
        return write_shape(out, colliders.first(), mesh);
    }
    out.push(SEVERAL);
    write_count(out, count);
    for shape in colliders.shapes() {
        let chunk = chunked_mesh.and_then(|chunks| chunks.chunk_with_collider(shape));
        let simplified =
            chunked_mesh.and_then(|chunks| chunks.chunk_with_simplified_collider(shape));
        if let Some(chunk) = chunk {
            out.push(CHUNK);
            write_count(out, chunk);
            continue;
        }
        if let Some(chunk) = simplified {
            out.push(SIMPLIFIED_CHUNK);
            write_count(out, chunk);
        }
        write_shape(out, shape, mesh);
    }
}

fn write_shape(out: &mut Vec<u8>, shape: &SharedShape, mesh: &Mesh) {
    let start = out.len();
    if let Some(triangles) = shape.as_trimesh() {
        write_trimesh(out, triangles, mesh);
    } else if write_hulls(out, shape).is_none() {
        out.truncate(start);
        out.push(FROM_MESH);
    }
}

/// Reads the colliders of a piece with the given mesh and number of chunks.
pub(super) fn read(
    reader: &mut ByteReader,
    mesh: &Mesh,
    chunks: usize,
) -> Result<SavedColliders, Malformed> {
    let hulls = HullCount {
        hulls: reader.u32()?,
        boxed: reader.u32()?,
        loose: reader.u32()?,
        ..HullCount::default()
    };
    let mark = reader.u8()?;
    let around = around(mesh);
    let mut shapes = Vec::new();
    if mark == SEVERAL {
        for _ in 0..reader.u32()? {
            shapes.extend(read_collider(reader, mesh, &around, chunks)?);
        }
    } else {
        shapes.extend(read_shape(reader, mark, mesh, &around)?.map(SavedCollider::Shape));
    }
    if shapes.is_empty() {
        return Ok(SavedColliders::from_mesh(mesh));
    }
    Ok(SavedColliders { shapes, hulls })
}

fn read_collider(
    reader: &mut ByteReader,
    mesh: &Mesh,
    around: &Aabb,
    chunks: usize,
) -> Result<Option<SavedCollider>, Malformed> {
    let mark = reader.u8()?;
    if mark != CHUNK && mark != SIMPLIFIED_CHUNK {
        return Ok(read_shape(reader, mark, mesh, around)?.map(SavedCollider::Shape));
    }
    let chunk = reader.u32()?;
    if (chunk as usize) >= chunks {
        return Err(Malformed);
    }
    if mark == CHUNK {
        return Ok(Some(SavedCollider::Chunk(chunk)));
    }
    let mark = reader.u8()?;
    let shape = read_shape(reader, mark, mesh, around)?;
    Ok(shape.map(|shape| SavedCollider::SimplifiedChunk(chunk, shape)))
}

/// `None` for a shape that has to be built from the mesh, and for one that is not in a box: that is of a damaged save.
fn read_shape(
    reader: &mut ByteReader,
    mark: u8,
    mesh: &Mesh,
    around: &Aabb,
) -> Result<Option<SharedShape>, Malformed> {
    let shape = match mark {
        HULLS => read_hulls(reader)?,
        SAME_TRIANGLES => {
            let points = mesh.positions.iter().map(|point| Vec3::from(*point));
            triangle_mesh(points.collect(), mesh.triangles.clone())
        }
        TRIANGLES => {
            let (points, triangles) = read_points_and_triangles(reader)?;
            triangle_mesh(points, triangles)
        }
        FROM_MESH => None,
        _ => return Err(Malformed),
    };
    Ok(shape.filter(|shape| around.contains(&shape.compute_local_aabb())))
}

/// The box in which the colliders of a mesh are.
fn around(mesh: &Mesh) -> Aabb {
    let [low, high] = mesh_bounds(mesh);
    let margin = (high - low).max_element().max(MIN_MARGIN);
    Aabb::new(low - margin, high + margin)
}

fn read_points_and_triangles(
    reader: &mut ByteReader,
) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), Malformed> {
    let [points, triangles] = [reader.u32()? as usize, reader.u32()? as usize];
    let points = reader.points(points)?;
    let triangles = reader.triangles(triangles, points.len())?;
    Ok((points, triangles))
}

impl SavedCollider {
    pub fn is_chunk(&self) -> bool {
        matches!(self, Self::Chunk(_))
    }
}

impl SavedColliders {
    /// Builds the collider of a fragment with the given mesh.
    pub fn from_mesh(mesh: &Mesh) -> Self {
        let built = debris_collider(mesh);
        Self {
            shapes: vec![SavedCollider::Shape(built.shape)],
            hulls: built.hulls,
        }
    }
}

fn write_trimesh(out: &mut Vec<u8>, shape: &TriMesh, mesh: &Mesh) {
    let points = || shape.vertices().iter().map(|point| point.to_array());
    let has_same_points = points().eq(mesh.positions.iter().copied());
    if has_same_points && shape.indices() == mesh.triangles {
        out.push(SAME_TRIANGLES);
        return;
    }
    out.push(TRIANGLES);
    write_count(out, shape.vertices().len());
    write_count(out, shape.indices().len());
    points().for_each(|point| write_f32s(out, &point));
    write_triangles(out, shape.indices(), shape.vertices().len());
}

/// Writes a hull, a cuboid, or a compound of these; `None` for any other shape.
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
        out.push(CUBOID);
        write_f32s(out, &pose.translation.to_array());
        write_f32s(out, &cuboid.half_extents.to_array());
        return Some(());
    }
    if *pose != Pose::IDENTITY {
        return None;
    }
    let triangulation;
    let lazy = shape.as_shape::<LazyConvexHull>();
    let (points, triangles) = match lazy.and_then(LazyConvexHull::source) {
        Some(source) => source,
        None => {
            let TypedShape::ConvexPolyhedron(hull) = shape.as_typed_shape() else {
                return None;
            };
            triangulation = triangulate(hull);
            (&*triangulation.0, &*triangulation.1)
        }
    };
    out.push(POLYHEDRON);
    write_count(out, points.len());
    write_count(out, triangles.len());
    points
        .iter()
        .for_each(|point| write_f32s(out, &point.to_array()));
    write_triangles(out, triangles, points.len());
    Some(())
}

/// Triangulates a hull, so that the hull can be built again from the triangles. Where coplanar triangles were
/// merged to a face, that may have dropped a vertex in the middle of an edge on one side only; the triangles
/// are not closed then, and the hull of the points is computed again.
fn triangulate(hull: &ConvexPolyhedron) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (points, triangles) = hull.to_trimesh();
    let edges = |[a, b, c]: &[u32; 3]| [[*a, *b], [*b, *c], [*c, *a]];
    let mut half_edges: Vec<[u32; 2]> = triangles.iter().flat_map(edges).collect();
    half_edges.sort_unstable();
    let is_closed = half_edges
        .iter()
        .all(|[a, b]| half_edges.binary_search(&[*b, *a]).is_ok());
    if is_closed {
        return (points, triangles);
    }
    let compute = AssertUnwindSafe(|| try_convex_hull(&points).ok());
    let hull = catch_unwind(compute).ok().flatten();
    hull.unwrap_or((points, triangles))
}

/// `None` when one of the hulls cannot be built.
fn read_hulls(reader: &mut ByteReader) -> Result<Option<SharedShape>, Malformed> {
    let count = reader.u32()?;
    let parts = (0..count).map(|_| read_hull(reader));
    let parts = parts.collect::<Result<Option<Vec<_>>, _>>()?;
    Ok(parts.and_then(|mut parts| match parts.as_slice() {
        [] => None,
        [(pose, _)] if *pose == Pose::IDENTITY => parts.pop().map(|(_, shape)| shape),
        _ => Some(SharedShape::compound(parts)),
    }))
}

fn read_hull(reader: &mut ByteReader) -> Result<Option<(Pose, SharedShape)>, Malformed> {
    if reader.u8()? == CUBOID {
        let [center, half] = [reader.point()?, reader.point()?];
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        return Ok(Some((Pose::from_translation(center), cuboid)));
    }
    let (points, triangles) = read_points_and_triangles(reader)?;
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

    const HULLS_OF_TESTS: HullCount = HullCount {
        hulls: 3,
        boxed: 2,
        loose: 1,
        clipped: 0,
    };

    fn written(shape: &SharedShape, mesh: &Mesh) -> Vec<u8> {
        let mut bytes = Vec::new();
        let colliders = shape.clone().into();
        write(&mut bytes, Some(&colliders), HULLS_OF_TESTS, mesh, None);
        bytes
    }

    fn write_and_read(shape: &SharedShape, mesh: &Mesh) -> SharedShape {
        let bytes = written(shape, mesh);
        for length in 0..bytes.len() {
            assert!(read(&mut ByteReader(&bytes[..length]), mesh, 0).is_err());
        }
        let read = read(&mut ByteReader(&bytes), mesh, 0).unwrap();
        assert_eq!(read.hulls, HULLS_OF_TESTS);
        only_shape(&read)
    }

    fn only_shape(read: &SavedColliders) -> SharedShape {
        match read.shapes.as_slice() {
            [SavedCollider::Shape(shape)] => shape.clone(),
            _ => panic!("not one shape"),
        }
    }

    /// The vertices, the number of edges of faces, and the bounds of a shape.
    fn features(shape: &SharedShape) -> (Vec<Vec3>, usize, [Vec3; 2]) {
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
            assert_eq!(features(&write_and_read(&shape, &mesh)), features(&shape));
        }
    }

    #[test]
    fn boxes_come_back_where_they_are() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let at = Pose::from_translation(Vec3::new(0.1, 0.2, 0.3));
        let cuboid = (at, SharedShape::cuboid(0.1, 0.2, 0.3));
        let hull = (Pose::IDENTITY, debris_collider(&mesh).shape);
        for parts in [vec![cuboid.clone()], vec![cuboid, hull]] {
            let shape = SharedShape::compound(parts);
            assert_eq!(features(&write_and_read(&shape, &mesh)), features(&shape));
        }
    }

    #[test]
    fn triangles_come_back_whether_they_are_those_of_the_mesh_or_not() {
        let [mesh, other] = [Mesh::cuboid([1.0; 3]), Mesh::torus(0.8, 0.3, 16, 12)];
        let points = mesh.positions.iter().map(|point| Vec3::from(*point));
        let shape = triangle_mesh(points.collect(), mesh.triangles.clone()).unwrap();
        let corners = |shape: &SharedShape| {
            let triangles = shape.as_trimesh().unwrap();
            (triangles.vertices().to_vec(), triangles.indices().to_vec())
        };
        for piece in [&mesh, &other] {
            assert_eq!(corners(&write_and_read(&shape, piece)), corners(&shape));
        }
    }

    #[test]
    fn shapes_that_are_far_from_the_mesh_are_built_from_it() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let from_mesh = debris_collider(&mesh).shape;
        for far in [2.0, 1e25] {
            let far = Vec3::new(far, 0.0, 0.0);
            let mut points: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::from(*p)).collect();
            points[0] += far;
            let triangles = triangle_mesh(points, mesh.triangles.clone()).unwrap();
            let cuboid = SharedShape::cuboid(0.1, 0.2, 0.3);
            let cuboid = SharedShape::compound(vec![(Pose::from_translation(far), cuboid)]);
            for shape in [triangles, cuboid] {
                let bytes = written(&shape, &mesh);
                let read = read(&mut ByteReader(&bytes), &mesh, 0).unwrap();
                assert_eq!(features(&only_shape(&read)), features(&from_mesh));
                assert_ne!(read.hulls, HULLS_OF_TESTS);
            }
        }
    }

    #[test]
    fn shapes_that_breaks_do_not_make_are_built_from_the_mesh() {
        let mesh = Mesh::cuboid([1.0; 3]);
        let mut bytes = Vec::new();
        let turned = Pose::from_rotation(glam::Quat::from_rotation_y(1.0));
        let part = (turned, debris_collider(&mesh).shape);
        let shape = SharedShape::compound(vec![part]);
        write(
            &mut bytes,
            Some(&shape.into()),
            HullCount::default(),
            &mesh,
            None,
        );
        let built = read(&mut ByteReader(&bytes), &mesh, 0).unwrap();
        assert_eq!(
            features(&only_shape(&built)),
            features(&debris_collider(&mesh).shape)
        );
        assert_eq!(built.hulls.hulls, 1);
    }
}
