//! The colours of objects by what was found of them.

use super::findings::{Findings, ObjectFinding};
use fracture::certificate::Removal;
use fyrox::core::color::{Color, Hsv};

/// Comes down, or floats.
pub const COMES_DOWN: Color = Color::opaque(190, 70, 255);
/// Is taken out.
pub const TAKEN_OUT: Color = Color::opaque(60, 140, 255);
/// Has no strength that its load could be compared with.
pub const NO_STRENGTH: Color = Color::opaque(150, 155, 160);
/// Stands while another one is taken out.
const STANDS: Color = Color::opaque(110, 114, 118);
/// Number of distinct colours from green to red.
const SHADES: f32 = 24.0;

/// The colour of a utilisation: green at 0, yellow at a half, red from 1 on.
pub fn heat(utilisation: f32) -> Color {
    let share = if utilisation.is_nan() {
        1.0
    } else {
        utilisation.clamp(0.0, 1.0)
    };
    let share = (share * SHADES).round() / SHADES;
    Color::from(Hsv::new(120.0 * (1.0 - share), 85.0, 92.0))
}

/// The colour of an object: of how much it is used, or, while one is taken out, of what becomes of it.
pub(super) fn color(object: &ObjectFinding, taken_out: Option<&Removal>) -> Color {
    let body = object.member.body;
    match taken_out {
        Some(removal) if removal.removed == body => TAKEN_OUT,
        Some(removal) if removal.falls.iter().any(|fall| fall.body == body) => COMES_DOWN,
        _ if !object.stands() => COMES_DOWN,
        Some(_) => STANDS,
        None => object.utilisation().map_or(NO_STRENGTH, heat),
    }
}

/// The mesh nodes of all objects with their colours.
pub(super) fn paint(
    findings: &Findings,
    taken_out: Option<&Removal>,
) -> Vec<(fyrox::core::pool::Handle<fyrox::scene::node::Node>, Color)> {
    let of_object = |object: &ObjectFinding| {
        let color = color(object, taken_out);
        let meshes = object.meshes.iter();
        meshes.map(|mesh| (*mesh, color)).collect::<Vec<_>>()
    };
    findings.objects.iter().flat_map(of_object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_green_to_red_and_no_further() {
        let [low, middle, high] = [0.0, 0.5, 1.0].map(heat);
        assert!(low.g > 200 && low.r < 60, "{low:?}");
        assert!(middle.g > 200 && middle.r > 200, "{middle:?}");
        assert!(high.r > 200 && high.g < 60, "{high:?}");
        for odd in [7.0, f32::INFINITY, f32::NAN] {
            assert_eq!(heat(odd), high);
        }
        assert_eq!(heat(-1.0), low);
    }
}
