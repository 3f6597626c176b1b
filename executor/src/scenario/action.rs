//! Actions of a scenario.

use super::point::Point;
use serde::{Deserialize, Serialize};

/// Radius of the demo's balls, metres.
pub const BALL_RADIUS: f32 = 0.12;
/// Mass of the demo's balls, kg.
pub const BALL_MASS: f32 = 20.0;
/// Default name of a ball.
const BALL: &str = "Ball";
/// Default reach of rays, metres.
const FAR: f32 = 1000.0;
/// Longest time step, seconds; with longer ones bodies pass through each other.
const LONGEST_STEP: f32 = 0.1;

/// An action on the scene. Points are in world space, metres; energies in J, impulses in N s.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// An impact on a breakable node by game code.
    Impact(ImpactAction),
    /// An impact that is sent to the node's script as a script message.
    Message(ImpactAction),
    /// A ball is thrown into the scene; physics decides where it hits.
    Throw {
        /// Name of the ball, for expectations.
        #[serde(default = "ball", skip_serializing_if = "is_ball")]
        name: String,
        /// Its radius, metres.
        #[serde(default = "ball_radius", skip_serializing_if = "is_ball_radius")]
        radius: f32,
        /// Its mass, kg.
        #[serde(default = "ball_mass", skip_serializing_if = "is_ball_mass")]
        mass: f32,
        /// Start position.
        from: Point,
        /// Its velocity at the start, m/s.
        velocity: Point,
    },
    /// A shot along a ray: breaks the first breakable node that it hits.
    Shoot {
        /// Start of the ray.
        from: Point,
        /// Direction of the ray.
        direction: Point,
        /// Reach, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
        /// Energy, J.
        energy: f32,
        /// Impulse along the ray, N s.
        impulse: f32,
    },
    /// A bomb.
    Explosion {
        /// Centre.
        center: Point,
        /// Reach, metres.
        radius: f32,
        /// Energy, J.
        energy: f32,
    },
    /// An impulse on a rigid body of the engine at its centre of mass.
    Push {
        /// Name of the rigid body.
        node: String,
        /// N s.
        impulse: Point,
    },
    /// A rigid body of the engine is driven: its velocity is set before each frame, as a player's script
    /// does. For a dynamic body only the horizontal part is set.
    Drive {
        /// Name of the rigid body.
        node: String,
        /// Velocity, m/s.
        velocity: Point,
        /// Number of frames.
        frames: u32,
    },
    /// A blade stroke across the view: everything along the stroke is cut in two.
    Cut {
        /// The eye.
        eye: Point,
        /// Direction at the start of the stroke.
        from: Point,
        /// Direction at the end of the stroke.
        to: Point,
        /// Reach, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
        /// Width that the blade takes out, metres.
        #[serde(default)]
        kerf: f32,
    },
    /// A push: the first body on a ray is pushed along it and does not break.
    Shove {
        /// Start of the ray.
        from: Point,
        /// Direction of the ray.
        direction: Point,
        /// Reach, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
        /// N s.
        impulse: f32,
        /// Largest change of speed, m/s, for light bodies.
        speed: f32,
    },
    /// Changes the time step from now on: less than a frame is slow motion.
    Pace {
        /// Seconds a frame.
        step: f32,
    },
    /// A node is moved, as by game code.
    Move {
        /// Name of the node.
        node: String,
        /// Where its origin is from now on.
        to: Point,
    },
    /// A node is removed from the scene, by name.
    Remove {
        /// Name of the node.
        node: String,
    },
    /// A broken object is made intact again, as if nothing had been.
    RestoreIntact {
        /// Name of the object.
        node: String,
    },
    /// The scene is saved by the engine, with all that is broken in it, closed, and loaded again.
    SaveAndLoad,
    /// The scene is closed and its jobs are cancelled.
    CloseScene,
}

/// An impact on a breakable node.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ImpactAction {
    /// Name of the node.
    pub node: String,
    /// Point of impact.
    pub point: Point,
    /// Outward normal of the surface there.
    pub normal: Point,
    /// Energy, J.
    pub energy: f32,
    /// Impulse, N s; if omitted, that of a body of 1 kg with this energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Point>,
    /// Radius of the break, metres; if omitted, it follows from the energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f32>,
}

fn ball() -> String {
    BALL.into()
}

fn is_ball(name: &str) -> bool {
    name == BALL
}

fn ball_radius() -> f32 {
    BALL_RADIUS
}

fn is_ball_radius(radius: &f32) -> bool {
    *radius == BALL_RADIUS
}

fn ball_mass() -> f32 {
    BALL_MASS
}

fn is_ball_mass(mass: &f32) -> bool {
    *mass == BALL_MASS
}

fn far() -> f32 {
    FAR
}

fn is_far(distance: &f32) -> bool {
    *distance == FAR
}

impl Action {
    /// Returns the throw of one of the demo's balls with rounded numbers, see [`Point::short`].
    pub fn shot(from: Point, velocity: Point) -> Self {
        Self::Throw {
            name: ball(),
            radius: BALL_RADIUS,
            mass: BALL_MASS,
            from: from.short(),
            velocity: velocity.short(),
        }
    }

    /// Returns the name of the node that it needs.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Impact(blow) | Self::Message(blow) => Some(&blow.node),
            Self::Move { node, .. }
            | Self::Remove { node }
            | Self::RestoreIntact { node }
            | Self::Push { node, .. }
            | Self::Drive { node, .. } => Some(node),
            _ => None,
        }
    }

    /// Returns the number of frames for which it is repeated.
    pub fn lasts(&self) -> u32 {
        match self {
            Self::Drive { frames, .. } => *frames,
            _ => 1,
        }
    }

    /// Checks the numbers that the runner itself needs. Odd values such as a radius of 0 are passed on
    /// to the module, whose answer may be what is tested.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Self::Throw { radius, mass, .. } => {
                let positive = |value: f32| value.is_finite() && value > 0.0;
                if positive(*radius) && positive(*mass) {
                    Ok(())
                } else {
                    Err(format!(
                        "Throw: radius {radius} m and mass {mass} kg must be above 0"
                    ))
                }
            }
            Self::Shoot { distance, .. }
            | Self::Cut { distance, .. }
            | Self::Shove { distance, .. }
                if !(distance.is_finite() && *distance > 0.0) =>
            {
                Err(format!("distance {distance} m must be above 0"))
            }
            Self::Drive { frames: 0, .. } => Err("Drive: `frames` must be above 0".to_owned()),
            Self::Pace { step } if !(*step > 0.0 && *step <= LONGEST_STEP) => Err(format!(
                "Pace: step {step} s must be above 0 and at most {LONGEST_STEP}"
            )),
            _ => Ok(()),
        }
    }
}
