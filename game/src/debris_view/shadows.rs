//! Shadows of pieces, which end at a distance by the piece's size: each one costs the engine a draw call in each part of a
//! shadow map, and small ones cannot be seen from afar.

use crate::{
    debris_view::batches::StaticBatches,
    mirror::{
        transforms::{vec3, world_matrix},
        viewers::enabled_camera,
    },
    swap::pieces::{Piece, PieceStore},
};
use fracture_simulation::BodyId;
use fyrox::{
    core::pool::Handle,
    graph::SceneGraph,
    scene::{graph::Graph, mesh::Mesh, node::Node},
};
use rapier3d::math::Vec3;

/// Pieces that are looked at in an update.
const PIECES: usize = 128;
/// Updates from one search for cameras to the next.
const SEARCH_EVERY: u32 = 16;
/// Factor on the distance for shadows that are there, so that they do not come and go.
const KEPT: f32 = 1.15;

/// Decides in turn which pieces cast shadows.
#[derive(Default)]
pub(super) struct Shadows {
    cameras: Vec<Handle<Node>>,
    /// Where they are.
    eyes: Vec<Vec3>,
    /// The piece that comes next; the first one if there is none.
    next: Option<BodyId>,
    /// Updates so far in which there were pieces.
    updates: u32,
}

impl Shadows {
    /// Lets pieces cast shadows that a camera is near enough to, given the distance for a piece of one metre.
    pub fn update(
        &mut self,
        graph: &mut Graph,
        pieces: &PieceStore,
        batches: &StaticBatches,
        distance: f32,
    ) {
        if pieces.iter().next().is_none() {
            return;
        }
        if self.updates.is_multiple_of(SEARCH_EVERY) {
            let cameras = graph.linear_iter().filter_map(enabled_camera);
            self.cameras = cameras.map(|camera| camera.handle()).collect();
        }
        self.updates = self.updates.wrapping_add(1);
        self.eyes.clear();
        let eyes = self.cameras.iter().map(|camera| place(graph, *camera));
        self.eyes.extend(eyes);
        if self.eyes.is_empty() {
            return;
        }
        let mut following = pieces.from(self.next);
        for (body, piece) in following.by_ref().take(PIECES) {
            if !piece.appearance.flags.cast_shadows() {
                continue;
            }
            let reach = match batches.of_piece(body) {
                None => nearness(piece, &self.eyes),
                Some(batch) if batch.members.first() == Some(&body) => {
                    let members = batch
                        .members
                        .iter()
                        .filter_map(|member| pieces.get(*member));
                    members
                        .map(|member| nearness(member, &self.eyes))
                        .fold(0.0, f32::max)
                }
                Some(_) => continue,
            };
            cast(graph, piece.node, reach * distance);
        }
        self.next = following.next().map(|(body, _)| body);
    }
}

/// Lets a mesh cast a shadow if a figure is 1 or more, or nearly so and it does so already.
fn cast(graph: &mut Graph, node: Handle<Node>, figure: f32) {
    let Ok(mesh) = graph.try_get_mut_of_type::<Mesh>(node) else {
        return;
    };
    let casts = if mesh.cast_shadows() {
        figure * KEPT >= 1.0
    } else {
        figure >= 1.0
    };
    if casts != mesh.cast_shadows() {
        mesh.set_cast_shadows(casts);
    }
}

/// The size of a piece over its distance from the nearest of some eyes.
fn nearness(piece: &Piece, eyes: &[Vec3]) -> f32 {
    let size = 2.0 * piece.local_bounds.half_extents().max_element();
    let center = piece.pose.transform_point(piece.center);
    let distances = eyes.iter().map(|eye| (*eye - center).length());
    size / distances.fold(f32::INFINITY, f32::min)
}

fn place(graph: &Graph, node: Handle<Node>) -> Vec3 {
    vec3(world_matrix(graph, node).column(3).xyz())
}
