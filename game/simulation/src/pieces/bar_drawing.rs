//! The drawing of bare bars.

use std::sync::Arc;

use fracture_geometry::bars::{add_rod, Bar, BarFigures, Bending};
use fracture_geometry::steps::pause;
use fracture_geometry::{Mesh, Solid};
use glam::DVec3;

use super::drawn::Drawn;
use super::piece_bars::PieceBars;
use super::piece_hooks::ChunkHooks;
use super::shape::Shape;

/// How far a rod goes on into what holds it, in diameters: cut faces have bumps.
const EMBEDDED: f64 = 3.0;

/// How far a rod goes on into another piece whose crack is next to it, in diameters: it is bare once that piece sags.
const ACROSS_CRACK: f64 = 4.0;

/// Inputs of the drawing of a piece's bare bars.
pub(crate) struct BarDrawing {
    pub shape: Arc<Shape>,
    pub bars: Arc<PieceBars>,
    pub figures: BarFigures,
    pub hooks: Option<ChunkHooks>,
}

impl BarDrawing {
    /// Draws the bare lengths, in steps. Of a piece that is no solid there are none.
    pub async fn run(&self) -> Drawn {
        let mut mesh = Mesh::default();
        if let Ok(solid) = self.shape.solid_in_steps().await {
            for bar in &self.bars.bars {
                pause().await;
                self.add_bare(&mut mesh, bar, solid);
            }
        }
        Drawn {
            payload: self.hooks.as_ref().map(|hooks| hooks.render(&mesh)),
            mesh: Arc::new(mesh),
        }
    }

    fn add_bare(&self, mesh: &mut Mesh, bar: &Bar, solid: &Solid) {
        let BarFigures { diameter, .. } = self.figures;
        let bending = Bending {
            figures: &self.figures,
            blows: &self.bars.blows,
        };
        let is_inside = |place: DVec3| solid.is_inside(place);
        let spans = bar.bare_spans(&bar.parts_in(solid), self.figures.least_grip());
        let is_bare = spans.iter().any(|span| span.ends[1] >= bar.length());
        if bar.is_end_held && !is_bare {
            let ends = [-EMBEDDED, ACROSS_CRACK].map(|over| bar.length() + over * diameter);
            add_rod(mesh, &ends.map(|at| bar.place(at)), 0.5 * diameter);
        }
        for span in spans {
            let mut line = bending.line(bar, &span, is_inside);
            let [first, last] = span.is_held;
            if first {
                line.insert(0, bar.place(span.ends[0] - EMBEDDED * diameter));
            }
            if last {
                line.push(bar.place(span.ends[1] + EMBEDDED * diameter));
            }
            add_rod(mesh, &line, 0.5 * diameter);
        }
    }
}
