//! What objects share: shapes made of the same surfaces, planes made of the same recipe. Both are
//! made on the worker, by the first object that has them.

use crate::{
    object::{
        conversion::{read_surfaces, SourceSurface},
        weld::close_seams,
    },
    pattern::{FracturePattern, PatternKey},
};
use fracture_geometry::{check_closed, glam::DVec3, Mesh, Pattern, PatternError};
use fracture_simulation::{LazyPattern, OpenMeshPolicy, Shape};
use fyrox::{
    asset::manager::ResourceManager,
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        graph::Graph,
        mesh::{surface::SurfaceResource, Mesh as MeshNode},
        node::Node,
    },
};
use std::{collections::BTreeMap, sync::Arc};

/// Shapes kept before those that no object uses any more are dropped.
const SHAPES_KEPT: usize = 64;

/// Patterns kept before those that no object uses any more are dropped.
const PATTERNS_KEPT: usize = 64;

/// Identifies a shape: which surfaces, in which state, how placed, in which slots.
type ShapeKey = Vec<u64>;

/// The shapes and patterns of a scene.
#[derive(Default)]
pub(crate) struct ShapeCache {
    /// With the sources, so that their identities are not used again for others.
    shapes: BTreeMap<ShapeKey, (Arc<Shape>, Vec<SourceSurface>)>,
    patterns: BTreeMap<PatternSource, Arc<LazyPattern>>,
    /// Knows the files of resources.
    pub resources: Option<ResourceManager>,
}

/// What planes are made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PatternSource {
    /// A recipe alone.
    Recipe(PatternKey),
    /// A recipe inside a mesh.
    Inside(PatternKey, ShapeKey),
    /// Hand-placed sites.
    Sites(Vec<u64>),
}

impl ShapeCache {
    /// The shape made of some surfaces, which have to be loaded.
    pub fn shape(&mut self, sources: &[SourceSurface], open: OpenMeshPolicy) -> Arc<Shape> {
        let key = shape_key(sources, open);
        if let Some((shape, _)) = self.shapes.get(&key) {
            return shape.clone();
        }
        if self.shapes.len() >= SHAPES_KEPT {
            self.shapes
                .retain(|_, (shape, _)| Arc::strong_count(shape) > 1);
        }
        let read = sources.to_vec();
        let shape = Shape::lazy_with(open, move || read_mesh(&read));
        self.shapes.insert(key, (shape.clone(), sources.to_vec()));
        shape
    }

    /// The planes of an object: those of its hand-placed sites if it has any, else of its pattern.
    /// The shape is the one made of the sources.
    pub fn pattern(
        &mut self,
        recipe: &FracturePattern,
        sites: &[DVec3],
        (sources, open): (&[SourceSurface], OpenMeshPolicy),
        shape: &Arc<Shape>,
    ) -> Arc<LazyPattern> {
        let key = match () {
            () if !sites.is_empty() => PatternSource::Sites(bits(sites)),
            () if recipe.is_inside_mesh() => {
                PatternSource::Inside(recipe.key(), shape_key(sources, open))
            }
            () => PatternSource::Recipe(recipe.key()),
        };
        if !self.patterns.contains_key(&key) && self.patterns.len() >= PATTERNS_KEPT {
            self.patterns
                .retain(|_, pattern| Arc::strong_count(pattern) > 1);
        }
        let make = |key: &PatternSource| {
            let (recipe, sites, shape) = (recipe.clone(), sites.to_vec(), shape.clone());
            match key {
                PatternSource::Recipe(_) => LazyPattern::new(move || recipe.planes()),
                PatternSource::Sites(_) => LazyPattern::new(move || {
                    let planes = Pattern::from_sites(&sites);
                    planes.map_err(|error| error.with_field("the number of Site Nodes"))
                }),
                PatternSource::Inside(..) => LazyPattern::new(move || match shape.solid() {
                    Ok(solid) => recipe.planes_inside(solid),
                    // The break itself fails by the same reason, and says so first.
                    Err(_) => Err(PatternError::TooFewSites {
                        found: 0,
                        field: recipe.cells_field(),
                    }),
                }),
            }
        };
        let pattern = self.patterns.entry(key);
        pattern.or_insert_with_key(make).clone()
    }
}

fn bits(sites: &[DVec3]) -> Vec<u64> {
    let numbers = sites.iter().flat_map(|site| site.to_array());
    numbers.map(f64::to_bits).collect()
}

/// Reads the surfaces; a mesh that is open by rounding only is closed.
fn read_mesh(sources: &[SourceSurface]) -> Result<Mesh, String> {
    let mut mesh = read_surfaces(sources).map_err(|error| error.to_string())?;
    if !check_closed(&mesh).is_closed() {
        close_seams(&mut mesh);
    }
    Ok(mesh)
}

fn shape_key(sources: &[SourceSurface], open: OpenMeshPolicy) -> ShapeKey {
    let mut key = Vec::with_capacity(2 + sources.len() * 20);
    key.extend(match open {
        OpenMeshPolicy::Refuse => [0, 0],
        OpenMeshPolicy::Repair => [1, 0],
        OpenMeshPolicy::Shell { thickness } => [2, thickness.to_bits()],
    });
    for source in sources {
        key.extend(SurfaceVersion::of(&source.data).0);
        key.push(u64::from(source.surface));
        key.extend(source.transform.iter().map(|v| u64::from(v.to_bits())));
    }
    key
}

/// Which surface, and how often its vertices and triangles have been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SurfaceVersion(pub [u64; 3]);

impl SurfaceVersion {
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
        let meshes = meshes.filter_map(|mesh| graph.try_get_of_type::<MeshNode>(*mesh).ok());
        let surfaces = meshes.flat_map(|mesh| mesh.surfaces());
        surfaces.map(|surface| Self::of(surface.data_ref()))
    }
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
        let mut assets = ShapeCache::default();
        let first = assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse);
        assert!(Arc::ptr_eq(
            &first,
            &assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse)
        ));
        let large = assets.shape(&cube(&data, 2.0), OpenMeshPolicy::Refuse);
        assert!(!Arc::ptr_eq(&first, &large));
        let volume = large.solid().unwrap().mass().volume;
        assert!((volume - 8.0).abs() < 1e-9, "{volume}");
    }

    #[test]
    fn an_edited_surface_is_read_again() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = ShapeCache::default();
        let before = assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse);
        let double = Matrix4::new_scaling(2.0);
        data.data_ref()
            .as_loaded_mut()
            .unwrap()
            .transform_geometry(&double)
            .unwrap();
        assert!(!Arc::ptr_eq(
            &before,
            &assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse)
        ));
    }

    #[test]
    fn planes_are_shared_as_far_as_they_are_the_same() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = ShapeCache::default();
        let (one, two) = (cube(&data, 1.0), cube(&data, 2.0));
        let (small, large) = (
            assets.shape(&one, OpenMeshPolicy::Refuse),
            assets.shape(&two, OpenMeshPolicy::Refuse),
        );
        let even = FracturePattern {
            kind: crate::PatternKind::Uniform,
            ..Default::default()
        };
        let mut of = |recipe: &FracturePattern, sites: &[DVec3], large_one: bool| {
            let (sources, shape) = if large_one {
                (&two, &large)
            } else {
                (&one, &small)
            };
            assets.pattern(recipe, sites, (sources, OpenMeshPolicy::Refuse), shape)
        };
        assert!(Arc::ptr_eq(&of(&even, &[], false), &of(&even, &[], true)));
        let inside = FracturePattern {
            inside_mesh: true,
            ..even.clone()
        };
        let own = of(&inside, &[], true);
        assert!(!Arc::ptr_eq(&of(&inside, &[], false), &own));
        let planes = own.get().unwrap();
        let far = (0..64).map(|cell| planes.site(cell).abs().max_element());
        assert!(
            (0.8..1.0).contains(&far.fold(0.0, f64::max)),
            "spread over the large cube"
        );
        let sites = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let placed = of(&even, &sites, false);
        assert_eq!(placed.get().unwrap().cell_count(), 3);
        assert!(Arc::ptr_eq(&placed, &of(&inside, &sites, true)));
    }

    #[test]
    fn shapes_nobody_uses_are_dropped() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut assets = ShapeCache::default();
        let kept = assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse);
        for i in 0..1000 {
            assets.shape(&cube(&data, 2.0 + i as f32), OpenMeshPolicy::Refuse);
        }
        assert!(assets.shapes.len() <= SHAPES_KEPT);
        assert!(Arc::ptr_eq(
            &kept,
            &assets.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse)
        ));
    }
}
