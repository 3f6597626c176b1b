//! Cards: laying them on objects, the way back to their values, and cards of one's own.

use super::{
    background::take_result,
    new_file::save_new,
    selection::{with_graph, with_scene},
    Session,
};
use crate::commands::{lay_card, take_from_card};
use fracture::{
    card_differences, effective_script, show_card_figures, Destructible, MaterialCard,
    MaterialCardResource,
};
use fyrox::{
    asset::state::ResourceState, core::pool::Handle, graph::SceneGraph, scene::node::Node,
};
use fyroxed_base::{scene::GameScene, Editor};

/// The folder of new cards.
const CARDS: &str = "data/cards";

/// Fills the list of cards once they have been found.
pub(super) fn list_cards(session: &mut Session, editor: &mut Editor) {
    if let Some(files) = take_result(&mut session.cards.search) {
        let chosen = session.remembered.card.as_deref();
        let ui = editor.engine.user_interfaces.first_mut();
        session.window.card.set_cards(ui, &files, chosen);
        session.cards.files = files;
    }
}

/// Writes the figures of the card into the fields of the shown script that are not set, for the inspectors.
pub(super) fn show_figures(session: &Session, editor: &mut Editor) {
    let entry = editor.scenes.current_scene_entry_ref();
    let game_scene = entry.controller.downcast_ref::<GameScene>();
    let (Some(game_scene), Some(main)) = (game_scene, session.selection.main) else {
        return;
    };
    if let Ok(scene) = editor.engine.scenes.try_get_mut(game_scene.scene) {
        show_card_figures(&mut scene.graph, main);
    }
}

/// Shows the card of the selected object, and what differs from it.
pub(super) fn show_card(session: &mut Session, editor: &mut Editor) {
    let main = session.selection.main;
    let found = with_scene(editor, |graph| {
        let node = main?;
        let script = graph.try_get_script_of::<Destructible>(node).ok()?;
        Some((script.card.clone_inner(), card_differences(graph, node)))
    });
    let (card, differences) = found.flatten().unwrap_or_default();
    let label = match &card {
        None => "No card: the fields below are all there is.".into(),
        Some(card) => label(card, editor),
    };
    if label != session.cards.label || differences != session.cards.differences {
        let ui = editor.engine.user_interfaces.first_mut();
        session.window.card.show(ui, &label, &differences);
        (session.cards.label, session.cards.differences) = (label, differences);
        session.cards.field = None;
    }
}

/// The card that is chosen.
pub(super) fn chosen_card(session: &Session, editor: &Editor) -> Option<MaterialCardResource> {
    let file = session.remembered.card.as_ref()?;
    Some(editor.engine.resource_manager.request::<MaterialCard>(file))
}

/// Gives nodes a card, and the script to those that lack it.
pub(super) fn lay(nodes: &[Handle<Node>], card: Option<MaterialCardResource>, editor: &Editor) {
    with_graph(editor, |graph| lay_card(graph, nodes, card.as_ref()));
}

/// Gives the selected nodes the card that is chosen.
pub(super) fn lay_chosen(session: &Session, editor: &Editor) {
    let card = chosen_card(session, editor);
    lay(&session.selection.nodes, card, editor);
}

/// Gives the chosen field of the selected scripts, or all that differ, the value of the card again.
pub(super) fn take_back(session: &Session, editor: &Editor) {
    let names = session.cards.differences.iter().map(|one| one.field);
    let fields: Vec<_> = match session.cards.field {
        Some(field) => vec![field],
        None => names.collect(),
    };
    with_graph(editor, |graph| {
        take_from_card(graph, &session.selection.nodes, &fields)
    });
}

/// Writes the figures of the shown object to a new card, and gives it to the selected objects.
pub(super) fn save_card(session: &mut Session, editor: &mut Editor) {
    let found = with_scene(editor, |graph| {
        let main = session.selection.main?;
        let script = effective_script(graph, main)?;
        Some((graph.try_get_node(main).ok()?.name_owned(), script))
    });
    let Some((name, script)) = found.flatten() else {
        return session.report(editor, "Select an object that has the script Destructible.");
    };
    // The card is locked here only: what registers the new one locks all others.
    let copied = |card: &MaterialCardResource| card.data_ref().as_loaded_ref().cloned();
    let base = script.card.as_ref().and_then(copied).unwrap_or_default();
    let card = MaterialCard {
        source: base.source,
        friction: base.friction,
        restitution: base.restitution,
        ..MaterialCard::of_figures(&script)
    };
    if let Some(card) = save_new(session, card, CARDS, &name, "card", editor) {
        lay(&session.selection.nodes, Some(card), editor);
        session.cards.start_search();
    }
}

/// The file of a card, or why it cannot be used.
fn label(card: &MaterialCardResource, editor: &Editor) -> String {
    let path = editor.engine.resource_manager.resource_path(card.as_ref());
    let file = path.map_or_else(|| "A card".into(), |path| path.display().to_string());
    match &card.header().state {
        ResourceState::Ok { .. } => file,
        ResourceState::LoadError { error, .. } => {
            format!("{file} cannot be loaded: {error}. Lay another card on the object.")
        }
        ResourceState::Pending { .. } | ResourceState::Unloaded => format!("{file} is loading."),
    }
}
