//! Breaks an OBJ file of triangles by a pattern of 50 cells, and writes each piece as an object of another file.
//!
//! `cargo run --release -p fracture_geometry --example obj -- in.obj out.obj`

use fracture_geometry::piece_mesh::CapStyle;
use fracture_geometry::{
    fracture, CellSelection, FractureParams, Mesh, Pattern, Placement, Recipe, Solid, Workspace,
};
use glam::DVec3;
use std::{env, error::Error, fmt::Write, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [input, output] = paths.as_slice() else {
        return Err("give a file to read and a file to write".into());
    };
    let solid = Solid::new(read(&fs::read_to_string(input)?)?)?;
    let pattern = Pattern::from_recipe(&Recipe::Uniform { cells: 50 }, 1)?;
    // The pattern covers the whole mesh, and all of its cells break off.
    let bounds = solid.bounds();
    let params = FractureParams {
        placement: Placement::at_impact(bounds.center(), DVec3::Y, 0.0, bounds.diagonal() / 2.0),
        selection: CellSelection::All,
    };
    let broken = fracture(&solid, &pattern, &params, &mut Workspace::default())?;
    let cap = CapStyle::own_surface(solid.mesh());
    let (mut text, mut first) = (String::new(), 1);
    for (number, piece) in broken.pieces.iter().enumerate() {
        let mesh = piece.to_mesh(&solid, &cap);
        writeln!(text, "o piece_{number}")?;
        for [x, y, z] in &mesh.positions {
            writeln!(text, "v {x} {y} {z}")?;
        }
        for [a, b, c] in &mesh.triangles {
            writeln!(text, "f {} {} {}", a + first, b + first, c + first)?;
        }
        first += mesh.positions.len() as u32;
    }
    println!("{} pieces", broken.pieces.len());
    Ok(fs::write(output, text)?)
}

/// Reads vertices and triangles.
fn read(text: &str) -> Result<Mesh, Box<dyn Error>> {
    let mut mesh = Mesh::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let kind = words.next();
        let words: Vec<&str> = words.collect();
        match (kind, words.as_slice()) {
            (Some("v"), [x, y, z, ..]) => mesh.positions.push([x.parse()?, y.parse()?, z.parse()?]),
            (Some("f"), corners) => {
                let vertices: Result<Vec<u32>, _> = corners
                    .iter()
                    .map(|corner| corner.split('/').next().unwrap_or_default().parse())
                    .collect();
                let [a, b, c] = vertices?.try_into().map_err(|_| "a face is no triangle")?;
                mesh.triangles.push([a - 1, b - 1, c - 1]);
            }
            _ => (),
        }
    }
    Ok(mesh)
}
