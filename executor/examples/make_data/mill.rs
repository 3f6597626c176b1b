//! The mill: a building of three storeys of brickwork, with floors on columns and beams, and a roof; more than two
//! hundred breakable parts that hold each other.

use crate::parts::{
    EAVES, FLOOR, HALF_DEPTH, PANEL, ROOF_PANEL, ROOF_RISE, SLAB, WALL, WALL_HEIGHT,
};
use crate::prefabs::Instance;
use crate::props::crate_of_wood;
use crate::set::{Body, Prop, Result, Set};
use fyrox::{core::pool::Handle, scene::node::Node};

/// Storeys below the roof.
const STOREYS: usize = 3;
/// Height of the base, metres.
const BASE: f32 = 0.15;
/// Height of a storey, metres.
const STOREY: f32 = WALL_HEIGHT + FLOOR;
/// Half the width of the building between its walls, metres: six panels.
const HALF_WIDTH: f32 = 3.0 * PANEL;
/// Where the middle of the outer walls is, metres.
const SIDE: f32 = HALF_WIDTH + 0.5 * WALL;
const FRONT: f32 = HALF_DEPTH - 0.5 * WALL;
/// Slabs of a floor across the building.
const SLABS: usize = 8;
/// The row of slabs that the stairs pass, by floor.
const STAIRWELLS: [usize; 2] = [1, 2];

/// Builds the mill.
pub fn mill(set: &mut Set) -> Result<()> {
    set.prop(Prop {
        name: "Base",
        model: "base",
        material: "concrete",
        body: Body::Block([13.4, BASE, 9.4]),
        ..Prop::default()
    })?;
    let building = set.group("Mill", Handle::NONE);
    for storey in 0..STOREYS {
        let number = storey + 1;
        let above = set.group(&format!("Storey {number}"), building);
        let base = BASE + STOREY * storey as f32;
        walls(set, storey, base, above)?;
        frames(set, storey, base, above)?;
        floor(set, storey, base + WALL_HEIGHT, above)?;
    }
    balcony(set, building)?;
    roof(set, BASE + STOREY * STOREYS as f32, building)?;
    crate_of_wood(set, "Crate", [7.6, 0.0, 5.4], 25.0)?;
    crate_of_wood(set, "Upper crate", [7.65, 0.8, 5.42], -8.0)?;
    crate_of_wood(set, "Other crate", [8.6, 0.0, 5.0], 50.0)
}

/// The outer walls of a storey. The left front corner of the ground floor is open and stands on columns.
fn walls(set: &mut Set, storey: usize, base: f32, above: Handle<Node>) -> Result<()> {
    let number = storey + 1;
    let group = set.group(&format!("Walls {number}"), above);
    let ground = storey == 0;
    // By side: name, panels, the middle of the wall, its turn, and the direction along it.
    let sides = [
        ("Front", 6, [0.0, FRONT], 0.0, [1.0, 0.0]),
        ("Back", 6, [0.0, -FRONT], 180.0, [1.0, 0.0]),
        ("Left", 4, [-SIDE, 0.0], -90.0, [0.0, 1.0]),
        ("Right", 4, [SIDE, 0.0], 90.0, [0.0, 1.0]),
    ];
    for (side, count, [x, z], turn, [dx, dz]) in sides {
        for panel in 0..count {
            let is_open =
                ground && ((side == "Front" && panel < 2) || (side == "Left" && panel > 1));
            if is_open {
                continue;
            }
            let along = PANEL * (panel as f32 - 0.5 * (count as f32 - 1.0));
            let prefab = match (side, storey, panel) {
                ("Front", 0, 3) | ("Front", 1, 2) => "wall_door",
                ("Front", ..) => "wall_window",
                ("Back", _, 0 | 5) | (_, _, 0 | 3) => "wall_blind",
                _ => "wall_window",
            };
            let instance = Instance {
                prefab,
                name: &format!("{side} wall {number}.{}", panel + 1),
                at: [x + along * dx, base, z + along * dz],
                turns: [0.0, turn, 0.0],
            };
            set.instance(instance, group)?;
        }
    }
    for (index, [x, z]) in [[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]
        .into_iter()
        .enumerate()
    {
        if !(ground && index == 0) {
            let instance = Instance {
                prefab: "pier",
                name: &format!("Pier {number}.{}", index + 1),
                at: [x * SIDE, base, z * FRONT],
                ..Instance::default()
            };
            set.instance(instance, group)?;
        }
    }
    if ground {
        arcade(set, base, group)?;
    }
    Ok(())
}

/// The columns under the open corner.
fn arcade(set: &mut Set, base: f32, group: Handle<Node>) -> Result<()> {
    let places = [
        ("Corner column", -SIDE, FRONT),
        ("Front column", -HALF_WIDTH + PANEL, FRONT),
        ("Side column", -SIDE, PANEL),
    ];
    for (name, x, z) in places {
        let instance = Instance {
            prefab: "arcade_column",
            name,
            at: [x, base, z],
            ..Instance::default()
        };
        set.instance(instance, group)?;
    }
    Ok(())
}

/// Columns and beams inside a storey: two frames across the building.
fn frames(set: &mut Set, storey: usize, base: f32, above: Handle<Node>) -> Result<()> {
    let number = storey + 1;
    let group = set.group(&format!("Frames {number}"), above);
    for (frame, x) in [-0.5 * SLAB, 0.5 * SLAB].into_iter().enumerate() {
        for (index, z) in [-3.83, 0.0, 3.83].into_iter().enumerate() {
            let instance = Instance {
                prefab: "square_column",
                name: &format!("Column {number}.{}", 3 * frame + index + 1),
                at: [x, base, z],
                ..Instance::default()
            };
            set.instance(instance, group)?;
        }
        for (index, z) in [-1.99, 1.99].into_iter().enumerate() {
            let instance = Instance {
                prefab: "floor_beam",
                name: &format!("Beam {number}.{}", 2 * frame + index + 1),
                at: [x, base + 2.4, z],
                ..Instance::default()
            };
            set.instance(instance, group)?;
        }
    }
    Ok(())
}

/// The floor above a storey, and the stairs up to it.
fn floor(set: &mut Set, storey: usize, height: f32, above: Handle<Node>) -> Result<()> {
    let number = storey + 1;
    let group = set.group(&format!("Floor {number}"), above);
    let stairwell = STAIRWELLS.get(storey).copied();
    let width = 2.0 * HALF_DEPTH / SLABS as f32;
    for (bay, x) in [-SLAB, 0.0, SLAB].into_iter().enumerate() {
        for row in 0..SLABS {
            let z = width * (row as f32 + 0.5) - HALF_DEPTH;
            let is_open = bay == 1 && stairwell == Some(row);
            let instance = if is_open {
                Instance {
                    prefab: "stairs",
                    name: &format!("Stairs {number}"),
                    at: [0.0, height - WALL_HEIGHT, z],
                    ..Instance::default()
                }
            } else {
                Instance {
                    prefab: "floor_slab",
                    name: &format!("Slab {number}.{}.{}", bay + 1, row + 1),
                    at: [x, height, z],
                    ..Instance::default()
                }
            };
            set.instance(instance, group)?;
        }
    }
    Ok(())
}

/// A balcony before the first floor, over the door.
fn balcony(set: &mut Set, building: Handle<Node>) -> Result<()> {
    let instance = Instance {
        prefab: "balcony",
        name: "Balcony",
        at: [-0.5 * PANEL, BASE + STOREY - 0.16, HALF_DEPTH],
        ..Instance::default()
    };
    set.instance(instance, building).map(drop)
}

/// Trusses, gables, and tiles on boards.
fn roof(set: &mut Set, base: f32, building: Handle<Node>) -> Result<()> {
    let group = set.group("Roof", building);
    let width = (2.0 * HALF_WIDTH + 2.0 * WALL) / 6.0;
    for index in 0..5 {
        let instance = Instance {
            prefab: "truss",
            name: &format!("Truss {}", index + 1),
            at: [width * (index as f32 - 2.0), base, 0.0],
            ..Instance::default()
        };
        set.instance(instance, group)?;
    }
    for (name, x) in [("Left gable", -SIDE), ("Right gable", SIDE)] {
        let instance = Instance {
            prefab: "gable",
            name,
            at: [x, base, 0.0],
            turns: [0.0, 90.0, 0.0],
        };
        set.instance(instance, group)?;
    }
    let ridge = base + EAVES + ROOF_RISE;
    let slope = ROOF_RISE.atan2(HALF_DEPTH);
    for (side, turn, front) in [("Front", 0.0, 1.0), ("Back", 180.0, -1.0)] {
        for row in 0..2 {
            let down = ROOF_PANEL * row as f32;
            for column in 0..6 {
                let instance = Instance {
                    prefab: "roof_panel",
                    name: &format!("{side} roof {}.{}", row + 1, column + 1),
                    at: [
                        width * (column as f32 - 2.5),
                        ridge - down * slope.sin(),
                        front * down * slope.cos(),
                    ],
                    turns: [slope.to_degrees(), turn, 0.0],
                };
                set.instance(instance, group)?;
            }
        }
    }
    Ok(())
}
