//! Export of a scene's meshes to an OBJ file.

use fyrox::{
    core::algebra::Point3,
    scene::{
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            surface::SurfaceData,
            Mesh,
        },
        node::Node,
        Scene,
    },
};
use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes all visible meshes of a scene, pieces among them, each an object by the name of its node,
/// in world space.
///
/// # Errors
/// When the file cannot be written.
pub fn write(scene: &Scene, path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = BufWriter::new(File::create(path)?);
    let mut written = 0;
    for node in scene.graph.linear_iter() {
        if let Some(mesh) = node.cast::<Mesh>().filter(|_| node.global_visibility()) {
            writeln!(file, "o {}", node.name().replace(char::is_whitespace, "_"))?;
            for surface in mesh.surfaces() {
                written += surface_of(node, &surface.data().data_ref(), written, &mut file)?;
            }
        }
    }
    file.flush()
}

/// Writes a surface after `offset` vertices. Returns the number of its vertices.
fn surface_of(
    node: &Node,
    surface: &SurfaceData,
    before: usize,
    file: &mut impl Write,
) -> io::Result<usize> {
    let place = node.global_transform();
    let mut count = 0;
    for vertex in surface.vertex_buffer.iter() {
        let local = vertex.read_3_f32(VertexAttributeUsage::Position);
        let point = place.transform_point(&Point3::from(local.unwrap_or_default()));
        writeln!(file, "v {} {} {}", point.x, point.y, point.z)?;
        count += 1;
    }
    let first = before + 1;
    for triangle in surface.geometry_buffer.iter() {
        let [a, b, c] = triangle.0.map(|index| index as usize + first);
        writeln!(file, "f {a} {b} {c}")?;
    }
    Ok(count)
}
