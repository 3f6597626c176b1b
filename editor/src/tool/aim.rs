//! Where the impact is and what is drawn around it: shared by the window and the mode in the scene.

use super::gizmo::{self, Handle};
use fracture::Impact;
use fyrox::{
    core::{algebra::Vector3, color::Color, math::ray::Ray},
    scene::debug::{Line, SceneDrawingContext},
};

/// The rest of the pattern.
const PATTERN: Color = Color::opaque(70, 110, 150);
/// Cracks around what breaks off: none of the colours in which the editor draws boxes and outlines.
pub const CRACKS: Color = Color::opaque(70, 255, 150);

/// Cracks around what a hit under the cursor would break off.
pub const HOVERED: Color = Color::opaque(255, 230, 90);

/// Edges that need mending.
pub const FAULTY: Color = Color::opaque(255, 40, 40);

/// A look along the cursor.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// From the camera.
    pub ray: Ray,
    /// What it is to change, when the button is held.
    pub handle: Option<Handle>,
}

/// The impact and its outlines.
#[derive(Default)]
pub struct Aim {
    /// The cursor's last look that has not been worked on.
    pub look: Option<Look>,
    /// The impact, once it is placed.
    pub impact: Option<Impact>,
    /// The radius of its break.
    pub radius: f32,
    /// The handle that is held, or under the cursor.
    pub held: Option<Handle>,
    /// Cracks around the cells that a hit under the cursor breaks off.
    pub hover: Vec<[Vector3<f32>; 2]>,
    /// Cracks around those that the impact breaks off.
    pub near: Vec<[Vector3<f32>; 2]>,
    /// Cracks of the whole pattern, as the impact lays it onto the object.
    pub far: Vec<[Vector3<f32>; 2]>,
    /// Places on the mesh that need mending.
    pub faults: Vec<Vector3<f32>>,
    /// How large they are drawn, metres.
    pub mark: f32,
    /// Edges of the mesh that need mending.
    pub faulty: Vec<[Vector3<f32>; 2]>,
}

impl Aim {
    /// Forgets the impact and everything drawn.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Draws cracks and what needs mending, whatever mode the scene is in.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        lines(context, &self.far, PATTERN);
        lines(context, &self.near, CRACKS);
        lines(context, &self.faulty, FAULTY);
        for at in &self.faults {
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                let arm = axis * self.mark;
                let (begin, end, color) = (at - arm, at + arm, FAULTY);
                context.add_line(Line { begin, end, color });
            }
        }
    }

    /// Draws what there is to be placed and dragged, for a camera that stands at `eye`.
    pub fn draw_handles(&self, context: &mut SceneDrawingContext, eye: Vector3<f32>) {
        lines(context, &self.hover, HOVERED);
        if let Some(impact) = &self.impact {
            gizmo::draw(context, impact, self.radius, self.held, eye);
        }
    }
}

fn lines(context: &mut SceneDrawingContext, lines: &[[Vector3<f32>; 2]], color: Color) {
    for [begin, end] in lines.iter().copied() {
        context.add_line(Line { begin, end, color });
    }
}
