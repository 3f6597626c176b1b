//! What a step puts out of sight, and brings back as it was to the last mark.

use fracture::Destructible;
use fyrox::{
    core::{
        pool::Handle,
        reflect::{Reflect, ResolvePath},
        variable::VariableFlags,
    },
    graph::SceneGraph,
    scene::{base::Base, graph::Graph, node::Node},
};

/// Nodes that are hidden, or will be.
#[derive(Debug)]
pub(super) struct Hidden {
    nodes: Vec<Handle<Node>>,
    /// Those that were visible, and whether that had been set or was inherited.
    before: Vec<(Handle<Node>, VariableFlags)>,
}

impl Hidden {
    pub fn of(nodes: Vec<Handle<Node>>) -> Self {
        Self {
            nodes,
            before: Vec::new(),
        }
    }

    pub fn hide(&mut self, graph: &mut Graph) {
        for handle in &self.nodes {
            let node = graph.try_get_node_mut(*handle).ok();
            if let Some(node) = node.filter(|node| node.visibility()) {
                let flags = exchange_flags(node, None);
                node.set_visibility(false);
                self.before.push((*handle, flags));
            }
        }
    }

    /// Shows what is hidden. A scene that is saved then is the same as before.
    pub fn show(&mut self, graph: &mut Graph) {
        for (handle, flags) in self.before.drain(..) {
            if let Ok(node) = graph.try_get_node_mut(handle) {
                node.set_visibility(true);
                exchange_flags(node, Some(flags));
            }
        }
    }
}

/// The marks of a node's visibility, which become the given ones.
fn exchange_flags(node: &mut Node, new: Option<VariableFlags>) -> VariableFlags {
    let mut old = VariableFlags::NONE;
    let base: &mut Base = node;
    base.resolve_path_mut("visibility", &mut |field| {
        let Ok(field) = field else {
            return;
        };
        field.as_inheritable_variable_mut(&mut |variable| {
            if let Some(variable) = variable {
                old = variable.flags();
                variable.set_flags(new.unwrap_or(old));
            }
        });
    });
    old
}

/// A script that has been taken from its node, and its place among the node's scripts.
#[derive(Debug)]
pub(super) struct TakenScript {
    node: Handle<Node>,
    at: usize,
    record: Box<dyn Reflect>,
}

impl TakenScript {
    /// Takes the script from a node that has it. Not by the node's own method, which leaves an empty
    /// entry that is only swept where scripts run.
    pub fn of(graph: &mut Graph, node: Handle<Node>) -> Option<Self> {
        let owner = graph.try_get_node_mut(node).ok()?;
        let at = owner
            .scripts()
            .position(|script| script.cast::<Destructible>().is_some())?;
        let mut record = None;
        of_scripts(owner, |list| record = list.reflect_remove(at));
        Some(Self {
            node,
            at,
            record: record?,
        })
    }

    /// Gives it back.
    pub fn put_back(self, graph: &mut Graph) {
        if let Ok(owner) = graph.try_get_node_mut(self.node) {
            of_scripts(owner, |list| {
                // The type is the one that was taken.
                let _ = list.reflect_insert(self.at, self.record);
            });
        }
    }
}

fn of_scripts(node: &mut Node, act: impl FnOnce(&mut dyn fyrox::core::reflect::ReflectList)) {
    let mut act = Some(act);
    let base: &mut Base = node;
    base.resolve_path_mut("scripts", &mut |scripts| {
        if let Ok(scripts) = scripts {
            scripts.as_list_mut(&mut |list| {
                if let (Some(list), Some(act)) = (list, act.take()) {
                    act(list);
                }
            });
        }
    });
}
