//! The figures of a break: what an artist weighs against the frame budget.

use fracture::{Event, PieceInfo, PieceKind, Statistics};
use fyrox::{
    graph::SceneGraph,
    scene::{graph::Graph, mesh::Mesh},
};
use std::fmt;

/// What a frame may take on the main thread, ms.
pub const FRAME_MS: f32 = 16.7;
/// Bars of the size histogram.
pub const BARS: usize = 12;

/// Figures of a preview after a break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Pieces of affected cells.
    pub fragments: usize,
    /// Connected parts of the rest.
    pub islands: usize,
    /// Volumes of the pieces, m^3, ascending.
    pub volumes: Vec<f64>,
    /// Triangles of the whole object.
    pub triangles_before: usize,
    /// Triangles of all pieces.
    pub triangles: usize,
    /// What vertices and triangles of all pieces take, bytes.
    pub bytes: usize,
    /// Volume that became dust, as a part of the whole.
    pub dust: f64,
    /// What the break took on the worker, ms.
    pub worker_ms: f32,
    /// What the frame that swapped it in took on the main thread, ms, debris physics included.
    pub main_ms: f32,
    /// Pieces that are not closed: a fault of this program.
    pub open: usize,
}

/// The object before it broke.
pub(super) struct Whole {
    /// m^3.
    pub volume: Option<f64>,
    pub triangles: usize,
}

impl Figures {
    /// The figures of a break that was swapped in just now.
    pub(super) fn of(
        event: &Event,
        pieces: &[PieceInfo],
        statistics: &Statistics,
        whole: Whole,
        graph: &Graph,
    ) -> Self {
        let worker_ms = match event {
            Event::Broken { worker_ms, .. } => *worker_ms,
            _ => 0.0,
        };
        let mut volumes: Vec<f64> = pieces.iter().map(|piece| piece.volume).collect();
        volumes.sort_by(f64::total_cmp);
        let sum: f64 = volumes.iter().sum();
        let is_fragment = |piece: &&PieceInfo| piece.kind == PieceKind::Fragment;
        let fragments = pieces.iter().filter(is_fragment).count();
        let (triangles, bytes) = pieces
            .iter()
            .map(|piece| size(graph, piece))
            .fold((0, 0), |(t, b), (triangles, bytes)| {
                (t + triangles, b + bytes)
            });
        Self {
            fragments,
            islands: pieces.len() - fragments,
            triangles_before: whole.triangles,
            triangles,
            bytes,
            dust: whole
                .volume
                .map_or(0.0, |whole| (1.0 - sum / whole).max(0.0)),
            worker_ms,
            main_ms: statistics.main_ms,
            open: pieces.iter().filter(|p| p.closed == Some(false)).count(),
            volumes,
        }
    }

    /// The part of a frame that the break took on the main thread.
    pub fn frame_share(&self) -> f32 {
        self.main_ms / FRAME_MS
    }

    /// How many pieces fall into each of some ranges of volume, from the smallest to the largest in
    /// equal steps of the logarithm.
    pub fn histogram(&self) -> [usize; BARS] {
        let mut bars = [0; BARS];
        let (Some(low), Some(high)) = (self.volumes.first(), self.volumes.last()) else {
            return bars;
        };
        let (low, high) = (low.max(1e-15).ln(), high.max(1e-15).ln());
        for volume in &self.volumes {
            let share = (volume.max(1e-15).ln() - low) / (high - low).max(1e-9);
            let bar = ((share * BARS as f64) as usize).min(BARS - 1);
            bars[bar] += 1;
        }
        bars
    }
}

/// Triangles and bytes of a piece.
fn size(graph: &Graph, piece: &PieceInfo) -> (usize, usize) {
    let Ok(mesh) = graph.try_get_of_type::<Mesh>(piece.node) else {
        return (0, 0);
    };
    mesh.surfaces()
        .iter()
        .fold((0, 0), |(count, bytes), surface| {
            let data = surface.data();
            let data = data.data_ref();
            let Some(data) = data.as_loaded_ref() else {
                return (count, bytes);
            };
            let triangles = data.geometry_buffer.len();
            let vertices = &data.vertex_buffer;
            let vertices = vertices.vertex_count() as usize * usize::from(vertices.vertex_size());
            (count + triangles, bytes + triangles * 12 + vertices)
        })
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let liters = |volume: Option<&f64>| volume.map_or(0.0, |volume| volume * 1e3);
        writeln!(f, "{} fragments, {} islands", self.fragments, self.islands)?;
        writeln!(
            f,
            "smallest {:.4} l, largest {:.3} l, dust {:.4} %",
            liters(self.volumes.first()),
            liters(self.volumes.last()),
            self.dust * 100.0
        )?;
        writeln!(
            f,
            "{} triangles, {} before, {:.1} MB",
            self.triangles,
            self.triangles_before,
            self.bytes as f64 / 1e6
        )?;
        write!(
            f,
            "worker {:.1} ms, main thread {:.2} ms",
            self.worker_ms, self.main_ms
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_in_one_bar() {
        let mut figures = Figures::default();
        assert_eq!(figures.histogram(), [0; BARS]);
        figures.volumes = vec![0.5];
        assert_eq!(figures.histogram().iter().sum::<usize>(), 1);
        figures.volumes = (0..40).map(|n| 1.5f64.powi(n)).collect();
        let bars = figures.histogram();
        assert_eq!(bars.iter().sum::<usize>(), 40);
        assert!(bars.iter().all(|bar| (3..=4).contains(bar)), "{bars:?}");
    }
}
