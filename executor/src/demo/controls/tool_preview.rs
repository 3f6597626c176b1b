//! Preview of a tool's effect, as lines over the scene.

use crate::demo::controls::tools::{Tool, Tools, View};
use fyrox::{
    core::{algebra::Vector3, color::Color},
    scene::debug::{Line, SceneDrawingContext},
};

const BOMB: Color = Color::opaque(255, 120, 60);
const BLADE: Color = Color::opaque(255, 255, 255);
/// Distance from the eye at which the blade's line is drawn, metres.
const NEAR: f32 = 0.2;

/// Preview lines of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolPreview {
    /// Centre and radius of a bomb, metres.
    bomb: Option<(Vector3<f32>, f32)>,
    blade: Option<[Vector3<f32>; 2]>,
}

impl ToolPreview {
    /// Draws the lines.
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
    /// Returns the preview of the current tool.
    pub fn marks(&self, view: &View) -> ToolPreview {
        let bomb = || Some((self.target(view)?, self.radius()));
        let blade = || {
            let stroke = self.stroke()?;
            let [a, b] = stroke.map(|end| crate::demo::controls::tools::sight(view, end));
            let near = |[eye, way]: [Vector3<f32>; 2]| eye + way * NEAR;
            Some([near(a?), near(b?)])
        };
        ToolPreview {
            bomb: bomb().filter(|_| self.tool() == Tool::Bomb),
            blade: blade(),
        }
    }
}
