//! The object under the cursor in the view of the scene.

use super::findings::Findings;
use fracture::BodyId;
use fyrox::{
    core::{algebra::Vector3, math::ray::Ray, pool::Handle},
    graph::SceneGraph,
    scene::{
        graph::Graph,
        mesh::{
            buffer::{VertexAttributeUsage, VertexReadTrait},
            surface::SurfaceData,
            Mesh,
        },
        node::Node,
    },
};

/// Most triangles of a mesh that are looked at; of larger ones the box stands for the mesh.
const TRIANGLES: usize = 20_000;

/// The first object along a ray.
pub(super) fn object_along(graph: &Graph, findings: &Findings, ray: &Ray) -> Option<BodyId> {
    let hits = findings.objects.iter().filter_map(|object| {
        let meshes = object.meshes.iter();
        let distances = meshes.filter_map(|mesh| distance(graph, *mesh, ray));
        Some((object.member.body, distances.min_by(f32::total_cmp)?))
    });
    let nearest = hits.min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(body, _)| body)
}

/// The distance along a ray to a mesh, in lengths of the ray's direction.
fn distance(graph: &Graph, mesh: Handle<Node>, ray: &Ray) -> Option<f32> {
    let mesh = graph.try_get_of_type::<Mesh>(mesh).ok()?;
    if !mesh.global_visibility() {
        return None;
    }
    let to_mesh = mesh.global_transform().try_inverse()?;
    let ray = ray.transform(to_mesh);
    let entry = ray.aabb_intersection(&mesh.local_bounding_box())?;
    let surfaces = mesh.surfaces().iter();
    let distances = surfaces.filter_map(|surface| {
        let data = surface.data();
        let data = data.data_ref();
        let data = data.as_loaded_ref()?;
        if data.geometry_buffer.len() > TRIANGLES {
            return Some(entry.min.max(0.0));
        }
        surface_distance(data, &ray)
    });
    distances.min_by(f32::total_cmp)
}

fn surface_distance(data: &SurfaceData, ray: &Ray) -> Option<f32> {
    let at = |index: u32| -> Option<Vector3<f32>> {
        let vertex = data.vertex_buffer.get(index as usize)?;
        vertex.read_3_f32(VertexAttributeUsage::Position).ok()
    };
    let triangles = data.geometry_buffer.iter();
    let distances = triangles.filter_map(|triangle| {
        let [a, b, c] = triangle.0;
        let (distance, _) = ray.triangle_intersection(&[at(a)?, at(b)?, at(c)?])?;
        (distance >= 0.0).then_some(distance)
    });
    distances.min_by(f32::total_cmp)
}
