pub mod cached;
pub mod convex_parts;
pub mod from_parts;
pub mod history;
pub mod partition;
pub mod placed_pattern;
pub mod reflex;
pub mod remainder;
