//! Parts of a building, from which whole buildings are put together: walls, floors, stairs, balcony and roof.

use crate::shape::Shape;
use crate::solids::{block, boxes, painted_boxes, prism};

/// Height of a storey's walls, metres: 36 courses of bricks.
pub const WALL_HEIGHT: f32 = 2.7;
/// Thickness of a floor, metres.
pub const FLOOR: f32 = 0.18;
/// Width of a panel of a wall, metres: eight bricks.
pub const PANEL: f32 = 2.0;
/// Thickness of outer walls, metres.
pub const WALL: f32 = 0.3;
/// Half the depth of the building, to the outside, metres.
pub const HALF_DEPTH: f32 = 4.3;
/// Rise of the roof from eaves to ridge, metres.
pub const ROOF_RISE: f32 = 2.6;
/// Height of a truss and of a gable at the eaves, metres.
pub const EAVES: f32 = 0.36;
/// Length of a panel of the roof, down the slope, metres.
pub const ROOF_PANEL: f32 = 2.7;
/// Length of a slab of a floor, metres: three of them lie along the building.
pub const SLAB: f32 = 4.2;
/// Thickness of a panel of the roof, metres.
const TILED: f32 = 0.08;

/// The first material of a part, and that of its lintels, its tiled side.
const PLAIN: u8 = 0;
const TRIMMED: u8 = 1;

/// Places across a panel with an opening: its borders, the ends of lintel and sill, the opening.
const ACROSS: [f32; 6] = [-1.0, -0.65, -0.5, 0.5, 0.65, 1.0];
const THROUGH: [f32; 2] = [-0.5 * WALL, 0.5 * WALL];

/// A panel of brickwork with a window, its lintel and its sill.
pub fn wall_with_window() -> Shape {
    let heights = [0.0, 0.825, 0.9, 2.25, 2.4, WALL_HEIGHT];
    opening(&heights, 2, &[1, 3])
}

/// A panel of brickwork with a door and its lintel.
pub fn wall_with_door() -> Shape {
    opening(&[0.0, 2.1, 2.25, WALL_HEIGHT], 0, &[1])
}

fn opening(heights: &[f32], open: usize, trims: &[usize]) -> Shape {
    let is_trim = |[x, y, _]: [usize; 3], _| {
        if trims.contains(&y) && (1..=3).contains(&x) {
            TRIMMED
        } else {
            PLAIN
        }
    };
    painted_boxes(
        [&ACROSS, heights, &THROUGH],
        1.0,
        |[x, y, _]| (x, y) != (2, open),
        is_trim,
    )
}

/// A panel of brickwork without an opening.
pub fn blind_wall() -> Shape {
    boxes([&[-1.0, 1.0], &[0.0, WALL_HEIGHT], &THROUGH], 1.0, |_| true)
}

/// The brickwork at a corner, between two panels.
pub fn pier() -> Shape {
    boxes([&THROUGH, &[0.0, WALL_HEIGHT], &THROUGH], 1.0, |_| true)
}

/// A flight of twelve steps, 3.95 m long in x and as high as a storey with its floor; thick enough to carry itself.
pub fn stairs() -> Shape {
    const STEPS: usize = 12;
    let (run, rise) = (3.95 / STEPS as f32, (WALL_HEIGHT + FLOOR) / STEPS as f32);
    let planes = |step: f32, from: f32| -> Vec<f32> {
        (0..=STEPS).map(|k| from + step * k as f32).collect()
    };
    boxes(
        [&planes(run, -1.975), &planes(rise, 0.0), &[-0.5, 0.5]],
        1.0,
        |[x, y, _]| y == x || y + 1 == x,
    )
}

/// A balcony with a parapet on three sides, 2 m wide; its back, at z = 0, is the only side that can be held.
pub fn balcony() -> Shape {
    boxes(
        [
            &[-1.0, -0.9, 0.9, 1.0],
            &[0.0, 0.15, 1.0],
            &[0.0, 0.03, 1.1, 1.2],
        ],
        1.0,
        |[x, y, z]| y == 0 || z == 2 || (z == 1 && x != 1),
    )
}

/// Rise of the roof's underside at a place across the building.
fn rise(z: f32) -> f32 {
    ROOF_RISE * (1.0 - z.abs() / HALF_DEPTH)
}

/// A truss of timber across the building: a tie beam, two rafters and a king post.
pub fn truss() -> Shape {
    let depth = [
        -HALF_DEPTH,
        -HALF_DEPTH + 0.3,
        -0.075,
        0.0,
        0.075,
        HALF_DEPTH - 0.3,
        HALF_DEPTH,
    ];
    boxes(
        [&[-0.06, 0.06], &[0.0, 0.15, 0.16, EAVES], &depth],
        1.0,
        |[_, y, z]| y != 1 || z != 1 && z != 4,
    )
    .moved(1.0, |[x, y, z]| {
        let up = if y > 0.155 { rise(z) } else { 0.0 };
        [x, y + up, z]
    })
}

/// The brickwork at either end of the roof, along x.
pub fn gable() -> Shape {
    let corners = [
        [-HALF_DEPTH, 0.0],
        [HALF_DEPTH, 0.0],
        [HALF_DEPTH, EAVES],
        [0.0, EAVES + ROOF_RISE],
        [-HALF_DEPTH, EAVES],
    ];
    prism(&corners, 0.5 * WALL)
}

/// Boards with tiles on them, from z = 0 down the slope, which the scene tilts; the ends are upright then.
pub fn roof_panel() -> Shape {
    painted_boxes(
        [&[-1.05, 1.05], &[0.0, TILED], &[0.0, ROOF_PANEL]],
        1.0,
        |_| true,
        |_, axis| if axis == 1 { TRIMMED } else { PLAIN },
    )
    .moved(1.0, |[x, y, z]| {
        let back = TILED * ROOF_RISE / HALF_DEPTH;
        [x, y, if y > 0.01 { z - back } else { z }]
    })
}

/// A column under a beam, 0.3 m square.
pub fn square_column() -> Shape {
    block([0.3, 2.4, 0.3], 0.015, 1.0)
}

/// A column under a floor, as high as a wall.
pub fn arcade_column() -> Shape {
    block([0.3, WALL_HEIGHT, 0.3], 0.015, 1.0)
}

/// A beam along z, from a column in the middle of the building to one at its wall.
pub fn floor_beam() -> Shape {
    block([0.25, 0.3, 3.98], 0.01, 1.0)
}

/// A slab of a floor, along x; eight of them lie side by side across the building.
pub fn floor_slab() -> Shape {
    block([SLAB, FLOOR, HALF_DEPTH / 4.0], 0.008, 1.0)
}
