//! The placed impact and the lines drawn for it, shared by the window and the mode in the scene.

use super::gizmo::{self, GizmoHandle};
use fracture::{in_front, Impact};
use fyrox::{
    core::{algebra::Vector3, color::Color, math::ray::Ray},
    scene::debug::{Line, SceneDrawingContext},
};

/// Lines of the whole pattern.
const PATTERN: Color = Color::opaque(70, 110, 150);
/// Colour of the placed impact's crack lines: none in which the editor draws boxes and outlines.
pub const CRACKS: Color = Color::opaque(70, 255, 150);

/// Colour of the crack lines of an impact under the cursor.
pub const HOVERED: Color = Color::opaque(255, 230, 90);

/// Crosses where an object is painted weak: in no colour of the editor's own lines.
pub const WEAK: Color = Color::opaque(255, 80, 190);

/// Faulty edges.
pub const FAULTY: Color = Color::opaque(255, 40, 40);

/// A ray through the cursor.
#[derive(Clone, Copy, Debug)]
pub struct CursorRay {
    /// The ray, from the camera.
    pub ray: Ray,
    /// The handle that is dragged, while the button is held.
    pub handle: Option<GizmoHandle>,
}

/// The impact, its handles and its crack lines.
#[derive(Default)]
pub struct ImpactMarker {
    /// The last cursor ray that has not been picked along.
    pub look: Option<CursorRay>,
    /// The placed impact.
    pub impact: Option<Impact>,
    /// Radius of its break, metres.
    pub radius: f32,
    /// The handle that is dragged, or under the cursor.
    pub held: Option<GizmoHandle>,
    /// Crack lines around the cells that an impact under the cursor breaks off.
    pub hover: Vec<[Vector3<f32>; 2]>,
    /// Crack lines around the cells that the impact breaks off.
    pub near: Vec<[Vector3<f32>; 2]>,
    /// Lines of the whole pattern, aligned to the impact.
    pub far: Vec<[Vector3<f32>; 2]>,
    /// Crosses where the object is painted weak.
    pub weak: Vec<[Vector3<f32>; 2]>,
    /// Positions of faults of the mesh.
    pub faults: Vec<Vector3<f32>>,
    /// Size at which they are drawn, metres.
    pub mark: f32,
    /// Faulty edges of the mesh.
    pub faulty: Vec<[Vector3<f32>; 2]>,
}

impl ImpactMarker {
    /// Removes the impact and all lines.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Draws weak places, crack lines and faults for a camera at `eye`, whatever mode the scene is in.
    pub fn draw(&self, context: &mut SceneDrawingContext, eye: Vector3<f32>) {
        lines(context, &self.weak, WEAK, eye);
        lines(context, &self.far, PATTERN, eye);
        lines(context, &self.near, CRACKS, eye);
        lines(context, &self.faulty, FAULTY, eye);
        for at in &self.faults {
            for axis in [Vector3::x(), Vector3::y(), Vector3::z()] {
                let arm = axis * self.mark;
                let (begin, end, color) = (at - arm, at + arm, FAULTY);
                context.add_line(Line { begin, end, color });
            }
        }
    }

    /// Draws the impact's handles for a camera at `eye`.
    pub fn draw_handles(&self, context: &mut SceneDrawingContext, eye: Vector3<f32>) {
        lines(context, &self.hover, HOVERED, eye);
        if let Some(impact) = &self.impact {
            gizmo::draw(context, impact, self.radius, self.held, eye);
        }
    }
}

/// Draws lines that lie on a surface, in front of it.
fn lines(
    context: &mut SceneDrawingContext,
    lines: &[[Vector3<f32>; 2]],
    color: Color,
    eye: Vector3<f32>,
) {
    for line in lines {
        let [begin, end] = line.map(|end| in_front(end, eye));
        context.add_line(Line { begin, end, color });
    }
}

/// Shown while no impact is placed.
pub(crate) const NO_IMPACT: &str =
    "No impact placed: press Place Impact and click on the object in the scene.";

pub(crate) fn describe(aim: &ImpactMarker) -> String {
    let Some(impact) = &aim.impact else {
        return NO_IMPACT.into();
    };
    let (at, normal) = (impact.point, impact.normal);
    format!(
        "Impact at ({:.2}, {:.2}, {:.2}), radius {:.2} m, normal ({:.2}, {:.2}, {:.2}).",
        at.x, at.y, at.z, aim.radius, normal.x, normal.y, normal.z
    )
}

/// Returns a message as a sentence: capital letter and full stop.
pub(crate) fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
