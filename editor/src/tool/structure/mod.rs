//! The structure of the scene: what holds each object, how much it bears, and what comes down with it, shown before
//! the game. Nothing of it is in the user's scene: colours are drawn over it.

mod cursor;
mod findings;
mod overlay;
mod paint;
mod survey;
mod words;
mod work;

pub use paint::{heat, COMES_DOWN, NO_STRENGTH, TAKEN_OUT};
pub(crate) use survey::{Played, StructureSurvey};
