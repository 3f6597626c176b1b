//! Queries: rays and shapes against debris and the engine's bodies, data of objects and pieces, stress.

use crate::swap::pieces::PieceInfo;
use crate::{
    destruction::Destruction,
    impacts::queue::ImpactTarget,
    mirror::{
        engine_bodies::node_of,
        transforms::{engine_vector, pose, vec3},
    },
    object::{Object, ObjectId},
};
use fracture_geometry::check::MeshReport;
use fracture_geometry::{Solid, SolidError};
use fracture_simulation::{
    stress::{StressBond, StressGraph},
    BodyId, BodyRef, Motion, Pose, RayHit, SharedShape,
};
use fyrox::{
    core::{
        algebra::{UnitQuaternion, Vector3},
        color::Color,
        pool::Handle,
    },
    scene::{
        debug::{Line, SceneDrawingContext},
        node::Node,
    },
};
use std::sync::Arc;
use thiserror::Error;

/// The first hit of a ray or a moving shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryHit {
    /// A piece's node; the node with the script of an intact object; the rigid body of another dynamic body;
    /// or the collider of anything else.
    pub node: Handle<Node>,
    /// Whether the node belongs to a destructible or a piece.
    pub breakable: bool,
    /// Point of the hit, world space, metres.
    pub point: Vector3<f32>,
    /// Outward unit normal there.
    pub normal: Vector3<f32>,
    /// Distance travelled by the ray or the shape, metres.
    pub distance: f32,
}

/// An object, by any of its nodes, or all objects of a name.
///
/// By node: the node with the script, the rigid body, a mesh or collider of the object, or the node of one of
/// its pieces. By name: all objects that have it, as instances of a prefab do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectRef<'a> {
    /// By one of its nodes.
    Node(Handle<Node>),
    /// All of a name.
    Name(&'a str),
}

impl From<Handle<Node>> for ObjectRef<'_> {
    fn from(node: Handle<Node>) -> Self {
        Self::Node(node)
    }
}

impl<'a> From<&'a str> for ObjectRef<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for ObjectRef<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

/// Reason why there is no such object. Nothing has happened.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ObjectError {
    /// The node is neither a destructible nor a piece of one.
    #[error("node {node} is neither a destructible nor a piece of one; give the node with the script Destructible")]
    NotDestructible {
        /// The node.
        node: Handle<Node>,
    },
    /// No destructible has that name.
    #[error("there is no destructible \"{name}\"; there are: {known}")]
    UnknownName {
        /// The unknown name.
        name: String,
        /// The names of all destructibles.
        known: String,
    },
    /// A corner of a box is NaN or infinite, or the lowest corner is above the highest.
    #[error("the box reaches from {} to {}; it must be finite, with the lowest corner first", corners[0], corners[1])]
    Box {
        /// The corners as they were given.
        corners: [Vector3<f32>; 2],
    },
}

/// Queries see the state after the last update. The engine's own queries do not find debris. The scene is
/// mirrored in its first update; mesh colliders and terrains follow a few frames later.
impl Destruction {
    /// The first hit of a ray. The direction may have any length.
    pub fn cast_ray(
        &self,
        origin: Vector3<f32>,
        direction: Vector3<f32>,
        max_distance: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let hit = simulation.cast_ray(vec3(origin), vec3(direction), max_distance)?;
        self.query_hit(&hit)
    }

    /// The first hit of a moving sphere. If it starts inside something, the distance is 0.
    pub fn cast_sphere(
        &self,
        center: Vector3<f32>,
        radius: f32,
        direction: Vector3<f32>,
        max_distance: f32,
    ) -> Option<QueryHit> {
        let simulation = self.simulation.as_ref()?;
        let ball = ball(radius)?;
        let place = pose(&center, &UnitQuaternion::identity());
        let hit = simulation.cast_shape(&ball, place, vec3(direction), max_distance)?;
        self.query_hit(&hit)
    }

    /// The nodes of everything that a sphere touches, as in [`QueryHit::node`].
    pub fn overlap_sphere(&self, center: Vector3<f32>, radius: f32) -> Vec<Handle<Node>> {
        let rotation = UnitQuaternion::identity();
        ball(radius).map_or_else(Vec::new, |ball| self.overlaps(&ball, center, rotation))
    }

    /// The nodes of everything that a box touches, as in [`QueryHit::node`].
    pub fn overlap_box(
        &self,
        center: Vector3<f32>,
        rotation: UnitQuaternion<f32>,
        half_extents: Vector3<f32>,
    ) -> Vec<Handle<Node>> {
        if !half_extents
            .iter()
            .all(|half| *half > 0.0 && half.is_finite())
        {
            return Vec::new();
        }
        let half = half_extents;
        let cuboid = SharedShape::cuboid(half.x, half.y, half.z);
        self.overlaps(&cuboid, center, rotation)
    }

    /// The names of all objects, sorted.
    pub fn object_names(&self) -> Vec<String> {
        let objects = self.objects.values();
        let mut names: Vec<_> = objects.map(|object| object.name.clone()).collect();
        names.sort();
        names
    }

    /// Whether the object is intact, or all objects of the name are; `None` if there is none.
    pub fn is_intact<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<bool> {
        let objects = self.resolve(object.into());
        let objects = objects.iter().filter_map(|id| self.objects.get(*id));
        let is_intact = |object: &Object| object.live().is_none_or(|live| !live.broken);
        objects.map(is_intact).reduce(|all, one| all && one)
    }

    /// The volume of the intact object, m^3, or the sum for all objects of the name; `None` until it is
    /// prepared.
    pub fn source_volume<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<f64> {
        let volumes = self.sources(object.into()).map(|solid| solid.mass().volume);
        volumes.reduce(|a, b| a + b)
    }

    /// The volume of all pieces of the object, or of all objects of the name, that became dust, m^3; see
    /// [`Pieces::dust_size`](crate::Pieces::dust_size).
    pub fn dust_volume<'a>(&self, object: impl Into<ObjectRef<'a>>) -> f64 {
        let objects = self.resolve(object.into());
        let objects = objects.iter().filter_map(|id| self.objects.get(*id));
        objects.map(|object| object.dust_volume).sum()
    }

    /// The number of triangles of the intact object; `None` until it is prepared.
    pub fn source_triangles<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Option<usize> {
        let counts = self
            .sources(object.into())
            .map(|solid| solid.triangle_count());
        counts.reduce(|a, b| a + b)
    }

    /// The objects that are meant, in the order of discovery.
    pub(crate) fn resolve(&self, object: ObjectRef) -> Vec<ObjectId> {
        match object {
            ObjectRef::Name(name) => self.objects.all_named(name).collect(),
            ObjectRef::Node(node) => self.object_of_node(node).into_iter().collect(),
        }
    }

    fn object_of_node(&self, node: Handle<Node>) -> Option<ObjectId> {
        match self.target_at(node)? {
            ImpactTarget::Object(id) => Some(id),
            ImpactTarget::Piece(body) => Some(self.pieces.get(body)?.object),
            ImpactTarget::EngineBody(_) | ImpactTarget::Node(_) => None,
        }
    }

    fn motion_of(&self, body: BodyId) -> Option<Motion> {
        self.simulation.as_ref()?.motion(body)
    }

    fn sources(&self, object: ObjectRef) -> impl Iterator<Item = &Arc<Solid>> {
        let objects = self.resolve(object).into_iter();
        let live = objects.filter_map(|id| self.objects.live(id));
        live.filter_map(|live| live.shape.prepared()?.ok())
    }

    /// A report on the mesh of the object as it was read: holes, flipped triangles, parts that
    /// intersect each other. `None` until the mesh has been read, and if there is no such object. A mesh that
    /// cannot be checked is an error that gives the reason.
    ///
    /// Every triangle is checked. The report is meant for tools and tests, and for pauses of a game.
    pub fn mesh_report<'a>(
        &self,
        object: impl Into<ObjectRef<'a>>,
    ) -> Option<Result<MeshReport, SolidError>> {
        let object = *self.resolve(object.into()).first()?;
        let live = self.objects.live(object)?;
        let is_read = live.shape.prepared().is_some();
        is_read.then(|| live.shape.with_mesh(MeshReport::new))
    }

    /// The pieces of the object, or of all objects of the name, pieces of pieces included; none while it is
    /// intact.
    pub fn pieces_of<'a>(&self, object: impl Into<ObjectRef<'a>>) -> Vec<PieceInfo> {
        let objects = self.resolve(object.into());
        let pieces = self.pieces.iter();
        let own = pieces.filter(|(_, piece)| objects.contains(&piece.object));
        own.map(|(body, piece)| piece.info(self.motion_of(body)))
            .collect()
    }

    /// The bonds of all objects whose stress has been solved, after the last break or at the start.
    pub fn supports(&self) -> Vec<SupportLine> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let graphs = simulation.stress_graphs().into_iter();
        let placed = graphs.filter_map(|(body, support)| {
            let pose = simulation.motion(body)?.pose;
            Some((pose, support))
        });
        placed
            .flat_map(|(pose, support)| lines(&pose, &support))
            .collect()
    }

    fn overlaps(
        &self,
        shape: &SharedShape,
        center: Vector3<f32>,
        rotation: UnitQuaternion<f32>,
    ) -> Vec<Handle<Node>> {
        let Some(simulation) = &self.simulation else {
            return Vec::new();
        };
        let bodies = simulation.overlap_shape(shape, pose(&center, &rotation));
        let nodes = bodies.into_iter().filter_map(|body| self.node_of(body));
        nodes.map(|(node, _)| node).collect()
    }

    fn query_hit(&self, hit: &RayHit) -> Option<QueryHit> {
        let (node, breakable) = self.node_of(hit.owner()?)?;
        Some(QueryHit {
            node,
            breakable,
            point: engine_vector(hit.point),
            normal: engine_vector(hit.normal),
            distance: hit.distance,
        })
    }

    /// The node of a body, and whether it belongs to a destructible.
    pub(crate) fn node_of(&self, body: BodyRef) -> Option<(Handle<Node>, bool)> {
        let body = match body {
            BodyRef::External(key) => return Some((node_of(key), false)),
            BodyRef::Breakable(body) => body,
        };
        if let Some(piece) = self.pieces.get(body) {
            return Some((piece.node, true));
        }
        let id = self.objects.of_root(body)?;
        Some((self.objects.get(id)?.node, true))
    }
}

fn ball(radius: f32) -> Option<SharedShape> {
    (radius > 0.0 && radius.is_finite()).then(|| SharedShape::ball(radius))
}

/// A bond between two parts of an anchored object, as a line between their centres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportLine {
    /// The centre of one part, world space, metres.
    pub from: Vector3<f32>,
    /// The centre of the other.
    pub to: Vector3<f32>,
    /// Stress relative to the strength: above 1 the bond breaks.
    pub utilisation: f32,
    /// Whether the bond is broken.
    pub broken: bool,
}

/// Share of the distance to the eye at which a line is drawn over everything: not nearer than a camera sees.
const BEFORE_EYE: f32 = 0.1;

impl SupportLine {
    /// The line as it is seen from an eye, but so near to the eye that nothing hides it: the lines of an object
    /// lie inside it.
    pub fn over_everything(&self, eye: Vector3<f32>) -> Self {
        let near = |end: Vector3<f32>| eye + (end - eye) * BEFORE_EYE;
        Self {
            from: near(self.from),
            to: near(self.to),
            ..*self
        }
    }

    /// Draws the line: green without stress, red near breaking, black when broken.
    pub fn draw(&self, context: &mut SceneDrawingContext) {
        let share = (self.utilisation.clamp(0.0, 1.0) * 255.0) as u8;
        context.add_line(Line {
            begin: self.from,
            end: self.to,
            color: if self.broken {
                Color::BLACK
            } else {
                Color::opaque(share, 255 - share, 40)
            },
        });
    }
}

fn lines(pose: &Pose, support: &StressGraph) -> Vec<SupportLine> {
    let place = |node: u32| {
        let center = support.nodes.get(node as usize)?.center;
        Some(engine_vector(pose.transform_point(center)))
    };
    let line = |bond: &StressBond| {
        let [from, to] = bond.nodes.map(place);
        Some(SupportLine {
            from: from?,
            to: to?,
            utilisation: bond.utilisation,
            broken: bond.broken,
        })
    };
    support.bonds.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_everything_is_seen_at_the_same_place() {
        let eye = Vector3::new(1.0, 2.0, 8.0);
        let line = SupportLine {
            from: Vector3::new(-1.0, 0.0, 0.0),
            to: Vector3::new(4.0, 3.0, -2.0),
            utilisation: 0.3,
            broken: false,
        };
        let seen = line.over_everything(eye);
        for (near, end) in [(seen.from, line.from), (seen.to, line.to)] {
            let [near, end] = [near - eye, end - eye];
            assert!((near.normalize() - end.normalize()).norm() < 1e-5);
            assert!(near.norm() < 0.2 * end.norm());
        }
        assert_eq!(seen.utilisation, line.utilisation);
    }
}
