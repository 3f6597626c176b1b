//! Texture files: paletted colours and normal maps as PNG.

use crate::texture::{Texture, COLOR_SIDE, NORMAL_SIDE, TEXTURES};
use png::{BitDepth, ColorType, Compression, Encoder};
use std::error::Error;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

/// Writes `<name>.png` and `<name>_normal.png` for every texture.
pub fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for texture in TEXTURES {
        write_colors(&folder.join(format!("{}.png", texture.name)), texture)?;
        write_normals(
            &folder.join(format!("{}_normal.png", texture.name)),
            texture,
        )?;
        println!("{}.png", texture.name);
    }
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
