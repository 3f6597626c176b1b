//! A picture of where a wall is weak, and walls with and without it.

use crate::props::{foundation, wall_on_foundation};
use crate::set::{Result, Set};
use crate::textures::write_grey;
use fracture::{Anchoring, WeaknessMapping};
use std::path::Path;

/// Pixels of the picture, 100 a metre of a wall of 4 by 2.4 m.
const PIXELS: [usize; 2] = [400, 240];

/// Half of the width of the door, and the height at which its arch begins, metres.
const HALF_WIDTH: f32 = 0.5;
const SHAFT: f32 = 1.4;

/// Width of the border between black and white, metres.
const BORDER: f32 = 0.04;

/// Writes the picture, `weak_door.png`: a door with a round arch, in the middle.
pub fn write_picture(folder: &Path) -> Result<()> {
    let [width, height] = PIXELS;
    let pixel = |at: usize| {
        let metres = |pixels: usize| (pixels as f32 + 0.5) / 100.0;
        let across = metres(at % width) - 0.5 * metres(width);
        let up = metres(height - 1 - at / width);
        let from_middle = across.hypot((up - SHAFT).max(0.0));
        let white = ((from_middle - HALF_WIDTH) / BORDER).clamp(0.0, 1.0);
        (255.0 * white) as u8
    };
    write_grey(&folder.join("weak_door.png"), PIXELS, pixel)
}

/// Two concrete walls, of which the right one is weak where the picture is dark.
pub fn walls(set: &mut Set) -> Result<()> {
    for (name, x) in [("Firm", -2.4), ("Door", 2.4)] {
        foundation(set, [x, 0.0, 0.0], 0.0)?;
        let mut breaks = set.of_card("concrete")?;
        breaks.held.anchoring = Anchoring::Base.into();
        if name == "Door" {
            breaks.breaking.weakness_map = Some(set.resource("textures/weak_door.png")?).into();
            breaks.breaking.weakness_mapping = WeaknessMapping::BroadSide.into();
        }
        wall_on_foundation(set, name, [x, 0.0, 0.0], 0.0, breaks)?;
    }
    Ok(())
}
