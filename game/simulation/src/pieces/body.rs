//! Bodies, as the host adds them.

use std::sync::Arc;

use super::anchors::Anchors;
use super::lazy::LazyPattern;
use super::material::{DebrisLifetime, InteriorFaces, Material};
use super::painted_weakness::PaintedWeakness;
use super::pattern_fit::PatternFit;
use super::piece_hooks::PieceHooks;
use super::shape::Shape;
use crate::debris::{BodyDesc, CollisionGroups, ContactProperties};
use crate::error::BodyError;
use crate::types::Motion;

/// A breakable body. Pieces inherit all but the shape and the motion.
#[derive(Clone)]
pub struct Body {
    /// Mesh in body space. Share one `Arc` between bodies of the same mesh, so that it is prepared once.
    pub shape: Arc<Shape>,
    /// Pattern of its breaks, shared as well.
    pub pattern: Arc<LazyPattern>,
    /// Placement of the pattern on the body.
    pub fit: PatternFit,
    /// Density, damage threshold and so on.
    pub material: Material,
    /// How long its free pieces last.
    pub lifetime: DebrisLifetime,
    /// Anchors that hold the body to the world.
    pub anchors: Anchors,
    /// Collision groups of its pieces.
    pub groups: CollisionGroups,
    /// Friction and bounce of its pieces.
    pub contact: ContactProperties,
    /// Places where its breaks take less energy, shared between bodies of the same mesh; `None` where there are none.
    pub weakness: Option<Arc<PaintedWeakness>>,
    /// Look of cut faces.
    pub interior_faces: InteriorFaces,
    /// Pose and velocity now.
    pub motion: Motion,
    /// Colliders in the debris world while the body is intact, so that debris of others bounces off.
    /// `None` when the host adds it as an external body
    /// ([`Simulation::set_external_body`](crate::Simulation::set_external_body)) or wants no contact.
    pub proxy: Option<BodyDesc>,
    /// Hooks that run on the worker for each piece.
    pub hooks: Option<PieceHooks>,
    /// Seed of the pattern's spin about the impact normal, with the number of impacts before.
    pub seed: u64,
}

impl Body {
    /// A free body at rest at the origin, with default material and seed 0.
    pub fn new(shape: Arc<Shape>, pattern: Arc<LazyPattern>) -> Self {
        Self {
            shape,
            pattern,
            fit: PatternFit::default(),
            material: Material::default(),
            lifetime: DebrisLifetime::default(),
            anchors: Anchors::free(),
            groups: CollisionGroups::default(),
            contact: ContactProperties::default(),
            weakness: None,
            interior_faces: InteriorFaces::default(),
            motion: Motion::default(),
            proxy: None,
            hooks: None,
            seed: 0,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BodyError> {
        self.motion.check()?;
        self.material.check()?;
        self.lifetime.check()?;
        self.anchors.check()?;
        self.contact.check()?;
        self.proxy.as_ref().map_or(Ok(()), BodyDesc::check)?;
        self.interior_faces.check()
    }
}
