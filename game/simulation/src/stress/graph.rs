//! The result of a stress solve, for the host.

use glam::Vec3;

/// How a body carries its weight: parts of cells, and the bonds between them. Body space, SI units; as the
/// last solve found it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StressGraph {
    /// Parts of cells.
    pub nodes: Vec<StressNode>,
    /// Common faces of nodes.
    pub bonds: Vec<StressBond>,
    /// Number of bonds that broke in this solve, whether or not anything fell.
    pub broken: usize,
    /// Whether the solve came to an end. If not, another one continues from where it stopped.
    pub settled: bool,
    /// The most used bond before any broke in this solve; `None` where no stress was found.
    pub peak: Option<StressPeak>,
}

/// The most used place of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressPeak {
    /// Middle of the bond, metres.
    pub center: Vec3,
    /// Stress as a share of the strength.
    pub utilisation: f32,
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
    /// Whether it is connected with an anchored node; otherwise it fell.
    pub carried: bool,
}

/// The common face of two nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StressBond {
    /// Indices into [`StressGraph::nodes`].
    pub nodes: [u32; 2],
    /// Centre, metres.
    pub center: Vec3,
    /// Unit normal, from the first node to the second.
    pub normal: Vec3,
    /// m^2
    pub area: f32,
    /// The largest tensile stress, Pa; below zero all of the face is under pressure.
    pub tension: f32,
    /// The largest shear stress, Pa.
    pub shear: f32,
    /// Stress as a share of the strength: above 1 the bond breaks.
    pub utilisation: f32,
    /// Whether the bond is broken.
    pub broken: bool,
}

impl StressGraph {
    /// The unbroken bond that is nearest to breaking.
    pub fn weakest(&self) -> Option<&StressBond> {
        let unbroken = self.bonds.iter().filter(|bond| !bond.broken);
        unbroken.max_by(|a, b| a.utilisation.total_cmp(&b.utilisation))
    }
}
