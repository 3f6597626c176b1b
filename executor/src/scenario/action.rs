//! What can happen in a scenario.

use super::point::Point;
use serde::{Deserialize, Serialize};

/// Metres; the balls of the demo.
pub const BALL_RADIUS: f32 = 0.12;
/// Kilograms.
pub const BALL_MASS: f32 = 20.0;
/// The name of a ball that is given none.
const BALL: &str = "Ball";
/// Metres.
const FAR: f32 = 1000.0;
/// Seconds; with longer ones things pass through each other.
const LONGEST_STEP: f32 = 0.1;

/// What happens to the scene. Points are in world space, metres; energies in J, impulses in N s.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// A blow on a breakable node, caused by game code.
    Impact(Blow),
    /// The same blow, sent to the node's script as a script message.
    Message(Blow),
    /// A ball is thrown into the scene; what it hits, the physics decides.
    Throw {
        /// Name of the ball, for expectations.
        #[serde(default = "ball", skip_serializing_if = "is_ball")]
        name: String,
        /// Metres.
        #[serde(default = "ball_radius", skip_serializing_if = "is_ball_radius")]
        radius: f32,
        /// Kilograms.
        #[serde(default = "ball_mass", skip_serializing_if = "is_ball_mass")]
        mass: f32,
        /// Where it starts.
        from: Point,
        /// Metres per second.
        velocity: Point,
    },
    /// A ray from a gun: it breaks the first breakable node on its way.
    Shoot {
        /// Where the ray starts.
        from: Point,
        /// Where it goes.
        direction: Point,
        /// How far it reaches, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
        /// What there is to break with.
        energy: f32,
        /// What it pushes with along its way.
        impulse: f32,
    },
    /// A bomb.
    Explosion {
        /// Where.
        center: Point,
        /// How far it reaches, metres.
        radius: f32,
        /// What there is to break with at its centre.
        energy: f32,
    },
    /// A rigid body of the engine gets a push at its centre of mass.
    Push {
        /// Name of the rigid body.
        node: String,
        /// N s.
        impulse: Point,
    },
    /// A rigid body of the engine keeps a velocity, which is set anew before each frame as a player's
    /// script does: along the ground when physics moves it, and what it does upwards is kept.
    Drive {
        /// Name of the rigid body.
        node: String,
        /// Metres per second.
        velocity: Point,
        /// For how many frames.
        frames: u32,
    },
    /// A blade is drawn across what one sees: everything along the stroke is cut in two.
    Cut {
        /// From where it is seen.
        eye: Point,
        /// The direction in which the stroke begins.
        from: Point,
        /// The direction in which it ends.
        to: Point,
        /// How far it reaches, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
    },
    /// A hand: the first thing on a ray is pushed along it and does not break.
    Shove {
        /// Where the ray starts.
        from: Point,
        /// Where it goes.
        direction: Point,
        /// How far it reaches, metres.
        #[serde(default = "far", skip_serializing_if = "is_far")]
        distance: f32,
        /// N s.
        impulse: f32,
        /// What is light changes its speed by no more than this, m/s.
        speed: f32,
    },
    /// From now on physics takes other steps: less than a frame is slow motion.
    Pace {
        /// Seconds a frame.
        step: f32,
    },
    /// A node is removed from the scene, by name.
    Remove {
        /// Name of the node.
        node: String,
    },
    /// The scene is closed; what is being worked out for it is cancelled.
    CloseScene,
}

/// A blow on a breakable node.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Blow {
    /// Name of the node.
    pub node: String,
    /// Where it hits.
    pub point: Point,
    /// Outward normal of the surface there.
    pub normal: Point,
    /// What there is to break with.
    pub energy: f32,
    /// What it pushes with; left out, that of a body of 1 kg with this energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Point>,
    /// The radius of the break, metres; left out, it follows from the energy.
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
    /// A throw of one of the demo's balls, on numbers that are short to write: see [`Point::short`].
    pub fn shot(from: Point, velocity: Point) -> Self {
        Self::Throw {
            name: ball(),
            radius: BALL_RADIUS,
            mass: BALL_MASS,
            from: from.short(),
            velocity: velocity.short(),
        }
    }

    /// The node it needs, by name.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Impact(blow) | Self::Message(blow) => Some(&blow.node),
            Self::Remove { node } | Self::Push { node, .. } | Self::Drive { node, .. } => {
                Some(node)
            }
            _ => None,
        }
    }

    /// For how many frames it is done anew.
    pub fn lasts(&self) -> u32 {
        match self {
            Self::Drive { frames, .. } => *frames,
            _ => 1,
        }
    }

    /// Whether the numbers make sense for the program that runs them. What is only odd, such as a
    /// radius of 0, goes on to the module: what it makes of it may be what is tested.
    pub(super) fn check(&self) -> Result<(), String> {
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
