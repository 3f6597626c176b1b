//! The colours of objects by what was found of them.

use super::findings::{Findings, ObjectFinding};
use fracture::certificate::Removal;
use fyrox::core::color::{Color, Hsv};

/// Comes down as a whole, or floats; what comes down in part is mixed with this by its share.
pub const COMES_DOWN: Color = Color::opaque(190, 70, 255);
/// Is taken out.
pub const TAKEN_OUT: Color = Color::opaque(60, 140, 255);
/// Has no strength that its load could be compared with.
pub const NO_STRENGTH: Color = Color::opaque(150, 155, 160);
/// Stands while another one is taken out.
const STANDS: Color = Color::opaque(110, 114, 118);
/// Least part of [`COMES_DOWN`] in the colour of what comes down in part, so that it is seen.
const LEAST_MIX: f32 = 0.25;
/// Number of distinct colours from green to red, and of mixtures.
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
    let standing = match taken_out {
        Some(removal) if removal.removed == body => return TAKEN_OUT,
        Some(_) => STANDS,
        None => object.utilisation().map_or(NO_STRENGTH, heat),
    };
    let falls = taken_out.map_or(&[][..], |removal| &removal.falls);
    let share = falls.iter().find(|fall| fall.body == body);
    let share = share.map_or(object.member.falls, |fall| fall.share);
    let share = if object.floats() { 1.0 } else { share as f32 };
    mix(standing, share)
}

/// The colour of what is coloured otherwise and of which a share comes down.
fn mix(standing: Color, share: f32) -> Color {
    if share <= 0.0 {
        return standing;
    }
    let part = LEAST_MIX + (1.0 - LEAST_MIX) * share.min(1.0);
    standing.lerp(COMES_DOWN, (part * SHADES).round() / SHADES)
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
    fn what_comes_down_in_part_is_coloured_by_its_share() {
        assert_eq!(mix(STANDS, 0.0), STANDS);
        assert_eq!(mix(STANDS, 1.0), COMES_DOWN);
        let reds = [0.01, 0.5, 0.9].map(|share| mix(STANDS, share).r);
        assert!(STANDS.r < reds[0] && reds.is_sorted() && reds[2] < COMES_DOWN.r);
    }

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
