//! A member as it was before anything came down.

use std::sync::Arc;

use rapier3d::geometry::Aabb;

use crate::jobs::bond_job::PlacedBody;
use crate::pieces::components::Breakable;
use crate::pieces::{Anchors, Shape};
use crate::simulation::Simulation;
use crate::types::{BodyId, Motion};

/// A member as it was before anything came down.
pub(super) struct Source {
    pub shape: Arc<Shape>,
    pub anchors: Anchors,
    pub motion: Motion,
    /// kg/m^3
    pub density: f64,
}

impl Source {
    pub fn new(simulation: &Simulation, body: BodyId) -> Option<Self> {
        let entity = simulation.world.entity(body.0).ok()?;
        let breakable = entity.get::<&Breakable>()?;
        Some(Self {
            shape: breakable.shape.clone(),
            anchors: (*entity.get::<&Anchors>()?).clone(),
            motion: *entity.get::<&Motion>()?,
            density: f64::from(breakable.asset.material.density),
        })
    }

    /// The box around the member, world space; `None` of one that cannot be prepared.
    pub fn bounds(&self) -> Option<Aabb> {
        let [low, high] = self.shape.prepared()?.ok()?.bounds().as_vec3();
        Some(Aabb::new(low, high).transform_by(&self.motion.pose))
    }

    /// The member where it was.
    pub fn placed(&self, body: BodyId) -> PlacedBody {
        PlacedBody::solid(body, self.shape.clone(), self.motion.pose)
    }
}
