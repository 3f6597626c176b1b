//! A check of how an object is set up: body, collider, mesh, scale, levels of detail, card, figures.

use crate::{
    mirror::transforms::engine_vector,
    object::{
        inputs::{body_above, InputError, ObjectInputs},
        loading::NO_COLLIDER,
        size_range::SizeRange,
    },
    script::{
        card_fields::card_differences, config::DestructibleConfig, destructible::Destructible,
    },
};
use fracture_geometry::glam::DVec3;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, rigidbody::RigidBodyType},
};
use std::fmt;

/// A part of an object's set-up, and how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupFinding {
    /// The part, in a word.
    pub part: &'static str,
    /// How it stands; of a fault, with the remedy.
    pub text: String,
    /// Whether it keeps the object from breaking as it should.
    pub is_fault: bool,
}

impl fmt::Display for SetupFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_fault { "! " } else { "" };
        write!(f, "{sign}{}: {}", self.part, self.text)
    }
}

/// Checks how an object is set up whose script is on a node, from the rigid body to the figures. The mesh itself is
/// looked at by [`BreakPreview::health`](crate::BreakPreview::health), which takes longer.
pub fn check_setup(graph: &Graph, node: Handle<Node>) -> Vec<SetupFinding> {
    let own = graph.try_get_node(node).ok();
    let script = own.and_then(|own| Some((own, own.try_get_script::<Destructible>()?)));
    let Some((own, script)) = script else {
        let text = "the node has no script Destructible; make it destructible";
        return vec![fault("Script", text)];
    };
    let config = DestructibleConfig::of_node(own, script);
    let mut findings = vec![body(graph, node)];
    match ObjectInputs::new(graph, node, script) {
        Ok(inputs) => findings.extend(of_inputs(graph, &inputs, &config)),
        // Told of the body already.
        Err(InputError::NoBody) => {}
        Err(error) => findings.push(fault("Mesh", error)),
    }
    findings.push(card(graph, node, script, &config));
    if let Err(error) = config.check() {
        findings.push(fault("Figures", error));
    }
    findings
}

fn fine(part: &'static str, text: impl fmt::Display) -> SetupFinding {
    SetupFinding {
        part,
        text: text.to_string(),
        is_fault: false,
    }
}

fn fault(part: &'static str, text: impl fmt::Display) -> SetupFinding {
    SetupFinding {
        is_fault: true,
        ..fine(part, text)
    }
}

fn body(graph: &Graph, node: Handle<Node>) -> SetupFinding {
    let body = body_above(graph, node).and_then(|body| graph.try_get_node(body).ok());
    match body {
        Some(body) => fine("Body", format!("\"{}\"", body.name())),
        None => fault("Body", InputError::NoBody),
    }
}

fn of_inputs(
    graph: &Graph,
    inputs: &ObjectInputs,
    config: &DestructibleConfig,
) -> Vec<SetupFinding> {
    let kind = match inputs.body_type {
        RigidBodyType::Dynamic => "it falls and is pushed",
        RigidBodyType::Static => "it stays where it is until it breaks",
        _ => "it is moved by the game",
    };
    let collider = match inputs.colliders.len() {
        0 => fault("Collider", NO_COLLIDER),
        count => fine("Collider", format!("{count}; {kind}")),
    };
    let mesh = match inputs.is_loading() {
        true => fine("Mesh", "still being loaded"),
        false => fine(
            "Mesh",
            format!(
                "{} with {} surfaces",
                inputs.meshes.len(),
                inputs.sources.len()
            ),
        ),
    };
    let levels = match inputs.coarser_meshes.len() {
        0 => fine("Levels of detail", "none"),
        coarser => fine(
            "Levels of detail",
            format!("the finest breaks; {coarser} coarser meshes are hidden with it"),
        ),
    };
    vec![collider, mesh, scale(graph, inputs, config), levels]
}

fn scale(graph: &Graph, inputs: &ObjectInputs, config: &DestructibleConfig) -> SetupFinding {
    let bounds = inputs.local_bounds(graph);
    let sides = engine_vector(bounds.maxs - bounds.mins);
    let sides = DVec3::new(sides.x.into(), sides.y.into(), sides.z.into());
    match SizeRange::new(config).advice_on(sides) {
        Some(advice) => fault("Scale", advice),
        None => {
            let [x, y, z] = sides.to_array();
            fine("Scale", format!("{x:.2} x {y:.2} x {z:.2} m"))
        }
    }
}

fn card(
    graph: &Graph,
    node: Handle<Node>,
    script: &Destructible,
    config: &DestructibleConfig,
) -> SetupFinding {
    let pattern = config.pattern();
    match (script.card.is_some(), pattern) {
        (_, Err(reason)) => fault("Card", reason),
        (_, Ok(None)) => fine("Card", "it or its pattern is still being loaded"),
        (false, Ok(Some(_))) => fine("Card", "none; the fields of the script are all there is"),
        (true, Ok(Some(_))) => match card_differences(graph, node).as_slice() {
            [] => fine("Card", "all figures are those of the card"),
            [one] => fine("Card", format!("one field differs from it, {}", one.field)),
            many => fine("Card", format!("{} fields differ from it", many.len())),
        },
    }
}
