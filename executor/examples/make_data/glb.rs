//! glTF 2.0 in its binary container: one node with one mesh, of a surface for each material; or some of one surface.

use crate::shape::RenderMesh;
use serde_json::{json, Value};

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// The bytes of a `.glb` file that holds the meshes, one for each material, under the given node name.
pub fn encode(name: &str, meshes: &[RenderMesh]) -> Result<Vec<u8>, serde_json::Error> {
    let mut buffer = Buffer::default();
    let primitives: Vec<Value> = meshes
        .iter()
        .enumerate()
        .map(|(material, mesh)| primitive(&mut buffer, mesh, material))
        .collect();
    // The engine drops surfaces that have no material.
    let materials: Vec<Value> = (0..meshes.len())
        .map(|index| {
            let name = match index {
                0 => name.to_owned(),
                _ => format!("{name} {}", index + 1),
            };
            json!({ "name": name, "pbrMetallicRoughness": {
                "baseColorFactor": [0.8, 0.8, 0.8, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9 } })
        })
        .collect();
    document(
        json!([{ "name": name, "mesh": 0 }]),
        json!([{ "name": name, "primitives": primitives }]),
        materials,
        buffer,
    )
}

/// The bytes of a `.glb` file with a node for each named mesh.
pub fn encode_parts(parts: &[(String, RenderMesh)]) -> Result<Vec<u8>, serde_json::Error> {
    let mut buffer = Buffer::default();
    let mesh = |(name, mesh): &(String, RenderMesh)| json!({ "name": name, "primitives": [primitive(&mut buffer, mesh, 0)] });
    let meshes: Vec<Value> = parts.iter().map(mesh).collect();
    let node =
        |(at, (name, _)): (usize, &(String, RenderMesh))| json!({ "name": name, "mesh": at });
    let nodes: Vec<Value> = parts.iter().enumerate().map(node).collect();
    document(
        json!(nodes),
        json!(meshes),
        vec![json!({ "name": "stencil" })],
        buffer,
    )
}

fn document(
    nodes: Value,
    meshes: Value,
    materials: Vec<Value>,
    buffer: Buffer,
) -> Result<Vec<u8>, serde_json::Error> {
    let all: Vec<usize> = (0..nodes.as_array().map_or(0, Vec::len)).collect();
    let document = json!({
        "asset": { "version": "2.0", "generator": "fracture make_data" },
        "scene": 0,
        "scenes": [{ "nodes": all }],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{ "byteLength": buffer.bytes.len() }],
    });
    Ok(container(serde_json::to_vec(&document)?, buffer.bytes))
}

fn primitive(buffer: &mut Buffer, mesh: &RenderMesh, material: usize) -> Value {
    let vertices = mesh.positions.len();
    let floats = |rows: &mut dyn Iterator<Item = &[f32]>| -> Vec<u8> {
        rows.flatten()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    };
    let position = buffer.push(
        floats(&mut mesh.positions.iter().map(|v| v.as_slice())),
        VERTICES,
        json!({ "componentType": FLOAT, "count": vertices, "type": "VEC3",
                "min": bound(mesh, f32::min), "max": bound(mesh, f32::max) }),
    );
    let normal = buffer.push(
        floats(&mut mesh.normals.iter().map(|v| v.as_slice())),
        VERTICES,
        json!({ "componentType": FLOAT, "count": vertices, "type": "VEC3" }),
    );
    let tangent = buffer.push(
        floats(&mut mesh.tangents.iter().map(|v| v.as_slice())),
        VERTICES,
        json!({ "componentType": FLOAT, "count": vertices, "type": "VEC4" }),
    );
    let uv = buffer.push(
        floats(&mut mesh.uvs.iter().map(|v| v.as_slice())),
        VERTICES,
        json!({ "componentType": FLOAT, "count": vertices, "type": "VEC2" }),
    );
    let (bytes, component) = index_bytes(mesh);
    let indices = buffer.push(
        bytes,
        INDICES,
        json!({ "componentType": component, "count": mesh.triangles.len() * 3, "type": "SCALAR" }),
    );
    json!({
        "attributes": { "POSITION": position, "NORMAL": normal,
                        "TANGENT": tangent, "TEXCOORD_0": uv },
        "indices": indices,
        "material": material,
    })
}

/// The binary chunk and what describes it.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Appends an array and gives the index of its accessor.
    fn push(&mut self, data: Vec<u8>, target: u32, mut accessor: Value) -> usize {
        let index = self.views.len();
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": data.len(), "target": target,
        }));
        accessor["bufferView"] = json!(index);
        self.accessors.push(accessor);
        self.bytes.extend(data);
        pad(&mut self.bytes, 0);
        index
    }
}

fn index_bytes(mesh: &RenderMesh) -> (Vec<u8>, u32) {
    let indices = mesh.triangles.iter().flatten();
    // The largest short index is reserved as the restart marker.
    if mesh.positions.len() < usize::from(u16::MAX) {
        let bytes = indices.flat_map(|&index| (index as u16).to_le_bytes());
        (bytes.collect(), UNSIGNED_SHORT)
    } else {
        (
            indices.flat_map(|index| index.to_le_bytes()).collect(),
            UNSIGNED_INT,
        )
    }
}

fn bound(mesh: &RenderMesh, pick: fn(f32, f32) -> f32) -> [f32; 3] {
    let first = mesh.positions.first().copied().unwrap_or_default();
    mesh.positions.iter().fold(first, |best, position| {
        [0, 1, 2].map(|k| pick(best[k], position[k]))
    })
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    while !bytes.len().is_multiple_of(4) {
        bytes.push(with);
    }
}

/// Header, JSON chunk, binary chunk.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    pad(&mut json, b' ');
    pad(&mut binary, 0);
    let total = 12 + 8 + json.len() + 8 + binary.len();
    let mut file = Vec::with_capacity(total);
    file.extend(b"glTF");
    file.extend(2u32.to_le_bytes());
    file.extend((total as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", binary)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}
