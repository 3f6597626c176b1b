//! An object as it would break, for tools: nothing is changed, and everything is computed by the code
//! that breaks it in the game, from the same seeds.

mod health;
mod outlines;
mod ray;
mod trial;

pub use health::MeshCheck;
pub use outlines::CrackLines;
pub use trial::TestBreak;

use crate::{
    assets::Assets,
    bodies::body_motion,
    destructible::Destructible,
    frames::vec3,
    impact::Impact,
    object::{survey::Survey, Tuning},
    open_mesh::OpenMesh,
    settings::Settings,
};
use fracture_geometry::{
    fracture, glam::DVec3, CellSelection, Fracture, FractureParams, Solid, Workspace,
};
use fracture_simulation::{spin, BreakFailure, LazyPattern, Material, PatternFit, Pose, Shape};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    scene::{graph::Graph, node::Node},
};
use std::sync::{atomic::AtomicBool, Arc};
use thiserror::Error;

/// Why an object cannot be sketched. Each names the remedy.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SketchError {
    /// The node is no destructible.
    #[error("it has no script Destructible; add one")]
    NotDestructible,
    /// Its files are still being loaded; ask again later.
    #[error("its model or pattern is still being loaded")]
    Loading,
    /// Something about the node or its pattern must be mended first.
    #[error("{0}")]
    Faulty(String),
    /// The mesh or the pattern cannot be prepared, or the impact breaks nothing.
    #[error("{0}")]
    Refused(#[from] BreakFailure),
}

/// A point of a surface and the outward normal there, world space, metres.
pub type SurfacePoint = (Vector3<f32>, Vector3<f32>);

/// An object as it would break. Cheap to clone and to send to a worker; all that takes time is done
/// by the methods that say so.
#[derive(Clone)]
pub struct BreakPreview {
    shape: Arc<Shape>,
    pattern: Arc<LazyPattern>,
    fit: PatternFit,
    material: Material,
    seed: u64,
    pose: Pose,
    open_mesh: OpenMesh,
    body: Handle<Node>,
    meshes: Vec<Handle<Node>>,
}

impl BreakPreview {
    /// Looks at a node that carries [`Destructible`], and at what belongs to it.
    ///
    /// # Errors
    /// [`SketchError::Loading`] is not final.
    pub fn of(graph: &Graph, node: Handle<Node>) -> Result<Self, SketchError> {
        let script = graph.try_get_script_of::<Destructible>(node);
        let script = script.map_err(|_| SketchError::NotDestructible)?;
        let survey = Survey::of(graph, node, script);
        let survey = survey.map_err(|error| SketchError::Faulty(error.to_string()))?;
        let tuning = Tuning::of(script);
        let recipe = tuning.recipe().map_err(SketchError::Faulty)?;
        let recipe = recipe.ok_or(SketchError::Loading)?;
        if survey.is_loading() {
            return Err(SketchError::Loading);
        }
        let mut assets = Assets::default();
        let shape = assets.shape(&survey.sources, tuning.opening());
        Ok(Self {
            pattern: assets.pattern(
                &recipe,
                &survey.sites,
                (&survey.sources, tuning.opening()),
                &shape,
            ),
            shape,
            fit: tuning.fit(),
            material: tuning.material(),
            seed: u64::from(tuning.seed),
            pose: body_motion(graph, survey.body).pose,
            open_mesh: *script.open_mesh,
            body: survey.body,
            meshes: survey.meshes,
        })
    }

    /// The rigid body that breaks.
    pub fn body(&self) -> Handle<Node> {
        self.body
    }

    /// The mesh nodes that it breaks with.
    pub fn meshes(&self) -> &[Handle<Node>] {
        &self.meshes
    }

    /// How far a blow of this energy (J) breaks, metres.
    pub fn radius(&self, energy: f32) -> f32 {
        self.material.radius(energy)
    }

    /// The impulse that starts a break, N s.
    pub fn toughness(&self) -> f32 {
        self.material.toughness
    }

    /// Prepares mesh and pattern: milliseconds, for a worker. Everything below does it when it has
    /// not been done.
    ///
    /// # Errors
    /// What is wrong with either, with the remedy.
    pub fn prepare(&self) -> Result<(), SketchError> {
        self.shape.solid()?;
        self.pattern.get().map_err(BreakFailure::from)?;
        Ok(())
    }

    /// An error of this object in words, with the field of its script that helps if one does.
    pub fn advice(&self, error: &SketchError) -> String {
        let remedy = match error {
            SketchError::Refused(reason) => self.open_mesh.remedy(reason),
            _ => "",
        };
        format!("{error}{remedy}")
    }

    /// The prepared mesh in body space. For a worker.
    ///
    /// # Errors
    /// What is wrong with the mesh.
    pub fn solid(&self) -> Result<&Arc<Solid>, SketchError> {
        Ok(self.shape.solid()?)
    }

    /// The number of the pattern's cells. For a worker.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn cells(&self) -> Result<usize, SketchError> {
        Ok(self.pattern.get().map_err(BreakFailure::from)?.cell_count())
    }

    /// Where a ray (world space) first meets the mesh from outside, and the outward normal there. For
    /// a worker: every triangle is looked at.
    ///
    /// # Errors
    /// What is wrong with the mesh.
    pub fn surface_along(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
    ) -> Result<Option<SurfacePoint>, SketchError> {
        let solid = self.shape.solid()?;
        let (from, way) = (self.to_body(origin), self.turned_to_body(direction));
        let hit = ray::first_hit(solid.mesh(), from, way);
        Ok(hit.map(|(point, normal)| {
            let point = self.to_world(point.as_vec3().to_array());
            (point, self.to_world_direction(normal))
        }))
    }

    /// The object's first break. With `everywhere` all cells break off, wherever the blow is.
    fn break_at(
        &self,
        blow: &Impact,
        everywhere: bool,
        cancel: &Arc<AtomicBool>,
    ) -> Result<Fracture, SketchError> {
        let solid = self.shape.solid()?;
        let pattern = self.pattern.get().map_err(BreakFailure::from)?;
        let spin = spin(Settings::default().seed, self.seed, 0);
        let radius = blow.radius.unwrap_or_else(|| self.radius(blow.energy));
        let (point, normal) = (self.to_body(blow.point), self.turned_to_body(blow.normal));
        let placement = self
            .fit
            .placement(solid, point, normal, spin, f64::from(radius));
        let selection = if everywhere {
            CellSelection::All
        } else {
            let radius = f64::from(radius);
            CellSelection::Within { point, radius }
        };
        let cut = FractureParams {
            placement,
            selection,
        };
        let mut workspace = Workspace::with_cancel(cancel.clone());
        let broken = fracture(solid, pattern, &cut, &mut workspace);
        Ok(broken.map_err(BreakFailure::from)?)
    }

    fn to_body(&self, point: Vector3<f32>) -> DVec3 {
        self.pose.inverse_transform_point(vec3(point)).as_dvec3()
    }

    fn turned_to_body(&self, direction: Vector3<f32>) -> DVec3 {
        (self.pose.rotation.inverse() * vec3(direction)).as_dvec3()
    }

    fn to_world(&self, point: [f32; 3]) -> Vector3<f32> {
        let at = self.pose.transform_point(point.into());
        Vector3::new(at.x, at.y, at.z)
    }

    fn to_world_direction(&self, direction: DVec3) -> Vector3<f32> {
        let turned = self.pose.rotation * direction.as_vec3();
        Vector3::new(turned.x, turned.y, turned.z)
    }
}
