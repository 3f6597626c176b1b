//! The rapier world of the debris: its sets, its settings, and what goes into it and out of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::dynamics::{
    CCDSolver, ImpulseJointSet, IntegrationParameters, IslandManager, MultibodyJointSet, RigidBody,
    RigidBodyBuilder, RigidBodyHandle, RigidBodySet, RigidBodyType, SpringCoefficients,
};
use rapier3d::geometry::{
    BroadPhaseBvh, Collider, ColliderHandle, ColliderSet, NarrowPhase, ShapeType, SharedShape,
};
use rapier3d::pipeline::{EventHandler, PhysicsHooks, PhysicsPipeline};

use super::bodies::{collider, PieceDesc};
use super::contact_offset::ALLOWED_PENETRATION;
use super::contact_reports::ContactReports;
use super::external::{BodyRef, ColliderDesc};
use super::idle::Tracked;
use super::user_data::{is_piece, skin, Extent};
use super::welds::Welds;
use crate::settings::Settings;
use crate::types::BodyId;

/// Speed at which overlaps are pushed apart at most, m/s: hulls of pieces of a concave body overlap a
/// little from the start, and must not explode.
const MAX_CORRECTION_SPEED: f32 = 1.0;

/// Natural frequency of contacts, Hz. Under its own weight w per unit of mass a stack sinks by w / (2 pi
/// f)^2 at each joint: higher is stiffer, and less stable.
const CONTACT_FREQUENCY: f32 = 60.0;

/// Damping ratio of contacts: overlaps are resolved in a tenth of a second. With less, blocks squeezed
/// into a hollow rattle on.
const CONTACT_DAMPING: f32 = 20.0;

/// Iterations of the solver in each of its four substeps, with and without resolving overlaps. A body
/// that lands in one piece, or starts without a force in its joints, has to come to terms with the ground
/// in one step: fewer iterations let joints overlap, and resolving those lifts the whole body. More cost
/// time in every step.
const SOLVER_ITERATIONS: usize = 4;

/// Bodies for which memory is reserved at the start: growing takes as long as what is put in.
const RESERVED_BODIES: usize = 1024;

/// Rapier's sets, with an index from bodies of the simulation to rigid bodies. Rigid body handles do not
/// leave the debris world: a piece gets a new one when it is frozen or thawed.
pub(super) struct Physics {
    pipeline: PhysicsPipeline,
    pub parameters: IntegrationParameters,
    pub islands: IslandManager,
    pub broad_phase: BroadPhaseBvh,
    pub narrow_phase: NarrowPhase,
    pub bodies: Tracked<RigidBodySet>,
    pub colliders: Tracked<ColliderSet>,
    pub impulse_joints: Tracked<ImpulseJointSet>,
    pub welds: Welds,
    multibody_joints: MultibodyJointSet,
    ccd_solver: CCDSolver,
    /// m/s^2.
    pub gravity: Vec3,
    friction: f32,
    restitution: f32,
    handles: BTreeMap<BodyRef, RigidBodyHandle>,
    /// Pieces added since the last step, which rapier's islands and trees do not know yet.
    pub new_pieces: Vec<UnsteppedPiece>,
    /// Pieces that were pushed since the last step.
    pub pushed: Vec<RigidBodyHandle>,
    /// Colliders without an inside. Removed ones stay until the next look at them.
    pub non_solid: Vec<ColliderHandle>,
}

/// A piece before its first step.
pub(super) struct UnsteppedPiece {
    pub handle: RigidBodyHandle,
    /// A point that was inside its parent, world space.
    pub inside: Vec3,
}

impl Physics {
    pub fn new(settings: &Settings) -> Self {
        let parameters = IntegrationParameters {
            normalized_max_corrective_velocity: MAX_CORRECTION_SPEED,
            num_internal_pgs_iterations: SOLVER_ITERATIONS,
            num_internal_stabilization_iterations: SOLVER_ITERATIONS,
            normalized_allowed_linear_error: ALLOWED_PENETRATION,
            contact_softness: SpringCoefficients::new(CONTACT_FREQUENCY, CONTACT_DAMPING),
            ..IntegrationParameters::default()
        };
        Self {
            pipeline: PhysicsPipeline::new(),
            parameters,
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            bodies: Tracked::new(RigidBodySet::with_capacity(RESERVED_BODIES)),
            colliders: Tracked::new(ColliderSet::with_capacity(RESERVED_BODIES)),
            impulse_joints: Tracked::new(ImpulseJointSet::new()),
            welds: Welds::default(),
            multibody_joints: MultibodyJointSet::new(),
            ccd_solver: CCDSolver::new(),
            gravity: settings.gravity,
            friction: settings.friction,
            restitution: settings.restitution,
            handles: BTreeMap::new(),
            new_pieces: Vec::new(),
            pushed: Vec::new(),
            non_solid: Vec::new(),
        }
    }

    /// Takes one step of [`IntegrationParameters::dt`].
    pub fn step(&mut self, hooks: &dyn PhysicsHooks, events: &dyn EventHandler) {
        self.pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.ccd_solver,
            hooks,
            events,
        );
    }

    /// The rigid body of a breakable or external body.
    pub fn handle(&self, body: BodyRef) -> Option<RigidBodyHandle> {
        self.handles.get(&body).copied()
    }

    /// The rigid body of a body that the engine moves; `None` for a free piece.
    pub fn engine_body(&self, body: BodyRef) -> Option<RigidBodyHandle> {
        let handle = self.handle(body)?;
        let body = self.bodies.get(handle)?;
        (!is_piece(body)).then_some(handle)
    }

    /// Inserts a rigid body that the engine moves, whose user data tells which body it stands for, with its colliders.
    pub fn insert(
        &mut self,
        body: RigidBodyBuilder,
        colliders: &[ColliderDesc],
    ) -> RigidBodyHandle {
        let handle = self.bodies.insert(body);
        for desc in colliders {
            let collider = collider(desc, self.friction, self.restitution);
            self.insert_collider(collider, handle);
        }
        self.index(handle);
        handle
    }

    /// Inserts the rigid body of a free piece. Its mass is known at once: rapier would compute it in the next step, and
    /// an impulse before that would be lost.
    pub fn insert_piece(&mut self, id: BodyId, piece: &PieceDesc) -> RigidBodyHandle {
        let handle = self.bodies.insert(piece.rigid_body(id));
        let reports = ContactReports::new(&self.parameters, piece.reported_impulse);
        let collider = piece
            .collider(self.friction, self.restitution)
            .contact_force_event_threshold(reports.force)
            .active_events(reports.events);
        self.insert_collider(collider, handle);
        self.handles.insert(BodyRef::Breakable(id), handle);
        self.update_mass(handle);
        handle
    }

    fn insert_collider(&mut self, collider: impl Into<Collider>, body: RigidBodyHandle) {
        let (bodies, colliders) = (&mut self.bodies, &mut self.colliders);
        let handle = colliders.insert_with_parent(collider, body, bodies);
        if self.colliders.get(handle).is_some_and(is_non_solid) {
            self.non_solid.push(handle);
        }
    }

    fn index(&mut self, handle: RigidBodyHandle) {
        let body = self.bodies.get(handle);
        if let Some(owner) = body.and_then(BodyRef::from_user_data) {
            self.handles.insert(owner, handle);
        }
    }

    /// Removes a rigid body with its colliders and joints; bodies that touch it wake up.
    pub fn remove(&mut self, handle: RigidBodyHandle) -> Option<RigidBody> {
        let body = self.bodies.remove(
            handle,
            &mut self.islands,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            true,
        )?;
        if let Some(owner) = BodyRef::from_user_data(&body) {
            if self.handles.get(&owner) == Some(&handle) {
                self.handles.remove(&owner);
            }
        }
        Some(body)
    }

    /// Gives a piece another body type, and with it a new handle, which is returned. Rapier's own way to
    /// change the type leaves islands behind over which its solver stumbles.
    pub fn reinsert(
        &mut self,
        handle: RigidBodyHandle,
        body_type: RigidBodyType,
    ) -> Option<RigidBodyHandle> {
        let colliders = self.bodies.get(handle)?.colliders().iter();
        let colliders: Vec<Collider> = colliders
            .filter_map(|collider| self.colliders.get(*collider).cloned())
            .collect();
        let mut body = self.remove(handle)?;
        body.set_body_type(body_type, false);
        if body_type == RigidBodyType::Dynamic {
            body.wake_up(true);
        }
        let new = self.bodies.insert(body);
        for collider in colliders {
            self.insert_collider(collider, new);
        }
        self.update_mass(new);
        self.index(new);
        Some(new)
    }

    /// Gives the only collider of a piece another shape.
    pub fn exchange_shape(&mut self, handle: RigidBodyHandle, shape: SharedShape) {
        let body = self.bodies.get(handle);
        let Some(old) = body.and_then(|body| body.colliders().first().copied()) else {
            return;
        };
        let skin = skin(&shape);
        self.replace_collider(handle, old, shape, skin);
        self.update_mass(handle);
    }

    /// Gives that collider of a fixed body that has a shape another one.
    pub fn exchange_fixed_shape(
        &mut self,
        handle: RigidBodyHandle,
        old: &SharedShape,
        new: SharedShape,
    ) {
        let body = self.bodies.get(handle);
        let colliders = body.map_or(&[][..], |body| body.colliders());
        let has_shape = |collider: &&ColliderHandle| {
            let collider = self.colliders.get(**collider);
            collider.is_some_and(|collider| Arc::ptr_eq(&collider.shared_shape().0, &old.0))
        };
        if let Some(collider) = colliders.iter().find(has_shape).copied() {
            self.replace_collider(handle, collider, new, 0.0);
        }
    }

    /// Gives a collider another shape. Rapier would keep contacts of the old one if only that was changed, so that it
    /// becomes another collider.
    fn replace_collider(
        &mut self,
        body: RigidBodyHandle,
        old: ColliderHandle,
        shape: SharedShape,
        skin: f32,
    ) {
        let Some(mut collider) = self.colliders.get(old).cloned() else {
            return;
        };
        collider.user_data = Extent::from_shape(&shape).to_user_data();
        collider.set_contact_skin(skin);
        collider.set_shape(shape);
        self.colliders
            .remove(old, &mut self.islands, &mut self.bodies, true);
        self.insert_collider(collider, body);
    }

    /// Computes mass and centre of a new body at once: rapier would do so in the next step, and an
    /// impulse before that would be lost.
    pub fn update_mass(&mut self, handle: RigidBodyHandle) {
        if let Some(body) = self.bodies.get_mut(handle) {
            body.recompute_mass_properties_from_colliders(&self.colliders);
        }
    }

    /// Changes the colliders of a body.
    pub fn for_each_collider(
        &mut self,
        body: RigidBodyHandle,
        mut change: impl FnMut(&mut Collider),
    ) {
        let colliders = self.bodies.get(body).map_or(&[][..], |b| b.colliders());
        for handle in colliders {
            if let Some(collider) = self.colliders.get_mut(*handle) {
                change(collider);
            }
        }
    }

    /// Whether anything may have changed since rapier has stepped.
    pub fn is_dirty(&self) -> bool {
        self.bodies.is_dirty()
            || self.colliders.is_dirty()
            || self.impulse_joints.is_dirty()
            || self.welds.is_dirty()
    }

    /// Marks everything as known to rapier.
    pub fn clear_dirty(&mut self) {
        self.bodies.clear_dirty();
        self.colliders.clear_dirty();
        self.impulse_joints.clear_dirty();
        self.welds.clear_dirty();
    }
}

/// Whether a collider is a mere surface: nothing pushes a body out that has come behind it.
pub(super) fn is_non_solid(collider: &Collider) -> bool {
    matches!(
        collider.shape().shape_type(),
        ShapeType::TriMesh | ShapeType::HeightField | ShapeType::Triangle
    )
}
