//! Reads a texture of the engine as a picture in grey.

use fyrox::resource::texture::{Texture, TextureKind, TexturePixelKind};

/// The pixels of a picture in grey.
pub(crate) struct GreyPixels {
    pub width: usize,
    pub height: usize,
    /// Row by row: 0 is black, 1 white. What is transparent is as on white paper.
    pub brightness: Vec<f32>,
}

impl GreyPixels {
    /// Reads a texture; `None` for one that is no picture, or is compressed.
    pub fn of(texture: &Texture) -> Option<Self> {
        let TextureKind::Rectangle { width, height } = texture.kind() else {
            return None;
        };
        let (width, height) = (width as usize, height as usize);
        let (channels, bytes) = channels_and_bytes(texture.pixel_kind())?;
        let pixels = texture.data().chunks_exact(channels * bytes);
        let brightness = pixels.take(width * height).map(|pixel| {
            let byte = |channel: usize| pixel.get(channel * bytes + bytes - 1).copied();
            let number = |channel: usize| f32::from(byte(channel).unwrap_or(u8::MAX)) / 255.0;
            let (value, alpha) = match channels {
                1 => (number(0), 1.0),
                2 => (number(0), number(1)),
                _ => (grey([0, 1, 2].map(number)), number(3)),
            };
            1.0 - alpha * (1.0 - value)
        });
        Some(Self {
            width,
            height,
            brightness: brightness.collect(),
        })
    }

    /// Whether a texture can be read.
    pub fn can_read(texture: &Texture) -> bool {
        matches!(texture.kind(), TextureKind::Rectangle { .. })
            && channels_and_bytes(texture.pixel_kind()).is_some()
    }

    /// The brightness at texture coordinates; the picture is repeated.
    pub fn at(&self, [u, v]: [f64; 2]) -> f32 {
        let index = |along: f64, count: usize| {
            let index = ((along - along.floor()) * count as f64) as usize;
            index.min(count.saturating_sub(1))
        };
        let pixel = index(v, self.height) * self.width + index(u, self.width);
        self.brightness.get(pixel).copied().unwrap_or(1.0)
    }
}

/// The brightness of a colour. Red and blue are weighed alike, in whichever order they are.
pub(crate) fn grey([red, green, blue]: [f32; 3]) -> f32 {
    0.2 * red + 0.6 * green + 0.2 * blue
}

/// How many numbers a pixel has, and bytes a number: of those with 16 bits the second is the upper one.
fn channels_and_bytes(kind: TexturePixelKind) -> Option<(usize, usize)> {
    Some(match kind {
        TexturePixelKind::R8 | TexturePixelKind::Luminance8 => (1, 1),
        TexturePixelKind::RG8 | TexturePixelKind::LuminanceAlpha8 => (2, 1),
        TexturePixelKind::RGB8 | TexturePixelKind::BGR8 => (3, 1),
        TexturePixelKind::RGBA8 | TexturePixelKind::BGRA8 => (4, 1),
        TexturePixelKind::R16 | TexturePixelKind::Luminance16 => (1, 2),
        TexturePixelKind::RG16 | TexturePixelKind::LuminanceAlpha16 => (2, 2),
        TexturePixelKind::RGB16 => (3, 2),
        TexturePixelKind::RGBA16 => (4, 2),
        _ => return None,
    })
}
