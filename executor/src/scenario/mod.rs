//! Scenarios: a scene, what happens to it, and what must come of it, in a RON file.
//!
//! ```ron
//! Scenario(
//!     about: "A blow in the middle of the wall leaves the rest of it standing.",
//!     scene: "scenes/wall.rgs",
//!     frames: 120,
//!     actions: [
//!         (frame: 5, action: Impact(node: "Wall", point: (0, 1.5, 0.1), normal: (0, 0, 1), energy: 400)),
//!     ],
//!     expect: [
//!         (that: Swapped(node: "Wall", within: 1)),
//!         (that: Fragments(node: "Wall", min: 3)),
//!         (that: AllClosed(node: "Wall")),
//!     ],
//! )
//! ```
//!
//! Every word of the format is on the page `data/scenarios/README.md`.

pub(crate) mod action;
mod check;
mod energy;
mod error;
mod expectation;
mod format;
mod names;
mod obj_export;
mod perform;
mod point;
pub(crate) mod read;
mod report;
mod run;
mod stage;
mod stopped_falls;
mod summary;
mod wildcard;

pub use action::{Action, ImpactAction, BALL_MASS, BALL_RADIUS};
pub use energy::EnergyTotals;
pub use error::RunError;
pub use expectation::{Count, Expectation};
pub use format::{Moment, Scenario, TimedAction, TimedExpectation};
pub use perform::{perform, Balls, Post};
pub use point::Point;
pub use read::{read, read_text, ReadError};
pub use report::{ExpectationReport, ObjectReport, PieceReport, Report, TimeReport};
pub use run::{run, RunOptions};
pub use summary::differences;
