//! Poses, velocities, masses and collision groups of the engine's rigid bodies and colliders, as the
//! engine's physics sees them.

use crate::mirror::{
    shapes::{is_built_from_meshes, shape_box, shape_of_mass},
    transforms::{engine_vector, pose, position_and_rotation, vec3, BodyFrame},
};
use fracture_simulation::{geometry::glam::Vec3, CollisionGroups, ContactProperties, Motion, Pose};
use fyrox::{
    core::{
        algebra::{Matrix4, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        collider::{Collider, ColliderShape},
        graph::{physics::CoefficientCombineRule as EngineRule, Graph},
        node::Node,
        rigidbody::{RigidBody, RigidBodyMassPropertiesType, RigidBodyType},
    },
};
use rapier3d::dynamics::{CoefficientCombineRule, MassProperties};

/// Density of a collider that states none, kg/m^3: the physics engine's own default.
pub(crate) const DEFAULT_DENSITY: f32 = 1.0;

/// The type of a rigid body node; `None` for any other node.
pub(crate) fn body_type(graph: &Graph, body: Handle<Node>) -> Option<RigidBodyType> {
    let body = graph.try_get_of_type::<RigidBody>(body).ok()?;
    Some(body.body_type())
}

/// The velocity of a rigid body's material at a point, m/s.
pub(crate) fn velocity_at(graph: &Graph, body: Handle<Node>, point: Vector3<f32>) -> Vector3<f32> {
    match graph.try_get_of_type::<RigidBody>(body) {
        Ok(node) if node.body_type() != RigidBodyType::Static => {
            // The engine's velocity is that of the centre of mass.
            let center = center_of_mass(graph, body);
            node.lin_vel() + node.ang_vel().cross(&(point - center))
        }
        _ => Vector3::zeros(),
    }
}

/// The centre of mass of a dynamic rigid body in world space, metres; the origin of any other node.
pub(crate) fn center_of_mass(graph: &Graph, body: Handle<Node>) -> Vector3<f32> {
    let center = mass_properties(graph, body).unwrap_or_default().local_com;
    engine_vector(BodyFrame::new(graph, body).pose.transform_point(center))
}

/// The mass of a dynamic rigid body with its colliders, kg; `None` for any other body.
pub(crate) fn dynamic_mass(graph: &Graph, body: Handle<Node>) -> Option<f32> {
    Some(mass_properties(graph, body)?.mass())
}

/// The mass that resists a push of a dynamic rigid body with these mass properties at a point along a unit vector, kg:
/// less than the body's own where the push turns it.
pub(crate) fn mass_against_push(
    graph: &Graph,
    body: Handle<Node>,
    mass: &MassProperties,
    point: Vector3<f32>,
    along: Vector3<f32>,
) -> f32 {
    let Some(pushed) = pushed_by(graph, body, mass, point, vec3(along)) else {
        return mass.mass();
    };
    let inverse = mass.inv_mass + pushed.angular.cross(pushed.arm).dot(vec3(along));
    if inverse > 0.0 {
        inverse.recip()
    } else {
        0.0
    }
}

/// The effect of an impulse on a body that may turn.
pub(crate) struct PushedBody {
    /// From the centre of mass to the point of the impulse, metres.
    arm: Vec3,
    /// Change of the velocity of the centre of mass, m/s.
    pub linear: Vec3,
    /// Change of the angular velocity, rad/s.
    pub angular: Vec3,
}

/// The effect of an impulse (N s) at a point on a rigid body with these mass properties; `None` for any other node.
pub(crate) fn pushed_by(
    graph: &Graph,
    body: Handle<Node>,
    mass: &MassProperties,
    point: Vector3<f32>,
    impulse: Vec3,
) -> Option<PushedBody> {
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    let pose = BodyFrame::new(graph, body).pose;
    let arm = vec3(point) - pose.transform_point(mass.local_com);
    let free = |locked: bool| if locked { 0.0 } else { 1.0 };
    let turns = Vec3::new(
        free(node.is_x_rotation_locked()),
        free(node.is_y_rotation_locked()),
        free(node.is_z_rotation_locked()),
    );
    let frame = pose.rotation * mass.principal_inertia_local_frame;
    let torque = frame.inverse() * (arm.cross(impulse) * turns);
    Some(PushedBody {
        arm,
        linear: impulse * (mass.inv_mass * free(node.is_translation_locked())),
        angular: frame * (torque * mass.inv_principal_inertia) * turns,
    })
}

/// The mass properties of a dynamic rigid body with its colliders, as the engine's physics adds them up; `None`
/// for any other body, and for one whose mass is no mass.
pub(crate) fn mass_properties(graph: &Graph, body: Handle<Node>) -> Option<MassProperties> {
    let node = graph.try_get_of_type::<RigidBody>(body).ok()?;
    if node.body_type() != RigidBodyType::Dynamic {
        return None;
    }
    let mut sum = MassProperties::default();
    for child in node.children() {
        if let Some(of_collider) = collider_mass_properties(graph, body, *child) {
            sum += of_collider.transform_by(&local_pose(graph, *child));
        }
    }
    match node.mass_properties_type() {
        RigidBodyMassPropertiesType::Default => sum.set_mass(sum.mass() + node.mass(), true),
        RigidBodyMassPropertiesType::Additional {
            center_of_mass,
            principal_inertia,
        } => {
            let (center, principal) = (vec3(center_of_mass), vec3(principal_inertia));
            sum += MassProperties::new(center, node.mass(), principal);
        }
    }
    (sum.mass() >= 0.0).then_some(sum)
}

fn collider_mass_properties(
    graph: &Graph,
    body: Handle<Node>,
    child: Handle<Node>,
) -> Option<MassProperties> {
    let collider = graph.try_get_of_type::<Collider>(child).ok()?;
    let density = collider.density().unwrap_or(DEFAULT_DENSITY);
    if density == 0.0 {
        return None; // before a shape is built for nothing
    }
    shape_mass_properties(graph, body, child, density)
}

/// The mass properties of a node below a rigid body if it is a collider, with a density in kg/m^3.
fn shape_mass_properties(
    graph: &Graph,
    body: Handle<Node>,
    child: Handle<Node>,
    density: f32,
) -> Option<MassProperties> {
    let collider = graph.try_get_of_type::<Collider>(child).ok()?;
    let from_world = collider_from_world(graph, body, child);
    let shape = shape_of_mass(collider.shape(), &from_world, graph)?;
    Some(shape.mass_properties(density))
}

/// The mass properties of a rigid body's colliders with a density in kg/m^3 in place of their own.
pub(crate) fn mass_of_colliders(graph: &Graph, body: Handle<Node>, density: f32) -> MassProperties {
    let node = graph.try_get_node(body);
    let children = node.map_or(&[][..], |node| node.children());
    let mass = |child: &Handle<Node>| {
        let mass = shape_mass_properties(graph, body, *child, density)?;
        Some(mass.transform_by(&local_pose(graph, *child)))
    };
    let masses = children.iter().filter_map(mass);
    masses.fold(MassProperties::default(), |sum, mass| sum + mass)
}

/// The volume of a rigid body's colliders, m^3. Shapes that are built from meshes count as boxes.
pub(crate) fn collider_volume(graph: &Graph, body: Handle<Node>) -> f32 {
    let node = graph.try_get_node(body);
    let children = node.map_or(&[][..], |node| node.children());
    let volume = |child: &Handle<Node>| {
        let collider = graph.try_get_of_type::<Collider>(*child).ok()?;
        let from_world = collider_from_world(graph, body, *child);
        if is_built_from_meshes(collider.shape()) {
            return Some(shape_box(collider.shape(), &from_world, graph)?.volume());
        }
        let shape = shape_of_mass(collider.shape(), &from_world, graph)?;
        Some(shape.mass_properties(1.0).mass())
    };
    let volumes = children.iter().filter_map(volume);
    volumes.filter(|volume| volume.is_finite()).sum()
}

/// The mass of a node below a rigid body if it is a collider, kg. A shape that is built from meshes is taken to
/// have `volume`, m^3.
pub(crate) fn estimated_mass(
    graph: &Graph,
    body: Handle<Node>,
    child: Handle<Node>,
    volume: f32,
) -> f32 {
    let collider = graph.try_get_of_type::<Collider>(child);
    let density = |collider: &Collider| collider.density().unwrap_or(DEFAULT_DENSITY);
    match collider {
        Ok(collider) if is_built_from_meshes(collider.shape()) => density(collider) * volume,
        _ => collider_mass_properties(graph, body, child).map_or(0.0, |mass| mass.mass()),
    }
}

/// A collider's pose in its body. The engine's physics ignores its scale.
pub(crate) fn local_pose(graph: &Graph, collider: Handle<Node>) -> Pose {
    graph.try_get_node(collider).map_or(Pose::IDENTITY, |node| {
        let local = node.local_transform();
        pose(local.position(), local.rotation())
    })
}

/// The pose and the velocities of a rigid body.
pub(crate) fn body_motion(graph: &Graph, body: Handle<Node>) -> Motion {
    let mut motion = Motion::at(BodyFrame::new(graph, body).pose);
    if let Ok(body) = graph.try_get_of_type::<RigidBody>(body) {
        if body.body_type() != RigidBodyType::Static {
            motion.linear = vec3(body.lin_vel());
            motion.angular = vec3(body.ang_vel());
        }
    }
    motion
}

/// The transform from world space to a collider's space, without scale.
pub(crate) fn collider_from_world(
    graph: &Graph,
    body: Handle<Node>,
    collider: Handle<Node>,
) -> Matrix4<f32> {
    let world = BodyFrame::new(graph, body).pose * local_pose(graph, collider);
    to_matrix(&world.inverse())
}

/// A pose as a matrix.
pub(crate) fn to_matrix(pose: &Pose) -> Matrix4<f32> {
    let (position, rotation) = position_and_rotation(pose);
    rotation.to_homogeneous().append_translation(&position)
}

/// A node's handle as a number, for ordered maps. Generations make it unique.
pub(crate) fn key_of(node: Handle<Node>) -> u64 {
    u64::from(node.generation()) << 32 | u64::from(node.index())
}

/// The node handle of a key; the node may have been removed.
pub(crate) fn node_of(key: u64) -> Handle<Node> {
    Handle::new(key as u32, (key >> 32) as u32)
}

/// The rigid body and the shape of a collider that takes part in the engine's physics.
pub(crate) fn solid_collider(
    graph: &Graph,
    node: Handle<Node>,
) -> Option<(Handle<Node>, &ColliderShape)> {
    let collider = graph.try_get_of_type::<Collider>(node).ok()?;
    let body = collider.parent();
    graph.try_get_of_type::<RigidBody>(body).ok()?;
    let solid = !collider.is_sensor() && collider.is_globally_enabled();
    solid.then(|| (body, collider.shape()))
}

/// Friction and bounce of a collider; the default for any other node, and for numbers that are not finite or
/// below zero.
pub(crate) fn contact_properties(graph: &Graph, node: Handle<Node>) -> ContactProperties {
    let Ok(collider) = graph.try_get_of_type::<Collider>(node) else {
        return ContactProperties::default();
    };
    let (friction, restitution) = (collider.friction(), collider.restitution());
    let rule = collider.friction_combine_rule();
    // The engine's default is zero friction, on which debris would never come to rest. It is meant as ice where the
    // rule has been chosen, too.
    let is_default = friction == 0.0 && rule == EngineRule::default();
    ContactProperties {
        friction: (friction.is_finite() && friction >= 0.0 && !is_default).then_some(friction),
        restitution: (restitution.is_finite() && restitution >= 0.0).then_some(restitution),
        friction_rule: combine_rule(rule),
        restitution_rule: combine_rule(collider.restitution_combine_rule()),
    }
}

fn combine_rule(rule: EngineRule) -> CoefficientCombineRule {
    match rule {
        EngineRule::Average => CoefficientCombineRule::Average,
        EngineRule::Min => CoefficientCombineRule::Min,
        EngineRule::Multiply => CoefficientCombineRule::Multiply,
        EngineRule::Max => CoefficientCombineRule::Max,
        EngineRule::ClampedSum => CoefficientCombineRule::ClampedSum,
    }
}

/// The collision groups of a collider; the default groups for any other node.
pub(crate) fn groups(graph: &Graph, node: Handle<Node>) -> CollisionGroups {
    let collider = graph.try_get_of_type::<Collider>(node);
    collider.map_or_else(
        |_| CollisionGroups::default(),
        |collider| {
            let (groups, solver) = (collider.collision_groups(), collider.solver_groups());
            CollisionGroups {
                memberships: groups.memberships.0,
                filter: groups.filter.0,
                solver_memberships: solver.memberships.0,
                solver_filter: solver.filter.0,
            }
        },
    )
}

/// The pose and the velocities of a collider. The engine's physics ignores scale.
pub(crate) fn collider_motion(graph: &Graph, body: Handle<Node>, collider: Handle<Node>) -> Motion {
    let mut motion = body_motion(graph, body);
    motion.pose *= local_pose(graph, collider);
    motion
}
