//! What objects share: shapes made of the same surfaces, planes made of the same recipe. Both are
//! made on the worker, by the first object that has them.

use crate::{
    conversion::{read_surfaces, SourceSurface},
    pattern::{FracturePattern, PatternKey},
    seams::close_seams,
};
use fracture_geometry::{check_closed, Mesh};
use fracture_simulation::{LazyPattern, Shape};
use std::{collections::BTreeMap, sync::Arc};

/// Shapes kept before those that no object uses any more are dropped.
const SHAPES_KEPT: usize = 64;

/// Identifies a shape: which surfaces, in which state, how placed, in which slots.
type ShapeKey = Vec<u64>;

/// The shapes and patterns of a scene.
#[derive(Default)]
pub(crate) struct Assets {
    /// With the sources, so that their identities are not used again for others.
    shapes: BTreeMap<ShapeKey, (Arc<Shape>, Vec<SourceSurface>)>,
    patterns: BTreeMap<PatternKey, Arc<LazyPattern>>,
}

impl Assets {
    /// The shape made of some surfaces, which have to be loaded.
    pub fn shape(&mut self, sources: &[SourceSurface]) -> Arc<Shape> {
        let key = shape_key(sources);
        if let Some((shape, _)) = self.shapes.get(&key) {
            return shape.clone();
        }
        if self.shapes.len() >= SHAPES_KEPT {
            self.shapes
                .retain(|_, (shape, _)| Arc::strong_count(shape) > 1);
        }
        let read = sources.to_vec();
        let shape = Shape::lazy(move || read_mesh(&read));
        self.shapes.insert(key, (shape.clone(), sources.to_vec()));
        shape
    }

    /// The planes of a pattern.
    pub fn pattern(&mut self, recipe: &FracturePattern) -> Arc<LazyPattern> {
        let make = || {
            let recipe = recipe.clone();
            LazyPattern::new(move || recipe.planes())
        };
        self.patterns
            .entry(recipe.key())
            .or_insert_with(make)
            .clone()
    }
}

/// Reads the surfaces; a mesh that is open by rounding only is closed.
fn read_mesh(sources: &[SourceSurface]) -> Result<Mesh, String> {
    let mut mesh = read_surfaces(sources).map_err(|error| error.to_string())?;
    if !check_closed(&mesh).is_closed() {
        close_seams(&mut mesh);
    }
    Ok(mesh)
}

fn shape_key(sources: &[SourceSurface]) -> ShapeKey {
    let mut key = Vec::with_capacity(sources.len() * 20);
    for source in sources {
        let data = source.data.data_ref();
        let edits = data.as_loaded_ref().map_or((0, 0), |data| {
            let (vertices, triangles) = (&data.vertex_buffer, &data.geometry_buffer);
            (
                vertices.modifications_count(),
                triangles.modifications_count(),
            )
        });
        drop(data);
        key.extend([
            source.data.key(),
            edits.0,
            edits.1,
            u64::from(source.surface),
        ]);
        key.extend(source.transform.iter().map(|v| u64::from(v.to_bits())));
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyrox::{
        core::algebra::Matrix4,
        scene::mesh::surface::{SurfaceData, SurfaceResource},
    };

    fn cube(data: &SurfaceResource, scale: f32) -> Vec<SourceSurface> {
        vec![SourceSurface {
            node: "cube".into(),
            data: data.clone(),
            transform: Matrix4::new_scaling(scale),
            surface: 0,
        }]
    }

    #[test]
    fn objects_of_one_mesh_share_one_shape_and_others_do_not() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = Assets::default();
        let first = assets.shape(&cube(&data, 1.0));
        assert!(Arc::ptr_eq(&first, &assets.shape(&cube(&data, 1.0))));
        let large = assets.shape(&cube(&data, 2.0));
        assert!(!Arc::ptr_eq(&first, &large));
        let volume = large.solid().unwrap().mass().volume;
        assert!((volume - 8.0).abs() < 1e-9, "{volume}");
    }

    #[test]
    fn an_edited_surface_is_read_again() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = Assets::default();
        let before = assets.shape(&cube(&data, 1.0));
        let double = Matrix4::new_scaling(2.0);
        data.data_ref()
            .as_loaded_mut()
            .unwrap()
            .transform_geometry(&double)
            .unwrap();
        assert!(!Arc::ptr_eq(&before, &assets.shape(&cube(&data, 1.0))));
    }

    #[test]
    fn shapes_nobody_uses_are_dropped() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = Assets::default();
        let kept = assets.shape(&cube(&data, 1.0));
        for i in 0..1000 {
            assets.shape(&cube(&data, 2.0 + i as f32));
        }
        assert!(assets.shapes.len() <= SHAPES_KEPT);
        assert!(Arc::ptr_eq(&kept, &assets.shape(&cube(&data, 1.0))));
    }
}
