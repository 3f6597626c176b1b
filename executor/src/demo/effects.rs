//! Dust, sounds and marks of the demo: the module's scripts, on a node that is added to each scene.

use fracture::{BreakDust, BreakSounds, ImpactMarks};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{base::BaseBuilder, node::Node, pivot::PivotBuilder, Scene},
};

/// The node with the scripts.
#[derive(Debug, Default)]
pub struct Effects {
    node: Handle<Node>,
}

impl Effects {
    /// Adds the scripts to a scene.
    pub fn new(scene: &mut Scene) -> Self {
        let base = BaseBuilder::new()
            .with_name("effects")
            .with_script(BreakDust::default())
            .with_script(BreakSounds::default())
            .with_script(ImpactMarks::default());
        Self {
            node: PivotBuilder::new(base).build(&mut scene.graph).to_base(),
        }
    }

    /// Turns dust and sound on and off.
    pub fn switch(&self, scene: &mut Scene, dust: bool, sound: bool) {
        let Ok(node) = scene.graph.try_get_node_mut(self.node) else {
            return;
        };
        if let Some(script) = node.try_get_script_mut::<BreakDust>() {
            script.amount = if dust { 1.0 } else { 0.0 }.into();
        }
        if let Some(script) = node.try_get_script_mut::<BreakSounds>() {
            script.volume = if sound { 1.0 } else { 0.0 }.into();
        }
    }
}
