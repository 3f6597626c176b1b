//! Tests of the contract on whole breaks: every output goes through the validators.

mod again;
mod attributes;
mod bars;
mod check;
mod chunks;
mod contract;
mod cooked_hulls;
mod cracks;
mod degenerate;
mod determinism;
mod fragment_hulls;
mod remainder_hulls;
mod remaining_parts;

#[path = "../examples/shatter/files.rs"]
#[allow(dead_code)]
mod files;
mod findings;
mod health;
mod hulls;
mod imports;
mod inputs;
mod patterns;
mod provisional_hulls;
mod reach;
mod recipes;
mod repair;
mod rough;
mod shells;
mod simplify;
mod solids;
mod stencils;
mod support_graph;
mod sweep;
mod tidy;
mod weakness;
