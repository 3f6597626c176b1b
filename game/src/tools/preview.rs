//! A preview of an object's break, computed by the code and from the seeds of a game whose `Settings::seed` is 0.

use crate::{
    impacts::impact::Impact,
    mirror::{engine_bodies::body_motion, transforms::vec3},
    object::{inputs::ObjectInputs, shape_cache::ShapeCache, size_range::SizeRange},
    script::{config::DestructibleConfig, destructible::Destructible, enums::OpenMesh},
    settings::Settings,
    tools::weak_lines::weak_lines,
};
use fracture_geometry::{glam::DVec3, Fracture, Mesh, Solid, Workspace};
use fracture_simulation::{
    pattern::{BreakRadius, LazyPattern, PaintedWeakness, PatternBreak, PatternFit},
    spin, BreakFailure, Material, Pose, Shape,
};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};
use std::sync::{atomic::AtomicBool, Arc};
use thiserror::Error;

/// Reason why an object has no preview. Each message names the remedy.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PreviewError {
    /// The node has no script [`Destructible`].
    #[error("it has no script Destructible; add one")]
    NotDestructible,
    /// Files are still being loaded; try again later.
    #[error("its model or pattern is still being loaded")]
    Loading,
    /// The node or its pattern has a fault.
    #[error("{0}")]
    Faulty(String),
    /// The mesh or the pattern cannot be prepared, or the impact misses the object.
    #[error("{0}")]
    Refused(#[from] BreakFailure),
}

/// A point of a surface and the outward normal there, world space, metres.
pub type SurfacePoint = (Vector3<f32>, Vector3<f32>);

/// A preview of an object's break. It is cheap to clone and to send to a worker; methods that take time say
/// so.
#[derive(Clone)]
pub struct BreakPreview {
    pub(super) shape: Arc<Shape>,
    pub(super) pattern: Arc<LazyPattern>,
    pub(super) fit: PatternFit,
    pub(super) weakness: Option<Arc<PaintedWeakness>>,
    pub(super) material: Material,
    pub(super) seed: u64,
    pub(super) pose: Pose,
    pub(super) open_mesh: OpenMesh,
    pub(super) sizes: SizeRange,
    pub(super) has_collider: bool,
    pub(super) body: Handle<Node>,
    pub(super) meshes: Vec<Handle<Node>>,
}

impl BreakPreview {
    /// Reads the inputs of the object whose script is on a node.
    ///
    /// # Errors
    /// [`PreviewError::Loading`] is not final.
    pub fn of(graph: &Graph, node: Handle<Node>) -> Result<Self, PreviewError> {
        let own = graph.try_get_node(node).ok();
        let script = own.and_then(|own| Some((own, own.try_get_script::<Destructible>()?)));
        let (own, script) = script.ok_or(PreviewError::NotDestructible)?;
        let inputs = ObjectInputs::new(graph, node, script);
        let inputs = inputs.map_err(|error| PreviewError::Faulty(error.to_string()))?;
        let config = DestructibleConfig::of_node(own, script);
        let pattern = config.pattern().map_err(PreviewError::Faulty)?;
        let pattern = pattern.ok_or(PreviewError::Loading)?;
        let paint = config.paint().map_err(PreviewError::Faulty)?;
        let paint = paint.filter(|_| !inputs.is_loading());
        let paint = paint.ok_or(PreviewError::Loading)?;
        let policy = config.open_mesh_policy();
        let mut shapes = ShapeCache::default();
        let shape = shapes.shape(&inputs.sources, policy, None);
        let weakness = shapes.weakness(paint, &inputs.sources, policy, &shape);
        Ok(Self {
            weakness: weakness.map_err(PreviewError::Faulty)?,
            pattern: shapes.pattern(pattern, &inputs.sites, &inputs.sources, policy, &shape),
            shape,
            fit: config.fit(),
            material: config.material(),
            seed: u64::from(*config.breaking.seed),
            pose: body_motion(graph, inputs.body).pose,
            open_mesh: *script.open_mesh,
            sizes: SizeRange::new(&config),
            has_collider: !inputs.colliders.is_empty(),
            body: inputs.body,
            meshes: [inputs.meshes, inputs.coarser_meshes].concat(),
        })
    }

    /// The rigid body that breaks.
    pub fn body(&self) -> Handle<Node> {
        self.body
    }

    /// The mesh nodes of the object, those of all levels of detail.
    pub fn meshes(&self) -> &[Handle<Node>] {
        &self.meshes
    }

    /// The radius of a break with this energy (J), metres.
    pub fn radius(&self, energy: f32) -> f32 {
        self.material.radius(energy)
    }

    /// The typed impulse that starts a break, N s.
    pub fn damage_threshold(&self) -> Option<f32> {
        self.material.damage_threshold
    }

    /// Prepares the mesh and the pattern. Takes milliseconds; for a worker. The methods below prepare both
    /// themselves if needed.
    ///
    /// # Errors
    /// A fault of the mesh or the pattern.
    pub fn prepare(&self) -> Result<(), PreviewError> {
        self.shape.solid()?;
        self.pattern.get().map_err(BreakFailure::from)?;
        Ok(())
    }

    /// An error of this object in words, with the field of the script that helps.
    pub fn advice(&self, error: &PreviewError) -> String {
        let remedy = match error {
            PreviewError::Refused(reason) => self.open_mesh.remedy(reason),
            _ => "",
        };
        format!("{error}{remedy}")
    }

    /// The prepared mesh in body space. For a worker.
    ///
    /// # Errors
    /// A fault of the mesh.
    pub fn solid(&self) -> Result<&Arc<Solid>, PreviewError> {
        Ok(self.shape.solid()?)
    }

    /// The number of the pattern's cells. For a worker.
    ///
    /// # Errors
    /// A fault of the pattern.
    pub fn cells(&self) -> Result<usize, PreviewError> {
        Ok(self.pattern.get().map_err(BreakFailure::from)?.cell_count())
    }

    /// The first point at which a ray (world space) enters the mesh, with the outward normal. For a worker:
    /// every triangle is tested.
    ///
    /// # Errors
    /// A fault of the mesh.
    pub fn surface_along(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
    ) -> Result<Option<SurfacePoint>, PreviewError> {
        let solid = self.shape.solid()?;
        let (from, direction) = (self.to_body(origin), self.to_body_direction(direction));
        let hit = first_hit(solid.mesh(), from, direction);
        Ok(hit.map(|(point, normal)| {
            let point = self.to_world(point.as_vec3().to_array());
            (point, self.to_world_direction(normal))
        }))
    }

    /// Crosses on the object's surface where it is painted weak, the larger the weaker it is there: both ends of each line,
    /// world space, metres. Nothing where nothing is painted. Takes milliseconds; for a worker.
    ///
    /// # Errors
    /// A fault of the mesh.
    pub fn weak_lines(&self) -> Result<Vec<[Vector3<f32>; 2]>, PreviewError> {
        let painted = self.weakness.as_ref();
        let Some(weakness) = painted.and_then(|painted| painted.get()) else {
            return Ok(Vec::new());
        };
        let lines = weak_lines(weakness, self.shape.solid()?.mesh()).into_iter();
        let to_world = |end: DVec3| self.to_world(end.as_vec3().to_array());
        Ok(lines.map(|line| line.map(to_world)).collect())
    }

    /// The object's first break. With `everywhere`, all cells break off, not only those near the impact.
    pub(super) fn break_at(
        &self,
        impact: &Impact,
        everywhere: bool,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Fracture, PreviewError> {
        let solid = self.shape.solid()?;
        let radius = match impact.radius {
            Some(radius) => BreakRadius::typed(f64::from(radius)),
            None => self.material.break_radius(impact.energy),
        };
        let by_pattern = PatternBreak {
            pattern: &self.pattern,
            fit: self.fit,
            point: self.to_body(impact.point),
            normal: self.to_body_direction(impact.normal),
            spin: spin(Settings::default().seed, self.seed, 0),
            radius,
            everywhere,
            weakness: self.weakness.as_ref().and_then(|painted| painted.get()),
        };
        let mut workspace = Workspace::with_cancel(cancel.clone());
        Ok(by_pattern.run(solid, &mut workspace)?.fracture)
    }

    fn to_body(&self, point: Vector3<f32>) -> DVec3 {
        self.pose.inverse_transform_point(vec3(point)).as_dvec3()
    }

    fn to_body_direction(&self, direction: Vector3<f32>) -> DVec3 {
        (self.pose.rotation.inverse() * vec3(direction)).as_dvec3()
    }

    pub(super) fn to_world(&self, point: [f32; 3]) -> Vector3<f32> {
        let at = self.pose.transform_point(point.into());
        Vector3::new(at.x, at.y, at.z)
    }

    pub(super) fn to_world_direction(&self, direction: DVec3) -> Vector3<f32> {
        let turned = self.pose.rotation * direction.as_vec3();
        Vector3::new(turned.x, turned.y, turned.z)
    }
}

/// The nearest triangle that faces the ray: the point and the outward normal. By Möller and Trumbore.
fn first_hit(mesh: &Mesh, origin: DVec3, way: DVec3) -> Option<(DVec3, DVec3)> {
    let place = |vertex: u32| {
        let at = mesh.positions.get(vertex as usize)?;
        Some(DVec3::from_array(at.map(f64::from)))
    };
    let hit = |triangle: &[u32; 3]| {
        let [a, b, c] = *triangle;
        let (a, b, c) = (place(a)?, place(b)?, place(c)?);
        let (along, across) = (b - a, c - a);
        let normal = along.cross(across);
        let facing = -normal.dot(way);
        // False for NaN as well.
        if facing.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        let from = origin - a;
        let turned = from.cross(way);
        let (u, v) = (across.dot(turned), -along.dot(turned));
        let distance = from.dot(normal) / facing;
        let inside = u >= 0.0 && v >= 0.0 && u + v <= facing && distance >= 0.0;
        inside.then_some((distance, normal))
    };
    let hits = mesh.triangles.iter().filter_map(hit);
    let (distance, normal) = hits.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((origin + way * distance, normal.try_normalize()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_the_near_face_of_a_box() {
        let mesh = Mesh::cuboid([2.0, 4.0, 6.0]);
        for (x, y) in [(0.3, 1.1), (-0.9, -1.9), (0.99, 0.0)] {
            let (point, normal) =
                first_hit(&mesh, DVec3::new(x, y, 10.0), DVec3::NEG_Z * 0.5).unwrap();
            assert!((point - DVec3::new(x, y, 3.0)).length() < 1e-9, "{point}");
            assert!((normal - DVec3::Z).length() < 1e-9);
        }
        assert!(first_hit(&mesh, DVec3::new(1.1, 0.0, 10.0), DVec3::NEG_Z).is_none());
        assert!(first_hit(&mesh, DVec3::new(0.0, 0.0, 10.0), DVec3::Z).is_none());
        assert!(first_hit(&mesh, DVec3::ZERO, DVec3::ZERO).is_none());
    }
}
