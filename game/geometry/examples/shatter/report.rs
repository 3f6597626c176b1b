//! The figures of a break.

use fracture_geometry::check::check_closed;
use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{Fracture, Pattern, Piece, Solid};
use serde::Serialize;
use std::fmt;

/// Medians in milliseconds.
#[derive(Serialize)]
pub struct Times {
    /// Sites to cached cells.
    pub pattern: f64,
    /// Mesh to prepared solid, once per mesh asset.
    pub prepare: f64,
    /// From aligned pattern and prepared mesh to finished pieces.
    pub fracture: f64,
}

#[derive(Serialize)]
struct MeshFigures {
    triangles: usize,
    vertices: usize,
    volume: f64,
    closed: bool,
}

#[derive(Serialize)]
struct PieceFigures {
    triangles: usize,
    volume: f64,
    closed: bool,
}

/// Everything the JSON report holds.
#[derive(Serialize)]
pub struct Report {
    mesh: MeshFigures,
    cells: usize,
    affected: u32,
    fragments: Vec<PieceFigures>,
    islands: Vec<PieceFigures>,
    volume_error: f64,
    slivers: u32,
    dust: u32,
    dust_volume: f64,
    flat_triangles: u32,
    rough_caps: u32,
    /// Broken as a sheet: pieces are open, and volumes are those of the sheet.
    shell: bool,
    threads: u32,
    time_ms: Times,
}

impl Report {
    pub fn new(
        solid: &Solid,
        pattern: &Pattern,
        broken: &Fracture,
        threads: u32,
        time_ms: Times,
    ) -> Self {
        let mesh = solid.mesh();
        let style = CapStyle::own_surface(mesh);
        let figures = |piece: &Piece| {
            let whole = piece.to_mesh(solid, &style);
            PieceFigures {
                triangles: whole.triangles.len(),
                volume: piece.mass.volume,
                closed: check_closed(&whole).is_closed(),
            }
        };
        let volume = solid.mass().volume;
        let sum: f64 = broken.pieces.iter().map(|p| p.mass.volume).sum();
        Self {
            mesh: MeshFigures {
                triangles: mesh.triangles.len(),
                vertices: mesh.positions.len(),
                volume,
                closed: check_closed(mesh).open_edges == 0,
            },
            cells: pattern.cell_count(),
            affected: broken.report.affected_cells,
            fragments: broken.fragments().map(figures).collect(),
            islands: broken.islands().map(figures).collect(),
            volume_error: (sum + broken.report.dust_volume - volume).abs() / volume,
            slivers: broken.report.slivers,
            dust: broken.report.dust,
            dust_volume: broken.report.dust_volume,
            flat_triangles: broken.report.flat,
            rough_caps: broken.report.rough_caps,
            shell: solid.is_shell(),
            threads,
            time_ms,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let pieces = || self.fragments.iter().chain(&self.islands);
        let open = pieces().filter(|piece| !piece.closed).count();
        let triangles: usize = pieces().map(|piece| piece.triangles).sum();
        writeln!(
            f,
            "{} of {} cells affected: {} fragments, {} islands, {triangles} triangles, {open} open, \
             volume error {:.1e}",
            self.affected,
            self.cells,
            self.fragments.len(),
            self.islands.len(),
            self.volume_error,
        )?;
        writeln!(
            f,
            "{} slivers joined, {} dust, {} flat triangles, {} rough caps",
            self.slivers, self.dust, self.flat_triangles, self.rough_caps
        )?;
        write!(
            f,
            "pattern {:.3} ms, prepare {:.3} ms, fracture {:.3} ms on {} threads",
            self.time_ms.pattern, self.time_ms.prepare, self.time_ms.fracture, self.threads
        )
    }
}
