//! The figures of a break that an artist weighs against the frame budget.

use super::histogram::Histogram;
use fracture::{PieceInfo, PieceKind};
use fyrox::{
    graph::SceneGraph,
    scene::{graph::Graph, mesh::Mesh},
};
use std::fmt;

/// Frame budget of the main thread at 60 Hz, ms.
pub const FRAME_MS: f32 = 16.7;

/// Figures of a preview after a break.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Volumes of the fragments, m^3, ascending.
    pub fragments: Vec<f64>,
    /// Volumes of the islands, m^3, ascending.
    pub islands: Vec<f64>,
    /// Triangles of the whole object.
    pub triangles_before: usize,
    /// Triangles of all pieces.
    pub triangles: usize,
    /// Memory of the vertices and triangles of all pieces, bytes.
    pub bytes: usize,
    /// Volume that was too small for pieces, as a fraction of the object's.
    pub dust: f64,
    /// Free pieces that became particles because they were too small or too many.
    pub dust_pieces: usize,
    /// Their volume as a fraction of the object's.
    pub dust_share: f64,
    /// Name of the pattern field that sets the number of cells.
    pub cells_field: &'static str,
    /// Worker time of the break, ms.
    pub worker_ms: f32,
    /// Main thread time of the frame of the swap, debris physics included, ms.
    pub main_ms: f32,
    /// Pieces that are not closed: a bug of this program.
    pub open: usize,
}

/// Times of a break.
pub(super) struct Swap {
    pub worker_ms: f32,
    pub main_ms: f32,
}

/// The object before the break, and the volume that became particles.
pub(super) struct SourceVolume {
    /// The object's volume, m^3.
    pub volume: Option<f64>,
    pub triangles: usize,
    pub dust_pieces: usize,
    /// Volume of the particles, m^3.
    pub dust_volume: f64,
    pub cells_field: &'static str,
}

impl Figures {
    /// Computes the figures of a break that has been swapped in.
    pub(super) fn of(
        swap: &Swap,
        pieces: &[PieceInfo],
        whole: SourceVolume,
        graph: &Graph,
    ) -> Self {
        let [fragments, islands] =
            [PieceKind::Fragment, PieceKind::Island].map(|kind| volumes(pieces, kind));
        let sum: f64 = fragments.iter().chain(&islands).sum();
        let part = |volume: f64| whole.volume.map_or(0.0, |whole| volume / whole);
        let lost = whole.volume.map_or(0.0, |whole| whole - sum) - whole.dust_volume;
        let (triangles, bytes) = pieces
            .iter()
            .map(|piece| size(graph, piece))
            .fold((0, 0), |(t, b), (triangles, bytes)| {
                (t + triangles, b + bytes)
            });
        Self {
            fragments,
            islands,
            triangles_before: whole.triangles,
            triangles,
            bytes,
            dust: part(lost).max(0.0),
            dust_pieces: whole.dust_pieces,
            dust_share: part(whole.dust_volume),
            cells_field: whole.cells_field,
            worker_ms: swap.worker_ms,
            main_ms: swap.main_ms,
            open: pieces.iter().filter(|p| p.closed == Some(false)).count(),
        }
    }

    /// Main thread time of the swap as a fraction of the frame budget.
    pub fn frame_share(&self) -> f32 {
        self.main_ms / FRAME_MS
    }

    /// Histogram of the fragments by volume, or of the islands where there are no fragments. A large
    /// island beside small fragments would leave no room for them.
    pub fn histogram(&self) -> Histogram {
        if self.fragments.is_empty() {
            Histogram::of(&self.islands)
        } else {
            Histogram::of(&self.fragments)
        }
    }
}

/// Returns the volumes of the pieces of a kind, ascending.
fn volumes(pieces: &[PieceInfo], kind: PieceKind) -> Vec<f64> {
    let own = pieces.iter().filter(|piece| piece.kind == kind);
    let mut volumes: Vec<f64> = own.map(|piece| piece.volume).collect();
    volumes.sort_by(f64::total_cmp);
    volumes
}

/// Returns the triangles and bytes of a piece.
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
        let fragments = counted(&self.fragments, "fragment");
        writeln!(f, "{fragments}; {}", counted(&self.islands, "island"))?;
        writeln!(
            f,
            "{} triangles ({} before), {:.1} MB, dust {}",
            self.triangles,
            self.triangles_before,
            self.bytes as f64 / 1e6,
            share(self.dust)
        )?;
        if self.dust_pieces > 0 {
            let share = share(self.dust_share);
            writeln!(
                f,
                "{} dust pieces, {share}: particles, not bodies",
                self.dust_pieces
            )?;
        }
        write!(
            f,
            "worker {:.1} ms, main thread {:.2} ms",
            self.worker_ms, self.main_ms
        )?;
        if self.dust_pieces > 0 && self.fragments.len() + self.islands.len() >= MANY {
            let field = self.cells_field;
            write!(
                f,
                "\nof one break {MANY} pieces are bodies at most; lower {field}"
            )?;
        }
        match self.open {
            0 => Ok(()),
            1 => write!(f, "\n1 piece {OPEN}"),
            open => write!(f, "\n{open} pieces {OPEN}"),
        }
    }
}

/// Most free pieces of one break; beyond that the smallest become particles.
const MANY: usize = 1024;

const OPEN: &str = "not closed; please report this with the mesh";

/// Describes number and sizes; `volumes` is ascending.
fn counted(volumes: &[f64], what: &str) -> String {
    match volumes {
        [] => format!("0 {what}s"),
        [one] => format!("1 {what} of {}", volume(*one)),
        [smallest, .., largest] => {
            let (count, smallest, largest) = (volumes.len(), volume(*smallest), volume(*largest));
            format!("{count} {what}s of {smallest} to {largest}")
        }
    }
}

/// Formats a volume (m^3) in a suitable unit.
pub(crate) fn volume(cubic_metres: f64) -> String {
    match cubic_metres {
        v if v < 1e-3 => format!("{} cm³", digits(v * 1e6)),
        v if v < 1.0 => format!("{} dm³", digits(v * 1e3)),
        v => format!("{} m³", digits(v)),
    }
}

/// Formats a fraction in percent; rounding errors count as zero.
pub(crate) fn share(part: f64) -> String {
    if part < 1e-7 {
        return "none".into();
    }
    format!("{} %", digits(part * 100.0))
}

/// Formats a number with three significant digits.
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
            fragments: vec![5e-6],
            islands: vec![0.25, 1.5],
            ..Default::default()
        };
        let text = figures.to_string();
        let pieces = "1 fragment of 5.00 cm³; 2 islands of 250 dm³ to 1.50 m³\n";
        assert!(text.starts_with(pieces), "{text}");
        assert!(!text.contains("not closed"), "{text}");
        figures.fragments = vec![1e-3; MANY];
        assert!(!figures.to_string().contains("lower"));
        (figures.dust_pieces, figures.dust_share) = (31, 0.002);
        figures.cells_field = "Rows";
        let text = figures.to_string();
        assert!(
            text.contains("\n31 dust pieces, 0.20 %: particles"),
            "{text}"
        );
        assert!(text.contains("lower Rows"), "{text}");
        figures.open = 1;
        assert!(figures
            .to_string()
            .ends_with("please report this with the mesh"));
    }

    #[test]
    fn the_chart_is_about_fragments_if_there_are_any() {
        let mut figures = Figures {
            islands: vec![1.7],
            ..Default::default()
        };
        assert_eq!(figures.histogram().ticks, [1.0, 10.0]);
        figures.fragments = vec![2e-6, 3e-5];
        let bounds = figures.histogram().ticks;
        assert!((bounds[0] / 1e-6 - 1.0).abs() < 1e-9, "{bounds:?}");
        assert_eq!(bounds.len(), 3);
    }
}
