//! The things that the game of somebody else relies on: the engine, models from glTF files, prefabs, scripts as they
//! come, and figures that one would type. Each file is one expectation, with a table of its cases.

mod anything;
mod blows;
mod bombs;
mod drops;
mod everyday;
mod falls;
mod harness;
mod many;
mod masses;
mod mistakes;
