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
        let ends = [self.volumes.first(), self.volumes.last()];
        let [smallest, largest] = ends.map(|end| volume(end.copied().unwrap_or(0.0)));
        let (fragments, islands) = (self.fragments, self.islands);
        let s = |count: usize| if count == 1 { "" } else { "s" };
        writeln!(
            f,
            "{fragments} fragment{}, {islands} island{}, from {smallest} to {largest}",
            s(fragments),
            s(islands)
        )?;
        writeln!(
            f,
            "{} triangles ({} before), {:.1} MB, dust {}",
            self.triangles,
            self.triangles_before,
            self.bytes as f64 / 1e6,
            share(self.dust)
        )?;
        write!(
            f,
            "worker {:.1} ms, main thread {:.2} ms",
            self.worker_ms, self.main_ms
        )?;
        match self.open {
            0 => Ok(()),
            open => write!(
                f,
                "\n{open} piece{} not closed; please report this with the mesh",
                s(open)
            ),
        }
    }
}

/// A volume in the unit that suits it, from m^3.
pub(crate) fn volume(cubic_metres: f64) -> String {
    match cubic_metres {
        v if v < 1e-3 => format!("{} cm³", digits(v * 1e6)),
        v if v < 1.0 => format!("{} dm³", digits(v * 1e3)),
        v => format!("{} m³", digits(v)),
    }
}

/// A part of a whole in percent; what is only rounding is none.
pub(crate) fn share(part: f64) -> String {
    if part < 1e-7 {
        return "none".into();
    }
    format!("{} %", digits(part * 100.0))
}

/// With as many decimals as mean something.
fn digits(value: f64) -> String {
    let decimals = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 0.1 => 2,
        _ => 4,
    };
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_suit_what_is_measured() {
        let units = [0.0, 6.04e-6, 2.5e-4, 0.0317, 1.638].map(volume);
        let expected = ["0.0000 cm³", "6.04 cm³", "250 cm³", "31.7 dm³", "1.64 m³"];
        assert_eq!(units, expected);
        assert_eq!([1e-12, 0.031].map(share), ["none", "3.10 %"]);
    }

    #[test]
    fn what_is_not_closed_is_told() {
        let mut figures = Figures {
            fragments: 1,
            islands: 2,
            ..Default::default()
        };
        let text = figures.to_string();
        assert!(text.starts_with("1 fragment, 2 islands,"), "{text}");
        assert!(!text.contains("not closed"), "{text}");
        figures.open = 1;
        assert!(figures
            .to_string()
            .ends_with("please report this with the mesh"));
    }

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
