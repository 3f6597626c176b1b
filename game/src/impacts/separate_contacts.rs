//! Separate places at which two bodies touch: a table that lands on its four legs, a house on its pillars. Between them
//! nothing is struck.

use crate::{impacts::contact::Contact, object::LiveObject};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{collider::Collider, graph::Graph, node::Node},
};

/// Distance from which on two places are separate, in parts of the size of the object.
const SEPARATE: f32 = 0.1;

/// Most places, each of which takes a frame to break: those of the greatest impulses.
const MAX_PLACES: usize = 4;

/// Faces beyond which no places are told apart.
const MAX_FACES: usize = 200;

/// The contacts of an object with a collider, by place; none where they are at one.
pub(super) fn separate_contacts(
    graph: &Graph,
    object: &LiveObject,
    other: Handle<Node>,
) -> Vec<Contact> {
    let faces = face_contacts(graph, &object.colliders, other);
    if faces.len() > MAX_FACES {
        return Vec::new();
    }
    let reach = SEPARATE * object.local_bounds.extents().length();
    let mut places: Vec<Contact> = Vec::new();
    for mut face in faces {
        // It may join some that were apart.
        while let Some(near) = places.iter().position(|own| gap(own, &face) <= reach) {
            face.merge(&places.swap_remove(near));
        }
        places.push(face);
    }
    if places.len() < 2 {
        return Vec::new();
    }
    places.sort_by(|a, b| b.impulse.total_cmp(&a.impulse));
    places.truncate(MAX_PLACES);
    places
}

/// The contacts that bear something, one for each pair of faces.
fn face_contacts(graph: &Graph, colliders: &[Handle<Node>], other: Handle<Node>) -> Vec<Contact> {
    let mut faces = Vec::new();
    for own in colliders {
        let Ok(collider) = graph.try_get_of_type::<Collider>(*own) else {
            continue;
        };
        for pair in collider.active_contacts(&graph.physics) {
            if pair.other(own.transmute()).to_base::<Node>() == other {
                let of_face = pair.manifolds.chunks(1);
                let contacts =
                    of_face.filter_map(|face| Contact::of_faces(graph, &pair, face, *own));
                faces.extend(contacts.filter(|contact| contact.impulse > 0.0));
            }
        }
    }
    faces
}

/// The distance between the boxes around two places, metres.
fn gap(one: &Contact, other: &Contact) -> f32 {
    let [a, b] = [one.places, other.places];
    let apart = (a[0] - b[1]).sup(&(b[0] - a[1]));
    apart.sup(&Vector3::zeros()).norm()
}
