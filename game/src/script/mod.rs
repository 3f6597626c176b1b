//! The scripts and the enums of their fields that an artist sees in the editor, and their meaning to the
//! simulation.

pub(crate) mod anchor;
mod asset_state;
pub(crate) mod card_field_set;
pub(crate) mod card_fields;
mod card_file;
pub(crate) mod config;
pub(crate) mod debris_settings;
pub(crate) mod destructible;
pub(crate) mod embedded_save;
pub(crate) mod enums;
pub(crate) mod figures;
pub(crate) mod inbox;
pub(crate) mod material_card;
mod old_fields;
pub(crate) mod paint;
