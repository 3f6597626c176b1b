//! Procedural, tileable textures: a height per texel, coloured through a ramp of 256 colours.

use crate::landscape::{fields, leaves};
use crate::noise::{cells, fractal, hash};
use crate::surfaces::{glaze, ice, iron, marble, plywood, split_wood, tiles};
use crate::vector::mix;

/// Side of the colour textures in texels.
pub const COLOR_SIDE: u32 = 512;
/// Side of the normal maps in texels.
pub const NORMAL_SIDE: u32 = 256;

/// Normals are kept in steps of four: nobody sees it, and the files are a third smaller.
const STEPS: u8 = 0xfc;

/// A texture: `height` over the unit square, and the colours from low to high.
pub struct Texture {
    /// File name without extension.
    pub name: &'static str,
    /// Height in 0..1 at (u, v); wraps at 1.
    pub height: fn(f32, f32) -> f32,
    /// Colours from low to high, evenly spaced.
    pub ramp: &'static [[u8; 3]],
    /// How steep the normal map is; 0 is none.
    pub relief: f32,
}

/// Every texture that ships.
pub const TEXTURES: &[Texture] = &[
    Texture {
        name: "concrete",
        height: concrete,
        ramp: &[
            [92, 92, 90],
            [138, 137, 133],
            [164, 162, 157],
            [182, 180, 174],
        ],
        relief: 2.5,
    },
    Texture {
        name: "concrete_cut",
        height: rubble,
        ramp: &[
            [84, 80, 75],
            [132, 126, 117],
            [158, 151, 140],
            [188, 181, 170],
        ],
        relief: 7.0,
    },
    Texture {
        name: "stone",
        height: stone,
        ramp: &[
            [150, 134, 108],
            [196, 180, 150],
            [214, 200, 172],
            [228, 217, 194],
        ],
        relief: 6.0,
    },
    Texture {
        name: "stone_cut",
        height: rubble,
        ramp: &[
            [176, 158, 128],
            [208, 192, 163],
            [226, 213, 188],
            [240, 230, 211],
        ],
        relief: 6.0,
    },
    Texture {
        name: "brick",
        height: brick,
        ramp: &[[168, 160, 148], [122, 60, 44], [150, 76, 56], [174, 96, 70]],
        relief: 10.0,
    },
    Texture {
        name: "plaster",
        height: plaster,
        ramp: &[[160, 154, 144], [190, 184, 174], [208, 202, 192]],
        relief: 4.0,
    },
    Texture {
        name: "ground",
        height: paving,
        ramp: &[
            [86, 81, 73],
            [128, 122, 112],
            [148, 142, 131],
            [168, 162, 150],
        ],
        relief: 1.6,
    },
    Texture {
        name: "wood",
        height: wood,
        ramp: &[[64, 40, 22], [122, 84, 48], [154, 110, 66], [176, 132, 84]],
        relief: 5.0,
    },
    Texture {
        name: "split_wood",
        height: split_wood,
        ramp: &[
            [122, 86, 52],
            [176, 136, 90],
            [204, 168, 120],
            [222, 192, 148],
        ],
        relief: 5.0,
    },
    Texture {
        name: "fields",
        height: fields,
        ramp: &[
            [56, 70, 34],
            [88, 98, 48],
            [124, 122, 68],
            [104, 120, 80],
            [118, 136, 124],
            [142, 160, 170],
        ],
        relief: 0.0,
    },
    Texture {
        name: "leaves",
        height: leaves,
        ramp: &[[26, 40, 22], [50, 70, 34], [84, 104, 52]],
        relief: 4.0,
    },
    Texture {
        name: "far_leaves",
        height: leaves,
        ramp: &[[72, 92, 84], [92, 112, 98], [112, 130, 108]],
        relief: 0.0,
    },
    Texture {
        name: "glaze",
        height: glaze,
        ramp: &[
            [18, 42, 110],
            [40, 78, 160],
            [206, 214, 222],
            [238, 240, 240],
        ],
        relief: 0.0,
    },
    Texture {
        name: "marble",
        height: marble,
        ramp: &[[120, 122, 128], [192, 190, 186], [214, 211, 205]],
        relief: 0.0,
    },
    Texture {
        name: "tiles",
        height: tiles,
        ramp: &[[54, 26, 20], [128, 58, 40], [164, 82, 56], [188, 108, 78]],
        relief: 0.0,
    },
    Texture {
        name: "plywood",
        height: plywood,
        ramp: &[[112, 78, 46], [206, 170, 118], [228, 198, 150]],
        relief: 3.0,
    },
    Texture {
        name: "iron",
        height: iron,
        ramp: &[[58, 58, 60], [112, 112, 114], [168, 168, 170]],
        relief: 8.0,
    },
    Texture {
        name: "ice",
        height: ice,
        ramp: &[[128, 176, 204], [176, 212, 230], [246, 252, 255]],
        relief: 0.0,
    },
];

impl Texture {
    /// One ramp index per texel.
    pub fn indices(&self) -> Vec<u8> {
        self.sample(COLOR_SIDE, |u, v| (self.height)(u, v).clamp(0.0, 1.0))
            .into_iter()
            .map(|height| (height * 255.0) as u8)
            .collect()
    }

    /// The 256 colours, three bytes each.
    pub fn palette(&self) -> Vec<u8> {
        let last = (self.ramp.len() - 1) as f32;
        (0..256)
            .flat_map(|index| {
                let at = index as f32 / 255.0 * last;
                let low = (at as usize).min(self.ramp.len() - 2);
                [0, 1, 2].map(|channel| {
                    let (a, b) = (self.ramp[low][channel], self.ramp[low + 1][channel]);
                    mix(f32::from(a), f32::from(b), at - low as f32) as u8
                })
            })
            .collect()
    }

    /// The normal map, three bytes a texel.
    pub fn normals(&self) -> Vec<u8> {
        let side = NORMAL_SIDE as usize;
        let heights = self.sample(NORMAL_SIDE, self.height);
        let at = |x: usize, y: usize| heights[(y % side) * side + x % side];
        let mut bytes = Vec::with_capacity(side * side * 3);
        for y in 0..side {
            for x in 0..side {
                let dx = (at(x + side - 1, y) - at(x + 1, y)) * self.relief;
                let dy = (at(x, y + side - 1) - at(x, y + 1)) * self.relief;
                let length = (dx * dx + dy * dy + 1.0).sqrt();
                for value in [dx, dy, 1.0] {
                    bytes.push(STEPS & ((value / length * 0.5 + 0.5) * 255.0) as u8);
                }
            }
        }
        bytes
    }

    fn sample(&self, side: u32, height: impl Fn(f32, f32) -> f32) -> Vec<f32> {
        let step = 1.0 / side as f32;
        (0..side * side)
            .map(|index| height((index % side) as f32 * step, (index / side) as f32 * step))
            .collect()
    }
}

fn concrete(u: f32, v: f32) -> f32 {
    let base =
        0.62 + 0.30 * (fractal(u, v, 4, 6, 11) - 0.5) + 0.16 * (fractal(u, v, 64, 2, 12) - 0.5);
    let (pore, size) = cells(u, v, 40, 13);
    // A few air bubbles, as formwork leaves them.
    if size > 0.86 && pore < 0.22 {
        base - 0.5 * (1.0 - pore / 0.22)
    } else {
        base
    }
}

fn rubble(u: f32, v: f32) -> f32 {
    let (grain, shade) = cells(u, v, 22, 21);
    let (fine, _) = cells(u, v, 60, 22);
    let stones = (0.75 - grain * 0.55) * (0.75 + 0.35 * shade);
    0.55 * stones + 0.2 * (1.0 - fine) + 0.3 * fractal(u, v, 8, 5, 23)
}

fn stone(u: f32, v: f32) -> f32 {
    let warp = fractal(u, v, 3, 4, 31);
    let bands = (v * 6.0 + warp * 2.0).fract();
    let bands = (bands - 0.5).abs() * 0.25;
    0.5 + bands + 0.5 * (fractal(u, v, 6, 6, 32) - 0.5) + 0.1 * (fractal(u, v, 90, 1, 33) - 0.5)
}

fn brick(u: f32, v: f32) -> f32 {
    let row = (v * 8.0).floor();
    let shift = if row as i32 % 2 == 0 { 0.0 } else { 0.5 };
    let along = u * 4.0 + shift;
    let (x, y) = (along.fract(), (v * 8.0).fract());
    let edge = (x.min(1.0 - x) * 2.0).min(y.min(1.0 - y));
    let wear = 0.05 * fractal(u, v, 24, 3, 41);
    if edge < 0.05 + wear {
        return 0.12 * fractal(u, v, 50, 2, 42);
    }
    let tone = hash(along.floor() as i32 % 4, row as i32, 43);
    0.42 + 0.3 * tone + 0.4 * (fractal(u, v, 16, 5, 44) - 0.3)
}

fn plaster(u: f32, v: f32) -> f32 {
    0.3 + 0.5 * fractal(u, v, 5, 5, 51) + 0.3 * (fractal(u, v, 40, 2, 52) - 0.5)
}

/// Slabs of 0.75 m, each of its own tone, of coarse grains.
fn paving(u: f32, v: f32) -> f32 {
    let (x, y) = ((u * 4.0).fract(), (v * 4.0).fract());
    let wear = 0.006 * fractal(u, v, 48, 2, 64);
    let edge = x.min(1.0 - x).min(y.min(1.0 - y)) - wear;
    if edge < 0.006 {
        return 0.12 + 0.1 * fractal(u, v, 60, 2, 61);
    }
    let tone = hash((u * 4.0) as i32, (v * 4.0) as i32, 62);
    let (grain, shade) = cells(u, v, 110, 65);
    let speckle = (0.6 - grain).max(0.0) * (shade - 0.5);
    // Rims are worn.
    let rim = 0.12 * (1.0 - (edge / 0.03).min(1.0));
    let slow = fractal(u, v, 5, 4, 63) - 0.5;
    0.46 + 0.26 * tone + 0.22 * slow + 0.3 * speckle - rim
}

fn wood(u: f32, v: f32) -> f32 {
    let plank = (u * 4.0).floor();
    let edge = (u * 4.0).fract();
    if !(0.02..0.98).contains(&edge) {
        return 0.05;
    }
    let shift = hash(plank as i32, 0, 71);
    let rings = fractal(u, (v + shift).fract(), 3, 3, 72) * 9.0 + u * 40.0;
    let grain = (rings.fract() - 0.5).abs();
    0.35 + 0.25 * shift + 0.5 * grain + 0.2 * (fractal(u, v, 64, 2, 73) - 0.5)
}
