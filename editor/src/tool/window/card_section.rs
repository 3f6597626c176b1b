//! The section *Card* of the window: the card of the selected objects, and what differs from it.

use crate::tool::{ids, window::widgets::*};
use fracture::CardDifference;
use fyrox::{
    core::pool::Handle,
    gui::{
        button::Button,
        dropdown_list::DropdownList,
        text::{Text, TextMessage},
        BuildContext, UiNode, UserInterface,
    },
};
use std::path::{Path, PathBuf};

/// The first entry of the list of fields.
const ALL_FIELDS: &str = "all fields";
/// The first entry of the list of cards.
const NO_CARD: &str = "no card";

/// Widgets of cards.
pub struct CardSection {
    pub cards: Handle<DropdownList>,
    pub lay: Handle<Button>,
    pub save: Handle<Button>,
    pub fields: Handle<DropdownList>,
    pub take: Handle<Button>,
    text: Handle<Text>,
}

impl CardSection {
    pub fn new(ctx: &mut BuildContext) -> Self {
        Self {
            cards: list(
                ctx,
                ids::CARDS,
                &[NO_CARD],
                "The material: the card that Make Destructible and Lay Card give. Cards are the .card files of the \
                 project; they can be dragged from the asset browser onto nodes and onto this window, too.",
            ),
            lay: button(
                ctx,
                ids::LAY_CARD,
                "Lay Card",
                "Gives all selected objects this card. What was set on them of what cards have is forgotten. One \
                 step that can be undone.",
            ),
            save: button(
                ctx,
                ids::SAVE_CARD,
                "Save As Card",
                "Writes the figures that the object has now to data/cards under its name, as a card of your own, and \
                 gives it to the selected objects.",
            ),
            fields: list(
                ctx,
                ids::CARD_FIELDS,
                &[ALL_FIELDS],
                "The fields that are set on the object and differ from its card.",
            ),
            take: button(
                ctx,
                ids::TAKE_FROM_CARD,
                "Take From Card",
                "Forgets what is set on the selected objects of this field, or of all, so that the card's value \
                 counts again. One step that can be undone.",
            ),
            text: text(ctx, ids::CARD, ""),
        }
    }

    pub fn rows(&self, ctx: &mut BuildContext) -> Vec<Handle<UiNode>> {
        let buttons = wrap(ctx, &[self.lay, self.save]);
        let back = row(ctx, &[self.fields.to_base(), self.take.to_base()]);
        vec![self.cards.to_base(), buttons, self.text.to_base(), back]
    }

    /// Fills the list of cards.
    pub fn set_cards(&self, ui: &mut UserInterface, cards: &[PathBuf], chosen: Option<&Path>) {
        let names = cards.iter().map(|card| name_of(card));
        let names: Vec<String> = std::iter::once(NO_CARD.to_owned()).chain(names).collect();
        let at = cards.iter().position(|card| Some(card.as_path()) == chosen);
        fill(ui, self.cards, &names, Some(at.map_or(0, |at| at + 1)));
    }

    /// Shows the name of the card, and what differs from it.
    pub fn show(&self, ui: &mut UserInterface, label: &str, differences: &[CardDifference]) {
        let lines = differences
            .iter()
            .map(|one| format!("{}: {}; the card has {}", one.field, one.own, one.card));
        let lines: Vec<String> = std::iter::once(label.to_owned()).chain(lines).collect();
        ui.send_sync(self.text, TextMessage::Text(lines.join("\n")));
        let fields = differences.iter().map(|one| one.field.to_owned());
        let fields: Vec<String> = std::iter::once(ALL_FIELDS.to_owned())
            .chain(fields)
            .collect();
        fill(ui, self.fields, &fields, Some(0));
    }
}

/// The name of a card in lists: that of its file, without underscores.
fn name_of(card: &Path) -> String {
    let stem = card.file_stem().unwrap_or_default().to_string_lossy();
    stem.replace('_', " ")
}
