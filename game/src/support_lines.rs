//! The bonds of objects that are held, as lines.

use crate::mirror::transforms::engine_vector;
use fracture_simulation::{
    stress::{StressBond, StressGraph},
    Pose, Simulation,
};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

/// A bond between two parts of an anchored object, as a line between their centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportLine {
    /// The centre of one part, world space, metres.
    pub from: Vector3<f32>,
    /// The centre of the other.
    pub to: Vector3<f32>,
    /// Stress relative to the strength: above 1 the bond breaks.
    pub utilisation: f32,
    /// Whether the bond is broken.
    pub broken: bool,
}

/// Share of the distance to the eye at which a line is drawn over everything: not nearer than a camera sees.
const BEFORE_EYE: f32 = 0.1;

impl SupportLine {
    /// The line as it is seen from an eye, but so near to the eye that nothing hides it: the lines of an object
    /// lie inside it.
    pub fn over_everything(&self, eye: Vector3<f32>) -> Self {
        let near = |end: Vector3<f32>| eye + (end - eye) * BEFORE_EYE;
        Self {
            from: near(self.from),
            to: near(self.to),
            ..*self
        }
    }

    /// Draws the line: green without stress, red near breaking, black when broken.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        let share = (self.utilisation.clamp(0.0, 1.0) * 255.0) as u8;
        context.add_line(Line {
            begin: self.from,
            end: self.to,
            color: if self.broken {
                Color::BLACK
            } else {
                Color::opaque(share, 255 - share, 40)
            },
        });
    }
}

fn lines(pose: &Pose, support: &StressGraph) -> Vec<SupportLine> {
    let place = |node: u32| {
        let center = support.nodes.get(node as usize)?.center;
        Some(engine_vector(pose.transform_point(center)))
    };
    let line = |bond: &StressBond| {
        let [from, to] = bond.nodes.map(place);
        Some(SupportLine {
            from: from?,
            to: to?,
            utilisation: bond.utilisation,
            broken: bond.broken,
        })
    };
    support.bonds.iter().filter_map(line).collect()
}

/// The bonds of all bodies whose stress has been solved.
pub(crate) fn support_lines(simulation: &Simulation) -> Vec<SupportLine> {
    let graphs = simulation.stress_graphs().into_iter();
    let placed = graphs.filter_map(|(body, support)| {
        let pose = simulation.motion(body)?.pose;
        Some((pose, support))
    });
    placed
        .flat_map(|(pose, support)| lines(&pose, &support))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_everything_is_seen_at_the_same_place() {
        let eye = Vector3::new(1.0, 2.0, 8.0);
        let line = SupportLine {
            from: Vector3::new(-1.0, 0.0, 0.0),
            to: Vector3::new(4.0, 3.0, -2.0),
            utilisation: 0.3,
            broken: false,
        };
        let seen = line.over_everything(eye);
        for (near, end) in [(seen.from, line.from), (seen.to, line.to)] {
            let [near, end] = [near - eye, end - eye];
            assert!((near.normalize() - end.normalize()).norm() < 1e-5);
            assert!(near.norm() < 0.2 * end.norm());
        }
        assert_eq!(seen.utilisation, line.utilisation);
    }
}
