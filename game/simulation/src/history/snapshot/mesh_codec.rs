//! Meshes as bytes, to the last bit: what is read breaks as what was written.

use bytes::Bytes;
use fracture_geometry::Mesh;

use crate::history::byte_io::{write_corners, write_count, write_f32s, ByteReader, Malformed};

/// Writes a mesh.
pub(crate) fn write(out: &mut Vec<u8>, mesh: &Mesh) {
    write_count(out, mesh.positions.len());
    write_count(out, mesh.triangles.len());
    let has = [
        !mesh.normals.is_empty(),
        !mesh.tangents.is_empty(),
        !mesh.uvs.is_empty(),
        !mesh.colors.is_empty(),
    ];
    out.extend(has.map(u8::from));
    write_f32s(out, mesh.positions.as_flattened());
    write_f32s(out, mesh.normals.as_flattened());
    write_f32s(out, mesh.tangents.as_flattened());
    write_f32s(out, mesh.uvs.as_flattened());
    write_f32s(out, mesh.colors.as_flattened());
    write_corners(out, &mesh.triangles, mesh.positions.len());
    write_runs(out, &mesh.surfaces);
}

/// A mesh that stays the bytes that it was written as.
pub(crate) struct EncodedMesh(Bytes);

impl EncodedMesh {
    /// The mesh that was read from the beginning of `bytes`, of which `left` has not been read. All of that is
    /// a part of `all`.
    pub fn read_from(all: &Bytes, bytes: &[u8], left: &ByteReader) -> Self {
        let size = bytes.len().saturating_sub(left.0.len());
        Self(all.slice_ref(bytes.get(..size).unwrap_or_default()))
    }

    /// The mesh.
    pub fn unpack(&self) -> Result<Mesh, Malformed> {
        read(&mut ByteReader(&self.0))
    }
}

/// Reads what [`write`] has written.
pub(crate) fn read(bytes: &mut ByteReader) -> Result<Mesh, Malformed> {
    let mut mesh = Mesh::default();
    read_into(bytes, &mut mesh)?;
    Ok(mesh)
}

/// The same in the place of what is in a mesh. On errors something else is in it.
pub(crate) fn read_into(bytes: &mut ByteReader, mesh: &mut Mesh) -> Result<(), Malformed> {
    let [vertices, triangles] = [bytes.u32()? as usize, bytes.u32()? as usize];
    let mut has = [false; 4];
    for has in &mut has {
        *has = bytes.u8()? != 0;
    }
    let count = has.map(|has| if has { vertices } else { 0 });
    bytes.places(vertices, &mut mesh.positions)?;
    bytes.rows(count[0], &mut mesh.normals)?;
    bytes.rows(count[1], &mut mesh.tangents)?;
    bytes.rows(count[2], &mut mesh.uvs)?;
    bytes.rows(count[3], &mut mesh.colors)?;
    bytes.corners_into((triangles, vertices), &mut mesh.triangles)?;
    read_runs_into(bytes, triangles, &mut mesh.surfaces)
}

/// Numbers of which many in a row are the same.
pub(crate) fn write_runs(out: &mut Vec<u8>, numbers: &[u32]) {
    let runs = || numbers.chunk_by(|a, b| a == b);
    write_count(out, runs().count());
    for run in runs() {
        write_count(out, run.len());
        out.extend(run.first().copied().unwrap_or_default().to_le_bytes());
    }
}

/// None, or as many as there are triangles.
pub(crate) fn read_runs(bytes: &mut ByteReader, triangles: usize) -> Result<Vec<u32>, Malformed> {
    let mut numbers = Vec::new();
    read_runs_into(bytes, triangles, &mut numbers)?;
    Ok(numbers)
}

/// The same in the place of what is in a vector.
fn read_runs_into(
    bytes: &mut ByteReader,
    triangles: usize,
    numbers: &mut Vec<u32>,
) -> Result<(), Malformed> {
    numbers.clear();
    for _ in 0..bytes.u32()? {
        let (count, number) = (bytes.u32()? as usize, bytes.u32()?);
        if count > triangles - numbers.len() {
            return Err(Malformed);
        }
        numbers.resize(numbers.len() + count, number);
    }
    match numbers.len() {
        0 => Ok(()),
        all if all == triangles => Ok(()),
        _ => Err(Malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mesh with some of all attributes.
    fn attributed(mut mesh: Mesh, of: u32) -> Mesh {
        let rows = mesh.positions.clone().into_iter();
        let some = |bit: u32| rows.clone().filter(move |_| of & bit != 0);
        mesh.normals = some(1).map(|[x, y, z]| [z, x, y]).collect();
        mesh.tangents = some(2).map(|[x, y, z]| [z, x, y, -1.0]).collect();
        mesh.uvs = some(4).map(|[x, y, _]| [x, y]).collect();
        mesh.colors = some(8).map(|[x, y, z]| [x, y, z, 0.5]).collect();
        let surface = |triangle| triangle as u32 / 5;
        let all = (0..mesh.triangles.len()).filter(|_| of & 16 != 0);
        mesh.surfaces = all.map(surface).collect();
        mesh
    }

    #[test]
    fn meshes_come_back_whatever_attributes_they_have() {
        for of in 0..32 {
            let mesh = attributed(Mesh::torus(0.8, 0.3, 12, 8), of);
            let mut bytes = Vec::new();
            write(&mut bytes, &mesh);
            assert_eq!(read(&mut ByteReader(&bytes)), Ok(mesh));
            for length in 0..bytes.len() {
                assert_eq!(read(&mut ByteReader(&bytes[..length])), Err(Malformed));
            }
        }
    }

    #[test]
    fn large_meshes_come_back() {
        let mesh = attributed(Mesh::torus(0.8, 0.3, 300, 300), 0);
        assert!(mesh.positions.len() > 1 << 16);
        let mut bytes = Vec::new();
        write(&mut bytes, &mesh);
        assert_eq!(read(&mut ByteReader(&bytes)), Ok(mesh));
    }

    #[test]
    fn corners_that_are_no_vertices_are_refused() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Mesh::cuboid([1.0; 3]));
        let at = bytes.len() - 6; // the last corner; behind it is the number of runs
        bytes[at] = 0xff;
        assert_eq!(read(&mut ByteReader(&bytes)), Err(Malformed));
    }
}
