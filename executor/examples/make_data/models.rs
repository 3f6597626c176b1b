//! The list of models, and their files.

use crate::cards::{PLIES_SCALE, SIDE};
use crate::shape::Shape;
use crate::{buildings, glb, landscape, parts, solids, statue, stones, vessels};
use std::error::Error;
use std::fs;
use std::path::Path;

/// Size of the model of a plinth, metres.
pub const PLINTH: [f32; 3] = [1.3, 0.45, 1.3];

/// Size of that of a wall, metres.
pub const WALL: [f32; 3] = [4.0, 2.4, 0.2];

/// Size of that of the base of walls, metres.
pub const FOUNDATION: [f32; 3] = [4.6, 0.3, 0.8];

/// A model: its file name, its shape, and the angle in degrees above which an edge is sharp.
struct Model {
    name: &'static str,
    shape: Shape,
    crease: f32,
    closed: bool,
}

/// Writes every model as `<name>.glb`, after checking that the solids are closed.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for model in models().into_iter().chain(parts_of_buildings()) {
        let open = model.shape.open_edges();
        if (open == 0) != model.closed {
            return Err(format!("{}: {open} open edges", model.name).into());
        }
        if model.closed && model.shape.volume() <= 0.0 {
            return Err(format!("{}: faces inwards", model.name).into());
        }
        let meshes = model.shape.render(model.crease);
        let bytes = glb::encode(model.name, &meshes)?;
        println!(
            "{}.glb: {} triangles, {} vertices, {:.4} m^3, {} bytes",
            model.name,
            model.shape.triangles.len(),
            meshes.iter().map(|m| m.positions.len()).sum::<usize>(),
            model.shape.volume(),
            bytes.len()
        );
        fs::write(folder.join(model.name).with_extension("glb"), bytes)?;
    }
    Ok(())
}

/// A table of stone, 1.2 by 0.8 m, on four legs of 8 cm.
fn table() -> Shape {
    let (x, z) = (
        [-0.6, -0.54, -0.46, 0.46, 0.54, 0.6],
        [-0.4, -0.34, -0.26, 0.26, 0.34, 0.4],
    );
    let leg = |k: usize| k == 1 || k == 3;
    solids::boxes([&x, &[0.0, 0.7, 0.76], &z], 0.8, |[x, y, z]| {
        y == 1 || leg(x) && leg(z)
    })
}

/// A block of 1 m with a closed cavity of 0.6 m.
fn hollow() -> Shape {
    let side: &[f32] = &[-0.5, -0.3, 0.3, 0.5];
    let height: &[f32] = &[0.0, 0.2, 0.8, 1.0];
    solids::boxes([side, height, side], 1.0, |at| at != [1, 1, 1])
}

fn model(name: &'static str, shape: Shape, crease: f32) -> Model {
    Model {
        name,
        shape,
        crease,
        closed: true,
    }
}

/// A model of an open mesh.
fn open(name: &'static str, shape: Shape, crease: f32) -> Model {
    Model {
        closed: false,
        ..model(name, shape, crease)
    }
}

fn models() -> Vec<Model> {
    vec![
        model("pane", solids::block([2.0, 1.6, 0.024], 0.003, 1.0), 20.0),
        model("wall", solids::block(WALL, 0.012, 1.5), 20.0),
        model("foundation", solids::block(FOUNDATION, 0.02, 1.5), 20.0),
        model("ground", solids::block([60.0, 0.5, 60.0], 0.02, 3.0), 20.0),
        model(
            "backdrop",
            solids::block([26.0, 3.6, 0.5], 0.02, 1.25),
            20.0,
        ),
        model("post", solids::block([0.10, 2.1, 0.14], 0.008, 1.0), 20.0),
        model(
            "rail",
            solids::block([2.0, 0.10, 0.12], 0.008, 1.0).turned(),
            20.0,
        ),
        open("land", landscape::land(), 180.0),
        model("plinth", solids::block(PLINTH, 0.03, 1.0), 20.0),
        model("crate", solids::block([0.8, 0.8, 0.8], 0.02, 0.8), 20.0),
        model("cube", solids::block([1.0, 1.0, 1.0], 0.02, 1.0), 20.0),
        model(
            "plies",
            solids::block([1.0, 1.0, 1.0], 0.02, 1.0 / (PLIES_SCALE * SIDE)),
            20.0,
        ),
        model("column", solids::column(3.4, 0.26, 96, 16, 0.8), 32.0),
        model("torus", solids::torus(0.42, 0.14, 64, 32, 0.8), 60.0),
        model("torus_20k", solids::torus(0.42, 0.14, 200, 50, 0.8), 60.0),
        model("statue", statue::statue(0.8), 60.0),
        open("open", solids::open_block([1.0, 1.0, 1.0], 1.0), 20.0),
        open("holed", solids::holed_block([1.0, 1.0, 1.0], 1.0), 20.0),
        open("tin", solids::corrugated(2.0, 1.6, 1.0), 60.0),
        model("table", table(), 20.0),
        model("beam_long", solids::block([0.3, 3.5, 0.3], 0.01, 1.0), 20.0),
        model(
            "beam_short",
            solids::block([0.3, 1.2, 0.3], 0.01, 1.0),
            20.0,
        ),
        model("bridge", solids::block([6.0, 0.5, 1.0], 0.02, 1.0), 20.0),
        model("hollow", hollow(), 20.0),
        model("brick_wall", buildings::brick_wall(), 20.0),
        model("house", buildings::house(), 20.0),
        model("roof", buildings::roof(), 20.0),
        model("timber", solids::block([0.26, 3.8, 0.3], 0.012, 1.0), 20.0),
        model("vase", vessels::vase(), 40.0),
        model("crystal", vessels::crystal(), 15.0),
        model("icicle", vessels::icicle(), 60.0),
    ]
}

/// Parts of the mill, and stones and planks of the bridges.
fn parts_of_buildings() -> Vec<Model> {
    let mut models = vec![
        model("wall_window", parts::wall_with_window(), 20.0),
        model("wall_door", parts::wall_with_door(), 20.0),
        model("wall_blind", parts::blind_wall(), 20.0),
        model("pier", parts::pier(), 20.0),
        model("square_column", parts::square_column(), 20.0),
        model("arcade_column", parts::arcade_column(), 20.0),
        model("floor_beam", parts::floor_beam(), 20.0),
        model("floor_slab", parts::floor_slab(), 20.0),
        model("stairs", parts::stairs(), 20.0),
        model("balcony", parts::balcony(), 20.0),
        model("truss", parts::truss(), 20.0),
        model("gable", parts::gable(), 20.0),
        model("roof_panel", parts::roof_panel(), 20.0),
        model("base", solids::block([13.4, 0.15, 9.4], 0.02, 1.5), 20.0),
        model("wedge", stones::wedge(), 20.0),
        model("keystone", stones::keystone(), 20.0),
        model("abutment", stones::abutment(), 20.0),
        model(
            "parapet",
            solids::block([1.14, 0.5, 0.22], 0.015, 1.0),
            20.0,
        ),
        model(
            "plank",
            solids::block(stones::PLANK, 0.003, 1.0).turned(),
            20.0,
        ),
        model("bank", stones::bank(), 20.0),
        model("ashlar", solids::block([0.6, 0.4, 0.4], 0.01, 1.0), 20.0),
        model(
            "door_leaf",
            solids::block([0.96, 2.06, 0.05], 0.004, 1.0),
            20.0,
        ),
    ];
    let spandrel = |index| model(SPANDRELS[index], stones::spandrel(index), 20.0);
    models.extend((0..stones::SPANDRELS).map(spandrel));
    models
}

/// Names of the stones over the ring, from the left to the crown.
pub const SPANDRELS: [&str; stones::SPANDRELS] = [
    "spandrel_1",
    "spandrel_2",
    "spandrel_3",
    "spandrel_4",
    "spandrel_5",
];
