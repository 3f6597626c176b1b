//! A piece as the worker hands it over.

use std::sync::Arc;

use fracture_geometry::{MassProperties, Mesh, PieceKind};

use super::colliders::{Colliders, HullCount};
use super::hook_context::HookOutput;
use super::impulse::{PushedPiece, Velocity};
use super::loose_crack::LooseCrack;
use super::piece_bars::PieceBars;
use super::refinement::Refinement;
use super::shape::Shape;
use crate::debris::PieceFigures;

/// A new piece, not yet in the simulation.
pub(crate) struct BrokenPiece {
    pub kind: PieceKind,
    pub anchored: bool,
    pub shape: Arc<Shape>,
    /// Its mesh with flat cut faces, if those of its shape have bumps.
    pub flat: Option<Arc<Mesh>>,
    pub colliders: Colliders,
    pub hulls: HullCount,
    /// Of a free piece that is a body.
    pub figures: Option<PieceFigures>,
    pub mass: MassProperties,
    pub kilograms: f64,
    /// Too small to be a body.
    pub is_dust: bool,
    pub triangles: u32,
    /// Change of velocity by the impact, body space.
    pub velocity_change: Velocity,
    /// The crack across which what stays does not hold it.
    pub loose_crack: Option<LooseCrack>,
    /// Of a piece of reinforced concrete that has any.
    pub bars: Option<Arc<PieceBars>>,
    /// To be run if the collider is a provisional one.
    pub refinement: Option<Refinement>,
    pub is_closed: Option<bool>,
    pub hook_output: HookOutput,
}

impl BrokenPiece {
    /// The piece as an impulse pushes it, of a density in kg/m^3.
    pub fn pushed(&self, density: f64) -> PushedPiece {
        PushedPiece {
            mass: self.kilograms,
            center: self.mass.center,
            inertia: self.mass.inertia(density),
        }
    }
}
