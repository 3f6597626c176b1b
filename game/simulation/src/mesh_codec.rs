//! Meshes as bytes. They are kept to the last bit, so that a mesh that was read breaks like the one that was
//! written.

use bytes::Bytes;
use fracture_geometry::byte_io::{write_count, write_f32s, write_triangles, ByteReader, Malformed};
use fracture_geometry::{Attribute, Mesh};

/// Bits of the byte that says which attributes come last.
const COLORS: u8 = 1;
const FURTHER: u8 = 2;

/// Writes a mesh.
pub(crate) fn write(out: &mut Vec<u8>, mesh: &Mesh) {
    out.reserve(most_bytes(mesh));
    write_count(out, mesh.positions.len());
    write_count(out, mesh.triangles.len());
    let has_attribute = [
        !mesh.normals.is_empty(),
        !mesh.tangents.is_empty(),
        !mesh.uvs.is_empty(),
    ];
    out.extend(has_attribute.map(u8::from));
    let colors = if mesh.colors.is_empty() { 0 } else { COLORS };
    let has_further = !mesh.attributes.is_empty();
    out.push(colors | if has_further { FURTHER } else { 0 });
    write_f32s(out, mesh.positions.as_flattened());
    write_f32s(out, mesh.normals.as_flattened());
    write_f32s(out, mesh.tangents.as_flattened());
    write_f32s(out, mesh.uvs.as_flattened());
    write_f32s(out, mesh.colors.as_flattened());
    if has_further {
        write_attributes(out, &mesh.attributes);
    }
    write_triangles(out, &mesh.triangles, mesh.positions.len());
    write_runs(out, &mesh.surfaces);
}

/// Bytes of a mesh at most, or nearly: growing a little at a time takes as long as writing.
fn most_bytes(mesh: &Mesh) -> usize {
    let further = mesh.attributes.iter().map(|further| further.values.len());
    let numbers = 3 * (mesh.positions.len() + mesh.normals.len() + mesh.triangles.len())
        + 4 * (mesh.tangents.len() + mesh.colors.len())
        + 2 * mesh.uvs.len()
        + further.sum::<usize>();
    size_of::<f32>() * numbers
}

fn write_attributes(out: &mut Vec<u8>, attributes: &[Attribute]) {
    write_count(out, attributes.len());
    for attribute in attributes {
        out.extend(attribute.id.to_le_bytes());
        out.extend([attribute.size as u8, u8::from(attribute.on_cuts.is_some())]);
        write_f32s(out, attribute.on_cuts.as_slice());
        write_f32s(out, &attribute.values);
    }
}

/// A mesh as the bytes that [`write`] gives, decoded when it is needed.
pub(crate) struct EncodedMesh(Bytes);

impl EncodedMesh {
    /// Takes the bytes that `reader` has read since `before`; both are parts of `all`, whose memory is shared.
    pub fn between(all: &Bytes, before: &[u8], reader: &ByteReader) -> Self {
        let size = before.len().saturating_sub(reader.0.len());
        Self(all.slice_ref(before.get(..size).unwrap_or_default()))
    }

    /// Decodes the mesh.
    pub fn decode(&self) -> Result<Mesh, Malformed> {
        read(&mut ByteReader(&self.0))
    }
}

/// Reads a mesh.
pub(crate) fn read(reader: &mut ByteReader) -> Result<Mesh, Malformed> {
    let mut mesh = Mesh::default();
    read_into(reader, &mut mesh)?;
    Ok(mesh)
}

/// Reads a mesh into the memory of another one, whose content is lost.
pub(crate) fn read_into(reader: &mut ByteReader, mesh: &mut Mesh) -> Result<(), Malformed> {
    let [vertices, triangles] = [reader.u32()? as usize, reader.u32()? as usize];
    let mut flags = [0; 4];
    for flag in &mut flags {
        *flag = reader.u8()?;
    }
    let has_further = flags[3] & FURTHER != 0;
    flags[3] &= !FURTHER;
    let [normals, tangents, uvs, colors] = flags.map(|flag| if flag != 0 { vertices } else { 0 });
    reader.positions(vertices, &mut mesh.positions)?;
    reader.f32_rows(normals, &mut mesh.normals)?;
    reader.f32_rows(tangents, &mut mesh.tangents)?;
    reader.f32_rows(uvs, &mut mesh.uvs)?;
    reader.f32_rows(colors, &mut mesh.colors)?;
    mesh.attributes.clear();
    if has_further {
        read_attributes(reader, vertices, &mut mesh.attributes)?;
    }
    reader.triangles_into(triangles, vertices, &mut mesh.triangles)?;
    read_runs_into(reader, triangles, &mut mesh.surfaces)
}

fn read_attributes(
    reader: &mut ByteReader,
    vertices: usize,
    attributes: &mut Vec<Attribute>,
) -> Result<(), Malformed> {
    for _ in 0..reader.u32()? {
        let (id, size) = (reader.u32()?, usize::from(reader.u8()?));
        if !(1..=4).contains(&size) {
            return Err(Malformed);
        }
        let has_value = reader.u8()? != 0;
        let mut rows: Vec<[f32; 1]> = Vec::new();
        reader.f32_rows(usize::from(has_value), &mut rows)?;
        let on_cuts = rows.first().map(|[value]| *value);
        reader.f32_rows(vertices.checked_mul(size).ok_or(Malformed)?, &mut rows)?;
        attributes.push(Attribute {
            id,
            size,
            values: rows.into_flattened(),
            on_cuts,
        });
    }
    Ok(())
}

/// Writes numbers in run-length encoding.
pub(crate) fn write_runs(out: &mut Vec<u8>, numbers: &[u32]) {
    let runs = || numbers.chunk_by(|a, b| a == b);
    write_count(out, runs().count());
    for run in runs() {
        write_count(out, run.len());
        out.extend(run.first().copied().unwrap_or_default().to_le_bytes());
    }
}

/// Reads a number for each triangle, or none at all.
pub(crate) fn read_runs(reader: &mut ByteReader, triangles: usize) -> Result<Vec<u32>, Malformed> {
    let mut numbers = Vec::new();
    read_runs_into(reader, triangles, &mut numbers)?;
    Ok(numbers)
}

fn read_runs_into(
    reader: &mut ByteReader,
    triangles: usize,
    numbers: &mut Vec<u32>,
) -> Result<(), Malformed> {
    numbers.clear();
    for _ in 0..reader.u32()? {
        let (count, number) = (reader.u32()? as usize, reader.u32()?);
        if count > triangles - numbers.len() {
            return Err(Malformed);
        }
        numbers.resize(numbers.len() + count, number);
    }
    if numbers.is_empty() || numbers.len() == triangles {
        Ok(())
    } else {
        Err(Malformed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mesh with the attributes whose bits are set.
    fn attributed(mut mesh: Mesh, bits: u32) -> Mesh {
        let rows = mesh.positions.clone().into_iter();
        let some = |bit: u32| rows.clone().filter(move |_| bits & bit != 0);
        mesh.normals = some(1).map(|[x, y, z]| [z, x, y]).collect();
        mesh.tangents = some(2).map(|[x, y, z]| [z, x, y, -1.0]).collect();
        mesh.uvs = some(4).map(|[x, y, _]| [x, y]).collect();
        mesh.colors = some(8).map(|[x, y, z]| [x, y, z, 0.5]).collect();
        let further = [(3, 2, None), (1 << 20, 1, Some(255.0)), (9, 4, None)];
        let attributes = further.map(|(id, size, on_cuts)| Attribute {
            id,
            size,
            values: (0..mesh.positions.len() * size).map(|n| n as f32).collect(),
            on_cuts,
        });
        mesh.attributes = attributes.into_iter().filter(|_| bits & 32 != 0).collect();
        let surface = |triangle| triangle as u32 / 5;
        let all = (0..mesh.triangles.len()).filter(|_| bits & 16 != 0);
        mesh.surfaces = all.map(surface).collect();
        mesh
    }

    #[test]
    fn meshes_come_back_whatever_attributes_they_have() {
        for bits in 0..64 {
            let mesh = attributed(Mesh::torus(0.8, 0.3, 12, 8), bits);
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
    fn triangles_with_missing_vertices_are_refused() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Mesh::cuboid([1.0; 3]));
        let at = bytes.len() - 6; // the last corner; behind it is the number of runs
        bytes[at] = 0xff;
        assert_eq!(read(&mut ByteReader(&bytes)), Err(Malformed));
    }
}
