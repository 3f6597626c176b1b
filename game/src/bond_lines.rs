//! Bonds and anchors, as lines.

use crate::mirror::transforms::engine_vector;
use fracture_simulation::{HeldBody, HoldingBond, Simulation};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

/// A bond of an object with what it touches, as a line from the object's centre to the middle of where the two touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondLine {
    /// The centre of mass of the object, world space, metres.
    pub from: Vector3<f32>,
    /// The middle of the area in which the two touch.
    pub to: Vector3<f32>,
    /// Stress relative to the strength: above 1 the bond breaks.
    pub utilisation: f32,
    /// Whether the bond carries only pressure and friction, because it has broken or is loose by its material.
    pub is_loose: bool,
    /// Whether the object is held there by something that is not breakable: the ground, as it were.
    pub is_anchor: bool,
}

/// Share of the distance to the eye at which a line is drawn over everything, as those of the supports.
const BEFORE_EYE: f32 = 0.1;

/// Half the size of the cross at an anchor, in parts of the distance to the eye.
const CROSS: f32 = 0.008;

impl BondLine {
    fn new(held: &HeldBody, bond: &HoldingBond) -> Self {
        Self {
            from: engine_vector(held.center),
            to: engine_vector(bond.center),
            utilisation: bond.utilisation,
            is_loose: bond.is_loose,
            is_anchor: bond.with.breakable().is_none(),
        }
    }

    /// Green without stress, red near breaking, blue where it only presses.
    pub fn color(&self) -> Color {
        let share = (self.utilisation.clamp(0.0, 1.0) * 255.0) as u8;
        if self.is_loose {
            Color::opaque(70, 130, 255)
        } else {
            Color::opaque(share, 255 - share, 40)
        }
    }

    /// Draws the line as it is seen from an eye, over everything, with a cross where it ends at an anchor.
    pub fn draw(&self, eye: Vector3<f32>, context: &mut SceneDrawingContext) {
        let near = |end: Vector3<f32>| eye + (end - eye) * BEFORE_EYE;
        let (color, end) = (self.color(), near(self.to));
        context.add_line(Line {
            begin: near(self.from),
            end,
            color,
        });
        if !self.is_anchor {
            return;
        }
        let size = CROSS * (end - eye).norm();
        for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
            context.add_line(Line {
                begin: end - axis * size,
                end: end + axis * size,
                color,
            });
        }
    }
}

/// The bonds of all objects, from either side of each.
pub(crate) fn bond_lines(simulation: &Simulation) -> Vec<BondLine> {
    let held = simulation.held_bodies();
    let lines = |held: &HeldBody| -> Vec<BondLine> {
        let bonds = held.bonds.iter();
        bonds.map(|bond| BondLine::new(held, bond)).collect()
    };
    held.iter().flat_map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_turn_red_near_their_strength_and_anchors_have_a_cross() {
        let line = BondLine {
            from: Vector3::new(0.0, 1.0, 0.0),
            to: Vector3::zeros(),
            utilisation: 0.95,
            is_loose: false,
            is_anchor: false,
        };
        assert!(line.color().r > line.color().g);
        let calm = BondLine {
            utilisation: 0.1,
            ..line
        };
        assert!(calm.color().r < calm.color().g);
        let loose = BondLine {
            is_loose: true,
            ..line
        };
        assert!(loose.color().b > loose.color().r);
        let count = |line: BondLine| {
            let mut context = SceneDrawingContext::default();
            line.draw(Vector3::new(0.0, 0.0, 9.0), &mut context);
            context.lines.len()
        };
        assert_eq!(count(line), 1);
        let anchor = BondLine {
            is_anchor: true,
            ..line
        };
        assert_eq!(count(anchor), 4);
    }
}
