//! The scene of things that carry their own weight.

use crate::set::{Prop, Result, Set};
use fracture::Anchoring;

/// A thing that carries its own weight.
struct Thing {
    name: &'static str,
    model: &'static str,
    at: [f32; 3],
    /// Degrees.
    tilt: f32,
    /// Tensile strength, Pa.
    strength: f32,
    anchoring: Anchoring,
}

const THINGS: [Thing; 7] = [
    Thing {
        name: "Table",
        model: "table",
        at: [-4.0, 0.0, 0.0],
        tilt: 0.0,
        strength: 3e6,
        anchoring: Anchoring::Base,
    },
    Thing {
        name: "Long beam",
        model: "beam_long",
        at: [-1.5, 2.5, -2.0],
        tilt: 90.0,
        strength: 1e6,
        anchoring: Anchoring::Base,
    },
    Thing {
        name: "Short beam",
        model: "beam_short",
        at: [-0.5, 2.5, -2.0],
        tilt: 90.0,
        strength: 1e6,
        anchoring: Anchoring::Base,
    },
    Thing {
        name: "Bridge",
        model: "bridge",
        at: [4.0, 2.0, 0.0],
        tilt: 0.0,
        strength: 3e6,
        anchoring: Anchoring::Sides,
    },
    Thing {
        name: "Weak bridge",
        model: "bridge",
        at: [4.0, 2.0, -3.0],
        tilt: 0.0,
        strength: 4e5,
        anchoring: Anchoring::Sides,
    },
    Thing {
        name: "Pillar",
        model: "beam_long",
        at: [0.5, 0.0, 2.0],
        tilt: 0.0,
        strength: 2e5,
        anchoring: Anchoring::Base,
    },
    Thing {
        name: "Hollow",
        model: "hollow",
        at: [-2.0, 0.0, 2.0],
        tilt: 0.0,
        strength: 3e6,
        anchoring: Anchoring::Base,
    },
];

/// Things that carry their own weight, of stone that tears at 3 MPa and concrete at 1 MPa: a table,
/// two beams that stick out of a wall, a bridge, a pillar and a hollow block.
pub fn things(set: &mut Set) -> Result<()> {
    for thing in THINGS {
        let mut breaks = set.breaks("concrete", "concrete_cut")?;
        breaks.breaking.damage_threshold = 50.0.into();
        breaks.pieces.max_depth = 8.into();
        breaks.held.anchoring = thing.anchoring.into();
        breaks.held.depth = 0.02.into();
        breaks.strength.tensile_strength = thing.strength.into();
        breaks.strength.check_at_start = (thing.name != "Weak bridge").into();
        set.prop(Prop {
            name: thing.name,
            model: thing.model,
            material: "concrete",
            at: thing.at,
            tilt: thing.tilt,
            breaks: Some(breaks),
            ..Prop::default()
        })?;
    }
    Ok(())
}
