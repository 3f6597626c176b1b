//! Pictures of dust and marks that are made by the program.

use fyrox::{
    asset::untyped::ResourceKind,
    core::Uuid,
    resource::texture::{
        Texture, TextureKind, TextureMinificationFilter, TexturePixelKind, TextureResource,
    },
};

/// Side of a picture, pixels.
const SIDE: usize = 64;

/// The places of all texels, -1 to 1.
pub(super) fn texels() -> impl Iterator<Item = [f32; 2]> {
    let at = |k: usize| (k as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
    (0..SIDE * SIDE).map(move |k| [at(k % SIDE), at(k / SIDE)])
}

/// A texture of a picture's bytes; `None` if there are too many or too few.
pub(super) fn square_texture(kind: TexturePixelKind, bytes: Vec<u8>) -> Option<TextureResource> {
    let side = SIDE as u32;
    let size = TextureKind::Rectangle {
        width: side,
        height: side,
    };
    let mut texture = Texture::from_bytes(size, kind, bytes)?;
    // It has no smaller copies. At the silhouette of what a decal is on, places in the picture are far apart from pixel to pixel,
    // and anisotropic filters that renderers in software have look at all that is between them: for minutes.
    texture.set_anisotropy_level(1.0);
    texture.set_minification_filter(TextureMinificationFilter::Linear);
    Some(TextureResource::new_ok(
        Uuid::new_v4(),
        ResourceKind::Embedded,
        texture,
    ))
}

/// Smooth noise from 0 to 1, one lump to a unit.
pub(super) fn lumps(x: f32, y: f32) -> f32 {
    let corner = |x: f32, y: f32| {
        let mixed = (x as i32 as u32).wrapping_mul(0x9e37_79b9)
            ^ (y as i32 as u32).wrapping_mul(0x85eb_ca6b);
        ((mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d) >> 16) as f32 / 65_535.0
    };
    let (left, low) = (x.floor(), y.floor());
    let (across, up) = (smooth(x - left), smooth(y - low));
    let row = |y: f32| corner(left, y) + (corner(left + 1.0, y) - corner(left, y)) * across;
    row(low) + (row(low + 1.0) - row(low)) * up
}

/// A smooth step from 0 to 1.
pub(super) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mark at the edge of a wall held a renderer in software up for minutes.
    #[test]
    fn pictures_without_smaller_copies_have_no_anisotropy() {
        let bytes = texels().flat_map(|_| [255; 4]).collect();
        let texture = square_texture(TexturePixelKind::RGBA8, bytes).unwrap();
        let texture = texture.data_ref();
        assert_eq!(texture.anisotropy_level(), 1.0);
        assert_eq!(
            texture.minification_filter(),
            TextureMinificationFilter::Linear
        );
        assert!(square_texture(TexturePixelKind::RGBA8, vec![0; 5]).is_none());
    }
}
