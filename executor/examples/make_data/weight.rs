//! The scene of things that carry their own weight.

use crate::set::{Prop, Result, Set};
use fracture::Anchoring;

/// Things that carry their own weight, of stone that tears at 3 MPa and concrete at 1 MPa: a table,
/// two beams that stick out of a wall, a bridge, a pillar and a hollow block.
pub fn things(set: &mut Set) -> Result<()> {
    let things = [
        (
            "Table",
            "table",
            [-4.0, 0.0, 0.0],
            0.0,
            3e6,
            Anchoring::Base,
        ),
        (
            "Long beam",
            "beam_long",
            [-1.5, 2.5, -2.0],
            90.0,
            1e6,
            Anchoring::Base,
        ),
        (
            "Short beam",
            "beam_short",
            [-0.5, 2.5, -2.0],
            90.0,
            1e6,
            Anchoring::Base,
        ),
        (
            "Bridge",
            "bridge",
            [4.0, 2.0, 0.0],
            0.0,
            3e6,
            Anchoring::Sides,
        ),
        (
            "Weak bridge",
            "bridge",
            [4.0, 2.0, -3.0],
            0.0,
            4e5,
            Anchoring::Sides,
        ),
        (
            "Pillar",
            "beam_long",
            [0.5, 0.0, 2.0],
            0.0,
            2e5,
            Anchoring::Base,
        ),
        (
            "Hollow",
            "hollow",
            [-2.0, 0.0, 2.0],
            0.0,
            3e6,
            Anchoring::Base,
        ),
    ];
    for (name, model, at, tilt, strength, anchoring) in things {
        let mut breaks = set.breaks("concrete", "concrete_cut")?;
        breaks.breaking.damage_threshold = 50.0.into();
        breaks.pieces.max_depth = 8.into();
        breaks.held.anchoring = anchoring.into();
        breaks.held.depth = 0.02.into();
        breaks.strength.tensile_strength = strength.into();
        breaks.strength.check_at_start = (name != "Weak bridge").into();
        set.prop(Prop {
            name,
            model,
            material: "concrete",
            at,
            tilt,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}
