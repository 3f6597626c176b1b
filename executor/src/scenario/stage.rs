//! One open scene with its destruction: what acts on it and what can be asked of it.

use super::{
    format::{Action, Blow},
    wildcard::matches,
};
use crate::headless::Headless;
use fracture::{Destruction, Event, Impact, PieceInfo, Settings};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{node::Node, Scene},
};
use std::collections::BTreeMap;

/// A scene while a scenario runs on it.
pub struct Stage {
    engine: Headless,
    scene: Handle<Scene>,
    destruction: Destruction,
    objects: Vec<String>,
    closed: Option<Closing>,
    /// What the module has told so far, with the frame.
    pub history: Vec<(u32, Event)>,
    /// Actions that could not be done, in words.
    pub refused: Vec<String>,
}

/// What was going on when the scene was closed.
#[derive(Clone, Copy, Debug)]
pub struct Closing {
    /// Jobs that were waiting or running.
    pub jobs: usize,
    /// Breaks that came through before.
    pub breaks: usize,
}

impl Stage {
    /// A stage for an open scene.
    pub fn new(mut engine: Headless, scene: Handle<Scene>, settings: Settings) -> Self {
        let mut destruction = Destruction::new(settings);
        // A first look with no time passing: the objects are known before the first action.
        if let Some(scene) = engine.scene(scene) {
            destruction.update(scene, 0.0);
        }
        Self {
            objects: destruction.object_names(),
            engine,
            scene,
            destruction,
            closed: None,
            history: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// The breakable nodes there were at the start, sorted.
    pub fn objects(&self) -> &[String] {
        &self.objects
    }

    /// All node names in the scene.
    pub fn node_names(&mut self) -> Vec<String> {
        let scene = self.engine.scene(self.scene);
        scene.map_or_else(Vec::new, |scene| {
            scene
                .graph
                .linear_iter()
                .map(|node| node.name().to_owned())
                .collect()
        })
    }

    /// The destruction of the scene.
    pub fn destruction(&self) -> &Destruction {
        &self.destruction
    }

    /// Whether and how the scene was closed.
    pub fn closing(&self) -> Option<Closing> {
        self.closed
    }

    /// One frame.
    pub fn frame(&mut self, frame: u32, step: f32) {
        self.engine.frame(step);
        let Some(scene) = self.engine.scene(self.scene) else {
            return;
        };
        self.destruction.update(scene, step);
        let events = self.destruction.events().iter().cloned();
        self.history.extend(events.map(|event| (frame, event)));
    }

    /// Does what a scenario asks for.
    pub fn act(&mut self, action: &Action) {
        let result = match action {
            Action::Impact(blow) => self.strike(blow),
            Action::Message(blow) => self.send(blow),
            Action::Throw {
                name,
                radius,
                mass,
                from,
                velocity,
            } => self.with_scene(|scene| {
                crate::ball::throw(scene, name, *radius, *mass, from.0, velocity.0);
            }),
            Action::Shoot {
                from,
                direction,
                distance,
                energy,
                impulse,
            } => {
                // A shot that hits nothing breakable is a miss, which is no mistake.
                let (from, direction) = (from.0, direction.0);
                let _ = self
                    .destruction
                    .shoot(from, direction, *distance, *energy, *impulse);
                Ok(())
            }
            Action::Explosion {
                center,
                radius,
                energy,
            } => {
                let Some(scene) = self.engine.scene(self.scene) else {
                    return self.refuse(closed());
                };
                self.destruction
                    .explosion(scene, center.0, *radius, *energy);
                Ok(())
            }
            Action::Remove { node } => self.remove(node),
            Action::CloseScene => self.close(),
        };
        if let Err(reason) = result {
            self.refuse(reason);
        }
    }

    fn refuse(&mut self, reason: String) {
        self.refused.push(reason);
    }

    fn with_scene(&mut self, act: impl FnOnce(&mut Scene)) -> Result<(), String> {
        self.engine.scene(self.scene).map(act).ok_or_else(closed)
    }

    fn strike(&mut self, blow: &Blow) -> Result<(), String> {
        let scene = self.engine.scene(self.scene).ok_or_else(closed)?;
        self.destruction
            .impact_by_name(scene, &blow.node, impact(blow))
            .map_err(|error| format!("a blow on \"{}\" is refused: {error}", blow.node))
    }

    fn send(&mut self, blow: &Blow) -> Result<(), String> {
        let node = self.node(&blow.node)?;
        self.engine.send(self.scene, node, impact(blow));
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Result<(), String> {
        let node = self.node(name)?;
        self.with_scene(|scene| scene.graph.remove_node(node))
    }

    fn close(&mut self) -> Result<(), String> {
        let jobs = self.destruction.statistics().jobs_pending;
        self.destruction.clear();
        self.engine.close(self.scene);
        let breaks = self.breaks().count();
        self.closed = Some(Closing { jobs, breaks });
        Ok(())
    }

    fn node(&mut self, name: &str) -> Result<Handle<Node>, String> {
        let scene = self.engine.scene(self.scene).ok_or_else(closed)?;
        let found = scene.graph.find_by_name_from_root(name);
        found
            .map(|(handle, _)| handle)
            .ok_or_else(|| format!("there is no node \"{name}\" in the scene any more"))
    }

    /// All breaks so far: frame, object, frames waited.
    pub fn breaks(&self) -> impl Iterator<Item = (u32, &str, u64)> {
        self.history
            .iter()
            .filter_map(|(frame, event)| match event {
                Event::Broken {
                    name,
                    frames_waited,
                    ..
                } => Some((*frame, name.as_str(), *frames_waited)),
                _ => None,
            })
    }

    /// Everything that was complained about: faults of the module, then actions that were refused.
    pub fn complaints(&self) -> Vec<String> {
        let faults = self.destruction.faults().map(ToString::to_string);
        faults.chain(self.refused.iter().cloned()).collect()
    }

    /// The pieces of an object, sorted by name; none while it is intact.
    pub fn pieces(&self, object: &str) -> Vec<PieceInfo> {
        let mut pieces = self.destruction.pieces_of(object);
        pieces.sort_by(|a, b| a.name.cmp(&b.name));
        pieces
    }

    /// Where the bodies of a name are now; the name may hold `*` and `**`.
    pub fn positions(&mut self, body: &str) -> BTreeMap<String, Vector3<f32>> {
        let matches = |name: &str| matches(body, name);
        let mut found = BTreeMap::new();
        for object in &self.objects {
            for piece in self.destruction.pieces_of(object) {
                if matches(&piece.name) {
                    found.insert(piece.name, piece.position);
                }
            }
        }
        if found.is_empty() {
            if let Some(scene) = self.engine.scene(self.scene) {
                let nodes = scene.graph.linear_iter();
                let matching = nodes.filter(|node| matches(node.name()));
                found.extend(matching.map(|n| (n.name().to_owned(), n.global_position())));
            }
        }
        found
    }
}

fn closed() -> String {
    "the scene is closed".into()
}

/// The module's own word for a blow.
fn impact(blow: &Blow) -> Impact {
    let mut impact = Impact::new(blow.point.0, blow.normal.0, blow.energy);
    if let Some(impulse) = blow.impulse {
        impact = impact.with_impulse(impulse.0);
    }
    if let Some(radius) = blow.radius {
        impact = impact.with_radius(radius);
    }
    impact
}
