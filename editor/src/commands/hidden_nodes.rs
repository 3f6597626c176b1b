//! Nodes and scripts that a command hides or takes away and restores with their inheritance marks.

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

/// Nodes that a command hides.
#[derive(Debug)]
pub(super) struct Hidden {
    nodes: Vec<Handle<Node>>,
    /// The nodes that were visible, with the inheritance flags of their visibility.
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

    /// Shows the nodes again and restores the flags: a scene saved afterwards is the same file as
    /// before.
    pub fn show(&mut self, graph: &mut Graph) {
        for (handle, flags) in self.before.drain(..) {
            if let Ok(node) = graph.try_get_node_mut(handle) {
                node.set_visibility(true);
                exchange_flags(node, Some(flags));
            }
        }
    }
}

/// Replaces the inheritance flags of a node's visibility and returns the old ones.
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

/// A script taken from its node, and its index among the node's scripts.
#[derive(Debug)]
pub(super) struct TakenScript {
    node: Handle<Node>,
    at: usize,
    record: Box<dyn Reflect>,
}

impl TakenScript {
    /// Takes the script from a node that has it. The node's own method is not used: it leaves an empty
    /// entry that is only removed where scripts run.
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

    /// Puts the script back at its index.
    pub fn put_back(self, graph: &mut Graph) {
        if let Ok(owner) = graph.try_get_node_mut(self.node) {
            of_scripts(owner, |list| {
                // Cannot fail: the type is the one that was taken.
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
