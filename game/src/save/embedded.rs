//! Embeds a save of the broken objects in a scene, so that the engine's own saving keeps it, and restores
//! it when the scene is loaded.

use crate::{
    destruction::Destruction,
    fault::MODULE,
    object::Object,
    save::archive::RestoreError,
    script::embedded_save::{EmbeddedSave, SaveBytes},
    swap,
};
use fyrox::{
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};

/// Name of the node with the script [`EmbeddedSave`].
const NODE_NAME: &str = "embedded save";

/// Fault of a scene with pieces, but without a save.
const PIECES_WITHOUT_SAVE: &str = "the scene was saved in the middle of destruction, and its pieces cannot move or break; call Destruction::embed_save before the scene is saved";

impl Destruction {
    /// Embeds a save of the broken objects in the scene, so that the engine's own saving keeps it. Call it
    /// right before [`Scene::save`]. Pending breaks are finished first; [`Destruction::events`] then holds
    /// their events.
    ///
    /// The first update of the loaded scene restores the objects as [`Destruction::restore`] does, or a later
    /// one if files are still being loaded. Errors are reported as faults. Debris whose object has been
    /// removed is not saved.
    pub fn embed_save(&mut self, scene: &mut Scene) {
        let save = self.save(scene);
        let graph = &mut scene.graph;
        self.clear_embedded_save(graph);
        let mut embedded = EmbeddedSave {
            save: SaveBytes(save),
            ..EmbeddedSave::default()
        };
        for object in self.objects.values() {
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
            .extend(self.attachments.homes().cloned());
        self.saves.node = swap::add_script(graph, NODE_NAME, embedded);
    }

    /// Removes the node of an embedded save: the scene changes, and the save is out of date.
    pub(crate) fn clear_embedded_save(&mut self, graph: &mut Graph) {
        let node = std::mem::take(&mut self.saves.node);
        if node.is_some() {
            swap::remove(graph, node);
        }
    }

    /// Takes the save out of a scene that has just been loaded, removes the pieces that were saved with the
    /// scene, and makes its objects intact again.
    pub(crate) fn take_embedded_save(&mut self, graph: &mut Graph) {
        let script = |node: &Node| node.try_get_script::<EmbeddedSave>().cloned();
        let save = graph
            .pair_iter()
            .find_map(|(handle, node)| Some((handle, script(node)?)));
        let Some((node, embedded)) = save else {
            if swap::tagged_nodes(graph).next().is_some() {
                self.faults.report(MODULE, PIECES_WITHOUT_SAVE);
            }
            return;
        };
        for home in &embedded.attachments {
            home.put_back(graph);
        }
        let leftovers: Vec<_> = swap::tagged_nodes(graph).chain([node]).collect();
        for leftover in leftovers {
            swap::remove(graph, leftover);
        }
        swap::set_visible(graph, &embedded.hidden, true);
        swap::set_enabled(graph, &embedded.disabled, true);
        self.saves.starts = embedded.starts;
        self.saves.pending = Some(embedded.save.0);
    }

    /// Restores the objects of a loaded scene, once all of them are ready.
    pub(crate) fn restore_pending(&mut self, scene: &mut Scene) {
        if self.objects.values().any(Object::is_waiting) {
            return;
        }
        let Some(save) = self.saves.pending.take() else {
            return;
        };
        match self.restore(scene, save) {
            // Reported already, under the object's own name.
            Ok(()) | Err(RestoreError::Object { .. }) => {}
            Err(error) => self.faults.report(MODULE, error),
        }
    }
}
