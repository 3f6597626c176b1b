//! The format of a scenario file. Each type checks its own values while it is read, so that a mistake is
//! reported with its line.

use super::{action::Action, expectation::Expectation};
use serde::Deserialize;
use std::path::PathBuf;

/// Most frames a scenario may run: an hour at 60 a second.
const MOST_FRAMES: u32 = 216_000;

/// A scene, actions and expectations.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, try_from = "Unchecked")]
pub struct Scenario {
    /// Purpose of the scenario, in a sentence.
    pub about: String,
    /// The scene, relative to the scenario file or to the data folder.
    pub scene: PathBuf,
    /// Seconds a frame.
    pub step: f32,
    /// Number of frames.
    pub frames: u32,
    /// Mixed into the seed of every object.
    pub seed: u64,
    /// Whether the next frame waits for the worker, which makes runs exactly repeatable.
    pub wait_for_results: bool,
    /// Actions, in the order of the file within a frame.
    pub actions: Vec<TimedAction>,
    /// Most thrown balls at once; beyond it the oldest is removed.
    pub most_balls: Option<usize>,
    /// Expectations.
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
    log: Vec<Logged>,
    most_balls: Option<usize>,
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

    fn try_from(mut file: Unchecked) -> Result<Self, String> {
        let logged = file.log.drain(..).map(TimedAction::from);
        file.actions.extend(logged);
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
            most_balls: file.most_balls,
            expect: file.expect,
        })
    }
}

/// A moment: a frame, counted from 0, or a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// A frame, the first is 0.
    Frame(u32),
    /// Seconds from the start.
    Time(f32),
}

impl Moment {
    /// Returns the frame, for a time step in seconds.
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

/// An action with its moment.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "UncheckedAction")]
pub struct TimedAction {
    /// The frame before which it is performed.
    pub when: Moment,
    /// The action.
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

/// An expectation with its moment.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "UncheckedExpectation")]
pub struct TimedExpectation {
    /// The frame after which it is checked; `None` is after the last.
    pub when: Option<Moment>,
    /// The expectation.
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

/// An action as a recording has it: `(frame, action)`.
#[derive(Deserialize)]
#[serde(try_from = "(u32, Action)")]
struct Logged(u32, Action);

impl TryFrom<(u32, Action)> for Logged {
    type Error = String;

    fn try_from((frame, action): (u32, Action)) -> Result<Self, String> {
        action.check()?;
        Ok(Self(frame, action))
    }
}

impl From<Logged> for TimedAction {
    fn from(Logged(frame, action): Logged) -> Self {
        let when = Moment::Frame(frame);
        Self { when, action }
    }
}
