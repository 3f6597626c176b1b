//! Embeds a save of the broken objects in a scene, so that the engine's own saving keeps it, and restores
//! it when the scene is loaded.

use crate::{
    destruction::Destruction,
    fault::{FaultLog, MODULE},
    save::EmbeddedSaves,
    script::embedded_save::{EmbeddedSave, SaveBytes},
    swap,
};
use fyrox::{
    graph::SceneGraph,
    scene::{graph::Graph, node::Node},
};

/// Name of the node with the script [`EmbeddedSave`].
const NODE_NAME: &str = "embedded save";

/// Fault of a scene with pieces, but without a save.
const PIECES_WITHOUT_SAVE: &str = "the scene was saved in the middle of destruction, and its pieces cannot move or break; call Destruction::embed_save before the scene is saved";

/// Embeds a save of the broken objects in the scene.
pub(crate) fn embed_save(destruction: &mut Destruction, graph: &mut Graph, save: Vec<u8>) {
    clear_embedded_save(&mut destruction.saves, graph);
    let mut embedded = EmbeddedSave {
        save: SaveBytes(save),
        ..EmbeddedSave::default()
    };
    for object in destruction.objects.values() {
        embedded.undrawn.extend_from_slice(&object.undrawn);
        let Some(live) = object.live() else {
            continue;
        };
        embedded.disabled.extend(&live.replaced.disabled);
        embedded.hidden.extend(&live.replaced.hidden);
        let start = object.start.as_ref().filter(|_| live.dynamic);
        embedded
            .starts
            .extend(start.map(|start| start.body.clone()));
    }
    embedded
        .attachments
        .extend(destruction.attachments.homes().cloned());
    destruction.saves.node = swap::add_script(graph, NODE_NAME, embedded);
}

/// Removes the node of an embedded save: the scene changes, and the save is out of date.
pub(crate) fn clear_embedded_save(saves: &mut EmbeddedSaves, graph: &mut Graph) {
    let node = std::mem::take(&mut saves.node);
    if node.is_some() {
        swap::remove(graph, node);
    }
}

/// Takes the save out of a scene that has just been loaded, removes the pieces that were saved with the
/// scene, and makes its objects intact again.
pub(crate) fn take_embedded_save(
    saves: &mut EmbeddedSaves,
    faults: &mut FaultLog,
    graph: &mut Graph,
) {
    let script = |node: &Node| node.try_get_script::<EmbeddedSave>().cloned();
    let save = graph
        .pair_iter()
        .find_map(|(handle, node)| Some((handle, script(node)?)));
    let Some((node, mut embedded)) = save else {
        if swap::tagged_nodes(graph, swap::PIECE_TAG).next().is_some() {
            faults.report(MODULE, PIECES_WITHOUT_SAVE);
        }
        return;
    };
    for home in &embedded.attachments {
        home.put_back(graph);
    }
    let leftovers: Vec<_> = swap::tagged_nodes(graph, swap::PIECE_TAG)
        .chain([node])
        .collect();
    for leftover in leftovers {
        swap::remove(graph, leftover);
    }
    swap::set_visible(graph, &embedded.hidden, true);
    swap::draw_again(graph, &mut embedded.undrawn);
    swap::set_enabled(graph, &embedded.disabled, true);
    saves.starts = embedded.starts;
    saves.pending = Some(embedded.save.0);
}
