//! Blows in all directions.

use super::{orders::Target, Destruction};
use crate::{frames::vec3, impact::Impact};
use fracture_simulation::{rapier3d::math::Vec3, BodyId};
use fyrox::{
    core::{algebra::Vector3, pool::Handle},
    graph::SceneGraph,
    scene::{graph::Graph, node::Node, Scene},
};

impl Destruction {
    /// Strikes all objects within `radius` (m) of `center`, in the next update. Each gets the part
    /// `(1 - distance / radius)^2` of `energy` (J) at its point nearest to the centre, as far as
    /// nothing stands between. Returns how many were struck.
    pub fn explosion(
        &mut self,
        scene: &Scene,
        center: Vector3<f32>,
        radius: f32,
        energy: f32,
    ) -> usize {
        if !(radius > 0.0 && radius.is_finite()) {
            return 0;
        }
        let mut struck = 0;
        for (target, point) in self.points_towards(&scene.graph, center) {
            let way = point - center;
            let share = 1.0 - way.norm() / radius;
            if share <= 0.0 {
                continue;
            }
            let (point, normal) = self.surface_towards(center, point, target);
            if (point - center).norm() >= radius {
                continue;
            }
            let blow = Impact::new(point, normal, energy * share * share);
            let direction = way.try_normalize(f32::EPSILON).unwrap_or(-blow.normal);
            let push = direction * blow.impulse.norm();
            struck += usize::from(self.order(target, blow.with_impulse(push)).is_ok());
        }
        struck
    }

    /// All that can be struck, with the point of its box nearest to a point.
    fn points_towards(&self, graph: &Graph, center: Vector3<f32>) -> Vec<(Target, Vector3<f32>)> {
        let nearest = |node: Handle<Node>| {
            let bounds = graph.try_get_node(node).ok()?.world_bounding_box();
            Some(center.sup(&bounds.min).inf(&bounds.max))
        };
        let distance = |point: &Vector3<f32>| (point - center).norm_squared();
        let closest = |meshes: &[Handle<Node>]| {
            let points = meshes.iter().filter_map(|mesh| nearest(*mesh));
            points.min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        let whole = self.objects.iter().filter_map(|(id, object)| {
            let live = object.live().filter(|live| !live.broken)?;
            Some((Target::Object(*id), closest(&live.meshes)?))
        });
        let pieces = self.pieces.iter().filter_map(|(body, piece)| {
            let point = match piece.merged {
                true => piece.world_center(), // the node's box is that of many
                false => nearest(piece.node)?,
            };
            Some((Target::Piece(body), point))
        });
        whole.chain(pieces).collect()
    }

    /// Of the pieces that a node shows together, the one nearest to a point.
    pub(super) fn nearest_of(&self, node: Handle<Node>, point: Vector3<f32>) -> Option<BodyId> {
        let distance = |body: BodyId| {
            let center = self.pieces.get(body)?.world_center();
            Some(((center - point).norm_squared(), body))
        };
        let measured = self.batches.pieces_at(node).filter_map(distance);
        let nearest = measured.min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, body)| body)
    }

    /// Where a target's surface is met on the way to a point of its box, and its normal there; where
    /// the ray meets nothing or another body, the nearest point of its surface, which the box may be
    /// far from, or that of the box while it is collided with nowhere.
    fn surface_towards(
        &self,
        center: Vector3<f32>,
        point: Vector3<f32>,
        target: Target,
    ) -> (Vector3<f32>, Vector3<f32>) {
        let way = point - center;
        let away = (-way)
            .try_normalize(f32::EPSILON)
            .unwrap_or_else(Vector3::y);
        let hit = self.cast_ray(center, way, way.norm() * 2.0 + 1.0);
        match hit.filter(|hit| {
            self.struck_by(hit)
                .is_some_and(|(other, _)| other == target)
        }) {
            Some(hit) => (
                Vector3::from(hit.point.to_array()),
                Vector3::from(hit.normal.to_array()),
            ),
            None => self
                .nearest_surface(target, center)
                .unwrap_or((point, away)),
        }
    }

    fn nearest_surface(
        &self,
        target: Target,
        point: Vector3<f32>,
    ) -> Option<(Vector3<f32>, Vector3<f32>)> {
        let body = match target {
            Target::Piece(body) => body,
            Target::Object(id) => self.objects.get(&id)?.live()?.root,
            Target::Node(_) => return None,
        };
        let simulation = self.simulation.as_ref()?;
        let [at, outward] = simulation.nearest_surface(body, vec3(point))?;
        let vector = |v: Vec3| Vector3::from(v.to_array());
        Some((vector(at), vector(outward)))
    }
}
