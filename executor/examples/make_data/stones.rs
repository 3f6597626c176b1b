//! Stones of an arch bridge, and the banks on which bridges rest.

use crate::shape::Shape;
use crate::solids::{boxes, prism};

/// Wedges of the arch's ring; one is the keystone.
pub const WEDGES: usize = 11;
/// Stones over one half of the ring, up to the keystone, which reaches to the deck.
pub const SPANDRELS: usize = WEDGES / 2;
/// Inner radius of the ring, metres: 4 m wide, 1 m high.
const RADIUS: f32 = 2.5;
/// Thickness of the ring, metres.
const RING: f32 = 0.4;
/// Half the angle of the ring, radians.
const HALF_ANGLE: f32 = 0.927_295_2;
/// Height of the springing, metres.
const SPRINGING: f32 = 0.2;
/// Half the width of the bridge, metres.
pub const HALF_WIDTH: f32 = 0.9;
/// Height of the deck, metres.
pub const DECK: f32 = 1.78;
/// Length of a ramp, metres.
const RAMP: f32 = 6.7;
/// Height of a bank of the plank bridge, and depth of the ledge for the planks, metres.
pub const BANK: f32 = 1.0;
pub const LEDGE: f32 = 0.025;
/// Size of a plank, metres. It is four centimetres shorter than its place: ends that touch the banks would be held by
/// them.
pub const PLANK: [f32; 3] = [3.56, LEDGE, 0.3];

/// The height of the ring's centre.
fn center() -> f32 {
    SPRINGING - RADIUS * HALF_ANGLE.cos()
}

/// A place of the ring: which joint, 0 on the left, and how far from the centre.
fn place(joint: usize, radius: f32) -> [f32; 2] {
    let angle = HALF_ANGLE * (2.0 * joint as f32 / WEDGES as f32 - 1.0);
    [radius * angle.sin(), center() + radius * angle.cos()]
}

/// Where a wedge stands, and its turn about z, degrees.
pub fn wedge_place(index: usize) -> ([f32; 3], f32) {
    let angle = HALF_ANGLE * ((2 * index + 1) as f32 / WEDGES as f32 - 1.0);
    ([0.0, center(), 0.0], -angle.to_degrees())
}

/// A wedge of the ring at the crown, its centre of curvature at the origin; its courses run towards that.
pub fn wedge() -> Shape {
    let half = HALF_ANGLE / WEDGES as f32;
    let at = |radius: f32, angle: f32| [radius * angle.sin(), radius * angle.cos()];
    let outer = RADIUS + RING;
    let corners = [
        at(RADIUS, -half),
        at(RADIUS, half),
        at(outer, half),
        at(outer, -half),
    ];
    prism(&corners, HALF_WIDTH).turned()
}

/// The keystone: the wedge at the crown, with what is above it up to the deck.
pub fn keystone() -> Shape {
    let [left, right] = [WEDGES / 2, WEDGES / 2 + 1];
    let outer = RADIUS + RING;
    let [low, high] = [place(left, outer), place(right, outer)];
    let corners = [
        place(left, RADIUS),
        place(right, RADIUS),
        high,
        [high[0], DECK],
        [low[0], DECK],
        low,
    ];
    prism(&corners, HALF_WIDTH)
}

/// The stone that fills up to the deck over a wedge of the left half, in its place.
pub fn spandrel(index: usize) -> Shape {
    let outer = RADIUS + RING;
    let [low, high] = [place(index, outer), place(index + 1, outer)];
    prism(&[low, high, [high[0], DECK], [low[0], DECK]], HALF_WIDTH)
}

/// The abutment that carries the left half of the arch, with a ramp up to the deck.
pub fn abutment() -> Shape {
    let [inner, outer] = [place(0, RADIUS), place(0, RADIUS + RING)];
    let end = outer[0] - RAMP;
    let corners = [
        [end, 0.0],
        [inner[0], 0.0],
        inner,
        outer,
        [outer[0], DECK],
        [outer[0] - 1.2, DECK],
    ];
    prism(&corners, HALF_WIDTH)
}

/// A bank of the plank bridge, with a ledge at its right.
pub fn bank() -> Shape {
    boxes(
        [
            &[-1.25, 0.95, 1.25],
            &[0.0, BANK - LEDGE, BANK],
            &[-1.0, 1.0],
        ],
        1.0,
        |[x, y, _]| x == 0 || y == 0,
    )
}
