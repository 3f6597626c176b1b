//! Writes procedural meshes as OBJ files, for programs that have none: a cube, a sphere of 5,000
//! triangles and a torus of 20,000, each about a metre wide.
//!
//! `cargo run --release -p fracture_geometry --example shapes -- FOLDER`

use fracture_geometry::Mesh;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The mesh as OBJ text, vertices of one position once.
fn obj(mesh: &Mesh) -> String {
    let mut text = String::new();
    let mut known: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    let mut number = |vertex: u32, text: &mut String| {
        let position = mesh.positions[vertex as usize].map(|x| x + 0.0);
        let next = known.len() + 1;
        *known.entry(position.map(f32::to_bits)).or_insert_with(|| {
            let [x, y, z] = position;
            let _ = writeln!(text, "v {x} {y} {z}");
            next
        })
    };
    let mut faces = Vec::new();
    for triangle in &mesh.triangles {
        faces.push(triangle.map(|vertex| number(vertex, &mut text)));
    }
    for [a, b, c] in faces {
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

fn main() -> Result<(), String> {
    let folder = std::env::args().nth(1).ok_or("give a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for (name, mesh) in [
        ("cube", Mesh::cuboid([1.0; 3])),
        ("sphere", Mesh::sphere(0.5, 72, 36)),
        ("torus", Mesh::torus(0.35, 0.15, 125, 80)),
    ] {
        let file = folder.join(name).with_extension("obj");
        std::fs::write(&file, obj(&mesh)).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(())
}
