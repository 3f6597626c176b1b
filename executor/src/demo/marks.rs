//! What a tool is about to do, as lines over the scene.

use super::tools::{Tool, Tools, View};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

const BOMB: Color = Color::opaque(255, 120, 60);
const BLADE: Color = Color::opaque(255, 255, 255);
/// How far from the eye the blade's line is drawn, metres.
const NEAR: f32 = 0.2;

/// Lines of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Centre and radius of what a bomb reaches, metres.
    bomb: Option<(Vector3<f32>, f32)>,
    blade: Option<[Vector3<f32>; 2]>,
}

impl Marks {
    /// Draws them.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        if let Some((center, radius)) = self.bomb {
            context.draw_wire_sphere(center, radius, 32, BOMB);
        }
        if let Some([begin, end]) = self.blade {
            context.add_line(Line {
                begin,
                end,
                color: BLADE,
            });
        }
    }
}

impl Tools {
    /// What the tool in hand is about to do.
    pub fn marks(&self, view: &View) -> Marks {
        let bomb = || Some((self.target(view)?, self.radius()));
        let blade = || {
            let stroke = self.stroke()?;
            let [a, b] = stroke.map(|end| super::tools::sight(view, end));
            let near = |[eye, way]: [Vector3<f32>; 2]| eye + way * NEAR;
            Some([near(a?), near(b?)])
        };
        Marks {
            bomb: bomb().filter(|_| self.tool() == Tool::Bomb),
            blade: blade(),
        }
    }
}
