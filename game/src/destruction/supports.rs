//! How objects carry their weight, to be drawn.

use super::Destruction;
use fracture_simulation::{Pose, StressBond, StressGraph};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

/// A face between two parts of what is held, as a line between their centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportLine {
    /// The centre of one part, world space, metres.
    pub from: Vector3<f32>,
    /// The centre of the other.
    pub to: Vector3<f32>,
    /// How much of what the face bears is used: above 1 it breaks.
    pub utilisation: f32,
    /// Whether it is broken.
    pub broken: bool,
}

impl SupportLine {
    /// Adds it to what a scene draws over itself: green is at rest, red near breaking, black broken.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        let share = (self.utilisation.clamp(0.0, 1.0) * 255.0) as u8;
        context.add_line(Line {
            begin: self.from,
            end: self.to,
            color: match self.broken {
                true => Color::BLACK,
                false => Color::opaque(share, 255 - share, 40),
            },
        });
    }
}

impl Destruction {
    /// How everything that has a strength and has been weighed carries its weight: after its last
    /// break, or at the start.
    pub fn supports(&self) -> Vec<SupportLine> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let supports = simulation.supports().into_iter();
        let placed = supports.filter_map(|(body, support)| {
            let pose = simulation.motion(body)?.pose;
            Some((pose, support))
        });
        placed
            .flat_map(|(pose, support)| lines(&pose, &support))
            .collect()
    }
}

fn lines(pose: &Pose, support: &StressGraph) -> Vec<SupportLine> {
    let place = |node: u32| {
        let center = support.nodes.get(node as usize)?.center;
        Some(Vector3::from(pose.transform_point(center).to_array()))
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
