//! Where the impact is and what is drawn around it: shared by the window and the mode in the scene.

use fracture::Impact;
use fyrox::{
    core::{algebra::Vector3, color::Color, math::ray::Ray},
    scene::debug::{Line, SceneDrawingContext},
};

/// Segments of the circle that shows the radius.
const SEGMENTS: usize = 48;

/// What dragging changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Handle {
    /// Where the impact is.
    #[default]
    Point,
    /// How far it breaks.
    Radius,
    /// Which way it comes from.
    Normal,
}

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
    /// Cracks around the cells that a hit under the cursor breaks off.
    pub hover: Vec<[Vector3<f32>; 2]>,
    /// Cracks around those that the impact breaks off.
    pub near: Vec<[Vector3<f32>; 2]>,
    /// Cracks of the whole pattern, as the impact lays it onto the object.
    pub far: Vec<[Vector3<f32>; 2]>,
    /// Places on the mesh that need mending.
    pub faults: Vec<Vector3<f32>>,
    /// Edges of the mesh that need mending.
    pub faulty: Vec<[Vector3<f32>; 2]>,
}

impl Aim {
    /// Forgets the impact and everything drawn.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Draws everything.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        let sets = [
            (&self.far, Color::opaque(70, 110, 150)),
            (&self.near, Color::opaque(255, 150, 30)),
            (&self.hover, Color::opaque(255, 230, 90)),
            (&self.faulty, Color::opaque(255, 40, 40)),
        ];
        for (lines, color) in sets {
            for [begin, end] in lines.iter().copied() {
                context.add_line(Line { begin, end, color });
            }
        }
        for at in &self.faults {
            context.draw_sphere(*at, 8, 8, 0.02, Color::RED);
        }
        if let Some(impact) = &self.impact {
            draw_impact(context, impact, self.radius);
        }
    }
}

fn draw_impact(context: &mut SceneDrawingContext, impact: &Impact, radius: f32) {
    let (point, normal) = (impact.point, impact.normal);
    let mut line = |begin, end, color| context.add_line(Line { begin, end, color });
    line(point, point + normal * radius.max(0.1), Color::RED);
    let across = if normal.x.abs() < 0.7 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let side = normal.cross(&across).normalize();
    let other = normal.cross(&side);
    let at = |k: usize| {
        let (sin, cos) = (k as f32 / SEGMENTS as f32 * std::f32::consts::TAU).sin_cos();
        point + (side * cos + other * sin) * radius
    };
    for k in 0..SEGMENTS {
        line(at(k), at(k + 1), Color::RED);
    }
}
