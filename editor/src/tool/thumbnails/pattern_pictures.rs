//! Thumbnails of patterns: the cells on a slab that is struck in its middle.

use super::pictures::{fill, Pictured, Pictures, SIDE};
use fracture::{FracturePattern, FracturePatternResource};
use fyrox::{
    core::{color::Color, color::Hsv, log::Log},
    resource::texture::TextureResource,
};
use std::thread;

/// Colour of the edges between cells.
const EDGE: [u8; 4] = [24, 24, 28, 255];
/// Colour of a pattern that cannot be built.
const FAULTY: [u8; 4] = [150, 40, 40, 255];

impl Pictured for FracturePattern {
    fn pattern(&self) -> Option<&FracturePatternResource> {
        None // it is one itself
    }
}

/// Draws the thumbnails whose patterns have changed, each on a thread of its own.
pub fn refresh(pictures: &Pictures<FracturePattern>) {
    for (pattern, texture) in pictures.take_changed() {
        draw_beside(&pattern, texture);
    }
}

fn draw_beside(pattern: &FracturePatternResource, texture: TextureResource) {
    let Some(pattern) = pattern.data_ref().as_loaded_ref().cloned() else {
        return;
    };
    let thread = thread::Builder::new().name("fracture thumbnail".into());
    if let Err(error) = thread.spawn(move || fill(&texture, &draw(&pattern))) {
        Log::warn(format!("A thumbnail cannot be drawn: {error}."));
    }
}

/// Returns the pixels of a pattern: a colour per cell, dark edges between cells.
fn draw(pattern: &FracturePattern) -> Vec<u8> {
    let Ok(cells) = pattern.picture(SIDE) else {
        return FAULTY.repeat(SIDE * SIDE);
    };
    let pixel = |at: usize| {
        let cell = cells.get(at);
        let is_last = at % SIDE == SIDE - 1;
        let right = if is_last { cell } else { cells.get(at + 1) };
        let below = cells.get(at + SIDE).or(cell);
        match cell {
            Some(cell) if right == Some(cell) && below == Some(cell) => shade(*cell),
            _ => EDGE,
        }
    };
    (0..SIDE * SIDE).flat_map(pixel).collect()
}

/// Returns a warm grey that differs between neighbouring numbers.
fn shade(cell: u32) -> [u8; 4] {
    let step = |by: f32| (cell as f32 * by).fract();
    let color = Color::from(Hsv::new(
        25.0 + 20.0 * step(0.618),
        15.0 + 20.0 * step(0.414),
        60.0 + 30.0 * step(0.732),
    ));
    [color.r, color.g, color.b, 255]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fracture::PRESETS;

    #[test]
    fn thumbnails_show_cells_and_edges_and_what_is_faulty() {
        for (name, make) in PRESETS {
            let pixels = draw(&make());
            assert_eq!(pixels.len(), SIDE * SIDE * 4);
            let edges = pixels.chunks(4).filter(|pixel| *pixel == EDGE).count();
            assert!((100..SIDE * SIDE / 2).contains(&edges), "{name}: {edges}");
        }
        let faulty = FracturePattern {
            cells: 0,
            ..Default::default()
        };
        assert!(draw(&faulty).chunks(4).all(|pixel| pixel == FAULTY));
    }
}
