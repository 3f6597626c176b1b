//! OBJ meshes and site lists.

use fracture_geometry::{Fracture, Mesh, Piece, PieceKind, Solid};
use glam::DVec3;
use std::fmt::Write;
use std::path::Path;

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| format!("{} cannot be read: {e}", file.display()))
}

/// Writes a file.
pub fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = std::fs::write(file, bytes);
    written.map_err(|e| format!("{} cannot be written: {e}", file.display()))
}

/// Positions and faces of an OBJ file; faces become fans of triangles.
pub fn read_obj(file: &Path) -> Result<Mesh, String> {
    let text = read(file)?;
    let mut mesh = Mesh::default();
    for (number, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let wrong = |what: &str| format!("{}:{}: {what}", file.display(), number + 1);
        match words.next() {
            Some("v") => {
                let numbers: Vec<f32> = words.take(3).filter_map(|w| w.parse().ok()).collect();
                let position = <[f32; 3]>::try_from(numbers);
                let position = position.map_err(|_| wrong("a vertex needs three numbers"))?;
                mesh.positions.push(position);
            }
            Some("f") => {
                let count = mesh.positions.len();
                let corners: Option<Vec<u32>> = words.map(|w| corner(w, count)).collect();
                let corners = corners.ok_or_else(|| wrong("a face names a missing vertex"))?;
                let rest = corners.get(1..).unwrap_or_default().windows(2);
                let fan = rest.map(|pair| [corners[0], pair[0], pair[1]]);
                mesh.triangles.extend(fan);
            }
            _ => {}
        }
    }
    Ok(mesh)
}

/// The vertex of a face corner such as `7`, `7/1/2` or `-1`.
fn corner(word: &str, count: usize) -> Option<u32> {
    let index: i64 = word.split('/').next()?.parse().ok()?;
    let from_zero = if index < 0 {
        count as i64 + index
    } else {
        index - 1
    };
    let inside = (0..count as i64).contains(&from_zero);
    inside.then_some(from_zero as u32)
}

/// Sites, a line "x y z" each; empty lines and lines that start with # are passed over.
pub fn read_sites(file: &Path) -> Result<Vec<DVec3>, String> {
    let text = read(file)?;
    let mut sites = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let numbers: Result<Vec<f64>, _> = line.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[x, y, z]) => sites.push(DVec3::new(x, y, z)),
            _ => {
                let place = format!("{}:{}", file.display(), number + 1);
                return Err(format!("{place}: a site is three numbers, x y z"));
            }
        }
    }
    Ok(sites)
}

/// A piece's name: `fragment_<cell>_<k>` or `island_<k>`.
fn name(piece: &Piece) -> String {
    match piece.kind {
        PieceKind::Fragment { cell, part } => format!("fragment_{cell}_{part}"),
        PieceKind::Island { part } => format!("island_{part}"),
    }
}

/// Writes the pieces, an object each. Rust prints the shortest text that reads back to the same
/// f32.
pub fn write_obj(file: &Path, solid: &Solid, broken: &Fracture) -> Result<(), String> {
    let mut text = String::new();
    let mut first = 1;
    for piece in &broken.pieces {
        let piece = &piece.expanded(solid);
        let _ = writeln!(text, "o {}", name(piece));
        for corner in &piece.vertices {
            let [x, y, z] = corner.position;
            let _ = writeln!(text, "v {x} {y} {z}");
        }
        for [a, b, c] in &piece.triangles {
            let _ = writeln!(text, "f {} {} {}", a + first, b + first, c + first);
        }
        first += piece.vertices.len() as u32;
    }
    write(file, text.as_bytes())
}
