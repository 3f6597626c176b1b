//! What tells a surface from itself after it was edited or loaded again.

use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        graph::Graph,
        mesh::{surface::SurfaceResource, Mesh},
        node::Node,
    },
};

/// Which surface, and how often its vertices and triangles have been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edition(pub [u64; 3]);

impl Edition {
    /// That of a surface as it is now.
    pub fn of(surface: &SurfaceResource) -> Self {
        let data = surface.data_ref();
        let edits = data.as_loaded_ref().map_or((0, 0), |data| {
            let (vertices, triangles) = (&data.vertex_buffer, &data.geometry_buffer);
            (
                vertices.modifications_count(),
                triangles.modifications_count(),
            )
        });
        Self([surface.key(), edits.0, edits.1])
    }

    /// Those of all surfaces of some meshes.
    pub fn of_meshes<'a>(
        graph: &'a Graph,
        meshes: &'a [Handle<Node>],
    ) -> impl Iterator<Item = Self> + 'a {
        let meshes = meshes.iter();
        let meshes = meshes.filter_map(|mesh| graph.try_get_of_type::<Mesh>(*mesh).ok());
        let surfaces = meshes.flat_map(|mesh| mesh.surfaces());
        surfaces.map(|surface| Self::of(surface.data_ref()))
    }
}
