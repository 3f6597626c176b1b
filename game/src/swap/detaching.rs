//! Detaches what hangs on bodies that break or go, in the order of a break: off the body, onto its pieces.

use crate::{
    destruction::Destruction,
    events::Event,
    mirror::Mirror,
    object::ObjectId,
    swap::{
        attachment_home::subtree,
        attachments::{BrokenBody, DetachedNode, Detachment},
        carriers::Carrier,
    },
};
use fracture_simulation::{BodyId, Broken, DustParticle, Simulation};
use fyrox::{
    core::pool::Handle,
    scene::{collider::Collider, graph::Graph, node::Node},
};

/// The attachments of a body that is being replaced by its pieces.
pub(super) struct Detaching {
    object: ObjectId,
    /// The node of the object with the script.
    script: Handle<Node>,
    body: BodyId,
    nodes: Vec<DetachedNode>,
    carriers: Vec<Carrier>,
    dust: Vec<DustParticle>,
}

/// Takes the attachments off a body that breaks; `None` if nothing hangs on it.
pub(super) fn begin_detaching(
    destruction: &mut Destruction,
    graph: &mut Graph,
    object: ObjectId,
    script: Handle<Node>,
    broken: &Broken,
) -> Option<Detaching> {
    let body = BrokenBody {
        object,
        body: broken.body,
        script,
        live: destruction.objects.live(object)?,
    };
    let joints = || destruction.mirror.joints.ends_at(body.live.body);
    let nodes = destruction
        .attachments
        .take(graph, &body, &destruction.pieces, joints);
    (!nodes.is_empty()).then(|| Detaching {
        object,
        script,
        body: broken.body,
        nodes,
        carriers: broken.pieces.iter().map(Carrier::new).collect(),
        dust: broken.dust.clone(),
    })
}

/// Gives the attachments of a broken body to its pieces, which are in the scene now. Returns the events.
pub(super) fn finish_detaching(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    detaching: Option<Detaching>,
) -> Vec<Event> {
    let Some(detaching) = detaching else {
        return Vec::new();
    };
    let Some(live) = destruction.objects.live(detaching.object) else {
        return Vec::new();
    };
    let body = BrokenBody {
        object: detaching.object,
        body: detaching.body,
        script: detaching.script,
        live,
    };
    let (nodes, carriers) = (detaching.nodes, &detaching.carriers);
    let told = destruction.attachments.hand_over(
        graph,
        &body,
        nodes,
        carriers,
        &detaching.dust,
        &destruction.pieces,
    );
    for detachment in &told {
        mirror_detached(&mut destruction.mirror, graph, simulation, detachment);
    }
    let script = detaching.script;
    told.into_iter().map(|one| one.event(script)).collect()
}

/// Takes off a piece that is removed what hangs on it. Returns the events.
pub(crate) fn drop_attachments(
    destruction: &mut Destruction,
    graph: &mut Graph,
    body: BodyId,
) -> Vec<Event> {
    let Some(piece) = destruction.pieces.get(body) else {
        return Vec::new();
    };
    let object = destruction.objects.get(piece.object);
    let script = object.map_or(Handle::NONE, |object| object.node);
    destruction.attachments.track_children(graph, body, piece);
    let told = destruction.attachments.drop_from(graph, body);
    for detachment in &told {
        for collider in colliders(graph, detachment.node) {
            destruction.mirror.colliders.include(collider);
        }
    }
    told.into_iter().map(|one| one.event(script)).collect()
}

/// Lets fall the bodies on joints that hung on pieces which the game has removed.
pub(crate) fn drop_orphaned(destruction: &mut Destruction, graph: &mut Graph) {
    for (object, detachment) in destruction.attachments.drop_orphaned(graph) {
        let script = destruction.objects.get(object).map(|object| object.node);
        let event = detachment.event(script.unwrap_or_default());
        destruction.events.push(event);
    }
}

/// Puts what hung on an object back to where it was before the first break.
pub(crate) fn put_attachments_back(
    destruction: &mut Destruction,
    graph: &mut Graph,
    simulation: &mut Simulation,
    object: ObjectId,
) {
    for body in destruction.pieces.bodies_of(object) {
        let free = destruction.pieces.get(body).filter(|piece| !piece.anchored);
        if let Some(piece) = free {
            destruction.attachments.track_children(graph, body, piece);
        }
    }
    let told = destruction.attachments.put_back(graph, object);
    let script = destruction.objects.get(object).map(|object| object.node);
    for detachment in told {
        for collider in colliders(graph, detachment.node) {
            destruction.mirror.colliders.include(collider);
        }
        if let Some(joint) = detachment.joint {
            let body_ref = |body| destruction.objects.body_ref(body);
            let joints = &mut destruction.mirror.joints;
            joints.mirror_node(simulation, graph, joint, body_ref);
        }
        if !detachment.is_home() {
            destruction
                .events
                .push(detachment.event(script.unwrap_or_default()));
        }
    }
}

/// Has debris collide with what falls by itself, and not with what goes with a piece.
fn mirror_detached(
    mirror: &mut Mirror,
    graph: &Graph,
    simulation: &mut Simulation,
    detachment: &Detachment,
) {
    for collider in colliders(graph, detachment.node) {
        if detachment.is_carried() {
            mirror.colliders.exclude(simulation, graph, collider);
        } else {
            mirror.colliders.include(collider);
        }
    }
}

/// The colliders at and below a node.
fn colliders(graph: &Graph, node: Handle<Node>) -> Vec<Handle<Node>> {
    let colliders = subtree(graph, node).filter(|node| node.cast::<Collider>().is_some());
    colliders.map(|node| node.handle()).collect()
}
