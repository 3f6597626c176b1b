//! Shapes and cell planes shared by objects with the same surfaces or the same pattern. The worker
//! computes them for the first object that needs them.

use crate::{
    object::{
        conversion::{read_surfaces, SourceSurface},
        cooked_files::CookedFiles,
        inputs::ObjectInputs,
        paint_reading::{check_paint, painted_weakness},
        weld::weld_seams,
    },
    pattern::{FracturePattern, PatternKey},
    script::paint::Paint,
};
use fracture_geometry::{glam::DVec3, Pattern, PatternError};
use fracture_simulation::{
    cooked::CookedBy,
    pattern::{LazyPattern, PaintedWeakness},
    OpenMeshPolicy, Shape,
};
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

/// Number of cached shapes at which unused ones are dropped.
const MAX_CACHED_SHAPES: usize = 64;

/// Number of cached patterns at which unused ones are dropped.
const MAX_CACHED_PATTERNS: usize = 64;

/// Number of cached weaknesses at which unused ones are dropped.
const MAX_CACHED_WEAKNESSES: usize = 64;

/// Identifies a shape: the surfaces with their versions, transforms and material slots.
type ShapeKey = Vec<u64>;

/// The shapes and patterns of a scene.
#[derive(Default)]
pub(crate) struct ShapeCache {
    /// Each shape keeps its sources alive, so that their keys are not reused for other surfaces.
    shapes: BTreeMap<ShapeKey, (Arc<Shape>, Vec<SourceSurface>)>,
    patterns: BTreeMap<PatternSource, Arc<LazyPattern>>,
    /// By shape and paint, whose sources are kept alive as well.
    weaknesses: BTreeMap<Vec<u64>, Painted>,
    /// Knows the file names of resources.
    pub resources: Option<ResourceManager>,
    pub cooked_files: CookedFiles,
}

/// A weakness, and the paint and the surfaces that it is read from.
type Painted = (Arc<PaintedWeakness>, Paint, Vec<SourceSurface>);

/// Identifies the planes of a pattern by what they are computed from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PatternSource {
    /// A pattern asset alone.
    Asset(PatternKey),
    /// A pattern asset, and the mesh that its sites are spread over.
    InsideMesh(PatternKey, ShapeKey),
    /// Hand-placed sites.
    Sites(Vec<u64>),
}

impl ShapeCache {
    /// The shape of an object, whose surfaces have to be loaded, with its cooked one where the names of files are known.
    pub fn shape_of(
        &mut self,
        graph: &Graph,
        inputs: &ObjectInputs,
        name: &str,
        policy: OpenMeshPolicy,
    ) -> Arc<Shape> {
        let resources = self.resources.as_ref();
        let cooked = resources
            .and_then(|resources| self.cooked_files.of_object(graph, inputs, name, resources));
        self.shape(&inputs.sources, policy, cooked)
    }

    /// The shape of some surfaces, which have to be loaded; `cooked` is where its preparation may be.
    pub fn shape(
        &mut self,
        sources: &[SourceSurface],
        policy: OpenMeshPolicy,
        cooked: Option<CookedBy>,
    ) -> Arc<Shape> {
        let key = shape_key(sources, policy);
        if let Some((shape, _)) = self.shapes.get(&key) {
            return shape.clone();
        }
        make_room(&mut self.shapes, MAX_CACHED_SHAPES, |(shape, _)| shape);
        let read = sources.to_vec();
        let read = move || read_surfaces(&read).map_err(|error| error.to_string());
        let shape = Shape::lazy_mended(policy, weld_seams, cooked, read);
        self.shapes.insert(key, (shape.clone(), sources.to_vec()));
        shape
    }

    /// The weakness of an object by its paint; `None` if there is none. `shape` is the one of its surfaces, which have to be
    /// loaded as the picture has.
    pub fn weakness(
        &mut self,
        paint: Paint,
        sources: &[SourceSurface],
        policy: OpenMeshPolicy,
        shape: &Arc<Shape>,
    ) -> Result<Option<Arc<PaintedWeakness>>, String> {
        if paint.is_none() {
            return Ok(None);
        }
        check_paint(&paint, sources).map_err(|error| error.to_string())?;
        let mut key = shape_key(sources, policy);
        key.extend([u64::from(paint.colors), paint.mapping as u64]);
        key.extend(paint.picture.iter().flat_map(|picture| {
            let data = picture.data_ref();
            let version = data.as_loaded_ref().map(|data| data.modifications_count());
            [picture.key(), version.unwrap_or_default()]
        }));
        if !self.weaknesses.contains_key(&key) {
            let most = MAX_CACHED_WEAKNESSES;
            make_room(&mut self.weaknesses, most, |(weakness, ..)| weakness);
        }
        let (weakness, ..) = self.weaknesses.entry(key).or_insert_with(|| {
            let weakness = Arc::new(painted_weakness(paint.clone(), shape.clone()));
            (weakness, paint, sources.to_vec())
        });
        Ok(Some(weakness.clone()))
    }

    /// The planes of an object: those of its hand-placed sites if it has any, else of its pattern.
    /// `shape` is the one of the object's surfaces.
    pub fn pattern(
        &mut self,
        pattern: &FracturePattern,
        sites: &[DVec3],
        sources: &[SourceSurface],
        policy: OpenMeshPolicy,
        shape: &Arc<Shape>,
    ) -> Arc<LazyPattern> {
        let key = if !sites.is_empty() {
            PatternSource::Sites(bits(sites))
        } else if pattern.is_inside_mesh() {
            PatternSource::InsideMesh(pattern.key(), shape_key(sources, policy))
        } else {
            PatternSource::Asset(pattern.key())
        };
        if !self.patterns.contains_key(&key) {
            make_room(&mut self.patterns, MAX_CACHED_PATTERNS, |pattern| pattern);
        }
        let new = |key: &PatternSource| {
            let (pattern, sites, shape) = (pattern.clone(), sites.to_vec(), shape.clone());
            match key {
                PatternSource::Asset(_) => {
                    LazyPattern::in_steps(async move { pattern.planes_in_steps().await })
                }
                PatternSource::Sites(_) => LazyPattern::in_steps(async move {
                    let planes = Pattern::from_sites_in_steps(&sites).await;
                    planes.map_err(|error| error.with_field("the number of Site Nodes"))
                }),
                PatternSource::InsideMesh(..) => LazyPattern::in_steps(async move {
                    match shape.solid() {
                        Ok(solid) => pattern.planes_inside_in_steps(solid).await,
                        // The break itself fails for the same reason, and reports it first.
                        Err(_) => Err(PatternError::TooFewSites {
                            found: 0,
                            field: pattern.cells_field(),
                        }),
                    }
                }),
            }
        };
        self.patterns.entry(key).or_insert_with_key(new).clone()
    }
}

/// Drops what nobody uses from a cache that has as many entries as it may.
fn make_room<K: Ord, V, T>(
    cache: &mut BTreeMap<K, V>,
    most: usize,
    shared: impl Fn(&V) -> &Arc<T>,
) {
    if cache.len() >= most {
        cache.retain(|_, entry| Arc::strong_count(shared(entry)) > 1);
    }
}

fn bits(sites: &[DVec3]) -> Vec<u64> {
    let numbers = sites.iter().flat_map(|site| site.to_array());
    numbers.map(f64::to_bits).collect()
}

fn shape_key(sources: &[SourceSurface], policy: OpenMeshPolicy) -> ShapeKey {
    let mut key = Vec::with_capacity(2 + sources.len() * 20);
    key.extend(match policy {
        OpenMeshPolicy::Refuse => [0, 0],
        OpenMeshPolicy::Repair => [1, 0],
        OpenMeshPolicy::Shell { thickness } => [2, thickness.to_bits()],
    });
    for source in sources {
        key.extend(SurfaceVersion::new(&source.data).0);
        key.push(u64::from(source.surface));
        key.extend(source.transform.iter().map(|v| u64::from(v.to_bits())));
        let bones = source.skin.iter().flat_map(|skin| skin.matrices.iter());
        key.extend(bones.flatten().map(|v| u64::from(v.to_bits())));
    }
    key
}

/// A surface's key and the modification counts of its vertices and triangles. It changes when the surface
/// is edited or loaded again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SurfaceVersion(pub [u64; 3]);

impl SurfaceVersion {
    /// The current version of a surface.
    pub fn new(surface: &SurfaceResource) -> Self {
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

    /// The current versions of all surfaces of some meshes.
    pub fn of_meshes<'a>(
        graph: &'a Graph,
        meshes: &'a [Handle<Node>],
    ) -> impl Iterator<Item = Self> + 'a {
        let meshes = meshes
            .iter()
            .filter_map(|mesh| graph.try_get_of_type::<MeshNode>(*mesh).ok());
        let surfaces = meshes.flat_map(|mesh| mesh.surfaces());
        surfaces.map(|surface| Self::new(surface.data_ref()))
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
            skin: None,
        }]
    }

    #[test]
    fn objects_of_one_mesh_share_one_shape_and_others_do_not() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut cache = ShapeCache::default();
        let first = cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None);
        assert!(Arc::ptr_eq(
            &first,
            &cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None)
        ));
        let large = cache.shape(&cube(&data, 2.0), OpenMeshPolicy::Refuse, None);
        assert!(!Arc::ptr_eq(&first, &large));
        let volume = large.solid().unwrap().mass().volume;
        assert!((volume - 8.0).abs() < 1e-9, "{volume}");
    }

    #[test]
    fn an_edited_surface_is_read_again() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut cache = ShapeCache::default();
        let before = cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None);
        let double = Matrix4::new_scaling(2.0);
        data.data_ref()
            .as_loaded_mut()
            .unwrap()
            .transform_geometry(&double)
            .unwrap();
        assert!(!Arc::ptr_eq(
            &before,
            &cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None)
        ));
    }

    #[test]
    fn objects_with_the_same_planes_share_them() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut cache = ShapeCache::default();
        let (one, two) = (cube(&data, 1.0), cube(&data, 2.0));
        let (small, large) = (
            cache.shape(&one, OpenMeshPolicy::Refuse, None),
            cache.shape(&two, OpenMeshPolicy::Refuse, None),
        );
        let even = FracturePattern {
            kind: crate::PatternKind::Uniform,
            ..Default::default()
        };
        let mut planes = |pattern: &FracturePattern, sites: &[DVec3], on_large: bool| {
            let (sources, shape) = if on_large {
                (&two, &large)
            } else {
                (&one, &small)
            };
            cache.pattern(pattern, sites, sources, OpenMeshPolicy::Refuse, shape)
        };
        assert!(Arc::ptr_eq(
            &planes(&even, &[], false),
            &planes(&even, &[], true)
        ));
        let inside = FracturePattern {
            inside_mesh: true,
            ..even.clone()
        };
        let own = planes(&inside, &[], true);
        assert!(!Arc::ptr_eq(&planes(&inside, &[], false), &own));
        let cells = own.get().unwrap();
        let far = (0..64).map(|cell| cells.site(cell).abs().max_element());
        assert!(
            (0.8..1.0).contains(&far.fold(0.0, f64::max)),
            "spread over the large cube"
        );
        let sites = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let placed = planes(&even, &sites, false);
        assert_eq!(placed.get().unwrap().cell_count(), 3);
        assert!(Arc::ptr_eq(&placed, &planes(&inside, &sites, true)));
    }

    #[test]
    fn unused_shapes_are_dropped() {
        let data = SurfaceResource::new_embedded(SurfaceData::make_cube(Matrix4::identity()));
        let mut cache = ShapeCache::default();
        let kept = cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None);
        for i in 0..1000 {
            cache.shape(&cube(&data, 2.0 + i as f32), OpenMeshPolicy::Refuse, None);
        }
        assert!(cache.shapes.len() <= MAX_CACHED_SHAPES);
        assert!(Arc::ptr_eq(
            &kept,
            &cache.shape(&cube(&data, 1.0), OpenMeshPolicy::Refuse, None)
        ));
    }
}
