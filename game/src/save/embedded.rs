//! The engine's own saving in the middle of destruction: what has become of the objects goes into the
//! scene, and comes out of it when the scene is loaded.

use crate::destruction::MODULE;
use crate::{
    destruction::Destruction,
    object::ObjectState,
    save::archive::RestoreError,
    script::embedded_save::{EmbeddedSave, SaveBytes},
    swap,
};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};

/// Name of the node that carries what is stowed.
const NAME: &str = "stowed";

/// What is said of pieces that nothing is known about.
const STRAY: &str = "the scene was saved in the middle of destruction, and its pieces cannot move or break; call Destruction::stow before the scene is saved";

/// What is on its way into a scene, or out of it.
#[derive(Default)]
pub(crate) struct EmbeddedSaves {
    /// The node that carries what has been stowed. It is for the saved scene, not for this one.
    node: Handle<Node>,
    /// What a loaded scene has brought, until its objects are ready for it.
    brought: Option<Vec<u8>>,
}

impl EmbeddedSaves {
    /// Whether objects are still to be brought to where they were.
    pub fn waits(&self) -> bool {
        self.brought.is_some()
    }
}

impl Destruction {
    /// Puts what has become of the objects into the scene, so that the engine's own saving keeps it.
    /// Call it right before [`Scene::save`]; breaks under way are finished first, and
    /// [`Destruction::events`] then tells of them.
    ///
    /// The first update of the loaded scene, or a later one when files are still being loaded, brings
    /// the objects to where they were, as [`Destruction::restore`] does. What goes wrong there is a
    /// fault. Debris whose object has been removed is not kept.
    pub fn stow(&mut self, scene: &mut Scene) {
        let save = self.save(scene);
        let graph = &mut scene.graph;
        self.clear_stowed(graph);
        let broken = self.objects.values().filter_map(|object| object.live());
        let mut stowed = EmbeddedSave {
            save: SaveBytes(save),
            ..EmbeddedSave::default()
        };
        for live in broken.filter(|live| live.broken) {
            let own = live.colliders.iter().take(live.own_colliders);
            let gone = own.chain([&live.body]).copied();
            stowed.disabled.extend(gone.filter(|node| {
                let node = graph.try_get_node(*node);
                node.is_ok_and(|node| !node.is_enabled())
            }));
            stowed.hidden.extend(&live.meshes);
        }
        self.stowage.node = swap::add_script(graph, NAME, stowed);
    }

    /// Takes away what was stowed: the scene goes on, and it is true no more.
    pub(crate) fn clear_stowed(&mut self, graph: &mut Graph) {
        let node = std::mem::take(&mut self.stowage.node);
        if node.is_some() {
            swap::remove(graph, node);
        }
    }

    /// Makes the objects of a loaded scene whole, if the scene tells what has become of them.
    pub(crate) fn unpack(&mut self, graph: &mut Graph) {
        let carries = |node: &Node| node.try_get_script::<EmbeddedSave>().cloned();
        let found = graph
            .pair_iter()
            .find_map(|(handle, node)| Some((handle, carries(node)?)));
        let Some((node, stowed)) = found else {
            if swap::pieces_of_others(graph).next().is_some() {
                self.faults.report(MODULE, STRAY);
            }
            return;
        };
        let strays: Vec<_> = swap::pieces_of_others(graph).chain([node]).collect();
        for stray in strays {
            swap::remove(graph, stray);
        }
        swap::set_visible(graph, &stowed.hidden, true);
        swap::set_enabled(graph, &stowed.disabled, true);
        self.stowage.brought = Some(stowed.save.0);
    }

    /// Brings the objects of a loaded scene to where they were, once all of them are ready.
    pub(crate) fn act_on_brought(&mut self, scene: &mut Scene) {
        let waiting = |state: &ObjectState| matches!(state, ObjectState::Waiting);
        if self.objects.values().any(|object| waiting(&object.state)) {
            return;
        }
        let Some(save) = self.stowage.brought.take() else {
            return;
        };
        match self.restore(scene, save) {
            // Told of already, under the object's own name.
            Ok(()) | Err(RestoreError::Object { .. }) => {}
            Err(error) => self.faults.report(MODULE, error),
        }
    }
}
