//! The command *Make Destructible*: nodes get the rigid bodies, colliders and scripts that they lack.

use super::hidden_nodes::TakenScript;
use fracture::{make_destructible, Destructible, MadeDestructible};
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{
        graph::{Graph, SubGraph},
        node::Node,
        rigidbody::RigidBodyType,
    },
};
use fyroxed_base::{
    command::{CommandContext, CommandTrait},
    scene::commands::GameSceneContext,
};

/// Command that gives nodes all that they lack to break: one undo step for all of them.
#[derive(Debug)]
pub struct MakeDestructible {
    name: String,
    additions: Vec<Addition>,
}

/// The things that a node is given, and those of them that are outside of the scene while the command is not executed.
#[derive(Debug)]
struct Addition {
    made: MadeDestructible,
    outside: Vec<SubGraph>,
    script: Option<TakenScript>,
}

/// Makes the command, and says in words what each node gets, or why it cannot break; `None` where nothing is lacking.
/// New scripts are as `script`. `root` is that of the artist's scene, above which there is only the editor's own.
pub fn make_nodes_destructible(
    graph: &mut Graph,
    root: Handle<Node>,
    nodes: &[Handle<Node>],
    body_type: RigidBodyType,
    script: &Destructible,
) -> (Option<MakeDestructible>, Vec<String>) {
    let (mut additions, mut texts) = (Vec::new(), Vec::new());
    for node in nodes {
        if *node == root {
            texts.push("The root of the scene cannot break: select the objects below it.".into());
            continue;
        }
        match make_destructible(graph, *node, body_type, script.clone()) {
            Ok(made) => {
                texts.push(made.to_string());
                additions.push(Addition {
                    made,
                    outside: Vec::new(),
                    script: None,
                });
            }
            Err(error) => texts.push(format!("{error}.")),
        }
    }
    additions.retain(|addition| addition.made.is_new_script || !addition.made.colliders.is_empty());
    let name = match &additions[..] {
        [] => return (None, texts),
        [addition] => format!("Make \"{}\" Destructible", addition.made.name),
        many => format!("Make {} Nodes Destructible", many.len()),
    };
    let mut step = MakeDestructible { name, additions };
    // Only commands change the scene: the additions are taken out again until the command is executed.
    step.take(graph);
    (Some(step), texts)
}

impl MakeDestructible {
    fn put(&mut self, graph: &mut Graph) {
        for addition in &mut self.additions {
            addition.put(graph);
        }
    }

    /// The last first: another may have been made of what it gave.
    fn take(&mut self, graph: &mut Graph) {
        for addition in self.additions.iter_mut().rev() {
            addition.take(graph);
        }
    }
}

impl Addition {
    fn put(&mut self, graph: &mut Graph) {
        for outside in self.outside.drain(..).rev() {
            graph.put_sub_graph_back(outside);
        }
        if let Some(new) = &self.made.new_body {
            new.put_node_below(graph, self.made.body);
        }
        if let Some(script) = self.script.take() {
            script.put_back(graph);
        }
    }

    fn take(&mut self, graph: &mut Graph) {
        let made = &self.made;
        let roots = if let Some(new) = &made.new_body {
            new.put_node_back(graph);
            vec![made.body] // with its colliders and the script
        } else {
            if made.is_new_script {
                self.script = TakenScript::of(graph, made.body);
            }
            made.colliders.clone()
        };
        for root in roots {
            if graph.is_valid_handle(root) {
                self.outside.push(graph.take_reserve_sub_graph(root));
            }
        }
    }
}

impl CommandTrait for MakeDestructible {
    fn name(&mut self, _context: &dyn CommandContext) -> String {
        self.name.clone()
    }

    fn execute(&mut self, context: &mut dyn CommandContext) {
        self.put(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn revert(&mut self, context: &mut dyn CommandContext) {
        self.take(&mut context.get_mut::<GameSceneContext>().scene.graph);
    }

    fn finalize(&mut self, context: &mut dyn CommandContext) {
        let graph = &mut context.get_mut::<GameSceneContext>().scene.graph;
        let additions = self.additions.iter_mut();
        for outside in additions.flat_map(|addition| addition.outside.drain(..)) {
            graph.forget_sub_graph(outside);
        }
    }
}
