//! Ids of widgets, by which tests find them.

use fyrox::core::{uuid, uuid::Uuid};

/// The menu entry that opens the window.
pub const MENU: Uuid = uuid!("5a3f7c10-0001-4c6e-9d55-6a1f0c7e2b01");
/// The window.
pub const WINDOW: Uuid = uuid!("5a3f7c10-0002-4c6e-9d55-6a1f0c7e2b01");
/// The selected object, or why it cannot break.
pub const STATUS: Uuid = uuid!("5a3f7c10-0003-4c6e-9d55-6a1f0c7e2b01");
/// Gives the selected nodes what they lack to break.
pub const ADD: Uuid = uuid!("5a3f7c10-0004-4c6e-9d55-6a1f0c7e2b01");
/// The type of the rigid bodies that they get.
pub const BODY_TYPE: Uuid = uuid!("5a3f7c10-002f-4c6e-9d55-6a1f0c7e2b01");
/// Name of the pattern.
pub const PATTERN: Uuid = uuid!("5a3f7c10-0005-4c6e-9d55-6a1f0c7e2b01");
/// Starts placing the impact.
pub const PLACE: Uuid = uuid!("5a3f7c10-0006-4c6e-9d55-6a1f0c7e2b01");
/// Energy of the impact.
pub const ENERGY: Uuid = uuid!("5a3f7c10-0007-4c6e-9d55-6a1f0c7e2b01");
/// The impact's point.
pub const IMPACT: Uuid = uuid!("5a3f7c10-0008-4c6e-9d55-6a1f0c7e2b01");
/// Breaks the object in the preview.
pub const STRIKE: Uuid = uuid!("5a3f7c10-0009-4c6e-9d55-6a1f0c7e2b01");
/// Starts or stops the physics.
pub const PLAY: Uuid = uuid!("5a3f7c10-000a-4c6e-9d55-6a1f0c7e2b01");
/// Runs the physics for a frame.
pub const STEP: Uuid = uuid!("5a3f7c10-000b-4c6e-9d55-6a1f0c7e2b01");
/// Rebuilds the preview.
pub const RESET: Uuid = uuid!("5a3f7c10-000c-4c6e-9d55-6a1f0c7e2b01");
/// Moves the pieces apart.
pub const EXPLODE: Uuid = uuid!("5a3f7c10-000d-4c6e-9d55-6a1f0c7e2b01");
/// Meaning of the colours.
pub const COLORS: Uuid = uuid!("5a3f7c10-000e-4c6e-9d55-6a1f0c7e2b01");
/// The preview.
pub const FRAME: Uuid = uuid!("5a3f7c10-000f-4c6e-9d55-6a1f0c7e2b01");
/// The figures.
pub const FIGURES: Uuid = uuid!("5a3f7c10-0010-4c6e-9d55-6a1f0c7e2b01");
/// Checks the mesh.
pub const CHECK: Uuid = uuid!("5a3f7c10-0011-4c6e-9d55-6a1f0c7e2b01");
/// Starts the sweep.
pub const SWEEP: Uuid = uuid!("5a3f7c10-0012-4c6e-9d55-6a1f0c7e2b01");
/// Cancels check or sweep.
pub const CANCEL: Uuid = uuid!("5a3f7c10-0013-4c6e-9d55-6a1f0c7e2b01");
/// Report of the check or sweep.
pub const REPORT: Uuid = uuid!("5a3f7c10-0014-4c6e-9d55-6a1f0c7e2b01");
/// Bakes the pieces.
pub const BAKE: Uuid = uuid!("5a3f7c10-0015-4c6e-9d55-6a1f0c7e2b01");
/// Saves the pattern as a file.
pub const SAVE: Uuid = uuid!("5a3f7c10-0016-4c6e-9d55-6a1f0c7e2b01");
/// Whether scenes are cooked when they are saved.
pub const COOK_ON_SAVE: Uuid = uuid!("5a3f7c10-0036-4c6e-9d55-6a1f0c7e2b01");
/// Choice of the second preview.
pub const COMPARE: Uuid = uuid!("5a3f7c10-0017-4c6e-9d55-6a1f0c7e2b01");
/// The other seed.
pub const OTHER_SEED: Uuid = uuid!("5a3f7c10-0018-4c6e-9d55-6a1f0c7e2b01");
/// The second preview.
pub const OTHER_FRAME: Uuid = uuid!("5a3f7c10-0019-4c6e-9d55-6a1f0c7e2b01");
/// Figures of the second preview.
pub const OTHER_FIGURES: Uuid = uuid!("5a3f7c10-001a-4c6e-9d55-6a1f0c7e2b01");
/// Legend of the charts.
pub const LEGEND: Uuid = uuid!("5a3f7c10-001b-4c6e-9d55-6a1f0c7e2b01");
/// Legend of the bar below the charts.
pub const SHARE: Uuid = uuid!("5a3f7c10-001c-4c6e-9d55-6a1f0c7e2b01");
/// Cancels the break that is being computed.
pub const GIVE_UP: Uuid = uuid!("5a3f7c10-001d-4c6e-9d55-6a1f0c7e2b01");
/// The script's fields.
pub const SCRIPT: Uuid = uuid!("5a3f7c10-001e-4c6e-9d55-6a1f0c7e2b01");
/// Reads the cells of a stencil from its file.
pub const READ_STENCIL: Uuid = uuid!("5a3f7c10-0037-4c6e-9d55-6a1f0c7e2b01");
/// The pattern's fields.
pub const RECIPE: Uuid = uuid!("5a3f7c10-001f-4c6e-9d55-6a1f0c7e2b01");

/// Shows the whole object in the preview.
pub const FIT: Uuid = uuid!("5a3f7c10-0021-4c6e-9d55-6a1f0c7e2b01");
/// The text over the preview about the work under way.
pub const NOTICE: Uuid = uuid!("5a3f7c10-0022-4c6e-9d55-6a1f0c7e2b01");

/// Looks at the structure of the scene.
pub const CERTIFY: Uuid = uuid!("5a3f7c10-0023-4c6e-9d55-6a1f0c7e2b01");
/// Takes out each object in turn.
pub const TAKE_OUT: Uuid = uuid!("5a3f7c10-0024-4c6e-9d55-6a1f0c7e2b01");
/// The cards of the project.
pub const CARDS: Uuid = uuid!("5a3f7c10-0030-4c6e-9d55-6a1f0c7e2b01");
/// Lays the chosen card on the selected objects.
pub const LAY_CARD: Uuid = uuid!("5a3f7c10-0031-4c6e-9d55-6a1f0c7e2b01");
/// Saves the figures of an object as a card.
pub const SAVE_CARD: Uuid = uuid!("5a3f7c10-0032-4c6e-9d55-6a1f0c7e2b01");
/// The fields that differ from the card.
pub const CARD_FIELDS: Uuid = uuid!("5a3f7c10-0033-4c6e-9d55-6a1f0c7e2b01");
/// Takes them from the card again.
pub const TAKE_FROM_CARD: Uuid = uuid!("5a3f7c10-0034-4c6e-9d55-6a1f0c7e2b01");
/// The card of the selected object, and what differs from it.
pub const CARD: Uuid = uuid!("5a3f7c10-0035-4c6e-9d55-6a1f0c7e2b01");
/// Cancels either.
pub const CANCEL_STRUCTURE: Uuid = uuid!("5a3f7c10-0025-4c6e-9d55-6a1f0c7e2b01");
/// Takes the colours away.
pub const CLEAR_STRUCTURE: Uuid = uuid!("5a3f7c10-0026-4c6e-9d55-6a1f0c7e2b01");
/// The findings of the scene.
pub const STRUCTURE: Uuid = uuid!("5a3f7c10-0027-4c6e-9d55-6a1f0c7e2b01");
/// The findings of an object.
pub const STRUCTURE_OBJECT: Uuid = uuid!("5a3f7c10-0028-4c6e-9d55-6a1f0c7e2b01");
/// Title of the list of the worst removals.
pub const WORST_TITLE: Uuid = uuid!("5a3f7c10-0029-4c6e-9d55-6a1f0c7e2b01");

/// A row of the list of problems of the structure.
pub fn structure_problem(row: usize) -> Uuid {
    Uuid::from_u64_pair(0x5a3f_7c10_002a_4c6e, row as u64)
}

/// A row of the list of the worst removals.
pub fn worst_removal(row: usize) -> Uuid {
    Uuid::from_u64_pair(0x5a3f_7c10_002b_4c6e, row as u64)
}

/// The button of a preset.
pub fn preset(name: &str) -> Uuid {
    let name = name.bytes().fold(0u64, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(byte.into())
    });
    Uuid::from_u64_pair(0x5a3f_7c10_0020_4c6e, name)
}
