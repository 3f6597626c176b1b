//! Buildings of boxes: a brick wall with a window, the roof of a row of columns, and a house.

use crate::shape::Shape;
use crate::solids::{boxes, painted_boxes};

/// Materials of the house, in the order in which the scene names them.
const CONCRETE: u8 = 0;
const PLASTER: u8 = 1;
const TILES: u8 = 2;

/// A wall of bricks, 3.5 by 2.25 m and 0.25 m thick, whole bricks each way, with a window.
pub fn brick_wall() -> Shape {
    boxes(
        [
            &[-1.75, -0.5, 0.5, 1.75],
            &[0.0, 0.75, 1.65, 2.25],
            &[-0.125, 0.125],
        ],
        1.0,
        |[x, y, _]| (x, y) != (1, 1),
    )
}

/// An architrave of 7 m with a gable on it, to lie on columns.
pub fn roof() -> Shape {
    const TILE: f32 = 0.8; // metres
    boxes(
        [
            &[-3.7, -3.5, 0.0, 3.5, 3.7],
            &[0.0, 0.36, 0.46, 0.5],
            &[-0.62, -0.5, 0.5, 0.62],
        ],
        TILE,
        |[x, y, z]| {
            let border = x == 0 || x == 3 || z == 0 || z == 2;
            // The cornice juts out over the architrave.
            y == 1 || !border
        },
    )
    .moved(TILE, |[x, y, z]| {
        let rise = if y > 0.48 { 1.0 - x.abs() / 3.5 } else { 0.0 };
        [x, y + 0.75 * rise, z]
    })
}

/// A house of two rooms on six pillars, under a roof: 4.4 by 3 m, 5 m high.
pub fn house() -> Shape {
    let x = [
        -2.45, -2.2, -2.0, -1.9, -1.4, -0.6, -0.15, 0.15, 0.6, 1.4, 1.9, 2.0, 2.2, 2.45,
    ];
    let y = [0.0, 2.0, 2.25, 2.75, 3.65, 4.05, 4.23];
    let z = [-1.75, -1.5, -1.3, -1.2, -0.4, 0.0, 0.4, 1.2, 1.3, 1.5, 1.75];
    const TILE: f32 = 1.0; // metres
    painted_boxes(
        [&x, &y, &z],
        TILE,
        house_is_filled,
        |[_, y, _], axis| match (y, axis) {
            (5, 1) => TILES,
            (0 | 1, _) => CONCRETE,
            _ => PLASTER,
        },
    )
    .moved(TILE, |[x, y, z]| {
        let rise = if y > 4.0 { 1.0 - z.abs() / 1.75 } else { 0.0 };
        [x, y + rise, z]
    })
}

fn house_is_filled([x, y, z]: [usize; 3]) -> bool {
    let pillar = matches!(x, 1 | 2 | 6 | 10 | 11) && matches!(z, 1 | 2 | 7 | 8);
    let inside = (1..=11).contains(&x) && (1..=8).contains(&z);
    let front = matches!(z, 1 | 8);
    let side = matches!(x, 1 | 11);
    let opening = (front && matches!(x, 4 | 8)) || (side && matches!(z, 4 | 5));
    match y {
        0 => pillar,
        1 => inside,
        2 | 4 => inside && (front || side),
        3 => inside && (front || side) && !opening,
        _ => true,
    }
}
