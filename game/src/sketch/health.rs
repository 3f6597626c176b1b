//! Whether an object's mesh can break, in words and places.

use super::{Sketch, SketchError};
use fracture_geometry::SolidError;
use fracture_simulation::BreakFailure;
use fyrox::core::algebra::Vector3;

/// What a check of an object's mesh has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Health {
    /// In words, with what to do.
    pub text: String,
    /// Places that need mending, world space, metres.
    pub places: Vec<Vector3<f32>>,
    /// Whether it can break.
    pub fine: bool,
}

impl Sketch {
    /// Checks mesh and pattern. For a worker.
    pub fn health(&self) -> Health {
        let solid = match self.solid() {
            Ok(solid) => solid,
            Err(error) => return self.faulty(&error),
        };
        let [low, high] = solid.bounds();
        let size = high - low;
        let mesh = format!(
            "The mesh is closed: {} triangles, {:.3} x {:.3} x {:.3} m, {:.4} m^3.",
            solid.triangle_count(),
            size.x,
            size.y,
            size.z,
            solid.mass().volume
        );
        match self.cells() {
            Ok(cells) => Health {
                text: format!("{mesh}\nThe pattern has {cells} cells."),
                places: Vec::new(),
                fine: true,
            },
            Err(error) => Health {
                text: format!("{mesh}\n{error}."),
                ..Health::default()
            },
        }
    }

    fn faulty(&self, error: &SketchError) -> Health {
        let places = match error {
            SketchError::Refused(BreakFailure::Solid(SolidError::NotClosed { at, .. })) => {
                vec![self.to_world(*at)]
            }
            _ => Vec::new(),
        };
        Health {
            text: format!("{error}."),
            places,
            fine: false,
        }
    }
}
