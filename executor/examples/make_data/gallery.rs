//! The scenes of the demo's menu: one for each material, buildings and bridges to bring down, cubes, and a field
//! of blocks. And a house that falls.

use crate::bridges::{arch, planks};
use crate::mill::mill;
use crate::models::PLINTH;
use crate::props::{column, crate_of_wood, foundation, pane_of, plinth, stone, wall};
use crate::set::{Body, Prop, Result, Set};
use fracture::{Anchoring, Destructible};
use fyrox::asset::manager::ResourceManager;
use std::path::Path;

/// Where the camera of a scene stands, and what it looks at.
type View = [[f32; 3]; 2];

/// Puts things into a set.
type Build = fn(&mut Set) -> Result<()>;

/// Name, view and maker of each scene.
const SCENES: &[(&str, View, Build)] = &[
    ("glass", [[0.92, 1.51, 2.24], [0.0, 1.05, 0.0]], glass),
    ("concrete", [[1.75, 1.66, 3.3], [0.25, 1.2, 0.0]], concrete),
    ("brick", [[-1.45, 1.53, 2.64], [0.0, 1.2, 0.0]], brick),
    ("beam", [[1.45, 1.54, 2.38], [0.0, 0.85, 0.0]], beam),
    ("vase", [[0.59, 1.28, 1.52], [0.0, 0.85, 0.0]], vases),
    ("columns", [[3.31, 2.05, 4.88], [0.2, 2.2, 0.0]], columns),
    ("marble", [[1.12, 1.78, 2.57], [0.0, 1.55, 0.0]], marble),
    ("ice", [[0.99, 1.13, 2.18], [0.0, 0.8, 0.0]], ice),
    ("house", [[3.5, 2.6, 4.6], [0.0, 2.15, 0.0]], house),
    (
        "house_falls",
        [[5.0, 2.6, 7.6], [0.0, 3.0, 0.0]],
        falling_house,
    ),
    ("mill", [[-7.6, 6.4, 10.4], [-0.2, 4.3, 0.0]], mill),
    ("arch", [[-1.9, 1.9, 4.7], [0.0, 1.0, 0.0]], arch),
    ("planks", [[1.2, 2.2, 3.7], [-0.5, 0.9, 0.0]], planks),
    ("cubes", [[0.0, 1.75, 4.7], [0.0, 0.55, 0.0]], cubes),
    ("stress", [[5.07, 4.19, 7.02], [0.0, 0.6, 0.0]], stress),
];

/// Writes every wanted scene of the gallery.
pub fn write(
    resources: &ResourceManager,
    data: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<()> {
    for (name, [at, target], build) in SCENES.iter().filter(|(name, ..)| wanted(name)) {
        let mut set = Set::new(resources, data)?;
        build(&mut set)?;
        set.scenery("land", "fields+leaves+far_leaves")?;
        set.camera(*at, *target);
        set.save("scenes", name)?;
    }
    Ok(())
}

fn glass(set: &mut Set) -> Result<()> {
    pane_of(set, "float_glass", "Pane", [0.0, 0.0, 0.0], 0.0)?;
    plinth(set, "Plinth", [-0.5, 0.0, -1.6], 12.0)?;
    vase(set, "Vase", [-0.5, 0.45, -1.6], 0.0, 1.0)?;
    crate_of_wood(set, "Crate", [0.75, 0.0, -1.5], 24.0)
}

fn concrete(set: &mut Set) -> Result<()> {
    wall(set, "concrete_crater", [0.0; 3], 0.0)?;
    set.prop(Prop {
        name: "Block",
        model: "plinth",
        material: "concrete",
        at: [2.9, 0.0, 0.9],
        turn: 28.0,
        breaks: Some(stone(set, "concrete_crater", "concrete_cut")?),
        ..Prop::default()
    })
    .map(drop)
}

fn brick(set: &mut Set) -> Result<()> {
    foundation(set, [0.0; 3], 0.0)?;
    let mut breaks = stone(set, "brick", "brick_cut")?;
    breaks.density = 1900.0.into();
    breaks.breaking.max_radius = 0.85.into();
    breaks.pieces.max_depth = 4.into();
    set.prop(Prop {
        name: "Brick wall",
        model: "brick_wall",
        material: "brickwork",
        at: [0.0, 0.3, 0.0],
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    crate_of_wood(set, "Crate", [1.9, 0.0, -1.4], -15.0)
}

fn beam(set: &mut Set) -> Result<()> {
    for (name, x, turn) in [("Left block", -1.6, 90.0), ("Right block", 1.6, 90.0)] {
        for (level, y) in [(0, 0.0), (1, 0.45)] {
            set.prop(Prop {
                name: &format!("{name} {level}"),
                model: "plinth",
                material: "stone",
                at: [x, y, 0.0],
                turn: turn + 3.0 * level as f32,
                scale: [0.75 - 0.1 * level as f32, 1.0, 0.5],
                body: Body::Block(PLINTH),
                ..Prop::default()
            })?;
        }
    }
    let mut breaks = set.breaks("wood", "wood_cut")?;
    breaks.density = 600.0.into();
    breaks.breaking.damage_threshold = 120.0.into();
    breaks.breaking.energy_per_volume = (1.0 / 3e-5).into();
    breaks.breaking.min_radius = 0.2.into();
    breaks.breaking.max_radius = 0.7.into();
    breaks.held.anchoring = Anchoring::BaseAndTop.into();
    breaks.held.depth = 0.25.into();
    set.prop(Prop {
        name: "Beam",
        model: "timber",
        material: "timber",
        // It lies on its side, from left to right.
        at: [-1.9, 1.05, 0.0],
        turn: 90.0,
        tilt: 90.0,
        breaks: Some(breaks),
        ..Prop::default()
    })?;
    crate_of_wood(set, "Crate", [0.5, 0.0, -1.3], 18.0)
}

/// Colliders of the vase: centre, half height and radius of cylinders.
const VASE: &[[f32; 3]] = &[[0.06, 0.06, 0.115], [0.37, 0.25, 0.2], [0.70, 0.08, 0.11]];

/// Which part of them is ceramic.
const VASE_FULL: f32 = 0.16;

fn vases(set: &mut Set) -> Result<()> {
    plinth(set, "Plinth", [0.0, 0.0, 0.0], 14.0)?;
    vase(set, "Vase", [-0.05, 0.45, 0.0], 10.0, 1.0)?;
    vase(set, "Small vase", [0.42, 0.45, 0.22], 70.0, 0.55)?;
    vase(set, "Tall vase", [-0.52, 0.45, -0.2], 130.0, 0.8)
}

fn vase(set: &mut Set, name: &str, at: [f32; 3], turn: f32, size: f32) -> Result<()> {
    set.prop(Prop {
        name,
        model: "vase",
        material: "ceramic",
        at,
        turn,
        scale: [size; 3],
        body: Body::Cylinders(VASE),
        full: VASE_FULL,
        moves: true,
        breaks: Some(ceramic(set)?),
        ..Prop::default()
    })
    .map(drop)
}

fn ceramic(set: &Set) -> Result<Destructible> {
    let mut breaks = set.breaks("ceramic", "ceramic_cut")?;
    breaks.density = 2300.0.into();
    breaks.breaking.damage_threshold = 8.0.into();
    breaks.breaking.energy_per_volume = 2.5e3.into();
    breaks.breaking.min_radius = 0.3.into();
    breaks.breaking.max_radius = 0.6.into();
    breaks.pieces.threshold_factor = 3.0.into();
    Ok(breaks)
}

fn columns(set: &mut Set) -> Result<()> {
    for (index, x) in [-3.0, -1.0, 1.0, 3.0].into_iter().enumerate() {
        column(set, &format!("Column {}", index + 1), [x, 0.0, 0.0], 150.0)?;
    }
    let mut breaks = stone(set, "stone", "stone_cut")?;
    breaks.breaking.damage_threshold = 9000.0.into();
    breaks.breaking.energy_per_volume = 1e5.into();
    breaks.breaking.max_radius = 0.8.into();
    breaks.strength.tensile_strength = 7e6.into();
    breaks.held.anchoring = Anchoring::Free.into();
    set.prop(Prop {
        name: "Roof",
        model: "roof",
        material: "stone",
        at: [0.0, 3.4, 0.0],
        body: Body::Block([7.0, 0.7, 1.0]),
        moves: true,
        breaks: Some(breaks),
        ..Prop::default()
    })
    .map(drop)
}

fn marble(set: &mut Set) -> Result<()> {
    plinth(set, "Plinth", [0.0; 3], 0.0)?;
    let mut breaks = stone(set, "stone", "marble_cut")?;
    breaks.breaking.energy_per_volume = 1e5.into();
    breaks.breaking.min_radius = 0.12.into();
    breaks.breaking.max_radius = 0.7.into();
    set.prop(Prop {
        name: "Statue",
        model: "statue",
        material: "marble",
        at: [0.0, 0.45, 0.0],
        turn: 14.0,
        breaks: Some(breaks),
        ..Prop::default()
    })
    .map(drop)
}

fn ice_breaks(set: &mut Set) -> Result<Destructible> {
    let mut breaks = set.breaks("ice", "ice_cut")?;
    breaks.density = 900.0.into();
    breaks.breaking.damage_threshold = 30.0.into();
    breaks.breaking.energy_per_volume = 2e4.into();
    breaks.breaking.min_radius = 0.3.into();
    breaks.breaking.max_radius = 0.8.into();
    breaks.strength.tensile_strength = 1.4e6.into();
    breaks.strength.min_neck = 60.0.into();
    breaks.held.depth = 0.12.into();
    Ok(breaks)
}

fn ice(set: &mut Set) -> Result<()> {
    for (name, at, turn, tilt, size) in [
        ("Crystal", [0.0, -0.05, 0.0], 0.0, 4.0, [1.25, 1.15, 1.25]),
        (
            "Left crystal",
            [-0.45, -0.1, 0.15],
            70.0,
            -24.0,
            [0.9, 0.85, 0.9],
        ),
        (
            "Right crystal",
            [0.5, -0.1, 0.05],
            110.0,
            22.0,
            [1.0, 0.75, 1.0],
        ),
        (
            "Small crystal",
            [0.2, -0.1, 0.5],
            20.0,
            34.0,
            [0.7, 0.5, 0.7],
        ),
        (
            "Far crystal",
            [-0.15, -0.1, -0.5],
            200.0,
            26.0,
            [0.9, 0.8, 0.9],
        ),
    ] {
        let breaks = ice_breaks(set)?;
        set.prop(Prop {
            name,
            model: "crystal",
            material: "ice",
            at,
            turn,
            tilt,
            scale: size,
            cloudy: true,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

fn house(set: &mut Set) -> Result<()> {
    house_at(set, [0.0; 3], false)?;
    crate_of_wood(set, "Crate", [3.6, 0.0, 1.6], 35.0)
}

/// The house as a crane drops it.
fn falling_house(set: &mut Set) -> Result<()> {
    house_at(set, [0.0, 3.0, 0.0], true)
}

fn house_at(set: &mut Set, at: [f32; 3], moves: bool) -> Result<()> {
    let mut breaks = stone(set, "concrete", "render_cut")?;
    breaks.breaking.damage_threshold = 150.0.into();
    breaks.breaking.energy_per_volume = 5e4.into();
    breaks.breaking.min_radius = 0.25.into();
    breaks.breaking.max_radius = 1.1.into();
    breaks.strength.tensile_strength = 1.5e6.into();
    breaks.strength.check_at_start = true.into();
    breaks.pieces.max_depth = 4.into();
    if moves {
        breaks.held.anchoring = Anchoring::Free.into();
    }
    set.prop(Prop {
        name: "House",
        model: "house",
        material: "concrete+render+tiles",
        at,
        turn: 20.0,
        moves,
        breaks: Some(breaks),
        ..Prop::default()
    })
    .map(drop)
}

fn cubes(set: &mut Set) -> Result<()> {
    for (name, x, material, pattern, cut, damage_threshold) in [
        ("Cube 1", -2.0, "stone", "stone", "stone_cut", 750.0),
        ("Cube 2", 2.0, "brick", "even", "brick_cut", 550.0),
    ] {
        let mut breaks = stone(set, pattern, cut)?;
        breaks.breaking.damage_threshold = damage_threshold.into();
        // Light, so that it takes a collision at some 2 m/s, and that a shot is enough too.
        breaks.density = 600.0.into();
        breaks.held.anchoring = Anchoring::Free.into();
        breaks.breaking.max_radius = 0.9.into();
        set.prop(Prop {
            name,
            model: "cube",
            material,
            at: [x, 0.001, 0.0],
            body: Body::Block([1.0, 1.0, 1.0]),
            moves: true,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}

/// A field of sixty blocks.
fn stress(set: &mut Set) -> Result<()> {
    let materials = [
        ("concrete", "concrete", "concrete_cut"),
        ("stone", "stone", "stone_cut"),
        ("brick", "even", "brick_cut"),
    ];
    for index in 0..60 {
        let (column, row) = (index % 10, index / 10);
        let (material, pattern, cut) = materials[(column * 7 + row * 5) % 3];
        let height = 1.0 + 0.35 * ((column * 3 + row * 7) % 5) as f32;
        let mut breaks = stone(set, pattern, cut)?;
        breaks.breaking.max_radius = 0.8.into();
        set.prop(Prop {
            name: &format!("Block {}", index + 1),
            model: "cube",
            material,
            at: [column as f32 * 1.1 - 4.95, 0.0, row as f32 * 1.2 - 3.0],
            turn: 7.0 * ((column + 2 * row) % 5) as f32,
            scale: [0.5, height, 0.5],
            body: Body::Block([1.0, 1.0, 1.0]),
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}
