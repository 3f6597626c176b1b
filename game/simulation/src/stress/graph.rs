//! The support graph as it is seen from outside.

use glam::Vec3;

/// How a body carries its weight: parts, and what lies between them. Body space, SI units; as the
/// last pass over the body found it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StressGraph {
    /// Parts of cells.
    pub nodes: Vec<StressNode>,
    /// Where they meet.
    pub bonds: Vec<StressBond>,
    /// Faces that broke in this pass, whether or not something fell.
    pub broken: usize,
    /// Whether the pass came to an end. If not, another one goes on from where it stopped.
    pub settled: bool,
}

/// A part of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressNode {
    /// Centre of mass, metres.
    pub center: Vec3,
    /// m^3
    pub volume: f64,
    /// Whether an anchor holds it.
    pub anchored: bool,
    /// Whether it hangs together with one that is held; else it fell.
    pub carried: bool,
}

/// The common face of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressBond {
    /// The parts, as indices into [`StressGraph::nodes`].
    pub nodes: [u32; 2],
    /// Its centre, metres.
    pub center: Vec3,
    /// Unit normal, from the first part to the second.
    pub normal: Vec3,
    /// m^2
    pub area: f32,
    /// The largest stress across the face, Pa; below zero all of it is under pressure.
    pub tension: f32,
    /// The largest shear stress, Pa.
    pub shear: f32,
    /// How much of what it bears is used: above 1 it breaks.
    pub utilisation: f32,
    /// Whether it is broken.
    pub broken: bool,
}

impl StressGraph {
    /// The bond that is nearest to breaking.
    pub fn weakest(&self) -> Option<&StressBond> {
        let whole = self.bonds.iter().filter(|bond| !bond.broken);
        whole.max_by(|a, b| a.utilisation.total_cmp(&b.utilisation))
    }
}
