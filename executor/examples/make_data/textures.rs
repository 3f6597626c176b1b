//! Texture files: paletted colours and normal maps as PNG.

use crate::sky;
use crate::texture::{Texture, COLOR_SIDE, NORMAL_SIDE, TEXTURES};
use png::{BitDepth, ColorType, Compression, Encoder};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// How rough a surface can be, 255 is dull, by the name of its texture.
const ROUGHNESSES: &[(&str, u8)] = &[("polished", 46), ("satin", 120)];

/// Writes `<name>.png` and `<name>_normal.png` for every texture, and those of the sky.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for texture in TEXTURES {
        write_colors(&folder.join(format!("{}.png", texture.name)), texture)?;
        if texture.relief > 0.0 {
            let path = folder.join(format!("{}_normal.png", texture.name));
            write_normals(&path, texture)?;
        }
        println!("{}.png", texture.name);
    }
    for (name, roughness) in ROUGHNESSES {
        let path = folder.join(name).with_extension("png");
        write_grey(&path, [4; 2], |_| *roughness)?;
    }
    sky::write(folder)
}

/// Writes a picture in grey, of so many pixels across and down: 0 is black.
pub fn write_grey(
    path: &Path,
    [width, height]: [usize; 2],
    pixel: impl Fn(usize) -> u8,
) -> Result<(), Box<dyn Error>> {
    let pixels: Vec<u8> = (0..width * height).map(pixel).collect();
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = Encoder::new(file, width as u32, height as u32);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_compression(Compression::High);
    encoder.write_header()?.write_image_data(&pixels)?;
    println!("{}", path.file_name().unwrap_or_default().display());
    Ok(())
}

fn write_colors(path: &Path, texture: &Texture) -> Result<(), Box<dyn Error>> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = Encoder::new(file, COLOR_SIDE, COLOR_SIDE);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_palette(texture.palette());
    encoder
        .write_header()?
        .write_image_data(&texture.indices())?;
    Ok(())
}

fn write_normals(path: &Path, texture: &Texture) -> Result<(), Box<dyn Error>> {
    let file = BufWriter::new(File::create(path)?);
    let mut encoder = Encoder::new(file, NORMAL_SIDE, NORMAL_SIDE);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder
        .write_header()?
        .write_image_data(&texture.normals())?;
    Ok(())
}
