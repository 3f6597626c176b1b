//! Heights of the surfaces that shine (glaze, marble, roof tiles and ice) and of layers and grains inside.

use crate::noise::{cells, fractal, hash, stretched};

/// White glaze with blue bands and waves; v runs from rim to foot in one repeat.
pub fn glaze(u: f32, v: f32) -> f32 {
    const BLUE: f32 = 0.08;
    const WHITE: f32 = 0.9;
    let wobble = 0.004 * (fractal(u, v, 12, 3, 81) - 0.5);
    let at = (v + wobble).rem_euclid(1.0);
    let wave = |phase: f32, count: f32| ((u * count + phase) * std::f32::consts::TAU).sin();
    let band = |middle: f32, half: f32| (at - middle).abs() < half;
    let lines = [0.06, 0.10, 0.30, 0.34, 0.70, 0.74, 0.94];
    let line = lines.iter().any(|middle| band(*middle, 0.008));
    let scroll = (at - 0.20 - 0.05 * wave(0.0, 8.0)).abs() < 0.012;
    let petal = {
        let leaf = (u * 6.0).fract() - 0.5;
        let tall = (at - 0.52) / 0.13;
        let rim = leaf * leaf * 6.0 + tall * tall;
        (0.55..0.85).contains(&rim) || rim < 0.16
    };
    let dots = {
        let (x, y) = ((u * 24.0).fract() - 0.5, (at - 0.82) * 24.0);
        x * x + y * y < 0.1
    };
    let worn = 0.08 * (fractal(u, v, 24, 4, 82) - 0.5);
    let painted = line || scroll || petal || dots;
    (if painted { BLUE } else { WHITE }) + worn
}

/// Pale marble with veins.
pub fn marble(u: f32, v: f32) -> f32 {
    let warp = fractal(u, v, 4, 5, 91);
    let vein = (fractal(u, v, 3, 5, 92) + 0.35 * warp - 0.68).abs();
    let thin = (fractal(u, v, 7, 4, 93) - 0.5).abs();
    let cut = (vein * 14.0).min(1.0) * (0.75 + 0.25 * (thin * 16.0).min(1.0));
    0.15 + 0.7 * cut + 0.15 * warp
}

/// Roof tiles in shifted rows, each round at its lower end.
pub fn tiles(u: f32, v: f32) -> f32 {
    let row = (v * 6.0).floor();
    let shift = if row as i32 % 2 == 0 { 0.0 } else { 0.5 };
    let along = u * 8.0 + shift;
    let (x, y) = (along.fract() - 0.5, (v * 6.0).fract());
    let tone = hash((along.floor() as i32).rem_euclid(8), row as i32, 101);
    let end = 1.0 - 0.9 * x * x * 2.0;
    if x.abs() > 0.46 || y > end {
        return 0.08;
    }
    0.35 + 0.3 * tone + 0.25 * y + 0.25 * (fractal(u, v, 24, 3, 102) - 0.5)
}

/// Clear ice with white cracks and bubbles.
pub fn ice(u: f32, v: f32) -> f32 {
    let cloud = fractal(u, v, 4, 5, 111);
    let crack = (fractal(u, v, 5, 4, 112) - 0.5).abs();
    let (bubble, size) = cells(u, v, 30, 113);
    let white = (1.0 - crack * 26.0).max(0.0) * 0.6;
    let bubbles = if size > 0.8 && bubble < 0.16 {
        0.5
    } else {
        0.0
    };
    0.15 + 0.4 * cloud + white + bubbles
}

/// Nine plies of two directions, which lie along v, dark where they are glued.
pub fn plywood(u: f32, v: f32) -> f32 {
    const PLIES: f32 = 9.0;
    let (ply, at) = ((u * PLIES).floor(), (u * PLIES).fract());
    if at.min(1.0 - at) < 0.06 {
        return 0.1 * fractal(u, v, 40, 2, 121);
    }
    // Along the face the grain is seen as lines, on its end as dots.
    let is_along = ply as i32 % 2 == 0;
    let grain = if is_along {
        fractal((u * 8.0).fract(), v, 6, 4, 122)
    } else {
        fractal(u, v, 90, 2, 123)
    };
    0.34 + 0.36 * f32::from(is_along) + 0.3 * (grain - 0.5)
}

/// Wood that has split along its fibres, which run along v and wave a little.
pub fn split_wood(u: f32, v: f32) -> f32 {
    let u = (u + 0.04 * fractal(u, v, 3, 2, 141)).fract();
    let fibres = stretched(u, v, [64, 2], 4, 142) - 0.5;
    let rings = stretched(u, v, [9, 1], 2, 143) - 0.5;
    0.5 + 0.9 * fibres + 0.5 * rings
}

/// Grains that glitter, as grey iron has where it breaks.
pub fn iron(u: f32, v: f32) -> f32 {
    let (grain, shade) = cells(u, v, 72, 131);
    0.25 + 0.45 * shade * (1.0 - grain) + 0.3 * fractal(u, v, 30, 3, 132)
}
