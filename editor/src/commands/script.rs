//! Giving one node or many the script `Destructible`, and changing it.

use super::hidden_nodes::TakenScript;
use fracture::{unset_script, Destructible, FracturePatternResource, MaterialCardResource};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBody},
};
use fyroxed_base::{
    command::{CommandContext, CommandTrait},
    scene::commands::GameSceneContext,
};

/// Command that gives nodes a script `Destructible`, or another one: one undo step for all of them.
#[derive(Debug)]
pub struct SetDestructible {
    name: String,
    /// Nodes and the scripts to swap in.
    scripts: Vec<(Handle<Node>, Option<Destructible>)>,
}

/// Makes the command that changes the script of all nodes that have one; `None` when nothing changes.
/// `field` is the name shown in the undo list.
pub fn tune(
    graph: &Graph,
    nodes: &[Handle<Node>],
    field: &str,
    mut change: impl FnMut(&mut Destructible),
) -> Option<SetDestructible> {
    let changed = |node: &Handle<Node>| {
        let old = graph.try_get_script_of::<Destructible>(*node).ok()?;
        let mut script = old.clone();
        change(&mut script);
        (!script.is_tuned_as(old)).then_some((*node, Some(script)))
    };
    let scripts: Vec<_> = nodes.iter().filter_map(changed).collect();
    let name = format!("Set {field} of {}", named(graph, &scripts));
    (!scripts.is_empty()).then_some(SetDestructible { name, scripts })
}

/// Makes the command that gives nodes a pattern, and the script to those that lack it; `None` when
/// nothing changes. A node below a destructible stands for it, any other node for its rigid body.
/// `field` is the name shown in the undo list.
pub fn give_pattern(
    graph: &Graph,
    nodes: &[Handle<Node>],
    field: &str,
    pattern: &FracturePatternResource,
) -> Option<SetDestructible> {
    give(graph, nodes, field, |script| {
        let pattern = Some(pattern.clone());
        script.pattern.set_value_and_mark_modified(pattern);
    })
}

/// Makes the command that lays a card on nodes, or takes theirs away, and gives the script to those that lack it;
/// `None` when nothing changes.
pub fn lay_card(
    graph: &Graph,
    nodes: &[Handle<Node>],
    card: Option<&MaterialCardResource>,
) -> Option<SetDestructible> {
    give(graph, nodes, "Card", |script| {
        script.lay_card(card.cloned())
    })
}

/// Makes the command by which fields have the values of the card again; `None` when nothing changes.
pub fn take_from_card(
    graph: &Graph,
    nodes: &[Handle<Node>],
    fields: &[&str],
) -> Option<SetDestructible> {
    let taken = |node: &Handle<Node>| {
        let own = graph.try_get_node(*node).ok()?;
        let old = own.try_get_script::<Destructible>()?;
        let (mut script, base) = (old.clone(), unset_script(own));
        for field in fields {
            script.take_from_card(field, &base);
        }
        (!script.is_tuned_as(old)).then_some((*node, Some(script)))
    };
    let scripts: Vec<_> = nodes.iter().filter_map(taken).collect();
    let name = format!("Take Fields of {} From Card", named(graph, &scripts));
    (!scripts.is_empty()).then_some(SetDestructible { name, scripts })
}

/// Makes the command that changes the scripts of nodes, and gives one to those that lack it; `None` when nothing
/// changes.
fn give(
    graph: &Graph,
    nodes: &[Handle<Node>],
    field: &str,
    change: impl Fn(&mut Destructible),
) -> Option<SetDestructible> {
    let mut owners: Vec<_> = nodes
        .iter()
        .filter_map(|node| owner(graph, *node))
        .collect();
    owners.sort_unstable();
    owners.dedup();
    let given = |node: Handle<Node>| {
        let old = graph.try_get_script_of::<Destructible>(node).ok();
        let mut script = old.cloned().unwrap_or_default();
        change(&mut script);
        let same = old.is_some_and(|old| script.is_tuned_as(old));
        (!same).then_some((node, Some(script)))
    };
    let scripts: Vec<_> = owners.into_iter().filter_map(given).collect();
    let name = format!("Set {field} of {}", named(graph, &scripts));
    (!scripts.is_empty()).then_some(SetDestructible { name, scripts })
}

/// Returns the destructible at or above a node, else the rigid body, else the node itself.
fn owner(graph: &Graph, node: Handle<Node>) -> Option<Handle<Node>> {
    let find = |handle: Handle<Node>| graph.try_get_node(handle).ok();
    let mut body = None;
    for above in std::iter::successors(find(node), |node| find(node.parent())) {
        if above.try_get_script::<Destructible>().is_some() {
            return Some(above.handle());
        }
        if body.is_none() && above.cast::<RigidBody>().is_some() {
            body = Some(above.handle());
        }
    }
    find(node).map(|node| body.unwrap_or(node.handle()))
}

fn named(graph: &Graph, scripts: &[(Handle<Node>, Option<Destructible>)]) -> String {
    match scripts {
        [(node, _)] => graph
            .try_get_node(*node)
            .map(|node| format!("\"{}\"", node.name()))
            .unwrap_or_default(),
        many => format!("{} Nodes", many.len()),
    }
}

impl SetDestructible {
    /// Swaps the nodes' scripts with those kept in the command.
    pub fn swap(&mut self, graph: &mut Graph) {
        for (node, script) in &mut self.scripts {
            exchange(graph, *node, script);
        }
    }
}

fn exchange(graph: &mut Graph, handle: Handle<Node>, script: &mut Option<Destructible>) {
    let Ok(node) = graph.try_get_node_mut(handle) else {
        return;
    };
    let own = node.try_get_script_mut::<Destructible>();
    match (own, script.take()) {
        (Some(own), Some(new)) => *script = Some(std::mem::replace(own, new)),
        (Some(own), None) => {
            *script = Some(own.clone());
            TakenScript::of(graph, handle);
        }
        (None, Some(new)) => node.add_script(new),
        (None, None) => {}
    }
}

impl CommandTrait for SetDestructible {
    fn name(&mut self, _context: &dyn CommandContext) -> String {
        self.name.clone()
    }

    fn execute(&mut self, context: &mut dyn CommandContext) {
        self.swap(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn revert(&mut self, context: &mut dyn CommandContext) {
        self.swap(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }
}
