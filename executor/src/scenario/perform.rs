//! Performs actions in an open scene, with or without a window.

use super::action::{Action, ImpactAction};
use crate::ball;
use fracture::{Destruction, Impact};
use fyrox::{
    core::{
        algebra::{Matrix4, Point3, Vector3},
        pool::Handle,
    },
    graph::SceneGraph,
    scene::{
        node::Node,
        rigidbody::{RigidBody, RigidBodyType},
        Scene,
    },
};
use std::collections::VecDeque;

/// Height below which balls are removed, metres.
const ABYSS: f32 = -50.0;

/// Sends an impact to a node as a script message.
pub type Post<'a> = dyn FnMut(Handle<Node>, Impact) + 'a;

/// Performs an action. Call between [`Destruction::update`] and the engine's next frame. The caller
/// closes the scene, and saves and loads it.
///
/// # Errors
///
/// Why nothing was done, in words.
pub fn perform(
    action: &Action,
    scene: &mut Scene,
    destruction: &mut Destruction,
    balls: &mut Balls,
    post: &mut Post,
) -> Result<(), String> {
    match action {
        Action::Impact(blow) => destruction
            .impact_by_name(scene, &blow.node, impact(blow))
            .map_err(|error| format!("a blow on \"{}\" is refused: {error}", blow.node))?,
        Action::Message(blow) => post(node(scene, &blow.node)?, impact(blow)),
        Action::Throw { .. } => balls.throw(scene, action),
        Action::Shoot { .. }
        | Action::Explosion { .. }
        | Action::Cut { .. }
        | Action::Shove { .. } => strike_from_afar(action, scene, destruction)?,
        Action::Pace { .. }
        | Action::Push { .. }
        | Action::Drive { .. }
        | Action::Move { .. }
        | Action::Remove { .. } => change_scene(action, scene)?,
        Action::RestoreIntact { node } => {
            // An object that is intact is left alone.
            let restored = destruction.restore_intact(node);
            restored.map_err(|error| format!("\"{node}\" is not restored: {error}"))?;
        }
        Action::SaveAndLoad | Action::CloseScene => {}
    }
    Ok(())
}

/// Performs an action that strikes whatever is in its way.
fn strike_from_afar(
    action: &Action,
    scene: &mut Scene,
    destruction: &mut Destruction,
) -> Result<(), String> {
    match action {
        Action::Shoot {
            from,
            direction,
            distance,
            energy,
            impulse,
        } => {
            // A shot that hits nothing breakable is a miss, not a mistake.
            let _ = destruction.shoot(from.0, direction.0, *distance, *energy, *impulse);
        }
        Action::Explosion {
            center,
            radius,
            energy,
        } => {
            let reached = destruction.explosion(center.0, *radius, *energy);
            reached.map_err(|error| format!("an explosion is refused: {error}"))?;
        }
        Action::Cut {
            eye,
            from,
            to,
            distance,
            kerf,
        } => {
            destruction.cut(eye.0, from.0, to.0, *distance, *kerf);
        }
        Action::Shove {
            from,
            direction,
            distance,
            impulse,
            speed,
        } => {
            // Pushing against a wall is not a mistake.
            let _ = destruction.push(scene, from.0, direction.0, *distance, *impulse, *speed);
        }
        _ => {}
    }
    Ok(())
}

/// Performs an action that changes the scene alone.
fn change_scene(action: &Action, scene: &mut Scene) -> Result<(), String> {
    match action {
        Action::Pace { step } => {
            let physics = &mut scene.graph.physics;
            let parameters = physics
                .integration_parameters
                .get_value_mut_and_mark_modified();
            parameters.dt = Some(*step);
        }
        Action::Push {
            node: name,
            impulse,
        } => push(scene, name, impulse.0)?,
        Action::Drive {
            node: name,
            velocity,
            ..
        } => drive(scene, name, velocity.0)?,
        Action::Move { node: name, to } => {
            let node = node(scene, name)?;
            move_to(scene, node, to.0);
        }
        Action::Remove { node: name } => {
            let node = node(scene, name)?;
            scene.graph.remove_node(node);
        }
        _ => {}
    }
    Ok(())
}

fn node(scene: &Scene, name: &str) -> Result<Handle<Node>, String> {
    let found = scene.graph.find_by_name_from_root(name);
    found
        .map(|(handle, _)| handle)
        .ok_or_else(|| format!("there is no node \"{name}\" in the scene any more"))
}

/// Moves a node to a place in world space.
fn move_to(scene: &mut Scene, node: Handle<Node>, to: Vector3<f32>) {
    let graph = &mut scene.graph;
    let parent = graph.try_get_node(node).map(|node| node.parent());
    let above = parent.and_then(|parent| graph.try_get_node(parent));
    let above = above.map_or_else(|_| Matrix4::identity(), |node| node.global_transform());
    let place = above.try_inverse().unwrap_or_else(Matrix4::identity);
    let place = place.transform_point(&Point3::from(to)).coords;
    if let Ok(node) = graph.try_get_node_mut(node) {
        node.local_transform_mut().set_position(place);
    }
}

fn body<'a>(scene: &'a mut Scene, name: &str) -> Result<&'a mut RigidBody, String> {
    let node = node(scene, name)?;
    let body = scene.graph.try_get_mut_of_type::<RigidBody>(node);
    body.map_err(|_| format!("\"{name}\" is no rigid body, so it cannot be pushed"))
}

fn push(scene: &mut Scene, name: &str, impulse: Vector3<f32>) -> Result<(), String> {
    let body = body(scene, name)?;
    body.apply_impulse(impulse);
    body.wake_up();
    Ok(())
}

fn drive(scene: &mut Scene, name: &str, mut velocity: Vector3<f32>) -> Result<(), String> {
    let body = body(scene, name)?;
    if body.body_type() == RigidBodyType::Dynamic {
        velocity.y = body.lin_vel().y;
    }
    body.set_lin_vel(velocity);
    body.wake_up();
    Ok(())
}

/// Converts to the module's impact.
fn impact(blow: &ImpactAction) -> Impact {
    let mut impact = Impact::new(blow.point.0, blow.normal.0, blow.energy);
    if let Some(impulse) = blow.impulse {
        impact = impact.with_impulse(impulse.0);
    }
    if let Some(radius) = blow.radius {
        impact = impact.with_radius(radius);
    }
    impact
}

/// The thrown balls.
#[derive(Default, Debug)]
pub struct Balls {
    most: Option<usize>,
    thrown: VecDeque<Handle<RigidBody>>,
}

impl Balls {
    /// Makes an empty list with a limit; with `None` no ball is ever removed.
    pub fn new(most: Option<usize>) -> Self {
        Self {
            most,
            thrown: VecDeque::new(),
        }
    }

    fn throw(&mut self, scene: &mut Scene, action: &Action) {
        if let Action::Throw {
            name,
            radius,
            mass,
            from,
            velocity,
        } = action
        {
            let ball = ball::throw(scene, name, *radius, *mass, from.0, velocity.0);
            self.thrown.push_back(ball);
        }
    }

    /// The ball that was thrown last.
    pub fn newest(&self) -> Option<Handle<Node>> {
        self.thrown.back().map(|ball| ball.to_base())
    }

    /// Removes the oldest balls beyond the limit, and those that fell out of the world. Call after each
    /// frame.
    pub fn tidy(&mut self, scene: &mut Scene) {
        let Some(most) = self.most else {
            return;
        };
        let surplus = self.thrown.len().saturating_sub(most);
        let mut gone: Vec<_> = self.thrown.drain(..surplus).collect();
        self.thrown.retain(|ball| {
            let stays = is_near(scene, *ball);
            if !stays {
                gone.push(*ball);
            }
            stays
        });
        for ball in gone {
            if scene.graph.is_valid_handle(ball) {
                scene.graph.remove_node(ball);
            }
        }
    }
}

fn is_near(scene: &Scene, ball: Handle<RigidBody>) -> bool {
    let ball = scene.graph.try_get(ball);
    ball.is_ok_and(|ball| ball.global_position().y > ABYSS)
}
