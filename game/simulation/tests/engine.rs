//! A rapier world with the settings of the engine, which stands for the host and knows nothing of debris; and for
//! comparison a single world in which the debris takes part.

use fracture_simulation::geometry::glam::Vec3;
use fracture_simulation::rapier3d::prelude::*;
use fracture_simulation::{BodyRef, Broken, Motion, Simulation};

use crate::setup::DT;

#[derive(Default)]
pub struct Engine {
    pub bodies: RigidBodySet,
    pub colliders: ColliderSet,
    pub joints: ImpulseJointSet,
    pub narrow_phase: NarrowPhase,
    multibody_joints: MultibodyJointSet,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    ccd: CCDSolver,
}

impl Engine {
    pub fn add(
        &mut self,
        body: RigidBodyBuilder,
        shape: SharedShape,
        density: f32,
    ) -> RigidBodyHandle {
        let handle = self.bodies.insert(body);
        let collider = ColliderBuilder::new(shape).density(density).friction(0.6);
        self.colliders
            .insert_with_parent(collider, handle, &mut self.bodies);
        handle
    }

    pub fn step(&mut self) {
        let parameters = IntegrationParameters {
            dt: DT,
            // As stiff as the debris, so that only the coupling is compared.
            contact_softness: SpringCoefficients::new(60.0, 20.0),
            ..Default::default()
        };
        self.pipeline.step(
            Vec3::new(0.0, -9.81, 0.0),
            &parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibody_joints,
            &mut self.ccd,
            &(),
            &(),
        );
    }

    pub fn motion(&self, handle: RigidBodyHandle) -> Motion {
        let body = &self.bodies[handle];
        Motion {
            pose: *body.position(),
            linear: body.linvel(),
            angular: body.angvel(),
        }
    }

    /// Applies the corrected motions, as the host does.
    pub fn take_back(&mut self, simulation: &Simulation, keys: &[(u64, RigidBodyHandle)]) {
        for (owner, motion) in simulation.corrected_motions() {
            let own = keys
                .iter()
                .find(|(key, _)| owner == BodyRef::External(*key));
            let body = self.bodies.get_mut(own.unwrap().1).unwrap();
            body.set_position(motion.pose, false);
            body.set_linvel(motion.linear, true);
            body.set_angvel(motion.angular, true);
        }
    }

    /// One frame of engine and debris, as the host runs them.
    pub fn frame(&mut self, simulation: &mut Simulation, keys: &[(u64, RigidBodyHandle)]) {
        self.step();
        for (key, handle) in keys {
            assert!(simulation.set_external_motion(*key, self.motion(*handle)));
        }
        crate::setup::step(simulation);
        self.take_back(simulation, keys);
    }

    /// Adds the pieces of a break as bodies of this world, where they are now.
    pub fn adopt(&mut self, simulation: &Simulation, broken: &Broken) -> Vec<RigidBodyHandle> {
        let adopt = |piece: &fracture_simulation::NewPiece| {
            let motion = simulation.motion(piece.body).unwrap();
            let inertia = piece.mass.inertia(2400.0);
            let inertia = fracture_simulation::geometry::glam::Mat3::from_cols(
                inertia.x_axis.as_vec3(),
                inertia.y_axis.as_vec3(),
                inertia.z_axis.as_vec3(),
            );
            let center = piece.mass.center.as_vec3();
            let mass = MassProperties::with_inertia_matrix(center, piece.kilograms as f32, inertia);
            let body = RigidBodyBuilder::dynamic()
                .pose(motion.pose)
                .linvel(motion.linear)
                .angvel(motion.angular)
                .additional_mass_properties(mass);
            self.add(body, piece.colliders.first().clone(), 0.0)
        };
        broken.pieces.iter().map(adopt).collect()
    }
}

/// A static floor with its top at a given height.
pub fn floor(top: f32) -> (SharedShape, Motion) {
    (
        SharedShape::cuboid(20.0, 0.5, 20.0),
        crate::setup::at(0.0, top - 0.5, 0.0),
    )
}
