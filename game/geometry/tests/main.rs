//! Tests of the contract on whole breaks: every output goes through the validators.

mod check;
mod contract;
mod degenerate;
mod determinism;
mod inputs;
mod patterns;
mod recipes;
mod solids;
mod sweep;
