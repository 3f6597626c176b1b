//! The sky: six small pictures of a summer afternoon around the scene. Small, because all light that
//! does not come from the sun is computed from them when a scene opens.

use crate::noise::hash;
use crate::vector::{add, dot, mix, normalize, scale, Vec3};
use png::{ColorType, Compression, Encoder};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Side of a picture in texels.
const SIDE: u32 = 96;
const ZENITH: Vec3 = [66.0, 108.0, 166.0];
const HORIZON: Vec3 = [178.0, 192.0, 204.0];
const GROUND: Vec3 = [112.0, 104.0, 96.0];
const CLOUD: Vec3 = [222.0, 222.0, 222.0];
const GLOW: Vec3 = [255.0, 240.0, 210.0];
/// Where the sun is.
pub const SUN: Vec3 = [-0.48, 0.72, 0.5];

/// The sides as the engine names them: where the middle, the right and the lower edge lie.
pub const SIDES: [(&str, [Vec3; 3]); 6] = [
    (
        "left",
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
    ),
    (
        "right",
        [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
    ),
    ("top", [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "bottom",
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    ),
    (
        "front",
        [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    ),
    (
        "back",
        [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    ),
];

/// Writes `sky_<side>.png` for each side.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    for (name, axes) in SIDES {
        let file = BufWriter::new(File::create(folder.join(format!("sky_{name}.png")))?);
        let mut encoder = Encoder::new(file, SIDE, SIDE);
        encoder.set_color(ColorType::Rgb);
        encoder.set_compression(Compression::High);
        encoder.write_header()?.write_image_data(&pixels(axes))?;
    }
    Ok(())
}

fn pixels([middle, right, down]: [Vec3; 3]) -> Vec<u8> {
    // Outermost texels lie on the edges, so that neighbours have the same: no seam is seen.
    let at = |k: u32| k as f32 / (SIDE - 1) as f32 * 2.0 - 1.0;
    let texels = (0..SIDE * SIDE).map(|k| (at(k % SIDE), at(k / SIDE)));
    texels
        .flat_map(|(x, y)| {
            let way = add(middle, add(scale(right, x), scale(down, y)));
            color(normalize(way)).map(|value| value.clamp(0.0, 255.0) as u8)
        })
        .collect()
}

fn color(way: Vec3) -> Vec3 {
    let up = way[1];
    if up < 0.0 {
        return blend(HORIZON, GROUND, (-up * 12.0).min(1.0));
    }
    let sky = blend(HORIZON, ZENITH, up.sqrt().min(1.0));
    let toward = dot(way, normalize(SUN)).max(0.0);
    let sky = blend(sky, GLOW, 0.5 * toward.powi(8) + 0.5 * toward.powi(64));
    // Clouds lie on a plane overhead, so that they get smaller towards the horizon.
    let (x, z) = (way[0] / (up + 0.15), way[2] / (up + 0.15));
    let cover = (fractal(x * 1.3, z * 1.3) - 0.52) * 3.0;
    let fade = (up * 5.0).min(1.0);
    blend(sky, CLOUD, cover.clamp(0.0, 0.8) * fade)
}

fn blend(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    [0, 1, 2].map(|k| mix(a[k], b[k], t))
}

/// Octaves of value noise on the whole plane.
fn fractal(x: f32, z: f32) -> f32 {
    let (mut sum, mut total, mut strength, mut wave) = (0.0, 0.0, 1.0, 1.0);
    for octave in 0..5 {
        sum += strength * value(x * wave, z * wave, 121 + octave);
        total += strength;
        (strength, wave) = (strength * 0.5, wave * 2.1);
    }
    sum / total
}

fn value(x: f32, z: f32, seed: u32) -> f32 {
    let (ix, iz) = (x.floor() as i32, z.floor() as i32);
    let ease = |t: f32| t * t * (3.0 - 2.0 * t);
    let (fx, fz) = (ease(x - x.floor()), ease(z - z.floor()));
    let at = |dx: i32, dz: i32| hash(ix + dx, iz + dz, seed);
    let near = mix(at(0, 0), at(1, 0), fx);
    let far = mix(at(0, 1), at(1, 1), fx);
    mix(near, far, fz)
}
