//! The words of a scenario file. Each type checks its own values while it is read, so that a
//! mistake is reported with its line.

use super::{expectation::Expectation, point::Point};
use serde::Deserialize;
use std::path::PathBuf;

/// Most frames a scenario may run: an hour at 60 a second.
const MOST_FRAMES: u32 = 216_000;

/// A scene, what happens to it, and what must come of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "Unchecked")]
pub struct Scenario {
    /// What the scenario shows, in a sentence.
    pub about: String,
    /// The scene, relative to the scenario file or to the data folder.
    pub scene: PathBuf,
    /// Seconds a frame.
    pub step: f32,
    /// How many frames are run.
    pub frames: u32,
    /// Mixed into the seed of every object.
    pub seed: u64,
    /// Whether the next frame waits for the worker, which makes runs exactly repeatable.
    pub wait_for_results: bool,
    /// What happens, in the order of the file where the frame is the same.
    pub actions: Vec<TimedAction>,
    /// What must hold.
    pub expect: Vec<TimedExpectation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
struct Unchecked {
    #[serde(default)]
    about: String,
    scene: PathBuf,
    #[serde(default = "sixtieth")]
    step: f32,
    frames: u32,
    #[serde(default)]
    seed: u64,
    #[serde(default = "yes")]
    wait_for_results: bool,
    #[serde(default)]
    actions: Vec<TimedAction>,
    #[serde(default)]
    expect: Vec<TimedExpectation>,
}

fn sixtieth() -> f32 {
    1.0 / 60.0
}

fn yes() -> bool {
    true
}

impl TryFrom<Unchecked> for Scenario {
    type Error = String;

    fn try_from(file: Unchecked) -> Result<Self, String> {
        if !(file.step > 0.0 && file.step <= 0.1) {
            return Err(format!(
                "`step` is {} s, it must be above 0 and at most 0.1",
                file.step
            ));
        }
        if !(1..=MOST_FRAMES).contains(&file.frames) {
            return Err(format!(
                "`frames` is {}, it must be 1 to {MOST_FRAMES}",
                file.frames
            ));
        }
        let actions = file
            .actions
            .iter()
            .map(|timed| ("action", Some(&timed.when)));
        let expected = file
            .expect
            .iter()
            .map(|timed| ("expectation", timed.when.as_ref()));
        for (what, when) in actions.chain(expected) {
            let frame = when.map_or(0, |when| when.frame(file.step));
            if frame >= file.frames {
                return Err(format!(
                    "an {what} is at frame {frame}, but the last frame is {}; raise `frames`",
                    file.frames - 1
                ));
            }
        }
        Ok(Self {
            about: file.about,
            scene: file.scene,
            step: file.step,
            frames: file.frames,
            seed: file.seed,
            wait_for_results: file.wait_for_results,
            actions: file.actions,
            expect: file.expect,
        })
    }
}

/// When something is: a frame, counted from 0, or a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A frame, the first is 0.
    Frame(u32),
    /// Seconds from the start.
    Time(f32),
}

impl Moment {
    /// The frame it falls in, for steps of the given seconds.
    pub fn frame(&self, step: f32) -> u32 {
        match *self {
            Self::Frame(frame) => frame,
            Self::Time(seconds) => (f64::from(seconds) / f64::from(step)).round() as u32,
        }
    }

    fn read(frame: Option<u32>, time: Option<f32>) -> Result<Option<Self>, String> {
        match (frame, time) {
            (Some(_), Some(_)) => Err("give `frame` or `time`, not both".into()),
            (Some(frame), None) => Ok(Some(Self::Frame(frame))),
            (None, Some(time)) if time.is_finite() && time >= 0.0 => Ok(Some(Self::Time(time))),
            (None, Some(time)) => Err(format!("`time` is {time} s, it must be 0 or more")),
            (None, None) => Ok(None),
        }
    }
}

/// Something that happens.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "UncheckedAction")]
pub struct TimedAction {
    /// Before which frame.
    pub when: Moment,
    /// What.
    pub action: Action,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedAction {
    frame: Option<u32>,
    time: Option<f32>,
    action: Action,
}

impl TryFrom<UncheckedAction> for TimedAction {
    type Error = String;

    fn try_from(file: UncheckedAction) -> Result<Self, String> {
        file.action.check()?;
        let when = Moment::read(file.frame, file.time)?
            .ok_or("an action needs a `frame` or a `time` at which it happens")?;
        Ok(Self {
            when,
            action: file.action,
        })
    }
}

/// Something that must hold.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "UncheckedExpectation")]
pub struct TimedExpectation {
    /// After which frame; `None` is after the last.
    pub when: Option<Moment>,
    /// What.
    pub that: Expectation,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UncheckedExpectation {
    frame: Option<u32>,
    time: Option<f32>,
    that: Expectation,
}

impl TryFrom<UncheckedExpectation> for TimedExpectation {
    type Error = String;

    fn try_from(file: UncheckedExpectation) -> Result<Self, String> {
        file.that.check()?;
        let when = Moment::read(file.frame, file.time)?;
        Ok(Self {
            when,
            that: file.that,
        })
    }
}

/// What happens to the scene. Points are in world space, metres; energies in J, impulses in N s.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// A blow on a breakable node, caused by game code.
    Impact(Blow),
    /// The same blow, sent to the node's script as a script message.
    Message(Blow),
    /// A ball is thrown into the scene; what it hits, the physics decides.
    Throw {
        /// Name of the ball, for expectations.
        #[serde(default = "ball")]
        name: String,
        /// Metres.
        radius: f32,
        /// Kilograms.
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
        #[serde(default = "far")]
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
    /// A node is removed from the scene, by name.
    Remove {
        /// Name of the node.
        node: String,
    },
    /// The scene is closed; what is being worked out for it is cancelled.
    CloseScene,
}

/// A blow on a breakable node.
#[derive(Clone, Debug, Deserialize)]
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
    pub impulse: Option<Point>,
    /// The radius of the break, metres; left out, it follows from the energy.
    pub radius: Option<f32>,
}

fn ball() -> String {
    "Ball".into()
}

fn far() -> f32 {
    1000.0
}

impl Action {
    /// The node it needs, by name.
    pub fn node(&self) -> Option<&str> {
        match self {
            Self::Impact(blow) | Self::Message(blow) => Some(&blow.node),
            Self::Remove { node } => Some(node),
            _ => None,
        }
    }

    /// Whether the numbers make sense for the program that runs them. What is only odd, such as a
    /// radius of 0, goes on to the module: what it makes of it may be what is tested.
    fn check(&self) -> Result<(), String> {
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
            Self::Shoot { distance, .. } if !(distance.is_finite() && *distance > 0.0) => {
                Err(format!("Shoot: distance {distance} m must be above 0"))
            }
            _ => Ok(()),
        }
    }
}
