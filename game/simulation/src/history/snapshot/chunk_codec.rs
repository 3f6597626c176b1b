//! Chunked meshes as bytes: which triangles are in which chunk, and the names of the chunks that the intact
//! body has too.

use fracture_geometry::piece_mesh::RenderPartition;

use crate::mesh_codec::{read_runs, write_runs};
use crate::pieces::{ChunkName, ChunkedMeshParts, CollisionSpace};
use fracture_geometry::byte_io::{write_count, write_f32s, ByteReader, Malformed};

/// Writes the chunks of a mesh, if there are any.
pub(super) fn write(out: &mut Vec<u8>, chunks: Option<&ChunkedMeshParts>) {
    out.push(u8::from(chunks.is_some()));
    let Some(chunked_mesh) = chunks else {
        return;
    };
    let CollisionSpace { tolerance, cube } = chunked_mesh.space;
    write_f32s(out, &[tolerance]);
    write_f32s(out, cube.map(|corner| corner.to_array()).as_flattened());
    write_count(out, chunked_mesh.names.len());
    for name in &chunked_mesh.names {
        out.push(u8::from(name.is_some()));
        if let Some(name) = name {
            out.extend(name.mesh.to_le_bytes());
            out.extend(name.number.to_le_bytes());
        }
    }
    write_runs(out, chunked_mesh.partition.chunk_ids());
}

/// Reads the chunks of a mesh that has the given number of triangles.
pub(super) fn read(
    reader: &mut ByteReader,
    triangles: usize,
) -> Result<Option<ChunkedMeshParts>, Malformed> {
    if reader.u8()? == 0 {
        return Ok(None);
    }
    let [tolerance] = reader.f32s()?;
    let space = CollisionSpace {
        tolerance,
        cube: [reader.point()?, reader.point()?],
    };
    if !(tolerance.is_finite() && tolerance >= 0.0) {
        return Err(Malformed);
    }
    let count = reader.u32()?;
    let names = (0..count).map(|_| read_name(reader));
    let names = names.collect::<Result<_, _>>()?;
    let chunk_of_triangle = read_runs(reader, triangles)?;
    if chunk_of_triangle.len() != triangles {
        return Err(Malformed);
    }
    let chunks = RenderPartition::from_chunk_ids(chunk_of_triangle, count).ok_or(Malformed)?;
    Ok(Some(ChunkedMeshParts {
        partition: chunks,
        names,
        space,
    }))
}

fn read_name(reader: &mut ByteReader) -> Result<Option<ChunkName>, Malformed> {
    if reader.u8()? == 0 {
        return Ok(None);
    }
    let (mesh, number) = (reader.u64()?, reader.u32()?);
    Ok(Some(ChunkName { mesh, number }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn chunks_come_back_and_numbers_that_cannot_be_are_refused() {
        let name = |number| ChunkName { mesh: 7, number };
        let parts = ChunkedMeshParts {
            partition: RenderPartition::from_chunk_ids(vec![0, 0, 2, 1, 1], 3).unwrap(),
            names: vec![Some(name(1)), None, Some(name(u32::MAX))],
            space: CollisionSpace {
                tolerance: 0.5,
                cube: [Vec3::ZERO, Vec3::ONE],
            },
        };
        for parts in [None, Some(parts)] {
            let mut bytes = Vec::new();
            write(&mut bytes, parts.as_ref());
            assert_eq!(read(&mut ByteReader(&bytes), 5), Ok(parts));
            for length in 0..bytes.len() {
                assert_eq!(read(&mut ByteReader(&bytes[..length]), 5), Err(Malformed));
            }
            if bytes.len() > 1 {
                // Another number of triangles, a chunk that is not there.
                assert_eq!(read(&mut ByteReader(&bytes), 6), Err(Malformed));
                *bytes.iter_mut().rev().nth(3).unwrap() = 3;
                assert_eq!(read(&mut ByteReader(&bytes), 5), Err(Malformed));
            }
        }
    }
}
